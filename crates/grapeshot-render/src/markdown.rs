//! Documents as Markdown: to be pasted into a forum, an issue, a README.

use super::{Audience, Block, Body, Document, Table};

/// A document as Markdown.
pub fn markdown(document: &Document) -> String {
    let mut out = String::new();
    section(document, 1, &mut out);
    out
}

/// A document as part of another one, its title at this depth.
pub(crate) fn section(document: &Document, depth: usize, out: &mut String) {
    paragraph(
        out,
        &format!("{} {}", "#".repeat(depth.min(6)), escape(&document.title)),
    );
    if document.sentences_first() {
        list(out, &document.findings);
        facts(document, out);
    } else {
        facts(document, out);
        list(out, &document.findings);
    }
    for picture in &document.pictures {
        if let Some(file) = &picture.file {
            let file = file.replace(' ', "%20");
            paragraph(out, &format!("![{}]({file})", escape(&picture.alt())));
        }
    }
    for block in document.blocks.iter().filter(|b| b.place != Audience::Data) {
        self::block(block, depth, out);
    }
    for part in &document.parts {
        section(part, depth + 1, out);
    }
    let notes: Vec<String> = document
        .notes
        .iter()
        .map(|n| format!("{}: {n}", document.words.say("note")))
        .collect();
    list(out, &notes);
    if !document.commands.is_empty() {
        paragraph(
            out,
            &format!("```sh\n{}\n```", document.commands.join("\n")),
        );
    }
    if !document.repeat.is_empty() {
        let (version, words) = (env!("CARGO_PKG_VERSION"), &document.words);
        paragraph(
            out,
            &format!(
                "{} `{}`, {} {version}",
                words.say("made by"),
                document.repeat,
                words.say("version")
            ),
        );
    }
}

fn facts(document: &Document, out: &mut String) {
    let facts = document.facts.iter().map(|fact| match fact.label.as_str() {
        "" => escape(&fact.text),
        label => format!("{label}: {}", escape(&fact.text)),
    });
    paragraph(out, &facts.collect::<Vec<_>>().join("  \n"));
}

fn block(block: &Block, depth: usize, out: &mut String) {
    let folded = block.place == Audience::Aside;
    if folded {
        let heading = escape(&block.headed());
        paragraph(out, &format!("<details><summary>{heading}</summary>"));
    } else if !block.heading.is_empty() {
        let marks = "#".repeat((depth + 1).min(6));
        paragraph(out, &format!("{marks} {}", escape(&block.headed())));
    }
    match &block.body {
        Body::Text(text) => paragraph(out, &escape(text)),
        Body::List(items) => list(out, items),
        Body::Terms(terms) => {
            let items = terms.iter().map(|(term, said)| match said.as_slice() {
                [] => format!("- **{}**", escape(term)),
                said => format!("- **{}**: {}", escape(term), escape(&said.join("; "))),
            });
            paragraph(out, &items.collect::<Vec<_>>().join("\n"));
        }
        Body::Settings(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|pair| format!("`{pair}`")).collect();
            paragraph(out, &pairs.join(" "));
        }
        Body::Links(links) => {
            let link = |(name, to): &(String, String)| format!("[{}]({to})", escape(name));
            let links: Vec<String> = links.iter().map(link).collect();
            paragraph(out, &links.join(" "));
        }
        Body::Verbatim(text) => paragraph(out, &format!("```\n{}\n```", text.trim_end())),
        Body::Table(table) => self::table(table, out),
    }
    if folded {
        paragraph(out, "</details>");
    }
}

fn table(table: &Table, out: &mut String) {
    let columns = table.printed();
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let heading = columns.iter().map(|&at| cell(&table.columns[at].name));
    let rule = columns.iter().map(|&at| match table.columns[at].words {
        true => "---".to_owned(),
        false => "---:".to_owned(),
    });
    let mut lines = vec![line(heading.collect()), line(rule.collect())];
    for row in &table.rows {
        let cells = columns
            .iter()
            .map(|&at| row.get(at).map_or(String::new(), |held| cell(&held.read())));
        lines.push(line(cells.collect()));
    }
    paragraph(out, &lines.join("\n"));
    if let Some((more, how)) = &table.more {
        paragraph(out, &format!("… and {more} more ({how})"));
    }
}

fn list(out: &mut String, items: &[String]) {
    let items: Vec<String> = items.iter().map(|i| format!("- {}", escape(i))).collect();
    paragraph(out, &items.join("\n"));
}

/// Adds a paragraph, an empty line between it and what is there.
fn paragraph(out: &mut String, text: &str) {
    if text.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
    out.push('\n');
}

/// Text in which nothing is taken for HTML; what stands between backticks is code anyway.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        match at % 2 {
            0 => {
                out += &part
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('*', "\\*")
            }
            _ => out += part,
        }
    }
    out
}

/// Text inside a cell of a table.
fn cell(text: &str) -> String {
    escape(text).replace('|', "\\|")
}
