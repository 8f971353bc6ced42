//! Results as polars dataframes, and dataframes as CSV and Parquet bytes.
//!
//! One level a file: `outcomes` has a row for each distinct outcome of a cell, `summary` one for each value of each
//! variable, `means` one for each number. Where a cell was only counted variable by variable, as a battle is, there
//! are no outcomes: its marginals are no joint distribution, and stand in `summary`.

mod dictionary;
mod keys;

pub use dictionary::dictionary;

use keys::{Rows, is_flag, order};

use grapeshot_engine::dist::worst_z;
use grapeshot_engine::dist::{Distribution, VariableKind};
use grapeshot_study::wording::is_formula;
use grapeshot_study::{CellResult, Results, StudyMethod, agreement_pairs};
use polars::prelude::*;

/// The tables of one experiment.
#[derive(Debug)]
pub struct Frames {
    /// One row per cell and distinct outcome; nothing where variables were counted apart.
    pub outcomes: Option<DataFrame>,
    /// One row per cell and value of a variable.
    pub summary: DataFrame,
    /// One row per cell and number that is reported.
    pub means: Option<DataFrame>,
    /// Simulated against exact, where both were asked for.
    pub agreement: Option<DataFrame>,
    /// Cells the rules refuse, with the reason.
    pub skipped: Option<DataFrame>,
}

impl Frames {
    /// All of them by the names of their files.
    pub fn named(&self) -> Vec<(&'static str, &DataFrame)> {
        let all = [
            ("outcomes", self.outcomes.as_ref()),
            ("summary", Some(&self.summary)),
            ("means", self.means.as_ref()),
            ("agreement", self.agreement.as_ref()),
            ("skipped", self.skipped.as_ref()),
        ];
        let all = all.into_iter();
        all.filter_map(|(name, table)| Some((name, table?)))
            .collect()
    }
}

