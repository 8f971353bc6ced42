//! From text to tree: by hand, because the messages must be ours. A line that cannot be read is said so and left out,
//! with what is below it; reading goes on at the next line of the same indentation, so that all errors of a file come at once.

mod edit;
mod expr;
mod head;
mod item;
mod kind;
pub(crate) mod lines;
mod stmt;
mod table;
mod test;
pub(crate) mod token;
mod unit;

use crate::message::{Message, Messages};
use crate::source::{FileId, Sources, Span};
use crate::tree::{Dotted, File, Help, Name, Template, TemplatePart};
use lines::Line;
use token::{Kind, Token};

/// How deep an expression may lie within others.
const DEEPEST: usize = 48;

/// What is given back where a line cannot be read; the message is already made.
#[derive(Debug)]
pub(crate) struct Stop;

type Read<T> = Result<T, Stop>;

/// Reads a file.
pub fn parse(sources: &Sources, file: FileId, messages: &mut Messages) -> File {
    let source = sources.file(file);
    let lines = lines::read(file, &source.text, messages);
    let mut context = Context {
        text: &source.text,
        messages,
        depth: 0,
    };
    let mut items = Vec::new();
    for line in lines.iter().filter(|line| !line.broken) {
        let mut parser = Parser::new(&mut context, line);
        let item = parser
            .item()
            .and_then(|item| parser.finish().map(|()| item));
        items.extend(item.ok());
    }
    File { file, items }
}

/// What all lines of a file share.
struct Context<'a> {
    text: &'a str,
    messages: &'a mut Messages,
    depth: usize,
}

/// Reads one line.
struct Parser<'p, 'a> {
    context: &'p mut Context<'a>,
    line: &'p Line,
    tokens: &'p [Token],
    at: usize,
    /// Whether the lines below have been read.
    took_below: bool,
}

impl<'p, 'a> Parser<'p, 'a> {
    fn new(context: &'p mut Context<'a>, line: &'p Line) -> Self {
        Parser {
            context,
            line,
            tokens: &line.tokens,
            at: 0,
            took_below: false,
        }
    }

    // ---- Messages

    /// Says what is wrong with the next token.
    fn fail<T>(&mut self, title: impl Into<String>) -> Read<T> {
        let span = self.here();
        self.say(Message::error(span, title))
    }

    fn say<T>(&mut self, message: Message) -> Read<T> {
        self.context.messages.push(message);
        Err(Stop)
    }

    /// Says what should stand here.
    fn expected<T>(&mut self, what: &str) -> Read<T> {
        let title = match self.peek() {
            Some(_) => format!("`{}` stands where {what} is expected", self.letters()),
            None => format!("the line ends where {what} is expected"),
        };
        self.fail(title)
    }

