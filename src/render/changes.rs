//! What a variant changes and adds, entry by entry.

use grapeshot_rules::TableChange;
use serde::Serialize;

/// All of it in a line.
pub(super) fn changes_text(changes: &[TableChange]) -> String {
    let all: Vec<String> = changes.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// One entry, for programs.
#[derive(Serialize)]
pub(super) struct ChangeData<'a> {
    key: &'a str,
    before: Option<&'a str>,
    after: &'a str,
}

impl<'a> From<&'a TableChange> for ChangeData<'a> {
    fn from(change: &'a TableChange) -> Self {
        ChangeData {
            key: &change.key,
            before: change.before.as_deref(),
            after: &change.after,
        }
    }
}
