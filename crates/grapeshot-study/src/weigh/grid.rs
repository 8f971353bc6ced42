//! The variance over a grid, taken apart.
//!
//! For a set of axes, *explained* is the variance of the mean given where one stands on those axes. From it follow
//! what an axis does alone, what a pair does beyond, and what an axis has to do with at all: all that is left when
//! everything else is known. The share of an axis is its Shapley value: what it adds to what is explained, averaged
//! over every order in which axes may become known; so shares are one together whatever is refused (Owen 2014, "Sobol'
//! indices and Shapley value"; Song, Nelson and Staum 2016 where inputs depend on each other).

/// Axes of which every set is looked at; so many have 4,096 sets.
pub(super) const MOST_AXES: usize = 12;

/// Spreads smaller than this, relative to the largest number, are rounding.
pub(super) const ROUNDING: f64 = 1e-13;

/// Numbers by their place on several axes.
#[derive(Debug, Clone)]
pub struct Grid {
    /// How often each value of each axis is met; together one.
    weights: Vec<Vec<f64>>,
    /// The last axis runs fastest.
    values: Vec<Option<f64>>,
}

/// A variance and its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// The mean.
    pub mean: f64,
    /// The variance; nought if nothing varies, and then all parts are.
    pub variance: f64,
    /// Of each axis, the share dealt to it.
    pub shares: Vec<f64>,
    /// What each axis explains alone.
    pub alone: Vec<f64>,
    /// What is left when all other axes are known.
    pub total: Vec<f64>,
    /// What two axes explain beyond what each explains alone.
    pub pairs: Vec<(usize, usize, f64)>,
}

impl Grid {
    /// A grid without numbers; weights of an axis may have any sum.
    pub fn new(weights: Vec<Vec<f64>>) -> Self {
        let whole = |axis: Vec<f64>| {
            let sum: f64 = axis.iter().sum();
            axis.into_iter().map(|weight| weight / sum).collect()
        };
        Grid {
            weights: weights.into_iter().map(whole).collect(),
            values: Vec::new(),
        }
    }

    /// Sets the numbers, the last axis running fastest.
    pub fn fill(&mut self, values: Vec<Option<f64>>) {
        self.values = values;
    }

    /// Where on each axis a number stands.
    pub fn place(&self, mut at: usize) -> Vec<usize> {
        let mut place = vec![0; self.weights.len()];
        for (digit, axis) in place.iter_mut().zip(&self.weights).rev() {
            *digit = at % axis.len();
            at /= axis.len();
        }
        place
    }

    /// Every number that there is: where it stands, its weight, itself.
    fn known(&self) -> Vec<(usize, f64, f64)> {
        let known = self.values.iter().enumerate();
        let known: Vec<(usize, f64, f64)> = known
            .filter_map(|(at, value)| {
                let place = self.place(at);
                let weights = place.iter().zip(&self.weights);
                let weight = weights.map(|(&digit, axis)| axis[digit]).product();
                Some((at, weight, (*value)?))
            })
            .collect();
        let sum: f64 = known.iter().map(|(_, weight, _)| weight).sum();
        let whole = known.into_iter();
        whole.map(|(at, weight, x)| (at, weight / sum, x)).collect()
    }

    /// The mean at each value of an axis; nothing where there is no number.
    pub fn means(&self, axis: usize) -> Vec<Option<f64>> {
        let mut sums = vec![(0.0, 0.0); self.weights[axis].len()];
        for (at, weight, x) in self.known() {
            let sum = &mut sums[self.place(at)[axis]];
            *sum = (sum.0 + weight, sum.1 + weight * x);
        }
        let mean = |&(weight, sum): &(f64, f64)| (weight > 0.0).then(|| sum / weight);
        sums.iter().map(mean).collect()
    }

