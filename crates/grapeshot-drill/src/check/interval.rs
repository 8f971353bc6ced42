//! Arithmetic on ranges of whole numbers. What would leave the numbers a text can have is unknown, and no error: the machine
//! checks where nothing is proved.

use crate::program::Interval;

const FAR: i64 = 1 << 40;

/// A range, unless it goes too far to be worth knowing.
pub(super) fn range(low: i64, high: i64) -> Option<Interval> {
    let near = low.abs() < FAR && high.abs() < FAR && low <= high;
    near.then_some(Interval { low, high })
}

pub(super) fn add(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    let (a, b) = (a?, b?);
    range(a.low + b.low, a.high + b.high)
}

pub(super) fn subtract(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    add(a, negate(b))
}

pub(super) fn negate(a: Option<Interval>) -> Option<Interval> {
    let a = a?;
    range(-a.high, -a.low)
}

pub(super) fn multiply(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    let (a, b) = (a?, b?);
    let mut products = [0i64; 4];
    let pairs = [
        (a.low, b.low),
        (a.low, b.high),
        (a.high, b.low),
        (a.high, b.high),
    ];
    for (product, (x, y)) in products.iter_mut().zip(pairs) {
        *product = x.checked_mul(y)?;
    }
    range(*products.iter().min()?, *products.iter().max()?)
}

pub(super) fn absolute(a: Option<Interval>) -> Option<Interval> {
    let a = a?;
    let high = a.low.abs().max(a.high.abs());
    let low = if a.low <= 0 && 0 <= a.high {
        0
    } else {
        a.low.abs().min(a.high.abs())
    };
    range(low, high)
}

/// The less of two: known above if either is.
pub(super) fn least(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    let (a, b) = (a?, b?);
    range(a.low.min(b.low), a.high.min(b.high))
}

/// The greater of two.
pub(super) fn greatest(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    let (a, b) = (a?, b?);
    range(a.low.max(b.low), a.high.max(b.high))
}

pub(super) fn hull(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    Some(a?.hull(b?))
}
