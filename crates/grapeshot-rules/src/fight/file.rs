//! A fight as it stands in a file.

use super::{RawSettings, Side};
use crate::{Entries, Given, Labels, Problems, RuleError, TomlText};

/// A fight from a file: keys of its language, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FightFile {
    /// The file as it was written, for messages.
    pub(super) text: TomlText,
    /// The ruleset, if it says so.
    rules: Option<String>,
    pub(super) entries: Vec<(String, String)>,
}

impl FightFile {
    /// Takes a fight: `rules`, keys, and tables of keys.
    fn read(text: &TomlText, mut entries: Entries<'_>) -> Self {
        let rules = entries.maybe("rules");
        let given = entries.as_settings().into_iter();
        FightFile {
            text: text.clone(),
            rules,
            entries: given.map(|(key, value)| (key, value.to_string())).collect(),
        }
    }

    pub(super) fn find(&self, key: &str) -> Option<&str> {
        let found = self.entries.iter().find(|(known, _)| known == key);
        found.map(|(_, text)| text.as_str())
    }
}

impl RawSettings {
    /// Puts a unit on a side, in place of what a fight said of these keys there; they are named without a side.
    ///
    /// # Errors
    /// If the unit is of another ruleset than the one that was typed.
    pub fn stand(
        &mut self,
        side: Side,
        (name, rules): (&str, &str),
        settings: &Given,
        from: &TomlText,
    ) -> Result<(), RuleError> {
        if let Some(typed) = self.rules.as_deref().filter(|typed| *typed != rules) {
            let file = from.file();
            let problem = format!("`{name}` is a unit of {rules}, and {typed} is asked");
            return Err(RuleError::Other(format!("{file}: {problem}")));
        }
        let fight = self.fight.get_or_insert_with(|| FightFile {
            text: from.clone(),
            rules: Some(rules.to_owned()),
            entries: Vec::new(),
        });
        for (key, value) in settings {
            let key = format!("{}.{key}", side.label());
            fight.entries.retain(|(known, _)| *known != key);
            fight.entries.push((key, value.to_string()));
        }
        Ok(())
    }

    /// Reads what a file says. One with a procedure or settings is a scenario, in the words of that procedure;
    /// any other is a fight.
    ///
    /// # Errors
    /// Names everything that is wrong with it.
    pub fn file(file: &str, text: &str) -> Result<Self, RuleError> {
        let text = TomlText::new(file, text);
        let problems = Problems::of(&text);
        let mut entries = problems.read()?;
        let mut said = RawSettings::default();
        if entries.has("procedure") || entries.has("settings") {
            said.rules = entries.maybe("rules");
            said.procedure = entries.maybe("procedure");
            said.words = entries.settings("settings");
            entries.finish_as(
                "a scenario has rules, procedure and [settings], a fight neither of the last two",
            );
        } else {
            let fight = FightFile::read(&text, entries);
            said.rules.clone_from(&fight.rules);
            said.fight = Some(fight);
        }
        problems.or(said)
    }
}
