//! Values that depend on a condition.

use super::{Label, Lower, Lowered};
use crate::program::{ExprId, ExprKind, Type, UnaryOp};
use crate::run::code::Op;
use crate::run::value::{Operand, Val};

/// Works out a value.
type Make<'a, 'p> = &'a mut dyn FnMut(&mut Lower<'p>) -> Lowered<Val>;

impl<'p> Lower<'p> {
    /// A condition.
    pub(super) fn flag(&mut self, id: ExprId) -> Lowered<Operand> {
        let value = self.expr(id)?;
        self.part(value)
    }

    /// Goes to a label unless a condition holds. What joins conditions is where control goes, and no value.
    pub(super) fn unless_holds(&mut self, id: ExprId, label: Label) -> Lowered<()> {
        self.deeper(|low| match low.layout.program[id].kind {
            ExprKind::And(a, b) => {
                low.unless_holds(a, label)?;
                low.unless_holds(b, label)
            }
            ExprKind::Or(a, b) => {
                let holds = low.label();
                low.when_holds(a, holds)?;
                low.unless_holds(b, label)?;
                low.place(holds);
                Ok(())
            }
            ExprKind::Unary(UnaryOp::Not, of) => low.when_holds(of, label),
            _ => {
                let flag = low.flag(id)?;
                low.unless(flag, label)
            }
        })
    }

    /// Goes to a label if a condition holds.
    fn when_holds(&mut self, id: ExprId, label: Label) -> Lowered<()> {
        self.deeper(|low| match low.layout.program[id].kind {
            ExprKind::And(a, b) => {
                let fails = low.label();
                low.unless_holds(a, fails)?;
                low.when_holds(b, label)?;
                low.place(fails);
                Ok(())
            }
            ExprKind::Or(a, b) => {
                low.when_holds(a, label)?;
                low.when_holds(b, label)
            }
            ExprKind::Unary(UnaryOp::Not, of) => low.unless_holds(of, label),
            _ => {
                let flag = low.flag(id)?;
                low.when(flag, label)
            }
        })
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> Lowered<Val> {
        let first = self.flag(a)?;
        self.either(first, Type::Flag, &mut |low| low.expr(b), &mut |_| {
            Ok(Val::known(0))
        })
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> Lowered<Val> {
        let first = self.flag(a)?;
        self.either(first, Type::Flag, &mut |_| Ok(Val::known(1)), &mut |low| {
            low.expr(b)
        })
    }

    /// The first whose condition holds.
    pub(super) fn case(
        &mut self,
        arms: &[(ExprId, ExprId)],
        otherwise: Option<ExprId>,
        ty: Type,
    ) -> Lowered<Val> {
        let Some(((condition, value), rest)) = arms.split_first() else {
            return match otherwise {
                Some(value) => self.expr(value),
                None => {
                    self.fault("none of the cases holds")?;
                    Ok(self.never(ty))
                }
            };
        };
        // A list of cases that ends here has been shown to be without a gap.
        if rest.is_empty() && otherwise.is_none() {
            if self.layout.program[*condition].effects.changes {
                self.flag(*condition)?;
            }
            return self.expr(*value);
        }
        self.choice_of(*condition, ty, &mut |low| low.expr(*value), &mut |low| {
            low.case(rest, otherwise, ty)
        })
    }

    /// One value if a condition holds, else another.
    pub(super) fn choice_of(
        &mut self,
        condition: ExprId,
        ty: Type,
        then: Make<'_, 'p>,
        otherwise: Make<'_, 'p>,
    ) -> Lowered<Val> {
        if matches!(ty, Type::Numbers | Type::Fractions) {
            let flag = self.flag(condition)?;
            return self.either(flag, ty, then, otherwise);
        }
        let other = self.label();
        self.unless_holds(condition, other)?;
        if !self.alive {
            self.place(other);
            return otherwise(self);
        }
        if self.labels[other.0 as usize].reach.is_none() {
            return then(self);
        }
        self.either_at(other, ty, then, otherwise)
    }

    /// One value if a flag is set, else another.
    pub(super) fn either(
        &mut self,
        flag: Operand,
        ty: Type,
        then: Make<'_, 'p>,
        otherwise: Make<'_, 'p>,
    ) -> Lowered<Val> {
        match flag {
            Operand::Known(0) => return otherwise(self),
            Operand::Known(_) => return then(self),
            Operand::Slot(_) => {}
        }
        if matches!(ty, Type::Numbers | Type::Fractions) {
            return self.either_list(flag, then, otherwise);
        }
        let other = self.label();
        self.unless(flag, other)?;
        self.either_at(other, ty, then, otherwise)
    }

    /// One value here, another where a label leads to.
    fn either_at(
        &mut self,
        other: Label,
        ty: Type,
        then: Make<'_, 'p>,
        otherwise: Make<'_, 'p>,
    ) -> Lowered<Val> {
        let result = self.temporaries(self.layout.width(ty))?;
        let end = self.label();
        let value = then(self)?;
        let parts = self.parts(value)?;
        self.put_all(&result, &parts)?;
        self.jump(end)?;
        self.place(other);
        let value = otherwise(self)?;
        let parts = self.parts(value)?;
        self.put_all(&result, &parts)?;
        self.place(end);
        Ok(Val::Parts(self.operands(&result)))
    }

    /// The entries of both, each counting on its own condition.
    fn either_list(
        &mut self,
        flag: Operand,
        then: Make<'_, 'p>,
        otherwise: Make<'_, 'p>,
    ) -> Lowered<Val> {
        let not = self.binary(Op::Same, flag, Operand::Known(0))?;
        let mut all = Vec::new();
        for (flag, made) in [(flag, then(self)?), (not, otherwise(self)?)] {
            let Val::List(entries) = made else {
                return self.wrong("this is no list");
            };
            for mut entry in entries {
                entry.counts = self.binary(Op::Min, entry.counts, flag)?;
                all.push(entry);
            }
        }
        Ok(Val::List(all))
    }
}
