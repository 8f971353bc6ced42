//! Writing instructions: slots, labels, and what is known of every slot as control flows.

use super::{Halt, Lower, Lowered, MOST_INSTRUCTIONS, MOST_SLOTS};
use crate::program::{Interval, Type};
use crate::run::code::{Ins, Op};
use crate::run::value::{Operand, Operands, Slot, Slots, Val};
use smallvec::smallvec;

/// A place that code can come to, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(pub u32);

/// Where a label stands, and what slots can be there.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// The instruction.
    pub at: usize,
    /// Of all ways that lead there so far; none if no way does.
    pub(super) reach: Option<Vec<Interval>>,
}

/// All that 32 bits can say.
pub const ANY: Interval = Interval {
    low: i32::MIN as i64 + 1,
    high: i32::MAX as i64,
};

/// A flag.
pub const FLAG: Interval = Interval { low: 0, high: 1 };

impl Lower<'_> {
    /// A slot that changes, with what it is at first.
    pub(super) fn variable(&mut self, declared: Option<Interval>, value: i32) -> Slot {
        let slot = self.reach.len().min(MOST_SLOTS) as Slot;
        self.reach.push(Interval::only(i64::from(value)));
        self.declared.push(declared);
        self.is_temporary.push(false);
        self.made.push(super::fold::Made::NOT_YET);
        slot
    }

    /// A slot that is set once.
    pub(super) fn temporary(&mut self) -> Lowered<Slot> {
        if self.reach.len() >= MOST_SLOTS {
            return self.wrong(format!(
                "there are more than {MOST_SLOTS} values to keep here"
            ));
        }
        let slot = self.reach.len() as Slot;
        self.reach.push(ANY);
        self.declared.push(None);
        self.is_temporary.push(true);
        self.made.push(super::fold::Made::NOT_YET);
        Ok(slot)
    }

    pub(super) fn temporaries(&mut self, count: usize) -> Lowered<Slots> {
        (0..count).map(|_| self.temporary()).collect()
    }

    pub(super) fn emit(&mut self, ins: Ins) -> Lowered<()> {
        if !self.alive {
            return Ok(());
        }
        if self.ins.len() >= MOST_INSTRUCTIONS {
            let title = format!("this comes to more than {MOST_INSTRUCTIONS} instructions");
            return Err(Halt::Wrong(Box::new(
                crate::message::Message::error(self.span, title).note(
                    "calls are written out where they stand, and loops once for each element",
                ),
            )));
        }
        match ins {
            Ins::Put(to, _) => self.note_set(to, false),
            Ins::Binary(_, to, ..) | Ins::Join { to, .. } | Ins::Look { to, .. } => {
                self.note_set(to, true);
                self.look_era = self.era;
            }
            _ => {}
        }
        self.ins.push(ins);
        self.spans.push(self.span);
        Ok(())
    }

    /// What a slot is known to be.
    pub(super) fn operand(&self, slot: Slot) -> Operand {
        let reach = self.reach[slot as usize];
        match reach.low == reach.high {
            true => Operand::Known(reach.low as i32),
            false => Operand::Slot(self.same_as(slot)),
        }
    }

    pub(super) fn operands(&self, slots: &[Slot]) -> Operands {
        match slots {
            [slot] => smallvec![self.operand(*slot)],
            _ => slots.iter().map(|&slot| self.operand(slot)).collect(),
        }
    }

    /// The numbers an operand can be.
    pub(super) fn reach(&self, operand: Operand) -> Interval {
        match operand {
            Operand::Known(number) => Interval::only(i64::from(number)),
            Operand::Slot(slot) => self.reach[slot as usize],
        }
    }

    /// Notes that a slot now holds a number in this range.
    pub(super) fn holds(&mut self, slot: Slot, range: Interval) {
        let mut range = range;
        if let Some(declared) = self.declared[slot as usize] {
            range = within(range, declared);
        }
        self.reach[slot as usize] = within(range, ANY);
    }

    /// Puts an operand into a slot.
    pub(super) fn put(&mut self, slot: Slot, operand: Operand) -> Lowered<()> {
        if operand == Operand::Slot(slot) || !self.alive {
            return Ok(());
        }
        let range = self.reach(operand);
        self.emit(Ins::Put(slot, operand))?;
        // A known number stays what it is: the checker's ranges are of what may be declared, not of what is there.
        match operand {
            Operand::Known(_) => self.reach[slot as usize] = range,
            Operand::Slot(copy) => {
                self.holds(slot, range);
                self.note_copy(slot, copy);
            }
        }
        Ok(())
    }

    pub(super) fn put_all(&mut self, slots: &[Slot], operands: &[Operand]) -> Lowered<()> {
        for (&slot, &operand) in slots.iter().zip(operands) {
            self.put(slot, operand)?;
        }
        Ok(())
    }

    /// The same value in slots that nobody changes.
    pub(super) fn keep(&mut self, value: Val) -> Lowered<Val> {
        match value {
            Val::Parts(mut parts) => {
                for part in &mut parts {
                    *part = self.keep_one(*part)?;
                }
                Ok(Val::Parts(parts))
            }
            Val::Rolled(_) => {
                let parts = self.parts(value)?;
                Ok(Val::Parts(parts))
            }
            Val::List(entries) => {
                let mut kept = Vec::with_capacity(entries.len());
                for mut entry in entries {
                    entry.counts = self.keep_one(entry.counts)?;
                    for part in &mut entry.value {
                        *part = self.keep_one(*part)?;
                    }
                    kept.push(entry);
                }
                Ok(Val::List(kept))
            }
            Val::Text(_) => Ok(value),
        }
    }

    fn keep_one(&mut self, operand: Operand) -> Lowered<Operand> {
        match operand {
            Operand::Slot(slot) if !self.is_temporary[slot as usize] => {
                let copy = self.temporary()?;
                self.put(copy, operand)?;
                self.made[usize::from(copy)].once = true;
                self.note_copy(slot, copy);
                Ok(Operand::Slot(copy))
            }
            _ => Ok(operand),
        }
    }

    /// The parts of a value; dice are thrown for them.
    pub(super) fn parts(&mut self, value: Val) -> Lowered<Operands> {
        match value {
            Val::Parts(parts) => Ok(parts),
            Val::Rolled(pending) => self.throw(*pending),
            Val::List(_) => {
                let sum = self.total(value)?;
                self.parts(sum)
            }
            Val::Text(_) => Ok(Operands::new()),
        }
    }

    /// The one part of a value.
    pub(super) fn part(&mut self, value: Val) -> Lowered<Operand> {
        let parts = self.parts(value)?;
        Ok(parts.first().copied().unwrap_or(Operand::Known(0)))
    }

    /// Works out a number, now if it is known.
    pub(super) fn binary(&mut self, op: Op, a: Operand, b: Operand) -> Lowered<Operand> {
        if let (Some(a), Some(b)) = (a.known(), b.known()) {
            return match op.apply(a, b) {
                Some(made) => Ok(Operand::Known(made)),
                None => self.fault(
                    "a number cannot be divided by 0, nor become larger than two thousand millions",
                ),
            };
        }
        let range = range_of(op, self.reach(a), self.reach(b));
        if range.low == range.high {
            return Ok(Operand::Known(range.low as i32));
        }
        let unchanged = match (op, a.known(), b.known()) {
            (Op::Add | Op::Subtract, _, Some(0)) | (Op::Multiply | Op::DivideDown, _, Some(1)) => {
                Some(a)
            }
            (Op::Add, Some(0), _) | (Op::Multiply, Some(1), _) => Some(b),
            _ => self.decided(op, a, b),
        };
        if let Some(operand) = unchanged {
            return Ok(operand);
        }
        if let Some(folded) = self.fold_binary(op, a, b) {
            return Ok(folded);
        }
        if let Some(looked_up) = self.fold_look(op, a, b)? {
            return Ok(looked_up);
        }
        let to = self.temporary()?;
        self.emit(Ins::Binary(op, to, a, b))?;
        self.holds(to, range);
        Ok(Operand::Slot(to))
    }

    /// The less or the greater of two numbers whose ranges say which it is.
    fn decided(&self, op: Op, a: Operand, b: Operand) -> Option<Operand> {
        let (first, second) = (self.reach(a), self.reach(b));
        let (below, above) = match op {
            Op::Min => (a, b),
            Op::Max => (b, a),
            _ => return None,
        };
        match () {
            () if first.high <= second.low => Some(below),
            () if second.high <= first.low => Some(above),
            () => None,
        }
    }

    /// Play goes wrong if it comes here.
    pub(super) fn fault(&mut self, text: &str) -> Lowered<Operand> {
        if self.alive {
            self.faults.push(text.to_owned());
            let fault = self.faults.len() as u32 - 1;
            self.emit(Ins::Fault(fault))?;
            self.alive = false;
        }
        Ok(Operand::Known(0))
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(Target::default());
        Label(self.labels.len() as u32 - 1)
    }

    /// Notes that control can come to a label with what is known now.
    pub(super) fn leads_to(&mut self, label: Label) {
        if !self.alive {
            return;
        }
        self.adds(self.reach.len() as u64 / 16);
        match &mut self.labels[label.0 as usize].reach {
            Some(known) => {
                for (there, here) in known.iter_mut().zip(&self.reach) {
                    *there = there.hull(*here);
                }
                if known.len() < self.reach.len() {
                    known.extend_from_slice(&self.reach[known.len()..]);
                }
            }
            None => {
                let reach = self.copied_reach();
                self.labels[label.0 as usize].reach = Some(reach);
            }
        }
    }

    /// Goes on there.
    pub(super) fn jump(&mut self, label: Label) -> Lowered<()> {
        self.leads_to(label);
        self.emit(Ins::Jump(label.0))?;
        self.alive = false;
        Ok(())
    }

    /// Goes on there if a flag is not set.
    pub(super) fn unless(&mut self, flag: Operand, label: Label) -> Lowered<()> {
        match flag {
            Operand::Known(0) => self.jump(label),
            Operand::Known(_) => Ok(()),
            Operand::Slot(slot) => {
                self.leads_to(label);
                self.emit(Ins::Unless(slot, label.0))
            }
        }
    }

    /// Goes on there if a flag is set.
    pub(super) fn when(&mut self, flag: Operand, label: Label) -> Lowered<()> {
        let not = self.binary(Op::Same, flag, Operand::Known(0))?;
        self.unless(not, label)
    }

    /// The label stands here.
    pub(super) fn place(&mut self, label: Label) {
        if !self.alive || self.labels[label.0 as usize].reach.is_some() {
            self.new_era();
        }
        self.leads_to(label);
        let at = self.ins.len();
        let target = &mut self.labels[label.0 as usize];
        target.at = at;
        if let Some(reach) = target.reach.take() {
            let fresh = self.reach.len().max(reach.len());
            let before = std::mem::replace(&mut self.reach, reach);
            self.reach.resize(fresh, ANY);
            self.spare.push(before);
            self.alive = true;
        }
    }

    /// The value of a type that nothing comes to.
    pub(super) fn never(&self, ty: Type) -> Val {
        match ty {
            Type::Numbers | Type::Fractions => Val::List(Vec::new()),
            Type::Text => Val::Text(String::new()),
            _ => Val::constant(&self.layout.blank(ty)),
        }
    }
}

