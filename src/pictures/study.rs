//! Charts of results: which cells become which lines, bars and panels.

use crate::charts::{
    Axis, Body, BoxRow, Boxes, Cell, Chart, Estimate as Bar, Heatmap, Line, Meaning, Panel, Panels,
    Pmf, PmfSeries, Point, Series, Stacked, Style, Survival, Tornado, TornadoRow,
};
use crate::dist::{Favour, Marginal, Quantity, Variable, VariableKind};
use crate::rules::{Given, RuleError, Value};
use crate::study::{CellResult, ChartKind, ChartSpec, Results};

/// A chart, ready to be drawn.
///
/// # Errors
/// If it asks for a quantity there is not; experiments are checked before they run.
pub fn picture(results: &Results, spec: &ChartSpec) -> Result<Chart, RuleError> {
    let cells: Vec<&CellResult> = results
        .cells
        .iter()
        .filter(|cell| cell.is_at(&spec.only))
        .collect();
    let body = match &spec.panels {
        None => body(results, spec, &cells)?,
        Some(key) => {
            let mut panels = Vec::new();
            for value in distinct(&cells, key) {
                let part: Vec<&CellResult> = cells
                    .iter()
                    .copied()
                    .filter(|cell| cell.at(key) == Some(&value))
                    .collect();
                let title = match &value {
                    Value::Flag(is) => format!("{}: {}", words(key), yes_or_no(*is)),
                    other => format!("{} {other}", words(key)),
                };
                panels.push(match refusal(&part) {
                    Some(reason) => Panel::empty(title, reason),
                    None => Panel::new(title, body(results, spec, &part)?),
                });
            }
            let columns = if panels.len() <= 3 {
                panels.len()
            } else {
                panels.len().div_ceil(2).min(3)
            };
            Body::Panels(Panels::new(columns.max(1), panels))
        }
    };
    Ok(Chart {
        title: spec.title.clone(),
        subtitle: None,
        footer: footer(results, spec),
        style: if spec.print {
            Style::Print
        } else {
            Style::Screen
        },
        meanings: spec
            .variable
            .as_ref()
            .and_then(|name| results.variables.iter().find(|v| v.name == *name))
            .map_or(Vec::new(), Meaning::of),
        body,
    })
}

/// Why none of these cells has an answer, if none has.
fn refusal(cells: &[&CellResult]) -> Option<String> {
    let mut reasons = cells.iter().map(|cell| cell.answers.as_ref().err());
    let first = reasons.next()??;
    reasons
        .all(|reason| reason.is_some())
        .then(|| first.clone())
}

fn body(results: &Results, spec: &ChartSpec, cells: &[&CellResult]) -> Result<Body, RuleError> {
    Ok(match spec.kind {
        ChartKind::Line => Body::Line(lines(results, spec, cells)?),
        ChartKind::Heatmap => Body::Heatmap(heatmap(results, spec, cells)?),
        ChartKind::Stacked => Body::Stacked(stacked(results, spec, cells)),
        ChartKind::Boxes => Body::Boxes(boxes(spec, cells)),
        ChartKind::Pmf => Body::Pmf(pmf(results, spec, cells)),
        ChartKind::Survival => Body::Survival(survival(spec, cells)),
        ChartKind::Tornado => Body::Tornado(tornado(results, spec, cells)?),
    })
}

/// A key or variable in words.
pub(super) fn words(key: &str) -> String {
    key.replace(['.', '_'], " ")
}

