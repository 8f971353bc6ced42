//! The syntax tree: what a text says, word for word, with the place of every part. Nothing is looked up here; a name is
//! a name, whether or not there is such a thing. Variants are applied to this tree ([`crate::variant`]), and the checker
//! ([`crate::check`]) makes a [`crate::program::Program`] of it.

mod edit;
mod expr;
mod item;
mod stmt;

pub use edit::*;
pub use expr::*;
pub use item::*;
pub use stmt::*;

use crate::source::{FileId, Span};
use std::sync::Arc;

/// A name, a word or a text as written, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Its letters; of a quoted word those between the quotes.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.text
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A name with a side or a unit before it: `attacker.density`, `*.state`; mostly one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dotted {
    /// What stands between the dots, at least one.
    pub parts: Vec<Name>,
    /// All of it.
    pub span: Span,
}

impl Dotted {
    /// The only part, if there is one.
    pub fn single(&self) -> Option<&Name> {
        match &self.parts[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// As written, with its dots.
    pub fn written(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| &**part).collect();
        parts.join(".")
    }
}

/// Help of a line: `## meaning @ source`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// What it means.
    pub meaning: Arc<str>,
    /// The place in the print.
    pub source: Option<Arc<str>>,
    /// Where it stands.
    pub span: Span,
}

/// One file.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Which.
    pub file: FileId,
    /// Its items, in order.
    pub items: Vec<Item>,
}
