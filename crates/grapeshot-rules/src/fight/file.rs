//! A fight as it stands in a file.

use super::RawSettings;
use crate::{Entries, Problems, RuleError, TomlText};

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
