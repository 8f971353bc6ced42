//! Curves with ribbons and names at their ends.

use super::ChartError;
use super::Medium;
use super::axes::{self, Plot, Side};
use super::body::{Context, Drawing, Extent, Legend};
use super::labels;
use super::looks::{Dash, Marker};
use super::scale;
use super::scene::{Rect, Scene, Type};
use super::strands::{Strands, needs_names};
use super::style::Words;
use super::text::{self, LEADING};
use super::unit::{Axis, Unit};
use crate::tell;

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
    /// Whether they are marks alone: data of another making, between which nothing is known.
    pub apart: bool,
}

impl Series {
    /// A series.
    pub fn new(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self {
            name: name.into(),
            points,
            apart: false,
        }
    }
}

/// A place on a curve that is to be found at a glance: a ring on it, a thin line down to the axis, and what is to be
/// read there.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// Where.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// What stands beside it.
    pub label: String,
    /// Whether the curve rises there: the label keeps out of its way.
    pub rises: bool,
}

/// How a curve goes from one point to the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Steps {
    /// Straight, as if everything between were known.
    #[default]
    Straight,
    /// Flat, each value holding up to its point: a table that is looked up in bands with a last entry each.
    UpTo,
    /// Flat, each value holding from its point on.
    From,
    /// Flat about each point, half way to its neighbours: whole numbers, between which there is nothing.
    About,
    /// Not at all: nothing is known between them. A thin line leads the eye from one to the next.
    Points,
    /// Flat within each band that has a point. The numbers are the last of each band, rising; a band without a
    /// point is left open.
    Bands(Vec<f64>),
}

impl Steps {
    /// The corners through some points.
    fn corners(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut out: Vec<(f64, f64)> = Vec::with_capacity(points.len() * 3);
        for (i, &(x, y)) in points.iter().enumerate() {
            if let Some(&(x0, y0)) = i.checked_sub(1).map(|before| &points[before]) {
                let middle = (x0 + x) / 2.0;
                match self {
                    Steps::Straight | Steps::Points | Steps::Bands(_) => {}
                    Steps::UpTo => out.push((x0, y)),
                    Steps::From => out.push((x, y0)),
                    Steps::About => out.extend([(middle, y0), (middle, y)]),
                }
            }
            out.push((x, y));
        }
        out
    }

    fn note(&self, words: &Words) -> Option<String> {
        Some(match self {
            Steps::Straight | Steps::About => return None,
            Steps::UpTo => tell!(
                words,
                "Looked up in bands: each value holds up to its mark."
            ),
            Steps::From => tell!(
                words,
                "Looked up in bands: each value holds from its mark on."
            ),
            Steps::Bands(_) => tell!(
                words,
                "Looked up in bands: each value holds throughout its band."
            ),
            Steps::Points => tell!(
                words,
                "Worked out at the marks; the thin lines only lead the eye."
            ),
        })
    }

    /// Where the band of a number begins and ends; the first begins at nought.
    fn band(ends: &[f64], x: f64) -> (f64, f64) {
        let at = ends.partition_point(|&end| end < x);
        let begin = match at.checked_sub(1) {
            Some(before) => ends[before],
            None => x.min(0.0),
        };
        (begin, ends.get(at).copied().unwrap_or(x))
    }
}

/// The bands that points lie in, from the first to the last of them, and the first point in each.
fn in_bands(ends: &[f64], points: &[(f64, f64)]) -> Vec<(f64, f64, usize)> {
    let last = points.last().map_or(0.0, |p| p.0);
    let mut found: Vec<(f64, f64, usize)> = Vec::new();
    for (at, &(x, _)) in points.iter().enumerate() {
        let (begin, end) = Steps::band(ends, x);
        let end = end.min(last);
        if found.last().is_none_or(|known| known.1 != end) {
            found.push((begin, end, at));
        }
    }
    found
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
    /// The curves.
    pub series: Vec<Series>,
    /// How they go from point to point.
    pub steps: Steps,
    /// Places to be found at a glance.
    pub spots: Vec<Spot>,
}

