//! Settings as given, checked against the schema and completed with the defaults.

use super::schema::{DefaultValue, Setting, Value};
use super::{Labels, RuleError, list};
use serde::{Serialize, Serializer};
use std::fmt::{self, Display};
use std::sync::Arc;

/// Every setting of a procedure with its value, in the order of the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Shared by all settings of the procedure.
    keys: Arc<[String]>,
    values: Vec<Value>,
    given: Vec<bool>,
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl Settings {
    /// Checks `given` (later ones win) against the schema.
    ///
    /// # Errors
    /// If a key is unknown or a value not allowed.
    pub fn resolve<K: AsRef<str>, V: Into<Value>>(
        procedure: &str,
        schema: &[Setting],
        given: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, RuleError> {
        let mut found: Vec<Option<Value>> = vec![None; schema.len()];
        for (key, value) in given {
            let key = key.as_ref();
            let at = schema.iter().position(|s| s.key == key);
            let at = at.ok_or_else(|| Self::unknown_key(procedure, schema, key))?;
            found[at] = Some(schema[at].accept(&value.into())?);
        }
        let at = |key: &String| {
            let at = schema.iter().position(|s| s.key == *key);
            at.expect("a default names a key of the same procedure")
        };
        let value_of = |position: usize| match (&found[position], &schema[position].default) {
            (Some(value), _) | (None, DefaultValue::Value(value)) => value.clone(),
            (None, DefaultValue::SameAs(other)) => {
                let other = at(other);
                match (&found[other], &schema[other].default) {
                    (Some(value), _) | (None, DefaultValue::Value(value)) => value.clone(),
                    (None, _) => unreachable!("defaults are not chained"),
                }
            }
            (None, DefaultValue::LengthOf { lists, otherwise }) => {
                let given = lists.iter().filter_map(|key| found[at(key)].as_ref());
                let mut lengths = given.map(|list| list::length(&list.to_string()));
                let longer = lengths.find(|&entries| entries > 1);
                Value::Whole(longer.map_or(*otherwise, |entries| entries as i64))
            }
        };
        let values: Vec<Value> = (0..schema.len()).map(value_of).collect();
        Ok(Settings {
            keys: keys_of(schema),
            values,
            given: found.iter().map(Option::is_some).collect(),
        })
    }

    /// Refuses lists that have neither one entry nor as many as there are units.
    ///
    /// # Errors
    /// Names the list, and what it does not agree with.
    pub fn check_lengths(&self, units: &str, lists: &[&str]) -> Result<(), RuleError> {
        let number = self.whole(units);
        let length = |key: &str| list::length(&self.get(key).to_string()) as i64;
        let set = self.given().any(|(key, _)| key == units);
        for key in lists {
            let entries = length(key);
            if entries == 1 || entries == number {
                continue;
            }
            let other = lists.iter().find(|other| length(other) == number);
            let against = match other.filter(|_| !set) {
                Some(other) => format!("`{other}` has {number}"),
                None => format!("`{units}={number}`"),
            };
            let reason = format!(
                "it has {entries} entries, and {against}: allowed is one for all units, or one for each"
            );
            return Err(self.refuse(key, reason));
        }
        Ok(())
    }

    /// Says that a schema has no such key, and what was probably meant.
    pub(super) fn unknown_key(procedure: &str, schema: &[Setting], key: &str) -> RuleError {
        let what = format!("setting of {procedure}");
        let words = schema.iter().find_map(Setting::words);
        let hint = words.and_then(|words| words.key(procedure, key, schema));
        RuleError::unknown(what, key, schema.iter().map(|s| &s.key)).guessed(hint)
    }

    /// All keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.keys.iter().map(String::as_str).zip(&self.values)
    }

    /// The values alone: they tell the settings of a procedure apart, however they were given.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Those that were given, not assumed.
    pub fn given(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.iter()
            .zip(&self.given)
            .filter(|(_, given)| **given)
            .map(|(pair, _)| pair)
    }

    /// Those that were assumed.
    pub fn assumed(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.iter()
            .zip(&self.given)
            .filter(|(_, given)| !**given)
            .map(|(pair, _)| pair)
    }

    /// One line that describes them all; equal settings give equal lines.
    pub fn describe(&self) -> String {
        let parts: Vec<String> = self
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        parts.join(" ")
    }

    /// A value.
    ///
    /// # Panics
    /// If the schema has no such key: our bug, not the user's.
    pub fn get(&self, key: impl Key) -> &Value {
        self.find(key)
            .unwrap_or_else(|| panic!("the schema has no key `{key}`"))
    }

    /// A value, if the procedure has the key.
    pub fn find(&self, key: impl Key) -> Option<&Value> {
        let found = self.keys.iter().position(|known| key.is(known));
        found.map(|at| &self.values[at])
    }

    /// A flag.
    pub fn flag(&self, key: impl Key) -> bool {
        flag(self.get(key), key)
    }

    /// A flag, off where the procedure does not have it.
    pub fn flag_or_off(&self, key: impl Key) -> bool {
        self.find(key).is_some_and(|value| flag(value, key))
    }

    /// A whole number.
    pub fn whole(&self, key: impl Key) -> i64 {
        whole(self.get(key), key)
    }

    /// A whole number, or another where the procedure does not have the key.
    pub fn whole_or(&self, key: impl Key, otherwise: i64) -> i64 {
        self.find(key).map_or(otherwise, |value| whole(value, key))
    }

    /// A number.
    pub fn real(&self, key: impl Key) -> f64 {
        match self.get(key) {
            Value::Real(x) => *x,
            other => panic!("`{key}` is not a number: {other:?}"),
        }
    }

    /// A label.
    pub fn text(&self, key: impl Key) -> &str {
        text(self.get(key), key)
    }

    /// A choice; a value that a house rule added counts as the one it is like.
    pub fn choice<T: Labels>(&self, key: impl Key) -> T {
        self.chosen(self.get(key), key)
    }

    fn chosen<T: Labels>(&self, value: &Value, key: impl Key) -> T {
        let label = text(value, key);
        T::from_label(label).unwrap_or_else(|| panic!("`{key}` has no value `{label}`"))
    }

    /// A choice, or another where the procedure does not have the key.
    pub fn choice_or<T: Labels>(&self, key: impl Key, otherwise: T) -> T {
        self.find(key)
            .map_or(otherwise, |value| self.chosen(value, key))
    }

    /// The entries of a list, one for each of so many units.
    pub fn each<T: Clone>(
        &self,
        key: impl Key,
        units: usize,
        read: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let text = self.get(key).to_string();
        let entries = list::entries(&text).unwrap_or_else(|_| panic!("`{key}` is not a list"));
        let read =
            |entry: &&str| read(entry).unwrap_or_else(|| panic!("`{key}` has no entry `{entry}`"));
        let values: Vec<T> = entries.iter().map(read).collect();
        match &values[..] {
            [only] => vec![only.clone(); units],
            _ => values,
        }
    }

    /// Refuses a value that does not fit the others.
    pub fn refuse(&self, key: impl Key, reason: impl Into<String>) -> RuleError {
        RuleError::refused(key.to_string(), self.get(key), reason)
    }
}

