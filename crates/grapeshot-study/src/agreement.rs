//! Simulated against exact, where both were asked for.

use super::{CellResult, Results};
use grapeshot_engine::dist::{Marginal, worst_z};

type MarginalPair = (Marginal, Marginal);

/// Exact and simulated marginals of every cell that has both, and the trials of the latter.
pub fn agreement_pairs(
    results: &Results,
) -> impl Iterator<Item = (&CellResult, u64, Vec<MarginalPair>)> {
    results.cells.iter().filter_map(|cell| {
        let answers = cell.answers.as_ref().ok()?;
        let (exact, simulated) = (answers.exact.as_ref()?, answers.simulated.as_ref()?);
        Some((
            cell,
            simulated.source().trials()?,
            exact
                .marginals()
                .into_iter()
                .zip(simulated.marginals())
                .collect(),
        ))
    })
}

/// The largest z-score of an experiment in both methods, and how many variables were compared.
pub fn worst_agreement(results: &Results) -> Option<(f64, usize)> {
    let scores: Vec<f64> = agreement_pairs(results)
        .flat_map(|(_, trials, marginals)| marginals.into_iter().map(move |pair| (trials, pair)))
        .map(|(trials, (exact, simulated))| worst_z(&exact, &simulated, trials).1.abs())
        .collect();
    let worst = scores.iter().copied().max_by(f64::total_cmp)?;
    Some((worst, scores.len()))
}
