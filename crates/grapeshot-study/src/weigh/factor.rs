//! What varies: settings, and numbers that are printed, each with the values it takes.

use crate::workbench::{Reply, Workbench};
use grapeshot_engine::dist::{Estimate, Quantity, Source};
use grapeshot_engine::engine::Budget;
use grapeshot_rules::{CellPlace, OddsError, RuleError, Value, parse_sweep};
use serde::Serialize;
use std::collections::BTreeSet;

/// What varies, and how often each of its values is met.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weighed {
    /// The key of a setting, or the place of a printed number.
    pub key: String,
    /// Its values.
    pub values: Vec<Value>,
    /// How often each is met; together one.
    pub weights: Vec<f64>,
    /// Where the number is printed, if it is one.
    #[serde(skip)]
    pub cell: Option<CellPlace>,
}

impl Weighed {
    /// Values that are met as often as each other.
    fn evenly(key: String, values: Vec<Value>, cell: Option<CellPlace>) -> Self {
        Weighed {
            weights: vec![1.0 / values.len() as f64; values.len()],
            key,
            values,
            cell,
        }
    }
}

/// A quantity with each of these at one of its values, given by position.
///
/// # Errors
/// As [`Workbench::ask`].
pub(super) fn ask(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    over: &[Weighed],
    place: &[usize],
) -> Result<Reply<(Estimate, Source)>, OddsError> {
    let (mut changed, mut cells) = (Vec::new(), Vec::new());
    for (one, &at) in over.iter().zip(place) {
        match (&one.cell, &one.values[at]) {
            (Some(cell), Value::Whole(number)) => cells.push((cell, *number)),
            (_, value) => changed.push((one.key.clone(), value.clone())),
        }
    }
    workbench.number_with(quantity, &cells, &changed)
}

/// What `--cells` found beside the numbers that vary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Cells that the question never reads.
    pub unread: usize,
    /// Cells that hold no whole number.
    pub no_number: usize,
    /// Cells of which no other number holds together.
    pub refused: usize,
}

/// Printed numbers that are read by a question, each as it is, a little less and a little more; or with the values that
/// are named behind the pattern. Beside them what was left out.
///
/// # Errors
/// If a pattern names no cell, none of its cells is read, or a value is none.
pub(super) fn cells(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    patterns: &[String],
    by: i64,
    over: &[Weighed],
) -> Result<(Vec<Weighed>, LeftOut), OddsError> {
    if patterns.is_empty() {
        return Ok((Vec::new(), LeftOut::default()));
    }
    let tables = &workbench.loaded.tables;
    let read = read_by(workbench, over)?;
    let usual = workbench.number(quantity, &[])?;
    let mut left = LeftOut::default();
    let mut found: Vec<Weighed> = Vec::new();
    for text in patterns {
        let (pattern, values) = match text.split_once('=') {
            Some((pattern, _)) => (pattern, parse_sweep(text)?.values.concat()),
            None => (text.as_str(), Vec::new()),
        };
        for place in tables.cells_named(&[pattern.into()])? {
            let key = place.to_string();
            if found.iter().any(|known| known.key == key) {
                continue;
            }
            let Some(now) = tables.whole_in(&place) else {
                left.no_number += 1;
                continue;
            };
            if read.as_ref().is_some_and(|read| !read.contains(&key)) {
                left.unread += 1;
                continue;
            }
            let numbers: Vec<i64> = match values.is_empty() {
                true => vec![now - by, now, now + by],
                false => (values.iter())
                    .map(|value| whole(text, value))
                    .collect::<Result<_, _>>()?,
            };
            // What the rules refuse by itself is no value of it.
            let mut fitting = Vec::new();
            for number in numbers {
                match workbench.number_with(quantity, &[(&place, number)], &[])? {
                    Err(reason) if Err(&reason) != usual.as_ref().map(|_| ()) => {}
                    _ => fitting.push(Value::Whole(number)),
                }
            }
            match fitting.len() {
                0 | 1 => left.refused += 1,
                _ => found.push(Weighed::evenly(key, fitting, Some(place))),
            }
        }
    }
    if found.is_empty() {
        let problem = format!(
            "names no number that can vary here: {} hold no whole number, {} are not read by this question",
            left.no_number, left.unread
        );
        return Err(RuleError::argument("cells", patterns.join(" "), problem).into());
    }
    Ok((found, left))
}

fn whole(text: &str, value: &Value) -> Result<i64, RuleError> {
    let number = value.to_string().parse();
    number.map_err(|_| {
        let problem = format!("`{value}` is no whole number, and a printed number stays one");
        RuleError::argument("cells", text, problem)
    })
}

/// The cells that are read with nothing changed, or with any one value of any setting; nothing where nobody knows.
fn read_by(
    workbench: &Workbench<'_>,
    over: &[Weighed],
) -> Result<Option<BTreeSet<String>>, RuleError> {
    let Some(reader) = workbench.loaded.reader()? else {
        return Ok(None);
    };
    let each = over.iter().flat_map(|one| {
        let values = one.values.iter();
        values.map(|value| vec![(one.key.clone(), value.clone())])
    });
    let mut read = BTreeSet::new();
    for changed in each.chain([Vec::new()]) {
        let settings = workbench.settings(&changed)?;
        match reader.reads(&workbench.procedure.name, &settings, Budget::default()) {
            Ok(found) => read.extend(found.cells),
            Err(error) if error.is_refusal() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Some(read))
}
