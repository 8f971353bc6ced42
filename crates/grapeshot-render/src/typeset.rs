//! The order in which a document is set, whatever it is set by.

use super::{Audience, Block, Document};

/// A language to set documents in: how each piece is written.
pub(super) trait Typeset {
    /// A title, so deep below the document's own.
    fn heading(title: &str, depth: usize, out: &mut String);

    /// A sentence by itself.
    fn sentence(text: &str, out: &mut String);

    /// Sentences below each other.
    fn list(items: &[String], out: &mut String);

    /// A block with its heading.
    fn block(block: &Block, depth: usize, out: &mut String);

    /// A remark at the end.
    fn note(text: &str, out: &mut String);

    /// Commands to type.
    fn commands(text: &str, out: &mut String);

    /// A document and its parts.
    fn section(document: &Document, depth: usize, out: &mut String) {
        Self::heading(&document.title, depth, out);
        let facts = |out: &mut String| {
            for fact in &document.facts {
                Self::sentence(&fact.line(), out);
            }
        };
        if document.sentences_first() {
            Self::list(&document.findings, out);
            facts(out);
        } else {
            facts(out);
            Self::list(&document.findings, out);
        }
        let printed = |block: &&Block| block.place != Audience::Data;
        for block in document.blocks.iter().filter(printed) {
            Self::block(block, depth, out);
        }
        for part in &document.parts {
            Self::section(part, depth + 1, out);
        }
        for note in &document.notes {
            Self::note(note, out);
        }
        if !document.commands.is_empty() {
            Self::commands(&document.commands.join("\n"), out);
        }
    }
}

/// A piece of text by itself, if there is any.
pub(super) fn paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        *out += &format!("\n{text}\n");
    }
}

/// Text with what stands between backticks as code; a backtick without a partner is only a backtick.
pub(super) fn with_code(
    text: &str,
    plain: impl Fn(&str) -> String,
    code: impl Fn(&str) -> String,
) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(text);
    }
    let part = |(at, part): (usize, &&str)| if at % 2 == 0 { plain(part) } else { code(part) };
    parts.iter().enumerate().map(part).collect()
}
