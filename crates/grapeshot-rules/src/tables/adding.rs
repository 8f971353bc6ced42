//! What a variant may add, and how it is put into the tables.
//!
//! A ruleset says in `[open]` what it can take:
//! - `[open.values]`: for a key, the tables and lists in which a new value of it has a row or an entry;
//! - `[open.dice]`: for an entry of `lists.dice`, the tables with a row for each of its faces;
//! - `open.columns`: tables that read any column they find;
//! - `[open.modifiers.PLACE]`: sums to which a variant may add.
//!
//! A variant then says `[values.weapon.spencer]` with `like = "repeater"`: a new weapon, which counts as a
//! repeater wherever nothing else is said of it. Rows of new values always stand at the end of their tables, in
//! the order in which the values were added; what is not given is copied from the value it is like.

use super::{below, printed};
use crate::nearest;
use crate::toml_reader::Problems;
use toml::{Table, Value};

/// The parts of a variant that add, beside the tables themselves.
pub(super) const PARTS: [&str; 3] = ["values", "modifiers", "settings"];

/// What to do about what a variant cannot say.
pub(super) const OTHERWISE: &str = "what a variant in TOML cannot say is said by one in Drill, \
    where the ruleset is written in it, or by a ruleset of one's own: docs/house-rules.md, docs/own-rules.md";

/// What may be added to a file, and what was added by `[values]` so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Adding {
    /// Key, name, what it is like, in the order of adding.
    values: Vec<(String, String, Vec<String>)>,
    /// By key, the tables and lists with a row or entry for each value.
    rows: Vec<(String, Vec<String>)>,
    /// Tables with a row for each face of a die.
    dice: Vec<String>,
    /// Tables that read any column.
    pub columns: Vec<String>,
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(list)) => list.iter().map(printed).collect(),
        _ => Vec::new(),
    }
}

fn lists(table: Option<&Value>) -> Vec<(String, Vec<String>)> {
    let table = table.and_then(Value::as_table).into_iter().flatten();
    table
        .map(|(key, value)| (key.clone(), texts(Some(value))))
        .collect()
}

impl Adding {
    /// Reads what a file is open to, and what was added to it.
    pub(super) fn read(root: &Table) -> Self {
        let open = root.get("open").and_then(Value::as_table);
        let open = |key: &str| open.and_then(|open| open.get(key));
        let mut values = Vec::new();
        let added = root.get("values").and_then(Value::as_table);
        for (key, names) in added.into_iter().flatten() {
            for (name, entry) in names.as_table().into_iter().flatten() {
                values.push((key.clone(), name.clone(), texts(entry.get("like"))));
            }
        }
        let dice = lists(open("dice"));
        Adding {
            values,
            rows: lists(open("values")),
            dice: dice.into_iter().flat_map(|(_, tables)| tables).collect(),
            columns: texts(open("columns")),
        }
    }

    /// What a row or entry that is not there may be: the rows or entries it is like, or that it is the face of
    /// a die.
    ///
    /// # Errors
    /// Says what could be added instead.
    pub(super) fn allows(&self, holder: &str, name: &str) -> Result<&[String], String> {
        let taken = |key: &String| {
            let mut rows = self.rows.iter();
            rows.any(|(known, holders)| known == key && holders.iter().any(|h| h == holder))
        };
        let known = self
            .values
            .iter()
            .find(|(key, n, _)| n == name && taken(key));
        if let Some((_, _, like)) = known {
            return Ok(like);
        }
        let face = name.parse::<u8>().is_ok();
        if face
            && self
                .dice
                .iter()
                .any(|table| format!("tables.{table}") == holder)
        {
            return Ok(&[]);
        }
        let keys = self.rows.iter().filter(|(key, _)| taken(key));
        let keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
        Err(match keys.as_slice() {
            [] => format!("it takes no new ones: {OTHERWISE}"),
            keys => format!(
                "a new one belongs to a new value: say [values.{}.{name}] with like = \"…\" too",
                keys.join(&format!(".{name}] or [values."))
            ),
        })
    }

