//! Dice that take every face: all branches of a piece of rule code, with integer weights.
//!
//! The code is run once per branch. Each run follows the choices recorded so far and takes the
//! first outcome of any new roll; afterwards the last choice that has another outcome is moved on.
//! No state is copied and the rule needs no special form: it only has to be deterministic.

use super::{Dice, Roll};

#[derive(Debug, Clone)]
struct Choice {
    taken: usize,
    weights: Vec<u128>,
    total: u128,
}

/// Dice that walk every branch. Use [`branches`].
#[derive(Debug, Default)]
pub struct Solving {
    path: Vec<Choice>,
    depth: usize,
}

/// One way a piece of rule code can go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch<T> {
    /// What it came to.
    pub result: T,
    /// Its weight, out of the total returned beside it.
    pub weight: u128,
}

impl Dice for Solving {
    fn roll(&mut self, roll: &Roll) -> usize {
        let depth = self.depth;
        self.depth += 1;
        if depth == self.path.len() {
            self.path.push(Choice {
                taken: 0,
                weights: roll.weights().to_vec(),
                total: roll.total(),
            });
        }
        self.path[depth].taken
    }
}

impl Solving {
    /// Moves to the next branch; false when all were walked.
    fn advance(&mut self) -> bool {
        self.depth = 0;
        while let Some(last) = self.path.last_mut() {
            if last.taken + 1 < last.weights.len() {
                last.taken += 1;
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// Weight and denominator of the branch just walked, if they fit.
    fn weight(&self) -> Fraction {
        self.path.iter().try_fold((1u128, 1u128), |(w, d), c| {
            Some((w.checked_mul(c.weights[c.taken])?, d.checked_mul(c.total)?))
        })
    }

    fn probability(&self) -> f64 {
        self.path
            .iter()
            .map(|c| c.weights[c.taken] as f64 / c.total as f64)
            .product()
    }
}

/// Weight and denominator of a branch, where they fit into integers.
type Fraction = Option<(u128, u128)>;

/// Where products of denominators do not fit, weights are rounded to parts of this.
const FINE: f64 = (1u128 << 110) as f64;

/// Runs `rule` over every branch of the dice it asks for. Equal results are merged; the weights
/// are integers out of the second value returned.
///
/// ```
/// use grapeshot::dice::{Odds, Throw, branches};
/// let d10 = Odds::new(Throw::d10_from_zero(), |face| face >= 7);
/// let (ways, total) = branches(|dice| d10.roll(dice));
/// assert_eq!(total, 10);
/// assert_eq!(ways.iter().map(|b| (b.result, b.weight)).collect::<Vec<_>>(), [(false, 7), (true, 3)]);
/// ```
pub fn branches<T: PartialEq>(mut rule: impl FnMut(&mut Solving) -> T) -> (Vec<Branch<T>>, u128) {
    let mut dice = Solving::default();
    let mut found: Vec<(T, Fraction, f64)> = Vec::new();
    loop {
        let result = rule(&mut dice);
        found.push((result, dice.weight(), dice.probability()));
        if !dice.advance() {
            break;
        }
    }
    let common = found
        .iter()
        .try_fold(1u128, |all, (_, weight, _)| lcm(all, (*weight)?.1));
    let scaled = |weight: Fraction, p: f64| match (common, weight) {
        (Some(all), Some((w, d))) => w.checked_mul(all / d).expect("a weight is below its total"),
        _ => (p * FINE) as u128,
    };
    let mut merged: Vec<Branch<T>> = Vec::new();
    let mut total = 0;
    for (result, weight, p) in found {
        let weight = scaled(weight, p);
        total += weight;
        match merged.iter_mut().find(|b| b.result == result) {
            Some(known) => known.weight += weight,
            None => merged.push(Branch { result, weight }),
        }
    }
    (merged, total)
}

fn lcm(a: u128, b: u128) -> Option<u128> {
    (a / gcd(a, b)).checked_mul(b).filter(|&n| n <= 1 << 120)
}

/// The greatest common divisor.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Odds, Throw};

    #[test]
    fn branches_with_different_dice_share_one_denominator() {
        let d6 = Odds::new(Throw::d6(), |face| face);
        let d10 = Odds::new(Throw::d10_from_zero(), |face| face);
        // A 6 on the first die is rolled again on a d10.
        let (ways, total) = branches(|dice| match d6.roll(dice) {
            6 => 100 + d10.roll(dice),
            n => n,
        });
        assert_eq!(total, 60);
        assert_eq!(ways.len(), 15);
        assert_eq!(ways[0].weight, 10);
        assert_eq!(ways[14].weight, 1);
    }

    #[test]
    fn weights_too_wide_for_integers_are_rounded_finely() {
        let pool = Odds::new(Throw::pool_at_least(40, 6, 4), |n| n);
        let (ways, total) = branches(|dice| pool.roll(dice) + pool.roll(dice));
        let mean: f64 = ways
            .iter()
            .map(|b| f64::from(b.result) * (b.weight as f64 / total as f64))
            .sum();
        assert!((mean - 40.0).abs() < 1e-10, "{mean}");
    }
}
