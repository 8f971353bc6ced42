//! What a program may say beside the settings, by what it asks: the options of the command line, as far as they
//! are for strangers. What the command line would refuse is refused here, and by the same words.

use super::limits;
use super::link::Ask;
use grapeshot_engine::engine::{Method, Stop};
use grapeshot_rules::{Options, RuleError};
#[cfg(feature = "field")]
use grapeshot_study::condense::{A_DIE, faces};
use grapeshot_study::luck::Worse;

/// What an option takes.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// Nothing: it is said or not.
    Nothing,
    /// One of these words.
    One(&'static [&'static str]),
    /// A whole number in this range.
    Whole(u64, u64),
    /// A text that this takes, which is called so.
    Such(fn(&str) -> bool, &'static str),
    /// Any text.
    Text,
}

const METHOD: (&str, Takes) = ("method", Takes::One(&["auto", "exact", "simulate"]));
const TRIALS: (&str, Takes) = ("trials", Takes::Whole(1, limits::MOST_TRIALS));
const SEED: (&str, Takes) = ("seed", Takes::Whole(0, u64::MAX));
const OF: (&str, Takes) = ("of", Takes::Text);

/// The options of each question of a program. They are those of the command line, which knows more: a test of the program
/// holds each to its own.
pub fn known(command: &str) -> &'static [(&'static str, Takes)] {
    match command {
        "odds" => &[
            ("stages", Takes::Nothing),
            ("joint", Takes::Nothing),
            METHOD,
            TRIALS,
            SEED,
        ],
        "decide" => &[("plan", Takes::Text)],
        "luck" => &[
            ("got", Takes::Text),
            ("did", Takes::Text),
            ("worse", Takes::One(&["more", "fewer"])),
            METHOD,
            TRIALS,
            SEED,
        ],
        "what-if" | "field" => &[OF],
        "weigh" => &[("over", Takes::Text), OF],
        #[cfg(feature = "field")]
        "condense" => &[
            ("die", Takes::Such(|die| faces(die).is_some(), A_DIE)),
            ("rows", Takes::Text),
            ("columns", Takes::Text),
            OF,
            ("modifiers", Takes::Nothing),
        ],
        _ => &[],
    }
}

/// Refuses an option that the command does not have, or a value that the option does not take.
///
/// # Errors
/// If there is one.
pub(super) fn check(command: &str, ask: &Ask) -> Result<(), RuleError> {
    let said = ask.options.iter().map(|(k, v)| (k.as_str(), v.as_str()));
    let said = said.chain(ask.plan.iter().map(|plan| ("plan", plan.as_str())));
    let said = said.chain(ask.got.iter().map(|got| ("got", got.as_str())));
    let said = said.chain(ask.did.iter().map(|did| ("did", did.as_str())));
    for (name, value) in said {
        let known = known(command);
        let Some((_, takes)) = known.iter().find(|(option, _)| *option == name) else {
            let names = known.iter().map(|(option, _)| *option);
            return Err(RuleError::unknown(
                format!("option of {command}"),
                name,
                names,
            ));
        };
        let (fits, allowed) = match *takes {
            Takes::Nothing => (
                value.is_empty(),
                format!("nothing: `{name}` is said or not"),
            ),
            Takes::One(words) => (words.contains(&value), words.join(" | ")),
            Takes::Whole(least, most) => {
                let number = value.parse::<u64>().ok();
                let fits = number.is_some_and(|n| (least..=most).contains(&n));
                (fits, format!("a whole number from {least} to {most}"))
            }
            Takes::Such(fits, allowed) => (fits(value), allowed.to_owned()),
            Takes::Text => (true, String::new()),
        };
        if !fits {
            return Err(RuleError::Value {
                key: name.into(),
                given: value.into(),
                allowed,
                meant: None,
            });
        }
    }
    Ok(())
}

/// What was said of an option last.
pub(super) fn said<'a>(ask: &'a Ask, name: &str) -> Option<&'a str> {
    let mut named = ask.options.iter().rev().filter(|(known, _)| known == name);
    named.next().map(|(_, value)| value.as_str())
}

/// The trials that were asked for, if any.
pub(super) fn trials(ask: &Ask) -> Option<u64> {
    said(ask, "trials")?.parse().ok()
}

/// What counts as worse.
pub(super) fn worse(ask: &Ask) -> Option<Worse> {
    match said(ask, "worse")? {
        "more" => Some(Worse::More),
        "fewer" => Some(Worse::Fewer),
        _ => None,
    }
}

/// How it is answered: as usual, but for what was said, which was checked.
pub(super) fn answering(ask: &Ask, mut options: Options) -> Options {
    options.method = match said(ask, "method") {
        Some("exact") => Method::Exact,
        Some("simulate") => Method::Simulate,
        _ => options.method,
    };
    if let Some(trials) = trials(ask) {
        options.stop = Stop::Trials(trials);
    }
    let seed = said(ask, "seed").and_then(|seed| seed.parse().ok());
    options.seed = seed.unwrap_or(options.seed);
    options
}
