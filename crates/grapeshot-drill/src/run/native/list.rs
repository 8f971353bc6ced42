//! Numbers as emitted code has them: short lists, and fractions as two parts.

use crate::number::Fraction;
use crate::program::BinaryOp;
use crate::run::layout::fraction;
use crate::run::lower::fold_fractions;

/// The most numbers in a list of emitted code.
const MOST: usize = 64;

/// A short list of values of `W` parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List<const W: usize> {
    len: u8,
    items: [[i32; W]; MOST],
}

impl<const W: usize> Default for List<W> {
    fn default() -> Self {
        List {
            len: 0,
            items: [[0; W]; MOST],
        }
    }
}

impl<const W: usize> List<W> {
    /// The most there can be.
    pub const MOST: usize = MOST;

    /// These.
    pub fn of(items: &[[i32; W]]) -> Self {
        let mut all = List::default();
        items.iter().for_each(|item| {
            all.push(*item);
        });
        all
    }

    /// One more; false if there are too many.
    #[inline]
    pub fn push(&mut self, item: [i32; W]) -> bool {
        match self.items.get_mut(usize::from(self.len)) {
            Some(place) => {
                *place = item;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// All of them.
    #[inline]
    pub fn all(&self) -> &[[i32; W]] {
        &self.items[..usize::from(self.len)]
    }

    /// The one of a number, counted from 1.
    pub fn at(&self, number: i32) -> Option<[i32; W]> {
        let at = usize::try_from(i64::from(number) - 1).ok()?;
        self.all().get(at).copied()
    }

    /// The last.
    pub fn last(&self) -> Option<[i32; W]> {
        self.all().last().copied()
    }

    /// Whether it is there.
    pub fn has(&self, item: [i32; W]) -> bool {
        self.all().contains(&item)
    }

    /// So many of the highest, or of the lowest, in that order.
    #[must_use]
    pub fn few(mut self, count: i32, highest: bool) -> Self {
        let items = &mut self.items[..usize::from(self.len)];
        items.sort_by_key(|item| fraction(item));
        if highest {
            items.reverse();
        }
        self.len = self.len.min(count.clamp(0, MOST as i32) as u8);
        self
    }
}

impl List<1> {
    /// The sum; nothing if it is too large.
    #[inline]
    pub fn total(&self) -> Option<i32> {
        self.all()
            .iter()
            .try_fold(0i32, |sum, item| sum.checked_add(item[0]))
    }

    /// The same numbers as fractions.
    pub fn exact(&self) -> List<2> {
        let mut all = List::default();
        self.all().iter().for_each(|item| {
            all.push([item[0], 1]);
        });
        all
    }
}

impl List<2> {
    /// The sum; nothing if it is too fine.
    pub fn total(&self) -> Option<[i32; 2]> {
        self.all()
            .iter()
            .try_fold([0, 1], |sum, item| fold(BinaryOp::Add, sum, *item))
    }
}

/// What two fractions make; nothing if that cannot be said. The parts are those that exact arithmetic gives: lowest terms,
/// the lower part above 0.
#[inline]
pub fn fold(op: BinaryOp, a: [i32; 2], b: [i32; 2]) -> Option<[i32; 2]> {
    let ([a, below_a], [b, below_b]) = (a.map(i64::from), b.map(i64::from));
    let (above, below) = match op {
        BinaryOp::Add if below_a == below_b => (a + b, below_a),
        BinaryOp::Add => (a * below_b + b * below_a, below_a * below_b),
        BinaryOp::Subtract if below_a == below_b => (a - b, below_a),
        BinaryOp::Subtract => (a * below_b - b * below_a, below_a * below_b),
        BinaryOp::Multiply => (a * b, below_a * below_b),
        BinaryOp::Divide if b != 0 => (a * below_b * b.signum(), below_a * b.abs()),
        BinaryOp::Remainder if b != 0 => return remainder([a, below_a], [b, below_b]),
        _ => return None,
    };
    reduced(above, below)
}

/// In lowest terms; the lower part is above 0.
#[inline]
fn reduced(mut above: i64, mut below: i64) -> Option<[i32; 2]> {
    if below != 1 {
        let common = gcd(above.unsigned_abs(), below.unsigned_abs()) as i64;
        above /= common;
        below /= common;
    }
    Some([i32::try_from(above).ok()?, i32::try_from(below).ok()?])
}

/// The greatest common divisor, where the second is above 0.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 {
        return b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

#[cold]
fn remainder(a: [i64; 2], b: [i64; 2]) -> Option<[i32; 2]> {
    let (a, b) = (Fraction::new(a[0], a[1]), Fraction::new(b[0], b[1]));
    let made = fold_fractions(BinaryOp::Remainder, a, b).ok()?;
    made[..].try_into().ok()
}

/// Whether one fraction is less than another.
#[inline]
pub fn less(a: [i32; 2], b: [i32; 2]) -> bool {
    i64::from(a[0]) * i64::from(b[1]) < i64::from(b[0]) * i64::from(a[1])
}

/// Whether two fractions are the same.
#[inline]
pub fn same(a: [i32; 2], b: [i32; 2]) -> bool {
    i64::from(a[0]) * i64::from(b[1]) == i64::from(b[0]) * i64::from(a[1])
}

/// The whole number at or below a fraction; the lower part is not 0.
#[inline]
pub fn divide_down(above: i32, below: i32) -> i32 {
    let (above, below) = (i64::from(above), i64::from(below.max(1)));
    above.div_euclid(below) as i32
}

/// The whole number at or above it.
#[inline]
pub fn divide_up(above: i32, below: i32) -> i32 {
    let (above, below) = (i64::from(above), i64::from(below.max(1)));
    -(-above).div_euclid(below) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_what_exact_arithmetic_says() {
        let parts: Vec<[i32; 2]> = (-6..=6)
            .flat_map(|above| (1..=6).map(move |below| (above, below)))
            .filter_map(|(above, below)| reduced(above, below))
            .collect();
        let ops = [
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::Divide,
            BinaryOp::Remainder,
        ];
        for (&a, &b) in parts.iter().flat_map(|a| parts.iter().map(move |b| (a, b))) {
            let exact = |x: [i32; 2]| Fraction::new(i64::from(x[0]), i64::from(x[1]));
            for op in ops {
                let made = fold_fractions(op, exact(a), exact(b)).ok();
                assert_eq!(
                    fold(op, a, b).map(|x| x.to_vec()),
                    made.map(|made| made.into_vec()),
                    "{a:?} {op:?} {b:?}"
                );
            }
            assert_eq!(less(a, b), exact(a) < exact(b));
            assert_eq!(same(a, b), exact(a) == exact(b));
        }
        for x in parts {
            let exact = Fraction::new(i64::from(x[0]), i64::from(x[1]));
            assert_eq!(
                i64::from(divide_down(x[0], x[1])),
                exact.floor().to_integer()
            );
            assert_eq!(i64::from(divide_up(x[0], x[1])), exact.ceil().to_integer());
        }
        assert_eq!(fold(BinaryOp::Multiply, [i32::MAX, 1], [2, 1]), None);
    }
}
