//! How figures and tables are to look: size, type, colours, decimals and words, the same in every figure of a
//! book.
//!
//! A style is a file with `[figure]` and `[words]`; a study may have both tables itself, and what it says there
//! goes before the file.

mod length;
mod palette;
mod words;

pub use length::Length;
pub use palette::Palette;
pub use words::Words;

use super::reader::Reader;
use crate::rules::{RuleError, parse_toml};
use toml::{Table, Value};

crate::labels! {
    /// Where a figure will be seen.
    pub enum Medium {
        /// Colour.
        Screen = "screen",
        /// Greys with shades, dashes and hatches that survive black-and-white print.
        Print = "print",
    }
}

crate::labels! {
    /// What stands before the decimals.
    pub enum Decimals { Point = ".", Comma = "," }
}

impl Decimals {
    /// A number written with a point, as it is written here. Where the comma is taken, thousands are set apart
    /// by a narrow space.
    pub(crate) fn set(self, number: &str) -> String {
        match self {
            Decimals::Point => number.to_owned(),
            Decimals::Comma => number.replace(',', "\u{202f}").replace('.', ","),
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
    /// Dots of a PNG to the inch.
    pub dpi: Option<u32>,
    /// What things are called.
    pub words: Words,
    /// The file that set the width, for messages.
    pub sized_in: String,
}

/// Entries of `[figure]`.
const ENTRIES: [&str; 10] = [
    "width",
    "height",
    "font_size",
    "font",
    "palette",
    "style",
    "footer",
    "value_labels",
    "language",
    "dpi",
];

/// The size of the smallest text where none is asked for.
pub(crate) const USUAL_FONT_SIZE: Length = Length::points(7.5);

/// Times the size of its smallest text that a figure is wide at least; what is drawn may need more.
const LEAST_WIDTH: f64 = 14.0;

impl Style {
    /// Reads a file of style.
    ///
    /// # Errors
    /// Names the file, the key, what was given and what is allowed.
    pub fn parse(file: &str, text: &str) -> Result<Self, RuleError> {
        let table = parse_toml(file, text)?;
        let mut top = Reader::new(file, String::new(), table);
        let style = Style::take(file, &mut top)?;
        top.finish(&["figure", "words"])?;
        Ok(style)
    }

    /// Takes `[figure]` and `[words]` out of a file.
    pub(super) fn take(file: &str, top: &mut Reader<'_>) -> Result<Self, RuleError> {
        let words = Words::new(file, top.settings("words")?)?;
        let mut style = match top.table("figure")? {
            None => Style::default(),
            Some(table) => Style::figure(file, table)?,
        };
        style.words = words;
        Ok(style)
    }

    fn figure(file: &str, table: Table) -> Result<Self, RuleError> {
        let mut reader = Reader::new(file, "figure".into(), table);
        let length = |reader: &mut Reader<'_>, key: &str, least: Length, most: Length, form| {
            let Some(text) = reader.text(key)? else {
                return Ok(None);
            };
            let allowed = |length: &Length| *length >= least && *length <= most;
            match Length::parse(&text).filter(allowed) {
                Some(length) => Ok(Some(length)),
                None => Err(reader.problem(key, format!("cannot be `{text}`; allowed is {form}"))),
            }
        };
        let size = "a length such as \"84mm\", \"3.3in\" or \"240pt\", from 20mm to 1200mm";
        let (least, most) = (Length::mm(20.0), Length::mm(1200.0));
        let width = length(&mut reader, "width", least, most, size)?;
        let height = length(&mut reader, "height", least, most, size)?;
        let type_size = "a size of type such as \"8pt\", from 4pt to 36pt";
        let (least, most) = (Length::points(4.0), Length::points(36.0));
        let font_size = length(&mut reader, "font_size", least, most, type_size)?;
        let style = Style {
            width,
            height,
            font_size,
            font: font(&mut reader)?,
            palette: palette(&mut reader)?,
            medium: reader.maybe_one_of("style")?,
            footer: footer(&mut reader)?,
            value_labels: reader.flag("value_labels")?,
            decimals: reader.maybe_one_of("language")?,
            dpi: dpi(&mut reader)?,
            words: Words::default(),
            sized_in: file.into(),
        };
        let smallest = style.smallest().in_mm();
        if let Some(width) = style
            .width
            .filter(|width| width.in_mm() < LEAST_WIDTH * smallest)
        {
            return Err(reader.problem(
                "width",
                format!(
                    "of {:.0}mm is too small for text of {:.1}pt; allowed is {:.0}mm or more, or a smaller font_size",
                    width.in_mm(),
                    style.smallest().in_points(),
                    (LEAST_WIDTH * smallest).ceil()
                ),
            ));
        }
        reader.finish(&ENTRIES)?;
        Ok(style)
    }

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

fn font(reader: &mut Reader<'_>) -> Result<Option<String>, RuleError> {
    let font = reader.text("font")?;
    let plain = |c: char| c.is_alphanumeric() || " -".contains(c);
    match font {
        Some(name) if name.trim().is_empty() || !name.chars().all(plain) => Err(reader.problem(
            "font",
            format!("cannot be `{name}`; allowed is the name of one family, such as \"Libertinus Serif\""),
        )),
        other => Ok(other),
    }
}

fn palette(reader: &mut Reader<'_>) -> Result<Option<Palette>, RuleError> {
    let names: Vec<&str> = Palette::names().collect();
    let allowed = format!(
        "allowed is {}, or a list of two colours or more such as [\"#0072B2\", \"#D55E00\"]",
        names.join(" | ")
    );
    let wrong = |reader: &Reader<'_>, given: &dyn std::fmt::Display| {
        Err(reader.problem("palette", format!("cannot be `{given}`; {allowed}")))
    };
    match reader.take("palette") {
        None => Ok(None),
        Some(Value::String(name)) => match Palette::named(&name) {
            Some(palette) => Ok(Some(palette)),
            None => wrong(reader, &name),
        },
        Some(Value::Array(list)) if list.len() >= 2 => {
            let mut colours = Vec::new();
            for item in &list {
                match item.as_str().and_then(palette::colour) {
                    Some(colour) => colours.push(colour),
                    None => return wrong(reader, item),
                }
            }
            Ok(Some(Palette {
                name: None,
                colours,
            }))
        }
        Some(other) => wrong(reader, &other),
    }
}

fn footer(reader: &mut Reader<'_>) -> Result<Option<Footer>, RuleError> {
    match reader.take("footer") {
        None => Ok(None),
        Some(Value::Boolean(true)) => Ok(Some(Footer::Made)),
        Some(Value::Boolean(false)) => Ok(Some(Footer::None)),
        Some(Value::String(text)) if text.is_empty() => Ok(Some(Footer::None)),
        Some(Value::String(text)) => Ok(Some(Footer::Text(text))),
        Some(other) => Err(reader.problem(
            "footer",
            format!("cannot be `{other}`; allowed is true (settings and method) | false | a text"),
        )),
    }
}

fn dpi(reader: &mut Reader<'_>) -> Result<Option<u32>, RuleError> {
    match reader.take("dpi") {
        None => Ok(None),
        Some(Value::Integer(dpi @ 50..=1200)) => Ok(Some(dpi as u32)),
        Some(other) => Err(reader.problem(
            "dpi",
            format!("cannot be `{other}`; allowed is a whole number from 50 to 1200"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let error = Style::parse("house.toml", text).expect_err(text);
        error.to_string()
    }

    #[test]
    fn a_style_is_read_whole() {
        let text = "
            [figure]
            width = '84mm'
            height = '6cm'
            font_size = '8pt'
            font = 'Libertinus Serif'
            palette = ['#112233', '#445566']
            style = 'print'
            footer = false
            value_labels = false
            language = ','
            dpi = 600
            [words]
            attacker-wins = 'charge succeeds'
            attacker.grade = \"Attacker's quality\"
            'mean(hits)' = 'hits'
            'defender.cover=wall' = 'stone wall'
            chance = 'Wahrscheinlichkeit'";
        let style = Style::parse("house.toml", text).expect("a style");
        assert_eq!(style.width, Some(Length::mm(84.0)));
        assert_eq!(style.smallest(), Length::points(8.0));
        assert_eq!(style.palette().colours, [0x11_2233, 0x44_5566]);
        assert_eq!(style.medium(), Medium::Print);
        assert_eq!((style.dpi(), style.footer("exact").as_str()), (600, ""));
        assert_eq!(style.words.key("attacker.grade"), "Attacker's quality");
        assert_eq!(
            style.words.label("outcome", "attacker-wins"),
            "charge succeeds"
        );
        let wall = "wall".into();
        let cover = |key| style.words.value(key, &wall, style.decimals());
        assert_eq!(
            [cover("defender.cover"), cover("cover")],
            ["stone wall", "wall"]
        );
        assert_eq!(style.decimals().set("12,345.5"), "12\u{202f}345,5");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        for (text, parts) in [
            ("width = 84", ["figure.width", "text"]),
            (
                "width = '84px'",
                ["figure.width", "`84px`; allowed is a length"],
            ),
            (
                "width = '30mm'\nfont_size = '12pt'",
                ["figure.width", "too small for text of 12.0pt"],
            ),
            ("font_size = '1pt'", ["figure.font_size", "from 4pt"]),
            ("font = 'a\"b'", ["figure.font", "one family"]),
            (
                "palette = 'rainbow'",
                ["figure.palette", "`rainbow`; allowed is okabe-ito | "],
            ),
            ("palette = ['#12', '#445566']", ["figure.palette", "#12"]),
            (
                "style = 'paper'",
                ["figure.style", "allowed is screen | print"],
            ),
            (
                "footer = 3",
                ["figure.footer", "true (settings and method)"],
            ),
            (
                "value_labels = 'no'",
                ["figure.value_labels", "true or false"],
            ),
            ("language = 'de'", ["figure.language", "allowed is . | ,"]),
            ("dpi = 5", ["figure.dpi", "from 50 to 1200"]),
            (
                "wide = true",
                ["figure.wide", "is unknown; allowed is width"],
            ),
            (
                "[words]\nattacker-wons = 'x'",
                ["words.attacker-wons", "did you mean `attacker-wins`"],
            ),
            (
                "[words]\nattacker-wins = 1",
                ["words.attacker-wins", "must be text"],
            ),
        ] {
            let message = refusal(&format!("[figure]\n{text}"));
            for part in ["house.toml"].iter().chain(&parts) {
                assert!(message.contains(part), "{text}: {part} in {message}");
            }
        }
    }

    #[test]
    fn a_study_goes_before_the_file_key_by_key() {
        let read = |text: &str| Style::parse("f.toml", text).expect("a style");
        let own = read("[figure]\nwidth = '60mm'\n[words]\nyes = 'ja'");
        let shared = read("[figure]\nwidth = '84mm'\ndpi = 600\n[words]\nyes = 'oui'\nno = 'non'");
        let both = own.over(&shared);
        assert_eq!((both.width, both.dpi()), (Some(Length::mm(60.0)), 600));
        assert_eq!(
            ["yes", "no"].map(|word| both.words.say(word)),
            ["ja", "non"]
        );
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
