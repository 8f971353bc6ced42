//! From one ruleset's words into another's, by way of the common description.
//!
//! A translation goes from common words into a ruleset's own. Here it is also gone backwards: of all that
//! can be said of a common fight, what would this ruleset have called just this? Key by key the value is
//! taken whose translation agrees best with the fight at hand. What no common word says is listed, not
//! dropped.

use super::{CommonProcedure, FightKind, FightTranslation, Player, RULESET_KEY, Word};
use crate::{Given, Labels, LoadedRuleset, RuleError, Setting, SettingKind, Settings, Value};

/// The rulesets that say common fights, ready to be asked what they call one.
pub struct Interpreter {
    players: Vec<Player>,
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let players = self.players.iter().map(Player::id);
        f.debug_list().entries(players).finish()
    }
}

/// A fight of a ruleset in common words.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonFight {
    /// What kind of fight it is.
    pub kind: FightKind,
    /// What is set about it, where it is not the default.
    pub given: Given,
    /// Settings of the ruleset's own that are not said by it, with their values.
    pub unsaid: Given,
}

/// Values of a number that are tried, besides those that stand in the fight itself.
const TRIED: i64 = 90;

impl Interpreter {
    /// Of `common` as it was loaded, with the variants laid over it.
    ///
    /// # Errors
    /// If the tables of a player do not hold together.
    pub fn new(common: &LoadedRuleset) -> Result<Self, RuleError> {
        let players = common.ruleset.book.players().iter();
        let players: Result<Vec<Player>, RuleError> = players
            .map(|ruleset| Player::new(ruleset, &common.tables))
            .collect();
        Ok(Interpreter { players: players? })
    }

    fn player(&self, rules: &str) -> Option<&Player> {
        self.players.iter().find(|player| **player.id() == *rules)
    }

    /// What kind of common fight a procedure of a ruleset plays, if any.
    pub fn kind(&self, rules: &str, procedure: &str) -> Option<FightKind> {
        let words = &self.player(rules)?.words;
        let plays = |kind: &FightKind| {
            let name = words.word(&format!("procedures.{}", kind.label()));
            matches!(name, Ok(Word::Said(name)) if name == procedure)
        };
        FightKind::ALL.iter().copied().find(plays)
    }

    /// A common fight in the words of a ruleset: the procedure, and what is set about it.
    ///
    /// # Errors
    /// If the ruleset cannot say it, or a key or value is unknown.
    pub fn in_words_of(
        &self,
        rules: &str,
        kind: FightKind,
        given: &Given,
    ) -> Result<(String, Vec<(String, String)>), RuleError> {
        let player = self.player(rules).ok_or_else(|| {
            RuleError::unknown("ruleset", rules, self.players.iter().map(Player::id))
        })?;
        let spoken = player.spoken(kind);
        let ruleset = (RULESET_KEY.to_owned(), Value::from(rules));
        let given = given.iter().cloned().chain([ruleset]);
        let settings = Settings::resolve(kind.label(), &spoken.keys, given)?;
        player.words_for(&spoken, &settings)
    }

    /// The common fight that comes nearest to a fight of a ruleset; nothing where it says none.
    pub fn recognise(
        &self,
        rules: &str,
        procedure: &str,
        settings: &Settings,
    ) -> Option<CommonFight> {
        let player = self.player(rules)?;
        let kind = self.kind(rules, procedure)?;
        let spoken = player.spoken(kind);
        let mut given: Given = vec![(RULESET_KEY.into(), Value::from(rules))];
        let agreement = |given: &Given| {
            let common = Settings::resolve(kind.label(), &spoken.keys, given.iter().cloned());
            let (_, said) = player.words_for(&spoken, &common.ok()?).ok()?;
            Some(agreeing(&said, settings))
        };
        for setting in spoken.keys.iter().filter(|s| s.key != RULESET_KEY) {
            let usual = agreement(&given);
            let tried = candidates(setting, settings).into_iter();
            let judged: Vec<(usize, Value)> = tried
                .filter_map(|value| {
                    let mut given = given.clone();
                    given.push((setting.key.clone(), value.clone()));
                    Some((agreement(&given)?, value))
                })
                .collect();
            let best = judged.iter().map(|(agrees, _)| *agrees).max();
            // What nobody needs to say is not said.
            if best <= usual {
                continue;
            }
            let best: Vec<&Value> = judged
                .iter()
                .filter(|(agrees, _)| Some(*agrees) == best)
                .map(|(_, value)| value)
                .collect();
            // Of many that come to the same, such as men of half a stand, the middle one.
            given.push((setting.key.clone(), best[best.len() / 2].clone()));
        }
        let common = Settings::resolve(kind.label(), &spoken.keys, given.iter().cloned()).ok()?;
        let (name, said) = player.words_for(&spoken, &common).ok()?;
        given.remove(0);
        Some(CommonFight {
            kind,
            given,
            unsaid: unsaid(player, &name, said, settings),
        })
    }
}

