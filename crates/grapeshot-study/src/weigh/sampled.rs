//! The same of a grid that is too large: scrambled Sobol points instead of all its cells, with intervals.
//!
//! A point is two cells drawn apart, `a` and `b`, and what lies between: `a` with one value of `b`, `b` with one of `a`,
//! and a walk from `a` to `b` that takes over one value after the other in some order. From the first two kinds come what
//! an axis explains alone (Saltelli et al. 2010), what is left without it (Jansen 1999) and what pairs explain (Saltelli
//! 2002); from the walk the shares (Goda 2021, "A simple algorithm for global sensitivity analysis with Shapley effects"),
//! which are one together of themselves. Points come in sets that are scrambled apart; how far the sets are from each
//! other gives the intervals, by leaving out each of them in turn. Of a step whose cells the rules refuse nothing is learnt.

use super::grid::ROUNDING;
use grapeshot_engine::dist::Estimate;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::Rng;
use rustc_hash::FxHashMap;
use serde::Serialize;
use sobol_burley::sample;

/// Sets of points, scrambled apart.
const SETS: usize = 8;
/// The 97.5th percentile of Student's distribution with one degree of freedom less than there are sets.
const STUDENT: f64 = 2.364_624_251_592_785;
/// Axes there may be; each needs two dimensions of the sequence.
pub(super) const MOST_AXES: usize = sobol_burley::NUM_DIMENSIONS as usize / 2;
/// The longest sequence that is drawn in a set.
const LONGEST: usize = 1 << 14;
/// How many times more cells twice as many points have to meet, to be worth their while.
const STILL_GROWING: f64 = 1.05;

/// How a grid was sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sampling {
    /// Points that were drawn, in all sets.
    pub points: usize,
    /// Sets of them, each scrambled by itself.
    pub sets: usize,
    /// The seed of the scrambling.
    pub seed: u64,
}

/// Where to stand on each axis, by position.
type Place = Vec<u32>;

/// A point: the cells that have to be known.
#[derive(Debug)]
struct Point {
    set: usize,
    a: usize,
    b: usize,
    /// For each axis, `a` with the value of `b`.
    a_with: Vec<usize>,
    /// For each axis, `b` with the value of `a`.
    b_with: Vec<usize>,
    /// The axes in the order in which they are taken over.
    order: Vec<usize>,
    /// The cells from `a` to `b`, both ends included.
    walk: Vec<usize>,
}

/// What has to be asked to sample a grid: distinct cells, and the points between them.
#[derive(Debug)]
pub(super) struct Design {
    /// The cells, each once.
    pub places: Vec<Vec<usize>>,
    pub sampling: Sampling,
    points: Vec<Point>,
    sizes: Vec<usize>,
}

impl Design {
    /// Points on axes whose values are met so often, as many as need no more cells than there may be; nothing if not even
    /// two for each set do.
    pub(super) fn new(weights: &[Vec<f64>], most_cells: usize, seed: u64) -> Option<Self> {
        // Balanced sets have a power of two.
        let counts = (1..=LONGEST.ilog2()).map(|bits| 1 << bits);
        let designs = counts.map(|count| Design::of(weights, count, seed));
        let mut fitting = designs.take_while(|design| design.places.len() <= most_cells);
        // What has few values soon meets all that there is, and more points would only be the same ones again.
        let mut best = fitting.next()?;
        for next in fitting {
            let grown = next.places.len() as f64 / best.places.len() as f64;
            best = next;
            if grown < STILL_GROWING {
                break;
            }
        }
        Some(best)
    }

