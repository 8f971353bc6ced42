//! Documents for the terminal.

use super::columns::lines as table_lines;
use super::paint::Paint;
use super::{Audience, Block, Body, Document, Pair, Tone, number};

/// How wide the terminal is, and how much of a document is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Characters in a line.
    pub width: usize,
    /// Whether asides, and settings that say nothing, are shown too.
    pub all: bool,
    /// Whether there are colours.
    pub colour: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            width: READABLE,
            all: false,
            colour: false,
        }
    }
}

/// Prose is not set wider than this, however wide the terminal is.
const READABLE: usize = 100;

/// A document as a person reads it in a terminal.
pub fn text(document: &Document, layout: Layout) -> String {
    let mut page = Page {
        layout,
        indent: 0,
        lines: Vec::new(),
    };
    page.document(document, 0);
    let mut hidden = Vec::new();
    if !layout.all {
        asides(document, &mut hidden);
    }
    if !hidden.is_empty() {
        page.gap();
        page.prose(&format!("--all also shows: {}", hidden.join(", ")), "");
    }
    page.lines.join("\n") + "\n"
}

/// The headings of what is left out.
fn asides(document: &Document, hidden: &mut Vec<String>) {
    let here = document
        .blocks
        .iter()
        .filter(|b| b.place == Audience::Aside);
    for block in here {
        // What stands in brackets explains the heading; here its name is enough.
        let name = block.heading.split(" (").next().unwrap_or_default();
        if !hidden.iter().any(|known| known == name) {
            hidden.push(name.to_owned());
        }
    }
    for part in &document.parts {
        asides(part, hidden);
    }
}

/// How a title is set off: what is wrong like what is bad.
fn document_paint(tone: Tone) -> Paint {
    match tone {
        Tone::Plain | Tone::Note => Paint::Strong,
        Tone::Warning | Tone::Error => Paint::Bad,
    }
}

/// Lines in the making.
struct Page {
    layout: Layout,
    indent: usize,
    lines: Vec<String>,
}

impl Page {
    fn document(&mut self, document: &Document, depth: usize) {
        self.painted(document_paint(document.tone), &document.title, "");
        let outer = self.indent;
        self.indent += if depth > 1 { 4 } else { 0 };
        if document.sentences_first() {
            self.findings(document);
            self.facts(document);
        } else {
            self.facts(document);
            if depth < 2 && !document.findings.is_empty() {
                self.gap();
            }
            self.findings(document);
        }
        for picture in &document.pictures {
            if let Some(file) = &picture.file {
                self.line(&format!("chart: {file} (and .png)"));
            }
        }
        for block in &document.blocks {
            if block.place == Audience::Main || block.place == Audience::Aside && self.layout.all {
                self.block(block);
            }
        }
        for part in &document.parts {
            self.gap();
            self.document(part, depth + 1);
        }
        if !document.notes.is_empty() && depth < 2 {
            self.gap();
        }
        for note in &document.notes {
            self.painted(
                Paint::Faint,
                &format!("{}: {note}", document.words.say("note")),
                "  ",
            );
        }
        for command in &document.commands {
            // Never broken: it is there to be copied.
            self.line(&format!("try: {command}"));
        }
        self.indent = outer;
    }

    fn facts(&mut self, document: &Document) {
        for fact in &document.facts {
            match fact.label.as_str() {
                "" => self.prose(&fact.text, ""),
                label => self.prose(&format!("{label}: {}", fact.text), "  "),
            }
        }
    }

    fn findings(&mut self, document: &Document) {
        let hang = if document.sentences_first() { "" } else { "  " };
        for finding in &document.findings {
            self.prose(finding, hang);
        }
    }

    fn block(&mut self, block: &Block) {
        self.gap();
        self.painted(Paint::Strong, &block.headed(), "");
        let outer = self.indent;
        self.indent += if block.heading.is_empty() { 0 } else { 2 };
        match &block.body {
            Body::Text(text) => self.prose(text, ""),
            Body::List(items) => {
                for item in items {
                    self.prose(item, "  ");
                }
            }
            Body::Terms(terms) => self.terms(terms),
            Body::Settings(pairs) => self.settings(pairs),
            Body::Links(links) => {
                let names: Vec<&str> = links.iter().map(|(_, to)| to.as_str()).collect();
                self.prose(&names.join(" "), "");
            }
            Body::Verbatim(text) => self.lines.extend(text.lines().map(str::to_owned)),
            Body::Table(table) => {
                let width = self.layout.width.saturating_sub(self.indent);
                for line in table_lines(table, width, self.layout.colour) {
                    self.line(&line);
                }
                if let Some((more, how)) = &table.more {
                    self.line(&format!(
                        "… and {} more ({how})",
                        number::grouped(*more as u64)
                    ));
                }
            }
        }
        self.indent = outer;
    }

    fn terms(&mut self, terms: &[(String, Vec<String>)]) {
        for (term, said) in terms {
            self.prose(term, "  ");
            self.indent += 4;
            for line in said {
                self.prose(line, "");
            }
            self.indent -= 4;
        }
    }

    fn settings(&mut self, pairs: &[Pair]) {
        let all = self.layout.all;
        let shown = pairs.iter().filter(|pair| all || !pair.idle);
        let texts: Vec<String> = shown.map(ToString::to_string).collect();
        self.prose(&texts.join(" "), "");
        let left_out = pairs.len() - texts.len();
        if left_out > 0 {
            self.line(&format!("and {left_out} that are off, none or 0 (--all)"));
        }
    }

    /// An empty line, unless there is one or nothing yet.
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn line(&mut self, text: &str) {
        let line = format!("{}{text}", " ".repeat(self.indent));
        self.lines.push(line.trim_end().to_owned());
    }

    /// A paragraph, broken at spaces; lines after the first begin with `hang`.
    fn prose(&mut self, text: &str, hang: &str) {
        self.set(None, text, hang);
    }

    /// The same, set off where there are colours.
    fn painted(&mut self, paint: Paint, text: &str, hang: &str) {
        self.set(Some(paint).filter(|_| self.layout.colour), text, hang);
    }

    fn set(&mut self, paint: Option<Paint>, text: &str, hang: &str) {
        if text.is_empty() {
            return;
        }
        let width = self.layout.width.min(READABLE).saturating_sub(self.indent);
        for line in wrap(text, width, hang) {
            match paint {
                Some(paint) => self.line(&paint.on(&line)),
                None => self.line(&line),
            }
        }
    }
}

/// Breaks text at spaces so that lines are at most `width` wide; a word that is longer stays whole,
/// and so does what is joined by spaces that do not break.
pub(super) fn wrap(text: &str, width: usize, hang: &str) -> Vec<String> {
    let options = textwrap::Options::new(width.max(1))
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .subsequent_indent(hang);
    // A number and its unit are not torn apart.
    let joined = text
        .replace(" %", "\u{a0}%")
        .replace(" : 1", "\u{a0}:\u{a0}1");
    let lines = textwrap::wrap(&joined, options);
    lines
        .iter()
        .map(|line| line.replace('\u{a0}', " "))
        .collect()
}
