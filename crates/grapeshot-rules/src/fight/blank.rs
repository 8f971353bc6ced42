//! A fight to start from: every key as a comment, with what it means and what it may be.

use super::Language;
use super::language::Word;
use super::raw::all;
use crate::{DefaultValue, LoadedRuleset, Procedure, RuleError, Setting, SettingKind, Value};
use std::fmt::Write;

/// Where what is said about a key begins, and where a line ends.
const INDENT: usize = 30;
const WIDTH: usize = 100;

/// A commented fight file of a ruleset. It loads as it stands, and says nothing yet.
///
/// # Errors
/// If the ruleset's `[fight]` is not understood.
pub fn blank(loaded: &LoadedRuleset) -> Result<String, RuleError> {
    let language = Language::read(&loaded.tables)?;
    let decisions = loaded.decisions()?;
    let words = language.words(all(loaded, &decisions));
    let id = loaded.ruleset.as_command();
    let mut out = format!(
        "# A fight in {id}: what both sides are, said once, for every procedure.\n\
         #   grapeshot odds {id} {} --file fight.toml\n\
         # Take the # from a line to say it; what is not said is as the line shows. The attacker is\n\
         # the side that acts: it fires, charges, comes first. What a procedure has no use for is\n\
         # named under its answer. A procedure about one unit is asked of the attacker, or with\n\
         # --unit defender of the other.\n\nrules = \"{id}\"\n",
        loaded.procedures[0].name
    );
    for side in sides(&words) {
        if let Some(side) = side {
            write!(out, "\n[{side}]\n").expect("text");
        }
        let here = words.iter().filter(|word| side_of(&word.key) == side);
        let mut groups: Vec<(String, Vec<&Word<'_>>)> = Vec::new();
        for word in here {
            let asked = asked(word);
            match groups.iter_mut().find(|(known, _)| *known == asked) {
                Some((_, group)) => group.push(word),
                None => groups.push((asked, vec![word])),
            }
        }
        for (asked, group) in groups {
            write!(out, "\n# {asked}\n").expect("text");
            group.iter().for_each(|word| out += &lines(word));
        }
    }
    Ok(out)
}

/// The sides, in the order of the words; keys of none come first, as TOML wants it.
fn sides<'a>(words: &'a [Word<'_>]) -> Vec<Option<&'a str>> {
    let mut sides = vec![None];
    for word in words {
        let side = side_of(&word.key);
        if !sides.contains(&side) {
            sides.push(side);
        }
    }
    sides
}

fn side_of(key: &str) -> Option<&str> {
    key.split_once('.').map(|(side, _)| side)
}

/// Who asks for it.
fn asked(word: &Word<'_>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (procedure, _) in &word.asked {
        if !names.contains(&&*procedure.name) {
            names.push(&procedure.name);
        }
    }
    names.join(", ")
}

/// The key with its default, and beside it what it means and may be.
fn lines(word: &Word<'_>) -> String {
    // Where procedures ask in different words, those that tell more apart.
    let is_choice = |(_, setting): &&(_, &Setting)| matches!(setting.kind, SettingKind::Choice(_));
    let (procedure, first) = *word.asked.iter().find(is_choice).unwrap_or(&word.asked[0]);
    let name = word
        .key
        .split_once('.')
        .map_or(&*word.key, |(_, name)| name);
    let value = default(procedure, first);
    let mut about = first.meaning.clone();
    let allowed = allowed(first);
    if !allowed.is_empty() {
        write!(about, ": {allowed}").expect("text");
    }
    for (text, names) in differently(word, first, &value) {
        write!(about, "; in {} {text}", names.join(", ")).expect("text");
    }
    let mut out = String::new();
    let mut head = format!("#{name} = {value}");
    for line in fold(&about) {
        writeln!(out, "{head:<INDENT$} # {line}").expect("text");
        head = String::from("#");
    }
    out
}

/// The default as TOML; one that follows another key is what that key is by default.
fn default(procedure: &Procedure, setting: &Setting) -> String {
    match &setting.default {
        DefaultValue::Value(Value::Choice(label)) => format!("\"{label}\""),
        DefaultValue::Value(value) => value.to_string(),
        DefaultValue::SameAs(key) => {
            let other = procedure.settings.iter().find(|s| s.key == *key);
            other.map_or(String::new(), |other| default(procedure, other))
        }
        DefaultValue::LengthOf { otherwise, .. } => otherwise.to_string(),
    }
}

/// What it may be, in short; nothing for what a default shows.
fn allowed(setting: &Setting) -> String {
    match &setting.kind {
        SettingKind::Flag => String::new(),
        SettingKind::Whole { min, max } => format!("{min} to {max}"),
        other => other.allowed(),
    }
}

/// What other procedures allow instead, or assume if nothing is said.
fn differently<'a>(word: &Word<'a>, first: &Setting, value: &str) -> Vec<(String, Vec<&'a str>)> {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for &(procedure, setting) in &word.asked {
        let own = default(procedure, setting);
        let text = match (setting.kind == first.kind, own == value) {
            (true, true) => continue,
            (true, false) => format!("{own} unless said"),
            (false, _) if setting.kind == SettingKind::Flag => "true or false".into(),
            (false, _) => allowed(setting),
        };
        match all.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(&procedure.name),
            None => all.push((text, vec![&procedure.name])),
        }
    }
    all
}

/// Breaks a text into lines that fit beside the keys.
fn fold(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH - INDENT - 3
        {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
