//! Keys of nested tables, joined by dots, and the values of settings in files.

use crate::{Given, Value as Setting};
use toml::{Table, Value};

/// Nested and dotted keys alike become `side.name`; the error is the key that holds no value.
///
/// # Errors
/// The key of an entry that is not a single value.
pub fn flatten(prefix: &str, table: &Table, into: &mut Given) -> Result<(), String> {
    for (key, value) in table {
        let key = below(prefix, key);
        match value {
            Value::Table(inner) => flatten(&key, inner, into)?,
            other => match single(other) {
                Some(value) => into.push((key, value)),
                None => return Err(key),
            },
        }
    }
    Ok(())
}

/// A value of a file as a value of a setting, if it is a single one.
pub fn single(value: &Value) -> Option<Setting> {
    Some(match value {
        Value::String(text) => text.into(),
        Value::Integer(n) => Setting::Whole(*n),
        Value::Float(x) => Setting::Real(*x),
        Value::Boolean(flag) => Setting::Flag(*flag),
        Value::Array(_) | Value::Table(_) | Value::Datetime(_) => return None,
    })
}

/// A key below another one, which may be the top.
pub fn below(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}
