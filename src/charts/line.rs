//! Curves with ribbons and names at their ends.

use super::ChartError;
use super::Medium;
use super::axes::{self, Plot, Side};
use super::body::{Context, Drawing, Extent, Legend, value_range};
use super::labels;
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::text::{self, LEADING};
use super::unit::{Axis, Unit};

/// A point of a series with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where it is, or the index of its category.
    pub x: f64,
    /// Its value.
    pub y: f64,
    /// The low end of the interval; the value itself if exact.
    pub low: f64,
    /// The high end of the interval; the value itself if exact.
    pub high: f64,
}

impl Point {
    /// A point known exactly.
    pub fn exact(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            low: y,
            high: y,
        }
    }

    /// A point known within an interval.
    pub fn within(x: f64, y: f64, low: f64, high: f64) -> Self {
        Self { x, y, low, high }
    }
}

/// A named series of points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// The name, which also chooses the colour.
    pub name: String,
    /// The points from left to right.
    pub points: Vec<Point>,
}

impl Series {
    /// A series.
    pub fn new(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self {
            name: name.into(),
            points,
        }
    }
}

/// Curves over a numeric or categorical axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The categories of the horizontal axis, if it has any; points then use their indices.
    pub categories: Option<Vec<String>>,
    /// The vertical range; chosen from the data if absent.
    pub y_range: Option<(f64, f64)>,
    /// The curves.
    pub series: Vec<Series>,
}

impl Line {
    /// Curves over a numeric axis.
    pub fn new(x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self {
            x,
            y,
            categories: None,
            y_range: None,
            series,
        }
    }

    /// The same curves over categories.
    #[must_use]
    pub fn over(mut self, categories: Vec<String>) -> Self {
        self.categories = Some(categories);
        self
    }
}

/// Checks series for points and finite numbers.
pub(super) fn check_series(series: &[Series]) -> Result<(), ChartError> {
    ChartError::some("series", series.len())?;
    ChartError::distinct(series.iter().map(|s| s.name.as_str()))?;
    for s in series {
        ChartError::some("points", s.points.len())?;
        let numbers = s.points.iter().flat_map(|p| [p.x, p.y, p.low, p.high]);
        ChartError::finite(&s.name, numbers)?;
    }
    Ok(())
}

/// The ranges and names of series.
pub(super) fn extent_of(series: &[Series]) -> Extent {
    let points = || series.iter().flat_map(|s| &s.points);
    Extent {
        x: scale::range(points().map(|p| p.x)),
        y: scale::range(points().flat_map(|p| [p.low, p.y, p.high])),
        keys: series.iter().map(|s| s.name.clone()).collect(),
        ..Extent::default()
    }
}

/// A numeric horizontal side a little wider than the data.
pub(super) fn x_side(axis: &Axis, ctx: &Context, whole: bool) -> Side {
    let (lo, hi) = ctx.extent.x.unwrap_or((0.0, 1.0));
    let pad = if hi > lo { (hi - lo) * 0.025 } else { 0.5 };
    let whole = whole && matches!(axis.unit, Unit::Number { .. } | Unit::Label);
    let most = if ctx.panel { 6 } else { 12 };
    Side::numbers(ctx, axis, (lo - pad, hi + pad), most, whole)
}

/// Room for curves.
pub(super) fn curve_size(ctx: &Context) -> (f64, f64) {
    if ctx.panel {
        (330.0, 230.0)
    } else {
        (904.0, 450.0)
    }
}

/// Curves are labelled where they end; in panels there is no room for it.
pub(super) fn curve_legend(series: &[Series], panel: bool) -> Legend {
    if panel && series.len() > 1 {
        Legend::Lines
    } else {
        Legend::None
    }
}

impl Drawing for Line {
    fn check(&self) -> Result<(), ChartError> {
        check_series(&self.series)?;
        let Some(categories) = &self.categories else {
            return Ok(());
        };
        ChartError::some("categories", categories.len())?;
        let last = (categories.len() - 1) as f64;
        for p in self.series.iter().flat_map(|s| &s.points) {
            if p.x < 0.0 || p.x > last || p.x.fract() != 0.0 {
                return Err(ChartError::Number(format!("category index {}", p.x)));
            }
        }
        Ok(())
    }

    fn extent(&self) -> Extent {
        let mut extent = extent_of(&self.series);
        extent.y = scale::join(extent.y, self.y_range);
        extent
    }

    fn size(&self, ctx: &Context) -> (f64, f64) {
        curve_size(ctx)
    }

    fn captions(&self) -> (String, String) {
        (self.x.caption(), self.y.caption())
    }

