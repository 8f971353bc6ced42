//! What carries a result.

use super::number::{counted, percent};
use super::quantity::{amount, amount_cell};
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::weigh_chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_study::weigh::{Carried, Weighed, Weighing};
use grapeshot_study::wording::{as_command, grouped};

/// Shares below this hardly matter.
const HARDLY: f64 = 0.02;
/// A share from which a setting decides, rather than carries most.
const DECIDES: f64 = 1.0 / 3.0;
/// Pairs shown to readers.
const PAIRS: usize = 8;

impl Report for Weighing {
    fn document(&self) -> Document {
        let q = &self.quantity;
        let mut document = Document::new(format!(
            "{} {}: what carries {q}",
            self.rules, self.procedure
        ));
        document.fact("", self.methods.text());
        document.fact("variants", self.variants.join(", "));
        document.fact("given", as_command(self.settings.given()));
        document.findings.extend(sentences(self));
        let name = format!("weigh-{}-{}", self.rules, self.procedure);
        let chart = weigh_chart(self).map(|chart| Picture::chart(name, chart));
        document.pictures.extend(chart);
        let heading =
            "shares of the variance: dealt out, alone, and with all it does together with others";
        document.block(heading, shares(self));
        if self.pairs.len() > 1 {
            let heading = "what two settings do together, beyond what each does alone";
            document.block(heading, pairs(self).at_most(PAIRS, "--format json"));
        }
        document.block(
            format!("{q} at each value, averaged over everything else"),
            means(self),
        );
        document.notes.extend(notes(self));
        document
    }
}

/// What is said first.
fn sentences(found: &Weighing) -> Vec<String> {
    let q = &found.quantity;
    let whole = |x: f64| amount(q, &Estimate::exact(x));
    let Some(first) = found.carried.first().filter(|_| found.varies()) else {
        let same = whole(found.mean);
        return vec![format!("Nothing carries it: {q} is {same} in every cell.")];
    };
    let verb = match first.alone >= DECIDES {
        true => "decides",
        false => "carries most",
    };
    let mut text = format!(
        "{} {verb}: {} of all that varies by itself, {} with what it does together with others",
        first.key,
        percent(first.alone),
        percent(first.total)
    );
    if let Some(second) = found.carried.get(1).filter(|one| one.total >= HARDLY) {
        text += &format!("; then {} with {}", second.key, percent(second.alone));
    }
    // What all it does together with others does not lift is nothing to care for.
    let idle: Vec<&Carried> = found.carried[1..]
        .iter()
        .filter(|one| one.total < HARDLY)
        .collect();
    if !idle.is_empty() {
        let named = |one: &&Carried| {
            let values = found.over.iter().find(|over| over.key == one.key);
            let values = values.map_or_else(String::new, span);
            format!("{}{values}, {}", one.key, percent(one.total))
        };
        let named: Vec<String> = idle.iter().map(named).collect();
        let hardly = if idle.len() == 1 {
            "hardly matters"
        } else {
            "hardly matter"
        };
        text += &format!("; what {hardly}: {}", named.join("; "));
    }
    let (low, high) = found.range;
    let spread = format!(
        "Over {}, {q} is {} on average and runs from {} to {}.",
        cells(found),
        whole(found.mean),
        whole(low),
        whole(high)
    );
    vec![text + ".", spread]
}

/// The values of a setting that was hardly felt.
fn span(over: &Weighed) -> String {
    let numbers = over.values.iter().all(|value| value.number().is_some());
    match (over.values.first(), over.values.last()) {
        (Some(low), Some(high)) if numbers => format!(" from {low} to {high}"),
        _ => String::new(),
    }
}

fn cells(found: &Weighing) -> String {
    format!("{} cells", grouped(found.cells as u64))
}

fn notes(found: &Weighing) -> Vec<String> {
    let mut notes = Vec::new();
    if found.refusals() > 0 {
        let reasons = found.refused.iter();
        let reasons: Vec<String> = reasons
            .map(|refused| format!("{} ({})", refused.reason, counted(refused.cells, "cell")))
            .collect();
        notes.push(format!(
            "the rules refuse {} of {}, which are left out: {}. What is left ties settings to each other, so shares alone and of \
             pairs need not add up; the shares dealt out do",
            grouped(found.refusals() as u64),
            counted(found.cells + found.refusals(), "cell"),
            reasons.join("; ")
        ));
    }
    if found.methods.simulated > 0 {
        notes.push("the luck of simulated cells counts as something that varies".into());
    }
    notes
}

fn shares(found: &Weighing) -> Table {
    let mut table = Table::new([
        Column::words("setting"),
        Column::words("values"),
        Column::number("share"),
        Column::number("alone"),
        Column::number("with others"),
        Column::number(""),
    ]);
    for one in &found.carried {
        let over = found.over.iter().find(|over| over.key == one.key);
        table.row([
            Cell::text(&one.key),
            Cell::text(over.map_or_else(String::new, values)),
            Cell::chance(one.share),
            Cell::chance(one.alone),
            Cell::chance(one.total),
            Cell::bar(one.share.clamp(0.0, 1.0)),
        ]);
    }
    table
}

/// The values, with their weights where they are not all alike.
fn values(over: &Weighed) -> String {
    let alike = over
        .weights
        .iter()
        .all(|weight| (weight - over.weights[0]).abs() < 1e-12);
    let numbers = over.values.iter().all(|value| value.number().is_some());
    if let (true, true, [first, .., last]) = (alike, numbers, &over.values[..]) {
        return format!("{first} to {last}");
    }
    let value = |(value, weight): (&grapeshot_rules::Value, &f64)| match alike {
        true => value.to_string(),
        false => format!("{value} ({})", percent(*weight)),
    };
    let values: Vec<String> = over.values.iter().zip(&over.weights).map(value).collect();
    values.join(", ")
}

fn pairs(found: &Weighing) -> Table {
    let mut table = Table::new([
        Column::words("setting"),
        Column::words("and"),
        Column::number("share"),
    ]);
    for pair in &found.pairs {
        let [one, other] = &pair.keys;
        table.row([Cell::text(one), Cell::text(other), Cell::chance(pair.share)]);
    }
    table
}

fn means(found: &Weighing) -> Table {
    let mut table = Table::new([
        Column::words("setting"),
        Column::words("value"),
        Column::number(found.quantity.to_string()),
    ]);
    for one in &found.carried {
        let Some(over) = found.over.iter().find(|over| over.key == one.key) else {
            continue;
        };
        for (value, mean) in over.values.iter().zip(&one.means) {
            let mean = match mean {
                Some(mean) => amount_cell(&found.quantity, &Estimate::exact(*mean)),
                None => Cell::missing("refused"),
            };
            table.row([Cell::text(&one.key), Cell::text(value.to_string()), mean]);
        }
    }
    table
}
