//! Units: what they are, what can be set about them, and when they rout.
//!
//! A procedure reads each side once. What fire, melee and morale need of a side under attack is a
//! [`Target`]: the printed qualities already turned into "skirmishing", "cover" and points, so that
//! artillery ("skirmishers behind soft cover") and sharpshooters are special in this file only.

use super::tables::{Chart, Tables};
use crate::rules::{Labels, RuleError, Setting, Settings};

crate::labels! {
    /// Quality of troops, best first.
    pub enum Class { A = "A", B = "B", C = "C", D = "D", E = "E" }
}

crate::labels! {
    /// What a unit is when it is attacked.
    pub enum Arm { Infantry = "infantry", Cavalry = "cavalry", Sharpshooters = "sharpshooters", Artillery = "artillery" }
}

crate::labels! {
    /// What a unit is when it fires.
    pub enum FiringArm {
        Infantry = "infantry", Cavalry = "cavalry", Sharpshooters = "sharpshooters",
        FieldGun = "field-gun", HeavyGun = "heavy-gun",
    }
}

impl FiringArm {
    /// Whether it serves a gun.
    pub fn is_gun(self) -> bool {
        matches!(self, FiringArm::FieldGun | FiringArm::HeavyGun)
    }

    /// The same unit under attack.
    pub fn attacked(self) -> Arm {
        match self {
            FiringArm::Infantry => Arm::Infantry,
            FiringArm::Cavalry => Arm::Cavalry,
            FiringArm::Sharpshooters => Arm::Sharpshooters,
            FiringArm::FieldGun | FiringArm::HeavyGun => Arm::Artillery,
        }
    }
}

impl Arm {
    /// The same unit firing its small arms; nothing for artillery, which has guns of two kinds.
    pub fn with_small_arms(self) -> Option<FiringArm> {
        match self {
            Arm::Infantry => Some(FiringArm::Infantry),
            Arm::Cavalry => Some(FiringArm::Cavalry),
            Arm::Sharpshooters => Some(FiringArm::Sharpshooters),
            Arm::Artillery => None,
        }
    }

    /// The rout chart it looks itself up in.
    fn chart(self, tables: &Tables) -> &Chart {
        match self {
            Arm::Infantry | Arm::Cavalry => &tables.regiments,
            Arm::Sharpshooters | Arm::Artillery => &tables.companies,
        }
    }
}

crate::labels! {
    /// How a unit is drawn up.
    pub enum Formation { Line = "line", Column = "column", Skirmish = "skirmish" }
}

crate::labels! {
    /// What a unit stands behind.
    pub enum Cover { Open = "open", Soft = "soft", Hard = "hard" }
}

crate::labels! {
    /// Small arms. `musket-1863` is the musket with the longer reach some have after 1862.
    pub enum Weapon {
        Musket = "musket", Musket1863 = "musket-1863", Rifle = "rifle",
        Bow = "bow", Shotgun = "shotgun", Carbine = "carbine",
    }
}

/// Every setting a unit can have, declared once; procedures name the ones that matter to them.
pub(super) fn setting(side: &str, name: &str) -> Setting {
    let key = format!("{side}.{name}");
    match name {
        "class" => Setting::choice(key, Class::C, "quality, A the best")
            .from("Allocation of foot regiments and class"),
        "figures" => Setting::whole(key, 1..=40, 15, "figures now").from("Allocation of figures"),
        "original" => Setting::whole(
            key,
            1..=40,
            15,
            "figures the unit began the battle with: 11-20, for sharpshooters and artillery 4-8",
        )
        .same_as(format!("{side}.figures"))
        .from("Morale, check charts"),
        "arm" => Setting::choice(
            key,
            Arm::Infantry,
            "what the unit is; sharpshooters always skirmish, artillery counts as skirmishers behind soft cover",
        )
        .from("Formations permitted and class"),
        "firing_arm" => Setting::choice(
            format!("{side}.arm"),
            FiringArm::Infantry,
            "what fires; sharpshooters always skirmish, guns are served by classes A-C",
        )
        .from("Firing"),
        "formation" => Setting::choice(
            key,
            Formation::Line,
            "how it is drawn up; sharpshooters always skirmish, and artillery has no other order",
        )
        .from("Firing; Formations permitted and class"),
        "charge_formation" => Setting::one_of(
            format!("{side}.formation"),
            &Formation::LABELS[..2],
            Formation::Line.label(),
            "how it comes up; the charge itself is in line, and skirmishers cannot charge",
        )
        .from("Movement, Charge"),
        "cover" => Setting::choice(key, Cover::Open, "what it stands behind")
            .from("Soft cover; Hard cover"),
        "weapon" => Setting::choice(
            key,
            Weapon::Rifle,
            "small arm; guns use their own and ignore it",
        )
        .from("Firing, Ranges"),
        "helpers" => Setting::whole(key, 0..=40, 0, "infantry figures serving a gun")
            .from("Firing, dice thrown"),
        "formation_fail" => Setting::flag(key, "has a formation fail").from("Formation fail test"),
        "officer_fail" => {
            Setting::flag(key, "is out of its officer's reach").from("Order of influence; Morale")
        }
        "officer_attached" => Setting::flag(key, "has an officer with it").from("Officers; Morale"),
        "isolated" => Setting::flag(key, "has no friends within 30 cm").from("Morale"),
        "cavalry_near" => Setting::flag(key, "has enemy cavalry within 30 cm").from("Morale"),
        "saw_rout" => Setting::flag(key, "sees a regiment rout within 30 cm").from("Morale"),
        "charging" => Setting::flag(key, "charges").from("Melee, Scores to kill"),
        "fighting" => Setting::whole(
            key,
            0..=40,
            0,
            "figures in contact; 0 is all that can fight, three to an enemy figure",
        )
        .from("Melee"),
        other => unreachable!("no unit setting is called {other}"),
    }
}

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

