//! Answering all cells of an experiment, in one parallel job.
//!
//! Cells are checked and their procedures built once, before the first trial. They are spread over the
//! threads, and the batches of one cell are spread again: rayon steals whichever is left, so ten
//! thousand small cells and one huge cell both keep every core busy. A cell's graph lives only while
//! it is played.

use super::chart_spec::ChartKind;
use super::decide::{Decided, decide};
use super::experiment::StudyMethod;
pub use super::prepared::{Overrides, Prepared};
use super::prepared::{PreparedCell, RULES};
use super::results::{Answers, CellResult, Results};
use crate::parallel;
use grapeshot_engine::engine::{Budget, NoteKind, Watch};
use grapeshot_rules::sweep::lies_at;
use grapeshot_rules::{Given, LoadedRuleset, OddsError, Situation};

/// The assumptions that enter a common fight: ruleset and name.
fn assumptions(situation: &Situation) -> Vec<(String, String)> {
    let rules = situation
        .settings()
        .find(grapeshot_rules::common::RULESET_KEY);
    let rules = rules.map_or(String::new(), ToString::to_string);
    let notes = situation.notes().into_iter();
    notes
        .filter(|note| note.kind == NoteKind::Assumption)
        .map(|note| (rules.clone(), note.name))
        .collect()
}

/// Runs a checked experiment. Nothing is returned when it was stopped on the way.
///
/// # Errors
/// If an engine cannot answer.
pub fn run(prepared: &Prepared, watch: &Watch) -> Result<Option<Results>, OddsError> {
    results(prepared, watch, |_, situation| {
        answer(prepared, situation, watch)
    })
}

/// Everything an experiment found, where every cell that the rules allow is answered so: by its number and
/// what is asked. Nothing when it was stopped on the way.
pub(super) fn results(
    prepared: &Prepared,
    watch: &Watch,
    answer: impl Fn(usize, &Situation) -> Result<Answers, OddsError> + Sync,
) -> Result<Option<Results>, OddsError> {
    let mut assumed: Vec<(String, String)> = Vec::new();
    let allowed = prepared
        .cells
        .iter()
        .filter_map(|cell| cell.situation.as_ref().ok());
    for entry in allowed.flat_map(assumptions) {
        if !assumed.contains(&entry) {
            assumed.push(entry);
        }
    }
    let numbered: Vec<(usize, &PreparedCell)> = prepared.cells.iter().enumerate().collect();
    let cells: Result<Vec<CellResult>, OddsError> = parallel::try_map(&numbered, |&(at, cell)| {
        let answers = match &cell.situation {
            Err(reason) => Err(reason.clone()),
            Ok(situation) => Ok(answer(at, situation)?),
        };
        Ok(CellResult {
            place: cell.place.clone(),
            answers,
        })
    });
    let cells = cells?;
    if watch.stopped() {
        return Ok(None);
    }
    let policies = policies(prepared)?;
    Ok(Some(Results {
        experiment: prepared.experiment.clone(),
        method: prepared.method(),
        stop: prepared.stop(),
        seed: prepared.seed(),
        variables: prepared.variables()?,
        cells,
        variants: prepared
            .loaded
            .first()
            .map_or(Vec::new(), LoadedRuleset::variant_names),
        assumed,
        policies,
        instruments: prepared.found()?,
        style: prepared.style.clone(),
        held: prepared.held()?,
        keys: prepared.keys()?,
        bands: prepared.bands()?,
        titles: (prepared.loaded.iter())
            .map(|loaded| loaded.ruleset.title.to_string())
            .collect(),
    }))
}

/// Best play in every cell whose policy is drawn.
fn policies(prepared: &Prepared) -> Result<Vec<(Given, Decided)>, OddsError> {
    let experiment = &prepared.experiment;
    let charts = experiment.charts.iter();
    let charts: Vec<_> = charts
        .filter(|chart| chart.kind == ChartKind::Policy)
        .collect();
    if charts.is_empty() {
        return Ok(Vec::new());
    }
    let drawn = |cell: &&PreparedCell| charts.iter().any(|chart| lies_at(&cell.place, &chart.only));
    let cells: Vec<&PreparedCell> = prepared.cells.iter().filter(drawn).collect();
    let decided = parallel::filter_map(&cells, |cell| {
        let settings = cell.situation.as_ref().ok()?.settings();
        let rules = cell.place.iter().find(|(key, _)| key == RULES);
        let rules = rules.map_or(experiment.rules[0].clone(), |(_, id)| id.to_string());
        let loaded = prepared.loaded.iter().find(|loaded| loaded.id() == rules)?;
        let best = |decision| decide(&decision, settings, Budget::default());
        let decision = loaded
            .decision(&experiment.procedure)
            .map_err(OddsError::from);
        Some(
            decision
                .and_then(best)
                .map(|decided| (cell.place.clone(), decided)),
        )
    });
    decided.into_iter().collect()
}

fn answer(prepared: &Prepared, situation: &Situation, watch: &Watch) -> Result<Answers, OddsError> {
    if watch.stopped() {
        return Ok(Answers {
            exact: None,
            simulated: None,
        });
    }
    let options = prepared.options();
    let (apart, cells) = (watch.apart(), prepared.counts_cells());
    let by_trials = if cells { &apart } else { watch };
    let (exact, simulated) = match prepared.method() {
        StudyMethod::Both => {
            let (exact, simulated) = situation.both(&options, by_trials)?;
            (Some(exact), Some(simulated))
        }
        StudyMethod::Exact => {
            let answered = situation.answer_watched(&options, by_trials)?;
            (Some(answered.odds), None)
        }
        StudyMethod::Simulate => {
            let answered = situation.answer_watched(&options, by_trials)?;
            (None, Some(answered.odds))
        }
    };
    if cells {
        watch.add(1);
    }
    Ok(Answers { exact, simulated })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = r#"
rules = "gbacw"
procedure = "fire"
title = "Fire"
question = "How does fire fall?"
trials = 1000

[sweep]
strength = [4, 8]
"#;

    /// What is announced for a bar, and what was done in the end.
    fn announced_and_done(overrides: Overrides) -> (u64, u64) {
        let none = |name: &str| panic!("no file is named, {name} neither");
        let prepared = Prepared::read("fire", "fire.toml", STUDY, overrides, none);
        let prepared = prepared.expect("a study");
        let watch = Watch::default();
        let results = run(&prepared, &watch).expect("answers");
        assert_eq!(results.expect("nobody stopped it").cells.len(), 2);
        (prepared.work(), watch.done())
    }

    #[test]
    fn work_is_counted_by_trials_and_by_cells_where_nobody_knows_how_many_there_will_be() {
        assert_eq!(announced_and_done(Overrides::default()), (2000, 2000));
        let solved = Overrides {
            method: Some(StudyMethod::Exact),
            ..Overrides::default()
        };
        assert_eq!(announced_and_done(solved), (2, 2));
        let precise = Overrides {
            precision: Some(0.02),
            ..Overrides::default()
        };
        assert_eq!(announced_and_done(precise), (2, 2));
    }
}
