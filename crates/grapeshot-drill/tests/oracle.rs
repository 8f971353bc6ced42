//! Drill's answers against those of the program with the hand-written rules.
//!
//! Ignored unless `GRAPESHOT_ORACLE` names that program. Draws legal settings from the keys of each procedure; every marginal
//! must agree to 1e-12, and so must variables, labels and refusals. `ORACLE_ROUNDS` says how many questions a procedure is
//! asked, `ORACLE_SEED` which.

mod common;

use common::{ruleset, shared_ruleset};
use grapeshot_drill::program::{KeyAlternative, Program};
use grapeshot_drill::run::{Play, Refused, Rules};
use grapeshot_engine::engine::{Budget, Game, Graph, solve};
use std::collections::BTreeMap;
use std::process::Command;

/// Numbers that look random and are the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % n.max(1)
    }
}

/// What the keys of a procedure may be given.
fn question(rules: &Rules, procedure: &str, draw: &mut Draw) -> Vec<(String, String)> {
    let keys = &rules.procedure(procedure).expect("a procedure").keys;
    let mut given = Vec::new();
    let share = 1 + draw.below(6);
    for key in keys {
        if draw.below(7) >= share {
            continue;
        }
        let mut values: Vec<String> = Vec::new();
        for alternative in &key.kind {
            match alternative {
                KeyAlternative::Flag => values.extend(["true".into(), "false".into()]),
                KeyAlternative::Word(word, _) => values.push(word.to_string()),
                KeyAlternative::Number { low, high, whole } => {
                    let (from, to) = (low.ceil().to_integer(), high.floor().to_integer());
                    for _ in 0..3 {
                        // Small numbers mostly: a question of thirty strength points takes long.
                        let most = if draw.below(4) > 0 {
                            to.min(from.max(0) + 7)
                        } else {
                            to
                        };
                        let n = from + draw.below((most - from + 1) as u64) as i64;
                        values.push(match *whole || draw.below(2) == 0 || n == to || n < 0 {
                            true => n.to_string(),
                            false => format!("{n}.{}", 25 * draw.below(4)),
                        });
                    }
                }
            }
        }
        let value = values[draw.below(values.len() as u64) as usize].clone();
        given.push((key.name.to_string(), value));
    }
    given
}

/// Each variable's name, and the chance of each of its values.
type Marginals = Vec<(String, BTreeMap<String, f64>)>;

fn ours(play: &Play) -> (Marginals, usize) {
    let graph = Graph::compile(&play.machine, Budget { states: 3_000_000 }).expect("it fits");
    assert_eq!(play.machine.trouble(), None);
    let (marginals, _) = marginals(play, &solve(&graph));
    (marginals, graph.states())
}

fn marginals(play: &Play, rows: &[(grapeshot_engine::engine::End, f64)]) -> (Marginals, usize) {
    let marginals = play.variables.iter().enumerate().map(|(at, variable)| {
        let mut values: BTreeMap<String, f64> = BTreeMap::new();
        for (end, chance) in rows {
            *values.entry(variable.label(end.row[at])).or_default() += chance;
        }
        (variable.name.clone(), values)
    });
    (marginals.collect(), rows.len())
}

/// The answer under best play, and what it is worth.
fn decided(rules: &Rules, play: &Play) -> (Marginals, usize, f64, Vec<f64>) {
    let budget = Budget { states: 3_000_000 };
    let (game, _) = Game::compile(&play.machine, budget).expect("it fits");
    assert_eq!(play.machine.trouble(), None);
    let best = game.best(|row| rules.worth(play, row).expect("an end is worth something"));
    let (marginals, _) = marginals(play, &solve(&game.collapse(&best)));
    let first = best.values(&game, 0, 0).to_vec();
    (marginals, game.states(), best.value, first)
}

fn theirs(answer: &serde_json::Value) -> Marginals {
    let variables = answer["variables"].as_array().expect("variables");
    let each = variables.iter().map(|variable| {
        let values = variable["values"].as_array().expect("values").iter();
        let values = values.map(|value| {
            let label = match &value["value"] {
                serde_json::Value::String(label) => label.clone(),
                number => number.to_string(),
            };
            (label, value["p"].as_f64().expect("a chance"))
        });
        (
            variable["name"].as_str().expect("a name").to_owned(),
            values.collect(),
        )
    });
    each.collect()
}

/// What differs between two answers.
fn difference(ours: &Marginals, theirs: &Marginals) -> Option<String> {
    let names = |of: &Marginals| of.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if names(ours) != names(theirs) {
        return Some(format!(
            "variables {:?}, not {:?}",
            names(ours),
            names(theirs)
        ));
    }
    for ((name, here), (_, there)) in ours.iter().zip(theirs) {
        for label in here.keys().chain(there.keys()) {
            let chance = |of: &BTreeMap<String, f64>| of.get(label).copied().unwrap_or(0.0);
            if (chance(here) - chance(there)).abs() > 1e-12 {
                return Some(format!(
                    "{name} {label}: {}, not {}",
                    chance(here),
                    chance(there)
                ));
            }
        }
    }
    None
}

