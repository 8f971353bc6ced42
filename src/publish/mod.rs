//! Running experiments into folders, and the page that shows them all.

mod chapters;
pub mod file;
pub mod folder;
mod headlines;
mod listing;
pub mod made;
mod page;
pub mod part;
mod section;

pub use chapters::{AuditChapter, ChapterError, Chapters, chapters};
pub use listing::Listing;
pub use page::contents_files;
pub use section::{PAGE, SECTION, SHORT_PAGE, Section, SectionError, section_files};

use crate::render;
use file::{WriteError, at};
use folder::{MANIFEST, OutFile};
use grapeshot_charts::{ChartError, Style};
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
    #[error(transparent)]
    Write(#[from] WriteError),
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
/// If a folder is somebody else's, before anything is done; else the first that fails, and those already finished are
/// kept.
pub fn publish(
    prepared: &[Prepared],
    by: ResultSource<'_>,
    out: &Path,
    force: bool,
    watch: &Watch,
    done: &(dyn Fn(&str, Published, Duration) + Sync),
) -> Result<Vec<Published>, PublishError> {
    let mut places = Vec::new();
    for (at, one) in prepared.iter().enumerate() {
        places.push((at, Place::new(one, out, force)?));
    }
    parallel::try_map(&places, |(at, place)| {
        let started = Instant::now();
        let one = &prepared[*at];
        let results = || by.results(*at, one, watch);
        let published = publish_one(one, results, place, watch)?;
        done(&one.experiment().id, published, started.elapsed());
        Ok(published)
    })
}

/// Where an experiment goes, and whether it is there already.
struct Place {
    folder: PathBuf,
    fingerprint: String,
    is_there: bool,
    force: bool,
}

impl Place {
    /// Before anything is worked out: a folder that would have to be replaced is one that a run made.
    fn new(prepared: &Prepared, out: &Path, force: bool) -> Result<Self, WriteError> {
        let folder = out.join(&prepared.experiment().id);
        let fingerprint = fingerprint(prepared);
        let is_there = !force && folder::is_up_to_date(&folder, &fingerprint);
        if !is_there {
            folder::check(&folder).map_err(at(&folder))?;
        }
        Ok(Place {
            folder,
            fingerprint,
            is_there,
            force,
        })
    }
}

fn publish_one(
    prepared: &Prepared,
    results: impl FnOnce() -> Result<Option<Results>, OddsError>,
    place: &Place,
    watch: &Watch,
) -> Result<Published, PublishError> {
    let id = prepared.experiment().id.clone();
    folder::settle(&place.folder).map_err(at(&place.folder))?;
    // What a killed run left aside may have been just this.
    let is_back = || folder::is_up_to_date(&place.folder, &place.fingerprint);
    if place.is_there || (!place.force && is_back()) {
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
    let manifest = manifest(prepared, &place.fingerprint);
    folder::replace(&place.folder, &files, manifest).map_err(at(&place.folder))?;
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
        let failed = at(&path);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error).into()),
        };
        found.push(serde_json::from_str(&text).map_err(|error| failed(error.into()))?);
    }
    Ok(found)
}

/// Writes `index.html`, which is what it opens with, the comparison, these sections and the audit; and `README.md`, the
/// contents, with its pictures; both in a style.
///
/// # Errors
/// If a chart cannot be drawn, or a page not written.
pub fn write_pages(
    out: &Path,
    sections: &[Section],
    chapters: Chapters,
    style: &Style,
) -> Result<(), PublishError> {
    let mut files = contents_files(sections, &chapters, style)?;
    let mut page = page(sections, chapters);
    page.restyle(style);
    files.push(OutFile {
        name: PAGE.into(),
        bytes: render::html(&page)?.into_bytes(),
    });
    // What is committed or copied of a report may leave the manifests out: the list knows its folders, too.
    let studies = sections.iter().filter_map(|section| {
        let manifest = folder::Manifest::read(&out.join(&section.id))?;
        let files = manifest.files.into_keys().chain([MANIFEST.into()]);
        Some(files.map(|name| format!("{}/{name}", section.id)))
    });
    made::check(out, files.iter().map(|file| file.name.as_str()))?;
    made::list(out, studies.flatten())?;
    Ok(made::write(out, &files)?)
}

/// Makes sure, before any work, that the pages of a report are not somebody else's.
///
/// # Errors
/// Names the one that is.
pub fn check_pages(out: &Path) -> Result<(), WriteError> {
    made::check(out, [PAGE, SHORT_PAGE])
}
