//! Calls are written out where they stand: there is no recursion.

use super::{Bound, DEEPEST, Frame, Halt, Lower, Lowered};
use crate::program::{ExprId, Local, ModifierName, ModifiersId, StmtKind, TextId, Type};
use crate::run::code::Op;
use crate::run::reads::Read;
use crate::run::value::{Entry, Operand, Slots, Val};
use smallvec::smallvec;
use std::sync::Arc;

impl<'p> Lower<'p> {
    /// The arguments of a call, in order; what is left out is worked out by the callee.
    fn arguments(&mut self, arguments: &[Option<ExprId>]) -> Lowered<Vec<Option<Val>>> {
        let mut all = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            all.push(match *argument {
                Some(id) => {
                    let value = self.expr(id)?;
                    let mut later = arguments[at + 1..].iter().flatten();
                    Some(match later.any(|&id| self.disturbs(id)) {
                        true => self.keep(value)?,
                        false => value,
                    })
                }
                None => None,
            });
        }
        // A parameter is what it was when it was handed over.
        for value in all.iter_mut().flatten() {
            *value = self.keep(std::mem::take(value))?;
        }
        Ok(all)
    }

    /// The first argument that is a unit which is not known yet.
    fn undecided(&self, locals: &[Local], arguments: &[Option<Val>]) -> Option<(usize, Operand)> {
        arguments.iter().enumerate().find_map(|(at, value)| {
            let is_unit = matches!(locals.get(at)?.ty, Type::Unit(_));
            match value {
                Some(Val::Parts(parts)) if is_unit => match parts[..] {
                    [slot @ Operand::Slot(_)] => Some((at, slot)),
                    _ => None,
                },
                _ => None,
            }
        })
    }

    pub(super) fn call(&mut self, text: TextId, arguments: &[Option<ExprId>]) -> Lowered<Val> {
        let values = self.arguments(arguments)?;
        self.call_with(text, values)
    }

    fn call_with(&mut self, text: TextId, mut values: Vec<Option<Val>>) -> Lowered<Val> {
        let of = &self.layout.program[text];
        // Which unit it is decides what can be folded: a branch for each.
        if let Some((at, unit)) = self.undecided(&of.locals, &values) {
            return self.for_unit(unit, of.returns, &mut |low, unit| {
                values[at] = Some(Val::known(unit));
                low.call_with(text, values.clone())
            });
        }
        self.enter(&of.locals, of.params, &of.defaults, values)?;
        let value = match &of.body[..] {
            [only] if let StmtKind::Return(Some(value)) = &only.kind => self.expr(*value),
            _ => self.body_of(text),
        };
        self.leave();
        value
    }

    fn body_of(&mut self, text: TextId) -> Lowered<Val> {
        let of = &self.layout.program[text];
        let result = self.temporaries(self.layout.width(of.returns))?;
        let exit = self.label();
        self.frame().exit = Some(exit);
        self.frame().result = result.clone();
        match of.body.split_last() {
            // What is returned last is the value, unless control has returned before.
            Some((last, body)) if let StmtKind::Return(Some(value)) = &last.kind => {
                self.block(body)?;
                if self.alive && self.labels[exit.0 as usize].reach.is_none() {
                    self.span = last.span;
                    return self.expr(*value);
                }
                self.block(std::slice::from_ref(last))?;
            }
            _ => self.block(&of.body)?,
        }
        self.place(exit);
        if !self.alive {
            return Ok(self.never(of.returns));
        }
        Ok(Val::Parts(self.operands(&result)))
    }

    /// Begins a text: its parameters are bound, what is left out by its default.
    fn enter(
        &mut self,
        locals: &'p [Local],
        params: u16,
        defaults: &[Option<ExprId>],
        values: Vec<Option<Val>>,
    ) -> Lowered<()> {
        if self.frames.len() > DEEPEST {
            return Err(Halt::at(
                self.span,
                "texts call one another too deeply here",
            ));
        }
        let unbound = self.locals(locals.len());
        self.frames.push(Frame {
            locals: unbound,
            declared: Some(locals),
            ..Frame::default()
        });
        let mut values = values.into_iter();
        for (at, local) in locals.iter().enumerate().take(usize::from(params)) {
            let value = match (values.next().flatten(), defaults.get(at).copied().flatten()) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    let value = self.expr(default)?;
                    self.keep(value)?
                }
                (None, None) => return self.wrong("an argument is missing"),
            };
            self.bind_local(at, local, value)?;
        }
        Ok(())
    }

    /// Gives a local its first value.
    pub(super) fn bind_local(&mut self, at: usize, local: &Local, value: Val) -> Lowered<()> {
        let bound = match local.changed && self.layout.width(local.ty) > 0 {
            false => Bound::Value(self.keep(value)?),
            true => {
                let parts = self.parts(value)?;
                // Its range is that of its first value, and it will have others.
                let ranges = self.layout.ranges(local.ty, None);
                let slots: Slots = ranges
                    .into_iter()
                    .map(|range| self.variable(range, 0))
                    .collect();
                if slots.len() > parts.len() || self.reach.len() >= super::MOST_SLOTS {
                    return self.wrong("there are too many values to keep here");
                }
                self.put_all(&slots, &parts)?;
                Bound::Slots(slots)
            }
        };
        self.bind(crate::program::LocalId(at as u16), bound);
        Ok(())
    }

    /// The entries of modifiers that count.
    pub(super) fn modifiers(
        &mut self,
        list: ModifiersId,
        arguments: &[Option<ExprId>],
        without: &[Arc<str>],
    ) -> Lowered<Val> {
        let values = self.arguments(arguments)?;
        self.modifiers_with(list, values, without)
    }

    fn modifiers_with(
        &mut self,
        list: ModifiersId,
        mut values: Vec<Option<Val>>,
        without: &[Arc<str>],
    ) -> Lowered<Val> {
        let of = &self.layout.program[list];
        if let Some((at, unit)) = self.undecided(&of.locals, &values) {
            // The entries of every unit it can be, each counting only if it is that one.
            let range = self.reach(unit);
            let mut all = Vec::new();
            for candidate in range.low.max(0)..=range.high {
                values[at] = Some(Val::known(candidate as i32));
                let is_it = self.binary(Op::Same, unit, Operand::Known(candidate as i32))?;
                if let Val::List(entries) = self.modifiers_with(list, values.clone(), without)? {
                    for mut entry in entries {
                        entry.counts = self.binary(Op::Min, entry.counts, is_it)?;
                        all.push(entry);
                    }
                }
            }
            return Ok(Val::List(all));
        }
        self.enter(&of.locals, of.params, &of.defaults, values)?;
        let mut entries = Vec::new();
        for (number, modifier) in of.entries.iter().enumerate() {
            if let ModifierName::Fixed(name) = &modifier.name
                && without.contains(name)
            {
                continue;
            }
            let mut counts = match modifier.condition {
                Some(condition) => self.flag(condition)?,
                None => Operand::Known(1),
            };
            if let ModifierName::Of(name) = &modifier.name
                && !without.is_empty()
                && counts != Operand::Known(0)
            {
                let layout = self.layout;
                let ty = layout.program[*name].ty;
                let value = self.expr(*name)?;
                let left = self.apply([value], &mut |args| {
                    let letters = layout.letters(ty, &args[0]);
                    Ok(smallvec![i32::from(
                        !without.iter().any(|name| **name == *letters),
                    )])
                })?;
                let left = self.part(left)?;
                counts = self.binary(Op::Min, counts, left)?;
            }
            let ty = self.layout.program[modifier.value].ty;
            let nothing = self.never(ty);
            let value = match counts {
                Operand::Known(0) => continue,
                _ => self.either(
                    counts,
                    ty,
                    &mut |low| {
                        low.note(Read::Modifier(list, number))?;
                        low.expr(modifier.value)
                    },
                    &mut |_| Ok(nothing.clone()),
                )?,
            };
            let value = self.keep(value)?;
            let value = self.parts(value)?;
            let counts = match self.keep(Val::one(counts))? {
                Val::Parts(parts) => parts[0],
                _ => counts,
            };
            entries.push(Entry { counts, value });
        }
        self.leave();
        Ok(Val::List(entries))
    }
}
