//! The printed tables, read and checked.

use super::modifiers::{ArtilleryRanges, AssaultModifiers, FireModifiers, MoraleModifiers};
use super::terrain::TerrainChart;
use super::unit::Arm;
use crate::{Grid, House, Labels, RuleError, TableFile};

grapeshot_engine::labels! {
    /// What fire does to its target.
    pub enum Effect { None = "none", Disrupt = "D", Hit1 = "1", Hit2 = "2", Hit3 = "3" }
}

impl Effect {
    /// The O hits it gives at once; a `D` gives none by itself.
    pub fn hits(self) -> u8 {
        (self.position() as u8).saturating_sub(1)
    }

    fn printed(text: &str) -> Option<Self> {
        match text {
            "N" => Some(Effect::None),
            "none" => None,
            _ => Self::from_label(text),
        }
    }
}

/// A row of the combat results: the effect of each die face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The lowest fire factor of the row.
    pub from: i64,
    pub plain: [Effect; 10],
    pub bracketed: [Effect; 10],
}

/// How many strength points may fire out of a hex; nothing for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HexLimit {
    clear_small_arms: Option<i64>,
    clear_artillery: Option<i64>,
    non_clear: Option<i64>,
}

impl HexLimit {
    /// The strength points that fire, of those present.
    pub(super) fn firing(&self, sp: i64, arm: Arm, clear: bool) -> i64 {
        let limit = match (clear, arm) {
            (false, _) => self.non_clear,
            (true, Arm::Artillery) => self.clear_artillery,
            (true, _) => self.clear_small_arms,
        };
        limit.map_or(sp, |limit| sp.min(limit))
    }
}

/// What the straggle table and its notes say.
#[derive(Debug, Clone)]
pub(super) struct Straggle {
    /// Base morale up to this one, and the roll that costs an O hit.
    pub rolls: Vec<(i64, i64)>,
    pub leader: i64,
    pub ezoc: i64,
    pub thoroughfare: i64,
    /// The unmodified die that always costs one.
    pub always: i64,
}

/// Strength points that make a target dense.
#[derive(Debug, Clone, Copy)]
pub(super) struct DenseFrom {
    pub fire: i64,
    pub assault: i64,
}

/// How far a stack moves in an action segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Movement {
    pub points: i64,
    /// Points more on a thoroughfare.
    pub bonus: i64,
    /// Points a hex costs.
    pub hex: i64,
}

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub struct Tables {
    pub(super) house: House,
    pub(super) lines: Vec<Line>,
    /// Hundredths by arm, in an assault.
    assault_factors: Vec<Option<i64>>,
    /// Up to so many hexes, hundredths by arm.
    range_factors: Vec<(i64, Vec<Option<i64>>)>,
    pub(super) fire_limit: HexLimit,
    pub(super) assault_limit: HexLimit,
    pub(super) fire: FireModifiers,
    pub(super) assault: AssaultModifiers,
    pub(super) morale: MoraleModifiers,
    pub(super) artillery: ArtilleryRanges,
    /// The highest rows of No LoS fire and of the longest ranges.
    pub(super) highest_no_los: usize,
    pub(super) highest_long: usize,
    pub(super) straggle: Straggle,
    pub(super) density: DenseFrom,
    pub(super) terrain: TerrainChart,
    pub(super) movement: Movement,
    /// O hits a full and a reduced unit can take.
    pub(super) hits: [u8; 2],
    pub(super) reduced_divisor: i64,
    pub(super) pre_assault_range: i64,
    pub(super) standoff_range: i64,
}

impl Tables {
    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub fn load(file: &TableFile) -> Result<Self, RuleError> {
        let lines = lines(&file.grid("combat_results")?)?;
        let (assault_factors, range_factors) = factors(&file.grid("range_factors")?)?;
        let [fire_limit, assault_limit] = limits(&file.grid("hex_limits")?)?;
        let highest = file.list("highest_fire_line")?;
        let hits = file.list("organization_hits")?;
        let density = file.list("density")?;
        let movement = file.list("movement_points")?;
        let points = movement.whole("segment", 1..=20)?;
        Ok(Tables {
            house: House::read(file)?,
            highest_no_los: row_of(&lines, highest.whole("no-los", 0..=99)?),
            highest_long: row_of(&lines, highest.whole("long", 0..=99)?),
            lines,
            assault_factors,
            range_factors,
            fire_limit,
            assault_limit,
            fire: FireModifiers::read(file)?,
            assault: AssaultModifiers::read(file)?,
            morale: MoraleModifiers::read(file)?,
            artillery: ArtilleryRanges::read(file)?,
            straggle: straggle(file)?,
            density: DenseFrom {
                fire: density.whole("fire", 1..=99)?,
                assault: density.whole("assault", 1..=99)?,
            },
            terrain: TerrainChart::read(file)?,
            movement: Movement {
                points,
                bonus: movement.whole("thoroughfare", 0..=20)?,
                hex: file.assumed_whole("rough_hex_cost", 1..=points)?,
            },
            hits: [
                hits.whole("full", 1..=9)? as u8,
                hits.whole("reduced", 1..=9)? as u8,
            ],
            reduced_divisor: file.assumed_whole("reduced_strength_divisor", 1..=20)?,
            pre_assault_range: file.assumed_whole("pre_assault_range", 1..=8)?,
            standoff_range: file.assumed_whole("standoff_range", 1..=6)?,
        })
    }

