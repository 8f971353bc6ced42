//! Reading a table of a file strictly: every entry is asked for, and what is left over is a mistake.

use grapeshot_rules::flatten;
use grapeshot_rules::{Given, Labels, RuleError};
pub(super) use grapeshot_rules::{below, single};
use toml::{Table, Value};

/// Takes entries out of a table one by one and complains about what is left.
pub(super) struct Reader<'a> {
    file: &'a str,
    /// The table's own key, for messages.
    place: String,
    table: Table,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, place: String, table: Table) -> Self {
        Reader { file, place, table }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub(super) fn problem(&self, key: &str, problem: impl Into<String>) -> RuleError {
        RuleError::Table {
            file: self.file.into(),
            key: below(&self.place, key),
            problem: problem.into(),
        }
    }

    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, RuleError> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.problem(key, format!("must be text, not `{other}`"))),
        }
    }

    /// Takes an entry as it is.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.table.remove(key)
    }

    pub(super) fn table(&mut self, key: &str) -> Result<Option<Table>, RuleError> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::Table(table)) => Ok(Some(table)),
            Some(other) => Err(self.problem(key, format!("must be a table, not `{other}`"))),
        }
    }

    pub(super) fn flag(&mut self, key: &str) -> Result<Option<bool>, RuleError> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::Boolean(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.problem(key, format!("must be true or false, not `{other}`"))),
        }
    }

    pub(super) fn maybe_one_of<T: Labels>(&mut self, key: &str) -> Result<Option<T>, RuleError> {
        match self.has(key) {
            true => self.one_of(key, None).map(Some),
            false => Ok(None),
        }
    }

    pub(super) fn needed(&mut self, key: &str) -> Result<String, RuleError> {
        self.text(key)?
            .ok_or_else(|| self.problem(key, "is missing"))
    }

    pub(super) fn whole(&mut self, key: &str, default: u64) -> Result<u64, RuleError> {
        match self.table.remove(key) {
            None => Ok(default),
            Some(Value::Integer(n)) if n >= 0 => Ok(n as u64),
            Some(other) => Err(self.problem(key, format!("must be a whole number, not `{other}`"))),
        }
    }

    pub(super) fn one_of<T: Labels>(
        &mut self,
        key: &str,
        default: Option<T>,
    ) -> Result<T, RuleError> {
        match (self.text(key)?, default) {
            (None, Some(default)) => Ok(default),
            (None, None) => Err(self.problem(
                key,
                format!("is missing; allowed is {}", T::LABELS.join(" | ")),
            )),
            (Some(text), _) => T::from_label(&text).ok_or_else(|| {
                self.problem(
                    key,
                    format!("cannot be `{text}`; allowed is {}", T::LABELS.join(" | ")),
                )
            }),
        }
    }

    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, RuleError> {
        match self.table.remove(key) {
            None => Ok(Vec::new()),
            Some(Value::String(one)) => Ok(vec![one]),
            Some(Value::Array(list)) => {
                list.iter()
                    .map(|item| match item {
                        Value::String(text) => Ok(text.clone()),
                        other => Err(self
                            .problem(key, format!("must be a list of texts; `{other}` is none"))),
                    })
                    .collect()
            }
            Some(other) => Err(self.problem(
                key,
                format!("must be text or a list of texts, not `{other}`"),
            )),
        }
    }

    pub(super) fn settings(&mut self, key: &str) -> Result<Given, RuleError> {
        let mut given = Given::new();
        match self.table.remove(key) {
            None => {}
            Some(Value::Table(table)) => flatten("", &table, &mut given).map_err(|inner| {
                self.problem(&format!("{key}.{inner}"), "must be a single value")
            })?,
            Some(other) => return Err(self.problem(key, format!("must be a table, not `{other}`"))),
        }
        Ok(given)
    }

    pub(super) fn tables(&mut self, key: &str) -> Result<Vec<Table>, RuleError> {
        match self.table.remove(key) {
            None => Ok(Vec::new()),
            Some(Value::Table(one)) => Ok(vec![one]),
            Some(Value::Array(list)) => list
                .into_iter()
                .map(|item| match item {
                    Value::Table(table) => Ok(table),
                    other => Err(self.problem(key, format!("must be tables; `{other}` is none"))),
                })
                .collect(),
            Some(other) => Err(self.problem(key, format!("must be a table, not `{other}`"))),
        }
    }

    /// Everything that is left over.
    pub(super) fn leftovers(&self, known: &[&str]) -> Vec<RuleError> {
        let problem = format!("is unknown; allowed is {}", known.join(", "));
        let keys = self.table.keys();
        keys.map(|key| self.problem(key, problem.clone())).collect()
    }

    pub(super) fn finish(self, known: &[&str]) -> Result<(), RuleError> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => {
                Err(self.problem(key, format!("is unknown; allowed is {}", known.join(", "))))
            }
        }
    }
}
