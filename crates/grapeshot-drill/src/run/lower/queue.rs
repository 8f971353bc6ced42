//! Queues in what is solved: places one behind the other, all of them part of the state, and a loop that works them off.
//!
//! What waits is moved up when the first is taken, so that equal queues are equal states whatever came before.

use super::emit::ANY;
use super::turns::TRIES;
use super::{Board, Bound, Lower, Lowered};
use crate::program::{EventArm, ExprId, Interval, QueueId};
use crate::run::code::Op;
use crate::run::layout::Layout;
use crate::run::value::{Operand, Slot, Slots, Val};

/// The most events that wait at once in what is solved.
const MOST_WAITING: usize = 16;

/// The slots of a queue.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// How many wait.
    waiting: Slot,
    /// For each place which event it is, and its values.
    places: Vec<(Slot, Slots)>,
}

impl Board {
    /// Slots for all queues of the program, empty.
    pub(super) fn lay_out_queues(&mut self, layout: &Layout<'_>) {
        if layout.procedure.simulated {
            return;
        }
        for queue in &layout.program.queues {
            let waiting = self.variable(
                Some(Interval {
                    low: 0,
                    high: MOST_WAITING as i64,
                }),
                0,
            );
            let kinds = Interval {
                low: 0,
                high: queue.events.len() as i64 - 1,
            };
            let width = |event: &crate::program::Event| -> usize {
                event.1.iter().map(|(_, ty)| layout.width(*ty)).sum()
            };
            let widest = queue.events.iter().map(width).max().unwrap_or(0);
            let place = |board: &mut Self| {
                let kind = board.variable(Some(kinds), 0);
                let values = (0..widest).map(|_| board.variable(None, 0));
                (kind, values.collect())
            };
            let places = (0..MOST_WAITING).map(|_| place(self)).collect();
            self.queues.push(Places { waiting, places });
        }
    }
}

impl<'p> Lower<'p> {
    /// Puts an event at the end of a queue.
    pub(super) fn put_event(
        &mut self,
        queue: QueueId,
        event: usize,
        values: &[ExprId],
    ) -> Lowered<()> {
        let mut parts = Vec::new();
        for value in self.exprs(values)? {
            let value = self.keep(value)?;
            parts.extend(self.parts(value)?);
        }
        let Some(Places { waiting, places }) = self.board.queues.get(queue.at()).cloned() else {
            return self.wrong("what is only simulated is played, and not written out");
        };
        let before = self.keep(Val::one(self.operand(waiting)))?;
        let before = self.part(before)?;
        let reach = self.reach(before);
        let end = self.label();
        for (at, (kind, slots)) in (0i64..).zip(&places) {
            if at < reach.low || at > reach.high || !self.alive {
                continue;
            }
            let next = self.label();
            let here = self.binary(Op::Same, before, Operand::Known(at as i32))?;
            self.unless(here, next)?;
            self.put(*kind, Operand::Known(event as i32))?;
            self.put_all(slots, &parts)?;
            self.put(waiting, Operand::Known(at as i32 + 1))?;
            self.jump(end)?;
            self.place(next);
        }
        self.fault("more than 16 events wait in this queue, which are the most in what is solved")?;
        self.place(end);
        Ok(())
    }

    /// Works a queue off, first in first out.
    pub(super) fn work_off(&mut self, queue: QueueId, arms: &'p [EventArm]) -> Lowered<()> {
        if self.board.queues.len() <= queue.at() {
            return self.wrong("what is only simulated is played, and not written out");
        }
        let in_stage = self.in_stage;
        let finish = self.finish;
        let ends_before = finish.map(|finish| self.labels[finish.0 as usize].reach.clone());
        let frame = self.frame().clone();
        let mark = self.mark();
        let mut head_reach = self.reach.clone();
        for attempt in 0.. {
            let (head, after) = (self.label(), self.label());
            self.place(head);
            let waiting = self.operand(self.board.queues[queue.at()].waiting);
            let any = self.binary(Op::Less, Operand::Known(0), waiting)?;
            self.unless(any, after)?;
            if self.alive {
                self.take_first(queue, arms)?;
            }
            let Some(grown) = self.grown(&mut head_reach) else {
                if self.alive {
                    self.jump(head)?;
                }
                self.place(after);
                return Ok(());
            };
            for (at, _) in grown {
                match self.declared[at] {
                    Some(declared) => head_reach[at] = head_reach[at].hull(declared),
                    None if attempt >= TRIES => head_reach[at] = ANY,
                    None => {}
                }
            }
            self.back_to(&mark);
            self.in_stage = in_stage;
            *self.frame() = frame.clone();
            if let (Some(finish), Some(reach)) = (finish, &ends_before) {
                self.labels[finish.0 as usize].reach = reach.clone();
            }
            self.reach = head_reach.clone();
        }
        Ok(())
    }

    /// Takes the first event, moves the others up, and does what is said of it.
    fn take_first(&mut self, queue: QueueId, arms: &'p [EventArm]) -> Lowered<()> {
        let Places { waiting, places } = self.board.queues[queue.at()].clone();
        let (kind, slots) = &places[0];
        let first = self.keep(Val::Parts(self.operands(slots)))?;
        let first = self.parts(first)?;
        let which = self.keep(Val::one(self.operand(*kind)))?;
        let which = self.part(which)?;
        let most = self.reach(self.operand(waiting)).high as usize;
        for pair in places[..most.min(places.len())].windows(2) {
            let ((to, values), (from, next)) = (&pair[0], &pair[1]);
            let from = self.operand(*from);
            self.put(*to, from)?;
            let next = self.operands(next);
            self.put_all(values, &next)?;
        }
        // A place that nobody waits in holds nothing: equal queues are equal states.
        let (kind, slots) = &places[most.clamp(1, places.len()) - 1];
        for slot in [kind].into_iter().chain(slots) {
            self.put(*slot, Operand::Known(0))?;
        }
        let waits = self.operand(waiting);
        let left = self.binary(Op::Subtract, waits, Operand::Known(1))?;
        self.put(waiting, left)?;
        let events = &self.layout.program[queue].events;
        let end = self.label();
        for arm in arms {
            if !self.alive {
                break;
            }
            let next = self.label();
            let is_it = self.binary(Op::Same, which, Operand::Known(arm.event as i32))?;
            self.unless(is_it, next)?;
            let mut at = 0;
            for (param, (_, ty)) in arm.params.iter().zip(&events[arm.event].1) {
                let width = self.layout.width(*ty);
                let value = Val::Parts(first[at..at + width].into());
                self.bind(*param, Bound::Value(value));
                at += width;
            }
            self.block(&arm.body)?;
            self.jump(end)?;
            self.place(next);
        }
        self.place(end);
        Ok(())
    }
}
