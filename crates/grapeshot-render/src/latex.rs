//! Documents as LaTeX, to be put into a book: a fragment without a preamble, its tables ruled by `booktabs`.

use super::typeset::{Typeset, fitting, paragraph, stacked, with_code, with_minus};
use super::{Block, Body, Document, Table};

/// A document as LaTeX.
pub fn latex(document: &Document) -> String {
    let mut out = String::from("% needs \\usepackage{booktabs}\n");
    made_by(document, &mut out);
    match document.only_table() {
        Some(table) => float(document, table, &mut out),
        None => Latex::section(document, 0, &mut out),
    }
    out
}

/// What was typed, where it is read and not printed.
fn made_by(document: &Document, out: &mut String) {
    if !document.repeat.is_empty() {
        let version = env!("CARGO_PKG_VERSION");
        *out += &format!(
            "% made by {}, version {version}\n",
            document.repeat.replace('\n', " ")
        );
    }
}

/// The one table of a document, with what is said about it as its caption.
fn float(document: &Document, table: &Table, out: &mut String) {
    *out += "\\begin{table}\n\\centering\n";
    *out += &format!("\\caption{{{}}}\n", escape(&document.caption()));
    if let Some(width) = document.width {
        let size = fitting(table, width);
        let (leading, gap) = (1.2 * size, 0.35 * size);
        *out += &format!(
            "\\fontsize{{{size}}}{{{leading:.1}}}\\selectfont\\setlength{{\\tabcolsep}}{{{gap:.1}pt}}\n"
        );
    }
    tabular(table, document.width.is_some(), out);
    for note in &document.notes {
        *out += &format!("\n\\par\\smallskip{{\\footnotesize {}}}\n", escape(note));
    }
    *out += "\\end{table}\n";
}

struct Latex;

impl Typeset for Latex {
    fn heading(title: &str, depth: usize, out: &mut String) {
        let command = ["section", "subsection", "subsubsection", "paragraph"];
        let command = command[depth.min(3)];
        paragraph(out, &format!("\\{command}*{{{}}}", escape(title)));
    }

    fn sentence(text: &str, out: &mut String) {
        paragraph(out, &escape(text));
    }

    fn list(items: &[String], out: &mut String) {
        // Words like defender.weapon=rifle-musket cannot be broken: lines end where they can.
        let items = items
            .iter()
            .map(|item| format!("\\item\\raggedright {}", escape(item)));
        environment(out, "itemize", items);
    }

    fn block(block: &Block, _: usize, out: &mut String) {
        if !block.heading.is_empty() {
            paragraph(
                out,
                &format!("\\paragraph*{{{}}}\\mbox{{}}", escape(&block.heading)),
            );
        }
        match &block.body {
            Body::Text(text) => paragraph(out, &escape(text)),
            Body::List(items) => Self::list(items, out),
            Body::Terms(terms) => {
                let item = |(term, said): &(String, Vec<String>)| {
                    format!("\\item[{{{}}}] {}", escape(term), escape(&said.join("; ")))
                };
                environment(out, "description", terms.iter().map(item));
            }
            Body::Settings(pairs) => {
                let pairs = pairs.iter().map(|pair| code(&pair.to_string()));
                paragraph(out, &pairs.collect::<Vec<_>>().join(" "));
            }
            Body::Links(links) => {
                let links = links
                    .iter()
                    .map(|(name, to)| format!("{}: {}", escape(name), code(to)));
                paragraph(out, &links.collect::<Vec<_>>().join("; "));
            }
            Body::Verbatim(text) => verbatim(out, text.trim_end()),
            Body::Table(table) => {
                *out += "\n\\begin{center}\n";
                tabular(table, false, out);
                *out += "\\end{center}\n";
            }
        }
    }

    fn note(text: &str, out: &mut String) {
        paragraph(out, &format!("{{\\footnotesize {}}}", escape(text)));
    }

    fn commands(text: &str, out: &mut String) {
        verbatim(out, text);
    }
}

