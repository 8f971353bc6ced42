//! Words of a setting beside each other: two that come to the same where everything is ordinary, and one that is never
//! better than another.
//!
//! Ordinary is everything at its default, and one other thing changed. What differs only where much is unusual at once
//! is nothing that a player would notice.

use super::declared::{Chance, Declared, Words};
use super::finding::{Finding, FindingKind, Severity, number, odds_command};
use super::probe::{Worth, pairs};
use super::situations::{Given, with, with_all};
use crate::parallel;
use grapeshot_rules::{LoadedRuleset, Procedure, RuleError, SettingKind};

/// A difference smaller than this would not be seen in printed odds.
const SEEN: f64 = 0.002;

/// What is good for whom, and the words of a setting that are looked at.
struct Asked<'a> {
    loaded: &'a LoadedRuleset,
    procedure: &'a Procedure,
    chance: &'a Chance,
    worth: Worth<'a>,
}

/// How two words compare, one other thing after another being changed.
#[derive(Default)]
struct Beside {
    situations: usize,
    first_better: usize,
    second_better: usize,
    /// The first situation in which they differ, with what each is worth there.
    differ: Option<(Given, f64, f64)>,
}

impl<'a> Asked<'a> {
    fn all(loaded: &'a LoadedRuleset, declared: &'a Declared) -> Result<Vec<Self>, RuleError> {
        let each = declared.chances.values().map(|chance| {
            Ok(Asked {
                loaded,
                procedure: loaded.procedure(&chance.procedure)?,
                chance,
                worth: Worth::new(loaded, &chance.procedure, &chance.good)?,
            })
        });
        each.collect()
    }

    /// Everything at its default, and one other thing changed.
    fn ordinary(&self, key: &str) -> Vec<Given> {
        let mut all = vec![Given::new()];
        let fixed = |other: &str| other == key || self.chance.given.contains_key(other);
        for setting in self.procedure.settings.iter().filter(|s| !fixed(&s.key)) {
            let values = setting.sample_values().into_iter();
            all.extend(values.map(|value| vec![(setting.key.clone(), value.to_string())]));
        }
        all
    }

    fn whole(&self, given: &Given, key: &str, word: &str) -> Given {
        with(&with_all(given, &pairs(&self.chance.given)), key, word)
    }

    fn of(&self, given: &Given, key: &str, word: &str) -> Result<Option<f64>, RuleError> {
        self.worth.of(&self.whole(given, key, word))
    }

    fn beside(&self, key: &str, first: &str, second: &str) -> Result<Beside, RuleError> {
        let mut found = Beside::default();
        for given in self.ordinary(key) {
            let both = (self.of(&given, key, first)?, self.of(&given, key, second)?);
            let (Some(a), Some(b)) = both else {
                continue;
            };
            found.situations += 1;
            found.first_better += usize::from(a - b >= SEEN);
            found.second_better += usize::from(b - a >= SEEN);
            if found.differ.is_none() && (a - b).abs() >= SEEN {
                found.differ = Some((given, a, b));
            }
        }
        Ok(found)
    }

    fn commands(&self, given: &Given, key: &str, words: [&str; 2]) -> Vec<String> {
        let name = &self.chance.procedure;
        let each = words.map(|word| odds_command(self.loaded, name, &self.whole(given, key, word)));
        each.into()
    }

    fn finding(&self, kind: FindingKind, key: &str) -> Finding {
        Finding {
            severity: Severity::Note,
            kind,
            place: format!("{}, {key}", self.chance.procedure),
            source: self.procedure.source.to_string(),
            evidence: String::new(),
            sentence: String::new(),
            commands: Vec::new(),
        }
    }

