//! Printed tables as data, and the variants laid over them.
//!
//! A ruleset's `tables.toml` has four kinds of entry, each with its place in the source:
//! - `[tables.NAME]` with `title`, `source`, `corner`, `columns` and `rows`: a printed grid;
//! - `[lists.NAME]` with `title`, `source` and `values`: named numbers (modifiers, grades);
//! - `[assumptions.NAME]` with `value`, `text`, `source`: what the source leaves open;
//! - anything else a ruleset keeps beside them (audit remarks, the common translation).
//!
//! A variant holds only what it changes, under the same keys. It cannot add a key, a row or a
//! column; a row may be given whole, or as a table from column heading to cell. What it leaves
//! behind is checked by the same code that checks the original.

use super::RuleError;
use toml::{Table, Value};

/// A table file with any variants laid over it.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFile {
    name: String,
    root: Table,
    variants: Vec<Variant>,
}

/// A variant that was laid over a table file.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its name: the one it gives itself, or its file.
    pub name: String,
    /// What it is for, in its own words; may be empty.
    pub about: String,
    /// The file it came from.
    pub file: String,
    /// The ruleset it varies.
    pub rules: String,
    /// The keys it changed.
    pub changes: Vec<String>,
    table: Table,
}

/// A printed grid.
#[derive(Debug, Clone, PartialEq)]
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
    file: String,
}

/// Named values.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Its name in the file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its place in the source.
    pub source: String,
    /// The values as printed.
    pub values: Vec<(String, String)>,
    file: String,
}

/// Something the source leaves open, and how it is read.
#[derive(Debug, Clone, PartialEq)]
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

fn parse(file: &str, text: &str) -> Result<Table, RuleError> {
    text.parse::<Table>().map_err(|error| RuleError::File {
        file: file.into(),
        problem: format!("not valid TOML: {error}"),
    })
}

impl Variant {
    /// Reads a variant of `rules` from its text. A variant of any ruleset that plays common fights
    /// is one of `common`.
    ///
    /// # Errors
    /// If it is not TOML or is meant for another ruleset.
    pub fn parse(file: &str, text: &str, rules: &str) -> Result<Self, RuleError> {
        let mut table = parse(file, text)?;
        let mut head = |key: &str| match table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(RuleError::Table {
                file: file.into(),
                key: key.into(),
                problem: format!("must be text, not `{other}`"),
            }),
        };
        let name = head("name")?;
        let about = head("about")?.unwrap_or_default();
        let of_common = |meant: &str| {
            rules == super::common::ID && super::printed().any(|ruleset| ruleset.id == meant)
        };
        let meant = match head("rules")? {
            Some(meant) if meant == rules || of_common(&meant) => meant,
            Some(meant) => {
                return Err(RuleError::Table {
                    file: file.into(),
                    key: "rules".into(),
                    problem: format!("is a variant of `{meant}`, not of `{rules}`"),
                });
            }
            None => {
                return Err(RuleError::Table {
                    file: file.into(),
                    key: "rules".into(),
                    problem: format!(
                        "is missing; a variant says what it varies: rules = \"{rules}\""
                    ),
                });
            }
        };
        Ok(Variant {
            name: name.unwrap_or_else(|| file.into()),
            about,
            file: file.into(),
            rules: meant,
            changes: Vec::new(),
            table,
        })
    }
}

impl TableFile {
    /// Reads a ruleset's own file.
    ///
    /// # Errors
    /// If it is not TOML.
    pub fn parse(name: &str, text: &str) -> Result<Self, RuleError> {
        Ok(TableFile {
            name: name.into(),
            root: parse(name, text)?,
            variants: Vec::new(),
        })
    }

    /// Lays a variant over it.
    ///
    /// # Errors
    /// If the variant has a key, a row length or a column the original has not.
    pub fn overlay(&mut self, mut variant: Variant) -> Result<(), RuleError> {
        let mut changes = Vec::new();
        overlay(
            &mut self.root,
            &variant.table,
            &variant.file,
            "",
            &mut changes,
        )?;
        variant.changes = changes;
        self.name = variant.file.clone();
        self.variants.push(variant);
        Ok(())
    }

    /// Lays a variant over the part of the file that is called like the ruleset it varies.
    ///
    /// # Errors
    /// As [`TableFile::overlay`].
    pub fn overlay_under(&mut self, mut variant: Variant) -> Result<(), RuleError> {
        let mut whole = Table::new();
        whole.insert(variant.rules.clone(), Value::Table(variant.table));
        variant.table = whole;
        self.overlay(variant)
    }

    /// Puts a whole file into this one, under a name.
    pub fn insert(&mut self, name: &str, file: TableFile) {
        self.root.insert(name.into(), Value::Table(file.root));
    }

