//! The printed tables, as numbers.

mod read;

use super::unit::{Class, Cover, FiringArm, Weapon};
use crate::dice::Throw;
use crate::rules::Labels;

crate::labels! {
    /// What guns can destroy.
    pub enum Work {
        StoneBuilding = "stone-building", StoneBridge = "stone-bridge",
        WoodenBuilding = "wooden-building", WoodenBridge = "wooden-bridge",
        Earthwork = "earthwork", StoneWall = "stone-wall", Fence = "fence",
    }
}

crate::labels! {
    /// The two armies.
    pub enum Side { Federal = "federal", Confederate = "confederate" }
}

/// The two kinds of fire, each with its own columns in the charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fire {
    SmallArms,
    Artillery,
}

/// How far a target is, as a weapon sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Short,
    Long,
}

/// How far a weapon reaches, in cm: short and long, where it has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ranges {
    short: Option<i64>,
    long: Option<i64>,
}

impl Ranges {
    /// How a distance counts; nothing beyond the reach.
    pub(super) fn at(&self, distance: i64) -> Option<Reach> {
        let within = |limit: Option<i64>| limit.is_some_and(|limit| distance <= limit);
        if within(self.short) {
            Some(Reach::Short)
        } else {
            within(self.long).then_some(Reach::Long)
        }
    }

    /// The nearest the weapon has: short, or long for a weapon without short.
    pub(super) fn nearest(&self) -> Option<Reach> {
        self.at(1)
    }
}

/// A rout chart: points by class and original figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chart {
    sizes: Vec<i64>,
    /// By class, best first; a chart may end before the last class.
    points: Vec<Vec<i64>>,
}

impl Chart {
    /// The column of a unit's original figures.
    pub(super) fn column(&self, original: i64) -> Option<usize> {
        self.sizes.iter().position(|&size| size == original)
    }

    /// The fewest and the most original figures.
    pub(super) fn sizes(&self) -> (i64, i64) {
        (self.sizes[0], self.sizes[self.sizes.len() - 1])
    }

    /// The classes it has.
    pub(super) fn classes(&self) -> &'static [&'static str] {
        &Class::LABELS[..self.points.len()]
    }

    /// The points of a class in a column.
    pub(super) fn points(&self, class: Class, column: usize) -> Option<i64> {
        self.points.get(class.position()).map(|row| row[column])
    }
}

/// Dice for fire.
#[derive(Debug, Clone, Copy)]
pub(super) struct FireDice {
    pub line: u8,
    pub skirmish_figures: u8,
    pub column_figures: u8,
    pub column_front: u8,
    pub field_gun: u8,
    pub heavy_gun: u8,
    pub helper: u8,
}

/// Added to the score required to hit.
#[derive(Debug, Clone, Copy)]
pub(super) struct HitModifiers {
    pub formation_fail: i16,
    pub skirmishers: i16,
    pub column: i16,
}

/// Added to the die in melee.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeleeModifiers {
    pub formation_fail: i16,
    pub skirmishers: i16,
    pub charging: i16,
}

/// Points of a unit beside its figures.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoralePoints {
    pub isolated: i64,
    pub cavalry_near: i64,
    pub officer_fail: i64,
    pub formation_fail: i64,
    pub saw_rout: i64,
    pub officer_attached: i64,
    pub cover: [i64; 3],
}

/// When an officer falls.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfficerDanger {
    pub casualties: i64,
    pub first_die: i32,
    pub second_die: i32,
}

/// A die with something added to it, as it is printed: `AV`, `D3`, `10+D10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DieRoll {
    pub throw: Throw,
    pub plus: i32,
}

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    /// Small arms, then field gun and heavy gun.
    ranges: Vec<Ranges>,
    /// By class: the score for small arms and, where there is one, for artillery.
    to_hit: Vec<(i16, Option<i16>)>,
    /// For small arms and for artillery.
    hit_modifiers: [HitModifiers; 2],
    /// By cover, then in the order of the columns: the lowest face that saves.
    saves: Vec<Vec<i16>>,
    pub(super) fire_dice: FireDice,
    pub(super) odd_figure_fires: bool,
    /// By class, then cover: the lowest face that kills.
    kills: Vec<Vec<i16>>,
    pub(super) melee: MeleeModifiers,
    pub(super) figures_per_enemy: u8,
    pub(super) regiments: Chart,
    pub(super) companies: Chart,
    pub(super) morale: MoralePoints,
    artillery_keeps_hard_cover: bool,
    pub(super) artillery_cover_steadies: bool,
    formation_test: Vec<i16>,
    pub(super) officer: OfficerDanger,
    work_hits: Vec<u16>,
    /// By side: extra regiments, cavalry, batteries, figures.
    muster: Vec<Vec<DieRoll>>,
}

impl Tables {
    /// The reach of a small arm.
    pub(super) fn small_arm(&self, weapon: Weapon) -> Ranges {
        self.ranges[weapon.position()]
    }

    /// The reach of whatever an arm fires.
    pub(super) fn ranges_of(&self, arm: FiringArm, weapon: Weapon) -> Ranges {
        match arm {
            FiringArm::FieldGun => self.ranges[Weapon::ALL.len()],
            FiringArm::HeavyGun => self.ranges[Weapon::ALL.len() + 1],
            _ => self.small_arm(weapon),
        }
    }

    /// The score to hit; nothing where the chart has no such class.
    pub(super) fn to_hit(&self, fire: Fire, class: Class) -> Option<i16> {
        let (small_arms, artillery) = self.to_hit[class.position()];
        match fire {
            Fire::SmallArms => Some(small_arms),
            Fire::Artillery => artillery,
        }
    }

    /// What changes the score to hit.
    pub(super) fn hit_modifiers(&self, fire: Fire) -> &HitModifiers {
        &self.hit_modifiers[fire as usize]
    }

    /// The lowest face that saves.
    pub(super) fn save(&self, fire: Fire, reach: Reach, cover: Cover) -> i16 {
        self.saves[cover.position()][2 * fire as usize + reach as usize]
    }

    /// The lowest face that kills, before anything is added.
    pub(super) fn kill(&self, class: Class, cover: Cover) -> i16 {
        self.kills[class.position()][cover.position()]
    }

    /// The lowest face that ends a formation fail.
    pub(super) fn formation_test(&self, class: Class) -> i16 {
        self.formation_test[class.position()]
    }

    /// The cover artillery counts as having where it really stands in this.
    pub(super) fn artillery_cover(&self, stands_in: Cover) -> Cover {
        match stands_in {
            Cover::Hard if self.artillery_keeps_hard_cover => Cover::Hard,
            _ => Cover::Soft,
        }
    }

    /// Hits that destroy a work.
    pub(super) fn work_hits(&self, work: Work) -> u16 {
        self.work_hits[work.position()]
    }

    /// What a side throws for.
    pub(super) fn muster(&self, side: Side) -> &[DieRoll] {
        &self.muster[side.position()]
    }
}
