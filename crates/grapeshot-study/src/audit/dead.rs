//! Dead: settings, modifiers, columns and results without any effect.
//!
//! A part is tried by changing it: if no situation's exact answer changes, it is dead. Whatever
//! changes one answer is alive, so a sample can only be too lenient with parts that matter, and
//! the situations are many.

use super::declared::{Declared, Words};
use super::finding::{Finding, FindingKind, Severity, odds_command, page_command, tables_command};
use super::probe::{Asked, Probe, outcome};
use super::situations::{legal, with};
use crate::parallel;
use grapeshot_rules::{
    CellPlace, LoadedRuleset, Procedure, RuleError, Setting, SettingKind, TableFile, Variant,
};
use std::collections::BTreeSet;
use toml::{Table, Value};

/// Settings of a procedure that never change its answer, one finding for a procedure.
pub(super) fn settings(probe: &Probe<'_>, declared: &Declared) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, keys) in &declared.shared {
        let procedure = probe.loaded.procedure(name)?;
        let known = || procedure.settings.iter().map(|s| &s.key);
        if let Some(key) = keys.iter().find(|key| !known().any(|known| known == *key)) {
            let what = format!("setting of {name} in [audit.shared]");
            return Err(RuleError::unknown(what, key, known()));
        }
    }
    for tried in &probe.known {
        let procedure = tried.procedure;
        let shared = declared.shared.get(&*procedure.name);
        let own = |key: &String| shared.is_none_or(|shared| !shared.contains(key));
        let dead: Vec<&Setting> = parallel::filter_map(&procedure.settings, |setting| {
            let dead = || match &tried.read {
                Some(read) => !read.keys.contains(&setting.key),
                None => is_dead(tried, setting),
            };
            (own(&setting.key) && dead()).then_some(setting)
        });
        let (Some(first), keys) = (
            dead.first(),
            dead.iter().map(|s| s.key.as_str()).collect::<Vec<_>>(),
        ) else {
            continue;
        };
        let values = first.sample_values();
        let mut moved = values.iter().map(ToString::to_string).rev();
        let moved = moved.find(|value| {
            let given = vec![(first.key.clone(), value.clone())];
            *value != first.default_text() && legal(procedure, &given)
        });
        let mut commands = vec![odds_command(probe.loaded, &procedure.name, &[])];
        commands.extend(moved.map(|value| {
            let given = vec![(first.key.clone(), value)];
            odds_command(probe.loaded, &procedure.name, &given)
        }));
        found.push(Finding {
            severity: Severity::Note,
            kind: FindingKind::Dead,
            place: format!("{}, settings", procedure.name),
            source: procedure.source.to_string(),
            evidence: format!(
                "no answer changed in {} situations when any of these was moved: {}",
                tried.len(),
                keys.join(", ")
            ),
            sentence: format!(
                "{} of {} settings of {} {} no effect: {}.",
                keys.len(),
                procedure.settings.len(),
                procedure.name,
                if keys.len() == 1 { "has" } else { "have" },
                keys.join(", ")
            ),
            commands,
        });
    }
    Ok(found)
}

/// Rules that can be turned off without any answer changing.
pub(super) fn switches(probe: &Probe<'_>, declared: &Declared) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, switch) in &declared.switches {
        let list = probe.loaded.tables.list(&switch.list)?;
        let at = list.values.iter().find(|(key, _)| *key == switch.entry);
        let Some((_, printed)) = at else {
            let what = format!("entry of {} in [audit.switches.{name}]", switch.list);
            let known = list.values.iter().map(|(key, _)| key);
            return Err(RuleError::unknown(what, &switch.entry, known));
        };
        let off = [(switch.entry.clone(), Value::Integer(switch.off))];
        let change = nest(&["lists", &switch.list, "values"], off);
        let Some(other) = reload(probe.loaded, change) else {
            let problem = format!("the tables refuse `off = {}`", switch.off);
            let key = format!("audit.switches.{name}.off");
            return Err(probe.loaded.tables.problem(key, problem));
        };
        let cell = CellPlace::List {
            list: switch.list.clone(),
            key: switch.entry.clone(),
        };
        if probe.differs_where_read(&cell, other) {
            continue;
        }
        let mut words = switch.try_at.split_whitespace();
        let procedure = words.next().unwrap_or_default();
        let given = words.filter_map(|word| word.split_once('='));
        let given: Vec<_> = given.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        found.push(Finding {
            severity: Severity::Note,
            kind: FindingKind::Dead,
            place: format!("list {}, {}", switch.list, switch.entry),
            source: list.source.clone(),
            evidence: format!(
                "printed {printed}; at {}, which turns the rule off, no answer changed in {} situations",
                switch.off,
                probe.len()
            ),
            sentence: format!("A rule without effect: {}.", switch.says),
            commands: vec![
                tables_command(probe.loaded),
                odds_command(probe.loaded, procedure, &given),
            ],
        });
    }
    Ok(found)
}

