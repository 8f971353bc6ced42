//! Names: what a bare word is where no word of a type is expected.
//!
//! In this order: what the text itself names, fields of the unit at hand, sides and keys of the procedure, what every
//! procedure has, dice, assumptions. A rule that several procedures reach must mean the same by a name in all of them.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::nearest::nearest;
use crate::program::*;
use crate::source::Span;
use crate::tree;
use std::sync::Arc;

/// What a procedure has of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Side(SideId),
    Var(VarId),
    /// A key that sets a field, by its position.
    Key(usize),
}

impl Checker<'_> {
    /// What procedures that reach a text have of a name.
    pub(super) fn in_procedures(
        &mut self,
        s: &Scope,
        name: &str,
        span: Span,
    ) -> Checked<Option<Named>> {
        let mut found: Option<(Named, usize)> = None;
        let mut missing = None;
        let everywhere = s.procedures.is_empty();
        let all: Vec<usize> = if everywhere {
            (0..self.names.len()).collect()
        } else {
            s.procedures.clone()
        };
        for at in all {
            let here = self.names[at]
                .get(name)
                .copied()
                .or_else(|| self.common.get(name).map(|&id| Named::Var(id)));
            match (here, found) {
                (None, _) => missing = Some(at),
                (Some(here), None) => found = Some((here, at)),
                (Some(here), Some((other, first))) if here != other && !everywhere => {
                    let (a, b) = (
                        self.program.procedures[first].name.clone(),
                        self.program.procedures[at].name.clone(),
                    );
                    let title = format!(
                        "`{name}` is one thing in the procedure `{a}` and another in `{b}`"
                    );
                    let message = Message::error(span, title).note("both come here");
                    return self.fail(message.help("pass it as a parameter"));
                }
                _ => {}
            }
        }
        match (found, missing) {
            (Some((_, first)), Some(without)) if !everywhere => {
                let (a, b) = (
                    self.program.procedures[first].name.clone(),
                    self.program.procedures[without].name.clone(),
                );
                let title = format!("the procedure `{b}` comes here and has no `{name}`");
                let message = Message::error(span, title)
                    .note(format!("`{a}`, which comes here too, has it"));
                self.fail(message.help(format!("let `{b}` ask it, or pass it as a parameter")))
            }
            (found, _) => Ok(found.map(|(named, _)| named)),
        }
    }

    /// An expression for a bare name; nothing if there is none.
    pub(super) fn named(&mut self, s: &mut Scope, name: &tree::Name) -> Checked<Option<ExprId>> {
        let span = name.span;
        if let Some(local) = s.find(name) {
            // What is wrong with its value has been said.
            if s.locals[local.0 as usize].ty == Type::Nothing {
                return Err(super::Stop);
            }
            return Ok(Some(self.local(s, local, span)));
        }
        if let Some(unit) = s.this {
            let this = self.local(s, THIS_UNIT, span);
            match &*name.text {
                "unit" => return Ok(Some(this)),
                "enemy" if self.field_of(unit, "enemy").is_none() => {
                    return Ok(Some(self.enemy(this, span)));
                }
                text if *text == self.program[unit].name.to_lowercase() => return Ok(Some(this)),
                text => {
                    if let Some(alias) = self.alias_or_field(unit, text) {
                        return self.alias_value(this, alias, span).map(Some);
                    }
                }
            }
        }
        if let Some((at, visible)) = s.reports {
            let reports = &self.program.procedures[at].reports;
            if let Some(found) = reports
                .iter()
                .take(visible)
                .position(|report| report.name == name.text)
            {
                let (ty, range) = (reports[found].ty, reports[found].range);
                return Ok(Some(self.made(ExprKind::Report(found), ty, range, span)));
            }
        }
        match self.in_procedures(s, name, span)? {
            Some(Named::Side(id)) => {
                let ty = self.program[id].ty;
                return Ok(Some(self.made(ExprKind::Side(id), ty, None, span)));
            }
            Some(Named::Var(id)) => return Ok(Some(self.var_value(id, span))),
            Some(Named::Key(key)) => {
                let at = s.procedures.first().copied().unwrap_or(0);
                return self.key_value(at, key, span).map(Some);
            }
            None => {}
        }
        if &*name.text == "turn" {
            return Ok(Some(self.made(
                ExprKind::Turn,
                Type::Number,
                Some(Interval { low: 0, high: 1000 }),
                span,
            )));
        }
        if let Some(&die) = self.dice.get(&name.text) {
            return Ok(Some(self.throw_one(die, 1, span)));
        }
        if let Some(&table) = self.assumptions.get(&name.text) {
            let cell = self.program[table].first_cell;
            return Ok(Some(self.cell_value(table, cell, span)));
        }
        Ok(None)
    }

    /// What a key sets, read.
    fn key_value(&mut self, at: usize, key: usize, span: Span) -> Checked<ExprId> {
        let sets = self.program.procedures[at].keys[key].sets;
        let (side, alias) = match sets {
            KeyTarget::Var(id) => return Ok(self.var_value(id, span)),
            KeyTarget::Field(side, field) => (side, super::unit::Alias::Field(field)),
            KeyTarget::Member(side, number, field) => {
                (side, super::unit::Alias::Member(number, field))
            }
            KeyTarget::Members(side, field) => (side, super::unit::Alias::Members(field)),
        };
        let unit = self.side_value(at, side, span);
        self.alias_value(unit, alias, span)
    }

    /// What plays a side of a procedure.
    pub(super) fn side_value(&mut self, at: usize, side: usize, span: Span) -> ExprId {
        let id = self.program.procedures[at].sides[side].side;
        let ty = self.program[id].ty;
        self.made(ExprKind::Side(id), ty, None, span)
    }

    /// What a name of a unit's field that sets another reads.
    pub(super) fn alias_value(
        &mut self,
        unit: ExprId,
        alias: super::unit::Alias,
        span: Span,
    ) -> Checked<ExprId> {
        use super::unit::Alias;
        match alias {
            Alias::Field(field) => Ok(self.field_value_of(unit, field, span)),
            Alias::Member(number, field) => {
                let of = self.program[field].of;
                let members = self.convert(Conversion::Members, unit, Type::Units(of));
                let index = self.literal(Value::Number(i64::from(number)), Type::Number, span);
                let element = self.made_of(
                    ExprKind::Element(members, index),
                    Type::Unit(of),
                    None,
                    span,
                    &[members, index],
                );
                Ok(self.field_value_of(element, field, span))
            }
            Alias::Members(_) => self.error(
                span,
                "this key sets every unit of the line; name one of them",
            ),
        }
    }

    pub(super) fn field_value_of(&mut self, unit: ExprId, field: FieldId, span: Span) -> ExprId {
        let (ty, range) = (self.program[field].ty, self.program[field].range);
        self.made_of(ExprKind::Field(unit, field), ty, range, span, &[unit])
    }

    pub(super) fn var_value(&mut self, id: VarId, span: Span) -> ExprId {
        let (ty, range) = (self.program[id].ty, self.program[id].range);
        self.made(ExprKind::Var(id), ty, range, span)
    }

    pub(super) fn local(&mut self, s: &Scope, local: LocalId, span: Span) -> ExprId {
        let known = &s.locals[local.0 as usize];
        let (ty, range) = (known.ty, known.range.filter(|_| !known.changed));
        self.made(ExprKind::Local(local), ty, range, span)
    }

    pub(super) fn enemy(&mut self, unit: ExprId, span: Span) -> ExprId {
        let ty = self.ty(unit);
        self.made_of(ExprKind::Enemy(unit), ty, None, span, &[unit])
    }

    /// Says that a name is not known, and what was probably meant.
    pub(super) fn unknown_name<T>(&mut self, s: &Scope, name: &tree::Name) -> Checked<T> {
        let mut known: Vec<Arc<str>> = s.names.iter().map(|(name, _)| name.clone()).collect();
        if let Some(unit) = s.this {
            known.extend(self.field_names(unit));
        }
        for names in &self.names {
            known.extend(names.keys().cloned());
        }
        known.extend(self.common.keys().cloned());
        known.extend(self.assumptions.keys().cloned());
        known.sort();
        let message = Message::error(name.span, format!("there is nothing called `{name}` here"));
        if self.texts.contains_key(&name.text) {
            return self.fail(message.help(format!(
                "there is a text of that name: call it as `{name}(…)`"
            )));
        }
        if let Some(given) = s.lets.iter().find(|given| given.text == name.text) {
            let message = message.also(given.span, "it is given here");
            return self.fail(message.note("what a `let` gives is known below it: in its own branch or loop, or after its stage"));
        }
        let others = self
            .names
            .iter()
            .position(|names| names.contains_key(&name.text));
        if let (Some(other), Some(&here)) = (others, s.procedures.first()) {
            let (has, has_not) = (
                &self.program.procedures[other].name,
                &self.program.procedures[here].name,
            );
            let note =
                format!("the procedure `{has}` has it, but `{has_not}` comes here, which has not");
            let help = format!("let `{has_not}` ask it, or pass it as a parameter");
            return self.fail(message.note(note).help(help));
        }
        let of = self
            .program
            .words
            .iter()
            .find(|words| !words.name.is_empty() && words.position(name).is_some());
        if let Some(words) = of {
            let note = format!("it is a word of {}, which is not expected here", words.name);
            return self.fail(message.note(note));
        }
        if let Some((left, right)) = name.split_once('-')
            && known.iter().any(|known| **known == *left)
        {
            return self
                .fail(message.help(format!("a minus has spaces around it: `{left} - {right}`")));
        }
        let meant = nearest(name, known.iter().map(|name| &**name))
            .map(|meant| format!("did you mean `{meant}`?"));
        self.fail(message.maybe_help(meant))
    }
}
