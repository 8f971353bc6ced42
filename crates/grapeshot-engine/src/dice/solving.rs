//! Dice that take every face: all branches of a piece of rule code, with integer weights.
//!
//! The code is run once per branch. Each run follows the choices recorded so far and takes the
//! first outcome of any new roll; afterwards the last choice that has another outcome is moved on.
//! No state is copied and the rule needs no special form: it only has to be deterministic.

use super::{Dice, Roll};

/// A roll on the path of a branch.
#[derive(Debug, Clone)]
struct Choice {
    /// Which of its outcomes is taken.
    taken: usize,
    /// Where its weights begin among those of the path; they end with the next one's, or the last.
    first: usize,
    total: u128,
    /// Weight and denominator of the branch as far as this roll.
    so_far: Fraction,
}

/// Weight and denominator of a branch, where they fit into integers.
type Fraction = Option<(u128, u128)>;

/// Dice that walk every branch. Use [`branches`].
#[derive(Debug, Default)]
pub struct Solving {
    path: Vec<Choice>,
    /// The weights of every roll on the path, one roll after another.
    weights: Vec<u128>,
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
            let first = self.weights.len();
            self.weights.extend_from_slice(roll.weights());
            self.path.push(Choice {
                taken: 0,
                first,
                total: roll.total(),
                so_far: then(self.weight(), roll.weights()[0], roll.total()),
            });
        }
        self.path[depth].taken
    }
}

/// The weight of a branch that goes on with a roll of so much out of so much.
fn then(so_far: Fraction, weight: u128, total: u128) -> Fraction {
    let (w, d) = so_far?;
    Some((w.checked_mul(weight)?, d.checked_mul(total)?))
}

impl Solving {
    /// Moves to the next branch; false when all were walked.
    fn advance(&mut self) -> bool {
        self.depth = 0;
        while let Some(mut last) = self.path.pop() {
            let next = last.first + last.taken + 1;
            if next < self.weights.len() {
                last.taken += 1;
                last.so_far = then(self.weight(), self.weights[next], last.total);
                self.path.push(last);
                return true;
            }
            self.weights.truncate(last.first);
        }
        false
    }

    /// Weight and denominator of the branch just walked.
    fn weight(&self) -> Fraction {
        self.path.last().map_or(Some((1, 1)), |last| last.so_far)
    }

    /// The probability of the branch just walked.
    fn probability(&self) -> f64 {
        let rolls = self.path.iter();
        rolls
            .map(|roll| self.weights[roll.first + roll.taken] as f64 / roll.total as f64)
            .product()
    }

    /// Runs `rule` over every branch of the dice it asks for and puts them in place of what `ways` held. Equal
    /// results are not merged; the weights are integers out of the value returned.
    pub(crate) fn walk<T>(
        &mut self,
        ways: &mut Vec<Branch<T>>,
        mut rule: impl FnMut(&mut Solving) -> T,
    ) -> u128 {
        if self.exactly(ways, &mut rule).is_none() {
            self.finely(ways, &mut rule);
        }
        ways.iter().map(|way| way.weight).sum()
    }

    /// With weights as they are; nothing where they do not fit.
    fn exactly<T>(
        &mut self,
        ways: &mut Vec<Branch<T>>,
        rule: &mut impl FnMut(&mut Solving) -> T,
    ) -> Option<()> {
        ways.clear();
        let mut common = Denominator::NONE;
        self.each_branch(|dice| {
            let result = rule(dice);
            let (weight, total) = dice.weight()?;
            let weight = weight.checked_mul(common.share(ways, total)?)?;
            ways.push(Branch { result, weight });
            Some(())
        })
    }

    /// With weights rounded to very fine parts.
    fn finely<T>(&mut self, ways: &mut Vec<Branch<T>>, rule: &mut impl FnMut(&mut Solving) -> T) {
        ways.clear();
        let all = self.each_branch(|dice| {
            let result = rule(dice);
            let weight = (dice.probability() * FINE) as u128;
            ways.push(Branch { result, weight });
            Some(())
        });
        all.expect("a rounded weight always fits");
    }

    /// Goes from branch to branch until there is none left, or there is no going on.
    fn each_branch(&mut self, mut run: impl FnMut(&mut Solving) -> Option<()>) -> Option<()> {
        self.depth = 0;
        self.path.clear();
        self.weights.clear();
        loop {
            run(self)?;
            if !self.advance() {
                return Some(());
            }
        }
    }
}

/// What the weights of all branches so far are out of.
#[derive(Debug, Clone, Copy)]
struct Denominator(u128);

impl Denominator {
    const NONE: Denominator = Denominator(1);

    /// By what the weight of a branch is to be multiplied that is out of this; the weights so far are made to fit.
    #[inline]
    fn share<T>(&mut self, ways: &mut [Branch<T>], total: u128) -> Option<u128> {
        if self.0 == total {
            return Some(1);
        }
        // Divisions of half the width are several times as fast, and most denominators fit.
        if let (Ok(common), Ok(total)) = (u64::try_from(self.0), u64::try_from(total))
            && common % total == 0
        {
            return Some((common / total).into());
        }
        self.widen(ways, total)
    }

