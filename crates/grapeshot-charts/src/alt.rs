//! What a chart shows, in sentences made from its numbers: for those who do not see it, and for a caption.

use super::{
    Axis, Body, Boxes, Chart, Content, DotPlot, Dumbbell, Heatmap, Line, OfHundred, Pmf, Policy,
    Series, Stacked, Survival, Tornado,
};
use crate::style::{Decimals, Words};
use crate::tell;

/// The text beside a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alt {
    /// Its title.
    pub title: String,
    /// What it shows.
    pub text: String,
}

impl Alt {
    /// As a file beside the chart.
    pub fn file(&self) -> String {
        format!("{}\n\n{}\n", self.title, self.text)
    }
}

/// Series, bars or rows that are described one by one; of more, only the extremes.
const EACH: usize = 4;

impl Chart {
    /// What the chart shows: as its author says, or made from the numbers.
    pub fn alt(&self) -> Alt {
        let made = || self.teller().body(&self.body).join(" ");
        Alt {
            title: self.title.clone(),
            text: self.alt.clone().unwrap_or_else(made),
        }
    }
}

impl Chart {
    pub(super) fn teller(&self) -> Teller<'_> {
        Teller {
            decimals: self.style.decimals(),
            words: &self.style.words,
        }
    }
}

/// Tells numbers with the decimals of a style.
pub(super) struct Teller<'a> {
    decimals: Decimals,
    pub(super) words: &'a Words,
}

