//! `each turn up to n`: the only loop that is not written out.
//!
//! The engine counts the turns, so that all of them share their states. What slots can be at the head of a turn is found by
//! trying: the body is written with what holds before the first turn, and again with what still holds after it. Where
//! something beside a report asks for the turn, or dice fall after the last one, it becomes a slot like any other.

use super::emit::{ANY, Label};
use super::{Halt, Lower, Lowered};
use crate::program::{ExprId, Interval, Stmt};
use crate::run::code::{Ins, Op};
use crate::run::value::Operand;

/// Turns that the engine counts.
#[derive(Debug, Clone, Copy)]
pub struct Turns {
    /// Where a turn begins.
    pub head: Label,
    /// What comes after the last.
    pub after: Label,
    /// The last.
    pub last: u16,
}

/// The most turns.
const MOST_TURNS: i64 = 1_000;
/// After so many tries what still grows, and is not declared to have a range, is taken to be anything.
pub(super) const TRIES: usize = 3;

/// Slots that can be more after a turn than before it, and what they could be before.
pub(super) type Grown = Vec<(usize, Interval)>;

/// Lengths of all lists that grow with the code.
pub(super) struct Mark {
    ins: usize,
    data: usize,
    ranges: usize,
    faults: usize,
    rolls: usize,
    dists: usize,
    choices: usize,
    actions: usize,
    stages: usize,
    labels: usize,
    slots: usize,
}

impl<'p> Lower<'p> {
    pub(super) fn mark(&mut self) -> Mark {
        self.fold_floor = self.rolls.len();
        Mark {
            ins: self.ins.len(),
            data: self.data.len(),
            ranges: self.ranges.len(),
            faults: self.faults.len(),
            rolls: self.rolls.len(),
            dists: self.dists.len(),
            choices: self.choices.len(),
            actions: self.actions.len(),
            stages: self.stages.len(),
            labels: self.labels.len(),
            slots: self.reach.len(),
        }
    }

    pub(super) fn back_to(&mut self, mark: &Mark) {
        self.ins.truncate(mark.ins);
        self.spans.truncate(mark.ins);
        self.data.truncate(mark.data);
        self.ranges.truncate(mark.ranges);
        self.faults.truncate(mark.faults);
        self.rolls.truncate(mark.rolls);
        self.dists.truncate(mark.dists);
        self.choices.truncate(mark.choices);
        self.actions.truncate(mark.actions);
        self.stages.truncate(mark.stages);
        self.labels.truncate(mark.labels);
        self.reach.truncate(mark.slots);
        self.declared.truncate(mark.slots);
        self.is_temporary.truncate(mark.slots);
        self.made.truncate(mark.slots);
        self.new_era();
        self.foreign
            .retain(|_, slots| slots.iter().all(|&slot| usize::from(slot) < mark.slots));
        self.reach_at.retain(|&at, _| at < mark.ins);
        self.alive = true;
        self.in_stage = false;
    }

    pub(super) fn turns(&mut self, last: ExprId, body: &'p [Stmt]) -> Lowered<()> {
        self.begin()?;
        let last = self.expr(last)?;
        let last = self.keep(last)?;
        let last = self.part(last)?;
        if self.reach(last).high > MOST_TURNS {
            return self.wrong(format!("these are more than {MOST_TURNS} turns"));
        }
        let finish = self.finish;
        let ends_before = finish.map(|finish| self.labels[finish.0 as usize].reach.clone());
        let frame = self.frame().clone();
        if self.ways.turn_in_state {
            self.put(self.turn, Operand::Known(0))?;
            self.declared[self.turn as usize] = Some(Interval {
                low: 0,
                high: self.reach(last).high.max(0),
            });
        } else {
            self.put(self.turn, Operand::Known(0))?;
        }
        let mark = self.mark();
        let mut head_reach = self.reach.clone();
        for attempt in 0.. {
            let grown = match self.ways.turn_in_state {
                true => self.counted_here(last, body, &mut head_reach)?,
                false => self.counted_by_engine(last, body, &mut head_reach)?,
            };
            let Some(grown) = grown else {
                return Ok(());
            };
            for &(at, before) in &grown {
                let range = &mut head_reach[at];
                let most = match self.declared[at] {
                    Some(declared) => declared,
                    None if attempt >= TRIES => ANY,
                    None => continue,
                };
                // What has begun to fall or to rise goes on as far as it may: another try would only show the next step.
                if range.low < before.low {
                    range.low = range.low.min(most.low);
                }
                if range.high > before.high {
                    range.high = range.high.max(most.high);
                }
            }
            self.back_to(&mark);
            self.after_turns = false;
            *self.frame() = frame.clone();
            if let (Some(finish), Some(reach)) = (finish, &ends_before) {
                self.labels[finish.0 as usize].reach = reach.clone();
            }
            self.reach = head_reach.clone();
        }
        Ok(())
    }

    /// Widens what slots can be at the head by what they are now; gives the slots that grew, if any did.
    pub(super) fn grown(&self, head: &mut [Interval]) -> Option<Grown> {
        if !self.alive {
            return None;
        }
        let mut grown = Vec::new();
        for (at, (there, here)) in head.iter_mut().zip(&self.reach).enumerate() {
            if !there.holds(*here) {
                grown.push((at, *there));
                *there = there.hull(*here);
            }
        }
        (!grown.is_empty()).then_some(grown)
    }

    fn counted_by_engine(
        &mut self,
        last: Operand,
        body: &'p [Stmt],
        head_reach: &mut [Interval],
    ) -> Lowered<Option<Grown>> {
        let last = match last.known() {
            Some(last) => last.max(0) as u16,
            None => return Err(Halt::CountTurns),
        };
        if last == 0 {
            return Err(Halt::CountTurns);
        }
        let head = self.label();
        self.place(head);
        self.new_era();
        self.block(body)?;
        let grown = self.grown(head_reach);
        if grown.is_some() {
            return Ok(grown);
        }
        let after = self.label();
        self.turns = Some(Turns { head, after, last });
        if self.alive {
            self.rests_here()?;
            self.emit(Ins::Turn)?;
        }
        self.place(after);
        self.after_turns = true;
        Ok(None)
    }

    fn counted_here(
        &mut self,
        last: Operand,
        body: &'p [Stmt],
        head_reach: &mut [Interval],
    ) -> Lowered<Option<Grown>> {
        let (head, after) = (self.label(), self.label());
        self.place(head);
        self.new_era();
        let turn = self.operand(self.turn);
        let more = self.binary(Op::Less, turn, last)?;
        self.unless(more, after)?;
        let next = self.binary(Op::Add, turn, Operand::Known(1))?;
        self.put(self.turn, next)?;
        self.block(body)?;
        let grown = self.grown(head_reach);
        if grown.is_some() {
            return Ok(grown);
        }
        if self.alive {
            self.jump(head)?;
        }
        self.place(after);
        Ok(None)
    }
}
