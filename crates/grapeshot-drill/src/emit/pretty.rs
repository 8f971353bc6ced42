//! Sets emitted code in lines: one statement a line, indented by its braces.

/// The same code in lines.
pub(super) fn pretty(code: &str) -> String {
    let mut out = Lines::default();
    let mut chars = code.chars().peekable();
    let (mut round, mut quoted) = (Vec::new(), false);
    let mut line_start = true;
    while let Some(c) = chars.next() {
        // Comments and attributes are lines of their own.
        if line_start && !quoted && (c == '/' && chars.peek() == Some(&'/')) {
            out.end_line();
            out.push(c);
            for c in chars.by_ref() {
                if c == '\n' {
                    break;
                }
                out.push(c);
            }
            out.end_line();
            continue;
        }
        line_start = c == '\n' || (line_start && c == ' ');
        if quoted {
            out.push(c);
            match c {
                '\\' => {
                    if let Some(next) = chars.next() {
                        out.push(next);
                    }
                }
                '"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => {
                quoted = true;
                out.push(c);
            }
            '(' | '[' => {
                round.push(c);
                out.push(c);
            }
            ')' | ']' => {
                round.pop();
                out.push(c);
            }
            '{' => {
                round.push(c);
                out.push(c);
                out.end_line();
                out.depth += 1;
            }
            '}' => {
                round.pop();
                out.end_line();
                out.depth = out.depth.saturating_sub(1);
                out.push(c);
                let follows = chars.clone().find(|c| !c.is_whitespace());
                let goes_on = chars
                    .clone()
                    .skip_while(|c| c.is_whitespace())
                    .take(4)
                    .eq("else".chars());
                match follows {
                    Some(
                        '.' | ',' | ';' | ')' | ']' | '?' | '>' | '<' | '=' | '&' | '|' | '[' | '!'
                        | '+' | '-' | '*',
                    ) => {}
                    _ if goes_on => out.push(' '),
                    _ => out.end_line(),
                }
            }
            ';' => {
                out.push(c);
                if !matches!(round.last(), Some('(' | '[')) {
                    out.end_line();
                }
            }
            '\n' => out.end_line_unless_open(),
            c => out.push(c),
        }
    }
    out.end_line();
    out.text
}

#[derive(Default)]
struct Lines {
    text: String,
    line: String,
    depth: usize,
}

impl Lines {
    fn push(&mut self, c: char) {
        if c == ' ' && (self.line.is_empty() || self.line.ends_with(' ')) {
            return;
        }
        self.line.push(c);
    }

    fn end_line(&mut self) {
        let line = self.line.trim_end();
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
            self.text.push('\n');
        }
        self.line.clear();
    }

    /// A line ends where a statement or an attribute does.
    fn end_line_unless_open(&mut self) {
        let line = self.line.trim_end();
        if line.is_empty() {
            return;
        }
        self.end_line();
    }
}
