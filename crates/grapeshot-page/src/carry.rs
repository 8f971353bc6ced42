//! The fight is what stays: the same two units in another question, or in other rules.
//!
//! Questions of one ruleset call the same thing by names of their own (`attacker`, `firer`, `a`); its fights say
//! which are the same. What the other question has no use for is not lost: it travels in the link, under the
//! name that fights have for it, until a question asks for it.

use super::ask::{Asked, Asking};
use super::link::{Ask, address};
use super::server::Pages;
use grapeshot_rules::fight::{Language, Side};
use grapeshot_rules::{Given, LoadedRuleset, Procedure, Value};

/// What is said of a fight: the names it goes by, the best first, and the value.
type Said = (Vec<String>, String);

/// What a question says of a fight, under the names that fights have, with these keys set to something else.
fn told(asked: &Asked, set: &[(String, Value)]) -> Vec<Said> {
    let (procedure, language) = (asked.procedure(), asked.language());
    let names = |key: &str| {
        let mut names = language.names(&procedure.name, key, Side::Attacker);
        names.push(key.to_owned());
        names
    };
    let mut said: Vec<Said> = (asked.changed_settings().into_iter())
        .map(|(key, value)| (names(&key), value.to_string()))
        .collect();
    for also in &asked.ask.also {
        let Some((name, text)) = also.split_once('=') else {
            continue;
        };
        let mut settings = procedure.settings.iter();
        let here = settings.find(|setting| names(&setting.key).iter().any(|own| own == name));
        if let Some(setting) = here {
            // It was put into other words here: it holds as long as nobody has said anything else.
            let now = asked
                .settings()
                .and_then(|settings| settings.find(&setting.key));
            let put = language.value(setting, name, text).ok();
            if now.map(ToString::to_string) != put {
                continue;
            }
            said.retain(|(names, _)| !names.iter().any(|own| own == name));
        }
        said.push((vec![name.to_owned()], text.to_owned()));
    }
    for (key, value) in set {
        let names = names(key);
        said.retain(|(known, _)| !known.iter().any(|name| names.contains(name)));
        said.push((names, value.to_string()));
    }
    said
}

/// What another question has left in the link under the names of this key.
pub(super) fn also(asked: &Asked, key: &str) -> Option<String> {
    let names = asked
        .language()
        .names(&asked.procedure().name, key, Side::Attacker);
    let mut also = asked
        .ask
        .also
        .iter()
        .filter_map(|also| also.split_once('='));
    also.find_map(|(name, text)| names.iter().any(|own| own == name).then(|| text.to_owned()))
}

/// The same fight in the words of another procedure of the same ruleset, and what it has no word for.
fn heard(told: &[Said], language: &Language, procedure: &Procedure) -> (Given, Vec<String>) {
    let (mut given, mut also): (Given, Vec<String>) = (Vec::new(), Vec::new());
    if told.is_empty() {
        return (given, also);
    }
    let own = procedure.settings.iter().map(|setting| {
        let mut own = language.names(&procedure.name, &setting.key, Side::Attacker);
        own.push(setting.key.clone());
        (setting, own)
    });
    let own: Vec<_> = own.collect();
    for (names, text) in told {
        // What is said here in other words stays as it was said.
        let (mut used, mut meant) = (false, false);
        for (setting, own) in &own {
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
                meant |= value == *text;
            }
        }
        if !used || !meant {
            also.push(format!("{}={text}", names[0]));
        }
    }
    (given, also)
}

/// The address of another question about the same fight.
pub(super) fn link(asked: &Asked, asking: &Asking) -> String {
    let found = link_after(asked, asking, &[]);
    found.unwrap_or_else(|| format!("/{}/{asking}", asked.rules))
}

/// The address of a question about what is left of the units, these keys being something else now; none if it cannot be
/// asked.
pub(super) fn link_after(
    asked: &Asked,
    asking: &Asking,
    set: &[(String, Value)],
) -> Option<String> {
    let loaded = &asked.loaded;
    let path = format!("/{}/{asking}", asked.rules);
    let decision;
    let procedure = match loaded.procedure(&asking.name) {
        Ok(procedure) if !asking.is_decision() => procedure,
        _ => {
            decision = loaded.decision(&asking.name).ok()?;
            &decision.procedure
        }
    };
    let (given, also) = heard(&told(asked, set), asked.language(), procedure);
    let settings = procedure.resolve(given).ok()?;
    let ask = Ask {
        also,
        ..asked.ask.plainly()
    };
    Some(ask.link(&path, procedure, &settings))
}

/// The same fight in every ruleset that has a word for it; of any other its own page.
pub(super) fn links_in<'a>(
    pages: &'a Pages,
    asked: &'a Asked,
) -> impl Iterator<Item = (&'a LoadedRuleset, String)> {
    let own = asked.rules.as_str();
    let fight = asked.settings().and_then(|settings| {
        (pages.interpreter()).recognise(own, &asked.procedure().name, settings)
    });
    pages.books().iter().map(move |book| {
        let rules = book.id();
        let words = fight.as_ref().filter(|_| rules != own).and_then(|fight| {
            (pages.interpreter())
                .in_words_of(rules, fight.kind, &fight.given)
                .ok()
        });
        let link = match words {
            Some((name, said)) => address(&format!("/{rules}/{name}"), said),
            None => format!("/{rules}"),
        };
        (&**book, link)
    })
}
