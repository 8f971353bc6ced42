//! What every kind of chart can say and do.

use super::looks::{Looks, Theme};
use super::palette::Inks;
use super::scale;
use super::scene::{Rect, Scene};
use super::style::Words;
use super::unit::{Axis, Unit};
use super::{Body, Chart, ChartError, Dress, Medium, Style};

/// The ranges and names in some data, to be shared between panels.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    pub(super) x: Option<(f64, f64)>,
    pub(super) y: Option<(f64, f64)>,
    /// Of the values shown by colour.
    pub(super) value: Option<(f64, f64)>,
    /// The names of series or segments, in order.
    pub(super) keys: Vec<String>,
}

impl Extent {
    pub(super) fn join(&mut self, other: Self) {
        self.x = scale::join(self.x, other.x);
        self.y = scale::join(self.y, other.y);
        self.value = scale::join(self.value, other.value);
        for key in other.keys {
            if !self.keys.contains(&key) {
                self.keys.push(key);
            }
        }
    }
}

/// What a body is drawn with.
#[derive(Debug, Clone)]
pub(super) struct Context {
    pub(super) theme: Theme,
    pub(super) style: Style,
    pub(super) medium: Medium,
    pub(super) inks: Inks,
    pub(super) extent: Extent,
    pub(super) looks: Looks,
    pub(super) dress: Dress,
    /// The room from left to right.
    pub(super) width: f64,
    /// One of several: names are in a common legend.
    pub(super) panel: bool,
    /// Whether the axes are named; not where panels share their names.
    pub(super) captions: bool,
}

/// A column of a book: what is drawn in less room stands closer.
const NARROW: f64 = 420.0;

impl Context {
    /// The context of a whole chart that is to be so wide, if anything is asked.
    pub(super) fn new(chart: &Chart, width: Option<f64>) -> Self {
        let mut extent = chart.body.kind().extent();
        // Lines of reference are on the paper, wherever the data ends.
        let lies = chart.body.kind().lies();
        for line in &chart.dress.lines {
            let side = match line.along || lies {
                true => &mut extent.x,
                false => &mut extent.y,
            };
            *side = scale::join(*side, Some((line.at, line.at)));
        }
        let medium = chart.style.medium();
        let inks = Inks::new(&chart.style.palette());
        Self {
            looks: Looks::new(&extent.keys, medium, &inks, &chart.meanings, &chart.dress),
            theme: Theme::new(width, &chart.style),
            style: chart.style.clone(),
            dress: chart.dress.clone(),
            medium,
            inks,
            extent,
            width: width.unwrap_or(f64::INFINITY),
            panel: false,
            captions: true,
        }
    }

    /// Whether the room is a column rather than a page.
    pub(super) fn narrow(&self) -> bool {
        self.theme.compact && self.width < NARROW
    }

    /// A value on its own, as in a cell, with the decimals of the style.
    pub(super) fn value(&self, unit: &Unit, value: f64) -> String {
        self.style.decimals().set(&unit.value(value))
    }

    /// A tick of an axis whose ticks are `step` apart.
    pub(super) fn tick(&self, unit: &Unit, value: f64, step: f64) -> String {
        self.style.decimals().set(&unit.tick(value, step))
    }

    /// The range of the axis of values: what was asked for, or one that holds the data.
    pub(super) fn values(&self, data: Option<(f64, f64)>, unit: &Unit) -> (f64, f64) {
        let held = || value_range(data.unwrap_or((0.0, 1.0)), unit);
        self.dress.range.unwrap_or_else(held)
    }

    /// What a point of a series says of itself when it is pointed at.
    pub(super) fn tip(&self, series: &str, x: &Axis, at: f64, y: &Axis, value: f64) -> String {
        self.tip_at(series, &self.value(&x.unit, at), y, value)
    }

    /// The same at a place that has a name.
    pub(super) fn tip_at(&self, series: &str, place: &str, y: &Axis, value: f64) -> String {
        let said = self.value(&y.unit, value);
        match series.is_empty() {
            true => format!("{place}: {said}"),
            false => format!("{series}, {place}: {said}"),
        }
    }

    /// Ticks that a horizontal axis of some length has room for.
    pub(super) fn ticks_across(&self, length: f64) -> usize {
        ((length / (self.theme.tick * 5.5)) as usize).clamp(3, 12)
    }

    /// Ticks that an upright axis of some length has room for.
    pub(super) fn ticks_up(&self, length: f64) -> usize {
        ((length / 60.0).round() as usize).clamp(3, 6)
    }
}

/// How names are explained above the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Legend {
    None,
    Areas,
    Lines,
}

/// The scale of colours beside a chart.
#[derive(Debug, Clone)]
pub(super) struct Bar {
    pub(super) axis: Axis,
    pub(super) diverging: bool,
    /// The height of the cells it belongs to, if they are one block.
    pub(super) height: Option<f64>,
}

/// A kind of chart.
pub(super) trait Drawing {
    /// Whether the data can be drawn.
    fn check(&self) -> Result<(), ChartError>;
    /// The ranges and names of the data.
    fn extent(&self) -> Extent;
    /// The width it would like to have.
    fn width(&self, ctx: &Context) -> f64;
    /// The least width at which its text has room.
    fn least(&self, ctx: &Context) -> f64;
    /// The height it would like to have at the width of the context.
    fn height(&self, ctx: &Context) -> f64;
    /// Draws itself into an area.
    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context);
    /// The names of the horizontal and vertical axes.
    fn captions(&self) -> (String, String);
    /// Whether values run from left to right, beside a label for each row.
    fn lies(&self) -> bool {
        false
    }
    /// The least height at which its text has room, at the width of the context.
    fn shortest(&self, ctx: &Context) -> f64 {
        0.6 * self.height(ctx)
    }
    /// The legend it needs.
    fn legend(&self, _ctx: &Context) -> Legend {
        Legend::None
    }
    /// The scale of colours it needs.
    fn bar(&self, _ctx: &Context) -> Option<Bar> {
        None
    }
    /// What its values are, where neither an axis nor a scale of colours says it.
    fn measure(&self, _ctx: &Context) -> Option<String> {
        None
    }
    /// Remarks to be listed underneath.
    fn notes(&self, _words: &Words) -> Vec<String> {
        Vec::new()
    }
}

impl Body {
    pub(super) fn kind(&self) -> &dyn Drawing {
        match self {
            Self::Line(b) => b,
            Self::Heatmap(b) => b,
            Self::Stacked(b) => b,
            Self::OfHundred(b) => b,
            Self::Pmf(b) => b,
            Self::Survival(b) => b,
            Self::Boxes(b) => b,
            Self::DotPlot(b) => b,
            Self::Tornado(b) => b,
            Self::Dumbbell(b) => b,
            Self::Policy(b) => b,
            Self::Panels(b) => b,
        }
    }
}

/// A range for an axis of values: from nought when that wastes little room, rounded
/// outwards, and never beyond 0 to 100 % for probabilities.
fn value_range((lo, hi): (f64, f64), unit: &Unit) -> (f64, f64) {
    let lo = if lo > 0.0 && lo < 0.6 * hi { 0.0 } else { lo };
    let (lo, hi) = scale::widen((lo, hi), 6);
    match unit {
        Unit::Percent => (lo.max(0.0), hi.min(1.0)),
        _ => (lo, hi),
    }
}
