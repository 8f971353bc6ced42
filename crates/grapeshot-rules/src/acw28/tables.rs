//! The printed tables, as numbers.

mod campaign;
mod read;

pub(super) use campaign::{Campaign, Season, Side, Zone};

use super::kinds::{Arm, Class, Cover, FiringArm, Formation, Weapon};
use super::officer::Danger;
use super::pools::Pools;
use crate::battle::MOST;
use crate::{House, Labels};
use grapeshot_engine::dice::Odds;

grapeshot_engine::labels! {
    /// What guns can destroy.
    pub enum Work {
        StoneBuilding = "stone-building", StoneBridge = "stone-bridge",
        WoodenBuilding = "wooden-building", WoodenBridge = "wooden-bridge",
        Earthwork = "earthwork", StoneWall = "stone-wall", Fence = "fence",
    }
}

grapeshot_engine::labels! {
    /// What horses jump over or swim through.
    pub enum Obstacle { Fence = "fence", Wall = "wall", River = "river" }
}

grapeshot_engine::labels! {
    /// How fast a unit goes: at its ordinary rate, charging, or in column by road.
    pub enum Pace { Ordinary = "ordinary", Charge = "charge", Column = "column" }
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

/// The formations a class of an arm may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// There are no such troops.
    None,
    /// Line and column.
    Close,
    /// Line, column and skirmish.
    Any,
    /// Skirmish alone.
    OnlySkirmish,
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
struct HitModifiers {
    formation_fail: i16,
    skirmishers: i16,
    column: i16,
}

/// Added to the die in melee.
#[derive(Debug, Clone, Copy)]
struct MeleeModifiers {
    formation_fail: i16,
    skirmishers: i16,
    charging: i16,
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

/// The smoke of a unit's own fire.
#[derive(Debug, Clone, Copy)]
pub(super) struct Smoke {
    /// The highest face of the die that means no wind.
    pub still: i32,
    /// Turns of fire that fill the air.
    pub fires: u8,
    /// Turns until it is clear.
    pub clears: u8,
}

/// What only a battle asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct BattleMeasures {
    /// How far friends are near, in cm.
    pub near: i64,
    /// Points for an enemy unit that is out, and for an enemy officer killed.
    pub points: [i32; 2],
}

impl BattleMeasures {
    /// The most one side can be behind by, below nothing: all its units out, and its officer dead.
    pub(super) fn fewest_points(&self) -> i32 {
        -(MOST as i32 * self.points[0] + self.points[1])
    }
}

/// Who is struck at in melee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Struck {
    /// A figure of a class.
    Figure(Class),
    /// An officer.
    Officer,
}

/// What makes a blow easier; nothing does for one with a formation fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Advantages {
    /// Who strikes has a formation fail.
    pub formation_fail: bool,
    pub charging: bool,
    pub enemy_fail: bool,
    pub enemy_skirmishing: bool,
}

/// Rows of guns in the chart of ranges.
const GUNS: usize = 2;

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    pub(super) house: House,
    /// Small arms, field gun and heavy gun, then what house rules added.
    ranges: Vec<Ranges>,
    /// By class: the score for small arms and, where there is one, for artillery.
    to_hit: Vec<(i16, Option<i16>)>,
    /// For small arms and for artillery.
    hit_modifiers: [HitModifiers; 2],
    /// By cover, then in the order of the columns: the lowest face that saves.
    saves: Vec<Vec<i16>>,
    pub(super) fire_dice: FireDice,
    pub(super) odd_figure_fires: bool,
    /// By class and last for officers, then cover: the lowest face that kills.
    kills: Vec<Vec<i16>>,
    melee: MeleeModifiers,
    figures_per_enemy: u8,
    pub(super) regiments: Chart,
    pub(super) companies: Chart,
    pub(super) morale: MoralePoints,
    artillery_keeps_hard_cover: bool,
    pub(super) artillery_cover_steadies: bool,
    formation_tests: Vec<Odds<bool>>,
    pub(super) officer: Danger,
    /// By class, then arm.
    permitted: Vec<Vec<Order>>,
    /// Foot and horse, by pace, in cm.
    movement: Vec<Vec<i64>>,
    /// A charge must be over so many quarters of its rate.
    charge_quarters: i64,
    pub(super) smoke: Smoke,
    work_hits: Vec<u16>,
    pub(super) figures_in_a_building: i64,
    /// By obstacle: the lowest face that kills a trooper.
    crossing: Vec<i16>,
    pub(super) campaign: Campaign,
    pub(super) battle: BattleMeasures,
    /// Handfuls of six-sided dice.
    pub(super) d6: &'static Pools,
    /// Handfuls of ten-sided dice.
    pub(super) d10: &'static Pools,
}

