//! The printed tables, read and checked.

use super::unit::{Grade, Kind, Weapon};
use crate::rules::{Labels, RuleError, TableFile};

crate::labels! {
    /// What fire does to its target.
    pub enum Effect { None = "none", Panic = "panic", Hit1 = "hit-1", Hit2 = "hit-2", Hit3 = "hit-3", Hit4 = "hit-4" }
}

impl Effect {
    /// Hits it gives.
    pub fn hits(self) -> u8 {
        (self.position() as u8).saturating_sub(1)
    }

    /// Panic markers it gives.
    pub fn panic(self) -> u8 {
        self.hits().max(u8::from(self == Effect::Panic))
    }
}

/// What one side of a combat cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    Stands,
    /// Stands killed.
    Killed(u8),
    /// Stands captured; retreats.
    Captured(u8),
    /// Retreats.
    Retreats,
}

/// A cell of the combat table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Attacker and defender each have their result.
    Each(Fate, Fate),
    /// Nobody moves.
    Engaged,
    /// The attacker retreats.
    Repulsed,
}

impl Cell {
    fn parse(text: &str) -> Option<Cell> {
        match text {
            "ENGD" => Some(Cell::Engaged),
            "RPLS" => Some(Cell::Repulsed),
            _ => {
                let (attacker, defender) = text.split_once('/')?;
                Some(Cell::Each(fate(attacker)?, fate(defender)?))
            }
        }
    }
}

fn fate(text: &str) -> Option<Fate> {
    match text {
        "-" => Some(Fate::Stands),
        "RT" => Some(Fate::Retreats),
        _ => {
            let number = text
                .get(1..)?
                .parse()
                .ok()
                .filter(|n| (1..=9).contains(n))?;
            match &text[..1] {
                "K" => Some(Fate::Killed(number)),
                "C" => Some(Fate::Captured(number)),
                _ => None,
            }
        }
    }
}

