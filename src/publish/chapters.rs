//! Chapters of the report that are not experiments: the balance cards and the audit.

use super::Chapter;
use super::page::escape;
use crate::charts::ChartError;
use crate::report::{audit_section, card_section, written};
use crate::rules::{self, OddsError, RuleError, common};
use crate::study::audit::{Audited, Severity, audit};
use crate::study::{Card, cards, compare_options};
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
    /// A chart could not be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
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
pub fn chapters(audit: AuditChapter) -> Result<Vec<Chapter>, ChapterError> {
    let (cards, audit) = rayon::join(card_chapter, || audit_chapter(audit));
    Ok(vec![cards?, audit?])
}

fn card_chapter() -> Result<Chapter, ChapterError> {
    let all = cards(
        &rules::find(common::ID)?.load(&[])?,
        &[],
        &compare_options(),
    )?;
    let sentences = comparisons(&all);
    let findings: String = sentences
        .iter()
        .map(|s| format!("<p class=\"finding\">{}</p>\n", escape(s)))
        .collect();
    Ok(Chapter {
        id: "comparison".into(),
        title: "Five rulesets compared".into(),
        html: findings + &card_section(&all)?,
        markdown: sentences.iter().map(|s| format!("- {s}\n")).collect(),
    })
}

/// For each figure of the cards, which ruleset has the most and which the least of it.
fn comparisons(all: &[Card]) -> Vec<String> {
    let Some(first) = all.first() else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    for (at, figure) in first.figures.iter().enumerate() {
        let mut values: Vec<(f64, &str, String)> = all
            .iter()
            .filter_map(|card| {
                let value = card.figures[at].value.as_ref().ok()?;
                Some((
                    value.number(),
                    card.rules.as_str(),
                    written(&card.figures[at]),
                ))
            })
            .collect();
        // What takes away is most where it takes away most.
        let sign = if values.iter().all(|value| value.0 <= 0.0) {
            -1.0
        } else {
            1.0
        };
        values.sort_by(|a, b| (sign * a.0).total_cmp(&(sign * b.0)));
        if let [least, .., most] = &values[..]
            && most.0 != least.0
        {
            sentences.push(format!(
                "{}, {}: most in {} ({}), least in {} ({}).",
                figure.topic, figure.name, most.1, most.2, least.1, least.2
            ));
        }
    }
    sentences
}

fn audit_chapter(wanted: AuditChapter) -> Result<Chapter, ChapterError> {
    if wanted == AuditChapter::LeftOut {
        let text = "Left out of a quick report: `grapeshot report` or `grapeshot audit` makes it.";
        return Ok(Chapter {
            id: "audit".into(),
            title: "Audit of the printed rules".into(),
            html: format!("<p>{text}</p>"),
            markdown: text.into(),
        });
    }
    let rulesets: Vec<_> = rules::Registry::built_in().printed().collect();
    let all: Vec<Audited> = rulesets
        .into_par_iter()
        .map(|ruleset| audit(&ruleset.load(&[])?))
        .collect::<Result<_, RuleError>>()?;
    let lines = all.iter().map(|audited| {
        format!(
            "- {}: {} errors, {} warnings, {} findings in all\n",
            audited.rules,
            audited.count(Severity::Error),
            audited.count(Severity::Warning),
            audited.findings.len()
        )
    });
    Ok(Chapter {
        id: "audit".into(),
        title: "Audit of the printed rules".into(),
        markdown: lines.collect(),
        html: audit_section(&all),
    })
}
