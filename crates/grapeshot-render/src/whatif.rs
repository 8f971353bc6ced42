//! What would help most.

use super::quantity::{amount, change, change_cell, distance, plain, signed, unit};
use super::{Body, Cell, Column, Document, Picture, Report, Table};
use crate::pictures::what_if_chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_study::wording::as_command;
use grapeshot_study::{Factor, WhatIf};
use serde::Serialize;

/// What every setting would change, with so many pairs for readers.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct WhatIfReport {
    /// What was found.
    pub found: WhatIf,
    /// Pairs shown to readers.
    #[serde(skip)]
    pub top: usize,
}

impl Report for WhatIfReport {
    fn document(&self) -> Document {
        let what = &self.found;
        let q = &what.quantity;
        let mut document =
            Document::new(format!("{} {}: what moves {q}", what.rules, what.procedure));
        document.fact("", what.methods.text());
        document.fact("variants", what.variants.join(", "));
        document.fact("given", as_command(what.settings.given()));
        if let Some(side) = &what.mine {
            document.fact("", format!("only settings of the side `{side}`"));
        }
        document.findings.push(headline(what));
        let name = format!("what-if-{}-{}", what.rules, what.procedure);
        let chart = what_if_chart(what).map(|chart| Picture::chart(name, chart));
        document.pictures.extend(chart);
        let (idle, moving): (Vec<&Factor>, Vec<&Factor>) =
            what.factors.iter().partition(|factor| factor.is_idle());
        let (noise, moving): (Vec<&Factor>, Vec<&Factor>) =
            moving.into_iter().partition(|factor| factor.is_noise());
        if !moving.is_empty() {
            let terms = moving.iter().map(|factor| term(what, factor)).collect();
            let heading = format!("changes {}, the widest swing first", unit(q));
            document.block(heading, Body::Terms(terms));
        }
        if !noise.is_empty() {
            let keys: Vec<&str> = noise.iter().map(|factor| factor.key.as_str()).collect();
            let heading =
                "no more than noise: what these seem to change may be the luck of the dice";
            document.block(heading, keys.join(", "));
        }
        if !idle.is_empty() {
            let keys: Vec<&str> = idle.iter().map(|factor| factor.key.as_str()).collect();
            document.block("without effect here", keys.join(", "));
        }
        let refused = refusals(what);
        if !refused.is_empty() {
            document.block("refused by the rules", refused);
        }
        document.data("values", values_data(what));
        if !what.pairs.is_empty() {
            let heading = format!(
                "pairs that do more, or less, together than the sum of the two ({})",
                unit(q)
            );
            document.block(heading, pair_table(what).at_most(self.top, "--top"));
            document.data("pairs", pairs_data(what));
        }
        document
    }
}

/// Where it stands, and what moves it most.
fn headline(what: &WhatIf) -> String {
    let q = &what.quantity;
    let now = format!("now {}", amount(q, &what.baseline));
    let moves = |factor: &&Factor| !factor.is_idle() && !factor.is_noise();
    let Some(most) = what.factors.iter().find(moves) else {
        return format!("{now}; no setting moves it");
    };
    let ends: Vec<String> = [(false, most.lowest_change), (true, most.highest_change)]
        .into_iter()
        .filter(|(_, by)| *by != 0.0)
        .filter_map(|(highest, by)| {
            let at = most.extreme(highest)?;
            Some(format!("{} at {}", signed(q, by), at.value))
        })
        .collect();
    format!("{now}; {} moves it most: {}", most.key, ends.join(", "))
}

fn term(what: &WhatIf, factor: &Factor) -> (String, Vec<String>) {
    let q = &what.quantity;
    let moves = factor.moves.iter().filter_map(|m| {
        let by = &m.reply.as_ref().ok()?.change;
        // A value and what it does are not to be torn apart.
        let noise = if m.is_noise() { " (noise)" } else { "" };
        Some(format!("{} {}{noise}", m.value, change(q, by)).replace(' ', "\u{a0}"))
    });
    let said = moves.collect::<Vec<_>>().join(", ");
    let swing = distance(q, factor.swing);
    (
        format!("{} = {}: swing {swing}", factor.key, factor.now),
        vec![said],
    )
}

/// Each setting with values the rules refuse: the first reason, and how many more values there are.
fn refusals(what: &WhatIf) -> Vec<String> {
    let refused = |factor: &Factor| {
        let mut reasons = factor.moves.iter().filter_map(|m| m.reply.as_ref().err());
        let first = reasons.next()?;
        Some(match reasons.count() {
            0 => first.clone(),
            more => format!("{first} (and {more} more of its values)"),
        })
    };
    what.factors.iter().filter_map(refused).collect()
}

fn pair_table(what: &WhatIf) -> Table {
    let q = &what.quantity;
    let numbers = ["first", "second", "sum", "both", "beyond"].map(Column::number);
    let mut table = Table::new([Column::words("together")].into_iter().chain(numbers));
    for pair in &what.pairs {
        let exact = |by: f64| change_cell(q, &Estimate::exact(by));
        let [first, second] = pair.alone;
        table.row([
            Cell::text(as_command(pair.changes.iter().map(|(k, v)| (k, v)))),
            exact(first),
            exact(second),
            exact(first + second),
            change_cell(q, &pair.together),
            exact(pair.beyond),
        ]);
    }
    table
}

/// A line for each value of each setting.
fn values_data(what: &WhatIf) -> Table {
    let mut table = Table::named([
        "key",
        "now",
        "value",
        "result",
        "low",
        "high",
        "change",
        "change_low",
        "change_high",
        "refused",
    ]);
    for factor in &what.factors {
        for m in &factor.moves {
            let mut row = vec![
                Cell::text(&factor.key),
                Cell::text(factor.now.to_string()),
                Cell::text(m.value.to_string()),
            ];
            match &m.reply {
                Ok(moved) => row.extend([&moved.result, &moved.change].into_iter().flat_map(plain)),
                Err(reason) => {
                    row.resize(9, Cell::empty());
                    row.push(Cell::text(reason));
                }
            }
            table.row(row);
        }
    }
    table
}

/// A line for each pair.
fn pairs_data(what: &WhatIf) -> Table {
    let mut table = Table::named([
        "first",
        "second",
        "alone_first",
        "alone_second",
        "together",
        "low",
        "high",
        "beyond",
    ]);
    for pair in &what.pairs {
        let names = pair
            .changes
            .iter()
            .map(|(key, value)| Cell::setting(key, value));
        let alone = pair.alone.map(|by| Cell::number(by, 3));
        let beyond = Cell::number(pair.beyond, 3);
        table.row(
            names
                .chain(alone)
                .chain(plain(&pair.together))
                .chain([beyond]),
        );
    }
    table
}
