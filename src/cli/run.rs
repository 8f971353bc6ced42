//! `grapeshot run` and `grapeshot report`.

use super::output::Printing;
use super::{CliError, scenario};
use crate::engine::Watch;
use crate::publish::{
    AuditChapter, Listing, PublishError, Published, Section, chapters, folder, publish, sections,
    write_pages,
};
use crate::rules::{Options, RuleError};
use crate::study::run::Prepared;
use crate::study::{Experiment, Overrides, StudyMethod, bundled, bundled_variant};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct RunArgs {
    /// Experiment files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder for the results, one folder in it per experiment
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// Only experiments whose name matches this pattern (* and ?)
    #[arg(long, value_name = "GLOB")]
    pub only: Option<String>,
    /// Method instead of the files' own
    #[arg(long, value_enum)]
    pub method: Option<StudyMethodArg>,
    #[command(flatten)]
    pub common: RunOptions,
}

/// Options of `run` and `report` alike.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// Trials of each cell instead of the files' own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub trials: Option<u64>,
    /// Seed instead of the files' own
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Run again what is up to date
    #[arg(long)]
    pub force: bool,
    /// Threads [default: all cores]; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    printing: Printing,
}

impl RunOptions {
    fn on_threads<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        let options = Options {
            threads: self.threads,
            ..Options::default()
        };
        options.on_threads(job)
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  grapeshot run experiments/elephant-charge-grades.toml
        one study, into reports/elephant-charge-grades
  grapeshot run experiments/*.toml --only 'acw28-*' --trials 100000 --out /tmp/studies
        some of many, fewer trials, elsewhere
  grapeshot run mine.toml --method both
        solve and simulate, and compare the two";

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub struct ReportArgs {
    /// Folder for the report
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// At most 20,000 trials a cell and no audit chapter: a look in seconds
    #[arg(long, conflicts_with = "trials")]
    pub quick: bool,
    #[command(flatten)]
    pub common: RunOptions,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  grapeshot report                    everything, into reports/index.html
  grapeshot report --quick            the same with fewer trials
  grapeshot report --out /tmp/r --trials 10000000";

const QUICK_TRIALS: u64 = 20_000;

pub(super) fn run(args: &RunArgs) -> Result<String, CliError> {
    let overrides = Overrides {
        trials: args.common.trials,
        most_trials: None,
        method: args.method.map(Into::into),
        seed: args.common.seed,
    };
    let mut prepared = Vec::new();
    for path in &args.files {
        let id = path
            .file_stem()
            .map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        if args
            .only
            .as_deref()
            .is_some_and(|pattern| !matches(pattern, &id))
        {
            continue;
        }
        let experiment =
            Experiment::parse(&id, &path.display().to_string(), &scenario::read(path)?)?;
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let variant = |name: &str| scenario::read(&beside.join(name));
        prepared.push(Prepared::new(experiment, overrides, variant)?);
    }
    if prepared.is_empty() {
        let pattern = args.only.clone().unwrap_or_default();
        return Err(RuleError::Other(format!("no experiment matches --only `{pattern}`")).into());
    }
    let mut ids: Vec<&str> = prepared
        .iter()
        .map(|one| one.experiment().id.as_str())
        .collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(RuleError::Other(format!("two experiments are called `{}`", pair[0])).into());
    }
    let (listing, _) = play(&prepared, &args.out, &args.common)?;
    args.common.printing.destination().deliver(&listing)
}

pub(super) fn report(args: &ReportArgs) -> Result<String, CliError> {
    let overrides = Overrides {
        trials: args.common.trials,
        most_trials: args.quick.then_some(QUICK_TRIALS),
        method: None,
        seed: args.common.seed,
    };
    let prepared: Vec<Prepared> = bundled()?
        .into_iter()
        .map(|experiment| Prepared::new(experiment, overrides, bundled_variant))
        .collect::<Result<_, _>>()?;
    let (mut listing, sections) = play(&prepared, &args.out, &args.common)?;
    let audit = if args.quick {
        AuditChapter::LeftOut
    } else {
        AuditChapter::Whole
    };
    let chapters = args.common.on_threads(|| chapters(audit)).map_err(other)?;
    write_pages(&args.out, &sections, chapters).map_err(failed)?;
    listing.page = Some(args.out.join("index.html").display().to_string());
    args.common.printing.destination().deliver(&listing)
}

fn other(error: impl Into<anyhow::Error>) -> CliError {
    CliError::Other(error.into())
}

/// A failed write is told from other failures: exit code 2, as everywhere.
fn failed(error: PublishError) -> CliError {
    match error {
        PublishError::Io { path, error } => CliError::write(&path, error),
        error => other(error),
    }
}

/// Runs the experiments with a bar, or with plain lines where there is no terminal.
fn play(
    prepared: &[Prepared],
    out: &Path,
    options: &RunOptions,
) -> Result<(Listing, Vec<Section>), CliError> {
    folder::check_writable(out).map_err(|error| CliError::write(out, error))?;
    let watch = Arc::new(Watch::default());
    stop_on_interrupt(&watch, out);
    let work: u64 = prepared.iter().map(Prepared::work).sum();
    let terminal = std::io::stderr().is_terminal();
    let target = if terminal && !options.quiet {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(work), target).with_style(
        ProgressStyle::with_template(
            "{bar:40} {percent:>3} %  {human_pos} of {human_len} trials, {per_sec}, {eta} left",
        )
        .expect("the template is fixed"),
    );
    let lines = !terminal && !options.quiet;
    let done = |id: &str, published: Published| {
        if lines && published == Published::Written {
            eprintln!("done: {id}");
        }
    };
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
        options.on_threads(|| publish(prepared, out, options.force, &watch, &done))
    });
    bar.finish_and_clear();
    let published = result.map_err(failed)?;
    if watch.stopped() {
        return Err(other(anyhow::anyhow!(stopped(out))));
    }
    let ids: Vec<String> = prepared
        .iter()
        .map(|one| one.experiment().id.clone())
        .collect();
    let sections = sections(out, &ids).map_err(failed)?;
    let published: Vec<(String, Published)> = ids.into_iter().zip(published).collect();
    Ok((Listing::new(out, &published, &sections), sections))
}

/// Time a run has to stop of its own accord: batches in hand are finished, folders put in place.
const PATIENCE: Duration = Duration::from_millis(700);

/// Ctrl-C stops the run. What does not look up in time (a large graph being solved, the chapters of
/// the report) is ended: results that are not whole are never on disk, so nothing is lost by it.
fn stop_on_interrupt(watch: &Arc<Watch>, out: &Path) {
    let (watch, out) = (Arc::clone(watch), out.to_owned());
    // A second handler cannot be set; in tests of the library there may already be one.
    let _ = ctrlc::set_handler(move || {
        watch.stop();
        std::thread::sleep(PATIENCE);
        eprintln!("error: {}", stopped(&out));
        std::process::exit(1);
    });
}

fn stopped(out: &Path) -> String {
    let out = out.display();
    format!("stopped; finished experiments are kept in {out}")
}

/// Sets a flag when it goes out of scope.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether a name matches a pattern with `*` and `?`.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pattern_chars = pattern.chars();
    match pattern_chars.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = pattern_chars.as_str();
            (0..=name.len())
                .filter(|&at| name.is_char_boundary(at))
                .any(|at| matches(rest, &name[at..]))
        }
        Some(expected) => {
            let mut name_chars = name.chars();
            name_chars
                .next()
                .is_some_and(|found| expected == '?' || expected == found)
                && matches(pattern_chars.as_str(), name_chars.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks_match_as_in_a_shell() {
        assert!(matches("acw28-*", "acw28-charge"));
        assert!(matches("*charge*", "elephant-charge-grades"));
        assert!(matches("?mpact", "impact"));
        assert!(!matches("acw28-*", "elephant-acw28"));
        assert!(!matches("?", ""));
    }
}
