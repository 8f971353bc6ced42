//! What keys, values and variables are called in print.

use super::Decimals;
use grapeshot_engine::dist::Quantity;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A dictionary from the words of the program to those of a book. What is not in it is made readable by
/// plain rules: `attacker.grade` is the attacker's grade, `attacker-wins` attacker wins.
#[derive(Clone, Default)]
pub struct Words(Arc<Dictionary>);

/// Pairs, and where each is found.
#[derive(Default)]
struct Dictionary {
    pairs: Vec<(String, String)>,
    /// Words as they are.
    exact: BTreeMap<String, usize>,
    /// Words without their dots, dashes and capitals, as they stand on labels.
    plain: BTreeMap<String, usize>,
    /// Sentences with gaps: the letters between them, most letters first, and whether those are so few that only
    /// numbers stand in the gaps.
    sentences: Vec<(Vec<String>, usize, bool)>,
}

/// Letters that a sentence with gaps has at least, so that what it is can be told from them.
const TELLING: usize = 4;

/// Those who can own a thing: `attacker.grade` is the attacker's.
const OWNERS: [&str; 9] = [
    "attacker", "defender", "firer", "target", "unit", "screen", "enemy", "a", "b",
];

/// Those whose things are told like flags: `prep.stands`, prep stands.
const OTHERS: [&str; 2] = ["prep", "guns"];

/// Whose a key or a variable is, and what of it: `attacker.grade`, `attacker_loss`.
pub fn owner_of(key: &str) -> Option<(&str, &str)> {
    let parts = key.split_once('.').or_else(|| key.split_once('_'));
    parts.filter(|(owner, _)| OWNERS.contains(owner) || OTHERS.contains(owner))
}

