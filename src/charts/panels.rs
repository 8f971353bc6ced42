//! Several charts side by side on shared scales.

use super::body::{Bar, Context, Drawing, Extent, Legend};
use super::looks::Theme;
use super::scene::{Rect, Scene, Type};
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

    fn columns(&self) -> usize {
        self.columns.clamp(1, self.panels.len().max(1))
    }

    fn rows(&self) -> usize {
        self.panels.len().div_ceil(self.columns())
    }

    /// The axis names, if all panels have the same.
    fn shared_captions(&self) -> Option<(String, String)> {
        let mut all = self.bodies().map(Drawing::captions);
        let first = all.next()?;
        all.all(|c| c == first).then_some(first)
    }

    /// The context of one panel.
    fn inner(&self, ctx: &Context) -> Context {
        let captions = self.shared_captions().is_none();
        Context {
            theme: Theme::new(true),
            panel: true,
            captions,
            ..ctx.clone()
        }
    }

    /// The common size of the panels, and the height of their titles.
    fn cell(&self, ctx: &Context) -> (f64, f64, f64) {
        let inner = self.inner(ctx);
        let sizes = self.bodies().map(|b| b.size(&inner));
        let (w, h) = sizes.fold((0.0, 0.0), |(w, h): (f64, f64), s| (w.max(s.0), h.max(s.1)));
        // Few columns may use the width of an ordinary chart.
        let columns = self.columns() as f64;
        let share = ((904.0 - (columns - 1.0) * GAP) / columns).min(w * 1.5);
        let w = w.max(share);
        let size = inner.theme.caption;
        let lines = self
            .panels
            .iter()
            .map(|p| text::wrap(&p.title, size, true, w).len());
        (w, h, lines.max().unwrap_or(1) as f64 * size * LEADING + 4.0)
    }

    /// Room for the shared names, on the left and underneath.
    fn margins(&self, ctx: &Context) -> (f64, f64) {
        let line = self.inner(ctx).theme.caption * LEADING;
        match self.shared_captions() {
            Some(_) => (line + 14.0, line + 6.0),
            None => (0.0, 0.0),
        }
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

    fn size(&self, ctx: &Context) -> (f64, f64) {
        let (w, h, head) = self.cell(ctx);
        let (left, below) = self.margins(ctx);
        let (columns, rows) = (self.columns() as f64, self.rows() as f64);
        (
            columns * (w + GAP) - GAP + left,
            rows * (h + head + GAP) - GAP + below,
        )
    }

    fn captions(&self) -> (String, String) {
        self.shared_captions().unwrap_or_default()
    }

    fn legend(&self, _panel: bool) -> Legend {
        let mut all = self.bodies().map(|b| b.legend(true));
        all.find(|l| *l != Legend::None).unwrap_or(Legend::None)
    }

    fn bar(&self, ctx: &Context) -> Option<Bar> {
        let bar = self.bodies().find_map(|b| b.bar(ctx))?;
        Some(Bar {
            height: None,
            ..bar
        })
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.bodies().flat_map(Drawing::notes) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let inner = self.inner(ctx);
        let theme = &inner.theme;
        let (_, h, head) = self.cell(ctx);
        let (left, below) = self.margins(ctx);
        let columns = self.columns();
        let w = (area.w - left - (columns - 1) as f64 * GAP) / columns as f64;
        for (i, panel) in self.panels.iter().enumerate() {
            let x = area.x + left + (i % columns) as f64 * (w + GAP);
            let y = area.y + (i / columns) as f64 * (h + head + GAP);
            let title = text::wrap(&panel.title, theme.caption, true, w);
            scene.paragraph((x, y), &title, Type::new(theme.caption, theme.ink).bold());
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
        if let Some((x, y)) = self.shared_captions() {
            let kind = Type::new(theme.caption, theme.ink).middle();
            let height = area.h - below;
            let name = text::elide(&y, theme.caption, height);
            scene.block(
                (area.x + left / 2.0 - 7.0, area.y + height / 2.0),
                &[name],
                kind.turned(),
            );
            let middle = area.x + left + (area.w - left) / 2.0;
            scene.block((middle, area.bottom() - below / 2.0 + 2.0), &[x], kind);
        }
    }
}
