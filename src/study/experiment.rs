//! Experiments as files: read strictly, so that a slip is found before the first trial.

use super::sweep::{Axis, range};
use crate::rules::RuleError;
use toml::{Table, Value};

crate::labels! {
    /// Which engines answer an experiment.
    pub enum StudyMethod { Simulate = "simulate", Exact = "exact", Both = "both" }
}

crate::labels! {
    /// What a chart looks like.
    pub enum ChartKind {
        Line = "line", Heatmap = "heatmap", Stacked = "stacked", Pmf = "pmf", Survival = "survival", Boxes = "box",
    }
}

/// A chart of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSpec {
    /// Its kind.
    pub kind: ChartKind,
    /// Its title.
    pub title: String,
    /// The key along the horizontal axis (bars of stacked and box charts).
    pub x: Option<String>,
    /// The key along the vertical axis of a heatmap.
    pub y: Option<String>,
    /// The quantity that is plotted (line, heatmap).
    pub value: Option<String>,
    /// The variable whose distribution is shown (stacked, pmf, survival, box).
    pub variable: Option<String>,
    /// The key whose values are the lines or steps.
    pub series: Option<String>,
    /// The key whose values are panels side by side.
    pub panels: Option<String>,
    /// Only cells with these values.
    pub only: Vec<(String, String)>,
    /// Name of the x axis with its unit, if the key's own name will not do.
    pub x_name: Option<String>,
    /// Name of the value with its unit, if the quantity's own name will not do.
    pub value_name: Option<String>,
    /// Greyscale for a book instead of colour for a screen.
    pub print: bool,
}

/// What sentence is computed about an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The quantity.
    pub of: String,
    /// What it is called in the sentence.
    pub name: String,
    /// The key along which steps are compared, if any.
    pub along: Option<String>,
    /// Only cells with these values.
    pub only: Vec<(String, String)>,
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
    pub settings: Vec<(String, String)>,
    /// What is swept.
    pub axes: Vec<Axis>,
    /// The charts.
    pub charts: Vec<ChartSpec>,
    /// The sentences.
    pub findings: Vec<Finding>,
}

/// Takes entries out of a table one by one and complains about what is left.
struct Reader<'a> {
    file: &'a str,
    place: String,
    table: Table,
}

impl<'a> Reader<'a> {
    fn problem(&self, key: &str, problem: impl Into<String>) -> RuleError {
        let key = if self.place.is_empty() {
            key.into()
        } else {
            format!("{}.{key}", self.place)
        };
        RuleError::Table {
            file: self.file.into(),
            key,
            problem: problem.into(),
        }
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, RuleError> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.problem(key, format!("must be text, not `{other}`"))),
        }
    }

    fn needed(&mut self, key: &str) -> Result<String, RuleError> {
        self.text(key)?
            .ok_or_else(|| self.problem(key, "is missing"))
    }

    fn whole(&mut self, key: &str, default: u64) -> Result<u64, RuleError> {
        match self.table.remove(key) {
            None => Ok(default),
            Some(Value::Integer(n)) if n >= 0 => Ok(n as u64),
            Some(other) => Err(self.problem(key, format!("must be a whole number, not `{other}`"))),
        }
    }

    fn one_of<T: crate::rules::Labels>(
        &mut self,
        key: &str,
        default: Option<T>,
    ) -> Result<T, RuleError> {
        match (self.text(key)?, default) {
            (None, Some(default)) => Ok(default),
            (None, None) => Err(self.problem(
                key,
                format!("is missing; allowed is {}", T::LABELS.join(" | ")),
            )),
            (Some(text), _) => T::from_label(&text).ok_or_else(|| {
                self.problem(
                    key,
                    format!("cannot be `{text}`; allowed is {}", T::LABELS.join(" | ")),
                )
            }),
        }
    }

    fn texts(&mut self, key: &str) -> Result<Vec<String>, RuleError> {
        match self.table.remove(key) {
            None => Ok(Vec::new()),
            Some(Value::String(one)) => Ok(vec![one]),
            Some(Value::Array(list)) => {
                list.iter()
                    .map(|item| match item {
                        Value::String(text) => Ok(text.clone()),
                        other => Err(self
                            .problem(key, format!("must be a list of texts; `{other}` is none"))),
                    })
                    .collect()
            }
            Some(other) => Err(self.problem(
                key,
                format!("must be text or a list of texts, not `{other}`"),
            )),
        }
    }

    fn settings(&mut self, key: &str) -> Result<Vec<(String, String)>, RuleError> {
        let mut given = Vec::new();
        match self.table.remove(key) {
            None => {}
            Some(Value::Table(table)) => flatten("", &table, &mut given).map_err(|inner| {
                self.problem(&format!("{key}.{inner}"), "must be a single value")
            })?,
            Some(other) => return Err(self.problem(key, format!("must be a table, not `{other}`"))),
        }
        Ok(given)
    }

    fn tables(&mut self, key: &str) -> Result<Vec<Table>, RuleError> {
        match self.table.remove(key) {
            None => Ok(Vec::new()),
            Some(Value::Table(one)) => Ok(vec![one]),
            Some(Value::Array(list)) => list
                .into_iter()
                .map(|item| match item {
                    Value::Table(table) => Ok(table),
                    other => Err(self.problem(key, format!("must be tables; `{other}` is none"))),
                })
                .collect(),
            Some(other) => Err(self.problem(key, format!("must be a table, not `{other}`"))),
        }
    }

    fn finish(self, known: &[&str]) -> Result<(), RuleError> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => {
                Err(self.problem(key, format!("is unknown; allowed is {}", known.join(", "))))
            }
        }
    }
}

