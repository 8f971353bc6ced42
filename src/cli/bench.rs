//! What the designer's commands have in common: what they are asked about, and how.

use super::answering::{MethodArg, on_threads};
use super::args::Format;
use super::scenario::{FileArgs, Question};
use super::{CliError, scenario};
use crate::charts::{self, Chart};
use crate::engine::{Budget, Stop};
use crate::publish::folder::{check_writable, write_file};
use crate::rules::Given;
use crate::rules::{self, Loaded, Options, Procedure, RuleError, Ruleset};
use crate::study::{Axis, Bench, parse_sweep, usual_options};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How answers are found and printed.
#[derive(Debug, Args)]
pub struct Asking {
    /// How to answer
    #[arg(long, value_enum, default_value = "auto")]
    pub method: MethodArg,
    /// Trials of each question that is simulated
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub trials: u64,
    /// Seed of simulations; all questions share their dice
    #[arg(long, value_name = "S", default_value_t = 1863)]
    pub seed: u64,
    /// Threads [default: all cores]; the answer does not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most distinct states the exact method may use
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_states: usize,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

impl Asking {
    pub(super) fn options(&self) -> Options {
        Options {
            method: self.method.into(),
            stop: Stop::Trials(self.trials),
            seed: self.seed,
            budget: Budget {
                states: self.max_states,
            },
            ..usual_options()
        }
    }

    /// Runs `job` on the threads that were asked for.
    pub(super) fn run<T: Send>(&self, job: impl FnOnce() -> T + Send) -> Result<T, CliError> {
        on_threads(self.threads, job)
    }
}

/// A procedure and its settings, by words or file.
#[derive(Debug, Args)]
pub struct About {
    /// RULES PROCEDURE [KEY=VALUE …]; rules and procedure may also come from --file
    #[arg(value_name = "RULES PROCEDURE KEY=VALUE", num_args = 0..)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub from: FileArgs,
}

/// What a command is about, checked as far as names go.
pub(super) struct Subject {
    pub ruleset: Arc<Ruleset>,
    pub procedure: String,
    question: Question,
}

impl About {
    pub(super) fn subject(&self, command: &str) -> Result<Subject, RuleError> {
        let question = scenario::question(&self.words, &self.from)?;
        let missing = |what: &str| {
            RuleError::Other(format!(
                "no {what} given; try: grapeshot {command} elephant charge, or grapeshot rules"
            ))
        };
        let rules = question.rules.as_ref().ok_or_else(|| missing("ruleset"))?;
        let ruleset = rules::find(rules)?;
        let procedure = question.procedure.clone();
        Ok(Subject {
            ruleset,
            procedure: procedure.ok_or_else(|| missing("procedure"))?,
            question,
        })
    }
}

impl Subject {
    pub(super) fn load(&self, variants: &[PathBuf]) -> Result<Loaded, RuleError> {
        self.ruleset.load(&scenario::variants(variants)?)
    }

    /// What the procedure hears, and what has to be said about that under the answer.
    pub(super) fn heard(
        &self,
        loaded: &Loaded,
        procedure: &Procedure,
    ) -> Result<(Given, Option<String>), RuleError> {
        let heard = self.question.said.to(loaded, procedure)?;
        let note = heard.note(&self.question.said, &procedure.name);
        Ok((heard.given, note))
    }

    /// The procedure on the bench, and what has to be said about the fight it was asked of.
    pub(super) fn bench<'a>(
        &self,
        loaded: &'a Loaded,
        asking: &Asking,
    ) -> Result<(Bench<'a>, Note), RuleError> {
        let procedure = loaded.playable(&self.procedure)?;
        let (given, note) = self.heard(loaded, procedure)?;
        let bench = Bench::new(loaded, &procedure.name, given, asking.options())?;
        Ok((bench, Note::new(note)))
    }
}

/// What has to be said about the fight a question was asked of: under a table, among the notes of
/// JSON, and on the other stream beside CSV, which has no place for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Note(Option<String>);

impl Note {
    pub(super) fn new(note: Option<String>) -> Self {
        Note(note)
    }

    pub(super) fn table(&self, mut text: String) -> String {
        if let Some(note) = &self.0 {
            text += &format!("\nnote: {note}\n");
        }
        text
    }

    pub(super) fn json(&self, mut answer: serde_json::Value) -> serde_json::Value {
        if let Some(note) = &self.0 {
            answer["notes"] = serde_json::json!([note]);
        }
        answer
    }

    pub(super) fn csv(&self, text: String) -> String {
        if let Some(note) = &self.0 {
            eprintln!("note: {note}");
        }
        text
    }
}

/// Reads sweeps; a key can be swept only once.
pub(super) fn sweeps(texts: &[String]) -> Result<Vec<Axis>, RuleError> {
    let mut axes: Vec<Axis> = Vec::new();
    for text in texts {
        let axis = parse_sweep(text)?;
        if axes.iter().any(|known| known.keys == axis.keys) {
            let problem = format!("`{}` is swept twice", axis.keys.join(", "));
            return Err(RuleError::Other(problem));
        }
        axes.push(axis);
    }
    Ok(axes)
}

/// Makes the directory for charts before any work is done.
pub(super) fn make_dir(dir: Option<&Path>) -> Result<(), RuleError> {
    let Some(dir) = dir else { return Ok(()) };
    check_writable(dir).map_err(|error| RuleError::File {
        file: dir.display().to_string(),
        problem: format!("--out must be a directory that can be written: {error}"),
    })
}

/// Writes the chart, if there is one and a place for it.
pub(super) fn draw(
    dir: Option<&Path>,
    stem: &str,
    chart: Option<Chart>,
) -> Result<Vec<String>, CliError> {
    let (Some(dir), Some(chart)) = (dir, chart) else {
        return Ok(Vec::new());
    };
    let drawn = |error: charts::ChartError| CliError::Other(error.into());
    let svg = charts::svg(&chart).map_err(drawn)?;
    let png = charts::png(&chart).map_err(drawn)?;
    let mut files = Vec::new();
    for (ending, bytes) in [("svg", svg.into_bytes()), ("png", png)] {
        let path = dir.join(format!("{stem}.{ending}"));
        let named = |error| anyhow::anyhow!("{}: {error}", path.display());
        write_file(&path, &bytes).map_err(named)?;
        files.push(path.display().to_string());
    }
    Ok(files)
}

/// The lines that say which files were written.
pub(super) fn written(dir: Option<&Path>, files: &[String]) -> String {
    match (dir, files) {
        (None, _) => String::new(),
        (Some(_), []) => "\nno chart: nothing changes\n".into(),
        (Some(_), files) => format!("\nchart: {}\n", files.join(", ")),
    }
}
