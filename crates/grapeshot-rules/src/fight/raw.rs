//! What was said about a question, by words and by a fight, in the words of one procedure.

use super::language::Word;
use super::{FightFile, Language, Side};
use crate::{
    Decision, Given, Lexicon, LoadedRuleset, Problems, Procedure, RuleError, Setting, Value,
};

/// What was said, by words and by a file, before anything of it is looked up.
#[derive(Debug, Clone, Default)]
pub struct RawSettings {
    /// The ruleset.
    pub rules: Option<String>,
    /// The procedure.
    pub procedure: Option<String>,
    /// `key=value` as typed: the procedure's own words, or those of the fight. Later ones win, so those of a
    /// scenario come first.
    pub words: Given,
    /// The fight, which words beat.
    pub fight: Option<FightFile>,
    /// The side that a procedure about a single unit is asked of; the attacker unless said.
    pub unit: Option<Side>,
}

/// What a procedure hears of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcedureSettings {
    /// In the procedure's own words. A word that it does not know stands as it was typed, for the
    /// schema to refuse.
    pub given: Given,
    /// Keys of the fight that the procedure has no use for.
    pub unused: Vec<String>,
    /// Words that were typed otherwise than the procedure says them, and how they are read.
    pub read_as: Vec<String>,
}

impl RawSettings {
    /// Takes what is typed, `RULES PROCEDURE KEY=VALUE …`, beside what a file said, which it beats.
    ///
    /// # Errors
    /// If there is a word too many, or one that the file contradicts.
    pub fn typed(mut self, words: &[String]) -> Result<Self, RuleError> {
        let mut names = Vec::new();
        for word in words {
            match word.split_once('=') {
                Some((key, value)) => self.words.push((key.trim().into(), value.trim().into())),
                None => names.push(word.clone()),
            }
        }
        // A file that names its rules leaves only the procedure to be typed.
        let only_procedure = matches!((&self.rules, &names[..]),
            (Some(_), [name]) if crate::find(name).is_err());
        if let (true, Some(rules)) = (only_procedure, &self.rules) {
            names.insert(0, rules.clone());
        }
        let mut names = names.into_iter();
        for (place, what) in [
            (&mut self.rules, "rules"),
            (&mut self.procedure, "procedure"),
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
            None => Ok(self),
        }
    }

    /// Says it in the words of a procedure.
    ///
    /// # Errors
    /// If the fight has a key or a value that no procedure of the ruleset knows, or a value that
    /// this one has no equivalent for.
    pub fn to(
        &self,
        loaded: &LoadedRuleset,
        procedure: &Procedure,
    ) -> Result<ProcedureSettings, RuleError> {
        let language = Language::read(&loaded.tables)?;
        let mut typed: Given = Vec::new();
        let mut read_as = Vec::new();
        for (key, value) in &self.words {
            let own = self.word(&language, procedure, key, value)?;
            let same = |(known, read): &(String, Value)| known == key && read == value;
            if !own.iter().all(same) {
                let own = own.iter().map(|(key, value)| format!("{key}={value}"));
                let own = own.collect::<Vec<_>>().join(" ");
                read_as.push(format!("{key}={value} is read as {own}"));
            }
            typed.extend(own);
        }
        let mut heard = ProcedureSettings {
            given: Vec::new(),
            unused: Vec::new(),
            read_as: Vec::new(),
        };
        if let Some(fight) = &self.fight {
            let decisions = loaded.decisions()?;
            check(
                fight,
                &language.words(all(loaded, &decisions)),
                &language,
                loaded.words(),
            )?;
            let beaten = |key: &str| typed.iter().any(|(known, _)| known == key);
            let problems = Problems::of(&fight.text);
            heard = self.heard(fight, &language, procedure, beaten, &problems);
            problems.end()?;
        }
        heard.given.extend(typed);
        heard.read_as = read_as;
        Ok(heard)
    }

    fn unit(&self) -> Side {
        self.unit.unwrap_or(Side::Attacker)
    }

    /// A word as the procedure says it: several settings may come from one word. What is said of no side is said of
    /// the only one that is asked it; a value may be the word of another procedure for the same.
    fn word(
        &self,
        language: &Language,
        procedure: &Procedure,
        key: &str,
        given: &Value,
    ) -> Result<Given, RuleError> {
        let text = given.to_string();
        // What means nothing here stands as it was typed: the schema says what is allowed.
        let said_by = |setting: &Setting| match language.value(setting, &setting.key, &text) {
            Ok(value) if value != text => Value::from(value),
            _ => given.clone(),
        };
        if let Some(own) = procedure.settings.iter().find(|s| s.key == key) {
            return Ok(vec![(key.to_owned(), said_by(own))]);
        }
        let mut own = Vec::new();
        for setting in &procedure.settings {
            let names = language.names(&procedure.name, &setting.key, self.unit());
            let Some(at) = names.iter().position(|name| name == key) else {
                continue;
            };
            match language.value(setting, key, &text) {
                Ok(value) => own.push((setting.key.clone(), value.into())),
                // The schema says what is allowed.
                Err(_) if at == 0 => own.push((setting.key.clone(), given.clone())),
                Err(_) => {}
            }
        }
        if !own.is_empty() {
            return Ok(own);
        }
        match procedure.setting(key) {
            Ok(one) => Ok(vec![(one.key.clone(), said_by(one))]),
            Err(RuleError::Unknown { .. }) => Ok(vec![(key.to_owned(), given.clone())]),
            Err(several) => Err(several),
        }
    }

