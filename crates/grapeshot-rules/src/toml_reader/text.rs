//! Files that people write, and strangers: read within a bound, and free of what is not text.
//!
//! What is read here ends on terminals, in pages and in spreadsheets. A letter that is none (an escape
//! sequence that moves the cursor, an override that turns a line around) has no place in any of them, so it
//! is refused where it comes in, with its key, and nobody downstream has to think of it.

use super::{Problems, TomlText, below};
use crate::RuleError;
use std::io::Read;
use std::path::Path;
use toml::{Table, Value};

/// The most bytes of a file: a hundred times the largest table file there is.
pub const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The most letters of a line that is quoted in a message.
const MOST_QUOTED: usize = 160;

/// Reads a text file, as far as a text file goes.
///
/// # Errors
/// If it cannot be read, is no text, or is longer than anybody would write.
pub fn read_text(path: &Path) -> Result<String, RuleError> {
    let failed = |problem: String| RuleError::File {
        file: path.display().to_string(),
        problem,
    };
    let mut text = String::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text));
    read.map_err(|error| failed(format!("cannot be read: {error}")))?;
    match text.len() as u64 <= MOST_BYTES {
        true => Ok(text),
        false => Err(failed(format!(
            "has more than the {MOST_BYTES} bytes that are read of a file"
        ))),
    }
}

/// Reads TOML that is free of letters that are no text.
pub(super) fn parse(toml: &TomlText) -> Result<Table, RuleError> {
    let text = toml.text();
    let table = text.parse::<Table>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let mut before = (0..=at.min(text.len())).rev();
        let at = before.find(|&at| text.is_char_boundary(at));
        let (line, column) = toml.line_and_column(at.unwrap_or(0));
        RuleError::File {
            file: format!("{}:{line}:{column}", toml.file()),
            problem: format!("not valid TOML: {}", cut(&error.to_string())),
        }
    })?;
    // What is not in the text, and not written with a backslash, is in no value.
    if !text.contains('\\') && !text.contains(is_unprintable) {
        return Ok(table);
    }
    let problems = Problems::of(toml);
    unprintable(&table, "", &problems);
    problems.or(table)
}

/// Lines that fit a message.
fn cut(message: &str) -> String {
    let lines = message.lines().map(|line| {
        let mut letters = line.chars();
        let start: String = letters.by_ref().take(MOST_QUOTED).collect();
        match letters.next() {
            None => start,
            Some(_) => start + "…",
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Control characters, and those that turn the direction of what follows around.
fn is_unprintable(letter: char) -> bool {
    let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

/// Refuses every key with such a letter, in itself or its value.
fn unprintable(table: &Table, above: &str, problems: &Problems) {
    for (key, value) in table {
        match key.chars().find(|&letter| is_unprintable(letter)) {
            Some(letter) => refuse(above, letter, problems),
            None => in_value(value, &below(above, key), problems),
        }
    }
}

fn in_value(value: &Value, key: &str, problems: &Problems) {
    match value {
        Value::String(text) => {
            let found = text.chars().find(|&letter| is_unprintable(letter));
            if let Some(letter) = found {
                refuse(key, letter, problems);
            }
        }
        Value::Array(values) => {
            for (number, value) in (1..).zip(values) {
                in_value(value, &format!("{key}[{number}]"), problems);
            }
        }
        Value::Table(table) => unprintable(table, key, problems),
        _ => {}
    }
}

fn refuse(key: &str, letter: char, problems: &Problems) {
    let problem = format!(
        "has the letter U+{:04X} in it, which cannot be printed; allowed are letters that can, and line ends",
        u32::from(letter)
    );
    problems.about(key, problem);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Table, RuleError> {
        TomlText::new("f.toml", text).table()
    }

    #[test]
    fn letters_that_are_no_text_are_refused_with_their_key() {
        for (text, named) in [
            ("title = \"a\\u001b[31mb\"", ["`title`", "U+001B"]),
            ("[a]\nb = [\"x\", \"\\u0000\"]", ["`a.b[2]`", "U+0000"]),
            ("[[a]]\nb = { c = \"\\u202e\" }", ["`a[1].b.c`", "U+202E"]),
            ("[a]\n\"x\\u009b\" = 1", ["`a`", "U+009B"]),
        ] {
            let error = parsed(text).expect_err("refused").to_string();
            for part in named {
                assert!(error.contains(part), "{error}");
            }
        }
        let fine = "a = \"é — 🎲\"\nb = '''\nlet x = 1;\n\tx\n'''\r\n";
        assert!(parsed(fine).is_ok());
    }

    #[test]
    fn a_message_does_not_quote_a_line_without_end() {
        let deep = format!("a = {}", "[".repeat(100_000));
        let error = parsed(&deep).expect_err("too deep");
        assert!(error.to_string().len() < 1000);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_not_read_to_its_end() {
        let error = read_text(Path::new("/dev/zero")).expect_err("endless");
        assert!(error.to_string().contains("more than"), "{error}");
    }
}
