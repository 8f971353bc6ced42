//! How far each factor moves a value from its baseline.

use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent};
use super::legend;
use super::looks::Hatch;
use super::palette::{Colour, WHITE};
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::text;
use super::unit::{Axis, Unit};
use super::{ChartError, Medium};

/// One factor and the values at its two extremes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TornadoRow {
    /// The factor.
    pub label: String,
    /// The lowest value it leads to.
    pub low: f64,
    /// The highest value it leads to.
    pub high: f64,
    /// The setting that gives the lowest value.
    pub low_label: String,
    /// The setting that gives the highest value.
    pub high_label: String,
}

/// Factors as bars about a common baseline, in the order given.
#[derive(Debug, Clone, PartialEq)]
pub struct Tornado {
    /// What the factors are.
    pub factors: Axis,
    /// What is measured.
    pub value: Axis,
    /// The value with every factor at its usual setting.
    pub baseline: f64,
    /// The rows from the top, usually the longest first.
    pub rows: Vec<TornadoRow>,
}

impl Tornado {
    /// Whether factors are named above their bars: where beside them the bars would have no room.
    fn above(&self, ctx: &Context) -> bool {
        let (left, right) = self.margins(ctx, ctx.theme.inside);
        let labels: Vec<_> = self.rows.iter().map(|r| r.label.clone()).collect();
        let names = text::widest(&labels, ctx.theme.tick).min(axes::label_room(ctx.width));
        ctx.width - names - 50.0 - left - right < 0.25 * ctx.width
    }

    /// What stands at an end of a bar; nothing where it ends at the baseline and has no name, which stands above it.
    fn end(&self, ctx: &Context, value: f64, label: &str) -> String {
        if label.is_empty() && value == self.baseline {
            return String::new();
        }
        format!("{label} {}", ctx.value(&self.value.unit, value))
            .trim()
            .to_owned()
    }

    /// The widest text at the low and at the high ends.
    fn margins(&self, ctx: &Context, size: f64) -> (f64, f64) {
        let widest = |texts: Vec<String>| text::widest(&texts, size) + 12.0;
        (
            widest(
                self.rows
                    .iter()
                    .map(|r| self.end(ctx, r.low, &r.low_label))
                    .collect(),
            ),
            widest(
                self.rows
                    .iter()
                    .map(|r| self.end(ctx, r.high, &r.high_label))
                    .collect(),
            ),
        )
    }
}