    /// The fight as the procedure hears it. What was typed beats the fight, so the fight's value
    /// need not mean anything there.
    fn heard(
        &self,
        fight: &FightFile,
        language: &Language,
        procedure: &Procedure,
        beaten: impl Fn(&str) -> bool,
        problems: &Problems,
    ) -> ProcedureSettings {
        let mut given = Vec::new();
        let mut used: Vec<String> = Vec::new();
        for setting in &procedure.settings {
            let names = language.names(&procedure.name, &setting.key, self.unit());
            for (at, name) in names.into_iter().enumerate() {
                let Some(text) = fight.find(&name) else {
                    continue;
                };
                if beaten(&setting.key) {
                    used.push(name);
                    continue;
                }
                match language.value(setting, &name, text) {
                    Ok(value) => {
                        given.push((setting.key.clone(), value.into()));
                        used.push(name);
                        break;
                    }
                    Err(_) if at > 0 => {}
                    Err(meant) => {
                        let (own, procedure) = (&setting.key, &procedure.name);
                        let allowed = setting.kind.allowed();
                        let problem = match meant.is_empty() {
                            true => format!(
                                "`{text}` has no equivalent in {procedure}, where `{own}` is {allowed}"
                            ),
                            false => format!(
                                "`{text}` may be {} in {procedure}: say which",
                                meant.join(" or ")
                            ),
                        };
                        problems.about(name, problem);
                        break;
                    }
                }
            }
        }
        let keys = fight.entries.iter().map(|(key, _)| key);
        let unused = keys.filter(|key| !used.contains(key)).cloned().collect();
        ProcedureSettings {
            given,
            unused,
            read_as: Vec::new(),
        }
    }
}

impl ProcedureSettings {
    /// What has to be said about it under an answer.
    pub fn note(&self, said: &RawSettings, procedure: &str) -> Option<String> {
        let mut notes = self.read_as.clone();
        if let (Some(fight), false) = (&said.fight, self.unused.is_empty()) {
            let (file, unused) = (fight.text.file(), self.unused.join(", "));
            notes.push(format!("{file}: {procedure} has no use for {unused}"));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

/// Everything a fight can be asked.
pub(super) fn all<'a>(
    loaded: &'a LoadedRuleset,
    decisions: &'a [Decision],
) -> impl Iterator<Item = &'a Procedure> {
    let decided = decisions.iter().map(|decision| &decision.procedure);
    loaded.procedures.iter().chain(decided)
}

/// Whether the fight as a whole makes sense to the ruleset: every key is known to a procedure, and
/// every value means something to one of those that know the key.
fn check(
    fight: &FightFile,
    words: &[Word<'_>],
    language: &Language,
    lexicon: &Lexicon,
) -> Result<(), RuleError> {
    let problems = Problems::of(&fight.text);
    for (key, text) in &fight.entries {
        let Some(word) = words.iter().find(|word| word.key == *key) else {
            problems.about_key(key.clone(), unknown(key, words, lexicon));
            continue;
        };
        let mut settings = word.asked.iter().map(|(_, setting)| setting);
        if !settings.any(|setting| language.value(setting, key, text).is_ok()) {
            let (_, setting) = word.asked[0];
            let Err(error) = setting.parse(text) else {
                continue;
            };
            match error {
                RuleError::Value { allowed, meant, .. } => {
                    let hint =
                        meant.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    problems.about(
                        key,
                        format!("cannot be `{text}`: allowed is {allowed}{hint}"),
                    );
                }
                other => problems.add(other),
            }
        }
    }
    problems.end()
}

/// A key that the fight has not: the name that a procedure's own word has here, or the nearest.
fn unknown(key: &str, words: &[Word<'_>], lexicon: &Lexicon) -> String {
    let of_procedure = words.iter().find_map(|word| {
        let own = word.asked.iter().find(|(_, setting)| setting.key == *key);
        own.map(|(procedure, _)| (word.key.clone(), procedure.name.clone()))
    });
    if let Some((meant, procedure)) = of_procedure {
        return format!("is a word of {procedure}; a fight says `{meant}`");
    }
    let known: Vec<String> = words.iter().map(|word| word.key.clone()).collect();
    let near = lexicon.key_of_fight(key, &known);
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!("is asked by no procedure{hint}")
}
