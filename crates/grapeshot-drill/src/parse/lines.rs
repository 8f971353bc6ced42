//! Layout: a file is a tree of lines. A construct is one line and the lines below it that are further in.
//!
//! A line goes on when it ends with a comma, an operator or an open bracket, or the next begins with an operator and is
//! further in. Below `table NAME` and `list NAME` the lines are a grid, whose cells are set apart by blanks.

use super::token::{Kind, Token, tokens};
use crate::message::{Message, Messages};
use crate::source::{FileId, Span};
use crate::tree::{Help, Name};

/// How deep lines may lie within each other.
pub(crate) const DEEPEST: usize = 40;

/// A line that may have gone on, and the lines below it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub indent: usize,
    pub tokens: Vec<Token>,
    /// From the first token to the last.
    pub span: Span,
    /// From the lines above it, or after it.
    pub help: Option<Help>,
    /// Of a line of a grid.
    pub cells: Option<Vec<Name>>,
    /// Something in it cannot be read, and that is said: no more is said of it.
    pub broken: bool,
    pub below: Vec<Line>,
}

/// Reads the lines of a file.
pub(crate) fn read(file: FileId, text: &str, messages: &mut Messages) -> Vec<Line> {
    let mut reader = Reader {
        file,
        text,
        messages,
        flat: Vec::new(),
        help_above: Vec::new(),
        grid: false,
    };
    let mut start = 0;
    for raw in text.split('\n') {
        reader.line(raw, start);
        start += raw.len() + 1;
    }
    let flat = reader.flat;
    nest(flat, messages)
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    messages: &'a mut Messages,
    flat: Vec<Line>,
    help_above: Vec<(String, Span)>,
    /// Whether the lines that are further in are cells.
    grid: bool,
}

