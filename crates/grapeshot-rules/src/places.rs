//! Where things stand in a file: the line and column of every key, for errors that can be jumped to.

use super::RuleError;
use rustc_hash::FxHashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file as it was written.
#[derive(Debug)]
pub struct Places {
    file: String,
    pub(super) text: String,
    /// Where the value of each key begins.
    values: FxHashMap<String, usize>,
}

impl Places {
    /// Finds every key of a file.
    pub fn new(file: &str, text: &str) -> Self {
        let mut values = FxHashMap::default();
        // A file that is no TOML is refused elsewhere, with its own position.
        if let Ok(root) = DeTable::parse(text) {
            collect(root.get_ref(), "", &mut values);
        }
        Places {
            file: file.into(),
            text: text.into(),
            values,
        }
    }

    /// An error about a key, with its line.
    pub(super) fn error(&self, key: &str, problem: impl std::fmt::Display) -> RuleError {
        let (line, column) = self.position(key);
        let excerpt = self.text.lines().nth(line - 1).unwrap_or_default();
        RuleError::File {
            file: format!("{}:{line}:{column}", self.file),
            problem: format!("`{key}` {problem}\n  {line} | {}", excerpt.trim_end()),
        }
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line of a key, or of the nearest key above it.
    pub fn line(&self, key: &str) -> usize {
        self.position(key).0
    }

    /// Whether the file has this key.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// What stands from a key's value on.
    pub(super) fn rest(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|&at| &self.text[at..])
    }

    /// Line and column of a key's value, or of the nearest key above it.
    pub(super) fn position(&self, key: &str) -> (usize, usize) {
        let mut key = key;
        loop {
            if let Some(&at) = self.values.get(key) {
                let before = &self.text[..at];
                let line = before.matches('\n').count() + 1;
                let column = before.len() - before.rfind('\n').map_or(0, |nl| nl + 1) + 1;
                return (line, column);
            }
            match key.rsplit_once('.') {
                Some((above, _)) => key = above,
                None => return (1, 1),
            }
        }
    }
}

fn collect(table: &DeTable<'_>, above: &str, values: &mut FxHashMap<String, usize>) {
    for (key, value) in table {
        let path = match above {
            "" => key.get_ref().to_string(),
            above => format!("{above}.{}", key.get_ref()),
        };
        collect_value(value, &path, values);
        values.insert(path, value.span().start.max(key.span().start));
    }
}

fn collect_value(value: &Spanned<DeValue<'_>>, path: &str, values: &mut FxHashMap<String, usize>) {
    match value.get_ref() {
        DeValue::Table(inner) => collect(inner, path, values),
        DeValue::Array(entries) => {
            for (at, entry) in entries.iter().enumerate() {
                let path = format!("{path}.{at}");
                collect_value(entry, &path, values);
                values.insert(path, entry.span().start);
            }
        }
        _ => {}
    }
}
