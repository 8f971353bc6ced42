//! `grapeshot table`.

use super::CliError;
use super::answering::Answering;
use super::output::{Output, Styling};
use super::subject::About;
use super::waiting::waiting;
use crate::render::PivotReport;
use clap::Args;
use grapeshot_study::{PivotAsked, Workbench, pivot, usual_options_of};

/// Arguments of `table`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TableArgs {
    #[command(flatten)]
    about: About,
    /// What runs down: a key with its values, or all of them, or a variable [default: the grade]
    #[arg(long, value_name = "KEY[=VALUES]")]
    rows: Option<String>,
    /// What runs across: a key with its values, or all of them; or a variable, so that each row has all
    /// its ends and adds up to 100 [default: cover, another grade, or how it ends]
    #[arg(long, value_name = "KEY[=VALUES]")]
    columns: Option<String>,
    /// The quantity [default: success]: success, failure or undecided for the side that acts,
    /// variable=label (or label,label for any of them), mean(variable), sd(variable) or P(variable>=n)
    #[arg(long, value_name = "QUANTITY")]
    of: Option<String>,
    /// Decimals [default: 1 of a percentage, 2 of another number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=6))]
    decimals: Option<u32>,
    /// What stands above it in LaTeX and Typst, instead of rules, quantity, settings and method
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    styling: Styling,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot table elephant charge
        the chance of success by grade and cover
  grapeshot table elephant charge defender.grade=militia --columns outcome --format latex
        how a charge ends, each row adding up to 100, to be pasted into a book
  grapeshot table elephant fire --rows range=50,100,200,400 --columns firer.stands=6..12/2 \\
      --of 'mean(hits)' --format typst
        hits by range and stands
  grapeshot table elephant charge --style book.toml --out charge.md
        in the words and with the decimals of a style: [words] and [figure] language = \",\"";

pub(super) fn run(args: &TableArgs) -> Result<String, CliError> {
    let question = args.about.question("table", &args.answering.variant)?;
    let loaded = question.load()?;
    let procedure = loaded.playable(question.procedure())?;
    let options = args.answering.over(usual_options_of(procedure));
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let (rows, columns) = (args.rows.as_deref(), args.columns.as_deref());
    let asked = PivotAsked::new(&workbench, rows, columns, args.of.as_deref())?;
    let style = args.styling.read()?.unwrap_or_default();
    let destination = args.output.open()?.noting(note);
    let pivot = waiting(&options, || pivot(&workbench, &asked, args.decimals))?;
    let mut report = PivotReport::new(pivot, style);
    report.captioned.clone_from(&args.caption);
    destination.deliver(&report)
}
