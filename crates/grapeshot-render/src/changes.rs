//! What a variant changes and adds, entry by entry.

use grapeshot_rules::TableChange;

/// All of it in a line.
pub(super) fn changes_text(changes: &[TableChange]) -> String {
    let all: Vec<String> = changes.iter().map(ToString::to_string).collect();
    all.join("; ")
}
