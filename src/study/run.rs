//! Answering all cells of an experiment, in one parallel job.
//!
//! Cells are checked and their procedures built once, before the first trial. They are spread over the
//! threads, and the batches of one cell are spread again: rayon steals whichever is left, so ten
//! thousand small cells and one huge cell both keep every core busy. A cell's graph lives only while
//! it is played.

use super::chart_spec::ChartKind;
use super::decide::{Decided, decide};
use super::experiment::{Draft, Experiment, StudyMethod};
use super::problems::Problems;
use super::results::{Answers, CellResult, Results};
use super::style::Style;
use super::sweep::{Place, cells, lies_at};
use crate::dist::{Quantity, Variable};
use crate::engine::{Budget, Method, NoteKind, Stop, Watch};
use crate::rules::{
    self, Given, Labels, Loaded, OddsError, Options, RuleError, Ruleset, Situation, Value, Variant,
};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// What the command line puts in place of what the file says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Trials of each cell.
    pub trials: Option<u64>,
    /// Trials of each cell, at most.
    pub most_trials: Option<u64>,
    /// The method.
    pub method: Option<StudyMethod>,
    /// The seed.
    pub seed: Option<u64>,
}

/// A cell whose keys and values have been checked: what is to be answered, or why the rules refuse it.
pub(super) struct Cell {
    pub(super) place: Given,
    pub(super) situation: Result<Situation, String>,
}

/// A checked experiment, ready to run.
pub struct Prepared {
    experiment: Experiment,
    loaded: Vec<Loaded>,
    pub(super) cells: Vec<Cell>,
    /// Name and text of every variant.
    variants: Vec<(String, String)>,
    overrides: Overrides,
    style: Style,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("experiment", &self.experiment.id)
            .finish_non_exhaustive()
    }
}

impl Prepared {
    /// Reads a study and checks it whole: rules, procedure, keys, values, charts, findings. `files` gives
    /// the text of a variant or style file by its name.
    ///
    /// # Errors
    /// Names the file, the line and what is wrong, for everything that is wrong.
    pub fn read(
        id: &str,
        file: &str,
        text: &str,
        overrides: Overrides,
        files: impl Fn(&str) -> Result<String, RuleError>,
    ) -> Result<Self, RuleError> {
        Prepared::checked(Draft::read(id, file, text)?, overrides, files)
    }

    /// The same of an experiment that is read already.
    ///
    /// # Errors
    /// Names the file and what is wrong in it.
    pub fn new(
        experiment: Experiment,
        overrides: Overrides,
        files: impl Fn(&str) -> Result<String, RuleError>,
    ) -> Result<Self, RuleError> {
        let draft = Draft {
            problems: Problems::new(&experiment.file, &experiment.text),
            charts: (0..experiment.charts.len()).collect(),
            experiment,
        };
        Prepared::checked(draft, overrides, files)
    }

    fn checked(
        draft: Draft,
        overrides: Overrides,
        files: impl Fn(&str) -> Result<String, RuleError>,
    ) -> Result<Self, RuleError> {
        let Draft {
            experiment,
            problems: mut wrong,
            charts: numbers,
        } = draft;
        let mut variants = Vec::new();
        for name in &experiment.variants {
            variants.extend(wrong.keep(files(name)).map(|text| (name.clone(), text)));
        }
        let loaded = load(&experiment, &variants, &files, &mut wrong);
        let style_file = experiment.style_file.as_ref();
        let shared = style_file.and_then(|name| {
            let style = files(name).and_then(|text| Style::parse(name, &text));
            wrong.keep(style)
        });
        // Without its rules nothing more can be said about it.
        if loaded.is_empty() || loaded.len() < experiment.rules.len() {
            wrong.end()?;
            return Err(RuleError::Other(format!("{}: no rules", experiment.file)));
        }
        check_values(&experiment, &loaded, &mut wrong);
        let cells = match wrong.is_empty() {
            true => wrong.keep(cells_of(&experiment, &loaded)),
            false => cells_of(&experiment, &loaded).ok(),
        };
        let prepared = Prepared {
            style: experiment.figure.clone().over(&shared.unwrap_or_default()),
            cells: cells.unwrap_or_default(),
            experiment,
            loaded,
            variants,
            overrides,
        };
        prepared.check(&numbers, &mut wrong);
        wrong.end()?;
        Ok(prepared)
    }

