//! The words of a ruleset, for who uses others: what was meant by a key or value that is not known.
//!
//! Printed rules have their own words for what every player knows: a general is a `commander` here
//! and an `officer_attached` there. What people say for a word of the ruleset stands in its
//! `tables.toml`, and only ever suggests: nothing is taken for something else.
//!
//! ```toml
//! [synonyms]
//! commander = ["general", "leader"]
//! ```

use super::fight::{Language, Side};
use super::nearest::{letters, nearest, own_name};
use super::{Procedure, RuleError, Setting, SettingKind, TableFile};
use grapeshot_engine::dist::Name;

/// What can be said to who used a name that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// The name that was probably meant.
    Meant(String),
    /// One of these was meant: each side has one of that name.
    OneOf(Vec<String>),
    /// There is such a thing, but another command is asked about it.
    Ask {
        /// What is different about it.
        because: &'static str,
        /// What to type instead.
        command: String,
    },
    /// What was meant is nothing that the procedure asks for; others do.
    NotAsked {
        /// The procedure.
        procedure: Name,
        /// What it does not ask for, in words.
        thing: String,
        /// Those that do.
        by: Vec<Name>,
    },
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Hint::Meant(name) => write!(f, "did you mean `{name}`?"),
            Hint::OneOf(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "did you mean {}?", names.join(" or "))
            }
            Hint::Ask { because, command } => write!(f, "{because}: try {command}"),
            Hint::NotAsked {
                procedure,
                thing,
                by,
            } => {
                let does = if by.len() == 1 { "does" } else { "do" };
                let (last, others) = by.split_last().expect("one asks for it");
                let and = if others.is_empty() { "" } else { " and " };
                write!(
                    f,
                    "{procedure} does not ask for {thing}; {}{and}{last} {does}",
                    others.join(", ")
                )
            }
        }
    }
}

/// The words of a ruleset.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lexicon {
    /// What people say for each word.
    synonyms: Vec<(String, Vec<String>)>,
    language: Language,
    /// The keys of each procedure, and whether they are flags.
    asked: Vec<(Name, Vec<(String, bool)>)>,
}

impl Lexicon {
    /// Collects the words of a ruleset.
    ///
    /// # Errors
    /// If `[synonyms]` or `[fight]` of the table file are not understood.
    pub fn new(file: &TableFile, procedures: &[Procedure]) -> Result<Self, RuleError> {
        let mut synonyms = Vec::new();
        for (word, value) in file.section("synonyms").into_iter().flatten() {
            let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let said: Option<Vec<String>> = list
                .iter()
                .map(|item| item.as_str().map(ToOwned::to_owned))
                .collect();
            match said {
                Some(said) if !said.is_empty() => synonyms.push((word.clone(), said)),
                _ => {
                    let problem = "must be a list of what people say for it";
                    return Err(file.problem(format!("synonyms.{word}"), problem));
                }
            }
        }
        let keys = |procedure: &Procedure| {
            let keys = procedure.settings.iter();
            keys.map(|s| (s.key.clone(), s.kind == SettingKind::Flag))
                .collect()
        };
        Ok(Lexicon {
            synonyms,
            language: Language::read(file)?,
            asked: procedures
                .iter()
                .map(|procedure| (procedure.name.clone(), keys(procedure)))
                .collect(),
        })
    }

