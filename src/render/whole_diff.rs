//! What a house rule changes in a whole ruleset.

use super::changes::ChangeData;
use super::diff::{DiffReport, looked, used_table};
use super::number::counted;
use super::{Cell, Column, Document, Report, Table, data};
use grapeshot_study::{Diff, Reach, WholeDiff};
use serde::Serialize;

/// What a variant changes in a whole ruleset, with so many changes of each procedure for readers.
#[derive(Debug)]
pub struct WholeDiffReport {
    /// What was found.
    pub found: WholeDiff,
    /// Changes of a procedure shown to readers.
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
            document.block(
                "what was added, used alone",
                used.at_most(self.top, "--top"),
            );
        }
        for diff in &whole.moved {
            let report = DiffReport {
                found: Diff {
                    changes: Vec::new(),
                    about: Vec::new(),
                    ..diff.clone()
                },
                top: self.top,
            };
            let mut part = report.document();
            part.facts
                .retain(|fact| !fact.label.is_empty() || !fact.text.contains("no printed value"));
            part.blocks
                .retain(|block| block.heading != "what was added, used alone");
            part.title = diff.procedure.clone();
            document.parts.push(part);
        }
        document
    }

    fn data(&self) -> serde_json::Value {
        let whole = &self.found;
        let still = whole.still.iter().map(|(procedure, reach)| StillData {
            procedure,
            situations: reach.tried,
            left_out: reach.left_out,
        });
        data(&WholeData {
            version: env!("CARGO_PKG_VERSION"),
            rules: &whole.rules,
            before: &whole.before,
            after: &whole.after,
            about: &whole.about,
            changes: whole.changes.iter().map(ChangeData::from).collect(),
            moved: whole
                .moved
                .iter()
                .map(|diff| {
                    let report = DiffReport {
                        found: diff.clone(),
                        top: self.top,
                    };
                    report.data()
                })
                .collect(),
            still: still.collect(),
        })
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
        let tried: usize = whole.still.iter().map(|(_, reach)| reach.tried).sum();
        let left_out: usize = whole.still.iter().map(|(_, reach)| reach.left_out).sum();
        if !whole.still.is_empty() {
            let all = Reach {
                tried,
                left_out,
                ..Reach::default()
            };
            out.push(format!(
                "no change was found in {}: {}",
                names(whole.still.iter().map(|(name, _)| name.as_str()).collect()),
                looked(&all)
            ));
        }
        if whole.moved.is_empty() && !whole.used.is_empty() {
            out.push("what was added is seen only where it is used".into());
        }
        out
    }
}

#[derive(Serialize)]
struct WholeData<'a> {
    version: &'a str,
    rules: &'a str,
    before: &'a [String],
    after: &'a [String],
    about: &'a [String],
    changes: Vec<ChangeData<'a>>,
    moved: Vec<serde_json::Value>,
    still: Vec<StillData<'a>>,
}

#[derive(Serialize)]
struct StillData<'a> {
    procedure: &'a str,
    situations: usize,
    left_out: usize,
}
