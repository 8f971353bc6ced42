//! Handfuls of dice, made when first thrown and kept: how many of so many dice show a face or more.
//!
//! Every fire, save and melee throws such a pool. They depend on nothing but the number of dice and the
//! face needed, so all procedures share them, whatever their settings, and so do tables with other numbers.

use grapeshot_engine::dice::{Odds, Throw};
use std::sync::{LazyLock, OnceLock};

/// Pools of six-sided dice.
pub(super) static D6: LazyLock<Pools> = LazyLock::new(|| Pools::of(6));
/// Pools of ten-sided dice.
pub(super) static D10: LazyLock<Pools> = LazyLock::new(|| Pools::of(10));

/// The most dice that are ever thrown together, and one.
const COUNTS: usize = u8::MAX as usize + 1;

/// Pools of one kind of die.
#[derive(Debug, Clone)]
pub(super) struct Pools {
    sides: i16,
    /// By the face needed, from 1 to one past the highest, then by number of dice.
    by_need: Vec<OnceLock<Vec<OnceLock<Odds<u8>>>>>,
}

impl Pools {
    /// Pools of dice with so many sides.
    fn of(sides: i16) -> Self {
        Pools {
            sides,
            by_need: vec![OnceLock::new(); sides as usize + 1],
        }
    }

    /// How many of `count` dice show `need` or more: all of them for a need of 1 or less, none for one
    /// past the highest face.
    pub(super) fn at_least(&self, count: u8, need: i16) -> &Odds<u8> {
        let need = need.clamp(1, self.sides + 1);
        let counts = self.by_need[need as usize - 1].get_or_init(|| vec![OnceLock::new(); COUNTS]);
        counts[usize::from(count)].get_or_init(|| {
            let pool = Throw::pool_at_least(u32::from(count), self.sides, need);
            Odds::new(pool, |n| n as u8)
        })
    }
}
