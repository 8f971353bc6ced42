//! Logs of a game: a TOML list of entries, or lines as they are typed after `grapeshot luck`.

use super::ask::{Did, LuckQuestion};
use grapeshot_rules::flatten;
use grapeshot_rules::{Given, LoadedRuleset, OddsError, Options, RuleError, parse_toml};
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Value;

/// A game as it was logged.
#[derive(Debug, Clone)]
pub struct Log {
    /// What happened, in order.
    pub(crate) entries: Vec<LogEntry>,
}

/// One entry of a log.
#[derive(Debug, Clone)]
pub(crate) struct LogEntry {
    /// The question, with what came of it.
    pub(crate) question: LuckQuestion,
    /// The file it stands in.
    file: String,
    /// Its number, from 1.
    number: usize,
}

impl LogEntry {
    /// An error that names the entry.
    pub(super) fn blame(&self, error: OddsError) -> OddsError {
        match error {
            OddsError::Rule(error) => blamed(&self.file, self.number, &error).into(),
            other => other,
        }
    }
}

fn blamed(file: &str, number: usize, error: &RuleError) -> RuleError {
    RuleError::File {
        file: file.into(),
        problem: format!("entry {number}: {error}"),
    }
}

/// What an entry says, before its names are looked up.
#[derive(Debug, Default)]
struct Raw {
    rules: Option<String>,
    procedure: Option<String>,
    given: Given,
    got: Vec<String>,
    did: Vec<Did>,
}

/// Reads a log; `load` makes a ruleset ready. A file that ends in `.toml` is a list of `[[entry]]` tables,
/// any other has a line for each entry.
///
/// # Errors
/// If it is malformed, or an entry names something unknown; with the number of the entry.
pub fn read_log(
    file: &str,
    text: &str,
    options: Options,
    mut load: impl FnMut(&str) -> Result<LoadedRuleset, RuleError>,
) -> Result<Log, RuleError> {
    let raw = match file.ends_with(".toml") {
        true => from_toml(file, text)?,
        false => from_lines(file, text)?,
    };
    let mut loaded: BTreeMap<String, Arc<LoadedRuleset>> = BTreeMap::new();
    let mut entries = Vec::new();
    for (number, raw) in (1..).zip(raw) {
        let entry = || -> Result<LuckQuestion, RuleError> {
            let missing = |what: &str| RuleError::Other(format!("`{what}` is missing"));
            let rules = raw.rules.ok_or_else(|| missing("rules"))?;
            let procedure = raw.procedure.ok_or_else(|| missing("procedure"))?;
            if !loaded.contains_key(&rules) {
                loaded.insert(rules.clone(), Arc::new(load(&rules)?));
            }
            Ok(LuckQuestion {
                loaded: Arc::clone(&loaded[&rules]),
                procedure,
                given: raw.given,
                got: raw.got,
                did: raw.did,
                worse: None,
                options,
            })
        };
        entries.push(LogEntry {
            question: entry().map_err(|error| blamed(file, number, &error))?,
            file: file.into(),
            number,
        });
    }
    if entries.is_empty() {
        return Err(RuleError::File {
            file: file.into(),
            problem:
                "has no entries: a log has an [[entry]] or a line for each thing that happened"
                    .into(),
        });
    }
    Ok(Log { entries })
}

fn from_toml(file: &str, text: &str) -> Result<Vec<Raw>, RuleError> {
    let problem = |problem: String| RuleError::File {
        file: file.into(),
        problem,
    };
    let mut table = parse_toml(file, text)?;
    let entries = match table.remove("entry") {
        Some(Value::Array(entries)) => entries,
        Some(other) => {
            return Err(problem(format!(
                "`entry` must be a list of [[entry]] tables, not `{other}`"
            )));
        }
        None => Vec::new(),
    };
    let mut common = BTreeMap::new();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("rules" | "procedure", Value::String(name)) => {
                common.insert(key, name);
            }
            ("note", Value::String(_)) => {}
            _ => {
                return Err(problem(format!(
                    "`{key}` is unknown; a log has rules, procedure, note and [[entry]]"
                )));
            }
        }
    }
    let mut found = Vec::new();
    for (number, entry) in (1..).zip(entries) {
        let mut raw = entry_of(entry).map_err(|error| blamed(file, number, &error))?;
        raw.rules = raw.rules.or_else(|| common.get("rules").cloned());
        raw.procedure = raw.procedure.or_else(|| common.get("procedure").cloned());
        found.push(raw);
    }
    Ok(found)
}

