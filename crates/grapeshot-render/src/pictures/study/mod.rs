//! Charts of results: which cells become which lines, bars and panels, and what they are called.

mod against;
mod curves;
mod dressed;
mod fields;
mod shares;

pub(super) use curves::between;

use grapeshot_charts::style::{Decimals, Words};
use grapeshot_charts::{Axis, Body, Chart, Meaning, Panel, Panels, tell};
use grapeshot_engine::dist::{Marginal, Quantity, Variable, VariableKind};
use grapeshot_rules::{RuleError, Value};
use grapeshot_study::{CellResult, ChartKind, ChartSpec, Results, value_in_words};

/// A chart, ready to be drawn.
///
/// # Errors
/// If it asks for a quantity there is not; experiments are checked before they run.
pub fn picture(results: &Results, spec: &ChartSpec) -> Result<Chart, RuleError> {
    let sketch = Sketch { results, spec };
    let mut cells: Vec<&CellResult> = results
        .cells
        .iter()
        .filter(|cell| cell.is_at(&spec.only))
        .collect();
    sketch.sort(&mut cells)?;
    let body = match &spec.panels {
        None => sketch.body(&cells)?,
        Some(key) => sketch.panels(key, &cells)?,
    };
    let asked = &spec.dress;
    let mut style = results.style.clone();
    style.medium = spec.medium.or(style.medium);
    style.width = asked.width.or(style.width);
    style.height = asked.height.or(style.height);
    if asked.width.or(asked.height).is_some() {
        style.sized_in.clone_from(&results.experiment.file);
    }
    let made = sketch.footer();
    let chart = Chart {
        title: spec.title.clone(),
        subtitle: asked.subtitle.clone(),
        footer: style.footer(&made),
        style,
        meanings: sketch.meanings(),
        alt: spec.alt.clone(),
        dress: sketch.dress(&cells)?,
        body,
    };
    Ok(chart.telling())
}

/// A chart in the making: the results, and what is asked of them.
#[derive(Clone, Copy)]
struct Sketch<'a> {
    results: &'a Results,
    spec: &'a ChartSpec,
}

/// Cells with what they have in common.
type Group<'a> = (String, Vec<&'a CellResult>);

impl<'a> Sketch<'a> {
    fn body(&self, cells: &[&'a CellResult]) -> Result<Body, RuleError> {
        Ok(match self.spec.kind {
            ChartKind::Line => Body::Line(self.lines(cells)?),
            ChartKind::Heatmap => Body::Heatmap(self.heatmap(cells)?),
            ChartKind::Stacked => Body::Stacked(self.stacked(cells)),
            ChartKind::Boxes => Body::Boxes(self.boxes(cells)),
            ChartKind::Pmf => Body::Pmf(self.pmf(cells)),
            ChartKind::Survival => Body::Survival(self.survival(cells)),
            ChartKind::AtMost => Body::Survival(self.at_most(cells)),
            ChartKind::Dumbbell => Body::Dumbbell(self.dumbbell(cells)?),
            ChartKind::Difference => Body::Line(self.difference(cells)?),
            ChartKind::Tornado => Body::Tornado(self.tornado(cells)?),
            ChartKind::OfHundred => Body::OfHundred(self.of_hundred(cells)),
            ChartKind::DotPlot => Body::DotPlot(self.dots(cells)),
            ChartKind::Policy => self.policy(cells)?,
        })
    }

    /// One chart for each value of a key, or of two: those of the first side by side, of the second below each other.
    fn panels(&self, key: &str, cells: &[&'a CellResult]) -> Result<Body, RuleError> {
        let across = distinct(cells, key);
        let down = match &self.spec.strips {
            Some(strips) => distinct(cells, strips).into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut panels = Vec::new();
        for below in &down {
            for value in &across {
                let strips = self.spec.strips.as_deref().unwrap_or_default();
                let here = |cell: &&CellResult| {
                    let row = below.is_none() || cell.at(strips) == below.as_ref();
                    row && cell.at(key) == Some(value)
                };
                let part: Vec<&CellResult> = cells.iter().copied().filter(here).collect();
                let title = match below {
                    Some(row) => {
                        format!("{} · {}", self.panel(strips, row), self.panel(key, value))
                    }
                    None => self.panel(key, value),
                };
                panels.push(match refusal(&part) {
                    Some(reason) => Panel::empty(title, self.results.style.text(&reason)),
                    None => Panel::new(title, self.body(&part)?),
                });
            }
        }
        let columns = match (self.spec.strips.is_some(), panels.len()) {
            (true, _) => across.len(),
            (_, 0..=3) => panels.len(),
            (_, many) => many.div_ceil(2).min(3),
        };
        Ok(Body::Panels(Panels::new(columns.max(1), panels)))
    }

    /// What sets a panel apart.
    fn panel(&self, key: &str, value: &Value) -> String {
        let said = self.value(key, value);
        match value {
            Value::Flag(_) => format!("{}: {said}", self.words().flag(key)),
            Value::Choice(_) if key == "ruleset" || key == "rules" => said,
            _ => format!("{} {said}", self.words().key(key)),
        }
    }

    fn words(&self) -> &'a Words {
        &self.results.style.words
    }

    /// A value of a key as the study's style says it; a ruleset by its title.
    fn value(&self, key: &str, value: &Value) -> String {
        if let Some(title) = self.results.ruleset_title(key, value) {
            return self
                .words()
                .get(&value.to_string())
                .map_or(title, str::to_owned);
        }
        value_in_words(&self.results.style, key, value)
    }

    fn decimals(&self) -> Decimals {
        self.results.style.decimals()
    }

    /// What the labels of the variable that is shown mean, under the names they are shown by.
    fn meanings(&self) -> Vec<(String, Meaning)> {
        let Some(name) = &self.spec.variable else {
            return Vec::new();
        };
        let found = self.results.variables.iter().find(|v| v.name == *name);
        let meanings = found.map_or(Vec::new(), Meaning::of).into_iter();
        meanings
            .map(|(label, meaning)| (self.words().label(name, &label), meaning))
            .collect()
    }

    /// A key of the chart, or nothing where its kind has none.
    fn x(&self) -> &'a str {
        self.spec.x.as_deref().unwrap_or_default()
    }

    fn y(&self) -> &'a str {
        self.spec.y.as_deref().unwrap_or_default()
    }

