//! Dice: what is thrown, and when a throw that was held back is made.

use super::{Halt, Lower, Lowered};
use crate::program::{DieId, ExprId, Interval, Throw as Thrown, Type};
use crate::run::code::{Ins, Op, Rest, RollSite};
use crate::run::layout::{Layout, fraction};
use crate::run::value::{Dist, Entry, Numbers, Operand, Operands, Pending, Val};
use grapeshot_engine::Throw;
use smallvec::smallvec;

/// The most dice in one hand.
const MOST_DICE: i32 = 200;

impl Lower<'_> {
    /// Makes a throw: its value is in slots from here on.
    pub(super) fn throw(&mut self, pending: Pending) -> Lowered<Operands> {
        let width = pending.dists[0].width();
        // A throw of which nothing depends on the dice is none.
        if pending.index.is_empty() && same_everywhere(&pending.dists[0]) {
            let value = pending.dists[0].value(0);
            return Ok(value.iter().map(|&part| Operand::Known(part)).collect());
        }
        let to = self.temporaries(width)?;
        if !self.alive {
            return Ok(smallvec![Operand::Known(0); width]);
        }
        if self.after_turns {
            return Err(Halt::CountTurns);
        }
        let first = self.dists.len() as u32;
        let index = pending.index.iter();
        let site = RollSite {
            to: to.to_vec(),
            index: index
                .map(|(slot, range)| (*slot, range.low as i32, range.len() as u32))
                .collect(),
            odds: (first..first + pending.dists.len() as u32).collect(),
            stage: self.operand(self.stage),
            rest: Rest::default(),
        };
        let values = pending.dists.iter().map(|dist| dist.count() as u64);
        self.worked(values.sum())?;
        self.rolls.push(site);
        self.rests_here()?;
        for &slot in &to {
            self.note_thrown(slot, self.rolls.len() - 1);
        }
        self.emit(Ins::Roll(self.rolls.len() as u32 - 1))?;
        for (part, &slot) in to.iter().enumerate() {
            let all = || {
                pending
                    .dists
                    .iter()
                    .flat_map(|dist| dist.each().map(|value| value[part]))
            };
            let range = Interval {
                low: i64::from(all().min().unwrap_or(0)),
                high: i64::from(all().max().unwrap_or(0)),
            };
            self.holds(slot, range);
        }
        self.dists.extend(pending.dists);
        Ok(self.operands(&to))
    }

    /// A throw that the text asks for.
    pub(super) fn thrown(&mut self, throw: &Thrown) -> Lowered<Val> {
        match throw {
            Thrown::Sum(count, die) => {
                let count = self.expr(*count)?;
                self.sum_of_dice(count, *die)
            }
            Thrown::OfCell(count, dice) => {
                let count = self.expr(*count)?;
                let mut parts = self.parts(count)?;
                let dice = self.expr(*dice)?;
                parts.extend(self.parts(dice)?);
                self.sum_of_cell(Val::Parts(parts))
            }
            Thrown::Count(count, condition) => self.count(*count, *condition),
            Thrown::Best { keep, of, die } => self.best(*keep, *of, *die),
            Thrown::Chance(chance) => {
                let chance = self.expr(*chance)?;
                self.for_each_known(chance, &mut |parts| {
                    let chance = fraction(parts).ok_or("this is no chance")?;
                    let (good, all) = (*chance.numer(), *chance.denom());
                    if good < 0 || good > all {
                        return Err(format!("a chance lies from 0 to 1, and this is {chance}"));
                    }
                    let ways = [
                        (smallvec![0], (all - good) as u128),
                        (smallvec![1], good as u128),
                    ];
                    Ok(Dist::weighed(ways))
                })
            }
        }
    }

    /// So many dice summed.
    pub(super) fn sum_of_dice(&mut self, count: Val, die: DieId) -> Lowered<Val> {
        self.note_die(die)?;
        let faces = self.faces(die)?;
        self.for_each_known(count, &mut |parts| match parts[0] {
            ..=0 => Ok(Dist::certain(&[0])),
            count if count > MOST_DICE => Err(too_many(count)),
            count if sums(&faces, count) > MOST_SUMS => Err(too_many_sums(count)),
            count => Ok(Dist::readings(Throw::sum(faces.clone(), count as u32))),
        })
    }

    fn faces(&self, die: DieId) -> Lowered<Vec<i16>> {
        let faces = self.layout.program[die].faces.iter();
        let faces: Option<Vec<i16>> = faces.map(|&face| i16::try_from(face).ok()).collect();
        match faces.filter(|faces| !faces.is_empty()) {
            Some(faces) => Ok(faces),
            None => self.wrong("a face of this die is too large"),
        }
    }

    /// Dice that depend on a value: for each number it can be the dice it means.
    fn for_each_known(
        &mut self,
        value: Val,
        dist: &mut dyn FnMut(&[i32]) -> Result<Dist, String>,
    ) -> Lowered<Val> {
        let parts = self.parts(value)?;
        let mut index: Vec<_> = Vec::new();
        for &part in &parts {
            if let Operand::Slot(slot) = part {
                index.push((slot, self.reach(part)));
            }
        }
        let ways: u64 = index
            .iter()
            .map(|(_, range): &(_, Interval)| range.len())
            .product();
        if ways > 1000 {
            return self.wrong("what is thrown here depends on too many different numbers");
        }
        let mut values: Numbers = index.iter().map(|(_, range)| range.low as i32).collect();
        let mut dists = Vec::new();
        loop {
            let mut next = values.iter();
            let known: Numbers = parts
                .iter()
                .map(|part| {
                    part.known()
                        .unwrap_or_else(|| next.next().copied().unwrap_or(0))
                })
                .collect();
            match dist(&known) {
                Ok(dist) => dists.push(dist),
                Err(text) if index.is_empty() => return self.wrong(text),
                // What nobody should come to throws nothing.
                Err(_) => dists.push(Dist::certain(&[0])),
            }
            if !super::apply::advance(&mut values, &index) {
                return Ok(Val::Rolled(Box::new(Pending { index, dists })));
            }
        }
    }

    /// How many of so many throws a condition holds of.
    fn count(&mut self, count: ExprId, condition: ExprId) -> Lowered<Val> {
        let count = self.expr(count)?;
        let count = self.keep(count)?;
        let count = self.part(count)?;
        let most = self.reach(count).high;
        if most > i64::from(MOST_DICE) {
            return self.wrong(too_many(most as i32));
        }
        let (mark, reach, in_stage) = (self.mark(), self.reach.clone(), self.in_stage);
        let rolls = self.rolls.len();
        let met = self.expr(condition)?;
        let changes = self.layout.program[condition].effects.changes;
        if self.alive && self.rolls.len() == rolls && !changes {
            match &met {
                Val::Rolled(met) => {
                    if let Some(pool) = self.pool(met, count) {
                        return Ok(Val::Rolled(Box::new(pool)));
                    }
                }
                Val::Parts(flag) => {
                    return Ok(Val::one(self.binary(Op::Multiply, flag[0], count)?));
                }
                _ => {}
            }
        }
        // It is no single throw: one after the other, from the beginning.
        self.back_to(&mark);
        (self.reach, self.in_stage) = (reach, in_stage);
        self.count_one_by_one(count, condition)
    }

    fn count_one_by_one(&mut self, count: Operand, condition: ExprId) -> Lowered<Val> {
        let sum = self.temporary()?;
        let done = self.label();
        self.put(sum, Operand::Known(0))?;
        for number in 1..=self.reach(count).high {
            let more = self.binary(Op::AtMost, Operand::Known(number as i32), count)?;
            self.unless(more, done)?;
            let met = self.expr(condition)?;
            let met = self.part(met)?;
            let so_far = self.operand(sum);
            let next = self.binary(Op::Add, so_far, met)?;
            self.put(sum, next)?;
        }
        self.place(done);
        Ok(Val::one(self.operand(sum)))
    }

    /// A pool of throws, each of which holds with the same chance.
    fn pool(&self, met: &Pending, count: Operand) -> Option<Pending> {
        let mut index = met.index.clone();
        let numbers = self.reach(count);
        if numbers.high > i64::from(MOST_DICE) {
            return None;
        }
        if let Operand::Slot(slot) = count {
            if index.iter().any(|(known, _)| *known == slot) {
                return None;
            }
            index.push((slot, numbers));
        }
        if met.dists.len() as u64 * numbers.len() > 4096 {
            return None;
        }
        let mut dists = Vec::new();
        for dist in &met.dists {
            let good: u128 = dist
                .ways()
                .filter(|(value, _)| value[0] != 0)
                .map(|(_, weight)| weight)
                .sum();
            let bad = dist.total() - good;
            for number in numbers.low..=numbers.high {
                dists.push(match (number, good, bad) {
                    (..=0, ..) | (_, 0, _) => Dist::certain(&[0]),
                    (number, _, 0) => Dist::certain(&[number as i32]),
                    (number, good, bad) => Dist::readings(Throw::pool_of(number as u32, good, bad)),
                });
            }
        }
        Some(Pending { index, dists })
    }

    /// The highest of some dice, the highest first. How many they are may still depend on what is rolled (armies that are
    /// left): then the list is as long as it can be, and says of each place whether a die lies there.
    fn best(&mut self, keep: ExprId, of: ExprId, die: DieId) -> Lowered<Val> {
        let (keep, of) = (self.expr(keep)?, self.expr(of)?);
        let (keep, of) = (self.keep(keep)?, self.keep(of)?);
        let (keep, of) = (self.part(keep)?, self.part(of)?);
        let most = |low: &Self, part| low.reach(part).high.clamp(0, i64::from(MOST_DICE));
        let (longest, dice) = (most(self, keep).min(most(self, of)), most(self, of));
        self.note_die(die)?;
        let faces = self.faces(die)?;
        let ways = (faces.len() as u64).checked_pow(dice as u32);
        if ways.is_none_or(|ways| ways > 100_000) {
            return self.wrong("these are too many dice to sort");
        }
        let known = keep.known().is_some() && of.known().is_some();
        let thrown = self.for_each_known(Val::Parts(smallvec![keep, of]), &mut |parts| {
            let (keep, of) = (i64::from(parts[0]).max(0), i64::from(parts[1]).max(0));
            let mut hands = sorted_hands(&faces, of.min(dice) as usize, keep.min(longest) as usize);
            for (hand, _) in &mut hands {
                let lie_there = hand.len();
                hand.resize(longest as usize, 0);
                if !known {
                    hand.extend((0..longest as usize).map(|at| i32::from(at < lie_there)));
                }
            }
            Ok(Dist::weighed(hands))
        })?;
        let Val::Rolled(thrown) = thrown else {
            return self.wrong("these dice cannot be thrown");
        };
        let parts = self.throw(*thrown)?;
        let (values, lie_there) = parts.split_at(longest as usize);
        let entries = values.iter().enumerate().map(|(at, &value)| Entry {
            counts: lie_there.get(at).copied().unwrap_or(Operand::Known(1)),
            value: smallvec![value],
        });
        Ok(Val::List(entries.collect()))
    }

    /// The dice of a cell.
    pub(super) fn dice_of_cell(&mut self, value: Val, from: Type) -> Lowered<Val> {
        let layout = self.layout;
        self.note_all_dice()?;
        self.for_each_known(value, &mut |parts| match layout.word(from, parts) {
            Some(_) => Err("these are no dice".into()),
            None => cell_dice(&layout, 1, parts[0]),
        })
    }

    /// So many times the dice of a cell: the number, then the cell.
    fn sum_of_cell(&mut self, value: Val) -> Lowered<Val> {
        let layout = self.layout;
        self.note_all_dice()?;
        self.for_each_known(value, &mut |parts| cell_dice(&layout, parts[0], parts[1]))
    }

    fn note_all_dice(&mut self) -> Lowered<()> {
        for die in 0..self.layout.program.dice.len() as u32 {
            self.note_die(DieId(die))?;
        }
        Ok(())
    }
}

