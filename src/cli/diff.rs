//! `grapeshot diff`.

use super::CliError;
use super::args::Format;
use super::bench::{About, Asking, draw, make_dir, sweeps, written};
use crate::report::{diff_chart, diff_csv, diff_json, diff_table};
use crate::study::diff;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiffArgs {
    #[command(flatten)]
    about: About,
    /// The house rule (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml", required = true)]
    variant: Vec<PathBuf>,
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
    /// Draw a heatmap of the change (SVG and PNG) in this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    asking: Asking,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot rules elephant --toml > house.toml
        start a variant: keep only what it changes, and rules = \"elephant\"
  grapeshot diff elephant melee --variant experiments/variants/elephant-even-melee.toml
        what a repaired cell changes
  grapeshot diff elephant melee --variant house.toml --sweep attacker.stands=6..14/1
        where it matters, and where it does not
  grapeshot diff acw28 fire --variant house.toml --of 'mean(casualties)' \\
      --sweep range=10..120/10 --sweep target.cover=open,soft,hard --out charts
        a heatmap of the change";

pub(super) fn run(args: &DiffArgs) -> Result<String, CliError> {
    let subject = args.about.subject("diff")?;
    let after = subject.load(&args.variant)?;
    let before = subject.load(&args.against)?;
    let axes = sweeps(&args.sweep)?;
    let (before, _) = subject.bench(&before, &args.asking)?;
    let (after, note) = subject.bench(&after, &args.asking)?;
    let quantity = match &args.of {
        Some(text) => Some(after.quantity(Some(text))?),
        None => None,
    };
    make_dir(args.out.as_deref())?;
    let found = args
        .asking
        .run(|| diff(&before, &after, axes, quantity))??;
    let stem = format!("diff-{}-{}", found.rules, found.procedure);
    let files = draw(args.out.as_deref(), &stem, diff_chart(&found))?;
    Ok(match args.asking.format {
        Format::Table => {
            note.table(diff_table(&found, args.top) + &written(args.out.as_deref(), &files))
        }
        Format::Json => {
            let mut out = note.json(diff_json(&found));
            out["files"] = json!(files);
            format!("{out:#}\n")
        }
        Format::Csv => note.csv(diff_csv(&found)),
    })
}
