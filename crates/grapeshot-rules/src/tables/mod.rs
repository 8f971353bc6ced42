//! Printed tables as data, and the variants laid over them.
//!
//! A ruleset's `tables.toml` has four kinds of entry, each with its place in the source:
//! - `[tables.NAME]` with `title`, `source`, `corner`, `columns` and `rows`: a printed grid;
//! - `[lists.NAME]` with `title`, `source` and `values`: named numbers (modifiers, grades);
//! - `[assumptions.NAME]` with `value`, `text`, `source`: what the source leaves open;
//! - anything else a ruleset keeps beside them (audit remarks, the common translation; of a built-in ruleset in a
//!   file of its own, see [`extras`]).
//!
//! A variant holds only what it changes, under the same keys; a row may be given whole, or as a table from
//! column heading to cell. It adds nothing: that is said in Drill. What it leaves behind is checked by the same code
//! that checks the original.

mod cell;
mod extras;
mod grid;
mod variant;

pub use cell::CellPlace;
pub use cell::{whole, written_like};
pub use grid::{Assumption, Grid, List};
pub use variant::{TableChange, Variant};

use super::RuleError;
use crate::nearest::nearest;
use crate::toml_reader::{Entries, Problems, TomlText, below};
use extras::Extras;
use std::borrow::Cow;
use toml::{Table, Value};
use variant::{Overlay, Written};

/// A table file with any variants laid over it.
#[derive(Debug, Clone)]
pub struct TableFile {
    name: String,
    root: Table,
    /// What is not in `root` yet.
    extras: Option<Extras>,
    variants: Vec<Variant>,
    /// What it was put together from, the last laid over the others; what is built in has no text here.
    texts: Vec<TomlText>,
}

/// The kinds of entries that play reads.
const PRINTED: [&str; 3] = ["tables", "lists", "assumptions"];
/// What is kept in the same file, for short questions.
const BESIDE: [&str; 3] = ["bands", "fight", "synonyms"];

impl TableFile {
    /// Reads a ruleset's own file.
    ///
    /// # Errors
    /// If it is not TOML.
    pub fn parse(name: &str, text: &str) -> Result<Self, RuleError> {
        let text = TomlText::new(name, text);
        Ok(TableFile {
            name: name.into(),
            root: text.table()?,
            extras: None,
            variants: Vec::new(),
            texts: vec![text],
        })
    }

