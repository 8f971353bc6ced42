//! The tables of a ruleset file as scripts look them up.

use crate::{Bands, Grid, RuleError, TableFile};
use grapeshot_engine::dice::Throw;
use rustc_hash::FxHashMap;

/// A printed table and the die that is thrown on it.
#[derive(Debug)]
pub(super) struct Chart {
    name: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
    /// The numbers of its rows, where they are labelled so.
    bands: Option<Bands>,
    throw: Option<Throw>,
}

/// All tables and lists.
#[derive(Debug)]
pub(super) struct Charts {
    tables: FxHashMap<String, Chart>,
    lists: FxHashMap<String, Vec<(String, String)>>,
    assumptions: FxHashMap<String, String>,
}

impl Charts {
    pub(super) fn new(file: &TableFile) -> Result<Self, RuleError> {
        let mut tables = FxHashMap::default();
        for name in file.grid_names() {
            tables.insert(name.clone(), Chart::new(file, file.grid(&name)?)?);
        }
        let mut lists = FxHashMap::default();
        for name in file.list_names() {
            lists.insert(name.clone(), file.list(&name)?.values);
        }
        let assumptions = file.assumptions()?.into_iter();
        Ok(Charts {
            tables,
            lists,
            assumptions: assumptions.map(|a| (a.name, a.value)).collect(),
        })
    }

    pub(super) fn table(&self, name: &str) -> Result<&Chart, String> {
        self.tables
            .get(name)
            .ok_or_else(|| unknown("table", name, self.tables.keys()))
    }

    /// The value of an assumption.
    pub(super) fn assumed(&self, name: &str) -> Result<&str, String> {
        let found = self.assumptions.get(name).map(String::as_str);
        found.ok_or_else(|| unknown("assumption", name, self.assumptions.keys()))
    }

    /// A value of a list.
    pub(super) fn listed(&self, list: &str, entry: &str) -> Result<&str, String> {
        let values = self
            .lists
            .get(list)
            .ok_or_else(|| unknown("list", list, self.lists.keys()))?;
        let found = values.iter().find(|(known, _)| known == entry);
        let found = found.map(|(_, value)| value.as_str());
        found.ok_or_else(|| {
            unknown(
                &format!("entry of the list {list}"),
                entry,
                values.iter().map(|(k, _)| k),
            )
        })
    }
}

fn unknown<'a>(what: &str, given: &str, known: impl Iterator<Item = &'a String>) -> String {
    let mut known: Vec<&str> = known.map(String::as_str).collect();
    known.sort_unstable();
    format!(
        "there is no {what} `{given}`; there is {}",
        known.join(", ")
    )
}

impl Chart {
    fn new(file: &TableFile, grid: Grid) -> Result<Self, RuleError> {
        let path = format!("tables.{}", grid.name);
        let throw = match file.section(&path).and_then(|entry| entry.get("dice")) {
            None => None,
            Some(toml::Value::String(text)) => Some(parse_dice(text).ok_or_else(|| {
                file.problem(
                    format!("{path}.dice"),
                    format!("`{text}` are no dice; allowed is d6, 2d6, d10, d10-1 (a ten-sided die from 0 to 9), 3av (average dice)"),
                )
            })?),
            Some(other) => {
                let problem = format!("is `{other}`; allowed is text such as \"d6\"");
                return Err(file.problem(format!("{path}.dice"), problem));
            }
        };
        let bands = Bands::parse(grid.rows.iter().map(|(label, _)| label));
        if let Some(throw) = &throw {
            let key = format!("{path}.rows");
            let bands = bands.as_ref().map_err(|problem| {
                let problem = format!(
                    "dice are thrown on it, so its rows are numbers in rising order: {problem}"
                );
                file.problem(key.clone(), problem)
            })?;
            let readings = throw
                .readings()
                .iter()
                .map(|&(reading, _)| i64::from(reading));
            let missing: Vec<String> = readings
                .filter(|&reading| !bands.contains(reading))
                .map(|reading| reading.to_string())
                .collect();
            if !missing.is_empty() {
                let problem = format!(
                    "have none for {}, which the dice can show",
                    missing.join(", ")
                );
                return Err(file.problem(key, problem));
            }
        }
        Ok(Chart {
            name: grid.name,
            columns: grid.columns,
            rows: grid.rows,
            bands: bands.ok(),
            throw,
        })
    }

    pub(super) fn throw(&self) -> Result<Throw, String> {
        self.throw.clone().ok_or_else(|| {
            format!(
                "the table {} says no dice; give it dice = \"d10\" or the like",
                self.name
            )
        })
    }

