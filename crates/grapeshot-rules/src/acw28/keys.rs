//! What can be set about units, and about the fights several procedures share.

use super::kinds::{Arm, Class, Cover, FiringArm, Formation, Gun, Onset, Weapon};
use super::tables::Tables;
use crate::{Labels, Setting};

/// What can be set about the nerve of a unit.
pub(super) const FLAGS: [&str; 6] = [
    "formation_fail",
    "officer_fail",
    "officer_attached",
    "isolated",
    "cavalry_near",
    "saw_rout",
];

/// The settings of a side, by name.
pub(super) fn settings(side: &str, names: &[&str]) -> Vec<Setting> {
    names.iter().map(|name| setting(side, name)).collect()
}

/// Everything that can be set about a unit under attack; `arm` is `arm`, `firing_arm` or `any_arm`.
pub(super) fn target_settings(side: &str, arm: &str) -> Vec<Setting> {
    let names = ["class", "figures", "original", arm, "formation", "cover"];
    settings(
        side,
        &[&names[..], &["helpers"], &FLAGS[..], &["successor"]].concat(),
    )
}

/// Every setting a unit can have, declared once; procedures name the ones that matter to them.
pub(super) fn setting(side: &str, name: &str) -> Setting {
    let key = format!("{side}.{name}");
    match name {
        "class" => Setting::choice(key, Class::C, "quality, A the best")
            .from("Allocation of foot regiments and class"),
        "figures" => Setting::whole(
            key,
            1..=40,
            15,
            "figures now, helpers apart; sharpshooters and gunners are 8 at most",
        )
        .from("Allocation of figures"),
        "original" => Setting::whole(
            key,
            1..=40,
            15,
            "figures the unit began the battle with: 11-20, for sharpshooters and artillery 4-8",
        )
        .same_as(format!("{side}.figures"))
        .from("Morale, check charts"),
        "arm" => arm(key, 4),
        "any_arm" => arm(format!("{side}.arm"), 5),
        "firing_arm" => Setting::choice(
            format!("{side}.arm"),
            FiringArm::Infantry,
            "what fires; sharpshooters and cavalry, which dismounts to fire, always skirmish",
        )
        .from("Firing"),
        "formation" => Setting::choice(
            key,
            Formation::Line,
            "how it is drawn up; not for sharpshooters and mounted Indians, who always skirmish, nor for artillery",
        )
        .from("Firing; Formations permitted and class"),
        "cover" => Setting::choice(key, Cover::Open, "what it stands behind")
            .from("Soft cover; Hard cover"),
        "weapon" => Setting::choice(
            key,
            Weapon::Rifle,
            "small arm; guns use their own and ignore it",
        )
        .from("Firing, Ranges"),
        "gun" => Setting::choice(key, Gun::Field, "the gun of a battery").from("Firing, Ranges"),
        "helpers" => Setting::whole(
            key,
            0..=40,
            0,
            "infantry in the places of fallen gunners: figures of the battery, with one die each",
        )
        .from("Firing, dice thrown; Morale"),
        "formation_fail" => Setting::flag(key, "has a formation fail").from("Formation fail test"),
        "officer_fail" => {
            Setting::flag(key, "is out of its officer's reach").from("Order of influence; Morale")
        }
        "officer_attached" => Setting::flag(key, "has an officer with it, who may be killed")
            .from("Officers; Morale"),
        "isolated" => Setting::flag(key, "has no friends within 30 cm").from("Morale"),
        "cavalry_near" => Setting::flag(key, "has enemy cavalry within 30 cm").from("Morale"),
        "saw_rout" => Setting::flag(key, "sees a regiment rout within 30 cm").from("Morale"),
        "successor" => Setting::flag_on(
            key,
            "another officer is in reach to take over; false: an officer fail once he is dead",
        )
        .from("Officers"),
        "onset" => Setting::choice(
            key,
            Onset::Charge,
            "how it goes into contact; advance is at the ordinary rate, into cover too",
        )
        .from("Movement, Charge; Melee"),
        "charging" => Setting::flag(key, "charges").from("Melee, Scores to kill"),
        "fighting" => Setting::whole(
            key,
            0..=40,
            0,
            "figures in contact; 0 is all that can fight, three to an enemy figure",
        )
        .from("Melee"),
        "at_officer" => Setting::whole(
            key,
            0..=3,
            0,
            "figures that strike at the officer with the enemy instead",
        )
        .from("Melee, Scores to kill"),
        "leaves_at" => Setting::whole(
            key,
            0..=40,
            0,
            "moves away in its own turn with so many figures or fewer; 0 is never",
        )
        .from("Melee"),
        other => unreachable!("no unit setting is called {other}"),
    }
}

/// What a unit is: the first so many arms.
fn arm(key: String, arms: usize) -> Setting {
    let meaning = match Arm::LABELS.get(arms) {
        Some(_) => {
            "what the unit is; sharpshooters always skirmish, artillery counts as skirmishers behind soft cover"
        }
        None => {
            "what the unit is; sharpshooters always skirmish, artillery counts as skirmishers behind soft cover, an officer stands alone"
        }
    };
    let (labels, infantry) = (&Arm::LABELS[..arms], Arm::Infantry.label());
    Setting::one_of(key, labels, infantry, meaning).from("Formations permitted and class")
}

/// The distance between the units.
pub(super) fn range(tables: &Tables) -> Setting {
    Setting::whole("range", 1..=10_000, 30, "cm from firer to target")
        .from("Firing, Ranges")
        .in_bands(tables.range_ends())
}

/// Which of two contradicting printed rules is followed.
pub(super) fn open_saves() -> Setting {
    Setting::flag_on(
        "open_saves",
        "figures in the open save as in the charts; false follows the sentence that denies it",
    )
    .from("Firing, Saves at short and long range")
}

/// Whether a formation fail that was set can be got rid of.
pub(super) fn formation_tests() -> Setting {
    Setting::flag_on(
        "formation_tests",
        "a formation fail that is set is tested in each own turn; false: its cause lasts, and so does it",
    )
    .from("Formation fail test")
}
