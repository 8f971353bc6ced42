//! Documents as Typst: to be set as they are, or to be put into a book.

use super::typeset::{Typeset, fitting, paragraph, stacked, with_code, with_minus};
use super::{Block, Body, Document, Table};

/// A document as Typst.
pub fn typst(document: &Document) -> String {
    let mut out = String::new();
    if !document.repeat.is_empty() {
        let (version, typed) = (
            env!("CARGO_PKG_VERSION"),
            document.repeat.replace('\n', " "),
        );
        out += &format!("// made by {typed}, version {version}\n");
    }
    match document.only_table() {
        Some(table) => {
            let caption = escape(&document.caption());
            if let Some(width) = document.width {
                let size = fitting(table, width);
                out += &format!(
                    "#show table: set text(size: {size}pt)\n#set table(inset: (x: 0.35em, y: 0.3em))\n"
                );
            }
            out += &format!(
                "#figure(\n  caption: [{caption}],\n{},\n)\n",
                self::table(table, 1)
            );
            for note in &document.notes {
                out += &format!("#text(size: 0.8em)[{}]\n", escape(note));
            }
        }
        None => Typst::section(document, 1, &mut out),
    }
    out
}

struct Typst;

impl Typeset for Typst {
    fn heading(title: &str, depth: usize, out: &mut String) {
        let marks = "=".repeat(depth);
        paragraph(out, &format!("{marks} {}", escape(title)));
    }

    fn sentence(text: &str, out: &mut String) {
        paragraph(out, &escape(text));
    }

    fn list(items: &[String], out: &mut String) {
        let items = items.iter().map(|item| format!("- {}", escape(item)));
        paragraph(out, &items.collect::<Vec<_>>().join("\n"));
    }

    fn block(block: &Block, depth: usize, out: &mut String) {
        if !block.heading.is_empty() {
            let marks = "=".repeat(depth + 1);
            paragraph(out, &format!("{marks} {}", escape(&block.heading)));
        }
        match &block.body {
            Body::Text(text) => paragraph(out, &escape(text)),
            Body::List(items) => Self::list(items, out),
            Body::Terms(terms) => {
                let term = |(term, said): &(String, Vec<String>)| {
                    format!(
                        "#terms.item([{}], [{}])",
                        escape(term),
                        escape(&said.join("; "))
                    )
                };
                let terms: Vec<String> = terms.iter().map(term).collect();
                paragraph(out, &terms.join("\n"));
            }
            Body::Settings(pairs) => {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|pair| raw(&pair.to_string(), false))
                    .collect();
                paragraph(out, &pairs.join(" "));
            }
            Body::Links(links) => {
                let link = |(name, to): &(String, String)| {
                    format!("#link({})[{}]", quoted(to), escape(name))
                };
                let links: Vec<String> = links.iter().map(link).collect();
                paragraph(out, &links.join(" "));
            }
            Body::Verbatim(text) => paragraph(out, &raw(text.trim_end(), true)),
            Body::Table(table) => {
                paragraph(out, &format!("#{}", self::table(table, 0)));
                if let Some((more, how)) = &table.more {
                    paragraph(out, &escape(&format!("… and {more} more ({how})")));
                }
            }
        }
    }

    fn note(text: &str, out: &mut String) {
        paragraph(out, &format!("#text(size: 0.8em)[{}]", escape(text)));
    }

    fn commands(text: &str, out: &mut String) {
        paragraph(out, &raw(text, true));
    }
}

/// A call of `table`, so deep in another one.
fn table(table: &Table, depth: usize) -> String {
    let columns = table.printed();
    let indent = "  ".repeat(depth);
    let sides = columns.iter().map(|&at| match table.columns[at].words {
        true => "left",
        false => "right",
    });
    let sides: Vec<&str> = sides.collect();
    let cells = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("[{cell}]")).collect();
        cells.join(", ")
    };
    let mut lines = vec![
        format!("columns: {},", columns.len()),
        // With its comma, one side is a list as well.
        format!("align: ({},),", sides.join(", ")),
        "stroke: none,".into(),
        "table.hline(),".into(),
    ];
    if columns.iter().any(|&at| !table.columns[at].name.is_empty()) {
        let name = |at: usize| {
            let lines = stacked(&table.columns[at].name);
            let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
            lines.join(" \\ ")
        };
        let names = columns.iter().map(|&at| name(at));
        lines.push(format!("table.header({}),", cells(names.collect())));
        lines.push("table.hline(stroke: 0.5pt),".into());
    }
    for row in &table.rows {
        let cell = |at: usize| {
            row.get(at)
                .map_or(String::new(), |cell| escape(&with_minus(&cell.read())))
        };
        lines.push(cells(columns.iter().map(|&at| cell(at)).collect()) + ",");
    }
    lines.push("table.hline(),".into());
    let lines: Vec<String> = lines
        .iter()
        .map(|line| format!("{indent}  {line}\n"))
        .collect();
    // Inside a call it is a name, inside text it needs the mark that calls it.
    format!(
        "{}table(\n{}{indent})",
        if depth > 0 { &*indent } else { "" },
        lines.concat()
    )
}

/// Text with what stands between backticks as code.
fn escape(text: &str) -> String {
    with_code(text, plain, |part| raw(part, false))
}

fn raw(text: &str, block: bool) -> String {
    format!("#raw({}, block: {block})", quoted(text)) + if block { "" } else { ";" }
}

fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}

/// Text in which nothing is taken for markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for (at, c) in text.chars().enumerate() {
        let special = "\\#$*_`<>@[]~".contains(c);
        // Lists, headings and numbers start a line; comments and dashes are two of a kind.
        let leading = at == 0 && "-+=/".contains(c);
        let doubled = (c == '/' || c == '-') && c == before || c == '*' && before == '/';
        let numbered = c == '.'
            && at > 0
            && text.chars().take(at).all(|c| c.is_ascii_digit())
            && text.chars().nth(at + 1).is_none_or(char::is_whitespace);
        if special || leading || doubled || numbered {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(
            escape("- a_b [1] #x // $y"),
            "\\- a\\_b \\[1\\] \\#x /\\/ \\$y"
        );
        assert_eq!(escape("1. first"), "1\\. first");
        assert_eq!(escape("12.5"), "12.5");
        assert_eq!(
            escape("see `a \"b\"` so"),
            "see #raw(\"a \\\"b\\\"\", block: false); so"
        );
    }
}
