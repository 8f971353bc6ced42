//! `grapeshot card`.

use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::waiting::waiting;
use super::{CliError, scenario};
use crate::render::CardReport;
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_study::{cards, compare_options};

/// Arguments of `card`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CardArgs {
    /// Rulesets, separated by commas: names, folders, or NAME:VARIANT.toml; all built-in ones if not given
    #[arg(long, value_name = "RULES", value_delimiter = ',', add = ArgValueCompleter::new(super::completing::rulesets))]
    pub rules: Vec<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot card
        what a grade, cover, a flank, a leader or more men are worth in every ruleset
  grapeshot card --rules elephant,acw28
        two of them
  grapeshot card --rules elephant,elephant:house.toml
        a house rule beside the print
  grapeshot card --out cards.html
        as a page, with a chart";

pub(super) fn run(args: &CardArgs) -> Result<String, CliError> {
    let common = grapeshot_rules::common_over(&args.rules)?
        .load(&scenario::variants(&args.answering.variant)?)?;
    let destination = args.output.open_with(&args.charts)?;
    let options = args.answering.over(compare_options());
    let cards = waiting(&options, || cards(&common, &[], &options))?;
    destination.deliver(&CardReport {
        cards,
        variants: common.variant_names(),
    })
}
