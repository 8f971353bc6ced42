//! Charts: plain data in, SVG, PNG or PDF out, in a [`Style`].
//!
//! Nothing here reads or writes a file, or knows of the project more than whom an outcome can favour.
//! The same [`Chart`] always gives the same bytes.

mod alt;
mod axes;
#[cfg(feature = "png")]
mod bitmap;
mod body;
mod boxes;
mod dotplot;
mod dress;
mod dumbbell;
mod error;
mod headline;
mod heatmap;
mod labels;
mod legend;
mod line;
mod looks;
mod of_hundred;
#[cfg(feature = "png")]
mod packed;
mod page;
pub mod palette;
mod panels;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "pdf")]
mod pdf_grey;
#[cfg(feature = "pdf")]
mod pdf_order;
mod pmf;
mod policy;
mod restyle;
mod scale;
mod scene;
mod sheet;
mod stacked;
mod strands;
pub mod style;
mod survival;
mod svg;
mod text;
mod tornado;
mod unit;
mod widths;

pub use alt::Alt;
pub use boxes::{BoxRow, Boxes};
pub use dotplot::{DotPlot, DotRow};
pub use dress::{Dress, Reference};
pub use dumbbell::{Dumbbell, DumbbellRow};
pub use error::ChartError;
pub use heatmap::{Heatmap, HeatmapCell};
pub use line::{Line, Point, Series, Spot, Steps};
pub use of_hundred::OfHundred;
pub(crate) use palette::Colour;
pub use panels::{Content, Panel, Panels};
pub use pmf::{Estimate, Pmf, PmfSeries};
pub use policy::{Advice, Policy};
pub use restyle::reword;
pub use sheet::{Paper, SheetCell, SheetPage, SheetTable, draw_sheet};
pub use stacked::Stacked;
pub use survival::Survival;
pub use tornado::{Tornado, TornadoRow};
pub use unit::{Axis, Unit};

pub use style::{Medium, Style};

/// A sentence with its gaps filled, in the words of a style: `tell!(words, "{1} by {2}.", y, x)`. Every sentence is
/// one of [`style::PHRASES`], by which a dictionary knows it.
#[macro_export]
macro_rules! tell {
    ($words:expr, $phrase:literal $(, $with:expr)* $(,)?) => {
        $words.tell($phrase, &[$(&$with.to_string()),*])
    };
}

use grapeshot_engine::dist::{Favour, Variable, VariableKind};

/// A chart with everything a reader needs to understand it on its own.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What the chart shows; wrapped when long.
    pub title: String,
    /// A second line, for what is held constant.
    pub subtitle: Option<String>,
    /// Settings, method and seed in small type underneath, at most three lines.
    pub footer: String,
    /// How it looks.
    pub style: Style,
    /// What the names of series and segments mean, where they mean more than a name.
    pub meanings: Vec<(String, Meaning)>,
    /// What it shows, in words; made from the numbers if absent.
    pub alt: Option<String>,
    /// What its author asks for beyond the data.
    pub dress: Dress,
    /// The data and its kind of picture.
    pub body: Body,
}

/// Whom an outcome favours, and how decisive it is among those that favour alike: 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning {
    /// Whom it favours.
    pub favour: Favour,
    /// How decisive it is.
    pub weight: f64,
}

impl Meaning {
    /// What the labels of a variable mean.
    pub fn of(variable: &Variable) -> Vec<(String, Meaning)> {
        let VariableKind::Category(labels) = &variable.kind else {
            return Vec::new();
        };
        let meaning = |label: &String| {
            let (favour, rank, count) = variable.standing(label)?;
            let weight = match count {
                1 => 2.0 / 3.0,
                _ => rank as f64 / (count - 1) as f64,
            };
            Some((label.clone(), Meaning { favour, weight }))
        };
        labels.iter().filter_map(meaning).collect()
    }
}

/// The kinds of chart.
#[derive(Debug, Clone)]
pub enum Body {
    /// Curves over a numeric or categorical axis, with 95 % ribbons.
    Line(Line),
    /// A value for each pair of labels.
    Heatmap(Heatmap),
    /// Shares of a whole, one bar per label.
    Stacked(Stacked),
    /// How many of a hundred.
    OfHundred(OfHundred),
    /// The probability of each value.
    Pmf(Pmf),
    /// The probability of at least each value.
    Survival(Survival),
    /// Quantiles per label.
    Boxes(Boxes),
    /// Equally likely values per label.
    DotPlot(DotPlot),
    /// How far each factor moves a value from its baseline.
    Tornado(Tornado),
    /// Two values per label.
    Dumbbell(Dumbbell),
    /// What to do, for each pair of labels.
    Policy(Policy),
    /// Several charts on shared scales.
    Panels(Panels),
}

impl Chart {
    /// A screen chart with a title and a body.
    pub fn new(title: impl Into<String>, body: impl Into<Body>) -> Self {
        Self {
            title: title.into(),
            subtitle: None,
            footer: String::new(),
            style: Style::default(),
            meanings: Vec::new(),
            alt: None,
            dress: Dress::default(),
            body: body.into(),
        }
    }