/// What differs between the keys of two answers, their order and values, and the remarks under them.
fn settings_differ(
    rules: &Rules,
    procedure: &str,
    play: &Play,
    answer: &serde_json::Value,
) -> Option<String> {
    let procedure = rules.procedure(procedure).expect("a procedure");
    let theirs = answer["settings"].as_object().expect("settings");
    let here: BTreeMap<String, String> = procedure
        .keys
        .iter()
        .zip(&play.settings)
        .map(|(key, setting)| (key.name.to_string(), setting.written.clone()))
        .collect();
    let there: BTreeMap<String, String> = theirs
        .iter()
        .map(|(key, value)| {
            let written = match value {
                serde_json::Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            (key.clone(), written)
        })
        .collect();
    if here.keys().ne(there.keys()) {
        return Some(format!("keys {:?}, not {:?}", here.keys(), there.keys()));
    }
    let number = |text: &str| {
        grapeshot_drill::number::read(text).map(|n| *n.numer() as f64 / *n.denom() as f64)
    };
    for (key, value) in &here {
        let other = &there[key];
        if value != other && (number(value).is_none() || number(value) != number(other)) {
            return Some(format!("{key} is {value}, not {other}"));
        }
    }
    use grapeshot_engine::Steps;
    let notes: Vec<String> = play
        .machine
        .notes()
        .into_iter()
        .map(|note| note.text)
        .collect();
    let theirs: Vec<&str> = answer["notes"]
        .as_array()?
        .iter()
        .filter_map(|n| n.as_str())
        .collect();
    (notes != theirs).then(|| format!("notes {notes:?}, not {theirs:?}"))
}

/// What differs between where trials end: stages without an end in them are not compared, because a stage in which
/// nothing can be rolled is listed by the hand-written rules and not here.
fn stages_differ(play: &Play, answer: &serde_json::Value) -> Option<String> {
    use grapeshot_engine::Steps;
    let graph = Graph::compile(&play.machine, Budget { states: 3_000_000 }).ok()?;
    let mut phases = play.machine.phases();
    phases.push("time is up");
    let mut here: BTreeMap<(String, String), f64> = BTreeMap::new();
    for (end, chance) in solve(&graph) {
        let label = play.variables[0].label(end.row[0]);
        let phase = phases[usize::from(end.phase)].to_owned();
        *here.entry((phase, label)).or_default() += chance;
    }
    let mut there: BTreeMap<(String, String), f64> = BTreeMap::new();
    for stage in answer["stages"].as_array()? {
        for end in stage["ended"].as_array()? {
            let label = match &end["value"] {
                serde_json::Value::String(label) => label.clone(),
                number => number.to_string(),
            };
            let phase = stage["phase"].as_str()?.to_owned();
            there.insert((phase, label), end["p"].as_f64()?);
        }
    }
    let each = here.keys().chain(there.keys());
    each.filter(|key| {
        let chance = |of: &BTreeMap<_, f64>| of.get(*key).copied().unwrap_or(0.0);
        (chance(&here) - chance(&there)).abs() > 1e-12
    })
    .map(|key| format!("{key:?}: {:?}, not {:?}", here.get(key), there.get(key)))
    .next()
}

fn compare(id: &str, program: Program, procedures: &[&str]) {
    let Ok(oracle) = std::env::var("GRAPESHOT_ORACLE") else {
        panic!("GRAPESHOT_ORACLE names the program to compare with");
    };
    let number = |name: &str, default| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(default)
    };
    let rounds: u64 = number("ORACLE_ROUNDS", 60);
    let only = std::env::var("ORACLE_ONLY").ok();
    let rules = Rules::new(program);
    let mut wrong = Vec::new();
    for procedure in procedures
        .iter()
        .filter(|p| only.as_ref().is_none_or(|only| only == *p))
    {
        let mut draw = Draw(number("ORACLE_SEED", 1863));
        let (mut equal, mut refused, mut others, mut states, mut largest) = (0, 0, 0, 0, 0);
        let (mut elsewhere, mut first_elsewhere) = (0, None);
        let any_refusal = id == "fireline";
        let mut took = std::time::Duration::ZERO;
        for _ in 0..rounds {
            let given = question(&rules, procedure, &mut draw);
            let command = given.iter().map(|(key, value)| format!("{key}={value}"));
            let output = Command::new(&oracle)
                .args([
                    "odds", id, procedure, "--method", "exact", "--format", "json", "--stages",
                ])
                .args(command.clone())
                .output()
                .expect("the oracle runs");
            let asked = command.collect::<Vec<_>>().join(" ");
            let borrowed: Vec<(&str, &str)> = given
                .iter()
                .map(|(k, v)| (k.as_str(), v.as_str()))
                .collect();
            let clock = std::time::Instant::now();
            let answer = rules.ask(procedure, &borrowed);
            let problem = match (answer, output.status.success()) {
                (Ok(play), true) => {
                    let (here, count) = ours(&play);
                    took += clock.elapsed();
                    states += count;
                    largest = largest.max(count);
                    equal += 1;
                    let answer: serde_json::Value =
                        serde_json::from_slice(&output.stdout).expect("JSON");
                    difference(&here, &theirs(&answer))
                        .or_else(|| settings_differ(&rules, procedure, &play, &answer))
                        .or_else(|| {
                            let differs = stages_differ(&play, &answer);
                            elsewhere += u64::from(differs.is_some());
                            first_elsewhere = first_elsewhere.take().or(differs);
                            None
                        })
                }
                (Err(refusal @ Refused::Refusal { .. }), false) => {
                    refused += 1;
                    let said = String::from_utf8_lossy(&output.stderr).replace("error: ", "");
                    let first = said.lines().next().unwrap_or("").to_owned();
                    let same = first == refusal.to_string();
                    // Where several things are refused, the text may say another first than the hand-written rules.
                    others += u64::from(!same);
                    (!same && !any_refusal).then(|| format!("refused: {refusal}\n  not: {first}"))
                }
                (Err(error), _) => Some(format!("refused: {error}")),
                (Ok(_), false) => Some(format!(
                    "not refused: {}",
                    String::from_utf8_lossy(&output.stderr)
                )),
            };
            if let Some(problem) = problem {
                wrong.push(format!("{id} {procedure} {asked}\n  {problem}"));
            }
        }
        eprintln!(
            "{id} {procedure}: {elsewhere} end in other stages {first_elsewhere:?}; {equal} answers compared, {refused} refusals ({others} in another order); {states} states in all, {largest} at most; {took:.2?}"
        );
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(8)].join("\n")
    );
}

