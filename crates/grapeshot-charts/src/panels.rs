//! Several charts side by side on shared scales.

use super::body::{Bar, Context, Drawing, Extent, Legend};
use super::scene::{Rect, Scene, Type};
use super::style::Words;
use super::text::{self, LEADING};
use super::{Body, ChartError};

/// What a panel shows.
// A chart has a handful of panels: a box would cost callers more than it saves.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone)]
pub enum Content {
    /// A chart of any kind but panels.
    Chart(Body),
    /// Nothing, and why.
    Empty(String),
}

/// One chart of several.
#[derive(Debug, Clone)]
pub struct Panel {
    /// What sets this panel apart.
    pub title: String,
    /// Its chart, or why it has none.
    pub content: Content,
}

impl Panel {
    /// A panel with a chart.
    pub fn new(title: impl Into<String>, body: impl Into<Body>) -> Self {
        Self {
            title: title.into(),
            content: Content::Chart(body.into()),
        }
    }

    /// A panel without one.
    pub fn empty(title: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            content: Content::Empty(reason.into()),
        }
    }
}

/// Charts in rows and columns with the same ranges, colours and legend.
#[derive(Debug, Clone)]
pub struct Panels {
    /// How many stand side by side.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

const GAP: f64 = 22.0;

impl Panels {
    /// Panels in so many columns.
    pub fn new(columns: usize, panels: Vec<Panel>) -> Self {
        Self { columns, panels }
    }

    fn bodies(&self) -> impl Iterator<Item = &dyn Drawing> {
        self.panels.iter().filter_map(|p| match &p.content {
            Content::Chart(body) => Some(body.kind()),
            Content::Empty(_) => None,
        })
    }

    /// How many stand side by side: as many as was asked for, and as have room for their text.
    fn columns(&self, ctx: &Context) -> usize {
        let most = self.columns.clamp(1, self.panels.len().max(1));
        let least = self.least_panel(ctx);
        let fits = |columns: &usize| self.panel_width(ctx, *columns) >= least;
        (1..=most).rev().find(fits).unwrap_or(1)
    }

    fn rows(&self, ctx: &Context) -> usize {
        self.panels.len().div_ceil(self.columns(ctx))
    }

    fn panel_width(&self, ctx: &Context, columns: usize) -> f64 {
        let gaps = (columns - 1) as f64 * GAP;
        (ctx.width - self.left(ctx) - gaps) / columns as f64
    }

    fn least_panel(&self, ctx: &Context) -> f64 {
        let inner = self.inner(ctx, ctx.width);
        self.bodies()
            .map(|body| body.least(&inner))
            .fold(0.0, f64::max)
    }

    /// The axis names, if all panels have the same.
    fn shared_captions(&self) -> Option<(String, String)> {
        let mut all = self.bodies().map(Drawing::captions);
        let first = all.next()?;
        all.all(|c| c == first).then_some(first)
    }

    /// The context of one panel of some width.
    fn inner(&self, ctx: &Context, width: f64) -> Context {
        Context {
            theme: ctx.theme.of_panel(),
            panel: true,
            captions: self.shared_captions().is_none(),
            width,
            ..ctx.clone()
        }
    }

    /// The common size of the panels, and the height of their titles.
    fn cell(&self, ctx: &Context) -> (f64, f64, f64) {
        let w = self.panel_width(ctx, self.columns(ctx));
        let inner = self.inner(ctx, w);
        let h = self.bodies().map(|b| b.height(&inner)).fold(0.0, f64::max);
        let size = inner.theme.caption;
        let lines = self
            .panels
            .iter()
            .map(|p| text::wrap(&p.title, size, true, w - 8.0).len());
        (w, h, lines.max().unwrap_or(1) as f64 * size * LEADING + 4.0)
    }

    /// Room for the shared name on the left.
    fn left(&self, ctx: &Context) -> f64 {
        let named = self.shared_captions().is_some_and(|(_, y)| !y.is_empty());
        match named {
            true => ctx.theme.of_panel().caption * LEADING + 14.0 * ctx.theme.gap,
            false => 0.0,
        }
    }

    /// The shared name underneath, broken into lines.
    fn name_below(&self, ctx: &Context) -> Vec<String> {
        let size = ctx.theme.of_panel().caption;
        let room = ctx.width - self.left(ctx);
        let named = self.shared_captions().filter(|(x, _)| !x.is_empty());
        named.map_or(Vec::new(), |(x, _)| text::wrap(&x, size, false, room))
    }

