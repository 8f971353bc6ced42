//! `grapeshot audit`.

use super::answering::Answering;
use super::output::Output;
use super::waiting::waiting;
use super::{CliError, scenario};
use crate::render::AuditReport;
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_rules::{Labels, LoadedRuleset, Options, Registry, RuleError, Ruleset, Variant};
use grapeshot_study::audit::{Audited, FindingKind, audit_for};
use grapeshot_study::parallel;
use std::sync::Arc;

/// Arguments of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditArgs {
    /// Rulesets; all of them if none is given
    #[arg(add = ArgValueCompleter::new(super::completing::rulesets))]
    pub rules: Vec<String>,
    /// Only what the variants bring in or cure
    #[arg(long, requires = "variant")]
    pub new: bool,
    /// Look only for findings of these kinds: order, range, contradiction, paradox, cliff, dead, dominated, gap
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot audit elephant
        what a designer would want to know before printing it
  grapeshot audit elephant --variant house.toml
        whether a repair leaves anything to find
  grapeshot audit elephant --variant house.toml --new
        only what the house rule brings in or cures
  grapeshot audit --kind order,range,contradiction
        the plain errors of all rulesets
  grapeshot audit --out audit.html
        all of it as a page";

pub(super) fn run(args: &AuditArgs) -> Result<String, CliError> {
    let why = "an audit solves what it asks, and asks the same questions every time";
    args.answering.solving(why)?;
    args.answering
        .own_budget("an audit asks thousands of questions, each within its own")?;
    let options = args.answering.over(Options::exact());
    let rulesets: Result<Vec<Arc<Ruleset>>, RuleError> = match args.rules.is_empty() {
        true => Ok(Registry::built_in().printed().cloned().collect()),
        false => args.rules.iter().map(|id| printed(id)).collect(),
    };
    let rulesets = rulesets?;
    let kinds: Result<Vec<FindingKind>, RuleError> =
        args.kind.iter().map(|text| kind(text)).collect();
    let kinds = kinds?;
    let mut variants = scenario::variants(&args.answering.variant)?;
    let destination = args.output.open()?;
    let mut asked = Vec::new();
    for (at, ruleset) in rulesets.iter().enumerate() {
        let last = at + 1 == rulesets.len();
        // What no other ruleset took is for the last one, which says so if it is not.
        let takes = |variant: &mut Variant| last || ruleset.takes(variant);
        let mine: Vec<Variant> = variants.extract_if(.., takes).collect();
        asked.push((ruleset.load(&mine)?, ruleset));
    }
    let look = |(loaded, ruleset): &(LoadedRuleset, &Arc<Ruleset>)| -> Result<Audited, RuleError> {
        let audited = audit_for(loaded, &kinds)?;
        match args.new {
            true => Ok(audited.against(&audit_for(&ruleset.load(&[])?, &kinds)?)),
            false => Ok(audited),
        }
    };
    let all = waiting(&options, || parallel::try_map(&asked, look))?;
    destination.deliver(&AuditReport { rulesets: all })
}

/// A ruleset with a source to audit.
fn printed(id: &str) -> Result<Arc<Ruleset>, RuleError> {
    let found = grapeshot_rules::find(id)?;
    if found.is_printed() {
        return Ok(found);
    }
    let known: Vec<&str> = Registry::built_in().printed().map(|r| &*r.id).collect();
    Err(RuleError::Other(format!(
        "`{id}` has no printed source to audit; allowed are {}",
        known.join(", ")
    )))
}

fn kind(text: &str) -> Result<FindingKind, RuleError> {
    FindingKind::from_label(text)
        .ok_or_else(|| RuleError::unknown("kind of finding", text, FindingKind::LABELS))
}