fn entry_of(entry: Value) -> Result<Raw, RuleError> {
    let Value::Table(table) = entry else {
        return Err(RuleError::Other(format!("must be a table, not `{entry}`")));
    };
    let mut raw = Raw::default();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("rules", Value::String(name)) => raw.rules = Some(name),
            ("procedure", Value::String(name)) => raw.procedure = Some(name),
            ("note", Value::String(_)) => {}
            ("settings", Value::Table(settings)) => {
                flatten("", &settings, &mut raw.given).map_err(|key| {
                    RuleError::Other(format!("`settings.{key}` must be a single value"))
                })?;
            }
            ("got", Value::Table(got)) => {
                let mut pairs = Vec::new();
                flatten("", &got, &mut pairs).map_err(|key| {
                    RuleError::Other(format!("`got.{key}` must be a single value"))
                })?;
                raw.got = pairs.into_iter().map(|(k, v)| format!("{k}={v}")).collect();
            }
            ("did", Value::Array(all)) => {
                for one in all {
                    let Value::String(text) = one else {
                        return Err(RuleError::Other(format!(
                            "`did` is a list of texts, not of `{one}`"
                        )));
                    };
                    raw.did.push(Did::parse(&text)?);
                }
            }
            (_, value) => {
                return Err(RuleError::Other(format!(
                    "`{key} = {value}` is not understood; an entry has rules, procedure, note, [entry.settings], [entry.got] and a list `did`"
                )));
            }
        }
    }
    Ok(raw)
}

fn from_lines(file: &str, text: &str) -> Result<Vec<Raw>, RuleError> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    (1..)
        .zip(lines)
        .map(|(number, line)| line_of(line).map_err(|error| blamed(file, number, &error)))
        .collect()
}

/// `[grapeshot] [luck] RULES PROCEDURE KEY=VALUE … --got VARIABLE=VALUE … --did "ACTION …"`.
fn line_of(line: &str) -> Result<Raw, RuleError> {
    let mut raw = Raw::default();
    let mut words = words(line)?.into_iter().peekable();
    words.next_if(|word| word == "grapeshot");
    words.next_if(|word| word == "luck");
    while let Some(word) = words.next() {
        let (option, inline) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => {
                (option.to_owned(), Some(value.to_owned()))
            }
            _ => (word.clone(), None),
        };
        let mut value = || {
            let next = inline.clone().or_else(|| words.next());
            next.ok_or_else(|| RuleError::Other(format!("{option} says nothing")))
        };
        match option.as_str() {
            "--got" => raw.got.push(value()?),
            "--did" => raw.did.push(Did::parse(&value()?)?),
            other if other.starts_with("--") => {
                return Err(RuleError::Other(format!(
                    "{other} is unknown in a log; allowed are --got and --did"
                )));
            }
            _ => match word.split_once('=') {
                Some((key, value)) => raw.given.push((key.into(), value.into())),
                None if raw.rules.is_none() => raw.rules = Some(word),
                None if raw.procedure.is_none() => raw.procedure = Some(word),
                None => {
                    return Err(RuleError::Other(format!(
                        "`{word}` is neither rules nor procedure: settings are written key=value"
                    )));
                }
            },
        }
    }
    Ok(raw)
}

/// Words of a line; quotes keep spaces together.
fn words(line: &str) -> Result<Vec<String>, RuleError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(RuleError::Other("a quote is not closed".into()));
    }
    words.extend(word);
    Ok(words)
}
