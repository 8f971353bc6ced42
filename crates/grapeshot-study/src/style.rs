//! Files of style, read into what charts draw by: `[figure]` and `[words]`; a study may have both tables itself,
//! and what it says there goes before the file.

mod sentences;
mod vocabulary;

use grapeshot_charts::style::{Footer, Length, Palette, Style, Words};
use grapeshot_rules::{Entries, Given, Problems, RuleError, TomlText, Value as Setting};
use toml::Value;
use vocabulary::Vocabulary;
pub use vocabulary::WordList;

/// Times the size of its smallest text that a figure is wide at least; what is drawn may need more.
const LEAST_WIDTH: f64 = 14.0;

/// Reads a file of style.
///
/// # Errors
/// Names the file, the line, the key, what was given and what is allowed, for everything that is wrong.
pub fn parse_style(file: &str, text: &str) -> Result<Style, RuleError> {
    let problems = Problems::of(&TomlText::new(file, text));
    let mut top = problems.read()?;
    let style = take_style(&mut top);
    top.finish();
    problems.or(style)
}

/// Takes `[figure]` and `[words]` out of a file.
pub(crate) fn take_style(top: &mut Entries<'_>) -> Style {
    let figure = top.table("figure").map(figure);
    let given = top.settings("words");
    Style {
        words: words(top, given),
        ..figure.unwrap_or_default()
    }
}

fn figure(mut entries: Entries<'_>) -> Style {
    let type_size = (Length::points(4.0), Length::points(36.0));
    let form = "a size of type such as \"8pt\", from 4pt to 36pt";
    let style = Style {
        width: length_of(&mut entries, "width"),
        height: length_of(&mut entries, "height"),
        font_size: length(&mut entries, "font_size", type_size, form),
        title_size: length(&mut entries, "title_size", type_size, form),
        label_size: length(&mut entries, "label_size", type_size, form),
        padding: padding(&mut entries),
        font: font(&mut entries),
        palette: palette(&mut entries),
        medium: entries.one_of("style"),
        footer: footer(&mut entries),
        value_labels: entries.maybe("value_labels"),
        decimals: entries.one_of("language"),
        notes: entries.maybe("notes"),
        dpi: entries.whole("dpi", 50..=1200).map(|dpi| dpi as u32),
        words: Words::default(),
        sized_in: entries.file().into(),
    };
    let smallest = style.smallest().in_mm();
    if let Some(width) = style
        .width
        .filter(|width| width.in_mm() < LEAST_WIDTH * smallest)
    {
        entries.problem(
            "width",
            format!(
                "of {:.0}mm is too small for text of {:.1}pt; allowed is {:.0}mm or more, or a smaller font_size",
                width.in_mm(),
                style.smallest().in_points(),
                (LEAST_WIDTH * smallest).ceil()
            ),
        );
    }
    for (key, size) in [
        ("title_size", style.title_size),
        ("label_size", style.label_size),
    ] {
        if size.is_some_and(|size| size < style.smallest()) {
            let least = style.smallest().in_points();
            let problem = format!(
                "is smaller than the smallest text: allowed is {least:.1}pt or more, or a smaller font_size"
            );
            entries.problem(key, problem);
        }
    }
    entries.finish();
    style
}

/// What is left free around a figure, which may be nothing.
fn padding(entries: &mut Entries<'_>) -> Option<Length> {
    let text: String = entries.maybe("padding")?;
    let found = match text.trim_end_matches(|c: char| c.is_alphabetic()).trim() {
        "0" => Some(Length::mm(0.0)),
        _ => Length::parse(&text).filter(|length| *length <= Length::mm(50.0)),
    };
    if found.is_none() {
        let problem =
            format!("cannot be `{text}`; allowed is a length such as \"2mm\", from 0mm to 50mm");
        entries.problem("padding", problem);
    }
    found
}

/// The width or height of a figure.
pub(crate) fn length_of(entries: &mut Entries<'_>, key: &str) -> Option<Length> {
    let form = "a length such as \"84mm\", \"3.3in\" or \"240pt\", from 20mm to 1200mm";
    length(entries, key, (Length::mm(20.0), Length::mm(1200.0)), form)
}

