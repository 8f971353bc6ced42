//! The probability of each value, as bars or, when there are many, as dots.

use super::ChartError;
use super::axes::{self, Plot, Side};
use super::body::{Context, Drawing, Extent, Legend};
use super::legend;
use super::palette::WHITE;
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::text;
use super::unit::Axis;

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The low end of the interval; the value itself if exact.
    pub low: f64,
    /// The high end of the interval; the value itself if exact.
    pub high: f64,
}

impl Estimate {
    /// A value known within an interval.
    pub fn within(value: f64, low: f64, high: f64) -> Self {
        Self { value, low, high }
    }
}

impl From<f64> for Estimate {
    fn from(value: f64) -> Self {
        Self {
            value,
            low: value,
            high: value,
        }
    }
}

/// The probabilities of one series, one for each value.
#[derive(Debug, Clone, PartialEq)]
pub struct PmfSeries {
    /// The name, which also chooses the colour.
    pub name: String,
    /// A probability for each value.
    pub chances: Vec<Estimate>,
}

impl PmfSeries {
    /// A series of probabilities known exactly.
    pub fn exact(name: impl Into<String>, chances: &[f64]) -> Self {
        Self {
            name: name.into(),
            chances: chances.iter().map(|c| (*c).into()).collect(),
        }
    }
}

/// The probability of each value.
#[derive(Debug, Clone, PartialEq)]
pub struct Pmf {
    /// What the values are.
    pub x: Axis,
    /// The probability.
    pub y: Axis,
    /// The values, in order.
    pub values: Vec<String>,
    /// One or several series.
    pub series: Vec<PmfSeries>,
}

/// Bars narrower than this become dots.
const LEAST_BAR: f64 = 5.0;

impl Drawing for Pmf {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("values", self.values.len())?;
        ChartError::some("series", self.series.len())?;
        ChartError::distinct(self.series.iter().map(|s| s.name.as_str()))?;
        for s in &self.series {
            ChartError::length(&s.name, s.chances.len(), self.values.len())?;
            let numbers = s.chances.iter().flat_map(|c| [c.value, c.low, c.high]);
            ChartError::finite(&s.name, numbers)?;
        }
        Ok(())
    }

    fn extent(&self) -> Extent {
        let tops = self
            .series
            .iter()
            .flat_map(|s| &s.chances)
            .flat_map(|c| [0.0, c.value, c.high]);
        Extent {
            y: scale::range(tops),
            keys: self.series.iter().map(|s| s.name.clone()).collect(),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        if ctx.panel { 330.0 } else { 904.0 }
    }

    fn least(&self, ctx: &Context) -> f64 {
        ctx.theme.tick * 13.0
    }

    fn height(&self, ctx: &Context) -> f64 {
        match ctx.panel {
            true => (0.7 * ctx.width).clamp(140.0, 230.0),
            false if ctx.narrow() => {
                (0.5 * ctx.width).max(150.0) + axes::extra_under(&self.values, ctx)
            }
            false => (0.62 * ctx.width).clamp(170.0, 440.0),
        }
    }

    fn captions(&self) -> (String, String) {
        (self.x.caption(), self.y.caption())
    }

    fn legend(&self, ctx: &Context) -> Legend {
        let dots = self.series.len() > 3 || self.dotted(ctx.width - 6.0 * ctx.theme.tick);
        match (self.series.len(), dots) {
            (1, _) if !ctx.panel => Legend::None,
            (_, true) => Legend::Lines,
            (_, false) => Legend::Areas,
        }
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let range = ctx.values(ctx.extent.y, &self.y.unit);
        let y = Side::numbers(ctx, &self.y, range, ctx.ticks_up(area.h), false);
        let x = Side::bands(&self.x, &self.values);
        let plot = axes::frame(scene, area, ctx, (&x, &y), 8.0);
        if self.legend(ctx) == Legend::Lines {
            self.dots(scene, &plot, ctx);
        } else {
            self.bars(scene, &plot, ctx);
        }
    }
}

impl Pmf {
    fn dotted(&self, width: f64) -> bool {
        width / (self.values.len() * (self.series.len() + 1)) as f64 - 1.0 < LEAST_BAR
    }

    fn bars(&self, scene: &mut Scene, plot: &Plot, ctx: &Context) {
        let theme = &ctx.theme;
        let slot = plot.rect.w / self.values.len() as f64;
        let n = self.series.len() as f64;
        let group = (slot * 0.78).min(n * 70.0);
        let bar = group / n;
        let size = theme.inside;
        let widest = self.series.iter().flat_map(|s| &s.chances);
        let widest = widest.map(|c| text::width(&ctx.value(&self.y.unit, c.value), size, false));
        let labelled = ctx.style.value_labels() && widest.fold(0.0, f64::max) + 3.0 <= bar;
        for (k, s) in self.series.iter().enumerate() {
            let look = ctx.looks.get(&s.name);
            for (i, c) in s.chances.iter().enumerate() {
                let x = plot.x.at(i as f64) - group / 2.0 + bar * k as f64;
                let (top, base) = (plot.y.at(c.value), plot.y.at(0.0));
                let r = Rect::new(x + bar * 0.04, top, bar * 0.92, base - top);
                legend::area(scene, r, look.fill, look.hatch);
                if r.h > 0.5 {
                    scene.outline(r, 0.6, look.line);
                }
                let mid = x + bar / 2.0;
                whisker(scene, c, plot, mid, (bar * 0.18).min(5.0), ctx);
                if labelled {
                    let above = plot.y.at(c.value.max(c.high)) - size * 0.75;
                    let kind = Type::new(size, theme.soft).middle();
                    scene.block((mid, above), &[ctx.value(&self.y.unit, c.value)], kind);
                }
            }
        }
    }

    fn dots(&self, scene: &mut Scene, plot: &Plot, ctx: &Context) {
        for s in &self.series {
            let look = ctx.looks.get(&s.name);
            let at = |(i, c): (usize, &Estimate)| (plot.x.at(i as f64), plot.y.at(c.value));
            let path: Vec<_> = s.chances.iter().enumerate().map(at).collect();
            for (c, p) in s.chances.iter().zip(&path) {
                whisker(scene, c, plot, p.0, 2.5, ctx);
            }
            scene.dashed(&path, ctx.theme.stroke * 0.6, look.line, look.dash);
            let crowded = self.values.len() > 60;
            for p in path.into_iter().filter(|_| !crowded) {
                scene.marker(p, ctx.theme.marker * 0.9, look.line, look.marker);
            }
        }
    }
}

fn whisker(scene: &mut Scene, c: &Estimate, plot: &Plot, x: f64, cap: f64, ctx: &Context) {
    if c.low == c.value && c.high == c.value {
        return;
    }
    let (low, high) = (plot.y.at(c.low), plot.y.at(c.high));
    // A white edge keeps the whisker visible on a dark bar; at the foot it would cut the axis.
    let edge = if plot.rect.bottom() - low > 2.0 {
        3.0
    } else {
        0.0
    };
    for (width, ink) in [(edge, WHITE), (1.1, ctx.theme.ink)] {
        if width == 0.0 {
            continue;
        }
        let grow = if ink == WHITE { 1.0 } else { 0.0 };
        for y in [low, high] {
            scene.line((x - cap - grow, y), (x + cap + grow, y), width, ink);
        }
        scene.line((x, low), (x, high), width, ink);
    }
}
