//! What keys, values and variables are called in print.

use super::Decimals;
use grapeshot_engine::dist::Quantity;

/// A dictionary from the words of the program to those of a book. What is not in it is made readable by
/// plain rules: `attacker.grade` is the attacker's grade, `attacker-wins` attacker wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words(Vec<(String, String)>);

/// Those who can own a thing: `attacker.grade` is the attacker's.
const OWNERS: [&str; 9] = [
    "attacker", "defender", "firer", "target", "unit", "screen", "enemy", "a", "b",
];

impl Words {
    /// A dictionary of pairs: a word of the program, and what stands for it.
    pub fn new(words: Vec<(String, String)>) -> Self {
        Words(words)
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

    /// A sentence of [`PHRASES`](super::PHRASES), as the dictionary has it or as it is, `{1}`, `{2}` … replaced.
    pub fn tell(&self, phrase: &str, with: &[&str]) -> String {
        let mut rest = self.get(phrase).unwrap_or(phrase);
        let mut told = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            told.push_str(before);
            let gap = after.split_once('}').and_then(|(number, after)| {
                let number: usize = number.parse().ok()?;
                Some((with.get(number.checked_sub(1)?)?, after))
            });
            match gap {
                Some((text, after)) => {
                    told.push_str(text);
                    rest = after;
                }
                None => {
                    told.push('{');
                    rest = after;
                }
            }
        }
        told + rest
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

    /// A number that is the value of a key: what the dictionary has for it there, or as it is written here.
    pub fn number(&self, key: &str, number: &str, decimals: Decimals) -> String {
        let there = self.get(&format!("{key}={number}"));
        there.map_or_else(|| decimals.set(number), str::to_owned)
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
                grapeshot_engine::dist::Favour::Success => "chance of success",
                grapeshot_engine::dist::Favour::Failure => "chance of failure",
                grapeshot_engine::dist::Favour::Undecided => "chance undecided",
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
