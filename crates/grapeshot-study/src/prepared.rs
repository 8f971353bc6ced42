//! An experiment made ready to run: its rulesets loaded, every key, value, chart and finding checked, the
//! procedure of every cell built.

use super::chart_spec::ChartKind;
use super::experiment::{Draft, Experiment, StudyMethod};
use super::instrument::Laid;
use crate::style::parse_style;
use grapeshot_charts::style::{Style, Words};
use grapeshot_engine::dist::{Quantity, Variable};
use grapeshot_engine::engine::{Method, Stop};
use grapeshot_rules::common::RULESET_KEY;
use grapeshot_rules::sweep::{SweepPoint, cells};
use grapeshot_rules::{
    self, Given, Labels, LoadedRuleset, Options, Problems, RuleError, Ruleset, Setting, Situation,
    TomlText, Value, Variant,
};
use std::path::Path;
use std::sync::Arc;

/// What the command line puts in place of what the file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    /// Trials of each cell.
    pub trials: Option<u64>,
    /// Trials of each cell, at most.
    pub most_trials: Option<u64>,
    /// Half-width of every value of the headline at which a cell is done; trials are then the most.
    pub precision: Option<f64>,
    /// The method.
    pub method: Option<StudyMethod>,
    /// The seed.
    pub seed: Option<u64>,
    /// Name and text of variants laid over those of the experiment, each over the rulesets it is of.
    pub variants: Vec<(String, String)>,
}

/// A cell whose keys and values have been checked: what is to be answered, or why the rules refuse it.
pub(super) struct PreparedCell {
    pub(super) place: Given,
    pub(super) situation: Result<Situation, String>,
}

