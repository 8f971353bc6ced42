//! Procedures: their formulas and their text; defaults and refusals of units; what must hold of tables.

use super::declared::Group;
use super::header::Draft;
use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;
use crate::tree::{self, HeadKind};
use std::sync::Arc;

impl<'t> Checker<'t> {
    /// Defaults and refusals of units, and defaults of what is in play.
    pub(super) fn check_formulas_of_units(&mut self) {
        let units = self.declared.units.clone();
        for (at, unit) in units.iter().enumerate() {
            let id = UnitTypeId(at as u32);
            for field in unit.body.fields.iter().chain(&unit.body.in_play) {
                let (None, Some(default), Some(name)) =
                    (&field.sets, &field.default, field.name.single())
                else {
                    continue;
                };
                let Some(field) = self.field_of(id, name) else {
                    continue;
                };
                let ty = self.program[field].ty;
                let mut s = self.unit_scope(id);
                if let Ok(value) = self.wanted(&mut s, default, ty) {
                    self.program.fields[field.at()].default = Some(Formula {
                        locals: s.locals,
                        value,
                    });
                }
            }
            for refuse in &unit.body.refusals {
                let _ = self.unit_refusal(id, refuse);
            }
        }
        let mut common: Vec<&'t tree::Field> = self
            .declared
            .in_play
            .iter()
            .chain(&self.declared.settings)
            .copied()
            .collect();
        for group in self.declared.groups.values() {
            if let Group::Fields(fields) = group {
                common.extend(fields.iter());
            }
        }
        for field in common {
            let (Some(default), Some(&var)) =
                (&field.default, self.common.get(&*field.name.written()))
            else {
                continue;
            };
            let mut s = Scope::default();
            let ty = self.program[var].ty;
            if let Ok(value) = self.wanted(&mut s, default, ty) {
                self.program.vars[var.at()].default = Some(Formula {
                    locals: s.locals,
                    value,
                });
            }
        }
        self.unsaid_defaults();
    }

    /// Where no default is said, the first value of the kind.
    fn unsaid_defaults(&mut self) {
        for at in 0..self.program.fields.len() {
            let id = FieldId(at as u32);
            let field = &self.program[id];
            let (ty, of, span) = (field.ty, field.of, field.span);
            if let (None, Some(first)) = (&field.default, self.first_of_field.remove(&id)) {
                let locals = self.unit_scope(of).locals;
                let value = self.literal(first, ty, span);
                self.program.fields[at].default = Some(Formula { locals, value });
            }
        }
        for at in 0..self.program.vars.len() {
            let id = VarId(at as u32);
            let (ty, span) = (self.program[id].ty, self.program[id].span);
            if let (None, Some(first)) = (&self.program[id].default, self.first_of_var.remove(&id))
            {
                let value = self.literal(first, ty, span);
                let locals = Vec::new();
                self.program.vars[at].default = Some(Formula { locals, value });
            }
        }
    }

    fn unit_scope(&mut self, unit: UnitTypeId) -> Scope {
        let mut s = Scope {
            this: Some(unit),
            ..Scope::default()
        };
        s.hidden("unit", Type::Unit(unit), None);
        s
    }

    fn unit_refusal(&mut self, unit: UnitTypeId, refuse: &tree::Refuse) -> Checked<()> {
        let mut keys = Vec::new();
        for key in &refuse.keys {
            let Some(name) = key.single() else {
                return self.error(
                    key.span,
                    "a refusal of a unit names its fields without dots",
                );
            };
            if self.alias_or_field(unit, name).is_none() {
                let known = self.field_names(unit);
                return self.unknown(name, "field", known.iter().map(|name| &**name));
            }
            keys.push(name.text.clone());
        }
        let mut s = self.unit_scope(unit);
        s.refusal = true;
        let (when, text) = self.refusal(s, refuse)?;
        self.program.units[unit.at()].refusals.push(UnitRefusal {
            keys,
            when,
            text,
            span: refuse.span,
        });
        Ok(())
    }

    /// Condition and text of a refusal, from one scope each.
    fn refusal(&mut self, s: Scope, refuse: &tree::Refuse) -> Checked<(Formula, Formula)> {
        let mut first = s.clone();
        let when = self.flag(&mut first, &refuse.condition)?;
        let effects = self.program[when].effects;
        if effects.throws || effects.changes {
            return self.error(
                refuse.condition.span,
                "a refusal throws no dice and changes nothing",
            );
        }
        let mut second = s;
        // The text is said where the condition holds.
        second.facts = first.facts.clone();
        self.learn(&mut second, when, true);
        let text = self.wanted(&mut second, &refuse.text, Type::Text)?;
        Ok((
            Formula {
                locals: first.locals,
                value: when,
            },
            Formula {
                locals: second.locals,
                value: text,
            },
        ))
    }

    pub(super) fn check_procedures(&mut self) {
        let drafts = std::mem::take(&mut self.drafts);
        for (at, draft) in &drafts {
            self.check_reports(*at, draft);
            let _ = self.check_header(*at, draft);
            self.check_body(*at);
        }
        for (at, key, expr) in std::mem::take(&mut self.later_defaults) {
            let _ = self.later_default(at, key, expr);
        }
    }

