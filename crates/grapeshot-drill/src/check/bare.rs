//! Bare words: a word of the type that is expected, else a name, else a word that may still name a row.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::program::*;
use crate::source::Span;
use crate::tree::{self};
use std::sync::Arc;

impl Checker<'_> {
    /// A word literal, if the type has it.
    pub(super) fn word_literal(
        &mut self,
        want: Option<Type>,
        letters: &str,
        span: Span,
    ) -> Option<ExprId> {
        let ty = match want? {
            Type::WordSet(of) => Type::Word(of),
            ty => ty,
        };
        let word = self.find_word(ty, letters)?;
        let literal = self.literal(Value::Word(word), Type::Word(word.of), span);
        Some(match ty {
            Type::Mixed(_) => self.convert(Conversion::Widen, literal, ty),
            _ => literal,
        })
    }

    pub(super) fn name_value(
        &mut self,
        s: &mut Scope,
        name: &tree::Name,
        want: Option<Type>,
    ) -> Checked<ExprId> {
        if let Some(word) = self.word_literal(want, name, name.span) {
            return Ok(word);
        }
        if s.refusal && matches!(&*name.text, "given" | "changed") {
            let kind = if &*name.text == "given" {
                ExprKind::Given
            } else {
                ExprKind::Changed
            };
            return Ok(self.made(kind, Type::Flag, None, name.span));
        }
        if let Some(found) = self.named(s, name)? {
            return Ok(found);
        }
        match want {
            Some(Type::Word(of)) => {
                self.word_in(of, name)?;
                Err(super::Stop)
            }
            Some(Type::Mixed(_)) => {
                let words = self.words_of(want.unwrap_or(Type::Nothing));
                let known: Vec<Arc<str>> =
                    words.into_iter().map(|word| self.letters(word)).collect();
                self.unknown(name, "word", known.iter().map(|word| &**word))
            }
            // A word that no type expects: it may still name a row.
            None if name.contains('-') || self.is_heading(name) || self.is_some_word(name) => {
                Ok(self.loose_word(&name.text, name.span))
            }
            _ => self.unknown_name(s, name),
        }
    }

    pub(super) fn is_some_word(&self, name: &str) -> bool {
        let mut declared = self
            .program
            .words
            .iter()
            .filter(|words| !words.name.is_empty());
        declared.any(|words| words.position(name).is_some())
    }

    /// Words that no place expects are of the one declared type that has them all.
    pub(super) fn settle(&mut self, id: ExprId) -> ExprId {
        let Type::Word(of) = self.ty(id) else {
            return id;
        };
        if !self.program[of].name.is_empty() {
            return id;
        }
        let letters = self.program[of].words.clone();
        let has_all = |words: &Words| {
            !words.name.is_empty()
                && letters
                    .iter()
                    .all(|letters| words.position(letters).is_some())
        };
        let all = self
            .program
            .words
            .iter()
            .enumerate()
            .filter(|(_, words)| has_all(words));
        let found: Vec<usize> = all.map(|(at, _)| at).collect();
        match found[..] {
            [only] => self.convert(
                Conversion::Recast { proved: true },
                id,
                Type::Word(WordsId(only as u32)),
            ),
            _ => id,
        }
    }

    pub(super) fn is_heading(&self, name: &str) -> bool {
        let on = |axis: &Axis| axis.place_of_word(name).is_some();
        self.program
            .tables
            .iter()
            .any(|table| on(&table.rows) || on(&table.columns))
    }

    /// A word of no type.
    pub(super) fn loose_word(&mut self, letters: &Arc<str>, span: Span) -> ExprId {
        let of = self.anonymous(std::slice::from_ref(letters), span);
        self.literal(Value::Word(WordId { of, at: 0 }), Type::Word(of), span)
    }
}
