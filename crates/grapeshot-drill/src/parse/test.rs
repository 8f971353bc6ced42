//! Tests that stand in the language, and what must hold of the tables.

use super::token::Kind;
use super::{Parser, Read};
use crate::tree::*;

impl Parser<'_, '_> {
    /// `fire target.morale=green`, up to the colon.
    fn ask(&mut self) -> Read<Ask> {
        let procedure = self.name("a procedure")?;
        let mut settings = Vec::new();
        while !self.at(Kind::Colon) {
            let key = self.dotted("a key")?;
            self.expect(Kind::Equals, "=")?;
            settings.push((key, self.given()?));
        }
        Ok(Ask {
            procedure,
            settings,
        })
    }

    /// A value as it is given: a word, a number perhaps with a sign, or `1/2`.
    fn given(&mut self) -> Read<Name> {
        let start = self.here();
        let minus = self.accept(Kind::Minus);
        let mut word = self.word("a value")?;
        if minus {
            word.text = format!("-{}", word.text).into();
        }
        if self.at(Kind::Slash) {
            self.at += 1;
            let below = self.word("a number")?;
            word.text = format!("{}/{}", word.text, below.text).into();
        }
        word.span = self.since(start);
        Ok(word)
    }

    /// After `example`.
    pub(super) fn example(&mut self) -> Read<Example> {
        let title = self.text("what it shows, in quotes,")?;
        let ask = self.ask()?;
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let trials = self.some_below(|p| p.below(|p| p.trial()))?;
        Ok(Example { title, ask, trials })
    }

    /// `6, 11, 5: pinned, sp_lost 1`.
    fn trial(&mut self) -> Read<Trial> {
        let span = self.line.span;
        let mut dice = Vec::new();
        while !self.at(Kind::Colon) {
            dice.push(self.given()?);
            if !self.at(Kind::Colon) {
                self.expect(Kind::Comma, ",` or `:")?;
            }
        }
        self.at += 1;
        let mut results = Vec::new();
        loop {
            let one = self.given()?;
            let value = match self.done() || self.at(Kind::Comma) {
                true => None,
                false => Some(self.given()?),
            };
            results.push((one, value));
            if !self.accept(Kind::Comma) {
                return Ok(Trial {
                    dice,
                    results,
                    span,
                });
            }
        }
    }

    /// After `expect`.
    pub(super) fn expect_item(&mut self) -> Read<Expect> {
        let ask = self.ask()?;
        self.expect(Kind::Colon, ":")?;
        let report = self.name("a report")?;
        let mut chances = Vec::new();
        loop {
            let value = self.given()?;
            chances.push((value, self.sum()?));
            if !self.accept(Kind::Comma) {
                return Ok(Expect {
                    ask,
                    report,
                    chances,
                });
            }
        }
    }

    /// After `check`.
    pub(super) fn check(&mut self) -> Read<Check> {
        let text = self.text("what must hold, in quotes,")?;
        let mut over = Vec::new();
        if self.accept_word("for") {
            loop {
                let name = self.new_name("a name for each")?;
                self.expect_word("in")?;
                over.push((name, self.range()?));
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
        }
        let body = self.statements()?;
        Ok(Check { text, over, body })
    }
}
