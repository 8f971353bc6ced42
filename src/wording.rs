//! Numbers and settings as people read and type them.

#[cfg(feature = "charts")]
use std::fmt::Display;

/// A whole number with its thousands set apart: `1,000,000`.
pub(crate) fn grouped(n: u64) -> String {
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

/// Keys and values as they are typed: `attacker.stands=10 range=250`.
#[cfg(feature = "charts")]
pub(crate) fn typed<K: Display, V: Display>(pairs: impl IntoIterator<Item = (K, V)>) -> String {
    let pairs = pairs
        .into_iter()
        .map(|(key, value)| format!("{key}={value}"));
    pairs.collect::<Vec<_>>().join(" ")
}

/// The same, of pairs that are kept.
#[cfg(feature = "charts")]
pub(crate) fn typed_pairs<K: Display, V: Display>(pairs: &[(K, V)]) -> String {
    typed(pairs.iter().map(|(key, value)| (key, value)))
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 999, 1000, 65_536, 1_000_000].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "65,536", "1,000,000"]);
    }
}