    /// The same with another file of style in place of the one it names; what the experiment says itself
    /// still goes before.
    #[must_use]
    pub fn in_style(mut self, shared: &Style) -> Self {
        self.style = self.experiment.figure.clone().over(shared);
        self
    }

    /// How its results are shown.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// The experiment.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Trials of each cell.
    pub fn trials(&self) -> u64 {
        let trials = self.overrides.trials.unwrap_or(self.experiment.trials);
        trials.min(self.overrides.most_trials.unwrap_or(u64::MAX))
    }

    /// The method that will be used.
    pub fn method(&self) -> StudyMethod {
        self.overrides.method.unwrap_or(self.experiment.method)
    }

    /// The seed that will be used.
    pub fn seed(&self) -> u64 {
        self.overrides.seed.unwrap_or(self.experiment.seed)
    }

    /// The effective tables of its rulesets, for the fingerprint.
    pub fn tables(&self) -> Vec<String> {
        self.loaded
            .iter()
            .map(|loaded| loaded.tables.to_toml())
            .collect()
    }

    /// Name and text of every variant laid over them.
    pub fn variants(&self) -> &[(String, String)] {
        &self.variants
    }

    /// Trials that will be simulated in all.
    pub fn work(&self) -> u64 {
        let cells = self.cells.len() as u64;
        match self.method() {
            StudyMethod::Exact => cells,
            StudyMethod::Simulate | StudyMethod::Both => cells * self.trials(),
        }
    }

    /// How a cell is answered.
    pub(super) fn options(&self) -> Options {
        Options {
            method: match self.method() {
                StudyMethod::Simulate => Method::Simulate,
                StudyMethod::Exact | StudyMethod::Both => Method::Exact,
            },
            stop: Stop::Trials(self.trials()),
            seed: self.seed(),
            common_dice: self.experiment.common_dice,
            ..Options::default()
        }
    }

    fn variables(&self) -> Result<Vec<Variable>, RuleError> {
        let mut all: Vec<Variable> = Vec::new();
        for loaded in &self.loaded {
            for variable in &loaded.playable(&self.experiment.procedure)?.variables {
                if !all.iter().any(|known| known.name == variable.name) {
                    all.push(variable.clone());
                }
            }
        }
        Ok(all)
    }

