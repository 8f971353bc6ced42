//! Cliffs: one step that changes the result far more than its neighbours do, or not at all.

use super::cells::judge;
use super::declared::{Declared, Line};
use super::finding::{Finding, FindingKind, Severity, number, odds_command, tables_command};
use super::probe::{Worth, outcome, pairs};
use grapeshot_rules::{LoadedRuleset, RuleError};

/// A step between two plateaus is reported as those plateaus; otherwise a step is a cliff when it is
/// so many times its larger neighbour (a hair less than twice, for rounding) …
const TIMES: f64 = 1.999;
/// … and this share of the whole way.
const SHARE: f64 = 0.25;

pub(super) fn lines(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for line in declared.lines.values() {
        let procedure = loaded.procedure(&line.procedure)?;
        let worth = Worth::new(loaded, &line.procedure, std::slice::from_ref(&line.of))?;
        let mut worths = Vec::new();
        let mut rows = Vec::new();
        for value in &line.values {
            let given = at(line, value);
            let (Some(worth), Some(row)) = (worth.of(&given)?, outcome(procedure, &given)) else {
                break;
            };
            worths.push(worth);
            rows.push(row);
        }
        if worths.len() == line.values.len() {
            found.extend(cliffs(loaded, line, &worths));
            found.extend(flats(loaded, line, &worths, |a, b| rows[a] == rows[b]));
        }
    }
    Ok(found)
}

fn at(line: &Line, value: &str) -> Vec<(String, String)> {
    let mut given = pairs(&line.given);
    given.push((line.key.clone(), value.to_owned()));
    given
}

fn cliffs(loaded: &LoadedRuleset, line: &Line, worths: &[f64]) -> Vec<Finding> {
    let steps: Vec<f64> = worths.windows(2).map(|w| w[1] - w[0]).collect();
    let low = worths.iter().copied().fold(f64::INFINITY, f64::min);
    let high = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut found = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let neighbours: Vec<f64> = [i.wrapping_sub(1), i + 1]
            .iter()
            .filter_map(|&j| steps.get(j))
            .map(|s| s.abs())
            .collect();
        let largest = neighbours.iter().copied().fold(0.0, f64::max);
        if neighbours.len() < 2
            || largest < 1e-9
            || step.abs() < SHARE * (high - low)
            || step.abs() < TIMES * largest
        {
            continue;
        }
        let (from, to) = (&line.values[i], &line.values[i + 1]);
        found.push(Finding {
            severity: Severity::Warning,
            kind: FindingKind::Cliff,
            place: format!("{}, {} {from} to {to}", line.procedure, line.key),
            source: source(loaded, line),
            evidence: format!("{}: {}", line.of, run(line, worths)),
            sentence: format!(
                "From {} {from} to {to}{} {} changes by {}; the steps beside it change it by {} and {}.",
                line.key,
                with_given(line),
                line.of,
                number(*step),
                number(steps[i - 1]),
                number(steps[i + 1])
            ),
            commands: [from, to]
                .map(|value| odds_command(loaded, &line.procedure, &at(line, value)))
                .to_vec(),
        });
    }
    found
}

/// Steps that change nothing at all, taken together where they follow each other.
fn flats(
    loaded: &LoadedRuleset,
    line: &Line,
    worths: &[f64],
    same: impl Fn(usize, usize) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut start = 0;
    while start + 1 < worths.len() {
        let mut end = start;
        while end + 1 < worths.len() && same(end, end + 1) {
            end += 1;
        }
        if end > start {
            let (from, to) = (&line.values[start], &line.values[end]);
            found.push(Finding {
                severity: Severity::Note,
                kind: FindingKind::Cliff,
                place: format!("{}, {} {from} to {to}", line.procedure, line.key),
                source: source(loaded, line),
                evidence: format!("{}: {}", line.of, run(line, worths)),
                sentence: format!(
                    "A plateau: from {} {from} to {to} nothing changes{}.",
                    line.key,
                    with_given(line).trim_end_matches(',')
                ),
                commands: [from, to]
                    .map(|value| odds_command(loaded, &line.procedure, &at(line, value)))
                    .to_vec(),
            });
        }
        start = end + 1;
    }
    found
}

/// What is set besides, for a sentence.
fn with_given(line: &Line) -> String {
    let given: Vec<String> = line.given.iter().map(|(k, v)| format!("{k}={v}")).collect();
    match given.is_empty() {
        true => String::new(),
        false => format!(", with {},", given.join(" ")),
    }
}

fn run(line: &Line, worths: &[f64]) -> String {
    let steps = line.values.iter().zip(worths);
    steps
        .map(|(value, worth)| format!("{value} {}", number(*worth)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn source(loaded: &LoadedRuleset, line: &Line) -> String {
    let procedure = loaded.procedure(&line.procedure);
    procedure.map_or(String::new(), |p| p.source.to_string())
}

/// Neighbouring columns that print the same in every row.
pub(super) fn plateaus(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, rule) in &declared.grids {
        if rule.columns.is_none() || rule.plateaus {
            continue;
        }
        let judged = judge(&loaded.tables, name, rule)?;
        for at in 1..judged.columns.len() {
            if judged.cells.iter().any(|row| row[at - 1] != row[at]) {
                continue;
            }
            let (left, right) = (&judged.columns[at - 1], &judged.columns[at]);
            let cells: Vec<&str> = judged.cells.iter().map(|row| row[at].as_str()).collect();
            found.push(Finding {
                severity: Severity::Note,
                kind: FindingKind::Cliff,
                place: format!("table {}, columns {left} and {right}", judged.grid.name),
                source: judged.grid.source.clone(),
                evidence: format!("both columns: {}", cells.join(", ")),
                sentence: format!(
                    "A plateau: columns {left} and {right} print the same in every row, so the step between them changes nothing."
                ),
                commands: vec![tables_command(loaded)],
            });
        }
    }
    Ok(found)
}
