//! What the keys and values of a ruleset's procedures are called in its fights.

use super::Side;
use crate::{Entries, Labels, Procedure, RuleError, Setting, TableFile};

/// The sides that every ruleset names alike.
const SIDES: [(&str, Whose); 5] = [
    ("firer", Whose::Of(Side::Attacker)),
    ("target", Whose::Of(Side::Defender)),
    ("a", Whose::Of(Side::Attacker)),
    ("b", Whose::Of(Side::Defender)),
    ("unit", Whose::Unit),
];

/// Which side of the fight a side of a procedure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Of(Side),
    /// The one that a procedure about a single unit is asked of.
    Unit,
}

/// What keys of a procedure are called in the fight.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Naming {
    /// The procedure, or `*`.
    procedure: String,
    /// The key, in which `*` stands for any text.
    key: String,
    /// The names in the fight, the best first.
    names: Vec<String>,
}

/// The language of a ruleset's fights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Language {
    sides: Vec<(String, Whose)>,
    namings: Vec<Naming>,
    /// For each key, values that mean the same.
    same: Vec<(String, Vec<Vec<String>>)>,
}

/// A key of the fight, with everything that asks for it.
#[derive(Debug, Clone)]
pub(super) struct Word<'a> {
    pub(super) key: String,
    /// The procedures that ask for it, and their settings.
    pub(super) asked: Vec<(&'a Procedure, &'a Setting)>,
}

impl Language {
    /// Reads the part `[fight]` of a table file, if it has one.
    ///
    /// # Errors
    /// If it says anything that is not understood.
    pub fn read(file: &TableFile) -> Result<Self, RuleError> {
        let mut language = Language {
            sides: SIDES.map(|(name, whose)| (name.to_owned(), whose)).into(),
            ..Language::default()
        };
        let problems = file.problems();
        if let Some(mut fight) = file.entries("fight", &problems) {
            if let Some(sides) = fight.table("sides") {
                language.read_sides(sides);
            }
            for (procedure, mut keys) in fight.named("names") {
                let named = keys.all().into_iter().map(|(key, names)| Naming {
                    procedure: procedure.clone(),
                    key,
                    names,
                });
                language.namings.extend(named);
            }
            if let Some(mut same) = fight.table("same") {
                language.same = same.all();
            }
            fight.finish();
        }
        // What is said of one procedure comes before what is said of all.
        language
            .namings
            .sort_by_key(|naming| naming.procedure == "*");
        problems.or(language)
    }

    fn read_sides(&mut self, mut sides: Entries<'_>) {
        for (name, text) in sides.all::<String>() {
            let whose = match text.as_str() {
                "unit" => Some(Whose::Unit),
                text => Side::from_label(text).map(Whose::Of),
            };
            match whose {
                Some(whose) => self.sides.push((name, whose)),
                None => {
                    let allowed = Side::LABELS.join(" | ");
                    let problem = format!("cannot be `{text}`; allowed is {allowed} | unit");
                    sides.problem(&name, problem);
                }
            }
        }
    }

    /// What the fight calls a key of a procedure, the best name first. `unit` is the side that a
    /// procedure about a single unit is asked of.
    pub fn names(&self, procedure: &str, key: &str, unit: Side) -> Vec<String> {
        let said = self.namings.iter().find_map(|naming| {
            let here = naming.procedure == procedure || naming.procedure == "*";
            let star = here.then(|| matched(&naming.key, key)).flatten()?;
            let names = naming.names.iter().map(|name| name.replace('*', star));
            Some(names.collect::<Vec<String>>())
        });
        let names = said.unwrap_or_else(|| vec![key.to_owned()]);
        names.iter().map(|name| self.sided(name, unit)).collect()
    }

    /// The key with the side it has in the fight.
    fn sided(&self, key: &str, unit: Side) -> String {
        let Some((side, name)) = key.split_once('.') else {
            return key.to_owned();
        };
        let whose = self.sides.iter().find(|(known, _)| known == side);
        match whose {
            Some((_, Whose::Of(side))) => format!("{}.{name}", side.label()),
            Some((_, Whose::Unit)) => format!("{}.{name}", unit.label()),
            None => key.to_owned(),
        }
    }

    /// Whether a procedure asks about a single unit, so that it matters which one.
    pub fn is_of_one_unit(&self, procedure: &Procedure) -> bool {
        let names = |key: &str, unit| self.names(&procedure.name, key, unit);
        let mut keys = procedure.settings.iter().map(|s| s.key.as_str());
        keys.any(|key| names(key, Side::Attacker) != names(key, Side::Defender))
    }

    /// What a setting of a procedure makes of a value of the fight: the value itself, or the one
    /// that means the same.
    ///
    /// # Errors
    /// All that it could mean, which is none or several.
    pub fn value(&self, setting: &Setting, name: &str, text: &str) -> Result<String, Vec<String>> {
        if setting.parse(text).is_ok() {
            return Ok(text.to_owned());
        }
        let mut meant: Vec<String> = self
            .alike(name, text)
            .filter(|value| setting.parse(value).is_ok())
            .map(ToOwned::to_owned)
            .collect();
        meant.dedup();
        match meant.len() {
            1 => Ok(meant.remove(0)),
            _ => Err(meant),
        }
    }

    /// The values of a key that mean what `text` means somewhere.
    pub(crate) fn alike<'a>(&'a self, key: &str, text: &'a str) -> impl Iterator<Item = &'a str> {
        let own = key.rsplit_once('.').map_or(key, |(_, name)| name);
        let groups = self.same.iter().find(|(known, _)| known == own);
        let groups = groups.into_iter().flat_map(|(_, groups)| groups);
        groups
            .filter(move |group| group.iter().any(|value| value == text))
            .flatten()
            .map(String::as_str)
    }

    /// Every key of the fights of these procedures, in the order in which they ask.
    pub(super) fn words<'a>(
        &self,
        procedures: impl IntoIterator<Item = &'a Procedure>,
    ) -> Vec<Word<'a>> {
        let mut words: Vec<Word<'a>> = Vec::new();
        for procedure in procedures {
            for setting in &procedure.settings {
                let named = |unit| self.names(&procedure.name, &setting.key, unit);
                let mut keys = named(Side::Attacker);
                for key in named(Side::Defender) {
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
                for key in keys {
                    match words.iter_mut().find(|word| word.key == key) {
                        Some(word) => word.asked.push((procedure, setting)),
                        None => words.push(Word {
                            key,
                            asked: vec![(procedure, setting)],
                        }),
                    }
                }
            }
        }
        words
    }

    /// The names of keys and sides that the file mentions, for a test that none is a slip.
    #[cfg(test)]
    pub(super) fn mentioned(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.namings.iter();
        all.map(|naming| (naming.procedure.as_str(), naming.key.as_str()))
    }

    /// The keys whose values the file mentions.
    #[cfg(test)]
    pub(super) fn alike_keys(&self) -> impl Iterator<Item = (&str, &[Vec<String>])> {
        self.same
            .iter()
            .map(|(key, groups)| (key.as_str(), groups.as_slice()))
    }
}

/// What the `*` of a pattern stands for in a key that it matches; nothing for a pattern without.
pub(crate) fn matched<'a>(pattern: &str, key: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        None => (pattern == key).then_some(""),
        Some((before, after)) => key.strip_prefix(before)?.strip_suffix(after),
    }
}
