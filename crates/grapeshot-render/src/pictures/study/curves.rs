//! Curves along a key, and of the chance of so much or more.

use super::{Sketch, distinct};
use grapeshot_charts::{Axis, Line, Point, Series, Steps, Survival};
use grapeshot_rules::{RuleError, Value};
use grapeshot_study::{CellResult, StepWord};

impl<'a> Sketch<'a> {
    pub(super) fn lines(&self, cells: &[&'a CellResult]) -> Result<Line, RuleError> {
        let key = self.x();
        let quantity = self.quantity()?;
        let stops = distinct(cells, key);
        let numeric = stops.iter().all(|value| value.number().is_some());
        let place = |cell: &CellResult| {
            let value = cell.at(key)?;
            if numeric {
                return value.number();
            }
            let at = stops.iter().position(|stop| stop == value);
            at.map(|at| at as f64)
        };
        let mut series = Vec::new();
        for (name, part) in self.groups(cells) {
            let point = |cell: &&CellResult| {
                let found = quantity.of(cell.answers.as_ref().ok()?.best())?;
                let x = place(cell)?;
                Some(Point::within(x, found.value, found.low, found.high))
            };
            let points: Vec<Point> = part.iter().filter_map(point).collect();
            if !points.is_empty() {
                series.push(Series::new(name, points));
            }
        }
        let steps = match numeric {
            true => self.steps(&stops),
            false => Steps::Straight,
        };
        let line = Line::new(self.key_axis(numeric), self.value_axis(&quantity), series);
        let mut line = line.stepping(steps);
        line.spots = self.spots(&line, |x| match numeric {
            true => None,
            false => stops.get(x as usize).map(|stop| self.value(key, stop)),
        });
        line.series.extend(self.beside(&stops, numeric)?);
        Ok(match numeric {
            true => line,
            false => line.over(self.labels(key, &stops)),
        })
    }

    /// How the curves go from value to value: as the chart says; flat in the bands of a key that the schema
    /// says is looked up in bands; joined where every whole number is there; else nothing is known between.
    fn steps(&self, stops: &[Value]) -> Steps {
        match self.spec.steps {
            Some(StepWord::UpTo) => return Steps::UpTo,
            Some(StepWord::From) => return Steps::From,
            Some(StepWord::About) => return Steps::About,
            Some(StepWord::None) => return Steps::Straight,
            None => {}
        }
        let mut banded = self.results.bands.iter();
        let ends = banded.find(|(key, _)| key == self.x());
        between(stops, ends.map(|(_, ends)| ends.as_slice()))
    }

    pub(super) fn survival(&self, cells: &[&'a CellResult]) -> Survival {
        let series = self
            .named_marginals(cells)
            .into_iter()
            .map(|(name, marginal)| {
                let points = marginal.values().iter().map(|value| {
                    let p = marginal.at_least(value.number);
                    let (low, high) = marginal.interval(p).unwrap_or((p, p));
                    Point::within(value.number, p.min(1.0), low.min(1.0), high.min(1.0))
                });
                Series::new(name, points.collect())
            })
            .collect();
        let own = || self.words().variable(self.variable());
        let x = Axis::number(self.spec.x_name.clone().unwrap_or_else(own), "");
        let y = self.value_name(|| self.words().say("chance of so much or more"));
        Survival::new(x, Axis::percent(y), series)
    }

    /// The same from below: the chance of so much or less.
    pub(super) fn at_most(&self, cells: &[&'a CellResult]) -> Survival {
        let mut survival = self.survival(cells);
        let marginals = self.named_marginals(cells);
        for (series, (_, marginal)) in survival.series.iter_mut().zip(marginals) {
            for point in &mut series.points {
                // Numbers are whole or come from a list; the next above any is more than a millionth away.
                let p = (1.0 - marginal.at_least(point.x + 1e-6)).clamp(0.0, 1.0);
                let (low, high) = marginal.interval(p).unwrap_or((p, p));
                *point = Point::within(point.x, p, low.max(0.0), high.min(1.0));
            }
        }
        if self.spec.value_name.is_none() {
            survival.y.name = self.words().say("chance of so much or less");
        }
        survival.at_most()
    }
}

/// What is known between the values of a key: everything in its bands, nothing is missing between whole numbers
/// that follow each other, and otherwise only what was asked for.
pub(in crate::pictures) fn between(stops: &[Value], bands: Option<&[i64]>) -> Steps {
    if let Some(ends) = bands {
        return Steps::Bands(ends.iter().map(|&end| end as f64).collect());
    }
    let follow = |pair: &[Value]| match pair {
        [Value::Whole(a), Value::Whole(b)] => (b - a).abs() == 1,
        _ => false,
    };
    match stops.windows(2).all(follow) {
        true => Steps::Straight,
        false => Steps::Points,
    }
}
