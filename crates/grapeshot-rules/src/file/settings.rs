//! The settings of a ruleset file, and how scripts spell them.

use super::entry::{Entry, not_known};
use crate::{RuleError, Setting};

/// Reads the settings of a file: `"*.grade"` is one for each side.
pub(super) fn settings(root: &Entry<'_>, sides: &[String]) -> Result<Vec<Setting>, RuleError> {
    let Some(all) = root.under("settings")? else {
        return Ok(Vec::new());
    };
    let mut found: Vec<Setting> = Vec::new();
    for (key, entry) in all.entries()? {
        entry.only(&[
            "meaning", "source", "one_of", "from", "to", "flag", "default",
        ])?;
        let keys: Vec<String> = match key.strip_prefix("*.") {
            Some(_) if sides.is_empty() => {
                return Err(all.error(key, "speaks of every side, but [ruleset] names no sides"));
            }
            Some(name) => sides.iter().map(|side| format!("{side}.{name}")).collect(),
            None => vec![key.to_owned()],
        };
        for key in keys {
            if !name_in_scripts(&spelled(&key)) {
                let problem = "cannot be a key: allowed are small letters, digits and underscores, with one dot between side and name";
                return Err(entry.error("", problem));
            }
            let setting = setting(&entry, key)?;
            if found.iter().any(|known| known.key == setting.key) {
                return Err(entry.error("", format!("is a second setting `{}`", setting.key)));
            }
            found.push(setting);
        }
    }
    Ok(found)
}

fn setting(entry: &Entry<'_>, key: String) -> Result<Setting, RuleError> {
    let meaning = entry.needed("meaning")?;
    let source = entry.text("source")?.unwrap_or_default();
    let kinds = ["one_of", "from", "flag"];
    if kinds
        .iter()
        .filter(|kind| entry.table.contains_key(**kind))
        .count()
        != 1
    {
        let problem = "needs one of: one_of = [\"word\", …], from = 1 and to = 40, or flag = false";
        return Err(entry.error("", problem));
    }
    let plain: &[&str] = match kinds
        .iter()
        .position(|kind| entry.table.contains_key(*kind))
    {
        Some(0) => &["meaning", "source", "one_of", "default"],
        Some(1) => &["meaning", "source", "from", "to", "default"],
        _ => &["meaning", "source", "flag"],
    };
    entry.only(plain)?;
    let setting = if let Some(words) = entry.words("one_of")? {
        if words.is_empty() {
            return Err(entry.error("one_of", "is empty"));
        }
        let default = entry
            .text("default")?
            .map_or_else(|| words[0].clone(), str::to_owned);
        if !words.contains(&default) {
            return Err(entry.error("default", not_known("value", &default, &words)));
        }
        Setting::one_of(key, &words, &default, meaning)
    } else if entry.table.contains_key("flag") {
        match entry.flag("flag")? {
            true => Setting::flag_on(key, meaning),
            false => Setting::flag(key, meaning),
        }
    } else {
        let from = entry.whole("from")?.unwrap_or(0);
        let to = entry
            .whole("to")?
            .ok_or_else(|| entry.error("", "has `from` but no `to`"))?;
        let default = entry.whole("default")?.unwrap_or(from);
        if from > to || !(from..=to).contains(&default) {
            let problem = format!("goes from {from} to {to} with the default {default}");
            return Err(entry.error("", problem));
        }
        Setting::whole(key, from..=to, default, meaning)
    };
    Ok(setting.from(source))
}

/// The settings a procedure takes: all of them, or those it names.
pub(super) fn taken(
    entry: &Entry<'_>,
    all: &[Setting],
    sides: &[String],
) -> Result<Vec<Setting>, RuleError> {
    let Some(wanted) = entry.words("settings")? else {
        return Ok(all.to_vec());
    };
    let mut settings: Vec<Setting> = Vec::new();
    for key in wanted {
        let keys: Vec<String> = match key.strip_prefix("*.") {
            Some(name) => sides.iter().map(|side| format!("{side}.{name}")).collect(),
            None => vec![key],
        };
        for key in keys {
            let found = all
                .iter()
                .find(|setting| setting.key == key)
                .ok_or_else(|| {
                    let known: Vec<String> =
                        all.iter().map(|setting| setting.key.clone()).collect();
                    entry.error("settings", not_known("setting", &key, &known))
                })?;
            settings.push(found.clone());
        }
    }
    Ok(settings)
}

/// A setting as scripts spell it: dots and dashes are underscores.
pub(super) fn spelled(key: &str) -> String {
    key.replace(['.', '-'], "_")
}

/// Words that the language keeps for itself.
const KEPT: [&str; 58] = [
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "exit",
    "export",
    "false",
    "fn",
    "for",
    "global",
    "go",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
];

/// Whether a script can use a name.
pub(super) fn name_in_scripts(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let kept = KEPT.contains(&name) || ["while", "with", "yield"].contains(&name);
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(plain) && !kept
}
