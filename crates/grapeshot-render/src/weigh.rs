//! What carries a result.

use super::number::{counted, percent};
use super::quantity::{amount, amount_cell};
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::weigh_chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_engine::stats::fixed;
use grapeshot_study::weigh::{Carried, Weighed, Weighing};
use grapeshot_study::wording::{as_command, capital, grouped, joined};

/// Shares below this hardly matter.
const HARDLY: f64 = 0.02;
/// A share from which a setting decides, rather than carries most.
const DECIDES: f64 = 1.0 / 3.0;
/// Pairs shown to readers.
const PAIRS: usize = 8;
/// What is told of behind the first, and of what hardly matters.
const NEXT: usize = 3;
const IDLE: usize = 4;
/// Settings and numbers whose means are shown to readers.
const MEANS: usize = 12;

impl Report for Weighing {
    fn document(&self) -> Document {
        let q = &self.quantity;
        let mut document = Document::new(format!(
            "{} {}: what carries {q}",
            self.rules, self.procedure
        ));
        document.fact("", self.methods.text());
        document.fact("", sampling(self));
        document.fact("variants", self.variants.join(", "));
        document.fact("given", as_command(self.settings.given()));
        document.findings.extend(sentences(self));
        let name = format!("weigh-{}-{}", self.rules, self.procedure);
        let chart = weigh_chart(self).map(|chart| Picture::chart(name, chart));
        document.pictures.extend(chart);
        let heading =
            "shares of the variance: dealt out, alone, and with all it does together with others";
        document.block(heading, shares(self));
        if self.pairs.len() > 1 && self.varies() {
            let heading = "what two do together, beyond what each does alone";
            document.block(heading, pairs(self).at_most(PAIRS, "--format json"));
        }
        let shown = self.carried.iter().take(MEANS);
        let values = shown.map(|one| one.means.len()).sum();
        document.block(
            format!("{q} at each value, averaged over everything else"),
            means(self).at_most(values, "--format json"),
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
        let same = amount(q, &found.mean);
        return vec![format!("Nothing carries it: {q} is {same} in every cell.")];
    };
    let does = match first.alone.value >= DECIDES {
        true => verb(&first.key, "decides", "decide"),
        false => verb(&first.key, "carries most", "carry most"),
    };
    let mut text = format!(
        "{} {does}: {} of all that varies, {} with what it does together with others.",
        begun(found, first),
        rounded(&first.alone),
        rounded(&first.total)
    );
    let (idle, rest): (Vec<&Carried>, Vec<&Carried>) =
        found.carried[1..].iter().partition(|one| hardly(one));
    if !rest.is_empty() {
        let next = rest.iter().take(NEXT);
        let next = next.map(|one| format!("{} ({})", the(found, one), rounded(&one.alone)));
        text += &format!(" Then {}.", joined(next.collect()));
    }
    match &idle[..] {
        [] => {}
        [one] => {
            let does = verb(&one.key, "hardly matters", "hardly matter");
            let name = begun(found, one);
            text += &format!(
                " {name}{} {does}, {}.",
                span(found, one),
                rounded(&one.total)
            );
        }
        many => {
            let named = many.iter().take(IDLE).map(|one| {
                let (name, span) = (the(found, one), span(found, one));
                format!("{name}{span}, {}", rounded(&one.total))
            });
            let mut named: Vec<String> = named.collect();
            if many.len() > IDLE {
                named.push(format!("and {} more", many.len() - IDLE));
            }
            text += &format!(" What hardly matters: {}.", named.join("; "));
        }
    }
    let (low, high) = found.range;
    let spread = format!(
        "Over {}, {q} is {} on average and runs from {} to {}.",
        cells(found),
        amount(q, &found.mean),
        whole(low),
        whole(high)
    );
    vec![text, spread]
}

/// Whether something is nothing to care for: not even all it does together with others lifts it.
fn hardly(one: &Carried) -> bool {
    one.total.value < HARDLY
}

/// A share as it is spoken of: a whole percentage.
fn rounded(share: &Estimate) -> String {
    let whole = |x: f64| fixed(100.0 * x, 0);
    let half = 100.0 * share.half_width();
    match (share.value, half > 0.0) {
        (x, false) if x > 0.0 && x < 0.005 => "below 1 %".into(),
        (x, false) => format!("{} %", whole(x)),
        _ if share.high < 0.005 => "below 1 %".into(),
        (x, true) => format!(
            "{} ± {} %",
            whole(x.max(0.0)),
            fixed(half, usize::from(half < 1.0))
        ),
    }
}

/// A setting as a person speaks of it, a number as it is found in the tables.
fn the(found: &Weighing, one: &Carried) -> String {
    let over = found.over.iter().find(|over| over.key == one.key);
    if over.is_some_and(|over| over.cell.is_some()) {
        return one.key.replace(".rows.", ".").replace(".values.", ".");
    }
    match one.key.split_once('.') {
        Some((side, own)) => format!("the {side}'s {}", own.replace('_', " ")),
        None => format!("the {}", one.key.replace('_', " ")),
    }
}

/// The same where a sentence begins; the place of a number stays as it is written.
fn begun(found: &Weighing, one: &Carried) -> String {
    let name = the(found, one);
    match name.starts_with("the ") {
        true => capital(&name),
        false => name,
    }
}

/// What things that are counted do, or one thing does.
fn verb(key: &str, one: &'static str, many: &'static str) -> &'static str {
    match key.ends_with('s') && !key.ends_with("ss") {
        true => many,
        false => one,
    }
}

