//! Answering all cells of an experiment, in one parallel job.
//!
//! Cells are checked and their procedures built once, before the first trial. They are spread over the
//! threads, and the batches of one cell are spread again: rayon steals whichever is left, so ten
//! thousand small cells and one huge cell both keep every core busy. A cell's graph lives only while
//! it is played.

use super::chart_spec::ChartKind;
use super::decide::{Decided, decide};
use super::experiment::{Experiment, StudyMethod};
use super::style::Style;
use super::sweep::{Place, cells, lies_at};
use crate::dist::{Distribution, Quantity, Variable};
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

/// The answers to one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    /// Solved, if that was asked for.
    pub exact: Option<Distribution>,
    /// Simulated, if that was asked for.
    pub simulated: Option<Distribution>,
}

impl Answers {
    /// The better of the two: exact if there is one.
    pub fn best(&self) -> &Distribution {
        self.exact
            .as_ref()
            .or(self.simulated.as_ref())
            .expect("a cell is answered by at least one engine")
    }

    /// Both, as far as they are there.
    pub fn all(&self) -> impl Iterator<Item = &Distribution> {
        self.exact.iter().chain(&self.simulated)
    }
}

/// One cell of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct CellResult {
    /// The swept keys and their values.
    pub place: Given,
    /// Its answers, or why the rules refuse it.
    pub answers: Result<Answers, String>,
}

impl CellResult {
    /// The value of a swept key.
    pub fn at(&self, key: &str) -> Option<&Value> {
        self.place
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Whether it lies at all these places.
    pub fn is_at(&self, only: &[(String, Value)]) -> bool {
        lies_at(&self.place, only)
    }
}

/// Everything an experiment found.
#[derive(Debug, Clone)]
pub struct Results {
    /// The experiment.
    pub experiment: Experiment,
    /// The method that was used.
    pub method: StudyMethod,
    /// Trials of each cell.
    pub trials: u64,
    /// The seed.
    pub seed: u64,
    /// All variables of all rulesets in it.
    pub variables: Vec<Variable>,
    /// The cells, in the order of the sweep.
    pub cells: Vec<CellResult>,
    /// Names of the variants laid over the tables.
    pub variants: Vec<String>,
    /// Assumptions that entered common fights: ruleset and name.
    pub assumed: Vec<(String, String)>,
    /// What best play does in cells whose policy is drawn, by the place of the cell.
    pub policies: Vec<(Given, Decided)>,
    /// How it is shown.
    pub style: Style,
}

impl Results {
    /// A quantity over the variables of the experiment.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn quantity(&self, text: &str) -> Result<Quantity, RuleError> {
        Ok(Quantity::parse(text, &self.variables)?)
    }
}

/// A cell whose keys and values have been checked: what is to be answered, or why the rules refuse it.
struct Cell {
    place: Given,
    situation: Result<Situation, String>,
}

