//! Exact numbers as they are written and printed: `3`, `+4`, `0.5`, `.5`, `1/2`. No floats anywhere.

use num_rational::Ratio;

/// An exact fraction, in lowest terms.
pub type Fraction = Ratio<i64>;

/// The largest number a text may write: far from where sums of sums could leave an `i64`.
pub const LARGEST: i64 = 1_000_000_000;

/// Reads a number with an optional sign; nothing if it is none or larger than [`LARGEST`].
pub fn read(text: &str) -> Option<Fraction> {
    let text = text.trim();
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let size = unsigned(digits)?;
    Some(if negative { -size } else { size })
}

fn unsigned(digits: &str) -> Option<Fraction> {
    if let Some((above, below)) = digits.split_once('/') {
        let below = whole(below)?;
        return (below != 0).then(|| whole(above).map(|above| Ratio::new(above, below)))?;
    }
    let Some((whole_part, decimals)) = digits.split_once('.') else {
        return whole(digits).map(Ratio::from_integer);
    };
    let before = if whole_part.is_empty() {
        0
    } else {
        whole(whole_part)?
    };
    let scale = 10i64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    if scale > LARGEST {
        return None;
    }
    Some(Ratio::from_integer(before) + Ratio::new(whole(decimals)?, scale))
}

fn whole(digits: &str) -> Option<i64> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = plain.then(|| digits.parse::<i64>().ok())??;
    (number <= LARGEST).then_some(number)
}

/// A fraction as people write it: `3`, `1/2`.
pub fn written(number: Fraction) -> String {
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_printed() {
        let half = Ratio::new(1, 2);
        for (text, number) in [("0.5", half), (".5", half), ("1/2", half), ("-1/2", -half)] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        assert_eq!(read("+4"), Some(Ratio::from_integer(4)));
        for text in ["", "-", "4+", "1/0", "a", "1.", "99999999999", "1 2", "--1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
