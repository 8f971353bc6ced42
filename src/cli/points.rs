//! `grapeshot points`.

use super::args::Format;
use super::bench::{Asking, Note};
use super::scenario::FileArgs;
use super::{CliError, scenario};
use crate::report::{points_csv, points_json, points_table};
use crate::rules::{self, RuleError};
use crate::study::{PointsAsked, points};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `points`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PointsArgs {
    /// RULES [KEY=VALUE …]: settings of the fights, such as range=50
    #[arg(value_name = "RULES KEY=VALUE", num_args = 0..)]
    words: Vec<String>,
    #[command(flatten)]
    from: FileArgs,
    /// Only this fight: charge or firefight
    #[arg(long, value_name = "PROCEDURE")]
    procedure: Option<String>,
    /// Numbers of the reference to fight against [default: five that suit the rules]
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    sizes: Vec<i64>,
    /// Lay a variant over the printed tables (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    variant: Vec<PathBuf>,
    #[command(flatten)]
    asking: Asking,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot points elephant
        what a stand of each grade and weapon is worth, in regular rifle-musket stands
  grapeshot points elephant --procedure firefight range=50
        in a firefight at 50 yards only
  grapeshot points acw28 --format csv
        every even fight, for a spreadsheet";

pub(super) fn run(args: &PointsArgs) -> Result<String, CliError> {
    let question = scenario::question(&args.words, &args.from)?;
    let missing = || RuleError::Other("no ruleset given; try: grapeshot points elephant".into());
    let ruleset = rules::find(&question.rules.clone().ok_or_else(missing)?)?;
    if let Some(word) = &question.procedure {
        return Err(RuleError::Other(format!(
            "`{word}` is no setting: points takes RULES and key=value; a procedure is given as --procedure {word}"
        ))
        .into());
    }
    let loaded = ruleset.load(&scenario::variants(&args.variant)?)?;
    let wanted = PointsAsked {
        said: question.said.clone(),
        procedure: args.procedure.clone(),
        sizes: args.sizes.clone(),
    };
    let asked = args.asking.options();
    let list = args.asking.run(|| points(&loaded, &wanted, asked))??;
    let note = Note::new(list.unused.clone());
    Ok(match args.asking.format {
        Format::Table => note.table(points_table(&list)),
        Format::Json => format!("{:#}\n", note.json(points_json(&list))),
        Format::Csv => note.csv(points_csv(&list)),
    })
}
