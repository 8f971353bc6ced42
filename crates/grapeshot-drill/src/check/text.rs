//! Named texts and modifiers: signatures first, then bodies, callees before callers.

use super::graph::Callee;
use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, TextKind};
use std::sync::Arc;

/// Parameters and result of a text.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    pub name: Arc<str>,
    pub params: Vec<Param>,
    pub returns: Type,
    pub returns_range: Option<Interval>,
    pub span: Span,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(super) struct Param {
    pub name: Arc<str>,
    pub ty: Type,
    pub range: Option<Interval>,
    pub optional: bool,
}

impl<'t> Checker<'t> {
    /// Signatures of all texts, and which procedures come to them.
    pub(super) fn declare_texts(&mut self) {
        for at in 0..self.declared.texts.len() {
            let (text, help) = self.declared.texts[at];
            let name = text.signature.name.text.clone();
            self.texts
                .insert(name.clone(), Callee::Text(TextId(at as u32)));
            let signature = self.signature(&text.signature);
            let returns = signature.returns;
            if returns == Type::Nothing && text.kind != TextKind::Rule {
                let title = format!("nothing says what `{name}` gives");
                let message = Message::error(text.signature.span, title);
                self.say(message.help("write `-> Number` or another type behind the brackets"));
            }
            let (about, source) = help_texts(help);
            self.program.texts.push(Text {
                name,
                kind: text.kind,
                about,
                source,
                params: signature.params.len() as u16,
                defaults: Vec::new(),
                locals: Vec::new(),
                returns,
                returns_range: signature.returns_range,
                body: Vec::new(),
                effects: Effects::default(),
                never_returns: false,
                assigns: Vec::new(),
                reached_by: Vec::new(),
                span: text.signature.span,
            });
            self.signatures.push(signature);
        }
        for at in 0..self.declared.modifiers.len() {
            let (modifiers, help) = self.declared.modifiers[at];
            let name = modifiers.signature.name.text.clone();
            self.texts
                .insert(name.clone(), Callee::Modifiers(ModifiersId(at as u32)));
            let signature = self.signature(&modifiers.signature);
            let (about, source) = help_texts(help);
            self.program.modifiers.push(Modifiers {
                name,
                about,
                source,
                params: signature.params.len() as u16,
                defaults: Vec::new(),
                locals: Vec::new(),
                from: None,
                entries: Vec::new(),
                ty: Type::Numbers,
                effects: Effects::default(),
                reached_by: Vec::new(),
                span: modifiers.signature.span,
            });
            self.modifier_signatures.push(signature);
        }
        self.find_calls();
        for at in 0..self.program.procedures.len() {
            let calls = self.calls_of_procedure(at);
            for callee in self.reached(&calls) {
                let procedure = ProcedureId(at as u32);
                match callee {
                    Callee::Text(id) => {
                        self.program.texts[id.at()].reached_by.push(procedure);
                        self.program.procedures[at].reaches.push(id);
                    }
                    Callee::Modifiers(id) => {
                        self.program.modifiers[id.at()].reached_by.push(procedure)
                    }
                }
            }
        }
    }

    fn signature(&mut self, signature: &tree::Signature) -> Signature {
        let mut params = Vec::new();
        for param in &signature.params {
            let sort = self.param_sort(param).ok();
            if let Some(sort) = &sort {
                self.no_word_of_its_own(&param.name, sort.ty);
            }
            params.push(Param {
                name: param.name.text.clone(),
                ty: sort.as_ref().map_or(Type::Nothing, |sort| sort.ty),
                range: sort.and_then(|sort| sort.range),
                optional: param.default.is_some(),
            });
        }
        let returns = match &signature.returns {
            Some(kind) => self.sort(kind, None).ok(),
            None => None,
        };
        Signature {
            name: signature.name.text.clone(),
            params,
            returns: returns.as_ref().map_or(Type::Nothing, |sort| sort.ty),
            returns_range: returns.and_then(|sort| sort.range),
            span: signature.span,
        }
    }

    pub(super) fn check_texts(&mut self) {
        for callee in self.callees_first() {
            match callee {
                Callee::Text(id) => self.check_text(id),
                Callee::Modifiers(id) => self.check_modifiers(id),
            }
        }
    }