    /// The file of a ruleset that is part of the program, whose letters need no check, and what it keeps beside it.
    pub(super) fn built_in(name: String, tables: &'static str, extras: &'static str) -> Self {
        TableFile {
            name,
            root: tables.parse().expect("what is built in is TOML"),
            extras: Some(Extras::new(extras)),
            variants: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// The files of a ruleset as one; they may be none.
    pub(crate) fn of_files(name: &str, files: &[(&str, &str)]) -> Result<Self, RuleError> {
        let mut all = TableFile {
            name: files.first().map_or(name, |(name, _)| name).into(),
            root: Table::new(),
            extras: None,
            variants: Vec::new(),
            texts: Vec::new(),
        };
        for (name, text) in files {
            let text = TomlText::new(*name, *text);
            for (key, value) in text.table()? {
                match (all.root.get_mut(&key), value) {
                    (Some(Value::Table(held)), Value::Table(more)) => held.extend(more),
                    (_, value) => drop(all.root.insert(key, value)),
                }
            }
            all.texts.push(text);
        }
        let known = || PRINTED.into_iter().chain(BESIDE).chain(Extras::parts());
        match all
            .root
            .keys()
            .find(|key| !known().any(|part| part == *key))
        {
            Some(wrong) => {
                let parts: Vec<String> = known().map(str::to_owned).collect();
                let hint = nearest(wrong, &parts)
                    .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
                let known = parts.join(", ");
                Err(all.problem(wrong, format!("is read by nobody{hint} (known: {known})")))
            }
            None => Ok(all),
        }
    }

    /// Lays a variant over it.
    ///
    /// # Errors
    /// If the variant changes or adds what the original has not or does not take.
    pub fn overlay(&mut self, variant: Variant) -> Result<(), RuleError> {
        if !variant.parts().all(|part| PRINTED.contains(&part)) {
            self.root = self.whole().into_owned();
            self.extras = None;
        }
        let laid = lay(&mut self.root, variant)?;
        self.take_note(laid);
        Ok(())
    }

    /// Lays a variant over the part of the file that is called like the ruleset it varies.
    ///
    /// # Errors
    /// As [`TableFile::overlay`].
    pub fn overlay_under(&mut self, variant: Variant) -> Result<(), RuleError> {
        if variant.drill().is_some() {
            self.variants.push(variant);
            return Ok(());
        }
        let part = self.root.get_mut(&variant.rules);
        let Some(Value::Table(part)) = part else {
            return Err(self.problem(variant.rules, "is missing"));
        };
        let laid = lay(part, variant)?;
        self.take_note(laid);
        Ok(())
    }

    pub(crate) fn take_note(&mut self, laid: Variant) {
        self.name = laid.file.clone();
        if let Written::Cells { text, .. } = &laid.written {
            self.texts.push(text.clone());
        }
        self.variants.push(laid);
    }

    /// What the variant that was laid over it last has changed.
    pub(crate) fn changed_by_last(&mut self, changes: Vec<TableChange>) {
        if let Some(last) = self.variants.last_mut() {
            last.changes = changes;
        }
    }

    /// Puts a grid, list or assumption among the printed ones, and keeps what stood there beside what is put.
    pub(crate) fn put_printed(&mut self, part: &str, name: &str, entry: Table) {
        let empty = || Value::Table(Table::new());
        let part = self.root.entry(part).or_insert_with(empty);
        let held = part
            .as_table_mut()
            .map(|part| part.entry(name).or_insert_with(empty));
        if let Some(Value::Table(held)) = held {
            for (key, value) in entry {
                // A corner that is printed says more than none.
                if !(key == "corner" && held.contains_key(&key)) {
                    held.insert(key, value);
                }
            }
        }
    }

    /// Puts a whole file into this one, under a name.
    pub fn insert(&mut self, name: &str, file: TableFile) {
        let whole = file.whole().into_owned();
        self.root.insert(name.into(), Value::Table(whole));
    }

    /// All of it, what is kept beside the tables included.
    fn whole(&self) -> Cow<'_, Table> {
        match &self.extras {
            None => Cow::Borrowed(&self.root),
            Some(extras) => {
                let extras = extras.table().clone();
                Cow::Owned(self.root.clone().into_iter().chain(extras).collect())
            }
        }
    }

    /// What stands under a key of the file.
    fn get(&self, key: &str) -> Option<&Value> {
        match &self.extras {
            Some(extras) if Extras::is_here(key) => extras.table().get(key),
            _ => self.root.get(key),
        }
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
            extras: None,
            variants: Vec::new(),
            texts: self.texts.clone(),
        })
    }

    /// The variants of a ruleset's text that were laid over its part.
    pub(crate) fn texts_laid_under(&self, rules: &str) -> impl Iterator<Item = &Variant> {
        let laid = self.variants.iter();
        laid.filter(move |variant| variant.rules == rules && variant.drill().is_some())
    }

    /// What it was put together from, as far as that was not built in.
    pub(crate) fn texts(&self) -> &[TomlText] {
        &self.texts
    }

    /// The variants laid over it.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// The effective file as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(&*self.whole()).expect("a parsed table can be written")
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
        match self.get(kind) {
            Some(Value::Table(entries)) => entries.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// A part of the file that a ruleset keeps beside its tables.
    pub fn section(&self, path: &str) -> Option<&Table> {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let rest = rest.split('.').filter(|key| !key.is_empty());
        let first = self.get(first)?.as_table();
        rest.fold(first, |table, key| table?.get(key)?.as_table())
    }

    /// The name of the file, for messages: the last variant's, if there is one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// An error about a key of this file.
    pub fn problem(&self, key: impl Into<String>, problem: impl Into<String>) -> RuleError {
        self.located(RuleError::Table {
            file: self.name.clone(),
            key: key.into(),
            problem: problem.into(),
        })
    }

    /// What is wrong with this file, each with its line in the text it stands in.
    pub fn problems(&self) -> Problems {
        Problems::among(&self.name, self.texts.clone())
    }

    /// The same error with its line, if it is about a key that a text has.
    pub(super) fn located(&self, error: RuleError) -> RuleError {
        self.problems().located(error)
    }

    /// A part that a ruleset keeps beside its tables, to be taken entry by entry.
    pub fn entries<'a>(&self, path: &str, problems: &'a Problems) -> Option<Entries<'a>> {
        let section = self.section(path)?.clone();
        Some(Entries::new(problems, path, section))
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

/// Lays a variant over a table of tables.
fn lay(root: &mut Table, mut variant: Variant) -> Result<Variant, RuleError> {
    let Written::Cells { table, text } = &variant.written else {
        let problem = "is a variant of the text, and these tables are of a ruleset that has none";
        return Err(variant.problem("variant", problem));
    };
    let problems = Problems::of(text);
    let mut overlay = Overlay {
        problems: &problems,
        changes: Vec::new(),
    };
    overlay.lay(root, table, "");
    let changes = overlay.changes;
    variant.changes = changes;
    problems.or(variant)
}

/// A cell as it would be printed.
pub(crate) fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
