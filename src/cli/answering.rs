//! How a question is answered: the same options for every command that computes.

use clap::{Args, ValueEnum};
use grapeshot_engine::engine::{Budget, Method, Stop, fresh_seed};
use grapeshot_rules::{Options, RuleError};
use std::path::PathBuf;

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

/// How answers are found.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "How it is answered")]
pub struct Answering {
    /// How to answer
    #[arg(long, value_enum, default_value = "auto")]
    pub method: MethodArg,
    /// Trials of a simulation [default: 1,000,000; 200,000 each where many questions are asked, 20,000
    /// if they are battles; 4,000,000 in comparisons; with --precision at most 1,000,000,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub trials: Option<u64>,
    /// Simulate until the 95 % half-width of every headline value is at most P
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = half_width)]
    pub precision: Option<f64>,
    /// Seed of a simulation [default: chosen and printed, or 1863 where many questions
    /// share their dice]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Threads [default: all cores]; the answer does not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most distinct states the exact method may use; each takes about 0.5 kB of memory and 3 µs
    /// [default: 1,000,000, so up to 0.5 GB and 3 s]
    #[arg(long, value_name = "N", value_parser = most_states)]
    max_states: Option<usize>,
    /// Lay a variant over the printed tables (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
}

/// As many as fit any machine's memory.
fn most_states(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(states) if (1..=1_000_000_000).contains(&states) => Ok(states),
        _ => Err("allowed is a whole number from 1 to 1000000000".into()),
    }
}

pub(super) fn half_width(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.000_001..0.5).contains(&p) => Ok(p),
        _ => Err("allowed is a number from 0.000001 to below 0.5, such as 0.0005".into()),
    }
}

fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), RuleError> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(RuleError::Other(format!(
            "{option} means nothing here: {why}"
        ))),
        None => Ok(()),
    }
}

impl Answering {
    /// The size a graph may have.
    pub(super) fn budget(&self) -> Budget {
        let states = self.max_states.unwrap_or(1_000_000);
        Budget { states }
    }

    /// Refuses what means nothing to a command that solves and never simulates.
    pub(super) fn solving(&self, why: &str) -> Result<(), RuleError> {
        let simulated = [
            ("--method simulate", self.method == MethodArg::Simulate),
            ("--trials", self.trials.is_some()),
            ("--precision", self.precision.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        refuse(&simulated, why)
    }

    /// Refuses a budget where the command has its own.
    pub(super) fn own_budget(&self, why: &str) -> Result<(), RuleError> {
        refuse(&[("--max-states", self.max_states.is_some())], why)
    }

    /// For one question, on dice of its own.
    pub(super) fn once(&self) -> Options {
        self.over(Options {
            seed: fresh_seed(),
            ..Options::default()
        })
    }

    /// What is usual, but for what was said.
    pub(super) fn over(&self, usual: Options) -> Options {
        Options {
            method: self.method.into(),
            stop: match (self.precision, self.trials) {
                (Some(half_width), trials) => Stop::until(half_width, trials),
                (None, Some(trials)) => Stop::Trials(trials),
                (None, None) => usual.stop,
            },
            seed: self.seed.unwrap_or(usual.seed),
            budget: self.budget(),
            threads: self.threads,
            ..usual
        }
    }
}
