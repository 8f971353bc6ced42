//! Single cells of a table file: where they stand, how patterns name them, and how one is changed.
//!
//! A place is written as a variant would say it, `tables.melee_results.rows.8[1:1]`; a pattern may leave
//! away what goes without saying, and use `*`: `tables.melee_results.8.*`, `lists.morale_values`.

use super::{TableFile, printed};
use crate::{RuleError, nearest};
use toml::{Table, Value};

/// Where a cell stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellPlace {
    /// In a printed grid.
    Grid {
        /// The grid.
        table: String,
        /// The label of the row.
        row: String,
        /// The position of the column.
        column: usize,
        /// The heading of the column.
        heading: String,
    },
    /// In a list of named values.
    List {
        /// The list.
        list: String,
        /// The name of the value.
        key: String,
    },
    /// The value of an assumption.
    Assumption {
        /// The assumption.
        name: String,
    },
}

impl std::fmt::Display for CellPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CellPlace::Grid {
                table,
                row,
                heading,
                ..
            } => write!(f, "tables.{table}.rows.{row}[{heading}]"),
            CellPlace::List { list, key } => write!(f, "lists.{list}.values.{key}"),
            CellPlace::Assumption { name } => write!(f, "assumptions.{name}.value"),
        }
    }
}

impl CellPlace {
    /// Without what goes without saying: the form that patterns are matched with.
    fn short(&self) -> String {
        match self {
            CellPlace::Grid {
                table,
                row,
                heading,
                ..
            } => format!("tables.{table}.{row}.{heading}"),
            CellPlace::List { list, key } => format!("lists.{list}.{key}"),
            CellPlace::Assumption { name } => format!("assumptions.{name}"),
        }
    }

    /// The table or list it stands in, as a pattern would name it.
    pub fn holder(&self) -> String {
        match self {
            CellPlace::Grid { table, .. } => format!("tables.{table}"),
            CellPlace::List { list, .. } => format!("lists.{list}"),
            CellPlace::Assumption { .. } => "assumptions".into(),
        }
    }

    /// The heading in a variant file under which it is changed, and its key there.
    pub fn in_variant(&self) -> (String, String) {
        match self {
            CellPlace::Grid {
                table,
                row,
                heading,
                ..
            } => (
                format!("tables.{}.rows.{}", quoted(table), quoted(row)),
                quoted(heading),
            ),
            CellPlace::List { list, key } => {
                (format!("lists.{}.values", quoted(list)), quoted(key))
            }
            CellPlace::Assumption { name } => {
                (format!("assumptions.{}", quoted(name)), "value".into())
            }
        }
    }
}

/// A key as TOML wants it.
fn quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !key.is_empty() && key.chars().all(bare) {
        true => key.into(),
        false => Value::String(key.into()).to_string(),
    }
}

impl TableFile {
    /// Every cell that holds a single value: of grids, lists and assumptions, in the order of the file.
    pub fn cells(&self) -> Vec<CellPlace> {
        let mut found = Vec::new();
        for table in self.grid_names() {
            let Ok(grid) = self.grid(&table) else {
                continue;
            };
            for (row, _) in &grid.rows {
                for (column, heading) in grid.columns.iter().enumerate() {
                    found.push(CellPlace::Grid {
                        table: table.clone(),
                        row: row.clone(),
                        column,
                        heading: heading.clone(),
                    });
                }
            }
        }
        for list in self.list_names() {
            let values = self.section(&format!("lists.{list}.values"));
            for (key, value) in values.into_iter().flatten() {
                if !matches!(value, Value::Table(_) | Value::Array(_)) {
                    found.push(CellPlace::List {
                        list: list.clone(),
                        key: key.clone(),
                    });
                }
            }
        }
        for name in self.names("assumptions") {
            let place = CellPlace::Assumption { name };
            if self.cell(&place).is_some() {
                found.push(place);
            }
        }
        found
    }

