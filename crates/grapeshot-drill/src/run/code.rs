//! Register code: what is left of a procedure once its settings are known. Three addresses, one flat frame of `i32`.

use super::value::{Operand, Slot};
use crate::program::Interval;
use crate::source::Span;
use grapeshot_engine::{Odds, Throw};
use std::sync::OnceLock;

/// A place in the code.
pub type Pc = u32;

/// With two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a / b`, the next whole number at or below; by 0 is an error of play.
    DivideDown,
    /// What `a / b` leaves, never below 0.
    Remainder,
    /// The less.
    Min,
    /// The greater; of flags `or`.
    Max,
    /// `a < b`.
    Less,
    /// `a <= b`.
    AtMost,
    /// `a is b`.
    Same,
}

impl Op {
    /// What it makes of two numbers; nothing if that cannot be said in 32 bits.
    #[inline]
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        match self {
            Op::Add => a.checked_add(b),
            Op::Subtract => a.checked_sub(b),
            Op::Multiply => a.checked_mul(b),
            Op::DivideDown => {
                let quotient = a.checked_div(b)?;
                let left = a.wrapping_rem(b);
                Some(quotient - i32::from(left != 0 && (left < 0) != (b < 0)))
            }
            Op::Remainder => a.checked_rem_euclid(b),
            Op::Min => Some(a.min(b)),
            Op::Max => Some(a.max(b)),
            Op::Less => Some(i32::from(a < b)),
            Op::AtMost => Some(i32::from(a <= b)),
            Op::Same => Some(i32::from(a == b)),
        }
    }
}

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ins {
    /// Nothing; left out in the end.
    Nothing,
    /// Puts an operand into a slot.
    Put(Slot, Operand),
    /// Works out a number.
    Binary(Op, Slot, Operand, Operand),
    /// `(a - a's lowest) * width + (b - b's lowest)`: two indices as one.
    Join {
        /// Into.
        to: Slot,
        /// The first index and its lowest number.
        a: (Slot, i32),
        /// The second.
        b: (Slot, i32),
        /// How many numbers the second has.
        width: i32,
    },
    /// Looks an index up in [`Code::data`]; a [`HOLE`] is an error of play.
    Look {
        /// Into.
        to: Slot,
        /// The index,
        at: Slot,
        /// the number of its first entry,
        low: i32,
        /// where the entries begin,
        first: u32,
        /// and how many there are.
        len: u32,
    },
    /// Goes on there.
    Jump(Pc),
    /// Goes on there if the slot is 0.
    Unless(Slot, Pc),
    /// Goes on there unless what an operation makes of two operands is true.
    UnlessBinary(Op, Operand, Operand, Pc),
    /// Goes on there unless what an index is looked up to be is true.
    UnlessLook {
        /// The index,
        at: Slot,
        /// the number of its first entry,
        low: i32,
        /// where the entries begin,
        first: u32,
        /// how many there are,
        len: u32,
        /// and where to go on.
        to: Pc,
    },
    /// A number must lie in a range of [`Code::ranges`].
    Check(Operand, u32),
    /// Dice are thrown, as [`Code::rolls`] says.
    Roll(u32),
    /// Somebody chooses: [`Code::choices`].
    Choose(u32),
    /// The turn is over: [`Code::turn`].
    Turn,
    /// The trial is over; the row stands in [`Code::row`].
    Done,
    /// What was asked beside the trial is worked out: values of [`Code::told`].
    Told(u32),
    /// What is read here is noted: [`Code::reads`]. Only where somebody asks.
    Reads(u32),
    /// Play went wrong: [`Code::faults`].
    Fault(u32),
}

/// An entry of a table that no index may come to.
pub const HOLE: i32 = i32::MIN;

/// A throw of the code.
#[derive(Debug, Clone)]
pub struct RollSite {
    /// Where the value goes.
    pub to: Vec<Slot>,
    /// Slots that decide which dice are thrown: their lowest value and how many they have.
    pub index: Vec<(Slot, i32, u32)>,
    /// The dice for each combination, in [`Code::odds`].
    pub odds: Vec<u32>,
    /// The stage it is thrown in.
    pub stage: Operand,
    /// Where a trial rests before it.
    pub rest: Rest,
}

/// Dice and the values they put into slots.
#[derive(Debug, Clone)]
pub struct Thrown {
    throw: Throw,
    /// The outcome of each reading of the throw.
    outcome_of: Vec<u16>,
    /// As the engine rolls them, once it does.
    odds: OnceLock<Odds<u16>>,
    /// The parts of each outcome, one outcome after another, and how many each has.
    values: Vec<i32>,
    width: usize,
    /// The weight of each outcome, and the sum of all; 0 where that is too large.
    pub(super) weights: Vec<u64>,
    pub(super) total: u64,
}

