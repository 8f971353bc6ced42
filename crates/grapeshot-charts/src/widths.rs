//! How wide the letters of the bundled font are, without the font.
//!
//! Charts are measured far more often than they are painted: in a browser nothing is painted at all, and the two
//! fonts would be a third of what is fetched. `widths.bin` holds what they say of width: for the regular and
//! then the bold letters their number, each letter with its width, the number of pairs, and each pair with what
//! it is moved together, all in ascending order. A test holds it to the fonts, and makes it.

/// The units of an em.
pub(super) const EM: i64 = 2048;

/// The width of a letter that the font does not have: that of the box which is drawn for it.
const MISSING: i64 = 1229;

const TABLE: &[u8] = include_bytes!("widths.bin");

/// Bytes of a letter: four of itself, two of its width.
const LETTER: usize = 6;
/// Bytes of a pair: four of each letter, two of what it is moved.
const PAIR: usize = 10;

/// What is known of one font.
#[derive(Clone, Copy)]
struct Widths {
    letters: &'static [u8],
    pairs: &'static [u8],
}

/// The regular and the bold letters.
static FONTS: [Widths; 2] = {
    let (regular, rest) = split(TABLE);
    let (bold, _) = split(rest);
    [regular, bold]
};

/// One font, and what comes after it.
const fn split(bytes: &'static [u8]) -> (Widths, &'static [u8]) {
    let (letters, rest) = counted(bytes, LETTER);
    let (pairs, rest) = counted(rest, PAIR);
    (Widths { letters, pairs }, rest)
}

/// So many entries of a size as the first four bytes say.
const fn counted(bytes: &'static [u8], size: usize) -> (&'static [u8], &'static [u8]) {
    let (count, rest) = bytes.split_at(4);
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
    rest.split_at(count as usize * size)
}

/// The width of a line of text in units of the font.
pub(super) fn of(text: &str, bold: bool) -> i64 {
    let font = FONTS[usize::from(bold)];
    let mut before = None;
    let mut width = 0;
    for letter in text.chars() {
        width += font.letter(letter);
        width += before.map_or(0, |before| font.pair(before, letter));
        before = Some(letter);
    }
    width
}

impl Widths {
    fn letter(self, letter: char) -> i64 {
        let found = find::<4, LETTER>(self.letters, &bytes(letter));
        found.map_or(MISSING, |width| i64::from(u16::from_be_bytes(width)))
    }

    fn pair(self, first: char, second: char) -> i64 {
        let mut key = [0; 8];
        key[..4].copy_from_slice(&bytes(first));
        key[4..].copy_from_slice(&bytes(second));
        let found = find::<8, PAIR>(self.pairs, &key);
        found.map_or(0, |moved| i64::from(i16::from_be_bytes(moved)))
    }
}

/// A letter in bytes that are in the order of letters.
fn bytes(letter: char) -> [u8; 4] {
    u32::from(letter).to_be_bytes()
}

/// The two bytes after a key of `K` bytes among entries of `SIZE`.
fn find<const K: usize, const SIZE: usize>(entries: &[u8], key: &[u8; K]) -> Option<[u8; 2]> {
    let (entries, _) = entries.as_chunks::<SIZE>();
    let at = entries.binary_search_by(|entry| entry[..K].cmp(key)).ok()?;
    Some([entries[at][K], entries[at][K + 1]])
}

#[cfg(all(test, feature = "png"))]
mod tests {
    use super::*;
    use crate::text::{FONT_HEIGHT, register};
    use plotters::style::{FontDesc, FontFamily, FontStyle};

    /// As the font itself says it, in its own units.
    fn drawn(text: &str, bold: bool) -> i64 {
        register();
        let style = match bold {
            true => FontStyle::Bold,
            false => FontStyle::Normal,
        };
        let font = FontDesc::new(FontFamily::SansSerif, EM as f64 * FONT_HEIGHT, style);
        let ((left, _), (right, _)) = font.layout_box(text).expect("the font is there");
        i64::from(right - left)
    }

    fn letters(to: u32) -> impl Iterator<Item = char> + Clone {
        (32..to).filter_map(char::from_u32)
    }

    #[test]
    fn letters_and_their_pairs_are_as_wide_as_the_font_says() {
        for bold in [false, true] {
            for letter in letters(0x1_F700) {
                let text = letter.to_string();
                assert_eq!(of(&text, bold), drawn(&text, bold), "{letter:?} {bold}");
            }
            for first in letters(0x17F) {
                for second in letters(0x17F) {
                    let text = String::from_iter([first, second]);
                    assert_eq!(of(&text, bold), drawn(&text, bold), "{text:?} {bold}");
                }
            }
        }
    }

    /// Makes the table, after a change of font: `cargo test --release -p grapeshot-charts -- --ignored widths`
    #[test]
    #[ignore = "writes widths.bin; minutes"]
    fn the_table_is_made_from_the_font() {
        let mut table = Vec::new();
        let mut count = |entries: Vec<Vec<u8>>| {
            table.extend((entries.len() as u32).to_le_bytes());
            table.extend(entries.concat());
        };
        for bold in [false, true] {
            let known: Vec<(char, i64)> = letters(0x2_0000)
                .map(|letter| (letter, drawn(&letter.to_string(), bold)))
                .filter(|(_, width)| *width != MISSING)
                .collect();
            let entry = |(letter, width): &(char, i64)| {
                [&bytes(*letter)[..], &(*width as u16).to_be_bytes()].concat()
            };
            count(known.iter().map(entry).collect());
            let mut pairs = Vec::new();
            for (first, a) in &known {
                for (second, b) in &known {
                    let text = String::from_iter([*first, *second]);
                    let moved = drawn(&text, bold) - a - b;
                    if moved != 0 {
                        let moved = (moved as i16).to_be_bytes();
                        pairs.push([&bytes(*first)[..], &bytes(*second), &moved].concat());
                    }
                }
            }
            count(pairs);
        }
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/widths.bin");
        std::fs::write(file, table).expect("the table can be written");
    }
}
