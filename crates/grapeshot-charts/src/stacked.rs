//! Shares of a whole as full-length bars.

use super::ChartError;
use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent, Legend};
use super::legend;
use super::looks::Hatch;
use super::palette::WHITE;
use super::scene::{Rect, Scene, Type};
use super::text;
use super::unit::{Axis, Unit};

/// One full-length bar per label, cut into the shares of its outcomes.
#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    /// What the bars are.
    pub bars_axis: Axis,
    /// What the shares are.
    pub share_axis: Axis,
    /// The label of each bar.
    pub bars: Vec<String>,
    /// The outcomes in the order they are stacked.
    pub segments: Vec<String>,
    /// For each bar the share of each outcome; scaled to 100 %.
    pub shares: Vec<Vec<f64>>,
    /// Bars stand upright instead of lying.
    pub vertical: bool,
}

impl Drawing for Stacked {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("bars", self.bars.len())?;
        ChartError::shares(&self.bars, &self.segments, &self.shares)
    }

    fn extent(&self) -> Extent {
        Extent {
            keys: self.segments.clone(),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        let n = self.bars.len() as f64;
        match (ctx.panel, self.vertical) {
            (false, true) => (n * 44.0 + 90.0).max(904.0),
            (true, true) => (n * 26.0 + 60.0).max(330.0),
            (false, false) => 904.0,
            (true, false) => 360.0,
        }
    }

    fn least(&self, ctx: &Context) -> f64 {
        match self.vertical {
            true => self.bars.len() as f64 * ctx.theme.tick * 1.4 + ctx.theme.tick * 6.0,
            false => axes::least_of_rows(&self.bars, ctx),
        }
    }

    fn height(&self, ctx: &Context) -> f64 {
        let n = self.bars.len() as f64;
        match (ctx.panel, self.vertical) {
            (false, true) => (0.62 * ctx.width).clamp(190.0, 430.0),
            (true, true) => 240.0,
            (false, false) if !ctx.narrow() => n * axes::row_height(&self.bars, 38.0, ctx) + 66.0,
            (_, false) => n * axes::row_height(&self.bars, 24.0, ctx) + 48.0,
        }
    }

    fn captions(&self) -> (String, String) {
        let (bars, share) = (self.bars_axis.caption(), self.share_axis.caption());
        if self.vertical {
            (bars, share)
        } else {
            (share, bars)
        }
    }

    fn legend(&self, _: &Context) -> Legend {
        Legend::Areas
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let count = match self.vertical {
            true => ctx.ticks_up(area.h),
            false => ctx.ticks_across(area.w * 0.8).min(10),
        };
        let share = Side::numbers(ctx, &self.share_axis, (0.0, 1.0), count, false);
        let bars = Side::bands(&self.bars_axis, &self.bars);
        let sides = if self.vertical {
            (&bars, &share)
        } else {
            (&share, &bars)
        };
        let plot = axes::frame(
            scene,
            area,
            ctx,
            sides,
            if self.vertical { 8.0 } else { 14.0 },
        );
        let long = if self.vertical {
            plot.rect.w
        } else {
            plot.rect.h
        };
        let slot = long / self.bars.len() as f64;
        let thick = (slot * 0.74).min(if self.vertical { 90.0 } else { 44.0 });
        // A name is written once, in the first bar with room for it; panels have the legend.
        let mut named = vec![ctx.panel; self.segments.len()];
        for (i, shares) in self.shares.iter().enumerate() {
            let total: f64 = shares.iter().sum();
            let mut done = 0.0;
            for (k, (name, part)) in self.segments.iter().zip(shares).enumerate() {
                let (a, b) = (done / total, (done + part) / total);
                done += part;
                let r = if self.vertical {
                    let x = plot.x.at(i as f64) - thick / 2.0;
                    Rect::new(x, plot.y.at(b), thick, plot.y.at(a) - plot.y.at(b))
                } else {
                    let y = plot.y.at(i as f64) - thick / 2.0;
                    Rect::new(plot.x.at(a), y, plot.x.at(b) - plot.x.at(a), thick)
                };
                named[k] |= segment(scene, r, (name, b - a), !named[k], ctx);
            }
        }
    }
}

/// Draws a segment with its share, and its name if wanted and there is room; says whether
/// the name was written.
fn segment(
    scene: &mut Scene,
    r: Rect,
    (name, share): (&str, f64),
    wanted: bool,
    ctx: &Context,
) -> bool {
    if r.w < 0.05 || r.h < 0.05 {
        return false;
    }
    let look = ctx.looks.get(name);
    legend::area(scene, r, look.fill, look.hatch);
    if r.w > 2.0 && r.h > 2.0 {
        scene.outline(r, 0.9, WHITE);
    }
    let size = ctx.theme.inside;
    let value = ctx.value(&Unit::Percent, share);
    let both = format!("{name} {value}");
    let fits = |t: &str| text::width(t, size, false) + 5.0 <= r.w && size * 1.3 <= r.h;
    let written = wanted && fits(&both);
    let label = if written { both } else { value };
    if !fits(&label) || !ctx.style.value_labels() {
        return false;
    }
    let kind = Type::new(size, look.fill.ink()).middle();
    if look.hatch == Hatch::None {
        scene.block(r.centre(), &[label], kind);
    } else {
        scene.plate(r.centre(), &label, kind, look.fill);
    }
    written
}
