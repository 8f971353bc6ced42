//! Rulesets read from files: TOML tables like those of the built-in ones, and rule code in a small script.
//!
//! A ruleset is a folder with a `ruleset.toml`, or that file alone. What it declares is read by
//! [`written`], with the line of everything that is wrong; its scripts run on [`script`]; its procedures
//! are [`steps`] like any others, so that every engine and every command takes them as they are.

mod charts;
mod places;
mod rolls;
mod script;
mod steps;
mod written;

use crate::dist::{Favour, Name};
use crate::rules::{
    Decision, FixedPlan, Outline, Procedure, RuleError, Rulebook, Ruleset, TableFile,
};
use charts::Charts;
use places::Places;
use script::Language;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use steps::{WrittenPlay, WrittenSteps};
use written::{Declared, Entry};

/// The name of the file in a ruleset's folder.
pub const FILE: &str = "ruleset.toml";

/// A small complete ruleset to start from; `NAME` stands for its name.
pub const TEMPLATE: &str = include_str!("template/ruleset.toml");

/// The file of a ruleset that is given by a path: the file itself, or the one in that folder. Nothing if
/// it is a name and no path.
pub fn file_of(given: &str) -> Option<PathBuf> {
    let path = Path::new(given);
    let spelled_as_path = given.contains(['/', '\\']) || given.ends_with(".toml") || given == ".";
    if path.is_dir() && (spelled_as_path || path.join(FILE).is_file()) {
        return Some(path.join(FILE));
    }
    (spelled_as_path || path.is_file()).then(|| path.to_owned())
}

/// Reads a ruleset from its file.
///
/// # Errors
/// If the file cannot be read or does not say what a ruleset is called.
pub fn read(path: &Path) -> Result<Ruleset, RuleError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| RuleError::File {
        file: file.clone(),
        problem: format!(
            "cannot be read: {error}; a ruleset is a folder with a {FILE}, or that file"
        ),
    })?;
    ruleset(&file, text)
}

/// A ruleset from the text of its file.
///
/// # Errors
/// If it is no TOML, or does not say what the ruleset is called.
pub fn ruleset(file: &str, text: String) -> Result<Ruleset, RuleError> {
    let tables = TableFile::parse(file, &text)?;
    let places = Arc::new(Places::new(file, &text));
    let root = Entry {
        table: tables.root(),
        path: String::new(),
        places: &places,
    };
    root.only(&[
        "ruleset",
        "settings",
        "tables",
        "lists",
        "assumptions",
        "contradictions",
        "gaps",
        "functions",
        "procedures",
        "expect",
        "points",
        "audit",
        "fight",
        "synonyms",
    ])?;
    let head = root
        .under("ruleset")?
        .ok_or_else(|| root.error("ruleset", "is missing: [ruleset] with id, title and about"))?;
    head.only(&["id", "title", "about", "sides", "readings"])?;
    let id = head.needed("id")?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || !id.chars().all(plain) {
        let problem = format!("is `{id}`; allowed are small letters, digits and dashes");
        return Err(head.error("id", problem));
    }
    let readings = head.words("readings")?.unwrap_or_default();
    Ok(Ruleset {
        id: id.into(),
        title: head.needed("title")?.into(),
        about: head.needed("about")?.into(),
        readings: readings.into_iter().map(Name::from).collect(),
        book: Arc::new(Written {
            file: file.into(),
            text,
            places,
        }),
    })
}

/// A ruleset as it is written in a file.
#[derive(Debug)]
struct Written {
    file: String,
    text: String,
    places: Arc<Places>,
}

