//! The command line: what was typed becomes what is meant; nothing is computed here.

mod answering;
mod args;
mod audit;
mod breakeven;
mod card;
mod check;
mod compare;
mod completing;
mod condense;
mod decide;
mod diff;
mod field;
mod fmt;
mod luck;
mod man;
mod merge;
mod new;
mod odds;
mod output;
mod points;
mod progress;
mod report;
mod rules;
mod run;
mod scenario;
#[cfg(feature = "serve")]
mod serve;
mod shard;
mod sheet;
mod skill;
mod subject;
mod table;
mod terminal;
mod tune;
mod waiting;
mod weigh;
mod whatif;
mod words;

pub use args::{Cli, Command};
pub use completing::complete;
pub use terminal::{printable, shown};

use crate::publish::file::WriteError;
use crate::render::{too_much, wrong_input};
use clap::CommandFactory;
use grapeshot_rules::{OddsError, RuleError};

/// Why a command did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Wrong input: exit code 2.
    #[error("{}", as_typed(.0))]
    Input(#[from] RuleError),
    /// An answer that cannot be written: exit code 2.
    #[error("cannot write {file}: {problem}")]
    Write {
        /// The file.
        file: String,
        /// Why.
        problem: String,
    },
    /// A check that found errors: what is printed, and exit code 2.
    #[error("{0}")]
    Faults(String),
    /// An answer that is not what was to be written: what is printed, and exit code 1.
    #[error("{0}")]
    Unmet(String),
    /// Anything else: exit code 1.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl From<WriteError> for CliError {
    fn from(WriteError { path, error }: WriteError) -> Self {
        CliError::write(&path, error)
    }
}

impl From<OddsError> for CliError {
    fn from(error: OddsError) -> Self {
        let flag = |name: &str, value: &str| format!("--{name} {value}");
        match wrong_input(error) {
            Ok(error) => CliError::Input(error),
            Err(error) => CliError::Other(anyhow::anyhow!(too_much(&error, flag))),
        }
    }
}

/// An argument of a question is an option here.
fn as_typed(error: &RuleError) -> String {
    match error {
        RuleError::Argument { .. } => format!("--{error}"),
        _ => error.to_string(),
    }
}

/// An error in lines that fit the terminal.
pub fn complaint(error: &CliError) -> String {
    match error {
        CliError::Input(error) if !matches!(error, RuleError::Argument { .. }) => {
            crate::render::complaint(error, terminal::width())
        }
        other => other.to_string(),
    }
}

impl CliError {
    fn write(path: &std::path::Path, problem: impl ToString) -> Self {
        CliError::Write {
            file: path.display().to_string(),
            problem: problem.to_string(),
        }
    }

    /// What is to be printed like an answer, though the exit code says that something is wrong.
    pub fn printed(&self) -> Option<&str> {
        match self {
            CliError::Faults(text) | CliError::Unmet(text) => Some(text),
            _ => None,
        }
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            CliError::Input(_) | CliError::Write { .. } | CliError::Faults(_) => 2,
            CliError::Unmet(_) | CliError::Other(_) => 1,
        }
    }
}

/// Runs a command and returns what it prints.
///
/// # Errors
/// See [`CliError`].
pub fn run(cli: Cli) -> Result<String, CliError> {
    match cli.command {
        None => Ok(Cli::command().render_long_help().to_string()),
        Some(Command::Odds(args)) => odds::run(&args),
        Some(Command::Decide(args)) => decide::run(&args),
        Some(Command::Luck(args)) => luck::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Audit(args)) => audit::run(&args),
        Some(Command::WhatIf(args)) => whatif::run(&args),
        Some(Command::Weigh(args)) => weigh::run(&args),
        Some(Command::Condense(args)) => condense::run(&args),
        Some(Command::Skill(args)) => skill::run(&args),
        Some(Command::Field(args)) => field::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::BreakEven(args)) => breakeven::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Points(args)) => points::run(&args),
        Some(Command::Card(args)) => card::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Table(args)) => table::run(&args),
        Some(Command::Sheet(args)) => sheet::run(&args),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Fmt(args)) => fmt::run(&args),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Words(args)) => words::run(&args),
        Some(Command::Man(args)) => man::run(&args),
        Some(Command::Completions { shell }) => Ok(completing::registration(shell)),
    }
}
