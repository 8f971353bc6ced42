//! Lists: quantifiers, filters, list literals, `take`.

use super::scope::Scope;
use super::{Checked, Checker, Named, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E};

impl Checker<'_> {
    /// What a quantifier looks over, and the type of its elements.
    pub(super) fn elements(&mut self, s: &mut Scope, expr: &tree::Expr) -> Checked<(ExprId, Type)> {
        if let E::Name(name) = &expr.kind
            && let Some(&Named::Words(of)) = self.types.get(&name.text)
        {
            let words = self
                .words_of(Type::Word(of))
                .into_iter()
                .map(Value::Word)
                .collect();
            return Ok((
                self.literal(Value::List(words), Type::WordSet(of), expr.span),
                Type::Word(of),
            ));
        }
        let list = self.value(s, expr, None)?;
        match self.ty(list) {
            Type::Units(unit) => Ok((list, Type::Unit(unit))),
            Type::Numbers => Ok((list, Type::Number)),
            Type::Fractions => Ok((list, Type::Fraction)),
            Type::WordSet(of) => Ok((list, Type::Word(of))),
            Type::Unit(line) => match self.program[line].line {
                Some(members) => {
                    let list = self.coerce(s, list, Type::Units(members.of))?;
                    Ok((list, Type::Unit(members.of)))
                }
                None => {
                    let is = self.type_name(Type::Unit(line));
                    self.error(
                        expr.span,
                        format!("a list is expected here, and this is {is}"),
                    )
                }
            },
            ty => {
                let is = self.type_name(ty);
                self.error(
                    expr.span,
                    format!("a list is expected here, and this is {is}"),
                )
            }
        }
    }

    /// Something that is asked of each `it`.
    fn of_each(
        &mut self,
        s: &mut Scope,
        it: LocalId,
        expr: &tree::Expr,
        ty: Option<Type>,
    ) -> Checked<ExprId> {
        s.it.push(it);
        let id = match ty {
            Some(ty) => self.wanted(s, expr, ty),
            None => self.value(s, expr, None).and_then(|id| self.numeric(s, id)),
        };
        s.it.pop();
        let id = id?;
        let effects = self.program[id].effects;
        if effects.throws || effects.changes {
            return self.error(
                expr.span,
                "what is asked of each throws no dice and changes nothing",
            );
        }
        Ok(id)
    }

    pub(super) fn quantified(
        &mut self,
        s: &mut Scope,
        q: &tree::Quantified,
        _want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        let (list, element) = self.elements(s, &q.list)?;
        let it = s.hidden("it", element, self.range_of(list));
        let condition = match &q.condition {
            Some(condition) => Some(self.of_each(s, it, condition, Some(Type::Flag))?),
            None => None,
        };
        let before = s.facts.clone();
        if let Some(condition) = condition {
            self.learn(s, condition, true);
        }
        let by = q.by.as_ref().map(|by| self.of_each(s, it, by, None));
        s.facts = before;
        let by = by.transpose()?;
        let count = match &q.count {
            Some(count) => Some(self.wanted(s, count, Type::Number)?),
            None => None,
        };
        let measured = by.map_or(element, |by| self.ty(by));
        let number = matches!(measured, Type::Number | Type::Fraction);
        let range = by.map_or_else(|| self.range_of(list), |by| self.range_of(by));
        let several = if measured == Type::Fraction {
            Type::Fractions
        } else {
            Type::Numbers
        };
        use tree::Quantifier as Q;
        let (quantifier, ty, range) = match (q.quantifier, count) {
            (Q::First, _) => {
                let ty = match element {
                    Type::Unit(unit) => Type::MaybeUnit(unit),
                    _ => {
                        return self.error(
                            span,
                            "the first is asked of units; of numbers there is `lowest of`",
                        );
                    }
                };
                (Quantifier::First, ty, None)
            }
            (Q::Any, _) => (Quantifier::Any, Type::Flag, None),
            (Q::Number, _) => (Quantifier::Number, Type::Number, interval::range(0, 64)),
            (_, _) if !number => {
                let message = Message::error(span, "nothing says which number of each is meant");
                return self.fail(
                    message.help("add `by` and what is counted, as in `sum of side by it.sp`"),
                );
            }
            (Q::Sum, _) => (Quantifier::Sum, measured, None),
            (Q::Highest, None) => (Quantifier::Highest, measured, range),
            (Q::Lowest, None) => (Quantifier::Lowest, measured, range),
            (Q::Highest, Some(count)) => (Quantifier::HighestFew(count), several, range),
            (Q::Lowest, Some(count)) => (Quantifier::LowestFew(count), several, range),
        };
        let mut parts = vec![list];
        parts.extend(condition);
        parts.extend(by);
        parts.extend(count);
        let kind = ExprKind::Quantified {
            quantifier,
            list,
            it,
            condition,
            by,
        };
        Ok(self.made_of(
            kind,
            ty,
            range.filter(|_| ty != Type::Fraction),
            span,
            &parts,
        ))
    }

    pub(super) fn filter(
        &mut self,
        s: &mut Scope,
        list: &tree::Expr,
        condition: &tree::Expr,
        span: Span,
    ) -> Checked<ExprId> {
        let (list, element) = self.elements(s, list)?;
        let it = s.hidden("it", element, self.range_of(list));
        let condition = self.of_each(s, it, condition, Some(Type::Flag))?;
        let (ty, range) = (self.ty(list), self.range_of(list));
        let kind = ExprKind::Filter {
            list,
            it,
            condition,
        };
        Ok(self.made_of(kind, ty, range, span, &[list, condition]))
    }

    pub(super) fn list(
        &mut self,
        s: &mut Scope,
        all: &[tree::Expr],
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        if let Some(Type::WordSet(of)) = want {
            let mut words = Vec::new();
            for one in all {
                let id = self.wanted(s, one, Type::Word(of))?;
                match self.literal_word(id) {
                    Some(word) => words.push(Value::Word(word)),
                    None => return self.error(one.span, "a word is expected here"),
                }
            }
            return Ok(self.literal(Value::List(words), Type::WordSet(of), span));
        }
        let mut ids = Vec::new();
        for one in all {
            ids.push(self.value(s, one, None)?);
        }
        match ids.first().map(|&id| self.ty(id)) {
            Some(Type::Unit(unit)) => {
                for id in &mut ids {
                    *id = self.coerce(s, *id, Type::Unit(unit))?;
                }
                let parts = ids.clone();
                Ok(self.made_of(
                    ExprKind::UnitList(ids),
                    Type::Units(unit),
                    None,
                    span,
                    &parts,
                ))
            }
            Some(_) => {
                for id in &mut ids {
                    *id = self.coerce(s, *id, Type::Number)?;
                }
                let range = ids
                    .iter()
                    .map(|&id| self.range_of(id))
                    .reduce(interval::hull)
                    .flatten();
                let parts = ids.clone();
                Ok(self.made_of(
                    ExprKind::NumberList(ids),
                    Type::Numbers,
                    range,
                    span,
                    &parts,
                ))
            }
            None => self.fail(Message::error(
                span,
                "a list with nothing in it is written `empty`",
            )),
        }
    }

    /// `take n from unit.sp`.
    pub(super) fn take(
        &mut self,
        s: &mut Scope,
        amount: &tree::Expr,
        from: &tree::Expr,
        span: Span,
    ) -> Checked<ExprId> {
        let amount = self.wanted(s, amount, Type::Number)?;
        let (target, ty) = self.target(s, from)?;
        if ty != Type::Number {
            let is = self.type_name(ty);
            return self.error(
                from.span,
                format!("only a number can be taken from, and this is {is}"),
            );
        }
        self.changes(s, target, span)?;
        let range = self
            .range_of(amount)
            .and_then(|range| interval::range(0, range.high.max(0)));
        let made = self.made_of(
            ExprKind::Take(amount, target),
            Type::Number,
            range,
            span,
            &[amount],
        );
        let effects = Effects {
            changes: true,
            ..Effects::default()
        };
        self.does(made, effects);
        Ok(made)
    }
}
