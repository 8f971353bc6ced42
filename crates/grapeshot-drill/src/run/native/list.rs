//! Numbers as emitted code has them: short lists, and fractions as two parts.

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

/// What two fractions make; nothing if that cannot be said.
pub fn fold(op: BinaryOp, a: [i32; 2], b: [i32; 2]) -> Option<[i32; 2]> {
    let made = fold_fractions(op, fraction(&a)?, fraction(&b)?).ok()?;
    made.try_into().ok()
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