impl Reader<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span {
            file: self.file,
            start: start as u32,
            end: end as u32,
        }
    }

    fn line(&mut self, raw: &str, start: usize) {
        let mut broken = false;
        let mut indent = raw.len() - raw.trim_start_matches(' ').len();
        if raw[indent..].starts_with('\t') {
            let message = Message::error(
                self.span(start + indent, start + indent + 1),
                "a tab stands here",
            );
            self.messages
                .push(message.help("lines are indented by blanks, two for each step"));
            // As if each tab were a step, so that the lines around it keep their places.
            let steps = raw[indent..].len() - raw[indent..].trim_start_matches('\t').len();
            indent += 2 * steps;
            broken = true;
        }
        if raw.trim().is_empty() {
            return;
        }
        if self.grid && indent > 0 && !raw.trim_start().starts_with('#') {
            let blanks = raw.len() - raw.trim_start().len();
            return self.grid_line(raw, start, blanks);
        }
        let (mut found, mut comment) = (Vec::new(), None);
        for token in tokens(self.file, raw, start) {
            match token {
                Ok(token) if token.kind == Kind::Comment => comment = Some(token.span),
                Ok(token) => found.push(token),
                Err(span) => {
                    broken = true;
                    self.unreadable(raw, start, span);
                }
            }
        }
        let help = comment.and_then(|span| self.help_text(raw, start, span));
        if found.is_empty() {
            self.help_above.extend(help);
            return;
        }
        if self.goes_on(indent, &found) {
            if let Some(line) = self.flat.last_mut() {
                line.span = line.span.to(found[found.len() - 1].span);
                line.tokens.extend(found);
                line.broken |= broken;
                let later = help.map(|(text, span)| self::help(&text, span));
                line.help = line.help.take().or(later);
            }
            return;
        }
        self.grid = indent == 0 && self.heads_a_grid(raw, start, &found);
        let span = found[0].span.to(found[found.len() - 1].span);
        let own = help.map(|(text, span)| self::help(&text, span));
        let above = self.take_help_above();
        self.flat.push(Line {
            indent,
            tokens: found,
            span,
            help: own.or(above),
            cells: None,
            broken,
            below: Vec::new(),
        });
    }

    fn take_help_above(&mut self) -> Option<Help> {
        let lines = std::mem::take(&mut self.help_above);
        let (first, last) = (lines.first()?.1, lines.last()?.1);
        let texts: Vec<String> = lines.into_iter().map(|(text, _)| text).collect();
        Some(help(&texts.join(" "), first.to(last)))
    }

    /// What a comment with two signs says.
    fn help_text(&self, raw: &str, start: usize, span: Span) -> Option<(String, Span)> {
        let comment = &raw[span.start as usize - start..];
        let text = comment.strip_prefix("##")?;
        Some((text.trim().into(), span))
    }

    fn unreadable(&mut self, raw: &str, start: usize, span: Span) {
        let at = span.start as usize - start;
        let letter = raw[at..].chars().next().unwrap_or(' ');
        let message = match letter {
            '"' => {
                let span = Span {
                    end: span.start + 1,
                    ..span
                };
                Message::error(span, "a text begins here and does not end on its line")
                    .help("close it with `\"`")
            }
            '{' => Message::error(span, "a brace is opened here and not closed")
                .help("close it with `}`"),
            '\t' => return,
            letter => Message::error(span, format!("`{letter}` means nothing here")),
        };
        self.messages.push(message);
    }

    /// Whether this is `table NAME:` or `list NAME:`.
    fn heads_a_grid(&self, raw: &str, start: usize, found: &[Token]) -> bool {
        let first = &raw[found[0].span.start as usize - start..found[0].span.end as usize - start];
        let named = found.len() > 2 && found[1].kind == Kind::Name && found[2].kind == Kind::Colon;
        named && matches!(first, "table" | "list")
    }

    fn goes_on(&self, indent: usize, found: &[Token]) -> bool {
        let Some(line) = self.flat.last() else {
            return false;
        };
        if line.cells.is_some() || indent <= line.indent {
            return false;
        }
        let depth: i32 = line.tokens.iter().map(|token| token.kind.opens()).sum();
        let last = line.tokens[line.tokens.len() - 1];
        depth > 0
            || last.kind.leaves_open(self.letters(last))
            || found[0].kind.goes_on(self.letters(found[0]))
    }

    fn letters(&self, token: Token) -> &str {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        self.text.get(start..end).unwrap_or("")
    }

    /// Cells are set apart by blanks; one with blanks in it stands in quotes.
    fn grid_line(&mut self, raw: &str, start: usize, indent: usize) {
        let mut cells: Vec<Name> = Vec::new();
        let mut at = indent;
        while at < raw.len() {
            let rest = &raw[at..];
            let blanks = rest.len() - rest.trim_start().len();
            at += blanks;
            let rest = &raw[at..];
            if rest.is_empty() || rest.starts_with('#') {
                break;
            }
            let quoted = rest.strip_prefix('"').and_then(|inside| inside.find('"'));
            let (text, length) = match quoted {
                Some(length) => (&rest[1..=length], length + 2),
                None => {
                    let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
                    (&rest[..length], length)
                }
            };
            cells.push(Name {
                text: text.into(),
                span: self.span(start + at, start + at + length),
            });
            at += length;
        }
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else {
            return;
        };
        self.flat.push(Line {
            // All lines of a grid lie below its head, however its headings are set.
            indent: 1,
            tokens: Vec::new(),
            span: first.span.to(last.span),
            help: None,
            cells: Some(cells),
            broken: false,
            below: Vec::new(),
        });
    }
}

/// `meaning @ source`.
fn help(text: &str, span: Span) -> Help {
    let (meaning, source) = match text.split_once(" @ ") {
        Some((meaning, source)) => (meaning.trim(), Some(source.trim().into())),
        None => (text.trim(), None),
    };
    Help {
        meaning: meaning.into(),
        source,
        span,
    }
}

/// Puts lines below those they are further in than.
fn nest(flat: Vec<Line>, messages: &mut Messages) -> Vec<Line> {
    let mut top: Vec<Line> = Vec::new();
    let mut open: Vec<Line> = Vec::new();
    for line in flat {
        while open.last().is_some_and(|above| above.indent >= line.indent) {
            close(&mut open, &mut top);
        }
        let siblings = open.last().map_or(&top, |above| &above.below);
        let deep = open.len() >= DEEPEST;
        if deep
            || siblings
                .last()
                .is_some_and(|before| before.indent != line.indent)
        {
            let title = if deep {
                "lines lie too deep within each other"
            } else {
                "this line is indented unlike the one before it"
            };
            let message = Message::error(line.span, title);
            messages.push(match (deep, siblings.last()) {
                (false, Some(before)) => message.also(before.span, "the line before it"),
                _ => message,
            });
        }
        if deep {
            continue;
        }
        open.push(line);
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    top
}

/// The innermost open line is complete.
fn close(open: &mut Vec<Line>, top: &mut Vec<Line>) {
    if let Some(line) = open.pop() {
        match open.last_mut() {
            Some(above) => above.below.push(line),
            None => top.push(line),
        }
    }
}
