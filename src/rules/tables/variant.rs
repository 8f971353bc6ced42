//! Variants: what they say of themselves, and how they are laid over the original.

use super::{parse, printed};
use crate::rules::{RuleError, nearest};
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
    /// The keys it changed.
    pub changes: Vec<String>,
    pub(super) table: Table,
}

impl Variant {
    /// Reads a variant from its text.
    ///
    /// # Errors
    /// If it is not TOML or does not say what it varies.
    pub fn parse(file: &str, text: &str) -> Result<Self, RuleError> {
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
}

/// Lays what a variant says over the original, key by key; `changes` receives the keys that differ.
pub(super) fn overlay(
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
            let near = nearest(key, &known);
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
                    "is of the kind `{got}`; allowed is the kind of the original, `{want}`"
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
