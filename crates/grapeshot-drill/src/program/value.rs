//! Values that are known: literals, defaults, cells.

use super::{DiceSum, Interval, RecordId, WordId};
use crate::number::Fraction;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A fraction.
    Fraction(Fraction),
    /// A word.
    Word(WordId),
    /// A record.
    Record(Arc<RecordValue>),
    /// Dice of a cell.
    Dice(Arc<DiceSum>),
    /// A band of a cell; an open end is far out.
    Band(Interval),
    /// A place.
    Place(i64),
    /// A set or list.
    List(Vec<Value>),
    /// Letters.
    Text(Arc<str>),
    /// `nobody`.
    Nobody,
}

/// A record that is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecordValue {
    /// Its type.
    pub of: RecordId,
    /// Its fields.
    pub fields: Vec<Value>,
    /// The code it was read by: records compare by this, then by `label`.
    pub code: u16,
    /// How it is reported: its `as`, else as printed.
    pub label: Arc<str>,
}

impl Value {
    /// As a whole number, if it is one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Value::Number(n) => Some(*n),
            Value::Fraction(x) if x.is_integer() => Some(x.to_integer()),
            _ => None,
        }
    }

    /// As a fraction, if it is a number.
    pub fn fraction(&self) -> Option<Fraction> {
        match self {
            Value::Number(n) => Some(Fraction::from_integer(*n)),
            Value::Fraction(x) => Some(*x),
            _ => None,
        }
    }
}