    /// Takes the variance apart; of so many sets of axes that there should be no more than twelve.
    pub fn parts(&self) -> Parts {
        let known = self.known();
        let axes = self.weights.len();
        let mean: f64 = known.iter().map(|(_, weight, x)| weight * x).sum();
        let largest = known.iter().map(|(_, _, x)| x.abs()).fold(0.0, f64::max);
        let variance: f64 = known
            .iter()
            .map(|(_, weight, x)| weight * (x - mean).powi(2))
            .sum();
        let mut parts = Parts {
            mean,
            variance,
            shares: vec![0.0; axes],
            alone: vec![0.0; axes],
            total: vec![0.0; axes],
            pairs: Vec::new(),
        };
        if variance.sqrt() <= ROUNDING * largest {
            parts.variance = 0.0;
            return parts;
        }
        let mut explained = vec![0.0; 1 << axes];
        let shape: Vec<usize> = self.weights.iter().map(Vec::len).collect();
        let mut sums = vec![(0.0, 0.0); shape.iter().product()];
        for (at, weight, x) in &known {
            sums[*at] = (*weight, weight * (x - mean));
        }
        collapse(&sums, &shape, (1 << axes) - 1, axes, &mut explained);
        explained.iter_mut().for_each(|part| *part /= variance);
        let all = explained.len() - 1;
        for axis in 0..axes {
            parts.alone[axis] = explained[1 << axis];
            parts.total[axis] = explained[all] - explained[all ^ (1 << axis)];
            // Orders in which the axes of a set come before this one, of all orders.
            let sets = (0..explained.len()).filter(|set| set & (1 << axis) == 0);
            parts.shares[axis] = sets
                .map(|set| {
                    let before = set.count_ones() as usize;
                    let adds = explained[set | (1 << axis)] - explained[set];
                    adds / (axes as f64 * choose(axes - 1, before))
                })
                .sum();
            for other in axis + 1..axes {
                let both = explained[1 << axis | 1 << other];
                let beyond = both - explained[1 << axis] - explained[1 << other];
                parts.pairs.push((axis, other, beyond));
            }
        }
        parts
    }
}

/// The variance of the mean given the place on a set of axes, for this set and all that are left of it when axes below
/// the `free`th are forgotten. Sums are summed once for each set that they belong to, and never from the beginning.
fn collapse(sums: &[(f64, f64)], shape: &[usize], set: usize, free: usize, explained: &mut [f64]) {
    let met = sums.iter().filter(|(weight, _)| *weight > 0.0);
    explained[set] = met.map(|(weight, sum)| sum * sum / weight).sum();
    for axis in 0..free {
        let inner: usize = shape[axis + 1..].iter().product();
        let kept = sums.chunks(inner * shape[axis]).flat_map(|block| {
            (0..inner).map(move |at| {
                let line = block[at..].iter().step_by(inner);
                line.fold((0.0, 0.0), |(weight, sum), one| {
                    (weight + one.0, sum + one.1)
                })
            })
        });
        let mut shorter = shape.to_vec();
        shorter[axis] = 1;
        let kept: Vec<(f64, f64)> = kept.collect();
        collapse(&kept, &shorter, set & !(1 << axis), axis, explained);
    }
}

