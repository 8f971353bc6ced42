//! `grapeshot odds`.

use super::args::{Format, OddsArgs};
use super::{CliError, scenario};
use crate::engine::{Budget, Stop, fresh_seed};
use crate::report::{OddsReport, odds_csv, odds_json, odds_table};
use crate::rules::{self, Asked, RuleError};

pub(super) fn run(args: &OddsArgs) -> Result<String, CliError> {
    let question = scenario::question(&args.words, &args.from)?;
    let missing = |what: &str| {
        RuleError::Other(format!(
            "no {what} given; try: grapeshot odds elephant charge, or grapeshot rules"
        ))
    };
    let rules = question.rules.clone().ok_or_else(|| missing("ruleset"))?;
    let ruleset = rules::find(&rules)?;
    let loaded = ruleset.load(&scenario::variants(&args.variant, ruleset.id)?)?;
    let procedure = question.procedure.as_ref();
    let procedure = loaded.procedure(procedure.ok_or_else(|| missing("procedure"))?)?;
    let (given, unused) = question.heard(&loaded, procedure)?;
    let settings = procedure.resolve(given)?;
    let asked = Asked {
        method: args.method.into(),
        stop: match args.precision {
            Some(half_width) => Stop::Precision {
                half_width,
                at_most: args.trials.unwrap_or(1_000_000_000),
            },
            None => Stop::Trials(args.trials.unwrap_or(1_000_000)),
        },
        seed: args.seed.unwrap_or_else(fresh_seed),
        common_dice: false,
        budget: Budget {
            states: args.max_states,
        },
    };
    let (odds, direct) = on_threads(args.threads, || procedure.odds(&settings, &asked))??;
    let mut notes = procedure.notes.clone();
    let remarks = procedure.remarks(&settings)?;
    notes.extend(remarks.iter().map(ToString::to_string));
    notes.extend(unused);
    if direct {
        notes.push(format!(
            "the procedure has more than {} distinct states, so every step was rolled directly",
            args.max_states
        ));
    }
    if let (Some(wanted), Some(trials)) = (args.precision, odds.source().trials()) {
        let reached = odds.marginal_at(0).widest_half_width().unwrap_or(0.0);
        let verdict = if reached <= wanted {
            "reached"
        } else {
            "not reached"
        };
        notes.push(format!(
            "precision {wanted} {verdict}: the widest headline half-width is {reached:.6} after {} trials",
            crate::wording::grouped(trials)
        ));
    } else if args.precision.is_some() {
        notes.push("solved exactly, so --precision was not needed".into());
    }
    let report = OddsReport {
        rules,
        procedure: procedure.name.to_string(),
        variants: loaded.variant_names(),
        settings,
        odds,
        notes,
        stages: args.stages,
        joint: args.joint,
    };
    Ok(match args.format {
        Format::Table => odds_table(&report),
        Format::Json => format!("{:#}\n", odds_json(&report)),
        Format::Csv => odds_csv(&report)?,
    })
}

/// Runs `job` on a pool of so many threads, or on all cores.
pub(super) fn on_threads<T: Send>(
    threads: Option<u16>,
    job: impl FnOnce() -> T + Send,
) -> Result<T, CliError> {
    match threads {
        None => Ok(job()),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(usize::from(threads))
                .build()
                .map_err(|error| CliError::Other(error.into()))?;
            Ok(pool.install(job))
        }
    }
}
