//! Dice that are really rolled, one by one, from a random generator.

use super::{Dice, Roll};
use rand::Rng;

/// Draws every physical die of a throw. The slow and plain way: it is the fallback for procedures
/// whose graph is too large, and an independent opinion for the tests.
#[derive(Debug)]
pub struct Sampled<'a, R> {
    rng: &'a mut R,
}

impl<'a, R: Rng> Sampled<'a, R> {
    /// Dice rolled with this generator.
    pub fn new(rng: &'a mut R) -> Self {
        Sampled { rng }
    }
}

impl<R: Rng> Dice for Sampled<'_, R> {
    fn roll(&mut self, roll: &Roll) -> usize {
        let reading = roll.throw().sample(self.rng);
        roll.outcome_of_reading(reading)
            .expect("dice show only their own readings")
    }
}
