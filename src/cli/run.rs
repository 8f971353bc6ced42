//! `grapeshot run`.

use super::progress::{RunOptions, play};
use super::{CliError, scenario};
use crate::rules::RuleError;
use crate::study::run::Prepared;
use crate::study::{Overrides, StudyMethod};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

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
#[command(after_help = EXAMPLES)]
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

const EXAMPLES: &str = "\
Examples:
  grapeshot run experiments/elephant-charge-grades.toml
        one study, into reports/elephant-charge-grades
  grapeshot run experiments/*.toml --only 'acw28-*' --trials 100000 --out /tmp/studies
        some of many, fewer trials, elsewhere
  grapeshot run mine.toml --style book.toml
        its figures in the size, type and words of the book
  grapeshot run mine.toml --method both
        solve and simulate, and compare the two";

pub(super) fn run(args: &RunArgs) -> Result<String, CliError> {
    let overrides = Overrides {
        trials: args.common.trials,
        most_trials: None,
        method: args.method.map(Into::into),
        seed: args.common.seed,
    };
    let style = args.common.styling.read()?;
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
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let files = |name: &str| scenario::read(&beside.join(name));
        let (file, text) = (path.display().to_string(), scenario::read(path)?);
        let one = Prepared::read(&id, &file, &text, overrides, files)?;
        prepared.push(match &style {
            Some(style) => one.in_style(style),
            None => one,
        });
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
