//! The words for troops: class, arm, formation, cover, weapon.

grapeshot_engine::labels! {
    /// Quality of troops, best first.
    pub enum Class { A = "A", B = "B", C = "C", D = "D", E = "E" }
}

grapeshot_engine::labels! {
    /// What a unit is when it is attacked; an officer is one only where he stands alone.
    pub enum Arm {
        Infantry = "infantry", Cavalry = "cavalry", Sharpshooters = "sharpshooters",
        Artillery = "artillery", Officer = "officer",
    }
}

impl Arm {
    /// Whether it is a company or a battery, with a rout chart of its own.
    pub fn is_company(self) -> bool {
        matches!(self, Arm::Sharpshooters | Arm::Artillery)
    }

    /// The same unit when it fires; artillery has a gun of one kind or the other.
    pub fn firing(self, gun: Gun) -> FiringArm {
        match (self, gun) {
            (Arm::Infantry | Arm::Officer, _) => FiringArm::Infantry,
            (Arm::Cavalry, _) => FiringArm::Cavalry,
            (Arm::Sharpshooters, _) => FiringArm::Sharpshooters,
            (Arm::Artillery, Gun::Field) => FiringArm::FieldGun,
            (Arm::Artillery, Gun::Heavy) => FiringArm::HeavyGun,
        }
    }
}

grapeshot_engine::labels! {
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

grapeshot_engine::labels! {
    /// The two kinds of gun.
    pub enum Gun { Field = "field", Heavy = "heavy" }
}

grapeshot_engine::labels! {
    /// How a unit is drawn up.
    pub enum Formation { Line = "line", Column = "column", Skirmish = "skirmish" }
}

grapeshot_engine::labels! {
    /// What a unit stands behind.
    pub enum Cover { Open = "open", Soft = "soft", Hard = "hard" }
}

grapeshot_engine::labels! {
    /// Small arms. `musket-1863` is the musket with the longer reach some have after 1862.
    pub enum Weapon {
        Musket = "musket", Musket1863 = "musket-1863", Rifle = "rifle",
        Bow = "bow", Shotgun = "shotgun", Carbine = "carbine",
    }
}

grapeshot_engine::labels! {
    /// How a unit goes into contact: charging, or at its ordinary rate.
    pub enum Onset { Charge = "charge", Advance = "advance" }
}
