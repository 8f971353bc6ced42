//! Parts: what one shard found, in a folder of its own; and how the parts of all shards become one.
//!
//! A part holds counts and a manifest, put in place whole like any other folder, so that a shard that is
//! killed leaves nothing and one that is run again replaces what it left. The manifest says what was asked,
//! of which tables, by which program: parts are put together only if all of that is the same.

use super::folder::{self, MANIFEST, OutFile, sha256};
use crate::render::{Body, Cell, Document, Report, Table};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use grapeshot_rules::{LoadedRuleset, Options, Procedure, RuleError, Settings};
use grapeshot_study::run::Prepared;
use grapeshot_study::wording::grouped;
use grapeshot_study::{MOST_BYTES, Shard, ShardResult, put_together, read_results};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of the file with the counts.
const COUNTS: &str = "counts.json.gz";

/// What all shards of one piece of work have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct ShardedWork {
    /// The command without what differs between shards, and without how it is printed.
    pub words: Vec<String>,
    /// What is asked: everything the result depends on but the program.
    pub asked: Value,
}

/// What is asked by running these studies.
pub fn studies_asked(studies: &[Prepared]) -> Value {
    let mut each = serde_json::Map::new();
    for one in studies {
        let fingerprint = super::fingerprint(one);
        let mut its = json!({ "file": sha256(one.experiment().text.as_bytes()) });
        let manifest = super::manifest(one, &fingerprint);
        for (key, value) in manifest.as_object().into_iter().flatten() {
            if key != "version" && key != "fingerprint" {
                its[key] = value.clone();
            }
        }
        its["style"] = json!(sha256(format!("{:?}", one.style()).as_bytes()));
        its["fingerprint"] = json!(fingerprint);
        each.insert(one.experiment().id.clone(), its);
    }
    let order: Vec<&String> = each.keys().collect();
    json!({ "command": "run", "studies": order, "study": each })
}

/// What is asked by one question.
pub fn odds_asked(
    loaded: &LoadedRuleset,
    procedure: &Procedure,
    settings: &Settings,
    options: &Options,
) -> Value {
    json!({
        "command": "odds",
        "rules": loaded.id(),
        "procedure": procedure.name.to_string(),
        "settings": settings,
        "tables": sha256(loaded.tables.to_toml().as_bytes()),
        "method": format!("{:?}", options.method).to_lowercase(),
        "stop": format!("{:?}", options.stop),
        "seed": options.seed,
        "max-states": options.budget.states,
    })
}

/// The program, as far as results depend on it.
fn program() -> String {
    format!(
        "grapeshot {} ({})",
        env!("CARGO_PKG_VERSION"),
        env!("GRAPESHOT_SOURCES")
    )
}

/// The manifest of a part, but for the list of its files.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Manifest {
    part: String,
    program: String,
    words: Vec<String>,
    asked: Value,
    cells: usize,
    solved: usize,
    trials: u64,
    fingerprint: String,
}

fn fingerprint(order: &ShardedWork, shard: Shard) -> String {
    let all = json!([program(), shard.to_string(), order.words, order.asked]);
    sha256(all.to_string().as_bytes())
}

fn wrong(place: &Path, problem: impl Into<String>) -> RuleError {
    RuleError::File {
        file: place.display().to_string(),
        problem: problem.into(),
    }
}

/// Makes sure that a part may be put here: nothing else is there.
///
/// # Errors
/// If something else is.
pub fn check_place(place: &Path) -> Result<(), RuleError> {
    folder::check(place).map_err(|error| wrong(place, format!("cannot be written: {error}")))?;
    if folder::Manifest::read(place).is_some() && manifest(place).is_err() {
        let problem = "is there and is no part of a run: it would be replaced; name another --out";
        return Err(wrong(place, problem));
    }
    Ok(())
}

/// Whether the part of a shard is already here, whole. What a killed run left beside it goes.
///
/// # Errors
/// If that cannot be removed.
pub fn is_up_to_date(place: &Path, order: &ShardedWork, shard: Shard) -> io::Result<bool> {
    folder::settle(place)?;
    let is_this = folder::is_up_to_date(place, &fingerprint(order, shard));
    // What merging would refuse is not there.
    Ok(is_this && Part::open(place).and_then(|part| part.kept()).is_ok())
}

