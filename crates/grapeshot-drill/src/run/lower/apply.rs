//! One function applied to values, however much of them is known.
//!
//! Known values give a known value; dice that are not thrown yet give dice that are read through the function; slots of small
//! ranges give a table. So a conversion, a look-up or a comparison is written once, over plain numbers.

use super::{Lower, Lowered};
use crate::program::Interval;
use crate::run::code::{HOLE, Ins};
use crate::run::value::{Dist, Numbers, Operand, Operands, Pending, Slot, Val};
use smallvec::{SmallVec, smallvec};

/// What a function makes of the parts of its arguments, or why it cannot.
pub(super) type Folded = Result<Numbers, String>;

/// The most entries of a table, and the most readings of dice that are read together, over all slots they depend on.
const MOST_ENTRIES: u64 = 1 << 16;
const MOST_READINGS: u64 = 1 << 12;

/// How one part of an argument is found.
#[derive(Clone, Copy)]
enum Source {
    Known(i32),
    /// The value of the slot at this position of the index.
    Index(usize),
    /// A part of the dice at this position.
    Die(usize, usize),
}

impl Lower<'_> {
    /// Applies a function that depends on nothing but its arguments.
    pub(super) fn apply(
        &mut self,
        mut args: impl AsMut<[Val]>,
        fold: &mut dyn FnMut(&[Numbers]) -> Folded,
    ) -> Lowered<Val> {
        self.apply_to(args.as_mut(), fold)
    }

    fn apply_to(
        &mut self,
        args: &mut [Val],
        fold: &mut dyn FnMut(&[Numbers]) -> Folded,
    ) -> Lowered<Val> {
        if !args.iter().any(|arg| matches!(arg, Val::Rolled(_))) {
            return self.apply_to_parts(args, fold);
        }
        match self.read_through(args, fold) {
            Some(pending) => {
                self.note_heard(&pending.index)?;
                Ok(Val::Rolled(Box::new(pending)))
            }
            None => {
                for arg in &mut *args {
                    *arg = Val::Parts(self.parts(std::mem::take(arg))?);
                }
                self.apply_to_parts(args, fold)
            }
        }
    }

    /// The dice of some arguments, read through a function; nothing if there are too many ways, or one goes wrong.
    pub(super) fn read_through(
        &self,
        args: &[Val],
        fold: &mut dyn FnMut(&[Numbers]) -> Folded,
    ) -> Option<Pending> {
        let mut index: Vec<(Slot, Interval)> = Vec::new();
        let mut dice: Vec<&Pending> = Vec::new();
        let mut note =
            |slot: Slot, range: Interval| match index.iter().position(|(s, _)| *s == slot) {
                Some(at) => at,
                None => {
                    index.push((slot, range));
                    index.len() - 1
                }
            };
        let mut sources: SmallVec<[SmallVec<[Source; 2]>; 3]> = SmallVec::new();
        for arg in args {
            sources.push(match arg {
                Val::Parts(parts) => parts
                    .iter()
                    .map(|&part| match part {
                        Operand::Known(number) => Source::Known(number),
                        Operand::Slot(slot) => Source::Index(note(slot, self.reach(part))),
                    })
                    .collect(),
                Val::Rolled(pending) => {
                    for &(slot, range) in &pending.index {
                        note(slot, range);
                    }
                    dice.push(pending);
                    let width = pending.dists[0].width();
                    (0..width)
                        .map(|part| Source::Die(dice.len() - 1, part))
                        .collect()
                }
                _ => return None,
            });
        }
        if self.ways.one_by_one && dice.len() > 1 {
            return None;
        }
        let families = product(index.iter().map(|(_, range)| range.len()))?;
        let most = |pending: &&Pending| pending.dists.iter().map(|d| d.count() as u64).max();
        let readings = product(dice.iter().map(|pending| most(pending).unwrap_or(1)))?;
        if families.checked_mul(readings)? > MOST_READINGS {
            return None;
        }
        self.adds(families * readings / 8);
        let mut dists = Vec::with_capacity(families as usize);
        if let Some(heard) = self.layout.heard {
            heard.begin();
        }
        let mut values: Numbers = index.iter().map(|(_, range)| range.low as i32).collect();
        let mut args: Vec<Numbers> = sources
            .iter()
            .map(|parts| smallvec![0; parts.len()])
            .collect();
        loop {
            let chosen: SmallVec<[&Dist; 2]> = dice
                .iter()
                .map(|&pending| of_index(pending, &index, &values))
                .collect();
            let mut of = |readings: &[&[i32]]| {
                let find = |source: &Source| match *source {
                    Source::Known(number) => number,
                    Source::Index(at) => values[at],
                    Source::Die(die, part) => readings[die][part],
                };
                for (arg, parts) in args.iter_mut().zip(&sources) {
                    for (part, source) in arg.iter_mut().zip(parts) {
                        *part = find(source);
                    }
                }
                fold(&args)
            };
            dists.push(match chosen[..] {
                [one] => one.read_through(|value| of(&[value])).ok()?,
                _ => Dist::weighed(together(&chosen, &mut of)?),
            });
            if !advance(&mut values, &index) {
                return Some(Pending { index, dists });
            }
            if let Some(heard) = self.layout.heard {
                heard.next_combination();
            }
        }
    }

    fn apply_to_parts(
        &mut self,
        args: &mut [Val],
        fold: &mut dyn FnMut(&[Numbers]) -> Folded,
    ) -> Lowered<Val> {
        let mut all: SmallVec<[Numbers; 3]> = SmallVec::new();
        let mut index: SmallVec<[(Slot, Interval); 4]> = SmallVec::new();
        // Which parts change with the slots: the argument, its part, the position of the slot.
        let mut open: SmallVec<[(usize, usize, usize); 4]> = SmallVec::new();
        for (number, arg) in args.iter_mut().enumerate() {
            let parts = self.parts(std::mem::take(arg))?;
            let mut known = Numbers::new();
            for (at, part) in parts.into_iter().enumerate() {
                known.push(match part {
                    Operand::Known(number) => number,
                    Operand::Slot(slot) => {
                        let position = index.iter().position(|(known, _)| *known == slot);
                        let position = position.unwrap_or_else(|| {
                            index.push((slot, self.reach(part)));
                            index.len() - 1
                        });
                        open.push((number, at, position));
                        index[position].1.low as i32
                    }
                });
            }
            all.push(known);
        }
        if index.is_empty() && self.layout.heard.is_none() {
            self.worked(1)?;
            return match fold(&all) {
                Ok(parts) => Ok(Val::constant(&parts)),
                Err(text) => {
                    self.fault(&text)?;
                    Ok(Val::known(0))
                }
            };
        }
        let entries = product(index.iter().map(|(_, range)| range.len()));
        let Some(entries) = entries.filter(|&entries| entries <= MOST_ENTRIES) else {
            return self
                .wrong("this depends on too many different numbers to be worked out beforehand");
        };
        self.worked(entries)?;
        let mut values: Numbers = index.iter().map(|(_, range)| range.low as i32).collect();
        let mut columns: Vec<Vec<i32>> = Vec::new();
        let mut trouble = None;
        let mut row = 0;
        if let Some(heard) = self.layout.heard {
            heard.begin();
        }
        loop {
            match fold(&all) {
                Ok(parts) => {
                    if columns.is_empty() {
                        columns = vec![vec![HOLE; entries as usize]; parts.len()];
                    }
                    for (column, part) in columns.iter_mut().zip(parts) {
                        column[row] = part;
                    }
                }
                Err(text) => trouble = Some(text),
            }
            row += 1;
            if !advance(&mut values, &index) {
                break;
            }
            for &(number, at, position) in &open {
                all[number][at] = values[position];
            }
            if let Some(heard) = self.layout.heard {
                heard.next_combination();
            }
        }
        self.note_heard(&index)?;
        if columns.is_empty() {
            let text = trouble.unwrap_or_default();
            self.fault(&text)?;
            return Ok(Val::known(0));
        }
        let mut parts = Operands::new();
        let mut at = None;
        for column in columns {
            // What goes wrong is nobody's value.
            let mut right = column.iter().copied().filter(|&part| part != HOLE);
            let first = right.next().unwrap_or(0);
            let same = right.all(|part| part == first);
            if same && trouble.is_none() {
                parts.push(Operand::Known(first));
                continue;
            }
            let looked_up = |values: &[i32]| {
                let each = index.iter().zip(values);
                let at = each.fold(0, |at, ((_, range), &value)| {
                    at * range.len() as usize + (i64::from(value) - range.low) as usize
                });
                Some(column[at]).filter(|&part| part != HOLE)
            };
            if let Some(folded) = self.fold_into_roll(&index, &looked_up)? {
                parts.push(folded);
                continue;
            }
            let (slot, low) = match at {
                Some(at) => at,
                None => {
                    let joined = self.joined(&index)?;
                    at = Some(joined);
                    joined
                }
            };
            parts.push(self.look(slot, low, &column)?);
        }
        Ok(Val::Parts(parts))
    }

    /// A number made of one that was looked up just now, and a known one: another table instead.
    pub(super) fn fold_look(
        &mut self,
        op: crate::run::code::Op,
        a: Operand,
        b: Operand,
    ) -> Lowered<Option<Operand>> {
        let (slot, number) = match (a, b) {
            (Operand::Slot(slot), Operand::Known(number)) => (slot, number),
            _ => return Ok(None),
        };
        let Some(&Ins::Look {
            to,
            at,
            low,
            first,
            len,
        }) = self.ins.last()
        else {
            return Ok(None);
        };
        // Where several ways meet in between, the index may be another by now.
        if to != slot || len > 64 || !self.alive || self.look_era != self.era {
            return Ok(None);
        }
        let entries = &self.data[first as usize..(first + len) as usize];
        let each = entries.iter().map(|&entry| match entry {
            HOLE => Some(HOLE),
            entry => op.apply(entry, number),
        });
        match each.collect::<Option<Vec<i32>>>() {
            Some(column) => self.look(at, low, &column).map(Some),
            None => Ok(None),
        }
    }

    /// Looks an index up in a table of numbers.
    fn look(&mut self, at: Slot, low: i32, column: &[i32]) -> Lowered<Operand> {
        let right = || column.iter().copied().filter(|&part| part != HOLE);
        let range = Interval {
            low: i64::from(right().min().unwrap_or(0)),
            high: i64::from(right().max().unwrap_or(0)),
        };
        let identity = (low..).zip(column).all(|(number, &part)| number == part);
        if identity {
            return Ok(Operand::Slot(at));
        }
        let first = self.data.len() as u32;
        self.data.extend_from_slice(column);
        let to = self.temporary()?;
        self.emit(Ins::Look {
            to,
            at,
            low,
            first,
            len: column.len() as u32,
        })?;
        self.holds(to, range);
        Ok(Operand::Slot(to))
    }

    /// Several indices as one, and the number of its first entry.
    fn joined(&mut self, index: &[(Slot, Interval)]) -> Lowered<(Slot, i32)> {
        let Some(&(first, range)) = index.first() else {
            let slot = self.temporary()?;
            self.put(slot, Operand::Known(0))?;
            return Ok((slot, 0));
        };
        let (mut slot, mut low, mut count) = (first, range.low as i32, range.len());
        for &(other, range) in &index[1..] {
            let to = self.temporary()?;
            self.emit(Ins::Join {
                to,
                a: (slot, low),
                b: (other, range.low as i32),
                width: range.len() as i32,
            })?;
            count *= range.len();
            self.holds(
                to,
                Interval {
                    low: 0,
                    high: count as i64 - 1,
                },
            );
            (slot, low) = (to, 0);
        }
        Ok((slot, low))
    }
}

