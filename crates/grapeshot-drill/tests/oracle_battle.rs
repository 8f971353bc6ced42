//! Battles, which are only simulated, against those of the hand-written rules: every figure within five standard errors.
//!
//! Ignored unless `GRAPESHOT_ORACLE` names that program; see `oracle.rs`.

mod common;

use common::oracle::{Draw, marginals, question, theirs};
use grapeshot_drill::run::{Refused, Rules};
use grapeshot_engine::engine::{DynPlayout, End, Stream};
use std::collections::BTreeMap;
use std::process::Command;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

fn compare(id: &str, procedure: &str) {
    let oracle = std::env::var("GRAPESHOT_ORACLE").expect("GRAPESHOT_ORACLE names a program");
    let trials = number("ORACLE_TRIALS", 20_000);
    let rules = Rules::new(common::ruleset(id));
    let mut draw = Draw(number("ORACLE_SEED", 1863));
    let (mut compared, mut refused, mut wrong) = (0, 0, Vec::new());
    let mut took = std::time::Duration::ZERO;
    for _ in 0..number("ORACLE_ROUNDS", 20) {
        let given = question(&rules, procedure, &mut draw);
        let command: Vec<String> = given.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let asked = command.join(" ");
        let many = (10 * trials).to_string();
        let output = Command::new(&oracle)
            .args([
                "odds", id, procedure, "--format", "json", "--seed", "7", "--trials", &many,
            ])
            .args(&command)
            .output()
            .expect("the oracle runs");
        let borrowed: Vec<(&str, &str)> = given
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let direct = match (
            rules.play_out(procedure, &borrowed),
            output.status.success(),
        ) {
            (Ok(direct), true) => direct,
            (Err(refusal @ Refused::Refusal { .. }), false) => {
                refused += 1;
                // Where several things are refused, the text may say another first.
                let said = String::from_utf8_lossy(&output.stderr);
                if !said.contains(" is refused: ") {
                    wrong.push(format!("{asked}\n  refused: {refusal}\n  not: {said}"));
                }
                continue;
            }
            (Ok(_), false) => {
                let said = String::from_utf8_lossy(&output.stderr);
                wrong.push(format!("{asked}\n  not refused: {said}"));
                continue;
            }
            (Err(refused), _) => {
                wrong.push(format!("{asked}\n  refused: {refused}"));
                continue;
            }
        };
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let clock = std::time::Instant::now();
        let ends = direct.ends(Stream::common(1863), 0, trials);
        took += clock.elapsed();
        if let Some(trouble) = direct.trouble() {
            wrong.push(format!("{asked}\n  {trouble}"));
            continue;
        }
        let ends: Vec<(End, f64)> = ends
            .into_iter()
            .map(|end| (end, 1.0 / trials as f64))
            .collect();
        let play = rules.variables(rules.procedure(procedure).expect("a procedure"));
        for ((name, here), (other, there)) in marginals(&play, &ends).iter().zip(&theirs(&answer)) {
            assert_eq!(name, other);
            if let Some(problem) = differs(here, there, trials) {
                wrong.push(format!("{asked}\n  {name} {problem}"));
                break;
            }
        }
        compared += 1;
    }
    eprintln!(
        "{id} {procedure}: {compared} compared, {refused} refused; {:.0} trials a second",
        (compared * trials) as f64 / took.as_secs_f64()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(6)].join("\n")
    );
}

/// The first value whose share is farther from the other's than chance allows.
fn differs(
    here: &BTreeMap<String, f64>,
    there: &BTreeMap<String, f64>,
    trials: u64,
) -> Option<String> {
    let each = here.keys().chain(there.keys());
    let share = |of: &BTreeMap<String, f64>, label: &str| of.get(label).copied().unwrap_or(0.0);
    each.filter_map(|label| {
        let (one, other) = (share(here, label), share(there, label));
        let p = 0.5 * (one + other);
        let error = (1.1 * p * (1.0 - p) / trials as f64).sqrt() + 2.0 / trials as f64;
        ((one - other).abs() > 5.0 * error).then(|| format!("{label}: {one}, not {other}"))
    })
    .next()
}

#[test]
#[ignore = "needs the program to compare with"]
fn a_battle_of_acw28_goes_as_the_hand_written_one() {
    compare("acw28", "battle");
}
