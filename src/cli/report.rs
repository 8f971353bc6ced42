//! `grapeshot report`.

use super::CliError;
use super::progress::{RunOptions, failed, other, play};
use crate::publish::{AuditChapter, By, chapters, write_pages};
use crate::rules::RuleError;
use crate::study::run::Prepared;
use crate::study::{Overrides, bundled, bundled_variant};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// Folder for the report
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// At most 20,000 trials a cell and no audit chapter: a look in seconds
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub common: RunOptions,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot report                    everything, into reports/index.html
  grapeshot report --quick            the same with fewer trials
  grapeshot report --out /tmp/r --trials 10000000";

const QUICK_TRIALS: u64 = 20_000;

pub(super) fn run(args: &ReportArgs) -> Result<String, CliError> {
    let overrides = Overrides {
        trials: args.common.trials,
        most_trials: args.quick.then_some(QUICK_TRIALS),
        method: None,
        seed: args.common.seed,
    };
    let style = args.common.styling.read()?.unwrap_or_default();
    let prepared: Vec<Prepared> = bundled()?
        .into_iter()
        .map(|experiment| {
            let one = Prepared::new(experiment, overrides, bundled_variant)?;
            Ok(one.in_style(&style))
        })
        .collect::<Result<_, RuleError>>()?;
    let (mut listing, sections) = play(&prepared, By::Running, &args.out, &args.common)?;
    let audit = if args.quick {
        AuditChapter::LeftOut
    } else {
        AuditChapter::Whole
    };
    let chapters = args.common.on_threads(|| chapters(audit));
    let mut chapters = chapters.map_err(other)?;
    chapters.restyle(&style);
    listing.headlines = chapters.headlines.clone();
    write_pages(&args.out, &sections, chapters).map_err(failed)?;
    listing.page = Some(args.out.join("index.html").display().to_string());
    args.common.printing.destination().deliver(&listing)
}
