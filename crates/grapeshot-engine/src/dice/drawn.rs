//! Dice drawn at full speed, for procedures too large to be compiled.
//!
//! [`Sampled`](super::Sampled) throws every physical die and is the plain opinion of the tests; a battle
//! throws some hundreds of times a trial, most of them one die on one column of a printed table. Here
//! a throw is one draw: its outcomes are laid out once, as faces of equal chance where there are few, as
//! an alias table where there are many, and looked up.

use super::{Dice, Roll};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use std::sync::OnceLock;

/// The most faces of equal chance: half a random word decides among them.
const MOST_FACES: u128 = 1 << 12;

/// How the outcomes of a roll are drawn.
#[derive(Debug, Clone)]
enum Layout {
    /// The outcome of each of a number of equally likely faces. A half word whose product with the
    /// number of faces has a low part below `reject_below` is drawn again, so that there is no bias.
    Faces {
        outcomes: Box<[u16]>,
        reject_below: u32,
    },
    /// Columns of equal chance: an outcome up to a threshold of 2^64, another from there on.
    Columns(Box<[Column]>),
}

#[derive(Debug, Clone, Copy)]
struct Column {
    threshold: u64,
    below: u16,
    above: u16,
}

/// The layout of a roll, made when it is first drawn. It follows from the roll, so it never makes two
/// rolls different.
#[derive(Debug, Clone, Default)]
pub(super) struct Laid(OnceLock<Layout>);

impl PartialEq for Laid {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Laid {}

impl Layout {
    fn new(weights: &[u128], total: u128) -> Self {
        if total > MOST_FACES {
            return Layout::Columns(columns(weights, total));
        }
        let faces = weights.iter().enumerate();
        let faces = faces.flat_map(|(at, &weight)| (0..weight).map(move |_| at as u16));
        Layout::Faces {
            outcomes: faces.collect(),
            reject_below: ((1u64 << 32) % total as u64) as u32,
        }
    }
}

/// Walker's alias method in Vose's form, in shares of the mean weight.
fn columns(weights: &[u128], total: u128) -> Box<[Column]> {
    let count = weights.len();
    let mut shares: Vec<f64> = weights
        .iter()
        .map(|&weight| weight as f64 / total as f64 * count as f64)
        .collect();
    let mut columns: Vec<Column> = (0..count as u16)
        .map(|at| Column {
            threshold: u64::MAX,
            below: at,
            above: at,
        })
        .collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..count).partition(|&at| shares[at] < 1.0);
    while let (Some(&short), Some(&long)) = (small.last(), large.last()) {
        small.pop();
        columns[short].threshold = (shares[short] * 2f64.powi(64)) as u64;
        columns[short].above = long as u16;
        shares[long] -= 1.0 - shares[short];
        if shares[long] < 1.0 {
            large.pop();
            small.push(long);
        }
    }
    columns.into()
}

/// Draws the outcome of a throw as one random number.
#[derive(Debug)]
pub struct Drawn<'a> {
    rng: &'a mut Xoshiro256PlusPlus,
}

impl<'a> Drawn<'a> {
    /// Dice drawn with this generator.
    pub fn new(rng: &'a mut Xoshiro256PlusPlus) -> Self {
        Drawn { rng }
    }

    /// The better half of a word. Keeping the other half for later would cost more than it saves.
    #[inline]
    fn half_word(&mut self) -> u32 {
        (self.rng.next_u64() >> 32) as u32
    }
}

impl Dice for Drawn<'_> {
    #[inline]
    fn roll(&mut self, roll: &Roll) -> usize {
        let laid = &roll.laid.0;
        match laid.get_or_init(|| Layout::new(&roll.weights, roll.total)) {
            Layout::Faces {
                outcomes,
                reject_below,
            } => loop {
                let wide = u64::from(self.half_word()) * outcomes.len() as u64;
                if wide as u32 >= *reject_below {
                    return usize::from(outcomes[(wide >> 32) as usize]);
                }
            },
            Layout::Columns(columns) => {
                let wide = u128::from(self.rng.next_u64()) * columns.len() as u128;
                let column = &columns[(wide >> 64) as usize];
                usize::from(if (wide as u64) < column.threshold {
                    column.below
                } else {
                    column.above
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Odds, Throw};
    use rand_xoshiro::rand_core::SeedableRng;

    /// Every outcome as often as its weight says, within five standard deviations.
    fn drawn_as_weighed(odds: &Odds<i32>) {
        const DRAWS: u32 = 200_000;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1863);
        let mut dice = Drawn::new(&mut rng);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..DRAWS {
            *counts.entry(odds.roll(&mut dice)).or_insert(0u32) += 1;
        }
        for (outcome, weight) in odds.iter() {
            let p = weight as f64 / odds.total() as f64;
            let (mean, n) = (p * f64::from(DRAWS), f64::from(DRAWS));
            let got = f64::from(counts.get(&outcome).copied().unwrap_or(0));
            assert!(
                (got - mean).abs() <= 5.0 * (n * p * (1.0 - p)).sqrt() + 1.0,
                "{outcome}: {got} of {mean}"
            );
        }
    }

    #[test]
    fn a_die_shows_every_face_alike() {
        drawn_as_weighed(&Odds::new(Throw::d10_from_zero(), |face| face));
        drawn_as_weighed(&Odds::new(Throw::d6(), |face| (face - 3).max(0)));
    }

    #[test]
    fn sums_and_pools_follow_their_weights() {
        drawn_as_weighed(&Odds::new(Throw::average_dice(3), |sum| sum));
        drawn_as_weighed(&Odds::new(Throw::pool_at_least(20, 6, 4), |hits| hits));
        drawn_as_weighed(&Odds::new(Throw::pool_at_least(40, 10, 8), |hits| hits));
    }

    #[test]
    fn a_roll_that_was_drawn_is_still_the_same_roll() {
        let (one, other) = (
            Odds::new(Throw::d6(), |face| face),
            Odds::new(Throw::d6(), |face| face),
        );
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        one.roll(&mut Drawn::new(&mut rng));
        assert_eq!(one, other);
    }
}
