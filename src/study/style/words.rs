//! What keys, values and variables are called in print.

use super::Decimals;
use crate::dist::{Quantity, Variable, VariableKind};
use crate::rules::{Given, Loaded, Procedure, Registry, RuleError, SettingKind, Value};

/// A dictionary from the words of the program to those of a book. What is not in it is made readable by
/// plain rules: `attacker.grade` is the attacker's grade, `attacker-wins` attacker wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words(Vec<(String, String)>);

/// Words that charts and tables print beside those of the rules, and that may be replaced as well.
const PRINTED: [&str; 14] = [
    "chance",
    "chance of success",
    "chance of failure",
    "chance undecided",
    "success",
    "failure",
    "undecided",
    "value under best play",
    "baseline",
    "turn",
    "yes",
    "no",
    "setting, changed alone",
    "chance of so much or more",
];

/// Those who can own a thing: `attacker.grade` is the attacker's.
const OWNERS: [&str; 9] = [
    "attacker", "defender", "firer", "target", "unit", "screen", "enemy", "a", "b",
];

impl Words {
    /// The words of a file, each found to stand for something.
    pub(super) fn new(file: &str, given: Given) -> Result<Self, RuleError> {
        if given.is_empty() {
            return Ok(Words::default());
        }
        let known = Vocabulary::new()?;
        let mut words = Vec::new();
        for (word, value) in given {
            let problem = |problem: String| RuleError::Table {
                file: file.into(),
                key: format!("words.{word}"),
                problem,
            };
            let Value::Choice(text) = value else {
                return Err(problem(format!("must be text, not `{value}`")));
            };
            known
                .find(&word)
                .map_err(|error| problem(error.to_string()))?;
            words.push((word, text.to_string()));
        }
        Ok(Words(words))
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These words, and where they have none those of another dictionary.
    pub(super) fn over(mut self, base: &Words) -> Self {
        let missing = |(word, _): &&(String, String)| self.get(word).is_none();
        let missing: Vec<_> = base.0.iter().filter(missing).cloned().collect();
        self.0.extend(missing);
        self
    }

    /// What stands for a word, if the dictionary has it.
    pub fn get(&self, word: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == word);
        found.map(|(_, text)| text.as_str())
    }

    /// A word of print, replaced if the dictionary has it.
    pub fn say(&self, word: &str) -> String {
        self.get(word).unwrap_or(word).to_owned()
    }

    /// A key that names an amount or a choice: `attacker.grade`, the attacker's grade.
    pub fn key(&self, key: &str) -> String {
        self.get(key).map_or_else(|| possessive(key), str::to_owned)
    }

    /// A key that is so or not: `defender.flanked`, defender flanked.
    pub fn flag(&self, key: &str) -> String {
        self.get(key).map_or_else(|| spaced(key), str::to_owned)
    }

    /// The name of a variable.
    pub fn variable(&self, name: &str) -> String {
        self.flag(name)
    }

    /// A value of a key or a label of a variable: what the dictionary has for it there (`variable=label`), or
    /// anywhere (`label`).
    pub fn label(&self, of: &str, label: &str) -> String {
        let there = self.get(&format!("{of}={label}"));
        let found = there.or_else(|| self.get(label));
        found.map_or_else(|| label.replace(['-', '_'], " "), str::to_owned)
    }

    /// The value of a key: a word, or a number as it is written here.
    pub fn value(&self, key: &str, value: &Value, decimals: Decimals) -> String {
        match value {
            Value::Choice(label) => self.label(key, label),
            Value::Flag(true) => self.say("yes"),
            Value::Flag(false) => self.say("no"),
            number => {
                let text = number.to_string();
                let there = self.get(&format!("{key}={text}"));
                there.map_or_else(|| decimals.set(&text), str::to_owned)
            }
        }
    }

