//! What a chart of an experiment may have beyond its data: remarks, a size, a range, lines of reference, an order,
//! colours, marks, and data of one's own beside it.

use super::beside::Beside;
use super::chart_spec::ChartKind;
use crate::style::length_of;
use grapeshot_charts::style::{Length, Palette};
use grapeshot_charts::{Dress, Reference};
use grapeshot_engine::dist::{Variable, VariableKind};
use grapeshot_rules::sweep::Axis;
use grapeshot_rules::{Entries, RuleError};
use toml::Value;

grapeshot_engine::labels! {
    /// In which order words stand along a chart.
    pub enum Sort { Rising = "rising", Falling = "falling" }
}

grapeshot_engine::labels! {
    /// What is marked on a curve.
    pub enum Mark {
        /// Where it changes most from one place to the next.
        Cliff = "cliff",
        /// Where it crosses an even chance.
        Even = "even",
    }
}

/// What its author asks of a chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChartDress {
    /// A line below the title.
    pub subtitle: Option<String>,
    /// Remark, source, range, lines, legend, and colours and highlights by the words of the file.
    pub dress: Dress,
    /// The order of what stands along it.
    pub sort: Option<Sort>,
    /// What is marked on its curves.
    pub marks: Vec<Mark>,
    /// The width of this figure.
    pub width: Option<Length>,
    /// Its height.
    pub height: Option<Length>,
    /// Data of one's own.
    pub beside: Vec<Beside>,
}

/// Entries that only some kinds of chart understand, and who they are.
const SPECIAL: [(&str, &[ChartKind]); 8] = {
    use ChartKind::*;
    [
        (
            "range",
            &[
                Line, Heatmap, Boxes, Pmf, Survival, AtMost, DotPlot, Dumbbell, Difference,
            ],
        ),
        (
            "lines",
            &[
                Line, Boxes, Pmf, Survival, AtMost, DotPlot, Dumbbell, Difference,
            ],
        ),
        (
            "legend",
            &[
                Line, Stacked, Pmf, Survival, AtMost, OfHundred, Dumbbell, Difference,
            ],
        ),
        (
            "sort",
            &[
                Line, Heatmap, Stacked, Boxes, OfHundred, DotPlot, Dumbbell, Difference,
            ],
        ),
        (
            "colours",
            &[
                Line, Stacked, Pmf, Survival, AtMost, OfHundred, Dumbbell, Difference,
            ],
        ),
        ("highlight", &[Line, Pmf, Survival, AtMost, Difference]),
        ("marks", &[Line]),
        ("data", &[Line]),
    ]
};

impl ChartDress {
    pub(super) fn read(entries: &mut Entries<'_>, kind: ChartKind) -> Self {
        use grapeshot_rules::Labels;
        for (key, kinds) in SPECIAL {
            if entries.has(key) && !kinds.contains(&kind) {
                entries.problem(key, format!("means nothing for a {} chart", kind.label()));
            }
        }
        let dress = Dress {
            legend: entries.maybe("legend"),
            note: entries.maybe("note"),
            source: entries.maybe("source"),
            range: range(entries),
            lines: lines(entries),
            colours: colours(entries),
            highlight: entries.maybe("highlight").unwrap_or_default(),
            ordered: Vec::new(),
        };
        let (width, height) = (length_of(entries, "width"), length_of(entries, "height"));
        let beside = entries.tables("data").into_iter().map(Beside::read);
        ChartDress {
            subtitle: entries.maybe("subtitle"),
            sort: entries.one_of("sort"),
            marks: marks(entries),
            width,
            height,
            beside: beside.collect(),
            dress,
        }
    }

    /// Whether the words it colours and highlights are in the chart: values of its series, or labels of its variable.
    pub(super) fn check(
        &self,
        series: Option<&Axis>,
        key: Option<&str>,
        variable: Option<&Variable>,
    ) -> Result<(), (String, String)> {
        let mut known: Vec<String> = Vec::new();
        if let (Some(axis), Some(key)) = (series, key) {
            let at = axis.keys.iter().position(|own| own == key).unwrap_or(0);
            known.extend(axis.values.iter().map(|values| values[at].to_string()));
        } else if let Some(VariableKind::Category(labels)) = variable.map(|v| &v.kind) {
            known.extend(labels.iter().cloned());
        }
        known.extend(self.beside.iter().map(|beside| beside.name.clone()));
        let colours = self.dress.colours.iter().map(|(word, _)| ("colours", word));
        let highlights = self.dress.highlight.iter().map(|word| ("highlight", word));
        for (entry, word) in colours.chain(highlights) {
            if !known.contains(word) {
                let unknown = RuleError::unknown("name in this chart", word, &known);
                return Err((entry.to_owned(), unknown.to_string()));
            }
        }
        Ok(())
    }
}

/// A number, or a text such as `50%`.
fn amount(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        Value::String(text) => {
            let number: f64 = text.strip_suffix('%')?.trim().parse().ok()?;
            Some(number / 100.0)
        }
        _ => None,
    }
}

fn range(entries: &mut Entries<'_>) -> Option<(f64, f64)> {
    let given: Value = entries.maybe("range")?;
    let ends = given.as_array().map(Vec::as_slice);
    let found = match ends {
        Some([low, high]) => amount(low).zip(amount(high)),
        _ => None,
    };
    let found = found.filter(|(low, high)| low < high && low.is_finite() && high.is_finite());
    if found.is_none() {
        let problem = format!(
            "cannot be `{given}`; allowed is [low, high], such as [0, 12], or [\"0%\", \"50%\"] of a chance"
        );
        entries.problem("range", problem);
    }
    found
}

fn lines(entries: &mut Entries<'_>) -> Vec<Reference> {
    let mut found = Vec::new();
    for mut line in entries.tables("lines") {
        let (at, x): (Option<Value>, Option<Value>) = (line.maybe("at"), line.maybe("x"));
        let label = line.maybe("label").unwrap_or_default();
        let along = x.is_some();
        let place = match (&at, &x) {
            (Some(given), None) | (None, Some(given)) => amount(given),
            _ => None,
        };
        match place.filter(|at| at.is_finite()) {
            Some(at) => found.push(Reference { at, label, along }),
            None => line.problem(
                "at",
                "must be a value such as 3 or \"50%\"; or write x = 300 for a place along the chart",
            ),
        }
        line.finish();
    }
    found
}

fn colours(entries: &mut Entries<'_>) -> Vec<(String, u32)> {
    let Some(mut table) = entries.table("colours") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (name, value) in table.all::<String>() {
        match Palette::colour(&value) {
            Some(colour) => found.push((name, colour)),
            None => {
                let problem =
                    format!("cannot be `{value}`; allowed is a colour such as \"#2B4C7E\"");
                table.problem(&name, problem);
            }
        }
    }
    table.finish();
    found
}

fn marks(entries: &mut Entries<'_>) -> Vec<Mark> {
    use grapeshot_rules::Labels;
    let words: Vec<String> = entries.maybe("marks").unwrap_or_default();
    let mut found = Vec::new();
    for word in words {
        match Mark::from_label(&word) {
            Some(mark) => found.push(mark),
            None => entries.problem(
                "marks",
                format!("cannot be `{word}`; allowed is cliff | even"),
            ),
        }
    }
    found
}
