//! Paradoxes: more men, a better grade, more cover or a shorter range that makes chances worse.
//!
//! Every setting that should help is moved one step for the better, at the defaults over its whole
//! range and then in sampled situations. What is found is made smaller, setting by setting, as long
//! as the paradox stays: the smallest example is the one a designer understands.

use super::declared::{Chance, Declared, Words};
use super::finding::{Finding, FindingKind, Severity, number, odds_command};
use super::probe::Worth;
use super::situations::{Draws, Given, is_short, legal, with_all};
use crate::parallel;
use grapeshot_rules::{LoadedRuleset, Procedure, RuleError, Setting, SettingKind};

/// A loss smaller than this would not be seen in printed odds.
const SEEN: f64 = 0.002;

/// A step for the better that makes chances worse.
#[derive(Debug, Clone)]
struct Example {
    given: Given,
    from: String,
    to: String,
    before: f64,
    after: f64,
}

impl Example {
    /// Fewer settings first, then the larger loss.
    fn smaller(&self, other: &Example) -> bool {
        let loss = |e: &Example| e.before - e.after;
        (self.given.len(), -loss(self)) < (other.given.len(), -loss(other))
    }
}

struct Search<'a> {
    loaded: &'a LoadedRuleset,
    procedure: &'a Procedure,
    chance: &'a Chance,
    worth: &'a Worth<'a>,
    /// Every flag and choice moved alone, where the rules allow it.
    singles: &'a [(String, String)],
    key: &'a str,
    steps: Vec<(String, String)>,
}

pub(super) fn chances(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut searches = Vec::new();
    let worths: Vec<Worth> = (declared.chances.values())
        .map(|chance| Worth::new(loaded, &chance.procedure, &chance.good))
        .collect::<Result<_, _>>()?;
    // Most searches of a procedure move the same settings: whether the rules allow them is asked once.
    let singles: Vec<Vec<(String, String)>> = (declared.chances.values())
        .map(|chance| Ok(singles(loaded.procedure(&chance.procedure)?, chance)))
        .collect::<Result<_, RuleError>>()?;
    for (((name, chance), worth), singles) in declared.chances.iter().zip(&worths).zip(&singles) {
        let procedure = loaded.procedure(&chance.procedure)?;
        worth.of(&Given::new())?;
        for (key, order) in &chance.better {
            let setting = procedure.settings.iter().find(|s| s.key == *key);
            let Some(setting) = setting else {
                let what = format!("setting of {} in [audit.chances.{name}]", procedure.name);
                let known = procedure.settings.iter().map(|s| &s.key);
                return Err(RuleError::unknown(what, key, known));
            };
            searches.push(Search {
                loaded,
                procedure,
                chance,
                worth,
                singles,
                key,
                steps: steps(setting, order)?,
            });
        }
    }
    let found = parallel::try_map(&searches, Search::run)?;
    Ok(found.into_iter().flatten().collect())
}

/// Every flag and choice that a chance does not fix, moved alone, where the rules allow it.
fn singles(procedure: &Procedure, chance: &Chance) -> Vec<(String, String)> {
    let fixed = |key: &String| chance.leave.contains(key) || chance.given.contains_key(key);
    let free = procedure.settings.iter();
    let free = free.filter(|s| is_short(s) && !fixed(&s.key));
    free.flat_map(|s| {
        let values = s.sample_values().into_iter();
        values.map(|value| (s.key.clone(), value.to_string()))
    })
    .filter(|single| legal(procedure, &vec![single.clone()]))
    .collect()
}

/// Pairs of neighbouring values, the worse first.
fn steps(setting: &Setting, order: &Words) -> Result<Vec<(String, String)>, RuleError> {
    let words = ["more", "fewer", "on", "off"];
    let values: Vec<String> = match (order, &setting.kind) {
        (Words::List(values), _) => {
            for value in values {
                setting.parse(value)?;
            }
            values.clone()
        }
        (Words::One(word), SettingKind::Flag) if word == "on" => {
            vec!["false".into(), "true".into()]
        }
        (Words::One(word), SettingKind::Flag) if word == "off" => {
            vec!["true".into(), "false".into()]
        }
        (Words::One(word), &SettingKind::Whole { min, max }) if word == "more" => {
            (min..=max).map(|n| n.to_string()).collect()
        }
        (Words::One(word), &SettingKind::Whole { min, max }) if word == "fewer" => {
            (min..=max).rev().map(|n| n.to_string()).collect()
        }
        (Words::One(word), _) => {
            let what = format!("order of {} in [audit.chances]", setting.key);
            return Err(RuleError::unknown(what, word, words));
        }
    };
    Ok(values
        .windows(2)
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect())
}

