//! The frame of a chart: grid, ticks, tick labels and axis names.

use super::body::Context;
use super::looks::Dash;
use super::palette::WHITE;
use super::scale::{self, Linear};
use super::scene::{Rect, Scene, Type};
use super::text::{self, LEADING};
use super::unit::Axis;

/// One side of a frame.
pub(super) struct Side {
    caption: String,
    kind: SideKind,
}

enum SideKind {
    Numbers {
        range: (f64, f64),
        ticks: Vec<(f64, String)>,
    },
    Bands(Vec<String>),
}

impl Side {
    /// A numeric side with about `count` ticks, only at whole numbers if `whole`.
    pub(super) fn numbers(
        ctx: &Context,
        axis: &Axis,
        range: (f64, f64),
        count: usize,
        whole: bool,
    ) -> Self {
        let step = scale::step(range, count, whole);
        let ticks = scale::ticks(range, step);
        let ticks = ticks
            .into_iter()
            .map(|t| (t, ctx.tick(&axis.unit, t, step)))
            .collect();
        Self {
            caption: axis.caption(),
            kind: SideKind::Numbers { range, ticks },
        }
    }

    /// A side with one band per label.
    pub(super) fn bands(axis: &Axis, labels: &[String]) -> Self {
        Self {
            caption: axis.caption(),
            kind: SideKind::Bands(labels.to_vec()),
        }
    }

    /// The same side with ticks only within a range.
    pub(super) fn only(mut self, lo: f64, hi: f64) -> Self {
        if let SideKind::Numbers { ticks, .. } = &mut self.kind {
            ticks.retain(|(v, _)| *v >= lo - 1e-9 && *v <= hi + 1e-9);
        }
        self
    }
}

/// The inside of a frame and its scales. A band is at its index on its scale.
pub(super) struct Plot {
    pub(super) rect: Rect,
    pub(super) x: Linear,
    pub(super) y: Linear,
}

/// Draws the frame and returns its inside; `right` pixels are left free beside it.
pub(super) fn frame(
    scene: &mut Scene,
    area: Rect,
    ctx: &Context,
    (x, y): (&Side, &Side),
    right: f64,
) -> Plot {
    let theme = &ctx.theme;
    let top = theme.tick * 0.6;
    // Left: the tick labels, then the name turned upright.
    let rows = row_labels(y, area, ctx);
    let widths = rows.iter().map(|lines| text::widest(lines, theme.tick));
    let mut left = widths.fold(0.0, f64::max) + 8.0;
    let name = |caption: &str, room: f64| {
        if ctx.captions {
            text::wrap(caption, theme.caption, false, room)
        } else {
            Vec::new()
        }
    };
    let line = theme.caption * LEADING;
    let y_name = name(&y.caption, area.h * 0.86);
    if !y_name.is_empty() {
        left += y_name.len() as f64 * line + 6.0;
    }
    // The last tick label stands half beyond the frame.
    let right = right.max(x.overhang(theme.tick) - theme.margin);
    let width = area.w - left - right;
    // Bottom: the tick labels, as they fit, then the name.
    let columns = Columns::fit(x, width, theme.tick);
    let x_name = name(&x.caption, width + right);
    let mut bottom = columns.height + 8.0;
    if !x_name.is_empty() {
        bottom += x_name.len() as f64 * line + 4.0;
    }
    let rect = Rect::new(area.x + left, area.y + top, width, area.h - top - bottom);
    let plot = Plot {
        rect,
        x: x.scale((rect.x, rect.right()), false),
        y: y.scale((rect.bottom(), rect.y), true),
    };
    grid(scene, &plot, ctx, x, y);
    references(scene, &plot, ctx, x, y);
    let tick = Type::new(theme.tick, theme.soft);
    for (lines, at) in rows.iter().zip(y.positions()) {
        scene.block((rect.x - 7.0, plot.y.at(at)), lines, tick.end());
    }
    columns.draw(scene, &plot, tick);
    let caption = Type::new(theme.caption, theme.ink).middle();
    let y_at = area.x + y_name.len() as f64 * line / 2.0;
    // Beside few rows it is longer than they are high, and must not run into what stands above.
    let half = text::widest(&y_name, theme.caption) / 2.0;
    let middle = rect.centre().1.max(area.y + half);
    scene.block((y_at, middle), &y_name, caption.turned());
    let x_top = area.bottom() - x_name.len() as f64 * line;
    scene.paragraph((rect.centre().0, x_top), &x_name, caption);
    plot
}

impl Side {
    /// Where the labels are on the scale of this side.
    fn positions(&self) -> Vec<f64> {
        match &self.kind {
            SideKind::Numbers { ticks, .. } => ticks.iter().map(|(v, _)| *v).collect(),
            SideKind::Bands(labels) => (0..labels.len()).map(|i| i as f64).collect(),
        }
    }