/// Everything that can be set about a unit under attack.
pub(super) fn target_settings(side: &str) -> Vec<Setting> {
    let names = ["class", "figures", "original", "arm", "formation", "cover"];
    settings(side, &[&names[..], &FLAGS[..]].concat())
}

/// When a unit routs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nerve {
    /// Points at or below which it routs.
    routs_at: i64,
    /// Points beside those for figures and for a formation fail.
    points: i64,
    /// Points for a formation fail.
    formation_fail: i64,
}

impl Nerve {
    /// Whether a unit that has lost figures and has this many left routs.
    pub(super) fn routs(&self, left: u8, formation_fail: bool) -> bool {
        let fail = i64::from(formation_fail) * self.formation_fail;
        left == 0 || i64::from(left) + self.points + fail <= self.routs_at
    }
}

/// A unit under attack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub class: Class,
    pub figures: u8,
    /// As it counts for being hit and killed.
    pub formation: Formation,
    /// As it counts for being saved and killed.
    pub cover: Cover,
    pub formation_fail: bool,
    pub nerve: Nerve,
}

impl Target {
    /// Reads a side whose arm is known; keys the procedure does not have are off.
    pub(super) fn read(
        tables: &Tables,
        s: &Settings,
        side: &str,
        arm: Arm,
    ) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let stands_in = s.choice_or(&key("cover"), Cover::Open);
        let (formation, cover) = match arm {
            Arm::Infantry | Arm::Cavalry => (s.choice(&key("formation")), stands_in),
            Arm::Sharpshooters => (Formation::Skirmish, stands_in),
            Arm::Artillery => (Formation::Skirmish, tables.artillery_cover(stands_in)),
        };
        let steadied_by = if tables.artillery_cover_steadies {
            cover
        } else {
            stands_in
        };
        let on = |name: &str, points: i64| i64::from(s.flag(&key(name))) * points;
        let points = &tables.morale;
        let nerve = Nerve {
            routs_at: rout_points(tables, s, side, arm)?,
            points: on("isolated", points.isolated)
                + on("cavalry_near", points.cavalry_near)
                + on("officer_fail", points.officer_fail)
                + on("saw_rout", points.saw_rout)
                + on("officer_attached", points.officer_attached)
                + points.cover[steadied_by.position()],
            formation_fail: points.formation_fail,
        };
        Ok(Target {
            class: s.choice(&key("class")),
            figures: s.whole(&key("figures")) as u8,
            formation,
            cover,
            formation_fail: s.flag(&key("formation_fail")),
            nerve,
        })
    }

    /// Whether it counts as skirmishers.
    pub(super) fn skirmishing(&self) -> bool {
        self.formation == Formation::Skirmish
    }

    /// What is left, and whether it routs, after losing so many figures; without a loss nobody tests.
    pub(super) fn loses(&self, had: u8, lost: u8, formation_fail: bool) -> (u8, bool) {
        let left = had.saturating_sub(lost);
        (left, left < had && self.nerve.routs(left, formation_fail))
    }
}

/// The chart's number for a unit, or what is wrong with its size or class.
fn rout_points(tables: &Tables, s: &Settings, side: &str, arm: Arm) -> Result<i64, RuleError> {
    let [class_key, figures_key, original_key] =
        ["class", "figures", "original"].map(|name| format!("{side}.{name}"));
    let (class, figures): (Class, i64) = (s.choice(&class_key), s.whole(&figures_key));
    let (chart, original) = (arm.chart(tables), s.whole(&original_key));
    if original < figures {
        let reason = format!("the unit cannot have begun with fewer than its {figures} figures");
        return Err(s.refuse(&original_key, reason));
    }
    let Some(column) = chart.column(original) else {
        let (least, most) = chart.sizes();
        let chart = format!(
            "the rout chart for {} covers {least} to {most} original figures",
            arm.label()
        );
        return Err(if s.given().any(|(key, _)| key == original_key) {
            s.refuse(&original_key, chart)
        } else {
            let reason = format!(
                "{chart}, and these are the original ones unless `{original_key}` is given"
            );
            s.refuse(&figures_key, reason)
        });
    };
    chart.points(class, column).ok_or_else(|| {
        let reason = format!(
            "the rout chart for {} has only the classes {}",
            arm.label(),
            chart.classes().join(", ")
        );
        s.refuse(&class_key, reason)
    })
}
