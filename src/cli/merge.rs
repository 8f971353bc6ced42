//! `grapeshot merge`.

use super::output::Printing;
use super::progress::Working;
use super::{Cli, CliError, Command};
use crate::publish::part::{self, Gathered};
use clap::{Args, Parser};
use grapeshot_rules::RuleError;
use std::path::PathBuf;

/// Arguments of `merge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeArgs {
    /// The parts of all shards, in any order
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// As in the command that was shared out: a folder for studies [default: reports], a file for odds
    /// [default: printed]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub working: Working,
    #[command(flatten)]
    pub printing: Printing,
}

const EXAMPLES: &str = "\
The parts must be those of all shards of one command, each once, of the same study, tables and
program; anything else is an error that names it. What is written is, to the byte, what one machine
would have written. The study and its files are read again: merge where the shards ran.
docs/scale has recipes for Slurm, GNU parallel and Kubernetes.

Examples:
  grapeshot run mine.toml --shard 1/2
  grapeshot run mine.toml --shard 2/2
  grapeshot merge part-1 part-2 --out reports
        what `grapeshot run mine.toml --out reports` does, on two machines
  grapeshot odds acw28 battle --trials 4000000 --seed 1863 --shard 1/2 --out battle-1
  grapeshot odds acw28 battle --trials 4000000 --seed 1863 --shard 2/2 --out battle-2
  grapeshot merge battle-* --out battle.html
        one question shared out, as a page";

pub(super) fn run(args: &MergeArgs) -> Result<String, CliError> {
    let gathered = part::gather(&args.parts)?;
    let merged = match command(&gathered)? {
        Command::Run(asked) => super::run::merge(asked, &gathered, args),
        Command::Odds(asked) => super::odds::merge(&asked, &gathered, args),
        _ => Err(not_shared()),
    };
    merged.map_err(|error| match error {
        CliError::Input(RuleError::File { file, problem }) => CliError::Input(RuleError::File {
            file,
            problem: format!(
                "{problem}; what was asked is read again, so merge where the shards ran"
            ),
        }),
        other => other,
    })
}

fn not_shared() -> CliError {
    let problem = "the parts are of a command that this program does not share out";
    RuleError::Other(problem.into()).into()
}

/// The command that was shared out.
fn command(gathered: &Gathered) -> Result<Command, CliError> {
    let words = gathered.order.words.iter().map(String::as_str);
    let typed = Cli::try_parse_from(["grapeshot"].into_iter().chain(words));
    typed
        .ok()
        .and_then(|cli| cli.command)
        .ok_or_else(not_shared)
}
