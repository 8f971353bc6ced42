//! The tornado of a what-if.

use super::axis_of;
use grapeshot_charts::{Axis, Chart, Tornado, TornadoRow};
use grapeshot_study::wording::as_command;
use grapeshot_study::{Factor, WhatIf};

/// Rows a tornado has at most.
const ROWS: usize = 24;

/// The tornado; nothing if no setting has an effect.
pub fn what_if_chart(what: &WhatIf) -> Option<Chart> {
    let q = &what.quantity;
    let base = what.baseline.value;
    let row = |factor: &Factor| {
        let label = |highest: bool, by: f64| {
            let at = factor.extreme(highest).filter(|_| by != 0.0);
            format!("{}:", at.map_or(&factor.now, |m| &m.value))
        };
        TornadoRow {
            label: factor.key.clone(),
            low: base + factor.lowest_change,
            high: base + factor.highest_change,
            low_label: label(false, factor.lowest_change),
            high_label: label(true, factor.highest_change),
        }
    };
    let rows: Vec<TornadoRow> = what
        .factors
        .iter()
        .filter(|f| !f.is_idle() && !f.is_noise())
        .take(ROWS)
        .map(row)
        .collect();
    if rows.is_empty() {
        return None;
    }
    let tornado = Tornado {
        factors: Axis::label("setting, changed alone"),
        value: axis_of(q),
        baseline: base,
        rows,
    };
    let title = format!("{} {}: what moves {q}", what.rules, what.procedure);
    let given = as_command(what.settings.given());
    let mut footer = what.methods.text();
    if !what.variants.is_empty() {
        footer += &format!("; variants: {}", what.variants.join(", "));
    }
    let chart = Chart::new(title, tornado).footer(footer);
    Some(if given.is_empty() {
        chart.subtitle("from the defaults")
    } else {
        chart.subtitle(given)
    })
}
