//! A hundred shared out.

/// Whole numbers that sum to a hundred, by these shares of their sum: each its floor, the largest rests one more.
pub fn of_hundred(shares: &[f64]) -> Vec<usize> {
    let total: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| share / total * 100.0).collect();
    // A share such as 29 % is not to lose one to the last place of a float.
    let mut counts: Vec<usize> = exact.iter().map(|n| (n + 1e-9).floor() as usize).collect();
    let rests = exact.iter().zip(&counts);
    let rests: Vec<f64> = rests.map(|(n, count)| n - *count as f64).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|&a, &b| rests[b].total_cmp(&rests[a]).then(a.cmp(&b)));
    let missing = 100 - counts.iter().sum::<usize>().min(100);
    for i in order.into_iter().take(missing) {
        counts[i] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::of_hundred;

    #[test]
    fn a_hundred_is_always_a_hundred_and_whole_shares_stay_what_they_are() {
        assert_eq!(of_hundred(&[0.17, 0.08, 0.75]), [17, 8, 75]);
        assert_eq!(of_hundred(&[1.0, 1.0, 1.0]), [34, 33, 33]);
        assert_eq!(of_hundred(&[0.994, 0.003, 0.003]), [100, 0, 0]);
        assert_eq!(of_hundred(&[60.4, 39.6]), [60, 40]);
        assert_eq!(of_hundred(&[50.0, 25.5, 24.5]), [50, 26, 24]);
        // A float falls just short of 29: it is neither 28, nor 30 for the rest it seems to have.
        assert_eq!(of_hundred(&[0.29, 0.355, 0.355]), [29, 36, 35]);
        for n in 1..40 {
            let shares: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(of_hundred(&shares).iter().sum::<usize>(), 100);
        }
    }
}
