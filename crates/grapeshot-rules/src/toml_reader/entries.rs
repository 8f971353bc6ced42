//! A table taken apart strictly: every entry is asked for, and what is left over is a mistake.

use super::Problems;
use crate::{Given, Labels, RuleError, Value as Setting, nearest};
use std::ops::RangeInclusive;
use toml::{Table, Value};

/// What an entry of a file can be read as.
pub trait FromToml: Sized {
    /// What it must be, in words.
    const WHAT: &'static str;

    /// Reads it; what cannot be read is given back.
    ///
    /// # Errors
    /// The value, or the part of it that is wrong.
    fn from_toml(value: Value) -> Result<Self, Value>;
}

macro_rules! from_toml {
    ($($type:ty, $what:literal, $pattern:pat => $read:expr;)*) => { $(
        impl FromToml for $type {
            const WHAT: &'static str = $what;

            fn from_toml(value: Value) -> Result<Self, Value> {
                match value {
                    $pattern => Ok($read),
                    other => Err(other),
                }
            }
        }
    )* };
}

from_toml! {
    String, "text", Value::String(text) => text;
    bool, "true or false", Value::Boolean(flag) => flag;
    i64, "a whole number", Value::Integer(n) => n;
    u64, "a whole number of at least 0", Value::Integer(n @ 0..) => n.unsigned_abs();
    Table, "a table", Value::Table(table) => table;
}

impl FromToml for Value {
    const WHAT: &'static str = "a value";

    fn from_toml(value: Value) -> Result<Self, Value> {
        Ok(value)
    }
}

/// A single one stands for a list of one.
fn list<T: FromToml>(value: Value) -> Result<Vec<T>, Value> {
    match value {
        Value::Array(list) => list.into_iter().map(T::from_toml).collect(),
        one => T::from_toml(one).map(|one| vec![one]),
    }
}

impl FromToml for Vec<String> {
    const WHAT: &'static str = "text or a list of texts";

    fn from_toml(value: Value) -> Result<Self, Value> {
        list(value)
    }
}

impl FromToml for Vec<Vec<String>> {
    const WHAT: &'static str = "a list of lists of texts";

    fn from_toml(value: Value) -> Result<Self, Value> {
        match value {
            Value::Array(lists) => lists.into_iter().map(list).collect(),
            other => Err(other),
        }
    }
}

impl FromToml for Vec<i64> {
    const WHAT: &'static str = "a whole number or a list of them";

    fn from_toml(value: Value) -> Result<Self, Value> {
        list(value)
    }
}

impl FromToml for [String; 2] {
    const WHAT: &'static str = "a list of two texts";

    fn from_toml(value: Value) -> Result<Self, Value> {
        let two = list(value.clone())?;
        two.try_into().map_err(|_| value)
    }
}

/// Takes entries out of a table one by one, and complains about what is wrong and about what is left. What is
/// needed and wrong is read as nothing: [`Problems::end`] sees to it that nobody gets it.
#[derive(Debug)]
pub struct Entries<'a> {
    problems: &'a Problems,
    /// The table's own key, for messages.
    place: String,
    table: Table,
    /// Every entry that was asked for: what is allowed.
    asked: Vec<String>,
}

impl<'a> Entries<'a> {
    /// The entries of a table that stands at a key of the file.
    pub fn new(problems: &'a Problems, place: impl Into<String>, table: Table) -> Self {
        Entries {
            problems,
            place: place.into(),
            table,
            asked: Vec::new(),
        }
    }

    /// The file, for messages.
    pub fn file(&self) -> &str {
        self.problems.file()
    }

    /// File, line and column of this table.
    pub fn at(&self) -> String {
        self.problems.place(&self.place)
    }

    /// Whether there is such an entry.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Something wrong with an entry.
    pub fn problem(&self, key: &str, problem: impl ToString) {
        self.problems.about(below(&self.place, key), problem);
    }

    /// Keeps what was made of an entry, or says at the entry why it cannot be.
    pub fn keep<T>(&self, key: &str, made: Result<T, RuleError>) -> Option<T> {
        made.map_err(|error| self.problem(key, error)).ok()
    }

    fn remove(&mut self, key: &str) -> Option<Value> {
        self.asked.push(key.to_owned());
        self.table.remove(key)
    }

    /// An entry that may be left out.
    pub fn maybe<T: FromToml>(&mut self, key: &str) -> Option<T> {
        let value = self.remove(key)?;
        let given = value.clone();
        let read = T::from_toml(value);
        read.map_err(|wrong| {
            let among = match wrong == given {
                true => String::new(),
                false => format!(" (in `{given}`)"),
            };
            let what = T::WHAT;
            self.problem(key, format!("must be {what}, not `{wrong}`{among}"));
        })
        .ok()
    }

    /// An entry that must be there.
    pub fn needed<T: FromToml + Default>(&mut self, key: &str) -> T {
        if !self.has(key) {
            self.problem(key, format!("is missing; allowed is {}", T::WHAT));
        }
        self.maybe(key).unwrap_or_default()
    }

    /// A whole number within a range.
    pub fn whole(&mut self, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        match self.remove(key)? {
            Value::Integer(n) if range.contains(&n) => Some(n),
            other => {
                let (least, most) = range.into_inner();
                let allowed = match most {
                    i64::MAX => format!("of at least {least}"),
                    most => format!("from {least} to {most}"),
                };
                let problem = format!("cannot be `{other}`; allowed is a whole number {allowed}");
                self.problem(key, problem);
                None
            }
        }
    }

    /// One of some labels.
    pub fn one_of<T: Labels>(&mut self, key: &str) -> Option<T> {
        let text: String = self.maybe(key)?;
        let found = T::from_label(&text);
        if found.is_none() {
            let known: Vec<String> = T::LABELS.iter().map(|&label| label.to_owned()).collect();
            let problem = format!("cannot be `{text}`; {}", allowed(&text, &known, " | "));
            self.problem(key, problem);
        }
        found
    }

