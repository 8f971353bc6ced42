//! What a variant brings in, and what it cures.

use super::{Audited, Finding};

impl Audited {
    /// Of the audit of a variant, only what that of the print has not; and what is gone.
    #[must_use]
    pub fn against(mut self, print: &Audited) -> Self {
        let same = |a: &Finding, b: &Finding| {
            (a.kind, &a.place, &a.sentence) == (b.kind, &b.place, &b.sentence)
        };
        // What is still found in the same place, of more or of fewer cells, is not cured.
        let there = |a: &Finding, b: &Finding| (a.kind, &a.place) == (b.kind, &b.place);
        let known = self.findings.clone();
        let gone = |old: &&Finding| !known.iter().any(|new| there(old, new));
        self.cured = Some(print.findings.iter().filter(gone).cloned().collect());
        self.findings
            .retain(|new| !print.findings.iter().any(|old| same(old, new)));
        self
    }
}