impl Teller<'_> {
    pub(super) fn say(&self, axis: &Axis, value: f64) -> String {
        self.decimals.set(&axis.unit.value(value))
    }

    fn body(&self, body: &Body) -> Vec<String> {
        match body {
            Body::Line(line) => self.line(line),
            Body::Heatmap(map) => self.heatmap(map),
            Body::Stacked(stacked) => self.stacked(stacked),
            Body::OfHundred(hundred) => self.of_hundred(hundred),
            Body::Pmf(pmf) => self.pmf(pmf),
            Body::Survival(survival) => self.survival(survival),
            Body::Boxes(boxes) => self.boxes(boxes),
            Body::DotPlot(dots) => self.dots(dots),
            Body::Tornado(tornado) => self.tornado(tornado),
            Body::Dumbbell(dumbbell) => self.dumbbell(dumbbell),
            Body::Policy(policy) => self.policy(policy),
            Body::Panels(panels) => {
                let count = panels.panels.len();
                let mut said = vec![tell!(self.words, "{1} panels.", count)];
                for panel in &panels.panels {
                    let text = match &panel.content {
                        Content::Chart(body) => self.body(body).join(" "),
                        Content::Empty(reason) => tell!(self.words, "Empty: {1}.", reason),
                    };
                    said.push(format!("{}: {text}", panel.title));
                }
                said
            }
        }
    }

    fn line(&self, line: &Line) -> Vec<String> {
        let place = |x: f64| match &line.categories {
            Some(names) => names[x as usize].clone(),
            None => self.say(&line.x, x),
        };
        let mut said = vec![tell!(
            self.words,
            "{1} by {2}.",
            capital(&line.y.name),
            line.x.name
        )];
        if line.series.len() <= EACH {
            said.extend(line.series.iter().map(|s| self.course(&line.y, s, &place)));
        }
        let all = line
            .series
            .iter()
            .flat_map(|s| s.points.iter().map(move |p| (s, p)));
        let named = |(s, p): (&Series, &super::Point)| {
            let place = place(p.x);
            match s.name.is_empty() {
                true => tell!(self.words, "{1} at {2}", self.say(&line.y, p.y), place),
                false => tell!(
                    self.words,
                    "{1} ({2}, at {3})",
                    self.say(&line.y, p.y),
                    s.name,
                    place
                ),
            }
        };
        let high = all.clone().reduce(|a, b| if b.1.y > a.1.y { b } else { a });
        let low = all.reduce(|a, b| if b.1.y < a.1.y { b } else { a });
        if let (Some(high), Some(low)) = (high, low)
            && line.series.len() > 1
        {
            said.push(tell!(
                self.words,
                "Highest: {1}; lowest: {2}.",
                named(high),
                named(low)
            ));
        }
        said
    }

    /// How one curve runs.
    fn course(&self, y: &Axis, series: &Series, place: &dyn Fn(f64) -> String) -> String {
        let points = &series.points;
        let (first, last) = (points[0], points[points.len() - 1]);
        let name = match series.name.is_empty() {
            true => self.words.say("It"),
            false => capital(&series.name),
        };
        let say = |value: f64| self.say(y, value);
        if points.iter().all(|p| say(p.y) == say(first.y)) {
            return tell!(self.words, "{1} is {2} throughout.", name, say(first.y));
        }
        let rises = points.windows(2).all(|w| w[1].y >= w[0].y - 1e-9);
        let falls = points.windows(2).all(|w| w[1].y <= w[0].y + 1e-9);
        let ends = tell!(
            self.words,
            "from {1} at {2} to {3} at {4}",
            say(first.y),
            place(first.x),
            say(last.y),
            place(last.x)
        );
        if rises || falls {
            let way = self.words.say(if rises { "rises" } else { "falls" });
            return format!("{name} {way} {ends}.");
        }
        let top = points
            .iter()
            .copied()
            .reduce(|a, b| if b.y > a.y { b } else { a });
        let dip = points
            .iter()
            .copied()
            .reduce(|a, b| if b.y < a.y { b } else { a });
        let (top, dip) = (top.unwrap_or(first), dip.unwrap_or(first));
        tell!(
            self.words,
            "{1} goes {2}, highest {3} at {4}, lowest {5} at {6}.",
            name,
            ends,
            say(top.y),
            place(top.x),
            say(dip.y),
            place(dip.x)
        )
    }

    fn heatmap(&self, map: &Heatmap) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} by {2} (rows) and {3} (columns).",
            capital(&map.value.name),
            map.y.name,
            map.x.name
        )];
        let mut found: Vec<(f64, String)> = Vec::new();
        for (row, cells) in map.rows.iter().zip(&map.cells) {
            for (column, cell) in map.columns.iter().zip(cells) {
                found.extend(cell.value.map(|v| (v, format!("{row}, {column}"))));
            }
        }
        said.extend(self.extremes(&map.value, &found));
        let along_rows: Vec<Vec<f64>> = map.cells.iter().map(|row| values(row.iter())).collect();
        let along_columns: Vec<Vec<f64>> = (0..map.columns.len())
            .map(|at| values(map.cells.iter().map(|row| &row[at])))
            .collect();
        for (lines, first, last, name) in [
            (
                along_rows,
                map.columns.first(),
                map.columns.last(),
                &map.x.name,
            ),
            (
                along_columns,
                map.rows.first(),
                map.rows.last(),
                &map.y.name,
            ),
        ] {
            if let (Some(way), Some(first), Some(last)) = (trend(&lines), first, last) {
                let way = self.words.say(way);
                said.push(tell!(
                    self.words,
                    "It {1} along {2}, from {3} to {4}.",
                    way,
                    name,
                    first,
                    last
                ));
            }
        }
        said
    }

    /// The highest and the lowest of some named values.
    fn extremes(&self, axis: &Axis, found: &[(f64, String)]) -> Option<String> {
        let high = found.iter().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let low = found.iter().reduce(|a, b| if b.0 < a.0 { b } else { a })?;
        let (top, dip) = (self.say(axis, high.0), self.say(axis, low.0));
        if top == dip {
            return Some(tell!(self.words, "It is {1} everywhere.", top));
        }
        Some(tell!(
            self.words,
            "Highest: {1} ({2}); lowest: {3} ({4}).",
            top,
            high.1,
            dip,
            low.1
        ))
    }

    fn shares(&self, names: &[String], shares: &[f64]) -> String {
        let total: f64 = shares.iter().sum();
        let percent = Axis::percent("");
        let mut parts: Vec<(f64, &String)> = shares.iter().map(|s| s / total).zip(names).collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let parts = parts.iter().filter(|(share, _)| *share > 0.0).take(EACH);
        let parts = parts.map(|(share, name)| format!("{name} {}", self.say(&percent, *share)));
        parts.collect::<Vec<_>>().join(", ")
    }

    fn stacked(&self, stacked: &Stacked) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} by {2}.",
            capital(&stacked.share_axis.name),
            stacked.bars_axis.name
        )];
        let bars = stacked.bars.iter().zip(&stacked.shares);
        if stacked.bars.len() <= EACH {
            let tell = |(bar, shares): (&String, &Vec<f64>)| {
                format!(
                    "{}: {}.",
                    capital(bar),
                    self.shares(&stacked.segments, shares)
                )
            };
            said.extend(bars.map(tell));
            return said;
        }
        for (at, segment) in stacked.segments.iter().enumerate() {
            let found: Vec<(f64, String)> = bars
                .clone()
                .map(|(bar, shares)| (shares[at] / shares.iter().sum::<f64>(), bar.clone()))
                .collect();
            if let Some(text) = self.extremes(&Axis::percent(""), &found) {
                said.push(format!("{}. {text}", capital(segment)));
            }
        }
        said
    }

    fn of_hundred(&self, hundred: &OfHundred) -> Vec<String> {
        let mut said = Vec::new();
        for (name, counts) in hundred.names.iter().zip(hundred.counts()) {
            let parts = hundred
                .segments
                .iter()
                .zip(&counts)
                .filter(|(_, n)| **n > 0);
            let parts: Vec<String> = parts.map(|(segment, n)| format!("{segment} {n}")).collect();
            let of = match name.is_empty() {
                true => String::new(),
                false => format!("{}: ", capital(name)),
            };
            said.push(tell!(self.words, "{1}Of 100: {2}.", of, parts.join(", ")));
        }
        said
    }

    fn pmf(&self, pmf: &Pmf) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} of each value of {2}.",
            capital(&pmf.y.name),
            pmf.x.name
        )];
        for series in pmf.series.iter().take(2 * EACH) {
            let likeliest = series.chances.iter().zip(&pmf.values);
            let likeliest = likeliest.reduce(|a, b| if b.0.value > a.0.value { b } else { a });
            if let Some((chance, value)) = likeliest {
                let of = match series.name.is_empty() {
                    true => self.words.say("Likeliest"),
                    false => tell!(self.words, "{1}: likeliest", capital(&series.name)),
                };
                said.push(tell!(
                    self.words,
                    "{1} is {2}, {3}.",
                    of,
                    value,
                    self.say(&pmf.y, chance.value)
                ));
            }
        }
        said
    }

    fn survival(&self, survival: &Survival) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} of {2}.",
            capital(&survival.y.name),
            survival.x.name
        )];
        for series in survival.series.iter().take(2 * EACH) {
            let reached = |chance: f64| {
                let is_there = |p: &&super::Point| p.y >= chance - 1e-12;
                let reached = match survival.at_most {
                    true => series.points.iter().find(is_there),
                    false => series.points.iter().rev().find(is_there),
                };
                reached.map(|p| self.say(&survival.x, p.x))
            };
            let of = match series.name.is_empty() {
                true => self.words.say("It"),
                false => capital(&series.name),
            };
            if survival.at_most {
                let half = reached(0.5).unwrap_or_default();
                said.push(tell!(
                    self.words,
                    "{1}: {2} or less in half of all cases, {3} or less in nine of ten.",
                    of,
                    half,
                    reached(0.9).unwrap_or_default()
                ));
                continue;
            }
            let half = reached(0.5).unwrap_or_else(|| self.words.say("nothing"));
            let tenth = reached(0.1).unwrap_or_else(|| self.words.say("nothing"));
            said.push(tell!(
                self.words,
                "{1}: {2} or more in half of all cases, {3} or more in one of ten.",
                of,
                half,
                tenth
            ));
        }
        said
    }

    fn boxes(&self, boxes: &Boxes) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} by {2}.",
            capital(&boxes.value.name),
            boxes.rows_axis.name
        )];
        let say = |value: f64| self.say(&boxes.value, value);
        if boxes.rows.len() <= EACH {
            said.extend(boxes.rows.iter().map(|row| {
                let [_, low, median, high, _] = row.quantiles.map(say);
                let name = capital(&row.label);
                tell!(
                    self.words,
                    "{1}: median {2}, the middle half from {3} to {4}.",
                    name,
                    median,
                    low,
                    high
                )
            }));
        } else {
            let medians = boxes.rows.iter().map(|r| (r.quantiles[2], r.label.clone()));
            let medians: Vec<_> = medians.collect();
            said.extend(
                self.extremes(&boxes.value, &medians)
                    .map(|text| tell!(self.words, "Medians. {1}", text)),
            );
        }
        said
    }

    fn dots(&self, dots: &DotPlot) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} equally likely values of {2} by {3}.",
            dots.dots(),
            dots.value.name,
            dots.rows_axis.name
        )];
        for row in dots.rows.iter().take(2 * EACH) {
            let at = |share: f64| {
                let at = (row.dots.len() as f64 * share) as usize;
                self.say(&dots.value, row.dots[at.min(row.dots.len() - 1)])
            };
            let name = match row.label.is_empty() {
                true => String::new(),
                false => format!("{}: ", capital(&row.label)),
            };
            let text = tell!(
                self.words,
                "half at {1} or less, nine of ten at {2} or less",
                at(0.5),
                at(0.9)
            );
            said.push(format!("{name}{text}."));
        }
        said
    }

    fn tornado(&self, tornado: &Tornado) -> Vec<String> {
        let say = |value: f64| self.say(&tornado.value, value);
        let mut said = vec![tell!(
            self.words,
            "{1}, {2} with everything as usual.",
            capital(&tornado.value.name),
            say(tornado.baseline)
        )];
        let row = |row: &super::TornadoRow| {
            let end = |label: &str, value: f64| {
                let label = label.trim_end_matches(':');
                match label.is_empty() {
                    true => say(value),
                    false => format!("{} ({label})", say(value)),
                }
            };
            let low = end(&row.low_label, row.low);
            tell!(
                self.words,
                "{1}, from {2} to {3}",
                row.label,
                low,
                end(&row.high_label, row.high)
            )
        };
        if let Some(widest) = tornado.rows.first() {
            said.push(tell!(self.words, "Most is moved by {1}.", row(widest)));
        }
        if let [_, .., least] = &tornado.rows[..] {
            said.push(tell!(self.words, "Least by {1}.", row(least)));
        }
        said
    }

    fn dumbbell(&self, dumbbell: &Dumbbell) -> Vec<String> {
        let mut said = vec![tell!(
            self.words,
            "{1} by {2}.",
            capital(&dumbbell.value.name),
            dumbbell.rows_axis.name
        )];
        for row in dumbbell.rows.iter().take(3 * EACH) {
            let values = dumbbell.names.iter().zip(&row.values);
            let parts = values.filter_map(|(name, value)| {
                let value = value.as_ref()?.value;
                Some(format!("{name} {}", self.say(&dumbbell.value, value)))
            });
            let parts: Vec<String> = parts.collect();
            said.push(format!("{}: {}.", capital(&row.label), parts.join(", ")));
        }
        said
    }

    fn policy(&self, policy: &Policy) -> Vec<String> {
        let places: Vec<&str> = policy
            .cells
            .iter()
            .flatten()
            .flatten()
            .map(|advice| advice.action.as_str())
            .collect();
        let counted = policy.actions.iter().filter_map(|action| {
            let count = places.iter().filter(|taken| *taken == action).count();
            (count > 0).then(|| tell!(self.words, "{1} in {2}", action, count))
        });
        let counted: Vec<String> = counted.collect();
        vec![tell!(
            self.words,
            "What to do by {1} (rows) and {2} (columns): of {3} places {4}.",
            policy.y.name,
            policy.x.name,
            places.len(),
            counted.join(", ")
        )]
    }
}

fn values<'a>(cells: impl Iterator<Item = &'a super::HeatmapCell>) -> Vec<f64> {
    cells.filter_map(|cell| cell.value).collect()
}

/// Which way all lines run, if they all run the same way.
fn trend(lines: &[Vec<f64>]) -> Option<&'static str> {
    let all = |goes: fn(f64, f64) -> bool| {
        lines
            .iter()
            .all(|line| line.windows(2).all(|w| goes(w[0], w[1])))
    };
    let moves = lines
        .iter()
        .any(|line| line.windows(2).any(|w| w[0] != w[1]));
    match (moves, all(|a, b| b >= a), all(|a, b| b <= a)) {
        (true, true, false) => Some("rises"),
        (true, false, true) => Some("falls"),
        _ => None,
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
