//! Everyone against everyone, as maps.

use super::axis_of;
use grapeshot_charts::{Axis, Chart, Heatmap, HeatmapCell};
use grapeshot_study::field::{Field, Fight};
use grapeshot_study::wording::pairs_as_command;

/// Of one roster a map of it against itself, of two a map for each side that attacks, of more one map of all.
pub fn field_charts(field: &Field) -> Vec<Chart> {
    let all: Vec<usize> = (0..field.units.len()).collect();
    let of = |roster: usize| field.of_roster(roster);
    match field.rosters.len() {
        2 => {
            let ways = [(0, 1), (1, 0)].map(|(from, at)| {
                let who = format!("{} against {}", field.rosters[from], field.rosters[at]);
                map(field, &of(from), &of(at), &who)
            });
            ways.into()
        }
        _ => vec![map(field, &all, &all, &field.rosters.join(", "))],
    }
}

fn map(field: &Field, rows: &[usize], columns: &[usize], who: &str) -> Chart {
    let cell = |row: usize, column: usize| match &field.cells[row][column] {
        Fight::Found(x) => HeatmapCell::from(x.value),
        Fight::Refused(reason) => HeatmapCell::empty(reason),
        Fight::None => HeatmapCell::empty("of one side"),
    };
    let names = |places: &[usize]| -> Vec<String> {
        let names = places.iter().map(|&at| field.units[at].name.clone());
        names.collect()
    };
    let body = Heatmap {
        x: Axis::label(&field.sides[1]),
        y: Axis::label(&field.sides[0]),
        value: axis_of(&field.quantity),
        columns: names(columns),
        rows: names(rows),
        cells: (rows.iter())
            .map(|&row| columns.iter().map(|&column| cell(row, column)).collect())
            .collect(),
        diverging: false,
        range: None,
    };
    let title = format!("{} {}: {who}", field.rules, field.procedure);
    let mut footer = field.methods.text();
    if !field.variants.is_empty() {
        footer += &format!("; variants: {}", field.variants.join(", "));
    }
    let chart = Chart::new(title, body).footer(footer);
    match pairs_as_command(&field.given) {
        given if given.is_empty() => chart,
        given => chart.subtitle(given),
    }
}
