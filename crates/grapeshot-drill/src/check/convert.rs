//! Conversions: from what a value is to what its place expects. Each is a node, or an error.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;

impl Checker<'_> {
    pub(super) fn convert(&mut self, conversion: Conversion, id: ExprId, ty: Type) -> ExprId {
        let span = self.span_of(id);
        let range = match (conversion, ty) {
            (Conversion::Narrow { .. } | Conversion::Widen, Type::Number) => {
                self.range_of(id).or_else(|| self.mixed_range(id))
            }
            _ => None,
        };
        let made = self.made_of(ExprKind::Convert(conversion, id), ty, range, span, &[id]);
        if conversion == Conversion::Thrown {
            self.does(
                made,
                Effects {
                    throws: true,
                    ..Effects::default()
                },
            );
        }
        made
    }

    fn mixed_range(&self, id: ExprId) -> Option<Interval> {
        match self.ty(id) {
            Type::Mixed(mixed) => match self.program[mixed].number {
                MixedNumber::Whole(range) => Some(Interval {
                    low: range.low.min(0),
                    high: range.high,
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The side of a unit. Where units may stand in a line `unit.side` is the line, which not every procedure has; the side
    /// is there in all of them.
    pub(super) fn as_side(&mut self, id: ExprId) -> ExprId {
        match self.program[id].kind {
            ExprKind::SideOf(unit) => {
                let span = self.span_of(id);
                self.made_of(ExprKind::SideOf(unit), Type::Side, None, span, &[unit])
            }
            _ => self.convert(Conversion::ToSide, id, Type::Side),
        }
    }

    /// Makes a value one of a type, if it can be.
    pub(super) fn coerce(&mut self, s: &Scope, id: ExprId, to: Type) -> Checked<ExprId> {
        let from = self.ty(id);
        if from == to {
            return Ok(id);
        }
        match (from, to) {
            (Type::Number, Type::Fraction) => Ok(self.convert(Conversion::Exact, id, to)),
            (Type::Numbers, Type::Number) | (Type::Fractions, Type::Fraction) => {
                Ok(self.convert(Conversion::Total, id, to))
            }
            (Type::Numbers, Type::Fraction) => {
                let sum = self.convert(Conversion::Total, id, Type::Number);
                Ok(self.convert(Conversion::Exact, sum, to))
            }
            (Type::Dice, Type::Number) => Ok(self.convert(Conversion::Thrown, id, to)),
            (Type::Fraction, Type::Number) => {
                let message = Message::error(
                    self.span_of(id),
                    "a whole number is expected here, and this is a fraction",
                );
                self.fail(message.help("say how it is rounded: `down(…)` or `up(…)`"))
            }
            (Type::Unit(unit), Type::MaybeUnit(of)) if unit == of => {
                Ok(self.convert(Conversion::OrNobody, id, to))
            }
            (Type::MaybeUnit(unit), Type::Unit(of)) if unit == of => self.somebody(s, id, to),
            (Type::MaybeSide, Type::Side) => self.somebody(s, id, to),
            (Type::Unit(_), Type::Side) => Ok(self.as_side(id)),
            (Type::Side, Type::MaybeSide) => Ok(self.convert(Conversion::OrNobody, id, to)),
            (Type::Unit(_), Type::MaybeSide) => {
                let side = self.as_side(id);
                Ok(self.convert(Conversion::OrNobody, side, to))
            }
            (Type::MaybeUnit(unit), Type::Side | Type::MaybeSide) => {
                let somebody = self.somebody(s, id, Type::Unit(unit))?;
                self.coerce(s, somebody, to)
            }
            (Type::Unit(line), Type::Units(of))
                if self.program[line].line.is_some_and(|line| line.of == of) =>
            {
                // A line remembers what it began with, and not what its units did: each of them does.
                if matches!(self.program[id].kind, ExprKind::Start(_)) {
                    let message = Message::error(
                        self.span_of(id),
                        "the units of a line are asked one by one how they began",
                    );
                    return self
                        .fail(message.help("ask each of them: `sum of side by it.start.sp`"));
                }
                Ok(self.convert(Conversion::Members, id, to))
            }
            (Type::Number | Type::Fraction | Type::Dice, Type::Mixed(mixed)) => {
                self.number_into(s, id, from, mixed)
            }
            (Type::Word(_) | Type::Mixed(_), Type::Word(_) | Type::Mixed(_)) => {
                self.words_into(s, id, to)
            }
            (Type::Mixed(mixed), Type::Number | Type::Fraction) => {
                self.number_out_of(s, id, mixed, to)
            }
            _ => self.mismatch(id, to),
        }
    }

    pub(super) fn mismatch<T>(&mut self, id: ExprId, to: Type) -> Checked<T> {
        let (is, wanted) = (self.type_name(self.ty(id)), self.type_name(to));
        let message = Message::error(
            self.span_of(id),
            format!("{wanted} is expected here, and this is {is}"),
        );
        self.fail(message)
    }

    fn somebody(&mut self, s: &Scope, id: ExprId, to: Type) -> Checked<ExprId> {
        let shape = self.shape(s, id);
        if !shape.nobody {
            return Ok(self.convert(Conversion::Somebody { proved: true }, id, to));
        }
        let message = Message::error(self.span_of(id), "this may be nobody");
        self.fail(message.help("ask first: `if … is nobody: return`, or `if … is not nobody:`"))
    }

    fn number_into(
        &mut self,
        s: &Scope,
        id: ExprId,
        from: Type,
        mixed: MixedId,
    ) -> Checked<ExprId> {
        let to = Type::Mixed(mixed);
        match (from, self.program[mixed].number) {
            (Type::Number, MixedNumber::Whole(_))
            | (Type::Fraction, MixedNumber::Fraction)
            | (Type::Dice, MixedNumber::Dice) => Ok(self.convert(Conversion::Widen, id, to)),
            (Type::Number, MixedNumber::Fraction) => {
                let exact = self.coerce(s, id, Type::Fraction)?;
                Ok(self.convert(Conversion::Widen, exact, to))
            }
            (Type::Dice, MixedNumber::Whole(_)) => {
                let thrown = self.convert(Conversion::Thrown, id, Type::Number);
                Ok(self.convert(Conversion::Widen, thrown, to))
            }
            _ => self.mismatch(id, to),
        }
    }

    /// The number that a mixed value is. What can be asked must be asked; a cell or a result cannot, and is checked in play.
    fn number_out_of(
        &mut self,
        s: &Scope,
        id: ExprId,
        mixed: MixedId,
        to: Type,
    ) -> Checked<ExprId> {
        let shape = self.shape(s, id);
        let inner = match self.program[mixed].number {
            MixedNumber::None => return self.mismatch(id, to),
            MixedNumber::Whole(_) => Type::Number,
            MixedNumber::Fraction => Type::Fraction,
            MixedNumber::Dice => Type::Dice,
        };
        let proved = shape.words.is_empty();
        if !proved && self.path(id).is_some() {
            let words: Vec<_> = shape
                .words
                .iter()
                .map(|&word| format!("`{}`", self.letters(word)))
                .collect();
            let title = format!("this may be {}, which is no number", words.join(" or "));
            let word = self.letters(shape.words[0]);
            let written = self.sources.text(self.span_of(id)).to_string();
            let help = format!("ask first: `if {written} is {word}: …`");
            return self.fail(Message::error(self.span_of(id), title).help(help));
        }
        let narrowed = self.convert(Conversion::Narrow { proved }, id, inner);
        self.coerce(s, narrowed, to)
    }

    /// Words into a type that has them, by identity or by letters.
    fn words_into(&mut self, s: &Scope, id: ExprId, to: Type) -> Checked<ExprId> {
        let from = self.ty(id);
        let shape = self.shape(s, id);
        let number_fits = |checker: &Self| match (from, to) {
            (Type::Mixed(a), Type::Mixed(b)) => {
                checker.program[a].number == checker.program[b].number
            }
            _ => false,
        };
        if shape.number && !number_fits(self) {
            return self.mismatch(id, to);
        }
        let targets = self.words_of(to);
        let own: Vec<WordId> = self.words_of(from);
        if own.iter().all(|word| targets.contains(word)) && matches!(to, Type::Mixed(_)) {
            return Ok(self.convert(Conversion::Widen, id, to));
        }
        let identical = |word: &WordId| targets.contains(word);
        let missing: Vec<WordId> = shape
            .words
            .iter()
            .copied()
            .filter(|word| !identical(word) && self.find_word(to, &self.letters(*word)).is_none())
            .collect();
        let proved = missing.is_empty();
        let mixed = matches!(from, Type::Mixed(_));
        // A word of a plain type that does not fit is a slip; of a mixed kind it may have been seen to elsewhere.
        if missing.len() == shape.words.len() && !shape.words.is_empty() || !proved && !mixed {
            let words: Vec<_> = missing
                .iter()
                .map(|&word| format!("`{}`", self.letters(word)))
                .collect();
            let wanted = self.type_name(to);
            let title = format!(
                "{wanted} is expected here, and this may be {}",
                words.join(" or ")
            );
            return self.fail(Message::error(self.span_of(id), title));
        }
        let same_identity = shape
            .words
            .iter()
            .all(|word| identical(word) || missing.contains(word));
        let conversion = match same_identity && mixed {
            true => Conversion::Narrow { proved },
            false => Conversion::Recast { proved },
        };
        Ok(self.convert(conversion, id, to))
    }

    /// The type that two alternatives of one value share.
    pub(super) fn common_type(&mut self, a: ExprId, b: ExprId) -> Option<Type> {
        let (x, y) = (self.ty(a), self.ty(b));
        if x == y {
            return Some(x);
        }
        let nobody = |checker: &Self, id: ExprId| {
            matches!(checker.program[id].kind, ExprKind::Literal(Value::Nobody))
        };
        match (x, y) {
            (
                Type::Number | Type::Numbers | Type::Dice,
                Type::Number | Type::Numbers | Type::Dice,
            ) => Some(Type::Number),
            (
                Type::Number | Type::Numbers | Type::Fraction,
                Type::Number | Type::Numbers | Type::Fraction,
            ) => Some(Type::Fraction),
            (Type::Unit(unit), Type::MaybeUnit(of)) | (Type::MaybeUnit(of), Type::Unit(unit))
                if unit == of =>
            {
                Some(Type::MaybeUnit(of))
            }
            (Type::Unit(unit), _) if nobody(self, b) => Some(Type::MaybeUnit(unit)),
            (_, Type::Unit(unit)) if nobody(self, a) => Some(Type::MaybeUnit(unit)),
            (Type::Side | Type::Unit(_), Type::Side | Type::Unit(_)) => Some(Type::Side),
            (
                Type::Side | Type::MaybeSide | Type::Unit(_),
                Type::Side | Type::MaybeSide | Type::Unit(_),
            ) => Some(Type::MaybeSide),
            (
                Type::Word(_) | Type::Mixed(_) | Type::Number | Type::Fraction | Type::Dice,
                Type::Word(_) | Type::Mixed(_),
            )
            | (Type::Word(_) | Type::Mixed(_), Type::Number | Type::Fraction | Type::Dice) => {
                self.union(x, y)
            }
            _ => None,
        }
    }

    fn union(&mut self, x: Type, y: Type) -> Option<Type> {
        let mut words = self.words_of(x);
        for word in self.words_of(y) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let number = |checker: &Self, ty: Type| match ty {
            Type::Number => MixedNumber::Whole(Interval {
                low: i64::from(i32::MIN),
                high: i64::from(i32::MAX),
            }),
            Type::Fraction => MixedNumber::Fraction,
            Type::Dice => MixedNumber::Dice,
            Type::Mixed(id) => checker.program[id].number,
            _ => MixedNumber::None,
        };
        let number = match (number(self, x), number(self, y)) {
            (MixedNumber::None, other) | (other, MixedNumber::None) => other,
            (MixedNumber::Whole(a), MixedNumber::Whole(b)) => MixedNumber::Whole(a.hull(b)),
            (a, b) if a == b => a,
            _ => return None,
        };
        // Loose words become one list of loose words.
        let loose = number == MixedNumber::None
            && words
                .iter()
                .all(|word| self.program[word.of].name.is_empty());
        if loose {
            let mut letters: Vec<_> = words.iter().map(|&word| self.letters(word)).collect();
            letters.dedup();
            let span = self.program[words[0].of].span;
            return Some(Type::Word(self.anonymous(&letters, span)));
        }
        Some(Type::Mixed(self.intern_mixed(Mixed { number, words })))
    }

    /// A number, whole or not: modifiers are their sum, dice are thrown.
    pub(super) fn numeric(&mut self, s: &Scope, id: ExprId) -> Checked<ExprId> {
        match self.ty(id) {
            Type::Number | Type::Fraction => Ok(id),
            Type::Fractions => self.coerce(s, id, Type::Fraction),
            Type::Mixed(mixed) if self.program[mixed].number == MixedNumber::Fraction => {
                self.coerce(s, id, Type::Fraction)
            }
            _ => self.coerce(s, id, Type::Number),
        }
    }

    /// Two numbers of one type.
    pub(super) fn numeric_pair(
        &mut self,
        s: &Scope,
        a: ExprId,
        b: ExprId,
    ) -> Checked<(ExprId, ExprId, Type)> {
        let (a, b) = (self.numeric(s, a)?, self.numeric(s, b)?);
        let ty = match (self.ty(a), self.ty(b)) {
            (Type::Number, Type::Number) => Type::Number,
            _ => Type::Fraction,
        };
        Ok((self.coerce(s, a, ty)?, self.coerce(s, b, ty)?, ty))
    }
}
