//! Which shard this is, and what its part is made from.

use super::output::Printing;
use super::{CliError, terminal};
use crate::publish::file;
use crate::publish::part::{self, PartReport, ShardedWork};
use clap::Args;
use grapeshot_rules::RuleError;
use grapeshot_study::{Shard, ShardResult};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options of commands that can be shared out.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "More than one machine")]
pub struct Sharding {
    /// Do only this share of the work and write a part, to be merged with the others: K/N, the K-th of N;
    /// or `auto`, read from SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, with N from `auto/N`,
    /// GRAPESHOT_SHARDS or the Slurm array [the part goes to --out, or to part-K]
    #[arg(long, value_name = "K/N", value_parser = parse)]
    pub shard: Option<ShardArg>,
}

/// Which shard was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardArg {
    /// This.
    Given(Shard),
    /// The one that the scheduler says, of so many if that was said.
    Auto(Option<u64>),
}

/// How many shards there are, for schedulers that do not say it.
const SHARDS: &str = "GRAPESHOT_SHARDS";
const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

fn parse(text: &str) -> Result<ShardArg, String> {
    let allowed = "allowed is K/N, such as 3/16, or auto, or auto/N";
    match text.strip_prefix("auto") {
        Some("") => Ok(ShardArg::Auto(None)),
        Some(rest) => match rest.strip_prefix('/').map(str::parse::<u64>) {
            Some(Ok(of)) => Ok(ShardArg::Auto(Some(of))),
            _ => Err(allowed.into()),
        },
        None => match text.parse::<Shard>() {
            Ok(shard) => Ok(ShardArg::Given(shard)),
            Err(RuleError::Argument { problem, .. }) => Err(problem),
            Err(other) => Err(other.to_string()),
        },
    }
}

fn wrong(problem: String) -> RuleError {
    RuleError::argument("shard", "auto", problem)
}

impl ShardArg {
    /// The shard.
    pub(super) fn shard(&self) -> Result<Shard, RuleError> {
        self.among(|name| std::env::var(name).ok())
    }

    /// The shard among these variables of the environment.
    fn among(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, RuleError> {
        let said = match *self {
            ShardArg::Given(shard) => return Ok(shard),
            ShardArg::Auto(said) => said,
        };
        let number = |name: &str| match variable(name) {
            None => Ok(None),
            Some(text) => match text.trim().parse::<u64>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(wrong(format!("{name} is `{text}`, and a number is wanted"))),
            },
        };
        let of = match said {
            Some(of) => Some(of),
            None => number(SHARDS)?,
        };
        match (number(SLURM)?, number(KUBERNETES)?, of) {
            (Some(_), Some(_), _) => {
                let problem =
                    format!("{SLURM} and {KUBERNETES} are both set; say which, such as 3/16");
                Err(wrong(problem))
            }
            (None, None, _) => Err(wrong(format!(
                "neither {SLURM} nor {KUBERNETES} is set, so this is no Slurm job array and no Kubernetes \
                 indexed job; say which, such as 3/16"
            ))),
            // An array that is given again in part keeps its numbers, so they are taken as they are.
            (Some(task), None, Some(of)) => Shard::new(task, of),
            (Some(task), None, None) => {
                let min = number("SLURM_ARRAY_TASK_MIN")?;
                let max = number("SLURM_ARRAY_TASK_MAX")?;
                let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
                let count = number("SLURM_ARRAY_TASK_COUNT")?;
                of_array(task, min, max, step, count)
            }
            (None, Some(index), Some(of)) => Shard::new(index.saturating_add(1), of),
            (None, Some(_), None) => Err(wrong(format!(
                "Kubernetes does not say how many completions there are: say auto/N or set {SHARDS}"
            ))),
        }
    }
}

/// The shard of a task of a whole Slurm array.
fn of_array(
    task: u64,
    min: Option<u64>,
    max: Option<u64>,
    step: u64,
    count: Option<u64>,
) -> Result<Shard, RuleError> {
    let (Some(min), Some(count)) = (min, count) else {
        let problem = format!(
            "SLURM_ARRAY_TASK_MIN and SLURM_ARRAY_TASK_COUNT are not both set: say auto/N or set {SHARDS}"
        );
        return Err(wrong(problem));
    };
    let max = max.unwrap_or(task);
    let whole = min <= task && task <= max && (task - min).is_multiple_of(step);
    if !whole || (max - min) / step + 1 != count || (count == 1 && min > 1) {
        let problem = format!(
            "the array has {count} tasks from {min} to {max}, which may be some of a larger one: say how many \
             shards there are, auto/N, or set {SHARDS}; the task is then shard {task}"
        );
        return Err(wrong(problem));
    }
    Shard::new((task - min) / step + 1, count)
}

/// Options that say where and how, not what: they do not belong to what the shards have in common.
const WITH_VALUE: [&str; 4] = ["--shard", "--out", "--format", "--threads"];
const FLAGS: [&str; 3] = ["--all", "--force", "--quiet"];

