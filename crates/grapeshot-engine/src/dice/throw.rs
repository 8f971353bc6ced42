//! Physical dice: how many, with which faces, and how they are read.

use rand::{Rng, RngExt};
use std::sync::Arc;

/// How a handful of dice is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadAs {
    /// The sum of the faces.
    Sum,
    /// How many dice show at least this face.
    AtLeast(i16),
    /// How many dice show at most this face.
    AtMost(i16),
    /// The position of a labelled face with a weight of its own (made odds, not printed dice).
    Weighted,
}

/// A handful of equal dice and the way they are read. Each reading has an integer weight. Copies share what they
/// hold: a chart has hundreds of odds on the same die.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throw {
    faces: Arc<[i16]>,
    count: u32,
    read: ReadAs,
    readings: Arc<[(i32, u128)]>,
}

/// Past this total the weights of a pool are rounded to parts of it (relative error below 1e-15).
const WIDEST: u128 = 1 << 120;

impl Throw {
    /// One die reading `first ..= last`.
    pub fn die(first: i16, last: i16) -> Self {
        Self::sum((first..=last).collect(), 1)
    }

    /// A ten-sided die whose 0 is a zero.
    pub fn d10_from_zero() -> Self {
        Self::from_zero(10)
    }

    /// A die of so many sides whose lowest face is a zero.
    pub fn from_zero(sides: i16) -> Self {
        Self::die(0, sides - 1)
    }

    /// A six-sided die.
    pub fn d6() -> Self {
        Self::die(1, 6)
    }

    /// `count` average dice, faces 2, 3, 3, 4, 4, 5, summed.
    pub fn average_dice(count: u32) -> Self {
        Self::sum(vec![2, 3, 3, 4, 4, 5], count)
    }

    /// `count` six-sided dice summed.
    pub fn d6_sum(count: u32) -> Self {
        Self::sum((1..=6).collect(), count)
    }

    /// `count` dice with these faces, summed.
    pub fn sum(faces: Vec<i16>, count: u32) -> Self {
        let lowest = faces.iter().copied().min().unwrap_or(0);
        let above: Vec<usize> = faces
            .iter()
            .map(|face| usize::from(face.abs_diff(lowest)))
            .collect();
        // The weight of every sum, from that of the lowest faces on; rounded where it cannot be said exactly.
        let all = (faces.len() as u128).checked_pow(count);
        let weights = match all.filter(|&all| all <= WIDEST) {
            Some(_) => sums(&above, count, 1u128),
            None => {
                let share = 1.0 / faces.len() as f64;
                let chances = sums_weighed(&above, count, 1.0f64, |chance| chance * share);
                let fine = |chance: f64| (chance * WIDEST as f64) as u128;
                chances.into_iter().map(fine).collect()
            }
        };
        let first = i32::from(lowest) * count as i32;
        let readings = (first..)
            .zip(weights)
            .filter(|&(_, weight)| weight > 0)
            .collect();
        Throw {
            faces: faces.into(),
            count,
            read: ReadAs::Sum,
            readings,
        }
    }

    /// How many of `count` dice with `sides` sides show at least `need`. A need of 1 or less always
    /// succeeds, one above `sides` never does.
    pub fn pool_at_least(count: u32, sides: i16, need: i16) -> Self {
        Self::pool(count, sides, ReadAs::AtLeast(need), |face| face >= need)
    }

    /// How many of `count` dice with `sides` sides show at most `limit`.
    pub fn pool_at_most(count: u32, sides: i16, limit: i16) -> Self {
        Self::pool(count, sides, ReadAs::AtMost(limit), |face| face <= limit)
    }

    fn pool(count: u32, sides: i16, read: ReadAs, good: impl Fn(i16) -> bool) -> Self {
        let faces: Vec<i16> = (1..=sides).collect();
        let hits = faces.iter().filter(|&&face| good(face)).count() as u128;
        let weights = binomial_weights(count, hits, faces.len() as u128 - hits);
        let readings = weights
            .into_iter()
            .enumerate()
            .filter(|&(_, weight)| weight > 0)
            .map(|(n, weight)| (n as i32, weight))
            .collect();
        Throw {
            faces: faces.into(),
            count,
            read,
            readings,
        }
    }