/// A checked experiment, ready to run.
pub struct Prepared {
    experiment: Experiment,
    loaded: Vec<Loaded>,
    cells: Vec<Cell>,
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
    /// Checks an experiment whole: rules, procedure, keys, values, charts, findings. `files` gives
    /// the text of a variant or style file by its name.
    ///
    /// # Errors
    /// Names the file and what is wrong in it.
    pub fn new(
        experiment: Experiment,
        overrides: Overrides,
        files: impl Fn(&str) -> Result<String, RuleError>,
    ) -> Result<Self, RuleError> {
        let file = experiment.file.clone();
        let named = |error: RuleError| match error {
            error @ (RuleError::Table { .. } | RuleError::File { .. }) => error,
            other => RuleError::File {
                file: file.clone(),
                problem: other.to_string(),
            },
        };
        let texts = experiment.variants.iter();
        let texts: Result<Vec<(String, String)>, RuleError> =
            texts.map(|name| Ok((name.clone(), files(name)?))).collect();
        let variants = texts.map_err(named)?;
        let mut loaded = Vec::new();
        for id in &experiment.rules {
            let ruleset = edition(id, &file, &files).map_err(named)?;
            let laid: Result<Vec<Variant>, RuleError> = variants
                .iter()
                .map(|(name, text)| Variant::parse(name, text))
                .collect();
            let one = ruleset.load(&laid.map_err(named)?).map_err(named)?;
            one.playable(&experiment.procedure).map_err(named)?;
            loaded.push(one);
        }
        let shared = match &experiment.style_file {
            Some(name) => Style::parse(name, &files(name).map_err(named)?)?,
            None => Style::default(),
        };
        let prepared = Prepared {
            style: experiment.figure.clone().over(&shared),
            cells: cells_of(&experiment, &loaded).map_err(named)?,
            experiment,
            loaded,
            variants,
            overrides,
        };
        prepared.check().map_err(named)?;
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
    fn options(&self) -> Options {
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

    fn check(&self) -> Result<(), RuleError> {
        let experiment = &self.experiment;
        let cells = &self.cells;
        if cells.iter().all(|cell| cell.situation.is_err()) {
            let reason = cells.first().and_then(|cell| cell.situation.as_ref().err());
            return Err(RuleError::Other(format!(
                "the rules refuse every cell of the sweep: {}",
                reason.map_or("there is none", String::as_str)
            )));
        }
        let mut possible = cells.iter().filter_map(|cell| cell.situation.as_ref().ok());
        if self.method() != StudyMethod::Simulate
            && let Some(why) = possible.find_map(Situation::why_never_solved)
        {
            return Err(RuleError::Table {
                file: experiment.file.clone(),
                key: "method".into(),
                problem: format!(
                    "is {}, and it cannot be solved exactly: {why}; allowed is simulate",
                    self.method().label()
                ),
            });
        }
        let variables = self.variables()?;
        let swept = experiment.swept();
        let is_swept = |key: &str| {
            if swept.contains(&key) {
                return Ok(());
            }
            Err(RuleError::unknown("swept key", key, &swept))
        };
        let places: Vec<(&Place, bool)> = cells
            .iter()
            .map(|cell| (&cell.place[..], cell.situation.is_ok()))
            .collect();
        for (at, chart) in experiment.charts.iter().enumerate() {
            let checked = chart.check(&experiment.axes, &variables, &places);
            let wrong = |(entry, problem): (String, String)| RuleError::Table {
                file: experiment.file.clone(),
                key: format!("chart[{at}].{entry}"),
                problem,
            };
            checked.map_err(wrong)?;
            if chart.kind == ChartKind::Policy {
                let decidable = self.loaded[0].decision(&experiment.procedure);
                decidable.map_err(|error| {
                    wrong((
                        "kind".into(),
                        format!("a policy is drawn of what is decided: {error}"),
                    ))
                })?;
            }
        }
        for finding in &experiment.findings {
            Quantity::parse(&finding.of, &variables)?;
            for key in finding
                .along
                .iter()
                .chain(finding.only.iter().map(|(key, _)| key))
            {
                is_swept(key)?;
            }
        }
        Ok(())
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
const RULES: &str = "rules";

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
    let results: Result<Vec<CellResult>, OddsError> = prepared
        .cells
        .par_iter()
        .map(|cell| {
            let answers = match &cell.situation {
                Err(reason) => Err(reason.clone()),
                Ok(situation) => Ok(answer(prepared, situation, watch)?),
            };
            Ok(CellResult {
                place: cell.place.clone(),
                answers,
            })
        })
        .collect();
    let cells = results?;
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

impl Results {
    /// How the numbers were found, for people.
    pub fn method_text(&self) -> String {
        let method = match self.method {
            StudyMethod::Exact => "exact".into(),
            _ => format!(
                "{}, {} trials a cell, seed {}",
                self.method.label(),
                crate::wording::grouped(self.trials),
                self.seed
            ),
        };
        if self.assumed.is_empty() {
            return method;
        }
        let mut by_rules: Vec<(&str, Vec<&str>)> = Vec::new();
        for (rules, name) in &self.assumed {
            match by_rules.iter_mut().find(|(known, _)| known == rules) {
                Some((_, names)) => names.push(name),
                None => by_rules.push((rules, vec![name])),
            }
        }
        let parts: Vec<String> = by_rules
            .iter()
            .map(|(rules, names)| format!("{rules} {}", names.join(", ")))
            .collect();
        format!(
            "{method}; assumed (grapeshot rules RULES --common): {}",
            parts.join("; ")
        )
    }
}
