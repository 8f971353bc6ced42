//! Experiments as files: read strictly, so that a slip is found before the first trial.

use super::chart_spec::ChartSpec;
use super::instrument::InstrumentAsked;
use crate::style::take_style;
use grapeshot_charts::style::Style;
use grapeshot_rules::sweep::{Axis, range};
use grapeshot_rules::{Entries, Given, Problems, RuleError, TomlText, single};
use toml::Value;

grapeshot_engine::labels! {
    /// Which engines answer an experiment.
    pub enum StudyMethod { Simulate = "simulate", Exact = "exact", Both = "both" }
}

grapeshot_engine::labels! {
    /// Whether cells see the same dice.
    enum Streams { Common = "common", Independent = "independent" }
}

/// What sentence is computed about an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct FindingSpec {
    /// The quantity.
    pub of: String,
    /// What it is called in the sentence.
    pub name: String,
    /// The key along which steps are compared, if any.
    pub along: Option<String>,
    /// The key for each of whose values there is a sentence, if any.
    pub each: Option<String>,
    /// Only cells with these values.
    pub only: Given,
}

/// An experiment as its file says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// Its name: the file's, without ending.
    pub id: String,
    /// The file, for messages.
    pub file: String,
    /// The whole text, for the fingerprint.
    pub text: String,
    /// Its title.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// The rulesets; more than one are swept like a key.
    pub rules: Vec<String>,
    /// The procedure.
    pub procedure: String,
    /// The engine or engines.
    pub method: StudyMethod,
    /// Trials of each cell.
    pub trials: u64,
    /// The seed.
    pub seed: u64,
    /// Whether all cells see the same dice.
    pub common_dice: bool,
    /// Variant files, relative to the experiment's folder or bundled.
    pub variants: Vec<String>,
    /// Settings shared by all cells.
    pub settings: Given,
    /// What is swept.
    pub axes: Vec<Axis>,
    /// The file of style it names, relative to the experiment's folder.
    pub style_file: Option<String>,
    /// What it says about style itself; goes before the file.
    pub figure: Style,
    /// The charts.
    pub charts: Vec<ChartSpec>,
    /// What is asked beside the cells.
    pub instruments: Vec<InstrumentAsked>,
    /// The sentences.
    pub findings: Vec<FindingSpec>,
}

impl Experiment {
    /// Reads an experiment.
    ///
    /// # Errors
    /// Names the file, the line, the key and what is allowed, for everything that is wrong.
    pub fn parse(id: &str, file: &str, text: &str) -> Result<Self, RuleError> {
        let draft = Draft::read(id, file, text)?;
        draft.problems.end()?;
        Ok(draft.experiment)
    }

    /// The keys that are swept.
    pub fn swept(&self) -> Vec<&str> {
        self.axes
            .iter()
            .flat_map(|axis| axis.keys.iter().map(String::as_str))
            .collect()
    }
}

/// An experiment as far as it can be read, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Draft {
    pub experiment: Experiment,
    pub problems: Problems,
    /// The numbers, from 0, of the charts that could be read.
    pub charts: Vec<usize>,
}

impl Draft {
    /// Reads what can be read.
    ///
    /// # Errors
    /// If it is no TOML: nothing can be read then.
    pub(super) fn read(id: &str, file: &str, text: &str) -> Result<Self, RuleError> {
        let problems = Problems::of(&TomlText::new(file, text));
        let mut top = problems.read()?;
        let (title, question) = (top.needed("title"), top.needed("question"));
        if !top.has("rules") {
            top.problem("rules", "is missing: one ruleset or a list of them");
        }
        let rules: Vec<String> = top.maybe("rules").unwrap_or_default();
        let procedure = top.needed("procedure");
        let method = top.one_of("method").unwrap_or(StudyMethod::Simulate);
        let trials = top.whole("trials", 1..=i64::MAX).unwrap_or(1_000_000);
        let axes = axes(&mut top, &rules);
        let (mut charts, mut numbers) = (Vec::new(), Vec::new());
        for (at, entries) in top.tables("chart").into_iter().enumerate() {
            if let Some(chart) = problems.sound(|| ChartSpec::read(entries)).flatten() {
                charts.push(chart);
                numbers.push(at);
            }
        }
        let findings = top.tables("finding").into_iter();
        let findings = findings.filter_map(|entries| problems.sound(|| finding(entries)));
        let experiment = Experiment {
            findings: findings.collect(),
            instruments: InstrumentAsked::read_all(&mut top),
            id: id.into(),
            file: file.into(),
            text: text.into(),
            title,
            question,
            rules,
            procedure,
            method,
            trials: trials.unsigned_abs(),
            seed: top.maybe("seed").unwrap_or(1863),
            common_dice: top.one_of("streams") != Some(Streams::Independent),
            variants: top.maybe("variants").unwrap_or_default(),
            settings: top.settings("settings"),
            axes,
            style_file: top.maybe("style"),
            figure: take_style(&mut top),
            charts,
        };
        for (key, _) in &experiment.settings {
            if experiment.swept().contains(&key.as_str()) {
                let key = format!("settings.{key}");
                top.problem(&key, "is swept too: keep one of the two");
            }
        }
        top.finish();
        Ok(Draft {
            experiment,
            problems,
            charts: numbers,
        })
    }
}