    /// The same, which must be there.
    pub fn needed_one_of<T: Labels>(&mut self, key: &str) -> Option<T> {
        if !self.has(key) {
            let problem = format!("is missing; allowed is {}", T::LABELS.join(" | "));
            self.problem(key, problem);
        }
        self.one_of(key)
    }

    /// A table of entries.
    pub fn table(&mut self, key: &str) -> Option<Entries<'a>> {
        let table = self.maybe(key)?;
        Some(Entries::new(self.problems, below(&self.place, key), table))
    }

    /// A list of tables, `[[key]]`; a single one stands for a list of one.
    pub fn tables(&mut self, key: &str) -> Vec<Entries<'a>> {
        let place = below(&self.place, key);
        let one = |place: String, value: Value| match value {
            Value::Table(table) => Some(Entries::new(self.problems, place, table)),
            other => {
                let problem = format!("must be a table, not `{other}`: write [[{key}]]");
                self.problems.about(place, problem);
                None
            }
        };
        let found = match self.table.remove(key) {
            None => Vec::new(),
            Some(Value::Array(list)) => {
                let numbered = (1..).zip(list);
                let each = |(n, value): (usize, Value)| one(format!("{place}[{n}]"), value);
                numbered.filter_map(each).collect()
            }
            Some(value) => one(place, value).into_iter().collect(),
        };
        self.asked.push(key.to_owned());
        found
    }

    /// A table of tables, each with its name.
    pub fn named(&mut self, key: &str) -> Vec<(String, Entries<'a>)> {
        self.table(key).map_or(Vec::new(), |mut table| table.each())
    }

    /// Every entry of this table, each of which must be a table.
    pub fn each(&mut self) -> Vec<(String, Entries<'a>)> {
        let names: Vec<String> = self.table.keys().cloned().collect();
        let named = names.into_iter().filter_map(|name| {
            let entries = self.table(&name)?;
            Some((name, entries))
        });
        named.collect()
    }

    /// Every entry of this table, whatever its name.
    pub fn all<T: FromToml>(&mut self) -> Vec<(String, T)> {
        let names: Vec<String> = self.table.keys().cloned().collect();
        let read = names.into_iter().filter_map(|name| {
            let value = self.maybe(&name)?;
            Some((name, value))
        });
        read.collect()
    }

    /// A table of settings, nested or dotted.
    pub fn settings(&mut self, key: &str) -> Given {
        self.table(key).map_or(Given::new(), Entries::as_settings)
    }

    /// All that is left, as settings.
    pub fn as_settings(mut self) -> Given {
        let all = self.nested(|_| false).into_iter();
        let given = all.filter_map(|(key, value)| match single(&value) {
            Some(value) => Some((key, value)),
            None => {
                self.problem(
                    &key,
                    "must be a single value, or a list of values, one for each unit",
                );
                None
            }
        });
        given.collect()
    }

    /// All that is left, nested and dotted keys alike joined by dots, down to values and to tables that are
    /// values themselves.
    pub fn nested(&mut self, is_value: impl Fn(&Table) -> bool) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        join(std::mem::take(&mut self.table), "", &is_value, &mut found);
        found
    }

    /// All that is left, as it is.
    pub fn rest(self) -> Table {
        self.table
    }

    /// Refuses what is left over.
    pub fn finish(self) {
        self.refuse_rest(|key| allowed(key, &self.asked, ", "));
    }

    /// The same, where there is a better sentence for what is allowed.
    pub fn finish_as(self, said: &str) {
        self.refuse_rest(|key| match nearest(key, &self.asked) {
            Some(meant) => format!("{said}; did you mean `{meant}`?"),
            None => said.to_owned(),
        });
    }

    fn refuse_rest(&self, allowed: impl Fn(&str) -> String) {
        for key in self.table.keys() {
            let problem = format!("is unknown; {}", allowed(key));
            self.problems.about_key(below(&self.place, key), problem);
        }
    }
}

fn join(
    table: Table,
    prefix: &str,
    is_value: &impl Fn(&Table) -> bool,
    into: &mut Vec<(String, Value)>,
) {
    for (key, value) in table {
        let key = below(prefix, &key);
        match value {
            Value::Table(inner) if !is_value(&inner) => join(inner, &key, is_value, into),
            value => into.push((key, value)),
        }
    }
}

/// A value of a file as a value of a setting, if it is a single one, or a list of such: one for each unit of a side.
pub fn single(value: &Value) -> Option<Setting> {
    Some(match value {
        Value::String(text) => text.into(),
        Value::Integer(n) => Setting::Whole(*n),
        Value::Float(x) => Setting::Real(*x),
        Value::Boolean(flag) => Setting::Flag(*flag),
        Value::Array(units) if !units.is_empty() => {
            let units: Option<Vec<Setting>> = units.iter().map(single).collect();
            let units: Vec<String> = units?.iter().map(ToString::to_string).collect();
            units.join("+").into()
        }
        Value::Array(_) | Value::Table(_) | Value::Datetime(_) => return None,
    })
}

/// A key below another one; either may be empty.
pub(crate) fn below(prefix: &str, key: &str) -> String {
    match (prefix, key) {
        ("", key) => key.to_owned(),
        (prefix, "") => prefix.to_owned(),
        (prefix, key) => format!("{prefix}.{key}"),
    }
}

/// What is allowed, and what was probably meant.
fn allowed(given: &str, known: &[String], between: &str) -> String {
    let meant = nearest(given, known);
    let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    format!("allowed is {}{meant}", known.join(between))
}
