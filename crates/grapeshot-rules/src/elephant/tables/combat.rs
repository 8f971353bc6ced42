//! Combat: odds, cells, modifiers.

use super::expect_die;
use crate::{RuleError, TableFile};

/// What one side of a combat cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
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
    Each(Half, Half),
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
                Some(Cell::Each(half(attacker)?, half(defender)?))
            }
        }
    }
}

fn half(text: &str) -> Option<Half> {
    match text {
        "-" => Some(Half::Stands),
        "RT" => Some(Half::Retreats),
        _ => {
            let number = text
                .get(1..)?
                .parse()
                .ok()
                .filter(|n| (1..=9).contains(n))?;
            match &text[..1] {
                "K" => Some(Half::Killed(number)),
                "C" => Some(Half::Captured(number)),
                _ => None,
            }
        }
    }
}

/// A modifier of the melee, for a side that has it: (attacker's, defender's) columns.
pub(in crate::elephant) type ByRole = (i64, i64);

/// Columns to the right for each printed line.
#[derive(Debug, Clone)]
pub(in crate::elephant) struct MeleeModifiers {
    pub commander: ByRole,
    pub uphill: ByRole,
    pub higher_grade: ByRole,
    pub crossing: ByRole,
    pub lance: ByRole,
    pub flank: ByRole,
    pub ranks: [ByRole; 3],
    pub overenthusiastic: ByRole,
    pub out_of_ammo: ByRole,
    /// Columns for the defender's works: open, wall, fieldworks, and what house rules added.
    pub works: Vec<i64>,
}

/// The odds of the columns, the cells by die and column, their labels.
pub(super) type Melee = (Vec<(i64, i64)>, Vec<Vec<(Cell, u16)>>, Vec<String>);

pub(super) fn melee(file: &TableFile) -> Result<Melee, RuleError> {
    let grid = file.grid("melee_results")?;
    expect_die(file, &grid, "combat")?;
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

pub(super) fn melee_modifiers(file: &TableFile) -> Result<MeleeModifiers, RuleError> {
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
    grid.expect_rows_first(rows)?;
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
        works: {
            let added = rows.len()..cells.len();
            let printed = [0, row(3).1, row(6).1].into_iter();
            printed.chain(added.map(|at| row(at).1)).collect()
        },
    })
}
