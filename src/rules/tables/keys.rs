//! Keys of nested tables, joined by dots.

use toml::{Table, Value};

/// Nested and dotted keys alike become `side.name`; the error is the key that holds no value.
///
/// # Errors
/// The key of an entry that is not a single value.
pub fn flatten(
    prefix: &str,
    table: &Table,
    into: &mut Vec<(String, String)>,
) -> Result<(), String> {
    for (key, value) in table {
        let key = below(prefix, key);
        match value {
            Value::Table(inner) => flatten(&key, inner, into)?,
            Value::Array(_) | Value::Datetime(_) => return Err(key),
            Value::String(text) => into.push((key, text.clone())),
            other => into.push((key, other.to_string())),
        }
    }
    Ok(())
}

/// A key below another one, which may be the top.
pub(crate) fn below(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}