    #[cold]
    fn widen<T>(&mut self, ways: &mut [Branch<T>], total: u128) -> Option<u128> {
        let wider = lcm(self.0, total)?;
        let times = wider / self.0;
        if times > 1 {
            for way in ways {
                way.weight = way.weight.checked_mul(times)?;
            }
        }
        self.0 = wider;
        Some(wider / total)
    }
}

/// All ways out of a piece of rule code, said by somebody who need not run it once for each of them.
#[derive(Debug)]
pub struct Ways<T> {
    ways: Vec<Branch<T>>,
    common: Denominator,
    fits: bool,
}

impl<T> Default for Ways<T> {
    fn default() -> Self {
        Ways {
            ways: Vec::new(),
            common: Denominator::NONE,
            fits: true,
        }
    }
}

impl<T> Ways<T> {
    /// One way, with so much of its own total.
    #[inline]
    pub fn add(&mut self, result: T, weight: u128, total: u128) {
        let times = self.common.share(&mut self.ways, total);
        match times.and_then(|times| weight.checked_mul(times)) {
            Some(weight) => self.ways.push(Branch { result, weight }),
            None => self.fits = false,
        }
    }

    /// The weights do not fit into integers.
    pub fn give_up(&mut self) {
        self.fits = false;
    }

    /// Forgets them all.
    pub(crate) fn clear(&mut self) {
        self.ways.clear();
        self.common = Denominator::NONE;
        self.fits = true;
    }

    /// All of them, over one denominator; nothing if that is too large.
    pub(crate) fn all(&mut self) -> Option<&mut Vec<Branch<T>>> {
        match self.fits {
            true => Some(&mut self.ways),
            false => None,
        }
    }
}

/// Where products of denominators do not fit, weights are rounded to parts of this.
const FINE: f64 = (1u128 << 110) as f64;

/// Runs `rule` over every branch of the dice it asks for. Equal results are merged; the weights
/// are integers out of the second value returned.
///
/// ```
/// use grapeshot_engine::dice::{Odds, Throw, branches};
/// let d10 = Odds::new(Throw::d10_from_zero(), |face| face >= 7);
/// let (ways, total) = branches(|dice| d10.roll(dice));
/// assert_eq!(total, 10);
/// assert_eq!(ways.iter().map(|b| (b.result, b.weight)).collect::<Vec<_>>(), [(false, 7), (true, 3)]);
/// ```
pub fn branches<T: PartialEq>(rule: impl FnMut(&mut Solving) -> T) -> (Vec<Branch<T>>, u128) {
    let mut ways = Vec::new();
    let total = Solving::default().walk(&mut ways, rule);
    let mut merged: Vec<Branch<T>> = Vec::new();
    for way in ways {
        match merged.iter_mut().find(|known| known.result == way.result) {
            Some(known) => known.weight += way.weight,
            None => merged.push(way),
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
        // Divisions of half the width are several times as fast, and most weights fit.
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return narrow_gcd(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn narrow_gcd(mut a: u64, mut b: u64) -> u64 {
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
    fn every_change_of_denominator_reaches_all_branches() {
        let die = |sides: i16| Odds::new(Throw::die(1, sides), |face| face);
        let (d4, d6, d7, d10) = (die(4), die(6), die(7), die(10));
        // Out of 24, of 60, of 6 three times, and of 42: together out of 840.
        let (ways, total) = branches(|dice| match d6.roll(dice) {
            1 => (1, d4.roll(dice)),
            2 => (2, d10.roll(dice)),
            6 => (6, d7.roll(dice)),
            face => (face, 0),
        });
        assert_eq!(total, 840);
        assert_eq!(ways.len(), 4 + 10 + 3 + 7);
        for way in ways {
            let each = match way.result.0 {
                1 => 4,
                2 => 10,
                6 => 7,
                _ => 1,
            };
            assert_eq!(way.weight, 140 / each, "{:?}", way.result);
        }
    }

    #[test]
    fn weights_too_wide_for_integers_are_rounded_finely() {
        // Two in six of eighty dice.
        let pool = Odds::new(Throw::pool_at_least(40, 6, 5), |n| n);
        let (ways, total) = branches(|dice| pool.roll(dice) + pool.roll(dice));
        let mean: f64 = ways
            .iter()
            .map(|b| f64::from(b.result) * (b.weight as f64 / total as f64))
            .sum();
        assert!((mean - 80.0 / 3.0).abs() < 1e-10, "{mean}");
    }

    #[test]
    fn divisors_are_found_of_wide_numbers_too() {
        assert_eq!(gcd(12, 18), 6);
        assert_eq!(gcd(6 << 90, 4 << 90), 2 << 90);
        assert_eq!(gcd(21 << 80, 49), 7);
        assert_eq!((gcd(0, 5), gcd(5, 0), gcd(0, 0)), (5, 5, 1));
    }
}