    /// The cells that any of the patterns names.
    ///
    /// # Errors
    /// If a pattern names none.
    pub fn cells_named(&self, patterns: &[String]) -> Result<Vec<CellPlace>, RuleError> {
        let all = self.cells();
        let mut wanted = vec![false; all.len()];
        for pattern in patterns {
            let plain = plainly(pattern);
            let below = format!("{plain}.*");
            let mut any = false;
            for (at, place) in all.iter().enumerate() {
                let short = place.short();
                if matches(plain.as_bytes(), short.as_bytes())
                    || matches(below.as_bytes(), short.as_bytes())
                {
                    (wanted[at], any) = (true, true);
                }
            }
            if !any {
                return Err(no_cell(&all, pattern, &plain));
            }
        }
        let kept = all.into_iter().zip(wanted).filter(|(_, wanted)| *wanted);
        Ok(kept.map(|(place, _)| place).collect())
    }

    /// What stands in a cell.
    pub fn cell(&self, place: &CellPlace) -> Option<&Value> {
        match place {
            CellPlace::Grid {
                table, row, column, ..
            } => {
                let rows = self.section(&format!("tables.{table}"))?.get("rows")?;
                rows.as_table()?.get(row)?.as_array()?.get(*column)
            }
            CellPlace::List { list, key } => {
                self.section(&format!("lists.{list}.values"))?.get(key)
            }
            CellPlace::Assumption { name } => {
                self.section(&format!("assumptions.{name}"))?.get("value")
            }
        }
    }

    /// What stands in a cell, as it is printed.
    pub fn printed_cell(&self, place: &CellPlace) -> String {
        self.cell(place).map(printed).unwrap_or_default()
    }

    /// The whole number in a cell, if it holds one.
    pub fn whole_in(&self, place: &CellPlace) -> Option<i64> {
        whole(self.cell(place)?)
    }

    /// Puts a whole number into a cell, written as the one that stands there.
    pub fn set_whole(&mut self, place: &CellPlace, number: i64) {
        if let Some(value) = self.cell(place).map(|old| written_like(old, number)) {
            self.set_cell(place, value);
        }
    }

    /// Puts another value into a cell that is there.
    pub fn set_cell(&mut self, place: &CellPlace, value: Value) {
        let root = &mut self.root;
        let held = match place {
            CellPlace::Grid {
                table, row, column, ..
            } => below_mut(root, &["tables", table, "rows"])
                .and_then(|rows| rows.get_mut(row)?.as_array_mut()?.get_mut(*column)),
            CellPlace::List { list, key } => {
                below_mut(root, &["lists", list, "values"]).and_then(|values| values.get_mut(key))
            }
            CellPlace::Assumption { name } => {
                below_mut(root, &["assumptions", name]).and_then(|entry| entry.get_mut("value"))
            }
        };
        if let Some(held) = held {
            *held = value;
        }
    }
}

/// A whole number, with a sign before it or a `+` behind it and nothing else: `3`, `+2`, `4+`.
pub fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(n) => Some(*n),
        Value::String(text) => {
            let text = text.strip_suffix('+').unwrap_or(text);
            text.strip_prefix('+').unwrap_or(text).parse().ok()
        }
        _ => None,
    }
}

/// A number written as another is: `+3` like `+2`, `5+` like `4+`.
pub fn written_like(old: &Value, number: i64) -> Value {
    match old {
        Value::String(text) if text.ends_with('+') => Value::String(format!("{number}+")),
        Value::String(text) if text.starts_with('+') => Value::String(format!("{number:+}")),
        Value::String(_) => Value::String(number.to_string()),
        _ => Value::Integer(number),
    }
}

fn below_mut<'a>(root: &'a mut Table, path: &[&str]) -> Option<&'a mut Table> {
    let mut path = path.iter();
    path.try_fold(root, |table, key| table.get_mut(*key)?.as_table_mut())
}

/// A pattern without what goes without saying.
fn plainly(pattern: &str) -> String {
    let pattern = pattern.trim().replace('[', ".").replace(']', "");
    let mut parts: Vec<&str> = pattern.split('.').collect();
    let said = |parts: &[&str], kind: &str, word: &str| {
        parts.len() > 2 && parts[0] == kind && parts[2] == word
    };
    if said(&parts, "tables", "rows")
        || said(&parts, "lists", "values")
        || said(&parts, "assumptions", "value")
    {
        parts.remove(2);
    }
    parts.join(".")
}

