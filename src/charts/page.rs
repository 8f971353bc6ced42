//! A whole picture: heading, legend, body, remarks and footer.

use super::body::{Context, Drawing};
use super::legend::{self, ColourBar};
use super::scene::{Rect, Scene, Type};
use super::text::{self, LEADING};
use super::{Chart, ChartError};

/// No picture is narrower, so that headings and footers have room.
const LEAST_WIDTH: f64 = 620.0;

/// Lays the chart out.
pub(super) fn compose(chart: &Chart) -> Result<Scene, ChartError> {
    let body = chart.body.kind();
    body.check()?;
    let ctx = Context::new(body.extent(), &chart.style, &chart.meanings);
    let theme = ctx.theme;
    let (body_w, body_h) = body.size(&ctx);
    let bar = body.bar(&ctx);
    let bar = bar.as_ref().map(|b| ColourBar::new(b, &ctx, body_h));
    let beside = bar.as_ref().map_or(0.0, |b| b.width);
    let width = (body_w + beside + 2.0 * theme.margin).max(LEAST_WIDTH);
    let inner = width - 2.0 * theme.margin;
    let left = theme.margin;

    let mut scene = Scene {
        width,
        ..Scene::default()
    };
    let mut y = theme.margin - 4.0;
    let title = text::wrap(&chart.title, theme.title, true, inner);
    y = scene.paragraph((left, y), &title, Type::new(theme.title, theme.ink).bold()) + 3.0;
    if let Some(subtitle) = chart.subtitle.as_ref().filter(|s| !s.is_empty()) {
        let lines = text::wrap(subtitle, theme.subtitle, false, inner);
        y = scene.paragraph((left, y), &lines, Type::new(theme.subtitle, theme.soft));
    }
    y += 16.0;
    let kind = body.legend(false);
    legend::draw(&mut scene, &ctx, kind, (left, y), inner);
    y += legend::height(&ctx, kind, inner);

    let area = Rect::new(left, y, inner - beside, body_h);
    body.draw(&mut scene, area, &ctx);
    if let Some(bar) = bar {
        let top = y + theme.tick * 0.6;
        bar.draw(&mut scene, &ctx, (area.right(), top));
    }
    y += body_h;
    y = notes(&mut scene, body, &ctx, (left, y), inner);
    if !chart.footer.is_empty() {
        y += 12.0;
        scene.line((left, y), (left + inner, y), 0.7, theme.grid);
        y += 6.0;
        let lines = text::wrap_at_most(&chart.footer, theme.footer, inner, 3);
        y = scene.paragraph((left, y), &lines, Type::new(theme.footer, theme.faint));
    }
    scene.height = y + theme.margin - 10.0;
    Ok(scene)
}

/// Lists the remarks of a body; returns where the next thing may begin.
fn notes(
    scene: &mut Scene,
    body: &dyn Drawing,
    ctx: &Context,
    (x, y): (f64, f64),
    width: f64,
) -> f64 {
    let theme = &ctx.theme;
    let size = theme.footer + 0.5;
    let mut y = y;
    let notes = body.notes();
    if !notes.is_empty() {
        y += 8.0;
    }
    for note in notes {
        let lines = text::wrap_at_most(&note, size, width, 3);
        y = scene.paragraph((x, y), &lines, Type::new(size, theme.soft))
            + size * (LEADING - 1.0) / 2.0;
    }
    y
}