/// Whether a setting was moved to all it can be (a number: to three values at least) and never
/// changed an answer. Values the rules refuse wherever they were tried prove nothing.
fn is_dead(tried: &Asked<'_>, setting: &Setting) -> bool {
    let values: Vec<String> = setting
        .sample_values()
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut reached: BTreeSet<&String> = BTreeSet::new();
    for (at, known) in tried.all().enumerate() {
        // Two values a situation, in turn: all of them would take too long.
        for value in [
            &values[at % values.len()],
            &values[(at * 7 + 3) % values.len()],
        ] {
            let moved = with(&known.given, &setting.key, value);
            if is_set(&known.given, setting, value) {
                reached.insert(value);
                continue;
            }
            match outcome(tried.procedure, &moved) {
                Some(other) if Some(&other) != known.outcome(tried.procedure) => return false,
                Some(_) => reached.insert(value),
                None => false,
            };
        }
    }
    match setting.kind {
        SettingKind::Flag | SettingKind::Choice(_) => reached.len() == values.len(),
        SettingKind::Whole { .. } | SettingKind::Real { .. } | SettingKind::List(_) => {
            reached.len() >= values.len().min(3)
        }
    }
}

/// Whether a setting has a value already.
fn is_set(given: &[(String, String)], setting: &Setting, value: &str) -> bool {
    match given.iter().find(|(key, _)| *key == setting.key) {
        Some((_, set)) => set == value,
        None => setting.default_text() == value,
    }
}

/// A number that is tried.
struct Tried {
    cell: CellPlace,
    place: String,
    source: String,
    /// What it is called, which may be what a setting or its value is called.
    names: Vec<String>,
    /// Changes to it.
    tables: Vec<Table>,
}

/// Modifiers that never change any answer: every number of a list, and of the grids declared to be
/// modifiers. A printed 0 is not a modifier.
pub(super) fn values(probe: &Probe<'_>, declared: &Declared) -> Result<Vec<Finding>, RuleError> {
    let tables = &probe.loaded.tables;
    let mut tried: Vec<Tried> = Vec::new();
    for measure in &declared.measures {
        tables.list(measure)?;
    }
    for name in tables.list_names() {
        if declared.measures.contains(&name) {
            continue;
        }
        let list = tables.list(&name)?;
        let entries = tables.section(&format!("lists.{name}.values"));
        for (key, value) in entries.into_iter().flatten() {
            let changed = moved(value);
            if changed.is_empty() {
                continue;
            }
            tried.push(Tried {
                cell: CellPlace::List {
                    list: name.clone(),
                    key: key.clone(),
                },
                place: format!("list {name}, {key}"),
                source: list.source.clone(),
                names: vec![key.clone()],
                tables: changed
                    .into_iter()
                    .map(|value| nest(&["lists", &name, "values"], [(key.clone(), value)]))
                    .collect(),
            });
        }
    }
    for name in &declared.modifiers {
        let grid = tables.grid(name)?;
        let rows = tables.section(&format!("tables.{name}.rows"));
        for (label, row) in rows.into_iter().flatten() {
            let cells = row.as_array().into_iter().flatten();
            for (column, (heading, cell)) in grid.columns.iter().zip(cells).enumerate() {
                let changed = moved(cell);
                if changed.is_empty() {
                    continue;
                }
                let tables = changed.into_iter().map(|value| {
                    nest(&["tables", name, "rows", label], [(heading.clone(), value)])
                });
                tried.push(Tried {
                    cell: CellPlace::Grid {
                        table: name.clone(),
                        row: label.clone(),
                        column,
                        heading: heading.clone(),
                    },
                    place: format!("table {name}, {label}, column {heading}"),
                    source: grid.source.clone(),
                    names: vec![label.clone(), heading.clone()],
                    tables: tables.collect(),
                });
            }
        }
    }
    Ok(parallel::filter_map(&tried, |tried| {
        let Tried {
            cell,
            place,
            source,
            names,
            tables,
        } = tried;
        let read = probe.reads(cell);
        let alive = match read {
            Some(read) => read,
            None => {
                let mut accepted = tables
                    .iter()
                    .filter_map(|table| reload(probe.loaded, table.clone()))
                    .take(2)
                    .peekable();
                accepted.peek()?;
                probe.differs(accepted, names)
            }
        };
        if alive {
            return None;
        }
        Some(Finding {
            severity: Severity::Note,
            kind: FindingKind::Dead,
            sentence: format!(
                "The number at {place} never changes an answer: no situation that can be set asks for it."
            ),
            place: place.clone(),
            source: source.clone(),
            evidence: format!(
                "no answer changed in {} situations when it was made smaller or larger",
                probe.len()
            ),
            commands: vec![tables_command(probe.loaded), page_command(probe.loaded)],
        })
    }))
}

