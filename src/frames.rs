//! Results as polars dataframes, and dataframes as CSV and Parquet bytes.

use grapeshot_engine::dist::worst_z;
use grapeshot_engine::dist::{Distribution, Row, VariableKind};
use grapeshot_rules::Value;
use grapeshot_study::wording::is_formula;
use grapeshot_study::{CellResult, Results, StudyMethod, agreement_pairs};
use polars::prelude::*;

/// The tables of one experiment.
#[derive(Debug)]
pub struct Frames {
    /// One row per cell and distinct outcome.
    pub outcomes: DataFrame,
    /// One row per cell and value of a variable, and per cell and numeric variable.
    pub summary: DataFrame,
    /// Simulated against exact, where both were asked for.
    pub agreement: Option<DataFrame>,
    /// Cells the rules refuse, with the reason.
    pub skipped: Option<DataFrame>,
}

/// Makes the tables.
///
/// # Errors
/// If polars refuses a column, which would be our bug.
pub fn frames(results: &Results) -> PolarsResult<Frames> {
    Ok(Frames {
        outcomes: outcomes(results)?,
        summary: summary(results)?,
        agreement: match results.method {
            StudyMethod::Both => Some(agreement(results)?),
            _ => None,
        },
        skipped: skipped(results)?,
    })
}

/// A table as CSV.
///
/// # Errors
/// If polars cannot write it.
pub fn csv_bytes(frame: &mut DataFrame) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut shown = without_formulas(frame)?;
    // One thread: small tables, and nothing may depend on the number of threads.
    CsvWriter::new(&mut bytes).n_threads(1).finish(&mut shown)?;
    Ok(bytes)
}

/// A table for spreadsheets: texts that they would work out are marked as texts.
fn without_formulas(frame: &DataFrame) -> PolarsResult<DataFrame> {
    let mut shown = frame.clone();
    for column in frame.columns() {
        let Ok(texts) = column.str() else { continue };
        if !texts.iter().flatten().any(is_formula) {
            continue;
        }
        let texts = texts.iter().map(|text| {
            text.map(|text| match is_formula(text) {
                true => format!("'{text}"),
                false => text.to_owned(),
            })
        });
        let texts: Vec<Option<String>> = texts.collect();
        shown.with_column(Column::new(column.name().clone(), texts))?;
    }
    Ok(shown)
}

/// A table as Parquet.
///
/// # Errors
/// If polars cannot write it.
pub fn parquet_bytes(frame: &mut DataFrame) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        .set_parallel(false)
        .finish(frame)?;
    Ok(bytes)
}

/// Rows of a table in the making: the cell each belongs to, and columns beside its keys.
struct Rows<'a> {
    results: &'a Results,
    cells: Vec<&'a CellResult>,
}

impl<'a> Rows<'a> {
    fn new(results: &'a Results) -> Self {
        Rows {
            results,
            cells: Vec::new(),
        }
    }

    /// The swept keys as typed columns, then the others.
    fn frame(self, others: Vec<Column>) -> PolarsResult<DataFrame> {
        let first = self.results.cells.first();
        let keys = first.map_or(&[][..], |cell| &cell.place);
        let mut columns: Vec<Column> = keys
            .iter()
            .map(|(key, value)| key_column(key, value, &self.cells))
            .collect();
        columns.extend(others);
        DataFrame::new(self.cells.len(), columns)
    }
}