    /// The words for which people say this.
    fn words_for<'a>(&'a self, said: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let said = letters(said);
        self.synonyms
            .iter()
            .filter(move |(_, others)| others.iter().any(|other| letters(other) == said))
            .map(|(word, _)| word.as_str())
    }

    /// The name that was probably meant.
    pub fn name(&self, given: &str, known: &[String]) -> Option<String> {
        let mut words = self.words_for(given);
        words
            .find(|word| known.iter().any(|name| name == word))
            .or_else(|| nearest(given, known))
            .map(ToOwned::to_owned)
    }

    /// The value of a setting that was probably meant: one that is said so, one that means the same
    /// in another procedure, or the nearest.
    pub fn value(&self, key: &str, given: &str, known: &[String]) -> Option<String> {
        let is_known = |word: &&str| known.iter().any(|name| name == word);
        let said = || [given].into_iter().chain(self.words_for(given));
        let own = said().find(is_known);
        let alike = || said().find_map(|word| self.language.alike(key, word).find(is_known));
        let found = own.or_else(alike).map(ToOwned::to_owned);
        found.or_else(|| nearest(given, known).map(ToOwned::to_owned))
    }

    /// What can be said about a key that a procedure has not.
    pub fn key(&self, procedure: &str, given: &str, schema: &[Setting]) -> Option<Hint> {
        let known: Vec<String> = schema.iter().map(|s| s.key.clone()).collect();
        let given_letters = letters(given);
        let alike = known.iter().find(|key| letters(key) == given_letters);
        if let Some(key) = alike {
            return Some(Hint::Meant(key.clone()));
        }
        let said = self.said_for(given);
        let exact = said.iter().find(|key| known.contains(key)).cloned();
        let by_fight = || {
            said.iter()
                .find_map(|key| self.in_fight(procedure, key, schema))
        };
        let other_side = || said.iter().find_map(|key| same_name(key, &known));
        let meant = exact.or_else(by_fight).or_else(other_side);
        if let Some(key) = meant {
            return Some(Hint::Meant(key));
        }
        // Said without a side, and asked of some.
        let sided = |name: &&String| {
            let own = own_name(name);
            name.contains('.') && said.iter().any(|key| !key.contains('.') && key == own)
        };
        let sided: Vec<String> = known.iter().filter(sided).cloned().collect();
        match <[String; 1]>::try_from(sided) {
            Ok([only]) => return Some(Hint::Meant(only)),
            Err(several) if !several.is_empty() => return Some(Hint::OneOf(several)),
            Err(_) => {}
        }
        let names = said.iter().map(|key| own_name(key));
        let asked = names
            .filter_map(|name| self.not_asked(procedure, name))
            .next();
        asked.or_else(|| nearest(given, &known).map(|key| Hint::Meant(key.to_owned())))
    }

    /// A key as it was given, then with every word for which people say its name.
    fn said_for(&self, given: &str) -> Vec<String> {
        let (side, own) = match given.rsplit_once('.') {
            Some((side, own)) => (Some(side), own),
            None => (None, given),
        };
        let sided = |name: &str| side.map_or(name.to_owned(), |side| format!("{side}.{name}"));
        let names = [own].into_iter().chain(self.words_for(own));
        names.map(sided).collect()
    }

    /// The key of a fight that was probably meant.
    pub(super) fn key_of_fight(&self, given: &str, known: &[String]) -> Option<String> {
        let said = self.said_for(given).into_iter();
        let sided = said.map(|key| self.language.names("", &key, Side::Attacker).remove(0));
        let exact = sided.into_iter().find(|key| known.contains(key));
        exact.or_else(|| nearest(given, known).map(ToOwned::to_owned))
    }

    /// What a procedure calls a key of the fight, or of another procedure's sides.
    fn in_fight(&self, procedure: &str, key: &str, schema: &[Setting]) -> Option<String> {
        let meant = self.language.names("", key, Side::Attacker).remove(0);
        let called = |setting: &&Setting| {
            let names = self.language.names(procedure, &setting.key, Side::Attacker);
            names[0] == meant
        };
        schema.iter().find(called).map(|s| s.key.clone())
    }

    /// What a procedure does not ask for, but others do.
    fn not_asked(&self, procedure: &str, name: &str) -> Option<Hint> {
        let of =
            |keys: &[(String, bool)]| keys.iter().find(|(key, _)| own_name(key) == name).cloned();
        let by: Vec<(&Name, (String, bool))> = self
            .asked
            .iter()
            .filter(|(other, _)| **other != *procedure)
            .filter_map(|(other, keys)| Some((other, of(keys)?)))
            .collect();
        let (_, (_, is_flag)) = by.first()?;
        Some(Hint::NotAsked {
            procedure: procedure.into(),
            thing: thing(name, *is_flag),
            by: by.iter().map(|(other, _)| (*other).clone()).collect(),
        })
    }

    /// The words that people say something else for, for a test that none is a slip.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.synonyms.iter().map(|(word, _)| word.as_str())
    }
}

/// The same name on another side.
fn same_name(key: &str, known: &[String]) -> Option<String> {
    let own = key.split_once('.').map(|(_, own)| own)?;
    let same = known
        .iter()
        .filter(|name| name.contains('.') && own_name(name) == own);
    let nearest = same.min_by_key(|name| strsim::damerau_levenshtein(key, name));
    nearest.cloned()
}

