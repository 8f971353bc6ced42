//! What was said about a question, by words and by a fight, in the words of one procedure.

use super::language::Word;
use super::{FightFile, Language, Side};
use crate::{Decision, Given, Lexicon, LoadedRuleset, Procedure, RuleError, Value};

/// What was said before it is known to which procedure.
#[derive(Debug, Clone, Default)]
pub struct RawSettings {
    /// `key=value` as typed: the procedure's own words, or those of the fight.
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
}

impl RawSettings {
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
        let typed: Given = self
            .words
            .iter()
            .flat_map(|(key, value)| self.typed(&language, procedure, key, value))
            .collect();
        let mut heard = ProcedureSettings {
            given: Vec::new(),
            unused: Vec::new(),
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
            heard = self.heard(fight, &language, procedure, beaten)?;
        }
        heard.given.extend(typed);
        Ok(heard)
    }

    fn unit(&self) -> Side {
        self.unit.unwrap_or(Side::Attacker)
    }

    /// A word as the procedure says it: several settings may come from one word.
    fn typed(&self, language: &Language, procedure: &Procedure, key: &str, given: &Value) -> Given {
        let as_typed = vec![(key.to_owned(), given.clone())];
        let text = given.to_string();
        if procedure.settings.iter().any(|s| s.key == key) {
            return as_typed;
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
        if own.is_empty() { as_typed } else { own }
    }

    /// The fight as the procedure hears it. What was typed beats the fight, so the fight's value
    /// need not mean anything there.
    fn heard(
        &self,
        fight: &FightFile,
        language: &Language,
        procedure: &Procedure,
        beaten: impl Fn(&str) -> bool,
    ) -> Result<ProcedureSettings, RuleError> {
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
                        return Err(fight.problem(&name, problem));
                    }
                }
            }
        }
        let keys = fight.entries.iter().map(|(key, _)| key);
        let unused = keys.filter(|key| !used.contains(key)).cloned().collect();
        Ok(ProcedureSettings { given, unused })
    }
}

impl ProcedureSettings {
    /// What has to be said about it under an answer.
    pub fn note(&self, said: &RawSettings, procedure: &str) -> Option<String> {
        let file = &said.fight.as_ref()?.file;
        (!self.unused.is_empty()).then(|| {
            let unused = self.unused.join(", ");
            format!("{file}: {procedure} has no use for {unused}")
        })
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
    for (key, text) in &fight.entries {
        let Some(word) = words.iter().find(|word| word.key == *key) else {
            return Err(fight.problem(key, unknown(key, words, lexicon)));
        };
        let mut settings = word.asked.iter().map(|(_, setting)| setting);
        if !settings.any(|setting| language.value(setting, key, text).is_ok()) {
            let (_, setting) = word.asked[0];
            let Err(error) = setting.parse(text) else {
                continue;
            };
            return Err(match error {
                RuleError::Value { allowed, meant, .. } => {
                    let hint =
                        meant.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    fight.problem(
                        key,
                        format!("cannot be `{text}`: allowed is {allowed}{hint}"),
                    )
                }
                other => other,
            });
        }
    }
    Ok(())
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