/// A range brought into another; one number of it if they have none in common.
fn within(range: Interval, bounds: Interval) -> Interval {
    Interval {
        low: range.low.clamp(bounds.low, bounds.high),
        high: range.high.clamp(bounds.low, bounds.high),
    }
}

/// The numbers that may come of two ranges.
fn range_of(op: Op, a: Interval, b: Interval) -> Interval {
    let corners = |of: &dyn Fn(i64, i64) -> i64| {
        let all = [
            of(a.low, b.low),
            of(a.low, b.high),
            of(a.high, b.low),
            of(a.high, b.high),
        ];
        Interval {
            low: all.into_iter().min().unwrap_or(0),
            high: all.into_iter().max().unwrap_or(0),
        }
    };
    let certain = |always: bool, never: bool| match (always, never) {
        (true, _) => Interval::only(1),
        (_, true) => Interval::only(0),
        _ => FLAG,
    };
    match op {
        Op::Add => corners(&|a, b| a + b),
        Op::Subtract => corners(&|a, b| a - b),
        Op::Multiply => corners(&|a, b| a * b),
        Op::DivideDown if b.low > 0 => corners(&|a, b| a.div_euclid(b)),
        Op::DivideDown => ANY,
        Op::Remainder => Interval {
            low: 0,
            high: b.high.abs().max(b.low.abs()).max(1) - 1,
        },
        Op::Min => corners(&|a, b| a.min(b)),
        Op::Max => corners(&|a, b| a.max(b)),
        Op::Less => certain(a.high < b.low, a.low >= b.high),
        Op::AtMost => certain(a.high <= b.low, a.low > b.high),
        Op::Same => certain(false, a.high < b.low || b.high < a.low),
    }
}

impl Lower<'_> {
    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.reach.len()
    }

    /// What a slot may ever be, where that is declared.
    pub fn most(&self, slot: Slot) -> Option<Interval> {
        self.declared.get(usize::from(slot)).copied().flatten()
    }

    /// What slots can be where a trial can rest.
    pub fn reach_of(&self, at: usize) -> &[Interval] {
        self.reach_at.get(&at).map_or(&[], |reach| reach)
    }
}
