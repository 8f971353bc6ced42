//! Values that depend on a condition.

use super::{Lower, Lowered};
use crate::program::{ExprId, Type};
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
        let condition = self.flag(*condition)?;
        // A list of cases that ends here has been shown to be without a gap.
        let condition = match rest.is_empty() && otherwise.is_none() {
            true => Operand::Known(1),
            false => condition,
        };
        self.either(condition, ty, &mut |low| low.expr(*value), &mut |low| {
            low.case(rest, otherwise, ty)
        })
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
        let result = self.temporaries(self.layout.width(ty))?;
        let (other, end) = (self.label(), self.label());
        self.unless(flag, other)?;
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
