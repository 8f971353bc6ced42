//! What stands in a table file: printed grids, named values, assumptions.

use crate::RuleError;
use serde::Serialize;

/// A printed grid.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grid {
    /// Its name in the file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its place in the source.
    pub source: String,
    /// What stands in the corner: the meaning of the row labels.
    pub corner: String,
    /// Column headings.
    pub columns: Vec<String>,
    /// Rows: a label and the cells as printed.
    pub rows: Vec<(String, Vec<String>)>,
    #[serde(skip)]
    pub(super) file: String,
}

/// Named values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct List {
    /// Its name in the file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its place in the source.
    pub source: String,
    /// The values as printed.
    pub values: Vec<(String, String)>,
    #[serde(skip)]
    pub(super) file: String,
}

/// Something the source leaves open, and how it is read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assumption {
    /// Its name in the file.
    pub name: String,
    /// The value read.
    pub value: String,
    /// What it means and why.
    pub text: String,
    /// Its place in the source.
    pub source: String,
}

impl Grid {
    /// Every cell read by `read`, which says nothing for a cell that is not `allowed`.
    ///
    /// # Errors
    /// Names the first cell that cannot be read.
    pub fn read<T>(
        &self,
        allowed: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<Vec<T>>, RuleError> {
        let cell = |row: &str, at: usize, text: &str| {
            read(text).ok_or_else(|| RuleError::Table {
                file: self.file.clone(),
                key: format!("tables.{}.rows.{row}[{}]", self.name, self.columns[at]),
                problem: format!("`{text}` is not {allowed}"),
            })
        };
        self.rows
            .iter()
            .map(|(label, cells)| {
                cells
                    .iter()
                    .enumerate()
                    .map(|(at, text)| cell(label, at, text))
                    .collect()
            })
            .collect()
    }

    /// Checks that the rows are labelled exactly so, in this order.
    ///
    /// # Errors
    /// If they are not.
    pub fn expect_rows<S: AsRef<str>>(
        &self,
        labels: impl IntoIterator<Item = S>,
    ) -> Result<(), RuleError> {
        let wanted: Vec<String> = labels.into_iter().map(|l| l.as_ref().to_owned()).collect();
        let found: Vec<&String> = self.rows.iter().map(|(label, _)| label).collect();
        if found.iter().copied().eq(wanted.iter()) {
            return Ok(());
        }
        Err(RuleError::Table {
            file: self.file.clone(),
            key: format!("tables.{}.rows", self.name),
            problem: format!("must be the rows {}, in this order", wanted.join(", ")),
        })
    }

    /// Checks that the rows are labelled exactly so, in this order, and may be followed by those of values that
    /// house rules added.
    ///
    /// # Errors
    /// If they are not.
    pub fn expect_rows_first<S: AsRef<str>>(
        &self,
        labels: impl IntoIterator<Item = S>,
    ) -> Result<(), RuleError> {
        let labels: Vec<S> = labels.into_iter().collect();
        let mut printed = self.clone();
        printed.rows.truncate(labels.len());
        printed.expect_rows(labels)
    }

    /// Checks that there is a row for each face of a die of so many sides that starts at 0.
    ///
    /// # Errors
    /// Names the faces without a row, and the rows without a face.
    pub fn expect_faces(&self, sides: i64) -> Result<(), RuleError> {
        let found: Vec<&str> = self.rows.iter().map(|(label, _)| label.as_str()).collect();
        let faces: Vec<String> = (0..sides).map(|face| face.to_string()).collect();
        let missing = faces.iter().filter(|face| !found.contains(&face.as_str()));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        if !missing.is_empty() {
            let last = sides - 1;
            let problem = format!(
                "a die of {sides} sides has the faces 0 to {last}: no row for {}",
                missing.join(", ")
            );
            return Err(self.problem("rows", problem));
        }
        self.expect_rows(faces)
    }

    /// An error about this grid.
    pub fn problem(&self, key: &str, problem: impl Into<String>) -> RuleError {
        RuleError::Table {
            file: self.file.clone(),
            key: format!("tables.{}.{key}", self.name),
            problem: problem.into(),
        }
    }
}

impl List {
    /// A whole number out of the list, within a range.
    ///
    /// # Errors
    /// If it is missing or is not one.
    pub fn whole(&self, key: &str, range: std::ops::RangeInclusive<i64>) -> Result<i64, RuleError> {
        let found = self.values.iter().find(|(known, _)| known == key);
        let text = found.map_or("nothing", |(_, text)| text);
        text.parse::<i64>()
            .ok()
            .filter(|n| range.contains(n))
            .ok_or_else(|| RuleError::Table {
                file: self.file.clone(),
                key: format!("lists.{}.values.{key}", self.name),
                problem: format!(
                    "is `{text}`; allowed is a whole number from {} to {}",
                    range.start(),
                    range.end()
                ),
            })
    }
}
