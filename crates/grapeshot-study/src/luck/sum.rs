//! The luck of a whole game: what the entries come to together, among all they could have come to.

use grapeshot_engine::engine::Stream;
use rand::RngExt;
use std::collections::BTreeMap;

/// Scores are counted in parts of this, so that equal sums are equal.
const PARTS: f64 = (1u64 << 40) as f64;
/// With more distinct sums than this the distribution is simulated.
const MOST_SUMS: usize = 200_000;
/// Games of such a simulation.
const GAMES: u64 = 1_000_000;

/// What one entry counts in the sum, and all that it could have counted, with its chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// What it counts.
    pub score: f64,
    /// What it could have counted.
    pub all: Vec<(f64, f64)>,
    /// The same, counted in percentiles.
    percentile: f64,
    percentiles: Vec<(f64, f64)>,
}

impl Scores {
    /// A score among all there could have been.
    pub fn new(score: f64, all: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut merged: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for (score, p) in all {
            merged.entry(parts(score)).or_insert((score, 0.0)).1 += p;
        }
        Scores {
            score,
            all: merged.into_values().collect(),
            percentile: 0.0,
            percentiles: Vec::new(),
        }
    }

    /// Remembers what it counts in percentiles.
    pub(super) fn with_percentiles(mut self, percentile: f64, all: Vec<(f64, f64)>) -> Self {
        self.percentile = percentile;
        self.percentiles = all;
        self
    }

    /// Counted in percentiles, less a half.
    pub(super) fn as_percentiles(&self) -> Self {
        Self::new(self.percentile, self.percentiles.iter().copied())
    }
}

fn parts(score: f64) -> i64 {
    (score * PARTS).round() as i64
}

/// A sum of scores among all that it could have been.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// The sum.
    pub score: f64,
    /// The chance of a smaller one.
    pub smaller: f64,
    /// The chance of just this one.
    pub exactly: f64,
    /// The standard deviation of what it could have been; the mean is 0.
    pub sd: f64,
    /// Games simulated; none where the distribution is exact.
    pub simulated: Option<u64>,
}

impl Sum {
    /// Adds up scores of entries that do not depend on each other.
    pub fn of(scores: &[Scores], seed: u64) -> Self {
        let mine: i64 = scores.iter().map(|scores| parts(scores.score)).sum();
        let variance: f64 = scores.iter().map(variance).sum();
        let (smaller, exactly, simulated) = match convolved(scores) {
            Some(sums) => {
                let of = |keep: &dyn Fn(i64) -> bool| -> f64 {
                    sums.iter()
                        .filter(|(sum, _)| keep(*sum))
                        .map(|(_, p)| p)
                        .sum()
                };
                // Each score is rounded to a part, so sums that are equal may differ by one for each.
                let slack = scores.len() as i64;
                (
                    of(&|sum| sum < mine - slack),
                    of(&|sum| (sum - mine).abs() <= slack),
                    None,
                )
            }
            None => {
                let (smaller, exactly) = sampled(scores, mine, seed);
                (smaller, exactly, Some(GAMES))
            }
        };
        Sum {
            score: scores.iter().map(|scores| scores.score).sum(),
            smaller,
            exactly,
            sd: variance.sqrt(),
            simulated,
        }
    }

    /// The share of games that are unluckier, ties counted half.
    pub fn percentile(&self) -> f64 {
        self.smaller + self.exactly / 2.0
    }
}

fn variance(scores: &Scores) -> f64 {
    let mean: f64 = scores.all.iter().map(|(score, p)| score * p).sum();
    scores
        .all
        .iter()
        .map(|(score, p)| p * (score - mean).powi(2))
        .sum()
}

/// The exact distribution of the sum, unless there are too many different ones.
fn convolved(scores: &[Scores]) -> Option<Vec<(i64, f64)>> {
    let mut sums = vec![(0i64, 1.0f64)];
    for scores in scores {
        if sums.len() * scores.all.len() > 20 * MOST_SUMS {
            return None;
        }
        let mut next: Vec<(i64, f64)> = Vec::with_capacity(sums.len() * scores.all.len());
        for (score, p) in &scores.all {
            next.extend(sums.iter().map(|(sum, q)| (sum + parts(*score), p * q)));
        }
        next.sort_unstable_by_key(|&(sum, _)| sum);
        next.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 += later.1;
            }
            same
        });
        if next.len() > MOST_SUMS {
            return None;
        }
        sums = next;
    }
    Some(sums)
}

fn sampled(scores: &[Scores], mine: i64, seed: u64) -> (f64, f64) {
    let tables: Vec<Vec<(f64, i64)>> = (scores.iter())
        .map(|scores| {
            let mut below = 0.0;
            let step = |&(score, p): &(f64, f64)| {
                below += p;
                (below, parts(score))
            };
            scores.all.iter().map(step).collect()
        })
        .collect();
    let mut rng = Stream::common(seed).batch(0);
    let slack = scores.len() as i64;
    let (mut smaller, mut exactly) = (0u64, 0u64);
    for _ in 0..GAMES {
        let draw = |table: &Vec<(f64, i64)>, at: f64| {
            let place = table.partition_point(|(upto, _)| *upto <= at);
            table[place.min(table.len() - 1)].1
        };
        let sum: i64 = tables
            .iter()
            .map(|table| draw(table, rng.random::<f64>()))
            .sum();
        smaller += u64::from(sum < mine - slack);
        exactly += u64::from((sum - mine).abs() <= slack);
    }
    (smaller as f64 / GAMES as f64, exactly as f64 / GAMES as f64)
}
