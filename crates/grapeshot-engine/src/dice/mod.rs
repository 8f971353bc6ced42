//! Dice, and the one trait through which every rule asks for them.
//!
//! A rule never rolls a die itself. It describes the roll once, as [`Odds`] — physical dice
//! ([`Throw`]) and what each reading of them means — and hands it to whatever [`Dice`] it was
//! given: [`Sampled`] throws, [`Drawn`] draws the same odds at full speed, [`Solving`] walks every branch with integer weights, [`Scripted`]
//! replays the readings of a printed example. Faces that mean the same are merged when the odds
//! are made, so a d10 on a table column with three different results is three branches, and a
//! pool of twenty dice is one branch point with at most twenty-one.

mod drawn;
mod odds;
mod sampled;
mod scripted;
mod solving;
mod throw;

pub use drawn::Drawn;
pub use odds::Odds;
pub use sampled::Sampled;
pub use scripted::Scripted;
pub(crate) use solving::gcd;
pub use solving::{Branch, Solving, Ways, branches};
pub use throw::{ReadAs, Throw};

/// A source of dice. The only way a rule can meet chance.
pub trait Dice {
    /// Rolls once and returns which of the distinct outcomes came up.
    fn roll(&mut self, roll: &Roll) -> usize;
}

/// Any dice, lent: rule code over them is compiled once, whatever they are, for a call through a pointer with
/// each roll. Where rule code is run millions of times it has dice of their own type ([`Drawn`]).
pub struct DynDice<'a>(pub &'a mut dyn Dice);

impl std::fmt::Debug for DynDice<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DynDice")
    }
}

impl Dice for DynDice<'_> {
    fn roll(&mut self, roll: &Roll) -> usize {
        self.0.roll(roll)
    }
}

/// The part of [`Odds`] that a source of dice needs: the physical throw, which outcome each
/// reading leads to, and the integer weight of each outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    throw: Throw,
    /// Outcome index of each reading, in the order of [`Throw::readings`].
    outcome_of: Vec<u16>,
    weights: Vec<u128>,
    total: u128,
    laid: drawn::Laid,
}

impl Roll {
    /// The physical dice.
    pub fn throw(&self) -> &Throw {
        &self.throw
    }

    /// The weight of each distinct outcome.
    pub fn weights(&self) -> &[u128] {
        &self.weights
    }

    /// The sum of all weights.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// Which outcome a reading of the dice leads to, if the dice can show it.
    pub fn outcome_of_reading(&self, reading: i32) -> Option<usize> {
        let at = self.throw.position(reading)?;
        Some(usize::from(self.outcome_of[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_that_mean_the_same_are_one_outcome_with_their_weights() {
        let odds = Odds::new(Throw::d6(), |face| match face {
            1 => "miss",
            2..=4 => "none",
            _ => "hit",
        });
        assert_eq!(odds.total(), 6);
        let all: Vec<(&str, u128)> = odds.iter().collect();
        assert_eq!(all, [("miss", 1), ("none", 3), ("hit", 2)]);
    }

    #[test]
    fn scripted_dice_show_what_they_are_told_and_no_more() {
        let odds = Odds::new(Throw::d6(), |face| face >= 5);
        let mut dice = Scripted::new([4, 5, 6, 1]);
        let shown = [(); 4].map(|()| odds.roll(&mut dice));
        assert_eq!(shown, [false, true, true, false]);
        dice.finish();
        let certain = Odds::new(Throw::d6(), |_| 7);
        assert_eq!(certain.roll(&mut Scripted::new([])), 7);
        for (readings, rolls) in [(vec![7], 1), (vec![1], 2), (vec![1, 2], 1)] {
            let replayed = std::panic::catch_unwind(|| {
                let mut dice = Scripted::new(readings.clone());
                (0..rolls).for_each(|_| assert!(!odds.roll(&mut dice)));
                dice.finish();
            });
            assert!(replayed.is_err(), "{readings:?} for {rolls}");
        }
    }

    #[test]
    fn handfuls_are_read_as_they_are_called() {
        let readings = |throw: Throw| {
            let all = throw.readings().iter().map(|&(reading, _)| reading);
            all.collect::<Vec<i32>>()
        };
        assert_eq!(
            readings(Throw::d10_from_zero()),
            (0..=9).collect::<Vec<_>>()
        );
        assert_eq!(readings(Throw::from_zero(6)), (0..=5).collect::<Vec<_>>());
        assert_eq!(
            readings(Throw::average_dice(2)),
            (4..=10).collect::<Vec<_>>()
        );
        let most = Throw::pool_at_most(2, 6, 2);
        assert_eq!(most.readings(), [(0, 16), (1, 16), (2, 4)]);
        assert_eq!(most.read(), ReadAs::AtMost(2));
        assert_eq!((most.position(1), most.position(3)), (Some(1), None));
        let made = Throw::pool_of(2, 1, 3);
        assert_eq!(made.readings(), [(0, 9), (1, 6), (2, 1)]);
    }
}
