//! Several equally distributed whole numbers out of one random word.

use rand_xoshiro::rand_core::Rng;

/// Trials that are drawn for together; a multiple of every number of draws from a word.
pub(super) const LANES: usize = 8;

/// Product of the sides drawn from one word: the chance of a rejection is at most 2^-10.
const WORD: u128 = 1 << 54;

/// Numbers below `sides`, one, two, four or eight to a word (Brackett-Rozinsky and Lemire 2024,
/// *Batched ranged random integer generation*; rejection included, so there is no bias).
#[derive(Debug, Clone, Copy)]
pub(super) struct Draws {
    sides: u64,
    per_word: usize,
    reject_below: u64,
}

impl Draws {
    pub(super) fn new(sides: usize) -> Self {
        let mut per_word = 1;
        let mut product = sides as u128;
        while per_word < LANES && product * product <= WORD {
            product *= product;
            per_word *= 2;
        }
        Draws {
            sides: sides as u64,
            per_word,
            reject_below: ((1u128 << 64) % product) as u64,
        }
    }

    /// Numbers drawn from one word.
    pub(super) fn per_word(&self) -> usize {
        self.per_word
    }

    /// `N` is [`per_word`](Self::per_word), known to the compiler so that the loop is unrolled.
    #[inline(always)]
    pub(super) fn draw<const N: usize>(&self, rng: &mut impl Rng) -> [usize; N] {
        debug_assert_eq!(N, self.per_word);
        loop {
            let mut word = rng.next_u64();
            let mut drawn = [0; N];
            for place in &mut drawn {
                let wide = u128::from(word) * u128::from(self.sides);
                *place = (wide >> 64) as usize;
                word = wide as u64;
            }
            if word >= self.reject_below {
                return drawn;
            }
        }
    }
}

/// Evaluates an expression with the number of draws from a word as a constant.
macro_rules! with_draws {
    ($draws:expr, $count:ident => $call:expr) => {
        match $draws.per_word() {
            1 => {
                const $count: usize = 1;
                $call
            }
            2 => {
                const $count: usize = 2;
                $call
            }
            4 => {
                const $count: usize = 4;
                $call
            }
            _ => {
                const $count: usize = 8;
                $call
            }
        }
    };
}
pub(super) use with_draws;

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn a_word_gives_as_many_numbers_as_it_has_room_for() {
        for (sides, per_word) in [
            (2, 8),
            (10, 8),
            (100, 8),
            (1000, 4),
            (10_000, 4),
            (1 << 20, 2),
        ] {
            assert_eq!(Draws::new(sides).per_word(), per_word, "{sides}");
        }
    }

    #[test]
    fn numbers_are_equally_likely() {
        let draws = Draws::new(10);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1863);
        let mut counts = [[0u32; 10]; 8];
        for _ in 0..100_000 {
            for (place, number) in draws.draw::<8>(&mut rng).into_iter().enumerate() {
                counts[place][number] += 1;
            }
        }
        // A count has mean 10,000 and standard deviation 95: five of them for eighty counts.
        for &count in counts.iter().flatten() {
            assert!(count.abs_diff(10_000) < 475, "{count}");
        }
    }
}
