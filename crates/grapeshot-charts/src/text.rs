//! Measuring and breaking text with the bundled font.

use super::widths;

/// Height of the bundled font (ascent plus descent) in ems.
#[cfg(feature = "png")]
pub(super) const FONT_HEIGHT: f64 = 2384.0 / 2048.0;
/// Distance from one line of text to the next, in ems.
pub(super) const LEADING: f64 = 1.28;

/// Makes the bundled font known to plotters, once.
#[cfg(feature = "png")]
pub(super) fn register() {
    use plotters::style::{FontStyle, register_font};
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // The bytes are part of the program: they either always parse or never do, and
        // a font that did not parse shows as an error at the first text drawn.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font("sans-serif", FontStyle::Bold, dejavu::sans::bold());
    });
}

/// Width of a line of text at a font size in pixels per em, to a thousandth of an em.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths = 1000 * widths::of(text, bold) / widths::EM;
    thousandths as f64 / 1000.0 * size
}

/// The widest of several lines.
pub(super) fn widest<S: AsRef<str>>(lines: &[S], size: f64) -> f64 {
    lines
        .iter()
        .map(|l| width(l.as_ref(), size, false))
        .fold(0.0, f64::max)
}

/// Breaks text into lines no wider than `max`: at spaces, then after hyphens and
/// slashes, and inside a word only when nothing else helps.
pub(super) fn wrap(text: &str, size: f64, bold: bool, max: f64) -> Vec<String> {
    let fits = |s: &str| width(s, size, bold) <= max;
    let mut lines: Vec<String> = Vec::new();
    // A number stays with its per cent sign.
    for paragraph in text.replace(" %", "\u{a0}%").lines() {
        let mut line = String::new();
        for word in paragraph.split([' ', '\t']).filter(|w| !w.is_empty()) {
            let joined = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if fits(&joined) {
                line = joined;
                continue;
            }
            if !line.is_empty() && fits(word) {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
                continue;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            for piece in pieces(word) {
                let joined = format!("{line}{piece}");
                if fits(&joined) {
                    line = joined;
                    continue;
                }
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line).trim_end().to_owned());
                }
                for c in piece.chars() {
                    if !line.is_empty() && !fits(&format!("{line}{c}")) {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push(c);
                }
            }
        }
        lines.push(line);
    }
    lines.iter().map(|l| l.replace('\u{a0}', " ")).collect()
}

/// A word cut after each hyphen, slash or underscore.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    word.split_inclusive(['-', '/', '_', ',', '='])
}

/// Breaks text into at most `most` lines, ending the last with an ellipsis if any is left over.
pub(super) fn wrap_at_most(text: &str, size: f64, max: f64, most: usize) -> Vec<String> {
    let mut lines = wrap(text, size, false, max);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = elide(&format!("{last}…"), size, max);
        }
    }
    lines
}

/// Text cut to a width, with an ellipsis where it was cut.
pub(super) fn elide(text: &str, size: f64, max: f64) -> String {
    if width(text, size, false) <= max {
        return text.to_owned();
    }
    let mut kept: String = text.trim_end_matches('…').to_owned();
    while !kept.is_empty() && width(&format!("{kept}…"), size, false) > max {
        kept.pop();
    }
    format!("{}…", kept.trim_end())
}

/// Whether text can be broken to `max` without cutting inside a word.
pub(super) fn breaks_cleanly(text: &str, size: f64, max: f64) -> bool {
    text.split_whitespace()
        .flat_map(pieces)
        .all(|p| width(p, size, false) <= max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_nothing_is_lost() {
        let text = "attacker-falls-back-in-disorder after a very long afternoon";
        for max in [40.0, 90.0, 200.0] {
            let lines = wrap(text, 12.0, false, max);
            assert!(
                lines.iter().all(|l| width(l, 12.0, false) <= max),
                "{lines:?}"
            );
            let squeeze = |s: &str| s.replace(' ', "");
            assert_eq!(squeeze(&lines.concat()), squeeze(text));
        }
    }

    #[test]
    fn a_number_keeps_its_sign() {
        let room = width("within 95", 12.0, false) + 3.0;
        assert_eq!(
            wrap("within 95 % or so", 12.0, false, room),
            ["within", "95 % or", "so"]
        );
    }

    #[test]
    fn a_cut_is_marked() {
        let lines = wrap_at_most(&"word ".repeat(80), 12.0, 200.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with('…'));
        assert!(width(&lines[2], 12.0, false) <= 200.0);
    }
}
