//! Sentences computed from results.

use super::experiment::FindingSpec;
use super::results::{CellResult, Results};
use crate::dist::{Estimate, Quantity};
use crate::rules::{RuleError, Value};

/// A cell that was answered, with its estimate.
struct Found<'a> {
    cell: &'a CellResult,
    estimate: Estimate,
}

/// The sentences of an experiment.
///
/// # Errors
/// If a quantity cannot be read.
pub fn findings(results: &Results) -> Result<Vec<String>, RuleError> {
    let mut sentences = Vec::new();
    for finding in &results.experiment.findings {
        let quantity = results.quantity(&finding.of)?;
        let found: Vec<Found<'_>> = results
            .cells
            .iter()
            .filter(|cell| cell.is_at(&finding.only))
            .filter_map(|cell| {
                let estimate = quantity.of(cell.answers.as_ref().ok()?.best())?;
                Some(Found { cell, estimate })
            })
            .collect();
        sentences.extend(extremes(finding, &quantity, &found));
        sentences.extend(steps(finding, &quantity, &found));
    }
    Ok(sentences)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

fn extremes(finding: &FindingSpec, quantity: &Quantity, found: &[Found<'_>]) -> Option<String> {
    let by = |a: &&Found<'_>, b: &&Found<'_>| a.estimate.value.total_cmp(&b.estimate.value);
    let low = found.iter().min_by(by)?;
    let high = found.iter().max_by(by)?;
    let name = capital(&finding.name);
    if found.len() < 2 || high.estimate.value - low.estimate.value < 1e-9 {
        return Some(format!(
            "{name} is {} throughout.",
            amount(quantity, low.estimate)
        ));
    }
    Some(format!(
        "{name} runs from {} ({}) to {} ({}).",
        amount(quantity, low.estimate),
        place(low.cell, finding),
        amount(quantity, high.estimate),
        place(high.cell, finding),
    ))
}

/// How much one step along a key changes the quantity, everything else equal.
fn steps(finding: &FindingSpec, quantity: &Quantity, found: &[Found<'_>]) -> Option<String> {
    let along = finding.along.as_ref()?;
    let mut changes: Vec<(f64, &Value, &Value)> = Vec::new();
    for (at, a) in found.iter().enumerate() {
        let others = |cell: &CellResult| -> Vec<(String, Value)> {
            cell.place
                .iter()
                .filter(|(key, _)| key != along)
                .cloned()
                .collect()
        };
        let next = found[at + 1..]
            .iter()
            .find(|b| others(a.cell) == others(b.cell));
        if let (Some(b), Some(from)) = (next, a.cell.at(along)) {
            let to = b.cell.at(along)?;
            if to != from {
                changes.push((b.estimate.value - a.estimate.value, from, to));
            }
        }
    }
    let smallest = changes.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let largest = changes.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let key = along.replace(['.', '_'], " ");
    Some(format!(
        "One step of {key} changes it by {} ({} to {}) to {} ({} to {}).",
        change(quantity, smallest.0),
        smallest.1,
        smallest.2,
        change(quantity, largest.0),
        largest.1,
        largest.2,
    ))
}

fn amount(quantity: &Quantity, estimate: Estimate) -> String {
    let half = estimate.half_width();
    if quantity.is_probability() {
        let uncertain = if half > 0.0 {
            format!(" ± {:.2}", 100.0 * half)
        } else {
            String::new()
        };
        format!("{:.1}{uncertain} %", 100.0 * estimate.value)
    } else {
        let uncertain = if half > 0.0 {
            format!(" ± {half:.4}")
        } else {
            String::new()
        };
        format!("{:.2}{uncertain}", estimate.value)
    }
}

fn change(quantity: &Quantity, by: f64) -> String {
    // What rounds to nothing goes neither up nor down.
    let signed = |by: f64, least: f64| if by.abs() < least { 0.0 } else { by };
    if quantity.is_probability() {
        format!("{:+.1} points", signed(100.0 * by, 0.05))
    } else {
        format!("{:+.2}", signed(by, 0.005))
    }
}

fn place(cell: &CellResult, finding: &FindingSpec) -> String {
    let parts: Vec<String> = cell
        .place
        .iter()
        .filter(|(key, _)| !finding.only.iter().any(|(fixed, _)| fixed == key))
        .map(|(key, value)| format!("{} {value}", key.replace(['.', '_'], " ")))
        .collect();
    parts.join(", ")
}
