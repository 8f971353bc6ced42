//! How an answer is printed, and where it goes: the same for every command.

use super::{CliError, terminal};
use crate::publish::folder::OutFile;
use crate::publish::{file, made};
use crate::render::{self, Document, Drawing, Layout, Picture, Report};
use clap::{Args, ValueEnum};
use grapeshot_charts::{Chart, ChartError, PictureFormat, Style};
use grapeshot_rules::{RuleError, read_text};
use grapeshot_study::parse_style;
use serde_json::json;
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
    /// For a book set in LaTeX, tables with booktabs.
    #[value(alias = "tex")]
    Latex,
    /// For a book set in Typst.
    #[value(alias = "typ")]
    Typst,
}

/// Options of printing.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct Printing {
    /// How to print [default: as the ending of --out says, else table]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Show all of it: settings that are off, lists that are usually left out
    #[arg(long)]
    pub all: bool,
}

/// Options of output.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    #[command(flatten)]
    pub printing: Printing,
    /// Write to this file instead: .txt, .json, .csv, .md, .html, .tex or .typ; where there is a chart also
    /// .svg, .png or .pdf
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Options of commands that draw.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct ChartArgs {
    /// Also draw the charts in this directory, as SVG, PNG and PDF, with what each shows in words; only what is listed in
    /// its .grapeshot, which is what was drawn there before, is overwritten
    #[arg(long, value_name = "DIR")]
    pub charts: Option<PathBuf>,
    #[command(flatten)]
    pub styling: Styling,
}

/// How charts and tables look.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct Styling {
    /// Size, type, colours and words of every figure: a file with [figure] and [words]
    #[arg(long, value_name = "STYLE.toml")]
    pub style: Option<PathBuf>,
}

impl Styling {
    /// The style, if a file was named.
    pub(super) fn read(&self) -> Result<Option<Style>, CliError> {
        let Some(path) = &self.style else {
            return Ok(None);
        };
        let file = path.display().to_string();
        Ok(Some(parse_style(&file, &read_text(path)?)?))
    }
}

/// Where an answer will go, found good before the work starts.
#[derive(Debug)]
pub(super) struct Destination {
    format: Format,
    /// The picture alone is wanted, in this format.
    picture: Option<PictureFormat>,
    layout: Layout,
    file: Option<PathBuf>,
    charts: Option<PathBuf>,
    style: Option<Style>,
    notes: Vec<String>,
    /// The command that makes the same again.
    repeat: String,
}

impl Printing {
    /// To standard output.
    pub(super) fn destination(&self) -> Destination {
        Destination {
            format: self.format.unwrap_or(Format::Table),
            picture: None,
            layout: Layout {
                width: terminal::width(),
                all: self.all,
                colour: terminal::has_colour(),
            },
            file: None,
            charts: None,
            style: None,
            notes: Vec::new(),
            repeat: retyped(terminal::typed()),
        }
    }
}

impl Output {
    /// Makes sure that the answer can be written, before anything is computed.
    pub(super) fn open(&self) -> Result<Destination, CliError> {
        self.opened(false)
    }

    fn opened(&self, draws: bool) -> Result<Destination, CliError> {
        let mut destination = self.printing.destination();
        if let Some(path) = &self.out {
            match (self.printing.format, picture_format(path)) {
                (Some(format), _) => destination.format = format,
                (None, Some(format)) if draws => destination.picture = Some(format),
                (None, _) => destination.format = by_ending(path)?,
            }
            check_file(path)?;
            destination.file = Some(path.clone());
            destination.layout.colour = false;
        }
        Ok(destination)
    }

    /// The same for a command that draws.
    pub(super) fn open_with(&self, charts: &ChartArgs) -> Result<Destination, CliError> {
        if let Some(dir) = &charts.charts {
            file::check_writable(dir).map_err(|error| {
                let problem = format!("--charts must be a directory that can be written: {error}");
                CliError::write(dir, problem)
            })?;
        }
        Ok(Destination {
            charts: charts.charts.clone(),
            style: charts.styling.read()?,
            ..self.opened(true)?
        })
    }
}