    fn text_scope(&mut self, signature: &Signature, reached_by: &[ProcedureId]) -> Scope {
        let mut s = Scope {
            procedures: reached_by.iter().map(|id| id.at()).collect(),
            ..Scope::default()
        };
        for param in &signature.params {
            s.declare(&param.name, param.ty, param.range);
        }
        s
    }

    /// Defaults of parameters, over those before them.
    fn defaults(
        &mut self,
        s: &mut Scope,
        signature: &Signature,
        params: &[tree::Param],
    ) -> Vec<Option<ExprId>> {
        let mut defaults = Vec::new();
        for (param, declared) in params.iter().zip(&signature.params) {
            defaults.push(match &param.default {
                Some(default) => self.wanted(s, default, declared.ty).ok(),
                None => None,
            });
        }
        defaults
    }

    fn check_text(&mut self, id: TextId) {
        let (text, _) = self.declared.texts[id.at()];
        let signature = self.signatures[id.at()].clone();
        let reached = self.program[id].reached_by.clone();
        let mut s = self.text_scope(&signature, &reached);
        s.kind = Some(text.kind);
        s.lets = super::scope::lets(&text.body);
        s.replaces = text.replaces.clone();
        s.returns = Some(signature.returns);
        let defaults = self.defaults(&mut s, &signature, &text.signature.params);
        let before = self.messages.count();
        let done = self.block(&mut s, &text.body);
        let effects = s.effects;
        if done.goes_on && signature.returns != Type::Nothing && self.messages.count() == before {
            let wanted = self.type_name(signature.returns);
            let title = format!(
                "`{}` may come to its end without giving {wanted}",
                signature.name
            );
            self.say(Message::error(text.signature.span, title).help("end it with `return …`"));
        }
        if text.kind == TextKind::Define && effects.throws {
            let title = format!(
                "`{}` is a `define`, which only computes, and dice fall in it",
                signature.name
            );
            self.say(Message::error(text.signature.span, title).help("make it a `roll`"));
        }
        let returned = s.return_seen.then_some(s.returned).flatten();
        let slot = &mut self.program.texts[id.at()];
        slot.never_returns = !done.goes_on && !s.return_seen && !has_return(&text.body);
        slot.returns_range = match (slot.returns_range, returned) {
            (Some(declared), _) => Some(declared),
            (None, returned) => returned,
        };
        slot.effects = effects;
        slot.assigns = s.assigns.into_iter().collect();
        slot.locals = s.locals;
        slot.body = done.block;
        slot.defaults = defaults;
    }

    fn check_modifiers(&mut self, id: ModifiersId) {
        let (modifiers, _) = self.declared.modifiers[id.at()];
        let signature = self.modifier_signatures[id.at()].clone();
        let reached = self.program[id].reached_by.clone();
        let mut s = self.text_scope(&signature, &reached);
        s.kind = Some(TextKind::Define);
        s.replaces = modifiers.replaces.clone();
        let defaults = self.defaults(&mut s, &signature, &modifiers.signature.params);
        let from = match &modifiers.from {
            Some(name) => match self
                .lists
                .get(&name.text)
                .or_else(|| self.grids.get(&name.text))
            {
                Some(&table) => Some(table),
                None => {
                    let known: Vec<Arc<str>> = self
                        .lists
                        .keys()
                        .chain(self.grids.keys())
                        .cloned()
                        .collect();
                    let _: Checked<()> =
                        self.unknown(name, "list", known.iter().map(|name| &**name));
                    return;
                }
            },
            None => None,
        };
        let mut entries = Vec::new();
        for entry in &modifiers.entries {
            if let Ok(entry) = self.modifier(&mut s, entry, from, modifiers) {
                entries.push(entry);
            }
        }
        let fraction = entries
            .iter()
            .any(|entry| self.ty(entry.value) == Type::Fraction);
        if fraction {
            for entry in &mut entries {
                if let Ok(value) = self.coerce(&s, entry.value, Type::Fraction) {
                    entry.value = value;
                }
            }
        }
        let effects = entries.iter().fold(Effects::default(), |all, entry| {
            let condition = entry
                .condition
                .map_or(all, |id| all.or(self.program[id].effects));
            condition.or(self.program[entry.value].effects)
        });
        if effects.throws {
            let title = format!(
                "dice fall in the modifiers `{}`, which only count",
                signature.name
            );
            self.say(Message::error(modifiers.signature.span, title));
        }
        let slot = &mut self.program.modifiers[id.at()];
        slot.from = from;
        slot.entries = entries;
        slot.effects = effects;
        slot.ty = if fraction {
            Type::Fractions
        } else {
            Type::Numbers
        };
        slot.locals = s.locals;
        slot.defaults = defaults;
    }

