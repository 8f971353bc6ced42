//! The curves of a break-even.

use super::axis_of;
use grapeshot_charts::{Axis, Chart, Line, Point, Series};
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{At, BreakEven};

/// Curves drawn at most.
const CURVES: usize = 8;

/// The curves, with the target as one of them.
pub fn break_even_chart(even: &BreakEven) -> Option<Chart> {
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
                pairs_as_command(&cell.place)
            },
            points: cell.curve.iter().map(point).collect(),
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let (from, to) = (even.from, even.to);
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
    let x = Axis::number(even.vary.clone(), "");
    let line = Line::new(x, axis_of(&even.quantity), series);
    let title = format!(
        "{} {}: break-even of {}",
        even.rules, even.procedure, even.vary
    );
    let chart = Chart::new(title, line).footer(even.methods.text());
    Some(if even.given.is_empty() {
        chart
    } else {
        chart.subtitle(pairs_as_command(&even.given))
    })
}
