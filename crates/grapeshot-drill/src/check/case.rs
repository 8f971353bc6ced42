//! `case`: what is asked about is evaluated once, and no alternative may be forgotten.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree;

/// The conditions of the alternatives, in order; none for `else`.
pub(super) struct Plan {
    pub conditions: Vec<Option<ExprId>>,
}

impl Checker<'_> {
    /// What is asked about, and the local that holds it.
    pub(super) fn case_subject(
        &mut self,
        s: &mut Scope,
        subject: Option<&tree::Expr>,
    ) -> Checked<Option<(LocalId, ExprId)>> {
        let Some(subject) = subject else {
            return Ok(None);
        };
        let value = self.value(s, subject, None)?;
        let value = match self.ty(value) {
            Type::Numbers | Type::Dice => self.numeric(s, value)?,
            _ => value,
        };
        let (ty, range) = (self.ty(value), self.range_of(value));
        let shape = self.shape(s, value);
        let local = s.hidden("", ty, range);
        let held = self.local(s, local, subject.span);
        if let Some(path) = self.path(held) {
            s.facts.insert(path, shape);
        }
        Ok(Some((local, value)))
    }

    pub(super) fn case_conditions<T>(
        &mut self,
        s: &mut Scope,
        subject: Option<(LocalId, ExprId)>,
        arms: &[tree::Arm<T>],
        span: Span,
    ) -> Checked<Plan> {
        let mut conditions = Vec::new();
        for (at, arm) in arms.iter().enumerate() {
            if arm.alternatives.is_empty() {
                if at + 1 != arms.len() {
                    return self.error(arm.span, "`else` is the last alternative");
                }
                conditions.push(None);
                continue;
            }
            conditions.push(Some(match subject {
                None => self.flag(s, &arm.alternatives[0])?,
                Some((local, _)) => {
                    let held = self.local(s, local, arm.span);
                    self.is_any(s, held, &arm.alternatives, arm.span)?
                }
            }));
        }
        if let Some((local, _)) = subject {
            self.exact_words_first(s, local, arms, &mut conditions);
        }
        let has_else = arms.last().is_some_and(|arm| arm.alternatives.is_empty());
        if !has_else {
            self.exhaustive(s, subject, &conditions, span)?;
        }
        Ok(Plan { conditions })
    }

    /// A word with an alternative of its own does not go where it counts like another.
    fn exact_words_first<T>(
        &mut self,
        s: &Scope,
        local: LocalId,
        arms: &[tree::Arm<T>],
        conditions: &mut [Option<ExprId>],
    ) {
        let ty = s.locals[local.0 as usize].ty;
        let named = |checker: &Self, arm: &tree::Arm<T>| -> Vec<WordId> {
            let words = arm
                .alternatives
                .iter()
                .filter_map(|alternative| match &alternative.kind {
                    tree::ExprKind::Name(name) => checker.find_word(ty, name),
                    tree::ExprKind::Text(text) => {
                        text.plain().and_then(|text| checker.find_word(ty, text))
                    }
                    _ => None,
                });
            words.collect()
        };
        let exact: Vec<Vec<WordId>> = arms.iter().map(|arm| named(self, arm)).collect();
        for (at, condition) in conditions.iter_mut().enumerate() {
            let Some(id) = *condition else {
                continue;
            };
            if let ExprKind::IsWord(_, words) = &mut self.program.exprs[id.at()].kind {
                let elsewhere = |word: &WordId| {
                    exact
                        .iter()
                        .enumerate()
                        .any(|(other, words)| other != at && words.contains(word))
                };
                words.retain(|word| exact[at].contains(word) || !elsewhere(word));
            }
        }
    }

    fn exhaustive(
        &mut self,
        s: &Scope,
        subject: Option<(LocalId, ExprId)>,
        conditions: &[Option<ExprId>],
        span: Span,
    ) -> Checked<()> {
        let Some((local, _)) = subject else {
            let message = Message::error(
                span,
                "this `case` has no `else`, and its conditions may all fail",
            );
            return self.fail(message.help("add `else:` as the last alternative"));
        };
        let held = self.local(s, local, span);
        let mut left = s.clone();
        for condition in conditions.iter().flatten() {
            self.learn(&mut left, *condition, false);
        }
        let shape = self.shape(&left, held);
        let flags = || {
            let said = |wanted: bool| {
                conditions.iter().flatten().any(|&id| match self.program[id].kind {
                    ExprKind::Same(_, other) => {
                        matches!(self.program[other].kind, ExprKind::Literal(Value::Flag(flag)) if flag == wanted)
                    }
                    _ => false,
                })
            };
            said(true) && said(false)
        };
        let missing: Vec<String> = match self.ty(held) {
            Type::Word(_) | Type::Mixed(_) => {
                let mut missing: Vec<_> = shape
                    .words
                    .iter()
                    .map(|&word| format!("`{}`", self.letters(word)))
                    .collect();
                if shape.number {
                    missing.push("a number".into());
                }
                missing
            }
            Type::MaybeUnit(_) | Type::MaybeSide if !shape.nobody && !shape.somebody => Vec::new(),
            Type::Flag if flags() => Vec::new(),
            _ => vec!["whatever else it may be".into()],
        };
        if missing.is_empty() {
            return Ok(());
        }
        let message = Message::error(
            span,
            format!("this `case` says nothing for {}", missing.join(", ")),
        );
        self.fail(message.help("add an alternative for it, or `else:`"))
    }

    /// What is known within an alternative: of the local, and of what it was read from.
    pub(super) fn assume_arm(
        &mut self,
        s: &mut Scope,
        subject: Option<(LocalId, ExprId)>,
        plan: &Plan,
        condition: Option<ExprId>,
    ) {
        for other in plan.conditions.iter().flatten() {
            if Some(*other) == condition {
                break;
            }
            self.learn(s, *other, false);
        }
        if let Some(condition) = condition {
            self.learn(s, condition, true);
        }
        if let Some((local, value)) = subject
            && let Some(path) = self.path(value)
        {
            let held = self.local(s, local, Span::NOWHERE);
            let shape = self.shape(s, held);
            s.facts.insert(path, shape);
        }
    }
}
