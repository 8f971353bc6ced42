//! The largest question of every procedure: how many states, how long, how much memory.
//!
//! It measures, so it is not part of a test run. `docs/trust.md` has the table that it prints:
//! `cargo test --release --test program largest -- --ignored --nocapture`; `GRAPESHOT_PROGRAM` names another program to ask.

use crate::program::program;
use grapeshot_engine::engine::{Budget, CompileError};
use grapeshot_rules::{Given, Procedure, Registry, Setting, SettingKind, Value};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// States up to which settings are compared by how many they give; beyond, larger is larger.
const COMPARED: usize = 3_000;
/// Memory that no question may need with the usual `--max-states`, in megabytes.
const MOST_MEMORY: u64 = 600;

/// How many states a question has, up to a budget; none if the rules refuse it.
fn states(procedure: &Procedure, given: &Given, budget: usize) -> Option<usize> {
    let settings = procedure.resolve(given.iter().cloned()).ok()?;
    let play = (procedure.build)(&settings).ok()?;
    match play.compile(Budget { states: budget }) {
        Ok(graph) => Some(graph.states()),
        Err(CompileError::TooLarge { .. }) => Some(budget),
        // Played out: as large as its units are many.
        Err(_) => Some(0),
    }
}

/// The greatest and the least number a setting takes.
fn ends(kind: &SettingKind) -> Vec<Value> {
    match kind.numbers() {
        Some((true, least, most)) => vec![Value::Whole(most as i64), Value::Whole(least as i64)],
        Some((false, least, most)) => vec![Value::Real(most), Value::Real(least)],
        None => Vec::new(),
    }
}

/// Settings, each at the end of its range that gives more states, the greater one where both give the same.
/// What the rules refuse together with the others stays as it is.
fn largest(procedure: &Procedure) -> Given {
    let forward: Vec<&Setting> = procedure.settings.iter().collect();
    let backward = forward.iter().rev().copied().collect();
    let found = [forward, backward].map(|order| climbed(procedure, &order));
    let more = found
        .into_iter()
        .max_by_key(|given| states(procedure, given, 10 * COMPARED));
    more.expect("two")
}

fn climbed(procedure: &Procedure, order: &[&Setting]) -> Given {
    let mut given = Given::new();
    let mut most = states(procedure, &given, COMPARED).expect("defaults");
    for setting in order {
        for end in ends(&setting.kind) {
            let mut tried = given.clone();
            tried.push((setting.key.clone(), end));
            if let Some(found) = states(procedure, &tried, COMPARED)
                && found >= most
            {
                (given, most) = (tried, found);
                break;
            }
        }
    }
    given
}

/// How long the program took, the most memory it had in megabytes, and what it printed.
fn measured(words: &[String]) -> (Duration, u64, String) {
    let out = tempfile::NamedTempFile::new().expect("a file");
    let began = Instant::now();
    let mut child = program()
        .args(words)
        .stdout(Stdio::from(out.reopen().expect("a file")))
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    while child.try_wait().expect("a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        memory = memory.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let text = std::fs::read_to_string(out.path()).expect("text");
    (began.elapsed(), memory / 1024, text)
}

#[test]
#[ignore = "measures for minutes; cargo test --release --test program largest -- --ignored --nocapture"]
fn every_procedure_at_its_largest_is_answered_within_bounds() {
    println!("| procedure | method | states | seconds | MB |");
    println!("|---|---|---|---|---|");
    for ruleset in Registry::built_in().printed() {
        let loaded = ruleset.load(&[]).expect("a ruleset");
        for procedure in &loaded.procedures {
            let given = largest(procedure);
            let mut words: Vec<String> = vec!["odds".into(), ruleset.id.to_string()];
            words.push(procedure.name.to_string());
            words.extend(given.iter().map(|(key, value)| format!("{key}={value}")));
            words.extend("--format json --seed 1863".split(' ').map(str::to_owned));
            let (time, memory, text) = measured(&words);
            let answer: serde_json::Value = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}\n{text}", words.join(" ")));
            let usual = Budget::default().states;
            let states = match states(procedure, &given, usual) {
                Some(0) | None => "played out".into(),
                Some(all) if all == usual => format!("over {usual}"),
                Some(some) => some.to_string(),
            };
            println!(
                "| {} {} | {} | {states} | {:.2} | {memory} |",
                ruleset.id,
                procedure.name,
                answer["method"].as_str().unwrap_or_default(),
                time.as_secs_f64(),
            );
            eprintln!("{}", words.join(" "));
            assert!(memory <= MOST_MEMORY, "{} MB: {}", memory, words.join(" "));
        }
    }
}
