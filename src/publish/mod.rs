//! Running experiments into folders, and the page that shows them all.

mod chapters;
pub mod folder;
mod headlines;
mod listing;
mod page;
pub mod part;
mod section;

pub use chapters::{AuditChapter, ChapterError, Chapters, chapters};
pub use listing::Listing;
pub use page::contents_files;
pub use section::{
    PAGE, SECTION, SHORT_PAGE, Section, SectionError, section_files, study_document,
};

use crate::render;
use folder::OutFile;
use grapeshot_charts::ChartError;
use grapeshot_engine::engine::{Stop, Watch};
use grapeshot_rules::OddsError;
use grapeshot_study::parallel;
use grapeshot_study::run::Prepared;
use grapeshot_study::{Results, ShardResult, results_found};
use page::page;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What became of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// Its folder was written.
    Written,
    /// Its folder already held just this.
    UpToDate,
    /// The run was stopped before it was finished; its old folder, if any, is untouched.
    Stopped,
}

/// Why an experiment was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// An engine could not answer.
    #[error("{id}: {error}")]
    Odds {
        /// The experiment.
        id: String,
        /// Why.
        error: OddsError,
    },
    /// Its results could not be written down.
    #[error("{id}: {error}")]
    Section {
        /// The experiment.
        id: String,
        /// Why.
        error: SectionError,
    },
    /// A chart of a chapter could not be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// A file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Where the results of experiments come from.
#[derive(Debug, Clone, Copy)]
pub enum ResultSource<'a> {
    /// They are run.
    Running,
    /// Shards have run them, and this is what they found.
    Shards(&'a [ShardResult]),
}

impl ResultSource<'_> {
    /// The results of the experiment at this place; nothing if it was stopped.
    fn results(
        &self,
        at: usize,
        prepared: &Prepared,
        watch: &Watch,
    ) -> Result<Option<Results>, OddsError> {
        match self {
            ResultSource::Running => grapeshot_study::run(prepared, watch),
            ResultSource::Shards(kept) => {
                let mine = kept.partition_point(|one| one.study < at)
                    ..kept.partition_point(|one| one.study <= at);
                watch.add(prepared.work());
                results_found(prepared, &kept[mine], watch)
            }
        }
    }
}

/// Publishes experiments, all their cells in one parallel job, each into its own folder below `out`.
///
/// # Errors
/// The first that fails; those already finished are kept.
pub fn publish(
    prepared: &[Prepared],
    by: ResultSource<'_>,
    out: &Path,
    force: bool,
    watch: &Watch,
    done: &(dyn Fn(&str, Published, Duration) + Sync),
) -> Result<Vec<Published>, PublishError> {
    let numbered: Vec<(usize, &Prepared)> = prepared.iter().enumerate().collect();
    parallel::try_map(&numbered, |&(at, one)| {
        let started = Instant::now();
        let results = || by.results(at, one, watch);
        let published = publish_one(one, results, out, force, watch)?;
        done(&one.experiment().id, published, started.elapsed());
        Ok(published)
    })
}

fn publish_one(
    prepared: &Prepared,
    results: impl FnOnce() -> Result<Option<Results>, OddsError>,
    out: &Path,
    force: bool,
    watch: &Watch,
) -> Result<Published, PublishError> {
    let id = prepared.experiment().id.clone();
    let place = out.join(&id);
    let fingerprint = fingerprint(prepared);
    folder::settle(&place).map_err(|error| PublishError::Io {
        path: place.clone(),
        error,
    })?;
    if !force && folder::is_up_to_date(&place, &fingerprint) {
        watch.add(prepared.work());
        return Ok(Published::UpToDate);
    }
    let results = results().map_err(|error| PublishError::Odds {
        id: id.clone(),
        error,
    })?;
    let Some(results) = results else {
        return Ok(Published::Stopped);
    };
    let files: Vec<OutFile> = section_files(&results).map_err(|error| PublishError::Section {
        id: id.clone(),
        error,
    })?;
    if watch.stopped() {
        return Ok(Published::Stopped);
    }
    let manifest = manifest(prepared, &fingerprint);
    folder::replace(&place, &files, manifest)
        .map_err(|error| PublishError::Io { path: place, error })?;
    Ok(Published::Written)
}

