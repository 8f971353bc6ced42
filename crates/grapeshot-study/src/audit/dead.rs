//! Dead: settings, modifiers, columns and results without any effect.
//!
//! The text knows what a question reads. What no situation reads is dead; the situations are many, and of a question that is too
//! large to be written out all that stands in its text counts as read. A rule that can be turned off is dead if no answer
//! of those that read it changes.

use super::declared::{Declared, Words};
use super::finding::{Finding, FindingKind, Severity, odds_command, page_command, tables_command};
use super::probe::Probe;
use super::situations::legal;
use crate::parallel;
use grapeshot_rules::{
    CellPlace, LoadedRuleset, Procedure, RuleError, Setting, TableFile, Variant,
};
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
            let dead = !tried.read.keys.contains(&setting.key);
            (own(&setting.key) && dead).then_some(setting)
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
                "none of {} situations reads any of these: {}",
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
        if probe.differs(&cell, &other) {
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

/// A number that is looked for.
struct Number {
    cell: CellPlace,
    place: String,
    source: String,
}

/// The numbers that may be without effect: all of a list, and of the grids declared to be modifiers. A printed 0 is not a
/// modifier.
fn numbers(tables: &TableFile, declared: &Declared) -> Result<Vec<Number>, RuleError> {
    let mut numbers: Vec<Number> = Vec::new();
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
            if !is_modifier(value) {
                continue;
            }
            numbers.push(Number {
                cell: CellPlace::List {
                    list: name.clone(),
                    key: key.clone(),
                },
                place: format!("list {name}, {key}"),
                source: list.source.clone(),
            });
        }
    }
    for name in &declared.modifiers {
        let grid = tables.grid(name)?;
        let rows = tables.section(&format!("tables.{name}.rows"));
        for (label, row) in rows.into_iter().flatten() {
            let cells = row.as_array().into_iter().flatten();
            for (column, (heading, cell)) in grid.columns.iter().zip(cells).enumerate() {
                if !is_modifier(cell) {
                    continue;
                }
                numbers.push(Number {
                    cell: CellPlace::Grid {
                        table: name.clone(),
                        row: label.clone(),
                        column,
                        heading: heading.clone(),
                    },
                    place: format!("table {name}, {label}, column {heading}"),
                    source: grid.source.clone(),
                });
            }
        }
    }
    Ok(numbers)
}

/// Modifiers that never change any answer.
pub(super) fn values(probe: &Probe<'_>, declared: &Declared) -> Result<Vec<Finding>, RuleError> {
    let numbers = numbers(&probe.loaded.tables, declared)?;
    let dead = numbers.into_iter().filter(|n| !probe.reads(&n.cell));
    let found = dead.map(|Number { place, source, .. }| Finding {
        severity: Severity::Note,
        kind: FindingKind::Dead,
        sentence: format!(
            "The number at {place} never changes an answer: no situation that can be set asks for it."
        ),
        place,
        source,
        evidence: format!("none of {} situations reads it", probe.len()),
        commands: vec![tables_command(probe.loaded), page_command(probe.loaded)],
    });
    Ok(found.collect())
}

/// Whether it is a number that changes something: a printed 0 is no modifier.
fn is_modifier(value: &Value) -> bool {
    match value {
        Value::Integer(n) => *n != 0,
        Value::String(text) => text.parse::<i64>().is_ok_and(|n| n != 0),
        _ => false,
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

/// A column of a result table.
struct Column {
    table: String,
    heading: String,
    source: String,
    cells: Vec<CellPlace>,
}

/// The columns that situations should reach.
fn all_columns(tables: &TableFile, declared: &Declared) -> Result<Vec<Column>, RuleError> {
    let mut found = Vec::new();
    for (name, rule) in &declared.grids {
        if rule.columns.is_none() || !matches!(rule.scale, Words::List(_)) {
            continue;
        }
        let name = rule.table.as_ref().unwrap_or(name);
        let grid = tables.grid(name)?;
        for (at, heading) in grid.columns.iter().enumerate() {
            let cells = grid.rows.iter().map(|(label, _)| CellPlace::Grid {
                table: name.clone(),
                row: label.clone(),
                column: at,
                heading: heading.clone(),
            });
            found.push(Column {
                table: name.clone(),
                heading: heading.clone(),
                source: grid.source.clone(),
                cells: cells.collect(),
            });
        }
    }
    Ok(found)
}

/// The cells of which situations should read one each: of a list any one.
pub(super) fn looked_for(
    tables: &TableFile,
    declared: &Declared,
) -> Result<Vec<Vec<String>>, RuleError> {
    let numbers = numbers(tables, declared)?.into_iter();
    let alone = numbers.map(|number| vec![number.cell.to_string()]);
    let columns = all_columns(tables, declared)?.into_iter();
    let columns = columns.map(|column| column.cells.iter().map(ToString::to_string).collect());
    Ok(alone.chain(columns).collect())
}

/// Columns of a result table that no situation reaches: another column is printed in their place.
pub(super) fn columns(probe: &Probe<'_>, declared: &Declared) -> Result<Vec<Finding>, RuleError> {
    let all = all_columns(&probe.loaded.tables, declared)?.into_iter();
    let dead = all.filter(|column| !column.cells.iter().any(|cell| probe.reads(cell)));
    let found = dead.map(|column| Finding {
        severity: Severity::Warning,
        kind: FindingKind::Dead,
        place: format!("table {}, column {}", column.table, column.heading),
        source: column.source,
        evidence: format!("none of {} situations reads a cell of it", probe.len()),
        sentence: format!("No legal unit reaches column {}.", column.heading),
        commands: vec![tables_command(probe.loaded)],
    });
    Ok(found.collect())
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
