//! Comparisons for reading and for spreadsheets.

use super::text::{columns, percent, wrap};
use crate::engine::NoteKind;
use crate::rules::Labels;
use crate::study::{Compared, Comparison, Distances, Movers, Played};

/// What the columns of a comparison are called: results, turns, losses.
fn headings(comparison: &Comparison) -> Vec<String> {
    let kind = comparison.kind;
    let mut headings: Vec<String> = kind.results().iter().map(|&r| r.to_owned()).collect();
    if kind.label() == "firefight" {
        headings.push("turns".into());
    }
    headings.extend(kind.losses().iter().map(|(name, _)| name.replace('_', " ")));
    headings
}

/// The numbers of a row, in the order of the headings.
fn numbers(comparison: &Comparison, played: &Played) -> Vec<f64> {
    let kind = comparison.kind;
    let headline = played.headline();
    let mut numbers: Vec<f64> = kind.results().iter().map(|r| headline.p(r)).collect();
    if kind.label() == "firefight" {
        numbers.push(played.marginal("turns").mean());
    }
    let losses = kind.losses().iter();
    numbers.extend(losses.map(|(name, _)| played.marginal(name).mean()));
    numbers
}

/// Numbers as they are read: chances and losses in per cent, turns as they are.
pub(super) fn cells(comparison: &Comparison, played: &Played) -> Vec<String> {
    let numbers = numbers(comparison, played);
    headings(comparison)
        .iter()
        .zip(numbers)
        .map(|(heading, number)| match heading.as_str() {
            "turns" => format!("{number:.2}"),
            _ => percent(number),
        })
        .collect()
}

/// The headings of [`cells`].
pub(super) fn cell_headings(comparison: &Comparison) -> Vec<String> {
    headings(comparison)
        .into_iter()
        .map(|heading| match heading.as_str() {
            "turns" => "mean turns".into(),
            loss if loss.contains("loss") => format!("mean {loss}"),
            _ => heading,
        })
        .collect()
}

/// Where in the sweep a fight is.
pub(super) fn place(fight: &Compared) -> String {
    let parts: Vec<String> = fight
        .place
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    parts.join(" ")
}

/// How the numbers of a row were found.
pub(crate) fn method(played: &Played) -> String {
    match played.odds.source().trials() {
        None => "exact".into(),
        Some(trials) => format!("simulated, {} trials", crate::wording::grouped(trials)),
    }
}

/// The comparison as a person reads it.
pub fn compare_table(comparison: &Comparison) -> String {
    let mut out = format!("{} in every ruleset\n", comparison.kind.label());
    let given: Vec<String> = comparison
        .given
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    out += &match given.len() {
        0 => "given: nothing; every key at its default\n".to_owned(),
        _ => format!("given: {}\n", given.join(" ")),
    };
    if !comparison.variants.is_empty() {
        out += &format!("variants: {}\n", comparison.variants.join(", "));
    }
    for fight in &comparison.fights {
        out.push('\n');
        if !fight.place.is_empty() {
            out += &format!("{}\n", place(fight));
        }
        out += &rows(comparison, fight);
    }
    out += &notes(comparison);
    if let [fight] = comparison.fights.as_slice() {
        for distances in &fight.distances {
            out += &matrix(fight, distances);
        }
    }
    out += &movers(comparison);
    out
}

fn rows(comparison: &Comparison, fight: &Compared) -> String {
    let mut heading = vec!["ruleset".to_owned()];
    heading.extend(cell_headings(comparison));
    let mut table = vec![heading];
    let mut tails = vec![String::from("found by; assumptions that entered")];
    for row in &fight.rows {
        match &row.played {
            Ok(played) => {
                let mut line = vec![row.rules.to_owned()];
                line.extend(cells(comparison, played));
                table.push(line);
                let assumed = played.assumptions();
                tails.push(match assumed.len() {
                    0 => format!("{}; none", method(played)),
                    _ => format!("{}; {}", method(played), assumed.join(", ")),
                });
            }
            Err(reason) => {
                table.push(vec![row.rules.to_owned()]);
                tails.push(format!("left out: {reason}"));
            }
        }
    }
    let lined = columns(&table);
    let width = lined
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for (line, tail) in lined.lines().zip(tails) {
        let gap = if tail.starts_with("left out") {
            2
        } else {
            width - line.chars().count() + 2
        };
        out += &format!("{line}{}{tail}\n", " ".repeat(gap));
    }
    out
}

