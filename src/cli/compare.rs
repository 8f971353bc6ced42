//! `grapeshot compare`.

use super::output::{Charts, Output};
use super::subject::sweeps;
use super::{CliError, scenario};
use crate::rules::common::{ID, Kind};
use crate::rules::{self, Labels, RuleError};
use crate::study::compare;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// fire | charge | melee | firefight, then KEY=VALUE …
    #[arg(value_name = "FIGHT KEY=VALUE", num_args = 1.., required = true)]
    pub words: Vec<String>,
    /// Play the fight at every value: key=a,b,c or key=from..to/step (repeatable)
    #[arg(long, value_name = "KEY=VALUES")]
    pub sweep: Vec<String>,
    /// Lay a variant of any ruleset over its tables (repeatable)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    #[command(flatten)]
    charts: Charts,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot compare charge attacker.grade=veteran defender.cover=soft
        the same charge in every ruleset, and why some are left out
  grapeshot compare fire --sweep range=50..600/50 --charts charts
        a volley by range, with one panel for each ruleset
  grapeshot compare firefight a.men=600 --format json
        for a program
  grapeshot rules gbacw --common
        how a common fight is said in one ruleset, with its assumptions";

pub(super) fn run(args: &CompareArgs) -> Result<String, CliError> {
    let (name, given) = fight(&args.words)?;
    let kind = Kind::from_label(&name)
        .ok_or_else(|| RuleError::unknown("fight", &name, Kind::LABELS.iter()))?;
    let axes = sweeps(&args.sweep)?;
    let common = rules::find(ID)?.load(&scenario::variants(&args.variant, ID)?)?;
    let destination = args.output.open_with(&args.charts)?;
    let found = compare(&common, kind, &given, &axes)?;
    destination.deliver(&found)
}

/// The name of the fight and what is set about it.
fn fight(words: &[String]) -> Result<(String, scenario::Given), RuleError> {
    let mut name = None;
    let mut given = Vec::new();
    for word in words {
        match (word.split_once('='), &name) {
            (Some((key, value)), _) => given.push((key.trim().into(), value.trim().into())),
            (None, None) => name = Some(word.clone()),
            (None, Some(_)) => {
                return Err(RuleError::Other(format!(
                    "`{word}` is no setting: settings are written key=value"
                )));
            }
        }
    }
    let name = name.ok_or_else(|| {
        RuleError::Other(format!(
            "no fight given; allowed is {}",
            Kind::LABELS.join(" | ")
        ))
    })?;
    Ok((name, given))
}
