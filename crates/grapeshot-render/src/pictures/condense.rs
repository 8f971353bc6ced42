//! How far a chart for one roll is from the truth, cell by cell.

use grapeshot_charts::{Axis, Chart, Heatmap, HeatmapCell};
use grapeshot_study::condense::Condensed;
use grapeshot_study::wording::pairs_as_command;

/// The error of every cell.
pub fn condense_chart(found: &Condensed) -> Chart {
    let words =
        |values: &[grapeshot_rules::Value]| values.iter().map(ToString::to_string).collect();
    let body = Heatmap {
        x: Axis::label(&found.columns.key),
        y: Axis::label(&found.rows.key),
        value: Axis::percent("the most by which any chance is wrong"),
        columns: words(&found.columns.values),
        rows: words(&found.rows.values),
        cells: (found.cells.iter())
            .map(|line| {
                let cells = line.iter().map(|cell| match cell {
                    Ok(cell) => HeatmapCell::from(cell.error),
                    Err(reason) => HeatmapCell::empty(reason),
                });
                cells.collect()
            })
            .collect(),
        diverging: false,
        range: None,
    };
    let title = format!(
        "{} {} on one d{}: how far it is from the truth",
        found.rules, found.procedure, found.die
    );
    let mut footer = found.methods.text();
    if !found.variants.is_empty() {
        footer += &format!("; variants: {}", found.variants.join(", "));
    }
    let chart = Chart::new(title, body).footer(footer);
    match pairs_as_command(&found.given) {
        given if given.is_empty() => chart,
        given => chart.subtitle(given),
    }
}
