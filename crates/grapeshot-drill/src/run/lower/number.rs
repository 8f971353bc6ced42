//! Numbers: whole ones by instructions, fractions as two of them, both read through dice where that is possible.

use super::{Lower, Lowered};
use crate::program::{BinaryOp, Type, UnaryOp};
use crate::run::code::Op;
use crate::run::layout::fraction;
use crate::run::value::{Numbers, Operand, Operands, Val};
use smallvec::smallvec;

/// What is done with the parts of two values.
type OnParts<'a, L> = &'a mut dyn FnMut(&mut L, Operands, Operands) -> Lowered<Val>;

impl Lower<'_> {
    /// Two numbers, by an instruction if they must be.
    pub(super) fn native(&mut self, op: Op, a: Val, b: Val) -> Lowered<Val> {
        if matches!(a, Val::Rolled(_)) || matches!(b, Val::Rolled(_)) {
            let mut fold = |args: &[Numbers]| match op.apply(args[0][0], args[1][0]) {
                Some(made) => Ok(smallvec![made]),
                None => Err("a number cannot be divided by 0, nor become so large".to_owned()),
            };
            if let Some(pending) = self.read_through(&[a.clone(), b.clone()], &mut fold) {
                return Ok(Val::Rolled(Box::new(pending)));
            }
        }
        let a = self.part(a)?;
        let b = self.part(b)?;
        Ok(Val::one(self.binary(op, a, b)?))
    }

    pub(super) fn negated(&mut self, flag: Val) -> Lowered<Val> {
        self.native(Op::Same, flag, Val::known(0))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: Val, ty: Type) -> Lowered<Val> {
        let wide = self.layout.width(ty) == 2;
        match op {
            UnaryOp::Not => self.negated(value),
            UnaryOp::Negate if wide => {
                self.fractions(BinaryOp::Subtract, Val::constant(&[0, 1]), value)
            }
            UnaryOp::Negate => self.native(Op::Subtract, Val::known(0), value),
            UnaryOp::Absolute if wide => self.apply([value], &mut |args| {
                Ok(smallvec![args[0][0].saturating_abs(), args[0][1]])
            }),
            UnaryOp::Absolute => {
                if let Val::Rolled(_) = value {
                    return self.apply([value], &mut |args| {
                        Ok(smallvec![args[0][0].saturating_abs()])
                    });
                }
                let negative = self.native(Op::Subtract, Val::known(0), value.clone())?;
                self.native(Op::Max, value, negative)
            }
            UnaryOp::Down | UnaryOp::Up if !wide => Ok(value),
            UnaryOp::Down => self.rounded(value, false),
            UnaryOp::Up => self.rounded(value, true),
        }
    }

    fn rounded(&mut self, value: Val, up: bool) -> Lowered<Val> {
        if let Val::Rolled(_) = value {
            return self.apply([value], &mut |args| {
                let exact = fraction(&args[0]).ok_or("this is no number")?;
                let whole = if up { exact.ceil() } else { exact.floor() };
                Ok(smallvec![whole.to_integer() as i32])
            });
        }
        let parts = self.parts(value)?;
        let [numerator, denominator] = parts[..] else {
            return self.wrong("this is no fraction");
        };
        let zero = Operand::Known(0);
        let above = if up {
            self.binary(Op::Subtract, zero, numerator)?
        } else {
            numerator
        };
        let whole = self.binary(Op::DivideDown, above, denominator)?;
        Ok(Val::one(if up {
            self.binary(Op::Subtract, zero, whole)?
        } else {
            whole
        }))
    }

    pub(super) fn binary_op(
        &mut self,
        op: BinaryOp,
        a: Val,
        b: Val,
        ty: Type,
        other: Type,
    ) -> Lowered<Val> {
        if let Type::Record(_) = ty {
            let least = op == BinaryOp::Min;
            return self.apply([a, b], &mut |args| {
                let rank = |at: usize| args[at].last().copied().unwrap_or(-1);
                let first = if least {
                    rank(0) <= rank(1)
                } else {
                    rank(0) >= rank(1)
                };
                Ok(args[usize::from(!first)].clone())
            });
        }
        if self.layout.width(ty) == 2 || self.layout.width(other) == 2 {
            return self.fractions(op, a, b);
        }
        match op {
            BinaryOp::Add => self.native(Op::Add, a, b),
            BinaryOp::Subtract => self.native(Op::Subtract, a, b),
            BinaryOp::Multiply => self.native(Op::Multiply, a, b),
            BinaryOp::Divide => self.fractions(op, a, b),
            BinaryOp::Remainder => self.native(Op::Remainder, a, b),
            BinaryOp::Min => self.native(Op::Min, a, b),
            BinaryOp::Max => self.native(Op::Max, a, b),
            BinaryOp::Less => self.native(Op::Less, a, b),
            BinaryOp::AtMost => self.native(Op::AtMost, a, b),
            BinaryOp::Greater => self.native(Op::Less, b, a),
            BinaryOp::AtLeast => self.native(Op::AtMost, b, a),
        }
    }

    /// Whether two values are equal, part by part.
    pub(super) fn same(&mut self, a: Val, b: Val, ty: Type) -> Lowered<Val> {
        if matches!(ty, Type::Fraction) {
            return self.apply_or(
                a,
                b,
                &mut |low, a, b| {
                    let (left, right) = low.crossed(&a, &b)?;
                    Ok(Val::one(low.binary(Op::Same, left, right)?))
                },
                &mut |args| {
                    Ok(smallvec![i32::from(
                        fraction(&args[0]) == fraction(&args[1])
                    )])
                },
            );
        }
        self.apply_or(
            a,
            b,
            &mut |low, a, b| {
                let mut all = Operand::Known(1);
                for (&a, &b) in a.iter().zip(&b) {
                    let same = low.binary(Op::Same, a, b)?;
                    all = low.binary(Op::Min, all, same)?;
                }
                Ok(Val::one(all))
            },
            &mut |args| Ok(smallvec![i32::from(args[0] == args[1])]),
        )
    }

    /// Reads dice through a function, or works on parts.
    fn apply_or(
        &mut self,
        a: Val,
        b: Val,
        parts: OnParts<'_, Self>,
        fold: &mut dyn FnMut(&[Numbers]) -> super::apply::Folded,
    ) -> Lowered<Val> {
        if matches!(a, Val::Rolled(_)) || matches!(b, Val::Rolled(_)) {
            let both = [a, b];
            if let Some(pending) = self.read_through(&both, fold) {
                return Ok(Val::Rolled(Box::new(pending)));
            }
            let [a, b] = both;
            let a = self.parts(a)?;
            let b = self.parts(b)?;
            return parts(self, a, b);
        }
        let a = self.parts(a)?;
        let b = self.parts(b)?;
        parts(self, a, b)
    }

    /// Two fractions over one denominator: their numerators.
    fn crossed(&mut self, a: &[Operand], b: &[Operand]) -> Lowered<(Operand, Operand)> {
        let (a, b) = (as_fraction(a), as_fraction(b));
        if a[1] == b[1] {
            return Ok((a[0], b[0]));
        }
        Ok((
            self.binary(Op::Multiply, a[0], b[1])?,
            self.binary(Op::Multiply, b[0], a[1])?,
        ))
    }

    fn fractions(&mut self, op: BinaryOp, a: Val, b: Val) -> Lowered<Val> {
        self.apply_or(
            a,
            b,
            &mut |low, a, b| low.fraction_parts(op, &a, &b),
            &mut |args| {
                let exact = |at: usize| fraction(&args[at]).ok_or("this is no number");
                fold_fractions(op, exact(0)?, exact(1)?)
            },
        )
    }

    fn fraction_parts(&mut self, op: BinaryOp, a: &[Operand], b: &[Operand]) -> Lowered<Val> {
        let known = |parts: &[Operand]| {
            let parts: Option<Numbers> = parts.iter().map(|part| part.known()).collect();
            parts.and_then(|parts| fraction(&parts))
        };
        if let (Some(a), Some(b)) = (known(a), known(b)) {
            return match fold_fractions(op, a, b) {
                Ok(parts) => Ok(Val::constant(&parts)),
                Err(text) => {
                    self.fault(&text)?;
                    Ok(Val::constant(&[0, 1]))
                }
            };
        }
        let one = |low: &mut Self, op, a, b| Ok(Val::one(low.binary(op, a, b)?));
        let (x, y) = (as_fraction(a), as_fraction(b));
        match op {
            BinaryOp::Multiply => {
                let above = self.binary(Op::Multiply, x[0], y[0])?;
                let below = self.binary(Op::Multiply, x[1], y[1])?;
                Ok(Val::Parts(smallvec![above, below]))
            }
            BinaryOp::Divide if self.reach(y[0]).low > 0 => {
                let above = self.binary(Op::Multiply, x[0], y[1])?;
                let below = self.binary(Op::Multiply, x[1], y[0])?;
                Ok(Val::Parts(smallvec![above, below]))
            }
            BinaryOp::Add | BinaryOp::Subtract => {
                let (left, right) = self.crossed(a, b)?;
                let op = if op == BinaryOp::Add {
                    Op::Add
                } else {
                    Op::Subtract
                };
                let above = self.binary(op, left, right)?;
                let below = match x[1] == y[1] {
                    true => x[1],
                    false => self.binary(Op::Multiply, x[1], y[1])?,
                };
                Ok(Val::Parts(smallvec![above, below]))
            }
            BinaryOp::Less | BinaryOp::AtMost | BinaryOp::Greater | BinaryOp::AtLeast => {
                let (left, right) = self.crossed(a, b)?;
                match op {
                    BinaryOp::Less => one(self, Op::Less, left, right),
                    BinaryOp::AtMost => one(self, Op::AtMost, left, right),
                    BinaryOp::Greater => one(self, Op::Less, right, left),
                    _ => one(self, Op::AtMost, right, left),
                }
            }
            BinaryOp::Min | BinaryOp::Max => {
                let (left, right) = self.crossed(a, b)?;
                let first = match op {
                    BinaryOp::Min => self.binary(Op::AtMost, left, right)?,
                    _ => self.binary(Op::AtMost, right, left)?,
                };
                let (x, y) = (Operands::from(x), Operands::from(y));
                self.either(
                    first,
                    Type::Fraction,
                    &mut |_| Ok(Val::Parts(x.clone())),
                    &mut |_| Ok(Val::Parts(y.clone())),
                )
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                let both = vec![Val::Parts(x.into()), Val::Parts(y.into())];
                self.apply(both, &mut |args| {
                    let exact = |at: usize| fraction(&args[at]).ok_or("this is no number");
                    fold_fractions(op, exact(0)?, exact(1)?)
                })
            }
        }
    }
}

/// A number as a fraction.
fn as_fraction(parts: &[Operand]) -> [Operand; 2] {
    match parts {
        [above, below] => [*above, *below],
        [whole, ..] => [*whole, Operand::Known(1)],
        [] => [Operand::Known(0), Operand::Known(1)],
    }
}

/// What two fractions make.
pub fn fold_fractions(
    op: BinaryOp,
    a: crate::number::Fraction,
    b: crate::number::Fraction,
) -> Result<Numbers, String> {
    use num_rational::Ratio;
    let zero = Ratio::from_integer(0);
    let flag = |holds: bool| Ok(smallvec![i32::from(holds)]);
    let made = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide | BinaryOp::Remainder if b == zero => {
            return Err("a number cannot be divided by 0".into());
        }
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a - (a / b).floor() * b,
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::Less => return flag(a < b),
        BinaryOp::AtMost => return flag(a <= b),
        BinaryOp::Greater => return flag(a > b),
        BinaryOp::AtLeast => return flag(a >= b),
    };
    match (i32::try_from(*made.numer()), i32::try_from(*made.denom())) {
        (Ok(above), Ok(below)) => Ok(smallvec![above, below]),
        _ => Err("this fraction is too fine".into()),
    }
}
