//! Variants: what they say of themselves, and how they are laid over the original.

use super::{below, printed};
use crate::toml_reader::{Problems, TomlText};
use crate::{RuleError, nearest, read_text};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use toml::{Table, Value};

/// What to do about what a variant of cells cannot say.
const OTHERWISE: &str =
    "what a variant in TOML cannot say is said by one in Drill: docs/house-rules.md";

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
    /// What it changed and added.
    pub changes: Vec<TableChange>,
    pub(super) written: Written,
}

/// What a variant is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Written {
    /// Cells, in TOML.
    Cells {
        /// What it changes.
        table: Table,
        /// As it was written, for messages.
        text: TomlText,
    },
    /// Edits of the text, in Drill.
    Drill(Arc<str>),
}

impl Variant {
    /// Reads variants from their files.
    ///
    /// # Errors
    /// Says of every file what is wrong with it.
    pub fn read_all(files: &[PathBuf]) -> Result<Vec<Self>, RuleError> {
        let (mut variants, mut wrong) = (Vec::new(), Vec::new());
        for file in files {
            let name = file.display().to_string();
            match read_text(file).and_then(|text| Variant::parse(&name, &text)) {
                Ok(variant) => variants.push(variant),
                Err(error) => wrong.push(error),
            }
        }
        RuleError::all(wrong)?;
        Ok(variants)
    }

    /// Reads a variant from its text: TOML that changes cells, or Drill that edits the rules.
    ///
    /// # Errors
    /// If it is neither or does not say what it varies.
    pub fn parse(file: &str, text: &str) -> Result<Self, RuleError> {
        if let Some(head) = grapeshot_drill::load::Head::of_variant(text) {
            return Ok(Variant {
                name: head.title.to_string(),
                about: head.about.to_string(),
                file: file.into(),
                rules: head.name.to_string(),
                changes: Vec::new(),
                written: Written::Drill(text.into()),
            });
        }
        if file.ends_with(".drill") {
            let problem = "begins with no `variant of RULES: \"what it is\"`";
            return Err(RuleError::File {
                file: file.into(),
                problem: problem.into(),
            });
        }
        let text = TomlText::new(file, text);
        let problems = Problems::of(&text);
        let mut entries = problems.read()?;
        let name = entries.maybe("name");
        let about = entries.maybe("about").unwrap_or_default();
        if !entries.has("rules") {
            let problem = "is missing; a variant says what it varies, as in rules = \"elephant\"";
            entries.problem("rules", problem);
        }
        let rules = entries.maybe("rules").unwrap_or_default();
        let table = entries.rest();
        problems.end()?;
        Ok(Variant {
            name: name.unwrap_or_else(|| file.into()),
            about,
            file: file.into(),
            rules,
            changes: Vec::new(),
            written: Written::Cells { table, text },
        })
    }

    /// Its edits of the text, if it is written in Drill.
    pub fn drill(&self) -> Option<&str> {
        match &self.written {
            Written::Drill(text) => Some(text),
            Written::Cells { .. } => None,
        }
    }

    /// An error about one of its keys.
    pub(crate) fn problem(&self, key: &str, problem: impl Into<String>) -> RuleError {
        let error = RuleError::Table {
            file: self.file.clone(),
            key: key.into(),
            problem: problem.into(),
        };
        match &self.written {
            Written::Cells { text, .. } => Problems::of(text).located(error),
            Written::Drill(_) => error,
        }
    }

    /// The parts of a table file that it touches.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let table = match &self.written {
            Written::Cells { table, .. } => Some(table),
            Written::Drill(_) => None,
        };
        table.into_iter().flat_map(Table::keys).map(String::as_str)
    }
}

/// An entry that a variant changed, or that one in Drill added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableChange {
    /// Where it stands.
    pub key: String,
    /// What stood there; nothing if it was added.
    pub before: Option<String>,
    /// What stands there now.
    pub after: String,
}

impl TableChange {
    fn of(key: impl Into<String>, before: &Value, after: &Value) -> Self {
        TableChange {
            key: key.into(),
            before: Some(printed(before)),
            after: printed(after),
        }
    }
}

impl std::fmt::Display for TableChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.before {
            Some(before) => write!(f, "{} {before} → {}", self.key, self.after),
            None => write!(f, "{} added: {}", self.key, self.after),
        }
    }
}

/// What lays a variant over a file: what is wrong with it, what was changed. A mistake does not hide the next, and nobody
/// uses tables with one.
pub(super) struct Overlay<'a> {
    pub problems: &'a Problems,
    pub changes: Vec<TableChange>,
}

