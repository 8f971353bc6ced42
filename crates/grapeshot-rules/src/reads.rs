//! What a question reads: the keys and printed cells that can change its numbers.
//!
//! A text knows this of itself, from what is left of it under the settings and the states that are reached; nobody has to
//! change things and look what happens.

use super::{LoadedRuleset, RuleError, Settings};
use std::collections::BTreeSet;

/// What a question reads. What is not among it cannot change the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Keys.
    pub keys: BTreeSet<String>,
    /// Cells of tables, entries of lists and assumptions, as they are named (`tables.fire_results.3.5`).
    pub cells: BTreeSet<String>,
}

impl Reads {
    /// All that either reads.
    #[must_use]
    pub fn and(mut self, other: Reads) -> Reads {
        self.keys.extend(other.keys);
        self.cells.extend(other.cells);
        self
    }
}

/// Says what a procedure reads under settings.
pub type Reader = Box<dyn Fn(&str, &Settings) -> Result<Reads, RuleError> + Send + Sync>;

impl LoadedRuleset {
    /// Whoever knows what questions of this ruleset read; nobody where it plays nothing itself.
    ///
    /// # Errors
    /// If the tables do not hold together.
    pub fn reader(&self) -> Result<Option<Reader>, RuleError> {
        self.ruleset.book.reader(&self.tables)
    }
}