    fn legend(&self, panel: bool) -> Legend {
        curve_legend(&self.series, panel)
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let range = match self.y_range {
            Some(range) if !ctx.panel && range.1 > range.0 => range,
            _ => value_range(ctx.extent.y.unwrap_or((0.0, 1.0)), &self.y.unit),
        };
        let y = Side::numbers(ctx, &self.y, range, if ctx.panel { 4 } else { 6 }, false);
        let x = match &self.categories {
            Some(categories) => Side::bands(&self.x, categories),
            None => {
                let whole = self
                    .series
                    .iter()
                    .flat_map(|s| &s.points)
                    .all(|p| p.x.fract() == 0.0);
                x_side(&self.x, ctx, whole)
            }
        };
        let names = EndLabels::new(&self.series, area, ctx);
        let plot = axes::frame(scene, area, ctx, (&x, &y), names.width);
        let path = |s: &Series| -> Vec<(f64, f64)> {
            s.points
                .iter()
                .map(|p| (plot.x.at(p.x), plot.y.at(p.y)))
                .collect()
        };
        for s in &self.series {
            ribbon(scene, s, &plot, ctx);
        }
        for s in &self.series {
            let look = ctx.looks.get(&s.name);
            scene.dashed(&path(s), ctx.theme.stroke, look.line, look.dash);
        }
        for s in &self.series {
            let look = ctx.looks.get(&s.name);
            if s.points.len() <= 40 {
                for at in path(s) {
                    scene.marker(at, ctx.theme.marker, look.line, look.marker);
                }
            }
        }
        let ends: Vec<_> = self
            .series
            .iter()
            .filter_map(|s| path(s).last().copied())
            .collect();
        names.draw(scene, &ends, &plot, ctx);
    }
}

fn ribbon(scene: &mut Scene, series: &Series, plot: &Plot, ctx: &Context) {
    let points = &series.points;
    if !points.iter().any(|p| p.low != p.y || p.high != p.y) {
        return;
    }
    let look = ctx.looks.get(&series.name);
    let alpha = if ctx.medium == Medium::Print {
        0.16
    } else {
        0.2
    };
    if let [p] = points.as_slice() {
        let x = plot.x.at(p.x);
        scene.line(
            (x, plot.y.at(p.low)),
            (x, plot.y.at(p.high)),
            1.5,
            look.line,
        );
        return;
    }
    let high = points.iter().map(|p| (plot.x.at(p.x), plot.y.at(p.high)));
    let low = points
        .iter()
        .rev()
        .map(|p| (plot.x.at(p.x), plot.y.at(p.low)));
    scene.fill(high.chain(low).collect(), look.line, alpha);
}

/// Names to the right of the curves they belong to.
pub(super) struct EndLabels {
    lines: Vec<(String, Vec<String>)>,
    /// The room they need.
    pub(super) width: f64,
}

impl EndLabels {
    pub(super) fn new(series: &[Series], area: Rect, ctx: &Context) -> Self {
        if ctx.panel {
            return Self {
                lines: Vec::new(),
                width: 8.0,
            };
        }
        let room = (area.w * 0.24).min(200.0);
        let size = ctx.theme.label;
        let wrap = |s: &Series| (s.name.clone(), text::wrap_at_most(&s.name, size, room, 3));
        let lines: Vec<_> = series.iter().map(wrap).collect();
        let widest = lines
            .iter()
            .map(|(_, l)| text::widest(l, size))
            .fold(0.0, f64::max);
        Self {
            lines,
            width: widest + 30.0,
        }
    }

    fn draw(&self, scene: &mut Scene, ends: &[(f64, f64)], plot: &Plot, ctx: &Context) {
        let size = ctx.theme.label;
        let heights: Vec<_> = self
            .lines
            .iter()
            .map(|(_, l)| l.len() as f64 * size * LEADING + 2.0)
            .collect();
        let wanted: Vec<_> = ends.iter().take(self.lines.len()).map(|e| e.1).collect();
        let room = (plot.rect.y - 10.0, plot.rect.bottom() + 12.0);
        let at = labels::spread(&wanted, &heights, room);
        for (((name, lines), y), end) in self.lines.iter().zip(at).zip(ends) {
            let look = ctx.looks.get(name);
            let x = plot.rect.right() + 22.0;
            let from = (end.0 + ctx.theme.marker + 3.0, end.1);
            if (y - end.1).abs() > 2.5 || x - from.0 > 24.0 {
                scene.path(
                    vec![from, (x - 12.0, end.1), (x - 4.0, y)],
                    0.8,
                    look.line.mix(super::palette::WHITE, 0.35),
                );
            }
            scene.block((x, y), lines, Type::new(size, look.ink));
        }
    }
}