/// Writes down what a shard found.
///
/// # Errors
/// If it cannot be written; what was there is then still there.
pub fn write(
    place: &Path,
    order: &ShardedWork,
    shard: Shard,
    kept: &[ShardResult],
) -> io::Result<()> {
    let text = serde_json::to_vec(kept)?;
    if text.len() as u64 >= MOST_BYTES {
        let problem = format!(
            "the part would have {} bytes, and no more than {} are read again: take more shards",
            grouped(text.len() as u64),
            grouped(MOST_BYTES)
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&text)?;
    let counts = OutFile {
        name: COUNTS.into(),
        bytes: packed.finish()?,
    };
    let (cells, solved, trials) = summed(kept);
    let manifest = Manifest {
        part: shard.to_string(),
        program: program(),
        words: order.words.clone(),
        asked: order.asked.clone(),
        cells,
        solved,
        trials,
        fingerprint: fingerprint(order, shard),
    };
    folder::replace(place, &[counts], serde_json::to_value(manifest)?)
}

/// Cells, those that were solved, and trials.
fn summed(kept: &[ShardResult]) -> (usize, usize, u64) {
    let solved = kept.iter().filter(|one| one.found.exact.is_some());
    let trials = kept.iter().map(|one| one.found.trials());
    let trials = trials.fold(0u64, u64::saturating_add);
    (kept.len(), solved.count(), trials)
}

fn manifest(place: &Path) -> Result<Manifest, RuleError> {
    let text = folder::manifest_bytes(place).map_err(|error| {
        wrong(
            place,
            format!("is no part of a run: its {MANIFEST} cannot be read: {error}"),
        )
    })?;
    serde_json::from_slice(&text)
        .map_err(|error| wrong(place, format!("is no part of a run: {MANIFEST}: {error}")))
}

/// A part whose manifest has been read.
struct Part {
    place: PathBuf,
    shard: Shard,
    manifest: Manifest,
}

impl Part {
    fn open(place: &Path) -> Result<Self, RuleError> {
        let manifest = manifest(place)?;
        let shard = manifest
            .part
            .parse()
            .map_err(|_| wrong(place, format!("`{}` is no shard", manifest.part)))?;
        Ok(Part {
            place: place.to_owned(),
            shard,
            manifest,
        })
    }

    /// Whether it belongs with another: the same program was asked the same.
    fn belongs_with(&self, first: &Part) -> Result<(), RuleError> {
        let (mine, other) = (&self.manifest, first.place.display());
        if mine.program != program() {
            let problem = format!(
                "was made by another program: {}, and this is {}",
                mine.program,
                program()
            );
            return Err(wrong(&self.place, problem));
        }
        if let Some(difference) = difference("", &first.manifest.asked, &mine.asked) {
            let problem = format!("does not belong with {other}: {difference}");
            return Err(wrong(&self.place, problem));
        }
        if self.shard.of() != first.shard.of() {
            let problem = format!(
                "does not belong with {other}: it is shard {}, and that is {}",
                self.shard, first.shard
            );
            return Err(wrong(&self.place, problem));
        }
        Ok(())
    }

    /// What the shard found.
    fn kept(&self) -> Result<Vec<ShardResult>, RuleError> {
        let damaged = |what: String| {
            let problem = format!(
                "{COUNTS} is not what was written ({what}): run shard {} again",
                self.shard
            );
            wrong(&self.place, problem)
        };
        // The checksum finds an accident; what somebody wrote on purpose has the right one, and is looked at below.
        let files = folder::Manifest::read(&self.place).map(|manifest| manifest.files);
        let files: Vec<String> = files.unwrap_or_default().into_keys().collect();
        if files != [COUNTS] {
            return Err(damaged(format!(
                "{MANIFEST} lists other files than {COUNTS}"
            )));
        }
        let order = ShardedWork {
            words: self.manifest.words.clone(),
            asked: self.manifest.asked.clone(),
        };
        if !folder::is_up_to_date(&self.place, &fingerprint(&order, self.shard)) {
            return Err(damaged("its checksum is another".into()));
        }
        let packed = std::fs::File::open(self.place.join(COUNTS));
        let packed = packed.map_err(|error| damaged(error.to_string()))?;
        let kept = read_results(GzDecoder::new(io::BufReader::new(packed)));
        let kept = kept.map_err(|error| damaged(error.to_string()))?;
        let said = (
            self.manifest.cells,
            self.manifest.solved,
            self.manifest.trials,
        );
        match said == summed(&kept) {
            true => Ok(kept),
            false => Err(damaged(format!("{MANIFEST} says other numbers of it"))),
        }
    }
}

/// The first difference between what was asked there and here, in words.
pub fn difference(key: &str, there: &Value, here: &Value) -> Option<String> {
    if there == here {
        return None;
    }
    let below = |inner: &str| match key {
        "" => inner.to_owned(),
        _ => format!("{key}.{inner}"),
    };
    if let (Value::Object(theirs), Value::Object(mine)) = (there, here) {
        let known = theirs.keys().chain(mine.keys());
        let value = |map: &serde_json::Map<String, Value>, key: &String| {
            map.get(key).cloned().unwrap_or_default()
        };
        return known.into_iter().find_map(|inner| {
            difference(&below(inner), &value(theirs, inner), &value(mine, inner))
        });
    }
    let (here, there) = (brief(here), brief(there));
    Some(format!("`{key}` is {here} here and {there} there"))
}

/// A value in a message: of a checksum, its beginning.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    let is_checksum = |text: &str| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
    let mut text = text.replace(',', ", ");
    for word in text.clone().split('"').filter(|word| is_checksum(word)) {
        text = text.replace(word, &format!("{}…", &word[..12]));
    }
    text
}

