//! A table of a ruleset file, read key by key with the line of whatever is wrong.

use super::place::Place;
use crate::{RuleError, TomlText, nearest};
use toml::{Table, Value as Toml};

pub(super) fn not_known(what: &str, given: &str, known: &[String]) -> String {
    let meant =
        nearest(given, known).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    format!(
        "has no {what} `{given}`{meant} (there is {})",
        known.join(", ")
    )
}

/// A table of the file and its path, for errors.
#[derive(Clone)]
pub(super) struct Entry<'a> {
    pub table: &'a Table,
    pub path: String,
    pub places: &'a TomlText,
}

impl<'a> Entry<'a> {
    pub(super) fn error(&self, key: &str, problem: impl std::fmt::Display) -> RuleError {
        let key = match key {
            "" => self.path.clone(),
            key if self.path.is_empty() => key.to_owned(),
            key => format!("{}.{key}", self.path),
        };
        self.places.error(&key, problem)
    }

    /// Refuses keys that mean nothing here.
    pub(super) fn only(&self, allowed: &[&str]) -> Result<(), RuleError> {
        for key in self.table.keys() {
            if !allowed.contains(&key.as_str()) {
                let known: Vec<String> = allowed.iter().map(|&k| k.to_owned()).collect();
                let meant = nearest(key, &known)
                    .map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                let problem = format!(
                    "means nothing here{meant} (allowed is {})",
                    allowed.join(", ")
                );
                return Err(self.error(key, problem));
            }
        }
        Ok(())
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, RuleError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.error(key, format!("is `{other}`; it must be text"))),
        }
    }

    pub(super) fn needed(&self, key: &str) -> Result<&'a str, RuleError> {
        self.text(key)?
            .ok_or_else(|| self.error("", format!("has no `{key}`, which it needs")))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, RuleError> {
        match self.table.get(key) {
            None => Ok(false),
            Some(Toml::Boolean(flag)) => Ok(*flag),
            Some(other) => Err(self.error(key, format!("is `{other}`; allowed is true or false"))),
        }
    }

    pub fn whole(&self, key: &str) -> Result<Option<i64>, RuleError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::Integer(n)) => Ok(Some(*n)),
            Some(other) => Err(self.error(key, format!("is `{other}`; it must be a whole number"))),
        }
    }

    /// A list of words; a single word stands for a list of one.
    pub(super) fn words(&self, key: &str) -> Result<Option<Vec<String>>, RuleError> {
        let word = |value: &Toml| match value {
            Toml::String(text) => Ok(text.clone()),
            Toml::Integer(n) => Ok(n.to_string()),
            other => Err(self.error(
                key,
                format!("has `{other}` in it; it must be a list of words"),
            )),
        };
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::Array(words)) => words.iter().map(word).collect::<Result<_, _>>().map(Some),
            Some(one) => word(one).map(|word| Some(vec![word])),
        }
    }

    pub(super) fn under(&self, key: &str) -> Result<Option<Entry<'a>>, RuleError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::Table(table)) => Ok(Some(Entry {
                table,
                path: match self.path.as_str() {
                    "" => key.to_owned(),
                    path => format!("{path}.{key}"),
                },
                places: self.places,
            })),
            Some(other) => Err(self.error(key, format!("is `{other}`; it must be a table"))),
        }
    }

    /// The entries of a table of tables, in the order of the file.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Entry<'a>)>, RuleError> {
        self.table
            .keys()
            .map(|key| {
                let entry = self.under(key)?.expect("a key of the table");
                Ok((key.as_str(), entry))
            })
            .collect()
    }

    /// A piece of script: text, or a number or flag as it stands.
    pub(super) fn script(&self, key: &str) -> Result<Place, RuleError> {
        let path = format!("{}.{key}", self.path);
        match &self.table[key] {
            Toml::String(text) => Ok(Place::new(self.places, path, text)),
            plain @ (Toml::Integer(_) | Toml::Boolean(_)) => {
                Ok(Place::new(self.places, path, &plain.to_string()))
            }
            other => Err(self.error(key, format!("is `{other}`; it must be script, as text"))),
        }
    }
}
