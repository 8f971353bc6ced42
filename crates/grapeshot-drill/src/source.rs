//! Files and the places in them: what a message points at, and what the back end names when play goes wrong.

use std::sync::Arc;

/// A file of a ruleset, by its position in [`Sources`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct FileId(pub u16);

/// A stretch of a file, in bytes. Its debug form is short (`@0:12..15`), so that trees can be compared as text
/// with the places left out.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}:{}..{}", self.file.0, self.start, self.end)
    }
}

impl Span {
    /// Nowhere: the beginning of the first file. For what is built in.
    pub const NOWHERE: Span = Span {
        file: FileId(0),
        start: 0,
        end: 0,
    };

    /// From the beginning of this one to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span {
            end: other.end.max(self.start),
            ..self
        }
    }

    /// Its first byte alone, or nothing at the end of a line.
    pub fn at_end(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }
}

/// One file: its name as messages say it, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// As messages name it.
    pub name: Arc<str>,
    /// All of it.
    pub text: Arc<str>,
}

/// The files of a ruleset and of its variants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Takes in a file.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let id = FileId(u16::try_from(self.files.len()).unwrap_or(u16::MAX));
        self.files.push(Source {
            name: name.into(),
            text: text.into(),
        });
        id
    }

    /// A file. What is not there is empty: a place is never worth a crash.
    pub fn file(&self, id: FileId) -> Source {
        let file = self.files.get(id.0 as usize).cloned();
        file.unwrap_or_else(|| Source {
            name: "".into(),
            text: "".into(),
        })
    }

    /// The files, in the order they were taken in.
    pub fn files(&self) -> &[Source] {
        &self.files
    }

    /// The line and column of a place, both counted from 1.
    pub fn line_and_column(&self, span: Span) -> (usize, usize) {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return (1, 1);
        };
        let before = file.text.get(..span.start as usize).unwrap_or(&file.text);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let begins = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[begins..].chars().count() + 1)
    }

    /// The letters of a place.
    pub fn text(&self, span: Span) -> &str {
        let file = self.files.get(span.file.0 as usize);
        file.and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }
}