    /// So many points in each set.
    fn of(weights: &[Vec<f64>], count: usize, seed: u64) -> Self {
        let axes = weights.len();
        let mut numbered: FxHashMap<Place, usize> = FxHashMap::default();
        let mut number = |place: &Place| {
            let next = numbered.len();
            *numbered.entry(place.clone()).or_insert(next)
        };
        let mut points = Vec::new();
        for set in 0..SETS {
            let mut rng = SplitMix64::seed_from_u64(seed.wrapping_add(set as u64));
            let scramble = rng.next_u32();
            let draw = |at: usize, first: usize| -> Place {
                let axes = weights.iter().zip(first..);
                let value = |(weights, dimension): (&Vec<f64>, usize)| {
                    let u = sample(at as u32, dimension as u32, scramble);
                    value_at(weights, f64::from(u))
                };
                axes.map(value).collect()
            };
            for at in 0..count {
                let (a, b) = (draw(at, 0), draw(at, axes));
                let mut with = |from: &Place, to: &Place| -> Vec<usize> {
                    let each = (0..axes).map(|axis| {
                        let mut place = from.clone();
                        place[axis] = to[axis];
                        number(&place)
                    });
                    each.collect()
                };
                let (a_with, b_with) = (with(&a, &b), with(&b, &a));
                let mut order: Vec<usize> = (0..axes).collect();
                order.shuffle(&mut rng);
                let mut place = a.clone();
                let mut walk = vec![number(&a)];
                for &axis in &order {
                    place[axis] = b[axis];
                    walk.push(number(&place));
                }
                points.push(Point {
                    set,
                    a: walk[0],
                    b: walk[axes],
                    a_with,
                    b_with,
                    order,
                    walk,
                });
            }
        }
        let mut places = vec![Vec::new(); numbered.len()];
        for (place, at) in numbered {
            places[at] = place.into_iter().map(|digit| digit as usize).collect();
        }
        Design {
            places,
            points,
            sampling: Sampling {
                points: SETS * count,
                sets: SETS,
                seed,
            },
            sizes: weights.iter().map(Vec::len).collect(),
        }
    }

    /// What the cells come to: parts of the variance, each with its interval.
    pub(super) fn parts(&self, values: &[Option<f64>]) -> SampledParts {
        let axes = self.sizes.len();
        let ends = || {
            self.points
                .iter()
                .flat_map(|p| [(p.set, p.a), (p.set, p.b)])
        };
        let mut mean = Ratio::default();
        for (set, at) in ends() {
            if let Some(x) = values[at] {
                mean.add(set, x, 1.0);
            }
        }
        let middle = mean.value();
        let away = |at: usize| values[at].map(|x| x - middle);
        let mut variance = Ratio::default();
        for (set, at) in ends() {
            if let Some(x) = away(at) {
                variance.add(set, x * x, 1.0);
            }
        }
        let mut parts = SampledParts {
            mean: mean.estimate(),
            variance: variance.estimate(),
            shares: vec![Estimate::exact(0.0); axes],
            alone: vec![Estimate::exact(0.0); axes],
            total: vec![Estimate::exact(0.0); axes],
            pairs: Vec::new(),
            means: self.means(values),
        };
        let largest = values
            .iter()
            .flatten()
            .fold(0.0f64, |most, x| most.max(x.abs()));
        if parts.variance.value.max(0.0).sqrt() <= ROUNDING * largest {
            parts.variance = Estimate::exact(0.0);
            return parts;
        }
        for axis in 0..axes {
            let (mut alone, mut total) = (Ratio::default(), Ratio::default());
            for point in &self.points {
                let both = [
                    (point.a, point.b, point.a_with[axis], point.b_with[axis]),
                    (point.b, point.a, point.b_with[axis], point.a_with[axis]),
                ];
                // Each end in turn: the other, and what both are with one value exchanged.
                for (a, b, a_with, b_with) in both {
                    if let [Some(a), Some(b), Some(with), Some(_)] =
                        [a, b, a_with, b_with].map(away)
                    {
                        let spread = 0.5 * (a * a + b * b);
                        alone.add(point.set, b * (with - a), spread);
                        total.add(point.set, 0.5 * (a - with).powi(2), spread);
                    }
                }
            }
            parts.alone[axis] = alone.estimate();
            parts.total[axis] = total.estimate();
        }
        for one in 0..axes {
            for other in one + 1..axes {
                parts.pairs.push((one, other, self.pair(one, other, &away)));
            }
        }
        parts.shares = self.shares(&away);
        parts
    }

