//! One answer held against another: two ends of a dumbbell, and differences from a baseline.

use super::{Sketch, distinct};
use grapeshot_charts::{Axis, Dumbbell, DumbbellRow, Estimate, Line, Point, Series, Steps, tell};
use grapeshot_engine::dist::Estimate as Found;
use grapeshot_rules::{Given, RuleError};
use grapeshot_study::CellResult;

/// A difference with its interval, that of numbers found apart (Newcombe's): cells that share their dice are told from
/// each other more sharply still.
fn difference(a: &Found, b: &Found) -> (f64, f64, f64) {
    let by = a.value - b.value;
    let down = (a.value - a.low).hypot(b.high - b.value);
    let up = (a.high - a.value).hypot(b.value - b.low);
    (by, by - down, by + up)
}

impl<'a> Sketch<'a> {
    /// Rows along `x`, the two values of the series at their ends.
    pub(super) fn dumbbell(&self, cells: &[&'a CellResult]) -> Result<Dumbbell, RuleError> {
        let quantity = self.quantity()?;
        let (x, series) = (self.x(), self.spec.series.as_deref().unwrap_or_default());
        let ends = distinct(cells, series);
        let end = |at: usize| {
            ends.get(at)
                .map_or(String::new(), |end| self.named(series, end))
        };
        let rows = distinct(cells, x).into_iter().map(|place| {
            let found = |at: usize| {
                let mut here = cells.iter().filter(|cell| cell.at(x) == Some(&place));
                let cell = here.find(|cell| cell.at(series) == ends.get(at))?;
                let found = quantity.of(cell.answers.as_ref().ok()?.best())?;
                Some(Estimate::within(found.value, found.low, found.high))
            };
            DumbbellRow {
                label: self.labels(x, std::slice::from_ref(&place)).concat(),
                values: [found(0), found(1)],
            }
        });
        Ok(Dumbbell {
            rows: rows.collect(),
            rows_axis: self.key_axis(false),
            value: self.value_axis(&quantity),
            names: [end(0), end(1)],
        })
    }

    /// Every curve as its difference from the one at the baseline, which is nought and left out.
    pub(super) fn difference(&self, cells: &[&'a CellResult]) -> Result<Line, RuleError> {
        let quantity = self.quantity()?;
        let key = self.x();
        let stops = distinct(cells, key);
        let numeric = stops.iter().all(|value| value.number().is_some());
        let estimate = |cell: &CellResult| quantity.of(cell.answers.as_ref().ok()?.best());
        let point = |cell: &&CellResult| {
            let base: Given = self.spec.usual_place(&cell.place);
            let base = cells.iter().find(|other| other.is_at(&base))?;
            let (by, low, high) = difference(&estimate(cell)?, &estimate(base)?);
            let at = cell.at(key)?;
            let x = match numeric {
                true => at.number()?,
                false => stops.iter().position(|stop| stop == at)? as f64,
            };
            Some(Point::within(x, by, low, high))
        };
        let mut series = Vec::new();
        for (name, part) in self.groups(cells) {
            let part = part
                .into_iter()
                .filter(|cell| !cell.is_at(&self.spec.baseline));
            let points: Vec<Point> = part.filter_map(|cell| point(&cell)).collect();
            if !points.is_empty() {
                series.push(Series::new(name, points));
            }
        }
        let measured = self.words().quantity(&quantity);
        let name = self.value_name(|| {
            tell!(
                self.words(),
                "{1}, difference from {2}",
                measured,
                self.baseline_in_words()
            )
        });
        let value = match quantity.is_probability() {
            true => Axis::points(tell!(self.words(), "{1} (percentage points)", name)),
            false => Axis::number(name, ""),
        };
        let line = Line::new(self.key_axis(numeric), value, series).stepping(Steps::Points);
        Ok(match numeric {
            true => line,
            false => line.over(self.labels(key, &stops)),
        })
    }

    /// Where differences are from.
    pub(super) fn baseline_in_words(&self) -> String {
        let baseline = self.spec.baseline.iter();
        let named: Vec<String> = baseline
            .map(|(key, value)| self.named(key, value))
            .collect();
        named.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_what_is_known_exactly_is_exact_and_else_as_wide_as_both() {
        let found = |value: f64, half: f64| Found {
            value,
            low: value - half,
            high: value + half,
        };
        assert_eq!(
            difference(&found(0.5, 0.0), &found(0.25, 0.0)),
            (0.25, 0.25, 0.25)
        );
        let (by, low, high) = difference(&found(0.5, 0.03), &found(0.25, 0.04));
        assert!(
            (by - 0.25).abs() < 1e-12 && (low - 0.2).abs() < 1e-12 && (high - 0.3).abs() < 1e-12
        );
    }
}
