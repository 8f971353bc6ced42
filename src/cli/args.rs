//! What can be typed.

use crate::engine::Method;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The odds in printed American Civil War wargame rules: solved, simulated, compared.
#[derive(Debug, Parser)]
#[command(name = "grapeshot", version, max_term_width = 100, after_help = TOP_EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const TOP_EXAMPLES: &str = "\
Examples:
  grapeshot odds elephant charge attacker.grade=veteran defender.cover=wall --stages
        the odds of a charge, and where it is stopped
  grapeshot rules elephant charge
        everything that can be set about a charge
  grapeshot what-if elephant charge --of outcome=attacker-wins --mine attacker
        what would help the attacker most
  grapeshot rules elephant --tables
        the printed tables
  grapeshot compare charge attacker.grade=veteran
        the same charge in every ruleset
  grapeshot report --quick
        every bundled study, with charts, into reports/index.html";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The odds of one procedure: a volley, a charge, a melee …
    Odds(OddsArgs),
    /// What there is: rulesets, procedures, settings, tables, assumptions
    Rules(RulesArgs),
    /// What a designer would want to know before printing: faults, dead parts, paradoxes
    Audit(super::audit::AuditArgs),
    /// What would help most: every setting changed alone, and pairs of them together
    WhatIf(super::whatif::WhatIfArgs),
    /// What a house rule changes, cell by cell
    Diff(super::diff::DiffArgs),
    /// The value of a setting at which a chance crosses a target
    BreakEven(super::breakeven::BreakEvenArgs),
    /// What a stand, figure or SP of each grade and weapon is worth
    Points(super::points::PointsArgs),
    /// The same fight in every ruleset, side by side
    Compare(super::compare::CompareArgs),
    /// The balance card of each ruleset: what a grade, cover, a flank … are worth
    Card(super::card::CardArgs),
    /// Run experiment files: sweeps, dataframes, charts
    Run(super::run::RunArgs),
    /// Run all bundled experiments and write the page that shows them
    Report(super::run::ReportArgs),
    /// Shell completions, on standard output
    #[command(
        after_help = "Example:\n  grapeshot completions bash > ~/.local/share/bash-completion/completions/grapeshot"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading.
    Table,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Which engine answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Solve if the graph fits its budget, else simulate.
    Auto,
    /// Solve, or fail.
    Exact,
    /// Simulate.
    Simulate,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Self {
        match method {
            MethodArg::Auto => Method::Auto,
            MethodArg::Exact => Method::Exact,
            MethodArg::Simulate => Method::Simulate,
        }
    }
}

/// Arguments of `odds`.
#[derive(Debug, Args)]
#[command(after_help = ODDS_EXAMPLES)]
pub struct OddsArgs {
    /// RULES PROCEDURE [KEY=VALUE …]; rules and procedure may also come from --file
    #[arg(value_name = "RULES PROCEDURE KEY=VALUE", num_args = 0..)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub from: super::scenario::FileArgs,
    /// Lay a variant over the printed tables (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    /// How to answer
    #[arg(long, value_enum, default_value = "auto")]
    pub method: MethodArg,
    /// Trials of a simulation [default: 1000000; with --precision at most 1000000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub trials: Option<u64>,
    /// Simulate until the 95 % half-width of every headline value is at most P
    #[arg(long, value_name = "P", value_parser = half_width)]
    pub precision: Option<f64>,
    /// Seed of a simulation; chosen and printed if not given
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Threads of a simulation [default: all cores]; the answer does not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most distinct states the exact method may use
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_states: usize,
    /// Show the way phase by phase: where trials end, and how
    #[arg(long)]
    pub stages: bool,
    /// Show every distinct outcome with its probability
    #[arg(long)]
    pub joint: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

const ODDS_EXAMPLES: &str = "\
Examples:
  grapeshot odds elephant charge attacker.grade=veteran attacker.stands=10 defender.cover=wall
        what a charge comes to, with expected losses
  grapeshot odds elephant charge --stages
        of 100 charges, how many are stopped by the first volley, by the second …
  grapeshot odds elephant fire range=250 firer.weapon=musket --format json
        for a program
  grapeshot odds elephant firefight --method simulate --precision 0.0005 --seed 1863
        simulate until the headline is known to a twentieth of a point
  grapeshot odds elephant charge --file fight.toml attacker.stands=12 --variant house.toml
        a fight from a file, one key changed, under a house rule
  grapeshot odds elephant morale --file fight.toml --unit defender
        the same fight asked of another procedure, about the other side";

fn half_width(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.000_001..0.5).contains(&p) => Ok(p),
        _ => Err("allowed is a number from 0.000001 to below 0.5, such as 0.0005".into()),
    }
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
#[command(after_help = RULES_EXAMPLES)]
pub struct RulesArgs {
    /// A ruleset; all of them if not given
    pub rules: Option<String>,
    /// A procedure of it
    pub procedure: Option<String>,
    /// Print the tables
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "toml"])]
    pub tables: bool,
    /// Print the effective table file, to start a variant from
    #[arg(long, requires = "rules", conflicts_with = "procedure")]
    pub toml: bool,
    /// Print a fight file to start from: every key of the fight, with its default
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "toml", "tables", "common"])]
    pub fight: bool,
    /// Print how common fights are said in these rules, with the assumptions
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "toml", "tables"])]
    pub common: bool,
    /// Lay a variant over the printed tables (repeatable)
    #[arg(long, value_name = "VARIANT.toml", requires = "rules")]
    pub variant: Vec<PathBuf>,
}

const RULES_EXAMPLES: &str = "\
Examples:
  grapeshot rules                       every ruleset and its procedures
  grapeshot rules elephant              readings, assumptions and tables of one
  grapeshot rules elephant charge       settings and variables of a procedure
  grapeshot rules elephant --tables     the printed tables
  grapeshot rules elephant --toml       the table file a variant starts from
  grapeshot rules elephant --fight      a fight file to start from, for --file
  grapeshot rules gbacw --common        how common fights are said in it, with the assumptions";
