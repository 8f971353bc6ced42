//! Chapters of the report that are not experiments: the balance cards and the audit.

use crate::render::{AuditReport, CardReport, Document, Report};
use crate::rules::{self, OddsError, RuleError, common};
use crate::study::audit::{Audited, audit};
use crate::study::{cards, compare_options};
use rayon::prelude::*;

/// Why a chapter could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ChapterError {
    /// A figure could not be computed.
    #[error(transparent)]
    Odds(#[from] OddsError),
    /// A ruleset could not be loaded.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// Whether the audit, which takes as long as everything else, is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditChapter {
    /// Made.
    Whole,
    /// Left out; the chapter says so and how to have it.
    LeftOut,
}

/// All of them, computed.
///
/// # Errors
/// See [`ChapterError`].
pub fn chapters(audit: AuditChapter) -> Result<Vec<Document>, ChapterError> {
    let (cards, audit) = rayon::join(card_chapter, || audit_chapter(audit));
    Ok(vec![cards?, audit?])
}

fn card_chapter() -> Result<Document, ChapterError> {
    let common = rules::find(common::ID)?.load(&[])?;
    let cards = cards(&common, &[], &compare_options())?;
    let report = CardReport {
        cards,
        variants: Vec::new(),
    };
    let mut document = report.document();
    document.title = "Five rulesets compared".into();
    document.findings = report.extremes();
    Ok(document)
}

fn audit_chapter(wanted: AuditChapter) -> Result<Document, ChapterError> {
    if wanted == AuditChapter::LeftOut {
        let mut document = AuditReport(Vec::new()).document();
        let text = "Left out of a quick report: `grapeshot report` or `grapeshot audit` makes it.";
        document.fact("", text);
        return Ok(document);
    }
    let rulesets: Vec<_> = rules::Registry::built_in().printed().collect();
    let all: Vec<Audited> = rulesets
        .into_par_iter()
        .map(|ruleset| audit(&ruleset.load(&[])?))
        .collect::<Result<_, RuleError>>()?;
    Ok(AuditReport(all).document())
}