    /// What two axes explain together, beyond what each does alone.
    fn pair(&self, one: usize, other: usize, away: &impl Fn(usize) -> Option<f64>) -> Estimate {
        let mut beyond = Ratio::default();
        for point in &self.points {
            let known = [
                point.a,
                point.b,
                point.a_with[one],
                point.b_with[one],
                point.a_with[other],
                point.b_with[other],
            ]
            .map(away);
            let [Some(a), Some(b), Some(a1), Some(b1), Some(a2), Some(b2)] = known else {
                continue;
            };
            // Both axes in common, less one of them in common, less the other, plus none.
            let both = 0.5 * (b1 * a2 + a1 * b2);
            let first = 0.5 * (b * a1 + a * b1);
            let second = 0.5 * (b * a2 + a * b2);
            beyond.add(
                point.set,
                both - first - second + a * b,
                0.5 * (a * a + b * b),
            );
        }
        beyond.estimate()
    }

    /// What is dealt to each axis, by the walks.
    fn shares(&self, away: &impl Fn(usize) -> Option<f64>) -> Vec<Estimate> {
        let mut shares = vec![Ratio::default(); self.sizes.len()];
        for point in &self.points {
            let walk: Option<Vec<f64>> = point.walk.iter().map(|&at| away(at)).collect();
            let Some(walk) = walk else { continue };
            let (from, to) = (walk[0], walk[walk.len() - 1]);
            let whole = 0.5 * (from - to).powi(2);
            for share in &mut shares {
                share.add(point.set, 0.0, whole);
            }
            for (&axis, step) in point.order.iter().zip(walk.windows(2)) {
                let part = (from - 0.5 * (step[0] + step[1])) * (step[0] - step[1]);
                shares[axis].add(point.set, part, 0.0);
            }
        }
        shares.iter().map(Ratio::estimate).collect()
    }

    /// The mean at each value of each axis.
    fn means(&self, values: &[Option<f64>]) -> Vec<Vec<Option<Estimate>>> {
        let mut means: Vec<Vec<Ratio>> = self
            .sizes
            .iter()
            .map(|&n| vec![Ratio::default(); n])
            .collect();
        for point in &self.points {
            for at in [point.a, point.b] {
                let Some(x) = values[at] else { continue };
                for (means, &digit) in means.iter_mut().zip(&self.places[at]) {
                    means[digit].add(point.set, x, 1.0);
                }
            }
        }
        let told = |mean: &Ratio| mean.is_known().then(|| mean.estimate());
        means
            .iter()
            .map(|means| means.iter().map(told).collect())
            .collect()
    }
}

/// A variance and its parts, as far as samples tell.
#[derive(Debug)]
pub(super) struct SampledParts {
    pub mean: Estimate,
    pub variance: Estimate,
    pub shares: Vec<Estimate>,
    pub alone: Vec<Estimate>,
    pub total: Vec<Estimate>,
    pub pairs: Vec<(usize, usize, Estimate)>,
    pub means: Vec<Vec<Option<Estimate>>>,
}

/// A sum over another, set by set.
#[derive(Debug, Clone, Default)]
struct Ratio([(f64, f64); SETS]);

impl Ratio {
    fn add(&mut self, set: usize, above: f64, below: f64) {
        let sum = &mut self.0[set];
        *sum = (sum.0 + above, sum.1 + below);
    }

    fn is_known(&self) -> bool {
        self.0.iter().any(|(_, below)| *below > 0.0)
    }

    fn of(sums: impl Iterator<Item = (f64, f64)>) -> f64 {
        let (above, below) = sums.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if below > 0.0 { above / below } else { 0.0 }
    }

    fn value(&self) -> f64 {
        Ratio::of(self.0.iter().copied())
    }

    /// With its interval: how far it goes when each set is left out in turn (the jackknife).
    fn estimate(&self) -> Estimate {
        let value = self.value();
        let without = |left: usize| {
            let kept = self.0.iter().enumerate().filter(move |(at, _)| *at != left);
            Ratio::of(kept.map(|(_, sum)| *sum))
        };
        let each: Vec<f64> = (0..SETS).map(without).collect();
        let mean = each.iter().sum::<f64>() / SETS as f64;
        let spread: f64 = each.iter().map(|x| (x - mean).powi(2)).sum();
        let half = STUDENT * (spread * (SETS - 1) as f64 / SETS as f64).sqrt();
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    }
}

