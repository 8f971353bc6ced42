//! `grapeshot sheet`.

use super::answering::Answering;
use super::output::{self, Output, Styling};
use super::waiting::waiting;
use super::{CliError, scenario};
use crate::publish::folder::OutFile;
use crate::publish::{file, made};
use crate::render::SheetReport;
use clap::Args;
use grapeshot_charts::{Paper, PictureFormat, draw_sheet};
use grapeshot_rules::Labels;
use grapeshot_study::{sheet, usual_options};
use std::path::Path;

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
        a page to print: charges, volleys, morale, rules of thumb; elephant.typ beside it, unless it is somebody
        else's: what was written before is listed in .grapeshot
  grapeshot sheet gbacw --paper letter --style book.toml --out gbacw.pdf
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
        made::check(output::beside(path), [source_name(path).as_str()])?;
    }
    let report = |style| -> Result<SheetReport, CliError> {
        let sheet = waiting(&options, || sheet(&loaded, options))?;
        Ok(SheetReport::new(sheet, style))
    };
    let Some((path, format)) = drawn else {
        let destination = args.output.open()?;
        return destination.deliver(&report(style)?);
    };
    print(&report(style)?, args.paper, path, format)
}

/// What the source is called that is written beside a sheet.
fn source_name(path: &Path) -> String {
    let source = path.with_extension("typ");
    source
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Draws every side into a file of its own, and writes the source beside them. Only the first file is one that was
/// named: of the others, those that are somebody else's are not overwritten.
fn print(
    report: &SheetReport,
    paper: Paper,
    path: &Path,
    format: PictureFormat,
) -> Result<String, CliError> {
    let sides = draw_sheet(&report.page(paper), format).map_err(output::drawing_failed)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut sides = sides.into_iter();
    let first = sides.next().unwrap_or_default();
    let others = sides.zip(2..).map(|(bytes, at)| OutFile {
        name: format!("{stem}-{at}.{}", format.ending()),
        bytes,
    });
    let mut others: Vec<OutFile> = others.collect();
    others.push(OutFile {
        name: source_name(path),
        bytes: report.source(paper).into_bytes(),
    });
    made::write(output::beside(path), &others)?;
    file::write_file(path, &first).map_err(|error| CliError::write(path, error))?;
    let others = others.iter().map(|file| path.with_file_name(&file.name));
    let said = [path.to_owned()].into_iter().chain(others);
    Ok(said
        .map(|path| format!("wrote {}\n", path.display()))
        .collect())
}