/// A key without its side.
fn last(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

fn key_axis(spec: &ChartSpec, key: &str, numeric: bool) -> Axis {
    let name = spec.x_name.clone().unwrap_or_else(|| words(key));
    if numeric {
        Axis::number(name, "")
    } else {
        Axis::label(name)
    }
}

fn value_axis(spec: &ChartSpec, quantity: &Quantity) -> Axis {
    let name = spec.value_name.clone().unwrap_or_else(|| match quantity {
        Quantity::Favoured(Favour::Undecided) => "chance that nothing is decided".into(),
        Quantity::Favoured(favour) => format!("chance of {}", favour.word()),
        Quantity::Value { variable, label } => format!("chance of {} {label}", words(variable)),
        Quantity::Not { variable, label } => {
            format!("chance of {} other than {label}", words(variable))
        }
        Quantity::AtLeast { variable, number } => {
            format!("chance of {} {number} or more", words(variable))
        }
        Quantity::Worth => "value under best play".into(),
        Quantity::Mean(variable) => format!("mean {}", words(variable)),
        Quantity::Sd(variable) => format!("spread of {}", words(variable)),
    });
    if quantity.is_probability() {
        Axis::percent(name)
    } else {
        Axis::number(name, "")
    }
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

/// Cells grouped by the series key, with the name of each group.
fn groups<'a>(spec: &ChartSpec, cells: &[&'a CellResult]) -> Vec<(String, Vec<&'a CellResult>)> {
    match &spec.series {
        None => vec![(String::new(), cells.to_vec())],
        Some(key) => distinct(cells, key)
            .into_iter()
            .map(|value| {
                let short = words(last(key));
                let name = match &value {
                    Value::Flag(true) => short,
                    Value::Flag(false) => format!("no {short}"),
                    Value::Choice(label) => label.to_string(),
                    other => format!("{short} {other}"),
                };
                let part = cells
                    .iter()
                    .copied()
                    .filter(|cell| cell.at(key) == Some(&value));
                (name, part.collect())
            })
            .collect(),
    }
}

fn lines(results: &Results, spec: &ChartSpec, cells: &[&CellResult]) -> Result<Line, RuleError> {
    let key = spec.x.as_deref().unwrap_or_default();
    let quantity = results.quantity(spec.value.as_deref().unwrap_or_default())?;
    let stops = distinct(cells, key);
    let numeric = stops.iter().all(|value| value.number().is_some());
    let place = |cell: &CellResult| {
        let value = cell.at(key)?;
        if numeric {
            return value.number();
        }
        stops
            .iter()
            .position(|stop| stop == value)
            .map(|at| at as f64)
    };
    let mut series = Vec::new();
    for (name, part) in groups(spec, cells) {
        let points: Vec<Point> = part
            .iter()
            .filter_map(|cell| {
                let found = quantity.of(cell.answers.as_ref().ok()?.best())?;
                Some(Point::within(
                    place(cell)?,
                    found.value,
                    found.low,
                    found.high,
                ))
            })
            .collect();
        if !points.is_empty() {
            series.push(Series::new(name, points));
        }
    }
    let line = Line::new(
        key_axis(spec, key, numeric),
        value_axis(spec, &quantity),
        series,
    );
    let labels = || stops.iter().map(ToString::to_string).collect();
    Ok(if numeric { line } else { line.over(labels()) })
}

fn heatmap(
    results: &Results,
    spec: &ChartSpec,
    cells: &[&CellResult],
) -> Result<Heatmap, RuleError> {
    let (x, y) = (
        spec.x.as_deref().unwrap_or_default(),
        spec.y.as_deref().unwrap_or_default(),
    );
    let quantity = results.quantity(spec.value.as_deref().unwrap_or_default())?;
    let (columns, rows) = (distinct(cells, x), distinct(cells, y));
    let cell = |row: &Value, column: &Value| {
        let found = cells
            .iter()
            .find(|cell| cell.at(x) == Some(column) && cell.at(y) == Some(row));
        match found.map(|cell| &cell.answers) {
            Some(Ok(answers)) => Cell {
                value: quantity.of(answers.best()).map(|found| found.value),
                reason: None,
            },
            Some(Err(reason)) => Cell::empty(reason.clone()),
            None => Cell::empty("not in the sweep"),
        }
    };
    Ok(Heatmap {
        x: key_axis(spec, x, false),
        y: Axis::label(words(y)),
        value: value_axis(spec, &quantity),
        cells: rows
            .iter()
            .map(|row| columns.iter().map(|column| cell(row, column)).collect())
            .collect(),
        columns: columns.iter().map(ToString::to_string).collect(),
        rows: rows.iter().map(ToString::to_string).collect(),
        diverging: false,
        range: None,
    })
}

fn marginal(cell: &CellResult, spec: &ChartSpec) -> Option<Marginal> {
    let odds = cell.answers.as_ref().ok()?.best();
    odds.marginal(spec.variable.as_deref().unwrap_or_default())
}

