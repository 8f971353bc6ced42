//! Letters with values between them: labels, words, names of stages, and what a refusal says.

use super::{Lower, Lowered};
use crate::program::TextPart;
use crate::run::layout::listed;
use crate::run::value::{Operand, Val};
use smallvec::smallvec;

impl Lower<'_> {
    /// Letters that are known.
    pub(super) fn text_now(&mut self, parts: &[TextPart]) -> Lowered<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Letters(letters) => text.push_str(letters),
                TextPart::Value(id) => {
                    let ty = self.layout.program[*id].ty;
                    match self.expr(*id)? {
                        Val::Text(more) => text.push_str(&more),
                        Val::List(entries) => {
                            let known = |part: &Operand| part.known();
                            let mut all = Vec::new();
                            for entry in entries {
                                match (
                                    entry.counts.known(),
                                    entry.value.iter().map(known).collect(),
                                ) {
                                    (Some(0), _) => {}
                                    (Some(_), Some(number)) => all.push(number),
                                    _ => return self.wrong("this is not known before dice fall"),
                                }
                            }
                            text.push_str(&listed(&all));
                        }
                        value => match value.all_known() {
                            Some(parts) => text.push_str(&self.layout.letters(ty, &parts)),
                            None => return self.wrong("this is not known before dice fall"),
                        },
                    }
                }
            }
        }
        Ok(text)
    }

    /// A number that letters with values between them stand for.
    pub(super) fn spell(
        &mut self,
        parts: &[TextPart],
        number: &mut dyn FnMut(&str) -> Result<i32, String>,
    ) -> Lowered<Val> {
        let layout = self.layout;
        let mut values = Vec::new();
        let mut types = Vec::new();
        for part in parts {
            if let TextPart::Value(id) = part {
                let value = self.expr(*id)?;
                values.push(self.keep(value)?);
                types.push(layout.program[*id].ty);
            }
        }
        self.apply(values, &mut |args| {
            let mut text = String::new();
            let mut next = types.iter().zip(args);
            for part in parts {
                match part {
                    TextPart::Letters(letters) => text.push_str(letters),
                    TextPart::Value(_) => {
                        if let Some((ty, parts)) = next.next() {
                            text.push_str(&layout.letters(*ty, parts));
                        }
                    }
                }
            }
            Ok(smallvec![number(&text)?])
        })
    }
}
