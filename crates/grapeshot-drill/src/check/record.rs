//! Records: their fields, and the codes they are printed as.

use super::{Checked, Checker, Named};
use crate::message::Message;
use crate::program::*;
use crate::tree::{self, ExprKind};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn declare_records(&mut self) {
        let declared = std::mem::take(&mut self.declared.records);
        for (at, record) in declared.iter().enumerate() {
            self.types
                .insert(record.name.text.clone(), Named::Record(RecordId(at as u32)));
        }
        for (at, record) in declared.iter().enumerate() {
            self.program.records.push(RecordType {
                name: record.name.text.clone(),
                fields: Vec::new(),
                codes: Vec::new(),
                span: record.name.span,
            });
            let id = RecordId(at as u32);
            for field in &record.fields {
                let _ = self.record_field(id, field);
            }
            for code in &record.codes {
                let _ = self.record_code(id, code);
            }
        }
    }

    fn record_field(&mut self, id: RecordId, field: &tree::Field) -> Checked<()> {
        let Some(kind) = &field.kind else {
            return self.error(field.span, "a field of a record has a kind");
        };
        let sort = self.sort(kind, None)?;
        if let Type::Record(inner) = sort.ty
            && inner.at() >= id.at()
        {
            let message = Message::error(
                kind.span,
                "a record within a record must be declared before it",
            );
            return self.fail(message);
        }
        let default = match &field.default {
            None => self.first_value(&sort),
            Some(expr) => self.constant_value(expr, sort.ty)?,
        };
        let range = match (sort.range, default.number()) {
            (Some(range), Some(number)) => Some(range.hull(Interval::only(number))),
            (range, _) => range,
        };
        self.program.records[id.at()].fields.push(RecordField {
            name: field.name.written().into(),
            ty: sort.ty,
            range,
            printed: sort.range,
            default,
        });
        Ok(())
    }

    /// The first value of a kind; of a record that with all its defaults.
    pub(super) fn first_value(&self, sort: &super::kind::Sort) -> Value {
        match sort.ty {
            Type::Record(of) => self.default_record(of),
            _ => sort.first(),
        }
    }

    pub(super) fn default_record(&self, of: RecordId) -> Value {
        // The code that sets nothing, as it is printed; a record without such a code has no label.
        let plain = |code: &&CodePattern| {
            matches!(code.pieces[..], [CodePiece::Letters(_)]) && code.sets.is_empty()
        };
        let plain = self.program[of].codes.iter().find(plain);
        if let Some(value) = plain.and_then(|code| self.program.read_code(of, &code.written)) {
            return value;
        }
        let fields = self.program[of]
            .fields
            .iter()
            .map(|field| field.default.clone());
        Value::Record(Arc::new(RecordValue {
            of,
            fields: fields.collect(),
            code: u16::MAX,
            label: "".into(),
        }))
    }

    /// A value that stands alone: a number, a flag, a word, a code.
    pub(super) fn constant_value(&mut self, expr: &tree::Expr, ty: Type) -> Checked<Value> {
        match (&expr.kind, ty) {
            (ExprKind::Flag(flag), Type::Flag) => Ok(Value::Flag(*flag)),
            (ExprKind::Nobody, _) => Ok(Value::Nobody),
            (ExprKind::Empty, _) => Ok(Value::List(Vec::new())),
            (ExprKind::Name(word), Type::Word(of)) => Ok(Value::Word(self.word_in(of, word)?)),
            (ExprKind::Name(word), Type::Mixed(_)) if self.find_word(ty, word).is_some() => {
                Ok(self
                    .find_word(ty, word)
                    .map(Value::Word)
                    .unwrap_or(Value::Nobody))
            }
            (ExprKind::Text(text), Type::Word(of)) => Ok(Value::Word(self.word_in(of, &text.raw)?)),
            (ExprKind::Text(text), Type::Record(of)) => self.code_value(of, &text.raw),
            (ExprKind::Text(text), Type::Text) => Ok(Value::Text(text.raw.text.clone())),
            (_, Type::Number) => Ok(Value::Number(self.whole_constant(expr)?)),
            (_, Type::Fraction) => Ok(Value::Fraction(self.constant(expr)?.value)),
            (_, Type::Mixed(_)) => {
                let value = self.constant(expr)?.value;
                Ok(match value.is_integer() {
                    true => Value::Number(value.to_integer()),
                    false => Value::Fraction(value),
                })
            }
            _ => {
                let wanted = self.type_name(ty);
                self.error(
                    expr.span,
                    format!("{wanted} is expected here that is known before play"),
                )
            }
        }
    }

    /// A record by a code in the text.
    pub(super) fn code_value(&mut self, of: RecordId, code: &tree::Name) -> Checked<Value> {
        if let Some(value) = self.program.read_code(of, code) {
            return Ok(value);
        }
        let record = &self.program[of];
        let codes: Vec<&str> = record.codes.iter().map(|code| &*code.written).collect();
        let note = format!(
            "the codes of {} are \"{}\"",
            record.name,
            codes.join("\", \"")
        );
        self.fail(Message::error(code.span, format!("no code reads `{code}`")).note(note))
    }

    fn record_code(&mut self, id: RecordId, code: &tree::Code) -> Checked<()> {
        let pieces = self.pieces(id, &code.pattern, &code.pattern.text)?;
        let mut sets = Vec::new();
        for (field, value) in &code.sets {
            let at = self.record_field_at(id, field)?;
            let same = match &value.kind {
                ExprKind::Name(name) => self.program[id]
                    .fields
                    .iter()
                    .position(|f| *f.name == *name.text),
                _ => None,
            };
            let ty = self.program[id].fields[at].ty;
            let is_word =
                matches!(&value.kind, ExprKind::Name(name) if self.find_word(ty, name).is_some());
            sets.push((
                at,
                match same {
                    Some(other) if !is_word => CodeValue::SameAs(other),
                    _ => {
                        let value = self.constant_value(value, ty)?;
                        let range = &mut self.program.records[id.at()].fields[at].range;
                        if let (Some(known), Some(number)) = (*range, value.number()) {
                            *range = Some(known.hull(Interval::only(number)));
                        }
                        CodeValue::Value(value)
                    }
                },
            ));
        }
        self.program.records[id.at()].codes.push(CodePattern {
            written: code.pattern.text.clone(),
            pieces,
            label: code.label.as_ref().map(|label| label.text.clone()),
            sets,
        });
        Ok(())
    }

    pub(super) fn record_field_at(&mut self, id: RecordId, field: &tree::Name) -> Checked<usize> {
        let found = self.program[id]
            .fields
            .iter()
            .position(|f| *f.name == *field.text);
        match found {
            Some(at) => Ok(at),
            None => {
                let known: Vec<Arc<str>> = self.program[id]
                    .fields
                    .iter()
                    .map(|f| f.name.clone())
                    .collect();
                let what = format!("field of {}", self.program[id].name);
                self.unknown(field, &what, known.iter().map(|name| &**name))
            }
        }
    }

    /// `{sp}*[(a)]` in pieces.
    fn pieces(&mut self, id: RecordId, code: &tree::Name, text: &str) -> Checked<Vec<CodePiece>> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let close = match first {
                '{' => '}',
                '[' => ']',
                _ => {
                    let length = rest.find(['{', '[']).unwrap_or(rest.len());
                    pieces.push(CodePiece::Letters(rest[..length].into()));
                    rest = &rest[length..];
                    continue;
                }
            };
            let Some(end) = rest.find(close) else {
                return self.error(
                    code.span,
                    format!("`{first}` is opened in this code and not closed"),
                );
            };
            let inside = &rest[1..end];
            rest = &rest[end + 1..];
            let name = |text: &str| tree::Name {
                text: text.into(),
                span: code.span,
            };
            if first == '{' {
                pieces.push(CodePiece::Field(self.record_field_at(id, &name(inside))?));
                continue;
            }
            let (letters, flag) = match inside.split_once(':') {
                Some((letters, flag)) => (letters, Some(self.record_field_at(id, &name(flag))?)),
                None => (inside, None),
            };
            if letters.contains('[') {
                return self.error(code.span, "square brackets lie within others in this code");
            }
            pieces.push(CodePiece::Optional(self.pieces(id, code, letters)?, flag));
        }
        Ok(pieces)
    }

    /// A type as messages name it.
    pub(super) fn type_name(&self, ty: Type) -> String {
        let unit = |id: UnitTypeId| {
            self.program
                .units
                .get(id.at())
                .map_or("unit".into(), |unit| unit.name.to_string())
        };
        let words = |id: WordsId| match &*self.program[id].name {
            "" => format!("a word ({})", self.program[id].words.join(" | ")),
            name => with_article(name),
        };
        match ty {
            Type::Nothing => "nothing".into(),
            Type::Flag => "a Flag (true or false)".into(),
            Type::Number => "a number".into(),
            Type::Fraction => "a fraction".into(),
            Type::Word(id) => words(id),
            Type::Mixed(id) => {
                let mixed = &self.program[id];
                let letters: Vec<_> = mixed.words.iter().map(|&word| self.letters(word)).collect();
                match mixed.number {
                    MixedNumber::None => format!("one of {}", letters.join(" | ")),
                    MixedNumber::Dice => format!("dice or {}", letters.join(" | ")),
                    _ => format!("a number or {}", letters.join(" | ")),
                }
            }
            Type::Record(id) => with_article(&self.program[id].name),
            Type::Unit(id) => with_article(&unit(id)),
            Type::MaybeUnit(id) => format!("{} or nobody", with_article(&unit(id))),
            Type::Units(id) => format!("a list of {}", unit(id)),
            Type::Side => "a side".into(),
            Type::MaybeSide => "a side or nobody".into(),
            Type::Place => "a place in a table".into(),
            Type::Numbers | Type::Fractions => "a list of numbers".into(),
            Type::WordSet(id) => format!("a set of {}", self.program[id].name),
            Type::Band => "a band".into(),
            Type::Dice => "dice".into(),
            Type::Text => "a text".into(),
        }
    }
}

fn with_article(name: &str) -> String {
    let vowel = name.starts_with(|c: char| "aeioAEIO".contains(c));
    format!("{} {name}", if vowel { "an" } else { "a" })
}