    /// A quantity: what the dictionary has for it as it is typed, or in words.
    pub fn quantity(&self, quantity: &Quantity) -> String {
        if let Some(text) = self.get(&quantity.to_string()) {
            return text.to_owned();
        }
        let several = |variable: &str, label: &str| {
            let labels = label
                .split(',')
                .map(|label| self.label(variable, label.trim()));
            labels.collect::<Vec<_>>().join(" or ")
        };
        match quantity {
            Quantity::Favoured(favour) => self.say(match favour {
                crate::dist::Favour::Success => "chance of success",
                crate::dist::Favour::Failure => "chance of failure",
                crate::dist::Favour::Undecided => "chance undecided",
            }),
            Quantity::Value { variable, label } if label == "yes" => {
                format!("{}: {}", self.say("chance"), self.variable(variable))
            }
            Quantity::Value { variable, label } => {
                let label = several(variable, label);
                match is_headline(variable) {
                    true => format!("{}: {label}", self.say("chance")),
                    false => format!(
                        "{}: {} {label}",
                        self.say("chance"),
                        self.variable(variable)
                    ),
                }
            }
            Quantity::Not { variable, label } => {
                let label = several(variable, label);
                format!(
                    "{}: {} other than {label}",
                    self.say("chance"),
                    self.variable(variable)
                )
            }
            Quantity::AtLeast { variable, number } => {
                let name = self.variable(variable);
                format!("{}: {name} {number} or more", self.say("chance"))
            }
            Quantity::Worth => self.say("value under best play"),
            Quantity::Mean(variable) => format!("{}, mean", self.variable(variable)),
            Quantity::Sd(variable) => {
                format!("{}, standard deviation", self.variable(variable))
            }
        }
    }

    /// Text that some chart was labelled with: a word, a key or a label, or several joined by commas.
    pub fn text(&self, text: &str) -> String {
        let plain = |word: &str| word.replace(['.', '_', '-'], " ");
        let found = |part: &str| {
            let same = |(word, _): &&(String, String)| word == part || plain(word) == plain(part);
            self.0.iter().find(same).map(|(_, text)| text.clone())
        };
        let parts = || {
            text.split(", ")
                .map(|part| found(part).unwrap_or(part.into()))
        };
        found(text).unwrap_or_else(|| parts().collect::<Vec<_>>().join(", "))
    }
}

/// Variables whose labels need no further word: an outcome that is `won` is won.
fn is_headline(variable: &str) -> bool {
    ["outcome", "result", "effect", "winner", "end", "condition"].contains(&variable)
}

fn spaced(key: &str) -> String {
    key.replace(['.', '_'], " ")
}

fn possessive(key: &str) -> String {
    match key.split_once('.') {
        Some((owner, rest)) if OWNERS.contains(&owner) => format!("{owner}'s {}", spaced(rest)),
        _ => spaced(key),
    }
}

/// Every word that may be printed: keys, values, variables and labels of all rulesets.
struct Vocabulary(Vec<Loaded>);

impl Vocabulary {
    fn new() -> Result<Self, RuleError> {
        let all = Registry::built_in().all().iter();
        all.map(|ruleset| ruleset.load(&[]))
            .collect::<Result<_, _>>()
            .map(Vocabulary)
    }

    /// An error unless the word can be printed somewhere.
    fn find(&self, word: &str) -> Result<(), RuleError> {
        let mut known: Vec<String> = PRINTED.map(str::to_owned).to_vec();
        if known.iter().any(|printed| printed == word) {
            return Ok(());
        }
        for loaded in &self.0 {
            if loaded.id() == word {
                return Ok(());
            }
            let decided = loaded.decisions()?;
            let decided = decided.iter().map(|decision| &decision.procedure);
            for procedure in loaded.procedures.iter().chain(decided) {
                if is_said(procedure, word) {
                    return Ok(());
                }
                known.extend(procedure.settings.iter().map(|setting| setting.key.clone()));
                known.extend(procedure.variables.iter().flat_map(labels));
            }
        }
        known.sort();
        known.dedup();
        let hint = crate::rules::nearest(word, &known)
            .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(RuleError::Other(format!(
            "stands for nothing that is printed{hint}; allowed are keys, values, variables, labels and quantities \
             of the rules (grapeshot rules RULES), `key=value`, `variable=label`, and: {}",
            PRINTED.join(", ")
        )))
    }
}

fn labels(variable: &Variable) -> Vec<String> {
    let mut all = vec![variable.name.clone()];
    if let VariableKind::Category(labels) = &variable.kind {
        all.extend(labels.iter().cloned());
    }
    all
}

/// Whether a procedure has a key, a value, a variable, a label or a quantity of that name.
fn is_said(procedure: &Procedure, word: &str) -> bool {
    let of = |key: &str, value: &str| {
        let setting = procedure.settings.iter().find(|setting| setting.key == key);
        setting.is_some_and(|setting| setting.accept(&value.into()).is_ok())
    };
    let choice = |kind: &SettingKind| match kind {
        SettingKind::Choice(labels) => labels.iter().any(|label| **label == *word),
        _ => false,
    };
    *procedure.name == *word
        || (procedure.settings.iter()).any(|s| s.key == word || choice(&s.kind))
        || (procedure.variables.iter()).any(|v| labels(v).iter().any(|label| label == word))
        || word
            .split_once('=')
            .is_some_and(|(key, value)| of(key, value))
        || Quantity::parse(word, &procedure.variables).is_ok()
}
