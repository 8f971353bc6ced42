//! A whole picture: heading, legend, body, remarks and footer, in the size that was asked for.

use super::body::Context;
use super::legend::{self, ColourBar};
use super::looks::SMALLEST;
use super::scene::{Rect, Scene, Type};
use super::text::{self, LEADING};
use super::{Chart, ChartError, Style};
use crate::tell;

/// No picture of no asked size is narrower, so that headings and footers have room.
const LEAST_WIDTH: f64 = 620.0;

/// Millimetres of a logical pixel: the smallest text is as large as it was asked for.
fn unit(style: &Style) -> f64 {
    style.smallest().in_mm() / SMALLEST
}

/// The room of a chart.
struct Room {
    ctx: Context,
    /// Between the margins.
    inner: f64,
    /// Of it, for the scale of colours.
    beside: f64,
    /// What the text would need more.
    missing: f64,
}

impl Room {
    /// The room in a picture of an asked width, or as much as the chart would like.
    fn new(chart: &Chart, asked: Option<f64>) -> Self {
        let body = chart.body.kind();
        let mut ctx = Context::new(chart, asked);
        ctx.width = match asked {
            Some(width) => width - 2.0 * ctx.theme.margin,
            None => body.width(&ctx),
        };
        let wanted = ctx.width;
        let height = body.height(&ctx);
        let bar = body.bar(&ctx);
        let beside = bar.map_or(0.0, |b| ColourBar::new(&b, &ctx, height).width);
        // The scale of colours takes from the body where there is only so much.
        let inner = match asked {
            Some(_) => wanted,
            None => (wanted + beside).max(LEAST_WIDTH - 2.0 * ctx.theme.margin),
        };
        ctx.width = inner - beside;
        let missing = match asked {
            Some(_) => body.least(&ctx) - ctx.width,
            None => 0.0,
        };
        Self {
            ctx,
            inner,
            beside,
            missing,
        }
    }
}

/// Lays the chart out.
pub(super) fn compose(chart: &Chart) -> Result<Scene, ChartError> {
    let body = chart.body.kind();
    body.check()?;
    chart.dress.check(chart)?;
    let style = &chart.style;
    let unit = unit(style);
    let small = |side, given: f64, least: f64| ChartError::Small {
        file: Some(style.sized_in.clone()).filter(|file| !file.is_empty()),
        side,
        given,
        least: least.ceil(),
        points: style.smallest().in_points(),
        hint: match style.value_labels() {
            true => ", or value_labels = false",
            false => "",
        },
    };
    let asked = style.width.map(|width| width.in_mm() / unit);
    let room = Room::new(chart, asked);
    if let Some(asked) = asked.filter(|_| room.missing > 0.01) {
        // More room may be set more generously, and need more again.
        let mut enough = asked;
        for _ in 0..8 {
            let missing = Room::new(chart, Some(enough)).missing;
            enough += missing.max(0.0);
        }
        return Err(small("width", asked * unit, enough * unit));
    }
    let natural = body.height(&room.ctx);
    let scene = lay_out(chart, &room, natural, unit);
    let Some(height) = style.height.map(|height| height.in_mm() / unit) else {
        return Ok(scene);
    };
    let body_height = natural + height - scene.height;
    let missing = body.shortest(&room.ctx) - body_height;
    if missing > 0.01 {
        return Err(small("height", height * unit, (height + missing) * unit));
    }
    Ok(lay_out(chart, &room, body_height, unit))
}

/// Whether the head of a chart says what its values are.
fn is_said(chart: &Chart, name: &str) -> bool {
    let head = [Some(&chart.title), chart.subtitle.as_ref()];
    let name = name.trim_end_matches(" (%)").to_lowercase();
    let mut head = head.into_iter().flatten();
    head.any(|line| line.to_lowercase().contains(&name))
}

/// Draws everything with a body of this height.
fn lay_out(chart: &Chart, room: &Room, body_height: f64, unit: f64) -> Scene {
    let (ctx, inner, beside) = (&room.ctx, room.inner, room.beside);
    let (theme, body) = (&ctx.theme, chart.body.kind());
    let left = theme.margin;
    let mut scene = Scene {
        width: inner + 2.0 * theme.margin,
        unit,
        ..Scene::default()
    };
    let gap = theme.gap;
    let mut y = (theme.margin - 4.0 * gap).max(0.0);
    if !chart.title.is_empty() {
        let title = text::wrap(&chart.title, theme.title, true, inner);
        y = scene.paragraph((left, y), &title, Type::new(theme.title, theme.ink).bold());
        y += 3.0 * gap;
    }
    if let Some(subtitle) = chart.subtitle.as_ref().filter(|s| !s.is_empty()) {
        let lines = text::wrap(subtitle, theme.subtitle, false, inner);
        y = scene.paragraph((left, y), &lines, Type::new(theme.subtitle, theme.soft));
    }
    if let Some(measure) = body.measure(ctx).filter(|name| !is_said(chart, name)) {
        let lines = text::wrap(&measure, theme.subtitle, false, inner);
        y = scene.paragraph((left, y), &lines, Type::new(theme.subtitle, theme.soft));
    }
    y += 16.0 * gap;
    let kind = body.legend(ctx);
    legend::draw(&mut scene, ctx, kind, (left, y), inner);
    y += legend::height(ctx, kind, inner);

    let area = Rect::new(left, y, inner - beside, body_height);
    body.draw(&mut scene, area, ctx);
    if let Some(bar) = body.bar(ctx) {
        let bar = ColourBar::new(&bar, ctx, body_height);
        let top = y + theme.tick * 0.6;
        bar.draw(&mut scene, ctx, (area.right(), top));
    }
    y += body_height;
    y = notes(&mut scene, chart, ctx, (left, y), inner);
    if !chart.footer.is_empty() {
        y += 12.0 * gap;
        scene.line((left, y), (left + inner, y), 0.7, theme.grid);
        y += 6.0 * gap;
        let most = if ctx.narrow() { 6 } else { 3 };
        let lines = text::wrap_at_most(&chart.footer, theme.footer, inner, most);
        y = scene.paragraph((left, y), &lines, Type::new(theme.footer, theme.faint));
    }
    scene.height = y + (theme.margin - 10.0 * gap).max(1.0);
    scene
}

/// Lists the remarks of a body, those of its author and where it is from; returns where the next thing may begin.
fn notes(scene: &mut Scene, chart: &Chart, ctx: &Context, (x, y): (f64, f64), width: f64) -> f64 {
    let theme = &ctx.theme;
    let size = theme.note;
    let mut y = y;
    let words = &ctx.style.words;
    let mut notes = match ctx.style.notes.unwrap_or(true) {
        true => chart.body.kind().notes(words),
        false => Vec::new(),
    };
    notes.extend(chart.dress.note.clone());
    let source = chart.dress.source.as_ref();
    notes.extend(source.map(|source| tell!(words, "Source: {1}", source)));
    if !notes.is_empty() {
        y += 8.0;
    }
    let most = if ctx.narrow() { 6 } else { 3 };
    for note in notes {
        let lines = text::wrap_at_most(&note, size, width, most);
        y = scene.paragraph((x, y), &lines, Type::new(size, theme.soft))
            + size * (LEADING - 1.0) / 2.0;
    }
    y
}
