//! A chart that was labelled in the words of the program, in the words of a style.

use super::{Axis, Body, Chart, Content, Series, Style, Unit};
use crate::style::Words;

impl Chart {
    /// The same chart in a style: its looks, its footer, and its words for every label.
    #[must_use]
    pub fn in_style(mut self, style: &Style) -> Self {
        if style.rewords() {
            self.title = style.text(&self.title);
            self.subtitle = self.subtitle.map(|line| style.text(&line));
            self.footer = style.text(&self.footer);
        }
        self.footer = style.footer(&self.footer);
        for text in [&mut self.dress.legend].into_iter().flatten() {
            *text = style.text(text);
        }
        if !style.words.is_empty() {
            reword(&mut self.body, &style.words);
            for (name, _) in &mut self.meanings {
                *name = style.words.text(name);
            }
        }
        self.style = style.clone();
        self
    }
}

/// Puts the words of a dictionary in the place of the labels it has.
pub fn reword(body: &mut Body, words: &Words) {
    let say = |text: &mut String| *text = words.text(text);
    let axis = |axis: &mut Axis| {
        axis.name = words.text(&axis.name);
        if axis.unit == Unit::Points && !axis.name.ends_with(')') {
            axis.name = words.tell("{1} (percentage points)", &[&axis.name]);
        }
    };
    let series = |all: &mut Vec<Series>| all.iter_mut().for_each(|s| s.name = words.text(&s.name));
    match body {
        Body::Line(line) => {
            [&mut line.x, &mut line.y].into_iter().for_each(axis);
            line.categories.iter_mut().flatten().for_each(say);
            series(&mut line.series);
        }
        Body::Heatmap(map) => {
            [&mut map.x, &mut map.y, &mut map.value]
                .into_iter()
                .for_each(axis);
            map.columns.iter_mut().chain(&mut map.rows).for_each(say);
        }
        Body::Stacked(stacked) => {
            [&mut stacked.bars_axis, &mut stacked.share_axis]
                .into_iter()
                .for_each(axis);
            stacked
                .bars
                .iter_mut()
                .chain(&mut stacked.segments)
                .for_each(say);
        }
        Body::OfHundred(hundred) => {
            hundred
                .names
                .iter_mut()
                .chain(&mut hundred.segments)
                .for_each(say);
        }
        Body::DotPlot(dots) => {
            [&mut dots.rows_axis, &mut dots.value]
                .into_iter()
                .for_each(axis);
            dots.rows.iter_mut().for_each(|row| say(&mut row.label));
        }
        Body::Pmf(pmf) => {
            [&mut pmf.x, &mut pmf.y].into_iter().for_each(axis);
            pmf.values.iter_mut().for_each(say);
            pmf.series
                .iter_mut()
                .for_each(|s| s.name = words.text(&s.name));
        }
        Body::Survival(survival) => {
            [&mut survival.x, &mut survival.y]
                .into_iter()
                .for_each(axis);
            series(&mut survival.series);
        }
        Body::Boxes(boxes) => {
            [&mut boxes.rows_axis, &mut boxes.value]
                .into_iter()
                .for_each(axis);
            boxes.rows.iter_mut().for_each(|row| say(&mut row.label));
        }
        Body::Tornado(tornado) => {
            [&mut tornado.factors, &mut tornado.value]
                .into_iter()
                .for_each(axis);
            for row in &mut tornado.rows {
                say(&mut row.label);
                for end in [&mut row.low_label, &mut row.high_label] {
                    let plain = end.trim_end_matches(':');
                    let colon = &end[plain.len()..];
                    *end = words.text(plain) + colon;
                }
            }
        }
        Body::Dumbbell(dumbbell) => {
            [&mut dumbbell.rows_axis, &mut dumbbell.value]
                .into_iter()
                .for_each(axis);
            dumbbell.names.iter_mut().for_each(say);
            dumbbell.rows.iter_mut().for_each(|row| say(&mut row.label));
        }
        Body::Policy(policy) => {
            [&mut policy.x, &mut policy.y].into_iter().for_each(axis);
            policy.actions.iter_mut().for_each(say);
            let advice = policy.cells.iter_mut().flatten().flatten();
            advice.for_each(|advice| say(&mut advice.action));
        }
        Body::Panels(panels) => {
            for panel in &mut panels.panels {
                say(&mut panel.title);
                match &mut panel.content {
                    Content::Chart(body) => reword(body, words),
                    Content::Empty(reason) => say(reason),
                }
            }
        }
    }
}
