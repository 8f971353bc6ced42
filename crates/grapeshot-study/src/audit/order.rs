//! Order: neighbouring cells where a better position gives a worse result.
//!
//! Every pair of cells of a line that runs the wrong way is a conflict. The fewest cells that
//! explain all conflicts are named: one odd cell disturbs its row and its column and is blamed once.

use super::cells::{Judged, faces, judge};
use super::declared::{Declared, GridRule, Ladder, Way, Words};
use super::finding::{Finding, FindingKind, Severity, number, tables_command};
use grapeshot_rules::{LoadedRuleset, RuleError, TableFile};
use std::collections::BTreeSet;

type GridPlace = (usize, usize);

/// A cell that is out of order, and the cells it is in conflict with.
type Culprit = (GridPlace, Vec<GridPlace>);

pub(super) fn grids(
    loaded: &LoadedRuleset,
    declared: &Declared,
    notes: &mut Vec<String>,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, rule) in &declared.grids {
        let judged = judge(&loaded.tables, name, rule)?;
        notes.extend(unjudged(name, rule, &judged));
        let mut alike: Vec<(&str, Vec<Culprit>)> = Vec::new();
        for (cell, against) in culprits(&conflicts(&judged, rule)) {
            let text = judged.cells[cell.0][cell.1].as_str();
            match alike.iter_mut().find(|(known, _)| *known == text) {
                Some((_, cells)) => cells.push((cell, against)),
                None => alike.push((text, vec![(cell, against)])),
            }
        }
        // The same result out of order in several places is one fault.
        for (_, cells) in alike {
            found.push(finding(loaded, rule, &judged, &cells));
        }
        if rule.scale == Words::One("bands".into()) {
            found.extend(shared_faces(loaded, &judged));
        }
    }
    Ok(found)
}

/// Cells that are not on a scale of labels. Dashes among numbers are left to the range check.
fn unjudged(name: &str, rule: &GridRule, judged: &Judged) -> Option<String> {
    let Words::List(scale) = &rule.scale else {
        return None;
    };
    // A second look at a table is at some of its results only.
    if rule.table.is_some() {
        return None;
    }
    let known: Vec<&str> = scale.iter().flat_map(|entry| entry.split(" = ")).collect();
    let cells = judged.cells.iter().flatten();
    let mut odd: Vec<&str> = cells
        .filter(|cell| !known.contains(&cell.as_str()))
        .map(String::as_str)
        .collect();
    odd.sort_unstable();
    odd.dedup();
    let odd = odd.join(", ");
    (!odd.is_empty()).then(|| {
        format!("{name}: not judged, because not on the scale of [audit.grids.{name}]: {odd}")
    })
}

/// Every pair of cells that runs the wrong way, named so that two editions can be compared; only of the
/// tables and lists that `asked` lets through, which are named `tables.NAME` and `lists.NAME`.
///
/// # Errors
/// If the declarations name what is not there.
pub(crate) fn disorder(
    tables: &TableFile,
    declared: &Declared,
    asked: impl Fn(&str) -> bool,
) -> Result<BTreeSet<String>, RuleError> {
    let mut found = BTreeSet::new();
    for (name, rule) in &declared.grids {
        let table = rule.table.as_ref().unwrap_or(name);
        if !asked(&format!("tables.{table}")) {
            continue;
        }
        let judged = judge(tables, name, rule)?;
        let place = |(row, column): GridPlace| {
            let (row, column) = (&judged.rows[row], &judged.columns[column]);
            format!("{} {row}, column {column}", judged.grid.corner)
        };
        for (first, second) in conflicts(&judged, rule) {
            let (first, second) = (place(first), place(second));
            found.insert(format!("table {table}: {first} against {second}"));
        }
    }
    for ladder in declared.ladders.values() {
        if !asked(&format!("lists.{}", ladder.list)) {
            continue;
        }
        for pair in steps(tables, ladder)?.windows(2) {
            let [(low, a), (high, b)] = [&pair[0], &pair[1]];
            if b < a {
                found.insert(format!("list {}: {high} against {low}", ladder.list));
            }
        }
    }
    Ok(found)
}