    /// Checks cells, charts and findings; `numbers` are those of the charts in the file, from 0.
    fn check(&self, numbers: &[usize], wrong: &mut Problems) {
        let experiment = &self.experiment;
        let cells = &self.cells;
        if !cells.is_empty() && cells.iter().all(|cell| cell.situation.is_err()) {
            let reason = cells.first().and_then(|cell| cell.situation.as_ref().err());
            let reason = reason.map_or("", String::as_str);
            let problem = format!("the rules refuse every cell of the sweep: {reason}");
            wrong.add(RuleError::Other(problem));
        }
        let mut possible = cells.iter().filter_map(|cell| cell.situation.as_ref().ok());
        if self.method() != StudyMethod::Simulate
            && let Some(why) = possible.find_map(Situation::why_never_solved)
        {
            let method = self.method().label();
            let problem =
                format!("is {method}, and it cannot be solved exactly: {why}; allowed is simulate");
            wrong.about("method", problem);
        }
        let Some(variables) = wrong.keep(self.variables()) else {
            return;
        };
        let places: Vec<(&Place, bool)> = cells
            .iter()
            .map(|cell| (&cell.place[..], cell.situation.is_ok()))
            .collect();
        for (chart, number) in experiment.charts.iter().zip(numbers) {
            let key = |entry: &str| format!("chart[{}].{entry}", number + 1);
            // Where the sweep itself is wrong, only what does not hang on its cells can be told.
            let hangs = |entry: &str| ["only", "baseline", "kind"].contains(&entry);
            if let Err((entry, problem)) = chart.check(&experiment.axes, &variables, &places)
                && (!cells.is_empty() || !hangs(&entry))
            {
                wrong.about(key(&entry), problem);
            }
            if chart.kind == ChartKind::Policy
                && let Err(error) = self.loaded[0].decision(&experiment.procedure)
            {
                let problem = format!("a policy is drawn of what is decided: {error}");
                wrong.about(key("kind"), problem);
            }
        }
        let swept = experiment.swept();
        for (at, finding) in experiment.findings.iter().enumerate() {
            let key = |entry: &str| format!("finding[{}].{entry}", at + 1);
            if let Err(error) = Quantity::parse(&finding.of, &variables) {
                wrong.about(key("of"), RuleError::from(error));
            }
            let along = finding.along.iter().map(|along| ("along", along));
            let each = finding.each.iter().map(|each| ("each", each));
            let only = finding.only.iter().map(|(only, _)| ("only", only));
            for (entry, named) in along.chain(each).chain(only) {
                if !swept.contains(&named.as_str()) {
                    let unknown = RuleError::unknown("swept key", named, &swept);
                    wrong.about(key(entry), unknown);
                }
            }
        }
    }
}

/// The rulesets of an experiment, as far as they can be loaded and have the procedure.
fn load(
    experiment: &Experiment,
    variants: &[(String, String)],
    files: &impl Fn(&str) -> Result<String, RuleError>,
    wrong: &mut Problems,
) -> Vec<Loaded> {
    let mut loaded = Vec::new();
    let laid: Result<Vec<Variant>, RuleError> = variants
        .iter()
        .map(|(name, text)| Variant::parse(name, text))
        .collect();
    let Some(laid) = wrong.keep(laid) else {
        return loaded;
    };
    for id in &experiment.rules {
        let ruleset = match edition(id, &experiment.file, files) {
            Ok(ruleset) => ruleset,
            Err(error @ RuleError::Unknown { .. }) => {
                wrong.about("rules", error);
                continue;
            }
            Err(other) => {
                wrong.add(other);
                continue;
            }
        };
        let Some(one) = wrong.keep(ruleset.load(&laid)) else {
            continue;
        };
        // What is not said at all is told of already.
        if experiment.procedure.is_empty() {
            continue;
        }
        match one.playable(&experiment.procedure).map(drop) {
            Ok(()) => loaded.push(one),
            Err(error) => wrong.about("procedure", error),
        }
    }
    loaded
}

/// Every key and every value by itself, so that one mistake does not hide the next.
fn check_values(experiment: &Experiment, loaded: &[Loaded], wrong: &mut Problems) {
    let settings = experiment.settings.iter().map(|(key, value)| (key, value));
    let swept = experiment.axes.iter().flat_map(|axis| {
        let rows = axis.values.iter();
        rows.flat_map(|row| axis.keys.iter().zip(row))
    });
    let all: Vec<(&String, &Value)> = settings.chain(swept).collect();
    for one in loaded {
        let Ok(procedure) = one.playable(&experiment.procedure) else {
            continue;
        };
        for &(key, value) in all.iter().filter(|(key, _)| *key != RULES) {
            if let Err(error @ (RuleError::Unknown { .. } | RuleError::Value { .. })) =
                procedure.resolve([(key, value)])
            {
                let place = wrong.section_of(key);
                wrong.about(place, error);
            }
        }
    }
}

