//! `grapeshot what-if`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::subject::About;
use super::waiting::waiting;
use crate::render::WhatIfReport;
use clap::Args;
use grapeshot_study::{Workbench, usual_options_of, what_if};

/// Arguments of `what-if`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WhatIfArgs {
    #[command(flatten)]
    about: About,
    /// What should move [default: success]: success, failure or undecided for the side that acts,
    /// variable=label (or label,label for any of them), mean(variable), sd(variable) or P(variable>=n)
    #[arg(long, value_name = "QUANTITY")]
    of: Option<String>,
    /// Only settings that belong to this side
    #[arg(long, value_name = "SIDE")]
    mine: Option<String>,
    /// Also pairs of settings that do more, or less, together than the sum of the two
    #[arg(long)]
    pairs: bool,
    /// Pairs shown in the table
    #[arg(long, value_name = "N", default_value_t = 12)]
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
  grapeshot what-if elephant charge
        every setting changed alone, the widest swing first
  grapeshot what-if elephant charge defender.cover=wall --mine attacker
        what would help me most right now
  grapeshot what-if elephant charge --of outcome=defender-retreats,defender-routs --pairs
        either of two outcomes, and which settings work together or against each other
  grapeshot what-if acw28 fire --of 'mean(casualties)' --charts charts
        a mean, with a tornado chart
  grapeshot what-if elephant charge --out charge.html
        as a page, chart included";

pub(super) fn run(args: &WhatIfArgs) -> Result<String, CliError> {
    let question = args.about.question("what-if", &args.answering.variant)?;
    let loaded = question.load()?;
    let procedure = loaded.playable(question.procedure())?;
    let options = args.answering.over(usual_options_of(procedure));
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let quantity = workbench.quantity(args.of.as_deref())?;
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let mine = args.mine.as_deref();
    let found = waiting(&options, || {
        what_if(&workbench, &quantity, mine, args.pairs)
    })?;
    destination.deliver(&WhatIfReport {
        found,
        top: args.top,
    })
}
