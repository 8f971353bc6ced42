//! The printed rules replayed by hand, on scripted dice.
//!
//! Every replay goes in by the front door: settings as a user types them, resolved against the
//! schema, built, and played on dice that show exactly what the test says. A reading too many or
//! too few fails the test, so a replay also says which rolls are made and which are not.
//!
//! The fire columns are numbered here by their printed headings: 0+ 3+ 6+ 10+ 15+ 21+ 28+ 36+ 45+
//! 55+; the combat columns by their odds: 1:3 1:2 2:3 1:1 3:2 2:1 3:1 4:1 6:1 8:1.

mod advance;
mod agreement;
mod battle;
mod cavalry;
mod charge;
mod fire;
mod firefight;
mod melee;
mod morale;
mod opportunity;
mod optional;
mod preparation;
mod rally;
mod refusals;
mod screen;
mod several;
mod staff;
mod standoff;
mod tables;

use crate::{LoadedRuleset, RuleError};
use grapeshot_engine::dice::Scripted;
use std::sync::LazyLock;

/// The ruleset as printed, loaded once for all tests.
fn elephant() -> &'static LoadedRuleset {
    static ELEPHANT: LazyLock<LoadedRuleset> = LazyLock::new(|| {
        crate::find("elephant")
            .and_then(|ruleset| ruleset.load(&[]))
            .expect("the printed tables load")
    });
    &ELEPHANT
}

/// Plays one trial of `procedure` with `settings` (`key=value` words) on dice that show `readings`.
/// Returns the values of its variables and, in brackets, the phase in which it ended.
fn replay(procedure: &str, settings: &str, readings: &[i32]) -> String {
    let loaded = elephant();
    let procedure = loaded.procedure(procedure).expect("a procedure");
    let settings = procedure
        .resolve(words(settings))
        .expect("settings that exist");
    let play = (procedure.build)(&settings).expect("settings that fit together");
    let mut dice = Scripted::new(readings.iter().copied());
    let end = play.replay(&mut dice);
    dice.finish();
    let values: Vec<String> = procedure
        .variables
        .iter()
        .zip(end.row)
        .map(|(variable, value)| variable.label(value))
        .collect();
    let phases = play.phases();
    let phase = phases.get(usize::from(end.phase)).unwrap_or(&"time is up");
    format!("{} [{phase}]", values.join(" "))
}

/// The same with its first `count` values only: those a test is about.
fn replay_first(count: usize, procedure: &str, settings: &str, readings: &[i32]) -> String {
    let whole = replay(procedure, settings, readings);
    let (values, phase) = whole.split_once(" [").expect("values and a phase");
    let values: Vec<&str> = values.split(' ').take(count).collect();
    format!("{} [{phase}", values.join(" "))
}

/// Why the rules refuse these settings.
fn refusal(procedure: &str, settings: &str) -> String {
    let loaded = elephant();
    let procedure = loaded.procedure(procedure).expect("a procedure");
    let settings = procedure
        .resolve(words(settings))
        .expect("settings that exist");
    match (procedure.build)(&settings) {
        Err(refused @ RuleError::Refused { .. }) => refused.to_string(),
        Err(other) => panic!("refused for another reason: {other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn words(settings: &str) -> Vec<(&str, &str)> {
    settings
        .split_whitespace()
        .map(|word| word.split_once('=').expect("key=value"))
        .collect()
}
