//! `grapeshot break-even`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::subject::{About, sweeps};
use super::waiting::waiting;
use clap::Args;
use grapeshot_study::{Search, Workbench, break_even, usual_options_of};

/// Arguments of `break-even`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BreakEvenArgs {
    #[command(flatten)]
    about: About,
    /// The number to vary: a setting, or a cell such as lists.morale_values.regular
    #[arg(long, value_name = "KEY")]
    vary: String,
    /// The quantity [default: success]: success, failure or undecided for the side that acts,
    /// variable=label (or label,label for any of them), mean(variable), sd(variable) or P(variable>=n)
    #[arg(long, value_name = "QUANTITY")]
    of: Option<String>,
    /// The target it should cross, such as 0.5 or 50%
    #[arg(long, value_name = "NUMBER", default_value_t = 0.5, allow_negative_numbers = true, value_parser = finite)]
    at: f64,
    /// Search only here [default: everything that is allowed]
    #[arg(long, value_name = "FROM..TO", value_parser = limits)]
    within: Option<(f64, f64)>,
    /// Settings to vary beside it: key=a,b,c or key=from..to/step (repeatable)
    #[arg(long, value_name = "KEY=VALUES")]
    sweep: Vec<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot break-even elephant charge --vary attacker.stands
        how many stands make a charge an even bet
  grapeshot break-even elephant charge --vary attacker.stands --at 0.25 \\
      --sweep defender.grade=elite,veteran,regular,poor,militia
        the same for each grade of defender
  grapeshot break-even elephant fire --vary range --of 'mean(hits)' --at 1 --within 1..600
        the range at which a volley stops being worth a hit
  grapeshot break-even elephant charge --vary lists.morale_values.regular --at 0.2
        the printed morale value at which one charge in five succeeds (tune tries every cell)";

fn finite(text: &str) -> Result<f64, String> {
    let (digits, of) = match text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), 100.0),
        None => (text, 1.0),
    };
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number / of),
        _ => Err("allowed is a number, such as 0.5 or 50%".into()),
    }
}

fn limits(text: &str) -> Result<(f64, f64), String> {
    let parsed = text
        .split_once("..")
        .and_then(|(from, to)| Some((finite(from).ok()?, finite(to).ok()?)));
    parsed.ok_or_else(|| "allowed is FROM..TO, such as 1..600".into())
}

pub(super) fn run(args: &BreakEvenArgs) -> Result<String, CliError> {
    let question = args.about.question("break-even", &args.answering.variant)?;
    let loaded = question.load()?;
    let procedure = loaded.playable(question.procedure())?;
    let options = args.answering.over(usual_options_of(procedure));
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let quantity = workbench.quantity(args.of.as_deref())?;
    let search = Search::new(&workbench, &args.vary, args.within, &quantity, args.at)?;
    let axes = sweeps(&args.sweep)?;
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let found = waiting(&options, || {
        break_even(&workbench, &quantity, &search, &axes)
    })?;
    destination.deliver(&found)
}
