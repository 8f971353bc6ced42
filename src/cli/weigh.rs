//! `grapeshot weigh`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::subject::About;
use super::waiting::waiting;
use clap::Args;
use grapeshot_study::weigh::{over, weigh};
use grapeshot_study::{Workbench, usual_options_of};

/// Arguments of `weigh`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WeighArgs {
    #[command(flatten)]
    about: About,
    /// What varies: keys, each with all its values, or with some of them (key=a,b or key=from..to/step), and how often each
    /// is met (key=a:1,b:6) [default weight: 1]; every combination is answered
    #[arg(long, value_name = "KEY[=VALUES],…", required = true)]
    over: Vec<String>,
    /// What is carried [default: success]: success, failure or undecided for the side that acts,
    /// variable=label (or label,label for any of them), mean(variable), sd(variable) or P(variable>=n)
    #[arg(long, value_name = "QUANTITY")]
    of: Option<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot weigh elephant charge \\
      --over attacker.grade,defender.grade,attacker.stands=6..12,defender.cover,attacker.flank
        which of five things decides a charge: shares of all that varies, over every combination
  grapeshot weigh elephant charge --over attacker.grade=elite:1,regular:6,militia:3,defender.cover
        with grades as often as they are met
  grapeshot weigh acw28 fire --over range,firer.figures=6..24/6 --of 'mean(casualties)' --charts .
        of a mean, with a picture";

pub(super) fn run(args: &WeighArgs) -> Result<String, CliError> {
    let question = args.about.question("weigh", &args.answering.variant)?;
    let loaded = question.load()?;
    let procedure = loaded.playable(question.procedure())?;
    let options = args.answering.over(usual_options_of(procedure));
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let quantity = workbench.quantity(args.of.as_deref())?;
    let varied = over(&workbench, &args.over)?;
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let found = waiting(&options, || weigh(&workbench, &quantity, varied))?;
    destination.deliver(&found)
}
