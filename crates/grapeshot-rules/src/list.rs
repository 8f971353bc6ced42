//! Lists: one entry for each unit of a side, joined by commas or `+`; `n*x`, or `n x`, is n entries x.
//!
//! A list of one entry holds for every unit, and is written and kept as that entry alone, so that a
//! number stays a number.

use super::{DefaultValue, RuleError, Setting, SettingKind, Value};

/// The most entries a list can have.
pub(super) const MOST: usize = 8;

/// Takes a list apart, `n*x` written out.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn entries(text: &str) -> Result<Vec<&str>, String> {
    let mut all = Vec::new();
    for piece in text.split(['+', ',']).map(str::trim) {
        let parted = piece.split_once('*').or_else(|| piece.split_once(' '));
        let (times, entry) = match parted.map(|(times, entry)| (times.trim(), entry.trim())) {
            Some((times, entry)) => {
                let number = times.parse().ok().filter(|n| (1..=MOST).contains(n));
                let problem = || format!("`{piece}` does not say how often from 1 to {MOST}");
                (number.ok_or_else(problem)?, entry)
            }
            None => (1, piece),
        };
        if entry.is_empty() {
            return Err("an entry is empty".into());
        }
        all.extend(std::iter::repeat_n(entry, times));
    }
    match all.len() {
        1..=MOST => Ok(all),
        many => Err(format!("it has {many} entries")),
    }
}

/// How many entries a value that was accepted has.
pub(super) fn length(text: &str) -> usize {
    entries(text).map_or(1, |all| all.len())
}

/// A list as it is written: entries that follow each other and are alike are counted.
pub(super) fn written(entries: &[String]) -> String {
    let runs = entries.chunk_by(|a, b| a == b);
    let runs = runs.map(|run| match run.len() {
        1 => run[0].clone(),
        times => format!("{times}*{}", run[0]),
    });
    runs.collect::<Vec<_>>().join("+")
}

impl Setting {
    /// One of these for each unit of a side: entries joined by `+`, `n*x` being n of x; one alone holds for
    /// every unit.
    pub fn list(mut self) -> Self {
        self.kind = SettingKind::List(Box::new(self.kind));
        self
    }

    /// Makes it as many, unless it is given, as the first of these lists that has more entries than one. Whether
    /// all agree is checked where they are used: [`Settings::check_lengths`](super::Settings::check_lengths).
    pub fn length_of(mut self, lists: impl IntoIterator<Item = String>, otherwise: i64) -> Self {
        let lists = lists.into_iter().collect();
        self.default = DefaultValue::LengthOf { lists, otherwise };
        self
    }

    /// A list, every entry checked; what is wrong names the entry.
    pub(super) fn accept_list(
        &self,
        entry: &SettingKind,
        given: &Value,
    ) -> Result<Value, RuleError> {
        let one = self.entry(entry);
        let text = given.to_string();
        let refused = |problem: String, meant: Option<String>| RuleError::Value {
            key: self.key.clone(),
            given: text.clone(),
            allowed: format!("{}; here {problem}", self.kind.allowed()),
            meant,
        };
        let entries = entries(&text).map_err(|problem| refused(problem, None))?;
        let mut accepted = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let value = one.accept(&Value::from(*entry)).map_err(|_| {
                let problem = match entries.len() {
                    1 => format!("it is `{entry}`"),
                    _ => format!("entry {} is `{entry}`", at + 1),
                };
                refused(problem, one.meant(entry))
            })?;
            accepted.push(value);
        }
        match &accepted[..] {
            [only] => Ok(only.clone()),
            several => {
                let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                Ok(Value::from(written(&several)))
            }
        }
    }

    /// The setting that one entry of this list is.
    pub(super) fn entry(&self, entry: &SettingKind) -> Setting {
        Setting {
            kind: entry.clone(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_joined_and_counted() {
        let all = entries("veteran+2*regular+poor").unwrap();
        assert_eq!(all, ["veteran", "regular", "regular", "poor"]);
        assert_eq!(entries("veteran, 2 regular, poor").unwrap(), all);
        assert_eq!(entries("veteran,regular,regular,poor").unwrap(), all);
        assert_eq!(entries("8*12").unwrap().len(), 8);
        for bad in [
            "", "a++b", "a+", "+a", "a,", "2*", "0*a", "9*a", "x*a", "5*a+4*b", "*a", "a b",
        ] {
            assert!(entries(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_list_is_written_in_one_way() {
        let all: Vec<String> = ["a", "b", "b", "a"].map(Into::into).into();
        assert_eq!(written(&all), "a+2*b+a");
        assert_eq!(entries(&written(&all)).unwrap(), all);
    }
}
