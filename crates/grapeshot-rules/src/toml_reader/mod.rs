//! The one reader of TOML files that people write: studies, styles, variants, fights, logs, wishes, and what a
//! ruleset keeps beside its tables.
//!
//! A [`TomlText`] is a file as it was written. It is parsed once into plain values; positions (spans) are found
//! by a second parse when the first mistake is told of, so that whoever makes none does not wait for them, and
//! what is built in never has any. [`Entries`] takes a table apart entry by entry, each of the type it has to
//! have; what is wrong goes to [`Problems`], and reading goes on, so that a file with three mistakes is refused
//! with three lines.

mod entries;
mod places;
mod problems;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use entries::below;
pub use entries::{Entries, FromToml, single};
pub use places::TomlText;
pub use problems::Problems;
pub use text::read_text;