impl Overlay<'_> {
    /// Lays what a variant says over the original, key by key.
    pub(super) fn lay(&mut self, base: &mut Table, over: &Table, path: &str) {
        let headings: Option<Vec<String>> = match base.get("columns") {
            Some(Value::Array(headings)) => Some(headings.iter().map(printed).collect()),
            _ => None,
        };
        let known: Vec<String> = base.keys().cloned().collect();
        for (key, value) in over {
            let here = below(path, key);
            let Some(old) = base.get_mut(key) else {
                let adds = path.is_empty() || path.ends_with(".values");
                let why = if adds { OTHERWISE } else { "" };
                self.problems.about(here, not_known(key, &known, why));
                continue;
            };
            match (old, value) {
                (Value::Table(old), Value::Table(new)) if key == "rows" && headings.is_some() => {
                    let headings = headings.as_deref().unwrap_or_default();
                    self.lay_rows(old, new, headings, path);
                }
                (Value::Table(old), Value::Table(new)) => self.lay(old, new, &here),
                (Value::Array(_), Value::Table(_)) if key == "columns" => {
                    let problem = format!("this table takes no new column; {OTHERWISE}");
                    self.problems.about(here, problem);
                }
                (Value::Array(old), Value::Array(new)) => {
                    if old.len() != new.len() {
                        let (has, wants) = (new.len(), old.len());
                        let problem = format!("has {has} entries, the original has {wants}");
                        self.problems.about(here, problem);
                    } else if old != new {
                        let both = [&*old, new].map(|list| Value::Array(list.clone()));
                        self.changes
                            .push(TableChange::of(&here, &both[0], &both[1]));
                        old.clone_from(new);
                    }
                }
                (old @ (Value::Table(_) | Value::Array(_)), new)
                | (old, new @ (Value::Table(_) | Value::Array(_))) => {
                    let (want, got) = (old.type_str(), new.type_str());
                    let problem = format!(
                        "is of the kind `{got}`; allowed is the kind of the original, `{want}`"
                    );
                    self.problems.about(here, problem);
                }
                (old, new) => {
                    if old != new {
                        self.changes.push(TableChange::of(&here, old, new));
                        *old = new.clone();
                    }
                }
            }
        }
    }

    fn lay_rows(&mut self, base: &mut Table, over: &Table, headings: &[String], holder: &str) {
        for (label, row) in over {
            let key = format!("{holder}.rows.{label}");
            if !base.contains_key(label) {
                let known: Vec<&str> = base.keys().map(String::as_str).collect();
                let known = known.join(", ");
                let problem = format!("is not a row of the original (rows: {known}); {OTHERWISE}");
                self.problems.about(key, problem);
                continue;
            }
            let replaced = match cells(row, headings) {
                Ok(replaced) => replaced,
                Err((inner, why)) => {
                    self.problems.about(below(&key, &inner), why);
                    continue;
                }
            };
            let Some(Value::Array(cells)) = base.get_mut(label) else {
                continue;
            };
            for (at, cell) in replaced {
                if cells[at] != cell {
                    let key = format!("{key}[{}]", headings[at]);
                    self.changes.push(TableChange::of(key, &cells[at], &cell));
                    cells[at] = cell;
                }
            }
        }
    }
}

/// Says that the original has no such key, and what was probably meant.
fn not_known(key: &str, known: &[String], why: &str) -> String {
    let near = nearest(key, known);
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let known = known.join(", ");
    let why = match why {
        "" => String::new(),
        why => format!("; {why}"),
    };
    format!("is not a key of the original{hint} (known: {known}){why}")
}

/// The cells of a row that a variant gives: all of them, or some by their headings. The error is a key below
/// that of the row, and what is wrong with it.
fn cells(row: &Value, headings: &[String]) -> Result<Vec<(usize, Value)>, (String, String)> {
    let columns = || headings.join(", ");
    match row {
        Value::Array(new) if new.len() == headings.len() => {
            Ok(new.iter().cloned().enumerate().collect())
        }
        Value::Array(new) => {
            let (has, wants) = (new.len(), headings.len());
            let problem = format!(
                "has {has} cells, but the table has {wants} columns: {}",
                columns()
            );
            Err((String::new(), problem))
        }
        Value::Table(new) => new
            .iter()
            .map(|(heading, cell)| {
                let at = headings.iter().position(|known| known == heading);
                let at = at.ok_or_else(|| {
                    let problem = format!("is not a column heading (columns: {})", columns());
                    (heading.clone(), problem)
                })?;
                Ok((at, cell.clone()))
            })
            .collect(),
        other => {
            let got = other.type_str();
            let problem = format!("must be a list of cells, or heading = cell, not a {got}");
            Err((String::new(), problem))
        }
    }
}
