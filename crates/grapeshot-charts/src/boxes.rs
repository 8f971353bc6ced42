//! Quantiles per label.

use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent};
use super::palette::{Colour, WHITE};
use super::scale;
use super::scene::{Rect, Scene};
use super::style::Words;
use super::unit::Axis;
use super::{ChartError, Medium};
use crate::tell;

/// The spread of one distribution.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoxRow {
    /// What the row is.
    pub label: String,
    /// The 5, 25, 50, 75 and 95 % quantiles.
    pub quantiles: [f64; 5],
    /// The mean, shown as a dot.
    pub mean: Option<f64>,
}

impl BoxRow {
    /// A row from its 5, 25, 50, 75 and 95 % quantiles.
    pub fn new(label: impl Into<String>, quantiles: [f64; 5], mean: Option<f64>) -> Self {
        Self {
            label: label.into(),
            quantiles,
            mean,
        }
    }
}

/// Distributions summed up by their quantiles, one lying box each.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    /// What the rows are.
    pub rows_axis: Axis,
    /// What is measured.
    pub value: Axis,
    /// The rows from the top.
    pub rows: Vec<BoxRow>,
}

impl Drawing for Boxes {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("rows", self.rows.len())?;
        for row in &self.rows {
            ChartError::finite(&row.label, row.quantiles.into_iter().chain(row.mean))?;
            if row.quantiles.windows(2).any(|w| w[0] > w[1]) {
                return Err(ChartError::Number(format!(
                    "{}: a falling quantile",
                    row.label
                )));
            }
        }
        Ok(())
    }

    fn extent(&self) -> Extent {
        let numbers = self
            .rows
            .iter()
            .flat_map(|r| r.quantiles.into_iter().chain(r.mean));
        Extent {
            x: scale::range(numbers),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        if ctx.panel { 360.0 } else { 904.0 }
    }

    fn least(&self, ctx: &Context) -> f64 {
        let labels: Vec<_> = self.rows.iter().map(|r| r.label.clone()).collect();
        axes::least_of_rows(&labels, ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let n = self.rows.len() as f64;
        let labels: Vec<_> = self.rows.iter().map(|r| r.label.clone()).collect();
        if ctx.panel || ctx.narrow() {
            n * axes::row_height(&labels, 24.0, ctx) + 48.0
        } else {
            (n * axes::row_height(&labels, 42.0, ctx) + 66.0).max(190.0)
        }
    }

    fn lies(&self) -> bool {
        true
    }

    fn captions(&self) -> (String, String) {
        (self.value.caption(), self.rows_axis.caption())
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        let mut notes = vec![tell!(
            words,
            "The thin line spans the 5 to 95 % quantiles, the box 25 to 75 %, the bar is the median."
        )];
        if self.rows.iter().any(|r| r.mean.is_some()) {
            notes[0] = tell!(
                words,
                "The thin line spans the 5 to 95 % quantiles, the box 25 to 75 %, the bar is the median, the dot the mean."
            );
        }
        notes
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let theme = &ctx.theme;
        let range = ctx.values(ctx.extent.x, &self.value.unit);
        let x = Side::numbers(
            ctx,
            &self.value,
            range,
            if ctx.panel { 5 } else { 10 },
            false,
        );
        let labels: Vec<_> = self.rows.iter().map(|r| r.label.clone()).collect();
        let y = Side::bands(&self.rows_axis, &labels);
        let plot = axes::frame(scene, area, ctx, (&x, &y), 14.0);
        let half = (plot.rect.h / self.rows.len() as f64 * 0.3).min(15.0);
        let (fill, edge) = match ctx.medium {
            Medium::Screen => (ctx.inks.main().mix(WHITE, 0.6), ctx.inks.main()),
            Medium::Print => (Colour::grey(208), Colour::grey(40)),
        };
        for (i, row) in self.rows.iter().enumerate() {
            let y = plot.y.at(i as f64);
            let [a, b, c, d, e] = row.quantiles.map(|q| plot.x.at(q));
            scene.line((a, y), (e, y), 1.4, edge);
            for end in [a, e] {
                scene.line((end, y - half * 0.5), (end, y + half * 0.5), 1.4, edge);
            }
            let r = Rect::new(b, y - half, d - b, 2.0 * half);
            scene.rect(r, fill);
            scene.outline(r, 1.2, edge);
            scene.line((c, y - half), (c, y + half), 3.0, edge);
            if let Some(mean) = row.mean {
                scene.disc((plot.x.at(mean), y), theme.marker + 1.2, WHITE);
                scene.disc((plot.x.at(mean), y), theme.marker, theme.ink);
            }
        }
    }
}
