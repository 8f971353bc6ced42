//! Trials played from beginning to end in one frame, without resting in between.

use super::machine::{Halted, Machine, Stop, set, value};
use super::state::Place;
use grapeshot_engine::dice::Sampled;
use grapeshot_engine::engine::{End, Row};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// The most throws of a trial.
const MOST_ROLLS: u32 = 100_000;

impl Machine {
    /// Whether somebody may have to choose.
    pub(super) fn has_choices(&self) -> bool {
        !self.body.code.choices.is_empty()
    }

    /// Plays trials in which nobody chooses, on thrown dice; the same that the engine plays step by step.
    pub(super) fn play_through(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    ) {
        self.with_frame(|machine, frame| {
            for _ in 0..trials {
                let end = machine.trial(rng, frame);
                *counts.entry(end).or_default() += 1;
            }
        });
    }

    fn trial(&self, rng: &mut Xoshiro256PlusPlus, frame: &mut [i32]) -> End {
        let body = &*self.body;
        self.unpack(self.start, frame);
        let mut pc = self.pc(self.start.at);
        let (mut turn, mut phase) = (1, 0);
        let mut rolls = 0;
        let mut end = loop {
            match self.advance(pc, frame) {
                Halted::Throw(at, odds) => {
                    let (site, thrown) = self.thrown(at, odds);
                    rolls += 1;
                    if rolls > MOST_ROLLS {
                        let text = format!("a trial throws dice {MOST_ROLLS} times at most");
                        self.note_trouble(text, Place::Throw(at));
                        break (Row::default(), phase);
                    }
                    phase = self.phase_of_stage(value(site.stage, frame));
                    let outcome = thrown.roll(&mut Sampled::new(rng));
                    set(frame, site, thrown.outcome(outcome));
                    pc = at + 1;
                }
                Halted::Stop(Stop::Rest(Place::Turn)) => {
                    let (last, head, after) = match &body.code.turn {
                        Some(turns) => (turns.last, turns.head, turns.after),
                        None => (0, 0, 0),
                    };
                    if turn >= last {
                        let row = match self.without_dice(after, frame) {
                            Stop::Done => self.row(frame),
                            _ => Row::default(),
                        };
                        let phase = body.names.len();
                        break (row, phase);
                    }
                    turn += 1;
                    (pc, phase) = (head, 0);
                }
                Halted::Stop(Stop::Done) => break (self.row(frame), phase),
                Halted::Stop(_) => break (Row::default(), phase),
            }
        };
        if let Some(clock) = body.clock {
            let reported = &mut end.0[clock.variable];
            *reported = turn.wrapping_sub(*reported);
        }
        End {
            row: end.0,
            phase: end.1 as u8,
        }
    }
}