/// A ruleset by its name; the variant of an edition is one of the experiment's files.
fn edition(
    id: &str,
    experiment: &str,
    files: &impl Fn(&str) -> Result<String, RuleError>,
) -> Result<Arc<Ruleset>, RuleError> {
    let find = |id: &str| rules::find_beside(id, Path::new(experiment));
    match rules::edition_of(id) {
        Some((base, file)) => {
            let variant = Variant::parse(file, &files(file)?)?;
            find(base)?.edition(variant).map(Arc::new)
        }
        None => find(id),
    }
}

/// Every cell with its settings checked. A wrong key or value is an error; a combination the rules
/// refuse is a cell with a reason.
fn cells_of(experiment: &Experiment, loaded: &[Loaded]) -> Result<Vec<Cell>, RuleError> {
    let first = &experiment.rules[0];
    cells(&experiment.axes)
        .into_iter()
        .map(|mut place| {
            let swept = place.iter().find(|(key, _)| key == RULES);
            let rules = swept.map_or(first.clone(), |(_, id)| id.to_string());
            let at = experiment.rules.iter().position(|known| *known == rules);
            let loaded = &loaded[at.expect("a sweep over rulesets names those of the experiment")];
            let procedure = loaded.playable(&experiment.procedure)?;
            let keys = experiment.settings.iter().chain(&place);
            let given = keys.filter(|(key, _)| key != RULES);
            let settings = procedure.resolve(given.map(|(k, v)| (k, v)))?;
            for (key, value) in place.iter_mut().filter(|(key, _)| key != RULES) {
                *value = settings.get(key).clone();
            }
            let situation = match procedure.situation(settings) {
                Ok(situation) => Ok(situation),
                Err(error) if error.is_refusal() => Err(error.to_string()),
                Err(other) => return Err(other),
            };
            Ok(Cell { place, situation })
        })
        .collect()
}

/// The key of a sweep over rulesets.
pub(super) const RULES: &str = "rules";

/// The assumptions that enter a common fight: ruleset and name.
fn assumptions(situation: &Situation) -> Vec<(String, String)> {
    let rules = situation.settings().find(rules::common::RULESET_KEY);
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
    let cells: Result<Vec<CellResult>, OddsError> = prepared
        .cells
        .par_iter()
        .enumerate()
        .map(|(at, cell)| {
            let answers = match &cell.situation {
                Err(reason) => Err(reason.clone()),
                Ok(situation) => Ok(answer(at, situation)?),
            };
            Ok(CellResult {
                place: cell.place.clone(),
                answers,
            })
        })
        .collect();
    let cells = cells?;
    if watch.stopped() {
        return Ok(None);
    }
    let policies = policies(prepared)?;
    Ok(Some(Results {
        experiment: prepared.experiment.clone(),
        method: prepared.method(),
        trials: prepared.trials(),
        seed: prepared.seed(),
        variables: prepared.variables()?,
        cells,
        variants: prepared
            .loaded
            .first()
            .map_or(Vec::new(), Loaded::variant_names),
        assumed,
        policies,
        style: prepared.style.clone(),
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
    let drawn = |cell: &&Cell| charts.iter().any(|chart| lies_at(&cell.place, &chart.only));
    let cells: Vec<&Cell> = prepared.cells.iter().filter(drawn).collect();
    let decided = cells.par_iter().filter_map(|cell| {
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
    decided.collect()
}

fn answer(prepared: &Prepared, situation: &Situation, watch: &Watch) -> Result<Answers, OddsError> {
    if watch.stopped() {
        return Ok(Answers {
            exact: None,
            simulated: None,
        });
    }
    let options = prepared.options();
    let (exact, simulated) = match prepared.method() {
        StudyMethod::Both => {
            let (exact, simulated) = situation.both(&options, watch)?;
            (Some(exact), Some(simulated))
        }
        StudyMethod::Exact => {
            let answered = situation.answer_watched(&options, watch)?;
            watch.add(1);
            (Some(answered.odds), None)
        }
        StudyMethod::Simulate => {
            let answered = situation.answer_watched(&options, watch)?;
            (None, Some(answered.odds))
        }
    };
    Ok(Answers { exact, simulated })
}