    /// The part called `name` as a file of its own.
    ///
    /// # Errors
    /// If there is none.
    pub fn part(&self, name: &str) -> Result<TableFile, RuleError> {
        let root = self
            .section(name)
            .ok_or_else(|| self.problem(name, "is missing"))?;
        Ok(TableFile {
            name: self.name.clone(),
            root: root.clone(),
            variants: Vec::new(),
        })
    }

    /// The variants laid over it.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// The effective file as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(&self.root).expect("a parsed table can be written")
    }

    /// The names of the grids, in the order of the file.
    pub fn grid_names(&self) -> Vec<String> {
        self.names("tables")
    }

    /// The names of the lists.
    pub fn list_names(&self) -> Vec<String> {
        self.names("lists")
    }

    fn names(&self, kind: &str) -> Vec<String> {
        match self.root.get(kind) {
            Some(Value::Table(entries)) => entries.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// A part of the file that a ruleset keeps beside its tables.
    pub fn section(&self, path: &str) -> Option<&Table> {
        path.split('.')
            .try_fold(&self.root, |table, key| table.get(key)?.as_table())
    }

    /// The name of the file, for messages: the last variant's, if there is one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// An error about a key of this file.
    pub fn problem(&self, key: impl Into<String>, problem: impl Into<String>) -> RuleError {
        RuleError::Table {
            file: self.name.clone(),
            key: key.into(),
            problem: problem.into(),
        }
    }

    fn entry(&self, kind: &str, name: &str) -> Result<&Table, RuleError> {
        self.section(&format!("{kind}.{name}"))
            .ok_or_else(|| self.problem(format!("{kind}.{name}"), "is missing"))
    }

    fn text(&self, entry: &Table, path: &str, key: &str) -> Result<String, RuleError> {
        match entry.get(key) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(self.problem(format!("{path}.{key}"), "must be text")),
        }
    }

    /// A printed grid, complete and of even shape.
    ///
    /// # Errors
    /// If it is missing or rows and headings do not match.
    pub fn grid(&self, name: &str) -> Result<Grid, RuleError> {
        let path = format!("tables.{name}");
        let entry = self.entry("tables", name)?;
        let columns: Vec<String> = match entry.get("columns") {
            Some(Value::Array(headings)) => headings.iter().map(printed).collect(),
            _ => return Err(self.problem(format!("{path}.columns"), "must be a list of headings")),
        };
        let Some(Value::Table(rows)) = entry.get("rows") else {
            return Err(self.problem(format!("{path}.rows"), "must be a table of rows"));
        };
        let mut read = Vec::new();
        for (label, row) in rows {
            let key = format!("{path}.rows.{label}");
            let Value::Array(cells) = row else {
                return Err(self.problem(key, "must be a list of cells"));
            };
            if cells.len() != columns.len() {
                let problem = format!(
                    "has {} cells, but the table has {} columns: {}",
                    cells.len(),
                    columns.len(),
                    columns.join(", ")
                );
                return Err(self.problem(key, problem));
            }
            read.push((label.clone(), cells.iter().map(printed).collect()));
        }
        Ok(Grid {
            name: name.into(),
            title: self.text(entry, &path, "title")?,
            source: self.text(entry, &path, "source")?,
            corner: self.text(entry, &path, "corner")?,
            columns,
            rows: read,
            file: self.name.clone(),
        })
    }

    /// A list of named values.
    ///
    /// # Errors
    /// If it is missing.
    pub fn list(&self, name: &str) -> Result<List, RuleError> {
        let path = format!("lists.{name}");
        let entry = self.entry("lists", name)?;
        let Some(Value::Table(values)) = entry.get("values") else {
            return Err(self.problem(format!("{path}.values"), "must be a table of values"));
        };
        Ok(List {
            name: name.into(),
            title: self.text(entry, &path, "title")?,
            source: self.text(entry, &path, "source")?,
            values: values
                .iter()
                .map(|(k, v)| (k.clone(), printed(v)))
                .collect(),
            file: self.name.clone(),
        })
    }

    /// All assumptions.
    ///
    /// # Errors
    /// If one has no value, text or source.
    pub fn assumptions(&self) -> Result<Vec<Assumption>, RuleError> {
        self.names("assumptions")
            .into_iter()
            .map(|name| {
                let entry = self.entry("assumptions", &name)?;
                let path = format!("assumptions.{name}");
                let value = entry
                    .get("value")
                    .ok_or_else(|| self.problem(format!("{path}.value"), "is missing"))?;
                Ok(Assumption {
                    value: printed(value),
                    text: self.text(entry, &path, "text")?,
                    source: self.text(entry, &path, "source")?,
                    name,
                })
            })
            .collect()
    }

    /// The value of an assumption, as a whole number within a range.
    ///
    /// # Errors
    /// If it is not one.
    pub fn assumed_whole(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<i64, RuleError> {
        let path = format!("assumptions.{name}.value");
        let entry = self.entry("assumptions", name)?;
        match entry.get("value") {
            Some(Value::Integer(n)) if range.contains(n) => Ok(*n),
            other => {
                let (min, max) = range.into_inner();
                let given = other.map_or("nothing".into(), printed);
                let problem =
                    format!("is `{given}`; allowed is a whole number from {min} to {max}");
                Err(self.problem(path, problem))
            }
        }
    }

    /// The value of an assumption, as true or false.
    ///
    /// # Errors
    /// If it is not one.
    pub fn assumed_flag(&self, name: &str) -> Result<bool, RuleError> {
        let entry = self.entry("assumptions", name)?;
        match entry.get("value") {
            Some(Value::Boolean(flag)) => Ok(*flag),
            other => {
                let given = other.map_or("nothing".into(), printed);
                let problem = format!("is `{given}`; allowed is true or false");
                Err(self.problem(format!("assumptions.{name}.value"), problem))
            }
        }
    }
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

/// A cell as it would be printed.
fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn overlay(
    base: &mut Table,
    over: &Table,
    file: &str,
    path: &str,
    changes: &mut Vec<String>,
) -> Result<(), RuleError> {
    let headings: Option<Vec<String>> = match base.get("columns") {
        Some(Value::Array(headings)) => Some(headings.iter().map(printed).collect()),
        _ => None,
    };
    let known: Vec<String> = base.keys().cloned().collect();
    for (key, value) in over {
        let path = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let problem = |problem: String| RuleError::Table {
            file: file.into(),
            key: path.clone(),
            problem,
        };
        let Some(old) = base.get_mut(key) else {
            let near = super::error::nearest(key, &known);
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let known = known.join(", ");
            return Err(problem(format!(
                "is not a key of the original{hint} (known: {known})"
            )));
        };
        match (old, value) {
            (Value::Table(old), Value::Table(new)) if key == "rows" && headings.is_some() => {
                let headings = headings.as_deref().unwrap_or_default();
                overlay_rows(old, new, headings, file, &path, changes)?;
            }
            (Value::Table(old), Value::Table(new)) => overlay(old, new, file, &path, changes)?,
            (Value::Array(old), Value::Array(new)) => {
                if old.len() != new.len() {
                    let (has, wants) = (new.len(), old.len());
                    return Err(problem(format!(
                        "has {has} entries, the original has {wants}"
                    )));
                }
                if old != new {
                    changes.push(path.clone());
                    old.clone_from(new);
                }
            }
            (old @ (Value::Table(_) | Value::Array(_)), new)
            | (old, new @ (Value::Table(_) | Value::Array(_))) => {
                let (want, got) = (old.type_str(), new.type_str());
                return Err(problem(format!(
                    "must be a {want} as in the original, not a {got}"
                )));
            }
            (old, new) => {
                if old != new {
                    changes.push(path.clone());
                    *old = new.clone();
                }
            }
        }
    }
    Ok(())
}

fn overlay_rows(
    base: &mut Table,
    over: &Table,
    headings: &[String],
    file: &str,
    path: &str,
    changes: &mut Vec<String>,
) -> Result<(), RuleError> {
    let known: Vec<String> = base.keys().cloned().collect();
    for (label, row) in over {
        let key = format!("{path}.{label}");
        let problem = |key: &str, problem: String| RuleError::Table {
            file: file.into(),
            key: key.into(),
            problem,
        };
        let Some(Value::Array(cells)) = base.get_mut(label) else {
            let known = known.join(", ");
            return Err(problem(
                &key,
                format!("is not a row of the original (rows: {known})"),
            ));
        };
        let replaced: Vec<(usize, Value)> = match row {
            Value::Array(new) if new.len() == headings.len() => {
                new.iter().cloned().enumerate().collect()
            }
            Value::Array(new) => {
                let (has, wants) = (new.len(), headings.len());
                let columns = headings.join(", ");
                return Err(problem(
                    &key,
                    format!("has {has} cells, but the table has {wants} columns: {columns}"),
                ));
            }
            Value::Table(new) => {
                let mut found = Vec::new();
                for (heading, cell) in new {
                    let at = headings.iter().position(|known| known == heading);
                    let Some(at) = at else {
                        let columns = headings.join(", ");
                        let text = format!("is not a column heading (columns: {columns})");
                        return Err(problem(&format!("{key}.{heading}"), text));
                    };
                    found.push((at, cell.clone()));
                }
                found
            }
            other => {
                let got = other.type_str();
                return Err(problem(
                    &key,
                    format!("must be a list of cells, or heading = cell, not a {got}"),
                ));
            }
        };
        for (at, cell) in replaced {
            if cells[at] != cell {
                changes.push(format!("{key}[{}]", headings[at]));
                cells[at] = cell;
            }
        }
    }
    Ok(())
}
