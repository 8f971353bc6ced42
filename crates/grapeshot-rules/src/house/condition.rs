//! Conditions on settings: `attacker.bayonets`, `range>=300`, `target.cover=open`.

use crate::{Settings, Value};

/// One condition.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    /// The key as it is written: its side may be a part that is played.
    pub key: String,
    test: Test,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    On,
    Off,
    Is(String),
    IsNot(String),
    AtLeast(i64),
    AtMost(i64),
}

impl Condition {
    /// Reads one condition.
    ///
    /// # Errors
    /// Says what is allowed.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let allowed = || {
            format!(
                "`{text}` is not a condition; allowed is key, !key, key=value, key!=value, key>=n or key<=n, joined by `and`"
            )
        };
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| allowed());
        let (key, test) = if let Some((key, n)) = text.split_once(">=") {
            (key, Test::AtLeast(number(n)?))
        } else if let Some((key, n)) = text.split_once("<=") {
            (key, Test::AtMost(number(n)?))
        } else if let Some((key, value)) = text.split_once("!=") {
            (key, Test::IsNot(value.trim().into()))
        } else if let Some((key, value)) = text.split_once('=') {
            (key, Test::Is(value.trim().into()))
        } else if let Some(key) = text.strip_prefix('!') {
            (key, Test::Off)
        } else {
            (text, Test::On)
        };
        let key = key.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        match !key.is_empty() && key.chars().all(plain) && key.matches('.').count() < 2 {
            true => Ok(Condition {
                key: key.into(),
                test,
            }),
            false => Err(allowed()),
        }
    }

    /// The side of its key.
    pub(super) fn side(&self) -> Option<&str> {
        self.key.split_once('.').map(|(side, _)| side)
    }

    /// Whether it asks for a flag.
    pub(super) fn is_flag(&self) -> bool {
        matches!(self.test, Test::On | Test::Off)
    }

    /// Its key where a side plays the part.
    pub(super) fn key_of(&self, role: &str, side: &str) -> String {
        match self.key.split_once('.') {
            Some((part, name)) if part == role => format!("{side}.{name}"),
            _ => self.key.clone(),
        }
    }

    /// Whether it holds; not where the procedure does not have the key.
    pub(super) fn holds(&self, settings: &Settings, role: &str, side: &str) -> bool {
        let Some(value) = settings.find(&self.key_of(role, side)) else {
            return false;
        };
        match (&self.test, value) {
            (Test::On, Value::Flag(on)) => *on,
            (Test::Off, Value::Flag(on)) => !on,
            (Test::On | Test::Off, _) => false,
            (Test::Is(text), value) => value.to_string() == *text,
            (Test::IsNot(text), value) => value.to_string() != *text,
            (Test::AtLeast(n), value) => value.number().is_some_and(|x| x >= *n as f64),
            (Test::AtMost(n), value) => value.number().is_some_and(|x| x <= *n as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_flags_values_and_bounds() {
        for (text, key) in [
            ("attacker.bayonets", "attacker.bayonets"),
            ("!firer.rested", "firer.rested"),
            ("range >= 300", "range"),
            ("target.cover!=open", "target.cover"),
            ("a.b<=3", "a.b"),
        ] {
            assert_eq!(Condition::parse(text).unwrap().key, key);
        }
        for bad in ["", "a.b.c", "range>=far", "two words", "=x"] {
            assert!(Condition::parse(bad).is_err(), "{bad}");
        }
    }
}
