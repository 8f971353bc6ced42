//! Units: what they are, and what can be set about them.

use crate::rules::{Labels, Setting};

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