/// Words longer than this are set in lines.
const LONG: usize = 36;

/// More columns than this are set small and close together.
const MANY: usize = 6;

fn tabular(table: &Table, sized: bool, out: &mut String) {
    let columns = table.printed();
    let long = |at: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(at));
        cells.any(|cell| cell.read().chars().count() > LONG)
    };
    let kinds = columns.iter().map(|&at| match table.columns[at].words {
        true if long(at) => "p{0.4\\linewidth}",
        true => "l",
        false => "r",
    });
    if columns.len() > MANY && !sized {
        *out += "\\footnotesize\\setlength{\\tabcolsep}{3pt}\n";
    }
    *out += &format!(
        "\\begin{{tabular}}{{{}}}\n\\toprule\n",
        kinds.collect::<String>()
    );
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    if columns.iter().any(|&at| !table.columns[at].name.is_empty()) {
        *out += &line(
            columns
                .iter()
                .map(|&at| heading(&table.columns[at].name))
                .collect(),
        );
        *out += "\\midrule\n";
    }
    for row in &table.rows {
        let cell = |at: usize| {
            row.get(at)
                .map_or(String::new(), |cell| escape(&with_minus(&cell.read())))
        };
        let line = line(columns.iter().map(|&at| cell(at)).collect());
        // A bracket at the start of a line would be taken for an argument of the break before it.
        *out += &if line.starts_with('[') {
            format!("{{}}{line}")
        } else {
            line
        };
    }
    *out += "\\bottomrule\n\\end{tabular}\n";
    if let Some((more, how)) = &table.more {
        *out += &escape(&format!("\n… and {more} more ({how})\n"));
    }
}

fn heading(name: &str) -> String {
    let lines = stacked(name);
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    match &lines[..] {
        [one] => one.clone(),
        several => format!("\\shortstack{{{}}}", several.join("\\\\")),
    }
}

fn environment(out: &mut String, name: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        let lines = lines.join("\n");
        paragraph(out, &format!("\\begin{{{name}}}\n{lines}\n\\end{{{name}}}"));
    }
}

fn verbatim(out: &mut String, text: &str) {
    // Nothing can be escaped there, so what would end it is broken up.
    let text = text.replace("\\end{verbatim", "\\end {verbatim");
    paragraph(
        out,
        &format!("\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"),
    );
}

/// Text with what stands between backticks as code.
fn escape(text: &str) -> String {
    with_code(text, plain, code)
}

fn code(text: &str) -> String {
    format!("\\texttt{{{}}}", plain(text))
}

/// Text in which nothing is taken for a command, and which needs no font beyond the usual ones.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(c);
            }
            '^' => out += "\\textasciicircum{}",
            '~' => out += "\\textasciitilde{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '`' => out += "\\textasciigrave{}",
            '"' => {
                out += if quoted { "''" } else { "``" };
                quoted = !quoted;
            }
            '−' => out += "$-$",
            '±' => out += "$\\pm$",
            '×' => out += "$\\times$",
            '≥' => out += "$\\geq$",
            '≤' => out += "$\\leq$",
            '→' => out += "$\\to$",
            '–' => out += "--",
            '…' => out += "\\ldots{}",
            '†' => out += "\\dag{}",
            '\u{202f}' => out += "\\,",
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_headings_are_stacked() {
        assert_eq!(heading("lost"), "lost");
        assert_eq!(heading(""), "");
        assert_eq!(
            heading("mean attacker loss"),
            "\\shortstack{mean\\\\attacker\\\\loss}"
        );
    }

    #[test]
    fn nothing_is_taken_for_a_command() {
        let text = escape("50 % of {a_b} & \"x\" cost $3 \\ `odds <r>` −1 ± 2");
        assert_eq!(
            text,
            "50 \\% of \\{a\\_b\\} \\& ``x'' cost \\$3 \\textbackslash{} \
             \\texttt{odds \\textless{}r\\textgreater{}} $-$1 $\\pm$ 2"
        );
    }
}
