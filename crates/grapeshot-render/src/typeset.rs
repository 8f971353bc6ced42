//! The order in which a document is set, whatever it is set by.

use super::{Audience, Block, Document, Table};
use grapeshot_charts::style::Length;

/// A language to set documents in: how each piece is written.
pub(super) trait Typeset {
    /// A title, so deep below the document's own.
    fn heading(title: &str, depth: usize, out: &mut String);

    /// A sentence by itself.
    fn sentence(text: &str, out: &mut String);

    /// Sentences below each other.
    fn list(items: &[String], out: &mut String);

    /// A block with its heading.
    fn block(block: &Block, depth: usize, out: &mut String);

    /// A remark at the end.
    fn note(text: &str, out: &mut String);

    /// Commands to type.
    fn commands(text: &str, out: &mut String);

    /// A document and its parts.
    fn section(document: &Document, depth: usize, out: &mut String) {
        Self::heading(&document.title, depth, out);
        let facts = |out: &mut String| {
            for fact in &document.facts {
                Self::sentence(&fact.line(), out);
            }
        };
        if document.sentences_first() {
            Self::list(&document.findings, out);
            facts(out);
        } else {
            facts(out);
            Self::list(&document.findings, out);
        }
        let printed = |block: &&Block| block.place != Audience::Data;
        for block in document.blocks.iter().filter(printed) {
            Self::block(block, depth, out);
        }
        for part in &document.parts {
            Self::section(part, depth + 1, out);
        }
        for note in &document.notes {
            Self::note(note, out);
        }
        if !document.commands.is_empty() {
            Self::commands(&document.commands.join("\n"), out);
        }
    }
}

/// A piece of text by itself, if there is any.
pub(super) fn paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        *out += &format!("\n{text}\n");
    }
}

/// Text with what stands between backticks as code; a backtick without a partner is only a backtick.
pub(super) fn with_code(
    text: &str,
    plain: impl Fn(&str) -> String,
    code: impl Fn(&str) -> String,
) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(text);
    }
    let part = |(at, part): (usize, &&str)| if at % 2 == 0 { plain(part) } else { code(part) };
    parts.iter().enumerate().map(part).collect()
}

/// Sizes of type in points, the largest first: a table takes the first in which it fits.
const SIZES: [f64; 5] = [10.0, 9.0, 8.0, 7.0, 6.0];
/// The width of a letter, in ems, and of what stands between two columns.
const LETTER: f64 = 0.5;
const GAP: f64 = 0.7;
/// Headings longer than this are stacked, as far as they have words to be parted at.
pub(super) const HEADING: usize = 10;

/// The size of type in which a table fits into this width, in points; the smallest where it fits in none.
pub(super) fn fitting(table: &Table, width: Length) -> f64 {
    let columns = table.printed();
    let letters = |text: &str| text.chars().count();
    let widest = |at: usize| {
        let cells = table.rows.iter().filter_map(|row| row.get(at));
        let cells = cells.map(|cell| letters(&cell.read()));
        let heading = stacked(&table.columns[at].name);
        let heading = heading.iter().map(|line| letters(line));
        cells.chain(heading).max().unwrap_or(0) as f64
    };
    let ems: f64 = columns.iter().map(|&at| widest(at) * LETTER + GAP).sum();
    let fits = |size: &&f64| ems * **size <= width.in_points();
    let smallest = SIZES[SIZES.len() - 1];
    SIZES.iter().find(fits).copied().unwrap_or(smallest)
}

/// A heading in lines.
pub(super) fn stacked(name: &str) -> Vec<String> {
    let options = textwrap::Options::new(HEADING)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines = textwrap::wrap(name, options);
    lines.iter().map(|line| line.to_string()).collect()
}

/// A cell with a real minus before its numbers.
pub(super) fn with_minus(cell: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut letters = cell.chars().peekable();
    while let Some(letter) = letters.next() {
        let number = letters.peek().is_some_and(char::is_ascii_digit);
        let begins = " (/±".contains(before);
        out.push(if letter == '-' && number && begins {
            '−'
        } else {
            letter
        });
        before = letter;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column};

    #[test]
    fn a_hyphen_before_a_number_is_a_minus_and_between_two_is_none() {
        let set = ["-1", "+1 or -1", "-1/-2", "1-2", "R-1", "K1/-"].map(with_minus);
        assert_eq!(set, ["−1", "+1 or −1", "−1/−2", "1-2", "R-1", "K1/-"]);
    }

    #[test]
    fn a_table_is_set_smaller_until_it_fits() {
        let names = ["one", "two", "three", "four", "five", "six", "seven"];
        let mut table = Table::new(names.map(Column::number));
        table.row(names.map(|_| Cell::text("100.0 %")));
        let sizes = [200.0, 120.0, 84.0, 30.0].map(|mm| fitting(&table, Length::mm(mm)));
        assert_eq!(sizes[0], 10.0);
        assert!(sizes.windows(2).all(|pair| pair[0] >= pair[1]), "{sizes:?}");
        assert!(sizes[2] < 10.0 && sizes[3] == 6.0, "{sizes:?}");
    }
}
