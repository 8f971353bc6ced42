//! `grapeshot diff`.

use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::subject::{About, sweeps};
use super::waiting::waiting;
use super::{CliError, scenario};
use crate::render::{DiffReport, WholeDiffReport};
use clap::Args;
use grapeshot_rules::{LoadedRuleset, Options, RuleError};
use grapeshot_study::{Workbench, diff, diff_all, diff_where_it_matters, usual_options};
use std::path::PathBuf;

/// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiffArgs {
    #[command(flatten)]
    about: About,
    /// Compare with this variant instead of what is printed (repeatable)
    #[arg(long, value_name = "VARIANT.toml")]
    against: Vec<PathBuf>,
    /// Settings to vary: key=a,b,c or key=from..to/step (repeatable)
    #[arg(long, value_name = "KEY=VALUES")]
    sweep: Vec<String>,
    /// Compare this [default: success; every value of the headline where no outcome favours a side]
    #[arg(long, value_name = "QUANTITY")]
    of: Option<String>,
    /// Changes shown in the table
    #[arg(long, value_name = "N", default_value_t = 40)]
    top: usize,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot rules elephant --toml > elephant.toml
        start a variant house.toml from it: keep only what it changes, and rules = \"elephant\"
  grapeshot diff elephant --variant house.toml
        everything it changes: each entry, and each procedure where that is seen
  grapeshot diff elephant melee --variant experiments/variants/elephant-even-melee.toml
        what a repaired cell changes
  grapeshot diff elephant melee --variant house.toml --sweep attacker.stands=6..14/1
        where it matters, and where it does not
  grapeshot diff acw28 fire --variant volleys.toml --of 'mean(casualties)' \\
      --sweep range=10..120/10 --sweep target.cover=open,soft,hard --charts charts
        a heatmap of the change";

pub(super) fn run(args: &DiffArgs) -> Result<String, CliError> {
    let question = args.about.asked("diff")?;
    if args.answering.variant.is_empty() {
        let problem = "no house rule given: --variant VARIANT.toml names the file";
        return Err(RuleError::Other(problem.into()).into());
    }
    let load = |variants: &[PathBuf]| question.ruleset.load(&scenario::variants(variants)?);
    let after = load(&args.answering.variant)?;
    let before = load(&args.against)?;
    let axes = sweeps(&args.sweep)?;
    let options = args.answering.over(usual_options());
    if question.said.procedure.is_none() {
        return whole(args, &before, &after, options);
    }
    let (before, _) = Workbench::of(&question, &before, options)?;
    let (after, note) = Workbench::of(&question, &after, options)?;
    let quantity = match &args.of {
        Some(text) => Some(after.quantity(Some(text))?),
        None => None,
    };
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let found = waiting(&options, || {
        let asked = diff(&before, &after, axes, quantity)?;
        diff_where_it_matters(&before, &after, asked)
    })?;
    destination.deliver(&DiffReport {
        found,
        top: args.top,
    })
}

/// All procedures at once.
fn whole(
    args: &DiffArgs,
    before: &LoadedRuleset,
    after: &LoadedRuleset,
    options: Options,
) -> Result<String, CliError> {
    if !args.sweep.is_empty() || args.of.is_some() {
        let problem = "--sweep and --of belong to a procedure: grapeshot diff elephant charge …";
        return Err(RuleError::Other(problem.into()).into());
    }
    let destination = args.output.open_with(&args.charts)?;
    let found = waiting(&options, || diff_all(before, after, options))?;
    destination.deliver(&WholeDiffReport {
        found,
        top: args.top,
    })
}
