//! States: a place at which a trial rests, and the slots that are still needed there, each in the bits of its range.
//!
//! A key of 128 bits holds nearly everything; what is wider is numbered, so that a state stays small and can be copied.

use super::code::{Ins, Kept, Rest};
use super::machine::Machine;
use rustc_hash::FxHashMap;

/// A state: where a trial rests, and what it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The throw, the choice, the turn or the beginning.
    pub(super) at: Place,
    /// What is kept, packed, the lower half first; or the number of what is wider than that.
    key: [u64; 2],
}

impl State {
    /// Before anything.
    pub(super) const BEGINNING: State = State {
        at: Place::Beginning,
        key: [0; 2],
    };
}

impl std::hash::Hash for State {
    /// One word, or two, instead of all parts one after another.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let at = match self.at {
            Place::Beginning => 0,
            Place::Turn => 1,
            Place::Throw(pc) | Place::Choice(pc) => 2 + u64::from(pc),
        };
        if self.key[1] != 0 {
            state.write_u64(self.key[1]);
        }
        state.write_u64(self.key[0] ^ at.rotate_right(16));
    }
}

/// Where a trial rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    /// Before anything.
    Beginning,
    /// Before a throw: the instruction.
    Throw(u32),
    /// Before a choice.
    Choice(u32),
    /// Between two turns.
    Turn,
}

/// Kept slots that do not fit into a key, by the order in which they were met.
#[derive(Default)]
pub(super) struct Wide {
    numbers: FxHashMap<Box<[i32]>, u32>,
    all: Vec<Box<[i32]>>,
}

impl Machine {
    pub(super) fn rest(&self, at: Place) -> Option<&Rest> {
        match at {
            Place::Beginning => None,
            Place::Throw(pc) => match self.body.code.ins[pc as usize] {
                Ins::Roll(site) => Some(&self.body.code.rolls[site as usize].rest),
                _ => None,
            },
            Place::Choice(pc) => match self.body.code.ins[pc as usize] {
                Ins::Choose(site) => Some(&self.body.code.choices[site as usize].rest),
                _ => None,
            },
            Place::Turn => self.body.code.turn.as_ref().map(|turn| &turn.rest),
        }
    }

    pub(super) fn pack(&self, at: Place, frame: &[i32]) -> State {
        let Some(rest) = self.rest(at) else {
            return State { at, key: [0; 2] };
        };
        if rest.bits > 128 {
            let kept: Box<[i32]> = rest
                .kept
                .iter()
                .map(|kept| frame[usize::from(kept.slot)])
                .collect();
            let mut wide = match self.wide.lock() {
                Ok(wide) => wide,
                Err(poisoned) => poisoned.into_inner(),
            };
            let next = wide.all.len() as u32;
            let number = *wide.numbers.entry(kept.clone()).or_insert(next);
            if number == next {
                wide.all.push(kept);
            }
            return State {
                at,
                key: [u64::from(number), 0],
            };
        }
        let mut over = 0u64;
        let mut above = |kept: &Kept| {
            let value = frame[usize::from(kept.slot)].wrapping_sub(kept.low) as u32;
            let value = u64::from(value);
            over |= value >> kept.bits;
            value
        };
        let key = match rest.bits <= 64 {
            true => {
                let mut key = 0;
                for kept in rest.kept.iter().rev() {
                    key = key << kept.bits | above(kept);
                }
                [key, 0]
            }
            false => {
                let mut key = 0u128;
                for kept in rest.kept.iter().rev() {
                    key = key << kept.bits | u128::from(above(kept));
                }
                [key as u64, (key >> 64) as u64]
            }
        };
        if over != 0 {
            self.note_trouble(
                "a number has left the range it was shown to have".to_owned(),
                at,
            );
        }
        State { at, key }
    }

    pub(super) fn unpack(&self, state: State, frame: &mut [i32]) {
        let Some(rest) = self.rest(state.at) else {
            return;
        };
        if rest.bits > 128 {
            let wide = match self.wide.lock() {
                Ok(wide) => wide,
                Err(poisoned) => poisoned.into_inner(),
            };
            for (kept, &value) in rest.kept.iter().zip(&wide.all[state.key[0] as usize]) {
                frame[usize::from(kept.slot)] = value;
            }
            return;
        }
        let low_bits = |bits: u8| (1u64 << bits) - 1;
        if rest.bits <= 64 {
            let mut key = state.key[0];
            for kept in &rest.kept {
                let above = (key & low_bits(kept.bits)) as i32;
                frame[usize::from(kept.slot)] = kept.low.wrapping_add(above);
                key >>= kept.bits;
            }
            return;
        }
        let mut key = u128::from(state.key[1]) << 64 | u128::from(state.key[0]);
        for kept in &rest.kept {
            let above = (key as u64 & low_bits(kept.bits)) as i32;
            frame[usize::from(kept.slot)] = kept.low.wrapping_add(above);
            key >>= kept.bits;
        }
    }
}
