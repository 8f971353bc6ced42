//! Two values of every row with what lies between them: the print against a house rule, before against after.

use super::ChartError;
use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent, Legend};
use super::palette::WHITE;
use super::pmf::Estimate;
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::style::Words;
use super::text;
use super::unit::Axis;
use crate::tell;

/// A row: what it is, and its value under either name.
#[derive(Debug, Clone, PartialEq)]
pub struct DumbbellRow {
    /// What the row is.
    pub label: String,
    /// Its values, each with its interval; one that there is not is left out.
    pub values: [Option<Estimate>; 2],
}

/// Rows of two values each.
#[derive(Debug, Clone, PartialEq)]
pub struct Dumbbell {
    /// What the rows are.
    pub rows_axis: Axis,
    /// What is measured.
    pub value: Axis,
    /// What sets the two apart.
    pub names: [String; 2],
    /// The rows from the top.
    pub rows: Vec<DumbbellRow>,
}

impl Dumbbell {
    fn labels(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.label.clone()).collect()
    }

    fn estimates(&self) -> impl Iterator<Item = &Estimate> {
        self.rows.iter().flat_map(|row| row.values.iter().flatten())
    }
}

impl Drawing for Dumbbell {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("rows", self.rows.len())?;
        ChartError::distinct(self.names.iter().map(String::as_str))?;
        ChartError::some("values", self.estimates().count())?;
        let numbers = self.estimates().flat_map(|e| [e.value, e.low, e.high]);
        ChartError::finite("a value", numbers)
    }

    fn extent(&self) -> Extent {
        let numbers = self.estimates().flat_map(|e| [e.value, e.low, e.high]);
        Extent {
            x: scale::range(numbers),
            keys: self.names.to_vec(),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        if ctx.panel { 360.0 } else { 904.0 }
    }

    fn least(&self, ctx: &Context) -> f64 {
        axes::least_of_rows(&self.labels(), ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let least = if ctx.panel || ctx.narrow() {
            22.0
        } else {
            34.0
        };
        self.rows.len() as f64 * axes::row_height(&self.labels(), least, ctx) + 58.0
    }

    fn lies(&self) -> bool {
        true
    }

    fn captions(&self) -> (String, String) {
        (self.value.caption(), self.rows_axis.caption())
    }

    fn legend(&self, _: &Context) -> Legend {
        Legend::Lines
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        match self
            .estimates()
            .any(|e| e.low != e.value || e.high != e.value)
        {
            true => vec![tell!(words, "Short lines are 95 % intervals.")],
            false => Vec::new(),
        }
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let theme = &ctx.theme;
        let range = ctx.values(ctx.extent.x, &self.value.unit);
        let ticks = ctx.ticks_across(area.w * 0.8);
        let x = Side::numbers(ctx, &self.value, range, ticks, false);
        let y = Side::bands(&self.rows_axis, &self.labels());
        let plot = axes::frame(scene, area, ctx, (&x, &y), 30.0);
        let r = theme.marker * 1.3;
        for (i, row) in self.rows.iter().enumerate() {
            let y = plot.y.at(i as f64);
            if let [Some(a), Some(b)] = &row.values {
                let ends = (plot.x.at(a.value), plot.x.at(b.value));
                scene.line((ends.0, y), (ends.1, y), theme.stroke * 1.6, theme.axis);
            }
            let mut numbers: Vec<(f64, String)> = Vec::new();
            for (name, value) in self.names.iter().zip(&row.values) {
                let Some(value) = value else { continue };
                let look = ctx.looks.get(name);
                let (low, high) = (plot.x.at(value.low), plot.x.at(value.high));
                if high > low {
                    let down = y + r + 2.0;
                    scene.line((low, down), (high, down), 1.2, look.line);
                }
                let at = plot.x.at(value.value);
                let said = ctx.value(&self.value.unit, value.value);
                scene.tip(name, (at, y), format!("{}, {name}: {said}", row.label));
                scene.marker((at, y), r, look.line, look.marker);
                numbers.push((at, said));
            }
            if ctx.style.value_labels() {
                let size = theme.inside;
                let kind = Type::new(size, theme.soft);
                numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
                let last = numbers.len().saturating_sub(1);
                for (k, (at, said)) in numbers.iter().enumerate() {
                    let w = text::width(said, size, false);
                    let left = k < last;
                    let aside = r + 4.0;
                    let next = numbers.get(k + 1).map_or(f64::INFINITY, |(at, _)| *at);
                    // Left of the axis there is no room; between the two there may be.
                    let begin = match left && at - aside - w >= plot.rect.x {
                        true => at - aside - w,
                        false if left && at + aside + w + aside > next => continue,
                        false => at + aside,
                    };
                    if begin + w > plot.rect.right() + 30.0 {
                        continue;
                    }
                    scene.rect(
                        Rect::new(begin - 1.0, y - size * 0.6, w + 2.0, size * 1.2),
                        WHITE,
                    );
                    scene.block((begin, y), &[said], kind);
                }
            }
        }
    }
}
