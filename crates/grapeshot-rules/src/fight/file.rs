//! A fight as it stands in a file.

use crate::{Given, RuleError, flatten};
use toml::{Table, Value};

/// A fight from a file: keys of its language, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FightFile {
    /// The file, for messages.
    pub file: String,
    /// The ruleset, if it says so.
    pub rules: Option<String>,
    pub(super) entries: Vec<(String, String)>,
}

impl FightFile {
    /// Reads a fight: `rules`, keys, and tables of keys.
    ///
    /// # Errors
    /// If an entry is not a single value.
    pub fn read(file: &str, mut table: Table) -> Result<Self, RuleError> {
        let problem = |key: String, problem: String| RuleError::Table {
            file: file.into(),
            key,
            problem,
        };
        let rules = match table.remove("rules") {
            None => None,
            Some(Value::String(id)) => Some(id),
            Some(other) => {
                let text = format!("must be text, not `{other}`");
                return Err(problem("rules".into(), text));
            }
        };
        let mut entries = Given::new();
        flatten("", &table, &mut entries)
            .map_err(|key| problem(key, "must be a single value".into()))?;
        let written = |(key, value): (String, crate::Value)| (key, value.to_string());
        Ok(FightFile {
            file: file.into(),
            rules,
            entries: entries.into_iter().map(written).collect(),
        })
    }

    pub(super) fn find(&self, key: &str) -> Option<&str> {
        let found = self.entries.iter().find(|(known, _)| known == key);
        found.map(|(_, text)| text.as_str())
    }

    pub(super) fn problem(&self, key: &str, problem: impl Into<String>) -> RuleError {
        RuleError::Table {
            file: self.file.clone(),
            key: key.into(),
            problem: problem.into(),
        }
    }
}
