//! What never happened in many questions: modifiers that could not count, stages in which nothing could be rolled.

use super::hint;
use crate::message::Message;
use crate::program::{KeyAlternative, ModifierName, ModifiersId, Procedure, StmtKind, walk};
use crate::run::Rules;
use crate::run::direct::stage_names;
use crate::run::reads::Read;
use crate::source::Span;
use grapeshot_engine::engine::{look_up, splitmix64};
use std::collections::{BTreeMap, BTreeSet};

/// So many questions are asked of a procedure at most, beside one for every value of every key.
const QUESTIONS: usize = 400;
/// No more values of one key are tried.
const MOST_VALUES: usize = 8;
/// When so many instructions were written out for a procedure, it has been asked enough.
const MOST_CODE: usize = 150_000;

/// What has not been seen to happen.
struct Unseen {
    modifiers: BTreeSet<Read>,
    /// Stages: all names each can have.
    stages: Vec<(Vec<String>, Span)>,
}

impl Unseen {
    fn of(rules: &Rules, at: usize) -> Self {
        let program = rules.program();
        let mut unseen = Unseen {
            modifiers: BTreeSet::new(),
            stages: stages(rules, &program.procedures[at]),
        };
        for (list, of) in program.modifiers.iter().enumerate() {
            if of.reached_by.iter().any(|by| by.at() == at) {
                let entries = 0..of.entries.len();
                let id = ModifiersId(list as u32);
                unseen
                    .modifiers
                    .extend(entries.map(|entry| Read::Modifier(id, entry)));
            }
        }
        unseen
    }

    fn see(&mut self, read: &BTreeSet<Read>, entered: &[String]) {
        self.modifiers.retain(|entry| !read.contains(entry));
        self.stages
            .retain(|(names, _)| !names.iter().any(|name| entered.contains(name)));
    }

    /// One of the modifiers that were not seen.
    fn any(&self, number: usize) -> Option<Read> {
        let at = number % self.modifiers.len().max(1);
        self.modifiers.iter().nth(at).copied()
    }

    fn is_empty(&self) -> bool {
        self.modifiers.is_empty() && self.stages.is_empty()
    }
}

pub(super) fn found(rules: &Rules) -> Vec<Message> {
    let program = rules.program();
    let mut tried = 0;
    let mut never: Option<BTreeSet<Read>> = None;
    let mut seen: BTreeSet<Read> = BTreeSet::new();
    let mut found = Vec::new();
    for (at, procedure) in program.procedures.iter().enumerate() {
        if procedure.simulated {
            continue;
        }
        let mut unseen = Unseen::of(rules, at);
        let all = unseen.modifiers.clone();
        // What another procedure has shown to count is no longer looked for.
        unseen.modifiers.retain(|entry| !seen.contains(entry));
        tried += ask(rules, procedure, &mut unseen);
        seen.extend(all.difference(&unseen.modifiers));
        never.get_or_insert_default().extend(unseen.modifiers);
        for (_, span) in unseen.stages {
            let title = "nothing was rolled in this stage in any of the questions that were tried";
            found.push(Message::warning(span, title));
        }
    }
    for read in never.unwrap_or_default() {
        let Read::Modifier(list, entry) = read else {
            continue;
        };
        if seen.contains(&read) {
            continue;
        }
        let entry = &program[list].entries[entry];
        let name = match &entry.name {
            ModifierName::Fixed(name) => name.to_string(),
            ModifierName::Of(of) => program.sources.text(program[*of].span).to_owned(),
        };
        let title = format!(
            "`{name}` of `{}` counted in none of the {tried} questions that were tried",
            program[list].name
        );
        found.push(Message::warning(entry.span, title));
    }
    found
}

/// Asks a procedure until everything was seen to happen, or it has been asked enough; says how many were answered.
fn ask(rules: &Rules, procedure: &Procedure, unseen: &mut Unseen) -> usize {
    let values = values(procedure);
    let mut answered: Vec<Vec<(String, String)>> = Vec::new();
    let mut written = 0;
    let mut hints = BTreeMap::new();
    let mut seed = 1863;
    let mut below = |n: usize| {
        seed = splitmix64(seed);
        (seed % n.max(1) as u64) as usize
    };
    let alone = values.iter().flat_map(|(key, values)| {
        let some = values.iter().take(MOST_VALUES);
        some.map(|value| vec![(key.clone(), value.clone())])
    });
    let mut first = std::iter::once(Vec::new()).chain(alone);
    for _ in 0.. {
        look_up();
        if unseen.is_empty() || written > MOST_CODE {
            break;
        }
        let given = match first.next() {
            Some(given) => given,
            None if answered.is_empty() || answered.len() > QUESTIONS => break,
            // From one that was answered, a few keys changed: most others are refused.
            None => {
                written += 10;
                let mut given = answered[below(answered.len())].clone();
                let mut change: Vec<usize> = Vec::new();
                // What the condition of a modifier that was not seen reads, as often as not.
                if let Some(wanted) = unseen.any(below(1000)) {
                    let of_it = hints.entry(wanted).or_insert_with(|| {
                        hint::keys_that_matter(rules.program(), procedure, wanted)
                    });
                    change.extend(of_it.iter().filter(|_| below(2) == 0));
                }
                change.extend((0..=below(3)).map(|_| below(values.len())));
                for key in change {
                    let (key, values) = &values[key];
                    given.retain(|(known, _)| known != key);
                    if !values.is_empty() {
                        given.push((key.clone(), values[below(values.len())].clone()));
                    }
                }
                given
            }
        };
        let borrowed: Vec<(&str, &str)> = given
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        if let Some((read, stages, code)) = rules.could_happen(procedure, &borrowed) {
            unseen.see(&read, &stages);
            written += code;
            answered.push(given);
        }
    }
    answered.len()
}

/// Every stage of a procedure's own text, with all names it can have.
fn stages(rules: &Rules, procedure: &Procedure) -> Vec<(Vec<String>, Span)> {
    let mut all = Vec::new();
    walk::statements(&procedure.body, &mut |stmt| {
        if let StmtKind::Stage(name, _) = &stmt.kind {
            all.push((stage_names(rules, procedure, name), stmt.span));
        }
    });
    all
}

/// Values to try of every key.
fn values(procedure: &Procedure) -> Vec<(String, Vec<String>)> {
    let each = procedure.keys.iter().map(|key| {
        let mut values = Vec::new();
        for alternative in &key.kind {
            match alternative {
                KeyAlternative::Flag => values.extend(["true".to_owned(), "false".to_owned()]),
                KeyAlternative::Word(word, _) => values.push(word.to_string()),
                KeyAlternative::Number { low, high, .. } => {
                    let (low, high) = (low.ceil().to_integer(), high.floor().to_integer());
                    let span = high - low;
                    let some = [
                        0,
                        1,
                        2,
                        3,
                        span / 2,
                        span,
                        5,
                        8,
                        span / 4,
                        span / 10,
                        span / 30,
                    ]
                    .map(|above| low + above);
                    let within = some.into_iter().filter(|n| (low..=high).contains(n));
                    let mut within: Vec<i64> = within.collect();
                    within.dedup();
                    values.extend(within.into_iter().map(|n| n.to_string()));
                }
            }
        }
        (key.name.to_string(), values)
    });
    each.collect()
}
