//! What a house rule changes in a whole ruleset.

use super::diff::{self, looked, used_table};
use super::number::counted;
use super::{Cell, Column, Document, Report, Table};
use grapeshot_study::WholeDiff;
use serde::Serialize;

/// What a variant changes in a whole ruleset, with so many changes of each procedure for readers.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct WholeDiffReport {
    /// What was found.
    pub found: WholeDiff,
    /// Changes of a procedure shown to readers.
    #[serde(skip)]
    pub top: usize,
}

impl Report for WholeDiffReport {
    fn document(&self) -> Document {
        let whole = &self.found;
        let edition = |variants: &[String]| match variants.is_empty() {
            true => "what is printed".to_owned(),
            false => format!("`{}`", variants.join("` and `")),
        };
        let (before, after) = (edition(&whole.before), edition(&whole.after));
        let mut document = Document::new(format!("{}: from {before} to {after}", whole.rules));
        for about in &whole.about {
            document.fact("", about.clone());
        }
        if whole.changes.is_empty() {
            document.fact("", "the variant changes no printed value");
        }
        document.findings = self.sentences();
        if !whole.changes.is_empty() {
            let mut table = Table::new(["entry", "before", "after"].map(Column::words));
            for change in &whole.changes {
                table.row([
                    Cell::text(&change.key),
                    Cell::text(change.before.clone().unwrap_or_else(|| "(new)".into())),
                    Cell::text(&change.after),
                ]);
            }
            document.block("what it changes", table);
        }
        let used = whole.used.iter();
        let used = used.flat_map(|(name, reach)| reach.used.iter().map(|u| (name.as_str(), u)));
        let used = used_table(used);
        if !used.rows.is_empty() {
            document.block("what was added, used", used.at_most(self.top, "--top"));
        }
        for diff in &whole.moved {
            let mut part = diff::document(diff, self.top, false);
            part.title = diff.procedure.clone();
            document.parts.push(part);
        }
        document
    }
}

impl WholeDiffReport {
    fn sentences(&self) -> Vec<String> {
        let whole = &self.found;
        let names = |names: Vec<&str>| names.join(", ");
        let mut out = Vec::new();
        out.push(match whole.moved.is_empty() {
            true => "no answer moves".to_owned(),
            false => format!(
                "{} of {} move: {}",
                whole.moved.len(),
                counted(whole.moved.len() + whole.still.len(), "procedure"),
                names(whole.moved.iter().map(|d| d.procedure.as_str()).collect())
            ),
        });
        let tried = whole.still.iter().map(|still| still.situations).sum();
        let left_out = whole.still.iter().map(|still| still.left_out).sum();
        if !whole.still.is_empty() {
            out.push(format!(
                "no change was found in {}: {}",
                names(whole.still.iter().map(|s| s.procedure.as_str()).collect()),
                looked(tried, left_out)
            ));
        }
        if whole.moved.is_empty() && !whole.used.is_empty() {
            out.push("what was added is seen only where it is used".into());
        }
        out
    }
}