/// The value at which weights, which are one together, have summed up to `u`.
fn value_at(weights: &[f64], u: f64) -> u32 {
    let mut sum = 0.0;
    let within = weights.iter().position(|weight| {
        sum += weight;
        u < sum
    });
    within.unwrap_or(weights.len() - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::super::grid::Grid;
    use super::*;

    /// Axes of 3, 2, 5, 4 and 9 values, not met alike.
    const WEIGHTS: [&[f64]; 5] = [
        &[0.25, 0.25, 0.5],
        &[0.5, 0.5],
        &[0.1, 0.2, 0.3, 0.3, 0.1],
        &[0.25; 4],
        &[1.0 / 9.0; 9],
    ];

    fn weights() -> Vec<Vec<f64>> {
        WEIGHTS.iter().map(|axis| axis.to_vec()).collect()
    }

    /// Something with every kind of part: alone, in pairs, in threes, and an axis that does nothing.
    fn number(place: &[usize]) -> f64 {
        let x: Vec<f64> = place.iter().map(|&digit| digit as f64).collect();
        2.0 * x[0] + x[1] * x[2] - 1.5 * x[4] + x[0] * x[1] * x[4]
    }

    fn both(
        of: impl Fn(&[usize]) -> Option<f64>,
        points: usize,
    ) -> (super::super::grid::Parts, SampledParts) {
        let mut grid = Grid::new(weights());
        let count = WEIGHTS.iter().map(|axis| axis.len()).product();
        let values = (0..count).map(|at| of(&grid.place(at))).collect();
        grid.fill(values);
        let design = Design::of(&weights(), points, 7);
        let values: Vec<Option<f64>> = design.places.iter().map(|place| of(place)).collect();
        (grid.parts(), design.parts(&values))
    }

    /// How many half-widths lie between the two; a little is allowed where the interval is nothing.
    fn apart(exact: f64, sampled: &Estimate) -> f64 {
        (exact - sampled.value).abs() / (sampled.half_width() + 1e-9)
    }

    #[test]
    fn samples_agree_with_the_whole_grid_within_their_intervals() {
        let (exact, sampled) = both(|place| Some(number(place)), 256);
        let each = (exact.shares.iter().zip(&sampled.shares))
            .chain(exact.alone.iter().zip(&sampled.alone))
            .chain(exact.total.iter().zip(&sampled.total));
        let pairs = exact.pairs.iter().zip(&sampled.pairs);
        let pairs = pairs.map(|((a, b, x), (c, d, y))| {
            assert_eq!((a, b), (c, d));
            (x, y)
        });
        let apart: Vec<f64> = each.chain(pairs).map(|(x, y)| apart(*x, y)).collect();
        let outside = apart.iter().filter(|by| **by > 1.0).count();
        assert_eq!(apart.len(), 25);
        // Of 25 intervals one or two may miss; none by far.
        assert!(
            outside <= 3 && apart.iter().all(|by| *by < 2.0),
            "{apart:?}"
        );
        // And they are no wider than such a sample deserves.
        assert!(sampled.total.iter().all(|x| x.half_width() < 0.05));
        let together: f64 = sampled.shares.iter().map(|share| share.value).sum();
        assert!((together - 1.0).abs() < 1e-12, "{together}");
    }

    #[test]
    fn an_axis_that_does_nothing_is_nothing_without_any_error() {
        let (_, sampled) = both(|place| Some(number(place)), 16);
        for part in [&sampled.total[3], &sampled.shares[3]] {
            assert_eq!((part.low, part.high), (0.0, 0.0));
        }
    }

    #[test]
    fn what_is_refused_is_left_out_and_the_shares_are_still_one_together() {
        let (_, sampled) = both(
            |place| (place[0] + place[4] != 5).then(|| number(place)),
            64,
        );
        let together: f64 = sampled.shares.iter().map(|share| share.value).sum();
        assert!((together - 1.0).abs() < 1e-12, "{together}");
    }

    #[test]
    fn where_there_is_no_room_for_two_points_a_set_there_is_no_sample() {
        assert!(Design::new(&weights(), 100, 1).is_none());
        let design = Design::new(&weights(), 2_000, 1).expect("room");
        assert!(design.places.len() <= 2_000 && design.sampling.points >= 16);
    }
}
