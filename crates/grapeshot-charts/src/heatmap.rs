//! A value for each pair of labels, printed in its cell.

use super::ChartError;
use super::axes::{self, Side};
use super::body::{Bar, Context, Drawing, Extent};
use super::legend;
use super::looks::Hatch;
use super::palette::{Colour, WHITE};
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::style::Words;
use super::text;
use super::unit::Axis;

/// A cell of a heatmap.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeatmapCell {
    /// The value, if there is one.
    pub value: Option<f64>,
    /// Why there is none; listed under the chart.
    pub reason: Option<String>,
}

impl HeatmapCell {
    /// An empty cell and why it is empty.
    pub fn empty(reason: impl Into<String>) -> Self {
        Self {
            value: None,
            reason: Some(reason.into()),
        }
    }
}

impl From<f64> for HeatmapCell {
    fn from(value: f64) -> Self {
        Self {
            value: Some(value),
            reason: None,
        }
    }
}

impl From<Option<f64>> for HeatmapCell {
    fn from(value: Option<f64>) -> Self {
        Self {
            value,
            reason: None,
        }
    }
}

/// Values by row and column.
#[derive(Debug, Clone, PartialEq)]
pub struct Heatmap {
    /// What the columns are.
    pub x: Axis,
    /// What the rows are.
    pub y: Axis,
    /// What the values are.
    pub value: Axis,
    /// The label of each column.
    pub columns: Vec<String>,
    /// The label of each row, from the top.
    pub rows: Vec<String>,
    /// The cells, row by row.
    pub cells: Vec<Vec<HeatmapCell>>,
    /// Colours run both ways from nought.
    pub diverging: bool,
    /// The range of the colours; chosen from the data if absent.
    pub range: Option<(f64, f64)>,
}

impl Heatmap {
    fn values(&self) -> impl Iterator<Item = f64> {
        self.cells.iter().flatten().filter_map(|c| c.value)
    }

    /// The least width of a cell: that of its value, if values are printed.
    fn least_cell(&self, ctx: &Context) -> f64 {
        if !ctx.style.value_labels() {
            return 6.0;
        }
        let texts = self.values().map(|v| ctx.value(&self.value.unit, v));
        let widest = texts.map(|text| text::width(&text, ctx.theme.inside, false));
        widest.fold(ctx.theme.inside, f64::max) + 4.0
    }

    /// The width of a cell that holds its value, and if possible the label of its column.
    fn cell_width(&self, ctx: &Context) -> f64 {
        let size = ctx.theme.label;
        let widest = self
            .values()
            .map(|v| text::width(&ctx.value(&self.value.unit, v), size, false));
        let w = widest.fold(size * 2.0, f64::max) + 14.0;
        let words = self.columns.iter().flat_map(|c| c.split_whitespace());
        let word = words
            .map(|w| text::width(w, ctx.theme.tick, false))
            .fold(0.0, f64::max)
            + 10.0;
        let label = if word <= 84.0 { word } else { 0.0 };
        // Few columns leave room for wider cells and longer column labels.
        let least = if ctx.panel {
            34.0
        } else {
            (640.0 / self.columns.len() as f64).min(84.0)
        };
        w.max(least).max(label)
    }

    fn cell_height(&self, ctx: &Context) -> f64 {
        if ctx.panel || ctx.narrow() {
            26.0
        } else {
            36.0
        }
    }

    /// The room beside the cells: the labels of the rows, and the name of them.
    fn beside(&self, ctx: &Context) -> f64 {
        axes::beside_rows(&self.rows, ctx)
    }
}

impl Drawing for Heatmap {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("columns", self.columns.len())?;
        ChartError::some("rows", self.rows.len())?;
        ChartError::length("rows of cells", self.cells.len(), self.rows.len())?;
        for (name, row) in self.rows.iter().zip(&self.cells) {
            ChartError::length(name, row.len(), self.columns.len())?;
        }
        ChartError::finite("a cell", self.values())
    }

    fn extent(&self) -> Extent {
        let value = self.range.or_else(|| scale::range(self.values()));
        Extent {
            value,
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        let labels = text::widest(&self.rows, ctx.theme.tick).min(220.0);
        self.columns.len() as f64 * self.cell_width(ctx) + labels + 50.0
    }

    fn least(&self, ctx: &Context) -> f64 {
        self.columns.len() as f64 * self.least_cell(ctx) + self.beside(ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let size = ctx.theme.tick;
        let slot = (ctx.width - self.beside(ctx)) / self.columns.len() as f64;
        let under = axes::under(&self.columns, slot, size);
        let name = axes::name_height(&self.x, ctx.width - self.beside(ctx), ctx);
        self.rows.len() as f64 * self.cell_height(ctx) + under + name + 8.0 + size * 0.6
    }

    fn captions(&self) -> (String, String) {
        (self.x.caption(), self.y.caption())
    }

    fn bar(&self, ctx: &Context) -> Option<Bar> {
        // In a column the printed values say what the colours mean.
        if ctx.narrow() && ctx.style.value_labels() {
            return None;
        }
        let height = self.rows.len() as f64 * self.cell_height(ctx);
        Some(Bar {
            axis: self.value.clone(),
            diverging: self.diverging,
            height: Some(height),
        })
    }

    fn measure(&self, ctx: &Context) -> Option<String> {
        self.bar(ctx).is_none().then(|| self.value.caption())
    }

    fn notes(&self, _: &Words) -> Vec<String> {
        let mut reasons: Vec<(&str, usize)> = Vec::new();
        for cell in self.cells.iter().flatten().filter(|c| c.value.is_none()) {
            let Some(reason) = cell.reason.as_deref() else {
                continue;
            };
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason, 1)),
            }
        }
        reasons
            .iter()
            .map(|(reason, _)| format!("–  {reason}"))
            .collect()
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let (x, y) = (
            Side::bands(&self.x, &self.columns),
            Side::bands(&self.y, &self.rows),
        );
        let plot = axes::frame(scene, area, ctx, (&x, &y), 0.0);
        let range = legend::colour_range(ctx, self.diverging, &self.value.unit);
        let w = plot.rect.w / self.columns.len() as f64;
        let h = plot.rect.h / self.rows.len() as f64;
        let size = match self.cell_width(ctx) <= w {
            true => ctx.theme.label,
            false => ctx.theme.inside,
        };
        let kind = Type::new(size, ctx.theme.faint).middle();
        for (j, row) in self.cells.iter().enumerate() {
            for (i, cell) in row.iter().enumerate() {
                let r = Rect::new(plot.rect.x + i as f64 * w, plot.rect.y + j as f64 * h, w, h);
                let Some(value) = cell.value else {
                    scene.rect(r.inset(0.75), Colour::grey(250));
                    scene.outline(r.inset(1.5), 0.7, ctx.theme.grid);
                    scene.block(r.centre(), &["–"], kind);
                    continue;
                };
                let (fill, hatch) = legend::shade(value, range, self.diverging, ctx);
                legend::area(scene, r.inset(0.75), fill, hatch);
                if !ctx.style.value_labels() {
                    continue;
                }
                let text = ctx.value(&self.value.unit, value);
                let kind = Type {
                    ink: fill.ink(),
                    ..kind
                };
                if hatch == Hatch::None {
                    scene.block(r.centre(), &[text], kind);
                } else {
                    scene.plate(r.centre(), &text, kind, fill);
                }
            }
        }
        scene.outline(plot.rect, 1.0, WHITE);
    }
}
