//! Names and colours explained beside a chart.

use super::body::{Bar, Context, Legend};
use super::palette::{self, Colour};
use super::scale::{self, Linear};
use super::scene::{Rect, Scene, Type};
use super::style::{Hatch, Style, hatch_ink};
use super::text::{self, LEADING};

const SWATCH: f64 = 16.0;
const LINE: f64 = 30.0;
const GAP: f64 = 22.0;
/// Width of the scale of colours with its ticks and name.
pub(super) const BAR_WIDTH: f64 = 92.0;

/// Where each name goes, and the height of all.
fn places(ctx: &Context, kind: Legend, width: f64) -> (Vec<(f64, f64)>, f64) {
    let sample = if kind == Legend::Areas { SWATCH } else { LINE };
    let size = ctx.theme.label;
    let row = size * 1.75;
    let (mut x, mut y, mut places) = (0.0, 0.0, Vec::new());
    for (name, _) in ctx.looks.iter() {
        let w = sample + 7.0 + text::width(name, size, false);
        if x > 0.0 && x + w > width {
            (x, y) = (0.0, y + row);
        }
        places.push((x, y));
        x += w + GAP;
    }
    (
        places,
        if kind == Legend::None {
            0.0
        } else {
            y + row + 8.0
        },
    )
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
    for ((name, look), (dx, dy)) in ctx.looks.iter().zip(places) {
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
        scene.block(
            (x + sample + 7.0, y),
            &[name],
            Type::new(theme.label, theme.ink),
        );
    }
}

/// A filled and hatched area.
pub(super) fn area(scene: &mut Scene, r: Rect, fill: Colour, hatch: Hatch) {
    scene.rect(r, fill);
    scene.hatch(r, hatch, hatch_ink(fill));
}

/// The ends of a scale of colours for values: symmetric around nought if diverging.
pub(super) fn colour_range(ctx: &Context, diverging: bool) -> (f64, f64) {
    let (lo, hi) = ctx.extent.value.unwrap_or((0.0, 1.0));
    if diverging {
        let most = lo.abs().max(hi.abs());
        let most = if most > 0.0 { most } else { 1.0 };
        return (-most, most);
    }
    if hi > lo {
        (lo, hi)
    } else {
        (lo - 0.5, lo + 0.5)
    }
}

/// The fill and hatch of a value on a scale of colours.
pub(super) fn shade(
    value: f64,
    (lo, hi): (f64, f64),
    diverging: bool,
    style: Style,
) -> (Colour, Hatch) {
    let t = (value - lo) / (hi - lo);
    match (diverging, style) {
        (false, Style::Screen) => (palette::sequential(t), Hatch::None),
        (false, Style::Print) => (palette::print_ramp(t), Hatch::None),
        (true, Style::Screen) => (palette::diverging(2.0 * t - 1.0), Hatch::None),
        (true, Style::Print) => {
            // Paper has one ramp: both signs darken and losses are hatched.
            let away = 2.0 * t - 1.0;
            let hatch = if away < -0.02 {
                Hatch::Rising
            } else {
                Hatch::None
            };
            (palette::print_ramp(away.abs() * 0.85), hatch)
        }
    }
}

/// Draws the scale of colours upright, with ticks and its name.
pub(super) fn colour_bar(scene: &mut Scene, ctx: &Context, bar: &Bar, area: Rect) {
    const STEPS: usize = 60;
    let theme = &ctx.theme;
    let range = colour_range(ctx, bar.diverging);
    let name = text::wrap(&bar.axis.caption(), theme.tick, false, area.h);
    let strip = Rect::new(area.x + 20.0, area.y, 16.0, area.h);
    let y = Linear {
        values: range,
        pixels: (strip.bottom(), strip.y),
    };
    let mut hatched: Option<Rect> = None;
    for i in 0..STEPS {
        let top = strip.y + strip.h * i as f64 / STEPS as f64;
        let v = range.1 - (range.1 - range.0) * (i as f64 + 0.5) / STEPS as f64;
        let (fill, hatch) = shade(v, range, bar.diverging, ctx.style);
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
    let step = scale::step(range, ((area.h / 45.0) as usize).clamp(2, 6), false);
    for v in scale::ticks(range, step) {
        let at = y.at(v);
        scene.line(
            (strip.right(), at),
            (strip.right() + 4.0, at),
            1.0,
            theme.axis,
        );
        let kind = Type::new(theme.tick - 1.0, theme.soft);
        scene.block(
            (strip.right() + 7.0, at),
            &[bar.axis.unit.tick(v, step)],
            kind,
        );
    }
    let line = theme.tick * LEADING;
    let x = area.x + BAR_WIDTH - name.len() as f64 * line / 2.0;
    let kind = Type::new(theme.tick, theme.ink).middle().turned();
    scene.block((x, area.centre().1), &name, kind);
}
