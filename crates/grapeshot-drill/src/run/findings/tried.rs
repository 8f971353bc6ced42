//! What never happened in many questions: modifiers that could not count, stages in which nothing could be rolled.

use crate::message::Message;
use crate::program::{KeyAlternative, ModifierName, ModifiersId, Procedure, StmtKind, walk};
use crate::run::Rules;
use crate::run::direct::stage_names;
use crate::run::reads::Read;
use crate::source::Span;
use grapeshot_engine::engine::splitmix64;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// So many questions with several keys changed are asked of a procedure, beside one for every value of every key.
const QUESTIONS: u64 = 150;
/// No more values of one key are tried.
const MOST_VALUES: usize = 12;

pub(super) fn found(rules: &Rules) -> Vec<Message> {
    let program = rules.program();
    let mut counted: BTreeSet<Read> = BTreeSet::new();
    let mut entered: FxHashSet<String> = FxHashSet::default();
    let mut tried = 0;
    for procedure in &program.procedures {
        if procedure.simulated {
            continue;
        }
        for given in questions(procedure) {
            let given: Vec<(&str, &str)> = given
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect();
            if let Some((read, stages)) = rules.could_happen(procedure, &given) {
                counted.extend(read);
                entered.extend(stages);
                tried += 1;
            }
        }
    }
    let mut found = Vec::new();
    if tried == 0 {
        return found;
    }
    for (at, list) in program.modifiers.iter().enumerate() {
        let solved = |by: &crate::program::ProcedureId| !program[*by].simulated;
        if !list.reached_by.iter().any(solved) {
            continue;
        }
        for (number, entry) in list.entries.iter().enumerate() {
            let id = ModifiersId(at as u32);
            if !counted.contains(&Read::Modifier(id, number)) {
                let name = match &entry.name {
                    ModifierName::Fixed(name) => name.to_string(),
                    ModifierName::Of(of) => program.sources.text(program[*of].span).to_owned(),
                };
                let title = format!(
                    "`{name}` of `{}` counted in none of the {tried} questions that were tried",
                    list.name
                );
                found.push(Message::warning(entry.span, title));
            }
        }
    }
    for (names, span) in stages(rules) {
        if names.iter().all(|name| !entered.contains(name)) {
            let title = format!(
                "nothing is rolled in this stage in any of the {tried} questions that were tried"
            );
            found.push(Message::warning(span, title));
        }
    }
    found
}

/// Every stage of the text that is not within another, with all names it can have.
fn stages(rules: &Rules) -> Vec<(Vec<String>, Span)> {
    let program = rules.program();
    let mut all = Vec::new();
    for procedure in program.procedures.iter().filter(|procedure| !procedure.simulated) {
        walk::statements(&procedure.body, &mut |stmt| {
            if let StmtKind::Stage(name, _) = &stmt.kind {
                all.push((stage_names(rules, procedure, name), stmt.span));
            }
        });
    }
    all
}

/// Questions of a procedure: as it is, every value of every key alone, then several keys changed at once.
fn questions(procedure: &Procedure) -> Vec<Vec<(String, String)>> {
    let values: Vec<(String, Vec<String>)> = procedure
        .keys
        .iter()
        .map(|key| {
            let mut values = Vec::new();
            for alternative in &key.kind {
                match alternative {
                    KeyAlternative::Flag => values.extend(["true".to_owned(), "false".to_owned()]),
                    KeyAlternative::Word(word, _) => values.push(word.to_string()),
                    KeyAlternative::Number { low, high, .. } => {
                        let (low, high) = (low.ceil().to_integer(), high.floor().to_integer());
                        let some = [low, low + 1, low + 2, (low + high) / 2, high];
                        let within = some.into_iter().filter(|n| (low..=high).contains(n));
                        values.extend(within.map(|n| n.to_string()));
                    }
                }
            }
            values.truncate(MOST_VALUES);
            (key.name.to_string(), values)
        })
        .collect();
    let mut all = vec![Vec::new()];
    for (key, values) in &values {
        let alone = values.iter().map(|value| vec![(key.clone(), value.clone())]);
        all.extend(alone);
    }
    let mut seed = 1863;
    let mut below = |n: usize| {
        seed = splitmix64(seed);
        (seed % n.max(1) as u64) as usize
    };
    for _ in 0..QUESTIONS {
        let share = 1 + below(5);
        let mut given = Vec::new();
        for (key, values) in &values {
            if below(8) < share && !values.is_empty() {
                given.push((key.clone(), values[below(values.len())].clone()));
            }
        }
        all.push(given);
    }
    all
}