    /// How many of `count` succeed, each with so many chances of success and of failure: for what is decided
    /// by more than one die each.
    pub fn pool_of(count: u32, good: u128, bad: u128) -> Self {
        Self::weighted(binomial_weights(count, good, bad))
    }

    /// Readings `0, 1, 2 …` with weights of one's own: for dice that no other constructor describes.
    /// A reading without weight is never shown.
    pub fn weighted(weights: impl IntoIterator<Item = u128>) -> Self {
        let readings = weights
            .into_iter()
            .enumerate()
            .filter(|&(_, weight)| weight > 0)
            .map(|(n, weight)| (n as i32, weight))
            .collect();
        Throw {
            faces: [].into(),
            count: 1,
            read: ReadAs::Weighted,
            readings,
        }
    }

    /// Every reading these dice can show, in increasing order, with its weight.
    pub fn readings(&self) -> &[(i32, u128)] {
        &self.readings
    }

    /// Where a reading stands among [`Throw::readings`].
    pub fn position(&self, reading: i32) -> Option<usize> {
        self.readings
            .binary_search_by_key(&reading, |&(r, _)| r)
            .ok()
    }

    /// How the dice are read.
    pub fn read(&self) -> ReadAs {
        self.read
    }

    /// Rolls every die of the throw and reads it. Nothing here uses the weights, except for
    /// [`Throw::weighted`], so a sample is an independent check of them.
    pub fn sample(&self, rng: &mut impl Rng) -> i32 {
        let one = |rng: &mut _| self.faces[RngExt::random_range(rng, 0..self.faces.len())];
        match self.read {
            ReadAs::Sum => (0..self.count).map(|_| i32::from(one(rng))).sum(),
            ReadAs::AtLeast(need) => (0..self.count).map(|_| i32::from(one(rng) >= need)).sum(),
            ReadAs::AtMost(limit) => (0..self.count).map(|_| i32::from(one(rng) <= limit)).sum(),
            ReadAs::Weighted => {
                let total: u128 = self.readings.iter().map(|&(_, w)| w).sum();
                let mut at = rng.random_range(0..total);
                for &(reading, weight) in &*self.readings {
                    if at < weight {
                        return reading;
                    }
                    at -= weight;
                }
                unreachable!("a draw below the total falls into one of the weights")
            }
        }
    }
}

/// The weight of every sum of so many dice, each of whose faces lies so far above the lowest.
fn sums<W: Copy + Default + std::ops::AddAssign>(above: &[usize], count: u32, one: W) -> Vec<W> {
    sums_weighed(above, count, one, |weight| weight)
}

/// The same where a face is worth a share of what it is added to.
fn sums_weighed<W: Copy + Default + std::ops::AddAssign>(
    above: &[usize],
    count: u32,
    one: W,
    share: impl Fn(W) -> W,
) -> Vec<W> {
    let widest = above.iter().copied().max().unwrap_or(0);
    let mut weights = vec![one];
    for _ in 0..count {
        let mut next = vec![W::default(); weights.len() + widest];
        for (sum, &weight) in weights.iter().enumerate() {
            for &face in above {
                next[sum + face] += share(weight);
            }
        }
        weights = next;
    }
    weights
}

/// Weights of 0 ..= n successes when each die has `hit` good and `miss` bad faces.
fn binomial_weights(n: u32, hit: u128, miss: u128) -> Vec<u128> {
    exact_binomial(n, hit, miss).unwrap_or_else(|| rounded_binomial(n, hit, miss))
}

fn exact_binomial(n: u32, hit: u128, miss: u128) -> Option<Vec<u128>> {
    (hit + miss).checked_pow(n).filter(|&all| all <= WIDEST)?;
    let mut weights = vec![1u128];
    for _ in 0..n {
        let mut next = vec![0u128; weights.len() + 1];
        for (k, &weight) in weights.iter().enumerate() {
            next[k] += weight * miss;
            next[k + 1] += weight * hit;
        }
        weights = next;
    }
    Some(weights)
}