/// A field without the number of a unit in a stack: `morale2` is a morale.
pub fn field_of(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Every owner's sentences: `attacker's {1}`, `attacker {1}`.
pub fn owned() -> Vec<String> {
    let owners = OWNERS
        .iter()
        .flat_map(|owner| [format!("{owner}'s {{1}}"), format!("{owner} {{1}}")]);
    owners
        .chain(OTHERS.iter().map(|owner| format!("{owner} {{1}}")))
        .collect()
}

impl Words {
    /// A dictionary of pairs: a word of the program, and what stands for it.
    pub fn new(words: Vec<(String, String)>) -> Self {
        let mut book = Dictionary::default();
        for (at, (word, _)) in words.iter().enumerate() {
            book.exact.entry(word.clone()).or_insert(at);
            book.plain.entry(plain(word)).or_insert(at);
            let between = letters_between(word);
            let letters = between.iter().flat_map(|part| part.chars());
            match letters.filter(|c| c.is_alphabetic()).count() {
                0 => {}
                _ if between.len() == 1 => {}
                letters => book.sentences.push((between, at, letters < TELLING)),
            }
        }
        let told = |between: &Vec<String>| between.iter().map(String::len).sum::<usize>();
        book.sentences
            .sort_by_key(|(between, ..)| std::cmp::Reverse(told(between)));
        book.pairs = words;
        Words(Arc::new(book))
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.0.pairs.is_empty()
    }

    /// These words, and where they have none those of another dictionary.
    pub(super) fn over(self, base: &Words) -> Self {
        if base.is_empty() {
            return self;
        }
        if self.is_empty() {
            return base.clone();
        }
        let missing = |(word, _): &&(String, String)| self.get(word).is_none();
        let missing = base.0.pairs.iter().filter(missing);
        Words::new(self.0.pairs.iter().chain(missing).cloned().collect())
    }

    /// What stands for a word, if the dictionary has it.
    pub fn get(&self, word: &str) -> Option<&str> {
        self.0.exact.get(word).map(|&at| self.said(at))
    }

    fn said(&self, at: usize) -> &str {
        &self.0.pairs[at].1
    }

    /// A word of print, replaced if the dictionary has it.
    pub fn say(&self, word: &str) -> String {
        self.get(word).unwrap_or(word).to_owned()
    }

    /// A sentence of [`PHRASES`](super::PHRASES), as the dictionary has it or as it is, `{1}`, `{2}` … replaced.
    pub fn tell(&self, phrase: &str, with: &[&str]) -> String {
        fill(self.get(phrase).unwrap_or(phrase), with)
    }

    /// A key that names an amount or a choice: `attacker.grade`, the attacker's grade.
    pub fn key(&self, key: &str) -> String {
        if let Some(said) = self.get(key) {
            return said.to_owned();
        }
        match owner_of(key) {
            Some((owner, of)) if OWNERS.contains(&owner) => {
                self.tell(&format!("{owner}'s {{1}}"), &[&self.field(of)])
            }
            _ => self.flag(key),
        }
    }

    /// A key that is so or not: `defender.flanked`, defender flanked.
    pub fn flag(&self, key: &str) -> String {
        if let Some(said) = self.get(key) {
            return said.to_owned();
        }
        match owner_of(key) {
            Some((owner, of)) => self.tell(&format!("{owner} {{1}}"), &[&self.field(of)]),
            None => self.field(key),
        }
    }

    /// What somebody has: `grade`, and of the second unit of a stack `grade2`.
    fn field(&self, name: &str) -> String {
        let one = field_of(name);
        match (self.get(name), self.get(one)) {
            (Some(said), _) => said.to_owned(),
            (None, Some(said)) => format!("{said} {}", &name[one.len()..]),
            (None, None) => spaced(name),
        }
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
            labels.collect::<Vec<_>>().join(&self.say(" or "))
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
                let name = self.variable(variable);
                let other = self.tell("{1} other than {2}", &[&name, &label]);
                format!("{}: {other}", self.say("chance"))
            }
            Quantity::AtLeast { variable, number } => {
                let name = self.variable(variable);
                let many = self.tell("{1} or more", &[&number.to_string()]);
                format!("{}: {name} {many}", self.say("chance"))
            }
            Quantity::Worth => self.say("value under best play"),
            Quantity::Mean(variable) => self.tell("{1}, mean", &[&self.variable(variable)]),
            Quantity::Sd(variable) => {
                self.tell("{1}, standard deviation", &[&self.variable(variable)])
            }
        }
    }

    /// Text that was put together elsewhere: a word, a key or a label, a sentence with its gaps filled, or several
    /// of them joined by commas or semicolons.
    pub fn text(&self, text: &str) -> String {
        if self.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        // What stands in brackets at the end is a place in a source.
        if let Some((before, source)) = text.split_once(" [").filter(|_| text.ends_with(']')) {
            return format!("{} [{source}", self.text(before));
        }
        if let Some(said) = self.whole(text) {
            return said;
        }
        for joint in ["; ", ", ", "\u{a0}"] {
            if text.contains(joint) {
                let parts = text.split(joint).map(|part| self.text(part));
                return parts.collect::<Vec<_>>().join(joint);
            }
        }
        if let Some(said) = self.listed(text) {
            return said;
        }
        for end in [".", " %", ":"] {
            if let Some(rest) = text.strip_suffix(end).filter(|rest| rest.len() > 1) {
                return self.text(rest) + end;
            }
        }
        text.to_owned()
    }

    /// Several known things in a row: `a, b and c`.
    fn listed(&self, text: &str) -> Option<String> {
        let joints = [" and ", " or "]
            .into_iter()
            .flat_map(|joint| text.match_indices(joint));
        let joined = |(at, joint): (usize, &str)| {
            let most: Option<Vec<String>> = text[..at]
                .split(", ")
                .map(|part| self.whole(part))
                .collect();
            let last = self.whole(&text[at + joint.len()..])?;
            Some(most?.join(", ") + self.get(joint)? + &last)
        };
        joints.into_iter().find_map(joined)
    }

    /// A text that is one word, several in a row, or one sentence.
    fn whole(&self, text: &str) -> Option<String> {
        self.row(text).or_else(|| self.sentence(text))
    }

    /// A word, or a word and a row of them after a comma or a colon: `cover, soft, in a charge`.
    fn row(&self, text: &str) -> Option<String> {
        let joints = [", ", ": "]
            .into_iter()
            .flat_map(|joint| text.match_indices(joint));
        let two = |(at, joint): (usize, &str)| {
            let first = &text[..at];
            let plain = !first.contains([',', ':']);
            let owned = || plain.then(|| self.sentence(first)).flatten();
            let first = self.word(first).or_else(owned)?;
            Some(first + joint + &self.whole(&text[at + joint.len()..])?)
        };
        self.word(text).or_else(|| joints.into_iter().find_map(two))
    }

    /// A text that is one word, or a sentence without gaps.
    fn word(&self, text: &str) -> Option<String> {
        let book = &*self.0;
        if let Some(&at) = book.exact.get(text) {
            return Some(self.said(at).to_owned());
        }
        if let (true, Some((_, of))) = (text.contains('.'), owner_of(text))
            && self.get(field_of(of)).is_some()
        {
            return Some(self.key(text));
        }
        let pair = text.split_once(" = ").map(|pair| (pair, " = "));
        let pair = pair.or_else(|| Some((text.split_once('=')?, ": ")));
        if let Some(((key, value), sign)) = pair
            && !key.is_empty()
            && ![key, value].iter().any(|part| part.contains(' '))
        {
            let value = match value {
                "true" => self.say("yes"),
                "false" => self.say("no"),
                value => self.label(key, value),
            };
            return Some(self.key(key) + sign + &value);
        }
        if let Some(&at) = book.plain.get(&plain(text)) {
            let said = self.said(at).to_owned();
            let is_capital = text.starts_with(char::is_uppercase);
            let was_capital = book.pairs[at].0.starts_with(char::is_uppercase);
            return Some(match is_capital && !was_capital {
                true => capital(&said),
                false => said,
            });
        }
        None
    }

    /// A sentence with its gaps filled.
    fn sentence(&self, text: &str) -> Option<String> {
        let book = &*self.0;
        for (between, at, few) in &book.sentences {
            let begins_low = between[0].starts_with(char::is_lowercase);
            let found = gaps(between, text).map(|gaps| (gaps, false));
            let found = found.or_else(|| {
                let low = begins_low.then(|| uncapital(text))?;
                gaps(between, &low).map(|gaps| (gaps, true))
            });
            let Some((gaps, raised)) = found else {
                continue;
            };
            let is_number = |gap: &String| !gap.contains(char::is_alphabetic);
            if *few && !gaps.iter().all(is_number) {
                continue;
            }
            let gaps: Vec<String> = gaps.iter().map(|gap| self.text(gap)).collect();
            // A sentence may name a gap twice, or in another order: what stands in it goes by its number.
            let numbers = numbers_of(&book.pairs[*at].0);
            let most = numbers.iter().copied().max().unwrap_or(0);
            let mut with = vec![""; most];
            for (number, gap) in numbers.iter().zip(&gaps) {
                with[number - 1] = gap;
            }
            let said = fill(self.said(*at), &with);
            return Some(if raised { capital(&said) } else { said });
        }
        None
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Words").field(&self.0.pairs).finish()
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.0.pairs == other.0.pairs
    }
}

impl Eq for Words {}

/// A word as it stands on a label: without dots, dashes and capitals.
fn plain(word: &str) -> String {
    word.replace(['.', '_', '-'], " ").to_lowercase()
}

/// The letters of a sentence before, between and after its gaps.
fn letters_between(sentence: &str) -> Vec<String> {
    let mut between = vec![String::new()];
    let mut rest = sentence;
    while let Some((before, number, after)) = gap(rest) {
        if let Some(last) = between.last_mut() {
            last.push_str(before);
        }
        between.extend(number.map(|_| String::new()));
        rest = after;
    }
    if let Some(last) = between.last_mut() {
        last.push_str(rest);
    }
    between
}

/// The numbers of a sentence's gaps, in order.
fn numbers_of(sentence: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    let mut rest = sentence;
    while let Some((_, number, after)) = gap(rest) {
        numbers.extend(number);
        rest = after;
    }
    numbers
}

/// What stands before the next gap, its number, and what follows; a brace that opens none has no number.
fn gap(text: &str) -> Option<(&str, Option<usize>, &str)> {
    let at = text.find('{')?;
    let inside = text[at + 1..].split_once('}').and_then(|(number, after)| {
        let number: usize = number.parse().ok()?;
        (number > 0).then_some((number, after))
    });
    Some(match inside {
        Some((number, after)) => (&text[..at], Some(number), after),
        None => (&text[..=at], None, &text[at + 1..]),
    })
}

/// A sentence with its gaps filled.
fn fill(sentence: &str, with: &[&str]) -> String {
    let mut rest = sentence;
    let mut told = String::new();
    while let Some((before, number, after)) = gap(rest) {
        told.push_str(before);
        if let Some(number) = number {
            match with.get(number - 1) {
                Some(text) => told.push_str(text),
                None => told.push_str(&format!("{{{number}}}")),
            }
        }
        rest = after;
    }
    told + rest
}

/// What stands in the gaps, if a text is just this sentence.
fn gaps(between: &[String], text: &str) -> Option<Vec<String>> {
    let [first, middle @ .., last] = between else {
        return None;
    };
    let mut rest = text.strip_prefix(first.as_str())?;
    let mut gaps = Vec::new();
    for letters in middle {
        let at = rest.find(letters.as_str()).filter(|&at| at > 0)?;
        gaps.push(rest[..at].to_owned());
        rest = &rest[at + letters.len()..];
    }
    let end = rest.strip_suffix(last.as_str())?;
    gaps.push(end.to_owned());
    (!end.is_empty()).then_some(gaps)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn uncapital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Variables whose labels need no further word: an outcome that is `won` is won.
fn is_headline(variable: &str) -> bool {
    ["outcome", "result", "effect", "winner", "end", "condition"].contains(&variable)
}

fn spaced(key: &str) -> String {
    key.replace(['.', '_'], " ")
}
