//! Values while a question is specialised: what is known, what stands in a slot, what is still to be thrown.
//!
//! A value of any type is laid out as some `i32` parts (`layout.rs`). A part is known or in a slot. A throw is held back as
//! a [`Pending`] as long as the expression around it only reads it: what is thrown in the end is the whole expression.

use crate::program::Interval;
use grapeshot_engine::Throw;
use smallvec::{SmallVec, smallvec};

/// The numbers that a value is laid out as: seldom more than four.
pub type Numbers = SmallVec<[i32; 4]>;
/// The parts of a value, known or not: seldom more than two.
pub type Operands = SmallVec<[Operand; 2]>;

/// A place in the frame of a trial.
pub type Slot = u16;

/// The slots of a value.
pub type Slots = SmallVec<[Slot; 4]>;

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
#[derive(Debug)]
pub enum Val {
    /// Laid out in parts.
    Parts(Operands),
    /// Dice that are not thrown yet.
    Rolled(Box<Pending>),
    /// A list of numbers or fractions: modifiers that count, the best of some dice.
    List(Vec<Entry>),
    /// Letters; only where everything is known.
    Text(String),
}

impl Clone for Val {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Val::Parts(parts) => Val::Parts(Operands::from_slice(parts)),
            Val::Rolled(pending) => Val::Rolled(pending.clone()),
            Val::List(entries) => Val::List(entries.clone()),
            Val::Text(text) => Val::Text(text.clone()),
        }
    }
}

/// No value, where one was taken out.
impl Default for Val {
    fn default() -> Self {
        Val::Parts(Operands::new())
    }
}

impl Val {
    /// A value of one part.
    pub fn one(operand: Operand) -> Self {
        Val::Parts(smallvec![operand])
    }

    /// A value of one part that is known.
    pub fn known(number: i32) -> Self {
        Val::one(Operand::Known(number))
    }

    /// A value that is known.
    pub fn constant(parts: &[i32]) -> Self {
        match parts {
            [part] => Val::known(*part),
            _ => Val::Parts(parts.iter().map(|&part| Operand::Known(part)).collect()),
        }
    }

    /// Its parts, if all are known.
    pub fn all_known(&self) -> Option<Numbers> {
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
    pub value: Operands,
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
    /// The parts of the value, for each of the throw's readings in order, and how many each has.
    values: Vec<i32>,
    width: usize,
}

impl Dist {
    /// Dice as they are read.
    pub fn readings(throw: Throw) -> Self {
        let values = throw.readings().iter().map(|&(reading, _)| reading);
        Dist {
            values: values.collect(),
            width: 1,
            throw,
        }
    }

    /// A value that is certain.
    pub fn certain(value: &[i32]) -> Self {
        Dist {
            throw: Throw::weighted([1]),
            width: value.len(),
            values: value.to_vec(),
        }
    }

    /// Values with their weights, equal ones merged.
    pub fn weighed(ways: impl IntoIterator<Item = (Numbers, u128)>) -> Self {
        let mut values: Vec<i32> = Vec::new();
        let mut weights: Vec<u128> = Vec::new();
        let mut width = 0;
        for (value, weight) in ways {
            width = value.len();
            let alike = |at: &usize| values[at * width..(at + 1) * width] == value[..];
            match (0..weights.len()).find(alike) {
                Some(at) => weights[at] += weight,
                None if weight > 0 => {
                    values.extend_from_slice(&value);
                    weights.push(weight);
                }
                None => {}
            }
        }
        Dist {
            throw: Throw::weighted(weights),
            values,
            width,
        }
    }

    /// The same dice, read through a function.
    pub fn read_through<E>(
        &self,
        mut of: impl FnMut(&[i32]) -> Result<Numbers, E>,
    ) -> Result<Self, E> {
        let mut values = Vec::with_capacity(self.values.len());
        let mut width = 0;
        for value in self.each() {
            let made = of(value)?;
            width = made.len();
            values.extend_from_slice(&made);
        }
        Ok(Dist {
            throw: self.throw.clone(),
            values,
            width,
        })
    }

    /// Adds something to the first part of each value.
    pub fn add(&mut self, plus: i32) {
        let width = self.width.max(1);
        self.values
            .chunks_mut(width)
            .for_each(|value| value[0] += plus);
    }

    /// Adds a part to each value.
    pub fn widen(&mut self, parts: impl Iterator<Item = i32>) {
        let mut values = Vec::with_capacity(self.values.len() + self.count());
        for (value, part) in self.each().zip(parts) {
            values.extend_from_slice(value);
            values.push(part);
        }
        (self.values, self.width) = (values, self.width + 1);
    }

    /// How many readings the dice have.
    pub fn count(&self) -> usize {
        self.throw.readings().len()
    }

    /// How many parts a value has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The value of a reading.
    pub fn value(&self, at: usize) -> &[i32] {
        &self.values[at * self.width..(at + 1) * self.width]
    }

    /// The value of each reading.
    pub fn each(&self) -> impl Iterator<Item = &[i32]> + Clone {
        (0..self.count()).map(|at| self.value(at))
    }

    /// The weight of each reading beside its value.
    pub fn ways(&self) -> impl Iterator<Item = (&[i32], u128)> {
        let weights = self.throw.readings().iter().map(|&(_, weight)| weight);
        self.each().zip(weights)
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
