//! What Python asks, handed to the crates that the program asks too. Nothing is worked out here: an answer goes over as the
//! JSON that the command of the same name prints, with its document, and `python/grapeshot/__init__.py` makes frames of it.

use grapeshot_engine::dist::{Distribution, Variable, VariableKind};
use grapeshot_engine::engine::{Budget, Method, Stop, Watch, fresh_seed};
use grapeshot_render::{
    DecideReport, Document, Layout, OddsReport, Picture, PivotReport, PlanReport, ProcedurePage,
    Report, RulesetList, RulesetPage, Verdict, complaint, text, too_much, wrong_input,
};
use grapeshot_rules::fight::{RawSettings, Side};
use grapeshot_rules::{
    Labels, LoadedRuleset, OddsError, Options, Question, Registry, RuleError, Setting, SettingKind,
    Value, Variant, find_beside, read_text,
};
use grapeshot_study::decide::{decide as best_play, play_plan};
use grapeshot_study::field::{field as fielded, rules_of, usual_fight};
use grapeshot_study::roster::read_rosters;
use grapeshot_study::weigh::WeighAsked;
use grapeshot_study::{PivotAsked, Workbench, pivot, sweep as swept, usual_options_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Characters in a line of an answer or a complaint: what a terminal has that does not say.
const WIDTH: usize = 100;
/// How often it is asked whether somebody wants it to stop.
const EVERY: Duration = Duration::from_millis(100);

/// A value as Python has it.
#[derive(FromPyObject)]
enum Said {
    Flag(bool),
    Whole(i64),
    Real(f64),
    Text(String),
}

impl From<Said> for Value {
    fn from(said: Said) -> Value {
        match said {
            Said::Flag(flag) => flag.into(),
            Said::Whole(n) => n.into(),
            Said::Real(x) => x.into(),
            Said::Text(text) => text.into(),
        }
    }
}

/// What every question says.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    rules: String,
    procedure: String,
    settings: Vec<(String, Said)>,
    file: Option<PathBuf>,
    unit: Option<String>,
    how: How,
}

/// How it is to be answered.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct How {
    variant: Vec<PathBuf>,
    method: String,
    trials: Option<u64>,
    precision: Option<f64>,
    seed: Option<u64>,
    threads: Option<u16>,
    max_states: Option<usize>,
}

impl Asked {
    fn question(self) -> Result<(Question, How), RuleError> {
        let said = match &self.file {
            Some(path) => RawSettings::file(&path.display().to_string(), &read_text(path)?)?,
            None => RawSettings::default(),
        };
        let ruleset = grapeshot_rules::find(&self.rules)?;
        let mut said = said.typed(&[self.rules, self.procedure])?;
        let settings = self.settings.into_iter();
        said.words
            .extend(settings.map(|(key, value)| (key, value.into())));
        if let Some(unit) = self.unit {
            let side = Side::from_label(&unit)
                .ok_or_else(|| allowed("unit", &unit, Side::LABELS.join(" or ")))?;
            said.unit = Some(side);
        }
        let mut question = Question::of(ruleset, said);
        question.variants = Variant::read_all(&self.how.variant)?;
        Ok((question, self.how))
    }
}

fn allowed(name: &'static str, given: impl ToString, what: impl std::fmt::Display) -> RuleError {
    RuleError::argument(name, given, format!("allowed is {what}"))
}

fn within<T: PartialOrd + ToString + Copy>(
    name: &'static str,
    given: Option<T>,
    range: RangeInclusive<T>,
) -> Result<(), RuleError> {
    match given {
        Some(given) if !range.contains(&given) => {
            let (from, to) = (range.start().to_string(), range.end().to_string());
            Err(allowed(
                name,
                given,
                format!("a number from {from} to {to}"),
            ))
        }
        _ => Ok(()),
    }
}

