//! `grapeshot sheet`.

use super::answering::Answering;
use super::output::{self, Output, Styling};
use super::{CliError, scenario};
use crate::publish::folder;
use crate::render::SheetReport;
use clap::Args;
use grapeshot_charts::{Paper, PictureFormat, draw_sheet};
use grapeshot_rules::Labels;
use grapeshot_study::{sheet, usual_options};
use std::path::{Path, PathBuf};

/// Arguments of `sheet`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SheetArgs {
    /// A ruleset
    pub rules: String,
    /// The paper: a4 or letter
    #[arg(long, default_value = "a4", value_parser = paper)]
    paper: Paper,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    styling: Styling,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot sheet elephant --out elephant.pdf
        a page to print: charges, volleys, morale, rules of thumb; elephant.typ beside it
  grapeshot sheet gbacw --paper letter --style print.toml --out gbacw.pdf
        on letter paper, in the words and inks of a style
  grapeshot sheet acw28 --out acw28.svg
        the page as a drawing
  grapeshot sheet elephant --variant house.toml
        with a house rule, in the terminal";

fn paper(text: &str) -> Result<Paper, String> {
    Paper::from_label(text).ok_or_else(|| format!("allowed is {}", Paper::LABELS.join(" or ")))
}

pub(super) fn run(args: &SheetArgs) -> Result<String, CliError> {
    let loaded =
        grapeshot_rules::find(&args.rules)?.load(&scenario::variants(&args.answering.variant)?)?;
    let style = args.styling.read()?.unwrap_or_default();
    let options = args.answering.over(usual_options());
    let out = args.output.out.as_deref();
    let drawn = match (args.output.printing.format, out) {
        (None, Some(path)) => output::picture_format(path).map(|format| (path, format)),
        _ => None,
    };
    if let Some((path, _)) = drawn {
        output::check_file(path)?;
    }
    let report = |style| -> Result<SheetReport, CliError> {
        let sheet = options.on_threads(|| sheet(&loaded, options))?;
        Ok(SheetReport::new(sheet, style))
    };
    let Some((path, format)) = drawn else {
        let destination = args.output.open()?;
        return destination.deliver(&report(style)?);
    };
    print(&report(style)?, args.paper, path, format)
}

/// Draws every side into a file of its own, and writes the source beside them.
fn print(
    report: &SheetReport,
    paper: Paper,
    path: &Path,
    format: PictureFormat,
) -> Result<String, CliError> {
    let sides = draw_sheet(&report.page(paper), format).map_err(output::drawing_failed)?;
    let side = |at: usize| -> PathBuf {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        match at {
            0 => path.to_owned(),
            at => path.with_file_name(format!("{stem}-{}.{}", at + 1, format.ending())),
        }
    };
    let mut files: Vec<(PathBuf, Vec<u8>)> = sides
        .into_iter()
        .enumerate()
        .map(|(at, bytes)| (side(at), bytes))
        .collect();
    files.push((
        path.with_extension("typ"),
        report.source(paper).into_bytes(),
    ));
    let mut said = String::new();
    for (path, bytes) in files {
        folder::write_file(&path, &bytes).map_err(|error| CliError::write(&path, error))?;
        said += &format!("wrote {}\n", path.display());
    }
    Ok(said)
}