/// Makes the tables.
///
/// # Errors
/// If polars refuses a column, which would be our bug.
pub fn frames(results: &Results) -> PolarsResult<Frames> {
    Ok(Frames {
        outcomes: outcomes(results)?,
        summary: summary(results)?,
        means: means(results)?,
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

/// A table as Parquet, with what it is of in its metadata: the study and its question, and for every column of words
/// their natural order.
///
/// # Errors
/// If polars cannot write it.
pub fn parquet_bytes(results: &Results, frame: &mut DataFrame) -> PolarsResult<Vec<u8>> {
    let experiment = &results.experiment;
    let mut said = vec![
        (
            "grapeshot.version".to_owned(),
            env!("CARGO_PKG_VERSION").to_owned(),
        ),
        ("grapeshot.study".to_owned(), experiment.id.clone()),
        ("grapeshot.title".to_owned(), experiment.title.clone()),
        ("grapeshot.question".to_owned(), experiment.question.clone()),
        ("grapeshot.rules".to_owned(), experiment.rules.join(" ")),
        ("grapeshot.variants".to_owned(), results.variants.join(" ")),
        (
            "grapeshot.procedure".to_owned(),
            experiment.procedure.clone(),
        ),
        ("grapeshot.method".to_owned(), results.method_text()),
    ];
    for column in frame.columns() {
        let name = column.name().as_str();
        if let Some(words) = order(results, name) {
            let words = serde_json::to_string(&words).expect("words are plain");
            said.push((format!("grapeshot.order.{name}"), words));
        }
    }
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        .set_parallel(false)
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(said)))
        .finish(frame)?;
    Ok(bytes)
}

fn answered(results: &Results) -> impl Iterator<Item = (&CellResult, &Distribution)> {
    results
        .cells
        .iter()
        .filter_map(|cell| Some((cell, cell.answers.as_ref().ok()?)))
        .flat_map(|(cell, answers)| answers.all().map(move |odds| (cell, odds)))
}

fn outcomes(results: &Results) -> PolarsResult<Option<DataFrame>> {
    if answered(results).any(|(_, odds)| !odds.is_joint()) {
        return Ok(None);
    }
    let mut rows = Rows::new(results);
    let mut labels: Vec<Vec<Option<String>>> = vec![Vec::new(); results.variables.len()];
    let mut numbers: Vec<Vec<Option<f64>>> = vec![Vec::new(); results.variables.len()];
    let mut counts: Vec<Option<u64>> = Vec::new();
    let mut chances: Vec<f64> = Vec::new();
    for (cell, odds) in answered(results) {
        for (row, p) in odds.joint() {
            rows.answer(cell, odds);
            chances.push(p);
            let trials = odds.source().trials();
            counts.push(trials.map(|n| (p * n as f64).round() as u64));
            for (at, variable) in results.variables.iter().enumerate() {
                let place = odds.position(&variable.name);
                let known = place.map(|place| (&odds.variables()[place], row[place]));
                labels[at].push(known.map(|(v, value)| v.label(value)));
                numbers[at].push(known.map(|(v, value)| v.number_of(value)));
            }
        }
    }
    let mut others = Vec::new();
    for (at, variable) in results.variables.iter().enumerate() {
        // A setting and a variable may share a name (`rounds` allowed, `rounds` fought).
        let taken = results.keys.iter().any(|key| key.key == variable.name);
        let name: PlSmallStr = match taken {
            true => format!("{}_reported", variable.name).into(),
            false => variable.name.as_str().into(),
        };
        others.push(match &variable.kind {
            VariableKind::Category(known) if is_flag(known) => {
                let flags = labels[at]
                    .iter()
                    .map(|label| label.as_ref().map(|l| l == "yes"));
                Column::new(name, flags.collect::<Vec<_>>())
            }
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
    rows.frame(others).map(Some)
}

/// The quantiles of a number.
const QUANTILES: [(&str, f64); 5] = [
    ("q05", 0.05),
    ("q25", 0.25),
    ("q50", 0.5),
    ("q75", 0.75),
    ("q95", 0.95),
];

fn summary(results: &Results) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(results);
    let (mut variables, mut values): (Vec<String>, Vec<String>) = Default::default();
    let mut chances: [Vec<f64>; 3] = Default::default();
    for (cell, odds) in answered(results) {
        for marginal in odds.marginals() {
            for value in marginal.values() {
                let (low, high) = marginal.interval(value.p).unwrap_or((value.p, value.p));
                rows.answer(cell, odds);
                variables.push(marginal.variable().name.clone());
                values.push(value.label.clone());
                for (column, x) in chances.iter_mut().zip([value.p, low, high]) {
                    column.push(x);
                }
            }
        }
    }
    let [p, low, high] = chances;
    rows.frame(vec![
        Column::new("variable".into(), variables),
        Column::new("value".into(), values),
        Column::new("p".into(), p),
        Column::new("low".into(), low),
        Column::new("high".into(), high),
    ])
}

fn means(results: &Results) -> PolarsResult<Option<DataFrame>> {
    let mut rows = Rows::new(results);
    let mut variables: Vec<String> = Vec::new();
    let (mut mean, mut error, mut sd) = (Vec::new(), Vec::new(), Vec::new());
    let mut quantiles: [Vec<f64>; 5] = Default::default();
    for (cell, odds) in answered(results) {
        let numbers = odds.marginals().into_iter();
        for marginal in numbers.filter(|marginal| marginal.variable().is_numeric()) {
            rows.answer(cell, odds);
            variables.push(marginal.variable().name.clone());
            mean.push(marginal.mean());
            error.push(marginal.standard_error());
            sd.push(marginal.sd());
            for (column, (_, share)) in quantiles.iter_mut().zip(QUANTILES) {
                column.push(marginal.quantile(share));
            }
        }
    }
    if variables.is_empty() {
        return Ok(None);
    }
    let mut others = vec![
        Column::new("variable".into(), variables),
        Column::new("mean".into(), mean),
        Column::new("se".into(), error),
        Column::new("sd".into(), sd),
    ];
    let quantiles = quantiles.into_iter().zip(QUANTILES);
    others.extend(quantiles.map(|(column, (name, _))| Column::new(name.into(), column)));
    rows.frame(others).map(Some)
}

/// The worst z-score of each variable of each cell.
fn agreement(results: &Results) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(results);
    let (mut variables, mut values, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    let (mut exact_p, mut simulated_p) = (Vec::new(), Vec::new());
    for (cell, trials, marginals) in agreement_pairs(results) {
        for (exact, simulated) in marginals {
            let (label, z) = worst_z(&exact, &simulated, trials);
            rows.cell(cell);
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
            rows.cell(cell);
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        return Ok(None);
    }
    rows.frame(vec![Column::new("reason".into(), reasons)])
        .map(Some)
}