/// How many ways there are to choose.
fn choose(of: usize, some: usize) -> f64 {
    (0..some).fold(1.0, |ways, at| ways * (of - at) as f64 / (at + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const EXACT: f64 = 1e-12;

    fn grid(axes: &[&[f64]], weights: Vec<Vec<f64>>, of: impl Fn(&[f64]) -> Option<f64>) -> Parts {
        let mut grid = Grid::new(weights);
        let count = axes.iter().map(|axis| axis.len()).product();
        let at = |n: usize| {
            let place = grid.place(n);
            let at: Vec<f64> = place.iter().zip(axes).map(|(&d, axis)| axis[d]).collect();
            of(&at)
        };
        let values = (0..count).map(at).collect();
        grid.fill(values);
        grid.parts()
    }

    fn evenly(axes: &[&[f64]]) -> Vec<Vec<f64>> {
        axes.iter().map(|axis| vec![1.0; axis.len()]).collect()
    }

    #[track_caller]
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < EXACT, "{a} {b}");
    }

    #[test]
    fn what_adds_up_is_carried_by_each_alone() {
        // Variances of the three: 2/3, 9 times 5/4, 1/4 by weights 1 and 3 of 0 and 4, so 3.
        let axes: [&[f64]; 3] = [&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0, 3.0], &[0.0, 4.0]];
        let weights = vec![vec![1.0; 3], vec![1.0; 4], vec![1.0, 3.0]];
        let parts = grid(&axes, weights, |x| Some(x[0] + 3.0 * x[1] + x[2]));
        let variances = [2.0 / 3.0, 9.0 * 5.0 / 4.0, 3.0];
        let all: f64 = variances.iter().sum();
        near(parts.variance, all);
        near(parts.mean, 1.0 + 4.5 + 3.0);
        for (axis, variance) in variances.iter().enumerate() {
            for part in [&parts.alone, &parts.total, &parts.shares] {
                near(part[axis], variance / all);
            }
        }
        assert!(parts.pairs.iter().all(|(_, _, share)| share.abs() < EXACT));
    }

    #[test]
    fn a_pure_interaction_is_nobodys_alone_and_half_of_each() {
        let axes: [&[f64]; 3] = [&[-1.0, 1.0], &[-2.0, 0.0, 2.0], &[5.0, 6.0]];
        let parts = grid(&axes, evenly(&axes), |x| Some(x[0] * x[1]));
        for (axis, share) in [0.5, 0.5, 0.0].into_iter().enumerate() {
            near(parts.alone[axis], 0.0);
            near(parts.total[axis], 2.0 * share);
            near(parts.shares[axis], share);
        }
        assert_eq!((parts.pairs[0].0, parts.pairs[0].1), (0, 1));
        near(parts.pairs[0].2, 1.0);
    }

    #[test]
    fn the_function_of_ishigami_on_a_grid_of_angles_is_as_in_closed_form() {
        // sin x + 7 sin² y + 0.1 z⁴ sin x. Over equal steps round the circle the means of sin, sin² and sin⁴ are those of
        // the integrals, 0, 1/2 and 3/8; of z the moments of the grid itself are taken.
        let circle: Vec<f64> = (0..16)
            .map(|n| -PI + 2.0 * PI * f64::from(n) / 16.0)
            .collect();
        let z: Vec<f64> = (0..11)
            .map(|n| -PI + 2.0 * PI * f64::from(n) / 10.0)
            .collect();
        let axes: [&[f64]; 3] = [&circle, &circle, &z];
        let (a, b) = (7.0, 0.1);
        let parts = grid(&axes, evenly(&axes), |x| {
            Some(x[0].sin() + a * x[1].sin().powi(2) + b * x[2].powi(4) * x[0].sin())
        });
        let moment = |n: i32| z.iter().map(|z| z.powi(n)).sum::<f64>() / z.len() as f64;
        let (fourth, eighth) = (moment(4), moment(8));
        let first = 0.5 * (1.0 + b * fourth).powi(2);
        let second = a * a / 8.0;
        let together = 0.5 * b * b * (eighth - fourth * fourth);
        let all = first + second + together;
        near(parts.variance / all, 1.0);
        for (axis, (alone, total)) in [(first, first + together), (second, second), (0.0, together)]
            .into_iter()
            .enumerate()
        {
            near(parts.alone[axis], alone / all);
            near(parts.total[axis], total / all);
            near(parts.shares[axis], (alone + total) / 2.0 / all);
        }
        near(parts.pairs[1].2, together / all);
        near(parts.pairs[0].2, 0.0);
    }

    #[test]
    fn shares_are_one_together_whatever_is_refused() {
        let axes: [&[f64]; 3] = [&[1.0, 2.0, 3.0], &[1.0, 2.0, 4.0], &[0.0, 1.0]];
        for refused in 0..18usize {
            let parts = grid(&axes, evenly(&axes), |x| {
                let number = (x[0] * 7.0 + x[1] * 3.0 + x[2]) as usize;
                (number % 18 != refused).then(|| x[0] * x[1] - x[2] * x[0])
            });
            near(parts.shares.iter().sum(), 1.0);
        }
        // Two axes of which only the diagonal is allowed know the same: half of it each.
        let same: [&[f64]; 2] = [&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]];
        let parts = grid(&same, evenly(&same), |x| (x[0] == x[1]).then_some(x[0]));
        near(parts.shares[0], 0.5);
        near(parts.alone[0], 1.0);
        near(parts.total[0], 0.0);
    }

    #[test]
    fn where_nothing_varies_nothing_is_shared() {
        let axes: [&[f64]; 2] = [&[1.0, 2.0], &[1.0, 2.0]];
        let parts = grid(&axes, evenly(&axes), |_| Some(0.1 + 0.2));
        assert_eq!(parts.variance, 0.0);
        assert!(parts.shares.iter().all(|share| *share == 0.0));
    }
}