    /// The row of a fire factor.
    pub(super) fn row(&self, fire_factor: i64) -> usize {
        row_of(&self.lines, fire_factor)
    }

    /// The row after all modifiers: those that raise it first, held at the top row, then those that
    /// lower it, held at the bottom row.
    pub(super) fn shifted(&self, row: usize, modifiers: &[i64]) -> usize {
        let plus: i64 = modifiers.iter().filter(|&&m| m > 0).sum();
        let minus: i64 = modifiers.iter().filter(|&&m| m < 0).sum();
        let raised = (row as i64 + plus).min(self.lines.len() as i64 - 1);
        (raised + minus).max(0) as usize
    }

    /// Hundredths of a fire factor per strength point in an assault, if the arm has any.
    pub(super) fn assault_factor(&self, arm: Arm) -> Option<i64> {
        self.assault_factors[arm.position()]
    }

    /// Hundredths of a fire factor per strength point at a range, if the arm reaches so far.
    pub(super) fn range_factor(&self, arm: Arm, range: i64) -> Option<i64> {
        let band = self.range_factors.iter().find(|(upto, _)| range <= *upto);
        band.and_then(|(_, by_arm)| by_arm[arm.position()])
    }
}

/// Hexes that the range table must cover.
pub(super) const LONGEST_RANGE: i64 = 8;
/// The end of a row without one.
const OPEN: i64 = i64::MAX;
/// Base morale that the straggle table must cover.
pub(super) const HIGHEST_STRAGGLE_MORALE: i64 = 7;

fn row_of(lines: &[Line], fire_factor: i64) -> usize {
    let row = lines.iter().rposition(|line| line.from <= fire_factor);
    row.unwrap_or(0)
}

/// `4`, `4-8` or `36+`.
fn span(text: &str) -> Option<(i64, i64)> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| (0..=999).contains(n));
    if let Some(from) = text.strip_suffix('+') {
        return Some((number(from)?, OPEN));
    }
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Some((number(from)?, number(to)?)).filter(|(from, to)| from <= to)
}

/// Row labels read as spans that follow each other without a gap from `first` to at least `last`.
fn spans<'a>(
    grid: &Grid,
    labels: impl Iterator<Item = &'a str>,
    first: i64,
    last: i64,
) -> Result<Vec<(i64, i64)>, RuleError> {
    let mut next = Some(first);
    let mut read = Vec::new();
    for label in labels {
        let found = span(label).filter(|&(from, _)| Some(from) == next);
        let Some((from, to)) = found else {
            return Err(grid.problem(
                &format!("rows.{label}"),
                "does not follow the row before it",
            ));
        };
        next = to.checked_add(1);
        read.push((from, to));
    }
    match next {
        Some(_) if last == OPEN => {
            Err(grid.problem("rows", "must end with an open row such as 36+"))
        }
        Some(next) if next <= last => Err(grid.problem("rows", format!("end before {last}"))),
        _ => Ok(read),
    }
}

fn labels(grid: &Grid) -> impl Iterator<Item = &str> {
    grid.rows.iter().map(|(label, _)| label.as_str())
}

/// A heading such as `3(2)`: the result, and the one read by artillery at a distance.
fn heading(text: &str) -> Option<(Effect, Effect)> {
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((plain, bracketed)) => Some((Effect::printed(plain)?, Effect::printed(bracketed)?)),
        None => Effect::printed(text).map(|effect| (effect, effect)),
    }
}

