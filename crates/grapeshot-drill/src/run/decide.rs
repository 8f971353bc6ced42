//! A question in which somebody chooses, as a player is told of it: actions, what an end is worth, what a policy shows of a
//! state, plans to compare.

use super::Play;
use super::code::Ins;
use super::layout::{Layout, fraction};
use super::machine::{Stop, value};
use super::state::{Place, State};
use crate::program::{MixedNumber, Type};
use grapeshot_engine::engine::Row;

/// A plan made in advance: it looks at nothing but the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedPlan {
    /// What it is called.
    pub name: String,
    /// Actions that come first, and in which turns, counted from 0, they do; beyond the last as in the last.
    pub at_first: Option<(Vec<u16>, Vec<bool>)>,
    /// Else these, by their numbers.
    pub then: Vec<u16>,
}

impl FixedPlan {
    /// The first of its actions that is offered; nothing where it has none of them.
    pub fn takes(&self, turn: u16, offered: &[u16]) -> Option<u16> {
        let wanted = match &self.at_first {
            Some((actions, turns)) if *turns.get(usize::from(turn)).or(turns.last())? => actions,
            _ => &self.then,
        };
        let mut wanted = wanted.iter().copied();
        wanted.find(|action| offered.contains(action))
    }
}

/// A value as a policy shows it.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A word, a side, a unit.
    Word(String),
}

/// How a line of `show` is read.
#[derive(Debug, Clone)]
pub(super) struct ShowAs {
    name: String,
    kind: ShowKind,
}

#[derive(Debug, Clone)]
enum ShowKind {
    Flag,
    Number,
    /// What stands from this number on is a word; below it, itself.
    Words(i32, Vec<String>),
}

impl ShowKind {
    fn width(&self) -> usize {
        match self {
            ShowKind::Number => 2,
            _ => 1,
        }
    }

    fn read(&self, parts: &[i32]) -> Shown {
        match self {
            ShowKind::Flag => Shown::Flag(parts[0] != 0),
            ShowKind::Number => Shown::Number(as_float(parts).unwrap_or(f64::NAN)),
            ShowKind::Words(from, words) => {
                let at = usize::try_from(i64::from(parts[0]) - i64::from(*from));
                match at.ok().and_then(|at| words.get(at)) {
                    Some(word) => Shown::Word(word.clone()),
                    None => Shown::Whole(i64::from(parts[0])),
                }
            }
        }
    }
}

fn as_float(parts: &[i32]) -> Option<f64> {
    let exact = fraction(parts)?;
    Some(*exact.numer() as f64 / *exact.denom() as f64)
}

/// How the lines of `show` of a procedure are read; nothing for one whose value cannot be shown.
pub(super) fn shows(layout: &Layout<'_>) -> Option<Vec<ShowAs>> {
    let each = layout.procedure.shows.iter();
    each.map(|show| {
        let ty = layout.program[show.value.value].ty;
        let words = |from: i32, count: usize| {
            let letters = (from..).take(count).map(|part| layout.letters(ty, &[part]));
            ShowKind::Words(from, letters.collect())
        };
        let kind = match ty {
            Type::Flag => ShowKind::Flag,
            Type::Number | Type::Place => ShowKind::Words(0, Vec::new()),
            Type::Fraction => ShowKind::Number,
            Type::Word(of) => words(0, layout.program[of].words.len()),
            Type::Mixed(mixed) => {
                let of = &layout.program[mixed];
                match of.number {
                    MixedNumber::None => words(0, of.words.len()),
                    MixedNumber::Whole(range) => words(range.high as i32 + 1, of.words.len()),
                    _ => return None,
                }
            }
            Type::Side | Type::MaybeSide => words(-1, layout.procedure.sides.len() + 1),
            Type::Unit(_) | Type::MaybeUnit(_) => words(-1, 2 * layout.pieces.len() + 1),
            _ => return None,
        };
        let name = show.name.to_string();
        Some(ShowAs { name, kind })
    })
    .collect()
}

impl Play {
    /// The labels of all actions, by their numbers: the order of ties.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        let each = self.machine.code().actions.iter();
        each.map(|(label, _)| label.as_str())
    }

    /// The side whose choices are made well, and its enemy; nothing if nobody decides.
    pub fn sides(&self) -> Option<[&str; 2]> {
        let [asking, enemy] = self.sides.as_ref()?;
        Some([asking, enemy])
    }

    /// The plans to compare, in the order of the text.
    pub fn plans(&self) -> &[FixedPlan] {
        &self.plans
    }

    /// What a finished row is worth to the side the procedure is decided for; nothing if the text does not say, or if it
    /// cannot be worked out (then there is trouble).
    pub fn worth(&self, row: &Row) -> Option<f64> {
        let machine = &self.machine;
        let site = machine.code().worth.as_ref()?;
        machine.with_frame(|machine, frame| {
            for (&slot, &value) in site.row.iter().zip(row) {
                frame[usize::from(slot)] = i32::from(value);
            }
            let parts = machine.told(site.begins, frame)?;
            as_float(&parts)
        })
    }

    /// A state that offers a choice, as the policy shows it: names and values, in the order of the text.
    pub fn show(&self, state: &State) -> Vec<(&str, Shown)> {
        let machine = &self.machine;
        let Place::Choice(pc) = state.at else {
            return Vec::new();
        };
        let Ins::Choose(site) = machine.code().ins[pc as usize] else {
            return Vec::new();
        };
        let Some(begins) = machine.code().choices[site as usize].shown else {
            return Vec::new();
        };
        let told = machine.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            machine.told(begins, frame)
        });
        let mut parts = &told.unwrap_or_default()[..];
        let mut shown = Vec::new();
        for show in &self.shows {
            let width = show.kind.width();
            let Some((&when, rest)) = parts.split_first() else {
                break;
            };
            if rest.len() < width {
                break;
            }
            if when != 0 {
                shown.push((show.name.as_str(), show.kind.read(&rest[..width])));
            }
            parts = &rest[width..];
        }
        shown
    }
}

impl super::machine::Machine {
    /// Runs code that stops with some values.
    fn told(&self, from: u32, frame: &mut [i32]) -> Option<Vec<i32>> {
        match self.without_dice(from, frame) {
            Stop::Told(list) => {
                let values = self.body.code.told[list as usize].iter();
                Some(values.map(|&operand| value(operand, frame)).collect())
            }
            _ => None,
        }
    }
}