    /// The place of a column by its heading.
    pub(super) fn column(&self, heading: &str) -> Result<usize, String> {
        let at = self.columns.iter().position(|known| known == heading);
        at.ok_or_else(|| {
            unknown(
                &format!("column of the table {}", self.name),
                heading,
                self.columns.iter(),
            )
        })
    }

    /// The columns that are headed by a number, with that number.
    fn numbered(&self) -> Result<impl DoubleEndedIterator<Item = (i64, &str)>, String> {
        let headed = |text: &'_ String| number(text).is_some();
        if !self.columns.iter().any(headed) {
            return Err(format!(
                "no column of the table {} is headed by a number",
                self.name
            ));
        }
        let columns = self.columns.iter();
        Ok(columns.filter_map(|text| Some((number(text)?, text.as_str()))))
    }

    /// The last column whose heading is a number of at most `value`; the first if none is.
    pub(super) fn column_upto(&self, value: i64) -> Result<&str, String> {
        let mut columns = self.numbered()?.rev();
        let found = columns.find(|&(heading, _)| heading <= value);
        let first = || self.numbered().ok().and_then(|mut all| all.next());
        Ok(found.or_else(first).map_or("", |(_, text)| text))
    }

    /// The first column whose heading is a number of at least `value`; nothing beyond the last.
    pub(super) fn column_from(&self, value: i64) -> Result<Option<&str>, String> {
        let found = self.numbered()?.find(|&(heading, _)| heading >= value);
        Ok(found.map(|(_, text)| text))
    }

    /// The last column whose odds, such as 3:2, are not above `own` to `other`; the first if all are.
    pub(super) fn column_odds(&self, own: i64, other: i64) -> Result<&str, String> {
        let odds = |text: &str| {
            let (a, b) = text.split_once(':')?;
            Some((a.trim().parse::<i64>().ok()?, b.trim().parse::<i64>().ok()?))
        };
        let read: Option<Vec<(i64, i64)>> = self.columns.iter().map(|text| odds(text)).collect();
        let Some(read) = read else {
            return Err(format!(
                "the columns of the table {} are not all odds such as 3:2",
                self.name
            ));
        };
        let at = read
            .iter()
            .rposition(|&(a, b)| own.saturating_mul(b) >= other.saturating_mul(a));
        Ok(&self.columns[at.unwrap_or(0)])
    }

    /// The heading so many columns to the right (or left), kept within the table.
    pub(super) fn shifted(&self, heading: &str, by: i64) -> Result<&str, String> {
        let last = self.columns.len() as i64 - 1;
        let at = (self.column(heading)? as i64 + by).clamp(0, last);
        Ok(&self.columns[at as usize])
    }

    /// The cell of a row by its label.
    pub(super) fn cell(&self, row: &str, column: &str) -> Result<&str, String> {
        let found = self.rows.iter().find(|(label, _)| label == row);
        let (_, cells) = found.ok_or_else(|| {
            let labels = self.rows.iter().map(|(label, _)| label);
            unknown(&format!("row of the table {}", self.name), row, labels)
        })?;
        Ok(&cells[self.column(column)?])
    }

    /// The cell of a numbered row; below the first and above the last these count.
    pub(super) fn cell_at(&self, number: i64, column: usize) -> &str {
        let row = self.bands.as_ref().map_or(0, |bands| bands.of(number));
        &self.rows[row].1[column]
    }
}

/// The number of a column that is headed by one.
fn number(label: &str) -> Option<i64> {
    label.trim().trim_end_matches('+').parse().ok()
}

/// `d6`, `2d6`, `d10`, `d10-1`, `3av`.
pub(super) fn parse_dice(text: &str) -> Option<Throw> {
    let text = text.trim().to_ascii_lowercase();
    if let Some(count) = text.strip_suffix("av") {
        let count: u32 = if count.is_empty() {
            1
        } else {
            count.parse().ok()?
        };
        return (1..=20)
            .contains(&count)
            .then(|| Throw::average_dice(count));
    }
    let (count, rest) = text.split_once('d')?;
    let count: u32 = if count.is_empty() {
        1
    } else {
        count.parse().ok()?
    };
    let (sides, less) = match rest.split_once('-') {
        Some((sides, less)) => (sides.parse::<i16>().ok()?, less.parse::<i16>().ok()?),
        None => (rest.parse().ok()?, 0),
    };
    if !(1..=20).contains(&count) || !(2..=1000).contains(&sides) || !(0..=1000).contains(&less) {
        return None;
    }
    match (count, less) {
        (1, less) => Some(Throw::die(1 - less, sides - less)),
        (count, 0) => Some(Throw::sum((1..=sides).collect(), count)),
        _ => None,
    }
}
