//! Names and colours explained beside a chart.

use super::Medium;
use super::body::{Bar, Context, Legend};
use super::looks::{Hatch, hatch_ink};
use super::palette::{self, Colour};
use super::scale::{self, Linear};
use super::scene::{Rect, Scene, Type};
use super::text::{self, LEADING};
use super::unit::Unit;

const SWATCH: f64 = 16.0;
const LINE: f64 = 30.0;
const GAP: f64 = 22.0;

/// Where each name goes, in how many lines, and the height of all.
fn places(ctx: &Context, kind: Legend, width: f64) -> (Vec<(f64, f64, Vec<String>)>, f64) {
    let sample = if kind == Legend::Areas { SWATCH } else { LINE };
    let size = ctx.theme.label;
    let row = |lines: usize| size * (0.47 + LEADING * lines as f64);
    let (mut y, mut tallest, mut places) = (0.0, 1, Vec::new());
    let mut x = match title(ctx) {
        Some(title) => text::width(&title, size, true) + GAP * ctx.theme.gap.max(0.6),
        None => 0.0,
    };
    for (name, _) in ctx.looks.iter() {
        let lines = text::wrap(name, size, false, width - sample - 7.0);
        let w = sample + 7.0 + text::widest(&lines, size);
        if x > 0.0 && x + w > width {
            (x, y, tallest) = (0.0, y + row(tallest), 1);
        }
        tallest = tallest.max(lines.len());
        places.push((x, y, lines));
        x += w + GAP * ctx.theme.gap.max(0.6);
    }
    let below = 12.0 * ctx.theme.gap.max(0.5);
    let height = if kind == Legend::None {
        0.0
    } else {
        y + row(tallest) + below
    };
    (places, height)
}

/// What stands before the names.
fn title(ctx: &Context) -> Option<String> {
    let title = ctx.dress.legend.as_ref()?;
    Some(format!("{title}:"))
}

/// The height of the legend at a width.
pub(super) fn height(ctx: &Context, kind: Legend, width: f64) -> f64 {
    places(ctx, kind, width).1
}

/// Draws the legend downward from a corner.
pub(super) fn draw(scene: &mut Scene, ctx: &Context, kind: Legend, at: (f64, f64), width: f64) {
    if kind == Legend::None {
        return;
    }
    let theme = &ctx.theme;
    let (places, _) = places(ctx, kind, width);
    if let Some(title) = title(ctx) {
        let kind = Type::new(theme.label, theme.ink).bold();
        scene.block((at.0, at.1 + theme.label * 0.9), &[title], kind);
    }
    for ((_, look), (dx, dy, lines)) in ctx.looks.iter().zip(places) {
        let (x, y) = (at.0 + dx, at.1 + dy + theme.label * 0.9);
        let sample = if kind == Legend::Areas {
            let r = Rect::new(x, y - SWATCH / 2.0, SWATCH, SWATCH);
            area(scene, r, look.fill, look.hatch);
            scene.outline(r, 0.7, theme.axis);
            SWATCH
        } else {
            scene.dashed(&[(x, y), (x + LINE, y)], theme.stroke, look.line, look.dash);
            scene.marker((x + LINE / 2.0, y), theme.marker, look.line, look.marker);
            LINE
        };
        let down = (lines.len() - 1) as f64 * theme.label * LEADING / 2.0;
        let kind = Type::new(theme.label, theme.ink);
        scene.block((x + sample + 7.0, y + down), &lines, kind);
    }
}

/// A filled and hatched area.
pub(super) fn area(scene: &mut Scene, r: Rect, fill: Colour, hatch: Hatch) {
    scene.rect(r, fill);
    scene.hatch(r, hatch, hatch_ink(fill));
}

/// The ends of a scale of colours for values: symmetric around nought if diverging, else from nought
/// where the values come near it, and to the certain where they come near that; rounded outwards.
pub(super) fn colour_range(ctx: &Context, diverging: bool, unit: &Unit) -> (f64, f64) {
    let asked = ctx.dress.range;
    let (lo, hi) = asked.or(ctx.extent.value).unwrap_or((0.0, 1.0));
    if diverging {
        let most = lo.abs().max(hi.abs());
        let most = if most > 0.0 { most } else { 1.0 };
        return (-most, most);
    }
    if asked.is_some() {
        return (lo, hi);
    }
    match unit {
        Unit::Percent if hi > 0.5 => (0.0, 1.0),
        Unit::Percent => (0.0, scale::widen((0.0, hi), 5).1),
        _ if lo >= 0.0 && lo < 0.6 * hi => (0.0, scale::widen((0.0, hi), 5).1),
        _ if hi > lo => scale::widen((lo, hi), 5),
        _ => (lo - 0.5, lo + 0.5),
    }
}

