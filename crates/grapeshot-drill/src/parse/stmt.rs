//! Statements.

use super::token::Kind;
use super::{Parser, Read};
use crate::message::Message;
use crate::tree::*;

/// Words that begin a statement, and are names where `.`, `=` or an opening bracket follows.
const STARTS: [&str; 18] = [
    "let", "if", "else", "case", "for", "each", "repeat", "stage", "end", "return", "nothing",
    "tell", "heading", "choose", "add", "remove", "put", "work",
];

impl<'a> Parser<'_, 'a> {
    /// `: statement` on the line, or statements below.
    pub(super) fn statements(&mut self) -> Read<Block> {
        self.expect(Kind::Colon, ":")?;
        if !self.done() {
            return Ok(vec![self.deeper(Self::statement)?]);
        }
        self.some_below(|p| p.statements_below(0))
    }

    /// The statements on the lines below, from one of them on.
    pub(super) fn statements_below(&mut self, from: usize) -> Block {
        self.took_below = true;
        let line = self.line;
        let mut block: Block = Vec::new();
        for below in line.below.iter().skip(from).filter(|below| !below.broken) {
            let mut parser = Parser::new(self.context, below);
            let read = match parser.at_word("else") {
                true => parser.otherwise(block.last_mut()),
                false => parser.statement().map(|statement| block.push(statement)),
            };
            if read.is_ok() {
                // A message is made; the statement itself was read.
                let _ = parser.finish();
            }
        }
        block
    }

    /// `else` and `else if` belong to the `if` before them.
    fn otherwise(&mut self, before: Option<&mut Stmt>) -> Read<()> {
        let Some(Stmt {
            kind:
                StmtKind::If {
                    branches,
                    otherwise: otherwise @ None,
                },
            ..
        }) = before
        else {
            return self.fail("this `else` has no `if` before it");
        };
        self.at += 1;
        if self.accept_word("if") {
            let condition = self.condition()?;
            branches.push((condition, self.statements()?));
        } else {
            *otherwise = Some(self.statements()?);
        }
        Ok(())
    }

    fn begins(&self) -> bool {
        let follows = self.peek_at(1);
        let assigned = [Kind::Dot, Kind::Equals, Kind::PlusEquals, Kind::MinusEquals];
        let called = [Kind::Open, Kind::OpenSquare];
        let word = self.letters();
        self.at(Kind::Name)
            && STARTS.contains(&word)
            && !follows.is_some_and(|kind| {
                assigned.contains(&kind)
                    || called.contains(&kind)
                        && !matches!(word, "if" | "for" | "case" | "return" | "repeat")
            })
    }

    /// One statement; what is below it is read with it.
    pub(super) fn statement(&mut self) -> Read<Stmt> {
        let start = self.here();
        let kind = match self.begins() {
            true => self.started()?,
            false => self.change_or_call()?,
        };
        Ok(Stmt {
            kind,
            span: self.since(start),
        })
    }

    fn started(&mut self) -> Read<StmtKind> {
        let word = self.letters();
        self.at += 1;
        Ok(match word {
            "let" => {
                let name = self.new_name("a name")?;
                self.expect(Kind::Equals, "=")?;
                StmtKind::Let(name, self.expr()?)
            }
            "if" => {
                let condition = self.condition()?;
                StmtKind::If {
                    branches: vec![(condition, self.statements()?)],
                    otherwise: None,
                }
            }
            "else" => {
                self.at -= 1;
                return self.fail("this `else` has no `if` before it");
            }
            "case" => self.case_statement()?,
            "for" => self.for_each()?,
            "each" => {
                for word in ["turn", "up", "to"] {
                    self.expect_word(word)?;
                }
                let most = self.sum()?;
                StmtKind::Turns(most, self.statements()?)
            }
            "repeat" => {
                let times = self.sum()?;
                self.expect_word("times")?;
                StmtKind::Repeat(times, self.statements()?)
            }
            "stage" => {
                let name = self.quoted("the name of the stage, in quotes,")?;
                StmtKind::Stage(name, self.statements()?)
            }
            "end" if self.done() => StmtKind::End(None),
            "end" => StmtKind::End(Some(self.template("an outcome")?)),
            "return" if self.done() => StmtKind::Return(None),
            "return" => StmtKind::Return(Some(self.expr()?)),
            "nothing" => StmtKind::Nothing,
            "tell" | "heading" => StmtKind::Tell {
                heading: word == "heading",
                text: self.quoted("a text")?,
            },
            "choose" => self.choose()?,
            "add" => {
                let what = self.sum()?;
                self.expect_word("to")?;
                StmtKind::Add(what, self.followed()?)
            }
            "remove" => {
                let what = self.sum()?;
                self.expect_word("from")?;
                StmtKind::Remove(what, self.followed()?)
            }
            "put" => {
                let call = self.plain_call()?;
                self.expect_word("into")?;
                StmtKind::Put(Box::new(call), self.name("a queue")?)
            }
            _ => {
                self.expect_word("off")?;
                let queue = self.name("a queue")?;
                self.expect(Kind::Colon, ":")?;
                let arms =
                    self.some_below(|p| p.below(|p| Ok((p.name("an event")?, p.statements()?))))?;
                StmtKind::WorkOff(queue, arms)
            }
        })
    }

    fn quoted(&mut self, what: &str) -> Read<Template> {
        match self.at(Kind::Text) {
            true => self.template(what),
            false => self.expected(what),
        }
    }

    fn case_statement(&mut self) -> Read<StmtKind> {
        let subject = match self.at(Kind::Colon) {
            true => None,
            false => Some(self.condition()?),
        };
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let asks = subject.is_some();
        let arms = self.some_below(|p| {
            p.below(|p| {
                let start = p.here();
                let alternatives = p.arm(asks)?;
                let span = p.since(start);
                let body = p.statements()?;
                Ok(Arm {
                    alternatives,
                    body,
                    span,
                })
            })
        })?;
        Ok(StmtKind::Case { subject, arms })
    }

    fn for_each(&mut self) -> Read<StmtKind> {
        let name = self.new_name("a name for each")?;
        self.expect_word("in")?;
        let mut over = vec![self.range()?];
        while self.accept(Kind::Comma) {
            over.push(self.range()?);
        }
        let condition = match self.accept_word("where") {
            true => Some(self.condition()?),
            false => None,
        };
        let body = self.statements()?;
        Ok(StmtKind::For {
            name,
            over,
            condition,
            body,
        })
    }

    /// `for n in 1..6`, after a label.
    pub(super) fn several(&mut self) -> Read<Option<(Name, Range)>> {
        if !self.accept_word("for") {
            return Ok(None);
        }
        let name = self.new_name("a name for each")?;
        self.expect_word("in")?;
        Ok(Some((name, self.range()?)))
    }

    fn choose(&mut self) -> Read<StmtKind> {
        self.expect_word("for")?;
        let who = self.followed()?;
        self.expect(Kind::Colon, ":")?;
        self.end()?;
        let actions = self.some_below(|p| {
            p.below(|p| {
                let span = p.line.span;
                let label = p.template("an action")?;
                let over = p.several()?;
                let condition = match p.accept_word("when") {
                    true => Some(p.condition()?),
                    false => None,
                };
                let body = p.statements()?;
                Ok(Action {
                    label,
                    over,
                    condition,
                    body,
                    span,
                })
            })
        })?;
        Ok(StmtKind::Choose { who, actions })
    }

    /// `unit.sp -= 1`, `fires(unit)`, `take 1 from unit.sp`.
    fn change_or_call(&mut self) -> Read<StmtKind> {
        let target = self.followed()?;
        let change = match self.peek() {
            Some(Kind::Equals) => Change::Becomes,
            Some(Kind::PlusEquals) => Change::Grows,
            Some(Kind::MinusEquals) => Change::Shrinks,
            _ => {
                if matches!(target.kind, ExprKind::Call(_) | ExprKind::Take { .. }) {
                    return Ok(StmtKind::Do(target));
                }
                let message = Message::error(target.span, "this line does nothing");
                return self.say(message.help("a statement changes something, calls a rule, or begins with a word like `if`, `for`, `let`, `end`"));
            }
        };
        self.at += 1;
        let value = self.expr()?;
        Ok(StmtKind::Set {
            target,
            change,
            value,
        })
    }
}
