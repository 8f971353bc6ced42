//! Printed cells: what the tables say now, against what the program was read with.

use crate::{CellPlace, RuleError, TableChange, TableFile};
use grapeshot_drill::program::{self, Program, Table, TableSort};
use toml::Value;

/// A cell in the words of the language.
pub(super) fn in_text(place: &CellPlace) -> program::CellPlace {
    let (sort, table, row, column) = match place {
        CellPlace::Grid {
            table,
            row,
            heading,
            ..
        } => (
            TableSort::Grid,
            table.as_str(),
            row.as_str(),
            heading.as_str(),
        ),
        CellPlace::List { list, key } => (TableSort::List, list.as_str(), key.as_str(), ""),
        CellPlace::Assumption { name } => (TableSort::Assumption, name.as_str(), "", ""),
    };
    program::CellPlace {
        sort,
        table: table.into(),
        row: row.into(),
        column: column.into(),
    }
}

/// A cell of the language as commands name it.
pub(super) fn named(program: &Program, cell: &program::CellPlace) -> CellPlace {
    let is_it = |table: &&Table| table.sort == cell.sort && table.name == cell.table;
    let column = (program.tables.iter().find(is_it))
        .and_then(|table| table.columns.place_of_word(&cell.column))
        .unwrap_or(0);
    let [table, row, heading] = [&cell.table, &cell.row, &cell.column].map(ToString::to_string);
    match cell.sort {
        TableSort::Grid => CellPlace::Grid {
            table,
            row,
            column,
            heading,
        },
        TableSort::List => CellPlace::List {
            list: table,
            key: row,
        },
        TableSort::Assumption => CellPlace::Assumption { name: table },
    }
}

/// Where a cell of a table stands, by its position.
fn place(table: &Table, row: usize, column: usize) -> CellPlace {
    let name = table.name.to_string();
    let label = || table.rows.labels[row].to_string();
    match table.sort {
        TableSort::Grid => CellPlace::Grid {
            table: name,
            row: label(),
            column,
            heading: table.columns.labels[column].to_string(),
        },
        TableSort::List => CellPlace::List {
            list: name,
            key: label(),
        },
        TableSort::Assumption => CellPlace::Assumption { name },
    }
}

/// Whether all rows, columns and entries of the tables are those that the program was read with.
pub(super) fn same_shape(program: &Program, tables: &TableFile) -> bool {
    program.tables.iter().all(|table| {
        let entry = match table.sort {
            TableSort::Grid => tables.section(&format!("tables.{}", table.name)),
            TableSort::List => tables.section(&format!("lists.{}", table.name)),
            TableSort::Assumption => return true,
        };
        // A grid that stands in the text is not among the printed ones.
        let Some(entry) = entry else { return true };
        let (rows, columns) = (entry.get("rows"), entry.get("columns"));
        let labels = rows.or(entry.get("values")).and_then(Value::as_table);
        let headings = columns.and_then(Value::as_array);
        let same_rows = labels.is_none_or(|labels| {
            let known = table.rows.labels.iter().map(|label| &**label);
            known.eq(labels.keys().map(String::as_str))
        });
        same_rows
            && headings.is_none_or(|headings| {
                let known = table.columns.labels.iter();
                headings.len() == known.len()
                    && known
                        .zip(headings)
                        .all(|(label, now)| is_printed(now, label))
            })
    })
}

/// The cells of the tables that are not as the program has them, with what they are.
///
/// # Errors
/// If the tables have rows, columns or entries that the text does not know.
pub(super) fn changed(
    program: &Program,
    tables: &TableFile,
) -> Result<Vec<(CellPlace, Value)>, RuleError> {
    let mut found = Vec::new();
    for table in &program.tables {
        let (name, columns) = (&*table.name, table.columns.labels.len());
        let path = match table.sort {
            TableSort::Grid => format!("tables.{name}.rows"),
            TableSort::List => format!("lists.{name}.values"),
            TableSort::Assumption => format!("assumptions.{name}"),
        };
        // A grid that stands in the text is not among the printed ones until a variant puts it there.
        let Some(printed) = tables.section(&path) else {
            continue;
        };
        if table.sort == TableSort::Grid {
            tables.grid(name)?;
        }
        for (row, label) in table.rows.labels.iter().enumerate() {
            for column in 0..columns {
                let now = match table.sort {
                    TableSort::Grid => printed.get(&**label).and_then(|row| row.get(column)),
                    TableSort::List => printed.get(&**label),
                    TableSort::Assumption => printed.get("value"),
                };
                let now = now.ok_or_else(|| {
                    let key = place(table, row, column).to_string();
                    tables.problem(key, "is missing")
                })?;
                let as_read = &program.cells[table.first_cell.at() + row * columns + column];
                if !is_printed(now, &as_read.text) {
                    found.push((place(table, row, column), now.clone()));
                }
            }
        }
    }
    Ok(found)
}

