//! Dice that show what they are told: for replaying printed examples.

use super::{Dice, Roll};

/// Shows a list of readings in order: a die's face, a sum, or a pool's number of successes.
/// Panics on a roll too many, on a reading the dice cannot show, and (in [`Scripted::finish`]) on a
/// reading left over, so that a test replays exactly the rolls it says.
///
/// A roll whose every face means the same is not a roll: it is never asked for.
#[derive(Debug)]
pub struct Scripted {
    readings: Vec<i32>,
    used: usize,
}

impl Scripted {
    /// Dice that will show these readings.
    pub fn new(readings: impl IntoIterator<Item = i32>) -> Self {
        Scripted {
            readings: readings.into_iter().collect(),
            used: 0,
        }
    }

    /// Checks that every reading was used.
    ///
    /// # Panics
    /// If some were not.
    pub fn finish(self) {
        assert_eq!(
            self.used,
            self.readings.len(),
            "readings left over: {:?}",
            &self.readings[self.used..]
        );
    }
}

impl Dice for Scripted {
    fn roll(&mut self, roll: &Roll) -> usize {
        let Some(&reading) = self.readings.get(self.used) else {
            panic!(
                "a roll too many: the script has {} readings, and {:?} was asked for next",
                self.readings.len(),
                roll.throw()
            );
        };
        self.used += 1;
        roll.outcome_of_reading(reading).unwrap_or_else(|| {
            panic!(
                "reading {} of the script is {reading}, which {:?} cannot show",
                self.used,
                roll.throw()
            )
        })
    }
}
