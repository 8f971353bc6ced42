//! Curves that run on one another: what is the same throughout has one name, what is the same for a while runs
//! side by side, so that no curve is lost behind another.

use super::{Body, Chart, Content, Line, Series, Survival};

/// How far apart the outermost of curves that share a place may run, in logical pixels.
const WIDEST: f64 = 10.0;

/// How curves are moved where they share a place.
#[derive(Debug, Default)]
pub(super) struct Strands {
    /// For every curve and point, how far down it is moved.
    pub(super) down: Vec<Vec<f64>>,
    /// For every curve and point, its turn among the curves there, and how many there are.
    pub(super) turn: Vec<Vec<(usize, usize)>>,
}

impl Strands {
    /// Finds the places that curves share; they are given by their points on the paper, and are drawn with
    /// lines of this width.
    pub(super) fn new(curves: &[Vec<(f64, f64)>], stroke: f64) -> Self {
        let near = |a: (f64, f64), b: (f64, f64)| {
            (a.0 - b.0).abs() < 0.5 && (a.1 - b.1).abs() < 0.8 * stroke
        };
        let mut strands = Strands::default();
        for (own, curve) in curves.iter().enumerate() {
            let turns: Vec<(usize, usize)> = curve
                .iter()
                .map(|&at| {
                    let shares = |other: &&Vec<(f64, f64)>| other.iter().any(|&p| near(at, p));
                    let before = curves[..own].iter().filter(shares).count();
                    let after = curves[own + 1..].iter().filter(shares).count();
                    (before, before + 1 + after)
                })
                .collect();
            let down = |&(turn, count): &(usize, usize)| match count {
                1 => 0.0,
                _ => {
                    let gap = (stroke + 0.6).min(WIDEST / (count - 1) as f64);
                    (turn as f64 - (count - 1) as f64 / 2.0) * gap
                }
            };
            strands.down.push(turns.iter().map(down).collect());
            strands.turn.push(turns);
        }
        strands
    }

    /// Whether a curve's mark is drawn at a point: where several share it they take turns.
    pub(super) fn marks(&self, curve: usize, point: usize) -> bool {
        let (turn, count) = self.turn[curve][point];
        point % count == turn
    }
}

/// What stands between the names of curves that are the same.
pub(super) const SAME: &str = " = ";

/// Whether curves have to be told apart by name: there are several, or one that is several.
pub(super) fn needs_names(series: &[Series]) -> bool {
    series.len() > 1 || series.iter().any(|s| s.name.contains(SAME))
}

/// The same chart, its curves that are the same everywhere as one, by the names of all of them.
pub(super) fn merged(chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    let mut names: Vec<String> = Vec::new();
    for series in curves(&mut chart.body).iter().flat_map(|all| all.iter()) {
        if !names.contains(&series.name) {
            names.push(series.name.clone());
        }
    }
    let mut groups: Vec<Vec<String>> = Vec::new();
    for name in names {
        let bodies = curves(&mut chart.body);
        let is_same = |group: &&mut Vec<String>| same_everywhere(&bodies, &group[0], &name);
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(name),
            None => groups.push(vec![name]),
        }
    }
    for group in groups.into_iter().filter(|group| group.len() > 1) {
        let joined = group.join(SAME);
        for series in curves(&mut chart.body) {
            series.retain(|s| !group[1..].contains(&s.name));
            for s in series.iter_mut().filter(|s| s.name == group[0]) {
                s.name.clone_from(&joined);
            }
        }
        for (name, _) in &mut chart.meanings {
            if *name == group[0] {
                name.clone_from(&joined);
            }
        }
    }
    chart
}

/// The curves of every chart in a body.
fn curves(body: &mut Body) -> Vec<&mut Vec<Series>> {
    match body {
        Body::Line(Line { series, .. }) | Body::Survival(Survival { series, .. }) => vec![series],
        Body::Panels(panels) => {
            let bodies = panels.panels.iter_mut();
            let bodies = bodies.filter_map(|panel| match &mut panel.content {
                Content::Chart(body) => Some(curves(body)),
                Content::Empty(_) => None,
            });
            bodies.flatten().collect()
        }
        _ => Vec::new(),
    }
}

fn same_everywhere(bodies: &[&mut Vec<Series>], one: &str, other: &str) -> bool {
    let of = |series: &Vec<Series>, name: &str| series.iter().position(|s| s.name == name);
    let mut shown = false;
    let same = bodies
        .iter()
        .all(|series| match (of(series, one), of(series, other)) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                shown = true;
                series[a].points == series[b].points
            }
            _ => false,
        });
    same && shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Point};

    fn series(name: &str, ys: &[f64]) -> Series {
        let points = ys.iter().enumerate();
        let points = points.map(|(x, y)| Point::exact(x as f64, *y));
        Series::new(name, points.collect())
    }

    #[test]
    fn curves_that_are_the_same_throughout_have_one_name() {
        let all = vec![
            series("a", &[0.1, 0.2]),
            series("b", &[0.1, 0.3]),
            series("c", &[0.1, 0.2]),
        ];
        let line = Line::new(Axis::number("x", ""), Axis::percent("y"), all);
        let merged = merged(&Chart::new("t", line));
        let Body::Line(line) = merged.body else {
            panic!("a line")
        };
        let names: Vec<&str> = line.series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["a = c", "b"]);
    }

    #[test]
    fn curves_that_share_a_place_run_side_by_side_there_and_take_turns_with_their_marks() {
        let curves = [
            vec![(0.0, 50.0), (10.0, 40.0), (20.0, 40.0)],
            vec![(0.0, 70.0), (10.0, 40.0), (20.0, 40.0)],
        ];
        let strands = Strands::new(&curves, 2.0);
        assert_eq!(strands.down[0][0], 0.0);
        assert!(strands.down[1][1] - strands.down[0][1] >= 2.0);
        for point in 1..3 {
            assert!(strands.marks(0, point) != strands.marks(1, point));
        }
    }
}