impl Line {
    /// Curves over a numeric axis.
    pub fn new(x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self {
            x,
            y,
            categories: None,
            series,
            steps: Steps::Straight,
            spots: Vec::new(),
        }
    }

    /// The same curves with places that are to be found at a glance.
    #[must_use]
    pub fn spotting(mut self, spots: Vec<Spot>) -> Self {
        self.spots = spots;
        self
    }

    /// The same curves, going from point to point in another way.
    #[must_use]
    pub fn stepping(mut self, steps: Steps) -> Self {
        self.steps = steps;
        self
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
pub(super) fn x_side(axis: &Axis, ctx: &Context, width: f64, whole: bool) -> Side {
    let (lo, hi) = ctx.extent.x.unwrap_or((0.0, 1.0));
    let pad = if hi > lo { (hi - lo) * 0.025 } else { 0.5 };
    let whole = whole && matches!(axis.unit, Unit::Number { .. } | Unit::Label);
    let most = ctx.ticks_across(width * 0.9);
    Side::numbers(ctx, axis, (lo - pad, hi + pad), most, whole)
}

/// The width curves would like to have.
pub(super) fn curve_width(ctx: &Context) -> f64 {
    if ctx.panel { 330.0 } else { 904.0 }
}

/// The least width of curves.
pub(super) fn curve_least(ctx: &Context) -> f64 {
    ctx.theme.tick * 13.0
}

/// The height of curves at the width of the context.
pub(super) fn curve_height(ctx: &Context) -> f64 {
    match ctx.panel {
        true => (0.7 * ctx.width).clamp(140.0, if ctx.narrow() { 170.0 } else { 230.0 }),
        false => (0.62 * ctx.width).clamp(170.0, 450.0),
    }
}

/// Where the names of curves stand.
enum Naming {
    /// To the right of where they end.
    Ends,
    /// Beside them, where they part.
    Beside(Vec<labels::Placed>),
    /// Above the chart.
    Legend,
}

impl Line {
    fn sides(&self, area: Rect, ctx: &Context) -> (Side, Side) {
        let range = ctx.values(ctx.extent.y, &self.y.unit);
        let y = Side::numbers(ctx, &self.y, range, ctx.ticks_up(area.h), false);
        let x = match &self.categories {
            Some(categories) => Side::bands(&self.x, categories),
            None => {
                let mut points = self.series.iter().flat_map(|s| &s.points);
                let whole = points.all(|p| p.x.fract() == 0.0);
                x_side(&self.x, ctx, area.w, whole)
            }
        };
        (x, y)
    }

    /// A curve on a plot, corner by corner: one piece, or several where bands are left open.
    /// Every point is moved down by so much.
    fn pieces(
        &self,
        points: &[(f64, f64)],
        down: Option<&[f64]>,
        plot: &Plot,
    ) -> Vec<Vec<(f64, f64)>> {
        let moved = |at: usize| down.map_or(0.0, |down| down[at]);
        let on = |x: f64, at: usize| (plot.x.at(x), plot.y.at(points[at].1) + moved(at));
        let Steps::Bands(ends) = &self.steps else {
            let points: Vec<_> = (0..points.len()).map(|at| on(points[at].0, at)).collect();
            return vec![self.steps.corners(&points)];
        };
        let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut before = None;
        for (begin, end, at) in in_bands(ends, points) {
            let flat = [on(begin, at), on(end, at)];
            match pieces.last_mut().filter(|_| before == Some(begin)) {
                Some(piece) => piece.extend(flat),
                None => pieces.push(flat.to_vec()),
            }
            before = Some(end);
        }
        pieces
    }

    /// A curve on a plot, all its pieces.
    fn path(&self, series: &Series, plot: &Plot) -> Vec<(f64, f64)> {
        let points: Vec<_> = series.points.iter().map(|p| (p.x, p.y)).collect();
        self.pieces(&points, None, plot).concat()
    }

    /// What a reader sees a curve to be at a number: at a point or, where it is looked up in bands, in a band.
    /// Nothing where the curve does not say.
    pub fn shows(&self, series: &Series, x: f64) -> Option<f64> {
        let points = series.points.iter();
        match &self.steps {
            Steps::Bands(ends) => {
                let points: Vec<_> = points.map(|p| (p.x, p.y)).collect();
                let mut bands = in_bands(ends, &points).into_iter();
                bands.find_map(|(begin, end, at)| {
                    let first = begin == end && x == end;
                    (first || begin < x && x <= end).then(|| points[at].1)
                })
            }
            Steps::UpTo => {
                series.points.first().filter(|first| first.x <= x)?;
                points.filter(|p| x <= p.x).map(|p| p.y).next()
            }
            Steps::From => {
                series.points.last().filter(|last| x <= last.x)?;
                points.take_while(|p| p.x <= x).last().map(|p| p.y)
            }
            Steps::Straight | Steps::About | Steps::Points => {
                points.filter(|p| p.x == x).map(|p| p.y).next()
            }
        }
    }

    /// Where the names go in an area: at the ends if they have room there, else beside the curves.
    fn naming(&self, area: Rect, ctx: &Context) -> Naming {
        if ctx.panel {
            return Naming::Legend;
        }
        let (x, y) = self.sides(area, ctx);
        let plot_with = |right: f64| axes::frame(&mut Scene::default(), area, ctx, (&x, &y), right);
        let ends = EndLabels::new(&self.series, area, ctx);
        let moved = ends.moved(&self.series, &plot_with(ends.width), ctx);
        let tight = ctx.narrow() && ends.width > 0.3 * area.w;
        let line = ctx.theme.label * LEADING;
        let room = ends.clean && !tight;
        // Curves that end together are told apart where they part.
        if self.series.len() == 1 || (moved < 0.7 * line && room) {
            return Naming::Ends;
        }
        let plot = plot_with(8.0);
        let paths: Vec<_> = self.series.iter().map(|s| self.path(s, &plot)).collect();
        let size = ctx.theme.label;
        let names = self
            .series
            .iter()
            .map(|s| text::width(&s.name, size, false));
        let sizes: Vec<_> = names.map(|w| (w, line)).collect();
        match labels::where_parted(&paths, &sizes, plot.rect) {
            Some(placed) => Naming::Beside(placed),
            None if moved < 2.0 * line && room => Naming::Ends,
            None => Naming::Legend,
        }
    }
}

impl Drawing for Line {
    fn check(&self) -> Result<(), ChartError> {
        check_series(&self.series)?;
        for spot in &self.spots {
            ChartError::finite(&spot.label, [spot.x, spot.y])?;
        }
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
        extent.x = scale::join(extent.x, scale::range(self.spots.iter().map(|s| s.x)));
        extent.y = scale::join(extent.y, scale::range(self.spots.iter().map(|s| s.y)));
        if let (Steps::Bands(ends), Some((low, high))) = (&self.steps, extent.x) {
            extent.x = Some((Steps::band(ends, low).0, high));
        }
        extent
    }

    fn width(&self, ctx: &Context) -> f64 {
        curve_width(ctx)
    }

    fn least(&self, ctx: &Context) -> f64 {
        curve_least(ctx)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let under = match &self.categories {
            Some(names) if ctx.narrow() => axes::extra_under(names, ctx),
            _ => 0.0,
        };
        curve_height(ctx) + under
    }

    fn captions(&self) -> (String, String) {
        (self.x.caption(), self.y.caption())
    }

    fn legend(&self, ctx: &Context) -> Legend {
        let area = Rect::new(0.0, 0.0, ctx.width, self.height(ctx));
        match self.naming(area, ctx) {
            Naming::Legend if needs_names(&self.series) => Legend::Lines,
            _ => Legend::None,
        }
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        self.steps.note(words).into_iter().collect()
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let (x, y) = self.sides(area, ctx);
        // The legend was decided on for the usual height; any other shape of the area keeps to it.
        let naming = match self.legend(ctx) {
            Legend::None => self.naming(area, ctx),
            _ => Naming::Legend,
        };
        let ends = EndLabels::new(&self.series, area, ctx);
        let at_ends = matches!(naming, Naming::Ends) || self.series.len() == 1;
        let right = if at_ends { ends.width } else { 8.0 };
        let plot = axes::frame(scene, area, ctx, (&x, &y), right);
        for s in &self.series {
            self.ribbon(scene, s, &plot, ctx);
        }
        let on_paper = |s: &Series| -> Vec<(f64, f64)> {
            let points = s.points.iter();
            points.map(|p| (plot.x.at(p.x), plot.y.at(p.y))).collect()
        };
        let curves: Vec<_> = self.series.iter().map(on_paper).collect();
        let strands = Strands::new(&curves, ctx.theme.stroke);
        for (at, s) in self.series.iter().enumerate() {
            let look = ctx.looks.get(&s.name);
            let (stroke, ink) = match self.steps {
                Steps::Points => (
                    ctx.theme.stroke * 0.4,
                    look.line.mix(super::palette::WHITE, 0.45),
                ),
                _ => (ctx.theme.stroke, look.line),
            };
            let points: Vec<_> = s.points.iter().map(|p| (p.x, p.y)).collect();
            scene.series(&s.name);
            let pieces = match s.apart {
                true => Vec::new(),
                false => self.pieces(&points, Some(&strands.down[at]), &plot),
            };
            for piece in pieces {
                scene.dashed(&piece, stroke, ink, look.dash);
            }
        }
        for (at, s) in self.series.iter().enumerate() {
            let look = ctx.looks.get(&s.name);
            let r = ctx.theme.marker;
            scene.series(&s.name);
            for (i, p) in s
                .points
                .iter()
                .enumerate()
                .filter(|_| s.apart || s.points.len() <= 40)
            {
                let (turn, count) = strands.turn[at][i];
                // Where marks are all there is to see they stand side by side; along lines they take turns.
                let across = match self.steps {
                    Steps::Points => (turn as f64 - (count - 1) as f64 / 2.0) * 1.8 * r,
                    _ if s.apart || strands.marks(at, i) => 0.0,
                    _ => continue,
                };
                scene.marker(
                    (plot.x.at(p.x) + across, plot.y.at(p.y)),
                    r,
                    look.line,
                    look.marker,
                );
            }
        }
        for s in &self.series {
            for p in &s.points {
                let said = match &self.categories {
                    Some(names) => ctx.tip_at(&s.name, &names[p.x as usize], &self.y, p.y),
                    None => ctx.tip(&s.name, &self.x, p.x, &self.y, p.y),
                };
                scene.tip(&s.name, (plot.x.at(p.x), plot.y.at(p.y)), said);
            }
        }
        scene.nothing();
        self.draw_spots(scene, &plot, ctx);
        if at_ends {
            ends.draw(scene, &ends_of(&self.series, &plot), &plot, ctx);
        }
        if let Naming::Beside(placed) = naming {
            for (s, p) in self.series.iter().zip(placed) {
                let look = ctx.looks.get(&s.name);
                scene.rect(p.rect.inset(1.0), super::palette::WHITE);
                let kind = Type::new(ctx.theme.label, look.ink).middle();
                scene.block(p.rect.centre(), &[&s.name], kind);
            }
        }
    }
}

/// Where curves end.
fn ends_of(series: &[Series], plot: &Plot) -> Vec<(f64, f64)> {
    let last = |s: &Series| s.points.last().map(|p| (plot.x.at(p.x), plot.y.at(p.y)));
    series.iter().filter_map(last).collect()
}

impl Line {
    fn draw_spots(&self, scene: &mut Scene, plot: &Plot, ctx: &Context) {
        let (size, r) = (ctx.theme.label, ctx.theme.marker * 1.5);
        let ink = ctx.theme.ink;
        let mut taken: Vec<Rect> = Vec::new();
        for spot in &self.spots {
            let (x, y) = (plot.x.at(spot.x), plot.y.at(spot.y));
            let foot = plot.rect.bottom();
            scene.dashed(&[(x, y), (x, foot)], 0.8, ink, Dash::Dotted);
            scene.marker((x, y), r, ink, Marker::Ring);
            let (w, h) = (text::width(&spot.label, size, true), size * LEADING);
            let at = |side: f64, down: f64| {
                let middle = (x + side * (r + 4.0 + w / 2.0), y + down * (r + h / 2.0));
                Rect::new(middle.0 - w / 2.0 - 2.0, middle.1 - h / 2.0, w + 4.0, h)
            };
            // Left of a rising curve there is room above it, and right of a falling one.
            let side = if spot.rises { -1.0 } else { 1.0 };
            let places = [(side, -1.0), (-side, 1.0), (-side, -1.0), (side, 1.0)];
            let places = places.map(|(side, down)| at(side, down));
            let inside = |place: &&Rect| {
                let within = place.x >= plot.rect.x && place.right() <= plot.rect.right() + 8.0;
                within && place.y >= plot.rect.y && place.bottom() <= plot.rect.bottom()
            };
            let free = |place: &&Rect| taken.iter().all(|other| !other.overlaps(place));
            let mut there = places.iter().filter(inside);
            let found = there.clone().find(free).or(there.next());
            let about = *found.unwrap_or(&places[0]);
            taken.push(about);
            scene.rect(about, super::palette::WHITE);
            let kind = Type::new(size, ink).middle().bold();
            scene.block(about.centre(), &[&spot.label], kind);
        }
    }

    fn ribbon(&self, scene: &mut Scene, series: &Series, plot: &Plot, ctx: &Context) {
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
        if points.len() == 1 || series.apart || self.steps == Steps::Points {
            for p in points {
                let x = plot.x.at(p.x);
                let (low, high) = (plot.y.at(p.low), plot.y.at(p.high));
                scene.line((x, low), (x, high), 1.5, look.line);
            }
            return;
        }
        let edge = |y: fn(&Point) -> f64| {
            let points: Vec<_> = points.iter().map(|p| (p.x, y(p))).collect();
            self.pieces(&points, None, plot)
        };
        for (high, low) in edge(|p| p.high).into_iter().zip(edge(|p| p.low)) {
            let around = high.into_iter().chain(low.into_iter().rev());
            scene.fill(around.collect(), look.line, alpha);
        }
    }
}

/// Names to the right of the curves they belong to.
pub(super) struct EndLabels {
    lines: Vec<(String, Vec<String>)>,
    /// Whether no word had to be cut or left out.
    clean: bool,
    /// The room they need.
    pub(super) width: f64,
}

impl EndLabels {
    pub(super) fn new(series: &[Series], area: Rect, ctx: &Context) -> Self {
        if ctx.panel {
            return Self {
                lines: Vec::new(),
                clean: true,
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
        let whole = |s: &Series| {
            let lines = text::wrap(&s.name, size, false, room).len();
            lines <= 3 && text::breaks_cleanly(&s.name, size, room)
        };
        Self {
            lines,
            clean: series.iter().all(whole),
            width: if widest > 0.0 { widest + 30.0 } else { 12.0 },
        }
    }

    fn heights(&self, size: f64) -> Vec<f64> {
        let lines = self.lines.iter().map(|(_, lines)| lines.len() as f64);
        lines.map(|lines| lines * size * LEADING + 2.0).collect()
    }

    /// Where names stand beside the ends of their curves, pushed apart.
    fn spread(&self, ends: &[(f64, f64)], plot: &Plot, ctx: &Context) -> Vec<f64> {
        let wanted: Vec<_> = ends.iter().take(self.lines.len()).map(|e| e.1).collect();
        let room = (plot.rect.y - 10.0, plot.rect.bottom() + 12.0);
        labels::spread(&wanted, &self.heights(ctx.theme.label), room)
    }

    /// How far a name is pushed from the end of its curve, at most.
    fn moved(&self, series: &[Series], plot: &Plot, ctx: &Context) -> f64 {
        let ends = ends_of(series, plot);
        let at = self.spread(&ends, plot, ctx);
        let moved = at.iter().zip(&ends).map(|(y, end)| (y - end.1).abs());
        moved.fold(0.0, f64::max)
    }

    fn draw(&self, scene: &mut Scene, ends: &[(f64, f64)], plot: &Plot, ctx: &Context) {
        let size = ctx.theme.label;
        let at = self.spread(ends, plot, ctx);
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
