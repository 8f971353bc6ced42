//! Scenario and variant files, and `key=value` words.

use crate::rules::{Given, RuleError, Variant};
use crate::study::flatten;
use std::path::{Path, PathBuf};

/// A question as it was put, by words and file together.
#[derive(Debug, Default, PartialEq)]
pub struct Question {
    /// The ruleset.
    pub rules: Option<String>,
    /// The procedure.
    pub procedure: Option<String>,
    /// File settings first, so that words win.
    pub given: Given,
}

/// Reads words and an optional file.
pub fn question(words: &[String], file: Option<&Path>) -> Result<Question, RuleError> {
    let mut question = match file {
        Some(path) => scenario(path)?,
        None => Question::default(),
    };
    let mut names = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((key, value)) => question
                .given
                .push((key.trim().into(), value.trim().into())),
            None => names.push(word.clone()),
        }
    }
    let mut names = names.into_iter();
    for (place, what) in [
        (&mut question.rules, "rules"),
        (&mut question.procedure, "procedure"),
    ] {
        let Some(name) = names.next() else { break };
        match place {
            Some(in_file) if *in_file != name => {
                return Err(RuleError::Other(format!(
                    "{what} `{name}` was typed, but the scenario file says `{in_file}`"
                )));
            }
            _ => *place = Some(name),
        }
    }
    match names.next() {
        Some(extra) => Err(RuleError::Other(format!(
            "`{extra}` is neither rules nor procedure: settings are written key=value"
        ))),
        None => Ok(question),
    }
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, RuleError> {
    std::fs::read_to_string(path).map_err(|error| RuleError::File {
        file: path.display().to_string(),
        problem: format!("cannot be read: {error}"),
    })
}

/// Reads variant files.
pub fn variants(paths: &[PathBuf]) -> Result<Vec<Variant>, RuleError> {
    paths
        .iter()
        .map(|path| Variant::parse(&path.display().to_string(), &read(path)?))
        .collect()
}

fn scenario(path: &Path) -> Result<Question, RuleError> {
    let file = path.display().to_string();
    let text = read(path)?;
    let table: toml::Table = text.parse().map_err(|error| RuleError::File {
        file: file.clone(),
        problem: format!("not valid TOML: {error}"),
    })?;
    let problem = |key: &str, problem: String| RuleError::Table {
        file: file.clone(),
        key: key.into(),
        problem,
    };
    let mut question = Question::default();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("rules", toml::Value::String(name)) => question.rules = Some(name),
            ("procedure", toml::Value::String(name)) => question.procedure = Some(name),
            ("settings", toml::Value::Table(settings)) => {
                flatten("", &settings, &mut question.given)
                    .map_err(|key| problem(&key, "must be a single value".into()))?;
            }
            ("rules" | "procedure", other) => {
                return Err(problem(&key, format!("must be text, not `{other}`")));
            }
            ("settings", other) => {
                return Err(problem(
                    &key,
                    format!("must be a table of settings, not `{other}`"),
                ));
            }
            _ => {
                return Err(problem(
                    &key,
                    "is unknown; a scenario has rules, procedure and [settings]".into(),
                ));
            }
        }
    }
    Ok(question)
}
