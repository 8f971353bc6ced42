//! The curves of a break-even.

use super::axis_of;
use crate::number::short;
use grapeshot_charts::{Axis, Chart, Line, Point, Series, Spot};
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{At, BreakEven, Crossing};

/// Curves drawn at most.
const CURVES: usize = 8;

/// Where a curve crosses the target: of whole things the first that is enough, or the last that still is.
fn spot(even: &BreakEven, crossing: &Crossing) -> Spot {
    let (from, to) = (&crossing.from, &crossing.to);
    let met = (from.y.value - even.target).abs() < 1e-12;
    let (x, y) = match even.whole || met {
        true if crossing.rises && !met => (to.x, to.y.value),
        true => (from.x, from.y.value),
        false => (crossing.place, even.target),
    };
    Spot {
        x,
        y,
        label: short(x),
        rises: crossing.rises,
    }
}

/// The curves, with the target as one of them, and where they cross it.
pub fn break_even_chart(even: &BreakEven) -> Option<Chart> {
    let point = |at: &At| Point {
        x: at.x,
        y: at.y.value,
        low: at.y.low,
        high: at.y.high,
    };
    let drawn = even.cells.iter().filter(|c| !c.curve.is_empty());
    let drawn = drawn.take(CURVES);
    let crossings = drawn.clone().flat_map(|cell| &cell.crossings);
    let spots: Vec<Spot> = crossings.map(|crossing| spot(even, crossing)).collect();
    let mut series: Vec<Series> = drawn
        .map(|cell| {
            let name = match cell.place.is_empty() {
                true => "as given".into(),
                false => pairs_as_command(&cell.place),
            };
            Series::new(name, cell.curve.iter().map(point).collect())
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let (from, to) = (even.from, even.to);
    let target = [from, to].map(|x| Point::exact(x, even.target));
    series.push(Series::new("target", target.to_vec()));
    let x = Axis::number(even.vary.clone(), "");
    let line = Line::new(x, axis_of(&even.quantity), series).spotting(spots);
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