#[test]
#[ignore = "needs the program to compare with"]
fn gbacw_answers_as_the_hand_written_rules() {
    compare(
        "gbacw",
        ruleset("gbacw"),
        &["fire", "morale", "melee", "charge", "firefight"],
    );
}

#[test]
#[ignore = "needs the program to compare with"]
fn impact_answers_as_the_hand_written_rules() {
    compare(
        "impact",
        ruleset("impact"),
        &["fire", "charge", "morale", "rally", "move"],
    );
}

#[test]
#[ignore = "needs the program to compare with"]
fn a_standoff_is_decided_as_by_the_hand_written_rules() {
    let oracle = std::env::var("GRAPESHOT_ORACLE").expect("GRAPESHOT_ORACLE names a program");
    let rounds = std::env::var("ORACLE_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok());
    let rules = Rules::new(ruleset("gbacw"));
    let mut draw = Draw(1863);
    let mut wrong = Vec::new();
    let (mut states, mut most, mut compared) = (0, 0, 0);
    let rounds = rounds.unwrap_or(20);
    for _ in 0..rounds {
        let given = question(&rules, "standoff", &mut draw);
        let command: Vec<String> = given.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let output = Command::new(&oracle)
            .args([
                "decide", "gbacw", "standoff", "--method", "exact", "--format", "json",
            ])
            .args(&command)
            .output()
            .expect("the oracle runs");
        let Ok(answer) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
            // It has a fault of its own, which is not ours to compare with.
            let said = String::from_utf8_lossy(&output.stderr);
            eprintln!("no answer to {}: {said}", command.join(" "));
            continue;
        };
        let borrowed: Vec<(&str, &str)> = given
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let play = rules.ask("standoff", &borrowed).expect("it is asked");
        let (here, count, value, first) = decided(&rules, &play);
        states += count;
        compared += 1;
        most = most.max(count);
        let close = |ours: f64, theirs: &serde_json::Value| {
            theirs
                .as_f64()
                .is_some_and(|theirs| (ours - theirs).abs() < 1e-12)
        };
        let actions = answer["actions"].as_array().expect("actions");
        let asked = command.join(" ");
        if !close(value, &answer["value"]) {
            wrong.push(format!("{asked}\n  worth {value}, not {}", answer["value"]));
        } else if actions.len() > 1
            && !first
                .iter()
                .zip(actions)
                .all(|(v, a)| close(*v, &a["value"]))
        {
            wrong.push(format!("{asked}\n  actions {first:?}, not {actions:?}"));
        } else if let Some(problem) = difference(&here, &theirs(&answer)) {
            wrong.push(format!("{asked}\n  {problem}"));
        }
    }
    eprintln!(
        "gbacw standoff: {compared} decisions compared; {states} states in all, {most} at most"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(8)].join("\n")
    );
}

/// Only where `DRILL_TEXTS` names the folder of its text.
#[test]
#[ignore = "needs the program to compare with"]
fn fireline_answers_as_the_hand_written_rules() {
    if let Some(program) = shared_ruleset("fireline", "fireline") {
        let procedures = [
            "morale",
            "fire",
            "melee",
            "straggle",
            "march",
            "charge",
            "firefight",
        ];
        compare("fireline", program, &procedures);
    }
}