impl How {
    /// What is usual, but for what was said.
    fn over(&self, usual: Options) -> Result<Options, RuleError> {
        within("trials", self.trials, 1..=1_000_000_000_000)?;
        within("precision", self.precision, 0.000_001..=0.499_999)?;
        within("threads", self.threads, 1..=1024)?;
        within("max_states", self.max_states, 1..=1_000_000_000)?;
        let method = match self.method.as_str() {
            "auto" => Method::Auto,
            "exact" => Method::Exact,
            "simulate" => Method::Simulate,
            other => return Err(allowed("method", other, "auto, exact or simulate")),
        };
        Ok(Options {
            method,
            stop: match (self.precision, self.trials) {
                (Some(half_width), trials) => Stop::until(half_width, trials),
                (None, Some(trials)) => Stop::Trials(trials),
                (None, None) => usual.stop,
            },
            seed: self.seed.unwrap_or(usual.seed),
            budget: self
                .max_states
                .map_or(usual.budget, |states| Budget { states }),
            threads: self.threads,
            ..usual
        })
    }
}

/// An error as the command line tells it, options written as they are here.
fn told(error: impl Into<OddsError>) -> PyErr {
    let option = |name: &str, value: &str| {
        let quoted = value
            .parse::<u64>()
            .map_or(format!("\"{value}\""), |n| n.to_string());
        format!("{}={quoted}", name.replace('-', "_"))
    };
    PyValueError::new_err(match wrong_input(error.into()) {
        Ok(error) => complaint(&error, WIDTH),
        Err(error) => too_much(&error, option),
    })
}

/// Does the work on its threads, while other threads of Python go on; ends it where it is when Python is interrupted.
fn work<T: Send>(
    py: Python<'_>,
    options: &Options,
    job: impl FnOnce() -> Result<T, OddsError> + Send,
) -> PyResult<T> {
    let (watch, waiting) = (Watch::default(), std::thread::current());
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let done = options.on_threads(|| watch.over(job));
            waiting.unpark();
            done
        });
        let mut interrupted = Ok(());
        while !worker.is_finished() {
            py.detach(|| std::thread::park_timeout(EVERY));
            if interrupted.is_ok() {
                interrupted = py.check_signals().inspect_err(|_| watch.stop());
            }
        }
        let done = worker
            .join()
            .unwrap_or_else(|fault| std::panic::resume_unwind(fault));
        interrupted?;
        done.expect("nobody else stops it").map_err(told)
    })
}

/// What was found: for programs, for people, and the words of its columns in their order.
#[pyclass(frozen)]
struct Found {
    /// The JSON of the command.
    #[pyo3(get)]
    data: String,
    /// What is said first.
    #[pyo3(get)]
    sentences: Vec<String>,
    /// The words of every key that has words, in their order.
    #[pyo3(get)]
    keys: Vec<(String, Vec<String>)>,
    /// The words of every variable that has words, in their order.
    #[pyo3(get)]
    variables: Vec<(String, Vec<String>)>,
    document: Document,
}

#[pymethods]
impl Found {
    /// As the command prints it.
    fn text(&self) -> String {
        let layout = Layout {
            width: WIDTH,
            ..Layout::default()
        };
        text(&self.document, layout)
    }

