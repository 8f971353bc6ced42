//! What can be set, declared once; procedures name the keys that matter to them.

use super::tables::{GROUNDS, SCALES, Tables};
use super::unit::{Cover, Grade, UnitKind, Weapon, Withdrew, Works};
use crate::{Labels, Setting};

/// What a unit that is charged may do about its second fire.
const SECOND_FIRE: [&str; 2] = ["attempt", "decline"];

/// A setting of a unit.
pub(super) fn setting(side: &str, name: &str) -> Setting {
    let key = format!("{side}.{name}");
    match name {
        "kind" => Setting::choice(
            key,
            UnitKind::Infantry,
            "what the unit is; cavalry is mounted",
        )
        .from("Scales and stand sizes"),
        "grade" => Setting::choice(
            key,
            Grade::Regular,
            "morale grade; green is rolled once, when first needed",
        )
        .from("Morale grades and special skills"),
        "stands" => {
            Setting::whole(key, 1..=40, 10, "stands present").from("Scales and stand sizes")
        }
        "stands_lost" => Setting::whole(
            key,
            0..=40,
            0,
            "stands lost before; counts in morale tests only",
        )
        .from("Morale tests, modifiers"),
        "hits" => Setting::whole(key, 0..=2, 0, "hits carried, less than a stand's worth")
            .from("Morale tests and panic markers"),
        "panic" => Setting::whole(key, 0..=2, 0, "panic markers carried")
            .from("Morale tests and panic markers"),
        "weapon" => Setting::choice(key, Weapon::RifleMusket, "what it shoots with")
            .from("Small arms and artillery fire factors"),
        "commander" => Setting::whole(
            key,
            0..=3,
            0,
            "rating of an attached commander: brigade 1, division 2",
        )
        .from("Officers"),
        "withdrew" => Setting::choice(key, Withdrew::No, "how it withdrew the turn before")
            .from("Morale tests, modifiers"),
        "flank_fire" => Setting::flag(key, "took effective fire from flank or rear this turn")
            .from("Morale tests, modifiers"),
        "defensive_fire" => {
            Setting::flag(key, "tests to give defensive fire").from("Morale tests, modifiers")
        }
        "in_cover" => Setting::flag(format!("{side}.cover"), "is in or behind cover")
            .from("Morale tests, modifiers"),
        "stationary" => Setting::flag_on(
            key,
            "does not move this phase; counts for all but artillery",
        )
        .from("Chart column shifts"),
        "marksmen" => Setting::flag(key, "has the marksmen skill").from("Chart column shifts"),
        "skirmishing" => Setting::flag(key, "fires as skirmishers").from("Chart column shifts"),
        "prolonging" => {
            Setting::flag(key, "artillery that prolongs this turn").from("Chart column shifts")
        }
        "csa_artillery" => {
            Setting::flag(key, "Confederate artillery (optional rule)").from("Chart column shifts")
        }
        "out_of_ammo" => Setting::flag(key, "is out of ammunition (optional rule)")
            .from("Chart column shifts; Melee modifiers"),
        "exposed" => Setting::flag(
            key,
            "limbered, mounted, in road column or enfiladed; implied by cavalry",
        )
        .from("Chart column shifts"),
        "ranks" => Setting::whole(key, 1..=3, 1, "ranks deep; 3 is three or more, or square")
            .from("Chart column shifts; Melee modifiers"),
        "unlimbered" => Setting::flag(key, "unlimbered artillery").from("Chart column shifts"),
        "prone" => Setting::flag(key, "is prone").from("Chart column shifts"),
        "cover" => {
            Setting::choice(key, Cover::Open, "cover against fire").from("Chart column shifts")
        }
        "works" => Setting::choice(format!("{side}.cover"), Works::Open, "what it defends")
            .from("Melee modifiers"),
        "uphill" => Setting::flag(key, "stands uphill from the enemy").from("Melee modifiers"),
        "crossing" => Setting::flag(key, "is crossing a ford or stream").from("Melee modifiers"),
        "flank" => {
            Setting::flag(key, "strikes flank or rear").from("Melee modifiers; Combat phase")
        }
        "lance" => Setting::flag(key, "shotgun or lance against cavalry").from("Melee modifiers"),
        "overenthusiastic" => Setting::flag(key, "is overenthusiastic").from("Melee modifiers"),
        "woods" => Setting::flag(key, "is in woods; matters to cavalry only")
            .from("Combat phase; Movement phase"),
        "second_fire" => Setting::one_of(
            key,
            &SECOND_FIRE,
            SECOND_FIRE[0],
            "whether it tests for a second fire, at 50 yards",
        )
        .from("Charge movement subphase, 6 and 8"),
        "second_fire_or_best" => Setting::one_of(
            format!("{side}.second_fire"),
            &["attempt", "decline", "best"],
            SECOND_FIRE[0],
            "what it does about a second fire when it is charged; best: what is best for it then",
        )
        .from("Charge movement subphase, 6 and 8"),
        "guns_weapon" => guns_weapon(key),
        "guns_stands" => guns_stands(key),
        "combine" => combine(key),
        "supports" => Setting::whole(
            key,
            0..=2,
            0,
            "regiments formed up behind it as further ranks",
        )
        .from("Combat phase"),
        "fires_in" => Setting::flag(
            key,
            "mounted cavalry with pistol or shotgun fires as it closes",
        )
        .from("Special rules concerning cavalry in combat"),
        "column" => Setting::flag(key, "infantry in column: one movement die more")
            .from("Movement phase, Infantry movement"),
        "in_motion" => Setting::flag(key, "cavalry that moved the turn before")
            .from("Movement phase, Mounted cavalry"),
        "road" => Setting::flag(key, "on a road: one movement die more (optional rule)")
            .from("Movement phase, Road movement"),
        "obstacle" => Setting::flag(
            key,
            "crosses a major obstacle (abatis, the wall of a fort) from within 50 yards",
        )
        .from("Movement phase, Cross major obstacle"),
        "cards" => Setting::whole(
            key,
            1..=3,
            1,
            "headquarters cards that activate it; matter with order=cards",
        )
        .from("Order of play"),
        "faces" => Setting::flag_on(
            key,
            "turns to meet the charge in time; else it is struck in the flank",
        )
        .from("Cavalry opportunity charge"),
        "fired" => Setting::flag(key, "has fired in its fire phase").from("Skirmishers, 11"),
        other => unreachable!("no unit setting is called {other}"),
    }
}