/// What was typed, as far as all shards have it in common.
fn common_words(typed: impl Iterator<Item = String>) -> Vec<String> {
    let mut words = Vec::new();
    let mut typed = typed;
    while let Some(word) = typed.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        if WITH_VALUE.contains(&name) {
            if !word.contains('=') {
                typed.next();
            }
        } else if !FLAGS.contains(&name) {
            words.push(word);
        }
    }
    words
}

/// Where the part of a shard goes, and what it is a part of.
pub(super) struct Parting<'a> {
    shard: Shard,
    place: PathBuf,
    order: ShardedWork,
    force: bool,
    printing: &'a Printing,
}

impl<'a> Parting<'a> {
    /// Makes sure that the part can be written, before anything is computed.
    pub(super) fn open(
        shard: &ShardArg,
        out: Option<&Path>,
        asked: Value,
        force: bool,
        printing: &'a Printing,
    ) -> Result<Self, CliError> {
        let shard = shard.shard()?;
        let place = match out {
            Some(out) => out.to_owned(),
            None => PathBuf::from(format!("part-{}", shard.number())),
        };
        if place.file_name().is_none() {
            return Err(CliError::write(&place, "name a folder for the part"));
        }
        part::check_place(&place)?;
        let above = place.parent().filter(|p| !p.as_os_str().is_empty());
        file::check_writable(above.unwrap_or(Path::new(".")))
            .map_err(|error| CliError::write(&place, error))?;
        let words = common_words(terminal::typed());
        Ok(Parting {
            shard,
            place,
            order: ShardedWork { words, asked },
            force,
            printing,
        })
    }

    /// The folder of the part.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// Does the shard's work and writes it down, unless that is there already.
    pub(super) fn deliver(
        &self,
        work: impl FnOnce(Shard) -> Result<Vec<ShardResult>, CliError>,
    ) -> Result<String, CliError> {
        let was_there = part::is_up_to_date(&self.place, &self.order, self.shard)
            .map_err(|error| CliError::write(&self.place, error))?
            && !self.force;
        if !was_there {
            let kept = work(self.shard)?;
            part::write(&self.place, &self.order, self.shard, &kept)
                .map_err(|error| CliError::write(&self.place, error))?;
        }
        let report = PartReport::new(&self.place, was_there)?;
        self.printing.destination().deliver(&report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(arg: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let shard = parse(arg)?.among(value);
        shard.map(|s| s.to_string()).map_err(|e| e.to_string())
    }

    fn array<'a>(
        task: &'a str,
        min: &'a str,
        max: &'a str,
        count: &'a str,
    ) -> [(&'a str, &'a str); 4] {
        [
            (SLURM, task),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", max),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    }

    #[test]
    fn a_scheduler_says_which_shard_this_is() {
        for (arg, variables, shard) in [
            ("3/16", &[][..], "3/16"),
            ("auto", &array("3", "1", "16", "16"), "3/16"),
            ("auto", &array("0", "0", "15", "16"), "1/16"),
            ("auto/16", &array("5", "5", "9", "2"), "5/16"),
            ("auto/16", &[(KUBERNETES, "0")], "1/16"),
            ("auto", &[(KUBERNETES, "15"), (SHARDS, "16")], "16/16"),
            ("auto", &[(SLURM, "2"), (SHARDS, "4")], "2/4"),
        ] {
            assert_eq!(among(arg, variables).unwrap(), shard, "{arg} {variables:?}");
        }
        let mut stepped = array("4", "0", "6", "4").to_vec();
        stepped.push(("SLURM_ARRAY_TASK_STEP", "2"));
        assert_eq!(among("auto", &stepped).unwrap(), "3/4");
    }

    #[test]
    fn what_cannot_be_known_is_refused() {
        for (arg, variables, says) in [
            ("auto", &[][..], "neither"),
            ("auto", &[(KUBERNETES, "3")], "auto/N"),
            ("auto", &[(KUBERNETES, "3"), (SLURM, "3")], "both set"),
            ("auto", &[(SLURM, "3")], "SLURM_ARRAY_TASK_COUNT"),
            ("auto", &[(SLURM, "x")], "SLURM_ARRAY_TASK_ID is `x`"),
            ("auto", &array("5", "5", "5", "1"), "auto/N"),
            ("auto", &array("5", "1", "9", "3"), "auto/N"),
            ("auto/4", &[(KUBERNETES, "4")], "from 1 to 4"),
            ("auto/4", &[(SLURM, "0")], "from 1 to 4"),
            ("0/4", &[], "from 1 to 4"),
            ("3", &[], "3/16"),
            ("automatic", &[], "auto/N"),
        ] {
            let refused = among(arg, variables).unwrap_err();
            assert!(refused.contains(says), "{arg} {variables:?}: {refused}");
        }
    }

    #[test]
    fn where_and_how_are_not_part_of_what_is_asked() {
        let typed = "run a.toml --shard 3/16 --trials 5 --out=part-3 --quiet --threads 2 --seed=7";
        let words = common_words(typed.split(' ').map(str::to_owned));
        assert_eq!(words.join(" "), "run a.toml --trials 5 --seed=7");
    }
}
