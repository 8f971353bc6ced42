//! Fields, units, records, parameters: what things have.

use super::token::Kind;
use super::{Parser, Read};
use crate::tree::*;

impl Parser<'_, '_> {
    /// `morale: 1..6 | green = 3  ## help`.
    pub(super) fn field(&mut self) -> Read<Field> {
        let each = self.at_word("each") && self.peek_at(1) == Some(Kind::Name) && {
            self.at += 1;
            true
        };
        let start = self.here();
        let name = self.dotted("the name of a field")?;
        let sets = match self.accept_word("sets") {
            true => Some(self.followed()?),
            false => None,
        };
        let fixed = match self.accept_word("is") {
            true => Some(self.choice()?),
            false => None,
        };
        let kind = match self.accept(Kind::Colon) {
            true => Some(self.kind()?),
            false => None,
        };
        let default = match self.accept(Kind::Equals) {
            true => Some(self.choice()?),
            false => None,
        };
        Ok(Field {
            each,
            name,
            sets,
            kind,
            default,
            fixed,
            help: self.help(),
            span: self.since(start),
        })
    }

    /// `a, b: 1..9 = 0, c: Flag` on one line, or the first of several such lines.
    pub(super) fn fields_inline(&mut self) -> Read<Vec<Field>> {
        let mut all = Vec::new();
        loop {
            let mut names = vec![self.dotted("the name of a field")?];
            while self.accept(Kind::Comma) {
                names.push(self.dotted("the name of a field")?);
            }
            self.expect(Kind::Colon, ":")?;
            let kind = self.kind()?;
            let default = match self.accept(Kind::Equals) {
                true => Some(self.choice()?),
                false => None,
            };
            for name in names {
                all.push(Field {
                    each: false,
                    span: name.span,
                    name,
                    sets: None,
                    kind: Some(kind.clone()),
                    default: default.clone(),
                    fixed: None,
                    help: self.help(),
                });
            }
            if !self.accept(Kind::Comma) {
                return Ok(all);
            }
        }
    }

    /// After `refuse`.
    pub(super) fn refuse(&mut self) -> Read<Refuse> {
        let span = self.line.span;
        let keys = self.dotted_list("the name of a key")?;
        self.expect_word("when")?;
        let condition = self.condition()?;
        self.expect(Kind::Colon, ":")?;
        let text = self.value_here_or_below()?;
        Ok(Refuse {
            keys,
            condition,
            text,
            span,
        })
    }

    /// `, called firer | target`.
    pub(super) fn called(&mut self) -> Read<Vec<Name>> {
        let mut names = Vec::new();
        if self.accept(Kind::Comma) {
            self.expect_word("called")?;
            names.push(self.new_name("a name")?);
            while self.accept(Kind::Bar) {
                names.push(self.new_name("a name")?);
            }
        }
        Ok(names)
    }

    /// What stands below `unit` and `line`.
    pub(super) fn unit_body(&mut self) -> UnitBody {
        enum Part {
            Field(Field),
            InPlay(Vec<Field>),
            Refuse(Refuse),
        }
        let parts = self.below(|p| {
            if p.at_word("refuse")
                && matches!(p.peek_at(1), Some(Kind::Name | Kind::Star))
                && !p.word_at(1, "sets")
            {
                p.at += 1;
                return Ok(Part::Refuse(p.refuse()?));
            }
            if p.at_word("in") && p.word_at(1, "play") {
                p.at += 2;
                return Ok(Part::InPlay(p.block(|p| p.field())?));
            }
            Ok(Part::Field(p.field()?))
        });
        let mut body = UnitBody::default();
        for part in parts {
            match part {
                Part::Field(field) => body.fields.push(field),
                Part::InPlay(fields) => body.in_play.extend(fields),
                Part::Refuse(refuse) => body.refusals.push(refuse),
            }
        }
        body
    }

    /// After `unit` or `line`.
    pub(super) fn unit(&mut self, line: bool) -> Read<Unit> {
        let name = self.type_name()?;
        let line = match line {
            true => {
                self.expect_word("of")?;
                let of = self.name("a type of units")?;
                self.expect_word("times")?;
                Some((of, self.name("the field that says how many")?))
            }
            false => None,
        };
        let called = self.called()?;
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        Ok(Unit {
            name,
            line,
            called,
            body: self.unit_body(),
        })
    }

    /// The name of a new type.
    pub(super) fn type_name(&mut self) -> Read<Name> {
        let name = self.new_name("the name of a type")?;
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Ok(name);
        }
        self.at -= 1;
        let title = format!("`{name}` is no name of a type: types begin with a capital");
        self.fail(title)
    }

    /// After `record`.
    pub(super) fn record(&mut self) -> Read<Record> {
        let name = self.type_name()?;
        self.expect(Kind::Colon, ":")?;
        let mut record = Record {
            name,
            fields: Vec::new(),
            codes: Vec::new(),
        };
        if !self.done() {
            record.fields = self.fields_inline()?;
            self.end()?;
        }
        enum Part {
            Fields(Vec<Field>),
            Code(Code),
        }
        let parts = self.below(|p| match p.at(Kind::Text) {
            true => Ok(Part::Code(p.code()?)),
            false => Ok(Part::Fields(p.fields_inline()?)),
        });
        for part in parts {
            match part {
                Part::Fields(fields) => record.fields.extend(fields),
                Part::Code(code) => record.codes.push(code),
            }
        }
        Ok(record)
    }

    /// `"P" as panic: panic = 1`.
    fn code(&mut self) -> Read<Code> {
        let pattern = self.text("a code")?;
        let label = match self.accept_word("as") {
            true => Some(match self.at(Kind::Braced) {
                true => self.take(),
                false => self.word("how it is reported")?,
            }),
            false => None,
        };
        let mut sets = Vec::new();
        if self.accept(Kind::Colon) {
            loop {
                let field = self.name("the name of a field")?;
                self.expect(Kind::Equals, "=")?;
                sets.push((field, self.choice()?));
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
        }
        Ok(Code {
            pattern,
            label,
            sets,
        })
    }

    /// `fires(unit, range: Number) -> Flag`.
    pub(super) fn signature(&mut self) -> Read<Signature> {
        let start = self.here();
        let name = self.new_name("a name")?;
        self.expect(Kind::Open, "(")?;
        let mut params = Vec::new();
        while !self.accept(Kind::Close) {
            params.push(self.param()?);
            if !self.at(Kind::Close) {
                self.expect(Kind::Comma, ",` or `)")?;
            }
        }
        let returns = match self.accept(Kind::Arrow) {
            true => Some(self.kind()?),
            false => None,
        };
        Ok(Signature {
            name,
            params,
            returns,
            span: self.since(start),
        })
    }

    pub(super) fn param(&mut self) -> Read<Param> {
        let name = self.new_name("a parameter")?;
        let kind = match self.accept(Kind::Colon) {
            true => Some(self.kind()?),
            false => None,
        };
        let default = match self.accept(Kind::Equals) {
            true => Some(self.choice()?),
            false => None,
        };
        Ok(Param {
            name,
            kind,
            default,
        })
    }
}
