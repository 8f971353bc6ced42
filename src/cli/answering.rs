//! How a question is answered: the same options for every command that computes.

use super::CliError;
use crate::engine::{Budget, Method, Stop, fresh_seed};
use crate::rules::Options;
use clap::{Args, ValueEnum};
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
    /// Trials of a simulation [default: 1,000,000; with --precision at most 1,000,000,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub trials: Option<u64>,
    /// Simulate until the 95 % half-width of every headline value is at most P
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = half_width)]
    pub precision: Option<f64>,
    /// Seed of a simulation [default: chosen and printed]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Threads [default: all cores]; the answer does not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most distinct states the exact method may use
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_states: usize,
    /// Lay a variant over the printed tables (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
}

fn half_width(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.000_001..0.5).contains(&p) => Ok(p),
        _ => Err("allowed is a number from 0.000001 to below 0.5, such as 0.0005".into()),
    }
}

/// Trials of one question.
const TRIALS: u64 = 1_000_000;
/// The most trials a precision may take.
const MOST_TRIALS: u64 = 1_000_000_000;

impl Answering {
    /// For one question.
    pub(super) fn once(&self) -> Options {
        Options {
            method: self.method.into(),
            stop: match self.precision {
                Some(half_width) => Stop::Precision {
                    half_width,
                    at_most: self.trials.unwrap_or(MOST_TRIALS),
                },
                None => Stop::Trials(self.trials.unwrap_or(TRIALS)),
            },
            seed: self.seed.unwrap_or_else(fresh_seed),
            common_dice: false,
            budget: Budget {
                states: self.max_states,
            },
            threads: self.threads,
        }
    }
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
