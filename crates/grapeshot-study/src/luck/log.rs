//! Logs of a game: a TOML list of entries, or lines as they are typed after `grapeshot luck`.

use super::ask::{Did, LuckQuestion};
use grapeshot_rules::{
    Entries, Given, LoadedRuleset, OddsError, Options, Problems, RuleError, TomlText,
};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// File and line, as an editor is told it.
    at: String,
    /// Its number, from 1.
    number: usize,
}

impl LogEntry {
    /// An error that names the entry.
    pub(super) fn blame(&self, error: OddsError) -> OddsError {
        match error {
            OddsError::Rule(error) => blamed(&self.at, self.number, &error).into(),
            other => other,
        }
    }
}

fn blamed(at: &str, number: usize, error: &RuleError) -> RuleError {
    RuleError::File {
        file: at.into(),
        problem: format!("entry {number}: {error}"),
    }
}

/// What an entry says, before its names are looked up.
#[derive(Debug, Default)]
struct Raw {
    /// File and line.
    at: String,
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
/// If it is malformed, or entries name something unknown: everything, with line and number of the entry.
pub fn read_log(
    file: &str,
    text: &str,
    options: Options,
    mut load: impl FnMut(&str) -> Result<Arc<LoadedRuleset>, RuleError>,
) -> Result<Log, RuleError> {
    let raw = match file.ends_with(".toml") {
        true => from_toml(file, text)?,
        false => from_lines(file, text)?,
    };
    let mut loaded: BTreeMap<String, Arc<LoadedRuleset>> = BTreeMap::new();
    let (mut entries, mut wrong) = (Vec::new(), Vec::new());
    for (number, raw) in (1..).zip(raw) {
        let at = raw.at.clone();
        let entry = || -> Result<LuckQuestion, RuleError> {
            let missing = |what: &str| RuleError::Other(format!("`{what}` is missing"));
            let rules = raw.rules.ok_or_else(|| missing("rules"))?;
            let procedure = raw.procedure.ok_or_else(|| missing("procedure"))?;
            if !loaded.contains_key(&rules) {
                loaded.insert(rules.clone(), load(&rules)?);
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
        match entry() {
            Ok(question) => entries.push(LogEntry {
                question,
                at,
                number,
            }),
            Err(error) => wrong.push(blamed(&at, number, &error)),
        }
    }
    RuleError::all(wrong)?;
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
    let problems = Problems::of(&TomlText::new(file, text));
    let mut top = problems.read()?;
    let rules: Option<String> = top.maybe("rules");
    let procedure: Option<String> = top.maybe("procedure");
    top.maybe::<String>("note");
    let entries = top.tables("entry").into_iter().map(|entry| {
        let raw = entry_of(entry);
        Raw {
            rules: raw.rules.or_else(|| rules.clone()),
            procedure: raw.procedure.or_else(|| procedure.clone()),
            ..raw
        }
    });
    let entries = entries.collect();
    top.finish();
    problems.or(entries)
}

fn entry_of(mut entry: Entries<'_>) -> Raw {
    let mut raw = Raw {
        at: entry.at(),
        rules: entry.maybe("rules"),
        procedure: entry.maybe("procedure"),
        given: entry.settings("settings"),
        ..Raw::default()
    };
    let got = entry.settings("got").into_iter();
    raw.got = got.map(|(k, v)| format!("{k}={v}")).collect();
    for did in entry.maybe::<Vec<String>>("did").unwrap_or_default() {
        raw.did.extend(entry.keep("did", Did::parse(&did)));
    }
    entry.maybe::<String>("note");
    entry.finish();
    raw
}

fn from_lines(file: &str, text: &str) -> Result<Vec<Raw>, RuleError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (number, (place, line)) in (1..).zip(lines) {
        let at = format!("{file}:{place}");
        match line_of(line) {
            Ok(raw) => found.push(Raw { at, ..raw }),
            Err(error) => wrong.push(blamed(&at, number, &error)),
        }
    }
    RuleError::all(wrong)?;
    Ok(found)
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
