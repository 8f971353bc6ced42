//! A ruleset's translation of common fights, for reading.

use super::text::{columns, wrap};
use crate::rules::common::Words;
use crate::rules::{Loaded, RuleError};
use toml::{Table, Value};

/// What each list of words is.
fn title(list: &str) -> String {
    match list {
        "procedures" => "fights, and the procedure that plays each".into(),
        "grade" => "grades".into(),
        "weapon" => "weapons".into(),
        "men" => "men, to the nearest, halves up".into(),
        "range" => "range, a part of a unit counting whole".into(),
        "leader" => "a brigade leader with a side".into(),
        "flanked" => "taken in the flank".into(),
        "loss" => "a loss is".into(),
        "charge" => "charges".into(),
        "hits" => "hits".into(),
        other => other.replace('_', " "),
    }
}

/// The words of a ruleset with its assumptions.
///
/// # Errors
/// If the ruleset has no words for common fights.
pub fn common_page(loaded: &Loaded) -> Result<String, RuleError> {
    let words = Words::new(&loaded.ruleset.id, &loaded.tables)?;
    let mut out = format!(
        "{}: common fights in its own words (a variant may change them, under `common`)\n",
        loaded.ruleset.id
    );
    for variant in loaded.tables.variants() {
        let changes = variant.changes.join(", ");
        out += &format!("  variant {}: changes {changes}\n", variant.name);
    }
    for (name, list) in words.lists().filter(|(name, _)| *name != "assumptions") {
        if name == "results" {
            for (kind, list) in list {
                if let Value::Table(list) = list {
                    out += &block(&format!("results of a {kind}"), list);
                }
            }
        } else {
            out += &block(&title(name), list);
        }
    }
    out += "\nassumptions, each listed with every answer it enters\n";
    let names = words.assumptions();
    if names.is_empty() {
        out += "  none: every word is printed or defined by the common description\n";
    }
    for name in names {
        let text = words.assumption(&name).unwrap_or_default();
        out += &wrap(&format!("{name}: {text}"), 96, "  ");
    }
    Ok(out)
}

fn block(title: &str, list: &Table) -> String {
    // Words are prose: to the left, unlike numbers, so only the keys are lined up.
    let keys: Vec<Vec<String>> = list.keys().map(|key| vec![format!("  {key}")]).collect();
    let width = columns(&keys)
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = format!("\n{title}\n");
    for (key, value) in list {
        let word = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        out += &format!(
            "  {key}{}  {word}\n",
            " ".repeat(width - 2 - key.chars().count())
        );
    }
    out
}