/// So many times the dice of a cell, which is known by its position among the shapes.
fn cell_dice(layout: &Layout<'_>, times: i32, cell: i32) -> Result<Dist, String> {
    let at = usize::try_from(cell).unwrap_or(usize::MAX);
    let sum = layout.shapes.dice.get(at).ok_or("these are no dice")?;
    if times <= 0 {
        return Ok(Dist::certain(&[0]));
    }
    let thrown = |count: u32, die: DieId| -> Result<Throw, String> {
        let count = i32::try_from(count)
            .unwrap_or(i32::MAX)
            .saturating_mul(times);
        let faces: Vec<i16> = layout.program[die]
            .faces
            .iter()
            .map(|&face| face as i16)
            .collect();
        match count {
            _ if count > MOST_DICE => Err(too_many(count)),
            _ if sums(&faces, count) > MOST_SUMS => Err(too_many_sums(count)),
            _ => Ok(Throw::sum(faces, count as u32)),
        }
    };
    let plus = times.saturating_mul(sum.plus as i32);
    if let [(count, die)] = sum.dice[..] {
        // Dice of one kind are read as they fall, whatever is added to them.
        let mut dist = Dist::readings(thrown(count, die)?);
        dist.add(plus);
        return Ok(dist);
    }
    let mut ways: Vec<(Numbers, u128)> = vec![(smallvec![plus], 1)];
    for &(count, die) in &sum.dice {
        let thrown = thrown(count, die)?;
        let mut wider = Vec::new();
        for (value, weight) in &ways {
            for &(reading, more) in thrown.readings() {
                let weight = weight.checked_mul(more).ok_or_else(|| too_many(times))?;
                wider.push((smallvec![value[0] + reading], weight));
            }
        }
        let merged = Dist::weighed(wider);
        ways = merged
            .ways()
            .map(|(value, weight)| (value.into(), weight))
            .collect();
    }
    ways.sort();
    Ok(Dist::weighed(ways))
}

