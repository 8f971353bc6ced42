//! Texts and words with values in them.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, Template, TemplatePart};

impl Checker<'_> {
    /// A text where a value is expected: a word, a code, or letters to be told.
    pub(super) fn text_value(
        &mut self,
        s: &mut Scope,
        template: &Template,
        want: Option<Type>,
    ) -> Checked<ExprId> {
        let span = template.raw.span;
        if let Some(text) = template.plain() {
            let name = tree::Name {
                text: text.into(),
                span,
            };
            return match want {
                Some(Type::Record(of)) => {
                    let value = self.code_value(of, &name)?;
                    Ok(self.literal(value, Type::Record(of), span))
                }
                Some(Type::Word(of)) => {
                    let word = self.word_in(of, &name)?;
                    Ok(self.literal(Value::Word(word), Type::Word(of), span))
                }
                Some(Type::Mixed(_))
                    if self
                        .find_word(want.unwrap_or(Type::Nothing), text)
                        .is_some() =>
                {
                    let word = self
                        .find_word(want.unwrap_or(Type::Nothing), text)
                        .unwrap_or(WordId {
                            of: Words::NONE,
                            at: 0,
                        });
                    let literal = self.literal(Value::Word(word), Type::Word(word.of), span);
                    self.coerce(s, literal, want.unwrap_or(Type::Nothing))
                }
                Some(Type::Text) => Ok(self.literal(Value::Text(text.into()), Type::Text, span)),
                None if self.is_printed_heading(text) => Ok(self.loose_word(&name.text, span)),
                _ => Ok(self.literal(Value::Text(text.into()), Type::Text, span)),
            };
        }
        let (parts, ids) = self.parts(s, template)?;
        match want {
            Some(Type::Word(of)) => {
                self.spell_all(s, &parts, of, span)?;
                Ok(self.made_of(
                    ExprKind::Spelled(of, parts),
                    Type::Word(of),
                    None,
                    span,
                    &ids,
                ))
            }
            _ => Ok(self.made_of(ExprKind::Text(parts), Type::Text, None, span, &ids)),
        }
    }

    fn is_printed_heading(&self, text: &str) -> bool {
        let on = |axis: &Axis| axis.place_of_word(text).is_some();
        self.program
            .tables
            .iter()
            .any(|table| on(&table.rows) || on(&table.columns))
    }

    /// The parts of a template, and its values.
    pub(super) fn parts(
        &mut self,
        s: &mut Scope,
        template: &Template,
    ) -> Checked<(Vec<TextPart>, Vec<ExprId>)> {
        let mut parts = Vec::new();
        let mut ids = Vec::new();
        for part in &template.parts {
            parts.push(match part {
                TemplatePart::Letters(letters) => TextPart::Letters(letters.as_str().into()),
                TemplatePart::Star => match s.star {
                    Some((at, side)) => {
                        let side = self.program.procedures[at].sides[side].side;
                        TextPart::Letters(self.program[side].name.clone())
                    }
                    None => return self.error(template.raw.span, "`*` stands only in headers"),
                },
                TemplatePart::Value(expr) => {
                    let id = self.value(s, expr, None)?;
                    let id = match self.ty(id) {
                        Type::Unit(_) if matches!(self.program[id].kind, ExprKind::SideOf(_)) => {
                            self.as_side(id)
                        }
                        Type::Numbers
                            if matches!(self.program[id].kind, ExprKind::Modifiers { .. }) =>
                        {
                            self.numeric(s, id)?
                        }
                        Type::Dice => self.numeric(s, id)?,
                        Type::Nothing => return self.error(expr.span, "this gives no value"),
                        _ => id,
                    };
                    ids.push(id);
                    TextPart::Value(id)
                }
            });
        }
        Ok((parts, ids))
    }

    /// Every word that finite parts can spell must be one of the type; what depends on sides is seen to where sides are
    /// known.
    fn spell_all(&mut self, s: &Scope, parts: &[TextPart], of: WordsId, span: Span) -> Checked<()> {
        let Some(all) = self.spellings(s, parts) else {
            return Ok(());
        };
        for letters in all {
            let name = tree::Name {
                text: letters.into(),
                span,
            };
            self.word_in(of, &name)?;
        }
        Ok(())
    }

    /// All letters that parts can spell, if all of them are words.
    pub(super) fn spellings(&self, s: &Scope, parts: &[TextPart]) -> Option<Vec<String>> {
        let mut all = vec![String::new()];
        for part in parts {
            let choices: Vec<String> = match part {
                TextPart::Letters(letters) => vec![letters.to_string()],
                TextPart::Value(id) => match self.ty(*id) {
                    Type::Word(_) => self
                        .shape(s, *id)
                        .words
                        .iter()
                        .map(|&word| self.letters(word).to_string())
                        .collect(),
                    _ => return None,
                },
            };
            if all.len() * choices.len() > 1000 {
                return None;
            }
            all = all
                .iter()
                .flat_map(|before| choices.iter().map(move |next| format!("{before}{next}")))
                .collect();
        }
        Some(all)
    }
}
