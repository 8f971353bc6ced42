//! `grapeshot audit`.

use super::{CliError, scenario};
use crate::publish::folder::write_file;
use crate::report::{audit_html, audit_json, audit_text};
use crate::rules::{self, Labels, Registry, RuleError, Ruleset, Variant};
use crate::study::audit::{Audited, Kind, audit};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;

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
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: AuditFormat,
    /// Write to a file instead
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How an audit is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// For reading.
    Text,
    /// For programs.
    Json,
    /// A page for a browser.
    Html,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot audit elephant
        what a designer would want to know before printing it
  grapeshot audit elephant --variant repaired.toml
        whether a repair leaves anything to find
  grapeshot audit --kind order,range,contradiction
        the plain errors of all rulesets
  grapeshot audit --format html --out audit.html
        all of it as a page";

pub(super) fn run(args: &AuditArgs) -> Result<String, CliError> {
    let rulesets: Result<Vec<Arc<Ruleset>>, RuleError> = match args.rules.is_empty() {
        true => Ok(Registry::built_in().printed().cloned().collect()),
        false => args.rules.iter().map(|id| printed(id)).collect(),
    };
    let rulesets = rulesets?;
    let kinds: Result<Vec<Kind>, RuleError> = args.kind.iter().map(|text| kind(text)).collect();
    let kinds = kinds?;
    let mut variants = scenario::variants(&args.variant)?;
    let mut all = Vec::new();
    for (at, ruleset) in rulesets.iter().enumerate() {
        let last = at + 1 == rulesets.len();
        // What no other ruleset took is for the last one, which says so if it is not.
        let takes = |variant: &mut Variant| last || ruleset.takes(variant);
        let mine: Vec<Variant> = variants.extract_if(.., takes).collect();
        let mut audited: Audited = audit(&ruleset.load(&mine)?)?;
        if !kinds.is_empty() {
            audited.findings.retain(|f| kinds.contains(&f.kind));
        }
        all.push(audited);
    }
    let text = match args.format {
        AuditFormat::Text => audit_text(&all),
        AuditFormat::Json => format!("{:#}\n", audit_json(&all)),
        AuditFormat::Html => audit_html(&all),
    };
    match &args.out {
        None => Ok(text),
        Some(path) => {
            write_file(path, text.as_bytes()).map_err(|error| {
                CliError::Other(anyhow::anyhow!("cannot write {}: {error}", path.display()))
            })?;
            Ok(format!("wrote {}\n", path.display()))
        }
    }
}

/// A ruleset with a source to audit.
fn printed(id: &str) -> Result<Arc<Ruleset>, RuleError> {
    let found = rules::find(id)?;
    if found.is_printed() {
        return Ok(found);
    }
    let known: Vec<&str> = Registry::built_in().printed().map(|r| &*r.id).collect();
    Err(RuleError::Other(format!(
        "`{id}` has no printed source to audit; allowed are {}",
        known.join(", ")
    )))
}

fn kind(text: &str) -> Result<Kind, RuleError> {
    Kind::from_label(text).ok_or_else(|| RuleError::unknown("kind of finding", text, Kind::LABELS))
}
