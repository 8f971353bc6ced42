//! `fmt`: one way to set a text. Tokens, comments and line breaks stay; blanks do not.
//!
//! - Lines are indented by two blanks for each step; lines that go on keep how they stand below their first.
//! - One blank between tokens, none inside brackets.
//! - **A gap of two blanks or more is a column**, as an author sets it beside a printed chart: neighbouring lines of one
//!   indentation with the same number of gaps are aligned, as narrow as they can be. So are comments behind lines.
//! - Grids are set in columns. At most one blank line follows another.

use crate::parse::lines::DEEPEST;
use crate::parse::token::{Kind, Token, tokens};
use crate::source::FileId;

/// One line of the text, cut where the author left a gap.
struct Row {
    indent: usize,
    /// Pieces between gaps; what stands behind the last is the comment, if there is one.
    pieces: Vec<String>,
    comment: Option<String>,
    /// Set in columns with its neighbours: all cells of a grid are.
    grid: bool,
    /// Goes on from the line before.
    continued: bool,
}

/// The text, set anew. A text that cannot be read is given back as it is.
pub fn format(text: &str) -> String {
    let Some(rows) = read(text) else {
        return text.into();
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < rows.len() {
        let Some(row) = &rows[at] else {
            // One blank line is enough, and none at the beginning.
            if !out.is_empty() && !out.ends_with("\n\n") && rows[at..].iter().any(Option::is_some) {
                out.push('\n');
            }
            at += 1;
            continue;
        };
        let count = rows[at..]
            .iter()
            .take_while(|other| other.as_ref().is_some_and(|other| alike(row, other)))
            .count();
        let block: Vec<&Row> = rows[at..at + count].iter().flatten().collect();
        write(&block, &mut out);
        at += count;
    }
    out
}

/// Longer lines do not push the comments of their neighbours.
const LONG: usize = 56;

/// Whether two lines are set in columns together.
fn alike(a: &Row, b: &Row) -> bool {
    a.indent == b.indent && a.grid == b.grid && a.continued == b.continued
}

fn write(block: &[&Row], out: &mut String) {
    let columns = block.iter().map(|row| row.pieces.len()).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    for row in block {
        // The last piece of a line pushes nothing but a comment.
        for (column, piece) in row
            .pieces
            .iter()
            .enumerate()
            .take(row.pieces.len().saturating_sub(1))
        {
            widths[column] = widths[column].max(piece.chars().count());
        }
    }
    let set = |row: &Row| {
        let mut line = " ".repeat(row.indent);
        for (column, piece) in row.pieces.iter().enumerate() {
            line.push_str(piece);
            if column + 1 < row.pieces.len() {
                let missing = widths[column].saturating_sub(piece.chars().count());
                line.push_str(&" ".repeat(missing + 2));
            }
        }
        line
    };
    let lines: Vec<String> = block.iter().map(|row| set(row)).collect();
    let mut start = 0;
    while start < block.len() {
        // Comments are aligned in a run of lines that all have one.
        let has = |at: usize| block[at].comment.is_some() && !block[at].pieces.is_empty();
        let end = (start..block.len())
            .find(|&at| !has(at))
            .unwrap_or(block.len());
        let run = start..end.max(start + 1);
        let widths = lines[run.clone()].iter().map(|line| line.chars().count());
        let width = widths.filter(|&width| width <= LONG).max().unwrap_or(0);
        for at in run.clone() {
            out.push_str(&lines[at]);
            if let Some(comment) = &block[at].comment {
                if !block[at].pieces.is_empty() {
                    let missing = width.saturating_sub(lines[at].chars().count());
                    out.push_str(&" ".repeat(missing + 2));
                }
                out.push_str(comment);
            }
            let kept = out.trim_end_matches(' ').len();
            out.truncate(kept);
            out.push('\n');
        }
        start = run.end;
    }
}

/// The lines of a text; nothing for a blank one. Nothing at all if it cannot be read.
fn read(text: &str) -> Option<Vec<Option<Row>>> {
    let mut rows: Vec<Option<Row>> = Vec::new();
    // Indentations that are open: as they stand, and as they are set.
    let mut open: Vec<(usize, usize)> = Vec::new();
    // Below the head of a grid: its indentation, and whether its next line are the headings, which have no cell before them.
    let mut grid: Option<(usize, bool)> = None;
    let mut depth = 0i32;
    let mut unfinished = false;
    let mut first: (usize, usize) = (0, 0);
    for raw in text.lines() {
        let stands = raw.len() - raw.trim_start_matches(' ').len();
        let body = raw.trim();
        if body.is_empty() {
            rows.push(None);
            continue;
        }
        if let Some((head, headings)) = grid
            && stands > head
            && !body.starts_with('#')
        {
            let mut row = grid_row(body, head);
            if headings {
                row.pieces.insert(0, String::new());
            }
            grid = Some((head, false));
            rows.push(Some(row));
            continue;
        }
        let line = lex(raw)?;
        if line.tokens.is_empty() {
            // A comment stands as the next line will; it is set with what is open.
            open.retain(|(as_it_stands, _)| *as_it_stands <= stands);
            let indent = match open.last() {
                Some((as_it_stands, set)) if *as_it_stands < stands => set + 2,
                Some((_, set)) => *set,
                None => 0,
            };
            rows.push(Some(Row {
                indent: if stands == 0 { 0 } else { indent },
                pieces: Vec::new(),
                comment: line.comment,
                grid: false,
                continued: false,
            }));
            continue;
        }
        let goes_on = stands > first.0 && (depth > 0 || unfinished || line.begins_with_operator);
        let indent = match goes_on {
            true => first.1 + (stands - first.0),
            false => {
                while open
                    .last()
                    .is_some_and(|(as_it_stands, _)| *as_it_stands >= stands)
                {
                    open.pop();
                }
                let set = open.last().map_or(0, |(_, set)| set + 2);
                if open.len() > DEEPEST {
                    return None;
                }
                open.push((stands, set));
                first = (stands, set);
                depth = 0;
                set
            }
        };
        depth += line.opens;
        unfinished = line.unfinished;
        grid = line
            .heads_grid
            .filter(|_| !goes_on && stands == 0)
            .map(|table| (0, table));
        rows.push(Some(Row {
            indent,
            pieces: line.pieces,
            comment: line.comment,
            grid: false,
            continued: goes_on,
        }));
    }
    Some(rows)
}

struct Lexed {
    tokens: Vec<Token>,
    pieces: Vec<String>,
    comment: Option<String>,
    opens: i32,
    unfinished: bool,
    begins_with_operator: bool,
    /// Whether a grid stands below, and whether it is that of a table.
    heads_grid: Option<bool>,
}

fn lex(raw: &str) -> Option<Lexed> {
    let letters = |token: &Token| &raw[token.span.start as usize..token.span.end as usize];
    let mut all: Vec<Token> = Vec::new();
    let mut comment = None;
    for token in tokens(FileId(0), raw, 0) {
        let token = token.ok()?;
        match token.kind {
            Kind::Comment => comment = Some(letters(&token).trim_end().to_string()),
            _ => all.push(token),
        }
    }
    let mut pieces: Vec<String> = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let gap = match at.checked_sub(1) {
            None => 0,
            Some(before) => token.span.start - all[before].span.end,
        };
        match pieces.last_mut() {
            Some(piece) if gap < 2 => {
                if spaced(&all, at, gap > 0) {
                    piece.push(' ');
                }
                piece.push_str(letters(token));
            }
            // Within brackets a gap is a slip.
            Some(piece) if within_brackets(&all[..at]) => {
                if spaced(&all, at, true) {
                    piece.push(' ');
                }
                piece.push_str(letters(token));
            }
            _ => pieces.push(letters(token).to_string()),
        }
    }
    let named = all.len() > 2 && all[1].kind == Kind::Name && all[2].kind == Kind::Colon;
    let heads_grid = match letters_of(&all, raw) {
        "table" if named => Some(true),
        "list" if named => Some(false),
        _ => None,
    };
    Some(Lexed {
        opens: all.iter().map(|token| token.kind.opens()).sum(),
        unfinished: (all.last()).is_some_and(|token| token.kind.leaves_open(letters(token))),
        begins_with_operator: (all.first()).is_some_and(|token| token.kind.goes_on(letters(token))),
        heads_grid,
        pieces,
        comment,
        tokens: all,
    })
}

