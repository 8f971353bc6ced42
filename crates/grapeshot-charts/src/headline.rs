//! A title that says what is seen, worked out from the numbers of a chart.

use super::alt::Teller;
use super::{Axis, Body, Chart, Content, Dumbbell, Heatmap, Line, Pmf, Stacked, Survival, Tornado};
use crate::tell;

impl Chart {
    /// The same chart with what is seen as its title and the measure below, unless it has a title.
    #[must_use]
    pub fn telling(mut self) -> Self {
        if !self.title.is_empty() {
            return self;
        }
        let teller = self.teller();
        let title = teller.headline(&self.body);
        let measure = teller.measure(&self.body);
        self.title = title.unwrap_or_else(|| measure.clone());
        if self.subtitle.is_none() && self.title != measure {
            self.subtitle = Some(measure);
        }
        self
    }
}

/// Something that was measured: how much, and of what.
type Found = (f64, String);

impl Teller<'_> {
    /// What is most to be seen, if anything changes.
    fn headline(&self, body: &Body) -> Option<String> {
        match body {
            Body::Line(line) => self.line_headline(line),
            Body::Heatmap(map) => self.map_headline(map),
            Body::Stacked(stacked) => self.stacked_headline(stacked),
            Body::Survival(survival) => self.survival_headline(survival),
            Body::Pmf(pmf) => self.pmf_headline(pmf),
            Body::Tornado(tornado) => self.tornado_headline(tornado),
            Body::Dumbbell(dumbbell) => self.dumbbell_headline(dumbbell),
            Body::Boxes(boxes) => {
                let medians = boxes
                    .rows
                    .iter()
                    .map(|row| (row.quantiles[2], row.label.clone()));
                self.span(&boxes.value, medians.collect())
            }
            Body::DotPlot(dots) => {
                let middle = |dots: &[f64]| dots.get(dots.len() / 2).copied();
                let rows = dots.rows.iter();
                let medians = rows.filter_map(|row| Some((middle(&row.dots)?, row.label.clone())));
                self.span(&dots.value, medians.collect())
            }
            Body::OfHundred(_) | Body::Policy(_) => None,
            Body::Panels(panels) => {
                let charts = panels
                    .panels
                    .iter()
                    .filter_map(|panel| match &panel.content {
                        Content::Chart(body) => Some((&panel.title, body, body.kind().extent())),
                        Content::Empty(_) => None,
                    });
                let width = |range: Option<(f64, f64)>| range.map_or(0.0, |(low, high)| high - low);
                let (title, body, _) = charts.max_by(|a, b| {
                    let span = |e: &super::body::Extent| width(e.value.or(e.y).or(e.x));
                    span(&a.2).total_cmp(&span(&b.2))
                })?;
                Some(format!(
                    "{}, {}",
                    capital(title),
                    small(&self.headline(body)?)
                ))
            }
        }
    }

    /// What is measured, and by what.
    fn measure(&self, body: &Body) -> String {
        let by = |what: &Axis, by: &Axis| match by.name.is_empty() {
            true => capital(&what.name),
            false => tell!(self.words, "{1}, by {2}", capital(&what.name), by.name),
        };
        match body {
            Body::Line(line) => by(&line.y, &line.x),
            Body::Heatmap(map) => {
                let both = format!("{}, {}", map.y.name, map.x.name);
                tell!(self.words, "{1}, by {2}", capital(&map.value.name), both)
            }
            Body::Stacked(stacked) => by(&stacked.share_axis, &stacked.bars_axis),
            Body::Survival(survival) => by(&survival.y, &survival.x),
            Body::Pmf(pmf) => by(&pmf.y, &pmf.x),
            Body::Tornado(tornado) => by(&tornado.value, &tornado.factors),
            Body::Dumbbell(dumbbell) => by(&dumbbell.value, &dumbbell.rows_axis),
            Body::Boxes(boxes) => by(&boxes.value, &boxes.rows_axis),
            Body::DotPlot(dots) => by(&dots.value, &dots.rows_axis),
            Body::OfHundred(hundred) => capital(&hundred.of),
            Body::Policy(policy) => tell!(
                self.words,
                "{1}, by {2}",
                capital(&policy.y.name),
                policy.x.name
            ),
            Body::Panels(panels) => {
                let mut charts = panels
                    .panels
                    .iter()
                    .filter_map(|panel| match &panel.content {
                        Content::Chart(body) => Some(self.measure(body)),
                        Content::Empty(_) => None,
                    });
                charts.next().unwrap_or_default()
            }
        }
    }

    /// From the least to the most of what was measured.
    fn span(&self, axis: &Axis, found: Vec<Found>) -> Option<String> {
        let least = found.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let most = found.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let (low, high) = (self.say(axis, least.0), self.say(axis, most.0));
        if low == high {
            return Some(tell!(self.words, "It is {1} everywhere", low));
        }
        Some(tell!(
            self.words,
            "From {1} ({2}) to {3} ({4})",
            low,
            least.1,
            high,
            most.1
        ))
    }

    /// The curve that moves most, from end to end, and by how many times if it is told in times.
    fn line_headline(&self, line: &Line) -> Option<String> {
        let place = |x: f64| match &line.categories {
            Some(names) => names.get(x as usize).cloned().unwrap_or_default(),
            None => self.say(&line.x, x),
        };
        let moved = |series: &&super::Series| {
            let ends = series.points.first().zip(series.points.last());
            ends.map_or(0.0, |(first, last)| (last.y - first.y).abs())
        };
        let all = || line.series.iter();
        let widest = all().max_by(|a, b| moved(a).total_cmp(&moved(b)))?;
        let (first, last) = (widest.points.first()?, widest.points.last()?);
        let (from, to) = (self.say(&line.y, first.y), self.say(&line.y, last.y));
        if from == to {
            let points = all().flat_map(|series| {
                let name = move |x: f64| match series.name.is_empty() {
                    true => place(x),
                    false => format!("{}, {}", series.name, place(x)),
                };
                series
                    .points
                    .iter()
                    .map(move |p| (p.y, name(p.x)))
                    .collect::<Vec<_>>()
            });
            return self.span(&line.y, points.collect());
        }
        let (x0, x1) = (place(first.x), place(last.x));
        let told = match last.y > first.y {
            true => tell!(
                self.words,
                "from {1} at {2} up to {3} at {4}",
                from,
                x0,
                to,
                x1
            ),
            false => tell!(
                self.words,
                "from {1} at {2} down to {3} at {4}",
                from,
                x0,
                to,
                x1
            ),
        };
        Some(match widest.name.is_empty() || line.series.len() == 1 {
            true => capital(&told),
            false => format!("{}: {told}", capital(&widest.name)),
        })
    }

    fn map_headline(&self, map: &Heatmap) -> Option<String> {
        let rows = map.rows.iter().zip(&map.cells);
        let found = rows.flat_map(|(row, cells)| {
            let cells = cells.iter().zip(&map.columns);
            cells.filter_map(move |(cell, column)| Some((cell.value?, format!("{row}, {column}"))))
        });
        self.span(&map.value, found.collect())
    }

    /// The share that differs most between bars.
    fn stacked_headline(&self, stacked: &Stacked) -> Option<String> {
        let share = |shares: &Vec<f64>, at: usize| shares[at] / shares.iter().sum::<f64>();
        let of = |at: usize| -> Vec<Found> {
            let bars = stacked.bars.iter().zip(&stacked.shares);
            bars.map(|(bar, shares)| (share(shares, at), bar.clone()))
                .collect()
        };
        let spread = |at: &usize| {
            let values = || of(*at).into_iter().map(|found| found.0);
            values().fold(0.0, f64::max) - values().fold(1.0, f64::min)
        };
        let at = (0..stacked.segments.len()).max_by(|a, b| spread(a).total_cmp(&spread(b)))?;
        let told = self.span(&Axis::percent(""), of(at))?;
        Some(format!(
            "{}: {}",
            capital(&stacked.segments[at]),
            small(&told)
        ))
    }

    fn survival_headline(&self, survival: &Survival) -> Option<String> {
        let halves = survival.series.iter().filter_map(|series| {
            let half = match survival.at_most {
                true => series.points.iter().find(|p| p.y >= 0.5 - 1e-12),
                false => series.points.iter().rev().find(|p| p.y >= 0.5 - 1e-12),
            };
            Some((half?.x, series.name.clone()))
        });
        let halves: Vec<Found> = halves.collect();
        let say = |found: &Found| {
            let n = self.say(&survival.x, found.0);
            match survival.at_most {
                true => tell!(self.words, "{1} or less", n),
                false => tell!(self.words, "{1} or more", n),
            }
        };
        let least = halves.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let most = halves.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        if least.0 == most.0 {
            return Some(tell!(self.words, "Half of the time {1}", say(least)));
        }
        Some(tell!(
            self.words,
            "Half of the time {1} ({2}), {3} ({4})",
            say(least),
            least.1,
            say(most),
            most.1
        ))
    }

    fn pmf_headline(&self, pmf: &Pmf) -> Option<String> {
        let likeliest = pmf.series.iter().filter_map(|series| {
            let all = series.chances.iter().zip(&pmf.values);
            let (chance, value) = all.max_by(|a, b| a.0.value.total_cmp(&b.0.value))?;
            let told = tell!(
                self.words,
                "{1} is likeliest, {2}",
                value,
                self.say(&pmf.y, chance.value)
            );
            Some(match series.name.is_empty() || pmf.series.len() == 1 {
                true => told,
                false => format!("{}: {told}", series.name),
            })
        });
        let likeliest: Vec<String> = likeliest.take(3).collect();
        Some(capital(&likeliest.join("; "))).filter(|text| !text.is_empty())
    }

    fn tornado_headline(&self, tornado: &Tornado) -> Option<String> {
        let widest = tornado.rows.iter().max_by(|a, b| {
            let span = |row: &super::TornadoRow| row.high - row.low;
            span(a).total_cmp(&span(b))
        })?;
        let (low, high) = (
            self.say(&tornado.value, widest.low),
            self.say(&tornado.value, widest.high),
        );
        Some(tell!(
            self.words,
            "{1} moves it most: {2} to {3}",
            capital(&widest.label),
            low,
            high
        ))
    }

    fn dumbbell_headline(&self, dumbbell: &Dumbbell) -> Option<String> {
        let moved = dumbbell.rows.iter().filter_map(|row| match &row.values {
            [Some(a), Some(b)] => Some((a.value, b.value, &row.label)),
            _ => None,
        });
        let widest = moved.max_by(|a, b| (a.1 - a.0).abs().total_cmp(&(b.1 - b.0).abs()))?;
        let (from, to) = (
            self.say(&dumbbell.value, widest.0),
            self.say(&dumbbell.value, widest.1),
        );
        if from == to {
            return Some(tell!(self.words, "It is the same everywhere"));
        }
        Some(tell!(
            self.words,
            "{1} changes most: {2} ({3}), {4} ({5})",
            capital(widest.2),
            from,
            dumbbell.names[0],
            to,
            dumbbell.names[1]
        ))
    }
}

