//! States: a place at which a trial rests, and the slots that are still needed there, each in the bits of its range.
//!
//! A key of 128 bits holds nearly everything; what is wider is numbered, so that a state stays small and can be copied.

use super::code::{Ins, Rest};
use super::machine::Machine;
use std::collections::HashMap;

/// A state: where a trial rests, and what it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The throw, the choice, the turn or the beginning.
    pub(super) at: Place,
    /// What is kept, packed; or the number of what is wider than that.
    pub(super) key: u128,
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
    numbers: HashMap<Box<[i32]>, u32>,
    all: Vec<Box<[i32]>>,
}

impl Machine {
    fn rest(&self, at: Place) -> Option<&Rest> {
        match at {
            Place::Beginning => None,
            Place::Throw(pc) => match self.code.ins[pc as usize] {
                Ins::Roll(site) => Some(&self.code.rolls[site as usize].rest),
                _ => None,
            },
            Place::Choice(pc) => match self.code.ins[pc as usize] {
                Ins::Choose(site) => Some(&self.code.choices[site as usize].rest),
                _ => None,
            },
            Place::Turn => self.code.turn.as_ref().map(|turn| &turn.rest),
        }
    }

    pub(super) fn pack(&self, at: Place, frame: &[i32]) -> State {
        let Some(rest) = self.rest(at) else {
            return State { at, key: 0 };
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
                key: u128::from(number),
            };
        }
        let (mut key, mut shift, mut over) = (0u128, 0, 0u64);
        for kept in &rest.kept {
            let above = (i64::from(frame[usize::from(kept.slot)]) - i64::from(kept.low)) as u64;
            over |= above >> kept.bits;
            if kept.bits > 0 {
                key |= u128::from(above) << shift;
                shift += u32::from(kept.bits);
            }
        }
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
            for (kept, &value) in rest.kept.iter().zip(&wide.all[state.key as usize]) {
                frame[usize::from(kept.slot)] = value;
            }
            return;
        }
        let mut key = state.key;
        for kept in &rest.kept {
            let mask = (1u128 << kept.bits) - 1;
            frame[usize::from(kept.slot)] = (i64::from(kept.low) + (key & mask) as i64) as i32;
            key >>= kept.bits;
        }
    }
}
