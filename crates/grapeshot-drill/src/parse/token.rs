//! Tokens: the smallest pieces of a line.
//!
//! Names have underscores, words have hyphens, and both are one token: what they are depends on the place. A minus has
//! spaces around it. Texts may hold expressions in braces, and those may hold texts; a text is one token all the same, and the
//! parser opens it.

use crate::source::{FileId, Span};
use logos::{Lexer, Logos};

/// What a token is.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[logos(skip r"[ \r]+")]
pub(crate) enum Kind {
    /// `d6`, `2d6`.
    #[regex("[0-9]*d[0-9]+", priority = 10)]
    Dice,
    /// `3`, `0.5`.
    #[regex(r"[0-9]+(\.[0-9]+)?")]
    Number,
    /// `unit`, `rifle-musket`.
    #[regex("[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*")]
    Name,
    /// `6lb-rifle`: must be quoted, but where headings are said.
    #[regex("[0-9]+[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*", priority = 3)]
    DigitWord,
    /// `*_sp_lost`, `*-destroyed`.
    #[regex(r"\*[_-][A-Za-z][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*")]
    Starred,
    /// `{unit}-routs`, `hit-{hits}`.
    #[token("{", braced)]
    #[regex(r"[A-Za-z_][A-Za-z0-9_-]*\{", braced)]
    Braced,
    /// `"…"`.
    #[token("\"", text)]
    Text,
    /// `# …`, `## …`.
    #[regex("#[^\n]*")]
    Comment,
    #[token("->")]
    Arrow,
    #[token("+=")]
    PlusEquals,
    #[token("-=")]
    MinusEquals,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("..")]
    Dots,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("=")]
    Equals,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("|")]
    Bar,
    #[token("?")]
    Question,
}

/// The length of a text after its opening quote, its closing one included: quotes within braces do not close it.
fn text_length(rest: &str) -> Option<usize> {
    let mut braces = 0usize;
    for (at, c) in rest.char_indices() {
        match c {
            '\n' => return None,
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '"' if braces == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn text(lexer: &mut Lexer<'_, Kind>) -> bool {
    match text_length(lexer.remainder()) {
        Some(length) => {
            lexer.bump(length);
            true
        }
        None => false,
    }
}

/// After an opening brace: to its closing one, and on while letters, hyphens or braces follow.
fn braced(lexer: &mut Lexer<'_, Kind>) -> bool {
    let rest = lexer.remainder();
    let mut depth = 1usize;
    let mut length = 0;
    for c in rest.chars() {
        match c {
            '\n' => break,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            c if depth == 0 && !(c.is_ascii_alphanumeric() || c == '_' || c == '-') => break,
            _ => {}
        }
        length += c.len_utf8();
    }
    lexer.bump(length);
    depth == 0
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// Kinds that join two parts of an expression wherever they stand.
const OPERATORS: [Kind; 5] = [Kind::Plus, Kind::Minus, Kind::Star, Kind::Slash, Kind::Bar];

/// Further kinds after which something must follow.
const EXPECTING: [Kind; 8] = [
    Kind::Comma,
    Kind::Equals,
    Kind::PlusEquals,
    Kind::MinusEquals,
    Kind::Less,
    Kind::AtMost,
    Kind::Greater,
    Kind::AtLeast,
];

impl Kind {
    /// Whether a line that begins so goes on with the one above. The letters tell words apart.
    pub(crate) fn goes_on(self, letters: &str) -> bool {
        OPERATORS.contains(&self) || self == Kind::Name && matches!(letters, "and" | "or")
    }

    /// Whether a line that ends so goes on with the next.
    pub(crate) fn leaves_open(self, letters: &str) -> bool {
        self.goes_on(letters)
            || EXPECTING.contains(&self)
            || self == Kind::Name && matches!(letters, "not" | "is")
    }

    /// How many brackets it opens: 1, 0 or -1.
    pub(crate) fn opens(self) -> i32 {
        match self {
            Kind::Open | Kind::OpenSquare => 1,
            Kind::Close | Kind::CloseSquare => -1,
            _ => 0,
        }
    }
}

/// The tokens of a stretch of a file; a place that cannot be read is given back as an error.
pub(crate) fn tokens(
    file: FileId,
    text: &str,
    start: usize,
) -> impl Iterator<Item = Result<Token, Span>> + '_ {
    Kind::lexer(text).spanned().map(move |(kind, range)| {
        let span = Span {
            file,
            start: (start + range.start) as u32,
            end: (start + range.end) as u32,
        };
        kind.map(|kind| Token { kind, span }).map_err(|()| span)
    })
}
