//! Equally likely values as dots: count them to have a chance.

use super::ChartError;
use super::Medium;
use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent};
use super::palette::{Colour, WHITE};
use super::scale;
use super::scene::{Rect, Scene};
use super::style::Words;
use super::unit::Axis;
use crate::tell;

/// The quantiles of one distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct DotRow {
    /// What the row is.
    pub label: String,
    /// Equally likely values, ascending.
    pub dots: Vec<f64>,
}

/// Distributions as so many equally likely values each, stacked where they are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct DotPlot {
    /// What the rows are.
    pub rows_axis: Axis,
    /// What is measured.
    pub value: Axis,
    /// The rows from the top.
    pub rows: Vec<DotRow>,
}

impl DotPlot {
    /// Dots of a row.
    pub fn dots(&self) -> usize {
        self.rows.first().map_or(0, |row| row.dots.len())
    }

    /// The range of the values.
    fn range(&self) -> Option<(f64, f64)> {
        scale::range(self.rows.iter().flat_map(|row| row.dots.iter().copied()))
    }

    /// The distance between columns of dots: that of whole numbers, or a fraction of the range.
    fn pitch(&self, range: (f64, f64)) -> f64 {
        let mut values = self.rows.iter().flat_map(|row| &row.dots);
        match values.all(|v| v.fract() == 0.0) && range.1 - range.0 <= 60.0 {
            true => 1.0,
            false => ((range.1 - range.0) / 40.0).max(1e-9),
        }
    }

    /// Dots in each column of a row: the column's place, and how many.
    fn columns(&self, row: &DotRow, range: (f64, f64)) -> Vec<(f64, usize)> {
        let pitch = self.pitch(range);
        let mut columns: Vec<(f64, usize)> = Vec::new();
        for dot in &row.dots {
            let at = ((dot - range.0) / pitch).round() * pitch + range.0;
            match columns.last_mut() {
                Some((last, count)) if (*last - at).abs() < pitch / 2.0 => *count += 1,
                _ => columns.push((at, 1)),
            }
        }
        columns
    }

    /// The tallest column of all rows.
    fn tallest(&self, range: (f64, f64)) -> usize {
        let columns = self.rows.iter().flat_map(|row| self.columns(row, range));
        columns.map(|(_, count)| count).max().unwrap_or(1)
    }
}

impl Drawing for DotPlot {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("rows", self.rows.len())?;
        for row in &self.rows {
            ChartError::some("dots", row.dots.len())?;
            ChartError::finite(&row.label, row.dots.iter().copied())?;
            if row.dots.windows(2).any(|w| w[0] > w[1]) {
                return Err(ChartError::Number(format!(
                    "{}: a falling value",
                    row.label
                )));
            }
        }
        Ok(())
    }

    fn extent(&self) -> Extent {
        Extent {
            x: self.range(),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        if ctx.panel { 360.0 } else { 904.0 }
    }

    fn least(&self, ctx: &Context) -> f64 {
        let labels: Vec<_> = self.rows.iter().map(|row| row.label.clone()).collect();
        axes::least_of_rows(&labels, ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let range = ctx.extent.x.unwrap_or((0.0, 1.0));
        let dot = if ctx.panel || ctx.narrow() { 6.0 } else { 9.0 };
        let row = (self.tallest(range) as f64 * dot + 10.0).clamp(30.0, 170.0);
        let labels: Vec<_> = self.rows.iter().map(|row| row.label.clone()).collect();
        self.rows.len() as f64 * axes::row_height(&labels, row, ctx) + 54.0
    }

    fn lies(&self) -> bool {
        true
    }

    fn captions(&self) -> (String, String) {
        (self.value.caption(), self.rows_axis.caption())
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        let n = self.dots();
        vec![tell!(
            words,
            "{1} dots a row, each as likely: one dot is 1 in {1}.",
            n
        )]
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let (lo, hi) = ctx.extent.x.unwrap_or((0.0, 1.0));
        let pitch = self.pitch((lo, hi));
        let whole = pitch == 1.0;
        let around = (lo - pitch * 0.8, hi + pitch * 0.8);
        let range = ctx.dress.range.unwrap_or(around);
        let ticks = ctx.ticks_across(area.w * 0.8);
        let x = Side::numbers(ctx, &self.value, range, ticks, whole);
        let labels: Vec<_> = self.rows.iter().map(|row| row.label.clone()).collect();
        let y = Side::bands(&self.rows_axis, &labels);
        let plot = axes::frame(scene, area, ctx, (&x, &y), 10.0);
        let row_height = plot.rect.h / self.rows.len() as f64;
        let across = (plot.x.at(lo + pitch) - plot.x.at(lo)) * 0.5;
        let up = (row_height - 8.0) / self.tallest((lo, hi)) as f64 / 2.0;
        let (radius, up) = (across.min(up).min(7.0), up.min(7.0) * 2.0);
        let fill = match ctx.medium {
            Medium::Screen => ctx.inks.main(),
            Medium::Print => Colour::grey(70),
        };
        for (i, row) in self.rows.iter().enumerate() {
            let foot = plot.y.at(i as f64) + row_height / 2.0 - 3.0;
            scene.line(
                (plot.rect.x, foot),
                (plot.rect.right(), foot),
                0.8,
                ctx.theme.axis,
            );
            for (at, count) in self.columns(row, (lo, hi)) {
                for k in 0..count {
                    let centre = (plot.x.at(at), foot - up * (k as f64 + 0.5));
                    scene.disc(centre, radius, WHITE);
                    scene.disc(centre, radius * 0.88, fill);
                }
            }
        }
    }
}
