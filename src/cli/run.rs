//! `grapeshot run`.

use super::CliError;
use super::merge::MergeArgs;
use super::progress::{RunOptions, other, play, watched};
use super::shard::{Parting, ShardArg, Sharding};
use crate::publish::ResultSource;
use crate::publish::part::{Gathered, studies_asked};
use clap::Args;
use grapeshot_rules::{OddsError, RuleError, read_text};
use grapeshot_study::could_find;
use grapeshot_study::run::Prepared;
use std::path::{Path, PathBuf};

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// Experiment files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder for the results, one folder in it per experiment [default: reports]; only what a run made is replaced
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Only experiments whose name matches this pattern (* and ?)
    #[arg(long, value_name = "GLOB")]
    pub only: Option<String>,
    #[command(flatten)]
    pub sharding: Sharding,
    #[command(flatten)]
    pub common: RunOptions,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot run experiments/elephant/elephant-charge-grades.toml
        one study, into reports/elephant-charge-grades
  grapeshot run experiments/acw28/*.toml --only 'acw28-charge*' --trials 20000 --out studies
        some of many, fewer trials, elsewhere
  grapeshot run mine.toml --style book.toml
        its figures in the size, type and words of the book
  grapeshot run mine.toml --variant house.toml --out house
        the same study under a house rule
  grapeshot run mine.toml --precision 0.001
        as many trials as each cell needs, instead of the file's number
  grapeshot run mine.toml --method both
        solve and simulate, and compare the two
  grapeshot run mine.toml --shard 3/16 --out part-3
        the third of sixteen shares, to be put together with the others by grapeshot merge
  grapeshot run mine.toml --shard auto/16
        in a Slurm job array or a Kubernetes indexed job; into part-1 … part-16";

/// Where studies go if nothing is said.
const REPORTS: &str = "reports";

pub(super) fn run(args: &RunArgs) -> Result<String, CliError> {
    let prepared = prepare(args)?;
    if let Some(shard) = &args.sharding.shard {
        if args.common.precision.is_some() {
            let problem =
                "how many trials there will be is not known beforehand; allowed is --trials";
            return Err(RuleError::argument("--shard", "with --precision", problem).into());
        }
        return share(args, shard, &prepared);
    }
    let out = args.out.as_deref().unwrap_or(Path::new(REPORTS));
    let (listing, _) = play(&prepared, ResultSource::Running, out, &args.common)?;
    args.common.printing.destination().deliver(&listing)
}

/// Does one shard's work and writes its part.
fn share(args: &RunArgs, shard: &ShardArg, prepared: &[Prepared]) -> Result<String, CliError> {
    let options = &args.common;
    let parting = Parting::open(
        shard,
        args.out.as_deref(),
        studies_asked(prepared),
        options.working.force,
        &options.printing,
    )?;
    let stopped = format!(
        "stopped; nothing is written to {}",
        parting.place().display()
    );
    parting.deliver(|shard| {
        let work = prepared.iter().map(Prepared::work).sum::<u64>() / shard.of();
        let kept = watched(work, stopped, options, |watch| {
            grapeshot_study::find(prepared, shard, watch).map_err(|failed| match failed.error {
                OddsError::Rule(error) => CliError::from(error),
                OddsError::Engine(_) => other(failed),
            })
        })?;
        Ok(kept.unwrap_or_default())
    })
}

/// Writes what all shards found together, as one machine would.
pub(super) fn merge(
    mut asked: RunArgs,
    gathered: &Gathered,
    args: &MergeArgs,
) -> Result<String, CliError> {
    let prepared = prepare(&asked)?;
    gathered.check(&studies_asked(&prepared))?;
    could_find(&prepared, &gathered.kept)?;
    let options = &mut asked.common;
    options.working = args.working.clone();
    let out = args.out.as_deref().unwrap_or(Path::new(REPORTS));
    let (listing, _) = play(
        &prepared,
        ResultSource::Shards(&gathered.kept),
        out,
        options,
    )?;
    args.printing.destination().deliver(&listing)
}

/// Reads and checks the experiments that are asked for.
fn prepare(args: &RunArgs) -> Result<Vec<Prepared>, CliError> {
    let overrides = args.common.overrides()?;
    let style = args.common.styling.read()?;
    let mut prepared = Vec::new();
    for path in &args.files {
        let id = id_of(path)?;
        if args
            .only
            .as_deref()
            .is_some_and(|pattern| !matches(pattern, &id))
        {
            continue;
        }
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let files = |name: &str| read_text(&beside.join(name));
        let (file, text) = (path.display().to_string(), read_text(path)?);
        let one = Prepared::read(&id, &file, &text, overrides.clone(), files)?;
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
    Ok(prepared)
}

/// What a study is called, as its file is. Its results go to a folder of that name, so it must be one of its own:
/// `..` is not, nor what stands aside while folders are exchanged.
fn id_of(path: &Path) -> Result<String, RuleError> {
    let stem = path.file_stem().unwrap_or_default();
    match stem.to_str() {
        Some(id) if !id.starts_with('.') && !id.contains(char::is_control) => Ok(id.to_owned()),
        _ => Err(RuleError::File {
            file: path.display().to_string(),
            problem: "cannot name a folder of results: allowed is a name that begins with no dot and can be printed".into(),
        }),
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
