//! How figures and tables are to look: size, type, colours, decimals and words, the same in every figure of a
//! book. Where it is read from is no matter of charts.

mod length;
mod palette;
mod phrases;
mod words;

pub use length::Length;
pub use palette::Palette;
pub use phrases::PHRASES;
pub use words::Words;

grapeshot_engine::labels! {
    /// Where a figure will be seen.
    pub enum Medium {
        /// Colour.
        Screen = "screen",
        /// Greys with shades, dashes and hatches that survive black-and-white print.
        Print = "print",
    }
}

grapeshot_engine::labels! {
    /// What stands before the decimals.
    pub enum Decimals { Point = ".", Comma = "," }
}

impl Decimals {
    /// A number written with a point, as it is written here. Where the comma is taken, thousands are set apart
    /// by a narrow space.
    pub fn set(self, number: &str) -> String {
        match self {
            Decimals::Point => number.to_owned(),
            Decimals::Comma => {
                let number = number.replace(',', "\u{202f}").replace('.', ",");
                match number.strip_suffix('%') {
                    Some(number) if number.ends_with(|c: char| c.is_ascii_digit()) => {
                        format!("{number}\u{202f}%")
                    }
                    _ => number,
                }
            }
        }
    }
}

/// What stands in small type under a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Footer {
    /// The settings and the method.
    Made,
    /// Nothing.
    None,
    /// This.
    Text(String),
}

/// How figures and tables are to look. What is not said is as usual.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Style {
    /// The width of a figure; from its content if absent.
    pub width: Option<Length>,
    /// The height of a figure; from its content if absent.
    pub height: Option<Length>,
    /// The size of the smallest text.
    pub font_size: Option<Length>,
    /// A family of type for SVG and PDF.
    pub font: Option<String>,
    /// The colours.
    pub palette: Option<Palette>,
    /// Screen or print.
    pub medium: Option<Medium>,
    /// What stands underneath.
    pub footer: Option<Footer>,
    /// Whether bars, cells and segments have their numbers printed.
    pub value_labels: Option<bool>,
    /// What stands before the decimals.
    pub decimals: Option<Decimals>,
    /// Whether remarks stand under a figure.
    pub notes: Option<bool>,
    /// Dots of a PNG to the inch.
    pub dpi: Option<u32>,
    /// What things are called.
    pub words: Words,
    /// The file that set the width, for messages.
    pub sized_in: String,
}

/// The size of the smallest text where none is asked for.
pub(crate) const USUAL_FONT_SIZE: Length = Length::points(7.5);

impl Style {
    /// This style, and where it says nothing another.
    #[must_use]
    pub fn over(self, base: &Style) -> Self {
        let sized_in = match (&self.width, &base.width) {
            (None, Some(_)) => base.sized_in.clone(),
            _ => self.sized_in,
        };
        let base = base.clone();
        Style {
            width: self.width.or(base.width),
            height: self.height.or(base.height),
            font_size: self.font_size.or(base.font_size),
            font: self.font.or(base.font),
            palette: self.palette.or(base.palette),
            medium: self.medium.or(base.medium),
            footer: self.footer.or(base.footer),
            value_labels: self.value_labels.or(base.value_labels),
            decimals: self.decimals.or(base.decimals),
            notes: self.notes.or(base.notes),
            dpi: self.dpi.or(base.dpi),
            words: self.words.over(&base.words),
            sized_in,
        }
    }

    /// The size of the smallest text.
    pub fn smallest(&self) -> Length {
        self.font_size.unwrap_or(USUAL_FONT_SIZE)
    }

    /// Screen or print.
    pub fn medium(&self) -> Medium {
        self.medium.unwrap_or(Medium::Screen)
    }

    /// What stands before the decimals.
    pub fn decimals(&self) -> Decimals {
        self.decimals.unwrap_or(Decimals::Point)
    }

    /// Whether numbers are printed in bars, cells and segments.
    pub fn value_labels(&self) -> bool {
        self.value_labels.unwrap_or(true)
    }

    /// Dots of a PNG to the inch: those of a sharp screen, or those of print.
    pub fn dpi(&self) -> u32 {
        self.dpi.unwrap_or(match self.medium() {
            Medium::Screen => 192,
            Medium::Print => 300,
        })
    }

    /// The colours.
    pub fn palette(&self) -> Palette {
        self.palette.clone().unwrap_or_default()
    }

    /// What stands underneath, given the settings and the method.
    pub fn footer(&self, made: &str) -> String {
        match &self.footer {
            None | Some(Footer::Made) => made.to_owned(),
            Some(Footer::None) => String::new(),
            Some(Footer::Text(text)) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_a_dictionary_read_like_english() {
        let words = Words::default();
        assert_eq!(
            words.key("attacker.panic_markers"),
            "attacker's panic markers"
        );
        assert_eq!(words.flag("defender.flanked"), "defender flanked");
        assert_eq!(
            words.label("outcome", "attacker-falls-back"),
            "attacker falls back"
        );
    }
}
