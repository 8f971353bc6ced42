//! Random forces and movement: what is rolled for, and how far it goes.

use super::expect_die;
use super::morale::known_grade;
use crate::elephant::unit::{Grade, Weapon};
use crate::{Labels, RuleError, TableFile};

grapeshot_engine::labels! {
    /// What is mustered.
    pub enum Arm { Infantry = "infantry", Cavalry = "cavalry", Artillery = "artillery" }
}

impl Arm {
    /// What the arm may carry.
    pub(in crate::elephant) fn weapons(self) -> &'static [Weapon] {
        match self {
            Arm::Infantry => &[Weapon::Musket, Weapon::RifleMusket, Weapon::BlRifle],
            Arm::Cavalry => &[
                Weapon::Pistol,
                Weapon::Shotgun,
                Weapon::MlCarbine,
                Weapon::BlCarbine,
            ],
            Arm::Artillery => &[
                Weapon::SixSmoothbore,
                Weapon::Napoleon,
                Weapon::TwelveHowitzer,
                Weapon::TwentyFourHowitzer,
                Weapon::SixRifle,
                Weapon::ThreeInchRifle,
            ],
        }
    }
}

/// Random units.
#[derive(Debug, Clone)]
pub(in crate::elephant) struct Muster {
    /// By die: the weapon of each arm.
    pub weapons: Vec<[Weapon; 3]>,
    /// By die.
    pub grades: Vec<Grade>,
    /// On the weapon die before 1863.
    pub early: i64,
    /// On the weapon die of Confederate guns.
    pub csa_artillery: i64,
    pub sizes: Sizes,
}

/// How many stands a random unit has.
#[derive(Debug, Clone, Copy)]
pub(in crate::elephant) struct Sizes {
    /// By arm, where nothing is rolled.
    pub fixed: [u16; 3],
    pub infantry_average_dice: u32,
    pub cavalry_dice: u32,
    /// Sides of the die for the guns of a brigade.
    pub brigade_guns_die: i16,
    pub division_average_dice: u32,
    pub division_added: u16,
}

pub(super) fn muster(file: &TableFile) -> Result<Muster, RuleError> {
    let grid = file.grid("muster")?;
    expect_die(file, &grid, "muster")?;
    if grid.columns != ["infantry", "cavalry", "artillery", "morale"] {
        return Err(grid.problem(
            "columns",
            "must be infantry, cavalry, artillery, morale, in this order",
        ));
    }
    let mut weapons = Vec::new();
    let mut grades = Vec::new();
    for (die, cells) in &grid.rows {
        let key = format!("rows.{die}");
        let mut line = [Weapon::Musket; 3];
        for (at, &arm) in Arm::ALL.iter().enumerate() {
            let known = arm.weapons();
            let weapon = Weapon::from_label(&cells[at]).filter(|weapon| known.contains(weapon));
            line[at] = weapon.ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|weapon| weapon.label()).collect();
                let problem = format!("`{}` is not {}", cells[at], known.join(", "));
                grid.problem(&key, problem)
            })?;
        }
        weapons.push(line);
        grades.push(known_grade(&cells[3]).ok_or_else(|| {
            let problem = format!("`{}` is not a grade from elite to militia", cells[3]);
            grid.problem(&key, problem)
        })?);
    }
    let shifts = file.list("muster_shifts")?;
    Ok(Muster {
        weapons,
        grades,
        early: shifts.whole("pre-1863", -9..=0)?,
        csa_artillery: shifts.whole("csa-artillery", -9..=0)?,
        sizes: sizes(file)?,
    })
}

fn sizes(file: &TableFile) -> Result<Sizes, RuleError> {
    let list = file.list("muster_sizes")?;
    let n = |key: &str| list.whole(key, 1..=40);
    Ok(Sizes {
        fixed: [
            n("infantry")? as u16,
            n("cavalry")? as u16,
            n("brigade-guns")? as u16,
        ],
        infantry_average_dice: list.whole("infantry-average-dice", 1..=8)? as u32,
        cavalry_dice: list.whole("cavalry-dice", 1..=6)? as u32,
        brigade_guns_die: n("brigade-guns-die")? as i16,
        division_average_dice: list.whole("division-guns-average-dice", 1..=8)? as u32,
        division_added: list.whole("division-guns-added", 0..=20)? as u16,
    })
}

/// Average dice of a charge move, and what the ground takes off them.
#[derive(Debug, Clone, Copy)]
pub(in crate::elephant) struct Movement {
    pub infantry: u32,
    pub dismounted: u32,
    pub cavalry_from_rest: u32,
    pub cavalry_in_motion: u32,
    pub cavalry_charging: u32,
    pub cavalry_in_woods: u32,
    pub column: u32,
    pub road: u32,
    /// Inches off each die over open, rough and broken ground.
    pub ground: [i64; 3],
    /// Inches left of each die whatever the ground.
    pub least: i64,
    /// Yards to the inch, by scale.
    pub scales: [i64; 3],
}

/// The scales of the game.
pub(in crate::elephant) const SCALES: [&str; 3] = ["regiment-20", "regiment-40", "brigade-100"];

/// The ground a charge goes over.
pub(in crate::elephant) const GROUNDS: [&str; 3] = ["open", "rough", "broken"];

pub(super) fn movement(file: &TableFile) -> Result<Movement, RuleError> {
    let dice = file.list("movement_dice")?;
    let n = |key: &str| dice.whole(key, 0..=9).map(|n| n as u32);
    let ground = file.list("ground")?;
    let inches = |key: &str| ground.whole(key, 0..=9);
    let scale = file.list("scale")?;
    let mut scales = [0; 3];
    for (yards, name) in scales.iter_mut().zip(SCALES) {
        *yards = scale.whole(name, 1..=1000)?;
    }
    Ok(Movement {
        infantry: n("infantry")?,
        dismounted: n("dismounted")?,
        cavalry_from_rest: n("cavalry-from-rest")?,
        cavalry_in_motion: n("cavalry-in-motion")?,
        cavalry_charging: n("cavalry-charging")?,
        cavalry_in_woods: n("cavalry-in-woods")?,
        column: n("column")?,
        road: n("road")?,
        ground: [0, inches("rough")?, inches("broken")?],
        least: inches("least")?,
        scales,
    })
}