/// The parts of all shards, put together.
#[derive(Debug)]
pub struct Gathered {
    /// What was asked.
    pub order: ShardedWork,
    /// What was found, cell by cell.
    pub kept: Vec<ShardResult>,
}

impl Gathered {
    /// Whether the same is asked again, now that the question is read anew.
    ///
    /// # Errors
    /// Names what has changed since.
    pub fn check(&self, asked: &Value) -> Result<(), RuleError> {
        match difference("", &self.order.asked, asked) {
            None => Ok(()),
            Some(difference) => Err(RuleError::Other(format!(
                "what was asked has changed since the shards were played: {difference}"
            ))),
        }
    }
}

/// Missing shards that are named one by one.
const NAMED: usize = 12;

/// Puts parts together.
///
/// # Errors
/// Names the part that is none, is damaged, was made by another program, asks something else or is there
/// twice; and the shards that are missing.
pub fn gather(places: &[PathBuf]) -> Result<Gathered, RuleError> {
    let parts: Result<Vec<Part>, RuleError> =
        places.iter().map(|place| Part::open(place)).collect();
    let mut parts = parts?;
    let Some(first) = parts.first() else {
        return Err(RuleError::Other("no part is given".into()));
    };
    parts.iter().try_for_each(|part| part.belongs_with(first))?;
    let of = first.shard.of();
    let order = ShardedWork {
        words: first.manifest.words.clone(),
        asked: first.manifest.asked.clone(),
    };
    parts.sort_by_key(|part| part.shard);
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].shard == pair[1].shard) {
        let (shard, other) = (pair[0].shard, pair[0].place.display());
        let problem = format!("is shard {shard} a second time: it is in {other} already");
        return Err(wrong(&pair[1].place, problem));
    }
    let there: Vec<u64> = parts.iter().map(|part| part.shard.number()).collect();
    let missing = (1..=of).filter(|number| there.binary_search(number).is_err());
    let missing: Vec<String> = missing.map(|number| number.to_string()).collect();
    if !missing.is_empty() {
        let (one, is) = match missing.len() {
            1 => ("shard", "is"),
            _ => ("shards", "are"),
        };
        let mut named = missing[..missing.len().min(NAMED)].join(", ");
        if missing.len() > NAMED {
            named += &format!(" and {} more", missing.len() - NAMED);
        }
        let problem = format!("{one} {named} of {of} {is} missing");
        return Err(RuleError::Other(problem));
    }
    let mut kept = Vec::new();
    for part in &parts {
        kept.extend(part.kept()?);
        kept = put_together(kept)
            .ok_or_else(|| wrong(&part.place, "holds counts that do not go with the others"))?;
    }
    Ok(Gathered { order, kept })
}

/// What became of a shard.
#[derive(Debug, Serialize)]
pub struct PartReport {
    shard: String,
    folder: String,
    published: &'static str,
    cells: usize,
    solved: usize,
    trials: u64,
}

impl PartReport {
    /// Of the part that is here now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(place: &Path, was_there: bool) -> Result<Self, RuleError> {
        let manifest = manifest(place)?;
        Ok(PartReport {
            shard: manifest.part,
            folder: place.display().to_string(),
            published: match was_there {
                true => "up to date",
                false => "written",
            },
            cells: manifest.cells,
            solved: manifest.solved,
            trials: manifest.trials,
        })
    }
}

impl Report for PartReport {
    fn document(&self) -> Document {
        let mut document = Document::new(format!("Shard {}", self.shard));
        let did = match (self.cells, self.solved, self.trials) {
            (0, ..) => "nothing: there are fewer pieces of work than shards".into(),
            (cells, solved, trials) => format!(
                "{}: {solved} solved, {} trials played",
                crate::render::number::counted(cells, "cell"),
                grouped(trials)
            ),
        };
        let term = format!("{}: {}", self.folder, self.published);
        document.block("", Body::Terms(vec![(term, vec![did])]));
        let mut table = Table::named(["shard", "folder", "published", "cells", "solved", "trials"]);
        let counts = [self.cells as u64, self.solved as u64, self.trials];
        let words = [&self.shard, &self.folder, self.published].map(Cell::text);
        table.row(
            words
                .into_iter()
                .chain(counts.map(|n| Cell::count(n as i64))),
        );
        document.data("part", table);
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_with_both_sides() {
        let hash = "0123456789abcdef".repeat(4);
        let one = json!({"command": "run", "s": {"trials": 5, "tables": [hash]}});
        let mut other = one.clone();
        assert_eq!(difference("", &one, &other), None);
        other["s"]["trials"] = json!(6);
        let said = difference("", &one, &other).unwrap();
        assert_eq!(said, "`s.trials` is 6 here and 5 there");
        other = one.clone();
        other["s"]["tables"] = json!([]);
        let said = difference("", &one, &other).unwrap();
        assert_eq!(said, "`s.tables` is [] here and [\"0123456789ab…\"] there");
    }
}
