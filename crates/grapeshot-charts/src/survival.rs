//! Step curves of the chance of at least so many.

use super::ChartError;
use super::axes::{self, Side};
use super::body::{Context, Drawing, Extent, Legend};
use super::labels;
use super::line::{
    Series, check_series, curve_height, curve_least, curve_width, extent_of, x_side,
};
use super::palette::WHITE;
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::strands::{Strands, needs_names};
use super::text::{self, LEADING};
use super::unit::Axis;

/// The probability of at least each value, several series as step curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Survival {
    /// What is counted.
    pub x: Axis,
    /// The probability.
    pub y: Axis,
    /// For each value the probability of reaching it, from left to right.
    pub series: Vec<Series>,
    /// Whether it is the probability of at most each value.
    pub at_most: bool,
}

impl Survival {
    /// Step curves.
    pub fn new(x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self {
            x,
            y,
            series,
            at_most: false,
        }
    }

    /// The same of at most each value: the chance holds from n up to n + 1.
    #[must_use]
    pub fn at_most(mut self) -> Self {
        self.at_most = true;
        self
    }
}

/// The steps through points: the chance of at least n holds from n - 1 up to n, that of at most n from n on.
fn steps(points: &[(f64, f64)], at_most: bool) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::with_capacity(points.len() * 2);
    for &(x, y) in points {
        if let Some(&before) = out.last() {
            out.push(match at_most {
                true => (x, before.1),
                false => (before.0, y),
            });
        }
        out.push((x, y));
    }
    out
}

impl Drawing for Survival {
    fn check(&self) -> Result<(), ChartError> {
        check_series(&self.series)
    }

    fn extent(&self) -> Extent {
        let mut extent = extent_of(&self.series);
        extent.y = scale::join(extent.y, Some((0.0, 0.0)));
        extent
    }

    fn width(&self, ctx: &Context) -> f64 {
        curve_width(ctx)
    }