impl Written {
    /// Everything the tables, variants laid over them, declare.
    fn declared(
        &self,
        tables: &TableFile,
    ) -> Result<(Arc<Language>, Vec<Arc<Declared>>, Vec<Name>), RuleError> {
        let root = Entry {
            table: tables.root(),
            path: String::new(),
            places: &self.places,
        };
        let charts = Arc::new(Charts::new(tables)?);
        let functions = functions(&root)?;
        let language =
            Language::new(&charts, &functions.text).map_err(|trouble| functions.error(&trouble))?;
        let language = Arc::new(language);
        let head = root.under("ruleset")?;
        let sides = head
            .map_or(Ok(None), |head| head.words("sides"))?
            .unwrap_or_default();
        let settings = written::settings(&root, &sides)?;
        let procedures = root
            .under("procedures")?
            .ok_or_else(|| root.error("procedures", "is missing: what can be played?"))?;
        let mut declared = Vec::new();
        for (name, entry) in procedures.entries()? {
            declared.push(Arc::new(written::procedure(
                &entry, name, &settings, &sides,
            )?));
        }
        Ok((
            language,
            declared,
            sides.into_iter().map(Name::from).collect(),
        ))
    }
}

/// All functions as one piece of script.
fn functions(root: &Entry<'_>) -> Result<places::Place, RuleError> {
    let mut text = String::new();
    let mut only = None;
    if let Some(all) = root.under("functions")? {
        for name in all.table.keys() {
            text += all.text(name)?.unwrap_or_default();
            text.push('\n');
            only = Some(name.clone());
        }
        if all.table.len() > 1 {
            only = None;
        }
    }
    let key = only.map_or("functions".to_owned(), |name| format!("functions.{name}"));
    Ok(places::Place::new(root.places, key, &text))
}

impl Rulebook for Written {
    fn tables(&self) -> Result<TableFile, RuleError> {
        TableFile::parse(&self.file, &self.text)
    }

    fn written(&self) -> Option<&str> {
        Some(&self.text)
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        let (language, declared, _) = self.declared(tables)?;
        let plain = declared
            .into_iter()
            .filter(|declared| !declared.is_decision());
        Ok(plain
            .map(|declared| procedure(&language, declared))
            .collect())
    }

    fn decisions(&self, tables: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        let (language, declared, sides) = self.declared(tables)?;
        let chosen: Vec<Decision> = declared
            .into_iter()
            .filter(|declared| declared.is_decision())
            .map(|declared| decision(&language, declared, &sides))
            .collect();
        if chosen.is_empty() {
            return Ok(Err("no procedure of it has [choices]".into()));
        }
        Ok(Ok(chosen))
    }
}

fn procedure(language: &Arc<Language>, declared: Arc<Declared>) -> Procedure {
    let language = Arc::clone(language);
    Procedure {
        name: declared.name.clone(),
        about: declared.about.clone(),
        source: declared.source.clone(),
        composed: declared.composed,
        settings: declared.settings.clone(),
        variables: declared.variables.clone(),
        notes: declared.notes.clone(),
        build: Box::new(move |settings| {
            let steps = WrittenSteps::new(&declared, &language, settings)?;
            Ok(Box::new(WrittenPlay(steps)))
        }),
    }
}

/// A procedure in which somebody chooses. What its ends are worth follows from whom their labels favour.
fn decision(language: &Arc<Language>, declared: Arc<Declared>, sides: &[Name]) -> Decision {
    let language = Arc::clone(language);
    let sides = [sides[0].clone(), sides.get(1).unwrap_or(&sides[0]).clone()];
    let outline = Outline {
        name: declared.name.clone(),
        about: declared.about.clone(),
        source: declared.source.clone(),
        settings: declared.settings.clone(),
        variables: declared.variables.clone(),
        notes: declared.notes.clone(),
    };
    Decision::of(
        outline,
        Arc::new(move |settings| {
            Ok(Box::new(steps::WrittenDecision {
                steps: WrittenSteps::new(&declared, &language, settings)?,
                sides: sides.clone(),
            }))
        }),
    )
}

/// What an end is worth to the side that acts.
fn worth(favour: Option<Favour>) -> f64 {
    match favour {
        Some(Favour::Success) => 1.0,
        Some(Favour::Failure) => -1.0,
        Some(Favour::Undecided) | None => 0.0,
    }
}

/// The fixed plans of a procedure with these actions: one of them always, where it is offered.
fn plans(actions: &[Name]) -> Vec<FixedPlan> {
    (0u16..)
        .zip(actions)
        .map(|(number, action)| {
            FixedPlan::new(format!("always {action}"), move |_, offered| {
                offered.contains(&number).then_some(number)
            })
        })
        .collect()
}