/// Everything the results depend on, as one hash: the program too.
fn fingerprint(prepared: &Prepared) -> String {
    let mut text = format!(
        "{} {} {} {:?} {} {}\n{}",
        env!("CARGO_PKG_VERSION"),
        env!("GRAPESHOT_SOURCES"),
        prepared.experiment().id,
        prepared.stop(),
        prepared.seed(),
        grapeshot_rules::Labels::label(prepared.method()),
        prepared.experiment().text
    );
    for table in prepared.tables() {
        text += &table;
    }
    text += &format!("{:?}", prepared.style());
    folder::sha256(text.as_bytes())
}

/// Nothing in it differs between two equal runs: the same command gives the same bytes.
fn manifest(prepared: &Prepared, fingerprint: &str) -> Value {
    let experiment = prepared.experiment();
    let tables: Vec<String> = prepared
        .tables()
        .iter()
        .map(|text| folder::sha256(text.as_bytes()))
        .collect();
    let variants: serde_json::Map<String, Value> = prepared
        .variants()
        .iter()
        .map(|(name, text)| (name.clone(), json!(folder::sha256(text.as_bytes()))))
        .collect();
    let settings: serde_json::Map<String, Value> = experiment
        .settings
        .iter()
        .map(|(key, value)| (key.clone(), json!(value)))
        .collect();
    let (trials, precision) = match prepared.stop() {
        Stop::Trials(trials) => (trials, None),
        Stop::Precision {
            half_width,
            at_most,
        } => (at_most, Some(half_width)),
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "experiment": experiment.id,
        "fingerprint": fingerprint,
        "rules": experiment.rules,
        "procedure": experiment.procedure,
        "tables": tables,
        "variants": variants,
        "seed": prepared.seed(),
        "trials": trials,
        "precision": precision,
        "method": grapeshot_rules::Labels::label(prepared.method()),
        "streams": if experiment.common_dice { "common" } else { "independent" },
        "settings": settings,
    })
}

/// Reads the sections below `out`, in the order of `ids`; folders without one are left out.
///
/// # Errors
/// If a folder is there but cannot be read.
pub fn sections(out: &Path, ids: &[String]) -> Result<Vec<Section>, PublishError> {
    let mut found = Vec::new();
    for id in ids {
        let path = out.join(id).join(SECTION);
        let failed = |error: io::Error| PublishError::Io {
            path: path.clone(),
            error,
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        found.push(serde_json::from_str(&text).map_err(|error| failed(error.into()))?);
    }
    Ok(found)
}

/// Writes `index.html`, which is what it opens with, the comparison, these sections and the audit; and `README.md`, the
/// contents, with its pictures.
///
/// # Errors
/// If a chart cannot be read or drawn, or a page not written.
pub fn write_pages(
    out: &Path,
    sections: &[Section],
    chapters: Chapters,
) -> Result<(), PublishError> {
    let mut svgs = Vec::new();
    for section in sections {
        let mut own = Vec::new();
        for (name, _) in &section.charts {
            let path = out.join(&section.id).join(format!("{name}.svg"));
            own.push(
                std::fs::read_to_string(&path).map_err(|error| PublishError::Io { path, error })?,
            );
        }
        svgs.push(own);
    }
    let mut files = contents_files(sections, &chapters)?;
    let page = page(sections, &svgs, chapters);
    files.push(OutFile {
        name: PAGE.into(),
        bytes: render::html(&page)?.into_bytes(),
    });
    for file in files {
        let path = out.join(file.name);
        folder::write_file(&path, &file.bytes).map_err(|error| PublishError::Io { path, error })?;
    }
    Ok(())
}