/// What is swept, by itself or side by side.
fn axes(top: &mut Entries<'_>, rules: &[String]) -> Vec<Axis> {
    let mut axes = Vec::new();
    if rules.len() > 1 {
        let values = rules.iter().map(|id| vec![id.into()]).collect();
        axes.push(Axis {
            keys: vec!["rules".into()],
            values,
        });
    }
    for mut sweep in top.tables("sweep") {
        for (key, values) in lists(&mut sweep, &axes) {
            axes.push(Axis {
                keys: vec![key],
                values: values.into_iter().map(|value| vec![value]).collect(),
            });
        }
    }
    for mut zip in top.tables("zip") {
        let mut columns = lists(&mut zip, &axes);
        let first = columns.first();
        let (first, length) = first.map_or((String::new(), 0), |(key, v)| (key.clone(), v.len()));
        columns.retain(|(key, values)| {
            let fits = values.len() == length;
            if !fits {
                let problem = format!("has {} values, but `{first}` has {length}", values.len());
                zip.problem(key, problem);
            }
            fits
        });
        let row = |at: usize| {
            columns
                .iter()
                .map(|(_, values)| values[at].clone())
                .collect()
        };
        axes.push(Axis {
            values: (0..length).map(row).collect(),
            keys: columns.iter().map(|(key, _)| key.clone()).collect(),
        });
    }
    axes
}

/// The keys of a sweep, each with its values.
fn lists(sweep: &mut Entries<'_>, before: &[Axis]) -> Vec<(String, Vec<grapeshot_rules::Value>)> {
    let all = sweep.nested(|table| table.contains_key("from"));
    let mut found: Vec<(String, Vec<grapeshot_rules::Value>)> = Vec::new();
    for (key, value) in all {
        let twice = before.iter().any(|axis| axis.keys.contains(&key))
            || found.iter().any(|(known, _)| *known == key);
        if twice {
            sweep.problem(&key, "is swept twice");
            continue;
        }
        match values(value) {
            Ok(values) => found.push((key, values)),
            Err(problem) => sweep.problem(&key, problem),
        }
    }
    found
}

fn values(value: Value) -> Result<Vec<grapeshot_rules::Value>, String> {
    let plain =
        |value: &Value| single(value).ok_or_else(|| format!("`{value}` is not a single value"));
    match value {
        Value::Array(list) if !list.is_empty() => list.iter().map(plain).collect(),
        Value::Table(table) => {
            let number = |name: &str| match table.get(name) {
                Some(Value::Integer(n)) => Some(*n as f64),
                Some(Value::Float(x)) => Some(*x),
                _ => None,
            };
            let step = number("step").or((!table.contains_key("step")).then_some(1.0));
            let found = match (number("from"), number("to"), step, table.len()) {
                (Some(from), Some(to), Some(step), 2..=3) => range(from, to, step),
                _ => None,
            };
            found
                .ok_or_else(|| "must be { from = a, to = b, step = c } with a ≤ b and c > 0".into())
        }
        other => Err(format!(
            "must be a list of values or a range, not `{other}`"
        )),
    }
}

fn finding(mut entries: Entries<'_>) -> FindingSpec {
    let finding = FindingSpec {
        of: entries.needed("of"),
        name: entries.needed("name"),
        along: entries.maybe("along"),
        each: entries.maybe("each"),
        only: entries.settings("only"),
    };
    entries.finish();
    finding
}
