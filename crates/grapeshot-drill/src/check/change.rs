//! Changes: what can be changed, by whom, and whether it stays in its range.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, Change, ExprKind as E, TextKind};

impl Checker<'_> {
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

    pub(super) fn within_start(&self, unit: ExprId) -> bool {
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

    pub(super) fn range_of_target(&self, s: &Scope, target: Target) -> Option<Interval> {
        match target {
            Target::Local(_) => {
                let _ = s;
                None
            }
            Target::Var(var) => self.program[var].range,
            Target::Field(_, field) => self.program[field].range,
        }
    }

    pub(super) fn set(
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
}
