//! The printed tables, read and checked.

mod combat;
mod fire;
mod forces;
mod morale;

pub(super) use combat::ByRole;
pub use combat::{Cell, Half};
pub use fire::Effect;
pub use forces::Arm;
pub(super) use forces::{GROUNDS, Movement, Muster, SCALES};
pub(super) use morale::{Contagion, MoraleTable, PRINTED_GRADES};

use super::unit::{Grade, UnitKind};
use crate::{Grid, House, Labels, RuleError, TableFile};
use combat::MeleeModifiers;
use fire::Shifts;

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Maximum range and factor in halves per band, by weapon.
    pub(super) factors: Vec<(i64, Vec<i64>)>,
    pub(super) bands: Vec<i64>,
    pub(super) fire_columns: Vec<i64>,
    /// By total in halves, up to where the last column begins.
    column_of_total: Vec<u8>,
    /// By die, then column.
    pub(super) fire_results: Vec<Vec<Effect>>,
    pub(super) shifts: Shifts,
    pub(super) melee_odds: Vec<(i64, i64)>,
    /// By die, then column: the cell and the position of its label.
    pub(super) melee: Vec<Vec<(Cell, u16)>>,
    pub(super) melee_labels: Vec<String>,
    pub(super) melee_modifiers: MeleeModifiers,
    /// Halves a stand counts in combat, by kind.
    pub(super) melee_strength: [i64; 4],
    pub(super) cavalry_in_woods: i64,
    pub(super) morale: MoraleTable,
    /// Grade by die.
    pub(super) green: Vec<Grade>,
    pub(super) contagion: Vec<Vec<Contagion>>,
    pub(super) hits_per_stand: [u8; 4],
    pub(super) most_panic: u8,
    pub(super) markers: Markers,
    pub(super) commander: CommanderTable,
    pub(super) muster: Muster,
    pub(super) movement: Movement,
    pub(super) yards: Yards,
    pub(super) dice: DiceSides,
    /// What house rules add.
    pub(super) house: House,
}

/// Panic markers other than those of fire and of failed tests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Markers {
    /// For each stand killed or captured in combat.
    pub stand: u8,
    /// For a result that only sends a unit back.
    pub retreat: u8,
    /// For being fired on while crossing a major obstacle.
    pub obstacle: u8,
    /// For a commander seriously wounded, and killed.
    pub commander: [u8; 2],
}

/// When a commander is struck, and what comes of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommanderTable {
    pub dice_for_a_hit: u32,
    pub dice_for_a_stand: u32,
    /// The highest face that strikes him.
    pub struck_by: i16,
    /// The highest face of killed, serious, light.
    pub faces: [i64; 3],
}

/// Distances in yards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Yards {
    pub first_fire: i64,
    pub second_fire: i64,
    pub close_range: i64,
    pub obstacle: i64,
    pub opportunity: i64,
    pub skirmish_fire: i64,
    /// How near friends see a flight.
    pub near: i64,
}

/// Sides of the dice, which are read from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiceSides {
    pub fire: i16,
    pub combat: i16,
    pub morale: i16,
    pub green: i16,
    pub muster: i16,
}

impl Tables {
    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub fn load(file: &TableFile) -> Result<Self, RuleError> {
        let (bands, factors) = fire::factors(file)?;
        let (fire_columns, fire_results) = fire::fire_results(file)?;
        let (melee_odds, melee, melee_labels) = combat::melee(file)?;
        let strength = file.list("melee_strength")?;
        Ok(Tables {
            factors,
            bands,
            column_of_total: fire::columns_of_totals(&fire_columns),
            fire_columns,
            fire_results,
            shifts: fire::shifts(file)?,
            melee_odds,
            melee,
            melee_labels,
            melee_modifiers: combat::melee_modifiers(file)?,
            melee_strength: by_kind(file, "melee_strength")?,
            cavalry_in_woods: strength.whole("cavalry-in-woods", 1..=9)?,
            morale: morale::morale(file)?,
            green: morale::green(file)?,
            contagion: morale::contagion(file)?,
            hits_per_stand: by_kind(file, "hits_per_stand")?.map(|hits| hits as u8),
            most_panic: file.assumed_whole("most_panic", 0..=20)? as u8,
            markers: markers(file)?,
            commander: commander(file)?,
            muster: forces::muster(file)?,
            movement: forces::movement(file)?,
            yards: yards(file)?,
            dice: dice(file)?,
            house: House::read(file)?,
        })
    }