/// The letters of the first token.
fn letters_of<'r>(all: &[Token], raw: &'r str) -> &'r str {
    all.first().map_or("", |token| {
        &raw[token.span.start as usize..token.span.end as usize]
    })
}

fn within_brackets(before: &[Token]) -> bool {
    before.iter().map(|token| token.kind.opens()).sum::<i32>() > 0
}

/// Whether a blank stands before a token.
fn spaced(all: &[Token], at: usize, was: bool) -> bool {
    let (before, here) = (all[at - 1].kind, all[at].kind);
    match (before, here) {
        (Kind::Open | Kind::OpenSquare | Kind::Dot | Kind::Dots, _) => false,
        (
            _,
            Kind::Close
            | Kind::CloseSquare
            | Kind::Comma
            | Kind::Colon
            | Kind::Dot
            | Kind::Dots
            | Kind::Question,
        ) => false,
        // A call, an index, a sign, a fraction: as they are written; `=` of a question has no blanks.
        (_, Kind::Open | Kind::OpenSquare | Kind::Slash)
        | (Kind::Minus | Kind::Star | Kind::Slash, _)
        | (Kind::Equals, _)
        | (_, Kind::Equals) => was,
        _ => true,
    }
}

fn grid_row(body: &str, head: usize) -> Row {
    let mut pieces = Vec::new();
    let mut rest = body;
    let mut comment = None;
    while !rest.is_empty() {
        if rest.starts_with('#') {
            comment = Some(rest.to_string());
            break;
        }
        let quoted = rest
            .strip_prefix('"')
            .and_then(|inside| inside.find('"'))
            .map(|length| length + 2);
        let length = quoted.unwrap_or_else(|| rest.find(char::is_whitespace).unwrap_or(rest.len()));
        pieces.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    Row {
        indent: head + 2,
        pieces,
        comment,
        grid: true,
        continued: false,
    }
}