/// Whether a text is what a pattern says; `*` stands for anything.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skip| matches(rest, &text[skip..])),
        Some((first, rest)) => text
            .split_first()
            .is_some_and(|(found, text)| found == first && matches(rest, text)),
    }
}

/// Says that a pattern names nothing, and which tables and lists there are; of a table that is there, its
/// rows or names.
fn no_cell(all: &[CellPlace], pattern: &str, plain: &str) -> RuleError {
    let mut holders: Vec<String> = all.iter().map(CellPlace::holder).collect();
    holders.dedup();
    let inside: Vec<String> = all
        .iter()
        .filter(|place| plain.starts_with(&format!("{}.", place.holder())))
        .map(CellPlace::short)
        .collect();
    let (near, known) = match inside.is_empty() {
        true => {
            let holder: Vec<&str> = plain.split('.').take(2).collect();
            (
                nearest(&holder.join("."), &holders).map(ToOwned::to_owned),
                holders.join(", "),
            )
        }
        false => (
            nearest(plain, &inside).map(ToOwned::to_owned),
            shortened(&inside),
        ),
    };
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let problem = format!(
        "names no cell{hint}\n  known: {known}; `*` stands for anything, as in tables.NAME.ROW.*"
    );
    RuleError::argument("vary", pattern, problem)
}

fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 24;
    match names.len() > SHOWN {
        true => format!("{}, …", names[..SHOWN].join(", ")),
        false => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
[tables.results]
title = "t"
source = "s"
corner = "die"
columns = ["1:1", "2:1"]
[tables.results.rows]
0 = ["A", "B"]
1 = ["C", "D"]
[lists.grades]
title = "t"
source = "s"
[lists.grades.values]
elite = 10
poor = 7
[assumptions.reach]
value = 50
text = "t"
source = "s"
"#;

    fn named(pattern: &str) -> Vec<String> {
        let file = TableFile::parse("t", FILE).unwrap();
        let cells = file.cells_named(&[pattern.into()]).unwrap();
        cells.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_pattern_names_a_table_a_line_or_a_cell_long_or_short() {
        assert_eq!(named("*").len(), 7);
        assert_eq!(named("tables.results").len(), 4);
        assert_eq!(named("tables.*").len(), 4);
        for whole in ["tables.results.rows.1", "tables.results.1.*"] {
            let row = ["tables.results.rows.1[1:1]", "tables.results.rows.1[2:1]"];
            assert_eq!(named(whole), row, "{whole}");
        }
        for cell in ["tables.results.rows.1[2:1]", "tables.results.1.2:1"] {
            assert_eq!(named(cell), ["tables.results.rows.1[2:1]"], "{cell}");
        }
        assert_eq!(named("tables.results.*.2:1").len(), 2);
        assert_eq!(named("lists.grades.el*"), ["lists.grades.values.elite"]);
        assert_eq!(named("assumptions.reach"), ["assumptions.reach.value"]);
    }

    #[test]
    fn a_pattern_that_names_nothing_says_what_there_is() {
        let file = TableFile::parse("t", FILE).unwrap();
        let error = |pattern: &str| {
            let error = file.cells_named(&[pattern.into()]).unwrap_err();
            error.to_string()
        };
        let said = error("tables.result.*");
        assert!(said.contains("did you mean `tables.results`?"), "{said}");
        assert!(error("lists.grades.raw").contains("lists.grades.poor"));
    }

    #[test]
    fn a_cell_is_read_changed_and_said_as_a_variant_would() {
        let mut file = TableFile::parse("t", FILE).unwrap();
        for place in file.cells() {
            file.set_cell(&place, Value::Integer(3));
            assert_eq!(file.printed_cell(&place), "3");
        }
        let (heading, key) = file.cells()[1].in_variant();
        assert_eq!((&*heading, &*key), ("tables.results.rows.0", "\"2:1\""));
    }
}
