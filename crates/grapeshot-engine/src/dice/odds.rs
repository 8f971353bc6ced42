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

    /// The weight of every distinct outcome, in the order of [`Odds::iter`].
    pub fn weights(&self) -> &[u128] {
        self.roll.weights()
    }

    /// The sum of all weights.
    pub fn total(&self) -> u128 {
        self.roll.total()
    }

    /// The probability of an outcome; 0 if it cannot come up.
    pub fn p(&self, outcome: T) -> f64 {
        self.share(|known| known == outcome)
    }

    /// The same dice read in another way; what then means the same is merged.
    pub fn map<U: Copy + PartialEq>(&self, meaning: impl Fn(T) -> U) -> Odds<U> {
        let of = |at: usize| meaning(self.outcomes[usize::from(self.roll.outcome_of[at])]);
        let throw = self.roll.throw.clone();
        let place = throw.clone();
        Odds::new(throw, |reading| {
            of(place.position(reading).expect("a reading of these dice"))
        })
    }

    /// What these and others make together, rolled independently: `mine.with(&yours, |a, b| a.cmp(&b))`.
    pub fn with<U, V>(&self, other: &Odds<U>, meaning: impl Fn(T, U) -> V) -> Odds<V>
    where
        U: Copy + PartialEq,
        V: Copy + PartialEq,
    {
        let fits = self.total().checked_mul(other.total());
        let ways = |mine: &[u128], theirs: &[u128]| {
            let mut ways: Vec<(V, u128)> = Vec::new();
            for (&first, &weight) in self.outcomes.iter().zip(mine) {
                for (&second, &more) in other.outcomes.iter().zip(theirs) {
                    let (value, weight) = (meaning(first, second), weight * more);
                    match ways.iter_mut().find(|(known, _)| *known == value) {
                        Some((_, sum)) => *sum += weight,
                        None => ways.push((value, weight)),
                    }
                }
            }
            Odds::weighted(ways)
        };
        match fits.filter(|&all| all <= WIDEST) {
            Some(_) => ways(self.roll.weights(), other.roll.weights()),
            None => ways(&rounded(&self.roll), &rounded(&other.roll)),
        }
    }

    fn share(&self, counts: impl Fn(T) -> bool) -> f64 {
        let good: u128 = self
            .iter()
            .filter(|&(outcome, _)| counts(outcome))
            .map(|(_, weight)| weight)
            .sum();
        good as f64 / self.total() as f64
    }
}

/// Past this total, the weights of dice rolled together are rounded first: no probability is
/// off by more than 1e-15.
const WIDEST: u128 = 1 << 120;

/// The weights as parts of 2^60.
fn rounded(roll: &Roll) -> Vec<u128> {
    let scale = (1u128 << 60) as f64 / roll.total() as f64;
    roll.weights()
        .iter()
        .map(|&weight| (weight as f64 * scale).round() as u128)
        .collect()
}

impl Odds<i32> {
    /// Dice as they are read.
    pub fn of(throw: Throw) -> Self {
        Odds::new(throw, |reading| reading)
    }

    /// So many of these, summed.
    ///
    /// # Panics
    /// If it is none at all.
    #[must_use]
    pub fn sum(&self, count: u32) -> Self {
        assert!(count > 0, "a sum of at least one roll");
        (1..count).fold(self.clone(), |sum, _| &sum + self)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        let each = self.iter();
        let sum: f64 = each
            .map(|(value, weight)| f64::from(value) * weight as f64)
            .sum();
        sum / self.total() as f64
    }

    /// The probability of this number or more.
    pub fn at_least(&self, number: i32) -> f64 {
        self.share(|value| value >= number)
    }
}

impl std::ops::Add for &Odds<i32> {
    type Output = Odds<i32>;

    fn add(self, other: Self) -> Odds<i32> {
        self.with(other, |first, second| first + second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_dice_thrown_together() {
        let d6 = Odds::of(Throw::d6());
        for count in [1, 2, 5, 20] {
            let (made, thrown) = (d6.sum(count), Odds::of(Throw::d6_sum(count)));
            assert_eq!(
                made.iter().collect::<Vec<_>>().len(),
                5 * count as usize + 1
            );
            for (value, weight) in thrown.iter() {
                let wanted = weight as f64 / thrown.total() as f64;
                assert!((made.p(value) - wanted).abs() < 1e-15, "{count}: {value}");
            }
            assert!((made.mean() - 3.5 * f64::from(count)).abs() < 1e-12);
        }
    }

    #[test]
    fn weights_that_would_not_fit_are_rounded_finely() {
        let coins = Odds::of(Throw::die(0, 1)).sum(200);
        let pool = Odds::of(Throw::pool_of(200, 1, 1));
        for (heads, weight) in pool.iter() {
            let wanted = weight as f64 / pool.total() as f64;
            assert!((coins.p(heads) - wanted).abs() < 1e-15, "{heads}");
        }
    }

    #[test]
    fn a_map_keeps_the_dice_so_that_a_printed_example_can_be_replayed() {
        let hit = Odds::of(Throw::d6()).map(|face| face >= 5);
        assert_eq!(hit.p(true), 1.0 / 3.0);
        let mut dice = super::super::Scripted::new([4, 6]);
        assert_eq!([hit.roll(&mut dice), hit.roll(&mut dice)], [false, true]);
        dice.finish();
    }

    #[test]
    fn rolls_against_each_other_are_counted_pair_by_pair() {
        let (d6, d10) = (Odds::of(Throw::d6()), Odds::of(Throw::d10_from_zero()));
        let won = d6.with(&d10, |six, ten| six > ten);
        assert_eq!((won.total(), won.p(true)), (60, 21.0 / 60.0));
        assert_eq!(d6.at_least(7), 0.0);
        assert_eq!(d6.p(9), 0.0);
    }
}
