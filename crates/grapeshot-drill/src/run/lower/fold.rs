//! What follows from a throw, and from what stood before it, is part of the throw.
//!
//! A die that is looked up on a column and compared with a number has as many ways out as that makes different, and no code
//! runs for it afterwards. Where a slot was set last is known of every slot, so what stood before a throw and is unchanged
//! may decide which dice it throws.

use super::{Lower, Lowered};
use crate::program::Interval;
use crate::run::code::{Op, RollSite};
use crate::run::value::{Numbers, Operand, Slot};
use smallvec::smallvec;

/// The most readings of a throw over everything that decides which dice it throws, and the most values it gives.
const MOST_READINGS: usize = 600;
const MOST_PARTS: usize = 24;
/// A number that decides which dice are thrown only because of a sum or comparison has at most so many values.
const MOST_NUMBERS: u64 = 12;

/// Where a slot comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    /// The throw that gives it.
    roll: u32,
    /// After how many instructions it was set last.
    set_after: u32,
    /// Set by one instruction, and never again.
    pub(super) once: bool,
    /// A slot set once that holds the same, as long as no other way leads to where that was noted.
    copy: Option<(Slot, u32)>,
}

const NO_ROLL: u32 = u32::MAX;

impl Made {
    pub(super) const NOT_YET: Made = Made {
        roll: NO_ROLL,
        set_after: 0,
        once: false,
        copy: None,
    };
}

/// Slots with the numbers they can be.
type Ranged = Vec<(Slot, Interval)>;

/// How an argument of a function is found for a reading of the dice.
enum Source {
    /// A value of the throw.
    Part(usize),
    /// What decides which dice are thrown.
    Index(usize),
}

