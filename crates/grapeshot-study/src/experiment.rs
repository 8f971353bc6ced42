//! Experiments as files: read strictly, so that a slip is found before the first trial.

use super::chart_spec::ChartSpec;
use super::problems::Problems;
use super::reader::{Reader, below, single};
use crate::style::take_style;
use grapeshot_charts::style::Style;
use grapeshot_rules::sweep::{Axis, range};
use grapeshot_rules::{Given, RuleError, parse_toml};
use toml::{Table, Value};

grapeshot_engine::labels! {
    /// Which engines answer an experiment.
    pub enum StudyMethod { Simulate = "simulate", Exact = "exact", Both = "both" }
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

/// Entries of a study file.
const ENTRIES: [&str; 17] = [
    "title",
    "question",
    "rules",
    "procedure",
    "method",
    "trials",
    "seed",
    "streams",
    "variants",
    "settings",
    "sweep",
    "zip",
    "style",
    "figure",
    "words",
    "chart",
    "finding",
];

impl Draft {
    /// Reads what can be read.
    ///
    /// # Errors
    /// If it is no TOML: nothing can be read then.
    pub(super) fn read(id: &str, file: &str, text: &str) -> Result<Self, RuleError> {
        let table = parse_toml(file, text)?;
        let mut wrong = Problems::new(file, text);
        let mut top = Reader::new(file, String::new(), table);
        let rules = match top.has("rules") {
            true => wrong.keep(top.texts("rules")).unwrap_or_default(),
            false => {
                wrong.about("rules", "is missing: one ruleset or a list of them");
                Vec::new()
            }
        };
        let streams = wrong.keep(top.text("streams")).flatten();
        let streams = streams.unwrap_or_else(|| "common".into());
        if !["common", "independent"].contains(&streams.as_str()) {
            let problem = format!("cannot be `{streams}`; allowed is common | independent");
            wrong.about("streams", problem);
        }
        let trials = wrong.keep(top.whole("trials", 1_000_000)).unwrap_or(1);
        if trials == 0 {
            wrong.about("trials", "must be at least 1");
        }
        let axes = wrong.keep(axes(&mut top, &rules)).unwrap_or_default();
        let (mut charts, mut numbers) = (Vec::new(), Vec::new());
        let tables = wrong.keep(top.tables("chart")).unwrap_or_default();
        for (at, table) in tables.into_iter().enumerate() {
            if let Some(chart) = wrong.keep(ChartSpec::parse(file, at, table)) {
                charts.push(chart);
                numbers.push(at);
            }
        }
        let mut findings = Vec::new();
        let tables = wrong.keep(top.tables("finding")).unwrap_or_default();
        for (at, table) in tables.into_iter().enumerate() {
            findings.extend(wrong.keep(finding(file, at, table)));
        }
        let method = top.one_of("method", Some(StudyMethod::Simulate));
        let experiment = Experiment {
            id: id.into(),
            file: file.into(),
            text: text.into(),
            title: wrong.keep(top.needed("title")).unwrap_or_default(),
            question: wrong.keep(top.needed("question")).unwrap_or_default(),
            rules,
            procedure: wrong.keep(top.needed("procedure")).unwrap_or_default(),
            method: wrong.keep(method).unwrap_or(StudyMethod::Simulate),
            trials,
            seed: wrong.keep(top.whole("seed", 1863)).unwrap_or_default(),
            common_dice: streams == "common",
            variants: wrong.keep(top.texts("variants")).unwrap_or_default(),
            settings: wrong.keep(top.settings("settings")).unwrap_or_default(),
            axes,
            style_file: wrong.keep(top.text("style")).flatten(),
            figure: wrong.keep(take_style(file, &mut top)).unwrap_or_default(),
            charts,
            findings,
        };
        for (key, _) in &experiment.settings {
            if experiment.swept().contains(&key.as_str()) {
                wrong.about(
                    format!("settings.{key}"),
                    "is swept too: keep one of the two",
                );
            }
        }
        for error in top.leftovers(&ENTRIES) {
            wrong.add(error);
        }
        Ok(Draft {
            experiment,
            problems: wrong,
            charts: numbers,
        })
    }
}

fn axes(top: &mut Reader<'_>, rules: &[String]) -> Result<Vec<Axis>, RuleError> {
    let mut axes = Vec::new();
    if rules.len() > 1 {
        let values = rules.iter().map(|id| vec![id.into()]).collect();
        axes.push(Axis {
            keys: vec!["rules".into()],
            values,
        });
    }
    for table in top.tables("sweep")? {
        let mut nested = Vec::new();
        lists("", &table, &mut nested);
        for (key, value) in nested {
            let values = values(top, "sweep", &key, value)?;
            let values = values.into_iter().map(|value| vec![value]).collect();
            axes.push(Axis {
                keys: vec![key],
                values,
            });
        }
    }
    for table in top.tables("zip")? {
        let mut nested = Vec::new();
        lists("", &table, &mut nested);
        let mut keys = Vec::new();
        let mut columns: Vec<Vec<grapeshot_rules::Value>> = Vec::new();
        for (key, value) in nested {
            columns.push(values(top, "zip", &key, value)?);
            keys.push(key);
        }
        let length = columns.first().map_or(0, Vec::len);
        if let Some(at) = columns.iter().position(|column| column.len() != length) {
            let problem = format!(
                "has {} values, but `{}` has {length}",
                columns[at].len(),
                keys[0]
            );
            return Err(top.problem(&format!("zip.{}", keys[at]), problem));
        }
        let rows = (0..length).map(|i| columns.iter().map(|column| column[i].clone()).collect());
        axes.push(Axis {
            values: rows.collect(),
            keys,
        });
    }
    let mut seen: Vec<&String> = Vec::new();
    for key in axes.iter().flat_map(|axis| &axis.keys) {
        if seen.contains(&key) {
            return Err(top.problem(&format!("sweep.{key}"), "is swept twice"));
        }
        seen.push(key);
    }
    Ok(axes)
}

/// Entries of nested tables, except the tables that are ranges.
fn lists<'a>(prefix: &str, table: &'a Table, into: &mut Vec<(String, &'a Value)>) {
    for (key, value) in table {
        let key = below(prefix, key);
        match value {
            Value::Table(inner) if !inner.contains_key("from") => lists(&key, inner, into),
            other => into.push((key, other)),
        }
    }
}

fn values(
    top: &Reader<'_>,
    section: &str,
    key: &str,
    value: &Value,
) -> Result<Vec<grapeshot_rules::Value>, RuleError> {
    let problem = |text: String| top.problem(&format!("{section}.{key}"), text);
    let plain = |value: &Value| {
        single(value).ok_or_else(|| problem(format!("`{value}` is not a single value")))
    };
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
            found.ok_or_else(|| {
                problem("must be { from = a, to = b, step = c } with a ≤ b and c > 0".into())
            })
        }
        other => Err(problem(format!(
            "must be a list of values or a range, not `{other}`"
        ))),
    }
}

fn finding(file: &str, at: usize, table: Table) -> Result<FindingSpec, RuleError> {
    let mut reader = Reader::new(file, format!("finding[{}]", at + 1), table);
    let finding = FindingSpec {
        of: reader.needed("of")?,
        name: reader.needed("name")?,
        along: reader.text("along")?,
        each: reader.text("each")?,
        only: reader.settings("only")?,
    };
    reader.finish(&["of", "name", "along", "each", "only"])?;
    Ok(finding)
}
