//! Edits of variants.

use super::token::Kind;
use super::{Parser, Read};
use crate::tree::*;

impl Parser<'_, '_> {
    /// After `add`.
    pub(super) fn add(&mut self) -> Read<Edit> {
        if self.accept_word("to") {
            return self.add_to();
        }
        if self.accept_word("word") {
            let word = self.word("a word")?;
            self.expect_word("to")?;
            let to = self.name("a type of words")?;
            let between = match self.accept_word("between") {
                true => {
                    let before = self.word("a word")?;
                    self.expect_word("and")?;
                    Some((before, self.word("a word")?))
                }
                false => None,
            };
            let like = match self.accept(Kind::Comma) {
                true => {
                    self.expect_word("like")?;
                    Some(self.word("a word")?)
                }
                false => None,
            };
            return Ok(Edit::Word {
                word,
                to,
                between,
                like,
            });
        }
        if self.accept_word("key") {
            let keys = self.dotted_list("the name of a key")?;
            self.expect_word("beside")?;
            return Ok(Edit::Key(keys, self.dotted("the name of a key")?));
        }
        let rows = self.at_word("rows");
        if !rows && !self.at_word("columns") {
            return self.expected("`to`, `word`, `key`, `rows` or `columns`");
        }
        self.at += 1;
        self.expect_word("to")?;
        let table = self.name("a table")?;
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let lines = self.some_below(|p| p.below(|p| p.grid_line()))?;
        Ok(if rows {
            Edit::Rows(table, lines)
        } else {
            Edit::Columns(table, lines)
        })
    }

    /// `10 = "1", "2"`.
    fn grid_line(&mut self) -> Read<GridLine> {
        let heading = self.signed_word("a heading")?;
        self.expect(Kind::Equals, "=")?;
        let mut cells = vec![self.signed_word("a cell")?];
        while self.accept(Kind::Comma) {
            cells.push(self.signed_word("a cell")?);
        }
        Ok(GridLine { heading, cells })
    }

    /// A cell or heading: a word, a text or a number, perhaps with a sign.
    fn signed_word(&mut self, what: &str) -> Read<Name> {
        let start = self.here();
        let sign = match self.peek() {
            Some(Kind::Minus) => "-",
            Some(Kind::Plus) => "+",
            _ => return self.word(what),
        };
        self.at += 1;
        let word = self.word(what)?;
        Ok(Name {
            text: format!("{sign}{}", word.text).into(),
            span: self.since(start),
        })
    }

    fn add_to(&mut self) -> Read<Edit> {
        let what = self.letters();
        let sorts = [
            "unit",
            "line",
            "modifiers",
            "settings",
            "procedure",
            "header",
        ];
        if !self.at(Kind::Name) || !sorts.contains(&what) {
            return self
                .expected("`unit`, `line`, `modifiers`, `settings`, `procedure` or `header`");
        }
        self.at += 1;
        if what == "settings" {
            let name = match self.at(Kind::Colon) {
                true => None,
                false => Some(self.name("a group of settings")?),
            };
            self.expect(Kind::Colon, ":")?;
            if self.done() {
                let fields = self.some_below(|p| p.below(|p| p.field()))?;
                return Ok(Edit::ToSettings(name, Vec::new(), fields));
            }
            let names = self.dotted_list("the name of a key")?;
            return Ok(Edit::ToSettings(name, names, Vec::new()));
        }
        let name = self.name("its name")?;
        let called = self.called()?;
        if what == "modifiers" {
            return Ok(Edit::ToModifiers(name, self.block(|p| p.modifier())?));
        }
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        Ok(match what {
            "unit" | "line" => Edit::ToUnit {
                name,
                called,
                body: self.unit_body(),
            },
            _ => Edit::ToHead(name, self.only_heads()),
        })
    }

    /// After `replace`.
    pub(super) fn replace(&mut self) -> Read<Edit> {
        let kind = match self.letters() {
            "define" => TextKind::Define,
            "roll" => TextKind::Roll,
            "rule" => TextKind::Rule,
            "modifiers" => {
                self.at += 1;
                return Ok(Edit::ReplaceModifiers(self.modifiers()?));
            }
            _ => return self.expected("`define`, `roll`, `rule` or `modifiers`"),
        };
        self.at += 1;
        Ok(Edit::ReplaceText(self.named_text(kind)?))
    }

    /// After `change`.
    pub(super) fn change(&mut self) -> Read<Edit> {
        let name = self.dotted("a table, a list or a field")?;
        if let Some(table) = name.single().cloned()
            && self.accept(Kind::OpenSquare)
        {
            let mut indices = vec![self.signed_word("a heading")?];
            while self.accept(Kind::Comma) {
                indices.push(self.signed_word("a heading")?);
            }
            self.expect(Kind::CloseSquare, "]")?;
            self.expect(Kind::Equals, "=")?;
            let cell = self.signed_word("a cell")?;
            return Ok(Edit::Cell {
                table,
                indices,
                cell,
            });
        }
        self.expect(Kind::Colon, ":")?;
        if let Some(list) = name.single().cloned() {
            let mut entries = Vec::new();
            loop {
                let entry = self.word("an entry")?;
                self.expect(Kind::Equals, "=")?;
                entries.push((entry, self.signed_word("a value")?));
                if !self.accept(Kind::Comma) {
                    return Ok(Edit::Entries(list, entries));
                }
            }
        }
        let kind = self.kind()?;
        let default = match self.accept(Kind::Equals) {
            true => Some(self.choice()?),
            false => None,
        };
        Ok(Edit::Kind {
            field: name,
            kind,
            default,
        })
    }

    /// After `in`: `rule charge_home:`.
    pub(super) fn within(&mut self) -> Read<Edit> {
        let procedure = self.at_word("procedure");
        if !procedure && !self.at_word("rule") {
            return self.expected("`play`, `rule` or `procedure`");
        }
        self.at += 1;
        let name = self.name("its name")?;
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let steps = self.some_below(|p| p.below(|p| p.step()))?;
        Ok(Edit::Within {
            procedure,
            name,
            steps,
        })
    }

    fn step(&mut self) -> Read<Step> {
        let span = self.line.span;
        let word = self.letters();
        if !["move", "before", "after", "replace"].contains(&word) {
            return self.expected("`move stage`, `before`, `after` or `replace`");
        }
        self.at += 1;
        if word == "move" {
            self.expect_word("stage")?;
            let moved = self.text("the name of a stage")?;
            let before = self.at_word("before");
            if !before && !self.at_word("after") {
                return self.expected("`before` or `after`");
            }
            self.at += 1;
            let stage = self.text("the name of a stage")?;
            let kind = match before {
                true => StepKind::MoveBefore(moved),
                false => StepKind::MoveAfter(moved),
            };
            return Ok(Step { kind, stage, span });
        }
        let stage = self.text("the name of a stage")?;
        let body = self.statements()?;
        let kind = match word {
            "before" => StepKind::Before(body),
            "after" => StepKind::After(body),
            _ => StepKind::Replace(body),
        };
        Ok(Step { kind, stage, span })
    }
}
