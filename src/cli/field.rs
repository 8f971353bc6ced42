//! `grapeshot field`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output};
use super::scenario;
use super::waiting::waiting;
use clap::Args;
use grapeshot_rules::fight::RawSettings;
use grapeshot_rules::{Question, find_beside};
use grapeshot_study::field::{field, rules_of, usual_fight};
use grapeshot_study::roster::read_rosters;
use grapeshot_study::{Workbench, usual_options_of};
use std::path::{Path, PathBuf};

/// Arguments of `field`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FieldArgs {
    /// ROSTER.toml … [KEY=VALUE …]: one roster against itself, or several against each other; settings of every fight
    #[arg(required = true, value_name = "ROSTER.toml KEY=VALUE", num_args = 1..)]
    words: Vec<String>,
    /// What is fought [default: charge, or the first fight of two sides]
    #[arg(long, value_name = "PROCEDURE")]
    procedure: Option<String>,
    /// What is compared [default: success]: success, failure or undecided for the side that acts,
    /// variable=label (or label,label for any of them), mean(variable), sd(variable) or P(variable>=n)
    #[arg(long, value_name = "QUANTITY")]
    of: Option<String>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
A roster is a file of units in the words of a ruleset:
  rules = \"elephant\"
  name = \"Union\"
  [[unit]]
  name = \"20th Maine\"
  settings = { grade = \"veteran\", stands = 8 }
  number = 1                          how many there are, if it is not one
  price = 24                          what one costs, if anybody said so

Examples:
  grapeshot field experiments/rosters/union.toml
        one roster against itself: a ladder of its units, and what no ladder says
  grapeshot field experiments/rosters/union.toml experiments/rosters/csa.toml --charts .
        two against each other: who should attack whom, with a map for each side
  grapeshot field experiments/rosters/union.toml defender.cover=wall \\
      --of 'mean(attacker_stands_lost)'
        behind a wall, by what an attack costs";

pub(super) fn run(args: &FieldArgs) -> Result<String, CliError> {
    let variants = scenario::variants(&args.answering.variant)?;
    let (said, files): (Vec<&String>, Vec<&String>) =
        (args.words.iter()).partition(|word| word.contains('=') && !Path::new(word).exists());
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    let rosters = read_rosters(&files, &variants)?;
    let rules = rules_of(&rosters)?;
    let ruleset = find_beside(&rules, &files[0])?;
    let loaded = ruleset.load(&variants)?;
    let procedure = match &args.procedure {
        Some(procedure) => procedure.clone(),
        None => usual_fight(&loaded)?,
    };
    let words = [loaded.id().to_owned(), procedure];
    let words: Vec<String> = words.into_iter().chain(said.into_iter().cloned()).collect();
    let question = Question::of(ruleset, RawSettings::default().typed(&words)?);
    let usual = usual_options_of(loaded.playable(question.procedure())?);
    let options = args.answering.over(usual);
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let quantity = workbench.quantity(args.of.as_deref())?;
    let destination = args.output.open_with(&args.charts)?.noting(note);
    let found = waiting(&options, || field(&workbench, &quantity, &rosters))?;
    destination.deliver(&found)
}
