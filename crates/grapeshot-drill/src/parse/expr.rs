//! Expressions, from the loosest binding to the tightest: `where`, `if`, `or`, `and`, `not`, comparisons, sums, products,
//! signs, and what follows a value directly.

use super::token::{Kind, tokens};
use super::{Parser, RESERVED, Read};
use crate::message::Message;
use crate::number;
use crate::source::Span;
use crate::tree::*;

/// How deep a tree may become. One that leans to the left grows with every operator, though nothing lies within brackets.
const LONGEST: u16 = 100;

const QUANTIFIERS: [(&str, Quantifier); 6] = [
    ("first", Quantifier::First),
    ("any", Quantifier::Any),
    ("number", Quantifier::Number),
    ("sum", Quantifier::Sum),
    ("highest", Quantifier::Highest),
    ("lowest", Quantifier::Lowest),
];

impl Parser<'_, '_> {
    /// A whole expression.
    pub(super) fn expr(&mut self) -> Read<Expr> {
        let start = self.here();
        let list = self.choice()?;
        if !self.accept_word("where") {
            return Ok(list);
        }
        let condition = Box::new(self.condition()?);
        let list = Box::new(list);
        Ok(self.made(start, ExprKind::Filter { list, condition }))
    }

    fn made(&self, start: Span, kind: ExprKind) -> Expr {
        Expr::new(kind, self.since(start))
    }

    /// `a if c else b`.
    pub(super) fn choice(&mut self) -> Read<Expr> {
        self.deeper(|p| {
            let start = p.here();
            let then = p.condition()?;
            if !p.accept_word("if") {
                return Ok(then);
            }
            let condition = Box::new(p.condition()?);
            if !p.at_word("else") {
                return p.expected("`else`, and what holds otherwise,");
            }
            p.at += 1;
            let otherwise = Box::new(p.choice()?);
            let then = Box::new(then);
            Ok(p.made(
                start,
                ExprKind::If {
                    condition,
                    then,
                    otherwise,
                },
            ))
        })
    }

    /// `a or b and not c`.
    pub(super) fn condition(&mut self) -> Read<Expr> {
        self.chain(&[(Kind::Name, "or", Binary::Or)], |p| {
            p.chain(&[(Kind::Name, "and", Binary::And)], Self::negation)
        })
    }

    /// Operands with operators of one rank between them, from the left.
    fn chain(
        &mut self,
        operators: &[(Kind, &str, Binary)],
        operand: fn(&mut Self) -> Read<Expr>,
    ) -> Read<Expr> {
        let start = self.here();
        let mut all = operand(self)?;
        while all.depth < LONGEST {
            let found = operators
                .iter()
                .find(|(kind, word, _)| self.at(*kind) && self.letters() == *word);
            let Some((_, _, operator)) = found else {
                return Ok(all);
            };
            self.at += 1;
            let right = operand(self)?;
            all = self.made(
                start,
                ExprKind::Binary(*operator, Box::new(all), Box::new(right)),
            );
        }
        self.fail("this expression is too long")
    }

