//! Tables for spreadsheets, from what programs read: a line for each record, a column for each of its keys.

use super::{Cell, Table, plain};
use serde::Serialize;
use serde_json::{Map, Value};

/// What programs read of a result, key by key.
pub(super) type Record = Map<String, Value>;

/// The record of a result.
pub(super) fn record(of: &impl Serialize) -> Record {
    match plain(of) {
        Value::Object(record) => record,
        other => unreachable!("a record is an object, not {other}"),
    }
}

/// The record of one result of several, with what tells them apart.
pub(super) fn record_of(key: &str, value: impl Into<Value>, of: &impl Serialize) -> Record {
    let mut record = record(of);
    record.insert(key.to_owned(), value.into());
    record
}

impl Table {
    /// A table with these columns, a word each: the key that is shown in it, or `heading=key`.
    pub(super) fn of_records(columns: &str, records: impl IntoIterator<Item = Record>) -> Self {
        let columns = columns.split_whitespace();
        let columns = columns.map(|name| name.split_once('=').unwrap_or((name, name)));
        let columns: Vec<(&str, &str)> = columns.collect();
        let mut table = Table::named(columns.iter().map(|(heading, _)| *heading));
        for record in records {
            table.row(columns.iter().map(|(_, key)| cell(record.get(*key))));
        }
        table
    }
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell::empty(),
        Some(Value::Bool(flag)) => Cell::flag(*flag),
        Some(Value::Number(number)) => match number.as_i64() {
            Some(n) => Cell::count(n),
            None => Cell::maybe(number.as_f64()),
        },
        Some(Value::String(text)) => Cell::text(text),
        Some(Value::Array(all)) => {
            let all: Vec<String> = all.iter().map(|one| cell(Some(one)).plain()).collect();
            Cell::text(all.join("; "))
        }
        Some(Value::Object(pairs)) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, one)| format!("{key}={}", cell(Some(one)).plain()));
            Cell::text(pairs.collect::<Vec<_>>().join(" "))
        }
    }
}