    fn below(&self, ctx: &Context) -> f64 {
        let lines = self.name_below(ctx).len() as f64;
        lines * ctx.theme.of_panel().caption * LEADING + 6.0
    }
}

impl Drawing for Panels {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("panels", self.panels.len())?;
        ChartError::some("columns", self.columns)?;
        for panel in &self.panels {
            match &panel.content {
                Content::Chart(Body::Panels(_)) => return Err(ChartError::Nested),
                Content::Chart(body) => body.kind().check()?,
                Content::Empty(_) => {}
            }
        }
        ChartError::some("panels with a chart", self.bodies().count())
    }

    fn extent(&self) -> Extent {
        let mut extent = Extent::default();
        for body in self.bodies() {
            extent.join(body.extent());
        }
        extent
    }

    fn width(&self, ctx: &Context) -> f64 {
        let columns = self.columns.clamp(1, self.panels.len().max(1)) as f64;
        let inner = self.inner(ctx, f64::INFINITY);
        let w = self.bodies().map(|b| b.width(&inner)).fold(0.0, f64::max);
        // Few columns may use the width of an ordinary chart.
        let share = ((904.0 - (columns - 1.0) * GAP) / columns).min(w * 1.5);
        columns * (w.max(share) + GAP) - GAP + self.left(ctx)
    }

    fn least(&self, ctx: &Context) -> f64 {
        self.least_panel(ctx) + self.left(ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let (_, h, head) = self.cell(ctx);
        self.rows(ctx) as f64 * (h + head + GAP) - GAP + self.below(ctx)
    }

    fn shortest(&self, ctx: &Context) -> f64 {
        let (w, h, _) = self.cell(ctx);
        let inner = self.inner(ctx, w);
        let least = self
            .bodies()
            .map(|b| b.shortest(&inner))
            .fold(0.0, f64::max);
        self.height(ctx) - self.rows(ctx) as f64 * (h - least)
    }

    fn captions(&self) -> (String, String) {
        self.shared_captions().unwrap_or_default()
    }

    fn legend(&self, ctx: &Context) -> Legend {
        let inner = self.inner(ctx, self.panel_width(ctx, self.columns(ctx)));
        let mut all = self.bodies().map(|b| b.legend(&inner));
        all.find(|l| *l != Legend::None).unwrap_or(Legend::None)
    }

    fn bar(&self, ctx: &Context) -> Option<Bar> {
        let inner = self.inner(ctx, ctx.width);
        let bar = self.bodies().find_map(|b| b.bar(&inner))?;
        Some(Bar {
            height: None,
            ..bar
        })
    }

    fn measure(&self, ctx: &Context) -> Option<String> {
        let inner = self.inner(ctx, ctx.width);
        self.bodies().find_map(|body| body.measure(&inner))
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.bodies().flat_map(|body| body.notes(words)) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let (w, _, head) = self.cell(ctx);
        let inner = self.inner(ctx, w);
        let theme = &inner.theme;
        let (left, below, columns) = (self.left(ctx), self.below(ctx), self.columns(ctx));
        // The asked height may leave the panels more or less than they would like.
        let rows = self.rows(ctx) as f64;
        let h = (area.h - below + GAP) / rows - head - GAP;
        for (i, panel) in self.panels.iter().enumerate() {
            let x = area.x + left + (i % columns) as f64 * (w + GAP);
            let y = area.y + (i / columns) as f64 * (h + head + GAP);
            let title = text::wrap(&panel.title, theme.caption, true, w - 8.0);
            let strip = Rect::new(x, y - 1.0, w, head - 2.0);
            scene.rect(strip, super::Colour::grey(240));
            scene.paragraph(
                (x + 4.0, y),
                &title,
                Type::new(theme.caption, theme.ink).bold(),
            );
            let cell = Rect::new(x, y + head, w, h);
            match &panel.content {
                Content::Chart(body) => body.kind().draw(scene, cell, &inner),
                Content::Empty(reason) => {
                    let frame = cell.inset(4.0);
                    scene.rect(frame, super::Colour::grey(247));
                    scene.outline(frame, 0.8, theme.grid);
                    let lines = text::wrap(reason, theme.label, false, frame.w - 30.0);
                    let kind = Type::new(theme.label, theme.soft).middle();
                    scene.block(frame.centre(), &lines, kind);
                }
            }
        }
        if let Some((_, y)) = self.shared_captions() {
            let kind = Type::new(theme.caption, theme.ink).middle();
            let height = area.h - below;
            let name = text::elide(&y, theme.caption, height);
            let at = (
                area.x + theme.caption * LEADING / 2.0,
                area.y + height / 2.0,
            );
            scene.block(at, &[name], kind.turned());
            let middle = area.x + left + (area.w - left) / 2.0;
            let lines = self.name_below(ctx);
            scene.block((middle, area.bottom() - below / 2.0 + 2.0), &lines, kind);
        }
    }
}