impl Lower<'_> {
    /// Notes that an instruction about to be written sets a slot.
    pub(super) fn note_set(&mut self, slot: Slot, once: bool) {
        let made = &mut self.made[usize::from(slot)];
        made.set_after = self.ins.len() as u32 + 1;
        made.once = once;
        made.copy = None;
    }

    /// Notes that a throw about to be written sets a slot.
    pub(super) fn note_thrown(&mut self, slot: Slot, roll: usize) {
        self.note_set(slot, true);
        self.made[usize::from(slot)].roll = roll as u32;
    }

    /// Notes that two slots hold the same from here on.
    pub(super) fn note_copy(&mut self, of: Slot, copy: Slot) {
        if self.made[usize::from(copy)].once {
            self.made[usize::from(of)].copy = Some((copy, self.era));
        }
    }

    /// From here on nothing is known to be a copy: several ways lead here.
    pub(super) fn new_era(&mut self) {
        self.era += 1;
    }

    /// A slot that holds the same and never changes, if there is one.
    pub(super) fn same_as(&self, slot: Slot) -> Slot {
        match self.made[usize::from(slot)].copy {
            Some((copy, era))
                if era == self.era
                    && self.reach[usize::from(copy)] == self.reach[usize::from(slot)] =>
            {
                copy
            }
            _ => slot,
        }
    }

    /// A number made of two, as part of a throw.
    pub(super) fn fold_binary(&mut self, op: Op, a: Operand, b: Operand) -> Option<Operand> {
        let mut index: [(Slot, Interval); 2] = [(0, Interval::only(0)); 2];
        let mut count = 0;
        for operand in [a, b] {
            if let Operand::Slot(slot) = operand
                && !index[..count].iter().any(|(known, _)| *known == slot)
            {
                index[count] = (slot, self.reach(operand));
                count += 1;
            }
        }
        let index = &index[..count];
        let wide = |(slot, range): &(Slot, Interval)| {
            self.made[usize::from(*slot)].roll == NO_ROLL && range.len() > MOST_NUMBERS
        };
        if index.iter().any(wide) {
            return None;
        }
        self.fold_into_roll(index, &|values| {
            let value = |operand: Operand| match operand {
                Operand::Known(number) => number,
                Operand::Slot(slot) if slot == index[0].0 => values[0],
                Operand::Slot(_) => values[1],
            };
            op.apply(value(a), value(b))
        })
        .unwrap_or(None)
    }

    /// A function of some slots as part of the last throw that gives one of them; nothing if that cannot be.
    pub(super) fn fold_into_roll(
        &mut self,
        index: &[(Slot, Interval)],
        of: &dyn Fn(&[i32]) -> Option<i32>,
    ) -> Lowered<Option<Operand>> {
        let rolls = index.iter().map(|(slot, _)| self.made[usize::from(*slot)]);
        let Some(roll) = rolls
            .map(|made| made.roll)
            .filter(|&roll| roll != NO_ROLL)
            .max()
        else {
            return Ok(None);
        };
        if self.layout.heard.is_some() || (roll as usize) < self.fold_floor || !self.alive {
            return Ok(None);
        }
        let site = &self.rolls[roll as usize];
        let Some((sources, further)) = self.sources(index, roll, site) else {
            return Ok(None);
        };
        let Some(parts) = self.each_part(site, &further, index, &sources, of) else {
            return Ok(None);
        };
        let (low, high) = (parts.iter().min(), parts.iter().max());
        let (Some(&low), Some(&high)) = (low, high) else {
            return Ok(None);
        };
        if low == high {
            return Ok(Some(Operand::Known(low)));
        }
        let range = Interval {
            low: i64::from(low),
            high: i64::from(high),
        };
        let set_after = self.made[usize::from(site.to[0])].set_after;
        let to = self.temporary()?;
        self.reach[usize::from(to)] = range;
        self.declared[usize::from(to)] = Some(range);
        self.made[usize::from(to)] = Made {
            roll,
            set_after,
            once: true,
            copy: None,
        };
        let mut parts = parts.into_iter();
        let odds = std::mem::take(&mut self.rolls[roll as usize].odds);
        let copies: u64 = further.iter().map(|(_, range)| range.len()).product();
        let mut widened = Vec::with_capacity(odds.len() * copies as usize);
        for at in odds {
            for copy in 0..copies {
                let at = match copy + 1 == copies {
                    true => at,
                    false => {
                        let dist = self.dists[at as usize].clone();
                        self.dists.push(dist);
                        self.dists.len() as u32 - 1
                    }
                };
                widened.push(at);
            }
        }
        for &at in &widened {
            self.dists[at as usize].widen(&mut parts);
        }
        let site = &mut self.rolls[roll as usize];
        site.odds = widened;
        let further = further.iter();
        site.index
            .extend(further.map(|(slot, range)| (*slot, range.low as i32, range.len() as u32)));
        site.to.push(to);
        Ok(Some(Operand::Slot(to)))
    }

    /// Where the slots of a function are found, and those that must decide about the dice from now on.
    fn sources(
        &self,
        index: &[(Slot, Interval)],
        roll: u32,
        site: &RollSite,
    ) -> Option<(Vec<Source>, Ranged)> {
        let thrown_after = self.made[usize::from(*site.to.first()?)].set_after;
        let mut sources = Vec::with_capacity(index.len());
        let mut further: Ranged = Vec::new();
        for &(slot, range) in index {
            let made = self.made[usize::from(slot)];
            if made.roll == roll {
                sources.push(Source::Part(site.to.iter().position(|&to| to == slot)?));
                continue;
            }
            if made.set_after >= thrown_after {
                return None;
            }
            let known = site.index.iter().position(|(known, ..)| *known == slot);
            sources.push(Source::Index(known.unwrap_or_else(|| {
                further.push((slot, range));
                site.index.len() + further.len() - 1
            })));
        }
        let families = further
            .iter()
            .try_fold(site.odds.len() as u64, |all, (_, range)| {
                all.checked_mul(range.len())
            })?;
        let readings = site.odds.iter().map(|&at| self.dists[at as usize].count());
        let readings = readings.max()? as u64;
        let fits = families.checked_mul(readings)? <= MOST_READINGS as u64;
        (fits && site.to.len() < MOST_PARTS).then_some((sources, further))
    }

    /// The function for every reading of all dice, in their order.
    fn each_part(
        &self,
        site: &RollSite,
        further: &[(Slot, Interval)],
        index: &[(Slot, Interval)],
        sources: &[Source],
        of: &dyn Fn(&[i32]) -> Option<i32>,
    ) -> Option<Vec<i32>> {
        let further = further.iter();
        let ranges: Vec<(i32, u32)> = site
            .index
            .iter()
            .map(|&(_, low, count)| (low, count))
            .chain(further.map(|(_, range)| (range.low as i32, range.len() as u32)))
            .collect();
        let copies: usize = ranges[site.index.len()..]
            .iter()
            .map(|&(_, count)| count as usize)
            .product();
        let mut values: Numbers = ranges.iter().map(|&(low, _)| low).collect();
        let mut args: Numbers = smallvec![0; index.len()];
        let mut parts = Vec::new();
        for &at in &site.odds {
            for _ in 0..copies {
                for reading in self.dists[at as usize].each() {
                    for ((arg, source), (_, range)) in args.iter_mut().zip(sources).zip(index) {
                        let value = match *source {
                            Source::Part(part) => reading[part],
                            Source::Index(at) => values[at],
                        };
                        // What lies outside never comes to where the function is asked.
                        *arg = i64::from(value).clamp(range.low, range.high) as i32;
                    }
                    parts.push(of(&args)?);
                }
                for (value, &(low, count)) in values.iter_mut().zip(&ranges).rev() {
                    if ((*value - low) as u32) + 1 < count {
                        *value += 1;
                        break;
                    }
                    *value = low;
                }
            }
        }
        Some(parts)
    }
}
