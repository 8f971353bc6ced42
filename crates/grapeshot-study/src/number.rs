//! How numbers are written: probabilities, changes, counts, with the interval if there is one.
//!
//! What readers see has a real minus sign and no more digits than mean something; what spreadsheets
//! see is plain and complete.

pub use crate::wording::grouped;
use grapeshot_engine::dist::Estimate;
use grapeshot_engine::stats::fixed;

/// Decimals of a number nothing more is known about.
pub const DECIMALS: usize = 3;

/// Sums of probabilities fall this little short of one by rounding alone.
const CERTAIN: f64 = 1.0 - 1e-12;

/// Decimals of a probability in per cent, at most.
const MOST: usize = 4;

/// Decimals of a probability in per cent: one, and as many more as tell it from nothing and from everything.
pub fn percent_decimals(p: f64) -> usize {
    let away = 100.0 * p.min(1.0 - p);
    match away {
        away if away >= 0.1 || p <= 0.0 || p >= CERTAIN => 1,
        away => ((-away.log10() - 1e-9).ceil() as usize).clamp(1, MOST),
    }
}

/// A probability in per cent without its sign; certain only when it is.
fn hundredths(p: f64, decimals: usize) -> String {
    let least = 0.5 * 10f64.powi(-2 - decimals as i32);
    if p > 0.0 && p < least {
        format!("<{}", fixed(10f64.powi(-(decimals as i32)), decimals))
    } else if p > 1.0 - least && p < CERTAIN {
        let below = 100.0 - 10f64.powi(-(decimals as i32));
        format!(">{}", fixed(below, decimals))
    } else {
        minus(fixed(100.0 * p, decimals))
    }
}

/// A probability in per cent: one decimal, more where it is next to nothing or next to certain.
pub fn percent(p: f64) -> String {
    format!("{} %", hundredths(p, percent_decimals(p)))
}

/// The ends of an interval of a probability, as the probability itself is written, without the sign.
pub fn percent_range(low: f64, high: f64) -> String {
    let decimals = percent_decimals(low).max(percent_decimals(high)).max(2);
    let [low, high] = [low, high].map(|p| fixed(100.0 * p, decimals));
    format!("{low}–{high}")
}

/// Decimals of a probability that has an interval: so many that rounding does not take it out of it.
fn decimals_within(p: &Estimate) -> usize {
    let half = 100.0 * p.half_width();
    let mut decimals = percent_decimals(p.value);
    while half > 0.0 && decimals < MOST && 0.5 * 10f64.powi(-(decimals as i32)) > half {
        decimals += 1;
    }
    decimals
}

/// A probability whose interval stands beside it.
pub fn chance_within(p: &Estimate) -> String {
    format!("{} %", hundredths(p.value, decimals_within(p)))
}

/// A probability with its interval: `41.2 %`, `41.2 ± 0.11 %`.
pub fn chance(p: &Estimate) -> String {
    let half = p.half_width();
    if half > 0.0 {
        let decimals = decimals_within(p);
        let value = hundredths(p.value, decimals);
        let half = fixed(100.0 * half, (decimals + 1).max(2));
        format!("{value} ± {half} %")
    } else {
        percent(p.value)
    }
}

/// A number with its interval and unit: `3.254`, `3.254 ± 0.0100 turns`.
pub fn measured(x: &Estimate, decimals: usize, unit: &str) -> String {
    let half = x.half_width();
    let number = minus(fixed(x.value, decimals));
    let spread = if half > 0.0 {
        format!(" ± {}", fixed(half, decimals + 1))
    } else {
        String::new()
    };
    match unit {
        "" => format!("{number}{spread}"),
        unit => format!("{number}{spread} {unit}"),
    }
}

/// A change of a probability, in points of a hundred: `+3.2`, `−0.4 ± 0.11`.
pub fn points(by: &Estimate) -> String {
    let half = by.half_width();
    let spread = if half > 0.0 {
        format!(" ± {}", fixed(100.0 * half, 2))
    } else {
        String::new()
    };
    format!("{}{spread}", signed(100.0 * by.value, 1))
}

