//! Expressions: types by what the place expects.

use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E};

impl Checker<'_> {
    /// An expression of a type.
    pub(super) fn wanted(&mut self, s: &mut Scope, expr: &tree::Expr, ty: Type) -> Checked<ExprId> {
        let id = self.value(s, expr, Some(ty))?;
        self.coerce(s, id, ty)
    }

    pub(super) fn flag(&mut self, s: &mut Scope, expr: &tree::Expr) -> Checked<ExprId> {
        self.wanted(s, expr, Type::Flag)
    }

    /// An expression; where a word of some type is expected, a bare word is that.
    pub(super) fn value(
        &mut self,
        s: &mut Scope,
        expr: &tree::Expr,
        want: Option<Type>,
    ) -> Checked<ExprId> {
        let span = expr.span;
        match &expr.kind {
            E::Number(number) => Ok(match number.is_integer() && want != Some(Type::Fraction) {
                true => self.literal(Value::Number(number.to_integer()), Type::Number, span),
                false => self.literal(Value::Fraction(*number), Type::Fraction, span),
            }),
            E::Flag(flag) => Ok(self.literal(Value::Flag(*flag), Type::Flag, span)),
            E::Nobody => Ok(self.literal(
                Value::Nobody,
                match want {
                    Some(ty @ (Type::MaybeUnit(_) | Type::MaybeSide)) => ty,
                    Some(Type::Unit(unit)) => Type::MaybeUnit(unit),
                    _ => Type::MaybeSide,
                },
                span,
            )),
            E::Empty => match want {
                Some(ty @ (Type::Units(_) | Type::WordSet(_) | Type::Numbers)) => {
                    Ok(self.literal(Value::List(Vec::new()), ty, span))
                }
                _ => self.error(span, "nothing here can be empty"),
            },
            E::It => match s.it.last() {
                Some(&local) => Ok(self.local(s, local, span)),
                None => self.error(span, "`it` stands only behind `where` and `by`"),
            },
            E::Star => match s.star {
                Some((at, side)) => Ok(self.side_value(at, side, span)),
                None => self.error(
                    span,
                    "`*` stands only in headers, for each of the first two sides",
                ),
            },
            E::Dice { count, sides } => {
                let die = self.ordinary_die(*sides);
                Ok(self.throw_one(die, *count, span))
            }
            E::Name(name) => self.name_value(s, name, want),
            E::Text(template) => self.text_value(s, template, want),
            E::Field(base, name) => self.field(s, base, name, span),
            E::Index {
                of,
                indices,
                otherwise,
            } => self.index(s, of, indices, otherwise.as_deref(), want, span),
            E::Call(call) => self.call(s, call, want, span),
            E::List(all) => self.list(s, all, want, span),
            E::Unary(tree::Unary::Not, operand) => {
                let operand = self.flag(s, operand)?;
                Ok(self.made_of(
                    ExprKind::Unary(UnaryOp::Not, operand),
                    Type::Flag,
                    None,
                    span,
                    &[operand],
                ))
            }
            E::Unary(tree::Unary::Negate, operand) => {
                let operand = self.value(s, operand, want)?;
                let operand = self.numeric(s, operand)?;
                let (ty, range) = (self.ty(operand), interval::negate(self.range_of(operand)));
                if let ExprKind::Literal(Value::Number(number)) = self.program[operand].kind {
                    return Ok(self.literal(Value::Number(-number), Type::Number, span));
                }
                Ok(self.made_of(
                    ExprKind::Unary(UnaryOp::Negate, operand),
                    ty,
                    range,
                    span,
                    &[operand],
                ))
            }
            E::Binary(operator, left, right) => self.binary(s, *operator, left, right, span),
            E::Is {
                value,
                negated,
                alternatives,
            } => {
                let value = self.value(s, value, None)?;
                let is = self.is_any(s, value, alternatives, span)?;
                Ok(self.negated(is, *negated, span))
            }
            E::In {
                value,
                negated,
                list,
            } => self.is_in(s, value, list, *negated, span),
            E::If {
                condition,
                then,
                otherwise,
            } => self.either(s, condition, then, otherwise, want, span),
            E::Case { subject, arms } => self.case_value(s, subject.as_deref(), arms, want, span),
            E::Quantified(quantified) => self.quantified(s, quantified, want, span),
            E::Filter { list, condition } => self.filter(s, list, condition, span),
            E::Take { amount, from } => self.take(s, amount, from, span),
        }
    }

    pub(super) fn negated(&mut self, id: ExprId, negated: bool, span: Span) -> ExprId {
        match negated {
            true => self.made_of(
                ExprKind::Unary(UnaryOp::Not, id),
                Type::Flag,
                None,
                span,
                &[id],
            ),
            false => id,
        }
    }

    pub(super) fn binary(
        &mut self,
        s: &mut Scope,
        operator: tree::Binary,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
    ) -> Checked<ExprId> {
        use tree::Binary as B;
        match operator {
            B::And | B::Or => {
                let a = self.flag(s, left)?;
                let before = s.facts.clone();
                self.learn(s, a, operator == B::And);
                let b = self.flag(s, right);
                // What the second may have changed is not known, whether or not it came to it.
                let after = std::mem::replace(&mut s.facts, before);
                s.facts.retain(|path, _| after.contains_key(path));
                let b = b?;
                let kind = if operator == B::And {
                    ExprKind::And(a, b)
                } else {
                    ExprKind::Or(a, b)
                };
                Ok(self.made_of(kind, Type::Flag, None, span, &[a, b]))
            }
            B::Less | B::AtMost | B::Greater | B::AtLeast => {
                let a = self.value(s, left, None)?;
                let want =
                    Some(self.ty(a)).filter(|ty| matches!(ty, Type::Word(_) | Type::Mixed(_)));
                let b = self.value(s, right, want)?;
                self.compare(s, operator, a, b, span)
            }
            B::Add | B::Subtract | B::Multiply | B::Divide => {
                let a = self.value(s, left, None)?;
                let b = self.value(s, right, None)?;
                self.arithmetic(s, operator, a, b, span)
            }
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        s: &Scope,
        operator: tree::Binary,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        use tree::Binary as B;
        let adds = matches!(operator, B::Add | B::Subtract);
        let op = match operator {
            B::Add => BinaryOp::Add,
            B::Subtract => BinaryOp::Subtract,
            B::Multiply => BinaryOp::Multiply,
            _ => BinaryOp::Divide,
        };
        if adds && self.ty(a) == Type::Place {
            let b = self.coerce(s, b, Type::Number)?;
            return Ok(self.made_of(ExprKind::Binary(op, a, b), Type::Place, None, span, &[a, b]));
        }
        if let Some(of) = self.ordered(a).filter(|_| adds) {
            let rank = self.rank(s, a, of)?;
            if let (Some(_), B::Subtract) = (self.ordered(b), operator) {
                let other = self.rank(s, b, of)?;
                let range = interval::subtract(self.range_of(rank), self.range_of(other));
                return Ok(self.made_of(
                    ExprKind::Binary(op, rank, other),
                    Type::Number,
                    range,
                    span,
                    &[rank, other],
                ));
            }
            let steps = self.coerce(s, b, Type::Number)?;
            let moved = self.made_of(
                ExprKind::Binary(op, rank, steps),
                Type::Number,
                None,
                span,
                &[rank, steps],
            );
            return Ok(self.made_of(
                ExprKind::OfRank(of, moved),
                Type::Word(of),
                None,
                span,
                &[moved],
            ));
        }
        let (a, b, ty) = self.numeric_pair(s, a, b)?;
        if operator == B::Divide {
            let (a, b) = (
                self.coerce(s, a, Type::Fraction)?,
                self.coerce(s, b, Type::Fraction)?,
            );
            if matches!(&self.program[b].kind, ExprKind::Literal(value) if value.fraction().is_some_and(|n| *n.numer() == 0))
            {
                return self.error(span, "nothing can be divided by 0");
            }
            return Ok(self.made_of(
                ExprKind::Binary(op, a, b),
                Type::Fraction,
                None,
                span,
                &[a, b],
            ));
        }
        let (x, y) = (self.range_of(a), self.range_of(b));
        let range = match operator {
            B::Add => interval::add(x, y),
            B::Subtract => interval::subtract(x, y),
            _ => interval::multiply(x, y),
        };
        let range = range.filter(|_| ty == Type::Number);
        Ok(self.made_of(ExprKind::Binary(op, a, b), ty, range, span, &[a, b]))
    }

    pub(super) fn either(
        &mut self,
        s: &mut Scope,
        condition: &tree::Expr,
        then: &tree::Expr,
        otherwise: &tree::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        let condition = self.flag(s, condition)?;
        let before = s.facts.clone();
        self.learn(s, condition, true);
        let then = self.branch_value(s, then, want);
        s.facts = before.clone();
        self.learn(s, condition, false);
        let otherwise = self.branch_value(s, otherwise, want);
        s.facts = before;
        let (then, otherwise) = (then?, otherwise?);
        let ty = self.one_type(&[then, otherwise], want, span)?;
        let (then, otherwise) = (self.coerce(s, then, ty)?, self.coerce(s, otherwise, ty)?);
        let range = interval::hull(self.range_of(then), self.range_of(otherwise));
        let parts = [condition, then, otherwise];
        Ok(self.made_of(
            ExprKind::If(condition, then, otherwise),
            ty,
            range,
            span,
            &parts,
        ))
    }

    /// A branch is converted where what was asked is known.
    pub(super) fn branch_value(
        &mut self,
        s: &mut Scope,
        expr: &tree::Expr,
        want: Option<Type>,
    ) -> Checked<ExprId> {
        let id = self.value(s, expr, want)?;
        match want {
            Some(ty @ (Type::Number | Type::Fraction | Type::Word(_) | Type::Mixed(_))) => {
                self.coerce(s, id, ty)
            }
            _ => match self.ty(id) {
                // Asked, a mixed value is the number it is.
                Type::Mixed(mixed)
                    if self.shape(s, id).words.is_empty()
                        && self.program[mixed].number != MixedNumber::None =>
                {
                    self.numeric(s, id)
                }
                _ => Ok(id),
            },
        }
    }

    pub(super) fn one_type(
        &mut self,
        ids: &[ExprId],
        want: Option<Type>,
        span: Span,
    ) -> Checked<Type> {
        let mut ty = self.ty(ids[0]);
        let mut first = ids[0];
        for &id in &ids[1..] {
            match self.common_type(first, id) {
                Some(common) => {
                    if common != ty {
                        first = id;
                    }
                    ty = match self.common_of(ty, common) {
                        Some(both) => both,
                        None => common,
                    };
                }
                None => match want {
                    Some(want) => return Ok(want),
                    None => {
                        let (a, b) = (self.type_name(self.ty(ids[0])), self.type_name(self.ty(id)));
                        let message =
                            Message::error(span, "the alternatives are of different types");
                        return self.fail(message.note(format!("one is {a}, another {b}")));
                    }
                },
            }
        }
        Ok(ty)
    }

    /// Of two types that were found common, the wider.
    pub(super) fn common_of(&mut self, a: Type, b: Type) -> Option<Type> {
        if a == b {
            return Some(a);
        }
        let span = Span::NOWHERE;
        let (x, y) = (
            self.made(ExprKind::Turn, a, None, span),
            self.made(ExprKind::Turn, b, None, span),
        );
        self.common_type(x, y)
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn case_value(
        &mut self,
        s: &mut Scope,
        subject: Option<&tree::Expr>,
        arms: &[tree::Arm<tree::Expr>],
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        let subject = self.case_subject(s, subject)?;
        let plan = self.case_conditions(s, subject, arms, span)?;
        let before = s.facts.clone();
        let mut values = Vec::new();
        for (arm, condition) in arms.iter().zip(&plan.conditions) {
            s.facts = before.clone();
            self.assume_arm(s, subject, &plan, *condition);
            values.push(self.branch_value(s, &arm.body, want));
        }
        s.facts = before;
        let values: Checked<Vec<ExprId>> = values.into_iter().collect();
        let values = values?;
        let ty = self.one_type(&values, want, span)?;
        let mut converted = Vec::new();
        for value in values {
            converted.push(self.coerce(s, value, ty)?);
        }
        let ranges = converted.iter().map(|&id| self.range_of(id));
        let range = ranges.reduce(interval::hull).flatten();
        let mut parts = converted.clone();
        parts.extend(subject.map(|(_, value)| value));
        let mut pairs = Vec::new();
        let mut otherwise = None;
        for (value, condition) in converted.into_iter().zip(plan.conditions) {
            match condition {
                Some(condition) => {
                    parts.push(condition);
                    pairs.push((condition, value));
                }
                None => otherwise = Some(value),
            }
        }
        let kind = ExprKind::Case {
            subject,
            arms: pairs,
            otherwise,
        };
        Ok(self.made_of(kind, ty, range, span, &parts))
    }
}
