//! Exact figures, worked out independently from the printed sources in exact fractions.
//!
//! Every file `tests/data/RULES.json` is a list of cases: settings, and for each variable the
//! probability of each value. A value that is not listed has probability 0. The library must agree
//! to 1e-9 (the figures are written with sixteen digits; what is left is rounding).

use crate::files::of_the_project;
use grapeshot_engine::dist::Marginal;
use grapeshot_rules::Options;
use serde_json::Value;
use std::collections::BTreeMap;

const TOLERANCE: f64 = 1e-9;

/// A value as a key: numbers to nine digits, so that 1/13 is 1/13 however it is written.
fn key(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) => format!("{number:.8e}"),
        Err(_) => text.to_owned(),
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What is wrong with one case; nothing if it agrees.
fn disagreements(case: &Value) -> Result<Vec<String>, String> {
    let text = |name: &str| case[name].as_str().ok_or(format!("no {name}"));
    let loaded = grapeshot_rules::find(text("rules")?)
        .and_then(|ruleset| ruleset.load(&[]))
        .map_err(|error| error.to_string())?;
    let procedure = loaded
        .procedure(text("procedure")?)
        .map_err(|error| error.to_string())?;
    let given = case["settings"].as_object().ok_or("no settings")?;
    let given = given.iter().map(|(key, value)| (key, written(value)));
    let settings = procedure
        .resolve(given)
        .map_err(|error| error.to_string())?;
    let answered = procedure
        .answer(&settings, &Options::exact())
        .map_err(|error| error.to_string())?;
    let odds = answered.odds;
    let mut wrong = Vec::new();
    for (name, expected) in case["expect"].as_object().ok_or("nothing expected")? {
        let Some(marginal) = odds.marginal(name) else {
            wrong.push(format!("there is no variable {name}"));
            continue;
        };
        for (value, (want, got)) in paired(expected, &marginal)? {
            if (want - got).abs() > TOLERANCE {
                wrong.push(format!("{name}={value}: want {want}, got {got}"));
            }
        }
    }
    Ok(wrong)
}

fn paired(expected: &Value, got: &Marginal) -> Result<BTreeMap<String, (f64, f64)>, String> {
    let mut all: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (value, p) in expected.as_object().ok_or("not a table of values")? {
        let p = p.as_f64().ok_or("a probability that is no number")?;
        all.entry(key(value)).or_default().0 += p;
    }
    for value in got.values() {
        all.entry(key(&value.label)).or_default().1 += value.p;
    }
    Ok(all)
}

fn check(rules: &str) {
    let path = of_the_project(&format!("tests/data/{rules}.json"));
    let text = std::fs::read_to_string(&path).expect("a file of cases");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    assert!(!cases.is_empty(), "{rules} has no cases");
    let known = grapeshot_rules::find(rules);
    assert!(known.is_ok(), "{rules} has cases and is no ruleset");
    let mut wrong = Vec::new();
    for case in &cases {
        let id = case["id"].as_str().unwrap_or("a case without id");
        match disagreements(case) {
            Ok(lines) => wrong.extend(lines.into_iter().map(|line| format!("{id}: {line}"))),
            Err(error) => wrong.push(format!("{id}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn elephant_agrees_with_the_worked_cases() {
    check("elephant");
}

#[test]
fn gbacw_agrees_with_the_worked_cases() {
    check("gbacw");
}

#[test]
fn acw28_agrees_with_the_worked_cases() {
    check("acw28");
}

#[test]
fn impact_agrees_with_the_worked_cases() {
    check("impact");
}

#[test]
fn fireline_agrees_with_the_worked_cases() {
    check("fireline");
}

#[test]
fn common_agrees_with_the_worked_cases() {
    check("common");
}

#[test]
fn every_file_of_cases_is_checked() {
    let folder = of_the_project("tests/data");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder of cases")
        .map(|entry| entry.expect("a file").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".json"))
        .collect();
    files.sort();
    assert_eq!(
        files.join(" "),
        "acw28.json common.json elephant.json fireline.json gbacw.json impact.json"
    );
}
