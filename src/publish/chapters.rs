//! Parts of the report that are not experiments: what it opens with, the comparison, and the audit.

use super::headlines::headlines;
use crate::pictures::hundred_charges;
use crate::render::{Audience, AuditReport, Body, CardReport, Document, Picture, Report, Role};
use grapeshot_rules::common::FightKind;
use grapeshot_rules::{Labels, OddsError, RuleError, Variant, common};
use grapeshot_study::audit::{Audited, audit};
use grapeshot_study::parallel;
use grapeshot_study::{cards, compare_options, play, title_of};

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

/// What stands before and behind the studies.
#[derive(Debug, Clone)]
pub struct Chapters {
    /// What a person would repeat to a friend.
    pub headlines: Vec<String>,
    /// The one picture at the head of the page.
    pub picture: Picture,
    /// All rulesets side by side.
    pub comparison: Document,
    /// The audit, for the end.
    pub audit: Document,
}

/// All of them, computed, with these variants laid over their rulesets.
///
/// # Errors
/// See [`ChapterError`].
pub fn chapters(audit: AuditChapter, variants: &[Variant]) -> Result<Chapters, ChapterError> {
    let (compared, audit) = rayon::join(|| compared(variants), || audit_chapter(audit, variants));
    let (headlines, picture, comparison) = compared?;
    Ok(Chapters {
        headlines,
        picture,
        comparison,
        audit: audit?,
    })
}

fn compared(variants: &[Variant]) -> Result<(Vec<String>, Picture, Document), ChapterError> {
    let common = grapeshot_rules::find(common::ID)?.load(variants)?;
    let options = compare_options();
    let report = CardReport {
        cards: cards(&common, &[], &options)?,
        variants: common.variant_names(),
    };
    let procedure = common.procedure(FightKind::Charge.label())?;
    let mut charges = Vec::new();
    for rules in common.players() {
        // A ruleset that has no charge is told of in the comparison, with the reason.
        if let Ok(played) = play(procedure, rules, &[], &options)? {
            charges.push((title_of(rules), played));
        }
    }
    let picture = Picture::chart("charges", hundred_charges(&charges));
    Ok((headlines(&report.cards), picture, comparison(&report)))
}

/// The cards side by side, rulesets by their titles, with what each line means below.
fn comparison(report: &CardReport) -> Document {
    let mut document = report.document();
    document.title = "The rulesets compared".into();
    for block in &mut document.blocks {
        if let Body::Table(table) = &mut block.body
            && block.place == Audience::Main
        {
            let columns = table.columns.iter_mut().skip(1);
            columns.for_each(|column| column.name = title_of(&column.name));
        }
        if block.role == Some(Role::Definitions) {
            block.heading = "What each line means".into();
            block.place = Audience::Main;
        }
        // The reasons stand in the empty cells; here they would push the notes away from the table.
        if block.role == Some(Role::LeftOut) {
            block.place = Audience::Aside;
        }
    }
    // The table is what is looked at first; the chart comes after it.
    let mut chart = Document::new("What moves a charge");
    chart.anchor = "moves".into();
    chart.pictures = std::mem::take(&mut document.pictures);
    document.parts.push(chart);
    // The table first, then its notes; what is folded after them.
    document
        .blocks
        .sort_by_key(|block| block.place == Audience::Aside);
    document
}

fn audit_chapter(wanted: AuditChapter, variants: &[Variant]) -> Result<Document, ChapterError> {
    if wanted == AuditChapter::LeftOut {
        let mut document = AuditReport {
            rulesets: Vec::new(),
        }
        .document();
        let text = "Left out of a quick report: `grapeshot report` or `grapeshot audit` makes it.";
        document.fact("", text);
        return Ok(document);
    }
    let rulesets: Vec<_> = grapeshot_rules::Registry::built_in().printed().collect();
    let all: Vec<Audited> = parallel::try_map(&rulesets, |ruleset| {
        let takes = |variant: &&Variant| ruleset.takes(variant);
        let mine: Vec<Variant> = variants.iter().filter(takes).cloned().collect();
        audit(&ruleset.load(&mine)?)
    })?;
    let mut document = AuditReport { rulesets: all }.document();
    document
        .parts
        .iter_mut()
        .for_each(|part| part.folded = true);
    Ok(document)
}
