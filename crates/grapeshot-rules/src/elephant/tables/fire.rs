//! Fire: factors by range, results by total, column shifts.

use super::expect_die;
use crate::elephant::unit::Weapon;
use crate::{Labels, RuleError, TableFile};

grapeshot_engine::labels! {
    /// What fire does to its target.
    pub enum Effect {
        None = "none" => Failure, Panic = "panic" => Success, Hit1 = "hit-1" => Success, Hit2 = "hit-2" => Success,
        Hit3 = "hit-3" => Success, Hit4 = "hit-4" => Success,
    }
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

/// Columns to the right for each printed line.
#[derive(Debug, Clone)]
pub(in crate::elephant) struct Shifts {
    pub stationary: i64,
    pub exposed: i64,
    pub ranks: [i64; 3],
    pub marksmen: i64,
    pub skirmishing: i64,
    pub unlimbered: i64,
    /// Open, soft, hard, and what house rules added.
    pub cover: Vec<i64>,
    pub prolonging: i64,
    pub mounted: i64,
    pub csa_artillery: i64,
    pub prone: i64,
    pub out_of_ammo: i64,
    pub close_range: i64,
}

/// Bands, and by weapon its greatest range and its factor in halves by band.
pub(super) type Factors = (Vec<i64>, Vec<(i64, Vec<i64>)>);

pub(super) fn factors(file: &TableFile) -> Result<Factors, RuleError> {
    let grid = file.grid("fire_factors")?;
    grid.expect_rows_first(Weapon::LABELS)?;
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

pub(super) fn fire_results(file: &TableFile) -> Result<(Vec<i64>, Vec<Vec<Effect>>), RuleError> {
    let grid = file.grid("fire_results")?;
    expect_die(file, &grid, "fire")?;
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

/// The column of every total in halves, up to where the last begins.
pub(super) fn columns_of_totals(columns: &[i64]) -> Vec<u8> {
    let last = columns.last().copied().unwrap_or(0);
    let column = |total: i64| columns.iter().rposition(|&from| 2 * from <= total);
    (0..=2 * last)
        .map(|total| column(total).unwrap_or(0) as u8)
        .collect()
}

pub(super) fn shifts(file: &TableFile) -> Result<Shifts, RuleError> {
    let list = file.list("fire_shifts")?;
    let n = |key: &str| list.whole(key, -9..=9);
    let added: Result<Vec<i64>, RuleError> = file.added("cover").map(n).collect();
    let mut cover = vec![0, n("soft")?, n("hard")?];
    cover.extend(added?);
    Ok(Shifts {
        stationary: n("stationary")?,
        exposed: n("exposed")?,
        ranks: [0, n("ranks-2")?, n("ranks-3")?],
        marksmen: n("marksmen")?,
        skirmishing: n("skirmishing")?,
        unlimbered: n("unlimbered")?,
        cover,
        prolonging: n("prolonging")?,
        mounted: n("mounted")?,
        csa_artillery: n("csa-artillery")?,
        prone: n("prone")?,
        out_of_ammo: n("out-of-ammo")?,
        close_range: n("close-range")?,
    })
}
