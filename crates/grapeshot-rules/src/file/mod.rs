//! Rulesets read from files: TOML tables like those of the built-in ones, and rule code in a small script.
//!
//! A ruleset is a folder with a `ruleset.toml`, or that file alone. What it declares is read by
//! `declared`, with the line of everything that is wrong; its scripts run on `script`, within [`Limits`];
//! its procedures are `steps` like any others, so that every engine and every command takes them as
//! they are.

mod charts;
mod check;
mod common;
mod declared;
mod entry;
mod host;
mod limits;
mod place;
mod play;
mod rolls;
mod script;
mod settings;
mod steps;
mod trouble;
mod variables;

pub use super::registry::{FILE, file_of};
pub use check::{Checked, Fault, Looked, Weight, check};
pub use limits::Limits;

use crate::{
    CommonTranslator, Decision, Procedure, RuleError, Rulebook, Ruleset, TableFile, TomlText,
    read_text,
};
use charts::Charts;
use common::Translator;
use declared::Declared;
use entry::Entry;
use grapeshot_engine::dist::Name;
use place::Place;
use script::Language;
use std::path::Path;
use std::sync::Arc;

/// A small complete ruleset to start from, for a folder that is called so.
///
/// # Errors
/// If no name of a ruleset can be made of the folder's.
pub fn template(folder: &str) -> Result<String, String> {
    let last = Path::new(folder).file_name();
    let id: String = last
        .map_or(String::new(), |name| name.to_string_lossy().to_lowercase())
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let id = id.trim_matches('-');
    if id.is_empty() {
        return Err(format!(
            "no ruleset can be called like `{folder}`; allowed are letters, digits and dashes"
        ));
    }
    let text = include_str!("template/ruleset.toml");
    Ok(text.replace("FOLDER", folder).replace("NAME", id))
}

/// Reads a ruleset from its file.
///
/// # Errors
/// If the file cannot be read or does not say what a ruleset is called.
pub fn read(path: &Path, limits: Limits) -> Result<Ruleset, RuleError> {
    open(path, limits).map(|(ruleset, _)| ruleset)
}

/// The same with the file itself.
fn open(path: &Path, limits: Limits) -> Result<(Ruleset, Arc<Written>), RuleError> {
    let file = path.display().to_string();
    let text = read_text(path).map_err(|error| match error {
        RuleError::File { file, problem } => RuleError::File {
            file,
            problem: format!("{problem}; a ruleset is a folder with a {FILE}, or that file"),
        },
        other => other,
    })?;
    written(&file, text, limits)
}

/// A ruleset from the text of its file.
///
/// # Errors
/// If it is no TOML, or does not say what the ruleset is called.
pub fn ruleset(file: &str, text: String, limits: Limits) -> Result<Ruleset, RuleError> {
    written(file, text, limits).map(|(ruleset, _)| ruleset)
}

fn written(file: &str, text: String, limits: Limits) -> Result<(Ruleset, Arc<Written>), RuleError> {
    let tables = TableFile::parse(file, &text)?;
    let places = tables.texts()[0].clone();
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
        "sheet",
        "synonyms",
        "common",
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
    let (id, title, about) = (
        id.into(),
        head.needed("title")?.into(),
        head.needed("about")?.into(),
    );
    let book = Arc::new(Written {
        tables,
        places,
        limits,
    });
    let ruleset = Ruleset {
        id,
        title,
        about,
        readings: readings.into_iter().map(Name::from).collect(),
        book: Arc::clone(&book) as Arc<dyn Rulebook>,
    };
    Ok((ruleset, book))
}

/// A ruleset as it is written in a file.
#[derive(Debug)]
struct Written {
    /// What it says, as TOML.
    tables: TableFile,
    places: TomlText,
    limits: Limits,
}

/// Everything a file declares.
struct Whole {
    language: Arc<Language>,
    procedures: Vec<Arc<Declared>>,
    sides: Vec<String>,
}

impl Whole {
    /// The procedures in which nobody chooses.
    fn plain(&self) -> Vec<Procedure> {
        let plain = (self.procedures.iter()).filter(|declared| !declared.is_decision());
        plain
            .map(|declared| play::procedure(&self.language, Arc::clone(declared)))
            .collect()
    }

