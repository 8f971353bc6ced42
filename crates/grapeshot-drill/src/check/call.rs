//! Calls: of texts, modifiers, records, dice and what is built in.

use super::graph::Callee;
use super::scope::Scope;
use super::text::Signature;
use super::{Checked, Checker, Named};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E, TextKind};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        s: &mut Scope,
        call: &tree::Call,
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        if let Some(place) = self.place(s, &call.called, &call.arguments, span)? {
            return Ok(place);
        }
        let E::Name(name) = &call.called.kind else {
            return self.error(call.called.span, "this cannot be called");
        };
        let key = match (call.printed, &s.replaces) {
            (false, _) => name.text.clone(),
            (true, Some(replaced)) if replaced.ends_with(&format!(" {name}")) => replaced.clone(),
            (true, _) => {
                let message = Message::error(name.span, format!("`{name}` is not replaced here"));
                return self.fail(message.note(
                    "`printed` calls the text that a variant replaces, within what replaces it",
                ));
            }
        };
        match self.texts.get(&key).copied() {
            Some(Callee::Text(id)) => return self.call_text(s, id, call, span),
            Some(Callee::Modifiers(id)) => return self.call_modifiers(s, id, call, span),
            None => {}
        }
        if !call.without.is_empty() {
            return self.error(span, "only modifiers are counted `without` some of them");
        }
        if let Some(Named::Record(of)) = self.types.get(&name.text) {
            return self.make_record(s, *of, call, span);
        }
        self.built_in(s, name, call, want, span)
    }

    /// Arguments by position and by name; what is left out must have a default.
    pub(super) fn arguments(
        &mut self,
        s: &mut Scope,
        signature: &Signature,
        call: &tree::Call,
        span: Span,
    ) -> Checked<Vec<Option<ExprId>>> {
        let count = signature.params.len();
        let mut found: Vec<Option<ExprId>> = vec![None; count];
        for (position, argument) in call.arguments.iter().enumerate() {
            let at = match &argument.name {
                None => position,
                Some(name) => match signature
                    .params
                    .iter()
                    .position(|param| param.name == name.text)
                {
                    Some(at) => at,
                    None => {
                        let known: Vec<Arc<str>> = signature
                            .params
                            .iter()
                            .map(|param| param.name.clone())
                            .collect();
                        return self.unknown(name, "parameter", known.iter().map(|name| &**name));
                    }
                },
            };
            if at >= count {
                let title = format!(
                    "`{}` takes {count} values, and this is one more",
                    signature.name
                );
                return self.fail(
                    Message::error(argument.value.span, title)
                        .also(signature.span, "declared here"),
                );
            }
            found[at] = Some(self.wanted(s, &argument.value, signature.params[at].ty)?);
        }
        let missing = signature
            .params
            .iter()
            .zip(&found)
            .find(|(param, found)| found.is_none() && !param.optional);
        if let Some((param, _)) = missing {
            let title = format!("`{}` is called without `{}`", signature.name, param.name);
            return self.fail(Message::error(span, title).also(signature.span, "declared here"));
        }
        Ok(found)
    }

    pub(super) fn call_text(
        &mut self,
        s: &mut Scope,
        id: TextId,
        call: &tree::Call,
        span: Span,
    ) -> Checked<ExprId> {
        let signature = self.signatures[id.at()].clone();
        if !call.without.is_empty() {
            return self.error(span, "only modifiers are counted `without` some of them");
        }
        let arguments = self.arguments(s, &signature, call, span)?;
        let text = &self.program[id];
        let (kind, effects, assigns) = (text.kind, text.effects, text.assigns.clone());
        if kind != TextKind::Define {
            let start = arguments.iter().flatten().find(|&&id| self.is_start(id));
            if let Some(&start) = start {
                let message = Message::error(
                    self.span_of(start),
                    "the unit as it was at the start cannot be changed",
                );
                return self.fail(message.note("only a `define` is given one"));
            }
        }
        match (s.kind, kind) {
            (Some(TextKind::Define), TextKind::Roll | TextKind::Rule) => {
                let title = format!(
                    "a `define` only computes, and `{}` is a `{}`",
                    signature.name,
                    kind.written()
                );
                let help = if kind == TextKind::Roll {
                    "make this a `roll`"
                } else {
                    "make this a `rule`"
                };
                return self.fail(Message::error(span, title).help(help));
            }
            (Some(TextKind::Roll), TextKind::Rule) => {
                let title = format!(
                    "a `roll` changes nothing, and `{}` is a `rule`",
                    signature.name
                );
                return self.fail(Message::error(span, title).help("make this a `rule`"));
            }
            _ => {}
        }
        let parts: Vec<ExprId> = arguments.iter().flatten().copied().collect();
        let range = self.program[id].returns_range;
        let made = self.made_of(
            ExprKind::Call(id, arguments),
            signature.returns,
            range,
            span,
            &parts,
        );
        self.does(made, effects);
        for &what in &assigns {
            self.forget(s, what);
            s.assigns.insert(what);
        }
        Ok(made)
    }

    pub(super) fn is_start(&self, id: ExprId) -> bool {
        matches!(self.program[id].kind, ExprKind::Start(_))
    }

    pub(super) fn call_modifiers(
        &mut self,
        s: &mut Scope,
        id: ModifiersId,
        call: &tree::Call,
        span: Span,
    ) -> Checked<ExprId> {
        let signature = self.modifier_signatures[id.at()].clone();
        let arguments = self.arguments(s, &signature, call, span)?;
        let list = &self.program[id];
        let (ty, effects) = (list.ty, list.effects);
        for name in &call.without {
            let known = |entry: &Modifier| match &entry.name {
                ModifierName::Fixed(word) => *word == name.text,
                ModifierName::Of(_) => true,
            };
            if !self.program[id].entries.iter().any(known) {
                let words: Vec<Arc<str>> = self.program[id]
                    .entries
                    .iter()
                    .filter_map(|entry| match &entry.name {
                        ModifierName::Fixed(word) => Some(word.clone()),
                        ModifierName::Of(_) => None,
                    })
                    .collect();
                return self.unknown(name, "modifier", words.iter().map(|word| &**word));
            }
        }
        let parts: Vec<ExprId> = arguments.iter().flatten().copied().collect();
        let kind = ExprKind::Modifiers {
            list: id,
            arguments,
            without: call.without.iter().map(|name| name.text.clone()).collect(),
        };
        let made = self.made_of(kind, ty, None, span, &parts);
        self.does(made, effects);
        Ok(made)
    }

    /// `Shot(effect: x, rolled: true)`, `Combat("ENGD")`.
    pub(super) fn make_record(
        &mut self,
        s: &mut Scope,
        of: RecordId,
        call: &tree::Call,
        span: Span,
    ) -> Checked<ExprId> {
        if let [argument] = &call.arguments[..]
            && argument.name.is_none()
        {
            return self.wanted(s, &argument.value, Type::Record(of));
        }
        let mut fields: Vec<Option<ExprId>> = vec![None; self.program[of].fields.len()];
        for argument in &call.arguments {
            let Some(name) = &argument.name else {
                return self.error(
                    argument.value.span,
                    "the fields of a record are given by name: `field: value`",
                );
            };
            let at = self.record_field_at(of, name)?;
            let ty = self.program[of].fields[at].ty;
            fields[at] = Some(self.wanted(s, &argument.value, ty)?);
        }
        let mut all = Vec::new();
        for (at, field) in fields.into_iter().enumerate() {
            let known = &self.program[of].fields[at];
            let (default, ty) = (known.default.clone(), known.ty);
            all.push(match field {
                Some(id) => id,
                None => self.literal(default, ty, span),
            });
        }
        let parts = all.clone();
        Ok(self.made_of(
            ExprKind::MakeRecord(of, all),
            Type::Record(of),
            None,
            span,
            &parts,
        ))
    }
}