fn length(
    entries: &mut Entries<'_>,
    key: &str,
    (least, most): (Length, Length),
    form: &str,
) -> Option<Length> {
    let text: String = entries.maybe(key)?;
    let allowed = |length: &Length| *length >= least && *length <= most;
    let found = Length::parse(&text).filter(allowed);
    if found.is_none() {
        entries.problem(key, format!("cannot be `{text}`; allowed is {form}"));
    }
    found
}

/// The words of a file, each found to stand for something.
fn words(top: &Entries<'_>, given: Given) -> Words {
    if given.is_empty() {
        return Words::default();
    }
    let Some(known) = top.keep("words", Vocabulary::new()) else {
        return Words::default();
    };
    let mut words = Vec::new();
    for (word, value) in given {
        let key = format!("words.{word}");
        match (value, known.find(&word)) {
            (Setting::Choice(text), Ok(())) => words.push((word, text.to_string())),
            (Setting::Choice(_), Err(unknown)) => top.problem(&key, unknown),
            (other, _) => top.problem(&key, format!("must be text, not `{other}`")),
        }
    }
    Words::new(words)
}

/// Every word that may be printed with what it is in English, by where it is from: what a dictionary of another
/// language has to say.
///
/// # Errors
/// If a ruleset cannot be loaded.
pub fn all_words() -> Result<Vec<WordList>, RuleError> {
    Vocabulary::new().map(Vocabulary::all)
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

fn font(entries: &mut Entries<'_>) -> Option<String> {
    let name: String = entries.maybe("font")?;
    let plain = |c: char| c.is_alphanumeric() || " -".contains(c);
    if name.trim().is_empty() || !name.chars().all(plain) {
        let problem = format!(
            "cannot be `{name}`; allowed is the name of one family, such as \"Libertinus Serif\""
        );
        entries.problem("font", problem);
    }
    Some(name)
}

fn palette(entries: &mut Entries<'_>) -> Option<Palette> {
    let colours = |list: &[Value]| {
        let colours = list.iter().map(|item| {
            let colour = item.as_str().and_then(Palette::colour);
            colour.ok_or_else(|| item.to_string())
        });
        let colours = colours.collect::<Result<Vec<_>, _>>()?;
        Ok(Palette {
            name: None,
            colours,
        })
    };
    let found = match entries.maybe("palette")? {
        Value::String(name) => Palette::named(&name).ok_or(name),
        Value::Array(list) if list.len() >= 2 => colours(&list),
        other => Err(other.to_string()),
    };
    found
        .map_err(|given| {
            let names: Vec<&str> = Palette::names().collect();
            let names = names.join(" | ");
            let problem = format!(
                "cannot be `{given}`; allowed is {names}, or a list of two colours or more such as [\"#0072B2\", \"#D55E00\"]"
            );
            entries.problem("palette", problem);
        })
        .ok()
}

fn footer(entries: &mut Entries<'_>) -> Option<Footer> {
    match entries.maybe("footer")? {
        Value::Boolean(true) => Some(Footer::Made),
        Value::Boolean(false) => Some(Footer::None),
        Value::String(text) if text.is_empty() => Some(Footer::None),
        Value::String(text) => Some(Footer::Text(text)),
        other => {
            let problem = format!(
                "cannot be `{other}`; allowed is true (settings and method) | false | a text"
            );
            entries.problem("footer", problem);
            None
        }
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
            title_size = '10pt'
            label_size = '9pt'
            padding = '0mm'
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
        assert_eq!(style.title_size, Some(Length::points(10.0)));
        assert_eq!(style.label_size, Some(Length::points(9.0)));
        assert_eq!(style.padding, Some(Length::mm(0.0)));
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
            (
                "font_size = '8pt'\nlabel_size = '6pt'",
                ["figure.label_size", "allowed is 8.0pt or more"],
            ),
            ("padding = '9'", ["figure.padding", "from 0mm to 50mm"]),
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
