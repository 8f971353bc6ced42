//! What the author of a chart asks for beyond its data: remarks, a range, lines of reference, colours.

use super::{Chart, ChartError};

/// What its author wants of a chart. What is not said is as usual.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dress {
    /// What stands before the names that a legend explains.
    pub legend: Option<String>,
    /// A remark underneath.
    pub note: Option<String>,
    /// Where what is shown is from.
    pub source: Option<String>,
    /// The range of the axis of values, or of the colours of a map.
    pub range: Option<(f64, f64)>,
    /// Lines that values are held against.
    pub lines: Vec<Reference>,
    /// Colours of some names.
    pub colours: Vec<(String, u32)>,
    /// Names that stand out; all others are pale.
    pub highlight: Vec<String>,
    /// Names that are steps of a scale, and where they stand on it, from 0 to 1.
    pub ordered: Vec<(String, f64)>,
}

/// A line across a chart, at a value or at a place along it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Where.
    pub at: f64,
    /// What stands beside it.
    pub label: String,
    /// Whether it is at a place along the chart and not at a value.
    pub along: bool,
}

/// Whether a name is one of those that were meant, also where several curves have one name.
pub(super) fn is_named(name: &str, meant: &str) -> bool {
    name == meant || name.split(super::strands::SAME).any(|part| part == meant)
}

impl Dress {
    /// The colour that was asked for a name.
    pub(super) fn colour(&self, name: &str) -> Option<u32> {
        let mut asked = self.colours.iter();
        asked.find(|(meant, _)| is_named(name, meant)).map(|c| c.1)
    }

    /// Where a name stands on its scale.
    pub(super) fn place(&self, name: &str) -> Option<f64> {
        let mut ordered = self.ordered.iter();
        ordered.find(|(step, _)| is_named(name, step)).map(|s| s.1)
    }

    /// Whether a name steps back behind those that stand out.
    pub(super) fn is_pale(&self, name: &str) -> bool {
        let stands_out = |meant: &String| is_named(name, meant);
        !self.highlight.is_empty() && !self.highlight.iter().any(stands_out)
    }

    /// An error unless everything that is drawn lies in the range that was asked for.
    pub(super) fn check(&self, chart: &Chart) -> Result<(), ChartError> {
        let Some((low, high)) = self.range else {
            return Ok(());
        };
        let extent = chart.body.kind().extent();
        let values = match chart.body.kind().lies() {
            true => extent.x,
            false => extent.value.or(extent.y),
        };
        match values {
            Some((least, most)) if least < low - 1e-9 || most > high + 1e-9 => {
                Err(ChartError::Range {
                    given: (low, high),
                    needed: (least, most),
                })
            }
            _ => Ok(()),
        }
    }
}