/// Every assumption and remark of the comparison, once each.
fn notes(comparison: &Comparison) -> String {
    let mut out = String::new();
    for (kind, title) in [
        (NoteKind::Assumption, "assumptions that entered"),
        (NoteKind::NoDifference, "what makes no difference"),
        (NoteKind::Remark, "remarks"),
    ] {
        // In a sweep the fight in its own words differs from cell to cell.
        let own = |name: &str| name == "in its own words" && comparison.fights.len() > 1;
        let mut lines: Vec<String> = Vec::new();
        for row in comparison.fights.iter().flat_map(|fight| &fight.rows) {
            let Ok(played) = &row.played else { continue };
            for note in played
                .notes
                .iter()
                .filter(|n| n.kind == kind && !own(&n.name))
            {
                let line = match kind {
                    NoteKind::NoDifference => format!("{}: {}", row.rules, note.text),
                    _ => format!("{} {}: {}", row.rules, note.name, note.text),
                };
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        if !lines.is_empty() {
            out += &format!("\n{title}\n");
            for line in lines {
                out += &wrap(&line, 100, "  ");
            }
        }
    }
    out
}

fn matrix(fight: &Compared, distances: &Distances) -> String {
    let names: Vec<String> = fight.rows.iter().map(|row| row.rules.to_owned()).collect();
    let mut table = vec![[String::new()].into_iter().chain(names.clone()).collect()];
    for (name, row) in names.into_iter().zip(&distances.matrix) {
        let cells = row
            .iter()
            .map(|cell| cell.map_or("–".into(), |d| format!("{d:.3}")));
        table.push([name].into_iter().chain(cells).collect());
    }
    let scale = match distances.measure {
        "Wasserstein" => "how far the losses must be moved, in shares of the men",
        _ => "the largest difference of probability, 0 to 1",
    };
    format!(
        "\nhow far apart, {} ({}: {scale})\n{}",
        distances.variable.replace('_', " "),
        distances.measure,
        columns(&table)
    )
}

/// The strongest key of a ruleset, as a sentence.
pub(super) fn mover_sentence(comparison: &Comparison, movers: &Movers) -> Option<String> {
    let strongest = movers.movers.first()?;
    if strongest.distance == 0.0 {
        return Some(format!("{}: no single key moves it", movers.rules));
    }
    Some(format!(
        "{}: {}={} (total variation {:.3}; chance of {} from {} to {})",
        movers.rules,
        strongest.key,
        strongest.value,
        strongest.distance,
        comparison.kind.results()[0],
        percent(strongest.chance.0),
        percent(strongest.chance.1),
    ))
}

fn movers(comparison: &Comparison) -> String {
    let mut out = String::from("\nthe single key that moves each ruleset most\n");
    for movers in &comparison.movers {
        if let Some(sentence) = mover_sentence(comparison, movers) {
            out += &wrap(&sentence, 100, "  ");
        }
    }
    out
}

/// One CSV table: a line for each ruleset of each fight.
pub fn compare_csv(comparison: &Comparison) -> String {
    let mut heading = comparison.swept.clone();
    heading.push("ruleset".into());
    heading.extend(headings(comparison).iter().map(|h| {
        let h = h.replace(' ', "_");
        if h == "turns" || h.contains("loss") {
            format!("mean_{h}")
        } else {
            h
        }
    }));
    heading.extend(["method", "assumptions", "left_out"].map(str::to_owned));
    let mut out = heading.join(",") + "\n";
    for fight in &comparison.fights {
        for row in &fight.rows {
            let mut line: Vec<String> = fight.place.iter().map(|(_, v)| v.to_string()).collect();
            line.push(row.rules.clone());
            match &row.played {
                Ok(played) => {
                    let numbers = numbers(comparison, played);
                    line.extend(numbers.iter().map(ToString::to_string));
                    line.push(quoted(&method(played)));
                    line.push(quoted(&played.assumptions().join("; ")));
                    line.push(String::new());
                }
                Err(reason) => {
                    line.extend(headings(comparison).iter().map(|_| String::new()));
                    line.extend([String::new(), String::new(), quoted(reason)]);
                }
            }
            out += &(line.join(",") + "\n");
        }
    }
    out
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