fn lines(grid: &Grid) -> Result<Vec<Line>, RuleError> {
    let headings: Option<Vec<(Effect, Effect)>> =
        grid.columns.iter().map(|text| heading(text)).collect();
    let headings = headings
        .ok_or_else(|| grid.problem("columns", "must be results such as 3(2), 1(D), D or N"))?;
    let rows = spans(grid, labels(grid), 0, OPEN)?;
    let cells = grid.read("die faces such as 4 or 2-5, or --", |text| match text {
        "-" | "--" => Some(None),
        _ => span(text).filter(|&(_, to)| to <= 9).map(Some),
    })?;
    let line = |((label, _), (&(from, _), row)): (&(String, _), (&(i64, i64), &Vec<_>))| {
        let mut found = [None; 10];
        for (&faces, &effects) in row.iter().zip(&headings) {
            let Some((from, to)): Option<(i64, i64)> = faces else {
                continue;
            };
            for face in from..=to {
                if found[face as usize].replace(effects).is_some() {
                    let problem = format!("gives the die {face} two results");
                    return Err(grid.problem(&format!("rows.{label}"), problem));
                }
            }
        }
        if let Some(face) = found.iter().position(Option::is_none) {
            let problem = format!("gives the die {face} no result");
            return Err(grid.problem(&format!("rows.{label}"), problem));
        }
        let found = found.map(|effects| effects.unwrap_or((Effect::None, Effect::None)));
        Ok(Line {
            from,
            plain: found.map(|(plain, _)| plain),
            bracketed: found.map(|(_, bracketed)| bracketed),
        })
    };
    let rows = rows.iter().zip(&cells);
    grid.rows.iter().zip(rows).map(line).collect()
}

type Factors = (Vec<Option<i64>>, Vec<(i64, Vec<Option<i64>>)>);

fn factors(grid: &Grid) -> Result<Factors, RuleError> {
    if grid.columns != Arm::LABELS {
        let problem = format!("must be {}", Arm::LABELS.join(", "));
        return Err(grid.problem("columns", problem));
    }
    if labels(grid).next() != Some("assault") {
        return Err(grid.problem("rows", "must begin with assault"));
    }
    let bands = spans(grid, labels(grid).skip(1), 1, LONGEST_RANGE)?;
    let allowed = "a factor such as 2, .5 or 1.5, or -; a (+1) behind it only repeats \
                   lists.fire_modifiers.values.artillery-adjacent";
    let mut cells = grid.read(allowed, |text| match text {
        "-" => Some(None),
        _ => hundredths(text.strip_suffix("(+1)").unwrap_or(text)).map(Some),
    })?;
    let assault = cells.remove(0);
    let upto = bands.into_iter().map(|(_, to)| to);
    Ok((assault, upto.zip(cells).collect()))
}

/// A decimal number as hundredths.
fn hundredths(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.is_empty() || part.len() > 2 {
        return None;
    }
    let whole = match (whole, text.contains('.')) {
        ("", true) => 0,
        _ => whole.parse::<i64>().ok().filter(|n| *n <= 99)?,
    };
    let scale = if part.len() == 1 { 10 } else { 1 };
    Some(100 * whole + scale * part.parse::<i64>().ok()?)
}

fn limits(grid: &Grid) -> Result<[HexLimit; 2], RuleError> {
    grid.expect_rows(["fire", "assault"])?;
    let columns = ["clear-small-arms", "clear-artillery", "non-clear"];
    if grid.columns != columns {
        return Err(grid.problem("columns", format!("must be {}", columns.join(", "))));
    }
    let cells = grid.read(
        "a number of strength points from 1 to 99, or all",
        |text| match text {
            "all" => Some(None),
            _ => text
                .parse::<i64>()
                .ok()
                .filter(|n| (1..=99).contains(n))
                .map(Some),
        },
    )?;
    let limit = |row: usize| HexLimit {
        clear_small_arms: cells[row][0],
        clear_artillery: cells[row][1],
        non_clear: cells[row][2],
    };
    Ok([limit(0), limit(1)])
}

fn straggle(file: &TableFile) -> Result<Straggle, RuleError> {
    let grid = file.grid("straggle")?;
    let bands = spans(&grid, labels(&grid), 0, HIGHEST_STRAGGLE_MORALE)?;
    let cells = grid.read("a die roll such as 4+", |text| {
        let roll = text.strip_suffix('+')?.parse::<i64>().ok();
        roll.filter(|roll| (0..=20).contains(roll))
    })?;
    let modifiers = file.list("straggle_modifiers")?;
    let n = |key: &str| modifiers.whole(key, -9..=9);
    let upto = bands.into_iter().map(|(_, to)| to);
    Ok(Straggle {
        rolls: upto.zip(cells.into_iter().map(|row| row[0])).collect(),
        leader: n("leader")?,
        ezoc: n("ezoc")?,
        thoroughfare: n("thoroughfare")?,
        always: file.list("straggle_always")?.whole("die", 0..=10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::hundredths;

    #[test]
    fn decimals_are_read_exactly_or_not_at_all() {
        let read = [".5", "1.5", "2", "0.25", "", ".", "2.", "1.234", "-1", "x"].map(hundredths);
        let mut wanted = [None; 10];
        wanted[..4].copy_from_slice(&[Some(50), Some(150), Some(200), Some(25)]);
        assert_eq!(read, wanted);
    }
}