    /// A default that depends on other fields of the unit.
    fn later_default(&mut self, at: usize, key: usize, expr: &tree::Expr) -> Checked<()> {
        let sets = self.program.procedures[at].keys[key].sets;
        let (mut s, ty) = match sets {
            KeyTarget::Var(var) => (self.header_scope(at), self.program[var].ty),
            KeyTarget::Field(_, field)
            | KeyTarget::Member(_, _, field)
            | KeyTarget::Members(_, field) => {
                let unit = self.program[field].of;
                (self.unit_scope(unit), self.program[field].ty)
            }
        };
        let value = self.wanted(&mut s, expr, ty)?;
        self.program.procedures[at].keys[key].default = KeyDefault::Formula(Formula {
            locals: s.locals,
            value,
        });
        Ok(())
    }

    fn check_header(&mut self, at: usize, draft: &Draft<'t>) -> Checked<()> {
        for side in 0..self.program.procedures[at].sides.len() {
            let unit = self.unit_of_side(at, side);
            let side_name = self.side_name(at, side);
            for refusal in self.program[unit].refusals.clone() {
                for key in &refusal.keys {
                    let full: Arc<str> = format!("{side_name}.{key}").into();
                    let procedure = &self.program.procedures[at];
                    // A field may be asked under another name: `asks combine sets firer.combine`.
                    let sets = |asked: &Key| match asked.sets {
                        KeyTarget::Field(of, field) => {
                            of == side && self.program[field].name == *key
                        }
                        _ => false,
                    };
                    let known = procedure.key(&full);
                    let known = known.or_else(|| procedure.keys.iter().position(sets));
                    let key = known.map_or(full, |at| procedure.keys[at].name.clone());
                    self.program.procedures[at].refusals.push(Refusal {
                        key,
                        at: known,
                        unit: Some(side),
                        when: refusal.when.clone(),
                        text: refusal.text.clone(),
                        span: refusal.span,
                    });
                }
            }
        }
        for refuse in &draft.refusals {
            let _ = self.own_refusal(at, refuse);
        }
        for (text, when) in &draft.notes {
            let note = match when {
                None => Note::Always(text.text.clone()),
                Some((condition, said)) => {
                    let mut s = self.header_scope(at);
                    let when = self.flag(&mut s, condition)?;
                    let mut second = self.header_scope(at);
                    let said = self.wanted(&mut second, said, Type::Text)?;
                    Note::When {
                        name: text.text.clone(),
                        when: Formula {
                            locals: s.locals,
                            value: when,
                        },
                        text: Formula {
                            locals: second.locals,
                            value: said,
                        },
                    }
                }
            };
            self.program.procedures[at].notes.push(note);
        }
        // Lines of both sides that follow one another are shown side by side.
        let starred =
            |show: &&HeadKind| matches!(show, HeadKind::Show { name, .. } if Self::has_star(name));
        for run in draft.shows.chunk_by(|a, b| starred(a) && starred(b)) {
            for side in self.stars(at, run.first().is_some_and(starred)) {
                for show in run {
                    let _ = self.show(at, show, side);
                }
            }
        }
        if let Some(worth) = draft.worth {
            let mut s = self.header_scope(at);
            s.reports = Some((at, usize::MAX));
            let value = self.wanted(&mut s, worth, Type::Fraction)?;
            self.program.procedures[at].worth = Some(Formula {
                locals: s.locals,
                value,
            });
        } else if self.program.procedures[at].decided_for.is_some() {
            let span = self.program.procedures[at].span;
            let message = Message::error(
                span,
                "nothing says what an end is worth to the side that decides",
            );
            return self.fail(message.help("write `worth …`"));
        }
        for plan in &draft.plans {
            let _ = self.plan(at, plan);
        }
        Ok(())
    }

    fn own_refusal(&mut self, at: usize, refuse: &'t tree::Refuse) -> Checked<()> {
        for key in &refuse.keys {
            let star = key.parts.first().is_some_and(|part| &*part.text == "*");
            for side in self.stars(at, star) {
                let name: Arc<str> = match side {
                    Some(side) => key
                        .written()
                        .replacen('*', &self.side_name(at, side), 1)
                        .into(),
                    None => key.written().into(),
                };
                let known = self.program.procedures[at].key(&name);
                if known.is_none() {
                    let written = tree::Name {
                        text: name.clone(),
                        span: key.span,
                    };
                    let keys: Vec<Arc<str>> = self.program.procedures[at]
                        .keys
                        .iter()
                        .map(|key| key.name.clone())
                        .collect();
                    return self.unknown(&written, "key", keys.iter().map(|key| &**key));
                }
                let mut s = self.header_scope(at);
                s.refusal = true;
                s.star = side.map(|side| (at, side));
                let (when, text) = self.refusal(s, refuse)?;
                self.program.procedures[at].refusals.push(Refusal {
                    key: name,
                    at: known,
                    unit: None,
                    when,
                    text,
                    span: refuse.span,
                });
            }
        }
        Ok(())
    }