    fn variable(&self) -> &'a str {
        self.spec.variable.as_deref().unwrap_or_default()
    }

    fn quantity(&self) -> Result<Quantity, RuleError> {
        let text = self.spec.value.as_deref().unwrap_or_default();
        self.results.quantity(text)
    }

    /// What the key along the horizontal axis is called.
    fn key_axis(&self, numeric: bool) -> Axis {
        let own = || self.words().key(self.x());
        let name = self.spec.x_name.clone().unwrap_or_else(own);
        if numeric {
            Axis::number(name, "")
        } else {
            Axis::label(name)
        }
    }

    /// What the values are called: as the chart says, or by the words of this name.
    fn value_name(&self, own: impl FnOnce() -> String) -> String {
        self.spec.value_name.clone().unwrap_or_else(own)
    }

    fn value_axis(&self, quantity: &Quantity) -> Axis {
        let name = self.value_name(|| self.words().quantity(quantity));
        if quantity.is_probability() {
            Axis::percent(name)
        } else {
            Axis::number(name, "")
        }
    }

    /// Values of a key as they are printed.
    fn labels(&self, key: &str, values: &[Value]) -> Vec<String> {
        let said = |value: &Value| match value {
            Value::Flag(_) => self.named(key, value),
            other => self.value(key, other),
        };
        values.iter().map(said).collect()
    }

    /// A value that stands alone, so that it has to say of what it is: `stands 10`, `no flag`.
    fn named(&self, key: &str, value: &Value) -> String {
        let last = key.rsplit('.').next().unwrap_or(key);
        let short = self
            .words()
            .get(key)
            .map_or_else(|| self.words().flag(last), str::to_owned);
        match value {
            Value::Flag(true) => short,
            Value::Flag(false) => format!("{} {short}", self.words().say("no")),
            Value::Choice(_) => self.value(key, value),
            &Value::Whole(n) if self.words().get(key).is_none() && is_counted(&short) => {
                counted(n, &short)
            }
            number => format!("{short} {}", self.value(key, number)),
        }
    }

    /// Cells grouped by the series key, with the name of each group.
    fn groups(&self, cells: &[&'a CellResult]) -> Vec<Group<'a>> {
        let Some(key) = &self.spec.series else {
            return vec![(String::new(), cells.to_vec())];
        };
        let group = |value: Value| {
            let part = cells.iter().copied();
            let part = part.filter(|cell| cell.at(key) == Some(&value));
            (self.named(key, &value), part.collect())
        };
        distinct(cells, key).into_iter().map(group).collect()
    }

    /// The name of a bar: its place along x, and its series if there are any.
    fn bar_label(&self, cell: &CellResult) -> String {
        let text = |key: &str| {
            let said = |value: &Value| self.labels(key, std::slice::from_ref(value)).concat();
            cell.at(key).map_or(String::new(), said)
        };
        match &self.spec.series {
            Some(series) if self.x().is_empty() => text(series),
            Some(series) => format!("{}, {}", text(self.x()), text(series)),
            None => text(self.x()),
        }
    }

    fn marginal(&self, cell: &CellResult) -> Option<Marginal> {
        let odds = cell.answers.as_ref().ok()?.best();
        odds.marginal(self.variable())
    }

    fn named_marginals(&self, cells: &[&'a CellResult]) -> Vec<(String, Marginal)> {
        self.groups(cells)
            .into_iter()
            .filter_map(|(name, part)| Some((name, self.marginal(part.first()?)?)))
            .collect()
    }

    /// Labels of the variable that occur, in natural order: declared for a category, found for a count.
    fn variable_labels(&self, marginals: &[(String, Marginal)]) -> Vec<String> {
        let occurs = |label: &String| {
            marginals
                .iter()
                .any(|(_, marginal)| marginal.p(label) > 0.0)
        };
        let declared = self
            .results
            .variables
            .iter()
            .find(|variable| variable.name == self.variable());
        if let Some(Variable {
            kind: VariableKind::Category(labels),
            ..
        }) = declared
        {
            return labels
                .iter()
                .filter(|label| occurs(label))
                .cloned()
                .collect();
        }
        let mut found: Vec<(f64, String)> = Vec::new();
        for value in marginals.iter().flat_map(|(_, marginal)| marginal.values()) {
            if value.p > 0.0 && !found.iter().any(|(_, label)| *label == value.label) {
                found.push((value.number, value.label.clone()));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|(_, label)| label).collect()
    }

    /// The settings and the method, in the small line underneath.
    fn footer(&self) -> String {
        let experiment = &self.results.experiment;
        let mut parts = vec![format!(
            "{} {}",
            experiment.rules.join(", "),
            self.words().label("", &experiment.procedure)
        )];
        let fixed = experiment.settings.iter().chain(&self.spec.only);
        let style = &self.results.style;
        let setting = |(key, value): &(String, Value)| match style.words.is_empty() {
            true => format!("{key}={value}"),
            false => format!("{} {}", style.words.key(key), self.value(key, value)),
        };
        let settings: Vec<String> = fixed.map(setting).collect();
        parts.push(if settings.is_empty() {
            self.words().say("default settings")
        } else {
            settings.join(if style.words.is_empty() { " " } else { ", " })
        });
        if !self.results.variants.is_empty() {
            parts.push(tell!(
                self.words(),
                "variant {1}",
                self.results.variants.join(", ")
            ));
        }
        parts.push(style.text(&self.results.method_text()));
        parts.join(" · ")
    }
}

/// Why none of these cells has an answer, if none has.
fn refusal(cells: &[&CellResult]) -> Option<String> {
    let mut reasons = cells.iter().map(|cell| cell.answers.as_ref().err());
    let first = reasons.next()??;
    reasons
        .all(|reason| reason.is_some())
        .then(|| first.clone())
}

/// Whether a name is that of things that are counted: units, stands, rounds.
fn is_counted(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

/// So many things: `two units`, `one stand`, `14 stands`.
fn counted(n: i64, things: &str) -> String {
    const NUMBERS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let number = usize::try_from(n).ok().and_then(|n| NUMBERS.get(n));
    let number = number.map_or_else(|| n.to_string(), |&word| word.to_owned());
    let thing = match n {
        1 => things.trim_end_matches('s'),
        _ => things,
    };
    format!("{number} {thing}")
}

/// A key or variable in words.
pub(super) fn words(key: &str) -> String {
    key.replace(['.', '_'], " ")
}

/// The values of a key among cells, in the order of the sweep.
fn distinct(cells: &[&CellResult], key: &str) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for value in cells.iter().filter_map(|cell| cell.at(key)) {
        if !seen.contains(value) {
            seen.push(value.clone());
        }
    }
    seen
}
