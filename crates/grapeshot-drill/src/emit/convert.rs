//! From one layout to another.

use super::{Held, Out, Scope, Writer, parts_of};
use crate::program::{Conversion, ExprId, Type, WordId};
use crate::run::value::Numbers;
use smallvec::smallvec;

impl<'p> Writer<'p> {
    pub(super) fn convert(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        conversion: Conversion,
        of: ExprId,
    ) -> Out<String> {
        let program = self.program;
        let (span, to, from) = (program[id].span, program[id].ty, program[of].ty);
        match conversion {
            Conversion::Exact => {
                let value = self.expr(scope, of)?;
                Ok(match self.held(from, span)? {
                    Held::One => format!("[{value}, 1]"),
                    Held::List(1) => format!("({value}).exact()"),
                    _ => value,
                })
            }
            Conversion::OrNobody => self.expr(scope, of),
            Conversion::Somebody { proved } => {
                let value = self.expr(scope, of)?;
                if proved {
                    return Ok(value);
                }
                let wrong = self.says("this is nobody", span);
                let a = self.name();
                Ok(format!(
                    "{{ let {a} = {value}; if {a} < 0 {{ w.note({wrong}, 0); 0 }} else {{ {a} }} }}"
                ))
            }
            Conversion::ToSide => match from {
                Type::Side | Type::MaybeSide => self.expr(scope, of),
                _ => self.of_each(scope, "side", id, of),
            },
            Conversion::Members => match from {
                Type::Units(_) => self.expr(scope, of),
                _ => self.of_each(scope, "members", id, of),
            },
            Conversion::Thrown => self.dice_of_cell(scope, id, of),
            Conversion::Total => self.total(scope, id, of),
            Conversion::Recast { .. } => {
                let layout = self.layout;
                self.mapped(scope, id, of, &|word| {
                    let letters = &program[word.of].words[word.at as usize];
                    layout.word_with_letters(letters, to)
                })
            }
            Conversion::Widen | Conversion::Narrow { .. } => {
                if from == Type::Dice || to == Type::Dice {
                    let value = self.expr(scope, of)?;
                    let words = program.words_of(from);
                    return match words.is_empty() {
                        true => Ok(value),
                        false => self.mapped(scope, id, of, &|word| {
                            self_word(&program[word.of].words[word.at as usize])
                        }),
                    };
                }
                let layout = self.layout;
                self.mapped(scope, id, of, &|word| layout.word_as(word, to))
            }
        }
    }

    /// A word as another, a number as itself.
    fn mapped(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        of: ExprId,
        map: &dyn Fn(WordId) -> Result<Numbers, String>,
    ) -> Out<String> {
        let program = self.program;
        let (span, to, from) = (program[id].span, program[id].ty, program[of].ty);
        let value = self.expr(scope, of)?;
        let (held_from, held_to) = (self.held(from, span)?, self.held(to, span)?);
        let words = program.words_of(from);
        let name = self.name();
        let number = self.number_as(&name, held_from, held_to, id)?;
        if words.is_empty() {
            return Ok(format!("{{ let {name} = {value}; {number} }}"));
        }
        let mut arms = String::new();
        for (at, word) in words.iter().enumerate() {
            let encoded = match from {
                Type::Mixed(mixed) => self.layout.mixed_word(mixed, at),
                _ => smallvec![i32::from(word.at)],
            };
            let encoded = match encoded[..] {
                [one] => one.to_string(),
                _ => parts_of(&encoded),
            };
            let made = match map(*word) {
                Ok(parts) => match held_to {
                    Held::One => parts[0].to_string(),
                    Held::Flag => (parts[0] != 0).to_string(),
                    _ => parts_of(&parts),
                },
                Err(text) => {
                    let wrong = self.says(&text, span);
                    format!("{{ w.note({wrong}, 0); {} }}", held_to.empty())
                }
            };
            arms.push_str(&format!("{encoded} => {made}, "));
        }
        Ok(format!(
            "{{ let {name} = {value}; match {name} {{ {arms} _ => {number} }} }}"
        ))
    }

    /// A number in another layout; what is no number does not come here.
    fn number_as(&mut self, name: &str, from: Held, to: Held, id: ExprId) -> Out<String> {
        let span = self.program[id].span;
        Ok(match (from, to) {
            (Held::One, Held::Parts(2)) => format!("[{name}, 1]"),
            (Held::Parts(2), Held::One) => {
                let wrong = self.says("this is no whole number", span);
                format!("if {name}[1] == 1 {{ {name}[0] }} else {{ w.note({wrong}, 0); 0 }}")
            }
            (from, to) if from == to => name.to_owned(),
            _ => return self.refuse(span, "this conversion"),
        })
    }
}

/// What is said of a word where dice are wanted.
fn self_word(letters: &str) -> Result<Numbers, String> {
    Err(format!("this is `{letters}`, which cannot be here"))
}
