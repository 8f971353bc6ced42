//! Where things stand in a file: the line and column of every key, for errors that can be jumped to.

use super::text;
use crate::RuleError;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table};

/// A file as it was written. Copies share it.
#[derive(Debug, Clone)]
pub struct TomlText(Arc<Written>);

#[derive(Debug)]
struct Written {
    file: String,
    text: String,
    /// Where each key and its value begin, once somebody asks.
    places: OnceLock<FxHashMap<String, Place>>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    key: usize,
    value: usize,
}

impl PartialEq for TomlText {
    fn eq(&self, other: &Self) -> bool {
        self.0.file == other.0.file && self.0.text == other.0.text
    }
}

impl Eq for TomlText {}

impl TomlText {
    /// The text of a file.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        TomlText(Arc::new(Written {
            file: file.into(),
            text: text.into(),
            places: OnceLock::new(),
        }))
    }

    /// What it says.
    ///
    /// # Errors
    /// If it is no TOML, or has letters in it that are no text.
    pub fn table(&self) -> Result<Table, RuleError> {
        text::parse(self)
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.0.text
    }

    fn places(&self) -> &FxHashMap<String, Place> {
        self.0.places.get_or_init(|| {
            let mut places = FxHashMap::default();
            // A file that is no TOML is refused elsewhere, with its own position.
            if let Ok(root) = DeTable::parse(self.text()) {
                collect(root.get_ref(), "", &mut places);
            }
            places
        })
    }

    /// Whether the file has this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.places().contains_key(key)
    }

    /// Line and column of a byte, both from 1, the column in letters.
    pub(super) fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = &self.text()[..at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// File, line and column of a key's value, as an editor is told it; nothing if the file has no such key.
    pub(super) fn at(&self, key: &str) -> Option<String> {
        // A cell is told of by its heading, `rows.8[1:1]`, and may be written so: `rows.8."1:1"`.
        let by_heading = || {
            let (row, heading) = key.strip_suffix(']')?.rsplit_once('[')?;
            self.places().get(&format!("{row}.{heading}"))
        };
        let place = self.places().get(key).or_else(by_heading)?;
        Some(self.told(place.value))
    }

    /// The same for the key itself.
    pub(super) fn at_key(&self, key: &str) -> Option<String> {
        self.places().get(key).map(|place| self.told(place.key))
    }

    fn told(&self, at: usize) -> String {
        let (line, column) = self.line_and_column(at);
        format!("{}:{line}:{column}", self.file())
    }
}

/// The key above another one, if that is not the top: that of `a.b[2]` is `a.b`, that of `a.b` is `a`.
pub(super) fn parent(key: &str) -> Option<String> {
    let cut = key.rfind(if key.ends_with(']') { '[' } else { '.' })?;
    Some(key[..cut].to_owned())
}

fn collect(table: &DeTable<'_>, above: &str, places: &mut FxHashMap<String, Place>) {
    for (key, value) in table {
        let path = super::below(above, key.get_ref());
        collect_value(value, &path, places);
        // The value of `[a.b]` is the heading itself, and that of a table made by a dotted key has no place.
        let (key, value) = (key.span().start, value.span().start);
        let value = value.max(key);
        places.insert(path, Place { key, value });
    }
}

fn collect_value(value: &Spanned<DeValue<'_>>, path: &str, places: &mut FxHashMap<String, Place>) {
    match value.get_ref() {
        DeValue::Table(inner) => collect(inner, path, places),
        DeValue::Array(entries) => {
            for (number, entry) in (1..).zip(entries.iter()) {
                let path = format!("{path}[{number}]");
                collect_value(entry, &path, places);
                let value = entry.span().start;
                places.insert(path, Place { key: value, value });
            }
        }
        _ => {}
    }
}
