//! Variants: what they say of themselves, and how they are laid over the original.

use super::adding::{Adding, OTHERWISE};
use super::{below, printed};
use crate::{RuleError, nearest, parse_toml};
use serde::Serialize;
use toml::{Table, Value};

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
    pub(super) table: Table,
}

impl Variant {
    /// Reads a variant from its text.
    ///
    /// # Errors
    /// If it is not TOML or does not say what it varies.
    pub fn parse(file: &str, text: &str) -> Result<Self, RuleError> {
        let mut table = parse_toml(file, text)?;
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
        let rules = head("rules")?.ok_or_else(|| RuleError::Table {
            file: file.into(),
            key: "rules".into(),
            problem: "is missing; a variant says what it varies, as in rules = \"elephant\"".into(),
        })?;
        Ok(Variant {
            name: name.unwrap_or_else(|| file.into()),
            about,
            file: file.into(),
            rules,
            changes: Vec::new(),
            table,
        })
    }

    /// The parts of a table file that it touches.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(String::as_str)
    }
}

/// An entry that a variant changed or added.
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
    pub(super) fn added(key: &str, what: &str) -> Self {
        TableChange {
            key: key.into(),
            before: None,
            after: what.into(),
        }
    }

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

/// What lays a variant over a file: the file's name for messages, what may be added, what was changed.
pub(super) struct Overlay<'a> {
    pub file: &'a str,
    pub adding: Adding,
    pub changes: Vec<TableChange>,
}

impl Overlay<'_> {
    fn problem(&self, key: &str, problem: impl Into<String>) -> RuleError {
        RuleError::Table {
            file: self.file.into(),
            key: key.into(),
            problem: problem.into(),
        }
    }

    /// Lays what a variant says over the original, key by key.
    pub(super) fn lay(
        &mut self,
        base: &mut Table,
        over: &Table,
        path: &str,
    ) -> Result<(), RuleError> {
        // Columns first: rows that are given whole count them.
        if let (Some(Value::Array(_)), Some(Value::Table(new))) =
            (base.get("columns"), over.get("columns"))
        {
            let path = below(path, "columns");
            if !self
                .adding
                .columns
                .iter()
                .any(|table| format!("tables.{table}.columns") == path)
            {
                let open = match self.adding.columns.is_empty() {
                    true => "none".into(),
                    false => self.adding.columns.join(", "),
                };
                let problem =
                    format!("this table takes no new column (tables that do: {open}); {OTHERWISE}");
                return Err(self.problem(&path, problem));
            }
            super::adding::columns(base, new, &path, &mut self.changes)
                .map_err(|(key, problem)| self.problem(&key, problem))?;
        }
        let headings: Option<Vec<String>> = match base.get("columns") {
            Some(Value::Array(headings)) => Some(headings.iter().map(printed).collect()),
            _ => None,
        };
        let known: Vec<String> = base.keys().cloned().collect();
        for (key, value) in over {
            let here = below(path, key);
            let Some(old) = base.get_mut(key) else {
                if let Some(holder) = path.strip_suffix(".values")
                    && !matches!(value, Value::Table(_) | Value::Array(_))
                {
                    self.adding
                        .allows(holder, key)
                        .map_err(|why| self.problem(&here, self.not_known(key, &known, &why)))?;
                    self.changes
                        .push(TableChange::added(&here, &printed(value)));
                    base.insert(key.clone(), value.clone());
                    continue;
                }
                let why = if path.is_empty() { OTHERWISE } else { "" };
                return Err(self.problem(&here, self.not_known(key, &known, why)));
            };
            match (old, value) {
                (Value::Table(old), Value::Table(new)) if key == "rows" && headings.is_some() => {
                    let headings = headings.as_deref().unwrap_or_default();
                    self.lay_rows(old, new, headings, path)?;
                }
                (Value::Table(old), Value::Table(new)) => self.lay(old, new, &here)?,
                (Value::Array(_), Value::Table(_)) if key == "columns" => {}
                (Value::Array(old), Value::Array(new)) => {
                    if old.len() != new.len() {
                        let (has, wants) = (new.len(), old.len());
                        let hint = match key == "columns" {
                            true => format!(
                                "; a new column is written [{here}.HEADING] with after and cells"
                            ),
                            false => String::new(),
                        };
                        let problem = format!("has {has} entries, the original has {wants}{hint}");
                        return Err(self.problem(&here, problem));
                    }
                    if old != new {
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
                    return Err(self.problem(&here, problem));
                }
                (old, new) => {
                    if old != new {
                        self.changes.push(TableChange::of(&here, old, new));
                        *old = new.clone();
                    }
                }
            }
        }
        Ok(())
    }

    fn not_known(&self, key: &str, known: &[String], why: &str) -> String {
        let near = nearest(key, known);
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let known = known.join(", ");
        let why = match why {
            "" => String::new(),
            why => format!("; {why}"),
        };
        format!("is not a key of the original{hint} (known: {known}){why}")
    }

    fn lay_rows(
        &mut self,
        base: &mut Table,
        over: &Table,
        headings: &[String],
        holder: &str,
    ) -> Result<(), RuleError> {
        let known: Vec<String> = base.keys().cloned().collect();
        for (label, row) in over {
            let key = format!("{holder}.rows.{label}");
            if !base.contains_key(label) {
                let like = self.adding.allows(holder, label).map_err(|why| {
                    let known = known.join(", ");
                    let problem = format!("is not a row of the original (rows: {known}); {why}");
                    self.problem(&key, problem)
                })?;
                let copied = like.iter().find_map(|like| base.get(like).cloned());
                let whole = matches!(row, Value::Array(_));
                let Some(start) = copied.or_else(|| {
                    whole.then(|| Value::Array(vec![Value::String(String::new()); headings.len()]))
                }) else {
                    let problem = "is new, so it has to be given whole, as a list of cells";
                    return Err(self.problem(&key, problem));
                };
                base.insert(label.clone(), start);
                let cells = self.cells(&key, row, headings)?;
                let said: Vec<String> = cells.iter().map(|(_, cell)| printed(cell)).collect();
                self.changes.push(TableChange::added(&key, &said.join(" ")));
                if let Some(Value::Array(held)) = base.get_mut(label) {
                    cells.into_iter().for_each(|(at, cell)| held[at] = cell);
                }
                continue;
            }
            let replaced = self.cells(&key, row, headings)?;
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
        Ok(())
    }

    /// The cells of a row that a variant gives: all of them, or some by their headings.
    fn cells(
        &self,
        key: &str,
        row: &Value,
        headings: &[String],
    ) -> Result<Vec<(usize, Value)>, RuleError> {
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
                Err(self.problem(key, problem))
            }
            Value::Table(new) => new
                .iter()
                .map(|(heading, cell)| {
                    let at = headings.iter().position(|known| known == heading);
                    let at = at.ok_or_else(|| {
                        let problem = format!("is not a column heading (columns: {})", columns());
                        self.problem(&format!("{key}.{heading}"), problem)
                    })?;
                    Ok((at, cell.clone()))
                })
                .collect(),
            other => {
                let got = other.type_str();
                let problem = format!("must be a list of cells, or heading = cell, not a {got}");
                Err(self.problem(key, problem))
            }
        }
    }
}