/// Makes sure that a file can be written.
pub(super) fn check_file(path: &Path) -> Result<(), CliError> {
    if path.is_dir() {
        let problem = "it is a directory, and a file is wanted";
        return Err(CliError::write(path, problem));
    }
    file::check_file(path).map_err(|error| CliError::write(path, error))
}

/// Writes a file whole, or leaves what was there.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), CliError> {
    file::write_file(path, text.as_bytes()).map_err(|error| CliError::write(path, error))
}

/// Writes a file where there is none.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    file::write_new(path, text.as_bytes()).map_err(|error| CliError::write(path, error))
}

/// That a file is written: nobody's is replaced without a word. Asked before it is.
fn wrote(path: &Path) -> String {
    let there = path
        .metadata()
        .is_ok_and(|there| there.is_file() && there.len() > 0);
    let over = if there { ", over what was there" } else { "" };
    format!("wrote {}{over}\n", path.display())
}

/// Where a file is, and what may stand beside it under a name made from its own.
pub(super) fn beside(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The format a file's ending stands for.
fn by_ending(path: &Path) -> Result<Format, CliError> {
    let ending = path.extension();
    let ending = ending.map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        None | Some("txt") => Ok(Format::Table),
        Some("json") => Ok(Format::Json),
        Some("csv") => Ok(Format::Csv),
        Some("md" | "markdown") => Ok(Format::Markdown),
        Some("html" | "htm") => Ok(Format::Html),
        Some("tex") => Ok(Format::Latex),
        Some("typ") => Ok(Format::Typst),
        Some(picture) if PictureFormat::of_ending(picture).is_some() => Err(CliError::write(
            path,
            format!(
                "`.{picture}` is a picture, and there is none of this: allowed are .txt, .json, .csv, .md, .html, .tex and .typ"
            ),
        )),
        Some(other) => Err(CliError::write(
            path,
            format!(
                "`.{other}` stands for no format: allowed are .txt, .json, .csv, .md, .html, .tex and .typ, or say --format"
            ),
        )),
    }
}

