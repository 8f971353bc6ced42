//! `grapeshot decide`.

use super::args::Format;
use super::{CliError, scenario};
use crate::engine::Budget;
use crate::report::{
    DecideReport, OddsReport, decide_csv, decide_json, decide_table, odds_csv, odds_json,
    plan_table,
};
use crate::rules::{self, RuleError};
use crate::study::decide::{decide, play_plan};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `decide`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DecideArgs {
    /// RULES PROCEDURE [KEY=VALUE …]; rules and procedure may also come from --file
    #[arg(value_name = "RULES PROCEDURE KEY=VALUE", num_args = 0..)]
    pub words: Vec<String>,
    /// Scenario file: `rules`, `procedure` and a [settings] table; KEY=VALUE beats it
    #[arg(long, value_name = "SCENARIO.toml")]
    pub file: Option<PathBuf>,
    /// Lay a variant over the printed tables (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    /// The odds under a fixed plan instead, phase by phase, such as "fire 2 then charge"
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// Most distinct states that are looked at
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_states: usize,
    /// How to print; csv is the whole policy
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot decide elephant standoff a.grade=veteran b.cover=hard
        fire, charge or withdraw: what each is worth, and when to change one's mind
  grapeshot decide gbacw standoff goal=win b.choices=all
        the same when the enemy chooses too
  grapeshot decide fireline standoff --plan \"fire 2 then charge\"
        what happens if I do this, then that
  grapeshot decide acw28 approach distance=45 --format csv
        what to do in every state that can come up";

pub(super) fn run(args: &DecideArgs) -> Result<String, CliError> {
    let question = scenario::question(&args.words, args.file.as_deref())?;
    let missing = |what: &str| {
        RuleError::Other(format!(
            "no {what} given; try: grapeshot decide elephant standoff"
        ))
    };
    let rules = question.rules.ok_or_else(|| missing("ruleset"))?;
    let ruleset = rules::find(&rules)?;
    let loaded = ruleset.load(&scenario::variants(&args.variant, ruleset.id)?)?;
    let procedure = question.procedure.ok_or_else(|| missing("procedure"))?;
    let decision = loaded.decision(&procedure)?;
    let settings = decision.procedure.resolve(question.given)?;
    let budget = Budget {
        states: args.max_states,
    };
    let report = |odds, stages| OddsReport {
        rules: rules.clone(),
        procedure: procedure.clone(),
        variants: loaded.variant_names(),
        settings: settings.clone(),
        odds,
        notes: decision.procedure.notes.clone(),
        stages,
        joint: false,
    };
    if let Some(plan) = &args.plan {
        let planned = play_plan(&decision, &settings, budget, plan)?;
        let odds = report(planned.odds.clone(), true);
        return Ok(match args.format {
            Format::Table => plan_table(&planned, &odds),
            Format::Json => format!("{:#}\n", odds_json(&odds)),
            Format::Csv => odds_csv(&odds)?,
        });
    }
    let decided = decide(&decision, &settings, budget)?;
    let report = DecideReport {
        odds: report(decided.odds.clone(), false),
        decided,
    };
    Ok(match args.format {
        Format::Table => decide_table(&report),
        Format::Json => format!("{:#}\n", decide_json(&report)),
        Format::Csv => decide_csv(&report),
    })
}
