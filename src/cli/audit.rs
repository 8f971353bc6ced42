//! `grapeshot audit`.

use super::output::Output;
use super::{CliError, scenario};
use crate::render::AuditReport;
use crate::rules::{self, Labels, RuleError, Ruleset, Variant};
use crate::study::audit::{Audited, Kind, audit};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditArgs {
    /// Rulesets; all of them if none is given
    pub rules: Vec<String>,
    /// Lay a variant over the printed tables of its ruleset (repeatable)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    /// Only findings of these kinds: order, range, contradiction, paradox, cliff, dead, dominated, gap
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot audit elephant
        what a designer would want to know before printing it
  grapeshot audit elephant --variant repaired.toml
        whether a repair leaves anything to find
  grapeshot audit --kind order,range,contradiction
        the plain errors of all rulesets
  grapeshot audit --out audit.html
        all of it as a page";

pub(super) fn run(args: &AuditArgs) -> Result<String, CliError> {
    let rulesets: Result<Vec<&'static Ruleset>, RuleError> = match args.rules.is_empty() {
        true => Ok(rules::printed().collect()),
        false => args.rules.iter().map(|id| printed(id)).collect(),
    };
    let rulesets = rulesets?;
    let kinds: Result<Vec<Kind>, RuleError> = args.kind.iter().map(|text| kind(text)).collect();
    let kinds = kinds?;
    let variants = variants(&args.variant, &rulesets)?;
    let destination = args.output.open()?;
    let mut all = Vec::new();
    for ruleset in rulesets {
        let mine: Vec<Variant> = variants
            .iter()
            .filter(|(id, _)| *id == ruleset.id)
            .map(|(_, variant)| variant.clone())
            .collect();
        let mut audited: Audited = audit(&ruleset.load(&mine)?)?;
        if !kinds.is_empty() {
            audited.findings.retain(|f| kinds.contains(&f.kind));
        }
        all.push(audited);
    }
    destination.deliver(&AuditReport(all))
}

/// A ruleset with a source to audit.
fn printed(id: &str) -> Result<&'static Ruleset, RuleError> {
    let found = rules::find(id)?;
    rules::printed()
        .find(|ruleset| ruleset.id == found.id)
        .ok_or_else(|| {
            let known: Vec<&str> = rules::printed().map(|r| r.id).collect();
            RuleError::Other(format!(
                "`{id}` has no printed source to audit; allowed are {}",
                known.join(", ")
            ))
        })
}

fn kind(text: &str) -> Result<Kind, RuleError> {
    Kind::from_label(text).ok_or_else(|| RuleError::unknown("kind of finding", text, Kind::LABELS))
}

/// Each variant with the ruleset it names, which must be one of those audited.
fn variants(
    paths: &[PathBuf],
    rulesets: &[&'static Ruleset],
) -> Result<Vec<(&'static str, Variant)>, RuleError> {
    let read = |path: &PathBuf| {
        let (file, text) = (path.display().to_string(), scenario::read(path)?);
        let meant = text.parse::<toml::Table>().ok();
        let meant = meant.and_then(|table| Some(table.get("rules")?.as_str()?.to_owned()));
        let ruleset = meant.and_then(|id| rulesets.iter().find(|ruleset| ruleset.id == id));
        // Without one, the reader of variants says what is wrong.
        let id = ruleset.map_or(rulesets[0].id, |ruleset| ruleset.id);
        Ok((id, Variant::parse(&file, &text, id)?))
    };
    paths.iter().map(read).collect()
}
