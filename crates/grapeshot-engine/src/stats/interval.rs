//! Confidence intervals.

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The 95 % Wilson score interval of a share of trials (Wilson 1927): sound for shares near 0 and
/// 1, where the textbook interval is not.
pub fn wilson(count: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    wilson_of(count as f64 / trials as f64, trials as f64)
}

/// The same for a share that is already a quotient.
pub fn wilson_of(p: f64, n: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let low = if p == 0.0 {
        0.0
    } else {
        (middle - half).max(0.0)
    };
    let high = if p == 1.0 {
        1.0
    } else {
        (middle + half).min(1.0)
    };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_a_published_example() {
        // 10 of 100: 5.52 % to 17.44 % (Newcombe 1998 method 3 gives the same rounding).
        let (low, high) = wilson(10, 100);
        assert!((low - 0.0552).abs() < 5e-5 && (high - 0.1744).abs() < 5e-5);
        // 1 of 10, and none and all of 10.
        let (low, high) = wilson(1, 10);
        assert!((low - 0.017_876_2).abs() < 1e-6 && (high - 0.404_150_0).abs() < 1e-6);
        assert!((wilson(0, 10).1 - 0.277_532_8).abs() < 1e-6);
        assert!((wilson(10, 10).0 - 0.722_467_2).abs() < 1e-6);
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(0, 50).0, 0.0);
        assert_eq!(wilson(50, 50).1, 1.0);
    }
}