impl Destination {
    /// The same with something to be said about the question under any answer.
    pub(super) fn noting(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// The same in a style.
    pub(super) fn in_style(mut self, style: Option<Style>) -> Self {
        self.style = style;
        self
    }

    /// The same for the answer to another command than the one that was typed: these words, and what was said
    /// of the output.
    pub(super) fn repeating(mut self, words: &[String], output: &Output) -> Self {
        let mut words = words.to_vec();
        if let Some(format) = output.printing.format.and_then(|f| f.to_possible_value()) {
            words.extend(["--format".into(), format.get_name().into()]);
        }
        if output.printing.all {
            words.push("--all".into());
        }
        if let Some(out) = &output.out {
            words.extend(["--out".into(), out.display().to_string()]);
        }
        self.repeat = retyped(words.into_iter());
        self
    }

    /// Writes the answer, or gives it back to be printed.
    pub(super) fn deliver(&self, report: &impl Report) -> Result<String, CliError> {
        self.deliver_as(report.document(), &|| report.data())
    }

    fn deliver_as(
        &self,
        mut document: Document,
        data: &dyn Fn() -> serde_json::Value,
    ) -> Result<String, CliError> {
        if let Some(style) = &self.style {
            document.restyle(style);
        }
        if let Some(format) = self.picture {
            return self.draw_alone(&document, format);
        }
        let files = self.draw(&mut document)?;
        document.notes.extend(self.notes.iter().cloned());
        document.repeat = self.repeat.clone();
        let text = match self.format {
            Format::Table => render::text(&document, self.layout),
            Format::Csv => {
                // A table has no place for remarks; they go beside it.
                for note in &self.notes {
                    eprintln!("note: {note}");
                }
                render::csv(&document)
            }
            Format::Markdown => render::markdown(&document),
            Format::Html => render::html(&document).map_err(drawing_failed)?,
            Format::Latex => render::latex(&document),
            Format::Typst => render::typst(&document),
            Format::Json => {
                let mut data = data();
                if self.charts.is_some() {
                    data["files"] = json!(files);
                }
                if !self.notes.is_empty() {
                    let known = data["notes"].as_array().cloned().unwrap_or_default();
                    let ours = self.notes.iter().map(|note| json!(note));
                    data["notes"] = known.into_iter().chain(ours).collect();
                }
                format!("{data:#}\n")
            }
        };
        self.write(text)
    }

    /// Writes text, or gives it back to be printed.
    pub(super) fn write(&self, text: String) -> Result<String, CliError> {
        match &self.file {
            None => Ok(text),
            Some(path) => {
                let said = wrote(path);
                write_file(path, &text)?;
                Ok(said)
            }
        }
    }

    /// Draws the charts and nothing else into the file, or into files numbered after it.
    fn draw_alone(&self, document: &Document, format: PictureFormat) -> Result<String, CliError> {
        let path = self.file.as_deref().unwrap_or(Path::new(""));
        let charts: Vec<&Chart> = document
            .pictures
            .iter()
            .filter_map(Picture::chart_of)
            .collect();
        if charts.is_empty() {
            return Err(CliError::write(path, "there is nothing to draw"));
        }
        let drawn: Vec<Vec<u8>> = charts
            .iter()
            .map(|chart| draw(chart, format))
            .collect::<Result<_, _>>()?;
        if let [bytes] = &drawn[..] {
            let said = wrote(path);
            file::write_file(path, bytes).map_err(|error| CliError::write(path, error))?;
            return Ok(said);
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let files = drawn.into_iter().enumerate().map(|(at, bytes)| OutFile {
            name: format!("{stem}-{}.{}", at + 1, format.ending()),
            bytes,
        });
        let files: Vec<OutFile> = files.collect();
        made::write(beside(path), &files)?;
        let said = files.iter().map(|file| {
            let path = path.with_file_name(&file.name);
            format!("wrote {}\n", path.display())
        });
        Ok(said.collect())
    }

    /// Draws the charts if they are wanted, and says in the document where they are.
    fn draw(&self, document: &mut Document) -> Result<Vec<String>, CliError> {
        let Some(dir) = &self.charts else {
            return Ok(Vec::new());
        };
        if document.pictures.is_empty() {
            document
                .notes
                .push("no chart: there is nothing to draw".into());
        }
        let mut files = Vec::new();
        for picture in &mut document.pictures {
            let Drawing::Chart(chart) = &picture.drawing else {
                continue;
            };
            let chart = chart.as_ref().clone();
            let mut drawn = Vec::new();
            for format in PictureFormat::ALL {
                drawn.push((format.ending(), draw(&chart, *format)?));
            }
            drawn.push(("txt", chart.alt().file().into_bytes()));
            files.extend(drawn.into_iter().map(|(ending, bytes)| OutFile {
                name: format!("{}.{ending}", picture.name),
                bytes,
            }));
            picture.file = Some(format!("{}/{}.svg", dir.display(), picture.name));
        }
        made::write(dir, &files)?;
        let files = files.iter().map(|file| dir.join(&file.name));
        Ok(files.map(|path| path.display().to_string()).collect())
    }
}

/// A style that asks for what cannot be is wrong input; anything else is a failure.
pub(super) fn drawing_failed(error: ChartError) -> CliError {
    match error.is_input() {
        true => CliError::Input(RuleError::Other(error.to_string())),
        false => CliError::Other(error.into()),
    }
}

/// A chart as the bytes of a file.
pub(super) fn draw(chart: &Chart, format: PictureFormat) -> Result<Vec<u8>, CliError> {
    grapeshot_charts::draw(chart, format).map_err(drawing_failed)
}

/// The format of a picture's file, by its ending.
pub(super) fn picture_format(path: &Path) -> Option<PictureFormat> {
    PictureFormat::of_ending(&path.extension()?.to_string_lossy())
}

/// The endings of pictures, in words.
pub(super) fn picture_endings() -> String {
    let endings = PictureFormat::ALL.iter();
    let endings: Vec<String> = endings.map(|f| format!(".{}", f.ending())).collect();
    match endings.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A command as it can be typed again.
fn retyped(words: impl Iterator<Item = String>) -> String {
    let plain = |word: &str| {
        let safe = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
        !word.is_empty() && word.chars().all(safe)
    };
    let words = words.map(|word| match plain(&word) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    });
    let words: Vec<String> = ["grapeshot".to_owned()].into_iter().chain(words).collect();
    words.join(" ")
}
