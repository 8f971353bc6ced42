//! Types: words, mixed kinds, records, units, fields, dice.

use super::{CellId, DieId, FieldId, Formula, MixedId, RecordId, UnitTypeId, Value, WordsId};
use crate::source::Span;
use crate::tree::Order;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The type of an expression: how its value is laid out. Small and `Copy`; equal types are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// Of a rule that gives nothing back.
    Nothing,
    /// Yes or no.
    Flag,
    /// A whole number. Its range, where it is known, stands beside it.
    Number,
    /// An exact fraction.
    Fraction,
    /// One word of a type, as its position in [`super::Words::words`].
    Word(WordsId),
    /// A number or a word of several types.
    Mixed(MixedId),
    /// A record: its fields one after the other.
    Record(RecordId),
    /// A unit, or a whole line: a reference to a piece on the table. Rules change the unit they are given.
    Unit(UnitTypeId),
    /// A unit or nobody.
    MaybeUnit(UnitTypeId),
    /// A list or set of units, always in the order of the sides and of their numbers: a bit for each unit.
    Units(UnitTypeId),
    /// A side of the procedure, as its position there.
    Side,
    /// A side or nobody.
    MaybeSide,
    /// A place on the rows or columns of a table: a position counted from 0, which may lie outside until it is read.
    Place,
    /// A list of whole numbers, for a quantifier to look at: the entries of modifiers that count, the best of some dice.
    Numbers,
    /// A list of fractions.
    Fractions,
    /// A set of words: a bit for each.
    WordSet(WordsId),
    /// What a cell of the kind `band` says.
    Band,
    /// Dice of a cell, not yet thrown.
    Dice,
    /// Letters; only to be told.
    Text,
}

/// From the lowest to the highest, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Interval {
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
}

impl Interval {
    /// One number.
    pub fn only(number: i64) -> Self {
        Interval {
            low: number,
            high: number,
        }
    }

    /// The smallest interval with both.
    pub fn hull(self, other: Self) -> Self {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Whether all of the other lies in it.
    pub fn holds(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// How many numbers.
    pub fn len(self) -> u64 {
        (self.high - self.low + 1).max(0) as u64
    }

    /// Whether it has no number.
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }
}

/// A word: its type and its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WordId {
    /// The type.
    pub of: WordsId,
    /// The position.
    pub at: u16,
}

/// A closed list of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// Its name; empty for words that a kind lists itself (`none | partial | full`).
    pub name: Arc<str>,
    /// The words as they are written and reported.
    pub words: Vec<Arc<str>>,
    /// What each counts as where nothing else is said. Already worked into every `is`, `case` and look-up; kept for
    /// settings and help.
    pub like: Vec<Option<u16>>,
    /// How they stand to each other.
    pub order: Order,
    /// Where it is declared.
    pub span: Span,
}

impl Words {
    /// `false`, `true`: only for the labels of flags.
    pub const FLAG: WordsId = WordsId(0);
    /// `success`, `undecided`, `failure`.
    pub const FAVOUR: WordsId = WordsId(1);
    /// `none`.
    pub const NONE: WordsId = WordsId(2);

    /// How high a word is among its own; 0 is the lowest. Unordered words stand as they are written.
    pub fn rank(&self, at: u16) -> u16 {
        match self.order {
            Order::Falling => (self.words.len() as u16).saturating_sub(1 + at),
            Order::Rising | Order::None => at,
        }
    }

    /// The position of a word.
    pub fn position(&self, word: &str) -> Option<u16> {
        let at = self.words.iter().position(|w| **w == *word)?;
        Some(at as u16)
    }
}

/// `1..6 | green`, `Formation | Level`, `0..99 fraction | none`, `dice | none`. A value is a number, or dice, or one of the
/// words; a back end may lay it out as the number's range followed by the words in this order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mixed {
    /// What it may be besides a word.
    pub number: MixedNumber,
    /// The words, in the order they are said.
    pub words: Vec<WordId>,
}

/// The part of a mixed kind that is no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MixedNumber {
    /// None: words of several types.
    None,
    /// A whole number in a range.
    Whole(Interval),
    /// A fraction.
    Fraction,
    /// Dice.
    Dice,
}

/// A record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordType {
    /// Its name.
    pub name: Arc<str>,
    /// Its fields.
    pub fields: Vec<RecordField>,
    /// How it is printed; without codes it is only made in play.
    pub codes: Vec<CodePattern>,
    /// Where it is declared.
    pub span: Span,
}

/// A field of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordField {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Its numbers.
    pub range: Option<Interval>,
    /// The numbers that may be printed in a code: its default may lie outside.
    pub printed: Option<Interval>,
    /// What it is if nothing is said.
    pub default: Value,
}

/// One printed code of a record, in pieces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CodePattern {
    /// As written.
    pub written: Arc<str>,
    /// The pieces, in order.
    pub pieces: Vec<CodePiece>,
    /// How it is reported, with fields in braces; without it, as printed.
    pub label: Option<Arc<str>>,
    /// What it sets besides: a field and its value, or the field it is equal to.
    pub sets: Vec<(usize, CodeValue)>,
}

/// A piece of a code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CodePiece {
    /// Letters as they are.
    Letters(Arc<str>),
    /// The value of a field.
    Field(usize),
    /// What may be missing; with a flag that says whether it is there.
    Optional(Vec<CodePiece>, Option<usize>),
}

/// What a code sets a field to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum CodeValue {
    /// A value.
    Value(Value),
    /// That of another field.
    SameAs(usize),
}

/// A unit, or a line of units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UnitType {
    /// Its name.
    pub name: Arc<str>,
    /// Its fields, in [`super::Program::fields`].
    pub fields: Range<u32>,
    /// Of a line.
    pub line: Option<Line>,
    /// What is refused of a side that is one.
    pub refusals: Vec<UnitRefusal>,
    /// Where it is declared.
    pub span: Span,
}

/// What makes a unit a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What its members are.
    pub of: UnitTypeId,
    /// Its field that says how many there are.
    pub times: FieldId,
    /// How many there can be.
    pub most: u32,
}

/// A field of a unit: a setting and the unit's condition.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// The unit.
    pub of: UnitTypeId,
    /// What is stored. For `state: Order from good to routed` any `Order`.
    pub ty: Type,
    /// The numbers it may hold in play: that of its kind, and down to 0.
    pub range: Option<Interval>,
    /// What it begins as where no key sets it, worked out when all keys are set; local 0 is the unit. Always there in a program
    /// that has passed.
    pub default: Option<Formula>,
    /// Declared `in play`: no key sets it.
    pub in_play: bool,
    /// Whether any statement changes it.
    pub changed: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A refusal of a unit type, said of each side that is one; local 0 of both formulas is that side.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UnitRefusal {
    /// The keys it is said of, without the side; each is asked in turn.
    pub keys: Vec<Arc<str>>,
    /// When.
    pub when: Formula,
    /// What is said, of type Text.
    pub text: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A die and its faces, each as likely as another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Die {
    /// `d6`, `AV`.
    pub name: Arc<str>,
    /// In order; a face may come twice.
    pub faces: Vec<i64>,
    /// Cells that its faces are read from (`0..dice.fire - 1`), which a variant can change.
    pub from_cells: Vec<CellId>,
}

/// A sum of dice and a number: `2D6 + 1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DiceSum {
    /// How many of which.
    pub dice: Vec<(u32, DieId)>,
    /// Added.
    pub plus: i64,
}
