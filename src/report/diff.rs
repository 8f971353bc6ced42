//! What a variant changes, as a table, JSON, CSV and a heatmap of the change.

use super::amount::{amount, change, estimate_json, place_json, place_text, signed};
use super::odds::quoted;
use super::text::wrap;
use crate::charts::{Axis, Cell, Chart, Heatmap};
use crate::study::{Diff, DiffCell, Spot};
use serde_json::{Value, json};

/// Winners and losers named.
const NAMED: usize = 3;

/// For reading; `top` limits the rows.
pub fn diff_table(diff: &Diff, top: usize) -> String {
    let mut out = format!(
        "{} {}: from {} to {}\n",
        diff.rules,
        diff.procedure,
        edition(&diff.before),
        edition(&diff.after),
    );
    out += &wrap(&diff.methods.text(), 100, "");
    for about in &diff.about {
        out += &wrap(about, 100, "");
    }
    match diff.changes.len() {
        0 => out += "the variant changes no printed value\n",
        _ => {
            let list = format!("the variant sets: {}", diff.changes.join(", "));
            out += &wrap(&list, 100, "");
        }
    }
    if !diff.given.is_empty() {
        out += &wrap(&format!("given: {}", place_text(&diff.given)), 100, "");
    }
    out.push('\n');
    out += &summary(diff);
    if !diff.elsewhere.is_empty() {
        let list = diff.elsewhere.join(", ");
        out += &wrap(
            &format!("other variables that moved (see --of): {list}"),
            100,
            "",
        );
    }
    let moved = diff.moved();
    if diff.quantities.len() > 1 || diff.cells.len() > 1 {
        for (title, sign) in [("most gained", 1.0), ("most lost", -1.0)] {
            let side = |&&spot: &&Spot| diff.at(spot).is_some_and(|s| sign * s.by.value > 0.0);
            let named: Vec<String> = moved
                .iter()
                .filter(side)
                .take(NAMED)
                .map(|&spot| named(diff, spot))
                .collect();
            if !named.is_empty() {
                out += &wrap(&format!("{title}: {}", named.join("; ")), 100, "");
            }
        }
    }
    if !moved.is_empty() {
        out += &format!("\n{}", moved_rows(diff, &moved, top));
    }
    let unchanged: Vec<&DiffCell> = diff
        .cells
        .iter()
        .filter(|c| c.shifts.is_ok() && !c.moved())
        .collect();
    if diff.cells.len() > 1 && !unchanged.is_empty() {
        let places: Vec<String> = unchanged
            .iter()
            .take(top)
            .map(|c| place_text(&c.place))
            .collect();
        let more = unchanged.len() - places.len();
        let more = if more > 0 {
            format!("; … and {more} more")
        } else {
            String::new()
        };
        let line = format!("{}{more}", places.join("; "));
        out += &format!("\nunchanged:\n{}", wrap(&line, 100, "  "));
    }
    for cell in &diff.cells {
        if let Err(reason) = &cell.shifts {
            out += &wrap(
                &format!("not compared: {}: {reason}", place_text(&cell.place)),
                100,
                "",
            );
        }
    }
    out
}

fn edition(variants: &[String]) -> String {
    if variants.is_empty() {
        "what is printed".into()
    } else {
        format!("`{}`", variants.join("` and `"))
    }
}

fn summary(diff: &Diff) -> String {
    let (moved, unchanged, refused) = diff.count();
    let cells = |n: usize| match n {
        1 => "1 cell".to_owned(),
        n => format!("{n} cells"),
    };
    let mut out = if moved == 0 {
        format!("nothing moved: {} unchanged", cells(unchanged))
    } else {
        format!(
            "{} of {} moved, {unchanged} unchanged",
            moved,
            cells(diff.cells.len())
        )
    };
    if refused > 0 {
        out += &format!(", {refused} not compared");
    }
    if moved > 0 {
        out += &if diff.methods.simulated == 0 {
            "; all of it is certain".to_owned()
        } else {
            format!(
                "; {} of the {moved} certainly, by more than the 95 % interval",
                diff.certain()
            )
        };
    }
    out + "\n"
}

fn named(diff: &Diff, spot: Spot) -> String {
    let (cell, quantity) = (&diff.cells[spot.0], &diff.quantities[spot.1]);
    let by = diff
        .at(spot)
        .map_or(String::new(), |s| signed(quantity, s.by.value));
    let place = place_text(&cell.place);
    if place.is_empty() {
        format!("{quantity} {by}")
    } else {
        format!("{quantity} {by} at {place}")
    }
}

fn moved_rows(diff: &Diff, moved: &[Spot], top: usize) -> String {
    let keys: Vec<String> = diff.axes.iter().flat_map(|a| a.keys.clone()).collect();
    let mut head = vec!["quantity".to_owned()];
    head.extend(keys);
    head.extend(["before", "after", "change"].map(str::to_owned));
    let mut rows = vec![head];
    for &spot in moved.iter().take(top) {
        let Some(shift) = diff.at(spot) else { continue };
        let quantity = &diff.quantities[spot.1];
        let mut row = vec![quantity.to_string()];
        row.extend(diff.cells[spot.0].place.iter().map(|(_, v)| v.to_string()));
        row.push(amount(quantity, &shift.before));
        row.push(amount(quantity, &shift.after));
        row.push(change(quantity, &shift.by));
        rows.push(row);
    }
    let mut out = super::columns(&rows);
    if moved.len() > top {
        out += &format!("… and {} smaller changes (--top)\n", moved.len() - top);
    }
    out
}

