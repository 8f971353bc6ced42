//! `grapeshot compare`.

use super::bench::Note;
use super::scenario::{FileArgs, Question};
use super::{CliError, scenario};
use crate::charts;
use crate::pictures::compare_charts;
use crate::publish::folder;
use crate::report::{compare_csv, compare_html, compare_json, compare_table};
use crate::rules::common::{ID, Kind, RULESET_KEY};
use crate::rules::{self, Labels, RuleError};
use crate::study::{compare, compare_options, parse_sweep};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// fire | charge | melee | firefight, then KEY=VALUE …
    #[arg(value_name = "FIGHT KEY=VALUE", num_args = 1.., required = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub from: FileArgs,
    /// Play the fight at every value: key=a,b,c or key=from..to/step (repeatable)
    #[arg(long, value_name = "KEY=VALUES")]
    pub sweep: Vec<String>,
    /// Lay a variant of any ruleset over its tables (repeatable)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    pub format: PageFormat,
    /// Folder for charts, SVG and PNG
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot compare charge attacker.grade=veteran defender.cover=soft
        the same charge in every ruleset, and why some are left out
  grapeshot compare fire --sweep range=50..600/50 --out charts
        a volley by range, with one panel for each ruleset
  grapeshot compare firefight a.men=600 --format json
        for a program
  grapeshot rules gbacw --common
        how a common fight is said in one ruleset, with its assumptions";

/// How a comparison or a card is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PageFormat {
    /// For reading.
    Table,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For a browser.
    Html,
}

pub(super) fn run(args: &CompareArgs) -> Result<String, CliError> {
    let (name, question) = fight(&args.words, &args.from)?;
    let kind = Kind::from_label(&name)
        .ok_or_else(|| RuleError::unknown("fight", &name, Kind::LABELS.iter()))?;
    let axes: Result<Vec<_>, RuleError> = args.sweep.iter().map(|s| parse_sweep(s)).collect();
    let common = rules::find(ID)?.load(&scenario::variants(&args.variant)?)?;
    let mut heard = question.said.to(&common, common.procedure(kind.label())?)?;
    let typed = question
        .said
        .words
        .iter()
        .any(|(key, _)| key == RULESET_KEY);
    let ruleset = heard.given.iter().position(|(key, _)| key == RULESET_KEY);
    if let (false, Some(at)) = (typed, ruleset) {
        // Every ruleset plays, whichever the fight was written for.
        heard.unused.push(heard.given.remove(at).0);
    }
    let note = Note::new(heard.note(&question.said, "a comparison"));
    let comparison = compare(&common, kind, &heard.given, &axes?, &compare_options())?;
    let mut text = match args.format {
        PageFormat::Table => note.table(compare_table(&comparison)),
        PageFormat::Json => format!("{:#}\n", note.json(compare_json(&comparison))),
        PageFormat::Csv => note.csv(compare_csv(&comparison)),
        PageFormat::Html => {
            note.csv(compare_html(&comparison).map_err(|error| CliError::Other(error.into()))?)
        }
    };
    if let Some(out) = &args.out {
        let written = write_charts(out, &compare_charts(&comparison))?;
        if args.format == PageFormat::Table {
            text += &format!("\nwritten: {}\n", written.join(", "));
        }
    }
    Ok(text)
}

/// The name of the fight and what is set about it.
fn fight(words: &[String], from: &FileArgs) -> Result<(String, Question), RuleError> {
    // The ruleset goes without saying, so what is typed first is the procedure.
    let words: Vec<String> = [ID.to_owned()]
        .into_iter()
        .chain(words.iter().cloned())
        .collect();
    let question = scenario::question(&words, from)?;
    let name = question.procedure.clone().ok_or_else(|| {
        let allowed = Kind::LABELS.join(" | ");
        RuleError::Other(format!("no fight given; allowed is {allowed}"))
    })?;
    Ok((name, question))
}

/// Writes charts as SVG and PNG, and returns the files.
pub(super) fn write_charts(
    out: &Path,
    all: &[(String, charts::Chart)],
) -> Result<Vec<String>, CliError> {
    let mut written = Vec::new();
    for (name, chart) in all {
        let draw = |error: charts::ChartError| CliError::Other(error.into());
        for (ending, bytes) in [
            ("svg", charts::svg(chart).map_err(draw)?.into_bytes()),
            ("png", charts::png(chart).map_err(draw)?),
        ] {
            let path = out.join(format!("{name}.{ending}"));
            folder::write_file(&path, &bytes).map_err(|error| RuleError::File {
                file: path.display().to_string(),
                problem: format!("cannot be written: {error}"),
            })?;
            written.push(path.display().to_string());
        }
    }
    Ok(written)
}
