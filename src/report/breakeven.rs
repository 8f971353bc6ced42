//! Break-even, as a table, JSON, CSV and curves.

use super::amount::{amount, estimate_json, place_json, place_text};
use super::odds::quoted;
use super::text::wrap;
use crate::charts::{Axis, Chart, Line, Point, Series};
use crate::dist::Estimate;
use crate::study::{At, BreakEven, Crossing, EvenCell, Trend};
use serde_json::{Value, json};

/// Turning points named in the table.
const NAMED: usize = 6;
/// Curves drawn at most.
const CURVES: usize = 8;

/// For reading.
pub fn break_even_table(even: &BreakEven) -> String {
    let q = &even.quantity;
    let title = format!(
        "{} {}: where {q} crosses {} as {} goes from {} to {}",
        even.rules,
        even.procedure,
        amount(q, &Estimate::exact(even.target)),
        even.vary,
        even.range.0,
        even.range.1
    );
    let mut out = wrap(&title, 100, "") + &wrap(&even.methods.text(), 100, "");
    if !even.variants.is_empty() {
        out += &format!("variants: {}\n", even.variants.join(", "));
    }
    if !even.given.is_empty() {
        out += &wrap(&format!("given: {}", place_text(&even.given)), 100, "");
    }
    if !even.whole || even.step > 1.0 {
        out += &format!(
            "looked at in steps of {}, then halved between neighbours on opposite sides\n",
            short(even.step)
        );
    }
    for cell in &even.cells {
        out.push('\n');
        if !cell.place.is_empty() {
            out += &format!("{}\n", place_text(&cell.place));
        }
        out += &cell_block(even, cell);
    }
    out
}

fn cell_block(even: &BreakEven, cell: &EvenCell) -> String {
    let q = &even.quantity;
    let mut out = String::new();
    let value = |at: &At| format!("{} at {}", amount(q, &at.y), short(at.x));
    for crossing in &cell.crossings {
        out += &format!("  {}\n", crossing_text(even, crossing));
    }
    let order = |a: &&At, b: &&At| a.y.value.total_cmp(&b.y.value);
    let (low, high) = (
        cell.curve.iter().min_by(order),
        cell.curve.iter().max_by(order),
    );
    match (low, high) {
        (Some(low), Some(high)) if cell.crossings.is_empty() => {
            let side = if low.y.value > even.target {
                format!("always above: at least {}", value(low))
            } else {
                format!("never reached: at most {}", value(high))
            };
            out += &format!("  no crossing; {side}\n");
        }
        (None, _) => out += "  no value is allowed here\n",
        _ => {}
    }
    out += &match &cell.trend {
        Trend::Rises => format!("  monotone: it never falls as {} grows\n", even.vary),
        Trend::Falls => format!("  monotone: it never rises as {} grows\n", even.vary),
        Trend::Flat => format!("  it does not depend on {} here\n", even.vary),
        Trend::Turns(turns) => {
            let named: Vec<String> = turns.iter().take(NAMED).map(value).collect();
            let more = match turns.len().saturating_sub(NAMED) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let line = format!("not monotone: it turns at {}{more}", named.join(", "));
            wrap(&line, 100, "  ")
        }
    };
    if let Some((count, reason)) = &cell.refused {
        let line = format!("{count} values are refused by the rules, such as: {reason}");
        out += &wrap(&line, 100, "  ");
    }
    out
}

fn crossing_text(even: &BreakEven, crossing: &Crossing) -> String {
    let q = &even.quantity;
    let unsure = if crossing.certain {
        ""
    } else {
        " (not settled: an interval includes the target)"
    };
    let (from, to) = (&crossing.from, &crossing.to);
    let direction = if crossing.rises { "rises" } else { "falls" };
    let exact = amount(q, &from.y) == amount(q, &Estimate::exact(even.target));
    if (from.y.value - even.target).abs() < 1e-12 && exact {
        let range = if from.x == to.x {
            short(from.x)
        } else {
            format!("{} to {}", short(from.x), short(to.x))
        };
        let how = if crossing.touches {
            "and does not cross it there".to_owned()
        } else {
            format!("and {direction} through it")
        };
        return format!(
            "{} = {range}: meets the target exactly, {how}{unsure}",
            even.vary
        );
    }
    if !even.whole {
        return format!(
            "{} = {}: {direction} through the target, from {} to {}{unsure}",
            even.vary,
            short(crossing.place),
            amount(q, &from.y),
            amount(q, &to.y)
        );
    }
    format!(
        "{} ≈ {:.2}: {direction} from {} at {} to {} at {}{unsure}",
        even.vary,
        crossing.place,
        amount(q, &from.y),
        short(from.x),
        amount(q, &to.y),
        short(to.x)
    )
}