    /// How far its last label reaches beyond it.
    fn overhang(&self, size: f64) -> f64 {
        match &self.kind {
            SideKind::Numbers { ticks, .. } => {
                let last = ticks.last();
                last.map_or(0.0, |(_, label)| text::width(label, size, false) / 2.0)
            }
            SideKind::Bands(_) => 0.0,
        }
    }

    /// The scale over some pixels; bands of a vertical side run downward.
    fn scale(&self, pixels: (f64, f64), vertical: bool) -> Linear {
        match &self.kind {
            SideKind::Numbers { range, .. } => Linear {
                values: *range,
                pixels,
            },
            SideKind::Bands(labels) => Linear {
                values: (-0.5, labels.len() as f64 - 0.5),
                pixels: if vertical {
                    (pixels.1, pixels.0)
                } else {
                    pixels
                },
            },
        }
    }
}

/// The room that labels of rows may take from a width.
pub(super) fn label_room(width: f64) -> f64 {
    (width * 0.3).clamp(90.0, 220.0)
}

/// The room beside bands of rows: their labels, and their name turned upright.
pub(super) fn beside_rows(labels: &[String], ctx: &Context) -> f64 {
    let size = ctx.theme.tick;
    let room = label_room(ctx.width);
    let widest = labels
        .iter()
        .map(|l| text::widest(&text::wrap_at_most(l, size, room, 3), size));
    let name = if ctx.captions {
        2.0 * ctx.theme.caption * LEADING + 6.0
    } else {
        0.0
    };
    widest.fold(0.0, f64::max) + 8.0 + name
}

/// The height of a row that holds its label, and is at least so high.
pub(super) fn row_height(labels: &[String], least: f64, ctx: &Context) -> f64 {
    let room = label_room(ctx.width);
    let lines = labels
        .iter()
        .map(|l| text::wrap_at_most(l, ctx.theme.tick, room, 3).len());
    let lines = lines.max().unwrap_or(1) as f64;
    least.max(lines * ctx.theme.tick * LEADING + 4.0)
}

/// What bands under a chart take more than one line of labels would.
pub(super) fn extra_under(labels: &[String], ctx: &Context) -> f64 {
    let slot = (ctx.width - 5.0 * ctx.theme.tick) / labels.len().max(1) as f64;
    (under(labels, slot, ctx.theme.tick) - ctx.theme.tick * LEADING).max(0.0)
}

/// The height of the name under an axis of some width.
pub(super) fn name_height(axis: &Axis, width: f64, ctx: &Context) -> f64 {
    if !ctx.captions || axis.caption().is_empty() {
        return 0.0;
    }
    let lines = text::wrap(&axis.caption(), ctx.theme.caption, false, width.max(40.0)).len();
    lines as f64 * ctx.theme.caption * LEADING + 4.0
}

/// The least width of a chart with a label for each row and a numeric axis beside them.
pub(super) fn least_of_rows(labels: &[String], ctx: &Context) -> f64 {
    let size = ctx.theme.tick;
    let longest = labels
        .iter()
        .flat_map(|label| label.split([' ', '-', ',', '_', '/']));
    let longest = longest
        .map(|word| text::width(word, size, false))
        .fold(0.0, f64::max);
    longest + size * 12.0
}

/// The labels of the vertical side, broken into lines.
fn row_labels(y: &Side, area: Rect, ctx: &Context) -> Vec<Vec<String>> {
    match &y.kind {
        SideKind::Numbers { ticks, .. } => ticks.iter().map(|(_, t)| vec![t.clone()]).collect(),
        SideKind::Bands(labels) => {
            let room = label_room(area.w);
            let lines = |l: &String| text::wrap_at_most(l, ctx.theme.tick, room, 3);
            labels.iter().map(lines).collect()
        }
    }
}

fn grid(scene: &mut Scene, plot: &Plot, ctx: &Context, x: &Side, y: &Side) {
    let (theme, r) = (&ctx.theme, plot.rect);
    if let SideKind::Numbers { ticks, .. } = &y.kind {
        for (v, _) in ticks {
            let at = plot.y.at(*v);
            scene.line((r.x, at), (r.right(), at), 1.0, theme.grid);
        }
    }
    if let SideKind::Numbers { ticks, .. } = &x.kind {
        for (v, _) in ticks {
            let at = plot.x.at(*v);
            scene.line((at, r.y), (at, r.bottom()), 1.0, theme.grid);
        }
    }
    match y.kind {
        SideKind::Bands(_) => scene.line((r.x, r.y), (r.x, r.bottom()), 1.0, theme.axis),
        SideKind::Numbers { .. } => {
            scene.line((r.x, r.bottom()), (r.right(), r.bottom()), 1.0, theme.axis);
        }
    }
}

