//! A picture in a document: drawn only if somebody will see it.

use grapeshot_charts::style::Length;
use grapeshot_charts::{Chart, ChartError, Style};

/// A picture with the name of its file.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The file it would be kept in, without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The picture.
    pub drawing: Drawing,
    /// The same for a phone, as SVG, if it is drawn already.
    pub narrow: Option<String>,
    /// Where it can be found, once it is written.
    pub file: Option<String>,
}

/// The room a phone has for a figure, and the smallest text that is read there.
const PHONE: (Length, Length) = (Length::mm(92.0), Length::points(7.5));

/// A chart for a phone, as SVG: its panels stand below each other. None for one that has no room there; it is
/// shown as it is, and scrolls.
pub fn narrow(chart: &Chart) -> Option<String> {
    let style = Style {
        width: Some(PHONE.0),
        font_size: Some(PHONE.1),
        height: None,
        ..chart.style.clone()
    };
    let chart = Chart {
        style,
        ..chart.clone()
    };
    chart.drawn().ok().map(|drawn| drawn.live())
}

/// A picture before or after it is drawn.
#[derive(Debug, Clone)]
pub enum Drawing {
    /// To be drawn.
    Chart(Box<Chart>),
    /// Drawn, as SVG.
    Svg(String),
}

impl Picture {
    /// A chart to be drawn.
    pub fn chart(name: impl Into<String>, chart: Chart) -> Self {
        Picture {
            name: name.into(),
            title: chart.title.clone(),
            drawing: Drawing::Chart(Box::new(chart)),
            narrow: None,
            file: None,
        }
    }

    /// A picture that is drawn already, as SVG.
    pub fn drawn(name: impl Into<String>, title: impl Into<String>, svg: String) -> Self {
        Picture {
            name: name.into(),
            title: title.into(),
            drawing: Drawing::Svg(svg),
            narrow: None,
            file: None,
        }
    }

    /// The chart, unless it is drawn already.
    pub fn chart_of(&self) -> Option<&Chart> {
        match &self.drawing {
            Drawing::Chart(chart) => Some(chart),
            Drawing::Svg(_) => None,
        }
    }

    /// What it shows, in words: its title, and what its numbers say.
    pub fn alt(&self) -> String {
        let said = match &self.drawing {
            Drawing::Chart(chart) => chart.alt().text,
            Drawing::Svg(svg) => {
                let inside = svg.split_once("<desc>").map_or("", |(_, rest)| rest);
                let inside = inside.split_once("</desc>").map_or("", |(text, _)| text);
                inside
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&amp;", "&")
            }
        };
        match said.is_empty() {
            true => self.title.clone(),
            false => format!("{}. {said}", self.title.trim_end_matches('.')),
        }
    }

    /// Gives it a style, unless it is drawn already.
    pub fn restyle(&mut self, style: &Style) {
        if let Drawing::Chart(chart) = &mut self.drawing {
            **chart = chart.as_ref().clone().in_style(style);
        }
    }

    /// The picture as SVG, from its root element on: fit to stand inside a page.
    ///
    /// # Errors
    /// If the chart cannot be drawn.
    pub fn svg(&self) -> Result<String, ChartError> {
        let whole = match &self.drawing {
            Drawing::Svg(svg) => svg.clone(),
            Drawing::Chart(chart) => grapeshot_charts::svg(chart)?,
        };
        Ok(root(&whole))
    }

    /// The same for a page: what it shows can be pointed at.
    ///
    /// # Errors
    /// If the chart cannot be drawn.
    pub fn live(&self) -> Result<String, ChartError> {
        let whole = match &self.drawing {
            Drawing::Svg(svg) => svg.clone(),
            Drawing::Chart(chart) => chart.drawn()?.live(),
        };
        Ok(root(&whole))
    }

    /// The same for a phone, if it has room there.
    pub fn narrow_svg(&self) -> Option<String> {
        let drawn = match &self.drawing {
            Drawing::Chart(chart) => narrow(chart),
            Drawing::Svg(_) => self.narrow.clone(),
        };
        drawn.map(|svg| root(&svg))
    }
}

fn root(svg: &str) -> String {
    svg[svg.find("<svg").unwrap_or(0)..].to_owned()
}