    /// Words in their order, of which two neighbours come to the same where everything is at its default, though others
    /// do not.
    fn alike(&self, key: &str, words: &[String]) -> Result<Option<Finding>, RuleError> {
        let here = |word: &String| Ok((word.clone(), self.of(&Given::new(), key, word)?));
        let here: Vec<(String, Option<f64>)> =
            words.iter().map(here).collect::<Result<_, RuleError>>()?;
        let same = |pair: &&[(String, Option<f64>)]| match (pair[0].1, pair[1].1) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-12,
            _ => false,
        };
        let neighbours = || here.windows(2);
        if neighbours().all(|pair| same(&pair)) {
            return Ok(None);
        }
        let (mut said, mut evidence, mut commands) = (Vec::new(), Vec::new(), Vec::new());
        for pair in neighbours().filter(same) {
            let (first, second) = (&pair[0].0, &pair[1].0);
            let found = self.beside(key, first, second)?;
            said.push(format!("{first} and {second}"));
            evidence.push(match &found.differ {
                None => format!(
                    "{first} and {second} never differ in {} situations with one other thing changed",
                    found.situations
                ),
                Some((given, a, b)) => {
                    let (other, value) = &given[0];
                    format!(
                        "{first} and {second} differ in {} of {} situations with one other thing changed, \
                         {} and {} with {other}={value}",
                        found.first_better + found.second_better,
                        found.situations,
                        number(*a),
                        number(*b),
                    )
                }
            });
            if commands.is_empty() {
                commands = self.commands(&Given::new(), key, [first, second]);
            }
        }
        if said.is_empty() {
            return Ok(None);
        }
        let measure = super::paradox::sum(&self.chance.good);
        Ok(Some(Finding {
            evidence: evidence.join("; "),
            sentence: format!(
                "{key}: {} come to the same {measure}, everything else at its default.",
                said.join(", ")
            ),
            commands,
            ..self.finding(FindingKind::Alike, key)
        }))
    }

    /// Words that one chooses between, of which one is never better than another and somewhere worse.
    fn dominated(&self, key: &str, words: &[String]) -> Result<Vec<Finding>, RuleError> {
        let mut findings = Vec::new();
        for word in words {
            for other in words.iter().filter(|other| *other != word) {
                let found = self.beside(key, word, other)?;
                let Some((given, a, b)) = found.differ.filter(|_| found.first_better == 0) else {
                    continue;
                };
                findings.push(Finding {
                    evidence: format!(
                        "worse in {} of {} situations with one other thing changed; {}: {} with {word}, {} with {other}",
                        found.second_better,
                        found.situations,
                        super::paradox::sum(&self.chance.good),
                        number(a),
                        number(b),
                    ),
                    sentence: format!(
                        "{key}: {word} is never better for {} than {other}, and somewhere worse.",
                        self.chance.whom
                    ),
                    commands: self.commands(&given, key, [word, other]),
                    ..self.finding(FindingKind::Dominated, key)
                });
            }
        }
        Ok(findings)
    }
}

/// Words in an order that are not told apart.
pub(super) fn alike(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let asked = Asked::all(loaded, declared)?;
    let mut tasks = Vec::new();
    for asked in &asked {
        for (key, order) in &asked.chance.better {
            let setting = asked.procedure.settings.iter().find(|s| s.key == *key);
            let is_choice = setting.is_some_and(|s| matches!(s.kind, SettingKind::Choice(_)));
            if let (Words::List(words), true) = (order, is_choice) {
                tasks.push((asked, key, words));
            }
        }
    }
    let found = parallel::try_map(&tasks, |(asked, key, words)| asked.alike(key, words))?;
    Ok(found.into_iter().flatten().collect())
}

/// Words that one chooses between, never better than another.
pub(super) fn rivals(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let asked = Asked::all(loaded, declared)?;
    let mut tasks = Vec::new();
    for asked in &asked {
        for (key, words) in &asked.chance.rivals {
            tasks.push((asked, key, words));
        }
    }
    let found = parallel::try_map(&tasks, |(asked, key, words)| asked.dominated(key, words))?;
    Ok(found.into_iter().flatten().collect())
}
