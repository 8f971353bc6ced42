//! The tables of a ruleset file as scripts look them up.

use crate::dice::Throw;
use crate::rules::{Grid, RuleError, TableFile};
use rustc_hash::FxHashMap;

/// A printed table and the die that is thrown on it.
#[derive(Debug)]
pub(super) struct Chart {
    name: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
    /// Row numbers, where every row is labelled by one: in rising order.
    numbers: Option<Vec<i64>>,
    throw: Option<Throw>,
}

/// All tables and lists.
#[derive(Debug)]
pub(super) struct Charts {
    tables: FxHashMap<String, Chart>,
    lists: FxHashMap<String, Vec<(String, String)>>,
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
        Ok(Charts { tables, lists })
    }

    pub(super) fn table(&self, name: &str) -> Result<&Chart, String> {
        self.tables
            .get(name)
            .ok_or_else(|| unknown("table", name, self.tables.keys()))
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
        let numbers: Option<Vec<i64>> = grid.rows.iter().map(|(label, _)| number(label)).collect();
        if let Some(throw) = &throw {
            let Some(numbers) = &numbers else {
                let problem = "dice are thrown on it, so every row must be labelled by a number";
                return Err(file.problem(format!("{path}.rows"), problem));
            };
            if !numbers.windows(2).all(|pair| pair[0] < pair[1]) {
                return Err(file.problem(format!("{path}.rows"), "must be in rising order"));
            }
            let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
            let missing: Vec<String> = throw
                .readings()
                .iter()
                .map(|&(reading, _)| i64::from(reading))
                .filter(|reading| (first..=last).contains(reading) && !numbers.contains(reading))
                .map(|reading| reading.to_string())
                .collect();
            if !missing.is_empty() {
                let problem = format!("the dice can show {}, which no row has", missing.join(", "));
                return Err(file.problem(format!("{path}.rows"), problem));
            }
        }
        Ok(Chart {
            name: grid.name,
            columns: grid.columns,
            rows: grid.rows,
            numbers,
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

    /// The last column whose heading, a number or odds like 3:2, is at most `value`; the first if none
    /// is.
    pub(super) fn column_upto(&self, value: i64) -> Result<&str, String> {
        let headings: Option<Vec<i64>> = self.columns.iter().map(|text| number(text)).collect();
        let Some(headings) = headings else {
            return Err(format!(
                "the columns of the table {} are not all numbers",
                self.name
            ));
        };
        let at = headings.iter().rposition(|&heading| heading <= value);
        Ok(&self.columns[at.unwrap_or(0)])
    }

    /// The first column whose heading is at least `value`; nothing beyond the last.
    pub(super) fn column_from(&self, value: i64) -> Result<Option<&str>, String> {
        let headings: Option<Vec<i64>> = self.columns.iter().map(|text| number(text)).collect();
        let Some(headings) = headings else {
            return Err(format!(
                "the columns of the table {} are not all numbers",
                self.name
            ));
        };
        let at = headings.iter().position(|&heading| heading >= value);
        Ok(at.map(|at| self.columns[at].as_str()))
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
        let numbers = self.numbers.as_deref().unwrap_or_default();
        let at = numbers.partition_point(|&known| known <= number);
        &self.rows[at.saturating_sub(1)].1[column]
    }
}

/// A row or column that is labelled by a number; the first of a range such as 3-5.
fn number(label: &str) -> Option<i64> {
    label.trim().trim_end_matches('+').parse().ok()
}

/// `d6`, `2d6`, `d10`, `d10-1`, `3av`.
fn parse_dice(text: &str) -> Option<Throw> {
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