fn capital(text: &str) -> String {
    super::alt::capital(text)
}

/// The same text with a small letter first.
fn small(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;

    fn title(body: impl Into<Body>) -> (String, String) {
        let chart = Chart::new("", body).telling();
        (chart.title, chart.subtitle.unwrap_or_default())
    }

    #[test]
    fn a_title_says_what_is_seen_and_the_subtitle_what_is_measured() {
        let points = |ys: [f64; 3]| {
            (0..3)
                .map(|i| Point::exact(f64::from(i), ys[i as usize]))
                .collect()
        };
        let series = vec![
            Series::new("open", points([0.6, 0.5, 0.3])),
            Series::new("wall", points([0.3, 0.2, 0.1])),
        ];
        let line = Line::new(Axis::number("range", ""), Axis::percent("chance"), series);
        assert_eq!(
            title(line),
            (
                "Open: from 60% at 0 down to 30% at 2".into(),
                "Chance, by range".into()
            )
        );
        let map = Heatmap {
            x: Axis::label("defender"),
            y: Axis::label("attacker"),
            value: Axis::percent("chance"),
            columns: vec!["a".into(), "b".into()],
            rows: vec!["elite".into()],
            cells: vec![vec![0.25.into(), 0.75.into()]],
            diverging: false,
            range: None,
        };
        assert_eq!(title(map).0, "From 25% (elite, a) to 75% (elite, b)");
        let row = |label: &str, low: f64, high: f64| TornadoRow {
            label: label.into(),
            low,
            high,
            ..TornadoRow::default()
        };
        let tornado = Tornado {
            factors: Axis::label("setting"),
            value: Axis::percent("chance"),
            baseline: 0.4,
            rows: vec![row("cover", 0.3, 0.4), row("flank", 0.4, 0.8)],
        };
        assert_eq!(title(tornado).0, "Flank moves it most: 40% to 80%");
        let own = Chart::new(
            "Mine",
            Survival::new(Axis::number("x", ""), Axis::percent("y"), vec![]),
        );
        assert_eq!(own.telling().title, "Mine");
    }
}
