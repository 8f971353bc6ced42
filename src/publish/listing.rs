//! What became of each study of a run.

use super::{PAGE, Published, Section};
use crate::render::{Body, Cell, Document, Report, Table};
use serde::Serialize;
use std::path::Path;

/// Skipped cells that are listed one by one.
const SHOWN: usize = 3;

/// The studies of a run, and the page that shows them.
#[derive(Debug, Serialize)]
pub struct Listing {
    studies: Vec<Study>,
    /// The page that shows them all, if one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What the report opens with, in place of the findings of every study.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headlines: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Study {
    id: String,
    folder: String,
    /// Its own page.
    page: String,
    published: &'static str,
    title: String,
    findings: Vec<String>,
    skipped: Vec<String>,
}

impl Listing {
    /// Lists studies by their names, with what is kept of each in its folder.
    pub fn new(out: &Path, published: &[(String, Published)], sections: &[Section]) -> Self {
        let study = |(id, published): &(String, Published)| {
            let section = sections.iter().find(|section| section.id == *id);
            Study {
                id: id.clone(),
                folder: out.join(id).display().to_string(),
                page: out.join(id).join(PAGE).display().to_string(),
                published: match published {
                    Published::Written => "written",
                    Published::UpToDate => "up to date",
                    Published::Stopped => "stopped",
                },
                title: section.map_or(String::new(), |section| section.title.clone()),
                findings: section.map_or(Vec::new(), |section| section.findings.clone()),
                skipped: section.map_or(Vec::new(), |section| section.skipped.clone()),
            }
        };
        Listing {
            studies: published.iter().map(study).collect(),
            page: None,
            headlines: Vec::new(),
        }
    }
}

impl Study {
    /// The cells the rules refuse, in a few lines.
    fn refused(&self) -> Vec<String> {
        let shown = self.skipped.iter().take(SHOWN);
        let mut lines: Vec<String> = shown.map(|reason| format!("skipped: {reason}")).collect();
        if self.skipped.len() > SHOWN {
            let more = self.skipped.len() - SHOWN;
            lines.push(format!(
                "… and {more} more cells, all listed in skipped.csv"
            ));
        }
        lines
    }
}

impl Report for Listing {
    fn document(&self) -> Document {
        let mut document = Document::new("Studies");
        document.findings = self.headlines.clone();
        let mut table = Table::named(["id", "folder", "published", "title", "skipped"]);
        let mut terms = Vec::new();
        for study in &self.studies {
            let mut said = study.refused();
            if self.page.is_none() {
                said.splice(0..0, study.findings.iter().cloned());
                said.push(format!("page: {}", study.page));
            }
            terms.push((format!("{}: {}", study.folder, study.published), said));
            let cells = [&study.id, &study.folder, study.published, &study.title];
            let skipped = Cell::count(study.skipped.len() as i64);
            table.row(cells.map(Cell::text).into_iter().chain([skipped]));
        }
        document.block("", Body::Terms(terms));
        document.data("studies", table);
        if let Some(page) = &self.page {
            document.block(
                "the page that shows them",
                Body::Links(vec![(page.clone(), page.clone())]),
            );
        }
        document
    }
}
