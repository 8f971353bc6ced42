//! `grapeshot points`.

use super::answering::Answering;
use super::output::Output;
use super::scenario::FileArgs;
use super::waiting::waiting;
use super::{CliError, scenario};
use crate::render::PointsBeside;
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_rules::{LoadedRuleset, OddsError, RuleError, Ruleset};
use grapeshot_study::{Points, PointsAsked, points, usual_options, usual_options_of};
use std::sync::Arc;

/// Arguments of `points`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PointsArgs {
    /// RULES[,RULES …] [KEY=VALUE …]: names, folders, or NAME:VARIANT.toml; settings of the fights, such as range=50
    #[arg(value_name = "RULES KEY=VALUE", num_args = 0.., add = ArgValueCompleter::new(super::completing::rulesets))]
    words: Vec<String>,
    #[command(flatten)]
    from: FileArgs,
    /// Only this fight: charge or firefight; or battle, brigades priced by the regiment
    #[arg(long, value_name = "PROCEDURE")]
    procedure: Option<String>,
    /// Numbers of the reference to fight against [default: five that suit the rules]
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    sizes: Vec<i64>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot points elephant
        what a stand of each grade and weapon is worth, in regular rifle-musket stands
  grapeshot points elephant --procedure firefight range=50
        in a firefight at 50 yards only
  grapeshot points elephant,elephant:house.toml
        a house rule beside the print
  grapeshot points acw28 --format csv
        every even fight, for a spreadsheet
  grapeshot points acw28 --procedure battle attacker.plan=fire
        how many regiments of each class are even with so many of class C";

pub(super) fn run(args: &PointsArgs) -> Result<String, CliError> {
    let said = scenario::said(&args.words, &args.from)?;
    let missing = || RuleError::Other("no ruleset given; try: grapeshot points elephant".into());
    let named = said.rules.clone().ok_or_else(missing)?;
    let rulesets: Result<Vec<Arc<Ruleset>>, RuleError> =
        named.split(',').map(grapeshot_rules::find).collect();
    let rulesets = rulesets?;
    if let Some(word) = &said.procedure {
        return Err(RuleError::Other(format!(
            "`{word}` is no setting: points takes RULES and key=value; a procedure is given as --procedure {word}"
        ))
        .into());
    }
    let variants = scenario::variants(&args.answering.variant)?;
    let loaded: Result<Vec<LoadedRuleset>, RuleError> =
        rulesets.iter().map(|r| r.load(&variants)).collect();
    let loaded = loaded?;
    let wanted = PointsAsked {
        said,
        procedure: args.procedure.clone(),
        sizes: args.sizes.clone(),
    };
    let destination = args.output.open()?;
    let only = args.procedure.as_deref();
    let only = only.and_then(|name| loaded[0].procedure(name).ok());
    let options = args
        .answering
        .over(only.map_or_else(usual_options, usual_options_of));
    let found = waiting(&options, || {
        let all = loaded.iter().map(|one| points(one, &wanted, options));
        all.collect::<Result<Vec<Points>, OddsError>>()
    })?;
    let notes: Vec<String> = found.iter().filter_map(|one| one.unused.clone()).collect();
    let destination = destination.noting(notes);
    match found.as_slice() {
        [one] => destination.deliver(one),
        _ => destination.deliver(&PointsBeside { rulesets: found }),
    }
}
