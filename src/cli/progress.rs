//! Running studies, with a bar to look at and Ctrl-C to stop them.

use super::CliError;
use super::answering::half_width;
use super::output::{Printing, Styling};
use crate::publish::{
    Listing, PublishError, Published, ResultSource, Section, SectionError, folder, publish,
    sections,
};
use clap::{Args, ValueEnum};
use grapeshot_engine::engine::Watch;
use grapeshot_rules::{OddsError, Options, RuleError, read_text};
use grapeshot_study::run::Prepared;
use grapeshot_study::{Overrides, StudyMethod};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How studies are worked through, wherever that is done.
#[derive(Debug, Clone, Args)]
pub struct Working {
    /// Make again what is up to date
    #[arg(long)]
    pub force: bool,
    /// Threads [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

/// Which engines an experiment is run with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StudyMethodArg {
    /// Sample.
    Simulate,
    /// Solve.
    Exact,
    /// Both, and compare them.
    Both,
}

impl From<StudyMethodArg> for StudyMethod {
    fn from(method: StudyMethodArg) -> Self {
        match method {
            StudyMethodArg::Simulate => StudyMethod::Simulate,
            StudyMethodArg::Exact => StudyMethod::Exact,
            StudyMethodArg::Both => StudyMethod::Both,
        }
    }
}

/// Options of `run` and `report` alike.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// Method instead of the files' own
    #[arg(long, value_enum)]
    pub method: Option<StudyMethodArg>,
    /// Trials of each cell instead of the files' own; with --precision the most [1,000,000,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub trials: Option<u64>,
    /// Simulate each cell until the 95 % half-width of every headline value is at most P
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = half_width)]
    pub precision: Option<f64>,
    /// Seed instead of the files' own
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Lay a variant over the tables of its ruleset (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    #[command(flatten)]
    pub working: Working,
    #[command(flatten)]
    pub styling: Styling,
    #[command(flatten)]
    pub printing: Printing,
}

impl RunOptions {
    /// What is said in place of what the files say.
    pub(super) fn overrides(&self) -> Result<Overrides, RuleError> {
        let variants = self.variant.iter().map(|path| {
            let text = read_text(path)?;
            Ok((path.display().to_string(), text))
        });
        Ok(Overrides {
            trials: self.trials,
            most_trials: None,
            precision: self.precision,
            method: self.method.map(Into::into),
            seed: self.seed,
            variants: variants.collect::<Result<_, RuleError>>()?,
        })
    }

    pub(super) fn on_threads<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        let options = Options {
            threads: self.working.threads,
            ..Options::default()
        };
        options.on_threads(job)
    }
}

pub(super) fn other(error: impl Into<anyhow::Error>) -> CliError {
    CliError::Other(error.into())
}

/// A failed write is told from other failures: exit code 2, as everywhere.
pub(super) fn failed(error: PublishError) -> CliError {
    match error {
        PublishError::Write(error) => error.into(),
        PublishError::Odds {
            error: OddsError::Rule(error),
            ..
        }
        | PublishError::Section {
            error: SectionError::Rule(error),
            ..
        } => CliError::Input(error),
        PublishError::Section {
            error: SectionError::Chart { title, error },
            ..
        } if error.is_input() => {
            CliError::Input(RuleError::Other(format!("{error}; chart `{title}`")))
        }
        error => other(error),
    }
}

/// Publishes the experiments with a bar, or with plain lines where there is no terminal.
pub(super) fn play(
    prepared: &[Prepared],
    by: ResultSource<'_>,
    out: &Path,
    options: &RunOptions,
) -> Result<(Listing, Vec<Section>), CliError> {
    play_beside(prepared, by, out, options, || ()).map(|(played, ())| played)
}

/// The same while something else is worked out, so that no thread waits for the last experiment.
pub(super) fn play_beside<T: Send>(
    prepared: &[Prepared],
    by: ResultSource<'_>,
    out: &Path,
    options: &RunOptions,
    beside: impl FnOnce() -> T + Send,
) -> Result<((Listing, Vec<Section>), T), CliError> {
    let _claim = folder::claim(out).map_err(|error| CliError::write(out, error))?;
    let lines = !std::io::stderr().is_terminal() && !options.working.quiet;
    let done = |id: &str, published: Published, took: Duration| {
        if lines && published == Published::Written {
            eprintln!("done: {id}, {:.1} s", took.as_secs_f64());
        }
    };
    let work: u64 = prepared.iter().map(Prepared::work).sum();
    let stopped = format!(
        "stopped; finished experiments are kept in {}",
        out.display()
    );
    let (published, beside) = watched(work, stopped, options, |watch| {
        let publish = || publish(prepared, by, out, options.working.force, watch, &done);
        let (published, beside) = rayon::join(publish, beside);
        Ok((published.map_err(failed)?, beside))
    })?;
    let ids: Vec<String> = prepared
        .iter()
        .map(|one| one.experiment().id.clone())
        .collect();
    let sections = sections(out, &ids).map_err(failed)?;
    let published: Vec<(String, Published)> = ids.into_iter().zip(published).collect();
    Ok(((Listing::new(out, &published, &sections), sections), beside))
}

/// Works with a bar to look at, where there is a terminal; `stopped` is said when Ctrl-C ends it.
pub(super) fn watched<T: Send>(
    work: u64,
    stopped: String,
    options: &RunOptions,
    job: impl FnOnce(&Watch) -> Result<T, CliError> + Send,
) -> Result<T, CliError> {
    let watch = Arc::new(Watch::default());
    stop_on_interrupt(&watch, stopped.clone());
    let target = if std::io::stderr().is_terminal() && !options.working.quiet {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    // How many trials a precision takes is known when they are played.
    let unit = match options.precision {
        Some(_) => "cells",
        None => "trials",
    };
    let looks = format!(
        "{{bar:40}} {{percent:>3}} %  {{human_pos}} of {{human_len}} {unit}, {{speed}}/s, {{eta}} left"
    );
    // Nobody wants to know fractions of a trial.
    let speed = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    let looks = ProgressStyle::with_template(&looks).expect("the template is fixed");
    let looks = looks.with_key("speed", speed);
    let bar = ProgressBar::with_draw_target(Some(work), target).with_style(looks);
    let finished = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !finished.load(Ordering::Relaxed) {
                bar.set_position(watch.done());
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        // Set when the work ends in any way, a panic included: the scope waits for the thread above.
        let _end = Finish(&finished);
        options.on_threads(|| job(&watch))
    });
    bar.finish_and_clear();
    let result = result?;
    match watch.stopped() {
        true => Err(other(anyhow::anyhow!(stopped))),
        false => Ok(result),
    }
}

/// Time a run has to stop of its own accord: batches in hand are finished, folders put in place.
const PATIENCE: Duration = Duration::from_millis(700);

/// Ctrl-C stops the run. What does not look up in time (a large graph being solved, the chapters of
/// the report) is ended: results that are not whole are never on disk, so nothing is lost by it.
fn stop_on_interrupt(watch: &Arc<Watch>, stopped: String) {
    let watch = Arc::clone(watch);
    // A second handler cannot be set; in tests of the library there may already be one.
    let _ = ctrlc::set_handler(move || {
        watch.stop();
        std::thread::sleep(PATIENCE);
        eprintln!("error: {stopped}");
        std::process::exit(1);
    });
}

/// Sets a flag when it goes out of scope.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
