//! What a question reads: the keys and printed cells that can change its numbers.
//!
//! A text knows this of itself, from what is left of it under the settings and the states that are reached; nobody has to
//! change things and look what happens.

use super::{LoadedRuleset, RuleError, Settings};
use grapeshot_engine::engine::Budget;
use std::collections::BTreeSet;

/// What a question reads. What is not among it cannot change the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Keys.
    pub keys: BTreeSet<String>,
    /// Cells of tables, entries of lists and assumptions, as they are named (`tables.fire_results.3.5`).
    pub cells: BTreeSet<String>,
    /// Whether there were too many states to look at, so that more may be named than is read.
    pub over_budget: bool,
}

impl Reads {
    /// All that either reads.
    #[must_use]
    pub fn and(mut self, other: Reads) -> Reads {
        self.keys.extend(other.keys);
        self.cells.extend(other.cells);
        self.over_budget |= other.over_budget;
        self
    }
}

/// Says what a procedure reads under settings, looking at so many states at most.
pub(crate) type Reading =
    Box<dyn Fn(&str, &Settings, Budget) -> Result<Reads, RuleError> + Send + Sync>;

/// Says which cells stand in the text of a procedure.
pub(crate) type Mentions = Box<dyn Fn(&str) -> BTreeSet<String> + Send + Sync>;

/// Knows what questions of a ruleset read.
pub struct Reader {
    pub(crate) reads: Reading,
    pub(crate) mentions: Mentions,
}

impl Reader {
    /// What a procedure reads under settings, looking at so many states at most.
    ///
    /// # Errors
    /// If the rules refuse the settings.
    pub fn reads(
        &self,
        procedure: &str,
        settings: &Settings,
        budget: Budget,
    ) -> Result<Reads, RuleError> {
        (self.reads)(procedure, settings, budget)
    }

    /// The cells that stand in the text of a procedure. What is not among them it reads under no settings.
    pub fn mentions(&self, procedure: &str) -> BTreeSet<String> {
        (self.mentions)(procedure)
    }
}

impl LoadedRuleset {
    /// Whoever knows what questions of this ruleset read; nobody where it plays nothing itself.
    ///
    /// # Errors
    /// If the tables do not hold together.
    pub fn reader(&self) -> Result<Option<Reader>, RuleError> {
        self.ruleset.book.reader(&self.tables)
    }
}