fn key_column(key: &str, kind: &Value, cells: &[&CellResult]) -> Column {
    let name: PlSmallStr = key.into();
    match kind {
        Value::Flag(_) => {
            let values: Vec<Option<bool>> = cells
                .iter()
                .map(|cell| match cell.at(key) {
                    Some(Value::Flag(flag)) => Some(*flag),
                    _ => None,
                })
                .collect();
            Column::new(name, values)
        }
        Value::Whole(_) => {
            let values: Vec<Option<i64>> = cells
                .iter()
                .map(|cell| match cell.at(key) {
                    Some(Value::Whole(n)) => Some(*n),
                    _ => None,
                })
                .collect();
            Column::new(name, values)
        }
        Value::Real(_) => {
            let values: Vec<Option<f64>> = cells
                .iter()
                .map(|cell| match cell.at(key) {
                    Some(Value::Real(x)) => Some(*x),
                    _ => None,
                })
                .collect();
            Column::new(name, values)
        }
        Value::Choice(_) => {
            let values: Vec<Option<String>> = cells
                .iter()
                .map(|cell| cell.at(key).map(|value| value.to_string()))
                .collect();
            Column::new(name, values)
        }
    }
}

fn answered(results: &Results) -> impl Iterator<Item = (&CellResult, &Distribution)> {
    results
        .cells
        .iter()
        .filter_map(|cell| Some((cell, cell.answers.as_ref().ok()?)))
        .flat_map(|(cell, answers)| answers.all().map(move |odds| (cell, odds)))
}

/// Every distinct row; where variables were counted apart, every value of each, the others left empty.
fn lines(odds: &Distribution) -> Vec<(Row, Option<usize>, f64)> {
    if odds.is_joint() {
        let rows = odds.joint().into_iter();
        return rows.map(|(row, p)| (row, None, p)).collect();
    }
    let apart = odds
        .variables()
        .iter()
        .enumerate()
        .flat_map(|(at, variable)| {
            let values = odds.only(&variable.name).map(|one| one.joint());
            let values = values.into_iter().flatten();
            values.map(move |(value, p)| {
                let mut row = Row::default();
                row[at] = value[0];
                (row, Some(at), p)
            })
        });
    apart.collect()
}

fn outcomes(results: &Results) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(results);
    let mut method: Vec<&str> = Vec::new();
    let mut labels: Vec<Vec<Option<String>>> = vec![Vec::new(); results.variables.len()];
    let mut numbers: Vec<Vec<Option<f64>>> = vec![Vec::new(); results.variables.len()];
    let mut counts: Vec<Option<u64>> = Vec::new();
    let mut chances: Vec<f64> = Vec::new();
    for (cell, odds) in answered(results) {
        for (row, only, p) in lines(odds) {
            rows.cells.push(cell);
            method.push(odds.source().method());
            chances.push(p);
            counts.push(
                odds.source()
                    .trials()
                    .map(|n| (p * n as f64).round() as u64),
            );
            for (at, variable) in results.variables.iter().enumerate() {
                let place = odds.position(&variable.name);
                let place = place.filter(|&place| only.is_none_or(|only| only == place));
                let known = place.map(|place| &odds.variables()[place]);
                labels[at].push(known.zip(place).map(|(v, place)| v.label(row[place])));
                numbers[at].push(known.zip(place).map(|(v, place)| v.number_of(row[place])));
            }
        }
    }
    let mut others = vec![Column::new("method".into(), method)];
    for (at, variable) in results.variables.iter().enumerate() {
        // A setting and a variable may share a name (`rounds` allowed, `rounds` fought).
        let swept = results
            .cells
            .first()
            .is_some_and(|cell| cell.at(&variable.name).is_some());
        let name: PlSmallStr = match swept {
            true => format!("{}_reported", variable.name).into(),
            false => variable.name.as_str().into(),
        };
        others.push(match variable.kind {
            VariableKind::Category(_) => Column::new(name, std::mem::take(&mut labels[at])),
            VariableKind::Number(_) => Column::new(name, std::mem::take(&mut numbers[at])),
            VariableKind::Count | VariableKind::CountFrom(_) => {
                let whole: Vec<Option<i64>> =
                    numbers[at].iter().map(|x| x.map(|x| x as i64)).collect();
                Column::new(name, whole)
            }
        });
    }
    others.push(Column::new("count".into(), counts));
    others.push(Column::new("p".into(), chances));
    rows.frame(others)
}

