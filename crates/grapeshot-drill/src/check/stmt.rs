//! Statements: what changes, and what is known afterwards.

use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E, StmtKind as S, TextKind};

/// What comes of a block.
pub(super) struct Done {
    pub block: Block,
    /// Whether what stands below it can be reached.
    pub goes_on: bool,
}

impl Checker<'_> {
    /// Statements of a block with names of its own.
    pub(super) fn inner_block(&mut self, s: &mut Scope, block: &tree::Block) -> Done {
        let names = s.names.len();
        let done = self.block(s, block);
        s.names.truncate(names);
        done
    }

    /// Statements that share their names with what follows; what cannot be checked is left out.
    pub(super) fn block(&mut self, s: &mut Scope, block: &tree::Block) -> Done {
        let mut done = Done {
            block: Vec::new(),
            goes_on: true,
        };
        for stmt in block {
            if !done.goes_on {
                let message = Message::error(
                    stmt.span,
                    "nothing comes here: the line before ends or returns",
                );
                self.say(message);
                return done;
            }
            if let Ok((kind, goes_on)) = self.statement(s, stmt) {
                done.goes_on = goes_on;
                done.block.extend(kind.map(|kind| Stmt {
                    kind,
                    span: stmt.span,
                }));
            }
        }
        done
    }

    #[allow(clippy::too_many_lines)]
    pub(super) fn statement(
        &mut self,
        s: &mut Scope,
        stmt: &tree::Stmt,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let on = |kind| Ok((Some(kind), true));
        match &stmt.kind {
            S::Nothing => Ok((None, true)),
            S::Let(name, value) => {
                let declared = self.let_value(s, value);
                let (id, ty, range) = match declared {
                    Ok(id) => (Some(id), self.ty(id), self.range_of(id)),
                    // The name is there all the same, so that its users are not blamed.
                    Err(_) => (None, Type::Nothing, None),
                };
                if id.is_some() {
                    self.no_word_of_its_own(name, ty);
                }
                let local = s.declare(&name.text, ty, range);
                let Some(id) = id else {
                    return Err(super::Stop);
                };
                self.assigned(s, Target::Local(local), id);
                on(StmtKind::Let(local, id))
            }
            S::Set {
                target,
                change,
                value,
            } => self
                .set(s, target, *change, value, stmt.span)
                .map(|kind| (Some(kind), true)),
            S::Do(expr) => {
                let id = self.value(s, expr, None)?;
                let effects = self.program[id].effects;
                s.effects = s.effects.or(effects);
                if let ExprKind::Call(text, _) = self.program[id].kind {
                    if self.program[text].kind != TextKind::Rule {
                        let name = self.program[text].name.clone();
                        let message = Message::error(
                            expr.span,
                            format!("nothing is done with what `{name}` gives"),
                        );
                        return self.fail(message);
                    }
                    return Ok((Some(StmtKind::Do(id)), !self.program[text].never_returns));
                }
                if matches!(self.program[id].kind, ExprKind::Modifiers { .. }) {
                    return self.error(expr.span, "nothing is done with these modifiers");
                }
                on(StmtKind::Do(id))
            }
            S::If {
                branches,
                otherwise,
            } => self.if_statement(s, branches, otherwise.as_ref()),
            S::Case { subject, arms } => self.case_statement(s, subject.as_ref(), arms, stmt.span),
            S::For {
                name,
                over,
                condition,
                body,
            } => self.for_each(s, name, over, condition.as_ref(), body),
            S::Turns(most, body) => {
                if !s.in_procedure {
                    let message = Message::error(stmt.span, "`each turn` stands in a procedure");
                    return self.fail(
                        message.help("a rule that is played within a turn says `repeat … times`"),
                    );
                }
                s.turns += 1;
                if s.turns > 1 {
                    return self.error(stmt.span, "a procedure has its turns once");
                }
                let most = self.wanted(s, most, Type::Number)?;
                let body = self.loop_body(s, body);
                s.effects.stages = true;
                on(StmtKind::Turns(most, body))
            }
            S::Repeat(times, body) => {
                let times = self.wanted(s, times, Type::Number)?;
                let body = self.loop_body(s, body);
                on(StmtKind::Repeat(times, body))
            }
            S::Stage(name, body) => {
                self.only_in_rules(s, stmt.span, "a stage")?;
                s.effects.stages = true;
                let (parts, _) = self.parts(s, name)?;
                let done = self.block(s, body);
                Ok((Some(StmtKind::Stage(parts, done.block)), done.goes_on))
            }
            S::End(label) => {
                self.only_in_rules(s, stmt.span, "an `end`")?;
                s.effects.ends = true;
                let label = match label {
                    Some(label) => Some(self.end_label(s, label)?),
                    None => None,
                };
                Ok((Some(StmtKind::End(label)), false))
            }
            S::Return(value) => self.return_statement(s, value.as_ref(), stmt.span),
            S::Tell { heading, text } => {
                let (parts, _) = self.parts(s, text)?;
                on(StmtKind::Tell {
                    heading: *heading,
                    text: parts,
                })
            }
            S::Choose { who, actions } => self.choose(s, who, actions, stmt.span),
            S::Add(what, set) | S::Remove(what, set) => {
                let (target, ty) = self.target(s, set)?;
                let Type::Units(unit) = ty else {
                    let is = self.type_name(ty);
                    return self.error(
                        set.span,
                        format!("a set of units is expected here, and this is {is}"),
                    );
                };
                let what = self.wanted(s, what, Type::Unit(unit))?;
                self.changes(s, target, stmt.span)?;
                s.effects.changes = true;
                on(match &stmt.kind {
                    S::Add(..) => StmtKind::Add(what, target),
                    _ => StmtKind::Remove(what, target),
                })
            }
            S::Put(call, queue) => self.put(s, call, queue),
            S::WorkOff(queue, arms) => self.work_off(s, queue, arms),
        }
    }

    pub(super) fn let_value(&mut self, s: &mut Scope, value: &tree::Expr) -> Checked<ExprId> {
        let id = self.value(s, value, None)?;
        s.effects = s.effects.or(self.program[id].effects);
        match self.ty(id) {
            Type::Nothing => self.error(value.span, "this gives no value"),
            Type::Numbers | Type::Fractions
                if matches!(self.program[id].kind, ExprKind::Modifiers { .. }) =>
            {
                self.numeric(s, id)
            }
            Type::Dice => self.numeric(s, id),
            // A loose word alone is a name that is not known.
            Type::Word(of)
                if self.program[of].name.is_empty() && matches!(value.kind, E::Name(_)) =>
            {
                match (&value.kind, self.literal_word(id)) {
                    (E::Name(name), Some(_)) => self.unknown_name(s, name),
                    _ => Ok(id),
                }
            }
            Type::Word(_) => Ok(self.settle(id)),
            _ => Ok(id),
        }
    }

    pub(super) fn only_in_rules(&mut self, s: &Scope, span: Span, what: &str) -> Checked<()> {
        match s.kind {
            Some(kind @ (TextKind::Define | TextKind::Roll)) => {
                let title = format!(
                    "{what} stands in a `rule`, and this is a `{}`",
                    kind.written()
                );
                self.fail(Message::error(span, title).help("make it a `rule`"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn return_statement(
        &mut self,
        s: &mut Scope,
        value: Option<&tree::Expr>,
        span: Span,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let value = match (value, s.returns) {
            (Some(value), Some(ty)) if ty != Type::Nothing => {
                let id = self.wanted(s, value, ty)?;
                s.effects = s.effects.or(self.program[id].effects);
                let range = self.range_of(id);
                s.returned = if s.return_seen {
                    interval::hull(s.returned, range)
                } else {
                    range
                };
                s.return_seen = true;
                Some(id)
            }
            (Some(value), _) => {
                return self.error(
                    value.span,
                    "nothing is given back here: no type stands after `->`",
                );
            }
            (None, Some(ty)) if ty != Type::Nothing => {
                let wanted = self.type_name(ty);
                return self.error(span, format!("{wanted} must be given back here"));
            }
            (None, _) => None,
        };
        Ok((Some(StmtKind::Return(value)), false))
    }

    pub(super) fn end_label(
        &mut self,
        s: &mut Scope,
        label: &tree::Template,
    ) -> Checked<Vec<TextPart>> {
        let (parts, ids) = self.parts(s, label)?;
        for id in ids {
            // A unit spells its side.
            if matches!(self.ty(id), Type::MaybeUnit(_) | Type::MaybeSide)
                && self.shape(s, id).nobody
            {
                let message =
                    Message::error(self.span_of(id), "this may be nobody, who is in no outcome");
                return self.fail(message.help("ask first: `if … is nobody: end …`"));
            }
        }
        Ok(parts)
    }
}