    /// Takes the parts of a variant that add into the file, checked as far as the file alone can.
    pub(super) fn take(
        root: &mut Table,
        variant: &mut Table,
        problems: &Problems,
        changes: &mut Vec<super::TableChange>,
    ) {
        let adding = Adding::read(root);
        for part in PARTS {
            // A ruleset that is open to nothing may use the same words for its own.
            if !root.contains_key("open") && root.contains_key(part) {
                continue;
            }
            let Some(new) = variant.remove(part) else {
                continue;
            };
            let Value::Table(new) = new else {
                problems.about(part, "must be a table");
                continue;
            };
            for (key, entries) in &new {
                let at = format!("{part}.{key}");
                if let Err(why) = adding.check(root, part, key) {
                    problems.about(at, why);
                    continue;
                }
                let Value::Table(entries) = entries else {
                    problems.about(at, "must be a table");
                    continue;
                };
                if part == "settings" {
                    changes.push(super::TableChange::added(&at, "a setting"));
                    continue;
                }
                for (name, entry) in entries {
                    let at = format!("{at}.{name}");
                    let Some(entry) = entry.as_table() else {
                        problems.about(at, "must be a table");
                        continue;
                    };
                    if part == "values"
                        && let Err((inner, why)) = check_value(root, key, name, entry)
                    {
                        problems.about(below(&at, inner), why);
                        continue;
                    }
                    let said = entry
                        .iter()
                        .map(|(key, value)| format!("{key} {}", printed(value)));
                    let said: Vec<String> = said.collect();
                    changes.push(super::TableChange::added(&at, &said.join(", ")));
                }
            }
            merge(root.entry(part).or_insert(Value::Table(Table::new())), new);
        }
    }

    fn check(&self, root: &Table, part: &str, key: &str) -> Result<(), String> {
        let known: Vec<String> = match part {
            "values" => self.rows.iter().map(|(key, _)| key.clone()).collect(),
            "modifiers" => {
                let open = root.get("open").and_then(|open| open.get("modifiers"));
                let places = open.and_then(Value::as_table);
                places.map_or(Vec::new(), |places| places.keys().cloned().collect())
            }
            _ => return Ok(()),
        };
        if known.iter().any(|known| known == key) {
            return Ok(());
        }
        let near =
            nearest(key, &known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(match known.is_empty() {
            true => format!("this ruleset takes no new {part}: {OTHERWISE}"),
            false => format!(
                "is nothing that can be added to{near} (known: {})",
                known.join(", ")
            ),
        })
    }

    /// Gives every value that was added its rows and entries, at the end and in order.
    pub(super) fn complete(root: &mut Table, problems: &Problems) {
        let adding = Adding::read(root);
        for (key, holders) in &adding.rows {
            for holder in holders {
                for (_, name, like) in adding.values.iter().filter(|(of, _, _)| of == key) {
                    let Some(rows) = rows_of(root, holder) else {
                        continue;
                    };
                    let given = rows.remove(name);
                    let copied = || like.iter().find_map(|like| rows.get(like).cloned());
                    let Some(row) = given.or_else(copied) else {
                        let problem = format!(
                            "is missing: `{}` stands nowhere in {holder}, so what `{name}` is there has to be said",
                            like.join("` or `")
                        );
                        problems.about(format!("{holder}.{name}"), problem);
                        continue;
                    };
                    rows.insert(name.clone(), row);
                }
            }
        }
    }
}

/// The rows of a table, or the values of a list.
fn rows_of<'a>(root: &'a mut Table, holder: &str) -> Option<&'a mut Table> {
    let (kind, name) = holder.split_once('.')?;
    let inside = if kind == "tables" { "rows" } else { "values" };
    let held = root.get_mut(kind)?.as_table_mut()?.get_mut(name)?;
    held.as_table_mut()?.get_mut(inside)?.as_table_mut()
}