/// A change of a number.
pub fn change(by: &Estimate) -> String {
    let half = by.half_width();
    let spread = if half > 0.0 {
        format!(" ± {}", fixed(half, 4))
    } else {
        String::new()
    };
    format!("{}{spread}", signed(by.value, 3))
}

/// A number with its sign; small ones are not written as nothing.
pub fn signed(x: f64, decimals: usize) -> String {
    let sign = if x < 0.0 { "−" } else { "+" };
    if x.abs() <= 1e-10 {
        "0".into()
    } else if x.abs() < 0.5 * 10f64.powi(-(decimals as i32)) {
        // One digit that says how small it is, rather than nothing.
        let digits = (-x.abs().log10()).ceil().min(9.0) as usize;
        format!("{sign}{}", fixed(x.abs(), digits))
    } else {
        format!("{sign}{}", fixed(x.abs(), decimals))
    }
}

/// A whole number as it is, with a real minus sign.
pub fn signed_whole(n: i64) -> String {
    minus(n.to_string())
}

/// As few decimals as say it: `5`, `2.5000`.
pub fn short(x: f64) -> String {
    if x.fract() == 0.0 {
        minus(format!("{x}"))
    } else {
        minus(fixed(x, 4))
    }
}

fn minus(number: String) -> String {
    number.replacen('-', "−", usize::from(number.starts_with('-')))
}

/// In full, for programs; what only rounding put behind the twelfth digit is left away.
pub fn plain(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    let digits = (11 - x.abs().log10().floor() as i32).clamp(0, 30) as usize;
    let rounded: f64 = format!("{x:.digits$}").parse().unwrap_or(x);
    rounded.to_string()
}

/// `1 finding`, `3 findings`.
pub fn counted(n: usize, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{} {one}s", grouped(n as u64)),
    }
}

/// A bar of so many characters for certainty, to an eighth of a character.
pub fn bar(p: f64, width: usize) -> String {
    let eighths = (p * (width * 8) as f64).round() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_certain_only_when_they_are() {
        let shown = [
            0.0,
            1e-15,
            0.25,
            0.99999,
            0.999_996,
            1.0 - 1e-9,
            1.0 - 1e-15,
        ]
        .map(percent);
        let wanted = [
            "0.0 %",
            "<0.0001 %",
            "25.0 %",
            "99.999 %",
            "99.9996 %",
            ">99.9999 %",
            "100.0 %",
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn an_interval_has_the_digits_of_what_it_is_about() {
        assert_eq!(percent(0.000_65), "0.07 %");
        assert_eq!(percent_range(0.0006, 0.0007), "0.06–0.07");
        let sure = Estimate {
            value: 0.999_996,
            low: 0.999_995,
            high: 0.999_997,
        };
        assert_eq!(chance(&sure), "99.9996 ± 0.00010 %");
    }

    #[test]
    fn no_chance_is_rounded_out_of_its_interval() {
        let around = |value: f64, half: f64| Estimate {
            value,
            low: value - half,
            high: value + half,
        };
        for (value, half, shown, alone) in [
            (0.412, 0.0011, "41.2 ± 0.11 %", "41.2 %"),
            (0.0054, 0.0003, "0.54 ± 0.030 %", "0.54 %"),
            (0.50321, 0.00002, "50.321 ± 0.0020 %", "50.321 %"),
        ] {
            assert_eq!(chance(&around(value, half)), shown);
            assert_eq!(chance_within(&around(value, half)), alone);
        }
    }

    #[test]
    fn small_changes_are_not_written_as_nothing() {
        let shown = [0.0, 3.25, -3.25, 0.004, -0.04].map(|x| signed(x, 1));
        assert_eq!(shown, ["0", "+3.3", "−3.3", "+0.004", "−0.04"]);
    }

    #[test]
    fn spreadsheets_get_all_digits_but_those_of_rounding() {
        let written = [0.16691360000000002, 0.1 + 0.2, 1e-7 / 3.0, -12.5, 1e6].map(plain);
        assert_eq!(
            written,
            [
                "0.1669136",
                "0.3",
                "0.0000000333333333333",
                "-12.5",
                "1000000"
            ]
        );
    }
}
