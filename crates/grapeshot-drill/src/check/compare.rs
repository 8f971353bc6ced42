//! Comparisons: `is`, `is in`, `<`, and the ranks of ordered words.

use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E};

impl Checker<'_> {
    pub(super) fn compare(
        &mut self,
        s: &Scope,
        operator: tree::Binary,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let op = match operator {
            tree::Binary::Less => BinaryOp::Less,
            tree::Binary::AtMost => BinaryOp::AtMost,
            tree::Binary::Greater => BinaryOp::Greater,
            _ => BinaryOp::AtLeast,
        };
        let (a, b) = if let Some(of) = self.ordered(a).or_else(|| self.ordered(b)) {
            (self.rank(s, a, of)?, self.rank(s, b, of)?)
        } else if self.ty(a) == Type::Place && self.ty(b) == Type::Place {
            (a, b)
        } else {
            let (a, b, _) = self.numeric_pair(s, a, b)?;
            (a, b)
        };
        Ok(self.made_of(ExprKind::Binary(op, a, b), Type::Flag, None, span, &[a, b]))
    }

    /// The ordered words that a value is one of, words of other types aside.
    pub(super) fn ordered(&self, id: ExprId) -> Option<WordsId> {
        let words = match self.ty(id) {
            Type::Word(_) | Type::Mixed(_) => self.words_of(self.ty(id)),
            _ => return None,
        };
        words
            .into_iter()
            .map(|word| word.of)
            .find(|&of| self.program[of].order != tree::Order::None)
    }

    pub(super) fn rank(&mut self, s: &Scope, id: ExprId, of: WordsId) -> Checked<ExprId> {
        let word = self.coerce(s, id, Type::Word(of))?;
        let span = self.span_of(id);
        let high = (self.program[of].words.len() as i64 - 1).max(0);
        Ok(self.made_of(
            ExprKind::Rank(word),
            Type::Number,
            interval::range(0, high),
            span,
            &[word],
        ))
    }

    /// Whether a value is any of some alternatives.
    pub(super) fn is_any(
        &mut self,
        s: &mut Scope,
        value: ExprId,
        alternatives: &[tree::Expr],
        span: Span,
    ) -> Checked<ExprId> {
        let ty = self.ty(value);
        let mut words: Vec<WordId> = Vec::new();
        let mut others: Vec<ExprId> = Vec::new();
        for alternative in alternatives {
            // `weapon is Small_arm`: any word of a type.
            if let E::Name(name) = &alternative.kind
                && self.find_word(ty, name).is_none()
                && let Some(super::Named::Words(of)) = self.types.get(&name.text)
            {
                let letters = self.program[*of].words.clone();
                words.extend(
                    letters
                        .iter()
                        .filter_map(|letters| self.find_word(ty, letters)),
                );
                continue;
            }
            if let E::Empty = alternative.kind {
                let span = alternative.span;
                others.push(self.made_of(
                    ExprKind::IsEmpty(value),
                    Type::Flag,
                    None,
                    span,
                    &[value],
                ));
                continue;
            }
            if let E::Nobody = alternative.kind {
                if !matches!(ty, Type::MaybeUnit(_) | Type::MaybeSide) {
                    let is = self.type_name(ty);
                    return self.error(alternative.span, format!("this is {is}, and never nobody"));
                }
                let span = alternative.span;
                others.push(self.made_of(
                    ExprKind::IsNobody(value),
                    Type::Flag,
                    None,
                    span,
                    &[value],
                ));
                continue;
            }
            let other = self.value(s, alternative, Some(ty))?;
            match self.literal_word(other) {
                Some(model) if matches!(ty, Type::Word(_) | Type::Mixed(_)) => {
                    let found = self.find_word(ty, &self.letters(model));
                    let Some(model) = found else {
                        self.coerce(s, other, ty)?;
                        continue;
                    };
                    let all = self.words_of(ty);
                    words.extend(all.into_iter().filter(|&word| self.counts_as(word, model)));
                }
                _ => others.push(self.same(s, value, other, alternative.span)?),
            }
        }
        let mut all: Option<ExprId> = None;
        if !words.is_empty() {
            words.sort();
            words.dedup();
            all = Some(self.made_of(
                ExprKind::IsWord(value, words),
                Type::Flag,
                None,
                span,
                &[value],
            ));
        }
        for other in others {
            all = Some(match all {
                None => other,
                Some(before) => self.made_of(
                    ExprKind::Or(before, other),
                    Type::Flag,
                    None,
                    span,
                    &[before, other],
                ),
            });
        }
        match all {
            Some(all) => Ok(all),
            None => Ok(self.literal(Value::Flag(false), Type::Flag, span)),
        }
    }

    pub(super) fn literal_word(&self, id: ExprId) -> Option<WordId> {
        match &self.program[id].kind {
            ExprKind::Literal(Value::Word(word)) => Some(*word),
            ExprKind::Convert(Conversion::Widen, inner) => self.literal_word(*inner),
            _ => None,
        }
    }

    /// Whether two values are equal.
    pub(super) fn same(&mut self, s: &Scope, a: ExprId, b: ExprId, span: Span) -> Checked<ExprId> {
        let numeric = |ty: Type| {
            matches!(
                ty,
                Type::Number | Type::Fraction | Type::Numbers | Type::Dice
            )
        };
        let (x, y) = (self.ty(a), self.ty(b));
        let (a, b) = match (x, y) {
            _ if numeric(x) && numeric(y) => {
                let (a, b, _) = self.numeric_pair(s, a, b)?;
                (a, b)
            }
            (Type::Mixed(_), _) if numeric(y) => {
                let b = self.coerce(s, b, x)?;
                (a, b)
            }
            (Type::MaybeUnit(unit), Type::Unit(other)) if unit == other => {
                let b = self.coerce(s, b, x)?;
                (a, b)
            }
            (Type::Unit(_), Type::MaybeUnit(_)) => {
                let a = self.coerce(s, a, y)?;
                (a, b)
            }
            (Type::Unit(unit), Type::Unit(other)) if unit == other => (a, b),
            (Type::MaybeSide, Type::Unit(_) | Type::Side) => {
                let b = self.coerce(s, b, x)?;
                (a, b)
            }
            (Type::Unit(_) | Type::Side, Type::MaybeSide) => {
                let a = self.coerce(s, a, y)?;
                (a, b)
            }
            (Type::Unit(_) | Type::Side, Type::Unit(_) | Type::Side) => {
                let (a, b) = (
                    self.coerce(s, a, Type::Side)?,
                    self.coerce(s, b, Type::Side)?,
                );
                (a, b)
            }
            // `unit is attacker` where a side is a list of units.
            (Type::Unit(unit), Type::Units(of)) if unit == of => {
                return Ok(self.made_of(ExprKind::IsIn(a, b), Type::Flag, None, span, &[a, b]));
            }
            _ => {
                let b = self.coerce(s, b, x)?;
                (a, b)
            }
        };
        Ok(self.made_of(ExprKind::Same(a, b), Type::Flag, None, span, &[a, b]))
    }

    pub(super) fn is_in(
        &mut self,
        s: &mut Scope,
        value: &tree::Expr,
        list: &tree::Expr,
        negated: bool,
        span: Span,
    ) -> Checked<ExprId> {
        let list = self.value(s, list, None)?;
        let element = match self.ty(list) {
            Type::Units(unit) => Type::Unit(unit),
            Type::WordSet(of) => Type::Word(of),
            Type::Numbers => Type::Number,
            Type::Unit(line) if self.program[line].line.is_some() => {
                Type::Unit(self.program[line].line.map_or(line, |line| line.of))
            }
            _ => {
                let is = self.type_name(self.ty(list));
                return self.error(
                    self.span_of(list),
                    format!("a list is expected after `in`, and this is {is}"),
                );
            }
        };
        let list = match (self.ty(list), element) {
            (Type::Unit(_), Type::Unit(of)) => self.coerce(s, list, Type::Units(of))?,
            _ => list,
        };
        let value = self.wanted(s, value, element)?;
        let is = self.made_of(
            ExprKind::IsIn(value, list),
            Type::Flag,
            None,
            span,
            &[value, list],
        );
        Ok(self.negated(is, negated, span))
    }
}