/// The fill and hatch of a value on a scale of colours.
pub(super) fn shade(
    value: f64,
    (lo, hi): (f64, f64),
    diverging: bool,
    ctx: &Context,
) -> (Colour, Hatch) {
    let t = (value - lo) / (hi - lo);
    match (diverging, ctx.medium) {
        (false, Medium::Screen) => (ctx.inks.sequential(t), Hatch::None),
        (false, Medium::Print) => (palette::print_ramp(t), Hatch::None),
        (true, Medium::Screen) => (ctx.inks.diverging(2.0 * t - 1.0), Hatch::None),
        (true, Medium::Print) => {
            // Paper has one ramp: both signs darken and losses are hatched.
            let away = 2.0 * t - 1.0;
            let hatch = if away < 0.0 {
                Hatch::Rising
            } else {
                Hatch::None
            };
            (palette::print_ramp(away.abs() * 0.85), hatch)
        }
    }
}

/// The scale of colours beside a body: its name, ticks and the room they need.
pub(super) struct ColourBar<'a> {
    bar: &'a Bar,
    range: (f64, f64),
    height: f64,
    name: Vec<String>,
    ticks: Vec<(f64, String)>,
    /// From the body to the right edge.
    pub(super) width: f64,
}

const STRIP: f64 = 16.0;
const BESIDE: f64 = 22.0;

impl<'a> ColourBar<'a> {
    /// Lays the scale out beside a body of some height.
    pub(super) fn new(bar: &'a Bar, ctx: &Context, body_height: f64) -> Self {
        let theme = &ctx.theme;
        let height = bar
            .height
            .unwrap_or((body_height - 60.0).clamp(90.0, 320.0));
        let name = text::wrap(&bar.axis.caption(), theme.tick, false, height.max(130.0));
        let range = colour_range(ctx, bar.diverging, &bar.axis.unit);
        let step = scale::step(range, ((height / 32.0) as usize).clamp(3, 8), false);
        let tick = |v: f64| (v, ctx.tick(&bar.axis.unit, v, step));
        let ticks: Vec<_> = scale::ticks(range, step).into_iter().map(tick).collect();
        let texts: Vec<_> = ticks.iter().map(|(_, t)| t.as_str()).collect();
        let lines = name.len() as f64 * theme.tick * LEADING;
        let width = BESIDE + STRIP + 7.0 + text::widest(&texts, theme.inside) + 8.0 + lines;
        Self {
            bar,
            range,
            height,
            name,
            ticks,
            width,
        }
    }

    /// Draws it downward from a corner.
    pub(super) fn draw(&self, scene: &mut Scene, ctx: &Context, (x, top): (f64, f64)) {
        const STEPS: usize = 60;
        let (theme, range) = (&ctx.theme, self.range);
        let strip = Rect::new(x + BESIDE, top, STRIP, self.height);
        let y = Linear {
            values: range,
            pixels: (strip.bottom(), strip.y),
        };
        let mut hatched: Option<Rect> = None;
        for i in 0..STEPS {
            let top = strip.y + strip.h * i as f64 / STEPS as f64;
            let v = range.1 - (range.1 - range.0) * (i as f64 + 0.5) / STEPS as f64;
            let (fill, hatch) = shade(v, range, self.bar.diverging, ctx);
            let h = (strip.h / STEPS as f64 + 0.5).min(strip.bottom() - top);
            scene.rect(Rect::new(strip.x, top, strip.w, h), fill);
            if hatch != Hatch::None {
                let from = hatched.map_or(top, |r| r.y);
                hatched = Some(Rect::new(strip.x, from, strip.w, top + h - from));
            }
        }
        if let Some(r) = hatched {
            scene.hatch(r, Hatch::Rising, Colour::grey(90));
        }
        scene.outline(strip, 0.7, theme.axis);
        let kind = Type::new(theme.inside, theme.soft);
        for (v, text) in &self.ticks {
            let at = y.at(*v);
            scene.line(
                (strip.right(), at),
                (strip.right() + 4.0, at),
                1.0,
                theme.axis,
            );
            scene.block((strip.right() + 7.0, at), &[text], kind);
        }
        let lines = self.name.len() as f64 * theme.tick * LEADING;
        let kind = Type::new(theme.tick, theme.ink).middle().turned();
        scene.block(
            (x + self.width - lines / 2.0, strip.centre().1),
            &self.name,
            kind,
        );
    }
}