/// A key as a thing that is asked for: a grade, stands; what is only true or false by its name.
fn thing(name: &str, is_flag: bool) -> String {
    let words = name.replace('_', " ");
    let first = words.split(' ').next().unwrap_or_default();
    match first.chars().next() {
        _ if is_flag => format!("`{name}`"),
        _ if first.ends_with('s') => words,
        Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {words}"),
        _ => format!("a {words}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadedRuleset, Registry};

    fn loaded(id: &str) -> LoadedRuleset {
        crate::find(id).unwrap().load(&[]).unwrap()
    }

    fn refusal(rules: &str, procedure: &str, key: &str, value: &str) -> String {
        let loaded = loaded(rules);
        let procedure = loaded.procedure(procedure).unwrap();
        procedure.resolve([(key, value)]).unwrap_err().to_string()
    }

    #[test]
    fn every_word_that_is_said_otherwise_is_a_word_of_the_ruleset() {
        for ruleset in Registry::built_in().all() {
            let loaded = ruleset.load(&[]).unwrap();
            let decisions = loaded.decisions().unwrap();
            let decided = decisions.iter().map(|decision| &decision.procedure);
            let procedures: Vec<_> = loaded.procedures.iter().chain(decided).collect();
            for word in loaded.words().words() {
                let key = |key: &str| super::own_name(key) == word;
                let known = procedures.iter().any(|procedure| {
                    let mut settings = procedure.settings.iter();
                    *procedure.name == *word
                        || settings.any(|s| key(&s.key) || s.parse(word).is_ok())
                });
                assert!(known, "{}: there is no `{word}`", ruleset.id);
            }
        }
    }

    #[test]
    fn a_key_that_only_others_ask_for_is_said_to_be_theirs() {
        let refusal = refusal("elephant", "fire", "firer.grade", "elite");
        assert!(
            refusal.contains("fire does not ask for a grade; ") && refusal.contains("melee"),
            "{refusal}"
        );
        assert!(!refusal.contains("did you mean"), "{refusal}");
    }

    #[test]
    fn a_key_is_recognised_by_case_side_synonym_and_beginning() {
        for (given, meant) in [
            ("ATTACKER.GRADE", "attacker.grade"),
            ("attacker.general", "attacker.commander"),
            ("attacker.quality", "attacker.grade"),
            ("a.stands", "attacker.stands"),
            ("target.cover", "defender.cover"),
            ("firer.men", "attacker.stands"),
            ("atacker.grade", "attacker.grade"),
            ("attacker.cover", "defender.cover"),
            ("dist", "distance"),
            ("attacker.out-of-ammo", "attacker.out_of_ammo"),
        ] {
            let refusal = refusal("elephant", "charge", given, "1");
            let wanted = format!("did you mean `{meant}`?");
            assert!(refusal.contains(&wanted), "{given}: {refusal}");
        }
    }

    #[test]
    fn what_is_said_without_a_side_is_offered_for_the_sides_that_have_it() {
        let works = refusal("elephant", "charge", "works", "soft");
        assert!(works.contains("did you mean `defender.cover`?"), "{works}");
        let quality = refusal("elephant", "melee", "quality", "elite");
        let both = "did you mean `attacker.grade` or `defender.grade`?";
        assert!(quality.contains(both), "{quality}");
    }

    #[test]
    fn a_value_is_recognised_by_case_synonym_beginning_and_part() {
        for (key, given, meant) in [
            ("attacker.grade", "vet", "veteran"),
            ("attacker.grade", "Elite", "elite"),
            ("attacker.grade", "crack", "elite"),
            ("defender.cover", "stone-wall", "wall"),
            ("defender.cover", "Stone Wall", "wall"),
            ("defender.cover", "soft", "wall"),
            ("defender.weapon", "napoleon", "12lb-napoleon"),
            ("attacker.flank", "yes", "true"),
        ] {
            let refusal = refusal("elephant", "charge", key, given);
            let wanted = format!("did you mean `{meant}`?");
            assert!(refusal.contains(&wanted), "{given}: {refusal}");
        }
        let refusal = refusal("elephant", "fire", "target.cover", "stone-wall");
        assert!(refusal.contains("did you mean `soft`?"), "{refusal}");
    }

    #[test]
    fn a_procedure_is_recognised_by_what_people_call_it() {
        let error = loaded("elephant").procedure("assault").unwrap_err();
        let error = error.to_string();
        assert!(error.contains("did you mean `charge`?"), "{error}");
    }
}
