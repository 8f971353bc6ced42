//! Where things stand in a file: the line and column of every key, for errors that can be jumped to.

use super::trouble::{Spot, Trouble};
use crate::rules::RuleError;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file as it was written.
#[derive(Debug)]
pub(crate) struct Places {
    file: String,
    text: String,
    /// Where the value of each key begins.
    values: FxHashMap<String, usize>,
}

/// A piece of script and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    places: Arc<Places>,
    /// The key it is the value of.
    key: String,
    pub text: String,
}

impl Places {
    pub(crate) fn new(file: &str, text: &str) -> Self {
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

    /// The line of a key, or of the nearest key above it.
    pub(crate) fn line(&self, key: &str) -> usize {
        self.position(key).0
    }

    /// Whether the file has this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// Line and column of a key's value, or of the nearest key above it.
    fn position(&self, key: &str) -> (usize, usize) {
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

impl Place {
    pub(super) fn new(places: &Arc<Places>, key: impl Into<String>, text: &str) -> Self {
        Place {
            places: Arc::clone(places),
            key: key.into(),
            text: text.into(),
        }
    }

    /// What went wrong in it, at its place in the file. A block that a variant put there has no line of
    /// this file; its own lines are counted then.
    pub(super) fn error(&self, trouble: &Trouble) -> RuleError {
        let (file, excerpt) = self.located(trouble.spot);
        let step = self.key.strip_prefix("procedures.").unwrap_or(&self.key);
        let mut problem = format!("`{step}` {}\n{excerpt}", trouble.message);
        if let Some(within) = &trouble.within {
            let home = within.home.as_ref().unwrap_or(self);
            let (at, excerpt) = home.located(within.spot);
            problem += &format!("\n  in {}(), {at}\n{excerpt}", within.function);
        }
        RuleError::File { file, problem }
    }

    /// A spot as an editor is told it, and the line itself.
    fn located(&self, spot: Spot) -> (String, String) {
        let Spot { line, column } = spot;
        let excerpt = |text: &str, line: usize| {
            let text = text.lines().nth(line - 1).unwrap_or_default();
            format!("  {line} | {}", text.trim_end())
        };
        match self.first_line() {
            Some((first, indent)) => {
                let column = if line == 1 { column + indent } else { column };
                let line = first + line - 1;
                let at = format!("{}:{line}:{column}", self.places.file);
                (at, excerpt(&self.places.text, line))
            }
            None => (self.places.file.clone(), excerpt(&self.text, line)),
        }
    }

    /// The line of the file on which the text begins, and the column before its first character.
    fn first_line(&self) -> Option<(usize, usize)> {
        let at = *self.places.values.get(&self.key)?;
        let rest = &self.places.text[at..];
        let first = self.text.lines().next().unwrap_or_default();
        let (opening, newline) = match rest {
            _ if rest.starts_with("'''\n") || rest.starts_with("\"\"\"\n") => (4, 1),
            _ if rest.starts_with("'''") || rest.starts_with("\"\"\"") => (3, 0),
            _ => (1, 0),
        };
        if !rest[opening..].starts_with(first) {
            return None;
        }
        let (line, column) = self.places.position(&self.key);
        Some((
            line + newline,
            if newline == 1 {
                0
            } else {
                column + opening - 1
            },
        ))
    }
}