    fn negation(&mut self) -> Read<Expr> {
        let start = self.here();
        if self.accept_word("not") {
            let operand = self.deeper(Self::negation)?;
            return Ok(self.made(start, ExprKind::Unary(Unary::Not, Box::new(operand))));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Read<Expr> {
        let start = self.here();
        let left = self.sum()?;
        if self.accept_word("is") {
            let value = Box::new(left);
            let negated = self.accept_word("not");
            if self.accept_word("in") {
                let list = Box::new(self.sum()?);
                return Ok(self.made(
                    start,
                    ExprKind::In {
                        value,
                        negated,
                        list,
                    },
                ));
            }
            let alternatives = self.alternatives()?;
            return Ok(self.made(
                start,
                ExprKind::Is {
                    value,
                    negated,
                    alternatives,
                },
            ));
        }
        if self.at(Kind::Equals) {
            let span = self.here();
            let message = Message::error(
                span,
                "`=` gives a value; whether two are equal is asked with `is`",
            );
            return self.say(message.help("write `is`"));
        }
        let operator = match self.peek() {
            Some(Kind::Less) => Binary::Less,
            Some(Kind::AtMost) => Binary::AtMost,
            Some(Kind::Greater) => Binary::Greater,
            Some(Kind::AtLeast) => Binary::AtLeast,
            _ => return Ok(left),
        };
        self.at += 1;
        let right = self.sum()?;
        Ok(self.made(
            start,
            ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        ))
    }

    /// `a | b`.
    pub(super) fn alternatives(&mut self) -> Read<Vec<Expr>> {
        let mut all = vec![self.sum()?];
        while self.accept(Kind::Bar) {
            all.push(self.sum()?);
        }
        Ok(all)
    }

    pub(super) fn sum(&mut self) -> Read<Expr> {
        let signs = [
            (Kind::Plus, "+", Binary::Add),
            (Kind::Minus, "-", Binary::Subtract),
        ];
        self.chain(&signs, |p| {
            let signs = [
                (Kind::Star, "*", Binary::Multiply),
                (Kind::Slash, "/", Binary::Divide),
            ];
            p.chain(&signs, Self::signed)
        })
    }

    fn signed(&mut self) -> Read<Expr> {
        let start = self.here();
        if self.accept(Kind::Minus) {
            let operand = self.deeper(Self::signed)?;
            return Ok(self.made(start, ExprKind::Unary(Unary::Negate, Box::new(operand))));
        }
        self.followed()
    }

    /// A value and what follows it directly: `.field`, `[index]`, `(arguments)`.
    pub(super) fn followed(&mut self) -> Read<Expr> {
        let start = self.here();
        let mut all = self.deeper(Self::value)?;
        while all.depth < LONGEST {
            if self.accept(Kind::Dot) {
                let field = self.name("the name of a field")?;
                all = self.made(start, ExprKind::Field(Box::new(all), field));
            } else if self.accept(Kind::OpenSquare) {
                let indices = self.list(Kind::CloseSquare, "]")?;
                if indices.is_empty() {
                    return self
                        .fail("a row, a column or a number is expected between the brackets");
                }
                let otherwise = match self.accept_word("else") {
                    true => Some(Box::new(self.deeper(Self::signed)?)),
                    false => None,
                };
                let of = Box::new(all);
                all = self.made(
                    start,
                    ExprKind::Index {
                        of,
                        indices,
                        otherwise,
                    },
                );
            } else if self.at(Kind::Open)
                && matches!(all.kind, ExprKind::Name(_) | ExprKind::Field(..))
            {
                let call = self.call(all, false)?;
                all = self.made(start, ExprKind::Call(Box::new(call)));
            } else {
                return Ok(all);
            }
        }
        self.fail("this expression is too long")
    }

    /// After what is called.
    fn call(&mut self, called: Expr, printed: bool) -> Read<Call> {
        self.expect(Kind::Open, "(")?;
        let mut arguments = Vec::new();
        while !self.accept(Kind::Close) {
            let named = self.at(Kind::Name) && self.peek_at(1) == Some(Kind::Colon);
            let name = match named {
                true => {
                    let name = self.take();
                    self.at += 1;
                    Some(name)
                }
                false => None,
            };
            let value = self.expr()?;
            arguments.push(Argument { name, value });
            if !self.at(Kind::Close) {
                self.expect(Kind::Comma, ",` or `)")?;
            }
        }
        let mut without = Vec::new();
        if self.accept_word("without") {
            without.push(self.word("the name of a modifier")?);
            while self.accept(Kind::Comma) {
                without.push(self.word("the name of a modifier")?);
            }
        }
        Ok(Call {
            printed,
            called,
            arguments,
            without,
        })
    }

    /// A call that must be one: after `put`.
    pub(super) fn plain_call(&mut self) -> Read<Call> {
        let start = self.here();
        let name = self.name("what is put in")?;
        let called = self.made(start, ExprKind::Name(name));
        self.call(called, false)
    }

    fn list(&mut self, close: Kind, written: &str) -> Read<Vec<Expr>> {
        let mut all = Vec::new();
        while !self.accept(close) {
            all.push(self.expr()?);
            if !self.at(close) {
                self.expect(Kind::Comma, &format!(",` or `{written}"))?;
            }
        }
        Ok(all)
    }

    fn value(&mut self) -> Read<Expr> {
        let start = self.here();
        let kind = match self.peek() {
            Some(Kind::Number) => {
                let Some(number) = number::read(self.letters()) else {
                    return self.fail("this number is too large");
                };
                self.at += 1;
                ExprKind::Number(number)
            }
            Some(Kind::Dice) => {
                let (count, sides) = self.dice()?;
                ExprKind::Dice { count, sides }
            }
            Some(Kind::Text | Kind::Braced | Kind::Starred) => {
                ExprKind::Text(self.template("a text")?)
            }
            Some(Kind::DigitWord) => {
                let title = format!("`{}` begins with a digit", self.letters());
                let help = format!("a word that does stands in quotes: \"{}\"", self.letters());
                return self.say(Message::error(start, title).help(help));
            }
            Some(Kind::Open) => {
                self.at += 1;
                let inside = self.expr()?;
                self.expect(Kind::Close, ")")?;
                // Brackets say how the text is grouped, which the tree says by itself.
                return Ok(inside);
            }
            Some(Kind::OpenSquare) => {
                self.at += 1;
                ExprKind::List(self.list(Kind::CloseSquare, "]")?)
            }
            Some(Kind::Star) => {
                self.at += 1;
                ExprKind::Star
            }
            Some(Kind::Name) => return self.named_value(start),
            _ => return self.expected("a value"),
        };
        Ok(self.made(start, kind))
    }

    /// `2d6`: how many, and of how many sides.
    pub(super) fn dice(&mut self) -> Read<(u32, u32)> {
        let (count, sides) = self.letters().split_once('d').unwrap_or(("", ""));
        let count = if count.is_empty() {
            Some(1)
        } else {
            count.parse::<u32>().ok()
        };
        let sides = sides.parse::<u32>().ok();
        match (count, sides) {
            (Some(count @ 1..=100), Some(sides @ 1..=1000)) => {
                self.at += 1;
                Ok((count, sides))
            }
            _ => self.fail("there are 1 to 100 dice with 1 to 1000 sides"),
        }
    }

    /// What begins with a name.
    fn named_value(&mut self, start: Span) -> Read<Expr> {
        let word = self.letters();
        let kind = match word {
            "true" | "false" => ExprKind::Flag(word == "true"),
            "nobody" => ExprKind::Nobody,
            "empty" => ExprKind::Empty,
            "it" => ExprKind::It,
            "case" => {
                self.at += 1;
                return self.case_value(start);
            }
            "take" if self.peek_at(1).is_some_and(begins_value) => {
                self.at += 1;
                let amount = Box::new(self.sum()?);
                self.expect_word("from")?;
                let from = Box::new(self.followed()?);
                return Ok(self.made(start, ExprKind::Take { amount, from }));
            }
            "printed"
                if self.peek_at(1) == Some(Kind::Name) && self.peek_at(2) == Some(Kind::Open) =>
            {
                self.at += 1;
                let from = self.here();
                let name = self.take();
                let called = self.made(from, ExprKind::Name(name));
                let call = self.call(called, true)?;
                return Ok(self.made(start, ExprKind::Call(Box::new(call))));
            }
            _ if RESERVED.contains(&word) => return self.expected("a value"),
            _ => {
                if let Some(quantifier) = self.quantifier() {
                    return self.quantified(start, quantifier);
                }
                ExprKind::Name(self.take())
            }
        };
        if !matches!(kind, ExprKind::Name(_)) {
            self.at += 1;
        }
        Ok(self.made(start, kind))
    }

    /// `sum of`, `highest 2 of`: the word alone may be a name.
    fn quantifier(&self) -> Option<Quantifier> {
        let word = self.letters();
        let (_, quantifier) = *QUANTIFIERS.iter().find(|(name, _)| *name == word)?;
        let counts = matches!(quantifier, Quantifier::Highest | Quantifier::Lowest);
        let follows = self.word_at(1, "of")
            || counts && matches!(self.peek_at(1), Some(Kind::Number))
            || counts
                && self.peek_at(1) == Some(Kind::Name)
                && !RESERVED.contains(&self.letters_at(1));
        follows.then_some(quantifier)
    }

    fn quantified(&mut self, start: Span, quantifier: Quantifier) -> Read<Expr> {
        self.at += 1;
        let count = match self.at_word("of") {
            true => None,
            false => Some(self.followed()?),
        };
        self.expect_word("of")?;
        let list = self.followed()?;
        let condition = match self.accept_word("where") {
            true => Some(self.condition()?),
            false => None,
        };
        let by = match self.accept_word("by") {
            true => Some(self.choice()?),
            false => None,
        };
        let quantified = Quantified {
            quantifier,
            count,
            list,
            condition,
            by,
        };
        Ok(self.made(start, ExprKind::Quantified(Box::new(quantified))))
    }

    /// After `case`: the alternatives are the lines below.
    fn case_value(&mut self, start: Span) -> Read<Expr> {
        let subject = match self.at(Kind::Colon) {
            true => None,
            false => Some(Box::new(self.condition()?)),
        };
        self.expect(Kind::Colon, ":")?;
        // Within a text there are no lines below; and lines are read once, or a short text could take for ever.
        let whole_line = std::ptr::eq(self.tokens, &*self.line.tokens);
        if !self.done() || !whole_line {
            return self.fail("the alternatives of a `case` stand on the lines below it");
        }
        let span = self.since(start);
        let asks = subject.is_some();
        let arms = self.some_below(|p| {
            p.below(|p| {
                let start = p.here();
                let alternatives = p.arm(asks)?;
                let span = p.since(start);
                p.expect(Kind::Colon, ":")?;
                let body = p.value_here_or_below()?;
                Ok(Arm {
                    alternatives,
                    body,
                    span,
                })
            })
        })?;
        Ok(Expr::new(ExprKind::Case { subject, arms }, span))
    }

    /// What stands before the colon of an alternative; nothing for `else`.
    pub(super) fn arm(&mut self, asks: bool) -> Read<Vec<Expr>> {
        if self.accept_word("else") {
            return Ok(Vec::new());
        }
        match asks {
            true => self.alternatives(),
            false => Ok(vec![self.condition()?]),
        }
    }

    /// A value after a colon: on the line, or alone on the one below.
    pub(super) fn value_here_or_below(&mut self) -> Read<Expr> {
        if !self.done() {
            return self.expr();
        }
        let mut all = self.some_below(|p| p.below(|p| p.expr()))?;
        match all.len() {
            1 => Ok(all.remove(0)),
            // What could not be read has been said.
            0 => Err(super::Stop),
            _ => self.fail("one value is expected below this line"),
        }
    }

    /// `1..6`, `15 down to 1`, or whatever has elements.
    pub(super) fn range(&mut self) -> Read<Range> {
        let first = self.sum()?;
        if self.accept(Kind::Dots) {
            return Ok(Range::Up(first, self.sum()?));
        }
        if self.at_word("down") && self.word_at(1, "to") {
            self.at += 2;
            return Ok(Range::Down(first, self.sum()?));
        }
        Ok(Range::Of(first))
    }

    /// Opens the braces of a text.
    pub(super) fn open_template(&mut self, raw: Name, quoted: bool) -> Read<Template> {
        let mut parts = Vec::new();
        let text = raw.text.clone();
        let base = raw.span.start as usize + usize::from(quoted);
        let mut at = 0;
        while at < text.len() {
            let Some(open) = text[at..].find('{').map(|found| at + found) else {
                parts.push(TemplatePart::Letters(text[at..].into()));
                break;
            };
            if open > at {
                parts.push(TemplatePart::Letters(text[at..open].into()));
            }
            let mut depth = 0usize;
            let close = text[open..].char_indices().find(|&(_, c)| {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            let Some((length, _)) = close else {
                let message =
                    Message::error(raw.span, "a brace is opened in this text and not closed");
                return self.say(message.help("close it with `}`"));
            };
            parts.push(TemplatePart::Value(
                self.inside(&text[open + 1..open + length], base + open + 1)?,
            ));
            at = open + length + 1;
        }
        Ok(Template { quoted, parts, raw })
    }

    /// An expression within a text, which stands at `start` of the file.
    fn inside(&mut self, text: &str, start: usize) -> Read<Expr> {
        let file = self.line.span.file;
        let mut found = Vec::new();
        for token in tokens(file, text, start) {
            match token {
                Ok(token) => found.push(token),
                Err(span) => return self.say(Message::error(span, "this cannot be read")),
            }
        }
        if found.is_empty() {
            let span = Span {
                file,
                start: start as u32,
                end: (start + text.len()) as u32,
            };
            return self.say(Message::error(
                span,
                "a value is expected between the braces",
            ));
        }
        self.deeper(|p| {
            let mut inner = Parser {
                context: &mut *p.context,
                line: p.line,
                tokens: &found,
                at: 0,
                took_below: false,
            };
            let value = inner.expr()?;
            inner.end()?;
            Ok(value)
        })
    }
}

/// Whether a value can begin so.
fn begins_value(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Name | Kind::Number | Kind::Dice | Kind::Open | Kind::Minus | Kind::Star
    )
}
