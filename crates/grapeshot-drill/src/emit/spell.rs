//! Names made of values: of stages, outcomes and words. What they mean is found beforehand, for all they can be.

use super::{Held, Out, Scope, Writer, type_of};
use crate::program::{ExprId, MixedNumber, TextPart, Type, WordsId};
use crate::source::Span;
use std::fmt::Write;

/// Names that parts can spell.
pub(super) struct Names {
    /// The parts, as the filler is told them.
    pub parts: String,
    /// Which of them it is, a number below `count`.
    pub at: String,
    /// How many there are.
    pub count: usize,
}

/// The most names that are kept.
const MOST_NAMES: usize = 10_000;

impl<'p> Writer<'p> {
    /// How many values a type has that have names, and the lowest of them.
    pub(super) fn named(&self, ty: Type) -> Option<(usize, i32)> {
        let sides = self.layout.procedure.sides.len();
        Some(match ty {
            Type::Flag => (2, 0),
            Type::Word(of) => (self.program[of].words.len(), 0),
            Type::Mixed(of) if self.program[of].number == MixedNumber::None => {
                (self.program[of].words.len(), 0)
            }
            Type::Side => (sides, 0),
            Type::MaybeSide => (sides + 1, -1),
            Type::Unit(_) => (self.units, 0),
            Type::MaybeUnit(_) => (self.units + 1, -1),
            _ => return None,
        })
    }

    pub(super) fn names(
        &mut self,
        scope: &mut Scope<'p>,
        parts: &'p [TextPart],
        span: Span,
    ) -> Out<Names> {
        let (mut said, mut at, mut count) = (String::new(), String::from("0_usize"), 1);
        for part in parts {
            match part {
                TextPart::Letters(letters) => {
                    let _ = write!(said, "Part::Letters({letters:?}), ");
                }
                TextPart::Value(id) => {
                    let ty = self.program[*id].ty;
                    let range = self.program[*id].range;
                    let (many, low) = match (ty, range) {
                        (Type::Number, Some(range)) if range.low >= 0 && range.high < 1000 => {
                            (range.high as usize + 1, 0)
                        }
                        _ => match self.named(ty) {
                            Some(named) => named,
                            None => return self.refuse(span, "a name with such a value in it"),
                        },
                    };
                    let value = self.expr(scope, *id)?;
                    let value = match self.held(ty, span)? {
                        Held::Flag => format!("usize::from({value})"),
                        _ => format!("(({value}) - ({low})) as usize"),
                    };
                    at = format!("({at}) * {many} + {value}");
                    count *= many;
                    let _ = write!(said, "Part::Value({}, {many}), ", type_of(ty));
                }
            }
        }
        if count > MOST_NAMES {
            return self.refuse(span, "so many names");
        }
        Ok(Names {
            parts: format!("&[{said}]"),
            at,
            count,
        })
    }

    pub(super) fn spelled(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        words: WordsId,
        parts: &'p [TextPart],
    ) -> Out<String> {
        let span = self.program[id].span;
        let names = self.names(scope, parts, span)?;
        let array = self.filled(
            "spelled",
            &format!("[i32; {}]", names.count),
            format!("fill.spelled(WordsId({}), {})", words.0, names.parts),
        );
        let wrong = self.trouble(
            format!(
                "format!(\"`{{}}` is no word that is wanted here\", fill.name({}, n))",
                names.parts
            ),
            span,
        );
        let (a, b) = (self.name(), self.name());
        Ok(format!(
            "{{ let {a} = {}; let {b} = {array}[{a}]; if {b} < 0 {{ w.note({wrong}, {a} as i32); 0 }} else {{ {b} }} }}",
            names.at
        ))
    }

    /// Letters that nobody hears: only what happens while they are made.
    pub(super) fn unheard(&mut self, scope: &mut Scope<'p>, parts: &'p [TextPart]) -> Out<String> {
        let mut text = String::from("{ ");
        for part in parts {
            if let TextPart::Value(id) = part {
                let value = self.expr(scope, *id)?;
                let _ = write!(text, "let _ = {value}; ");
            }
        }
        text.push('}');
        Ok(text)
    }
}