impl Thrown {
    /// Dice by the parts of each reading; readings with the same are one outcome.
    pub fn new<'v>(throw: &Throw, readings: impl Iterator<Item = &'v [i32]>) -> Self {
        let mut values: Vec<i32> = Vec::new();
        let mut weights: Vec<u64> = Vec::new();
        let mut outcome_of = Vec::with_capacity(throw.readings().len());
        let mut total = Some(0u64);
        let mut width = 0;
        for (parts, &(_, weight)) in readings.zip(throw.readings()) {
            width = parts.len();
            let alike = |at: &usize| values[at * width..(at + 1) * width] == *parts;
            let at = (0..weights.len()).find(alike);
            let at = at.unwrap_or_else(|| {
                values.extend_from_slice(parts);
                weights.push(0);
                weights.len() - 1
            });
            let weight = u64::try_from(weight).ok();
            total = total
                .zip(weight)
                .and_then(|(sum, more)| sum.checked_add(more));
            weights[at] = weights[at].wrapping_add(weight.unwrap_or(0));
            outcome_of.push(at as u16);
        }
        Thrown {
            throw: throw.clone(),
            outcome_of,
            odds: OnceLock::new(),
            values,
            width,
            weights,
            total: total.unwrap_or(0),
        }
    }

    /// Whether they are the same dice, read alike.
    pub fn is_like(&self, other: &Thrown) -> bool {
        self.values == other.values
            && self.outcome_of == other.outcome_of
            && self.throw == other.throw
    }

    /// How many outcomes there are.
    #[inline]
    pub fn ways(&self) -> usize {
        self.weights.len()
    }

    /// The parts of an outcome.
    #[inline]
    pub fn outcome(&self, at: usize) -> &[i32] {
        &self.values[at * self.width..(at + 1) * self.width]
    }

    /// The parts of all outcomes.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = &[i32]> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// Rolls which outcome it is.
    pub fn roll<D: grapeshot_engine::Dice>(&self, dice: &mut D) -> usize {
        let odds = self.odds.get_or_init(|| {
            let position = |reading| self.throw.position(reading).unwrap_or(0);
            Odds::new(self.throw.clone(), |reading| {
                self.outcome_of[position(reading)]
            })
        });
        usize::from(odds.roll(dice))
    }
}

/// A choice of the code.
#[derive(Debug, Clone)]
pub struct ChoiceSite {
    /// Who chooses, a side.
    pub who: Operand,
    /// What can be done, in the order of ties.
    pub actions: Vec<ActionSite>,
    /// The stage it is made in.
    pub stage: Operand,
    /// Where a trial rests before it.
    pub rest: Rest,
    /// What works out how a policy shows it.
    pub shown: Option<Pc>,
}

/// Something that can be done.
#[derive(Debug, Clone)]
pub struct ActionSite {
    /// Its number among [`Code::actions`].
    pub action: u16,
    /// Whether it is offered.
    pub offered: Operand,
    /// What it does.
    pub to: Pc,
}

/// What works out what a row is worth.
#[derive(Debug, Clone)]
pub struct WorthSite {
    /// Where it begins.
    pub begins: Pc,
    /// Where the row is put.
    pub row: Vec<Slot>,
    /// It asks for something that no row tells.
    pub asks_more: bool,
}

/// Where the turns are.
#[derive(Debug, Clone)]
pub struct TurnSite {
    /// Where a turn begins.
    pub head: Pc,
    /// What comes after the last.
    pub after: Pc,
    /// The last turn.
    pub last: u16,
    /// Where a trial rests between two turns.
    pub rest: Rest,
}

/// What is kept of a frame where a trial rests: the slots that are still needed, each in the bits of its range.
#[derive(Debug, Clone, Default)]
pub struct Rest {
    /// The slots.
    pub kept: Vec<Kept>,
    /// How many bits they take.
    pub bits: u32,
}

/// A slot that is kept.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// Which.
    pub slot: Slot,
    /// Its lowest number.
    pub low: i32,
    /// How many bits it takes above that; none if it has one value.
    pub bits: u8,
}

/// A procedure for one list of settings.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// Instructions.
    pub ins: Vec<Ins>,
    /// Where each comes from.
    pub spans: Vec<Span>,
    /// Entries of tables.
    pub data: Vec<i32>,
    /// Ranges of checks, and what they are of.
    pub ranges: Vec<(Interval, String)>,
    /// What can go wrong.
    pub faults: Vec<String>,
    /// Throws.
    pub rolls: Vec<RollSite>,
    /// Dice of throws.
    pub odds: Vec<Thrown>,
    /// Choices.
    pub choices: Vec<ChoiceSite>,
    /// All actions by their labels, in the order of ties, and the name by which plans know each.
    pub actions: Vec<(String, String)>,
    /// Turns, if the engine counts them.
    pub turn: Option<TurnSite>,
    /// What a finished trial reports.
    pub row: Vec<Operand>,
    /// What an end is worth, if the text says so.
    pub worth: Option<WorthSite>,
    /// Values of what is asked beside the trial.
    pub told: Vec<Vec<Operand>>,
    /// What is read where.
    pub reads: Vec<super::reads::ReadSite>,
    /// Stages, in the order of the text.
    pub stages: Vec<String>,
    /// How many slots a frame has.
    pub slots: usize,
}

/// The most values that a state keeps.
pub const MOST_KEPT: usize = 128;

impl Code {
    /// The first place at which a trial would have to keep more than [`MOST_KEPT`] values.
    pub fn keeps_too_much(&self) -> Option<Span> {
        let too_much = |ins: &Ins| {
            let rest = match ins {
                Ins::Roll(site) => Some(&self.rolls[*site as usize].rest),
                Ins::Choose(site) => Some(&self.choices[*site as usize].rest),
                Ins::Turn => self.turn.as_ref().map(|turn| &turn.rest),
                _ => None,
            };
            let kept = rest.into_iter().flat_map(|rest| &rest.kept);
            kept.filter(|kept| kept.bits > 0).count() > MOST_KEPT
        };
        let at = self.ins.iter().position(too_much)?;
        self.spans.get(at).copied()
    }
}
