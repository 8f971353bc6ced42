//! The printed charts, read and checked.

use super::unit::Morale;
use crate::{Bands, Grid, House, Labels, RuleError, Settings, TableFile};

grapeshot_engine::labels! {
    /// Which row of headings a volley is read on.
    pub enum Ammunition { SmallArms = "small-arms", Grapeshot = "grapeshot" }
}

/// A cell of the fire table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    None,
    /// Pinned if a check fails.
    Pin,
    /// Routed if a check fails.
    Rout,
    /// Pinned if a check passes, routed if it fails.
    PinOrRout,
    /// Strength points lost, routed if a check then fails; if it passes and `pins` is set, a second
    /// roll may pin.
    Loss {
        /// How many.
        sp: u8,
        /// Whether a second roll may pin.
        pins: bool,
    },
}

impl Effect {
    fn parse(text: &str) -> Option<Effect> {
        match text {
            "-" => Some(Effect::None),
            "P" => Some(Effect::Pin),
            "R" => Some(Effect::Rout),
            "P/R" => Some(Effect::PinOrRout),
            _ => {
                let number = text.strip_suffix('*');
                let sp = number.unwrap_or(text).parse().ok();
                Some(Effect::Loss {
                    sp: sp.filter(|n| (1..=9).contains(n))?,
                    pins: number.is_some(),
                })
            }
        }
    }
}

/// What a side does after its losses in a melee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// It stays.
    Stands,
    /// It retreats so many hexes, then checks, and goes further if it fails.
    Retreats(u8),
    /// It checks, and retreats so many hexes only if it fails.
    Checks(u8),
}

/// What a melee does to one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fate {
    /// Strength points killed.
    pub killed: u8,
    /// Strength points captured.
    pub captured: u8,
    /// What it does then.
    pub order: Order,
}

/// A cell of the melee table, both rows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The attacker's row.
    pub attacker: Fate,
    /// The defender's row.
    pub defender: Fate,
    /// Whether the sides are engaged.
    pub engaged: bool,
}

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Columns of the fire table by strength, for each ammunition.
    pub(super) fire_columns: Vec<Bands>,
    /// By die, then column.
    pub(super) fire_results: Vec<Vec<Effect>>,
    /// The face on which ammunition is checked.
    pub(super) ammunition_check: i32,
    pub(super) density: Bands,
    /// Columns by density band.
    pub(super) density_shifts: Vec<i64>,
    pub(super) battery_density: i64,
    pub(super) wagon_density: i64,
    /// Morale by the sum of two dice, from 2.
    pub(super) green: Vec<Morale>,
    pub(super) melee_columns: Bands,
    /// By die, then column.
    pub(super) melee: Vec<Vec<Cell>>,
    /// Hexes more after a failed check.
    pub(super) further: u8,
    pub(super) pinned_fire_divisor: i64,
    house: House,
}

const DIE: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

impl Tables {
    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub fn load(file: &TableFile) -> Result<Self, RuleError> {
        let results = file.grid("fire_results")?;
        results.expect_rows(DIE)?;
        let fire_columns = fire_columns(file, results.columns.len())?;
        let fire_results =
            results.read("-, P, R, P/R, or 1 to 9 with or without *", Effect::parse)?;
        let fire = file.list("fire")?;
        let (density, density_shifts) = density(file)?;
        let (melee_columns, melee) = melee(file)?;
        Ok(Tables {
            fire_columns,
            fire_results,
            ammunition_check: fire.whole("ammunition-check", 0..=6)? as i32,
            density,
            density_shifts,
            battery_density: fire.whole("battery-density", 1..=40)?,
            wagon_density: fire.whole("wagon-density", 0..=40)?,
            green: green(file)?,
            melee_columns,
            melee,
            further: file.list("melee")?.whole("failed-check", 0..=20)? as u8,
            pinned_fire_divisor: file.assumed_whole("pinned_fire_divisor", 1..=100)?,
            house: House::read(file)?,
        })
    }

    /// Columns that house rules add to fire at a side.
    pub(super) fn house_fire(&self, s: &Settings, target: &str) -> i64 {
        self.house.shift("fire", "target", s, target)
    }

    /// What house rules add to the melee differential, for the attacker.
    pub(super) fn house_melee(&self, s: &Settings) -> i64 {
        let sides = ["attacker", "defender"].iter();
        sides
            .map(|side| self.house.shift("melee", side, s, side))
            .sum()
    }
}

fn bands<S: AsRef<str>>(grid: &Grid, key: &str, headings: &[S]) -> Result<Bands, RuleError> {
    Bands::parse(headings).map_err(|problem| grid.problem(key, problem))
}

