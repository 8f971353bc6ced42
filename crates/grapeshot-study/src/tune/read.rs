//! Which cells a question reads: the text of the rules knows.

use super::moves::Edit;
use super::trial::Mask;
use std::collections::BTreeSet;

/// What one cell may become.
#[derive(Debug)]
pub(super) struct EditableCell {
    /// The smaller edits first.
    pub edits: Vec<Edit>,
    /// The cells that they change: its own, and where faces are shared out the one beside it.
    places: BTreeSet<String>,
}

/// The cells that each question reads; nothing where nobody knows, and any cell may count.
pub(super) type CellsRead = Vec<Option<BTreeSet<String>>>;

impl EditableCell {
    /// All cells, each with its edits.
    pub(super) fn all(edits: Vec<Vec<Edit>>) -> Vec<EditableCell> {
        let cell = |edits: Vec<Edit>| {
            let changes = edits.iter().flat_map(|edit| &edit.changes);
            EditableCell {
                places: changes.map(|change| change.place.to_string()).collect(),
                edits,
            }
        };
        edits.into_iter().map(cell).collect()
    }

    /// The questions that read it.
    pub(super) fn readers(&self, read: &CellsRead) -> Mask {
        let mut mask = 0;
        for (at, cells) in read.iter().enumerate() {
            let reads = cells
                .as_ref()
                .is_none_or(|cells| !cells.is_disjoint(&self.places));
            mask |= Mask::from(reads) << at;
        }
        mask
    }
}
