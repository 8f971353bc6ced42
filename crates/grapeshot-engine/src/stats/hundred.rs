//! Numbers rounded, each by itself or as a hundred shared out. Everything that prints a number rounds it here, so
//! that one number is never printed in two ways.

/// A number with so many decimals: the nearest, halves away from nought.
pub fn fixed(x: f64, decimals: usize) -> String {
    let scale = 10f64.powi(decimals as i32);
    let units = x.abs() * scale;
    if !x.is_finite() || units > 1e15 {
        return format!("{x:.decimals$}");
    }
    // What falls short of a half by the last place of a float is a half.
    let rounded = (units + 0.5 + 1e-9).floor() / scale;
    let sign = if x < 0.0 && rounded > 0.0 { "-" } else { "" };
    format!("{sign}{rounded:.decimals$}")
}

/// The nearest whole number of a hundred, halves up.
pub fn hundredth(share: f64) -> usize {
    (100.0 * share + 0.5 + 1e-9).floor().max(0.0) as usize
}

/// Whole numbers that sum to a hundred, by these shares of their sum: each the nearest; where these are more or
/// fewer than a hundred the largest give way, by one each, those that are kept last of all.
pub fn of_hundred(shares: &[f64], kept: impl Fn(usize) -> bool) -> Vec<usize> {
    let total: f64 = shares.iter().sum();
    let mut counts: Vec<usize> = shares.iter().map(|x| hundredth(x / total)).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| {
        let larger = shares[b].total_cmp(&shares[a]);
        kept(a).cmp(&kept(b)).then(larger).then(a.cmp(&b))
    });
    let mut giving = order.iter().cycle();
    loop {
        let sum: usize = counts.iter().sum();
        match (sum.cmp(&100), giving.next()) {
            (std::cmp::Ordering::Less, Some(&at)) => counts[at] += 1,
            (std::cmp::Ordering::Greater, Some(&at)) => counts[at] = counts[at].saturating_sub(1),
            _ => return counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_is_always_a_hundred_and_the_largest_gives_way() {
        let shared = |shares: &[f64]| of_hundred(shares, |_| false);
        assert_eq!(shared(&[0.17, 0.08, 0.75]), [17, 8, 75]);
        assert_eq!(shared(&[1.0, 1.0, 1.0]), [34, 33, 33]);
        assert_eq!(shared(&[0.994, 0.003, 0.003]), [100, 0, 0]);
        assert_eq!(shared(&[60.4, 39.6]), [60, 40]);
        assert_eq!(shared(&[50.0, 25.5, 24.5]), [49, 26, 25]);
        // A float falls just short of 29: it is neither 28, nor 30 for the rest it seems to have.
        assert_eq!(shared(&[0.29, 0.355, 0.355]), [29, 35, 36]);
        for n in 1..40 {
            let shares: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(shared(&shares).iter().sum::<usize>(), 100);
        }
    }

    #[test]
    fn what_is_kept_does_not_give_way() {
        // Halves of a hundredth: 63 and 26 and 12 are 101.
        let shares = [0.625, 0.255, 0.12];
        assert_eq!(of_hundred(&shares, |_| false), [62, 26, 12]);
        assert_eq!(of_hundred(&shares, |at| at == 0), [63, 25, 12]);
    }

    #[test]
    fn halves_are_rounded_one_way_whatever_the_decimals() {
        let shown = [(12.5, 0), (6.25, 1), (-6.25, 1), (48.65, 1), (0.145, 2)];
        let shown = shown.map(|(x, decimals)| fixed(x, decimals));
        assert_eq!(shown, ["13", "6.3", "-6.3", "48.7", "0.15"]);
        assert_eq!(fixed(-0.004, 2), "0.00");
    }
}
