//! Files of style, read into what charts draw by: `[figure]` and `[words]`; a study may have both tables itself,
//! and what it says there goes before the file.

mod vocabulary;

use crate::reader::Reader;
use grapeshot_charts::style::{Footer, Length, Palette, Style, Words};
use grapeshot_rules::{Given, RuleError, Value as Setting, parse_toml};
use toml::{Table, Value};
use vocabulary::Vocabulary;

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

/// Times the size of its smallest text that a figure is wide at least; what is drawn may need more.
const LEAST_WIDTH: f64 = 14.0;

/// Reads a file of style.
///
/// # Errors
/// Names the file, the key, what was given and what is allowed.
pub fn parse_style(file: &str, text: &str) -> Result<Style, RuleError> {
    let table = parse_toml(file, text)?;
    let mut top = Reader::new(file, String::new(), table);
    let style = take_style(file, &mut top)?;
    top.finish(&["figure", "words"])?;
    Ok(style)
}

/// Takes `[figure]` and `[words]` out of a file.
pub(crate) fn take_style(file: &str, top: &mut Reader<'_>) -> Result<Style, RuleError> {
    let words = words(file, top.settings("words")?)?;
    let mut style = match top.table("figure")? {
        None => Style::default(),
        Some(table) => figure(file, table)?,
    };
    style.words = words;
    Ok(style)
}

fn figure(file: &str, table: Table) -> Result<Style, RuleError> {
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

/// The words of a file, each found to stand for something.
fn words(file: &str, given: Given) -> Result<Words, RuleError> {
    if given.is_empty() {
        return Ok(Words::default());
    }
    let known = Vocabulary::new()?;
    let mut words = Vec::new();
    for (word, value) in given {
        let problem = |problem: String| RuleError::Table {
            file: file.into(),
            key: format!("words.{word}"),
            problem,
        };
        let Setting::Choice(text) = value else {
            return Err(problem(format!("must be text, not `{value}`")));
        };
        known
            .find(&word)
            .map_err(|error| problem(error.to_string()))?;
        words.push((word, text.to_string()));
    }
    Ok(Words::new(words))
}

/// The value of a key as a book has it: a word, or a number as it is written there.
pub fn value_in_words(style: &Style, key: &str, value: &Setting) -> String {
    let words = &style.words;
    match value {
        Setting::Choice(label) => words.label(key, label),
        Setting::Flag(true) => words.say("yes"),
        Setting::Flag(false) => words.say("no"),
        number => words.number(key, &number.to_string(), style.decimals()),
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
                match item.as_str().and_then(Palette::colour) {
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
    use grapeshot_charts::style::Medium;

    fn refusal(text: &str) -> String {
        let error = parse_style("house.toml", text).expect_err(text);
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
        let style = parse_style("house.toml", text).expect("a style");
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
        let cover = |key| value_in_words(&style, key, &wall);
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
        let read = |text: &str| parse_style("f.toml", text).expect("a style");
        let own = read("[figure]\nwidth = '60mm'\n[words]\nyes = 'ja'");
        let shared = read("[figure]\nwidth = '84mm'\ndpi = 600\n[words]\nyes = 'oui'\nno = 'non'");
        let both = own.over(&shared);
        assert_eq!((both.width, both.dpi()), (Some(Length::mm(60.0)), 600));
        assert_eq!(
            ["yes", "no"].map(|word| both.words.say(word)),
            ["ja", "non"]
        );
    }
}
