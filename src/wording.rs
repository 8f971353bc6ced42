//! Numbers as people read them.

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

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 999, 1000, 65_536, 1_000_000].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "65,536", "1,000,000"]);
    }
}