    /// The sides that can choose: the one that acts, and its enemy.
    fn two_sides(&self) -> [Name; 2] {
        let side = |at: usize, unnamed: &str| {
            let named = self.sides.get(at).map(String::as_str);
            Name::from(named.unwrap_or(unnamed))
        };
        [side(0, "own"), side(1, "enemy")]
    }
}

impl Written {
    fn root<'a>(&'a self, tables: &'a TableFile) -> Entry<'a> {
        Entry {
            table: tables.root(),
            path: String::new(),
            places: &self.places,
        }
    }

    /// Everything the tables, variants laid over them, declare.
    fn whole(&self, tables: &TableFile) -> Result<Whole, RuleError> {
        let (whole, wrong) = self.whole_of(tables, self.limits)?;
        wrong.into_iter().next().map_or(Ok(whole), Err)
    }

    /// The same, with what is wrong with single procedures.
    fn whole_of(
        &self,
        tables: &TableFile,
        limits: Limits,
    ) -> Result<(Whole, Vec<RuleError>), RuleError> {
        let root = self.root(tables);
        let charts = Arc::new(Charts::new(tables).map_err(|error| self.placed(error))?);
        let language = Language::new(&charts, &functions(&root)?, limits)?;
        let head = root.under("ruleset")?;
        let sides = head.map_or(Ok(None), |head| head.words("sides"))?;
        let sides = sides.unwrap_or_default();
        let settings = settings::settings(&root, &sides)?;
        let all = root
            .under("procedures")?
            .filter(|all| !all.table.is_empty())
            .ok_or_else(|| root.error("procedures", "is missing: what can be played?"))?;
        let (mut procedures, mut wrong) = (Vec::new(), Vec::new());
        for (name, entry) in all.entries()? {
            match declared::procedure(&entry, name, (&settings, &sides), &language) {
                Ok(declared) => procedures.push(Arc::new(declared)),
                Err(error) => wrong.push(error),
            }
        }
        let whole = Whole {
            language: Arc::new(language),
            procedures,
            sides,
        };
        Ok((whole, wrong))
    }

    /// An error about a key of this file, with its line; one about a variant stays as it is.
    fn placed(&self, error: RuleError) -> RuleError {
        let own = |file: &str| {
            let place = file.strip_prefix(self.tables.name());
            place.is_some_and(|place| place.is_empty() || place.starts_with(':'))
        };
        match error {
            RuleError::Table { file, key, problem } if own(&file) => {
                self.places.error(&key, problem)
            }
            other => other,
        }
    }
}

/// The texts of functions.
fn functions(root: &Entry<'_>) -> Result<Vec<Place>, RuleError> {
    let Some(all) = root.under("functions")? else {
        return Ok(Vec::new());
    };
    all.table.keys().map(|name| all.script(name)).collect()
}

impl Rulebook for Written {
    fn tables(&self) -> Result<TableFile, RuleError> {
        Ok(self.tables.clone())
    }

    fn written(&self) -> Option<String> {
        Some(self.places.text().to_owned())
    }

    fn as_file(&self) -> Option<&str> {
        Some(self.places.text())
    }

    fn as_command(&self) -> Option<&str> {
        let path = Path::new(self.tables.name());
        let folder = match path.file_name().is_some_and(|name| name == FILE) {
            true => path.parent()?,
            false => path,
        };
        Some(
            folder
                .to_str()
                .filter(|text| !text.is_empty())
                .unwrap_or("."),
        )
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        Ok(self.whole(tables)?.plain())
    }

    fn speaks_common(&self) -> bool {
        self.tables.section("common").is_some()
    }

    fn speaking(&self, tables: &TableFile) -> Result<CommonTranslator, RuleError> {
        let whole = self.whole(tables)?;
        let translator = Translator::read(&self.root(tables), &whole.procedures, &whole.language)?;
        Ok(CommonTranslator {
            procedures: whole.plain(),
            translation: Box::new(move |fight| translator.say(fight)),
        })
    }

    fn decisions(&self, tables: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        let whole = self.whole(tables)?;
        let sides = whole.two_sides();
        let chosen: Vec<Decision> = (whole.procedures.into_iter())
            .filter(|declared| declared.is_decision())
            .map(|declared| play::decision(&whole.language, declared, &sides))
            .collect();
        match chosen.is_empty() {
            true => Ok(Err("no procedure of it has choices".into())),
            false => Ok(Ok(chosen)),
        }
    }
}
