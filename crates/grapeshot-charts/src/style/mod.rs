//! How figures and tables are to look: size, type, colours, decimals and words, the same in every figure of a
//! book. Where it is read from is no matter of charts.

mod length;
mod palette;
mod phrases;
mod words;

pub use length::Length;
pub use palette::Palette;
pub use phrases::PHRASES;
pub use words::{Words, field_of, owned, owner_of};

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

impl Decimals {
    /// Text with the numbers in it set, written with points. What is part of a longer word or has a second point is none.
    pub fn in_text(self, text: &str) -> String {
        if self == Decimals::Point || !text.contains(|c: char| c.is_ascii_digit()) {
            return text.to_owned();
        }
        if let Some((before, source)) = text.split_once(" [").filter(|_| text.ends_with(']')) {
            return format!("{} [{source}", self.in_text(before));
        }
        let is_part = |c: char| c.is_alphanumeric() || "._-/=".contains(c);
        let of_number = |c: char| c.is_ascii_digit() || ".,".contains(c);
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            out += &rest[..at];
            rest = &rest[at..];
            let end = rest.find(|c| !of_number(c)).unwrap_or(rest.len());
            let number = rest[..end].trim_end_matches(['.', ',']);
            let after = rest[number.len()..].chars().next();
            let is_word = out.ends_with(is_part) || after.is_some_and(char::is_alphabetic);
            match !is_word && is_number(number) {
                true => out += &self.set(number),
                false => out += number,
            }
            rest = &rest[number.len()..];
        }
        out + rest
    }
}

/// Whether digits are one number: one point at most, and commas only before three digits.
fn is_number(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let grouped = groups.all(|group| group.len() == 3);
    let plain = !whole.contains(',') || (first.len() <= 3 && !first.starts_with('0'));
    grouped && plain && !part.contains(['.', ','])
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
    /// The size of the title.
    pub title_size: Option<Length>,
    /// The size of the names of axes, ticks and series.
    pub label_size: Option<Length>,
    /// What is left free around a figure.
    pub padding: Option<Length>,
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
            title_size: self.title_size.or(base.title_size),
            label_size: self.label_size.or(base.label_size),
            padding: self.padding.or(base.padding),
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

    /// Text that was put together in English, in the words and numbers of this style.
    pub fn text(&self, text: &str) -> String {
        self.decimals().in_text(&self.words.text(text))
    }

    /// Whether text is set in other words or numbers.
    pub fn rewords(&self) -> bool {
        !self.words.is_empty() || self.decimals() != Decimals::Point
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
    fn numbers_in_text_are_set_and_words_are_not() {
        let set = |text: &str| Decimals::Comma.in_text(text);
        assert_eq!(
            set("49.5 % of 1,200 men, 3.25."),
            "49,5 % of 1\u{202f}200 men, 3,25."
        );
        assert_eq!(
            set("grapeshot 0.3.0; a.stands=1.5; 2.5x, 1, 2"),
            "grapeshot 0.3.0; a.stands=1.5; 2.5x, 1, 2"
        );
        assert_eq!(set("±0.3 (0,5)"), "±0,3 (0,5)");
    }

    #[test]
    fn text_is_found_whole_in_parts_and_with_gaps() {
        let pairs = [
            ("attacker's {1}", "{1} des Angreifers"),
            ("attacker {1}", "Angreifer: {1}"),
            ("grade", "Güte"),
            ("won", "gewonnen"),
            (
                "only {1} can, and the {2} is {3}",
                "nur {1} kann es, und {3} ist: {2}",
            ),
            ("{1} by {2}", "{1} nach {2}"),
            ("artillery", "Artillerie"),
        ];
        let words = Words::new(
            pairs
                .map(|(word, said)| (word.to_owned(), said.to_owned()))
                .to_vec(),
        );
        let said = |text: &str| words.text(text);
        assert_eq!(
            said("attacker's grade, won"),
            "Güte des Angreifers, gewonnen"
        );
        assert_eq!(said("attacker.grade2"), "Güte 2 des Angreifers");
        assert_eq!(words.flag("attacker.flank"), "Angreifer: flank");
        let refused = "only artillery can, and the unit is infantry";
        assert_eq!(
            said(refused),
            "nur Artillerie kann es, und infantry ist: unit"
        );
        assert_eq!(
            said("Only artillery can, and the unit is infantry"),
            "Nur Artillerie kann es, und infantry ist: unit"
        );
        // Too little to tell a sentence by.
        assert_eq!(said("stand by me"), "stand by me");
        assert_eq!(words.tell("{1} by {2}", &["a", "b"]), "a nach b");
    }

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