/// A new value says what it is like, and nothing else; its name is new.
fn check_value<'a>(
    root: &Table,
    key: &str,
    name: &str,
    entry: &'a Table,
) -> Result<(), (&'a str, String)> {
    if texts(entry.get("like")).is_empty() {
        let why = "is missing: which value it counts as where nothing else is said, as in like = \"regular\"";
        return Err(("like", why.into()));
    }
    if let Some(extra) = entry.keys().find(|key| *key != "like") {
        let why = "is unknown; allowed is like, and its cells stand with the tables";
        return Err((extra, why.into()));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+".contains(c);
    if name.is_empty() || !name.chars().all(plain) {
        let why = "allowed are small letters, digits, - and +";
        return Err(("", why.into()));
    }
    let known = root
        .get("values")
        .and_then(|values| values.get(key)?.get(name));
    match known {
        Some(_) => Err(("", "was added before".into())),
        None => Ok(()),
    }
}

/// Puts one table into another, entry by entry.
fn merge(into: &mut Value, new: Table) {
    let Value::Table(into) = into else {
        return;
    };
    for (key, value) in new {
        match (into.get_mut(&key), value) {
            (Some(old @ Value::Table(_)), Value::Table(new)) => merge(old, new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// Puts new columns into a table: `[tables.NAME.columns."5:4"]` with `after` or `before`, and `cells` or `like`.
///
/// # Errors
/// If a heading, a row or a cell is missing.
pub(super) fn columns(
    grid: &mut Table,
    new: &Table,
    path: &str,
    changes: &mut Vec<super::TableChange>,
) -> Result<(), (String, String)> {
    for (heading, entry) in new {
        let path = format!("{path}.{heading}");
        let fail = |key: &str, why: String| (below(&path, key), why);
        let Value::Table(entry) = entry else {
            return Err(fail(
                "",
                "must be a table with after, and cells or like".into(),
            ));
        };
        let mut headings = texts(grid.get("columns"));
        if headings.contains(heading) {
            return Err(fail(
                "",
                "is a column already; its cells are changed in the rows".into(),
            ));
        }
        if let Some(extra) = entry
            .keys()
            .find(|key| !["after", "before", "cells", "like"].contains(&key.as_str()))
        {
            return Err(fail(
                extra,
                "is unknown; allowed is after, before, cells and like".into(),
            ));
        }
        let find = |key: &str| -> Result<Option<usize>, (String, String)> {
            let Some(said) = entry.get(key).map(printed) else {
                return Ok(None);
            };
            let at = headings.iter().position(|known| *known == said);
            let why = || format!("`{said}` is no column (columns: {})", headings.join(", "));
            at.map(Some).ok_or_else(|| fail(key, why()))
        };
        let at = match (find("after")?, find("before")?) {
            (Some(after), None) => after + 1,
            (None, Some(before)) => before,
            _ => {
                return Err(fail(
                    "after",
                    "is missing: after or before which column it stands".into(),
                ));
            }
        };
        let like = find("like")?;
        let Some(Value::Table(rows)) = grid.get_mut("rows") else {
            return Err(fail("", "the table has no rows".into()));
        };
        let labels: Vec<String> = rows.keys().cloned().collect();
        for (place, (label, row)) in rows.iter_mut().enumerate() {
            let Value::Array(cells) = row else { continue };
            let given = match entry.get("cells") {
                Some(Value::Array(list)) if list.len() == labels.len() => list.get(place),
                Some(Value::Array(list)) => {
                    let why = format!(
                        "has {} cells, but the table has {} rows: {}",
                        list.len(),
                        labels.len(),
                        labels.join(", ")
                    );
                    return Err(fail("cells", why));
                }
                Some(Value::Table(by_row)) => {
                    if let Some(odd) = by_row.keys().find(|row| !labels.contains(row)) {
                        let why = format!("is not a row (rows: {})", labels.join(", "));
                        return Err(fail(&format!("cells.{odd}"), why));
                    }
                    by_row.get(label)
                }
                _ => None,
            };
            let cell = given.cloned().or_else(|| cells.get(like?).cloned());
            let Some(cell) = cell else {
                let why = format!("has no cell for the row {label}: give it in cells, or say like");
                return Err(fail("cells", why));
            };
            cells.insert(at.min(cells.len()), cell);
        }
        headings.insert(at, heading.clone());
        let headings: Vec<Value> = headings.into_iter().map(Value::String).collect();
        grid.insert("columns".into(), Value::Array(headings));
        changes.push(super::TableChange::added(&path, "a column"));
    }
    Ok(())
}
