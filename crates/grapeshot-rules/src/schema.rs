//! What can be set: the one declaration from which parsing, errors, help, sweeps, what-if and
//! documentation come.

use super::{Labels, Lexicon, RuleError, list, nearest};
use grapeshot_engine::dist::Name;
use grapeshot_engine::{object, plain};
use serde::{Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The value of a setting; also what was given for one, when text may stand for any of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// One of a list of names.
    Choice(#[serde(serialize_with = "plain::text")] Name),
}

/// A value that a setting has accepted equals itself: what is not a number lies in no range.
impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Flag(flag) => flag.hash(state),
            Value::Whole(n) => n.hash(state),
            // Both zeros are equal.
            Value::Real(x) => (x + 0.0).to_bits().hash(state),
            Value::Choice(label) => label.hash(state),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Choice(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Choice(text.into())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Value::from(text.as_str())
    }
}

impl From<&Value> for Value {
    fn from(value: &Value) -> Self {
        value.clone()
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Value::Whole(n)
    }
}

impl From<i32> for Value {
    fn from(n: i32) -> Self {
        Value::Whole(n.into())
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Real(x)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Flag(flag) => flag.fmt(f),
            Value::Whole(n) => n.fmt(f),
            Value::Real(x) => x.fmt(f),
            Value::Choice(label) => f.write_str(label),
        }
    }
}

impl Value {
    /// Whether it is this name.
    pub fn is(&self, name: &str) -> bool {
        matches!(self, Value::Choice(label) if **label == *name)
    }

    /// As a whole number, if it can be read as one.
    fn whole(&self) -> Option<i64> {
        match self {
            Value::Whole(n) => Some(*n),
            Value::Real(x) if x.fract() == 0.0 && x.abs() < 1e15 => Some(*x as i64),
            Value::Choice(text) => text.replace('_', "").parse().ok(),
            Value::Real(_) | Value::Flag(_) => None,
        }
    }

    /// As a number, if it can be read as one.
    fn real(&self) -> Option<f64> {
        match self {
            Value::Choice(text) => text.parse().ok(),
            other => other.number(),
        }
    }

    /// As a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Whole(n) => Some(*n as f64),
            Value::Real(x) => Some(*x),
            Value::Flag(_) | Value::Choice(_) => None,
        }
    }
}

/// What values a setting may have.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingKind {
    /// `true` or `false`.
    Flag,
    /// A whole number in a range.
    Whole {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A number in a range.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these names, in natural order.
    Choice(Vec<Name>),
    /// One of these for each unit of a side, or one for all: see [`Setting::list`].
    List(Box<SettingKind>),
}

impl SettingKind {
    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            SettingKind::Flag => "true or false".into(),
            SettingKind::Whole { min, max } => format!("a whole number from {min} to {max}"),
            SettingKind::Real { min, max } => format!("a number from {min} to {max}"),
            SettingKind::Choice(labels) => labels.join(" | "),
            SettingKind::List(entry) => format!(
                "{}; or a list, one for each unit: up to {} joined by commas, n*x being n of x",
                entry.allowed(),
                list::MOST
            ),
        }
    }

    /// The numbers it may be, and whether only whole ones; of a list, what all units may have.
    pub fn numbers(&self) -> Option<(bool, f64, f64)> {
        match self {
            &SettingKind::Whole { min, max } => Some((true, min as f64, max as f64)),
            &SettingKind::Real { min, max } => Some((false, min, max)),
            SettingKind::List(entry) => entry.numbers(),
            SettingKind::Flag | SettingKind::Choice(_) => None,
        }
    }
}

/// What a setting is when it is not given.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultValue {
    /// A fixed value.
    Value(Value),
    /// The same as another setting.
    SameAs(String),
    /// How many entries these lists have, where they have more than one.
    LengthOf {
        /// The keys of the lists.
        lists: Vec<String>,
        /// The number if no list has more than one.
        otherwise: i64,
    },
}

/// One key of a procedure.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The key, `side.name` or `name`.
    pub key: String,
    /// What it means.
    pub meaning: String,
    /// What it may be.
    pub kind: SettingKind,
    /// What it is when it is not given.
    pub default: DefaultValue,
    /// The place in the source it comes from.
    pub source: String,
    /// The last number of each band in which the print looks it up, rising: within a band no answer changes by
    /// it. Nothing where it counts as it is.
    pub bands: Option<Vec<i64>>,
    /// What it knows of the others, once they are all there.
    pub(super) learnt: Option<Arc<Learnt>>,
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object!(to;
            "key": self.key,
            "default": self.default_text(),
            "allowed": self.kind.allowed(),
            "meaning": self.meaning,
            "source": self.source,
            "bands": self.bands,
        )
    }
}

