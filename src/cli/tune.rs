//! `grapeshot tune`.

use super::answering::Answering;
use super::output::Output;
use super::scenario;
use super::subject::About;
use super::waiting::waiting;
use super::{CliError, output};
use crate::render::TuneReport;
use clap::Args;
use grapeshot_rules::{Labels, RuleError, read_text};
use grapeshot_study::tune::{Keep, Solution, TuneAsked, Tuned, Wish, amount, tune};
use grapeshot_study::usual_options;
use std::path::{Path, PathBuf};

/// Arguments of `tune`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArgs {
    #[command(flatten)]
    about: About,
    /// What is wanted: QUANTITY=NUMBER, >= or <= or a range A..B; of another question PROCEDURE key=value …: before it
    /// (repeatable)
    #[arg(long, value_name = "WANTED")]
    target: Vec<String>,
    /// Targets from a file: [[target]] with `want`, and `procedure`, `settings` and `tolerance` of their own
    #[arg(long, value_name = "TARGETS.toml")]
    targets: Option<PathBuf>,
    /// Cells that may change: tables.NAME.ROW.COLUMN, lists.NAME.KEY or assumptions.NAME, each part with *
    /// (repeatable)
    #[arg(long, value_name = "CELLS", required = true)]
    vary: Vec<String>,
    /// The most cells changed together
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=5))]
    max_edits: u8,
    /// Whether tables stay in order: order | none
    #[arg(long, value_name = "WHAT", default_value = "order", value_parser = keep)]
    keep: Keep,
    /// How far a target may be missed [default: 1%, or 2 % of a target that is no probability]
    #[arg(long, value_name = "NUMBER", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Solutions shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Write a solution as a variant, ready for diff and audit; only a file whose first line says that tune wrote it is
    /// overwritten; where no solution is found, none is written, and the exit code is 1
    #[arg(long, value_name = "FILE.toml")]
    write: Option<PathBuf>,
    /// Which solution is written
    #[arg(long, value_name = "N", default_value_t = 1, requires = "write", value_parser = clap::value_parser!(u16).range(1..))]
    pick: u16,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot tune elephant charge --target success=40% --vary 'lists.morale_values.*'
        which morale value makes an even charge succeed 40 % of the time
  grapeshot tune elephant melee --target success=50% --target 'attacker.stands=20: success>=70%' \\
      --vary tables.melee_results --write tuned.toml
        two targets at once; the best answer as a variant
  grapeshot diff elephant --variant tuned.toml
        what that variant does elsewhere
  grapeshot tune acw28 --targets wishes.toml --vary 'tables.*' --vary 'lists.*' --max-edits 2
        targets from a file:
            [[target]]
            procedure = \"charge\"
            settings = { attacker.class = \"A\" }
            want = \"success=60%\"";

fn keep(text: &str) -> Result<Keep, String> {
    Keep::from_label(text).ok_or_else(|| format!("allowed is {}", Keep::LABELS.join(" or ")))
}

fn tolerance(text: &str) -> Result<f64, String> {
    let read = amount(text).filter(|x| *x >= 0.0);
    read.ok_or_else(|| "allowed is a number such as 1% or 0.05".into())
}

pub(super) fn run(args: &TuneArgs) -> Result<String, CliError> {
    let mut question = args.about.asked("tune")?;
    question.variants = scenario::variants(&args.answering.variant)?;
    let loaded = question.load()?;
    let mut wishes: Vec<Wish> = Vec::new();
    for text in &args.target {
        wishes.push(Wish::typed(text)?);
    }
    if let Some(path) = &args.targets {
        let file = path.display().to_string();
        wishes.extend(Wish::file(&file, &read_text(path)?, loaded.id())?);
    }
    if wishes.is_empty() {
        let problem = "nothing is wanted: --target success=40%, or --targets FILE";
        return Err(RuleError::Other(problem.into()).into());
    }
    let options = args.answering.over(usual_options());
    let named = question.said.procedure.as_deref();
    let named = named.map(|name| loaded.playable(name)).transpose()?;
    let given = named.map(|procedure| question.heard(&loaded, procedure));
    let (given, note) = given.transpose()?.unwrap_or_default();
    let about = named.map(|procedure| (&*procedure.name, &given));
    let asked = TuneAsked {
        wishes,
        vary: args.vary.clone(),
        max_edits: args.max_edits.into(),
        keep: args.keep,
        tolerance: args.tolerance,
        shown: 1,
    };
    let destination = args.output.open()?.noting(note);
    if let Some(path) = &args.write {
        check_ours(path)?;
        output::check_file(path)?;
    }
    let found = waiting(&options, || tune(&loaded, about, &asked, &options))?;
    let written = args.write.as_ref().map(|path| write(args, &found, path));
    let written = written.transpose()?;
    let is_unmet = args.write.is_some() && found.solutions.is_empty();
    let report = TuneReport {
        variant: found.solutions.first().map(|best| variant(&found, best)),
        found,
        top: args.top,
    };
    let text = destination.noting(written).deliver(&report)?;
    match is_unmet {
        true => Err(CliError::Unmet(text)),
        false => Ok(text),
    }
}

fn variant(found: &Tuned, solution: &Solution) -> String {
    let wanted: Vec<String> = found
        .targets
        .iter()
        .map(|t| t.quantity.to_string())
        .collect();
    let about = format!("tuned for {}", wanted.join(", "));
    solution.variant(&found.rules, "tuned", &about)
}

/// The first line of a file that is written, by which it is known again.
const MARK: &str =
    "# Written by grapeshot tune, which overwrites this file as long as this line stands first.\n";

/// A variant that somebody wrote, or kept by taking the first line out, is not overwritten.
fn check_ours(path: &Path) -> Result<(), CliError> {
    let Ok(there) = path.metadata() else {
        return Ok(());
    };
    let is_ours = || read_text(path).is_ok_and(|text| text.starts_with(MARK));
    match there.is_file() && there.len() > 0 && !is_ours() {
        true => Err(CliError::write(
            path,
            "it is there already, and tune did not write it; name another file with --write",
        )),
        false => Ok(()),
    }
}

/// Writes the solution that was picked, and says so.
fn write(args: &TuneArgs, found: &Tuned, path: &Path) -> Result<String, CliError> {
    let Some(solution) = found.solutions.get(usize::from(args.pick) - 1) else {
        let file = path.display();
        let stale = match path.exists() {
            true => ", and holds what it held before, which does not answer this".to_owned(),
            false => String::new(),
        };
        return match found.solutions.len() {
            0 => Ok(format!("{file} was not written: nothing does it{stale}")),
            n => {
                let problem = format!("there are {n} solutions; {file} was not written{stale}");
                Err(RuleError::argument("pick", args.pick, problem).into())
            }
        };
    };
    output::write_file(path, &format!("{MARK}{}", variant(found, solution)))?;
    let file = scenario::shown(path);
    Ok(format!(
        "wrote {file}: grapeshot diff {} --variant {file}, grapeshot audit {} --variant {file}",
        found.rules, found.rules
    ))
}
