//! The terminal: what was typed, how much room there is, and what may be shown on it.

use crate::render::SIGNS;
use std::borrow::Cow;
use std::io::IsTerminal;

/// Characters in a line where there is no terminal to ask.
const USUAL: usize = 100;
/// No terminal is taken for narrower.
const LEAST: usize = 40;

/// Characters in a line: as `COLUMNS` says, else as the terminal is.
pub(super) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|text| text.trim().parse::<usize>().ok());
    let seen = || {
        let terminal = std::io::stdout().is_terminal();
        let size = terminal.then(terminal_size::terminal_size).flatten();
        size.map(|(width, _)| usize::from(width.0))
    };
    said.filter(|&width| width > 0)
        .or_else(seen)
        .unwrap_or(USUAL)
        .max(LEAST)
}

/// The words that were typed. What is no text in them is no reason to stop: a file may be called so.
pub(super) fn typed() -> impl Iterator<Item = String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned())
}

/// Whether answers are coloured: where they go to a terminal that has colours, unless `NO_COLOR` says no.
pub(super) fn has_colour() -> bool {
    let choice = anstream::AutoStream::choice(&std::io::stdout());
    matches!(
        choice,
        anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi
    )
}

/// An answer as it is printed: colours of ours are let through where there are colours, and nothing else.
pub fn shown(text: &str) -> Cow<'_, str> {
    match has_colour() {
        true => Cow::Owned(coloured(text)),
        false => printable(text),
    }
}

fn coloured(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        shown += &printable(&rest[..at]);
        rest = &rest[at..];
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let sign = sign.map_or("\u{1b}", |sign| sign);
        match sign {
            "\u{1b}" => shown += &printable(sign),
            sign => shown += sign,
        }
        rest = &rest[sign.len()..];
    }
    shown + &printable(rest)
}

/// A text without letters that would steer the terminal; they are shown by their number. File names and
/// typed words can have them.
pub fn printable(text: &str) -> Cow<'_, str> {
    let steers = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|letter| match steers(letter) {
        true => letter.escape_unicode().to_string(),
        false => letter.to_string(),
    });
    Cow::Owned(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_steer_the_terminal_is_shown_by_its_number() {
        assert_eq!(
            printable("a\u{1b}[31mé\u{9b}\0"),
            r"a\u{1b}[31mé\u{9b}\u{0}"
        );
        let ours = SIGNS[1];
        let told = coloured(&format!("{ours}a title\u{1b}[0m, \u{1b}[2J and \u{1b}"));
        assert_eq!(
            told,
            format!("{ours}a title\u{1b}[0m, \\u{{1b}}[2J and \\u{{1b}}")
        );
        let plain = "two lines,\n\tone — of ½ 🎲\r\n";
        assert!(matches!(printable(plain), Cow::Borrowed(text) if text == plain));
    }
}