fn fire_columns(file: &TableFile, columns: usize) -> Result<Vec<Bands>, RuleError> {
    let grid = file.grid("fire_columns")?;
    grid.expect_rows(Ammunition::LABELS)?;
    if grid.columns.len() != columns {
        let problem = format!("must be {columns}, as many as tables.fire_results has");
        return Err(grid.problem("columns", problem));
    }
    grid.rows
        .iter()
        .map(|(label, headings)| bands(&grid, &format!("rows.{label}"), headings))
        .collect()
}

fn density(file: &TableFile) -> Result<(Bands, Vec<i64>), RuleError> {
    let grid = file.grid("density")?;
    grid.expect_rows(["effect"])?;
    let bands = bands(&grid, "columns", &grid.columns)?;
    let mut cells = grid.read("a number of columns from -10 to 10", |text| {
        text.parse::<i64>().ok().filter(|n| (-10..=10).contains(n))
    })?;
    Ok((bands, cells.remove(0)))
}

fn green(file: &TableFile) -> Result<Vec<Morale>, RuleError> {
    let grid = file.grid("green")?;
    grid.expect_rows((2..=12).map(|dice| dice.to_string()))?;
    if grid.columns.len() != 1 {
        return Err(grid.problem("columns", "must be one, the morale"));
    }
    let cells = grid.read("a morale from 1 to 6", |text| {
        Morale::from_label(text).filter(|&morale| morale != Morale::Green)
    })?;
    Ok(cells.into_iter().map(|row| row[0]).collect())
}

/// One side's half of a melee cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Fate(Fate),
    Repulsed,
    Engaged,
}

const STANDS: Fate = Fate {
    killed: 0,
    captured: 0,
    order: Order::Stands,
};

fn half(text: &str, killed: u8) -> Option<Half> {
    match text {
        "-" => return Some(Half::Fate(STANDS)),
        "Rpls" => return Some(Half::Repulsed),
        "Eng" => return Some(Half::Engaged),
        "" => return None,
        _ => {}
    }
    let mut fate = STANDS;
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('K') {
        fate.killed = killed;
        rest = after;
    }
    if let Some(after) = rest.strip_prefix('C') {
        (fate.captured, rest) = digit(after)?;
    }
    if let Some(after) = rest.strip_prefix('R') {
        let (hexes, after) = digit(after)?;
        fate.order = Order::Retreats(hexes);
        rest = after;
    }
    rest.is_empty().then_some(Half::Fate(fate))
}

/// A digit from 1 to 9 at the start of a text, and what follows it.
fn digit(text: &str) -> Option<(u8, &str)> {
    let digit = text.chars().next()?.to_digit(10).filter(|&n| n > 0)?;
    Some((digit as u8, &text[1..]))
}

fn melee(file: &TableFile) -> Result<(Bands, Vec<Vec<Cell>>), RuleError> {
    let grid = file.grid("melee_results")?;
    let sides = |die: &&str| ["attacker", "defender"].map(|side| format!("{die}-{side}"));
    grid.expect_rows(DIE.iter().flat_map(sides))?;
    let columns = bands(&grid, "columns", &grid.columns)?;
    let list = file.list("melee")?;
    let killed = list.whole("killed", 0..=9)? as u8;
    let order = |key: &str, order: fn(u8) -> Order| -> Result<Fate, RuleError> {
        let hexes = list.whole(key, 1..=20)? as u8;
        Ok(Fate {
            order: order(hexes),
            ..STANDS
        })
    };
    let repulsed = Cell {
        attacker: order("repulsed-attacker", Order::Retreats)?,
        defender: order("repulsed-defender", Order::Checks)?,
        engaged: false,
    };
    let engaged = Cell {
        attacker: STANDS,
        defender: STANDS,
        engaged: true,
    };
    let allowed = "-, K, C1 to C9, R1 to R9 (these together in that order), Rpls or Eng";
    let halves = grid.read(allowed, |text| half(text, killed))?;
    let cell =
        |die: usize, column: usize| match (halves[2 * die][column], halves[2 * die + 1][column]) {
            (Half::Repulsed, Half::Repulsed) => Ok(repulsed),
            (Half::Engaged, Half::Engaged) => Ok(engaged),
            (Half::Fate(attacker), Half::Fate(defender)) => Ok(Cell {
                attacker,
                defender,
                engaged: false,
            }),
            _ => Err(grid.problem(
                &format!("rows.{}-defender[{}]", die + 1, grid.columns[column]),
                "Rpls and Eng must stand in both rows of a cell",
            )),
        };
    let cells = (0..DIE.len())
        .map(|die| {
            (0..columns.count())
                .map(|column| cell(die, column))
                .collect()
        })
        .collect::<Result<Vec<Vec<Cell>>, _>>()?;
    Ok((columns, cells))
}
