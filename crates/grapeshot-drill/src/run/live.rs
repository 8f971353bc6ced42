//! What is still needed where: the last pass over the code.
//!
//! Slot by slot and backwards: what no later line asks for is not worked out, not thrown for, and no part of a state. Then
//! every throw learns which of its outcomes still differ, and every place at which a trial can rest what is to be kept.

use super::code::{Code, HOLE, Ins, Kept, Rest, Thrown, TurnSite};
use super::lower::Lower;
use super::tidy::tidy;
use super::value::{Dist, Operand, Slot};
use crate::program::Interval;

/// A set of slots.
#[derive(PartialEq, Eq)]
struct Slots(Vec<u64>);

impl Clone for Slots {
    fn clone(&self) -> Self {
        Slots(self.0.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

impl Slots {
    fn none(slots: usize) -> Self {
        Slots(vec![0; slots.div_ceil(64)])
    }

    fn has(&self, slot: Slot) -> bool {
        self.0[usize::from(slot) / 64] >> (slot % 64) & 1 != 0
    }

    fn add(&mut self, slot: Slot) {
        self.0[usize::from(slot) / 64] |= 1 << (slot % 64);
    }

    fn need(&mut self, operand: Operand) {
        if let Operand::Slot(slot) = operand {
            self.add(slot);
        }
    }

    fn remove(&mut self, slot: Slot) {
        self.0[usize::from(slot) / 64] &= !(1 << (slot % 64));
    }

    fn add_all(&mut self, other: &Slots) {
        for (here, there) in self.0.iter_mut().zip(&other.0) {
            *here |= there;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        let each = self.0.iter().enumerate();
        each.flat_map(|(word, &bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 != 0)
                .map(move |bit| (word * 64 + bit) as Slot)
        })
    }
}

/// The slot that an instruction sets and does nothing else.
fn sets(ins: Ins) -> Option<Slot> {
    match ins {
        Ins::Put(to, _) | Ins::Binary(_, to, ..) | Ins::Join { to, .. } | Ins::Look { to, .. } => {
            Some(to)
        }
        _ => None,
    }
}

struct Pass<'c> {
    code: &'c mut Code,
    /// For each block its first instruction; the last is the end of the code.
    starts: Vec<usize>,
    block_of: Vec<usize>,
    /// What is needed where a block begins.
    live: Vec<Slots>,
    slots: usize,
}

impl Pass<'_> {
    fn live_at(&self, pc: usize) -> &Slots {
        &self.live[self.block_of[pc]]
    }

    /// What is needed before an instruction, by what is needed after it; whether it does anything.
    fn before(&self, at: usize, live: &mut Slots) -> bool {
        let ins = self.code.ins[at];
        if let Some(to) = sets(ins) {
            // A look-up that can go wrong is no mere value; it is one if nobody asks for it.
            if !live.has(to) {
                return false;
            }
            live.remove(to);
        }
        match ins {
            Ins::Nothing | Ins::Fault(_) => {}
            Ins::Put(_, operand) | Ins::Check(operand, _) => live.need(operand),
            Ins::Binary(_, _, a, b) => {
                live.need(a);
                live.need(b);
            }
            Ins::Join { a, b, .. } => {
                live.add(a.0);
                live.add(b.0);
            }
            Ins::Look { at, .. } => live.add(at),
            Ins::Jump(to) => live.clone_from(self.live_at(to as usize)),
            Ins::Unless(slot, to) => {
                live.add_all(self.live_at(to as usize));
                live.add(slot);
            }
            Ins::UnlessBinary(_, a, b, to) => {
                live.add_all(self.live_at(to as usize));
                live.need(a);
                live.need(b);
            }
            Ins::UnlessLook { at, to, .. } => {
                live.add_all(self.live_at(to as usize));
                live.add(at);
            }
            Ins::Roll(site) => {
                let site = &self.code.rolls[site as usize];
                if !site.to.iter().any(|&slot| live.has(slot)) {
                    return false;
                }
                site.to.iter().for_each(|&slot| live.remove(slot));
                site.index.iter().for_each(|&(slot, ..)| live.add(slot));
                live.need(site.stage);
            }
            Ins::Choose(site) => {
                live.0.fill(0);
                let site = &self.code.choices[site as usize];
                for action in &site.actions {
                    live.add_all(self.live_at(action.to as usize));
                    live.need(action.offered);
                }
                if let Some(shown) = site.shown {
                    live.add_all(self.live_at(shown as usize));
                }
                live.need(site.who);
                live.need(site.stage);
            }
            Ins::Turn => {
                live.0.fill(0);
                if let Some(turn) = &self.code.turn {
                    live.add_all(self.live_at(turn.head as usize));
                    live.add_all(self.live_at(turn.after as usize));
                }
            }
            Ins::Reads(site) => {
                let index = &self.code.reads[site as usize].index;
                index.iter().for_each(|&(slot, ..)| live.add(slot));
            }
            Ins::Told(list) => {
                live.0.fill(0);
                let values = self.code.told[list as usize].iter();
                values.for_each(|&operand| live.need(operand));
            }
            Ins::Done => {
                live.0.fill(0);
                self.code.row.iter().for_each(|&operand| live.need(operand));
            }
        }
        true
    }

    /// Makes one instruction of this one and that before it in its block, where only this one needs what that one sets.
    fn shorten(&mut self, at: usize, first: usize, after: &Slots) {
        let before = (first..at)
            .rev()
            .find(|&before| self.code.ins[before] != Ins::Nothing);
        let Some(before) = before else {
            return;
        };
        let made = self.code.ins[before];
        let joined = match (self.code.ins[at], made) {
            (Ins::Unless(flag, to), Ins::Binary(op, set, a, b))
                if flag == set && !after.has(flag) && !self.live_at(to as usize).has(flag) =>
            {
                Ins::UnlessBinary(op, a, b, to)
            }
            (
                Ins::Unless(flag, to),
                Ins::Look {
                    to: set,
                    at,
                    low,
                    first,
                    len,
                },
            ) if flag == set && !after.has(flag) && !self.live_at(to as usize).has(flag) => {
                Ins::UnlessLook {
                    at,
                    low,
                    first,
                    len,
                    to,
                }
            }
            (Ins::Put(to, Operand::Slot(from)), made) if to != from && !after.has(from) => {
                match made {
                    Ins::Roll(site) => {
                        let slots = &mut self.code.rolls[site as usize].to;
                        if slots.contains(&to) {
                            return;
                        }
                        if let Some(slot) = slots.iter_mut().find(|slot| **slot == from) {
                            *slot = to;
                            self.code.ins[at] = Ins::Nothing;
                        }
                        return;
                    }
                    Ins::Put(set, operand) if set == from => Ins::Put(to, operand),
                    Ins::Binary(op, set, a, b) if set == from => Ins::Binary(op, to, a, b),
                    Ins::Look {
                        to: set,
                        at,
                        low,
                        first,
                        len,
                    } if set == from => Ins::Look {
                        to,
                        at,
                        low,
                        first,
                        len,
                    },
                    _ => return,
                }
            }
            _ => return,
        };
        self.code.ins[at] = joined;
        self.code.ins[before] = Ins::Nothing;
    }

    /// What is needed after the last instruction of a block.
    fn after(&self, block: usize, live: &mut Slots) {
        match self.live.get(block + 1) {
            Some(next) => live.clone_from(next),
            None => live.0.fill(0),
        }
    }

    fn settle(&mut self) {
        // Where nothing leads back, what follows a block is known before it.
        let back = |(at, ins): (usize, &Ins)| matches!(ins, Ins::Jump(to) if *to as usize <= at);
        let straight = self.code.turn.is_none() && !self.code.ins.iter().enumerate().any(back);
        let mut live = Slots::none(self.slots);
        loop {
            let mut changed = false;
            for block in (0..self.live.len()).rev() {
                self.after(block, &mut live);
                for at in (self.starts[block]..self.starts[block + 1]).rev() {
                    self.before(at, &mut live);
                }
                if live != self.live[block] {
                    self.live[block].clone_from(&live);
                    changed = true;
                }
            }
            if !changed || straight {
                return;
            }
        }
    }
}

/// Code in the making as code that is run.
pub fn finish(mut lower: Lower<'_>) -> Code {
    lower.begin_with_table();
    let place = |label: u32| lower.labels[label as usize].at as u32;
    for ins in &mut lower.ins {
        if let Ins::Jump(to) | Ins::Unless(_, to) = ins {
            *to = place(*to);
        }
    }
    for site in &mut lower.choices {
        site.actions
            .iter_mut()
            .for_each(|action| action.to = place(action.to));
        site.shown = site.shown.map(place);
    }
    if let Some(worth) = &mut lower.worth {
        worth.begins = place(worth.begins);
    }
    let turn = lower.turns.map(|turns| TurnSite {
        head: place(turns.head.0),
        after: place(turns.after.0),
        last: turns.last,
        rest: Rest::default(),
    });
    let mut code = Code {
        ins: std::mem::take(&mut lower.ins),
        spans: std::mem::take(&mut lower.spans),
        data: std::mem::take(&mut lower.data),
        ranges: std::mem::take(&mut lower.ranges),
        faults: std::mem::take(&mut lower.faults),
        rolls: std::mem::take(&mut lower.rolls),
        odds: Vec::new(),
        choices: std::mem::take(&mut lower.choices),
        actions: std::mem::take(&mut lower.actions),
        turn,
        row: std::mem::take(&mut lower.row),
        worth: lower.worth.take(),
        told: std::mem::take(&mut lower.told),
        reads: std::mem::take(&mut lower.reads),
        stages: std::mem::take(&mut lower.stages),
        slots: 0,
    };
    // What stands at the very end, for a label that nothing follows.
    code.ins.push(Ins::Done);
    code.spans.push(crate::source::Span::NOWHERE);
    prune(&mut code, &lower);
    tidy(&mut code);
    code
}

fn prune(code: &mut Code, lower: &Lower<'_>) {
    let count = code.ins.len();
    let mut begins = vec![false; count + 1];
    begins[0] = true;
    for (at, ins) in code.ins.iter().enumerate() {
        match ins {
            Ins::Jump(to) | Ins::Unless(_, to) => {
                begins[*to as usize] = true;
                begins[at + 1] = true;
            }
            Ins::Choose(_) | Ins::Turn | Ins::Done | Ins::Told(_) | Ins::Fault(_) => {
                begins[at + 1] = true
            }
            _ => {}
        }
    }
    let actions = code.choices.iter().flat_map(|site| &site.actions);
    actions.for_each(|action| begins[action.to as usize] = true);
    let shown = code.choices.iter().filter_map(|site| site.shown);
    let asked = shown.chain(code.worth.as_ref().map(|worth| worth.begins));
    asked.for_each(|at| begins[at as usize] = true);
    if let Some(turn) = &code.turn {
        begins[turn.head as usize] = true;
        begins[turn.after as usize] = true;
    }
    begins[count] = true;
    let starts: Vec<usize> = (0..=count).filter(|&at| begins[at]).collect();
    let mut block_of = vec![0; count + 1];
    for (block, pair) in starts.windows(2).enumerate() {
        block_of[pair[0]..pair[1]].fill(block);
    }
    let slots = lower.slots();
    let live = vec![Slots::none(slots); starts.len() - 1];
    let mut pass = Pass {
        code,
        starts,
        block_of,
        live,
        slots,
    };
    pass.settle();
    if let Some(mut worth) = pass.code.worth.take() {
        let mut live = pass.live_at(worth.begins as usize).clone();
        worth.row.iter().for_each(|&slot| live.remove(slot));
        worth.asks_more = live.iter().next().is_some();
        pass.code.worth = Some(worth);
    }
    let mut thrown: Vec<(usize, Vec<bool>)> = Vec::new();
    let mut live = Slots::none(slots);
    for block in 0..pass.live.len() {
        pass.after(block, &mut live);
        for at in (pass.starts[block]..pass.starts[block + 1]).rev() {
            pass.shorten(at, pass.starts[block], &live);
            let asked = match pass.code.ins[at] {
                Ins::Roll(site) => {
                    let to = pass.code.rolls[site as usize].to.iter();
                    to.map(|&slot| live.has(slot)).collect()
                }
                _ => Vec::new(),
            };
            let needed = pass.before(at, &mut live);
            if !needed {
                pass.code.ins[at] = Ins::Nothing;
                continue;
            }
            match pass.code.ins[at] {
                Ins::Roll(site) => {
                    thrown.push((site as usize, asked));
                    pass.code.rolls[site as usize].rest = rest(&live, at, lower);
                }
                Ins::Choose(site) => {
                    pass.code.choices[site as usize].rest = rest(&live, at, lower);
                }
                Ins::Turn => {
                    let kept = rest(&live, at, lower);
                    if let Some(turn) = &mut pass.code.turn {
                        turn.rest = kept;
                    }
                }
                _ => {}
            }
        }
    }
    for (site, needed) in thrown {
        throw_less(code, &lower.dists, site, &needed);
    }
}

/// What is kept where a trial rests.
fn rest(live: &Slots, at: usize, lower: &Lower<'_>) -> Rest {
    let reach = lower.reach_of(at);
    let mut kept = Rest::default();
    for slot in live.iter() {
        let any = Interval {
            low: i64::from(HOLE) + 1,
            high: i64::from(i32::MAX),
        };
        let range = reach.get(usize::from(slot)).copied();
        let range = range.unwrap_or_else(|| lower.most(slot).unwrap_or(any));
        let bits = (64 - (range.len() - 1).leading_zeros()) as u8;
        kept.kept.push(Kept {
            slot,
            low: range.low as i32,
            bits,
        });
        kept.bits += u32::from(bits);
    }
    kept
}

/// Dice of a throw, told apart only by what is still needed.
fn throw_less(code: &mut Code, dists: &[Dist], site: usize, needed: &[bool]) {
    let width = needed.iter().filter(|needed| **needed).count();
    let old = std::mem::take(&mut code.rolls[site].odds);
    let mut parts: Vec<i32> = Vec::new();
    for dist in old {
        let dist = &dists[dist as usize];
        parts.clear();
        for value in dist.each() {
            let each = value.iter().zip(needed).filter(|(_, needed)| **needed);
            parts.extend(each.map(|(part, _)| *part));
        }
        let thrown = Thrown::new(&dist.throw, parts.chunks_exact(width.max(1)));
        let same = |known: &Thrown| known.is_like(&thrown);
        let at = code.odds.iter().position(same).unwrap_or_else(|| {
            code.odds.push(thrown);
            code.odds.len() - 1
        });
        code.rolls[site].odds.push(at as u32);
    }
    let to = &mut code.rolls[site].to;
    let mut each = needed.iter();
    to.retain(|_| *each.next().unwrap_or(&true));
}