impl Search<'_> {
    fn run(&self) -> Result<Option<Finding>, RuleError> {
        let mut best: Option<Example> = None;
        let mut keep = |example: Example| {
            if best.as_ref().is_none_or(|known| example.smaller(known)) {
                best = Some(example);
            }
        };
        for step in &self.steps {
            if let Some(example) = self.try_step(&Given::new(), step)? {
                keep(example);
            }
        }
        let (mut asked, mut against) = (0, 0);
        for (given, step) in self.samples() {
            asked += 1;
            if let Some(example) = self.try_step(&given, &step)? {
                against += 1;
                keep(self.shrink(example)?);
            }
        }
        Ok(best.map(|example| self.finding(&example, asked, against)))
    }

    /// Every flag and choice moved alone, with every step, as far as the sample allows; and half as
    /// many situations with much moved at once.
    fn samples(&self) -> Vec<(Given, (String, String))> {
        let mut draws = Draws::new(&format!("{} {}", self.chance.procedure, self.key));
        let mut leave = self.chance.leave.clone();
        leave.push(self.key.to_owned());
        leave.extend(self.chance.given.keys().cloned());
        let singles: Vec<Given> = self
            .singles
            .iter()
            .filter(|(key, _)| key != self.key)
            .map(|single| vec![single.clone()])
            .collect();
        let pairs = singles.len() * self.steps.len();
        let pair = |at: usize| {
            let (single, step) = (at / self.steps.len(), at % self.steps.len());
            (singles[single].clone(), self.steps[step].clone())
        };
        let mut all: Vec<_> = match pairs <= self.chance.samples {
            true => (0..pairs).map(pair).collect(),
            false => (0..self.chance.samples)
                .map(|_| pair(draws.below(pairs)))
                .collect(),
        };
        for n in 0..self.chance.samples / 2 {
            let given = draws.situation(self.procedure, &Given::new(), &leave, n % 2 == 0);
            let step = &self.steps[draws.below(self.steps.len())];
            all.push((given, step.clone()));
        }
        all
    }

    /// What is set throughout, what a situation sets, and the setting itself.
    fn whole(&self, given: &Given, value: &str) -> Given {
        let fixed = self.chance.given.iter();
        let mut set: Given = fixed.map(|(k, v)| (k.clone(), v.clone())).collect();
        set.push((self.key.to_owned(), value.to_owned()));
        with_all(given, &set)
    }

    fn try_step(
        &self,
        given: &Given,
        (from, to): &(String, String),
    ) -> Result<Option<Example>, RuleError> {
        let worth = |value: &str| self.worth.of(&self.whole(given, value));
        let (before, after) = (worth(from)?, worth(to)?);
        let (Some(before), Some(after)) = (before, after) else {
            return Ok(None);
        };
        Ok((before - after >= SEEN).then(|| Example {
            given: given.clone(),
            from: from.clone(),
            to: to.clone(),
            before,
            after,
        }))
    }

    /// Takes settings back to their defaults, one after another, while the paradox stays.
    fn shrink(&self, mut example: Example) -> Result<Example, RuleError> {
        let step = (example.from.clone(), example.to.clone());
        let mut at = 0;
        while at < example.given.len() {
            let mut fewer = example.given.clone();
            fewer.remove(at);
            match self.try_step(&fewer, &step)? {
                Some(smaller) => example = smaller,
                None => at += 1,
            }
        }
        Ok(example)
    }

    fn finding(&self, example: &Example, asked: usize, against: usize) -> Finding {
        let Example {
            given,
            from,
            to,
            before,
            after,
        } = example;
        let all = self.whole(given, to);
        let settings: Vec<String> = all[..all.len() - 1]
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        let situation = match settings.is_empty() {
            true => "everything else at its default".into(),
            false => format!("with {}", settings.join(" ")),
        };
        let measure = sum(&self.chance.good);
        let command = |value: &str| {
            odds_command(
                self.loaded,
                &self.chance.procedure,
                &self.whole(given, value),
            )
        };
        Finding {
            severity: Severity::Warning,
            kind: FindingKind::Paradox,
            place: format!("{}, {}", self.chance.procedure, self.key),
            source: self.procedure.source.to_string(),
            evidence: format!(
                "{measure}: {} at {from}, {} at {to}; so in {against} of {asked} sampled steps",
                number(*before),
                number(*after),
            ),
            sentence: format!(
                "{} {to} instead of {from} should help {}, but lowers {measure}, {situation}.",
                self.key, self.chance.whom
            ),
            commands: vec![command(from), command(to)],
        }
    }
}

/// The quantities as a sum.
pub(super) fn sum(good: &[String]) -> String {
    good.join(" + ").replace("+ -", "- ")
}

/// Situations that should get better in the order declared.
pub(super) fn situations(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for rule in declared.situations.values() {
        let procedure = loaded.procedure(&rule.procedure)?;
        let given = |text: &str| -> Given {
            let words = text.split_whitespace().filter_map(|w| w.split_once('='));
            words.map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
        };
        let worth = Worth::new(loaded, &rule.procedure, &rule.good)?;
        for pair in rule.steps.windows(2) {
            let worth = |text: &str| worth.of(&given(text));
            let (Some(before), Some(after)) = (worth(&pair[0])?, worth(&pair[1])?) else {
                continue;
            };
            if before - after < SEEN {
                continue;
            }
            let command = |text: &str| odds_command(loaded, &rule.procedure, &given(text));
            found.push(Finding {
                severity: Severity::Warning,
                kind: FindingKind::Paradox,
                place: format!("{}, {} against {}", rule.procedure, pair[1], pair[0]),
                source: procedure.source.to_string(),
                evidence: format!(
                    "{}: {} with {}, {} with {}",
                    sum(&rule.good),
                    number(before),
                    pair[0],
                    number(after),
                    pair[1]
                ),
                sentence: format!(
                    "{} should be at least as good for {} as {}, but is worse: {}.",
                    pair[1], rule.whom, pair[0], rule.why
                ),
                commands: vec![command(&pair[0]), command(&pair[1])],
            });
        }
    }
    Ok(found)
}
