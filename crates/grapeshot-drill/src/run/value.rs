//! Values while a question is specialised: what is known, what stands in a slot, what is still to be thrown.
//!
//! A value of any type is laid out as some `i32` parts (`layout.rs`). A part is known or in a slot. A throw is held back as
//! a [`Pending`] as long as the expression around it only reads it: what is thrown in the end is the whole expression.

use crate::program::Interval;
use grapeshot_engine::Throw;

/// A place in the frame of a trial.
pub type Slot = u16;

/// One part of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Known before the first die.
    Known(i32),
    /// In the frame.
    Slot(Slot),
}

impl Operand {
    /// The number, if it is known.
    pub fn known(self) -> Option<i32> {
        match self {
            Operand::Known(number) => Some(number),
            Operand::Slot(_) => None,
        }
    }
}

/// A value.
#[derive(Debug, Clone)]
pub enum Val {
    /// Laid out in parts.
    Parts(Vec<Operand>),
    /// Dice that are not thrown yet.
    Rolled(Pending),
    /// A list of numbers or fractions: modifiers that count, the best of some dice.
    List(Vec<Entry>),
    /// Letters; only where everything is known.
    Text(String),
}

impl Val {
    /// A value of one part.
    pub fn one(operand: Operand) -> Self {
        Val::Parts(vec![operand])
    }

    /// A value of one part that is known.
    pub fn known(number: i32) -> Self {
        Val::one(Operand::Known(number))
    }

    /// A value that is known.
    pub fn constant(parts: &[i32]) -> Self {
        Val::Parts(parts.iter().map(|&part| Operand::Known(part)).collect())
    }

    /// Its parts, if all are known.
    pub fn all_known(&self) -> Option<Vec<i32>> {
        match self {
            Val::Parts(parts) => parts.iter().map(|part| part.known()).collect(),
            _ => None,
        }
    }
}

/// An element of a list.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Whether it is there, a flag.
    pub counts: Operand,
    /// What it is worth.
    pub value: Vec<Operand>,
}

/// A throw that was not made yet. Which one it is may depend on slots: there is a distribution for every combination of
/// their values, the last slot's changing fastest.
#[derive(Debug, Clone)]
pub struct Pending {
    /// Slots that decide which dice are thrown, or how they are read.
    pub index: Vec<(Slot, Interval)>,
    /// For each combination.
    pub dists: Vec<Dist>,
}

impl Pending {
    /// Dice that do not depend on anything.
    pub fn of(dist: Dist) -> Self {
        Pending {
            index: Vec::new(),
            dists: vec![dist],
        }
    }
}

/// Physical dice and what each of their readings means.
#[derive(Debug, Clone)]
pub struct Dist {
    /// The dice.
    pub throw: Throw,
    /// The parts of the value, for each of the throw's readings in order.
    pub values: Vec<Vec<i32>>,
}

impl Dist {
    /// Dice as they are read.
    pub fn readings(throw: Throw) -> Self {
        let values = throw.readings().iter().map(|&(reading, _)| vec![reading]);
        Dist {
            values: values.collect(),
            throw,
        }
    }

    /// A value that is certain.
    pub fn certain(value: Vec<i32>) -> Self {
        Dist {
            throw: Throw::weighted([1]),
            values: vec![value],
        }
    }

    /// Values with their weights, equal ones merged.
    pub fn weighed(ways: Vec<(Vec<i32>, u128)>) -> Self {
        let mut merged: Vec<(Vec<i32>, u128)> = Vec::new();
        for (value, weight) in ways {
            match merged.iter_mut().find(|(known, _)| *known == value) {
                Some((_, sum)) => *sum += weight,
                None if weight > 0 => merged.push((value, weight)),
                None => {}
            }
        }
        Dist {
            throw: Throw::weighted(merged.iter().map(|(_, weight)| *weight)),
            values: merged.into_iter().map(|(value, _)| value).collect(),
        }
    }

    /// The weight of each reading beside its value.
    pub fn ways(&self) -> impl Iterator<Item = (&Vec<i32>, u128)> {
        let weights = self.throw.readings().iter().map(|&(_, weight)| weight);
        self.values.iter().zip(weights)
    }

    /// The sum of all weights.
    pub fn total(&self) -> u128 {
        self.throw
            .readings()
            .iter()
            .map(|&(_, weight)| weight)
            .sum()
    }
}