/// The hands that so many dice make, the highest first, and how often; only so many of each are kept.
fn sorted_hands(faces: &[i16], of: usize, keep: usize) -> Vec<(Numbers, u128)> {
    let mut sorted: Vec<(Numbers, u128)> = vec![(Numbers::new(), 1)];
    for _ in 0..of {
        let mut next: std::collections::BTreeMap<Numbers, u128> = Default::default();
        for (hand, weight) in &sorted {
            for &face in faces {
                let mut hand = hand.clone();
                let at = hand.partition_point(|&other| other > i32::from(face));
                hand.insert(at, i32::from(face));
                hand.truncate(keep);
                *next.entry(hand).or_default() += weight;
            }
        }
        sorted = next.into_iter().collect();
    }
    sorted
}

fn same_everywhere(dist: &Dist) -> bool {
    dist.each().all(|value| value == dist.value(0))
}

/// The most different sums of a throw.
pub const MOST_SUMS: i64 = 4_000;

/// How many sums so many dice can have.
pub fn sums(faces: &[i16], count: i32) -> i64 {
    let (least, most) = (faces.iter().min(), faces.iter().max());
    let span = most
        .zip(least)
        .map_or(0, |(most, least)| most.abs_diff(*least));
    i64::from(span) * i64::from(count) + 1
}

/// What is said of dice with more.
pub fn too_many_sums(count: i32) -> String {
    format!("{count} of these dice have more than {MOST_SUMS} sums")
}

fn too_many(count: i32) -> String {
    format!("{count} dice are too many to throw at once; {MOST_DICE} are the most")
}
