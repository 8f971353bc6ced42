//! Stretches of a simulation: what one machine of several plays of it, and how stretches are put together.
//!
//! Batches are numbered and each has a stream of its own, so it does not matter who plays them. Machines
//! that share a simulation must cut it alike before any of them has compiled anything; it is therefore cut
//! into *pieces*, whose size follows from the procedure alone and is a whole number of batches of whatever
//! engine will play it.

use super::play::{Answer, DynSteps};
use super::simulate::{BATCH, Batches, DIRECT_BATCH, Engine, Watch, simulate_batches};
use super::{End, Stream};
use std::collections::BTreeMap;
use std::ops::Range;

/// Trials in a piece of a simulation of this procedure.
pub fn piece_size(play: &dyn DynSteps) -> u64 {
    match play.played_out() {
        Some(_) => DIRECT_BATCH,
        None => BATCH,
    }
}

// Steps are walked or played directly, and nobody knows which before they are compiled.
const _: () = assert!(BATCH.is_multiple_of(DIRECT_BATCH));

/// Plays the batches of this range of so many trials; how many were played, and what they came to.
pub(super) fn play(
    engine: &Engine<'_>,
    stream: Stream,
    batch_range: Range<u64>,
    trials: u64,
    watch: &Watch,
) -> (u64, Batches) {
    let size = engine.batch_size();
    debug_assert!(batch_range.start.is_multiple_of(size), "a batch is not cut");
    let batches = batch_range.start / size..batch_range.end.div_ceil(size);
    let counts = simulate_batches(engine, stream, batches, trials, watch);
    (batch_range.end - batch_range.start, counts)
}

impl Answer {
    /// Trials that were played for it; none if it was solved.
    pub fn trials(&self) -> u64 {
        match self {
            Answer::Exact(_) => 0,
            Answer::Simulated { trials, .. } | Answer::PlayedOut { trials, .. } => *trials,
        }
    }

    /// Two stretches of one simulation as one; the order does not matter. Nothing if they cannot be of one:
    /// found by different engines, or solved; nor if they are more trials than can be counted.
    #[must_use]
    pub fn and(self, other: Answer) -> Option<Answer> {
        match (self, other) {
            (
                Answer::Simulated {
                    tally,
                    trials,
                    direct,
                },
                Answer::Simulated {
                    tally: more,
                    trials: more_trials,
                    direct: also,
                },
            ) if direct == also => {
                let mut all: BTreeMap<End, u64> = BTreeMap::new();
                for (end, count) in tally.into_iter().chain(more) {
                    let known = all.entry(end).or_default();
                    *known = known.checked_add(count)?;
                }
                Some(Answer::Simulated {
                    tally: all.into_iter().collect(),
                    trials: trials.checked_add(more_trials)?,
                    direct,
                })
            }
            (
                Answer::PlayedOut { mut counts, trials },
                Answer::PlayedOut {
                    counts: more,
                    trials: more_trials,
                },
            ) => {
                let trials = trials.checked_add(more_trials)?;
                counts.merge(&more);
                Some(Answer::PlayedOut { counts, trials })
            }
            _ => None,
        }
    }
}

/// Probabilities written as the bits they are, so that they are read again to the last of them.
pub(super) mod bits {
    use super::End;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::engine) fn serialize<S: Serializer>(
        rows: &[(End, f64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let bits = rows.iter().map(|(end, p)| (*end, p.to_bits()));
        bits.collect::<Vec<(End, u64)>>().serialize(serializer)
    }

    pub(in crate::engine) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(End, f64)>, D::Error> {
        let bits = Vec::<(End, u64)>::deserialize(deserializer)?;
        let rows = bits.into_iter();
        Ok(rows.map(|(end, p)| (end, f64::from_bits(p))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Odds, Throw};
    use crate::engine::{Budget, Compiled, Method, OneStep, Plan, Row, Stop, row};

    struct Die(Odds<i32>);

    impl OneStep for Die {
        const PHASE: &'static str = "roll";

        fn play<D: Dice>(&self, dice: &mut D) -> Row {
            row(&[self.0.roll(dice) as u16])
        }
    }

    fn die() -> Die {
        Die(Odds::new(Throw::d6(), |face| face))
    }

    /// The budget of a graph that is walked, or of one that is not and is played directly.
    fn simulated(budget: Budget, trials: u64, cuts: &[u64]) -> Answer {
        let die = die();
        let stream = Stream::common(1863);
        let piece = piece_size(&die);
        let ends = cuts.iter().map(|cut| cut * piece).chain([trials]);
        let starts = [0].into_iter().chain(cuts.iter().map(|cut| cut * piece));
        let parts = starts.zip(ends).map(|(from, to)| {
            let compiled = Compiled::new(&die, budget).unwrap();
            compiled.batch_range(stream, from..to, trials, &Watch::default())
        });
        parts.reduce(|all, part| part.and(all).unwrap()).unwrap()
    }

    #[test]
    fn stretches_put_together_are_the_whole_whatever_engine_plays_them() {
        assert_eq!(piece_size(&die()), BATCH);
        let trials = 3 * BATCH + 5;
        for budget in [Budget::default(), Budget { states: 0 }] {
            let whole = simulated(budget, trials, &[]);
            assert_eq!(whole.trials(), trials);
            let plan = Plan {
                method: Method::Simulate,
                stop: Stop::Trials(trials),
                stream: Stream::common(1863),
            };
            let die = die();
            let once = Compiled::new(&die, budget).unwrap();
            assert_eq!(once.answer(&plan, &Watch::default()).unwrap(), whole);
            assert_eq!(simulated(budget, trials, &[1]), whole);
            assert_eq!(simulated(budget, trials, &[1, 2, 3]), whole);
            assert_eq!(simulated(budget, trials, &[2, 2]), whole, "one is empty");
        }
    }

    #[test]
    fn answers_are_read_again_as_they_were_written() {
        let third = Answer::Exact(vec![
            (
                End {
                    row: row(&[1]),
                    phase: 0,
                },
                1.0 / 3.0,
            ),
            (
                End {
                    row: row(&[2, 7]),
                    phase: 1,
                },
                2.0 / 3.0,
            ),
        ]);
        for answer in [third, simulated(Budget::default(), 100, &[])] {
            let text = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
        }
    }

    #[test]
    fn what_is_not_of_one_simulation_is_not_put_together() {
        let solved = Answer::Exact(Vec::new());
        let walked = simulated(Budget::default(), 100, &[]);
        let direct = simulated(Budget { states: 0 }, 100, &[]);
        assert_eq!(solved.clone().and(solved.clone()), None);
        assert_eq!(solved.and(walked.clone()), None);
        assert_eq!(walked.and(direct), None);
    }
}
