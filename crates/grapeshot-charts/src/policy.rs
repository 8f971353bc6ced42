//! What to do, for each pair of labels: coloured by the action, the paler the less it matters.

use super::ChartError;
use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent, Legend};
use super::legend;
use super::palette::WHITE;
use super::scene::{Rect, Scene};
use super::style::Words;
use super::text::{self, LEADING};
use super::unit::Axis;
use crate::tell;

/// What to do in one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The action.
    pub action: String,
    /// How much it matters, from 0 to 1.
    pub weight: f64,
}

/// Actions by row and column; places that cannot come up are empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// What the columns are.
    pub x: Axis,
    /// What the rows are.
    pub y: Axis,
    /// The label of each column.
    pub columns: Vec<String>,
    /// The label of each row, from the top.
    pub rows: Vec<String>,
    /// Every action there is, in order.
    pub actions: Vec<String>,
    /// The places, row by row.
    pub cells: Vec<Vec<Option<Advice>>>,
}

/// The side of a cell.
const CELL: f64 = 22.0;

/// The palest an action is shown.
const PALEST: f64 = 0.75;

impl Drawing for Policy {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("columns", self.columns.len())?;
        ChartError::some("rows", self.rows.len())?;
        ChartError::length("rows of places", self.cells.len(), self.rows.len())?;
        for (name, row) in self.rows.iter().zip(&self.cells) {
            ChartError::length(name, row.len(), self.columns.len())?;
        }
        ChartError::finite(
            "a weight",
            self.cells.iter().flatten().flatten().map(|a| a.weight),
        )
    }

    fn extent(&self) -> Extent {
        Extent {
            keys: self.actions.clone(),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        let labels = text::widest(&self.rows, ctx.theme.tick).min(220.0);
        let side = if ctx.panel { CELL } else { 1.6 * CELL };
        self.columns.len() as f64 * side + labels + 50.0
    }

    fn least(&self, ctx: &Context) -> f64 {
        let label = ctx.theme.tick * LEADING;
        self.columns.len() as f64 * label + axes::beside_rows(&self.rows, ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let size = ctx.theme.tick;
        let beside = axes::beside_rows(&self.rows, ctx);
        let slot = (ctx.width - beside) / self.columns.len() as f64;
        let most = if ctx.panel { CELL } else { 1.6 * CELL };
        let side = slot.clamp(size * LEADING, most);
        let name = axes::name_height(&self.x, ctx.width - beside, ctx);
        let under = axes::under(&self.columns, slot, size);
        self.rows.len() as f64 * side + under + name + 8.0 + size * 0.6
    }

    fn captions(&self) -> (String, String) {
        (self.x.caption(), self.y.caption())
    }

    fn legend(&self, _: &Context) -> Legend {
        Legend::Areas
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        vec![tell!(
            words,
            "The paler, the less it matters; a dash does not come up."
        )]
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let x = Side::bands(&self.x, &self.columns);
        let y = Side::bands(&self.y, &self.rows);
        let plot = axes::frame(scene, area, ctx, (&x, &y), 0.0);
        let w = plot.rect.w / self.columns.len() as f64;
        let h = plot.rect.h / self.rows.len() as f64;
        for (j, row) in self.cells.iter().enumerate() {
            for (i, place) in row.iter().enumerate() {
                let r = Rect::new(plot.rect.x + i as f64 * w, plot.rect.y + j as f64 * h, w, h);
                let Some(advice) = place else {
                    let (x, y) = r.centre();
                    scene.line((x - 2.5, y), (x + 2.5, y), 1.0, ctx.theme.axis);
                    continue;
                };
                let look = ctx.looks.get(&advice.action);
                let pale = PALEST * (1.0 - advice.weight.clamp(0.0, 1.0));
                let fill = look.fill.mix(WHITE, pale);
                legend::area(scene, r.inset(0.75), fill, look.hatch);
                scene.outline(r.inset(0.75), 0.5, fill.mix(ctx.theme.ink, 0.3));
            }
        }
        scene.outline(plot.rect, 1.0, ctx.theme.grid);
    }
}
