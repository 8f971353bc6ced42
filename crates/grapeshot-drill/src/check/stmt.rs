//! Statements: what changes, and what is known afterwards.

use super::fact::{Facts, join_facts};
use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, Change, ExprKind as E, StmtKind as S, TextKind};
use std::sync::Arc;

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
    fn statement(&mut self, s: &mut Scope, stmt: &tree::Stmt) -> Checked<(Option<StmtKind>, bool)> {
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

    fn let_value(&mut self, s: &mut Scope, value: &tree::Expr) -> Checked<ExprId> {
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

    fn only_in_rules(&mut self, s: &Scope, span: Span, what: &str) -> Checked<()> {
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

    /// What can be changed, and its type.
    pub(super) fn target(&mut self, s: &mut Scope, expr: &tree::Expr) -> Checked<(Target, Type)> {
        let id = self.value(s, expr, None)?;
        let ty = self.ty(id);
        match self.program[id].kind.clone() {
            ExprKind::Local(local) if !s.locals[local.0 as usize].name.is_empty() => {
                Ok((Target::Local(local), ty))
            }
            ExprKind::Var(var) => Ok((Target::Var(var), ty)),
            ExprKind::Field(unit, field) => {
                if self.within_start(unit) {
                    return self.error(expr.span, "what was at the start cannot be changed");
                }
                if matches!(self.program[unit].kind, ExprKind::Element(side, _) if matches!(self.program[side].kind, ExprKind::Side(_)) && !matches!(expr.kind, E::Field(ref base, _) if matches!(base.kind, E::Index { .. })))
                {
                    return self
                        .error(expr.span, "this side is a list of units; say which of them");
                }
                Ok((Target::Field(unit, field), ty))
            }
            _ => self.error(expr.span, "this cannot be changed"),
        }
    }

    fn within_start(&self, unit: ExprId) -> bool {
        match self.program[unit].kind {
            ExprKind::Start(_) => true,
            ExprKind::Enemy(inner) | ExprKind::SideOf(inner) => self.within_start(inner),
            _ => false,
        }
    }

    /// Something changes: only rules and procedures do that, and rolls their own locals.
    pub(super) fn changes(&mut self, s: &mut Scope, target: Target, span: Span) -> Checked<()> {
        let what = match target {
            Target::Local(local) => {
                s.locals[local.0 as usize].changed = true;
                return Ok(());
            }
            Target::Var(var) => {
                self.program.vars[var.at()].changed = true;
                Assigned::Var(var)
            }
            Target::Field(_, field) => {
                self.program.fields[field.at()].changed = true;
                Assigned::Field(field)
            }
        };
        s.effects.changes = true;
        s.assigns.insert(what);
        self.forget(s, what);
        match s.kind {
            Some(kind @ (TextKind::Define | TextKind::Roll)) => {
                let does = if kind == TextKind::Define {
                    "only computes"
                } else {
                    "throws dice and changes nothing"
                };
                let title = format!("a `{}` {does}, and here something changes", kind.written());
                self.fail(Message::error(span, title).help("make it a `rule`"))
            }
            _ => Ok(()),
        }
    }

    fn range_of_target(&self, s: &Scope, target: Target) -> Option<Interval> {
        match target {
            Target::Local(_) => {
                let _ = s;
                None
            }
            Target::Var(var) => self.program[var].range,
            Target::Field(_, field) => self.program[field].range,
        }
    }

    fn set(
        &mut self,
        s: &mut Scope,
        target: &tree::Expr,
        change: Change,
        value: &tree::Expr,
        span: Span,
    ) -> Checked<StmtKind> {
        let (place, ty) = self.target(s, target)?;
        let value = match change {
            Change::Becomes => self.wanted(s, value, ty)?,
            Change::Grows | Change::Shrinks => {
                let old = self.value(s, target, None)?;
                let by = self.value(s, value, None)?;
                let operator = if change == Change::Grows {
                    tree::Binary::Add
                } else {
                    tree::Binary::Subtract
                };
                let new = self.arithmetic(s, operator, old, by, span)?;
                self.coerce(s, new, ty)?
            }
        };
        s.effects = s.effects.or(self.program[value].effects);
        let range = self.range_of_target(s, place);
        let known = self
            .range_of(value)
            .or_else(|| match self.program[value].kind {
                ExprKind::Convert(Conversion::Widen, inner) => self.range_of(inner),
                _ => None,
            });
        if let (Some(range), Some(known)) = (range, known)
            && (known.low > range.high || known.high < range.low)
        {
            let name = self.sources.text(target.span).to_string();
            let would = if known.low == known.high {
                known.low.to_string()
            } else {
                format!("{} to {}", known.low, known.high)
            };
            let title = format!(
                "`{name}` would be {would}, and it has {} to {}",
                range.low, range.high
            );
            return self.fail(Message::error(span, title));
        }
        let proved = match (range, known) {
            (None, _) => true,
            (Some(range), Some(known)) => range.holds(known),
            (Some(_), None) => !matches!(ty, Type::Number | Type::Mixed(_)),
        };
        self.changes(s, place, span)?;
        self.assigned(s, place, value);
        Ok(StmtKind::Set {
            target: place,
            value,
            proved,
            range,
        })
    }

    fn if_statement(
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

    fn case_statement(
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
    fn loop_body(&mut self, s: &mut Scope, body: &tree::Block) -> Block {
        self.forget_all(s);
        let done = self.inner_block(s, body);
        self.forget_all(s);
        done.block
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

    fn for_each(
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
        self.forget_all(s);
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

    fn return_statement(
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

    fn end_label(&mut self, s: &mut Scope, label: &tree::Template) -> Checked<Vec<TextPart>> {
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

    fn choose(
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

    fn queue(&mut self, name: &tree::Name) -> Checked<QueueId> {
        match self.queues.get(&name.text) {
            Some(&id) => Ok(id),
            None => {
                let known: Vec<Arc<str>> = self.queues.keys().cloned().collect();
                self.unknown(name, "queue", known.iter().map(|name| &**name))
            }
        }
    }

    fn event(&mut self, queue: QueueId, name: &tree::Name) -> Checked<usize> {
        match self.program[queue]
            .events
            .iter()
            .position(|(event, _)| *event == name.text)
        {
            Some(at) => Ok(at),
            None => {
                let known: Vec<Arc<str>> = self.program[queue]
                    .events
                    .iter()
                    .map(|(event, _)| event.clone())
                    .collect();
                self.unknown(name, "event", known.iter().map(|name| &**name))
            }
        }
    }

    fn put(
        &mut self,
        s: &mut Scope,
        call: &tree::Call,
        queue: &tree::Name,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let id = self.queue(queue)?;
        let E::Name(name) = &call.called.kind else {
            return self.error(call.called.span, "an event is expected here");
        };
        let event = self.event(id, name)?;
        let types: Vec<Type> = self.program[id].events[event]
            .1
            .iter()
            .map(|(_, ty)| *ty)
            .collect();
        if types.len() != call.arguments.len() {
            return self.error(
                name.span,
                format!(
                    "`{name}` has {} values, and here are {}",
                    types.len(),
                    call.arguments.len()
                ),
            );
        }
        let mut values = Vec::new();
        for (argument, ty) in call.arguments.iter().zip(types) {
            values.push(self.wanted(s, &argument.value, ty)?);
        }
        s.effects.changes = true;
        Ok((Some(StmtKind::Put(id, event, values)), true))
    }

    fn work_off(
        &mut self,
        s: &mut Scope,
        queue: &tree::Name,
        arms: &[(tree::Name, tree::Block)],
    ) -> Checked<(Option<StmtKind>, bool)> {
        let id = self.queue(queue)?;
        let mut all = Vec::new();
        for (name, body) in arms {
            let event = self.event(id, name)?;
            let names = s.names.len();
            let params = self.program[id].events[event].1.clone();
            let params = params
                .iter()
                .map(|(name, ty)| s.declare(name, *ty, None))
                .collect();
            let body = self.loop_body(s, body);
            s.names.truncate(names);
            all.push(EventArm {
                event,
                params,
                body,
            });
        }
        let missing = (0..self.program[id].events.len())
            .find(|&event| !all.iter().any(|arm| arm.event == event));
        if let Some(event) = missing {
            let name = self.program[id].events[event].0.clone();
            return self.error(
                queue.span,
                format!("nothing is said for the event `{name}`"),
            );
        }
        Ok((Some(StmtKind::WorkOff(id, all)), true))
    }
}