impl Tables {
    /// The reach of a small arm.
    pub(super) fn small_arm(&self, weapon: Weapon) -> Ranges {
        self.ranges[weapon.position()]
    }

    /// Where fire changes with the range: the short and the long range of everything that fires.
    pub(super) fn range_ends(&self) -> impl Iterator<Item = i64> {
        let ranges = self.ranges.iter();
        ranges.flat_map(|ranges| ranges.short.into_iter().chain(ranges.long))
    }

    /// The reach of whatever an arm fires.
    pub(super) fn ranges_of(&self, arm: FiringArm, weapon: usize) -> Ranges {
        let small_arms = Weapon::ALL.len();
        self.ranges[match arm {
            FiringArm::FieldGun => small_arms,
            FiringArm::HeavyGun => small_arms + 1,
            _ if weapon < small_arms => weapon,
            // Weapons that house rules added stand behind the guns.
            _ => weapon + GUNS,
        }]
    }

    /// The score to hit; nothing where the chart has no such class.
    pub(super) fn to_hit(&self, fire: Fire, class: Class) -> Option<i16> {
        let (small_arms, artillery) = self.to_hit[class.position()];
        match fire {
            Fire::SmallArms => Some(small_arms),
            Fire::Artillery => artillery,
        }
    }

    /// What a target's order and the firer's own formation fail add to the score to hit.
    pub(super) fn hit_modifier(&self, fire: Fire, formation_fail: bool, target: Formation) -> i16 {
        let modifiers = &self.hit_modifiers[fire as usize];
        i16::from(formation_fail) * modifiers.formation_fail
            + match target {
                Formation::Line => 0,
                Formation::Skirmish => modifiers.skirmishers,
                Formation::Column => modifiers.column,
            }
    }

    /// The lowest face that saves.
    pub(super) fn save(&self, fire: Fire, reach: Reach, cover: Cover) -> i16 {
        self.saves[cover.position()][2 * fire as usize + reach as usize]
    }

    /// The lowest face that kills.
    pub(super) fn kill(&self, struck: Struck, cover: Cover, with: Advantages) -> i16 {
        let row = match struck {
            Struck::Figure(class) => class.position(),
            Struck::Officer => Class::ALL.len(),
        };
        let added = &self.melee;
        let on = |flag: bool, added: i16| i16::from(flag && !with.formation_fail) * added;
        self.kills[row][cover.position()]
            - on(with.enemy_fail, added.formation_fail)
            - on(with.enemy_skirmishing, added.skirmishers)
            - on(with.charging, added.charging)
    }

    /// Of so many figures, those that can strike at so many enemies.
    pub(super) fn can_strike(&self, figures: u8, enemies: u8) -> u8 {
        figures.min(enemies.saturating_mul(self.figures_per_enemy))
    }

    /// Whether a unit of this class ends its formation fail.
    pub(super) fn formation_test(&self, class: Class) -> &Odds<bool> {
        &self.formation_tests[class.position()]
    }

    /// The formations a class of an arm may be in.
    pub(super) fn permitted(&self, arm: Arm, class: Class) -> Order {
        let row = &self.permitted[class.position()];
        row.get(arm.position()).copied().unwrap_or(Order::Any)
    }

    /// How many cm a unit goes in a move.
    pub(super) fn rate(&self, arm: Arm, pace: Pace) -> i64 {
        self.movement[usize::from(arm == Arm::Cavalry)][pace.position()]
    }

    /// The shortest and the longest way of a charge, in whole cm.
    pub(super) fn charge_distances(&self, arm: Arm) -> (i64, i64) {
        let rate = self.rate(arm, Pace::Charge);
        (rate * self.charge_quarters / 4 + 1, rate)
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

    /// The lowest face on which a trooper dies.
    pub(super) fn dies_from(&self, obstacle: Obstacle) -> i16 {
        self.crossing[obstacle.position()]
    }
}