/// One line of the summary, beside the keys of its cell.
#[derive(Default)]
struct Line {
    method: &'static str,
    variable: String,
    value: Option<String>,
    p: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    mean: Option<f64>,
    se: Option<f64>,
    sd: Option<f64>,
    quantiles: [Option<f64>; 5],
}

/// The quantiles of a summary.
const QUANTILES: [(&str, f64); 5] = [
    ("q05", 0.05),
    ("q25", 0.25),
    ("q50", 0.5),
    ("q75", 0.75),
    ("q95", 0.95),
];

fn summary(results: &Results) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(results);
    let mut lines: Vec<Line> = Vec::new();
    for (cell, odds) in answered(results) {
        for marginal in odds.marginals() {
            let line = || Line {
                method: odds.source().method(),
                variable: marginal.variable().name.clone(),
                ..Line::default()
            };
            for value in marginal.values() {
                let (low, high) = marginal.interval(value.p).unwrap_or((value.p, value.p));
                rows.cells.push(cell);
                lines.push(Line {
                    value: Some(value.label.clone()),
                    p: Some(value.p),
                    low: Some(low),
                    high: Some(high),
                    ..line()
                });
            }
            if marginal.variable().is_numeric() {
                rows.cells.push(cell);
                lines.push(Line {
                    mean: Some(marginal.mean()),
                    se: marginal.standard_error(),
                    sd: Some(marginal.sd()),
                    quantiles: QUANTILES.map(|(_, share)| Some(marginal.quantile(share))),
                    ..line()
                });
            }
        }
    }
    let numbers = |name: &str, get: &dyn Fn(&Line) -> Option<f64>| {
        let values: Vec<Option<f64>> = lines.iter().map(get).collect();
        Column::new(name.into(), values)
    };
    let method: Vec<&str> = lines.iter().map(|line| line.method).collect();
    let variable: Vec<&str> = lines.iter().map(|line| line.variable.as_str()).collect();
    let value: Vec<Option<&str>> = lines.iter().map(|line| line.value.as_deref()).collect();
    let mut others = vec![
        Column::new("method".into(), method),
        Column::new("variable".into(), variable),
        Column::new("value".into(), value),
        numbers("p", &|line| line.p),
        numbers("low", &|line| line.low),
        numbers("high", &|line| line.high),
        numbers("mean", &|line| line.mean),
        numbers("se", &|line| line.se),
        numbers("sd", &|line| line.sd),
    ];
    for (at, (name, _)) in QUANTILES.into_iter().enumerate() {
        others.push(numbers(name, &|line| line.quantiles[at]));
    }
    rows.frame(others)
}

/// The worst z-score of each variable of each cell.
fn agreement(results: &Results) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(results);
    let (mut variables, mut values, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    let (mut exact_p, mut simulated_p) = (Vec::new(), Vec::new());
    for (cell, trials, marginals) in agreement_pairs(results) {
        for (exact, simulated) in marginals {
            let (label, z) = worst_z(&exact, &simulated, trials);
            rows.cells.push(cell);
            variables.push(exact.variable().name.clone());
            exact_p.push(exact.p(&label));
            simulated_p.push(simulated.p(&label));
            values.push(label);
            scores.push(z);
        }
    }
    rows.frame(vec![
        Column::new("variable".into(), variables),
        Column::new("value".into(), values),
        Column::new("exact".into(), exact_p),
        Column::new("simulated".into(), simulated_p),
        Column::new("z".into(), scores),
    ])
}

fn skipped(results: &Results) -> PolarsResult<Option<DataFrame>> {
    let mut rows = Rows::new(results);
    let mut reasons: Vec<&str> = Vec::new();
    for cell in &results.cells {
        if let Err(reason) = &cell.answers {
            rows.cells.push(cell);
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        return Ok(None);
    }
    rows.frame(vec![Column::new("reason".into(), reasons)])
        .map(Some)
}