    fn modifier(
        &mut self,
        s: &mut Scope,
        entry: &tree::Modifier,
        from: Option<TableId>,
        of: &tree::Modifiers,
    ) -> Checked<Modifier> {
        let condition = match &entry.condition {
            Some(condition) => Some(self.flag(s, condition)?),
            None => None,
        };
        let before = s.facts.clone();
        if let Some(condition) = condition {
            self.learn(s, condition, true);
        }
        let rest = self.modifier_value(s, entry, from, of);
        s.facts = before;
        let (name, value) = rest?;
        Ok(Modifier {
            name,
            condition,
            value,
            span: entry.span,
        })
    }

    fn modifier_value(
        &mut self,
        s: &mut Scope,
        entry: &tree::Modifier,
        from: Option<TableId>,
        of: &tree::Modifiers,
    ) -> Checked<(ModifierName, ExprId)> {
        let (name, index) = match &entry.name {
            tree::ModifierName::Word(word) => {
                let name = tree::Expr::new(tree::ExprKind::Name(word.clone()), word.span);
                (ModifierName::Fixed(word.text.clone()), name)
            }
            tree::ModifierName::Value(expr) => {
                let id = self.value(s, expr, None)?;
                if !matches!(self.ty(id), Type::Word(_) | Type::Mixed(_)) {
                    return self.mismatch(id, Type::Word(Words::NONE));
                }
                (ModifierName::Of(id), expr.clone())
            }
        };
        let value = match (&entry.value, from) {
            (Some(value), _) => {
                let id = self.value(s, value, None)?;
                self.numeric(s, id)?
            }
            (None, Some(table)) => {
                let table_name = tree::Name {
                    text: self.program[table].name.clone(),
                    span: entry.span,
                };
                let sort = if self.program[table].sort == TableSort::List {
                    "lists"
                } else {
                    "tables"
                };
                let sort = tree::Name {
                    text: sort.into(),
                    span: entry.span,
                };
                let base = tree::Expr::new(tree::ExprKind::Name(sort), entry.span);
                let kind = tree::ExprKind::Field(Box::new(base), table_name);
                let named = tree::Expr::new(kind, entry.span);
                let mut indices = vec![index];
                indices.extend(of.by.clone());
                let id = self.index(s, &named, &indices, None, None, entry.span)?;
                self.numeric(s, id)?
            }
            (None, None) => {
                let message =
                    Message::error(entry.span, "nothing says what this modifier is worth");
                return self.fail(
                    message
                        .help("write `name: 1`, or `from` and a list behind the modifiers' name"),
                );
            }
        };
        let Some(times) = &entry.times else {
            return Ok((name, value));
        };
        let times = self.wanted(s, times, Type::Number)?;
        let value = self.arithmetic(s, tree::Binary::Multiply, value, times, entry.span)?;
        Ok((name, value))
    }
}

fn help_texts(help: Option<&tree::Help>) -> (Arc<str>, Arc<str>) {
    let about = help.map_or_else(|| "".into(), |help| help.meaning.clone());
    let source = help
        .and_then(|help| help.source.clone())
        .unwrap_or_else(|| "".into());
    (about, source)
}

/// Whether a text can come back to its caller by a `return`.
fn has_return(block: &tree::Block) -> bool {
    use tree::StmtKind as S;
    block.iter().any(|stmt| match &stmt.kind {
        S::Return(_) => true,
        S::If {
            branches,
            otherwise,
        } => {
            branches.iter().any(|(_, block)| has_return(block))
                || otherwise.as_ref().is_some_and(has_return)
        }
        S::Case { arms, .. } => arms.iter().any(|arm| has_return(&arm.body)),
        S::For { body, .. } | S::Turns(_, body) | S::Repeat(_, body) | S::Stage(_, body) => {
            has_return(body)
        }
        S::Choose { actions, .. } => actions.iter().any(|action| has_return(&action.body)),
        S::WorkOff(_, arms) => arms.iter().any(|(_, body)| has_return(body)),
        _ => false,
    })
}
