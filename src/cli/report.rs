//! `grapeshot report`.

use super::CliError;
use super::progress::{RunOptions, failed, other, play_beside};
use super::scenario;
use crate::publish::{AuditChapter, ResultSource, chapters, check_pages, write_pages};
use clap::Args;
use grapeshot_rules::{RuleError, Variant, common};
use grapeshot_study::parallel;
use grapeshot_study::run::Prepared;
use grapeshot_study::{Experiment, Overrides, StudyMethod, bundled, bundled_variant};
use std::path::PathBuf;

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// Folder for the report; only what a report or a run made is replaced
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
  grapeshot report --out /tmp/r --trials 10000000
  grapeshot report --method both      solved and simulated; battles, which are never solved, simulated
  grapeshot report --variant house.toml --out /tmp/house
                                      the studies, the comparison and the audit of its ruleset under a house rule";

const QUICK_TRIALS: u64 = 20_000;

pub(super) fn run(args: &ReportArgs) -> Result<String, CliError> {
    let overrides = Overrides {
        most_trials: args.quick.then_some(QUICK_TRIALS),
        ..args.common.overrides()?
    };
    let variants = scenario::variants(&args.common.variant)?;
    // Before any work: the comparison takes a variant of every ruleset, and says which it does not know.
    grapeshot_rules::find(common::ID)?.load(&variants)?;
    let style = args.common.styling.read()?.unwrap_or_default();
    check_pages(&args.out)?;
    let experiments = bundled()?;
    let prepared = args.common.on_threads(|| {
        parallel::try_map(&experiments, |experiment| {
            let overrides = fitting(experiment, overrides.clone(), &variants)?;
            let one = Prepared::new(experiment.clone(), overrides, bundled_variant)?;
            Ok::<_, RuleError>(one.in_style(&style))
        })
    })?;
    let audit = if args.quick {
        AuditChapter::LeftOut
    } else {
        AuditChapter::Whole
    };
    let chapters = || chapters(audit, &variants);
    let ((mut listing, sections), chapters) = play_beside(
        &prepared,
        ResultSource::Running,
        &args.out,
        &args.common,
        chapters,
    )?;
    let chapters = chapters.map_err(other)?;
    listing.headlines = chapters
        .headlines
        .iter()
        .map(|told| style.text(told))
        .collect();
    write_pages(&args.out, &sections, chapters, &style).map_err(failed)?;
    listing.page = Some(args.out.join("index.html").display().to_string());
    args.common.printing.destination().deliver(&listing)
}

/// What is said of all studies, as far as it can be said of one: variants of its rulesets, and no solving of what
/// is only ever simulated.
fn fitting(
    experiment: &Experiment,
    mut said: Overrides,
    variants: &[Variant],
) -> Result<Overrides, RuleError> {
    let mut takes = vec![false; variants.len()];
    for id in &experiment.rules {
        // An edition is asked by the ruleset it is one of.
        let base = grapeshot_rules::edition_of(id).map_or(id.as_str(), |(base, _)| base);
        let ruleset = grapeshot_rules::find(base)?;
        for (takes, variant) in takes.iter_mut().zip(variants) {
            *takes |= ruleset.takes(variant);
        }
        if said
            .method
            .is_some_and(|method| method != StudyMethod::Simulate)
            && (ruleset.load(&[])?.playable(&experiment.procedure)?).is_played_out()
        {
            said.method = None;
        }
    }
    let mut takes = takes.into_iter();
    said.variants.retain(|_| takes.next().unwrap_or(false));
    Ok(said)
}