/// The lines that values are held against, each with what it is called.
fn references(scene: &mut Scene, plot: &Plot, ctx: &Context, x: &Side, y: &Side) {
    let (size, r) = (ctx.theme.tick, plot.rect);
    let kind = Type::new(size, ctx.theme.ink);
    let lies = matches!(y.kind, SideKind::Bands(_));
    for line in &ctx.dress.lines {
        let upright = line.along || lies;
        let w = text::width(&line.label, size, false);
        let (from, to, name) = match upright {
            true if matches!(x.kind, SideKind::Numbers { .. }) => {
                let at = plot.x.at(line.at);
                // Beside the line, on the side where there is room.
                let fits = at + 5.0 + w <= r.right();
                let aside = if fits { 5.0 } else { -5.0 - w };
                ((at, r.y), (at, r.bottom()), (at + aside, r.y + size * 0.7))
            }
            true => continue,
            false => {
                let at = plot.y.at(line.at);
                let above = at - size * 1.4 >= r.y;
                let up = size * if above { -0.75 } else { 0.75 };
                ((r.x, at), (r.right(), at), (r.x + 5.0, at + up))
            }
        };
        scene.dashed(&[from, to], 1.1, ctx.theme.ink, Dash::Long);
        let plate = Rect::new(name.0 - 2.0, name.1 - size * 0.62, w + 4.0, size * 1.24);
        scene.rect(plate, WHITE);
        scene.block(name, &[&line.label], kind);
    }
}

/// The height of labels under bands `slot` wide.
pub(super) fn under(labels: &[String], slot: f64, size: f64) -> f64 {
    Columns::bands(labels, slot, size).height
}

/// The labels under a frame: level if they fit, broken into lines or turned if not,
/// and every so many left out if even that is too close.
struct Columns {
    at: Vec<f64>,
    lines: Vec<Vec<String>>,
    every: usize,
    turned: bool,
    height: f64,
}

impl Columns {
    fn fit(x: &Side, width: f64, size: f64) -> Self {
        let at = x.positions();
        let line = size * LEADING;
        let whole = |labels: &[String]| labels.iter().map(|l| vec![l.clone()]).collect::<Vec<_>>();
        match &x.kind {
            SideKind::Numbers { range, ticks } => {
                let labels: Vec<_> = ticks.iter().map(|(_, t)| t.clone()).collect();
                let gap = match at.as_slice() {
                    [a, b, ..] => (b - a) / (range.1 - range.0) * width,
                    _ => width,
                };
                let every = ((text::widest(&labels, size) + 8.0) / gap).ceil().max(1.0) as usize;
                Self {
                    at,
                    lines: whole(&labels),
                    every,
                    turned: false,
                    height: line,
                }
            }
            SideKind::Bands(labels) => Self {
                at,
                ..Self::bands(labels, width / labels.len() as f64, size)
            },
        }
    }

    /// Labels of bands `slot` wide: level if each breaks cleanly into three lines, turned
    /// in one or two lines otherwise.
    fn bands(labels: &[String], slot: f64, size: f64) -> Self {
        let (line, room) = (size * LEADING, (slot - 0.3 * size).max(1.0));
        let level: Vec<_> = labels
            .iter()
            .map(|l| text::wrap(l, size, false, room))
            .collect();
        let tallest = level.iter().map(Vec::len).max().unwrap_or(1);
        let clean = |l: &String| text::breaks_cleanly(l, size, room);
        if tallest <= 3 && labels.iter().all(clean) {
            let height = tallest as f64 * line;
            return Self {
                at: Vec::new(),
                lines: level,
                every: 1,
                turned: false,
                height,
            };
        }
        let longest = text::widest(labels, size);
        let two = slot >= 2.0 * line + 4.0 && longest > 90.0;
        let (long, most) = if two {
            ((longest * 0.62).clamp(90.0, 170.0), 2)
        } else {
            (170.0, 1)
        };
        let wrap = |l: &String| text::wrap_at_most(l, size, long, most);
        let lines: Vec<_> = labels.iter().map(wrap).collect();
        let height = lines
            .iter()
            .map(|l| text::widest(l, size))
            .fold(0.0, f64::max);
        let every = (line / slot).ceil().max(1.0) as usize;
        Self {
            at: Vec::new(),
            lines,
            every,
            turned: true,
            height,
        }
    }

    fn draw(&self, scene: &mut Scene, plot: &Plot, kind: Type) {
        let top = plot.rect.bottom() + 6.0;
        for (lines, at) in self.lines.iter().zip(&self.at).step_by(self.every) {
            let x = plot.x.at(*at);
            if self.turned {
                scene.block((x, top), lines, kind.end().turned());
            } else {
                scene.paragraph((x, top), lines, kind.middle());
            }
        }
    }
}