fn flag(value: &Value, key: impl Key) -> bool {
    match value {
        Value::Flag(flag) => *flag,
        other => panic!("`{key}` is not a flag: {other:?}"),
    }
}

fn whole(value: &Value, key: impl Key) -> i64 {
    match value {
        Value::Whole(n) => *n,
        other => panic!("`{key}` is not a whole number: {other:?}"),
    }
}

fn text(value: &Value, key: impl Key) -> &str {
    match value {
        Value::Choice(label) => label,
        other => panic!("`{key}` is not a choice: {other:?}"),
    }
}

/// How a key is said: whole, or by side and name, which saves writing it together for every question.
pub trait Key: Copy + Display {
    /// Whether it says this key.
    fn is(self, key: &str) -> bool;
}

/// The key of something about a side: `Of("attacker", "grade")` says `attacker.grade`.
#[derive(Debug, Clone, Copy)]
pub struct Of<'a>(pub &'a str, pub &'a str);

impl Display for Of<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl Key for Of<'_> {
    #[inline]
    fn is(self, key: &str) -> bool {
        let Of(side, name) = self;
        // Length and last letter tell most keys apart, sides with as many letters among them.
        key.len() == side.len() + 1 + name.len()
            && key.as_bytes().last() == name.as_bytes().last()
            && key.ends_with(name)
            && key.starts_with(side)
            && key.as_bytes()[side.len()] == b'.'
    }
}

impl<K: Key> Key for &K {
    #[inline]
    fn is(self, key: &str) -> bool {
        (*self).is(key)
    }
}

impl Key for &str {
    #[inline]
    fn is(self, key: &str) -> bool {
        key.len() == self.len() && key.as_bytes().last() == self.as_bytes().last() && key == self
    }
}

impl Key for &String {
    #[inline]
    fn is(self, key: &str) -> bool {
        self.as_str().is(key)
    }
}

/// The keys of a schema: those that its settings know, so that they are not copied for every question.
fn keys_of(schema: &[Setting]) -> Arc<[String]> {
    let known = schema.first().and_then(|setting| setting.learnt.as_ref());
    match known.filter(|learnt| learnt.keys.len() == schema.len()) {
        Some(learnt) => Arc::clone(&learnt.keys),
        None => schema.iter().map(|setting| setting.key.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_said_whole_or_by_side_and_name() {
        let (whole, parts) = ("attacker.grade", Of("attacker", "grade"));
        assert_eq!(parts.to_string(), whole);
        assert!(whole.is("attacker.grade") && parts.is("attacker.grade"));
        for other in [
            "defender.grade",
            "attacker.shade",
            "attacker_grade",
            "attacker.grades",
            "grade",
            "",
        ] {
            assert!(!whole.is(other) && !parts.is(other), "{other}");
        }
        assert!(!Of("", "grade").is("grade"));
    }
}