/// What a setting knows of its ruleset and its procedure.
#[derive(Debug, PartialEq)]
pub(super) struct Learnt {
    /// The words of the ruleset, to guess what was meant by a wrong one.
    pub words: Arc<Lexicon>,
    /// The keys of all settings of the procedure, in order.
    pub keys: Arc<[String]>,
}

impl Setting {
    fn new(key: impl Into<String>, kind: SettingKind, default: Value, meaning: &str) -> Self {
        Setting {
            key: key.into(),
            meaning: meaning.into(),
            kind,
            default: DefaultValue::Value(default),
            source: String::new(),
            bands: None,
            learnt: None,
        }
    }

    /// One of a kind, at the lowest or first value.
    pub(super) fn of_kind(key: impl Into<String>, kind: SettingKind, meaning: &str) -> Self {
        let first = match &kind {
            SettingKind::Flag => Value::Flag(false),
            SettingKind::Whole { min, .. } => Value::Whole(*min),
            SettingKind::Real { min, .. } => Value::Real(*min),
            SettingKind::Choice(labels) => {
                Value::Choice(labels.first().cloned().unwrap_or_default())
            }
            SettingKind::List(_) => Value::Choice(Name::default()),
        };
        Self::new(key, kind, first, meaning)
    }

    /// A flag, off by default.
    pub fn flag(key: impl Into<String>, meaning: &str) -> Self {
        Self::new(key, SettingKind::Flag, Value::Flag(false), meaning)
    }

    /// A flag that is on by default.
    pub fn flag_on(key: impl Into<String>, meaning: &str) -> Self {
        Self::new(key, SettingKind::Flag, Value::Flag(true), meaning)
    }

    /// How many turns a fight may last.
    pub fn turns() -> Self {
        Self::whole("turns", 1..=50, 6, "turns played at most")
    }

    /// A whole number.
    pub fn whole(
        key: impl Into<String>,
        range: std::ops::RangeInclusive<i64>,
        default: i64,
        meaning: &str,
    ) -> Self {
        let (min, max) = range.into_inner();
        Self::new(
            key,
            SettingKind::Whole { min, max },
            Value::Whole(default),
            meaning,
        )
    }

    /// A number.
    pub fn real(
        key: impl Into<String>,
        range: std::ops::RangeInclusive<f64>,
        default: f64,
        meaning: &str,
    ) -> Self {
        let (min, max) = range.into_inner();
        Self::new(
            key,
            SettingKind::Real { min, max },
            Value::Real(default),
            meaning,
        )
    }

    /// One of the values of an enumeration.
    pub fn choice<T: Labels>(key: impl Into<String>, default: T, meaning: &str) -> Self {
        Self::one_of(key, T::LABELS, default.label(), meaning)
    }

    /// One of a list of names.
    pub fn one_of(
        key: impl Into<String>,
        labels: &[impl AsRef<str>],
        default: &str,
        meaning: &str,
    ) -> Self {
        Self::new(
            key,
            SettingKind::Choice(labels.iter().map(|label| label.as_ref().into()).collect()),
            Value::Choice(default.into()),
            meaning,
        )
    }

    /// Makes another setting the default.
    pub fn same_as(mut self, key: impl Into<String>) -> Self {
        self.default = DefaultValue::SameAs(key.into());
        self
    }

    /// Makes another value the default.
    pub fn or(mut self, value: Value) -> Self {
        self.default = DefaultValue::Value(value);
        self
    }

    /// Names the place in the source.
    pub fn from(mut self, source: &str) -> Self {
        self.source = source.into();
        self
    }

    /// Says that the print looks it up in bands, and the last number of each; past the last of them the
    /// largest number it may be ends one more.
    pub fn in_bands(mut self, ends: impl IntoIterator<Item = i64>) -> Self {
        if let SettingKind::Whole { min, max } = self.kind {
            let within = ends.into_iter().filter(|end| (min..max).contains(end));
            let mut ends: Vec<i64> = within.chain([max]).collect();
            ends.sort_unstable();
            ends.dedup();
            self.bands = Some(ends);
        }
        self
    }