fn rounded_binomial(n: u32, hit: u128, miss: u128) -> Vec<u128> {
    let p = hit as f64 / (hit + miss) as f64;
    let mut chance = vec![1.0f64];
    for _ in 0..n {
        let mut next = vec![0.0; chance.len() + 1];
        for (k, &c) in chance.iter().enumerate() {
            next[k] += c * (1.0 - p);
            next[k + 1] += c * p;
        }
        chance = next;
    }
    chance
        .into_iter()
        .map(|c| (c * WIDEST as f64) as u128)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_more_dice_than_can_be_counted_are_rounded() {
        let many = Throw::d6_sum(200);
        let all: f64 = many.readings().iter().map(|&(_, w)| w as f64).sum();
        let mean = |power: i32| -> f64 {
            let each = many.readings().iter();
            each.map(|&(n, w)| f64::from(n - 700).powi(power) * w as f64 / all)
                .sum()
        };
        assert!(mean(1).abs() < 1e-9, "{}", mean(1));
        assert!((mean(2) - 200.0 * 35.0 / 12.0).abs() < 1e-6, "{}", mean(2));
    }
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn a_sum_counts_every_combination() {
        let two = Throw::d6_sum(2);
        assert_eq!(two.readings()[5], (7, 6));
        assert_eq!(two.readings().iter().map(|r| r.1).sum::<u128>(), 36);
        assert_eq!(
            Throw::average_dice(1).readings(),
            [(2, 1), (3, 2), (4, 2), (5, 1)]
        );
        let gaps = Throw::sum(vec![1, 3], 2);
        assert_eq!(gaps.readings(), [(2, 1), (4, 2), (6, 1)]);
    }

    #[test]
    fn a_pool_is_binomial_and_its_extremes_are_certain() {
        let pool = Throw::pool_at_least(3, 6, 5);
        assert_eq!(pool.readings(), [(0, 64), (1, 96), (2, 48), (3, 8)]);
        assert_eq!(Throw::pool_at_least(4, 6, 7).readings(), [(0, 1296)]);
        assert_eq!(Throw::pool_at_least(4, 6, 0).readings(), [(4, 1296)]);
    }

    #[test]
    fn made_odds_are_thrown_as_often_as_they_weigh() {
        let throw = Throw::weighted([1, 0, 3]);
        assert_eq!(throw.readings(), [(0, 1), (2, 3)]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1863);
        let seen = (0..4000).filter(|_| throw.sample(&mut rng) == 2).count();
        // Four standard deviations of 27.4 about 3000.
        assert!(seen.abs_diff(3000) < 110, "{seen}");
    }

    #[test]
    fn pools_are_thrown_die_by_die() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1863);
        let mut hits = |throw: Throw| -> i32 { (0..3000).map(|_| throw.sample(&mut rng)).sum() };
        let (high, low) = (
            hits(Throw::pool_at_least(2, 6, 5)),
            hits(Throw::pool_at_most(2, 6, 1)),
        );
        // A third and a sixth of 6000 dice, within four standard deviations of 36.5 and 28.9.
        assert!(high.abs_diff(2000) < 147, "{high}");
        assert!(low.abs_diff(1000) < 116, "{low}");
    }

    #[test]
    fn pools_that_do_not_fit_are_rounded_finely() {
        let pool = Throw::pool_at_least(40, 10, 8);
        assert_eq!(pool.readings().len(), 41);
        // Each number of successes to the one before it: what is left of the dice, by 3 to 7.
        for pair in pool.readings().windows(2) {
            let [(n, fewer), (_, more)] = [pair[0], pair[1]];
            let wanted = f64::from(40 - n) / f64::from(n + 1) * 3.0 / 7.0;
            let found = more as f64 / fewer as f64;
            assert!(
                (found / wanted - 1.0).abs() < 1e-13,
                "{n}: {found}, {wanted}"
            );
        }
        let coins = Throw::pool_of(200, 1, 1);
        let total: u128 = coins.readings().iter().map(|r| r.1).sum();
        assert!(
            (total as f64 / WIDEST as f64 - 1.0).abs() < 1e-13,
            "{total}"
        );
    }
}
