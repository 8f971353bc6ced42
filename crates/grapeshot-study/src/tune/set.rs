//! Edits that were solved together, and how they compare.

use super::moves::Edit;
use super::trial::Mask;
use std::cmp::Ordering;

/// Edits that were solved together.
#[derive(Debug, Clone)]
pub(super) struct Set<'e> {
    pub edits: Vec<&'e Edit>,
    /// The questions that were asked again.
    pub mask: Mask,
    /// The value of each target.
    pub values: Vec<f64>,
    /// How far they are from what is wanted.
    pub miss: f64,
}

impl<'e> Set<'e> {
    /// How many cells are changed.
    pub(super) fn cells(&self) -> usize {
        self.edits.iter().map(|edit| edit.changes.len()).sum()
    }

    /// How large the edits are together.
    pub(super) fn size(&self) -> f64 {
        self.edits.iter().map(|edit| edit.size).sum()
    }

    pub(super) fn contains(&self, other: &Set<'_>) -> bool {
        let mut theirs = other.edits.iter();
        theirs.all(|edit| self.edits.contains(edit))
    }

    /// Whether an edit changes none of its cells.
    pub(super) fn apart(&self, edit: &Edit) -> bool {
        self.edits.iter().all(|own| !own.meets(edit))
    }

    /// Which edits they are, whatever the order in which they were put together.
    pub(super) fn identity(&self) -> Vec<usize> {
        identity(&self.edits)
    }

    /// Fewer cells first, then smaller edits, then nearer to what is wanted.
    pub(super) fn order(&self, other: &Set<'_>) -> Ordering {
        (self.cells().cmp(&other.cells()))
            .then(self.size().total_cmp(&other.size()))
            .then(self.miss.total_cmp(&other.miss))
    }

    /// Nearer to what is wanted first.
    pub(super) fn nearer(&self, other: &Set<'_>) -> Ordering {
        self.miss.total_cmp(&other.miss).then(self.order(other))
    }
}

/// Which edits these are, whatever their order.
pub(super) fn identity(edits: &[&Edit]) -> Vec<usize> {
    let mut found: Vec<usize> = edits
        .iter()
        .map(|edit| std::ptr::from_ref::<Edit>(edit).addr())
        .collect();
    found.sort_unstable();
    found
}
