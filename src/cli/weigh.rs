//! `grapeshot weigh`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::subject::About;
use super::waiting::waiting;
use clap::Args;
use grapeshot_study::weigh::WeighAsked;
use grapeshot_study::{Workbench, usual_options_of};

/// Arguments of `weigh`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WeighArgs {
    #[command(flatten)]
    about: About,
    /// What varies: keys, each with all its values, or with some of them (key=a,b or key=from..to/step), and how often each
    /// is met (key=a:1,b:6) [default: the settings that move it most, at most five; weight 1]
    #[arg(long, value_name = "KEY[=VALUES],…")]
    over: Vec<String>,
    /// Printed numbers that vary too: tables.NAME.*, lists.NAME, or one of their cells (repeatable). Of each that the
    /// question reads: as it is, one less and one more, or what is named (lists.NAME.x=6..9)
    #[arg(long, value_name = "CELLS[=VALUES]")]
    cells: Vec<String>,
    /// How far a printed number is varied [default: 1]
    #[arg(long, value_name = "N", requires = "cells", value_parser = clap::value_parser!(i64).range(1..=1000))]
    by: Option<i64>,
    /// Combinations that are answered at most; more are sampled by scrambled Sobol points, with intervals
    /// [default: 20,000; 500 of battles]
    #[arg(long, value_name = "N", value_parser = most_cells)]
    max_cells: Option<usize>,
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
        of a mean, with a picture
  grapeshot weigh elephant charge --cells 'lists.*' --over defender.grade
        which of the printed numbers carry it: each as it is, one less and one more";

/// As many as fit any machine's memory.
fn most_cells(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(cells) if (100..=10_000_000).contains(&cells) => Ok(cells),
        _ => Err("allowed is a whole number from 100 to 10000000".into()),
    }
}

pub(super) fn run(args: &WeighArgs) -> Result<String, CliError> {
    let question = args.about.question("weigh", &args.answering.variant)?;
    let loaded = question.load()?;
    let procedure = loaded.playable(question.procedure())?;
    let options = args.answering.over(usual_options_of(procedure));
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let asked = WeighAsked {
        over: args.over.clone(),
        cells: args.cells.clone(),
        by: args.by,
        of: args.of.clone(),
        most_cells: args.max_cells,
    };
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let found = waiting(&options, || asked.answer(&workbench))?;
    destination.deliver(&found)
}
