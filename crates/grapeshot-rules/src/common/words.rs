//! A ruleset's words for a common fight: the `[common]` part of its table file.

use crate::{Problems, RuleError, TableFile, TomlText};
use grapeshot_engine::dist::Name;
use toml::{Table, Value};

/// What a ruleset has for a common value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Its own word.
    Said(String),
    /// No equivalent, and why.
    LeftOut(String),
    /// Nothing changes, and why.
    NoDifference(String),
}

impl Word {
    /// What stands in a list.
    pub(crate) fn read(value: &Value) -> Self {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let reason = |prefix: &str| text.strip_prefix(prefix).map(|why| why.trim().to_owned());
        if let Some(why) = reason("left out:") {
            Word::LeftOut(why)
        } else if let Some(why) = reason("no difference:") {
            Word::NoDifference(why)
        } else {
            Word::Said(text)
        }
    }
}

/// The words of one ruleset.
#[derive(Debug, Clone)]
pub struct Words {
    /// The ruleset.
    pub rules: Name,
    file: String,
    /// What the file was put together from, for messages.
    texts: Vec<TomlText>,
    root: Table,
    /// The printed lists, for numbers that are the ruleset's own.
    lists: Table,
}

impl Words {
    /// Finds the words in a ruleset's tables.
    ///
    /// # Errors
    /// If there are none.
    pub fn new(rules: &str, tables: &TableFile) -> Result<Self, RuleError> {
        let root = tables.section("common");
        Ok(Words {
            rules: rules.into(),
            file: tables.name().into(),
            texts: tables.texts().to_vec(),
            root: root
                .ok_or_else(|| tables.problem("common", "is missing"))?
                .clone(),
            lists: tables.section("lists").cloned().unwrap_or_default(),
        })
    }

    /// Everything, by list.
    pub fn lists(&self) -> impl Iterator<Item = (&String, &Table)> {
        self.root
            .iter()
            .filter_map(|(name, value)| Some((name, value.as_table()?)))
    }

    /// An error about one of the words.
    pub fn problem(&self, path: &str, problem: impl Into<String>) -> RuleError {
        let problems = Problems::among(&self.file, self.texts.clone());
        let key = format!("common.{path}");
        RuleError::Table {
            file: problems.place(&key),
            key: format!("{} {key}", self.rules),
            problem: problem.into(),
        }
    }

    /// What stands at a path; `lists.NAME.ENTRY` is a number of a printed list.
    fn find(&self, path: &str) -> Option<&Value> {
        if let Some((list, entry)) = path.strip_prefix("lists.").and_then(|p| p.split_once('.')) {
            return self.lists.get(list)?.get("values")?.get(entry);
        }
        // The last part may itself hold spaces, but no word holds a full stop.
        let mut parts = path.split('.');
        let first = self.root.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))
    }

    /// What stands under a path, if it is a table.
    pub(super) fn table(&self, path: &str) -> Option<&Table> {
        self.find(path)?.as_table()
    }

    /// Whether there is a word at a path.
    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// The word at a path such as `grade.crack`.
    ///
    /// # Errors
    /// If there is none.
    pub fn word(&self, path: &str) -> Result<Word, RuleError> {
        self.find(path)
            .map(Word::read)
            .ok_or_else(|| self.problem(path, "is missing"))
    }

    /// A whole number at a path, if there is anything.
    ///
    /// # Errors
    /// If it is something else.
    pub fn whole(&self, path: &str) -> Result<Option<i64>, RuleError> {
        match self.find(path) {
            None => Ok(None),
            Some(Value::Integer(n)) => Ok(Some(*n)),
            Some(other) => {
                Err(self.problem(path, format!("is `{other}`; allowed is a whole number")))
            }
        }
    }

    /// A whole number of at least 1 at a path.
    ///
    /// # Errors
    /// If there is none.
    pub fn positive(&self, path: &str) -> Result<i64, RuleError> {
        match self.whole(path)? {
            Some(n) if n >= 1 => Ok(n),
            Some(n) => Err(self.problem(
                path,
                format!("is `{n}`; allowed is a whole number of at least 1"),
            )),
            None => Err(self.problem(path, "is missing")),
        }
    }

    /// Whole numbers of at least 0 in a list.
    ///
    /// # Errors
    /// If it is no such list.
    pub fn wholes(&self, path: &str) -> Result<Vec<i64>, RuleError> {
        let list = self.find(path).and_then(Value::as_array);
        list.and_then(|list| {
            list.iter()
                .map(|value| value.as_integer().filter(|&n| n >= 0))
                .collect()
        })
        .ok_or_else(|| self.problem(path, "must be a list of whole numbers of at least 0"))
    }

    /// What an assumption says, with its numbers filled in; nothing if there is none of that name.
    pub fn assumption(&self, name: &str) -> Option<String> {
        let text = self.find(&format!("assumptions.{name}"))?.get("text")?;
        let mut said = String::new();
        let mut rest = text.as_str()?;
        while let Some((before, after)) = rest.split_once('{') {
            let (path, after) = after.split_once('}')?;
            said += before;
            said += &match self.find(path)? {
                Value::String(text) => text.clone(),
                Value::Array(list) => {
                    let list: Vec<String> = list.iter().map(Value::to_string).collect();
                    list.join(", ")
                }
                other => other.to_string(),
            };
            rest = after;
        }
        Some(said + rest)
    }

    /// The names of all assumptions.
    pub fn assumptions(&self) -> Vec<String> {
        match self.find("assumptions") {
            Some(Value::Table(all)) => all.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }
}