impl Drawing for Tornado {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("rows", self.rows.len())?;
        ChartError::finite("the baseline", [self.baseline])?;
        for row in &self.rows {
            ChartError::finite(&row.label, [row.low, row.high])?;
            if row.low > row.high {
                return Err(ChartError::Number(format!("{}: low above high", row.label)));
            }
        }
        Ok(())
    }

    fn extent(&self) -> Extent {
        let numbers = self
            .rows
            .iter()
            .flat_map(|r| [r.low, r.high])
            .chain([self.baseline]);
        Extent {
            x: scale::range(numbers),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        if ctx.panel { 440.0 } else { 904.0 }
    }

    fn least(&self, ctx: &Context) -> f64 {
        let (left, right) = self.margins(ctx, ctx.theme.inside);
        left + right + ctx.theme.inside * 3.0 + ctx.theme.caption * text::LEADING + 28.0
    }

    fn height(&self, ctx: &Context) -> f64 {
        let n = self.rows.len() as f64;
        if self.above(ctx) {
            n * 38.0 + 76.0
        } else if ctx.panel || ctx.narrow() {
            n * 26.0 + 64.0
        } else {
            (n * 38.0 + 92.0).max(190.0)
        }
    }

    fn shortest(&self, ctx: &Context) -> f64 {
        match self.above(ctx) {
            true => 0.9 * self.height(ctx),
            false => 0.7 * self.height(ctx),
        }
    }

    fn captions(&self) -> (String, String) {
        (self.value.caption(), self.factors.caption())
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let theme = &ctx.theme;
        let size = theme.inside;
        let above = self.above(ctx);
        // Room inside the frame for the texts at the ends of the longest bars.
        let (lo, hi) = ctx.extent.x.unwrap_or((0.0, 1.0));
        let (left, right) = self.margins(ctx, size);
        let labels: Vec<_> = self.rows.iter().map(|r| r.label.clone()).collect();
        let names = match above {
            // The name of the axis stands upright beside the frame all the same.
            true => theme.caption * text::LEADING + 28.0,
            false => text::widest(&labels, theme.tick).min(axes::label_room(area.w)) + 50.0,
        };
        let inside = (area.w - names - left - right).max(area.w * 0.2);
        let per_pixel = if hi > lo {
            (hi - lo) / inside
        } else {
            1.0 / inside
        };
        let mut range = (lo - left * per_pixel, hi + right * per_pixel);
        if self.value.unit == Unit::Percent {
            // The frame may reach beyond 0 and 100 %, the ticks may not.
            range = (
                range.0.max(-left * per_pixel),
                range.1.min(1.0 + right * per_pixel),
            );
        }
        let x = Side::numbers(
            ctx,
            &self.value,
            range,
            if ctx.panel { 5 } else { 8 },
            false,
        );
        let x = if self.value.unit == Unit::Percent {
            x.only(0.0, 1.0)
        } else {
            x
        };
        let shown = match above {
            true => vec![String::new(); labels.len()],
            false => labels.clone(),
        };
        let y = Side::bands(&self.factors, &shown);
        let head = theme.label * 1.6;
        let below = Rect {
            y: area.y + head,
            h: area.h - head,
            ..area
        };
        let plot = axes::frame(scene, below, ctx, (&x, &y), 14.0);
        let base = plot.x.at(self.baseline);
        let (down, up) = match ctx.medium {
            Medium::Screen => (
                (ctx.inks.other(), Hatch::None),
                (ctx.inks.main(), Hatch::None),
            ),
            Medium::Print => (
                (Colour::grey(215), Hatch::Rising),
                (Colour::grey(105), Hatch::None),
            ),
        };
        let part = if above { 0.17 } else { 0.32 };
        let half = (plot.rect.h / self.rows.len() as f64 * part).min(15.0);
        for (i, row) in self.rows.iter().enumerate() {
            let mut y = plot.y.at(i as f64);
            if above {
                let name = text::elide(&row.label, theme.tick, plot.rect.w);
                let kind = Type::new(theme.tick, theme.soft);
                let (w, h) = (text::width(&name, theme.tick, false), theme.tick * 1.1);
                scene.rect(
                    Rect::new(plot.rect.x + 3.0, y - size * 0.75 - h / 2.0, w + 2.0, h),
                    WHITE,
                );
                scene.block((plot.rect.x + 4.0, y - size * 0.75), &[name], kind);
                y += size * 0.75;
            }
            let (a, b) = (plot.x.at(row.low), plot.x.at(row.high));
            for ((from, to), (fill, hatch)) in [((a, base.min(b)), down), ((base.max(a), b), up)] {
                if to - from > 0.3 {
                    let r = Rect::new(from, y - half, to - from, 2.0 * half);
                    legend::area(scene, r, fill, hatch);
                    scene.outline(r, 0.7, theme.axis);
                }
            }
            let kind = Type::new(size, theme.ink);
            let low = self.end(ctx, row.low, &row.low_label);
            let high = self.end(ctx, row.high, &row.high_label);
            // White plates keep the grid from running through the words.
            let plate = |x: f64, w: f64| Rect::new(x, y - size * 0.7, w, size * 1.4);
            let (low_w, high_w) = (
                text::width(&low, size, false),
                text::width(&high, size, false),
            );
            if !low.is_empty() {
                scene.rect(plate(a - 8.0 - low_w, low_w + 6.0), WHITE);
                scene.block((a - 6.0, y), &[low], kind.end());
            }
            if !high.is_empty() {
                scene.rect(plate(b + 2.0, high_w + 6.0), WHITE);
                scene.block((b + 6.0, y), &[high], kind);
            }
        }
        scene.line(
            (base, plot.rect.y - 4.0),
            (base, plot.rect.bottom()),
            1.6,
            theme.ink,
        );
        let note = format!(
            "{} {}",
            ctx.style.words.say("baseline"),
            ctx.value(&self.value.unit, self.baseline)
        );
        let room = text::width(&note, theme.label, false) / 2.0;
        let at = base.clamp(area.x + room, area.right() - room);
        let kind = Type::new(theme.label, theme.ink).middle();
        scene.block((at, plot.rect.y - 13.0), &[note], kind);
    }
}
