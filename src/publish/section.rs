//! The files of one experiment: its page, its charts, its data.

use super::folder::OutFile;
use crate::frames::{csv_bytes, dictionary, frames, parquet_bytes};
use crate::pictures::picture;
use crate::render::{self, Document, Picture};
use grapeshot_charts::{ChartError, PictureFormat};
use grapeshot_rules::RuleError;
use grapeshot_study::Results;

pub use crate::render::{PAGE, Section};

/// What the columns of the data mean.
const DICTIONARY: &str = "data-dictionary.md";

/// Why an experiment could not be written down.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// A quantity or chart that makes no sense.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A chart that cannot be drawn.
    #[error("chart `{title}`: {error}")]
    Chart {
        /// Its title.
        title: String,
        /// Why; boxed, so that a result stays small where nothing is wrong.
        error: Box<ChartError>,
    },
    /// A table that cannot be written.
    #[error(transparent)]
    Table(#[from] polars::error::PolarsError),
}

/// The name of the page for those who browse a repository.
pub const SHORT_PAGE: &str = "README.md";

/// The name of the file a section is kept in.
pub const SECTION: &str = "section.json";

/// Everything an experiment writes.
///
/// # Errors
/// See [`SectionError`].
pub fn section_files(results: &Results) -> Result<Vec<OutFile>, SectionError> {
    let mut files = Vec::new();
    let mut data = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        data.push(name.to_owned());
        files.push(OutFile {
            name: name.into(),
            bytes,
        });
    };
    let mut tables = frames(results)?;
    let both = [
        ("outcomes", tables.outcomes.as_mut()),
        ("summary", Some(&mut tables.summary)),
        ("means", tables.means.as_mut()),
    ];
    for (name, table) in both {
        let Some(table) = table else { continue };
        add(&format!("{name}.csv"), csv_bytes(table)?);
        add(&format!("{name}.parquet"), parquet_bytes(results, table)?);
    }
    if let Some(agreement) = &mut tables.agreement {
        add("agreement.csv", csv_bytes(agreement)?);
    }
    if let Some(skipped) = &mut tables.skipped {
        add("skipped.csv", csv_bytes(skipped)?);
    }
    let found = render::instruments(results);
    for ((name, document), found) in found.iter().zip(&results.instruments) {
        add(&format!("{name}.csv"), render::csv(document).into_bytes());
        let data = format!("{:#}\n", render::instrument_data(found));
        add(&format!("{name}.json"), data.into_bytes());
    }
    add(
        DICTIONARY,
        dictionary(results, &tables.named()).into_bytes(),
    );
    let (mut names, mut pictures) = (Vec::new(), Vec::new());
    let (mut wide, mut narrow) = (Vec::new(), Vec::new());
    let mut refused = Vec::new();
    let mut charts = Vec::new();
    for (at, spec) in results.experiment.charts.iter().enumerate() {
        charts.push((format!("chart-{}", at + 1), picture(results, spec)?));
    }
    for (name, document) in found {
        let drawn = document.pictures.iter().filter_map(Picture::chart_of);
        charts.extend(drawn.enumerate().map(|(at, chart)| match at {
            0 => (name.to_owned(), chart.clone()),
            at => (format!("{name}-{}", at + 1), chart.clone()),
        }));
    }
    for (name, chart) in charts {
        let title = chart.title.clone();
        let failed = |error: ChartError| SectionError::Chart {
            title: title.clone(),
            error: Box::new(error),
        };
        let drawn = match chart.drawn() {
            // What has no room is refused by itself; everything else is drawn.
            Err(error @ ChartError::Small { .. }) => {
                refused.push(failed(error));
                continue;
            }
            drawn => drawn.map_err(failed)?,
        };
        for format in PictureFormat::ALL {
            files.push(OutFile {
                name: format!("{name}.{}", format.ending()),
                bytes: drawn.bytes(*format).map_err(failed)?,
            });
        }
        files.push(OutFile {
            name: format!("{name}.txt"),
            bytes: chart.alt().file().into_bytes(),
        });
        narrow.push(render::narrow(&chart));
        wide.push(drawn.live());
        let mut shown = Picture::drawn(&name, &title, drawn.live());
        shown.narrow = narrow.last().cloned().flatten();
        pictures.push(shown);
        names.push((name, title.clone()));
    }
    // A style in which no chart at all has room is a mistake of its file.
    if names.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0));
    }
    let mut section = Section::new(results, names, data)?;
    let worded = |mut document: Document| {
        document.restyle(&results.style);
        document
    };
    (section.wide, section.narrow) = (wide, narrow);
    let refused = refused.iter().map(ToString::to_string);
    section.findings.extend(refused);
    files.push(OutFile {
        name: SHORT_PAGE.into(),
        bytes: render::markdown(&worded(section.in_short(pictures.clone()))).into_bytes(),
    });
    let page =
        render::html(&worded(section.own_page(pictures))).map_err(|error| SectionError::Chart {
            title: section.title.clone(),
            error: Box::new(error),
        })?;
    files.push(OutFile {
        name: PAGE.into(),
        bytes: page.into_bytes(),
    });
    let text = serde_json::to_string_pretty(&section).expect("a section is plain data");
    files.push(OutFile {
        name: SECTION.into(),
        bytes: text.into_bytes(),
    });
    Ok(files)
}