    /// The place of the next token, or of the end of the line.
    fn here(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(token) => token.span,
            None => self
                .tokens
                .last()
                .map_or(self.line.span, |last| last.span)
                .at_end(),
        }
    }

    /// From a place to the last token read.
    fn since(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(last) => start.to(last.span),
            None => start,
        }
    }

    // ---- Tokens

    fn peek(&self) -> Option<Kind> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<Kind> {
        self.tokens.get(self.at + ahead).map(|token| token.kind)
    }

    fn letters_at(&self, ahead: usize) -> &'a str {
        let token = self.tokens.get(self.at + ahead);
        token.map_or("", |token| self.text_of(token.span))
    }

    /// The letters of the next token.
    fn letters(&self) -> &'a str {
        self.letters_at(0)
    }

    fn text_of(&self, span: Span) -> &'a str {
        self.context
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn at(&self, kind: Kind) -> bool {
        self.peek() == Some(kind)
    }

    fn at_word(&self, word: &str) -> bool {
        self.word_at(0, word)
    }

    fn word_at(&self, ahead: usize, word: &str) -> bool {
        self.peek_at(ahead) == Some(Kind::Name) && self.letters_at(ahead) == word
    }

    fn accept(&mut self, kind: Kind) -> bool {
        let there = self.at(kind);
        self.at += usize::from(there);
        there
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, kind: Kind, written: &str) -> Read<()> {
        match self.accept(kind) {
            true => Ok(()),
            false => self.expected(&format!("`{written}`")),
        }
    }

    fn expect_word(&mut self, word: &str) -> Read<()> {
        match self.accept_word(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}`")),
        }
    }

    /// The next token as a name; `what` is what is missing otherwise.
    fn name(&mut self, what: &str) -> Read<Name> {
        match self.peek() {
            Some(Kind::Name) => Ok(self.take()),
            _ => self.expected(what),
        }
    }

    /// A name that does not mean anything else.
    fn new_name(&mut self, what: &str) -> Read<Name> {
        if self.peek() == Some(Kind::Name) && RESERVED.contains(&self.letters()) {
            let title = format!(
                "`{}` is a word of the language and cannot be a name",
                self.letters()
            );
            return self.fail(title);
        }
        let name = self.name(what)?;
        if name.contains('-') {
            let message = Message::error(
                name.span,
                format!("`{name}` is no name: names have underscores, words have hyphens"),
            );
            let help = format!("write `{}`", name.replace('-', "_"));
            return self.say(message.help(help));
        }
        Ok(name)
    }

    /// The next token, whatever it is.
    fn take(&mut self) -> Name {
        let name = Name {
            text: self.letters().into(),
            span: self.here(),
        };
        self.at += 1;
        name
    }

    /// A word as it is: bare, quoted, or a number; without braces.
    fn word(&mut self, what: &str) -> Read<Name> {
        match self.peek() {
            Some(Kind::Name | Kind::Number | Kind::Dice | Kind::DigitWord) => Ok(self.take()),
            Some(Kind::Text) => self.text(what),
            _ => self.expected(what),
        }
    }

    /// A text in quotes, as it is.
    fn text(&mut self, what: &str) -> Read<Name> {
        match self.peek() {
            Some(Kind::Text) => {
                let token = self.take();
                let inside = token.text.get(1..token.text.len() - 1).unwrap_or("");
                Ok(Name {
                    text: inside.into(),
                    span: token.span,
                })
            }
            _ => self.expected(what),
        }
    }

    /// Names set apart by commas.
    fn name_list(&mut self, what: &str) -> Read<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.accept(Kind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// `attacker.density`, `*.state`, `range`.
    fn dotted(&mut self, what: &str) -> Read<Dotted> {
        let start = self.here();
        let mut parts = vec![match self.peek() {
            Some(Kind::Star) => self.take(),
            _ => self.name(what)?,
        }];
        while self.accept(Kind::Dot) {
            parts.push(self.name(what)?);
        }
        Ok(Dotted {
            parts,
            span: self.since(start),
        })
    }

    fn dotted_list(&mut self, what: &str) -> Read<Vec<Dotted>> {
        let mut names = vec![self.dotted(what)?];
        while self.accept(Kind::Comma) {
            names.push(self.dotted(what)?);
        }
        Ok(names)
    }

    /// A word or text that may have values in braces, or a star for the side.
    fn template(&mut self, what: &str) -> Read<Template> {
        match self.peek() {
            Some(Kind::Text) => {
                let raw = self.text(what)?;
                self.open_template(raw, true)
            }
            Some(Kind::Braced) => {
                let raw = self.take();
                self.open_template(raw, false)
            }
            Some(Kind::Starred) => {
                let raw = self.take();
                let rest = raw.text.get(1..).unwrap_or("").into();
                Ok(Template {
                    quoted: false,
                    parts: vec![TemplatePart::Star, TemplatePart::Letters(rest)],
                    raw,
                })
            }
            _ => {
                let raw = self.word(what)?;
                Ok(Template {
                    quoted: false,
                    parts: vec![TemplatePart::Letters((&*raw.text).into())],
                    raw,
                })
            }
        }
    }

    // ---- Blocks

    /// Nothing more may stand on the line.
    fn end(&mut self) -> Read<()> {
        match self.done() {
            true => Ok(()),
            false => {
                let word = self.letters();
                let title = format!("`{word}` is more than this line can say");
                let message = Message::error(self.here(), title);
                self.say(match word {
                    "not" => message.help("what something is not is written `is not`"),
                    _ => message,
                })
            }
        }
    }

    /// The line is read to its end, and so is what is below it.
    fn finish(&mut self) -> Read<()> {
        self.end()?;
        match self.line.below.first() {
            Some(below) if !self.took_below => {
                let title =
                    "this line is further in than the one above, which has nothing below it";
                self.say(Message::error(below.span, title).also(self.line.span, "the line above"))
            }
            _ => Ok(()),
        }
    }

    /// Each of the lines below, read by itself; what cannot be read is left out.
    fn below<T>(&mut self, mut read: impl FnMut(&mut Parser<'_, 'a>) -> Read<T>) -> Vec<T> {
        self.took_below = true;
        let line = self.line;
        let mut found = Vec::new();
        for below in line.below.iter().filter(|below| !below.broken) {
            let mut parser = Parser::new(self.context, below);
            let one = read(&mut parser).and_then(|one| parser.finish().map(|()| one));
            found.extend(one.ok());
        }
        found
    }

    /// `: x` on the line, or x on each line below.
    fn block<T>(&mut self, mut read: impl FnMut(&mut Parser<'_, 'a>) -> Read<T>) -> Read<Vec<T>> {
        self.expect(Kind::Colon, ":")?;
        if self.done() {
            return self.some_below(|p| p.below(&mut read));
        }
        let mut rest = Parser {
            context: &mut *self.context,
            line: self.line,
            tokens: self.tokens,
            at: self.at,
            took_below: self.took_below,
        };
        let one = read(&mut rest)?;
        (self.at, self.took_below) = (rest.at, rest.took_below);
        Ok(vec![one])
    }

    /// Reads what is below, of which there must be something.
    fn some_below<T>(&mut self, read: impl FnOnce(&mut Self) -> Vec<T>) -> Read<Vec<T>> {
        if self.line.below.is_empty() {
            let span = self.here();
            return self.say(
                Message::error(span, "nothing stands below this line")
                    .help("what belongs to it is further in"),
            );
        }
        Ok(read(self))
    }

    fn help(&self) -> Option<Help> {
        self.line.help.clone()
    }

    /// Goes one step deeper, as far as that is allowed.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.context.depth >= DEEPEST {
            return self.fail("this lies too deep within brackets and texts");
        }
        self.context.depth += 1;
        let one = read(self);
        self.context.depth -= 1;
        one
    }
}

/// Words that cannot be names.
pub const RESERVED: [&str; 21] = [
    "and", "or", "not", "is", "in", "if", "else", "case", "when", "where", "by", "of", "for",
    "from", "to", "it", "true", "false", "nobody", "empty", "let",
];