/// The values of a number that was hardly felt.
fn span(found: &Weighing, one: &Carried) -> String {
    let over = found.over.iter().find(|over| over.key == one.key);
    let values = over.map_or(&[][..], |over| &over.values);
    let numbers = values.iter().all(|value| value.number().is_some());
    match (values.first(), values.last()) {
        (Some(low), Some(high)) if numbers => format!(" between {low} and {high}"),
        _ => String::new(),
    }
}

fn cells(found: &Weighing) -> String {
    counted(found.cells, "cell")
}

/// How a grid that is too large was asked.
fn sampling(found: &Weighing) -> String {
    let Some(sampled) = &found.sampled else {
        return String::new();
    };
    format!(
        "sampled: {} scrambled Sobol points ({} sets, seed {}) instead of all {} cells; ± is a 95 % interval",
        grouped(sampled.points as u64),
        sampled.sets,
        sampled.seed,
        match found.all < 1e15 {
            true => grouped(found.all as u64),
            false => format!("{:.0e}", found.all),
        },
    )
}

fn notes(found: &Weighing) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(left) = &found.left_out {
        let told = [
            (left.unread, "this question never reads"),
            (left.no_number, "hold no whole number"),
            (left.refused, "of which no other number holds together"),
        ];
        let told = told.into_iter().filter(|(cells, _)| *cells > 0);
        let told = told.map(|(cells, why)| format!("{} {why}", counted(cells, "cell")));
        let told: Vec<String> = told.collect();
        if !told.is_empty() {
            notes.push(format!("not varied: {}", told.join(", ")));
        }
    }
    if found.refusals() > 0 {
        let reasons = found.refused.iter();
        let reasons: Vec<String> = reasons
            .map(|refused| format!("{} ({})", refused.reason, counted(refused.cells, "cell")))
            .collect();
        let what = match found.sampled {
            None => {
                "What is left ties settings to each other, so shares alone and of pairs need not add up; the shares dealt out do"
            }
            Some(_) => "Nothing is learnt of a step to or from one of them",
        };
        notes.push(format!(
            "the rules refuse {} of {}, which are left out: {}. {what}",
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
        Column::words("what varies"),
        Column::words("values"),
        Column::number("share"),
        Column::number("alone"),
        Column::number("with others"),
        Column::words(""),
    ]);
    for one in &found.carried {
        let over = found.over.iter().find(|over| over.key == one.key);
        table.row([
            Cell::text(&one.key),
            Cell::text(over.map_or_else(String::new, values)),
            Cell::estimated(one.share),
            Cell::estimated(one.alone),
            Cell::estimated(one.total),
            Cell::bar(one.share.value.clamp(0.0, 1.0)),
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
        Column::words("one"),
        Column::words("and"),
        Column::number("share"),
    ]);
    for pair in &found.pairs {
        let [one, other] = &pair.keys;
        table.row([
            Cell::text(one),
            Cell::text(other),
            Cell::estimated(pair.share),
        ]);
    }
    table
}

fn means(found: &Weighing) -> Table {
    let mut table = Table::new([
        Column::words("what varies"),
        Column::words("value"),
        Column::number(found.quantity.to_string()),
    ]);
    for one in &found.carried {
        let Some(over) = found.over.iter().find(|over| over.key == one.key) else {
            continue;
        };
        for (value, mean) in over.values.iter().zip(&one.means) {
            let mean = match mean {
                Some(mean) => amount_cell(&found.quantity, mean),
                None => Cell::missing("refused"),
            };
            table.row([Cell::text(&one.key), Cell::text(value.to_string()), mean]);
        }
    }
    table
}
