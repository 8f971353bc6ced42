//! Calls of texts and of modifiers.

use super::frame::is_pure;
use super::{Held, Out, Scope, Wanted, Writer};
use crate::program::{ExprId, ModifiersId, TextId, Type};
use crate::source::Span;
use std::fmt::Write;
use std::sync::Arc;

impl<'p> Writer<'p> {
    /// Arguments worked out one after the other: what is written before a call, and their names.
    fn arguments(
        &mut self,
        scope: &mut Scope<'p>,
        arguments: &[Option<ExprId>],
    ) -> Out<(String, String)> {
        let (mut first, mut names) = (String::new(), String::new());
        for id in arguments.iter().flatten() {
            let value = self.expr(scope, *id)?;
            let name = self.name();
            let _ = write!(first, "let {name} = {value}; ");
            let _ = write!(names, "{name}, ");
        }
        Ok((first, names))
    }

    fn missing(arguments: &[Option<ExprId>], params: u16) -> Vec<bool> {
        let each = (0..usize::from(params)).map(|at| arguments.get(at).copied().flatten());
        each.map(|argument| argument.is_none()).collect()
    }

    fn at_the_start(
        &self,
        scope: &Scope<'p>,
        arguments: &[Option<ExprId>],
        params: u16,
    ) -> Out<Vec<bool>> {
        let each = (0..usize::from(params)).map(|at| arguments.get(at).copied().flatten());
        each.map(|argument| match argument {
            Some(id) => self.is_then(scope, id),
            None => Ok(false),
        })
        .collect()
    }

    pub(super) fn call(
        &mut self,
        scope: &mut Scope<'p>,
        text: TextId,
        arguments: &[Option<ExprId>],
    ) -> Out<String> {
        let of = &self.program[text];
        let wanted = Wanted::Text(
            text,
            Self::missing(arguments, of.params),
            self.at_the_start(scope, arguments, of.params)?,
        );
        let name = self.wants(wanted);
        let (first, names) = self.arguments(scope, arguments)?;
        let question = if of.effects.ends { "?" } else { "" };
        Ok(match is_pure(of.effects) {
            true => format!("{{ {first}{name}(k, s, w, {names}) }}"),
            false => format!("{{ {first}{name}(k, s, w, d, {names}){question} }}"),
        })
    }

    /// All entries of modifiers that count, or their sum, not yet brought into its bounds.
    pub(super) fn modifiers(
        &mut self,
        scope: &mut Scope<'p>,
        list: ModifiersId,
        arguments: &[Option<ExprId>],
        without: &[Arc<str>],
        sum: bool,
    ) -> Out<String> {
        let of = &self.program[list];
        let wanted = Wanted::Modifiers(
            list,
            Self::missing(arguments, of.params),
            self.at_the_start(scope, arguments, of.params)?,
            without.to_vec(),
            sum,
        );
        let name = self.wants(wanted);
        let (first, names) = self.arguments(scope, arguments)?;
        let question = if of.effects.ends { "?" } else { "" };
        Ok(match is_pure(of.effects) {
            true => format!("{{ {first}{name}(k, s, w, {names}) }}"),
            false => format!("{{ {first}{name}(k, s, w, d, {names}){question} }}"),
        })
    }

    /// What a value of a type is if nothing is said.
    pub(super) fn blank(&self, ty: Type, span: Span) -> Out<String> {
        let held = self.held(ty, span)?;
        Ok(match held {
            Held::One => self.layout.blank(ty)[0].to_string(),
            Held::Parts(_) => super::parts_of(&self.layout.blank(ty)),
            other => other.empty(),
        })
    }
}