/// The same number a little smaller and larger; nothing for a 0 or what is no number.
fn moved(value: &Value) -> Vec<Value> {
    let steps = [1, -1, 3];
    match value {
        Value::Integer(n) if *n != 0 => steps.iter().map(|d| Value::Integer(n + d)).collect(),
        Value::String(text) => match text.parse::<i64>() {
            Ok(n) if n != 0 => {
                let sign = text.starts_with(['+', '-']);
                let written = |n: i64| {
                    if sign {
                        format!("{n:+}")
                    } else {
                        n.to_string()
                    }
                };
                steps
                    .iter()
                    .map(|d| Value::String(written(n + d)))
                    .collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn nest(path: &[&str], inner: impl IntoIterator<Item = (String, Value)>) -> Table {
    let inner: Table = inner.into_iter().collect();
    path.iter().rev().fold(inner, |table, key| {
        Table::from_iter([((*key).to_owned(), Value::Table(table))])
    })
}

/// The procedures with a change laid over the tables; none if they refuse it.
fn reload(loaded: &LoadedRuleset, mut change: Table) -> Option<Vec<Procedure>> {
    change.insert("rules".into(), Value::String(loaded.id().into()));
    let text = toml::to_string(&change).ok()?;
    let variant = Variant::parse("the audit's trial", &text).ok()?;
    let mut tables: TableFile = loaded.tables.clone();
    tables.overlay(variant).ok()?;
    loaded.ruleset.made_from(&tables).ok()
}

/// Columns of a result table that no situation reaches: another column is printed in their place.
pub(super) fn columns(probe: &Probe<'_>, declared: &Declared) -> Result<Vec<Finding>, RuleError> {
    let tables = &probe.loaded.tables;
    let mut found = Vec::new();
    for (name, rule) in &declared.grids {
        if rule.columns.is_none() || !matches!(rule.scale, Words::List(_)) {
            continue;
        }
        let name = rule.table.as_ref().unwrap_or(name);
        let grid = tables.grid(name)?;
        let last = grid.columns.len() - 1;
        let columns: Vec<(usize, &String)> = grid.columns.iter().enumerate().collect();
        let dead: Vec<&String> = parallel::filter_map(&columns, |&(at, column)| {
            let cells = grid.rows.iter().map(|(label, _)| CellPlace::Grid {
                table: name.clone(),
                row: label.clone(),
                column: at,
                heading: column.clone(),
            });
            let read: Option<Vec<bool>> = cells.map(|cell| probe.reads(&cell)).collect();
            if let Some(read) = read {
                return (!read.contains(&true)).then_some(column);
            }
            let from = if at * 2 > last { 0 } else { last };
            let rows = grid.rows.iter().map(|(label, cells)| {
                let cell = Value::String(cells[from].clone());
                let cell = Table::from_iter([(column.clone(), cell)]);
                (label.clone(), Value::Table(cell))
            });
            let change = nest(&["tables", name, "rows"], rows);
            let other = reload(probe.loaded, change)?;
            (!probe.differs([other], &[])).then_some(column)
        });
        for column in dead {
            found.push(Finding {
                severity: Severity::Warning,
                kind: FindingKind::Dead,
                place: format!("table {name}, column {column}"),
                source: grid.source.clone(),
                evidence: format!(
                    "no answer changed in {} situations when another column was printed in its place",
                    probe.len()
                ),
                sentence: format!("No legal unit reaches column {column}."),
                commands: vec![tables_command(probe.loaded)],
            });
        }
    }
    Ok(found)
}

/// Results the source explains and no cell of the table has.
pub(super) fn results(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, rule) in &declared.grids {
        let judged = super::cells::judge(&loaded.tables, name, rule)?;
        let cells = || judged.cells.iter().flatten();
        for result in &rule.explained {
            if cells().any(|cell| cell == result) {
                continue;
            }
            found.push(Finding {
                severity: Severity::Note,
                kind: FindingKind::Dead,
                place: format!("table {name}, result {result}"),
                source: judged.grid.source.clone(),
                evidence: format!("0 of {} cells", cells().count()),
                sentence: format!("The result {result} is explained but never occurs."),
                commands: vec![tables_command(loaded)],
            });
        }
    }
    Ok(found)
}
