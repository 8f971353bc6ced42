//! The heatmap of a change.

use grapeshot_charts::{Axis, Chart, Heatmap, HeatmapCell};
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{Diff, DiffCell};

/// The change over the last axis of the sweep: against the other axes if there are any, else
/// against the quantities. With several axes and quantities, the quantity that moves most is drawn.
pub fn diff_chart(diff: &Diff) -> Option<Chart> {
    let &(_, most) = diff.moved().first()?;
    let title = diff.title().replace('`', "");
    let value = |cell: &DiffCell, q: usize| match &cell.shifts {
        Ok(shifts) => HeatmapCell::from(shifts[q].by.value),
        Err(reason) => HeatmapCell::empty(reason.clone()),
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
        chart.subtitle(pairs_as_command(&diff.given))
    })
}
