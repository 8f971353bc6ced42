//! `grapeshot compare`.

use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::scenario::FileArgs;
use super::subject::sweeps;
use super::waiting::waiting;
use super::{CliError, scenario};
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_rules::common::{FightKind, ID, RULESET_KEY};
use grapeshot_rules::fight::RawSettings;
use grapeshot_rules::{Labels, RuleError};
use grapeshot_study::{compare, compare_options};

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// fire | charge | melee | firefight, then KEY=VALUE …
    #[arg(value_name = "FIGHT KEY=VALUE", num_args = 1.., required = true, add = ArgValueCompleter::new(super::completing::fights))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub from: FileArgs,
    /// Rulesets, separated by commas: names, folders, or NAME:VARIANT.toml; all built-in ones if not given
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub rules: Vec<String>,
    /// Play the fight at every value: key=a,b,c or key=from..to/step (repeatable)
    #[arg(long, value_name = "KEY=VALUES")]
    pub sweep: Vec<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot compare charge attacker.grade=veteran defender.cover=soft
        the same charge in every ruleset, and why some are left out
  grapeshot compare fire --sweep range=50..600/50 --charts charts
        a volley by range, with one panel for each ruleset
  grapeshot compare charge --rules elephant,elephant:house.toml,gbacw
        a house rule beside the print and another game
  grapeshot compare firefight a.men=600 --format json
        for a program
  grapeshot rules gbacw --common
        how a common fight is said in one ruleset, with its assumptions";

pub(super) fn run(args: &CompareArgs) -> Result<String, CliError> {
    let said = fight(&args.words, &args.from)?;
    let name = said.procedure.clone().unwrap_or_default();
    let kind = FightKind::from_label(&name)
        .ok_or_else(|| RuleError::unknown("fight", &name, FightKind::LABELS.iter()))?;
    let axes = sweeps(&args.sweep)?;
    let common = grapeshot_rules::common_over(&args.rules)?
        .load(&scenario::variants(&args.answering.variant)?)?;
    let mut heard = said.to(&common, common.procedure(kind.label())?)?;
    let typed = said.words.iter().any(|(key, _)| key == RULESET_KEY);
    let ruleset = heard.given.iter().position(|(key, _)| key == RULESET_KEY);
    if let (false, Some(at)) = (typed, ruleset) {
        // Every ruleset plays, whichever the fight was written for.
        heard.unused.push(heard.given.remove(at).0);
    }
    let note = heard.note(&said, "a comparison");
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let options = args.answering.over(compare_options());
    let comparison = waiting(&options, || {
        compare(&common, kind, &heard.given, &axes, &options)
    })?;
    destination.deliver(&comparison)
}

/// The fight, and what is set about it.
fn fight(words: &[String], from: &FileArgs) -> Result<RawSettings, RuleError> {
    // The ruleset goes without saying, so what is typed first is the procedure.
    let words: Vec<String> = [ID.to_owned()]
        .into_iter()
        .chain(words.iter().cloned())
        .collect();
    let said = scenario::said(&words, from)?;
    match said.procedure {
        Some(_) => Ok(said),
        None => {
            let allowed = FightKind::LABELS.join(" | ");
            Err(RuleError::Other(format!(
                "no fight given; allowed is {allowed}"
            )))
        }
    }
}
