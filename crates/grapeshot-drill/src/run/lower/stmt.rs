//! Statements.

use super::{Bound, Halt, Lower, Lowered};
use crate::program::{Elements, ExprId, Stmt, StmtKind, Target, TextPart, Type};
use crate::run::code::{Ins, Op};
use crate::run::value::{Operand, Slot, Slots, Val};
use std::sync::Arc;

/// The most elements of a loop.
const MOST_ELEMENTS: i64 = 10_000;

impl<'p> Lower<'p> {
    /// Statements in order.
    pub(super) fn block(&mut self, block: &'p [Stmt]) -> Lowered<()> {
        for stmt in block {
            if !self.alive {
                break;
            }
            let outer = std::mem::replace(&mut self.span, stmt.span);
            self.worked(1)?;
            self.deeper(|low| low.stmt(stmt))?;
            self.span = outer;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> Lowered<()> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.expr(*value)?;
                let at = local.0 as usize;
                match self.local_of(at) {
                    Some(local) => self.bind_local(at, local, value),
                    None => self.wrong("this is no local"),
                }
            }
            StmtKind::Set {
                target,
                value,
                proved,
                range,
            } => {
                let ty = self.layout.program[*value].ty;
                let value = self.expr(*value)?;
                let parts = self.parts(value)?;
                if let (false, Some(range), [number]) = (*proved, range, &parts[..])
                    && !range.holds(self.reach(*number))
                {
                    let what = self.layout.program.sources.text(stmt.span).to_owned();
                    self.ranges.push((*range, what));
                    let check = self.ranges.len() as u32 - 1;
                    self.emit(Ins::Check(*number, check))?;
                }
                self.for_target(*target, Type::Nothing, &mut |low, slots| {
                    let _ = ty;
                    low.put_all(slots, &parts)?;
                    Ok(Val::default())
                })?;
                Ok(())
            }
            StmtKind::Do(value) => {
                // What nobody reads is not thrown, unless something follows from it.
                self.expr(*value)?;
                Ok(())
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                self.before_branches(
                    branches
                        .iter()
                        .map(|(_, block)| &block[..])
                        .chain([&otherwise[..]]),
                )?;
                self.if_else(branches, Some(otherwise))
            }
            StmtKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                if let Some((local, value)) = subject {
                    let value = self.expr(*value)?;
                    let changes = |(condition, _): &(ExprId, _)| {
                        self.layout.program[*condition].effects.changes
                    };
                    // Nobody asks for it once an arm has begun.
                    let value = match arms.iter().any(changes) {
                        true => self.keep(value)?,
                        false if matches!(value, Val::Rolled(_)) => self.keep(value)?,
                        false => value,
                    };
                    self.bind(*local, Bound::Value(value));
                }
                self.before_branches(arms.iter().map(|(_, block)| &block[..]))?;
                self.if_else(arms, otherwise.as_ref())
            }
            StmtKind::For {
                element,
                over,
                condition,
                body,
            } => {
                for elements in over {
                    self.each(elements, &mut |low, value| {
                        low.bind(*element, Bound::Value(value));
                        let next = low.label();
                        if let Some(condition) = condition {
                            low.unless_holds(*condition, next)?;
                        }
                        low.block(body)?;
                        low.place(next);
                        Ok(())
                    })?;
                }
                Ok(())
            }
            StmtKind::Turns(last, body) => self.turns(*last, body),
            StmtKind::Repeat(times, body) => {
                let times = self.expr(*times)?;
                let times = self.keep(times)?;
                let times = self.part(times)?;
                let most = self.reach(times).high;
                if most > MOST_ELEMENTS {
                    return self.wrong(format!(
                        "this is repeated up to {most} times; {MOST_ELEMENTS} are the most"
                    ));
                }
                let done = self.label();
                for number in 1..=most {
                    if !self.alive {
                        break;
                    }
                    let more = self.binary(Op::AtMost, Operand::Known(number as i32), times)?;
                    self.unless(more, done)?;
                    self.block(body)?;
                }
                self.place(done);
                Ok(())
            }
            StmtKind::Stage(name, body) => self.stage_of(name, body),
            StmtKind::End(label) => self.end(label.as_deref()),
            StmtKind::Return(value) => {
                let frame = self.frame();
                let (exit, result) = (frame.exit, frame.result.clone());
                if let Some(value) = value {
                    let value = self.expr(*value)?;
                    let parts = self.parts(value)?;
                    self.put_all(&result, &parts)?;
                }
                match exit {
                    Some(exit) => self.jump(exit),
                    None => self.wrong("there is nothing to return from"),
                }
            }
            StmtKind::Choose { who, actions } => self.choose(*who, actions),
            StmtKind::Tell { .. } => Ok(()),
            StmtKind::Add(unit, target) => self.set_member(*unit, *target, 1),
            StmtKind::Remove(unit, target) => self.set_member(*unit, *target, 0),
            StmtKind::Put(queue, event, values) => self.put_event(*queue, *event, values),
            StmtKind::WorkOff(queue, arms) => self.work_off(*queue, arms),
        }
    }

    fn local_of(&self, at: usize) -> Option<&'p crate::program::Local> {
        // The locals of a text are those of the text that is being written out.
        self.locals_now().get(at)
    }

    fn locals_now(&self) -> &'p [crate::program::Local] {
        self.frames
            .last()
            .and_then(|frame| frame.declared)
            .map_or(&self.layout.procedure.locals, |locals| locals)
    }

    /// Does something with the slots of what can be changed.
    pub(super) fn for_target(
        &mut self,
        target: Target,
        ty: Type,
        act: &mut dyn FnMut(&mut Self, &[Slot]) -> Lowered<Val>,
    ) -> Lowered<Val> {
        match target {
            Target::Local(local) => {
                match self.frame().locals.get(local.0 as usize).cloned().flatten() {
                    Some(Bound::Slots(slots)) => act(self, &slots),
                    _ => self.wrong("this local cannot be changed"),
                }
            }
            Target::Var(var) => match self.var(var).cloned() {
                Some(slots) => act(self, &slots),
                // A variable that this procedure does not have is nobody's to read.
                None => {
                    let ranges = self.layout.ranges(self.layout.program[var].ty, None);
                    let slots: Slots = ranges
                        .into_iter()
                        .map(|range| self.variable(range, 0))
                        .collect();
                    self.foreign.insert(var, slots.clone());
                    for &slot in &slots {
                        self.emit(Ins::Put(slot, Operand::Known(0)))?;
                    }
                    act(self, &slots)
                }
            },
            Target::Field(unit, field) => {
                let unit = self.unit(unit)?;
                let unit = self.part(unit)?;
                self.for_unit(
                    unit,
                    ty,
                    &mut |low, unit| match low.field_slots(unit, field) {
                        Some(slots) => act(low, &slots),
                        None => {
                            low.fault("this unit has no such field")?;
                            Ok(low.never(ty))
                        }
                    },
                )
            }
        }
    }

    /// What units were at the start is taken before a branching in which a stage may begin.
    fn before_branches<'b>(&mut self, blocks: impl Iterator<Item = &'b [Stmt]>) -> Lowered<()> {
        if self.started {
            return Ok(());
        }
        let program = self.layout.program;
        fn begins(program: &crate::program::Program, block: &[Stmt]) -> bool {
            block.iter().any(|stmt| match &stmt.kind {
                StmtKind::Stage(..) | StmtKind::Turns(..) | StmtKind::Choose { .. } => true,
                StmtKind::Do(id) | StmtKind::Let(_, id) | StmtKind::Return(Some(id)) => {
                    program[*id].effects.stages
                }
                StmtKind::Set { value, .. } => program[*value].effects.stages,
                StmtKind::If {
                    branches,
                    otherwise,
                } => {
                    branches.iter().any(|(_, block)| begins(program, block))
                        || begins(program, otherwise)
                }
                StmtKind::Case { arms, .. } => arms.iter().any(|(_, block)| begins(program, block)),
                StmtKind::For { body, .. } | StmtKind::Repeat(_, body) => begins(program, body),
                _ => false,
            })
        }
        for block in blocks {
            if begins(program, block) {
                return self.begin();
            }
        }
        Ok(())
    }

    fn if_else(
        &mut self,
        branches: &'p [(ExprId, crate::program::Block)],
        otherwise: Option<&'p crate::program::Block>,
    ) -> Lowered<()> {
        let end = self.label();
        for (at, (condition, block)) in branches.iter().enumerate() {
            if !self.alive {
                break;
            }
            // Cases without `else` have been shown to be without a gap.
            let last = at + 1 == branches.len() && otherwise.is_none();
            let next = self.label();
            match last {
                false => self.unless_holds(*condition, next)?,
                true if self.layout.program[*condition].effects.changes => {
                    self.flag(*condition)?;
                }
                true => {}
            }
            self.block(block)?;
            self.jump(end)?;
            self.place(next);
        }
        if let Some(block) = otherwise {
            self.block(block)?;
        }
        self.place(end);
        Ok(())
    }

    /// Does something for each element of a loop.
    pub(super) fn each(
        &mut self,
        elements: &Elements,
        act: &mut dyn FnMut(&mut Self, Val) -> Lowered<()>,
    ) -> Lowered<()> {
        match elements {
            Elements::One(id) => {
                let value = self.expr(*id)?;
                let value = self.keep(value)?;
                act(self, value)
            }
            Elements::Of(id) => {
                let ty = self.layout.program[*id].ty;
                let list = self.expr(*id)?;
                let list = self.keep(list)?;
                for (there, element) in self.elements(list, ty)? {
                    let next = self.label();
                    self.unless(there, next)?;
                    if self.alive {
                        act(self, element)?;
                    }
                    self.place(next);
                }
                Ok(())
            }
            Elements::Up(from, to) | Elements::Down(from, to) => {
                let ends = self.exprs(&[*from, *to])?;
                let mut operands = Vec::new();
                for end in ends {
                    let end = self.keep(end)?;
                    operands.push(self.part(end)?);
                }
                let up = matches!(elements, Elements::Up(..));
                let (low_end, high_end) = if up {
                    (operands[0], operands[1])
                } else {
                    (operands[1], operands[0])
                };
                let (low, high) = (self.reach(low_end).low, self.reach(high_end).high);
                if high - low > MOST_ELEMENTS {
                    return self.wrong(format!("these are more than {MOST_ELEMENTS} numbers"));
                }
                let mut numbers: Vec<i64> = (low..=high).collect();
                if !up {
                    numbers.reverse();
                }
                for number in numbers {
                    if !self.alive {
                        break;
                    }
                    let number = Operand::Known(number as i32);
                    let next = self.label();
                    let above = self.binary(Op::AtMost, low_end, number)?;
                    self.unless(above, next)?;
                    let below = self.binary(Op::AtMost, number, high_end)?;
                    self.unless(below, next)?;
                    if self.alive {
                        act(self, Val::one(number))?;
                    }
                    self.place(next);
                }
                Ok(())
            }
        }
    }

    /// Units as they are now are those of the start.
    pub(super) fn begin(&mut self) -> Lowered<()> {
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        let pieces = self.layout.pieces.len();
        for unit in 0..pieces {
            let board = Arc::clone(&self.board);
            let fields = board.fields(unit).iter();
            for (slots, then) in fields.zip(board.fields(unit + pieces)) {
                for (slot, start) in slots.iter().zip(then) {
                    if let Some(&key) = self.origin.get(slot) {
                        self.origin.insert(*start, key);
                    }
                }
                for (&slot, &start) in slots.iter().zip(then) {
                    let now = self.operand(slot);
                    // Most is as it was set.
                    if now.known().is_none() || self.operand(start) != now {
                        self.put(start, now)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn stage_of(&mut self, name: &'p [TextPart], body: &'p [Stmt]) -> Lowered<()> {
        self.begin()?;
        if self.in_stage {
            return self.block(body);
        }
        let mut stages = std::mem::take(&mut self.stages);
        let number = self.spell(name, &mut |letters| {
            let known = stages.iter().position(|stage| stage == letters);
            Ok(known.unwrap_or_else(|| {
                stages.push(letters.to_owned());
                stages.len() - 1
            }) as i32)
        });
        self.stages = stages;
        let number = self.part(number?)?;
        self.put(self.stage, number)?;
        self.in_stage = true;
        self.block(body)?;
        self.in_stage = false;
        Ok(())
    }

    /// The trial is over.
    fn end(&mut self, label: Option<&'p [TextPart]>) -> Lowered<()> {
        if let (Some(label), Some(at)) = (label, self.layout.procedure.outcome) {
            let report = &self.layout.procedure.reports[at];
            let value = self.spell(label, &mut |letters| {
                let same = report.same.iter().find(|(one, _)| **one == *letters);
                let letters = same.map_or(letters, |(_, other)| other);
                let found = report
                    .labels
                    .iter()
                    .position(|label| *label.text == *letters);
                found
                    .map(|at| at as i32)
                    .ok_or_else(|| format!("`{letters}` is no outcome"))
            })?;
            let value = self.part(value)?;
            self.put(self.outcome, value)?;
        }
        match self.finish {
            Some(finish) => self.jump(finish),
            None => Err(Halt::at(self.span, "there is no trial to end")),
        }
    }

    fn set_member(&mut self, unit: ExprId, target: Target, flag: i32) -> Lowered<()> {
        let unit = self.expr(unit)?;
        let unit = self.part(unit)?;
        self.for_unit(unit, Type::Nothing, &mut |low, unit| {
            low.for_target(target, Type::Nothing, &mut |low, slots| {
                if let Some(&slot) = usize::try_from(unit).ok().and_then(|unit| slots.get(unit)) {
                    low.put(slot, Operand::Known(flag))?;
                }
                Ok(Val::default())
            })
        })?;
        Ok(())
    }
}