fn short(x: f64) -> String {
    if x.fract() == 0.0 {
        format!("{x}")
    } else {
        format!("{x:.4}")
    }
}

/// The word for a trend.
fn trend_word(trend: &Trend) -> &'static str {
    match trend {
        Trend::Rises => "rises",
        Trend::Falls => "falls",
        Trend::Flat => "flat",
        Trend::Turns(_) => "turns",
    }
}

/// For programs.
pub fn break_even_json(even: &BreakEven) -> Value {
    let at = |at: &At| json!({ "x": at.x, "y": estimate_json(&at.y) });
    let crossing = |c: &Crossing| {
        json!({
            "place": c.place,
            "from": at(&c.from),
            "to": at(&c.to),
            "rises": c.rises,
            "touches": c.touches,
            "certain": c.certain,
        })
    };
    let cell = |cell: &EvenCell| {
        let turns: Vec<Value> = match &cell.trend {
            Trend::Turns(turns) => turns.iter().map(at).collect(),
            _ => Vec::new(),
        };
        let place = cell.place.iter().map(|(k, v)| (k.as_str(), v));
        json!({
            "place": place_json(place),
            "crossings": cell.crossings.iter().map(crossing).collect::<Vec<_>>(),
            "trend": trend_word(&cell.trend),
            "monotone": turns.is_empty(),
            "turns": turns,
            "refused": cell.refused.as_ref().map(|(n, reason)| json!({ "values": n, "reason": reason })),
            "curve": cell.curve.iter().map(at).collect::<Vec<_>>(),
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": even.rules,
        "procedure": even.procedure,
        "variants": even.variants,
        "given": place_json(even.given.iter().map(|(k, v)| (k.as_str(), v))),
        "vary": even.vary,
        "from": even.range.0,
        "to": even.range.1,
        "step": even.step,
        "of": even.quantity.to_string(),
        "at": even.target,
        "method": even.methods.text(),
        "cells": even.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

/// For spreadsheets: a line for each crossing; a cell without one has one line without numbers.
pub fn break_even_csv(even: &BreakEven) -> String {
    let mut out = String::new();
    for (key, _) in even.cells.first().map_or(&[][..], |c| &c.place[..]) {
        out += &format!("{},", quoted(key));
    }
    out += "crossing,from,from_value,to,to_value,direction,certain,trend\n";
    for cell in &even.cells {
        let place: String = cell.place.iter().map(|(_, v)| format!("{v},")).collect();
        let trend = trend_word(&cell.trend);
        if cell.crossings.is_empty() {
            out += &format!("{place},,,,,,,{trend}\n");
        }
        for c in &cell.crossings {
            let direction = match (c.touches, c.rises) {
                (true, _) => "touches",
                (false, true) => "rises",
                (false, false) => "falls",
            };
            out += &format!(
                "{place}{},{},{},{},{},{direction},{},{trend}\n",
                c.place, c.from.x, c.from.y.value, c.to.x, c.to.y.value, c.certain
            );
        }
    }
    out
}

/// The curves, with the target as one of them.
pub fn break_even_chart(even: &BreakEven) -> Option<Chart> {
    let q = &even.quantity;
    let point = |at: &At| Point {
        x: at.x,
        y: at.y.value,
        low: at.y.low,
        high: at.y.high,
    };
    let drawn = even.cells.iter().filter(|c| !c.curve.is_empty());
    let mut series: Vec<Series> = drawn
        .take(CURVES)
        .map(|cell| Series {
            name: if cell.place.is_empty() {
                "as given".into()
            } else {
                place_text(&cell.place)
            },
            points: cell.curve.iter().map(point).collect(),
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let (from, to) = even.range;
    series.push(Series {
        name: "target".into(),
        points: [from, to]
            .map(|x| Point {
                x,
                y: even.target,
                low: even.target,
                high: even.target,
            })
            .to_vec(),
    });
    let y = if q.is_probability() {
        Axis::percent(q.to_string())
    } else {
        Axis::number(q.to_string(), "")
    };
    let line = Line {
        x: Axis::number(even.vary.clone(), ""),
        y,
        categories: None,
        y_range: None,
        series,
    };
    let title = format!(
        "{} {}: break-even of {}",
        even.rules, even.procedure, even.vary
    );
    let chart = Chart::new(title, line).footer(even.methods.text());
    Some(if even.given.is_empty() {
        chart
    } else {
        chart.subtitle(place_text(&even.given))
    })
}
