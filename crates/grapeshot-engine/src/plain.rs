//! Answers as plain data: the one shape in which programs read them (JSON, of any kind serde can write).
//!
//! A struct whose fields are what is told derives `Serialize`. Here is what that cannot say: numbers that are worked
//! out when they are asked for, keys and values that are an object, and what was refused.

pub use serde::{Serialize, Serializer};

use crate::dist::{Distribution, Estimate, Marginal, Quantity, Row, Variable, VariableKind};
use serde::ser::SerializeMap;
use std::fmt::Display;

/// An object, key by key in this order; for values that are worked out, where `derive` has fields.
#[macro_export]
macro_rules! object {
    ($to:expr; $($key:literal: $value:expr),+ $(,)?) => {{
        let mut object = ::serde::Serializer::serialize_map($to, None)?;
        $(::serde::ser::SerializeMap::serialize_entry(&mut object, $key, &$value)?;)+
        ::serde::ser::SerializeMap::end(object)
    }};
}

/// Keys with their values, as an object.
///
/// # Errors
/// As the serializer.
pub fn pairs<S: Serializer, K: AsRef<str>, V: Serialize>(
    pairs: impl AsRef<[(K, V)]>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let pairs = pairs.as_ref().iter();
    to.collect_map(pairs.map(|(key, value)| (key.as_ref(), value)))
}

/// Something as it is written, or nothing.
///
/// # Errors
/// As the serializer.
pub fn text_or_none<S: Serializer>(
    written: &Option<impl Display>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match written {
        Some(written) => to.collect_str(written),
        None => to.serialize_none(),
    }
}

/// An answer, or the reason why the rules refuse it.
///
/// # Errors
/// As the serializer.
pub fn or_refused<S: Serializer>(
    answer: &Result<impl Serialize, String>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match answer {
        Ok(answer) => answer.serialize(to),
        Err(reason) => object!(to; "refused": reason),
    }
}

/// Keys with their values, which are an object wherever they stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Object<K: AsRef<str>, V: Serialize>(#[serde(serialize_with = "pairs")] pub Vec<(K, V)>);

/// Something as it is written.
///
/// # Errors
/// As the serializer.
pub fn text<S: Serializer>(written: &(impl Display + ?Sized), to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(written)
}

/// A number, and the ends of its interval if it has one.
impl Serialize for Estimate {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.half_width() > 0.0 {
            true => object!(to; "value": self.value, "low": self.low, "high": self.high),
            false => object!(to; "value": self.value),
        }
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// How it was found, and every variable.
impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let source = self.source();
        object!(to;
            "method": source.method(),
            "trials": source.trials(),
            "seed": source.seed(),
            "variables": self.marginals(),
        )
    }
}

/// What it is, and where it is one of a list, of which.
impl Serialize for Variable {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("name", &self.name)?;
        object.serialize_entry("kind", self.kind_name())?;
        object.serialize_entry("meaning", &self.meaning)?;
        if let VariableKind::Category(labels) = &self.kind {
            object.serialize_entry("labels", labels)?;
        }
        object.end()
    }
}

/// A value of a variable: a label, or a number as one.
#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    Label(String),
    Count(i64),
    Number(f64),
}

impl Said {
    fn new(variable: &Variable, label: String, number: f64) -> Self {
        match variable.kind {
            VariableKind::Category(_) => Said::Label(label),
            VariableKind::Count | VariableKind::CountFrom(_) => Said::Count(number as i64),
            VariableKind::Number(_) => Said::Number(number),
        }
    }
}

/// A value of a marginal, with its interval if it was simulated.
#[derive(Serialize)]
struct Chance {
    value: Said,
    p: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
}

impl Serialize for Marginal {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let variable = self.variable();
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("name", &variable.name)?;
        object.serialize_entry("kind", variable.kind_name())?;
        if variable.is_numeric() {
            object.serialize_entry("mean", &self.mean())?;
            object.serialize_entry("sd", &self.sd())?;
            if let Some(se) = self.standard_error() {
                object.serialize_entry("se", &se)?;
            }
        }
        let values = self.values().iter().map(|value| {
            let interval = self.interval(value.p);
            Chance {
                value: Said::new(variable, value.label.clone(), value.number),
                p: value.p,
                low: interval.map(|(low, _)| low),
                high: interval.map(|(_, high)| high),
            }
        });
        object.serialize_entry("values", &values.collect::<Vec<_>>())?;
        object.end()
    }
}

/// Every row of a distribution, each an object of its variables and its chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The variables.
    pub variables: Vec<Variable>,
    /// Their values, and how likely they are together.
    pub rows: Vec<(Row, f64)>,
}

impl Joint {
    /// All rows.
    pub fn of(odds: &Distribution) -> Self {
        Joint {
            variables: odds.variables().to_vec(),
            rows: odds.joint(),
        }
    }
}

impl Serialize for Joint {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            self.rows
                .iter()
                .map(|(row, p)| Line(&self.variables, row, *p)),
        )
    }
}

struct Line<'a>(&'a [Variable], &'a Row, f64);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(None)?;
        for (variable, &value) in self.0.iter().zip(self.1) {
            let said = Said::new(variable, variable.label(value), variable.number_of(value));
            object.serialize_entry(&variable.name, &said)?;
        }
        object.serialize_entry("p", &self.2)?;
        object.end()
    }
}