/// A checked experiment, ready to run.
pub struct Prepared {
    pub(super) experiment: Experiment,
    pub(super) loaded: Vec<LoadedRuleset>,
    pub(super) cells: Vec<PreparedCell>,
    pub(super) instruments: Vec<Laid>,
    /// Name and text of every variant.
    variants: Vec<(String, String)>,
    overrides: Overrides,
    pub(super) style: Style,
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
            problems: Problems::of(&TomlText::new(&experiment.file, &experiment.text)),
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
            mut experiment,
            problems: wrong,
            charts: numbers,
        } = draft;
        let mut variants = Vec::new();
        for name in &experiment.variants {
            variants.extend(wrong.keep(files(name)).map(|text| (name.clone(), text)));
        }
        let own = variants.len();
        variants.extend(overrides.variants.iter().cloned());
        let loaded = load(&experiment, &variants, own, &files, &wrong);
        let style_file = experiment.style_file.as_ref();
        let shared = style_file.and_then(|name| {
            let style = files(name).and_then(|text| parse_style(name, &text));
            wrong.keep(style)
        });
        // Without its rules nothing more can be said about it.
        if loaded.is_empty() || loaded.len() < experiment.rules.len() {
            wrong.end()?;
            return Err(RuleError::Other(format!("{}: no rules", experiment.file)));
        }
        check_values(&experiment, &loaded, &wrong);
        let cells = match wrong.is_empty() {
            true => wrong.keep(cells_of(&experiment, &loaded)),
            false => cells_of(&experiment, &loaded).ok(),
        };
        for beside in experiment
            .charts
            .iter_mut()
            .flat_map(|c| &mut c.dress.beside)
        {
            let Some(text) = wrong.keep(files(&beside.file)) else {
                continue;
            };
            wrong.keep(beside.fill(&text));
            variants.push((beside.file.clone(), text));
        }
        let instruments = laid_out(
            &experiment,
            &loaded,
            &overrides,
            &files,
            &mut variants,
            &wrong,
        );
        let prepared = Prepared {
            instruments,
            style: experiment.figure.clone().over(&shared.unwrap_or_default()),
            cells: cells.unwrap_or_default(),
            experiment,
            loaded,
            variants,
            overrides,
        };
        prepared.check(&numbers, &wrong);
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

    /// When the simulation of a cell ends.
    pub fn stop(&self) -> Stop {
        let most = self.overrides.most_trials;
        match (self.overrides.precision, self.overrides.trials) {
            (None, _) => Stop::Trials(self.trials()),
            (Some(half_width), None) => Stop::until(half_width, most),
            (Some(half_width), Some(_)) => Stop::until(half_width, Some(self.trials())),
        }
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

    /// Trials that will be simulated in all; where nobody knows how many, or none are, the cells that will be
    /// answered.
    pub fn work(&self) -> u64 {
        let cells = self.cells.len() as u64;
        match self.counts_cells() {
            true => cells,
            false => cells * self.trials(),
        }
    }

    /// Whether work is counted by cells, not by trials.
    pub(super) fn counts_cells(&self) -> bool {
        let solved = self.method() == StudyMethod::Exact;
        solved || matches!(self.stop(), Stop::Precision { .. })
    }

    /// What its instruments find.
    pub(super) fn found(
        &self,
    ) -> Result<Vec<super::instrument::Instrument>, grapeshot_rules::OddsError> {
        let experiment = &self.experiment;
        let of = (
            &self.loaded[0],
            experiment.procedure.as_str(),
            &experiment.settings,
        );
        let options = instrument_options(&self.loaded[0], experiment, &self.overrides);
        let found = self.instruments.iter();
        found.map(|laid| laid.ask(of, options)).collect()
    }

    /// How a cell is answered.
    pub(super) fn options(&self) -> Options {
        Options {
            method: match self.method() {
                StudyMethod::Simulate => Method::Simulate,
                StudyMethod::Exact | StudyMethod::Both => Method::Exact,
            },
            stop: self.stop(),
            seed: self.seed(),
            common_dice: self.experiment.common_dice,
            ..Options::default()
        }
    }

    /// What the procedure reports in any of the rulesets.
    pub(super) fn variables(&self) -> Result<Vec<Variable>, RuleError> {
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

    /// What the schema of any of its rulesets says of the keys that are held or swept.
    pub(super) fn keys(&self) -> Result<Vec<Setting>, RuleError> {
        let held = self.experiment.settings.iter().map(|(key, _)| key.as_str());
        let mut known: Vec<Setting> = Vec::new();
        for key in held.chain(self.experiment.swept()) {
            for loaded in &self.loaded {
                let settings = &loaded.playable(&self.experiment.procedure)?.settings;
                let found = settings.iter().find(|setting| setting.key == key);
                if let Some(found) = found.filter(|_| known.iter().all(|other| other.key != key)) {
                    known.push(found.clone());
                }
            }
        }
        Ok(known)
    }

    /// What is set for all cells, each value of the kind that the schema gives it.
    pub(super) fn held(&self) -> Result<Given, RuleError> {
        let keys = self.keys()?;
        let held = self.experiment.settings.iter().map(|(key, value)| {
            let setting = keys.iter().find(|setting| setting.key == *key);
            let read = setting.and_then(|setting| setting.accept(value).ok());
            (key.clone(), read.unwrap_or_else(|| value.clone()))
        });
        Ok(held.collect())
    }

    /// The swept keys that every ruleset looks up in bands, with the ends of the bands of all of them.
    pub(super) fn bands(&self) -> Result<Vec<(String, Vec<i64>)>, RuleError> {
        let mut banded = Vec::new();
        for key in self.experiment.swept() {
            let mut ends: Option<Vec<i64>> = Some(Vec::new());
            for loaded in &self.loaded {
                let settings = &loaded.playable(&self.experiment.procedure)?.settings;
                let own = settings.iter().find(|setting| setting.key == key);
                let own = own.and_then(|setting| setting.bands.as_ref());
                ends = ends.zip(own).map(|(known, own)| [&known[..], own].concat());
            }
            banded.extend(ends.filter(|ends| !ends.is_empty()).map(|mut ends| {
                ends.sort_unstable();
                ends.dedup();
                (key.to_owned(), ends)
            }));
        }
        Ok(banded)
    }

    /// Checks cells, charts and findings; `numbers` are those of the charts in the file, from 0.
    fn check(&self, numbers: &[usize], wrong: &Problems) {
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
        let places: Vec<(&SweepPoint, bool)> = cells
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

/// The instruments of an experiment, each looked at; the files they name count like variants for what its results are made from.
fn laid_out(
    experiment: &Experiment,
    loaded: &[LoadedRuleset],
    overrides: &Overrides,
    files: &impl Fn(&str) -> Result<String, RuleError>,
    named: &mut Vec<(String, String)>,
    wrong: &Problems,
) -> Vec<Laid> {
    let mut laid = Vec::new();
    for asked in &experiment.instruments {
        if experiment.rules.len() > 1 {
            wrong.about(
                asked.name(),
                "is asked of one ruleset, and the study has several",
            );
            continue;
        }
        let texts = asked.files().iter();
        let texts = texts.filter_map(|name| Some((name.clone(), wrong.keep(files(name))?)));
        let texts: Vec<(String, String)> = texts.collect();
        if texts.len() < asked.files().len() {
            continue;
        }
        let of = (
            &loaded[0],
            experiment.procedure.as_str(),
            &experiment.settings,
        );
        match Laid::out(
            asked,
            &texts,
            of,
            instrument_options(&loaded[0], experiment, overrides),
        ) {
            Ok(one) => laid.push(one),
            Err(error @ (RuleError::File { .. } | RuleError::Several(_))) => wrong.add(error),
            Err(error) => wrong.about(asked.name(), error),
        }
        named.extend(texts);
    }
    laid
}

/// How an instrument asks: as its command does, with the seed of the study.
fn instrument_options(
    loaded: &LoadedRuleset,
    experiment: &Experiment,
    overrides: &Overrides,
) -> Options {
    let usual = loaded
        .playable(&experiment.procedure)
        .map(crate::usual_options_of);
    Options {
        seed: overrides.seed.unwrap_or(experiment.seed),
        ..usual.unwrap_or_else(|_| crate::usual_options())
    }
}

/// The rulesets of an experiment, as far as they can be loaded and have the procedure. The first `own` variants
/// are the experiment's, which every ruleset has to take; the others are laid where they belong.
fn load(
    experiment: &Experiment,
    variants: &[(String, String)],
    own: usize,
    files: &impl Fn(&str) -> Result<String, RuleError>,
    wrong: &Problems,
) -> Vec<LoadedRuleset> {
    let mut loaded = Vec::new();
    let laid: Vec<Variant> = variants
        .iter()
        .filter_map(|(name, text)| wrong.keep(Variant::parse(name, text)))
        .collect();
    if laid.len() < variants.len() {
        return loaded;
    }
    let mut fitting = vec![false; laid.len() - own];
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
        let (own, beside) = laid.split_at(own);
        let mut mine = own.to_vec();
        for (variant, fits) in beside.iter().zip(&mut fitting) {
            if ruleset.takes(variant) {
                *fits = true;
                mine.push(variant.clone());
            }
        }
        let Some(one) = wrong.keep(ruleset.load(&mine)) else {
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
    let idle = laid[own..].iter().zip(&fitting).filter(|(_, fits)| !**fits);
    for (variant, _) in idle {
        let problem = format!(
            "`{}` is a variant of {}, and the experiment is of {}",
            variant.file,
            variant.rules,
            experiment.rules.join(", ")
        );
        wrong.about("rules", problem);
    }
    loaded
}

/// Every key and every value by itself, so that one mistake does not hide the next.
fn check_values(experiment: &Experiment, loaded: &[LoadedRuleset], wrong: &Problems) {
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
                wrong.about(section_of(key, wrong), error);
            }
        }
    }
}

/// The key under which a setting is swept or held.
fn section_of(key: &str, file: &Problems) -> String {
    let sections = ["settings", "sweep", "zip"];
    let plain = sections.map(|section| format!("{section}.{key}"));
    let numbered = sections
        .iter()
        .flat_map(|section| (1..=9).map(move |number| format!("{section}[{number}].{key}")));
    let mut all = plain.into_iter().chain(numbered);
    all.find(|key| file.has(key))
        .unwrap_or_else(|| key.to_owned())
}

/// A ruleset by its name; the variant of an edition is one of the experiment's files.
fn edition(
    id: &str,
    experiment: &str,
    files: &impl Fn(&str) -> Result<String, RuleError>,
) -> Result<Arc<Ruleset>, RuleError> {
    let find = |id: &str| grapeshot_rules::find_beside(id, Path::new(experiment));
    match grapeshot_rules::edition_of(id) {
        Some((base, file)) => {
            let variant = Variant::parse(file, &files(file)?)?;
            find(base)?.edition(variant).map(Arc::new)
        }
        None => find(id),
    }
}

/// Every cell with its settings checked. A wrong key or value is an error; a combination the rules
/// refuse is a cell with a reason.
fn cells_of(
    experiment: &Experiment,
    loaded: &[LoadedRuleset],
) -> Result<Vec<PreparedCell>, RuleError> {
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
                *value = settings.get(&*key).clone();
            }
            let situation = match procedure.situation(settings) {
                Ok(situation) => Ok(situation),
                Err(error) if error.is_refusal() => Err(refused(&error, &place)),
                Err(other) => return Err(other),
            };
            Ok(PreparedCell { place, situation })
        })
        .collect()
}

/// A refusal for who reads the study: what is refused, and why.
fn refused(error: &RuleError, place: &[(String, Value)]) -> String {
    let words = Words::default();
    let is_flag = |key: &str| {
        let mut own = place.iter().filter(|(known, _)| known == key);
        own.any(|(_, value)| matches!(value, Value::Flag(_)))
    };
    match error.refusal() {
        Some((key, reason)) if key == RULESET_KEY => reason.to_owned(),
        Some((key, reason)) if is_flag(key) => format!("{}: {reason}", words.flag(key)),
        Some((key, reason)) => format!("{}: {reason}", words.key(key)),
        None => error.to_string(),
    }
}

/// The key of a sweep over rulesets.
pub(super) const RULES: &str = "rules";