/// A modifier of the melee, for a side that has it: (attacker's, defender's) columns.
pub(super) type ByRole = (i64, i64);

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Maximum range and factor in halves per band, by weapon.
    pub(super) factors: Vec<(i64, Vec<i64>)>,
    pub(super) bands: Vec<i64>,
    pub(super) fire_columns: Vec<i64>,
    /// By die, then column.
    pub(super) fire_results: Vec<Vec<Effect>>,
    pub(super) shifts: Shifts,
    pub(super) melee_odds: Vec<(i64, i64)>,
    /// By die, then column: the cell and the position of its label.
    pub(super) melee: Vec<Vec<(Cell, u16)>>,
    pub(super) melee_labels: Vec<String>,
    pub(super) melee_modifiers: MeleeModifiers,
    pub(super) morale: MoraleTable,
    pub(super) hits_per_stand: [u8; 4],
    pub(super) most_panic: u8,
    /// Grade by die.
    pub(super) green: Vec<Grade>,
    pub(super) contagion: Vec<Vec<Contagion>>,
    /// Weapon and grade by die.
    pub(super) muster: Vec<(Weapon, Grade)>,
    pub(super) fate_faces: [i64; 3],
    pub(super) move_dice: MoveDice,
    /// Yards to the inch, by scale.
    pub(super) scales: [i64; 3],
    /// Halves a stand counts in combat, by kind.
    pub(super) melee_strength: [i64; 4],
    pub(super) cavalry_in_woods: i64,
    pub(super) first_fire: i64,
    pub(super) second_fire: i64,
    pub(super) close_range: i64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct MoveDice {
    pub foot: u32,
    pub mounted: u32,
    pub mounted_in_woods: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Shifts {
    pub stationary: i64,
    pub exposed: i64,
    pub ranks: [i64; 3],
    pub marksmen: i64,
    pub skirmishing: i64,
    pub unlimbered: i64,
    pub cover: [i64; 3],
    pub prolonging: i64,
    pub mounted: i64,
    pub csa_artillery: i64,
    pub prone: i64,
    pub out_of_ammo: i64,
    pub close_range: i64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct MeleeModifiers {
    pub commander: ByRole,
    pub uphill: ByRole,
    pub higher_grade: ByRole,
    pub crossing: ByRole,
    pub lance: ByRole,
    pub flank: ByRole,
    pub ranks: [ByRole; 3],
    pub overenthusiastic: ByRole,
    pub out_of_ammo: ByRole,
    /// Columns for the defender's works: open, wall, fieldworks.
    pub works: [i64; 3],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct MoraleTable {
    /// By grade, green apart.
    pub values: [i64; 5],
    pub panic: i64,
    pub two_stands_lost: i64,
    pub withdrew: [i64; 3],
    pub flank_fire: i64,
    pub defensive_fire: i64,
    pub cover: i64,
    pub commander: i64,
    /// Over the value by this much: hit, retreat, rout.
    pub results: [i64; 3],
}

/// What a watching unit must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contagion {
    Unaffected,
    Test { panic: u8 },
}

/// The scales of the game.
pub(super) const SCALES: [&str; 3] = ["regiment-20", "regiment-40", "brigade-100"];

const DIE: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

impl Tables {
    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub fn load(file: &TableFile) -> Result<Self, RuleError> {
        let (bands, factors) = factors(file)?;
        let (fire_columns, fire_results) = fire_results(file)?;
        let (melee_odds, melee, melee_labels) = melee(file)?;
        let per_stand = file.list("hits_per_stand")?;
        let mut hits_per_stand = [0; 4];
        for (at, kind) in Kind::LABELS.iter().enumerate() {
            hits_per_stand[at] = per_stand.whole(kind, 1..=9)? as u8;
        }
        let fate = file.list("commander_fate")?;
        let dice = file.list("movement_dice")?;
        let n = |key: &str| dice.whole(key, 0..=9).map(|n| n as u32);
        let scale = file.list("scale")?;
        let mut scales = [0; 3];
        for (yards, name) in scales.iter_mut().zip(SCALES) {
            *yards = scale.whole(name, 1..=1000)?;
        }
        let strength = file.list("melee_strength")?;
        let mut melee_strength = [0; 4];
        for (halves, kind) in melee_strength.iter_mut().zip(Kind::LABELS) {
            *halves = strength.whole(kind, 1..=9)?;
        }
        Ok(Tables {
            factors,
            bands,
            fire_columns,
            fire_results,
            shifts: shifts(file)?,
            melee_odds,
            melee,
            melee_labels,
            melee_modifiers: melee_modifiers(file)?,
            morale: morale(file)?,
            hits_per_stand,
            most_panic: file.assumed_whole("most_panic", 0..=20)? as u8,
            green: green(file)?,
            contagion: contagion(file)?,
            muster: muster(file)?,
            fate_faces: [
                fate.whole("killed", 0..=6)?,
                fate.whole("serious", 0..=6)?,
                fate.whole("light", 0..=6)?,
            ],
            move_dice: MoveDice {
                foot: n("infantry")?.max(n("dismounted")?),
                mounted: n("cavalry-from-rest")? + n("cavalry-charging")?,
                mounted_in_woods: n("cavalry-in-woods")?,
            },
            scales,
            melee_strength,
            cavalry_in_woods: strength.whole("cavalry-in-woods", 1..=9)?,
            first_fire: file.assumed_whole("first_fire_yards", 1..=6000)?,
            second_fire: file.assumed_whole("second_fire_yards", 1..=6000)?,
            close_range: file.assumed_whole("close_range_yards", 0..=6000)?,
        })
    }
}

type Factors = (Vec<i64>, Vec<(i64, Vec<i64>)>);

fn factors(file: &TableFile) -> Result<Factors, RuleError> {
    let grid = file.grid("fire_factors")?;
    grid.expect_rows(Weapon::LABELS)?;
    let last = grid.columns.len() - 1;
    let bands = grid.columns[1..last]
        .iter()
        .map(|heading| heading.parse::<i64>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| grid.problem("columns", "ranges must be whole yards"))?;
    // Halves: 1/2 is 1, 3 is 6. The first column is a range, not a factor, and is halved again.
    let cells = grid.read("a factor (a whole number, 1/2 or -)", |text| match text {
        "1/2" => Some(1),
        "-" => Some(0),
        _ => text
            .parse::<i64>()
            .ok()
            .filter(|n| (0..=9999).contains(n))
            .map(|n| 2 * n),
    })?;
    let factors = cells.into_iter().map(|row| (row[0] / 2, row[1..].to_vec()));
    Ok((bands, factors.collect()))
}

fn fire_results(file: &TableFile) -> Result<(Vec<i64>, Vec<Vec<Effect>>), RuleError> {
    let grid = file.grid("fire_results")?;
    grid.expect_rows(DIE)?;
    let columns = grid
        .columns
        .iter()
        .map(|heading| heading.parse::<i64>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| grid.problem("columns", "must be total factors"))?;
    if !columns.is_sorted_by(|a, b| a < b) || columns[0] != 0 {
        return Err(grid.problem("columns", "must begin with 0 and rise"));
    }
    let cells = grid.read("0, P, 1, 2, 3 or 4", |text| match text {
        "0" => Some(Effect::None),
        "P" => Some(Effect::Panic),
        "1" => Some(Effect::Hit1),
        "2" => Some(Effect::Hit2),
        "3" => Some(Effect::Hit3),
        "4" => Some(Effect::Hit4),
        _ => None,
    })?;
    Ok((columns, cells))
}

fn shifts(file: &TableFile) -> Result<Shifts, RuleError> {
    let list = file.list("fire_shifts")?;
    let n = |key: &str| list.whole(key, -9..=9);
    Ok(Shifts {
        stationary: n("stationary")?,
        exposed: n("exposed")?,
        ranks: [0, n("ranks-2")?, n("ranks-3")?],
        marksmen: n("marksmen")?,
        skirmishing: n("skirmishing")?,
        unlimbered: n("unlimbered")?,
        cover: [0, n("soft")?, n("hard")?],
        prolonging: n("prolonging")?,
        mounted: n("mounted")?,
        csa_artillery: n("csa-artillery")?,
        prone: n("prone")?,
        out_of_ammo: n("out-of-ammo")?,
        close_range: n("close-range")?,
    })
}

type Melee = (Vec<(i64, i64)>, Vec<Vec<(Cell, u16)>>, Vec<String>);

fn melee(file: &TableFile) -> Result<Melee, RuleError> {
    let grid = file.grid("melee_results")?;
    grid.expect_rows(DIE)?;
    let odds: Option<Vec<(i64, i64)>> = grid
        .columns
        .iter()
        .map(|heading| {
            let (a, b) = heading.split_once(':')?;
            Some((a.parse().ok()?, b.parse().ok().filter(|&b: &i64| b > 0)?))
        })
        .collect();
    let odds = odds.ok_or_else(|| grid.problem("columns", "must be odds such as 3:2"))?;
    if !odds.is_sorted_by(|a, b| a.0 * b.1 < b.0 * a.1) {
        return Err(grid.problem("columns", "must be odds that rise"));
    }
    let mut labels: Vec<String> = Vec::new();
    for text in grid.rows.iter().flat_map(|(_, cells)| cells) {
        if !labels.contains(text) {
            labels.push(text.clone());
        }
    }
    let cells = grid.read(
        "a combat result such as K1/-, C1/K1, RT/K1, ENGD or RPLS",
        |text| {
            let at = labels.iter().position(|label| label == text)?;
            Some((Cell::parse(text)?, at as u16))
        },
    )?;
    Ok((odds, cells, labels))
}

fn melee_modifiers(file: &TableFile) -> Result<MeleeModifiers, RuleError> {
    let grid = file.grid("melee_modifiers")?;
    let rows = [
        "commander",
        "uphill",
        "higher-grade",
        "wall",
        "crossing",
        "lance",
        "fieldworks",
        "flank",
        "ranks-2",
        "ranks-3",
        "overenthusiastic",
        "out-of-ammo",
    ];
    grid.expect_rows(rows)?;
    let cells = grid.read("a number of columns from -9 to 9", |text| {
        text.parse::<i64>().ok().filter(|n| (-9..=9).contains(n))
    })?;
    let row = |at: usize| (cells[at][0], cells[at][1]);
    Ok(MeleeModifiers {
        commander: row(0),
        uphill: row(1),
        higher_grade: row(2),
        crossing: row(4),
        lance: row(5),
        flank: row(7),
        ranks: [(0, 0), row(8), row(9)],
        overenthusiastic: row(10),
        out_of_ammo: row(11),
        works: [0, row(3).1, row(6).1],
    })
}

fn morale(file: &TableFile) -> Result<MoraleTable, RuleError> {
    let list = file.list("morale_values")?;
    let mut values = [0; 5];
    for (at, grade) in Grade::LABELS[..5].iter().enumerate() {
        values[at] = list.whole(grade, -20..=20)?;
    }
    let modifiers = file.list("morale_modifiers")?;
    let n = |key: &str| modifiers.whole(key, -9..=9);
    let results = file.list("morale_results")?;
    let r = |key: &str| results.whole(key, 1..=20);
    let results_at = [r("hit")?, r("retreat")?, r("rout")?];
    if !results_at.is_sorted() {
        return Err(file.problem("lists.morale_results.values", "must rise from hit to rout"));
    }
    Ok(MoraleTable {
        values,
        panic: n("panic-marker")?,
        two_stands_lost: n("two-stands-lost")?,
        withdrew: [0, n("withdrew-retreat")?, n("withdrew-rout")?],
        flank_fire: n("flank-fire")?,
        defensive_fire: n("defensive-fire")?,
        cover: n("cover")?,
        commander: n("commander")?,
        results: results_at,
    })
}

fn known_grade(text: &str) -> Option<Grade> {
    Grade::from_label(text).filter(|&grade| grade != Grade::Green)
}

fn green(file: &TableFile) -> Result<Vec<Grade>, RuleError> {
    let grid = file.grid("green")?;
    grid.expect_rows(DIE)?;
    let cells = grid.read("a grade from elite to militia", known_grade)?;
    Ok(cells.into_iter().map(|row| row[0]).collect())
}

fn contagion(file: &TableFile) -> Result<Vec<Vec<Contagion>>, RuleError> {
    let grid = file.grid("contagion")?;
    grid.expect_rows(["retreat", "rout"])?;
    grid.read("none, test, 1+test or 2+test", |text| match text {
        "none" => Some(Contagion::Unaffected),
        "test" => Some(Contagion::Test { panic: 0 }),
        "1+test" => Some(Contagion::Test { panic: 1 }),
        "2+test" => Some(Contagion::Test { panic: 2 }),
        _ => None,
    })
}

fn muster(file: &TableFile) -> Result<Vec<(Weapon, Grade)>, RuleError> {
    let grid = file.grid("muster")?;
    grid.expect_rows(DIE)?;
    grid.rows
        .iter()
        .map(|(die, cells)| {
            let weapon = Weapon::from_label(&cells[0]).filter(|weapon| {
                [Weapon::Musket, Weapon::RifleMusket, Weapon::BlRifle].contains(weapon)
            });
            let key = format!("rows.{die}");
            let weapon = weapon.ok_or_else(|| {
                grid.problem(
                    &key,
                    format!("`{}` is not musket, rifle-musket or bl-rifle", cells[0]),
                )
            })?;
            let grade = known_grade(&cells[1]).ok_or_else(|| {
                grid.problem(
                    &key,
                    format!("`{}` is not a grade from elite to militia", cells[1]),
                )
            })?;
            Ok((weapon, grade))
        })
        .collect()
}
