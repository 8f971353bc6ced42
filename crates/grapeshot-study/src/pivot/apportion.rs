//! Rounding that keeps a whole together.

/// Shares of a whole in so many units, none of them further than a unit from its share, all of them
/// together the whole: what rounding down leaves over goes to the largest remainders, to the first of equals.
pub(super) fn apportioned(shares: &[f64], units: i64) -> Vec<i64> {
    let wanted: Vec<f64> = shares.iter().map(|share| share * units as f64).collect();
    // What falls short of a unit by rounding of the computer alone is a unit.
    let down = |x: &f64| (x + 1e-7).floor();
    let mut given: Vec<i64> = wanted.iter().map(|x| down(x) as i64).collect();
    let left = units - given.iter().sum::<i64>();
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let remainder = |at: usize| ((wanted[at] - down(&wanted[at])) * 1e9).round() as i64;
    order.sort_by_key(|&at| (-remainder(at), at));
    for &at in order.iter().take(usize::try_from(left).unwrap_or(0)) {
        given[at] += 1;
    }
    given
}

#[cfg(test)]
mod tests {
    use super::apportioned;

    #[test]
    fn thirds_are_a_whole_and_the_first_has_what_is_left_over() {
        assert_eq!(apportioned(&[1.0 / 3.0; 3], 100), [34, 33, 33]);
        assert_eq!(apportioned(&[1.0 / 6.0; 6], 1000).iter().sum::<i64>(), 1000);
        // To the nearest each, these would be 101.
        assert_eq!(apportioned(&[0.125, 0.345, 0.530], 100), [13, 34, 53]);
    }

    #[test]
    fn what_is_whole_already_stays() {
        assert_eq!(apportioned(&[0.1, 0.2, 0.7], 10), [1, 2, 7]);
        assert_eq!(apportioned(&[0.0, 1.0], 1000), [0, 1000]);
        // Tenths added up fall short of one by rounding alone.
        let tenths = [0.1 + 0.1 + 0.1, 0.7 - 1e-16];
        assert_eq!(apportioned(&tenths, 1000), [300, 700]);
    }
}
