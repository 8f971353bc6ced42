//! Values over two keys, and keys changed one at a time.

use super::super::decide::{TURN, panel_fields, policy_body, whole_policy};
use super::{Sketch, distinct};
use grapeshot_charts::{Axis, Body, Heatmap, HeatmapCell, Tornado, TornadoRow};
use grapeshot_rules::{Given, RuleError, Value};
use grapeshot_study::CellResult;

impl<'a> Sketch<'a> {
    pub(super) fn heatmap(&self, cells: &[&'a CellResult]) -> Result<Heatmap, RuleError> {
        let (x, y) = (self.x(), self.y());
        let quantity = self.quantity()?;
        let (columns, rows) = (distinct(cells, x), distinct(cells, y));
        let cell = |row: &Value, column: &Value| {
            let found = cells
                .iter()
                .find(|cell| cell.at(x) == Some(column) && cell.at(y) == Some(row));
            match found.map(|cell| &cell.answers) {
                Some(Ok(answers)) => HeatmapCell {
                    value: quantity.of(answers.best()).map(|found| found.value),
                    reason: None,
                },
                Some(Err(reason)) => HeatmapCell::empty(reason.clone()),
                None => HeatmapCell::empty("not in the sweep"),
            }
        };
        let numbers = || {
            let found = cells.iter().filter_map(|cell| cell.answers.as_ref().ok());
            found.filter_map(|answers| Some(quantity.of(answers.best())?.value))
        };
        // What goes both ways from nought is shown both ways.
        let diverging = numbers().any(|v| v < 0.0) && numbers().any(|v| v > 0.0);
        Ok(Heatmap {
            x: self.key_axis(false),
            y: Axis::label(self.words().key(y)),
            value: self.value_axis(&quantity),
            cells: rows
                .iter()
                .map(|row| columns.iter().map(|column| cell(row, column)).collect())
                .collect(),
            columns: self.labels(x, &columns),
            rows: self.labels(y, &rows),
            diverging,
            range: None,
        })
    }

    /// What best play does: of one cell by what `by` says, of a cell in a panel with all turns in one.
    pub(super) fn policy(&self, cells: &[&'a CellResult]) -> Result<Body, RuleError> {
        let place = cells.first().map(|cell| &cell.place);
        let mut decided = self.results.policies.iter();
        let found = decided.find(|(known, _)| Some(known) == place);
        let nothing = || {
            let problem = "there is no policy to draw: nobody has a choice, or sizes are not seen";
            self.wrong("kind", problem.into())
        };
        let (_, decided) = found.ok_or_else(nothing)?;
        let mut body = match (&self.spec.panels, &self.spec.by) {
            (Some(_), None) => whole_policy(decided).map(Body::Policy),
            (_, by) => {
                let by = by.as_deref().unwrap_or(TURN);
                let known = panel_fields(decided);
                if !known.iter().any(|field| field == by) {
                    let error = RuleError::unknown("field of a state", by, known);
                    return Err(self.wrong("by", error.to_string()));
                }
                policy_body(decided, by)
            }
        }
        .ok_or_else(nothing)?;
        grapeshot_charts::reword(&mut body, self.words());
        Ok(body)
    }

    /// Something wrong with an entry of the chart that only the results could show.
    pub(super) fn wrong(&self, entry: &str, problem: String) -> RuleError {
        let charts = &self.results.experiment.charts;
        let at = charts.iter().position(|chart| chart == self.spec);
        RuleError::Table {
            file: self.results.experiment.file.clone(),
            key: format!("chart[{}].{entry}", at.unwrap_or(0) + 1),
            problem,
        }
    }

    /// Every swept key changed alone, the others where the baseline has them.
    pub(super) fn tornado(&self, cells: &[&'a CellResult]) -> Result<Tornado, RuleError> {
        let quantity = self.quantity()?;
        let found =
            |cell: &CellResult| Some(quantity.of(cell.answers.as_ref().ok()?.best())?.value);
        let usual = cells
            .first()
            .map_or(Vec::new(), |first| self.spec.usual_place(&first.place));
        let start = cells.iter().find(|cell| cell.is_at(&usual));
        let baseline = start.and_then(|cell| found(cell)).ok_or_else(|| {
            RuleError::Other(format!(
                "the tornado `{}` has no cell to start from",
                self.spec.title
            ))
        })?;
        let mut rows: Vec<TornadoRow> = Vec::new();
        for axis in &self.results.experiment.axes {
            let key = &axis.keys[0];
            let others: Given = usual
                .iter()
                .filter(|(key, _)| !axis.keys.contains(key))
                .cloned()
                .collect();
            let name = |cell: &CellResult| match cell.at(key) {
                Some(value) => format!("{}:", self.value(key, value)),
                None => String::new(),
            };
            let moved: Vec<(f64, String)> = cells
                .iter()
                .filter(|cell| cell.is_at(&others))
                .filter_map(|cell| Some((found(cell)?, name(cell))))
                .collect();
            let by = |a: &&(f64, String), b: &&(f64, String)| a.0.total_cmp(&b.0);
            if let (Some(low), Some(high)) = (moved.iter().min_by(by), moved.iter().max_by(by))
                && moved.len() > 1
            {
                let is_flag = matches!(axis.values[0][0], Value::Flag(_));
                rows.push(TornadoRow {
                    label: match is_flag {
                        true => self.words().flag(key),
                        false => self.words().key(key),
                    },
                    low: low.0,
                    high: high.0,
                    low_label: low.1.clone(),
                    high_label: high.1.clone(),
                });
            }
        }
        rows.sort_by(|a, b| (b.high - b.low).total_cmp(&(a.high - a.low)));
        let own = || self.words().say("setting, changed alone");
        Ok(Tornado {
            factors: Axis::label(self.spec.x_name.clone().unwrap_or_else(own)),
            value: self.value_axis(&quantity),
            baseline,
            rows,
        })
    }
}
