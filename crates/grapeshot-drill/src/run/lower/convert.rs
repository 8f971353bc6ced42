//! From one layout to another.

use super::{Lower, Lowered};
use crate::program::{Conversion, MixedNumber, Type, WordId};
use crate::run::value::{Numbers, Operand, Val};
use smallvec::smallvec;

impl Lower<'_> {
    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        value: Val,
        from: Type,
        to: Type,
    ) -> Lowered<Val> {
        let layout = self.layout;
        match conversion {
            Conversion::Exact => match value {
                Val::Parts(parts) if parts.len() == 1 => {
                    Ok(Val::Parts(smallvec![parts[0], Operand::Known(1)]))
                }
                Val::List(mut entries) => {
                    for entry in &mut entries {
                        entry.value.resize(2, Operand::Known(1));
                    }
                    Ok(Val::List(entries))
                }
                other => self.apply([other], &mut |args| {
                    Ok(smallvec![args[0][0], args[0].get(1).copied().unwrap_or(1)])
                }),
            },
            Conversion::OrNobody => Ok(value),
            Conversion::Somebody { proved } => {
                let unit = self.part(value)?;
                if !proved && self.reach(unit).low < 0 {
                    return self.apply([Val::one(unit)], &mut |args| match args[0][0] {
                        ..=-1 => Err("this is nobody".into()),
                        unit => Ok(smallvec![unit]),
                    });
                }
                Ok(Val::one(unit))
            }
            Conversion::ToSide => {
                if matches!(from, Type::Side | Type::MaybeSide) {
                    return Ok(value);
                }
                self.apply([value], &mut |args| {
                    layout.side_of(from, &args[0], Type::Side)
                })
            }
            Conversion::Members => self.apply([value], &mut |args| layout.members(from, &args[0])),
            Conversion::Thrown => self.dice_of_cell(value, from),
            Conversion::Total => self.total(value),
            Conversion::Recast { .. } => self.apply([value], &mut |args| {
                let word = layout.word(from, &args[0]).ok_or("this is no word")?;
                layout
                    .word_with_letters(layout.program[word.of].words[word.at as usize].as_ref(), to)
            }),
            Conversion::Widen | Conversion::Narrow { .. } => self.recut(value, from, to),
        }
    }

    /// A number or word out of, or into, a mixed kind.
    fn recut(&mut self, value: Val, from: Type, to: Type) -> Lowered<Val> {
        let layout = self.layout;
        let whole = |ty: Type| match ty {
            Type::Number | Type::Place => true,
            Type::Mixed(mixed) => matches!(layout.program[mixed].number, MixedNumber::Whole(_)),
            _ => false,
        };
        // A number is laid out as itself, in a mixed kind and out of it.
        let number = matches!(from, Type::Number) || matches!(to, Type::Number);
        if whole(from) && whole(to) && number {
            return Ok(value);
        }
        if from == Type::Dice || to == Type::Dice {
            return Ok(value);
        }
        self.apply([value], &mut |args| layout.recut(&args[0], from, to))
    }
}

impl crate::run::layout::Layout<'_> {
    /// A number or word out of, or into, a mixed kind.
    pub fn recut(&self, parts: &[i32], from: Type, to: Type) -> Result<Numbers, String> {
        if let Some(word) = self.word(from, parts) {
            return self.word_as(word, to);
        }
        match (self.width(from), self.width(to)) {
            (1, 2) => Ok(smallvec![parts[0], 1]),
            (2, 1) if parts[1] == 1 => Ok(smallvec![parts[0]]),
            (2, 1) => Err("this is no whole number".into()),
            _ => Ok(parts.into()),
        }
    }

    /// A word of a type, or of a mixed kind that has it.
    pub fn word_as(&self, word: WordId, to: Type) -> Result<Numbers, String> {
        let missing = || {
            let letters = &self.program[word.of].words[word.at as usize];
            format!("this is `{letters}`, which cannot be here")
        };
        match to {
            Type::Word(of) if of == word.of => Ok(smallvec![i32::from(word.at)]),
            Type::Mixed(mixed) => {
                let at = self.program[mixed]
                    .words
                    .iter()
                    .position(|known| *known == word);
                at.map(|at| self.mixed_word(mixed, at)).ok_or_else(missing)
            }
            _ => Err(missing()),
        }
    }

    /// The word with these letters of another type.
    pub fn word_with_letters(&self, letters: &str, to: Type) -> Result<Numbers, String> {
        let found = match to {
            Type::Word(of) => self.program[of]
                .position(letters)
                .map(|at| smallvec![i32::from(at)]),
            Type::Mixed(mixed) => {
                let words = &self.program[mixed].words;
                let is_it =
                    |word: &WordId| *self.program[word.of].words[word.at as usize] == *letters;
                words
                    .iter()
                    .position(is_it)
                    .map(|at| self.mixed_word(mixed, at))
            }
            Type::Side | Type::MaybeSide => {
                let sides = 0..self.procedure.sides.len();
                let mut named = sides.filter(|&side| self.side_name(side) == letters);
                named.next().map(|side| smallvec![side as i32])
            }
            _ => None,
        };
        found.ok_or_else(|| format!("there is no `{letters}` among the words that are wanted here"))
    }
}
