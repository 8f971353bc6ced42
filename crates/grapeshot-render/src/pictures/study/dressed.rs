//! What the author of a chart asks for beyond its data, in the words that are printed: order, colours, lines, marks, and
//! data of one's own.

use super::{Sketch, distinct};
use grapeshot_charts::style::field_of;
use grapeshot_charts::{Dress, Line, Point, Reference, Series, Spot, tell};
use grapeshot_rules::{RuleError, SettingKind, Value};
use grapeshot_study::{CellResult, ChartKind, Mark, Sort};

/// What somebody has that is a step of a scale, and whether its words begin with the best. Numbers always are.
const SCALES: [(&str, bool); 8] = [
    ("grade", true),
    ("class", true),
    ("quality", true),
    ("order", true),
    ("level", true),
    ("cover", false),
    ("works", false),
    ("density", false),
];

impl<'a> Sketch<'a> {
    /// Puts cells in the order that is asked for of what stands along the chart.
    pub(super) fn sort(&self, cells: &mut [&'a CellResult]) -> Result<(), RuleError> {
        let Some(order) = self.spec.dress.sort else {
            return Ok(());
        };
        let key = match self.spec.kind {
            ChartKind::Heatmap => self.y(),
            _ => self.x(),
        };
        let mut ranks: Vec<(Value, f64)> = Vec::new();
        for value in distinct(cells, key) {
            let here = cells.iter().filter(|cell| cell.at(key) == Some(&value));
            let found: Vec<f64> = here.filter_map(|cell| self.weight(cell)).collect();
            let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
            ranks.push((value, mean));
        }
        let rank = |cell: &CellResult| {
            let own = ranks.iter().find(|(value, _)| cell.at(key) == Some(value));
            own.map_or(0.0, |(_, mean)| *mean)
        };
        cells.sort_by(|a, b| match order {
            Sort::Rising => rank(a).total_cmp(&rank(b)),
            Sort::Falling => rank(b).total_cmp(&rank(a)),
        });
        Ok(())
    }

    /// What a cell counts for where cells are put in order: its value, the mean of its variable, or the chance of its first label.
    fn weight(&self, cell: &CellResult) -> Option<f64> {
        let odds = cell.answers.as_ref().ok()?.best();
        if self.spec.value.is_some() {
            return Some(self.quantity().ok()?.of(odds)?.value);
        }
        let marginal = self.marginal(cell)?;
        let first = self.variable_labels(&[(String::new(), marginal.clone())]);
        match first.iter().all(|label| label.parse::<f64>().is_ok()) {
            true => Some(marginal.mean()),
            false => Some(marginal.p(first.first()?)),
        }
    }

    /// How it is dressed, its names as they are printed.
    pub(super) fn dress(&self, cells: &[&'a CellResult]) -> Result<Dress, RuleError> {
        let asked = &self.spec.dress.dress;
        let printed = |word: &String| self.printed_name(word, cells);
        let mut dress = asked.clone();
        dress.colours = asked
            .colours
            .iter()
            .map(|(word, colour)| (printed(word), *colour))
            .collect();
        dress.highlight = asked.highlight.iter().map(printed).collect();
        dress.ordered = self.scale(cells);
        // What is not ours is black, unless it is asked for in a colour.
        for beside in &self.spec.dress.beside {
            if dress.colours.iter().all(|(name, _)| *name != beside.name) {
                dress.colours.push((beside.name.clone(), 0x1A1A1A));
            }
        }
        if self.spec.kind == ChartKind::Difference {
            dress.lines.push(Reference {
                at: 0.0,
                label: self.baseline_in_words(),
                along: false,
            });
        }
        Ok(dress)
    }

    /// How a word of the file is printed: a value of the series, or a label of the variable.
    fn printed_name(&self, word: &String, cells: &[&'a CellResult]) -> String {
        if let Some(key) = &self.spec.series {
            let values = distinct(cells, key);
            let found = values.iter().find(|value| value.to_string() == *word);
            return found.map_or_else(|| word.clone(), |value| self.named(key, value));
        }
        match self.spec.variable.is_some() {
            true => self.words().label(self.variable(), word),
            false => word.clone(),
        }
    }

    /// The values of the series as steps of a scale, if they are: the same word has the same step in every chart.
    fn scale(&self, cells: &[&'a CellResult]) -> Vec<(String, f64)> {
        let Some(key) = &self.spec.series else {
            return Vec::new();
        };
        let values = distinct(cells, key);
        let place = |at: usize, count: usize| at as f64 / (count.max(2) - 1) as f64;
        if values.iter().all(|value| value.number().is_some()) {
            let mut numbers: Vec<f64> = values.iter().filter_map(Value::number).collect();
            numbers.sort_by(f64::total_cmp);
            let step = |value: &Value| {
                let at = numbers.iter().position(|n| Some(*n) == value.number());
                place(at.unwrap_or(0), numbers.len())
            };
            return values
                .iter()
                .map(|value| (self.named(key, value), step(value)))
                .collect();
        }
        let field = field_of(key.rsplit('.').next().unwrap_or(key));
        let Some((_, best_first)) = SCALES.iter().find(|(known, _)| field.starts_with(known))
        else {
            return Vec::new();
        };
        let declared = self.results.keys.iter().find(|setting| setting.key == *key);
        let Some(SettingKind::Choice(labels)) = declared.map(|setting| &setting.kind) else {
            return Vec::new();
        };
        let step = |value: &Value| {
            let at = labels.iter().position(|label| value.is(label))?;
            let t = place(at, labels.len());
            Some((
                self.named(key, value),
                if *best_first { 1.0 - t } else { t },
            ))
        };
        values.iter().filter_map(step).collect()
    }

    /// What is marked on curves: the widest step, and where an even chance is crossed.
    pub(super) fn spots(&self, line: &Line, place: impl Fn(f64) -> Option<String>) -> Vec<Spot> {
        let mut spots = Vec::new();
        let said = |x: f64| {
            let number = || {
                self.decimals().set(&grapeshot_engine::stats::fixed(
                    x,
                    if x.fract() == 0.0 { 0 } else { 1 },
                ))
            };
            place(x).unwrap_or_else(number)
        };
        let highlight = &self.spec.dress.dress.highlight;
        let stands_out = |series: &&Series| {
            let keys = self.spec.series.as_deref().unwrap_or_default();
            let cells: Vec<&CellResult> = self.results.cells.iter().collect();
            let values = distinct(&cells, keys);
            let mut meant = values
                .iter()
                .filter(|value| highlight.contains(&value.to_string()));
            highlight.is_empty() || meant.any(|value| self.named(keys, value) == series.name)
        };
        for series in line.series.iter().filter(stands_out) {
            let pairs = || series.points.windows(2);
            for mark in &self.spec.dress.marks {
                let found = match mark {
                    Mark::Cliff => {
                        let by = |pair: &&[Point]| (pair[1].y - pair[0].y).abs();
                        let widest = pairs().max_by(|a, b| by(a).total_cmp(&by(b)));
                        widest.filter(|pair| by(pair) > 0.0).map(|pair| {
                            let by = pair[1].y - pair[0].y;
                            let amount = match line.y.unit {
                                grapeshot_charts::Unit::Percent => 100.0 * by,
                                _ => by,
                            };
                            let sign = if by < 0.0 { "−" } else { "+" };
                            let amount = grapeshot_engine::stats::fixed(amount.abs(), 1);
                            let amount = self.decimals().set(&format!("{sign}{amount}"));
                            (
                                pair[1],
                                {
                                    let ends = [said(pair[0].x), said(pair[1].x)];
                                    format!(
                                        "{amount}: {}",
                                        tell!(self.words(), "{1} to {2}", ends[0], ends[1])
                                    )
                                },
                                by > 0.0,
                            )
                        })
                    }
                    Mark::Even => {
                        let crosses = |pair: &&[Point]| (pair[0].y < 0.5) != (pair[1].y < 0.5);
                        pairs().find(crosses).map(|pair| {
                            let rises = pair[1].y > pair[0].y;
                            let first = if rises { pair[1] } else { pair[0] };
                            (
                                first,
                                tell!(self.words(), "even at {1}", said(first.x)),
                                rises,
                            )
                        })
                    }
                };
                spots.extend(found.map(|(at, label, rises)| Spot {
                    x: at.x,
                    y: at.y,
                    label,
                    rises,
                }));
            }
        }
        spots
    }

    /// Data of one's own as marks.
    pub(super) fn beside(&self, stops: &[Value], numeric: bool) -> Result<Vec<Series>, RuleError> {
        let mut all = Vec::new();
        for beside in &self.spec.dress.beside {
            let mut points = Vec::new();
            for point in &beside.points {
                let at = match numeric {
                    true => point.x.parse::<f64>().ok().filter(|x| x.is_finite()),
                    false => stops
                        .iter()
                        .position(|stop| stop.to_string() == point.x)
                        .map(|at| at as f64),
                };
                let at = at.ok_or_else(|| {
                    let known: Vec<String> = stops.iter().map(ToString::to_string).collect();
                    let allowed = if numeric {
                        "a number".to_owned()
                    } else {
                        known.join(" | ")
                    };
                    let problem = format!(
                        "{}: `{}` is no place of this chart: allowed is {allowed}",
                        beside.file, point.x
                    );
                    self.wrong("data", problem)
                })?;
                let [y, low, high] = point.value;
                points.push(Point::within(at, y, low, high));
            }
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let mut series = Series::new(beside.name.clone(), points);
            series.apart = true;
            all.push(series);
        }
        Ok(all)
    }
}
