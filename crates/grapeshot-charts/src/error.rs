//! What can be wrong with the data of a chart.

/// Why a chart cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// There is nothing to draw.
    #[error("the chart has no {0}")]
    Empty(&'static str),
    /// Two parts that belong together differ in length.
    #[error("{what}: {found} given where {expected} are needed")]
    Mismatch {
        /// The part at fault.
        what: String,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A number is infinite, not a number, or out of its range.
    #[error("{0} is not a usable number")]
    Number(String),
    /// Two series or segments have the same name.
    #[error("{0:?} is named twice")]
    Twice(String),
    /// Something that is drawn lies outside the range that was asked for.
    #[error("`range` = [{}, {}] leaves out what is shown: allowed is one that holds {:.4} to {:.4}", given.0, given.1, needed.0, needed.1)]
    Range {
        /// The range that was asked for.
        given: (f64, f64),
        /// What has to be in it.
        needed: (f64, f64),
    },
    /// Panels inside panels.
    #[error("panels cannot contain panels")]
    Nested,
    /// The asked width or height is too small for what is drawn.
    #[error("{}`figure.{side}`: {given:.0}mm is too small for the text of this chart: allowed is {least:.0}mm or more, \
             or a smaller font_size (now {points:.1}pt){}", .file.as_ref().map_or(String::new(), |f| format!("{f}: ")), .hint)]
    Small {
        /// The file that asks for it.
        file: Option<String>,
        /// `width` or `height`.
        side: &'static str,
        /// What was asked for, in millimetres.
        given: f64,
        /// The least that will do.
        least: f64,
        /// The size of the smallest text.
        points: f64,
        /// What else would help.
        hint: &'static str,
    },
    /// The tables of a sheet are too many for the paper, in type of so many points.
    #[error(
        "the sheet does not fit on two sides in type of {0:.1}pt: allowed is a smaller `figure.font_size`, or fewer \
         tables in [sheet]"
    )]
    Crowded(f64),
    /// There is no such type to embed.
    #[error(
        "`figure.font`: no family `{0}` is installed, so it cannot be embedded: allowed is an installed one, or no font"
    )]
    Font(String),
    /// The backend failed.
    #[error("drawing failed: {0}")]
    Draw(String),
}

impl ChartError {
    /// Whether it is what was asked that is wrong: a size or a type that cannot be.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::Small { .. } | Self::Range { .. } | Self::Crowded(_) | Self::Font(_)
        )
    }

    /// An error unless the lengths agree.
    pub(super) fn length(what: &str, found: usize, expected: usize) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Mismatch {
            what: what.to_owned(),
            found,
            expected,
        })
    }

    /// An error unless there is at least one.
    pub(super) fn some(what: &'static str, count: usize) -> Result<(), Self> {
        if count == 0 {
            Err(Self::Empty(what))
        } else {
            Ok(())
        }
    }

    /// An error if a name comes twice: it could not have a colour of its own.
    pub(super) fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Self> {
        let mut seen = Vec::new();
        for name in names {
            if seen.contains(&name) {
                return Err(Self::Twice(name.to_owned()));
            }
            seen.push(name);
        }
        Ok(())
    }

    /// An error unless every number is finite.
    pub(super) fn finite(what: &str, numbers: impl IntoIterator<Item = f64>) -> Result<(), Self> {
        match numbers.into_iter().find(|v| !v.is_finite()) {
            Some(v) => Err(Self::Number(format!("{what}: {v}"))),
            None => Ok(()),
        }
    }

    /// An error unless every one of `names` has a usable share for each segment.
    pub(super) fn shares(
        names: &[String],
        segments: &[String],
        shares: &[Vec<f64>],
    ) -> Result<(), Self> {
        Self::some("segments", segments.len())?;
        Self::distinct(segments.iter().map(String::as_str))?;
        Self::length("shares", shares.len(), names.len())?;
        for (name, shares) in names.iter().zip(shares) {
            Self::length(name, shares.len(), segments.len())?;
            Self::finite(name, shares.iter().copied())?;
            if shares.iter().any(|s| *s < 0.0) || shares.iter().sum::<f64>() <= 0.0 {
                return Err(Self::Number(format!("a share of {name}")));
            }
        }
        Ok(())
    }
}
