//! Numbers and settings as people read and type them.

use std::fmt::Display;

/// A whole number with its thousands set apart: `1,000,000`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes as a person reads them: `0.5 GB`, `3 MB`.
pub fn bytes(n: usize) -> String {
    match n {
        0..1_000_000 => format!("{} kB", n.div_ceil(1000)),
        1_000_000..100_000_000 => format!("{} MB", n.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

/// A length of time as a person reads it, in the unit that fits: `less than a second`, `3 s`, `50 minutes`.
pub fn duration(time: std::time::Duration) -> String {
    match time.as_secs_f64().ceil() as u64 {
        0..=1 => "less than a second".into(),
        seconds @ ..=180 => format!("{seconds} s"),
        seconds @ ..=10_800 => format!("{} minutes", seconds.div_ceil(60)),
        seconds @ ..=259_200 => format!("{} hours", seconds.div_ceil(3600)),
        seconds => format!("{} days", grouped(seconds.div_ceil(86_400))),
    }
}

/// Keys and values as they are typed: `attacker.stands=10 range=250`.
pub fn as_command<K: Display, V: Display>(pairs: impl IntoIterator<Item = (K, V)>) -> String {
    let pairs = pairs
        .into_iter()
        .map(|(key, value)| format!("{key}={value}"));
    pairs.collect::<Vec<_>>().join(" ")
}

/// The same, of pairs that are kept.
pub fn pairs_as_command<K: Display, V: Display>(pairs: &[(K, V)]) -> String {
    as_command(pairs.iter().map(|(key, value)| (key, value)))
}

/// A sentence with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(mut names: Vec<String>) -> String {
    match (names.pop(), names.is_empty()) {
        (Some(last), false) => format!("{} and {last}", names.join(", ")),
        (last, _) => last.unwrap_or_default(),
    }
}

/// Whether a spreadsheet would work a text out instead of showing it. A number with a sign is none.
pub fn is_formula(text: &str) -> bool {
    match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some('+' | '-') => text.contains(['(', '|', '!']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn bytes_have_the_unit_that_fits() {
        let shown = [500, 500_000, 3_000_001, 500_000_000, 20_000_000_000].map(super::bytes);
        assert_eq!(shown, ["1 kB", "500 kB", "4 MB", "0.5 GB", "20.0 GB"]);
    }

    #[test]
    fn durations_have_the_unit_that_fits() {
        let shown = [
            0.0, 0.000_15, 1.0, 1.1, 180.0, 181.0, 10_800.0, 10_801.0, 1e6, 1.8e10,
        ];
        let shown = shown.map(|s| super::duration(std::time::Duration::from_secs_f64(s)));
        assert_eq!(
            shown,
            [
                "less than a second",
                "less than a second",
                "less than a second",
                "2 s",
                "180 s",
                "4 minutes",
                "180 minutes",
                "4 hours",
                "12 days",
                "208,334 days"
            ]
        );
    }

    #[test]
    fn formulas_are_known_and_numbers_are_none() {
        let formulas = [
            "=1+1",
            "@SUM(A1)",
            "+cmd|' /C calc'!A0",
            "-HYPERLINK(\"x\")",
        ];
        assert!(formulas.iter().all(|text| super::is_formula(text)));
        let plain = ["-1", "+2", "-1/2", "", "a=b", "—", "-0.5 %"];
        assert!(!plain.iter().any(|text| super::is_formula(text)));
    }

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 999, 1000, 65_536, 1_000_000].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "65,536", "1,000,000"]);
    }
}