/// The settings of a side, by name.
pub(super) fn settings(side: &str, names: &[&str]) -> Vec<Setting> {
    names.iter().map(|name| setting(side, name)).collect()
}

/// Who may charge, and who may skirmish: everyone but artillery.
pub(super) fn on_foot_or_horse(side: &str, meaning: &str) -> Setting {
    let kinds = &UnitKind::LABELS[..UnitKind::Artillery as usize];
    Setting::one_of(
        format!("{side}.kind"),
        kinds,
        UnitKind::Infantry.label(),
        meaning,
    )
    .from("Scales and stand sizes")
}

pub(super) fn guns_weapon(key: impl Into<String>) -> Setting {
    let meaning = "artillery that joins the attack";
    Setting::one_of(key, Weapon::artillery(), "12lb-napoleon", meaning).from("Firing procedure, 1")
}

pub(super) fn guns_stands(key: impl Into<String>) -> Setting {
    let meaning = "its stands; not cut by the firer's panic";
    Setting::whole(key, 0..=20, 0, meaning).from("Firing procedure, 1")
}

pub(super) fn combine(key: impl Into<String>) -> Setting {
    let meaning = "small arms and guns fire as one attack; false: separately";
    Setting::flag_on(key, meaning).from("Firing procedure, 1")
}

pub(super) fn range(tables: &Tables) -> Setting {
    Setting::whole("range", 1..=6000, 100, "yards from firer to target")
        .from("Small arms and artillery fire factors")
        .in_bands(tables.range_ends())
}

pub(super) fn ammo_rule() -> Setting {
    let meaning = "a die of 0 runs the firer out of ammunition (optional rule)";
    Setting::flag("ammo_rule", meaning).from("Optional rule: ammunition supply")
}

pub(super) fn close_range_rule() -> Setting {
    let meaning = "the optional column for small arms at 50 yards or less";
    Setting::flag("close_range_rule", meaning).from("Chart column shifts")
}

pub(super) fn commander_risk() -> Setting {
    let meaning = "casualty dice are rolled for attached commanders";
    Setting::flag("commander_risk", meaning).from("Officers, commander casualties")
}

pub(super) fn attackers() -> Setting {
    let meaning = "equal units that attack together, the commander with the first";
    Setting::whole("attackers", 1..=3, 1, meaning).from("Combat phase")
}

pub(super) fn distance(most: i64, default: i64) -> Setting {
    Setting::whole(
        "distance",
        1..=most,
        default,
        "yards the charge starts from",
    )
    .from("Charge movement subphase, 3")
}

/// How far a charge comes.
pub(super) fn reach() -> Vec<Setting> {
    vec![
        Setting::one_of(
            "reach",
            &["assume", "roll"],
            "assume",
            "whether the movement dice are rolled",
        )
        .from("Charge movement subphase, 2"),
        Setting::one_of(
            "scale",
            &SCALES,
            SCALES[0],
            "yards to the inch; matters when reach is rolled",
        )
        .from("Scales and stand sizes"),
    ]
}

/// What a charge moves over.
pub(super) fn ground() -> Setting {
    Setting::one_of(
        "ground",
        &GROUNDS,
        GROUNDS[0],
        "one hindrance is rough, two or more are broken; matters when reach is rolled",
    )
    .from("Movement phase, deductions of one inch a die")
}

/// Fire of the attacker's friends before a charge.
pub(super) fn preparation() -> Vec<Setting> {
    let source = "Fire phase; Firing procedure, 1";
    let guns = Weapon::artillery();
    let arms = Weapon::small_arms();
    let settings = vec![
        Setting::whole("prep.stands", 0..=20, 0, "guns that fire before the charge"),
        Setting::one_of("prep.weapon", guns, "12lb-napoleon", "what they are"),
        Setting::whole(
            "prep.range",
            1..=6000,
            300,
            "yards from them to the defender",
        ),
        Setting::flag("prep.csa_artillery", "they are Confederate (optional rule)"),
        Setting::whole(
            "prep.arms_stands",
            0..=40,
            0,
            "small arms that fire before the charge",
        ),
        Setting::one_of("prep.arms_weapon", arms, "rifle-musket", "what they are"),
        Setting::whole(
            "prep.arms_range",
            1..=6000,
            100,
            "yards from them to the defender",
        ),
        combine("prep.combine"),
        Setting::flag(
            "prep.flank",
            "this fire comes from the defender's flank or rear",
        ),
    ];
    settings
        .into_iter()
        .map(|setting| setting.from(source))
        .collect()
}