/// Nested and dotted keys alike become `side.name`; the error is the key that holds no value.
///
/// # Errors
/// The key of an entry that is not a single value.
pub fn flatten(
    prefix: &str,
    table: &Table,
    into: &mut Vec<(String, String)>,
) -> Result<(), String> {
    for (key, value) in table {
        let key = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            Value::Table(inner) => flatten(&key, inner, into)?,
            Value::Array(_) | Value::Datetime(_) => return Err(key),
            Value::String(text) => into.push((key, text.clone())),
            other => into.push((key, other.to_string())),
        }
    }
    Ok(())
}

impl Experiment {
    /// Reads an experiment.
    ///
    /// # Errors
    /// Names the file, the key and what is allowed.
    pub fn parse(id: &str, file: &str, text: &str) -> Result<Self, RuleError> {
        let table: Table = text.parse().map_err(|error| RuleError::File {
            file: file.into(),
            problem: format!("not valid TOML: {error}"),
        })?;
        let mut top = Reader {
            file,
            place: String::new(),
            table,
        };
        let rules = top.texts("rules")?;
        if rules.is_empty() {
            return Err(top.problem("rules", "is missing: one ruleset or a list of them"));
        }
        let streams = top.text("streams")?.unwrap_or_else(|| "common".into());
        if !["common", "independent"].contains(&streams.as_str()) {
            return Err(top.problem(
                "streams",
                format!("cannot be `{streams}`; allowed is common | independent"),
            ));
        }
        let trials = top.whole("trials", 1_000_000)?;
        if trials == 0 {
            return Err(top.problem("trials", "must be at least 1"));
        }
        let axes = axes(&mut top, &rules)?;
        let charts = top.tables("chart")?;
        let findings = top.tables("finding")?;
        let experiment = Experiment {
            id: id.into(),
            file: file.into(),
            text: text.into(),
            title: top.needed("title")?,
            question: top.needed("question")?,
            rules,
            procedure: top.needed("procedure")?,
            method: top.one_of("method", Some(StudyMethod::Simulate))?,
            trials,
            seed: top.whole("seed", 1863)?,
            common_dice: streams == "common",
            variants: top.texts("variants")?,
            settings: top.settings("settings")?,
            axes,
            charts: charts
                .into_iter()
                .enumerate()
                .map(|(at, table)| chart(file, at, table))
                .collect::<Result<_, _>>()?,
            findings: findings
                .into_iter()
                .enumerate()
                .map(|(at, table)| finding(file, at, table))
                .collect::<Result<_, _>>()?,
        };
        top.finish(&[
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
            "chart",
            "finding",
        ])?;
        Ok(experiment)
    }

    /// The keys that are swept.
    pub fn swept(&self) -> Vec<&str> {
        self.axes
            .iter()
            .flat_map(|axis| axis.keys.iter().map(String::as_str))
            .collect()
    }
}

fn axes(top: &mut Reader<'_>, rules: &[String]) -> Result<Vec<Axis>, RuleError> {
    let mut axes = Vec::new();
    if rules.len() > 1 {
        let values = rules.iter().map(|id| vec![id.clone()]).collect();
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
        let mut columns: Vec<Vec<String>> = Vec::new();
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
        let key = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
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
) -> Result<Vec<String>, RuleError> {
    let problem = |text: String| top.problem(&format!("{section}.{key}"), text);
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match value {
        Value::Array(list) if !list.is_empty() => Ok(list.iter().map(plain).collect()),
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

fn chart(file: &str, at: usize, table: Table) -> Result<ChartSpec, RuleError> {
    let mut reader = Reader {
        file,
        place: format!("chart[{at}]"),
        table,
    };
    let style = reader.text("style")?.unwrap_or_else(|| "screen".into());
    if !["screen", "print"].contains(&style.as_str()) {
        return Err(reader.problem(
            "style",
            format!("cannot be `{style}`; allowed is screen | print"),
        ));
    }
    let spec = ChartSpec {
        kind: reader.one_of("kind", None)?,
        title: reader.needed("title")?,
        x: reader.text("x")?,
        y: reader.text("y")?,
        value: reader.text("value")?,
        variable: reader.text("variable")?,
        series: reader.text("series")?,
        panels: reader.text("panels")?,
        only: reader.settings("only")?,
        x_name: reader.text("x_name")?,
        value_name: reader.text("value_name")?,
        print: style == "print",
    };
    let needs: &[(&str, bool)] = match spec.kind {
        ChartKind::Line => &[("x", spec.x.is_some()), ("value", spec.value.is_some())],
        ChartKind::Heatmap => &[
            ("x", spec.x.is_some()),
            ("y", spec.y.is_some()),
            ("value", spec.value.is_some()),
        ],
        ChartKind::Stacked | ChartKind::Boxes => &[
            ("x", spec.x.is_some()),
            ("variable", spec.variable.is_some()),
        ],
        ChartKind::Pmf | ChartKind::Survival => &[("variable", spec.variable.is_some())],
    };
    if let Some((missing, _)) = needs.iter().find(|(_, there)| !there) {
        return Err(reader.problem(missing, "is missing for this kind of chart"));
    }
    reader.finish(&[
        "kind",
        "title",
        "x",
        "y",
        "value",
        "variable",
        "series",
        "panels",
        "only",
        "x_name",
        "value_name",
        "style",
    ])?;
    Ok(spec)
}

fn finding(file: &str, at: usize, table: Table) -> Result<Finding, RuleError> {
    let mut reader = Reader {
        file,
        place: format!("finding[{at}]"),
        table,
    };
    let finding = Finding {
        of: reader.needed("of")?,
        name: reader.needed("name")?,
        along: reader.text("along")?,
        only: reader.settings("only")?,
    };
    reader.finish(&["of", "name", "along", "only"])?;
    Ok(finding)
}
