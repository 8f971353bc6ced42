//! What is printed, kept as it was last found good. Few on purpose: wording is free to improve.
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test --release --test program golden`,
//! then read the difference in tests/program/snapshots before it is committed.

use crate::program::Work;
use serde_json::Value;

fn printed(words: &str) -> String {
    Work::new().run(words).good().to_owned()
}

/// Numbers to twelve digits and no version: a sum in another order, or a release, changes nothing.
fn steady(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let twelve = format!("{:.12}", number.as_f64().expect("a float"));
            Value::from(twelve.parse::<f64>().expect("a float"))
        }
        Value::Array(items) => items.into_iter().map(steady).collect(),
        Value::Object(entries) => entries
            .into_iter()
            .map(|(key, value)| {
                let value = if key == "version" {
                    "VERSION".into()
                } else {
                    steady(value)
                };
                (key, value)
            })
            .collect(),
        other => other,
    }
}

#[test]
fn the_list_of_rules() {
    insta::assert_snapshot!(printed("rules"));
}

#[test]
fn the_page_of_a_ruleset() {
    insta::assert_snapshot!(printed("rules elephant"));
}

#[test]
fn the_page_of_a_procedure() {
    insta::assert_snapshot!(printed("rules elephant charge"));
}

#[test]
fn the_printed_tables() {
    insta::assert_snapshot!(printed("rules elephant --tables"));
}

#[test]
fn the_odds_of_a_charge_stage_by_stage() {
    insta::assert_snapshot!(printed("odds elephant charge --stages"));
}

#[test]
fn the_odds_of_a_charge_as_json() {
    let json = printed("odds elephant charge --stages --format json");
    let json = steady(serde_json::from_str(&json).expect("JSON"));
    insta::assert_snapshot!(format!("{json:#}"));
}

#[test]
fn the_help() {
    insta::assert_snapshot!(printed("--help"));
}

#[test]
fn the_help_of_odds() {
    insta::assert_snapshot!(printed("odds --help"));
}
