//! Kinds: what a field, a parameter or a cell may be.

use super::token::Kind as T;
use super::{Parser, Read};
use crate::tree::*;

impl Parser<'_, '_> {
    /// `1..6 | green`.
    pub(super) fn kind(&mut self) -> Read<Kind> {
        let start = self.here();
        let mut alternatives = vec![self.alternative()?];
        while self.accept(T::Bar) {
            alternatives.push(self.alternative()?);
        }
        Ok(Kind {
            alternatives,
            span: self.since(start),
        })
    }

    fn alternative(&mut self) -> Read<Alternative> {
        let start = self.here();
        let kind = match self.peek() {
            Some(T::Number | T::Minus | T::Open) => self.numbers()?,
            Some(T::Name) => self.named_kind()?,
            Some(T::Text | T::DigitWord | T::Dice) => self.word_kind()?,
            _ => return self.expected("a kind (a range, a type or words)"),
        };
        Ok(Alternative {
            kind,
            span: self.since(start),
        })
    }

    fn numbers(&mut self) -> Read<AlternativeKind> {
        let low = self.sum()?;
        if !self.accept(T::Dots) {
            return Ok(AlternativeKind::Number(low));
        }
        let high = self.sum()?;
        let is_fraction = |e: &Expr| matches!(&e.kind, ExprKind::Number(n) if !n.is_integer());
        let inner = |e: &Expr| match &e.kind {
            ExprKind::Unary(Unary::Negate, inner) => is_fraction(inner),
            _ => is_fraction(e),
        };
        let decimal = self.decimal_bound(&low) || self.decimal_bound(&high);
        let fraction = self.accept_word("fraction") || inner(&low) || inner(&high) || decimal;
        Ok(AlternativeKind::Range {
            low,
            high,
            fraction,
        })
    }

    /// `-1.0`: a bound with a point is that of a fraction though it is whole.
    fn decimal_bound(&self, bound: &Expr) -> bool {
        self.text_of(bound.span).contains('.')
    }

    fn named_kind(&mut self) -> Read<AlternativeKind> {
        let of_follows = self.word_at(1, "of");
        match self.letters() {
            "list" | "set" if of_follows => {
                let list = self.at_word("list");
                self.at += 2;
                let of = self.name("a type")?;
                Ok(if list {
                    AlternativeKind::List(of)
                } else {
                    AlternativeKind::Set(of)
                })
            }
            "faces" if of_follows => {
                self.at += 2;
                Ok(AlternativeKind::Cell(CellKind::Faces(self.word("a die")?)))
            }
            "score" => self.cell(CellKind::Score),
            "band" => self.cell(CellKind::Band),
            "dice" => self.cell(CellKind::Dice),
            "text" => self.cell(CellKind::Text),
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) => self.type_kind(),
            _ => self.word_kind(),
        }
    }

    fn cell(&mut self, kind: CellKind) -> Read<AlternativeKind> {
        self.at += 1;
        Ok(AlternativeKind::Cell(kind))
    }

    fn type_kind(&mut self) -> Read<AlternativeKind> {
        let of = self.name("a type")?;
        if self.accept_word("from") {
            let from = self.word("a word")?;
            self.expect_word("to")?;
            let to = self.word("a word")?;
            return Ok(AlternativeKind::Part { of, from, to });
        }
        if self.accept(T::Question) {
            return Ok(AlternativeKind::Maybe(of));
        }
        Ok(AlternativeKind::Type(of))
    }

    fn word_kind(&mut self) -> Read<AlternativeKind> {
        let word = self.word("a word")?;
        let means = match self.accept_word("is") {
            true => Some(self.word("a word")?),
            false => None,
        };
        Ok(AlternativeKind::Word { word, means })
    }
}
