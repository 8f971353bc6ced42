//! How a question is answered: the same options for every command that computes.

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

/// The most trials a precision may take.
const MOST_TRIALS: u64 = 1_000_000_000;

impl Answering {
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
                (Some(half_width), trials) => Stop::Precision {
                    half_width,
                    at_most: trials.unwrap_or(MOST_TRIALS),
                },
                (None, Some(trials)) => Stop::Trials(trials),
                (None, None) => usual.stop,
            },
            seed: self.seed.unwrap_or(usual.seed),
            budget: Budget {
                states: self.max_states,
            },
            threads: self.threads,
            ..usual
        }
    }
}
