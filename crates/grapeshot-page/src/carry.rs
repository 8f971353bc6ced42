//! The fight is what stays: the same two units in another question, or in other rules.
//!
//! Questions of one ruleset call the same thing by names of their own (`attacker`, `firer`, `a`); its fights say
//! which are the same. What the other question has no use for is not lost: it travels in the link, under the
//! name that fights have for it, until a question asks for it.

use super::ask::{Asked, Asking};
use super::link::{Ask, address};
use super::server::Pages;
use grapeshot_rules::fight::{Language, Side};
use grapeshot_rules::{Given, Procedure, Value};

/// What a question says of a fight, under the names that fights have.
fn told(asked: &Asked, language: &Language) -> Vec<(Vec<String>, String)> {
    let procedure = asked.procedure();
    let changed = asked.changed_settings().into_iter().map(|(key, value)| {
        let mut names = language.names(&procedure.name, &key, Side::Attacker);
        names.push(key);
        (names, value.to_string())
    });
    let also = asked.ask.also.iter().filter_map(|also| {
        let (name, value) = also.split_once('=')?;
        Some((vec![name.to_owned()], value.to_owned()))
    });
    changed.chain(also).collect()
}

/// The same fight in the words of another procedure of the same ruleset, and what it has no word for.
fn heard(
    told: &[(Vec<String>, String)],
    language: &Language,
    procedure: &Procedure,
) -> (Given, Vec<String>) {
    let (mut given, mut also): (Given, Vec<String>) = (Vec::new(), Vec::new());
    for (names, text) in told {
        let mut used = false;
        for setting in &procedure.settings {
            let mut own = language.names(&procedure.name, &setting.key, Side::Attacker);
            own.push(setting.key.clone());
            let Some(name) = own.iter().find(|name| names.contains(name)) else {
                continue;
            };
            let Ok(value) = language.value(setting, name, text) else {
                continue;
            };
            let mut with = given.clone();
            with.push((setting.key.clone(), Value::from(&value)));
            if procedure.resolve(with.clone()).is_ok() {
                given = with;
                used = true;
            }
        }
        if !used {
            also.push(format!("{}={text}", names[0]));
        }
    }
    (given, also)
}

/// The address of another question about the same fight.
pub(super) fn link(pages: &Pages, asked: &Asked, asking: &Asking) -> String {
    let loaded = &asked.loaded;
    let path = format!("/{}/{asking}", asked.rules);
    let decision;
    let procedure = match loaded.procedure(&asking.name) {
        Ok(procedure) if !asking.is_decision() => procedure,
        _ => match loaded.decision(&asking.name) {
            Ok(found) => {
                decision = found;
                &decision.procedure
            }
            Err(_) => return path,
        },
    };
    let language = pages.language(loaded);
    let (given, also) = heard(&told(asked, &language), &language, procedure);
    let Ok(settings) = procedure.resolve(given) else {
        return path;
    };
    let ask = Ask {
        also,
        ..asked.ask.plainly()
    };
    ask.link(&path, procedure, &settings)
}

/// The same fight in another ruleset, if it has a word for it; else that ruleset's own page.
pub(super) fn link_in(pages: &Pages, asked: &Asked, rules: &str) -> String {
    let own = asked.rules.as_str();
    let found = asked.settings().and_then(|settings| {
        let fight = (pages.interpreter()).recognise(own, &asked.procedure().name, settings)?;
        let words = (pages.interpreter()).in_words_of(rules, fight.kind, &fight.given);
        words.ok()
    });
    match found {
        Some((name, said)) if rules != own => address(&format!("/{rules}/{name}"), said),
        _ => format!("/{rules}"),
    }
}
