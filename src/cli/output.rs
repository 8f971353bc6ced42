//! How an answer is printed, and where it goes: the same for every command.

use super::CliError;
use super::terminal;
use crate::publish::folder;
use crate::render::{self, Layout, Report};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// The forms an answer can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading in a terminal.
    #[value(alias = "text")]
    Table,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For forums and READMEs.
    #[value(alias = "md")]
    Markdown,
    /// A page for a browser, with its charts inside.
    Html,
}

/// Options of printing.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct Printing {
    /// How to print [default: as the ending of --out says, else table]
    #[arg(long, value_enum, hide_possible_values = false)]
    pub format: Option<Format>,
    /// Show all of it: settings that are off, lists left out of a table
    #[arg(long)]
    pub all: bool,
}

/// Options of output.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    #[command(flatten)]
    pub printing: Printing,
    /// Write to this file instead: .txt, .json, .csv, .md or .html
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Where an answer will go, found good before the work starts.
#[derive(Debug)]
pub(super) struct Destination {
    format: Format,
    layout: Layout,
    file: Option<PathBuf>,
}

impl Printing {
    /// To standard output.
    pub(super) fn destination(&self) -> Destination {
        Destination {
            format: self.format.unwrap_or(Format::Table),
            layout: Layout {
                width: terminal::width(),
                all: self.all,
            },
            file: None,
        }
    }
}

impl Output {
    /// Makes sure that the answer can be written, before anything is computed.
    pub(super) fn open(&self) -> Result<Destination, CliError> {
        let mut destination = self.printing.destination();
        if let Some(path) = &self.out {
            destination.format = match self.printing.format {
                Some(format) => format,
                None => by_ending(path)?,
            };
            if path.is_dir() {
                return Err(CliError::write(
                    path,
                    "it is a directory; --out takes a file",
                ));
            }
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            folder::check_writable(folder.unwrap_or(Path::new(".")))
                .map_err(|error| CliError::write(path, error))?;
            destination.file = Some(path.clone());
        }
        Ok(destination)
    }
}

/// The format a file's ending stands for.
fn by_ending(path: &Path) -> Result<Format, CliError> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        None | Some("txt") => Ok(Format::Table),
        Some("json") => Ok(Format::Json),
        Some("csv") => Ok(Format::Csv),
        Some("md" | "markdown") => Ok(Format::Markdown),
        Some("html" | "htm") => Ok(Format::Html),
        Some(other) => Err(CliError::write(
            path,
            format!(
                "`.{other}` stands for no format: allowed are .txt, .json, .csv, .md and .html, or say --format"
            ),
        )),
    }
}

impl Destination {
    /// Writes the answer, or gives it back to be printed.
    pub(super) fn deliver(&self, report: &dyn Report) -> Result<String, CliError> {
        let text = match self.format {
            Format::Table => render::text(&report.document(), self.layout),
            Format::Json => format!("{:#}\n", report.data()),
            Format::Csv => render::csv(&report.document()),
            Format::Markdown => render::markdown(&report.document()),
            Format::Html => {
                render::html(&report.document()).map_err(|error| CliError::Other(error.into()))?
            }
        };
        match &self.file {
            None => Ok(text),
            Some(path) => {
                folder::write_file(path, text.as_bytes())
                    .map_err(|error| CliError::write(path, error))?;
                Ok(format!("wrote {}\n", path.display()))
            }
        }
    }
}