/// For programs.
pub fn diff_json(diff: &Diff) -> Value {
    let (moved, unchanged, refused) = diff.count();
    let cell = |cell: &DiffCell| {
        let place = cell.place.iter().map(|(k, v)| (k.as_str(), v));
        let mut out = json!({ "place": place_json(place), "moved": cell.moved() });
        match &cell.shifts {
            Err(reason) => out["not_compared"] = json!(reason),
            Ok(shifts) => {
                let shifts = diff.quantities.iter().zip(shifts).map(|(q, s)| {
                    json!({
                        "of": q.to_string(),
                        "before": estimate_json(&s.before),
                        "after": estimate_json(&s.after),
                        "change": estimate_json(&s.by),
                        "moved": s.moved(),
                        "certain": s.certain(),
                    })
                });
                out["shifts"] = shifts.collect();
            }
        }
        out
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": diff.rules,
        "procedure": diff.procedure,
        "given": place_json(diff.given.iter().map(|(k, v)| (k.as_str(), v))),
        "before": diff.before,
        "after": diff.after,
        "about": diff.about,
        "changes": diff.changes,
        "method": diff.methods.text(),
        "moved": moved,
        "unchanged": unchanged,
        "not_compared": refused,
        "certain": diff.certain(),
        "elsewhere": diff.elsewhere,
        "cells": diff.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

/// For spreadsheets: a line for each quantity of each cell.
pub fn diff_csv(diff: &Diff) -> String {
    let keys: Vec<String> = diff.axes.iter().flat_map(|a| a.keys.clone()).collect();
    let mut out = String::new();
    for key in &keys {
        out += &format!("{},", quoted(key));
    }
    out += "of,before,after,change,low,high,certain,not_compared\n";
    for cell in &diff.cells {
        let place: String = cell.place.iter().map(|(_, v)| format!("{v},")).collect();
        match &cell.shifts {
            Err(reason) => out += &format!("{place},,,,,,,{}\n", quoted(reason)),
            Ok(shifts) => {
                for (q, s) in diff.quantities.iter().zip(shifts) {
                    out += &format!(
                        "{place}{},{},{},{},{},{},{},\n",
                        quoted(&q.to_string()),
                        s.before.value,
                        s.after.value,
                        s.by.value,
                        s.by.low,
                        s.by.high,
                        s.certain()
                    );
                }
            }
        }
    }
    out
}

/// The change over the last axis of the sweep: against the other axes if there are any, else
/// against the quantities. With several axes and quantities, the quantity that moves most is drawn.
pub fn diff_chart(diff: &Diff) -> Option<Chart> {
    let &(_, most) = diff.moved().first()?;
    let title = format!(
        "{} {}: from {} to {}",
        diff.rules,
        diff.procedure,
        edition(&diff.before).replace('`', ""),
        edition(&diff.after).replace('`', "")
    );
    let value = |cell: &DiffCell, q: usize| match &cell.shifts {
        Ok(shifts) => Cell::from(shifts[q].by.value),
        Err(reason) => Cell::empty(reason.clone()),
    };
    let probability = diff.quantities[most].is_probability();
    let width = diff.axes.last().map_or(1, |axis| axis.values.len());
    let columns: Vec<String> = match diff.axes.last() {
        Some(axis) => axis.labels(),
        None => vec!["as given".into()],
    };
    let x = diff
        .axes
        .last()
        .map_or("".into(), |axis| axis.keys.join(", "));
    let single = diff.axes.len() <= 1;
    // A mean and a probability share no colour scale: only quantities of the kind that moves most.
    let drawn: Vec<usize> = (0..diff.quantities.len())
        .filter(|&q| diff.quantities[q].is_probability() == probability)
        .collect();
    let (rows, cells, y) = if single {
        let rows = drawn.iter().map(|&q| diff.quantities[q].to_string());
        let cells = drawn
            .iter()
            .map(|&q| diff.cells.iter().map(|cell| value(cell, q)).collect());
        (rows.collect(), cells.collect(), "quantity".to_owned())
    } else {
        let others = diff.axes.iter().rev().skip(1).rev();
        let names: Vec<String> = others.map(|axis| axis.keys.join(", ")).collect();
        let lines = diff.cells.chunks(width);
        let label = |line: &[DiffCell]| {
            let place = line[0].place.iter();
            let fixed = line[0].place.len() - diff.axes.last().map_or(0, |a| a.keys.len());
            let parts: Vec<String> = place.take(fixed).map(|(_, v)| v.to_string()).collect();
            parts.join(", ")
        };
        let rows: Vec<String> = lines.clone().map(label).collect();
        let cells = lines.map(|line| line.iter().map(|c| value(c, most)).collect());
        (rows, cells.collect(), names.join(", "))
    };
    let what = if single {
        "change".to_owned()
    } else {
        format!("change of {}", diff.quantities[most])
    };
    let heatmap = Heatmap {
        x: Axis::label(x),
        y: Axis::label(y),
        value: if probability {
            Axis::points(what)
        } else {
            Axis::number(what, "")
        },
        columns,
        rows,
        cells,
        diverging: true,
        range: None,
    };
    let chart = Chart::new(title, heatmap).footer(diff.methods.text());
    Some(if diff.given.is_empty() {
        chart
    } else {
        chart.subtitle(place_text(&diff.given))
    })
}
