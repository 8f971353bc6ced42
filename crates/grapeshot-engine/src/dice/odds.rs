//! What a throw means: readings mapped to outcomes, equal outcomes merged.

use super::{Dice, Roll, Throw};

/// A throw together with what each of its readings means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odds<T> {
    roll: Roll,
    outcomes: Vec<T>,
}

impl<T: Copy + PartialEq> Odds<T> {
    /// The odds of `meaning` over the readings of `throw`; readings that mean the same are merged.
    pub fn new(throw: Throw, meaning: impl Fn(i32) -> T) -> Self {
        let mut outcomes: Vec<T> = Vec::new();
        let mut weights: Vec<u128> = Vec::new();
        let mut outcome_of = Vec::with_capacity(throw.readings().len());
        for &(reading, weight) in throw.readings() {
            let outcome = meaning(reading);
            let at = outcomes.iter().position(|known| *known == outcome);
            let at = at.unwrap_or_else(|| {
                outcomes.push(outcome);
                weights.push(0);
                outcomes.len() - 1
            });
            weights[at] += weight;
            outcome_of.push(at as u16);
        }
        let total = weights.iter().sum();
        Odds {
            roll: Roll {
                throw,
                outcome_of,
                weights,
                total,
                laid: Default::default(),
            },
            outcomes,
        }
    }

    /// Outcomes with integer weights of one's own, for dice no [`Throw`] describes.
    pub fn weighted(outcomes: impl IntoIterator<Item = (T, u128)>) -> Self {
        let (values, weights): (Vec<T>, Vec<u128>) = outcomes.into_iter().unzip();
        Self::new(Throw::weighted(weights), |reading| values[reading as usize])
    }

    /// Rolls on whatever dice are at hand.
    pub fn roll<D: Dice>(&self, dice: &mut D) -> T {
        if let [only] = self.outcomes[..] {
            return only;
        }
        self.outcomes[dice.roll(&self.roll)]
    }

    /// Every distinct outcome with its weight.
    pub fn iter(&self) -> impl Iterator<Item = (T, u128)> + '_ {
        self.outcomes
            .iter()
            .copied()
            .zip(self.roll.weights().iter().copied())
    }

    /// The sum of all weights.
    pub fn total(&self) -> u128 {
        self.roll.total()
    }
}
