//! `grapeshot what-if`.

use super::CliError;
use super::args::Format;
use super::bench::{About, Asking, draw, make_dir, written};
use crate::report::{what_if_chart, what_if_csv, what_if_json, what_if_pairs_csv, what_if_table};
use crate::study::what_if;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

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
    /// Lay a variant over the printed tables (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    variant: Vec<PathBuf>,
    /// Draw a tornado chart (SVG and PNG) in this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    asking: Asking,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot what-if elephant charge
        every setting changed alone, the widest swing first
  grapeshot what-if elephant charge defender.cover=wall --mine attacker
        what would help me most right now
  grapeshot what-if elephant charge --of outcome=defender-retreats,defender-routs --pairs
        either of two outcomes, and which settings work together or against each other
  grapeshot what-if acw28 fire --of 'mean(casualties)' --out charts
        a mean, with a tornado chart

With --format csv, --pairs prints the table of pairs instead of the table of values.";

pub(super) fn run(args: &WhatIfArgs) -> Result<String, CliError> {
    let subject = args.about.subject("what-if")?;
    let loaded = subject.load(&args.variant)?;
    let (bench, note) = subject.bench(&loaded, &args.asking)?;
    let quantity = bench.quantity(args.of.as_deref())?;
    make_dir(args.out.as_deref())?;
    let what = args
        .asking
        .run(|| what_if(&bench, &quantity, args.mine.as_deref(), args.pairs))??;
    let stem = format!("what-if-{}-{}", what.rules, what.procedure);
    let files = draw(args.out.as_deref(), &stem, what_if_chart(&what))?;
    Ok(match args.asking.format {
        Format::Table => {
            note.table(what_if_table(&what, args.top) + &written(args.out.as_deref(), &files))
        }
        Format::Json => {
            let mut out = note.json(what_if_json(&what));
            out["files"] = json!(files);
            format!("{out:#}\n")
        }
        Format::Csv if args.pairs => note.csv(what_if_pairs_csv(&what)),
        Format::Csv => note.csv(what_if_csv(&what)),
    })
}
