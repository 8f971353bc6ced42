//! Dice, and the one trait through which every rule asks for them.
//!
//! A rule never rolls a die itself. It describes the roll once, as [`Odds`] — physical dice
//! ([`Throw`]) and what each reading of them means — and hands it to whatever [`Dice`] it was
//! given: [`Sampled`] throws, [`Drawn`] draws the same odds at full speed, [`Solving`] walks every branch with integer weights, [`Scripted`]
//! replays the readings of a printed example. Faces that mean the same are merged when the odds
//! are made, so a d10 on a table column with three different results is three branches, and a
//! pool of twenty dice is one branch point with at most twenty-one.

mod drawn;
mod odds;
mod sampled;
mod scripted;
mod solving;
mod throw;

pub use drawn::Drawn;
pub use odds::Odds;
pub use sampled::Sampled;
pub use scripted::Scripted;
pub(crate) use solving::gcd;
pub use solving::{Branch, Solving, branches};
pub use throw::{Read, Throw};

/// A source of dice. The only way a rule can meet chance.
pub trait Dice {
    /// Rolls once and returns which of the distinct outcomes came up.
    fn roll(&mut self, roll: &Roll) -> usize;
}

/// The part of [`Odds`] that a source of dice needs: the physical throw, which outcome each
/// reading leads to, and the integer weight of each outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    throw: Throw,
    /// Outcome index of each reading, in the order of [`Throw::readings`].
    outcome_of: Vec<u16>,
    weights: Vec<u128>,
    total: u128,
    laid: drawn::Laid,
}

impl Roll {
    /// The physical dice.
    pub fn throw(&self) -> &Throw {
        &self.throw
    }

    /// The weight of each distinct outcome.
    pub fn weights(&self) -> &[u128] {
        &self.weights
    }

    /// The sum of all weights.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// Which outcome a reading of the dice leads to, if the dice can show it.
    pub fn outcome_of_reading(&self, reading: i32) -> Option<usize> {
        let at = self.throw.position(reading)?;
        Some(usize::from(self.outcome_of[at]))
    }
}