    fn show(&mut self, at: usize, show: &HeadKind, side: Option<usize>) -> Checked<()> {
        let HeadKind::Show {
            name,
            value,
            condition,
        } = show
        else {
            return Ok(());
        };
        {
            let shown = self.starred(at, name, side);
            let mut s = self.header_scope(at);
            s.star = side.map(|side| (at, side));
            let mut asked = s.clone();
            let when = match condition {
                Some(condition) => {
                    let id = self.flag(&mut asked, condition)?;
                    self.learn(&mut s, id, true);
                    Some(Formula {
                        locals: asked.locals,
                        value: id,
                    })
                }
                None => None,
            };
            let id = match value {
                Some(value) => self.value(&mut s, value, None)?,
                None => {
                    let named = tree::Name {
                        text: shown.clone(),
                        span: name.raw.span,
                    };
                    match self.named(&mut s, &named)? {
                        Some(id) => id,
                        None => return self.unknown_name(&s, &named),
                    }
                }
            };
            self.program.procedures[at].shows.push(Show {
                name: shown,
                value: Formula {
                    locals: s.locals,
                    value: id,
                },
                when,
            });
        }
        Ok(())
    }

    fn plan(&mut self, at: usize, plan: &tree::PlanLine) -> Checked<()> {
        let mut s = self.header_scope(at);
        let mut over = None;
        if let Some((name, range)) = &plan.over {
            let tree::Range::Up(low, high) = range else {
                return self.error(plan.span, "plans are counted upwards: `for n in 1..3`");
            };
            let (mut a, mut b) = (self.header_scope(at), self.header_scope(at));
            let low = self.wanted(&mut a, low, Type::Number)?;
            let high = self.wanted(&mut b, high, Type::Number)?;
            over = Some((
                Formula {
                    locals: a.locals,
                    value: low,
                },
                Formula {
                    locals: b.locals,
                    value: high,
                },
            ));
            s.declare(&name.text, Type::Number, None);
        }
        let mut condition_scope = s.clone();
        let (label, _) = self.parts(&mut s, &plan.label)?;
        let at_first = match &plan.at_first {
            Some((action, condition)) => {
                let value = self.flag(&mut condition_scope, condition)?;
                let formula = Formula {
                    locals: condition_scope.locals,
                    value,
                };
                Some((action.text.clone(), formula))
            }
            None => None,
        };
        self.program.procedures[at].plans.push(Plan {
            label,
            over,
            locals: s.locals,
            at_first,
            then: plan.then.iter().map(|action| action.text.clone()).collect(),
        });
        Ok(())
    }

    fn check_body(&mut self, at: usize) {
        let procedure = self.declared.procedures[at].0;
        let mut s = self.header_scope(at);
        s.in_procedure = true;
        s.lets = super::scope::lets(&procedure.body);
        s.returns = Some(Type::Nothing);
        let done = self.block(&mut s, &procedure.body);
        let has_outcome = self.program.procedures[at].outcome.is_some();
        if done.goes_on && has_outcome && !self.messages.has_errors() {
            let last = procedure
                .body
                .last()
                .map_or(procedure.name.span, |stmt| stmt.span);
            let report = self.program.procedures[at].outcome.unwrap_or(0);
            let outcome = self.program.procedures[at].reports[report].name.clone();
            let message = Message::error(
                last,
                format!(
                    "`{}` may come to its end without an outcome",
                    procedure.name
                ),
            );
            self.say(
                message
                    .note(format!("`report {outcome}` is the label of `end`"))
                    .help("add `end …` as its last line"),
            );
        }
        if s.effects.chooses && procedure.decided_for.is_none() {
            // Allowed where one action is left; which one is known only when settings are.
            s.effects.chooses = true;
        }
        let own = self.program.procedures[at].vars.clone();
        let mut vars: Vec<VarId> = self.common.values().copied().collect();
        vars.sort();
        // A key of the procedure's own stands for the setting of its name.
        vars.retain(|&var| {
            !own.iter()
                .any(|&mine| self.program[mine].name == self.program[var].name)
        });
        vars.extend(own);
        let slot = &mut self.program.procedures[at];
        slot.vars = vars;
        slot.locals = s.locals;
        slot.body = done.block;
    }

    pub(super) fn check_checks(&mut self) {
        for (check, span) in std::mem::take(&mut self.declared.checks) {
            let mut s = Scope {
                returns: Some(Type::Flag),
                ..Scope::default()
            };
            s.kind = Some(tree::TextKind::Define);
            let mut over = Vec::new();
            for (name, range) in &check.over {
                if let Ok((elements, ty, range)) = self.range_elements(&mut s, range, name) {
                    over.push((s.declare(&name.text, ty, range), elements));
                }
            }
            let done = self.block(&mut s, &check.body);
            if done.goes_on && !self.messages.has_errors() {
                self.say(
                    Message::error(span, "this check says nothing in the end")
                        .help("end it with `return …`"),
                );
            }
            self.program.checks.push(Check {
                text: check.text.text.clone(),
                over,
                body: done.block,
                locals: s.locals,
                span,
            });
        }
    }
}