    /// The side a key belongs to, if any.
    pub fn side(&self) -> Option<&str> {
        self.key.split_once('.').map(|(side, _)| side)
    }

    /// The words of the ruleset, if it has learnt them.
    pub(super) fn words(&self) -> Option<&Lexicon> {
        self.learnt.as_ref().map(|learnt| learnt.words.as_ref())
    }

    /// The default, in words.
    pub fn default_text(&self) -> String {
        match &self.default {
            DefaultValue::Value(value) => value.to_string(),
            DefaultValue::SameAs(key) => format!("as {key}"),
            DefaultValue::LengthOf { otherwise, .. } => {
                format!("as many as the side's lists have entries, or {otherwise}")
            }
        }
    }

    /// Whether the same text is the same value of both.
    pub(super) fn reads_like(&self, other: &Setting) -> bool {
        self.key == other.key && self.kind == other.kind && self.default == other.default
    }

    /// Reads a value.
    ///
    /// # Errors
    /// If it is not one of those allowed.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.accept(&Value::from(text))
    }

    /// Takes a value as it was given: of the right kind already, or as text.
    ///
    /// # Errors
    /// If it is not one of those allowed.
    pub fn accept(&self, given: &Value) -> Result<Value, RuleError> {
        let accepted = match (&self.kind, given) {
            (SettingKind::List(entry), given) => return self.accept_list(entry, given),
            (SettingKind::Flag, Value::Flag(flag)) => Some(Value::Flag(*flag)),
            (SettingKind::Flag, Value::Choice(text)) => text.parse().ok().map(Value::Flag),
            (SettingKind::Flag, _) => None,
            (SettingKind::Whole { min, max }, given) => given
                .whole()
                .filter(|n| (min..=max).contains(&n))
                .map(Value::Whole),
            (SettingKind::Real { min, max }, given) => given
                .real()
                .filter(|x| (min..=max).contains(&x))
                .map(Value::Real),
            (SettingKind::Choice(labels), given) => {
                let text = given.to_string();
                let known = labels.iter().find(|label| ***label == *text);
                known.map(|label| Value::Choice(label.clone()))
            }
        };
        accepted.ok_or_else(|| RuleError::Value {
            key: self.key.clone(),
            given: given.to_string(),
            allowed: self.kind.allowed(),
            meant: self.meant(&given.to_string()),
        })
    }

    /// The value that was probably meant by one that is not allowed.
    pub(super) fn meant(&self, text: &str) -> Option<String> {
        let known: Vec<String> = match &self.kind {
            SettingKind::Choice(labels) => labels.iter().map(ToString::to_string).collect(),
            SettingKind::Flag => match text.to_lowercase().as_str() {
                "yes" | "y" | "on" | "1" => return Some("true".into()),
                "no" | "n" | "off" | "0" => return Some("false".into()),
                _ => vec!["true".into(), "false".into()],
            },
            SettingKind::Whole { .. } | SettingKind::Real { .. } | SettingKind::List(_) => {
                return None;
            }
        };
        match self.words() {
            Some(words) => words.value(&self.key, text, &known),
            None => nearest(text, &known).map(ToOwned::to_owned),
        }
    }

    /// Every value worth trying: all labels, both flags, and for numbers the whole range if it is
    /// short, else a spread over it that includes the ends and the default.
    pub fn sample_values(&self) -> Vec<Value> {
        match &self.kind {
            SettingKind::Flag => vec![Value::Flag(false), Value::Flag(true)],
            SettingKind::Choice(labels) => labels.iter().cloned().map(Value::Choice).collect(),
            SettingKind::List(entry) => self.entry(entry).sample_values(),
            &SettingKind::Whole { min, max } if max - min < 24 => {
                (min..=max).map(Value::Whole).collect()
            }
            &SettingKind::Whole { min, max } => spread(min as f64, max as f64)
                .into_iter()
                .map(|x| Value::Whole(x.round() as i64))
                .collect(),
            // Hundredths, as a person would type them.
            &SettingKind::Real { min, max } => spread(min, max)
                .into_iter()
                .map(|x| Value::Real(((x * 100.0).round() / 100.0).clamp(min, max)))
                .collect(),
        }
    }
}

/// Twelve values from `min` to `max`, closer together where they are small.
fn spread(min: f64, max: f64) -> Vec<f64> {
    (0..12)
        .map(|i| {
            let t = f64::from(i) / 11.0;
            min + (max - min) * t * t
        })
        .collect()
}