    /// The same chart with the outcomes of a variable in the colours of those they favour.
    #[must_use]
    pub fn meaning(mut self, variable: &Variable) -> Self {
        self.meanings = Meaning::of(variable);
        self
    }

    /// The same chart with a subtitle.
    #[must_use]
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = Some(subtitle.into());
        self
    }

    /// The same chart with a footer.
    #[must_use]
    pub fn footer(mut self, footer: impl Into<String>) -> Self {
        self.footer = footer.into();
        self
    }

    /// The same chart in another style.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The same chart for screen or print.
    #[must_use]
    pub fn medium(mut self, medium: Medium) -> Self {
        self.style.medium = Some(medium);
        self
    }
}

macro_rules! into_body {
    ($($kind:ident),*) => {
        $(impl From<$kind> for Body {
            fn from(kind: $kind) -> Self {
                Self::$kind(kind)
            }
        })*
    };
}
into_body!(
    Line, Heatmap, Stacked, OfHundred, Pmf, Survival, Boxes, DotPlot, Tornado, Dumbbell, Policy,
    Panels
);

/// A file a chart can be drawn into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Vectors and real text.
    Svg,
    /// Dots.
    #[cfg(feature = "png")]
    Png,
    /// Vectors and real text, its type embedded.
    #[cfg(feature = "pdf")]
    Pdf,
}

impl PictureFormat {
    /// Every format there is.
    pub const ALL: &'static [PictureFormat] = &[
        PictureFormat::Svg,
        #[cfg(feature = "png")]
        PictureFormat::Png,
        #[cfg(feature = "pdf")]
        PictureFormat::Pdf,
    ];

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            PictureFormat::Svg => "svg",
            #[cfg(feature = "png")]
            PictureFormat::Png => "png",
            #[cfg(feature = "pdf")]
            PictureFormat::Pdf => "pdf",
        }
    }

    /// The format of a file's ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let is_it = |format: &&PictureFormat| format.ending().eq_ignore_ascii_case(ending);
        Self::ALL.iter().find(is_it).copied()
    }
}

/// A chart laid out once, for as many formats as are wanted of it.
#[derive(Debug)]
pub struct Drawn<'a> {
    chart: &'a Chart,
    scene: scene::Scene,
    svg: std::cell::OnceCell<String>,
}

impl Drawn<'_> {
    /// As the bytes of a file.
    ///
    /// # Errors
    /// If the format cannot show it: the type that the style names is not installed.
    pub fn bytes(&self, format: PictureFormat) -> Result<Vec<u8>, ChartError> {
        match format {
            PictureFormat::Svg => Ok(self.svg().as_bytes().to_vec()),
            #[cfg(feature = "png")]
            PictureFormat::Png => {
                let style = &self.chart.style;
                bitmap::png(&self.scene, style.medium(), style.dpi())
            }
            #[cfg(feature = "pdf")]
            PictureFormat::Pdf => {
                let font = self.chart.style.font.as_deref();
                match self.chart.style.medium() {
                    Medium::Screen => pdf::pdf(self.svg(), font),
                    Medium::Print => pdf::grey(self.svg(), font),
                }
            }
        }
    }

    /// As an SVG document for a page: a series stands out when it is pointed at or in focus, and says its values. No
    /// script is needed.
    pub fn live(&self) -> String {
        let font = self.chart.style.font.as_deref();
        svg::live(&self.scene, &self.chart.alt(), font)
    }

    /// As an SVG document.
    pub fn svg(&self) -> &str {
        self.svg.get_or_init(|| {
            let font = self.chart.style.font.as_deref();
            svg::svg(&self.scene, &self.chart.alt(), font)
        })
    }
}

impl Chart {
    /// Lays it out, to be drawn.
    ///
    /// # Errors
    /// If the data is empty, contradictory or not finite, or the style asks for what cannot be.
    pub fn drawn(&self) -> Result<Drawn<'_>, ChartError> {
        Ok(Drawn {
            chart: self,
            scene: page::compose(&strands::merged(self))?,
            svg: std::cell::OnceCell::new(),
        })
    }
}

/// The chart as the bytes of a file.
///
/// # Errors
/// If the data is empty, contradictory or not finite, or the style asks for what cannot be.
pub fn draw(chart: &Chart, format: PictureFormat) -> Result<Vec<u8>, ChartError> {
    chart.drawn()?.bytes(format)
}

/// The chart as an SVG document.
///
/// # Errors
/// As [`draw`].
pub fn svg(chart: &Chart) -> Result<String, ChartError> {
    Ok(chart.drawn()?.svg().to_owned())
}

/// The chart as PNG bytes: in colour for screens, in grey for print.
///
/// # Errors
/// As [`draw`].
#[cfg(feature = "png")]
pub fn png(chart: &Chart) -> Result<Vec<u8>, ChartError> {
    draw(chart, PictureFormat::Png)
}

/// The chart as a page of PDF of its own size.
///
/// # Errors
/// As [`draw`], and if the type that the style names is not installed.
#[cfg(feature = "pdf")]
pub fn pdf(chart: &Chart) -> Result<Vec<u8>, ChartError> {
    draw(chart, PictureFormat::Pdf)
}

#[cfg(test)]
mod size_tests;
#[cfg(test)]
mod tests;