/// Pairs of cells of one line, the first before the second, that run the wrong way.
fn conflicts(judged: &Judged, rule: &GridRule) -> Vec<(GridPlace, GridPlace)> {
    let (height, width) = (judged.rows.len(), judged.columns.len());
    let mut found = Vec::new();
    let mut line = |places: Vec<GridPlace>, way: Way| {
        for (at, &a) in places.iter().enumerate() {
            for &b in &places[at + 1..] {
                let worth = |(row, column): GridPlace| judged.worth[row][column];
                if let (Some(first), Some(second)) = (worth(a), worth(b))
                    && match way {
                        Way::Better => second < first,
                        Way::Worse => second > first,
                    }
                {
                    found.push((a, b));
                }
            }
        }
    };
    if let Some(way) = rule.columns {
        (0..height).for_each(|row| line((0..width).map(|c| (row, c)).collect(), way));
    }
    if let Some(way) = rule.rows {
        (0..width).for_each(|column| line((0..height).map(|r| (r, column)).collect(), way));
    }
    found
}

/// The cell with the most conflicts, then the next one, until all are explained; each with the cells
/// it is in conflict with. Of two equal ones the later is named.
fn culprits(conflicts: &[(GridPlace, GridPlace)]) -> Vec<Culprit> {
    let mut left = conflicts.to_vec();
    let mut found = Vec::new();
    while !left.is_empty() {
        let mut places: Vec<GridPlace> = left.iter().flat_map(|&(a, b)| [a, b]).collect();
        places.sort_unstable();
        places.dedup();
        let count = |place: GridPlace| {
            left.iter()
                .filter(|&&(a, b)| a == place || b == place)
                .count()
        };
        let Some(worst) = places.into_iter().max_by_key(|&p| (count(p), p)) else {
            break;
        };
        let against = conflicts.iter().filter_map(|&(a, b)| match worst {
            w if w == a => Some(b),
            w if w == b => Some(a),
            _ => None,
        });
        found.push((worst, against.collect()));
        left.retain(|&(a, b)| a != worst && b != worst);
    }
    found.sort_unstable();
    found
}

fn finding(loaded: &LoadedRuleset, rule: &GridRule, judged: &Judged, cells: &[Culprit]) -> Finding {
    let (cell, against) = (cells[0].0, &cells[0].1[..]);
    let (row, column) = cell;
    let text = |(row, column): GridPlace| &judged.cells[row][column];
    let corner = &judged.grid.corner;
    let corner = corner.split(',').next().unwrap_or(corner);
    let distance = |&(r, c): &GridPlace| r.abs_diff(row) + c.abs_diff(column);
    let nearest = |same_row: bool| {
        against
            .iter()
            .filter(|place| (place.0 == row) == same_row)
            .min_by_key(|place| distance(place))
    };
    let worth = |(row, column): GridPlace| judged.worth[row][column].unwrap_or(0.0);
    let against_it = |other: GridPlace, where_: String| {
        let verdict = if worth(cell) > worth(other) {
            "better"
        } else {
            "worse"
        };
        format!("{verdict} for {} than {} {where_}", rule.whom, text(other))
    };
    let down = nearest(false)
        .map(|&other| against_it(other, format!("at {corner} {}", judged.rows[other.0])));
    let right = nearest(true)
        .map(|&other| against_it(other, format!("in column {}", judged.columns[other.1])));
    let reasons: Vec<String> = down.iter().chain(&right).cloned().collect();
    let mut evidence = match against.len() {
        1 => "out of order with another cell".to_owned(),
        n => format!("out of order with {n} cells"),
    };
    if down.is_some() {
        let line: Vec<String> = (0..judged.rows.len())
            .map(|r| format!("{} {}", judged.rows[r], text((r, column))))
            .collect();
        evidence += &format!("; column {}: {}", judged.columns[column], line.join(", "));
    }
    if right.is_some() {
        let line: Vec<String> = (0..judged.columns.len())
            .map(|c| format!("{} {}", judged.columns[c], text((row, c))))
            .collect();
        evidence += &format!("; {corner} {}: {}", judged.rows[row], line.join(", "));
    }
    evidence += &whole_columns(judged, rule, column);
    let side = rule.side.as_ref();
    let side = side.map_or(String::new(), |side| format!(" for the {side}"));
    let place = |(row, column): GridPlace| {
        let (row, column) = (&judged.rows[row], &judged.columns[column]);
        format!("{corner} {row}, column {column}")
    };
    let more: Vec<String> = cells[1..].iter().map(|(cell, _)| place(*cell)).collect();
    let more = match more.is_empty() {
        true => String::new(),
        false => format!(" So too at {}.", more.join("; ")),
    };
    Finding {
        severity: Severity::Error,
        kind: FindingKind::Order,
        place: format!("table {}, {}{side}", judged.grid.name, place(cell)),
        source: judged.grid.source.clone(),
        evidence,
        sentence: format!(
            "The table prints {}{side} at {corner} {} in column {}: {}, against the order of the table.{more}",
            text(cell),
            judged.rows[row],
            judged.columns[column],
            reasons.join(", and ")
        ),
        commands: vec![tables_command(loaded)],
    }
}

