//! What several edits would do together, guessed from what each does alone.
//!
//! An edit that moves a target by so much alone moves it by about as much beside another, or multiplies its odds by
//! as much. Both are sums: of values, or of logarithms. All sums of two and of three are looked at, and the best of
//! them are proposed.

use super::combine::{Best, Proposal, best_of};
use super::trial::Trials;

/// How effects are taken to add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adding {
    /// As they are: right for results of single faces.
    Plain,
    /// Odds and amounts multiply: right for columns, thresholds, numbers of dice.
    Bent,
}

/// Where logarithms begin.
const LEAST: f64 = 1e-4;
/// How far from the ends a probability counts as, where its logarithm is weighed.
const EDGE: f64 = 0.01;
/// How little the distance from the aim weighs beside what lies outside the target.
const OFF: f64 = 1e-6;

/// One target as a coordinate.
#[derive(Debug, Clone, Copy)]
struct Axis {
    target: usize,
    probability: bool,
    how: Adding,
    weight: f64,
    low: f64,
    high: f64,
    aim: f64,
    /// Nothing where any value beyond a bound will do.
    off: f64,
}

impl Axis {
    fn at(&self, value: f64) -> f64 {
        let x = match (self.how, self.probability) {
            (Adding::Plain, _) => value,
            (Adding::Bent, true) => {
                let p = value.clamp(LEAST, 1.0 - LEAST);
                (p / (1.0 - p)).ln()
            }
            (Adding::Bent, false) => value.max(LEAST).ln(),
        };
        x * self.weight
    }

    fn miss(&self, x: f64) -> f64 {
        let beyond = (self.low - x).max(x - self.high).max(0.0);
        let off = (x - self.aim) * self.off;
        beyond * beyond + off * off
    }
}

/// Values as points that add up.
#[derive(Debug, Clone)]
pub(super) struct Space {
    /// Those that are moved most come first, so that what is far off is seen at once.
    axes: Vec<Axis>,
}

/// What edits do from where they start, in a space.
pub(super) struct Steps<'s> {
    space: &'s Space,
    start: Vec<f64>,
    /// One after the other.
    by: Vec<f64>,
}

impl Space {
    /// The targets, in one way of adding; `moved` are values that edits give.
    pub(super) fn new<'v>(
        trials: &Trials<'_>,
        how: Adding,
        base: &[f64],
        moved: impl Iterator<Item = &'v [f64]>,
    ) -> Self {
        let mut axes: Vec<Axis> = trials
            .targets
            .iter()
            .enumerate()
            .map(|(at, target)| {
                let probability = target.quantity.is_probability();
                let slope = match (how, probability) {
                    (Adding::Plain, _) => 1.0,
                    (Adding::Bent, true) => {
                        let p = target.aim.clamp(EDGE, 1.0 - EDGE);
                        p * (1.0 - p)
                    }
                    (Adding::Bent, false) => target.aim.max(LEAST),
                };
                let mut axis = Axis {
                    target: at,
                    probability,
                    how,
                    weight: slope / target.scale(),
                    low: 0.0,
                    high: 0.0,
                    aim: 0.0,
                    off: 0.0,
                };
                let bound = |x: f64| if x.is_finite() { axis.at(x) } else { x };
                (axis.low, axis.high) = (bound(target.low), bound(target.high));
                axis.aim = axis.at(target.aim);
                if target.low.is_finite() && target.high.is_finite() {
                    axis.off = OFF.sqrt();
                }
                axis
            })
            .collect();
        let mut spread = vec![0.0; axes.len()];
        for values in moved {
            for axis in &axes {
                let at = axis.target;
                spread[at] += (axis.at(values[at]) - axis.at(base[at])).abs();
            }
        }
        axes.sort_by(|a, b| spread[b.target].total_cmp(&spread[a.target]));
        Space { axes }
    }

    /// The point of some values.
    pub(super) fn point(&self, values: &[f64]) -> Vec<f64> {
        self.axes
            .iter()
            .map(|axis| axis.at(values[axis.target]))
            .collect()
    }

    /// What edits do, from where nothing is changed to where each is changed alone.
    pub(super) fn steps<'v>(
        &self,
        start: Vec<f64>,
        ends: impl Iterator<Item = &'v [f64]>,
    ) -> Steps<'_> {
        let mut by = Vec::new();
        for values in ends {
            by.extend(
                self.axes
                    .iter()
                    .zip(&start)
                    .map(|(axis, from)| axis.at(values[axis.target]) - from),
            );
        }
        Steps {
            space: self,
            start,
            by,
        }
    }

    /// How far a point misses; nothing if that is more than `most`.
    #[inline]
    fn miss(&self, point: impl Fn(usize) -> f64, most: f64) -> Option<f64> {
        let mut sum = 0.0;
        for (at, axis) in self.axes.iter().enumerate() {
            sum += axis.miss(point(at));
            if sum > most {
                return None;
            }
        }
        Some(sum)
    }
}

impl Steps<'_> {
    pub(super) fn len(&self) -> usize {
        self.by.len() / self.start.len().max(1)
    }

    pub(super) fn of(&self, edit: usize) -> &[f64] {
        let dimensions = self.start.len();
        &self.by[edit * dimensions..][..dimensions]
    }

    /// The best pairs that fit, by the sum.
    pub(super) fn twos(
        &self,
        most: usize,
        fits: impl Fn(&[usize]) -> bool + Sync,
    ) -> Vec<Proposal> {
        best_of(self.len(), most, &|i, best| {
            let from: Vec<f64> = self
                .start
                .iter()
                .zip(self.of(i))
                .map(|(a, b)| a + b)
                .collect();
            self.one_more(&from, &[i], i + 1, best, &fits);
        })
    }

    /// The best triples that fit, by the sum; none is left out.
    pub(super) fn threes(
        &self,
        most: usize,
        fits: impl Fn(&[usize]) -> bool + Sync,
    ) -> Vec<Proposal> {
        best_of(self.len(), most, &|i, best| {
            let mut from = vec![0.0; self.start.len()];
            for j in i + 1..self.len() {
                let two = self.of(i).iter().zip(self.of(j));
                for ((from, start), (a, b)) in from.iter_mut().zip(&self.start).zip(two) {
                    *from = start + a + b;
                }
                self.one_more(&from, &[i, j], j + 1, best, &fits);
            }
        })
    }

    /// Every edit from `first` on, added to what lies at a point.
    pub(super) fn one_more(
        &self,
        from: &[f64],
        known: &[usize],
        first: usize,
        best: &mut Best,
        fits: &(impl Fn(&[usize]) -> bool + Sync),
    ) {
        for k in first..self.len() {
            let by = self.of(k);
            let miss = self.space.miss(|at| from[at] + by[at], best.worst());
            if let Some(miss) = miss {
                best.offer(miss, || {
                    let mut all: Proposal = known.to_vec();
                    all.push(k);
                    all.sort_unstable();
                    fits(&all).then_some(all)
                });
            }
        }
    }
}
