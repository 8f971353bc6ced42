//! Items: what begins at the left margin.

use super::token::Kind;
use super::{Parser, Read};
use crate::message::Message;
use crate::nearest::nearest;
use crate::tree::*;

/// The words that items begin with.
const ITEMS: [&str; 29] = [
    "ruleset",
    "variant",
    "about",
    "reading",
    "use",
    "procedures",
    "tables",
    "table",
    "list",
    "dice",
    "words",
    "record",
    "unit",
    "line",
    "in",
    "settings",
    "queue",
    "define",
    "roll",
    "rule",
    "modifiers",
    "header",
    "procedure",
    "check",
    "example",
    "expect",
    "add",
    "replace",
    "change",
];

impl Parser<'_, '_> {
    /// One item, with what is below it.
    pub(super) fn item(&mut self) -> Read<Item> {
        let span = self.line.span;
        let help = self.help();
        let word = self.letters();
        if !self.at(Kind::Name) || !ITEMS.contains(&word) {
            let message = Message::error(self.here(), format!("no item begins with `{word}`"));
            let meant = nearest(word, ITEMS).map(|item| format!("did you mean `{item}`?"));
            return self.say(message.maybe_help(meant));
        }
        self.at += 1;
        let kind = match word {
            "ruleset" => {
                // It is called like its folder, which may have hyphens.
                let name = self.name("the name of the ruleset")?;
                self.expect(Kind::Colon, ":")?;
                ItemKind::Ruleset(name, self.text("its title in quotes")?)
            }
            "variant" => {
                self.expect_word("of")?;
                let of = self.name("the name of a ruleset")?;
                self.expect(Kind::Colon, ":")?;
                ItemKind::Variant(of, self.text("its title in quotes")?)
            }
            "about" => ItemKind::About(self.text("a text")?),
            "reading" => ItemKind::Reading(self.text("a text")?),
            "use" => ItemKind::Use(self.name("the name of a file")?),
            "procedures" => ItemKind::Procedures(self.name_list("the name of a procedure")?),
            "tables" => ItemKind::Tables(self.block(|p| p.printed())?),
            "table" | "list" => ItemKind::Grid(self.grid(word == "list")?),
            "dice" => {
                let (name, faces) = self.die()?;
                ItemKind::Dice(name, faces)
            }
            "words" => {
                let (name, body) = self.words()?;
                ItemKind::Words(name, body)
            }
            "record" => ItemKind::Record(self.record()?),
            "unit" | "line" => ItemKind::Unit(self.unit(word == "line")?),
            "in" => match self.accept_word("play") {
                true => ItemKind::InPlay(self.block(|p| p.field())?),
                false => ItemKind::Edit(self.within()?),
            },
            "settings" => self.settings()?,
            "queue" => self.queue()?,
            "define" => ItemKind::Text(self.named_text(TextKind::Define)?),
            "roll" => ItemKind::Text(self.named_text(TextKind::Roll)?),
            "rule" => ItemKind::Text(self.named_text(TextKind::Rule)?),
            "modifiers" => ItemKind::Modifiers(self.modifiers()?),
            "header" => {
                let name = self.new_name("the name of the header")?;
                self.expect(Kind::Colon, ":")?;
                self.end()?;
                ItemKind::Header(name, self.only_heads())
            }
            "procedure" => ItemKind::Procedure(self.procedure()?),
            "check" => ItemKind::Check(self.check()?),
            "example" => ItemKind::Example(self.example()?),
            "expect" => ItemKind::Expect(self.expect_item()?),
            "add" => ItemKind::Edit(self.add()?),
            "replace" => ItemKind::Edit(self.replace()?),
            _ => ItemKind::Edit(self.change()?),
        };
        Ok(Item { kind, help, span })
    }

    fn settings(&mut self) -> Read<ItemKind> {
        if self.at(Kind::Colon) {
            return Ok(ItemKind::Settings(None, self.block(|p| p.field())?));
        }
        let name = self.new_name("the name of the group")?;
        self.expect(Kind::Colon, ":")?;
        if self.done() {
            let fields = self.some_below(|p| p.below(|p| p.field()))?;
            return Ok(ItemKind::Settings(Some(name), fields));
        }
        Ok(ItemKind::Group(
            name,
            self.dotted_list("the name of a setting")?,
        ))
    }

    fn queue(&mut self) -> Read<ItemKind> {
        let name = self.new_name("the name of the queue")?;
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let events = self.some_below(|p| {
            p.below(|p| {
                let event = p.new_name("the name of an event")?;
                p.expect(Kind::Colon, ":")?;
                let mut params = vec![p.param()?];
                while p.accept(Kind::Comma) {
                    params.push(p.param()?);
                }
                Ok((event, params))
            })
        })?;
        Ok(ItemKind::Queue(name, events))
    }

    /// After `define`, `roll` or `rule`.
    pub(super) fn named_text(&mut self, kind: TextKind) -> Read<Text> {
        let signature = self.signature()?;
        if !self.accept(Kind::Equals) {
            let body = self.statements()?;
            return Ok(Text {
                kind,
                signature,
                body,
                replaces: None,
            });
        }
        let value = self.expr()?;
        let span = value.span;
        let body = vec![Stmt {
            kind: StmtKind::Return(Some(value)),
            span,
        }];
        Ok(Text {
            kind,
            signature,
            body,
            replaces: None,
        })
    }

    /// After `modifiers`.
    pub(super) fn modifiers(&mut self) -> Read<Modifiers> {
        let signature = self.signature()?;
        let from = match self.accept_word("from") {
            true => Some(self.name("a list or a table")?),
            false => None,
        };
        let by = match from.is_some() && self.accept_word("by") {
            true => Some(self.followed()?),
            false => None,
        };
        Ok(Modifiers {
            signature,
            from,
            by,
            entries: self.block(|p| p.modifier())?,
            replaces: None,
        })
    }

    /// `panic-marker times unit.panic when …`.
    pub(super) fn modifier(&mut self) -> Read<Modifier> {
        let start = self.here();
        let name = match self.accept(Kind::OpenSquare) {
            true => {
                let value = self.expr()?;
                self.expect(Kind::CloseSquare, "]")?;
                ModifierName::Value(value)
            }
            false => ModifierName::Word(self.word("the name of a modifier")?),
        };
        let value = match self.accept(Kind::Colon) {
            true => Some(self.choice()?),
            false => None,
        };
        let times = match self.accept_word("times") {
            true => Some(self.sum()?),
            false => None,
        };
        let condition = match self.accept_word("when") {
            true => Some(self.condition()?),
            false => None,
        };
        Ok(Modifier {
            name,
            value,
            times,
            condition,
            span: self.since(start),
        })
    }

    fn procedure(&mut self) -> Read<Procedure> {
        // No formula names it, so it may be spelled as it is typed in a command: `flank-march`.
        let name = self.name("the name of the procedure")?;
        let (mut composed, mut simulated, mut decided_for) = (false, false, None);
        while self.accept(Kind::Comma) {
            match self.letters() {
                "composed" => composed = true,
                "simulated" => simulated = true,
                "decided" => {
                    self.at += 1;
                    self.expect_word("for")?;
                    decided_for = Some(self.name("a side")?);
                    continue;
                }
                _ => return self.expected("`composed`, `simulated` or `decided for`"),
            }
            self.at += 1;
        }
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let (head, body) = self.head_and_body();
        Ok(Procedure {
            name,
            composed,
            simulated,
            decided_for,
            head,
            body,
        })
    }
}