    /// Where fire changes with the range: the printed bands, the greatest range of each weapon, close range.
    pub(super) fn range_ends(&self) -> impl Iterator<Item = i64> {
        let farthest = self.factors.iter().map(|(farthest, _)| *farthest);
        let bands = self.bands.iter().copied();
        bands.chain(farthest).chain([self.yards.close_range])
    }
}

fn dice(file: &TableFile) -> Result<DiceSides, RuleError> {
    let list = file.list("dice")?;
    let n = |key: &str| list.whole(key, 2..=100).map(|n| n as i16);
    Ok(DiceSides {
        fire: n("fire")?,
        combat: n("combat")?,
        morale: n("morale")?,
        green: n("green")?,
        muster: n("muster")?,
    })
}

/// Checks that a table has a row for each face of its die.
fn expect_die(file: &TableFile, grid: &Grid, die: &str) -> Result<(), RuleError> {
    grid.expect_faces(file.list("dice")?.whole(die, 2..=100)?)
}

impl Tables {
    /// The printed column of a total in halves: the last that begins at or below it.
    #[inline]
    pub(super) fn fire_column(&self, total: i64) -> usize {
        let last = self.column_of_total.len() - 1;
        usize::from(self.column_of_total[last.min(total as usize)])
    }
}

fn by_kind(file: &TableFile, name: &str) -> Result<[i64; 4], RuleError> {
    let list = file.list(name)?;
    let mut values = [0; 4];
    for (value, kind) in values.iter_mut().zip(UnitKind::LABELS) {
        *value = list.whole(kind, 1..=9)?;
    }
    Ok(values)
}

fn markers(file: &TableFile) -> Result<Markers, RuleError> {
    let list = file.list("markers")?;
    let n = |key: &str| list.whole(key, 0..=9).map(|n| n as u8);
    Ok(Markers {
        stand: n("stand-lost-in-combat")?,
        retreat: n("retreat-in-combat")?,
        obstacle: n("fired-on-at-obstacle")?,
        commander: [n("commander-serious")?, n("commander-killed")?],
    })
}

fn commander(file: &TableFile) -> Result<CommanderTable, RuleError> {
    let exposure = file.list("commander_exposure")?;
    let fate = file.list("commander_fate")?;
    let face = |key: &str| fate.whole(key, 0..=6);
    Ok(CommanderTable {
        dice_for_a_hit: exposure.whole("dice-for-a-hit", 0..=9)? as u32,
        dice_for_a_stand: exposure.whole("dice-for-a-stand", 0..=9)? as u32,
        struck_by: exposure.whole("struck-by", 0..=6)? as i16,
        faces: [face("killed")?, face("serious")?, face("light")?],
    })
}

fn yards(file: &TableFile) -> Result<Yards, RuleError> {
    let n = |name: &str, least: i64| file.assumed_whole(name, least..=6000);
    Ok(Yards {
        first_fire: n("first_fire_yards", 1)?,
        second_fire: n("second_fire_yards", 1)?,
        close_range: n("close_range_yards", 0)?,
        obstacle: n("obstacle_yards", 1)?,
        opportunity: n("opportunity_yards", 1)?,
        skirmish_fire: n("skirmish_fire_yards", 1)?,
        near: n("near_yards", 0)?,
    })
}