impl Player {
    fn spoken(&self, kind: FightKind) -> CommonProcedure {
        CommonProcedure {
            kind,
            keys: kind.settings(std::slice::from_ref(self.id())),
        }
    }

    /// What this ruleset calls a common fight: its procedure, and the settings of it.
    fn words_for(
        &self,
        spoken: &CommonProcedure,
        settings: &Settings,
    ) -> Result<(String, Vec<(String, String)>), RuleError> {
        let mut fight = FightTranslation::new(&self.words, spoken.kind, &spoken.keys, settings);
        let procedure = fight.native_procedure()?;
        (self.translation)(&mut fight)?;
        let known = self.loaded.procedure(&procedure)?;
        let mut said = fight.said();
        said.retain(|(key, _)| known.settings.iter().any(|setting| setting.key == *key));
        Ok((procedure, said))
    }
}

/// How many of these settings are those of the fight.
fn agreeing(said: &[(String, String)], settings: &Settings) -> usize {
    let same = |(key, value): &&(String, String)| {
        let own = settings.find(key);
        own.is_some_and(|own| own.to_string() == *value)
    };
    said.iter().filter(same).count()
}

/// The values of a common key that a fight may have meant.
fn candidates(setting: &Setting, fight: &Settings) -> Vec<Value> {
    let SettingKind::Whole { min, max } = setting.kind else {
        return setting.sample_values();
    };
    let step = ((max - min) / TRIED).max(1);
    let mut values: Vec<i64> = (min..=max).step_by(step as usize).collect();
    // Yards are yards everywhere.
    values.extend(fight.iter().filter_map(|(_, value)| match value {
        Value::Whole(n) if (min..=max).contains(n) => Some(*n),
        _ => None,
    }));
    values.sort_unstable();
    values.dedup();
    values.into_iter().map(Value::Whole).collect()
}

/// What a fight says that its translation does not.
fn unsaid(
    player: &Player,
    procedure: &str,
    said: Vec<(String, String)>,
    fight: &Settings,
) -> Given {
    let translated = player
        .loaded
        .procedure(procedure)
        .and_then(|known| known.resolve(said));
    let Ok(translated) = translated else {
        return Given::new();
    };
    let differs = |(key, value): &(&str, &Value)| translated.find(key) != Some(*value);
    let unsaid = fight.iter().filter(differs);
    unsaid
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    fn recognised(rules: &str, procedure: &str, given: &[(&str, &str)]) -> Option<CommonFight> {
        let common = find(super::super::ID)
            .and_then(|c| c.load(&[]))
            .expect("common");
        let interpreter = Interpreter::new(&common).expect("players");
        let loaded = find(rules).and_then(|r| r.load(&[])).expect("a ruleset");
        let known = loaded.procedure(procedure).expect("a procedure");
        let settings = known.resolve(given.iter().copied()).expect("settings");
        interpreter.recognise(rules, procedure, &settings)
    }

    #[test]
    fn a_charge_is_recognised_and_what_cannot_be_said_is_listed() {
        let given = [
            ("attacker.grade", "veteran"),
            ("attacker.stands", "12"),
            ("defender.cover", "wall"),
            ("attacker.panic", "1"),
        ];
        let fight = recognised("elephant", "charge", &given).expect("a common charge");
        assert_eq!(fight.kind, FightKind::Charge);
        let said: Vec<String> = fight
            .given
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        assert!(
            said.contains(&"attacker.grade=veteran".to_owned()),
            "{said:?}"
        );
        assert!(said.contains(&"defender.cover=soft".to_owned()), "{said:?}");
        assert_eq!(
            fight.unsaid,
            [("attacker.panic".to_owned(), Value::Whole(1))]
        );
    }

    #[test]
    fn what_common_says_comes_back_in_the_same_words() {
        let common = find(super::super::ID)
            .and_then(|c| c.load(&[]))
            .expect("common");
        let interpreter = Interpreter::new(&common).expect("players");
        let fight: Given = vec![
            ("attacker.grade".into(), "crack".into()),
            ("defender.men".into(), 600.into()),
        ];
        let mut compared = 0;
        for player in common.players() {
            let Ok((procedure, said)) = interpreter.in_words_of(player, FightKind::Charge, &fight)
            else {
                continue;
            };
            let loaded = find(player).and_then(|r| r.load(&[])).expect("a ruleset");
            let known = loaded.procedure(&procedure).expect("a procedure");
            let settings = known.resolve(said.clone()).expect("settings");
            let back = interpreter.recognise(player, &procedure, &settings);
            let back = back.expect("its own words");
            let again = interpreter.in_words_of(player, back.kind, &back.given);
            assert_eq!(again.expect("words").1, said, "{player}");
            assert_eq!(back.unsaid, [], "{player}");
            compared += 1;
        }
        assert!(compared >= 3, "only {compared} rulesets play a charge");
    }

    #[test]
    fn what_is_no_common_fight_is_not_made_one() {
        assert_eq!(recognised("elephant", "muster", &[]), None);
    }
}
