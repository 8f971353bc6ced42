//! Who calls whom: no recursion, callees are checked first, and which procedures come where. Calls are by name, so the graph is
//! seen in the tree, before any type is known.

use super::Checker;
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E, StmtKind as S, TemplatePart};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What a name that is called stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Callee {
    Text(TextId),
    Modifiers(ModifiersId),
}

/// How many texts may call each other in a row: later passes follow calls by recursion.
const MOST_CALLS: usize = 60;

/// The calls in a part of the tree, with their places.
#[derive(Default)]
pub(super) struct Calls {
    /// What `printed` calls.
    pub replaces: Option<Arc<str>>,
    pub names: Vec<(Arc<str>, Span)>,
    /// Names that a line gives another value.
    pub assigned: Vec<Arc<str>>,
}

impl Calls {
    pub(super) fn block(&mut self, block: &tree::Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &tree::Stmt) {
        match &stmt.kind {
            S::Nothing | S::End(None) | S::Return(None) => {}
            S::Let(_, e) | S::Do(e) | S::Return(Some(e)) => self.expr(e),
            S::Set { target, value, .. } => {
                self.assigns(target);
                self.expr(target);
                self.expr(value);
            }
            S::If {
                branches,
                otherwise,
            } => {
                for (condition, block) in branches {
                    self.expr(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            S::Case { subject, arms } => {
                subject.iter().for_each(|e| self.expr(e));
                for arm in arms {
                    arm.alternatives.iter().for_each(|e| self.expr(e));
                    self.block(&arm.body);
                }
            }
            S::For {
                over,
                condition,
                body,
                ..
            } => {
                over.iter().for_each(|range| self.range(range));
                condition.iter().for_each(|e| self.expr(e));
                self.block(body);
            }
            S::Turns(e, body) | S::Repeat(e, body) => {
                self.expr(e);
                self.block(body);
            }
            S::Stage(name, body) => {
                self.template(name);
                self.block(body);
            }
            S::End(Some(text)) | S::Tell { text, .. } => self.template(text),
            S::Choose { who, actions } => {
                self.expr(who);
                for action in actions {
                    self.template(&action.label);
                    action.over.iter().for_each(|(_, range)| self.range(range));
                    action.condition.iter().for_each(|e| self.expr(e));
                    self.block(&action.body);
                }
            }
            S::Add(a, b) | S::Remove(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            S::Put(call, _) => call
                .arguments
                .iter()
                .for_each(|argument| self.expr(&argument.value)),
            S::WorkOff(_, arms) => arms.iter().for_each(|(_, body)| self.block(body)),
        }
    }

    fn assigns(&mut self, target: &tree::Expr) {
        if let E::Name(name) = &target.kind {
            self.assigned.push(name.text.clone());
        }
    }

    pub(super) fn range(&mut self, range: &tree::Range) {
        match range {
            tree::Range::Up(a, b) | tree::Range::Down(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            tree::Range::Of(e) => self.expr(e),
        }
    }

    pub(super) fn template(&mut self, template: &tree::Template) {
        for part in &template.parts {
            if let TemplatePart::Value(e) = part {
                self.expr(e);
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &tree::Expr) {
        match &expr.kind {
            E::Number(_)
            | E::Flag(_)
            | E::Nobody
            | E::Empty
            | E::It
            | E::Star
            | E::Dice { .. }
            | E::Name(_) => {}
            E::Text(template) => self.template(template),
            E::Field(base, _) | E::Unary(_, base) => self.expr(base),
            E::Index {
                of,
                indices,
                otherwise,
            } => {
                self.expr(of);
                indices.iter().for_each(|e| self.expr(e));
                otherwise.iter().for_each(|e| self.expr(e));
            }
            E::Call(call) => {
                if let E::Name(name) = &call.called.kind {
                    let name = match (call.printed, &self.replaces) {
                        (true, Some(replaced)) => replaced.clone(),
                        _ => name.text.clone(),
                    };
                    self.names.push((name, expr.span));
                } else {
                    self.expr(&call.called);
                }
                call.arguments
                    .iter()
                    .for_each(|argument| self.expr(&argument.value));
            }
            E::List(all) => all.iter().for_each(|e| self.expr(e)),
            E::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            E::Is {
                value,
                alternatives,
                ..
            } => {
                self.expr(value);
                alternatives.iter().for_each(|e| self.expr(e));
            }
            E::In { value, list, .. } => {
                self.expr(value);
                self.expr(list);
            }
            E::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            E::Case { subject, arms } => {
                subject.iter().for_each(|e| self.expr(e));
                for arm in arms {
                    arm.alternatives.iter().for_each(|e| self.expr(e));
                    self.expr(&arm.body);
                }
            }
            E::Quantified(q) => {
                self.expr(&q.list);
                q.count
                    .iter()
                    .chain(&q.condition)
                    .chain(&q.by)
                    .for_each(|e| self.expr(e));
            }
            E::Filter { list, condition } => {
                self.expr(list);
                self.expr(condition);
            }
            E::Take { amount, from } => {
                self.assigns(from);
                self.expr(amount);
                self.expr(from);
            }
        }
    }
}

impl<'t> Checker<'t> {
    pub(super) fn calls_of(&self, callee: Callee) -> Calls {
        let mut calls = Calls::default();
        match callee {
            Callee::Text(id) => {
                let text = self.declared.texts[id.at()].0;
                calls.replaces = text.replaces.clone();
                calls.block(&text.body);
                text.signature
                    .params
                    .iter()
                    .flat_map(|param| &param.default)
                    .for_each(|e| calls.expr(e));
            }
            Callee::Modifiers(id) => {
                let modifiers = self.declared.modifiers[id.at()].0;
                calls.replaces = modifiers.replaces.clone();
                modifiers.by.iter().for_each(|e| calls.expr(e));
                for entry in &modifiers.entries {
                    if let tree::ModifierName::Value(e) = &entry.name {
                        calls.expr(e);
                    }
                    entry
                        .value
                        .iter()
                        .chain(&entry.times)
                        .chain(&entry.condition)
                        .for_each(|e| calls.expr(e));
                }
            }
        }
        calls
    }

    /// Callees before callers; a circle is an error.
    pub(super) fn callees_first(&mut self) -> Vec<Callee> {
        let mut all: Vec<Callee> = self.texts.values().copied().collect();
        all.sort();
        let mut order = Vec::new();
        let mut done: BTreeSet<Callee> = BTreeSet::new();
        let mut depth: HashMap<Callee, usize> = HashMap::new();
        for start in all {
            // Depth first, with a stack of our own: chains of calls may be long.
            let mut open: Vec<(Callee, Vec<(Callee, Span)>)> = Vec::new();
            if !done.contains(&start) {
                open.push((start, self.direct(start)));
            }
            while let Some((callee, rest)) = open.last_mut() {
                let callee = *callee;
                match rest.pop() {
                    None => {
                        open.pop();
                        done.insert(callee);
                        order.push(callee);
                        let below = self.direct(callee).into_iter();
                        let deepest = below
                            .filter_map(|(callee, _)| depth.get(&callee))
                            .max()
                            .copied()
                            .unwrap_or(0);
                        depth.insert(callee, deepest + 1);
                        if deepest + 1 > MOST_CALLS {
                            let span = self
                                .direct(callee)
                                .first()
                                .map_or(Span::NOWHERE, |(_, span)| *span);
                            self.say(Message::error(
                                span,
                                format!(
                                    "more than {MOST_CALLS} texts call each other in a row here"
                                ),
                            ));
                            return Vec::new();
                        }
                    }
                    Some((next, span)) => {
                        if let Some(at) = open.iter().position(|(open, _)| *open == next) {
                            let names: Vec<String> = open[at..]
                                .iter()
                                .map(|(one, _)| format!("`{}`", self.callee_name(*one)))
                                .collect();
                            let title = format!("{} calls itself", self.callee_name(next));
                            let message = Message::error(span, title);
                            let note = match names.len() {
                                1 => "no text may come back to itself, or a trial might never end"
                                    .to_string(),
                                _ => format!("by way of {}", names.join(", ")),
                            };
                            self.say(message.note(note));
                            return Vec::new();
                        }
                        if !done.contains(&next) {
                            open.push((next, self.direct(next)));
                        }
                    }
                }
            }
        }
        order
    }

    fn direct(&self, callee: Callee) -> Vec<(Callee, Span)> {
        self.direct_calls.get(&callee).cloned().unwrap_or_default()
    }

    /// Looks once at the calls of every text.
    pub(super) fn find_calls(&mut self) {
        let all: Vec<Callee> = self.texts.values().copied().collect();
        for callee in all {
            let calls = self.find_direct(callee);
            self.direct_calls.insert(callee, calls);
        }
    }

    fn find_direct(&self, callee: Callee) -> Vec<(Callee, Span)> {
        let calls = self.calls_of(callee).names;
        calls
            .into_iter()
            .filter_map(|(name, span)| Some((*self.texts.get(&name)?, span)))
            .collect()
    }

    fn callee_name(&self, callee: Callee) -> Arc<str> {
        match callee {
            Callee::Text(id) => self.declared.texts[id.at()].0.signature.name.text.clone(),
            Callee::Modifiers(id) => self.declared.modifiers[id.at()]
                .0
                .signature
                .name
                .text
                .clone(),
        }
    }

    /// Everything that some calls can come to.
    pub(super) fn reached(&self, calls: &Calls) -> BTreeSet<Callee> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Callee> = calls
            .names
            .iter()
            .filter_map(|(name, _)| self.texts.get(name).copied())
            .collect();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(self.direct(next).into_iter().map(|(callee, _)| callee));
            }
        }
        found
    }

    /// All calls of a procedure: its text and its header.
    pub(super) fn calls_of_procedure(&self, at: usize) -> Calls {
        let mut calls = Calls::default();
        calls.block(&self.declared.procedures[at].0.body);
        let Some((_, draft)) = self.drafts.iter().find(|(procedure, _)| *procedure == at) else {
            return calls;
        };
        for refuse in &draft.refusals {
            calls.expr(&refuse.condition);
            calls.expr(&refuse.text);
        }
        for report in &draft.reports {
            report.value.iter().for_each(|e| calls.expr(e));
        }
        for (_, when) in &draft.notes {
            when.iter().for_each(|(condition, text)| {
                calls.expr(condition);
                calls.expr(text);
            });
        }
        for show in &draft.shows {
            if let tree::HeadKind::Show {
                value, condition, ..
            } = show
            {
                value.iter().chain(condition).for_each(|e| calls.expr(e));
            }
        }
        draft.worth.iter().for_each(|e| calls.expr(e));
        for plan in &draft.plans {
            plan.at_first.iter().for_each(|(_, e)| calls.expr(e));
            plan.over.iter().for_each(|(_, range)| calls.range(range));
        }
        calls
    }
}