fn stacked(results: &Results, spec: &ChartSpec, cells: &[&CellResult]) -> Stacked {
    let key = spec.x.as_deref().unwrap_or_default();
    let name = spec.variable.as_deref().unwrap_or_default();
    let marginals: Vec<(String, Marginal)> = cells
        .iter()
        .filter_map(|cell| Some((bar_label(cell, spec, key), marginal(cell, spec)?)))
        .collect();
    let occurs = |label: &String| {
        marginals
            .iter()
            .any(|(_, marginal)| marginal.p(label) > 0.0)
    };
    let segments: Vec<String> = all_labels(results, name, &marginals)
        .into_iter()
        .filter(occurs)
        .collect();
    Stacked {
        bars_axis: key_axis(spec, key, false),
        share_axis: Axis::percent(spec.value_name.clone().unwrap_or_else(|| words(name))),
        shares: marginals
            .iter()
            .map(|(_, marginal)| segments.iter().map(|label| marginal.p(label)).collect())
            .collect(),
        bars: marginals.into_iter().map(|(label, _)| label).collect(),
        segments,
        vertical: false,
    }
}

fn bar_label(cell: &CellResult, spec: &ChartSpec, key: &str) -> String {
    let text = |key: &str| match cell.at(key) {
        Some(Value::Flag(true)) => words(last(key)),
        Some(Value::Flag(false)) => format!("no {}", words(last(key))),
        other => other.map_or(String::new(), |value| value.to_string()),
    };
    match &spec.series {
        Some(series) => format!("{}, {}", text(key), text(series)),
        None => text(key),
    }
}

/// Labels of a variable in natural order: declared for a category, found for a count.
fn all_labels(results: &Results, name: &str, marginals: &[(String, Marginal)]) -> Vec<String> {
    let declared = results
        .variables
        .iter()
        .find(|variable| variable.name == name);
    if let Some(Variable {
        kind: VariableKind::Category(labels),
        ..
    }) = declared
    {
        return labels.clone();
    }
    let mut found: Vec<(f64, String)> = Vec::new();
    for value in marginals.iter().flat_map(|(_, marginal)| marginal.values()) {
        if !found.iter().any(|(_, label)| *label == value.label) {
            found.push((value.number, value.label.clone()));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, label)| label).collect()
}

fn boxes(spec: &ChartSpec, cells: &[&CellResult]) -> Boxes {
    let key = spec.x.as_deref().unwrap_or_default();
    let rows = cells.iter().filter_map(|cell| {
        let marginal = marginal(cell, spec)?;
        let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| marginal.quantile(share));
        Some(BoxRow::new(
            bar_label(cell, spec, key),
            quantiles,
            Some(marginal.mean()),
        ))
    });
    let name = spec
        .value_name
        .clone()
        .unwrap_or_else(|| words(spec.variable.as_deref().unwrap_or_default()));
    Boxes {
        rows_axis: key_axis(spec, key, false),
        value: Axis::number(name, ""),
        rows: rows.collect(),
    }
}

fn named_marginals(spec: &ChartSpec, cells: &[&CellResult]) -> Vec<(String, Marginal)> {
    groups(spec, cells)
        .into_iter()
        .filter_map(|(name, part)| Some((name, marginal(part.first()?, spec)?)))
        .collect()
}

fn pmf(results: &Results, spec: &ChartSpec, cells: &[&CellResult]) -> Pmf {
    let name = spec.variable.as_deref().unwrap_or_default();
    let marginals = named_marginals(spec, cells);
    let labels = all_labels(results, name, &marginals);
    let occurs = |label: &String| {
        marginals
            .iter()
            .any(|(_, marginal)| marginal.p(label) > 0.0)
    };
    let values: Vec<String> = labels.into_iter().filter(occurs).collect();
    let series = marginals
        .iter()
        .map(|(name, marginal)| PmfSeries {
            name: name.clone(),
            chances: values
                .iter()
                .map(|label| {
                    let p = marginal.p(label);
                    let (low, high) = marginal.interval(p).unwrap_or((p, p));
                    Bar::within(p, low, high)
                })
                .collect(),
        })
        .collect();
    Pmf {
        x: Axis::label(spec.x_name.clone().unwrap_or_else(|| words(name))),
        y: Axis::percent(spec.value_name.clone().unwrap_or_else(|| "chance".into())),
        values,
        series,
    }
}

