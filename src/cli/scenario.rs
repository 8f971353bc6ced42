//! Scenario, fight and variant files, and `key=value` words.

use clap::Args;
use grapeshot_rules::fight::{FightFile, RawSettings, Side};
use grapeshot_rules::{Labels, RuleError, Variant, flatten, parse_toml, read_text};
use std::path::{Path, PathBuf};

/// A file beside the words, for every command that takes words.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// A fight to ask about (grapeshot rules RULES --fight prints one), or a scenario: `rules`,
    /// `procedure` and a [settings] table; KEY=VALUE beats it
    #[arg(long, value_name = "FIGHT.toml")]
    pub file: Option<PathBuf>,
    /// The side that a procedure about one unit is asked of [default: attacker]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    pub unit: Option<Side>,
}

fn side(text: &str) -> Result<Side, String> {
    Side::from_label(text).ok_or_else(|| format!("allowed is {}", Side::LABELS.join(" or ")))
}

/// A question as it was put, by words and file together.
#[derive(Debug, Default)]
pub struct Question {
    /// The ruleset.
    pub rules: Option<String>,
    /// The procedure.
    pub procedure: Option<String>,
    /// What was said of it; file settings first, so that words win.
    pub said: RawSettings,
}

/// Reads words and an optional file.
pub fn question(words: &[String], from: &FileArgs) -> Result<Question, RuleError> {
    let mut question = match &from.file {
        Some(path) => file(path)?,
        None => Question::default(),
    };
    question.said.unit = from.unit;
    let mut names = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((key, value)) => question
                .said
                .words
                .push((key.trim().into(), value.trim().into())),
            None => names.push(word.clone()),
        }
    }
    // A file that names its rules leaves only the procedure to be typed.
    let only_procedure = matches!((&question.rules, &names[..]),
        (Some(_), [name]) if grapeshot_rules::find(name).is_err());
    if let (true, Some(rules)) = (only_procedure, &question.rules) {
        names.insert(0, rules.clone());
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
                    "{what} `{name}` was typed, but the file says `{in_file}`"
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

/// A path as it is typed again.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Reads variant files.
pub fn variants(paths: &[PathBuf]) -> Result<Vec<Variant>, RuleError> {
    paths
        .iter()
        .map(|path| Variant::parse(&path.display().to_string(), &read_text(path)?))
        .collect()
}

/// A file with a procedure or settings is a scenario, in the words of that procedure; any other is a
/// fight.
fn file(path: &Path) -> Result<Question, RuleError> {
    let file = path.display().to_string();
    let table = parse_toml(&file, &read_text(path)?)?;
    if table.contains_key("procedure") || table.contains_key("settings") {
        return scenario(&file, table);
    }
    let fight = FightFile::read(&file, table)?;
    Ok(Question {
        rules: fight.rules.clone(),
        procedure: None,
        said: RawSettings {
            fight: Some(fight),
            ..RawSettings::default()
        },
    })
}

fn scenario(file: &str, table: toml::Table) -> Result<Question, RuleError> {
    let problem = |key: &str, problem: String| RuleError::Table {
        file: file.into(),
        key: key.into(),
        problem,
    };
    let mut question = Question::default();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("rules", toml::Value::String(name)) => question.rules = Some(name),
            ("procedure", toml::Value::String(name)) => question.procedure = Some(name),
            ("settings", toml::Value::Table(settings)) => {
                flatten("", &settings, &mut question.said.words)
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
                    "is unknown; a scenario has rules, procedure and [settings], a fight neither of the last two"
                        .into(),
                ));
            }
        }
    }
    Ok(question)
}