    /// Its pictures, as SVG.
    fn pictures(&self) -> PyResult<Vec<String>> {
        let drawn = self.document.pictures.iter().map(Picture::svg);
        let drawn: Result<_, _> = drawn.collect();
        drawn.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

impl Found {
    fn of(report: &impl Report, note: Option<String>) -> Found {
        let mut document = report.document();
        document.notes.extend(note);
        Found {
            data: report.data().to_string(),
            sentences: document.findings.clone(),
            keys: Vec::new(),
            variables: Vec::new(),
            document,
        }
    }

    fn worded(mut self, settings: &[Setting], variables: &[Variable]) -> Found {
        let keys = settings.iter().filter_map(|setting| match &setting.kind {
            SettingKind::Choice(words) => Some((
                setting.key.clone(),
                words.iter().map(ToString::to_string).collect(),
            )),
            _ => None,
        });
        let named = variables
            .iter()
            .filter_map(|variable| match &variable.kind {
                VariableKind::Category(words) => Some((variable.name.to_string(), words.clone())),
                _ => None,
            });
        (self.keys, self.variables) = (keys.collect(), named.collect());
        self
    }
}

/// The odds of one procedure.
#[pyfunction]
fn odds(py: Python<'_>, asked: Asked) -> PyResult<Found> {
    let (question, how) = asked.question().map_err(told)?;
    let ready = question.ready().map_err(told)?;
    let usual = Options {
        seed: fresh_seed(),
        ..Options::default()
    };
    let options = how.over(usual).map_err(told)?;
    let situation = ready.situation().map_err(told)?;
    let answered = work(py, &options, || situation.answer(&options))?;
    let procedure = ready.procedure();
    let mut report =
        OddsReport::answered(&ready.loaded, procedure, answered, options.budget.states);
    report.notes.extend(ready.unused.clone());
    let found = Found::of(&report, None).worded(&procedure.settings, report.odds.variables());
    // People are shown less than programs.
    let joint = report.odds.is_joint();
    let data = report
        .with_stages(true)
        .with_joint(joint)
        .data()
        .to_string();
    Ok(Found { data, ..found })
}

/// A question on the workbench, and what is asked of it there.
fn on_workbench<T: Report + Send>(
    py: Python<'_>,
    asked: Asked,
    ask: impl FnOnce(&Workbench<'_>) -> Result<T, OddsError> + Send,
) -> PyResult<Found> {
    let (question, how) = asked.question().map_err(told)?;
    let loaded = question.load().map_err(told)?;
    let procedure = loaded.playable(question.procedure()).map_err(told)?;
    let options = how.over(usual_options_of(procedure)).map_err(told)?;
    let (workbench, note) = Workbench::of(&question, &loaded, options).map_err(told)?;
    let report = work(py, &options, || ask(&workbench))?;
    Ok(Found::of(&report, note).worded(&procedure.settings, &procedure.variables))
}

/// Numbers over every combination of some settings.
#[pyfunction]
fn sweep(py: Python<'_>, asked: Asked, over: Vec<String>, of: Vec<String>) -> PyResult<Found> {
    on_workbench(py, asked, |workbench| swept(workbench, &over, &of))
}

/// Rows by columns, as a book has them.
#[pyfunction]
fn table(
    py: Python<'_>,
    asked: Asked,
    rows: Option<String>,
    columns: Option<String>,
    of: Option<String>,
    decimals: Option<u32>,
) -> PyResult<Found> {
    within("decimals", decimals, 0..=6).map_err(told)?;
    on_workbench(py, asked, |workbench| {
        let asked = PivotAsked::new(
            workbench,
            rows.as_deref(),
            columns.as_deref(),
            of.as_deref(),
        )?;
        let found = pivot(workbench, &asked, decimals)?;
        Ok(PivotReport::new(found, Default::default()))
    })
}

/// What carries the result.
#[pyfunction]
fn weigh(
    py: Python<'_>,
    asked: Asked,
    over: Vec<String>,
    cells: Vec<String>,
    by: Option<i64>,
    max_cells: Option<usize>,
    of: Option<String>,
) -> PyResult<Found> {
    within("by", by, 1..=1000).map_err(told)?;
    within("max_cells", max_cells, 100..=10_000_000).map_err(told)?;
    let weighed = WeighAsked {
        over,
        cells,
        by,
        of,
        most_cells: max_cells,
    };
    on_workbench(py, asked, |workbench| weighed.answer(workbench))
}

/// Whole orders of battle.
#[pyfunction]
fn field(
    py: Python<'_>,
    rosters: Vec<PathBuf>,
    procedure: Option<String>,
    settings: Vec<(String, Said)>,
    of: Option<String>,
    how: How,
) -> PyResult<Found> {
    let variants = Variant::read_all(&how.variant).map_err(told)?;
    let read = read_rosters(&rosters, &variants).map_err(told)?;
    let rules = rules_of(&read).map_err(told)?;
    let ruleset = find_beside(&rules, &rosters[0]).map_err(told)?;
    let loaded = ruleset.load(&variants).map_err(told)?;
    let procedure = match procedure {
        Some(procedure) => procedure,
        None => usual_fight(&loaded).map_err(told)?,
    };
    let said = RawSettings {
        procedure: Some(procedure),
        words: settings
            .into_iter()
            .map(|(key, value)| (key, value.into()))
            .collect(),
        ..RawSettings::default()
    };
    let question = Question::of(ruleset, said);
    let procedure = loaded.playable(question.procedure()).map_err(told)?;
    let options = how.over(usual_options_of(procedure)).map_err(told)?;
    let (workbench, note) = Workbench::of(&question, &loaded, options).map_err(told)?;
    let quantity = workbench.quantity(of.as_deref()).map_err(told)?;
    let found = work(py, &options, || fielded(&workbench, &quantity, &read))?;
    Ok(Found::of(&found, note))
}

/// What to do, or what comes of a plan.
#[pyfunction]
fn decide(py: Python<'_>, asked: Asked, plan: Option<String>) -> PyResult<Found> {
    let (question, how) = asked.question().map_err(told)?;
    let loaded = question.load().map_err(told)?;
    let decision = loaded.decision(question.procedure()).map_err(told)?;
    let (given, unused) = question.heard(&loaded, &decision.procedure).map_err(told)?;
    let settings = decision.procedure.resolve(given).map_err(told)?;
    let notes = decision.procedure.notes.iter().cloned().chain(unused);
    let notes: Vec<String> = notes.collect();
    let options = how.over(Options::exact()).map_err(told)?;
    let odds = |odds: &Distribution| OddsReport {
        verdict: Verdict::of(odds),
        rules: loaded.id().to_owned(),
        procedure: decision.procedure.name.to_string(),
        variants: loaded.variant_names(),
        settings: settings.clone(),
        odds: odds.clone(),
        notes: notes.clone(),
        stages: None,
        joint: None,
    };
    let keys = &decision.procedure.settings;
    let budget = options.budget;
    let Some(plan) = plan else {
        let decided = work(py, &options, || best_play(&decision, &settings, budget))?;
        let report = DecideReport {
            odds: odds(&decided.odds),
            decided,
        };
        return Ok(Found::of(&report, None).worded(keys, report.odds.odds.variables()));
    };
    let planned = work(py, &options, || {
        play_plan(&decision, &settings, budget, &plan)
    })?;
    let report = PlanReport {
        odds: odds(&planned.odds).with_stages(true),
        planned,
    };
    Ok(Found::of(&report, None).worded(keys, report.odds.odds.variables()))
}

/// What there is: rulesets, the procedures of one, the keys of one of those.
#[pyfunction]
fn rules(
    rules: Option<String>,
    procedure: Option<String>,
    variant: Vec<PathBuf>,
) -> PyResult<Found> {
    let Some(id) = rules else {
        let all = Registry::built_in()
            .all()
            .iter()
            .map(|ruleset| ruleset.load(&[]));
        let all = all.collect::<Result<Vec<LoadedRuleset>, RuleError>>();
        return Ok(Found::of(&RulesetList(&all.map_err(told)?), None));
    };
    let variants = Variant::read_all(&variant).map_err(told)?;
    let ruleset = grapeshot_rules::find(&id).map_err(told)?;
    let loaded = ruleset.load(&variants).map_err(told)?;
    match procedure {
        Some(name) => Ok(Found::of(
            &ProcedurePage::new(&loaded, &name).map_err(told)?,
            None,
        )),
        None => Ok(Found::of(&RulesetPage::new(&loaded).map_err(told)?, None)),
    }
}

#[pymodule]
mod _grapeshot {
    #[pymodule_export]
    use super::{Found, decide, field, odds, rules, sweep, table, weigh};
}