fn survival(spec: &ChartSpec, cells: &[&CellResult]) -> Survival {
    let name = spec.variable.as_deref().unwrap_or_default();
    let series = named_marginals(spec, cells)
        .into_iter()
        .map(|(name, marginal)| {
            let points = marginal.values().iter().map(|value| {
                let p = marginal.at_least(value.number);
                let (low, high) = marginal.interval(p).unwrap_or((p, p));
                Point::within(value.number, p.min(1.0), low.min(1.0), high.min(1.0))
            });
            Series::new(name, points.collect())
        })
        .collect();
    let x = Axis::number(spec.x_name.clone().unwrap_or_else(|| words(name)), "");
    let y = Axis::percent(
        spec.value_name
            .clone()
            .unwrap_or_else(|| "chance of so much or more".into()),
    );
    Survival::new(x, y, series)
}

/// Every swept key changed alone, the others where the baseline has them.
fn tornado(
    results: &Results,
    spec: &ChartSpec,
    cells: &[&CellResult],
) -> Result<Tornado, RuleError> {
    let quantity = results.quantity(spec.value.as_deref().unwrap_or_default())?;
    let found = |cell: &CellResult| Some(quantity.of(cell.answers.as_ref().ok()?.best())?.value);
    let usual = cells
        .first()
        .map_or(Vec::new(), |first| spec.usual_place(&first.place));
    let start = cells.iter().find(|cell| cell.is_at(&usual));
    let baseline = start.and_then(|cell| found(cell)).ok_or_else(|| {
        RuleError::Other(format!(
            "the tornado `{}` has no cell to start from",
            spec.title
        ))
    })?;
    let mut rows: Vec<TornadoRow> = Vec::new();
    for axis in &results.experiment.axes {
        let others: Given = usual
            .iter()
            .filter(|(key, _)| !axis.keys.contains(key))
            .cloned()
            .collect();
        let name = |cell: &CellResult| match cell.at(&axis.keys[0]) {
            Some(Value::Flag(is)) => format!("{}:", yes_or_no(*is)),
            value => value.map_or(String::new(), |value| format!("{value}:")),
        };
        let moved: Vec<(f64, String)> = cells
            .iter()
            .filter(|cell| cell.is_at(&others))
            .filter_map(|cell| Some((found(cell)?, name(cell))))
            .collect();
        let by = |a: &&(f64, String), b: &&(f64, String)| a.0.total_cmp(&b.0);
        if let (Some(low), Some(high)) = (moved.iter().min_by(by), moved.iter().max_by(by))
            && moved.len() > 1
        {
            rows.push(TornadoRow {
                label: words(&axis.keys[0]),
                low: low.0,
                high: high.0,
                low_label: low.1.clone(),
                high_label: high.1.clone(),
            });
        }
    }
    rows.sort_by(|a, b| (b.high - b.low).total_cmp(&(a.high - a.low)));
    let factors = spec.x_name.clone();
    Ok(Tornado {
        factors: Axis::label(factors.unwrap_or_else(|| "setting, changed alone".into())),
        value: value_axis(spec, &quantity),
        baseline,
        rows,
    })
}

/// The settings and the method, in the small line underneath.
fn footer(results: &Results, spec: &ChartSpec) -> String {
    let experiment = &results.experiment;
    let mut parts = vec![format!(
        "{} {}",
        experiment.rules.join(", "),
        experiment.procedure
    )];
    let fixed = experiment.settings.iter().chain(&spec.only);
    let settings: Vec<String> = fixed.map(|(key, value)| format!("{key}={value}")).collect();
    parts.push(if settings.is_empty() {
        "default settings".into()
    } else {
        settings.join(" ")
    });
    if !results.variants.is_empty() {
        parts.push(format!("variant {}", results.variants.join(", ")));
    }
    parts.push(results.method_text());
    parts.join(" · ")
}