/// Whether the column as a whole still keeps its place between its neighbours (first-order
/// stochastic dominance over the rows, which are taken as equally likely).
fn whole_columns(judged: &Judged, rule: &GridRule, column: usize) -> String {
    let (Some(way), Words::List(_)) = (rule.columns, &rule.scale) else {
        return String::new();
    };
    let sorted = |column: usize| {
        let mut worth: Vec<f64> = judged.worth.iter().filter_map(|row| row[column]).collect();
        worth.sort_by(f64::total_cmp);
        worth
    };
    let (mut fails, last) = (Vec::new(), judged.columns.len() - 1);
    for (left, right) in [(column.wrapping_sub(1), column), (column, column + 1)] {
        if left > last || right > last {
            continue;
        }
        let (a, b) = (sorted(left), sorted(right));
        let keeps = a.len() == b.len()
            && a.iter().zip(&b).all(|(a, b)| match way {
                Way::Better => b >= a,
                Way::Worse => b <= a,
            });
        if !keeps {
            let (left, right) = (&judged.columns[left], &judged.columns[right]);
            fails.push(format!("{left} and {right}"));
        }
    }
    match fails.is_empty() {
        true => "; as whole columns its neighbours are still in order".into(),
        false => format!(
            "; even as whole columns {} are out of order (no stochastic dominance)",
            fails.join(", ")
        ),
    }
}

/// Every face of the die must stand in exactly one band of a row.
fn shared_faces(loaded: &LoadedRuleset, judged: &Judged) -> Vec<Finding> {
    let all = |row: &Vec<String>| -> Vec<i64> {
        let mut all: Vec<i64> = row
            .iter()
            .filter_map(|cell| faces(cell))
            .flatten()
            .collect();
        all.sort_unstable();
        all
    };
    let mut die: Vec<i64> = judged.cells.iter().flat_map(all).collect();
    die.sort_unstable();
    die.dedup();
    let mut found = Vec::new();
    for (label, row) in judged.rows.iter().zip(&judged.cells) {
        for &face in &die {
            let times = all(row).iter().filter(|&&f| f == face).count();
            let (kind, verdict) = match times {
                0 => (FindingKind::Gap, "has no result"),
                1 => continue,
                _ => (FindingKind::Contradiction, "has more than one result"),
            };
            found.push(Finding {
                severity: Severity::Error,
                kind,
                place: format!("table {}, {} {label}", judged.grid.name, judged.grid.corner),
                source: judged.grid.source.clone(),
                evidence: format!("{label}: {}", row.join(" | ")),
                sentence: format!("A die of {face} {verdict} in the row {label}."),
                commands: vec![tables_command(loaded)],
            });
        }
    }
    found
}

/// Lists whose entries should rise: grades, degrees of cover, depth.
pub(super) fn ladders(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for ladder in declared.ladders.values() {
        let list = loaded.tables.list(&ladder.list)?;
        for pair in steps(&loaded.tables, ladder)?.windows(2) {
            let [(low, a), (high, b)] = [(&pair[0].0, pair[0].1), (&pair[1].0, pair[1].1)];
            if b < a {
                found.push(Finding {
                    severity: Severity::Error,
                    kind: FindingKind::Order,
                    place: format!("list {}, {high}", ladder.list),
                    source: list.source.clone(),
                    evidence: format!("{low} {}, {high} {}", number(a), number(b)),
                    sentence: format!("{high} should not be below {low}: {}.", ladder.why),
                    commands: vec![tables_command(loaded)],
                });
            }
        }
    }
    Ok(found)
}

/// The entries of a ladder that are numbers, in the order in which they should rise.
fn steps(tables: &TableFile, ladder: &Ladder) -> Result<Vec<(String, f64)>, RuleError> {
    let list = tables.list(&ladder.list)?;
    let mut steps = Vec::new();
    for entry in &ladder.rising {
        let value = list.values.iter().find(|(key, _)| key == entry);
        let Some((_, text)) = value else {
            let what = format!("entry of {} in [audit.ladders]", ladder.list);
            let known = list.values.iter().map(|(key, _)| key);
            return Err(RuleError::unknown(what, entry, known));
        };
        steps.extend(super::cells::number(text).map(|value| (entry.clone(), value)));
    }
    Ok(steps)
}
