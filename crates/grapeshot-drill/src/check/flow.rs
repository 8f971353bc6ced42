//! Ways through a text: `if`, `case`, loops and choices, and what is known where they meet.

use super::fact::{Facts, join_facts};
use super::graph::Calls;
use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E};

impl Checker<'_> {
    pub(super) fn if_statement(
        &mut self,
        s: &mut Scope,
        branches: &[(tree::Expr, tree::Block)],
        otherwise: Option<&tree::Block>,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let mut all = Vec::new();
        let mut after: Option<Facts> = None;
        let mut failed = false;
        let leave = |after: &mut Option<Facts>, facts: &Facts| {
            *after = Some(match after.take() {
                None => facts.clone(),
                Some(before) => join_facts(&before, facts),
            });
        };
        for (condition, block) in branches {
            let Ok(condition) = self.flag(s, condition) else {
                failed = true;
                let before = s.facts.clone();
                self.inner_block(s, block);
                s.facts = before;
                continue;
            };
            s.effects = s.effects.or(self.program[condition].effects);
            let before = s.facts.clone();
            self.learn(s, condition, true);
            let done = self.inner_block(s, block);
            if done.goes_on {
                leave(&mut after, &s.facts);
            }
            s.facts = before;
            // What the block changed is not known where another way was taken; joining sees to that afterwards.
            self.learn(s, condition, false);
            all.push((condition, done.block));
        }
        let otherwise = match otherwise {
            Some(block) => {
                let done = self.inner_block(s, block);
                if done.goes_on {
                    leave(&mut after, &s.facts);
                }
                done.block
            }
            None => {
                leave(&mut after, &s.facts);
                Vec::new()
            }
        };
        let goes_on = after.is_some();
        s.facts = after.unwrap_or_default();
        if failed {
            return Err(super::Stop);
        }
        Ok((
            Some(StmtKind::If {
                branches: all,
                otherwise,
            }),
            goes_on,
        ))
    }

    pub(super) fn case_statement(
        &mut self,
        s: &mut Scope,
        subject: Option<&tree::Expr>,
        arms: &[tree::Arm<tree::Block>],
        span: Span,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let subject = self.case_subject(s, subject)?;
        if let Some((_, value)) = subject {
            s.effects = s.effects.or(self.program[value].effects);
        }
        let plan = self.case_conditions(s, subject, arms, span)?;
        let before = s.facts.clone();
        let mut after: Option<Facts> = None;
        let mut pairs = Vec::new();
        let mut otherwise = None;
        for (arm, condition) in arms.iter().zip(&plan.conditions) {
            s.facts = before.clone();
            self.assume_arm(s, subject, &plan, *condition);
            let done = self.inner_block(s, &arm.body);
            if done.goes_on {
                after = Some(match after {
                    None => s.facts.clone(),
                    Some(before) => join_facts(&before, &s.facts),
                });
            }
            match condition {
                Some(condition) => {
                    s.effects = s.effects.or(self.program[*condition].effects);
                    pairs.push((*condition, done.block));
                }
                None => otherwise = Some(done.block),
            }
        }
        let goes_on = after.is_some();
        s.facts = after.unwrap_or_default();
        Ok((
            Some(StmtKind::Case {
                subject,
                arms: pairs,
                otherwise,
            }),
            goes_on,
        ))
    }

    /// The body of a loop: nothing is known before it, because it may come again.
    pub(super) fn loop_body(&mut self, s: &mut Scope, body: &tree::Block) -> Block {
        self.comes_again(s, body);
        let done = self.inner_block(s, body);
        self.forget_all(s);
        done.block
    }

    /// Before a loop: what its body gives another value has another already when the body comes again.
    pub(super) fn comes_again(&self, s: &mut Scope, body: &tree::Block) {
        self.forget_all(s);
        let mut calls = Calls::default();
        calls.block(body);
        for name in &calls.assigned {
            if let Some(local) = s.find(name) {
                s.locals[local.0 as usize].changed = true;
            }
        }
    }

    /// Elements of a loop, and their type; `called` is what the element is called.
    pub(super) fn range_elements(
        &mut self,
        s: &mut Scope,
        range: &tree::Range,
        called: &str,
    ) -> Checked<(Elements, Type, Option<Interval>)> {
        match range {
            tree::Range::Up(low, high) | tree::Range::Down(low, high) => {
                let (a, b) = (
                    self.wanted(s, low, Type::Number)?,
                    self.wanted(s, high, Type::Number)?,
                );
                let known = interval::hull(self.range_of(a), self.range_of(b));
                Ok(match range {
                    tree::Range::Up(..) => (Elements::Up(a, b), Type::Number, known),
                    _ => (Elements::Down(a, b), Type::Number, known),
                })
            }
            tree::Range::Of(expr) => {
                let is_type =
                    matches!(&expr.kind, E::Name(name) if self.types.contains_key(&name.text));
                if !is_type {
                    let id = self.value(s, expr, None)?;
                    match self.ty(id) {
                        // A line is one thing or many, whichever is called so.
                        Type::Unit(unit) => {
                            let member = self.program[unit].line.map(|line| line.of);
                            let wanted = self.called.get(called).copied();
                            if member.is_none() || wanted == Some(unit) {
                                return Ok((Elements::One(id), Type::Unit(unit), None));
                            }
                        }
                        Type::Side => return Ok((Elements::One(id), Type::Side, None)),
                        _ => {}
                    }
                }
                let (list, element) = self.elements(s, expr)?;
                let range = self.range_of(list);
                Ok((Elements::Of(list), element, range))
            }
        }
    }

    pub(super) fn for_each(
        &mut self,
        s: &mut Scope,
        name: &tree::Name,
        over: &[tree::Range],
        condition: Option<&tree::Expr>,
        body: &tree::Block,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let mut all = Vec::new();
        let mut ty = None;
        let mut known: Option<Option<Interval>> = None;
        for range in over {
            let (elements, element, range) = self.range_elements(s, range, name)?;
            if *ty.get_or_insert(element) != element {
                return self.error(name.span, format!("`{name}` is of several types"));
            }
            known = Some(match known {
                None => range,
                Some(before) => interval::hull(before, range),
            });
            all.push(elements);
        }
        let names = s.names.len();
        let element = s.declare(&name.text, ty.unwrap_or(Type::Number), known.flatten());
        self.comes_again(s, body);
        let condition = match condition {
            Some(condition) => {
                s.it.push(element);
                let id = self.flag(s, condition);
                s.it.pop();
                let id = id?;
                self.learn(s, id, true);
                Some(id)
            }
            None => None,
        };
        let done = self.inner_block(s, body);
        self.forget_all(s);
        s.names.truncate(names);
        let body = done.block;
        Ok((
            Some(StmtKind::For {
                element,
                over: all,
                condition,
                body,
            }),
            true,
        ))
    }

    pub(super) fn choose(
        &mut self,
        s: &mut Scope,
        who: &tree::Expr,
        actions: &[tree::Action],
        span: Span,
    ) -> Checked<(Option<StmtKind>, bool)> {
        self.only_in_rules(s, span, "a choice")?;
        s.effects.chooses = true;
        s.effects.stages = true;
        let who = self.wanted(s, who, Type::Side)?;
        let before = s.facts.clone();
        let mut after: Option<Facts> = None;
        let mut all = Vec::new();
        for action in actions {
            s.facts = before.clone();
            let names = s.names.len();
            let over = match &action.over {
                Some((name, range)) => {
                    let (elements, ty, range) = self.range_elements(s, range, name)?;
                    let local = s.declare(&name.text, ty, range);
                    Some((local, elements))
                }
                None => None,
            };
            let (label, _) = self.parts(s, &action.label)?;
            let condition = match &action.condition {
                Some(condition) => {
                    let id = self.flag(s, condition)?;
                    self.learn(s, id, true);
                    Some(id)
                }
                None => None,
            };
            let done = self.inner_block(s, &action.body);
            if done.goes_on {
                after = Some(match after {
                    None => s.facts.clone(),
                    Some(before) => join_facts(&before, &s.facts),
                });
            }
            s.names.truncate(names);
            all.push(Action {
                name: action.label.raw.text.clone(),
                label,
                over,
                condition,
                body: done.block,
                span: action.span,
            });
        }
        let goes_on = after.is_some();
        s.facts = after.unwrap_or_default();
        Ok((Some(StmtKind::Choose { who, actions: all }), goes_on))
    }
}