/// Whether a value is printed so.
fn is_printed(value: &Value, text: &str) -> bool {
    match value {
        Value::String(cell) => cell == text,
        Value::Boolean(flag) => text == if *flag { "true" } else { "false" },
        other => other.to_string() == *text,
    }
}

/// After a variant of the text the tables are as the program has them now, but for cells that other variants have changed.
/// Gives what the variant changed of the tables.
///
/// # Errors
/// If the tables do not fit the program as it was.
pub(super) fn carry_over(
    before: &Program,
    after: &Program,
    tables: &mut TableFile,
) -> Result<Vec<TableChange>, RuleError> {
    let kept = changed(before, tables)?;
    let mut changes = Vec::new();
    for table in &after.tables {
        let is_it = |other: &&Table| other.name == table.name && other.sort == table.sort;
        let old = before.tables.iter().find(is_it);
        let told = tell(old.map(|old| (before, old)), (after, table));
        if !told.is_empty() {
            put(after, table, tables);
            changes.extend(told);
        }
    }
    for (place, value) in kept {
        tables.set_cell(&place, value);
    }
    Ok(changes)
}

/// What is another in a table than it was.
fn tell(
    before: Option<(&Program, &Table)>,
    (after, table): (&Program, &Table),
) -> Vec<TableChange> {
    let columns = table.columns.labels.len();
    let mut changes = Vec::new();
    for (row, label) in table.rows.labels.iter().enumerate() {
        for (column, heading) in table.columns.labels.iter().enumerate() {
            let now = &after.cells[table.first_cell.at() + row * columns + column].text;
            let was = before.and_then(|(program, old)| {
                let row = old.rows.place_of_word(label)?;
                let column = old.columns.place_of_word(heading)?;
                let at = old.first_cell.at() + row * old.columns.labels.len() + column;
                Some(program.cells[at].text.to_string())
            });
            if was.as_deref() != Some(&**now) {
                changes.push(TableChange {
                    key: place(table, row, column).to_string(),
                    before: was,
                    after: now.to_string(),
                });
            }
        }
    }
    changes
}

/// Puts the tables that stand in the text among the printed ones.
pub(super) fn add_from_text(program: &Program, tables: &mut TableFile) {
    for table in &program.tables {
        let part = match table.sort {
            TableSort::Grid => "tables",
            TableSort::List => "lists",
            TableSort::Assumption => "assumptions",
        };
        if tables.section(&format!("{part}.{}", table.name)).is_none() {
            put(program, table, tables);
        }
    }
}

/// Puts a table as the program has it among the printed ones.
fn put(program: &Program, table: &Table, tables: &mut TableFile) {
    let columns = table.columns.labels.len();
    let text = |row: usize, column: usize| {
        let cell = &program.cells[table.first_cell.at() + row * columns + column];
        match cell.text.parse() {
            Ok(number) if !cell.text.starts_with('+') => Value::Integer(number),
            _ => Value::String(cell.text.to_string()),
        }
    };
    let rows = table.rows.labels.iter().enumerate();
    let mut entry = toml::Table::new();
    let part = match table.sort {
        TableSort::Grid => {
            let headings = table.columns.labels.iter();
            let headings = headings.map(|label| Value::String(label.to_string()));
            entry.insert("columns".into(), Value::Array(headings.collect()));
            let cells = |row| Value::Array((0..columns).map(|at| text(row, at)).collect());
            let rows = rows.map(|(row, label)| (label.to_string(), cells(row)));
            entry.insert("rows".into(), Value::Table(rows.collect()));
            entry.insert("corner".into(), Value::String(String::new()));
            "tables"
        }
        TableSort::List => {
            let values = rows.map(|(row, label)| (label.to_string(), text(row, 0)));
            entry.insert("values".into(), Value::Table(values.collect()));
            "lists"
        }
        TableSort::Assumption => {
            entry.insert("value".into(), text(0, 0));
            "assumptions"
        }
    };
    let title = if part == "assumptions" {
        "text"
    } else {
        "title"
    };
    entry.insert(title.into(), Value::String(table.title.to_string()));
    entry.insert("source".into(), Value::String(table.source.to_string()));
    tables.put_printed(part, &table.name, entry);
}