    fn least(&self, ctx: &Context) -> f64 {
        curve_least(ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        curve_height(ctx)
    }

    fn captions(&self) -> (String, String) {
        (self.x.caption(), self.y.caption())
    }

    /// Curves are named beside them; in panels and columns there is no room for it.
    fn legend(&self, ctx: &Context) -> Legend {
        match (ctx.panel || ctx.narrow()) && needs_names(&self.series) {
            true => Legend::Lines,
            false => Legend::None,
        }
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let theme = &ctx.theme;
        let range = ctx.values(ctx.extent.y, &self.y.unit);
        let y = Side::numbers(ctx, &self.y, range, ctx.ticks_up(area.h), false);
        let whole = self
            .series
            .iter()
            .flat_map(|s| &s.points)
            .all(|p| p.x.fract() == 0.0);
        let x = x_side(&self.x, ctx, area.w, whole);
        let plot = axes::frame(scene, area, ctx, (&x, &y), 12.0);
        let at = |s: &Series| -> Vec<(f64, f64)> {
            s.points
                .iter()
                .map(|p| (plot.x.at(p.x), plot.y.at(p.y)))
                .collect()
        };
        let curves: Vec<_> = self.series.iter().map(at).collect();
        let strands = Strands::new(&curves, theme.stroke);
        let moved = |(curve, down): (&Vec<(f64, f64)>, &Vec<f64>)| {
            let points = curve.iter().zip(down);
            let points: Vec<_> = points.map(|(p, down)| (p.0, p.1 + down)).collect();
            steps(&points, self.at_most)
        };
        let paths: Vec<_> = curves.iter().zip(&strands.down).map(moved).collect();
        for (s, path) in self.series.iter().zip(&paths) {
            let look = ctx.looks.get(&s.name);
            for p in s.points.iter().filter(|p| p.low != p.y || p.high != p.y) {
                let x = plot.x.at(p.x);
                scene.line(
                    (x, plot.y.at(p.low)),
                    (x, plot.y.at(p.high)),
                    1.2,
                    look.line.mix(WHITE, 0.4),
                );
            }
            scene.series(&s.name);
            scene.dashed(path, theme.stroke, look.line, look.dash);
        }
        for (own, s) in self.series.iter().enumerate() {
            let look = ctx.looks.get(&s.name);
            let marked = curves[own].iter().enumerate();
            for (i, &at) in marked.filter(|_| s.points.len() <= 40) {
                let r = theme.marker * 0.85;
                let (turn, count) = strands.turn[own][i];
                // A curve of one value is its mark alone, beside those it would be hidden by.
                let across = match s.points.len() {
                    1 => (turn as f64 - (count - 1) as f64 / 2.0) * 1.8 * r,
                    _ if strands.marks(own, i) => 0.0,
                    _ => continue,
                };
                scene.series(&s.name);
                scene.marker((at.0 + across, at.1), r, look.line, look.marker);
            }
        }
        for s in &self.series {
            for p in &s.points {
                let said = ctx.tip(&s.name, &self.x, p.x, &self.y, p.y);
                scene.tip(&s.name, (plot.x.at(p.x), plot.y.at(p.y)), said);
            }
        }
        scene.nothing();
        if !ctx.panel && !ctx.narrow() {
            self.names(scene, &paths, plot.rect, ctx);
        }
    }
}

impl Survival {
    /// Names beside the curves, or as a list in the free corner if they are too close.
    fn names(&self, scene: &mut Scene, paths: &[Vec<(f64, f64)>], inside: Rect, ctx: &Context) {
        let size = ctx.theme.label;
        let wrap = |s: &Series| text::wrap_at_most(&s.name, size, 110.0, 3);
        let lines: Vec<_> = self.series.iter().map(wrap).collect();
        let sizes: Vec<_> = lines
            .iter()
            .map(|l| (text::widest(l, size), l.len() as f64 * size * LEADING))
            .collect();
        let placed = match self.at_most {
            true => None,
            false => labels::beside_falling(paths, &sizes, inside),
        };
        let Some(placed) = placed else {
            return self.list(scene, paths, inside, ctx);
        };
        for ((s, lines), p) in self.series.iter().zip(&lines).zip(placed) {
            let look = ctx.looks.get(&s.name);
            let y = p.rect.centre().1;
            let near = p.on.0.clamp(p.rect.x - 3.0, p.rect.right() + 3.0);
            if (near - p.on.0).hypot(y - p.on.1) > 22.0 {
                scene.line(p.on, (near, y), 0.8, look.line.mix(WHITE, 0.35));
            }
            scene.rect(p.rect.inset(-1.0), WHITE);
            let kind = Type::new(size, look.ink);
            if p.on.0 > p.rect.right() {
                scene.block((p.rect.right(), y), lines, kind.end());
            } else {
                scene.block((p.rect.x, y), lines, kind);
            }
        }
    }

    /// Names with samples of their curves, in their natural order.
    fn list(&self, scene: &mut Scene, paths: &[Vec<(f64, f64)>], inside: Rect, ctx: &Context) {
        const SAMPLE: f64 = 38.0;
        let theme = &ctx.theme;
        let series = &self.series;
        let names: Vec<_> = series
            .iter()
            .map(|s| text::elide(&s.name, theme.label, inside.w * 0.35))
            .collect();
        let row = theme.label * 1.55;
        let w = text::widest(&names, theme.label) + SAMPLE + 22.0;
        let h = row * names.len() as f64 + 10.0;
        let corner = labels::free_corner(paths, (w, h), inside);
        scene.rect(corner.inset(1.0), WHITE);
        for (i, (s, name)) in series.iter().zip(names).enumerate() {
            let look = ctx.looks.get(&s.name);
            let (x, y) = (corner.x + 8.0, corner.y + 5.0 + row * (i as f64 + 0.5));
            scene.dashed(
                &[(x, y), (x + SAMPLE, y)],
                theme.stroke,
                look.line,
                look.dash,
            );
            scene.marker(
                (x + SAMPLE / 2.0, y),
                theme.marker * 0.85,
                look.line,
                look.marker,
            );
            scene.block(
                (x + SAMPLE + 8.0, y),
                &[name],
                Type::new(theme.label, look.ink),
            );
        }
    }
}
