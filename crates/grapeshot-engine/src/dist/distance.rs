//! How far apart two distributions are, and whether a sample fits an exact one.

use super::Marginal;
use std::collections::BTreeMap;

fn paired(a: &Marginal, b: &Marginal) -> BTreeMap<String, (f64, f64)> {
    let mut all: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for value in a.values() {
        all.entry(value.label.clone()).or_default().0 += value.p;
    }
    for value in b.values() {
        all.entry(value.label.clone()).or_default().1 += value.p;
    }
    all
}

/// Total variation: the largest difference of probability any event can have, 0 to 1.
pub fn total_variation(a: &Marginal, b: &Marginal) -> f64 {
    let all = paired(a, b);
    all.values().map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
}

/// 1-Wasserstein distance of two counts or numbers: how far the mass must be moved, on average.
pub fn wasserstein(a: &Marginal, b: &Marginal) -> f64 {
    let mut steps: Vec<(f64, f64)> = a.values().iter().map(|v| (v.number, v.p)).collect();
    steps.extend(b.values().iter().map(|v| (v.number, -v.p)));
    steps.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut ahead = 0.0;
    let mut distance = 0.0;
    for pair in steps.windows(2) {
        ahead += pair[0].1;
        distance += f64::abs(ahead) * (pair[1].0 - pair[0].0);
    }
    distance
}

/// The largest z-score of a simulated value against its exact probability, with that value.
/// Values whose exact probability is 0 or 1 must match it; if they do not, the score is infinite.
pub fn worst_z(exact: &Marginal, simulated: &Marginal, trials: u64) -> (String, f64) {
    let n = trials as f64;
    paired(exact, simulated)
        .into_iter()
        .map(|(label, (p, q))| {
            let sd = (p * (1.0 - p) / n).sqrt();
            let z = if (p - q).abs() < 1e-12 {
                0.0
            } else if sd < 1e-9 / n {
                f64::INFINITY
            } else {
                (q - p) / sd
            };
            (label, z)
        })
        .max_by(|x, y| x.1.abs().total_cmp(&y.1.abs()))
        .unwrap_or_default()
}