fn product(mut numbers: impl Iterator<Item = u64>) -> Option<u64> {
    numbers.try_fold(1u64, |all, number| all.checked_mul(number))
}

/// Goes on to the next combination, the last slot's changing fastest; false after the last.
pub(super) fn advance(values: &mut [i32], index: &[(Slot, Interval)]) -> bool {
    for (value, (_, range)) in values.iter_mut().zip(index).rev() {
        if i64::from(*value) < range.high {
            *value += 1;
            return true;
        }
        *value = range.low as i32;
    }
    false
}

/// The dice that a combination of slots means.
fn of_index<'a>(pending: &'a Pending, index: &[(Slot, Interval)], values: &[i32]) -> &'a Dist {
    let mut at = 0;
    for &(slot, range) in &pending.index {
        let known = index.iter().position(|(known, _)| *known == slot);
        let value = known.map_or(range.low, |at| i64::from(values[at]));
        at = at * range.len() as usize + (value - range.low) as usize;
    }
    &pending.dists[at]
}

/// All ways of several dice together; nothing if one goes wrong or the weights do not fit.
fn together(
    dice: &[&Dist],
    of: &mut dyn FnMut(&[&[i32]]) -> Folded,
) -> Option<Vec<(Numbers, u128)>> {
    let mut at: SmallVec<[usize; 4]> = smallvec![0; dice.len()];
    let mut readings: SmallVec<[&[i32]; 4]> = dice.iter().map(|dist| dist.value(0)).collect();
    let mut ways = Vec::with_capacity(dice.iter().map(|dist| dist.count()).product());
    loop {
        let weights = dice
            .iter()
            .zip(&at)
            .map(|(dist, &at)| dist.throw.readings()[at].1);
        let weight = weights.into_iter().try_fold(1u128, |all, weight| {
            all.checked_mul(weight).filter(|&all| all < 1 << 100)
        })?;
        ways.push((of(&readings).ok()?, weight));
        // The next combination, the last dice changing fastest.
        let turned = (0..dice.len()).rev().find(|&die| {
            at[die] = (at[die] + 1) % dice[die].count();
            readings[die] = dice[die].value(at[die]);
            at[die] != 0
        });
        if turned.is_none() {
            return Some(ways);
        }
    }
}
