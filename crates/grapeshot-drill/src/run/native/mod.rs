//! What emitted rules stand on: the arrays that are filled before the first trial, the dice, and what has gone wrong.
//!
//! `crate::emit` writes a simulated procedure out as Rust. What depends on tables, settings or units is not written into that code
//! but filled in here, from the very question ([`Direct`]) that it plays; so tables of a variant need no other code.

mod fill;
mod list;

pub use super::handful::{Handful, MOST_DICE};
pub use fill::{DiceOfCell, Filler, Part};
pub use list::{List, divide_down, divide_up, fold, less, same};

use super::Direct;
use super::direct::MOST_ROLLS;
use crate::number::Fraction;
use crate::source::{FileId, Span};
use grapeshot_engine::Odds;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The trial is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended;

/// What went wrong first in a trial: the number of the trouble, and a number it tells. A trial goes on with it, to no avail.
#[derive(Debug, Default)]
pub struct Wrong(Cell<u32>, Cell<[i32; 2]>);

impl Wrong {
    /// Something is wrong; what came first counts.
    #[cold]
    #[inline(never)]
    pub fn note(&self, trouble: u32, number: i32) {
        self.note_both(trouble, [number, 0]);
    }

    /// The same with two numbers.
    #[cold]
    #[inline(never)]
    pub fn note_both(&self, trouble: u32, numbers: [i32; 2]) {
        if self.0.get() == 0 {
            self.0.set(trouble);
            self.1.set(numbers);
        }
    }

    /// What there is; nothing is wrong.
    #[inline(always)]
    pub fn some<T: Blank>(&self, value: Option<T>, trouble: u32) -> T {
        match value {
            Some(value) => value,
            None => {
                self.note(trouble, 0);
                T::BLANK
            }
        }
    }

    /// Whether something is.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.0.get() != 0
    }

    /// Forgets it, and gives it.
    pub fn take(&self) -> (u32, i32, i32) {
        let [number, other] = self.1.take();
        (self.0.take(), number, other)
    }
}

/// What stands for a value that could not be worked out.
pub trait Blank {
    /// It.
    const BLANK: Self;
}

impl Blank for i32 {
    const BLANK: i32 = 0;
}

impl Blank for [i32; 1] {
    const BLANK: [i32; 1] = [0];
}

impl Blank for [i32; 2] {
    const BLANK: [i32; 2] = [0, 1];
}

/// A place in the texts.
pub fn place(file: u16, start: u32, end: u32) -> Span {
    let file = FileId(file);
    Span { file, start, end }
}

/// Chances that were asked for before.
#[derive(Debug, Default)]
pub struct Chances(FxHashMap<[i32; 2], Odds<i32>>);

impl Chances {
    /// 1 with so many chances of so many, else 0.
    pub fn of(&mut self, chance: [i32; 2]) -> &Odds<i32> {
        self.0.entry(chance).or_insert_with(|| {
            let chance = Fraction::new(i64::from(chance[0]), i64::from(chance[1]));
            let (good, all) = (*chance.numer() as u128, *chance.denom() as u128);
            Odds::weighted([(0, all - good), (1, good)])
        })
    }
}

/// What is said of a chance that is none.
pub fn no_chance(above: i32, below: i32) -> String {
    let chance = Fraction::new(i64::from(above), i64::from(below));
    format!("a chance lies from 0 to 1, and this is {chance}")
}

/// Where a trial is, as its dice see it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    /// The turn.
    pub turn: i32,
    /// The stage it is in, and the one of the last roll.
    pub stage: u8,
    /// That of the last roll.
    pub ended_in: u8,
    /// Whether it is in one.
    pub in_stage: bool,
    /// Whether the units of the start are known.
    pub started: bool,
    /// How often dice fell.
    pub rolls: u32,
    /// The label of the end.
    pub outcome: i32,
}

impl Clock {
    /// Dice fall once more; false if that is too often.
    #[inline(always)]
    pub fn falls(&mut self) -> bool {
        self.rolls += 1;
        self.ended_in = self.stage;
        self.rolls <= MOST_ROLLS
    }
}

impl Direct {
    /// What went wrong in a trial of emitted code.
    pub fn note(&self, text: String, span: Span) {
        self.note_trouble(text, span);
    }
}
