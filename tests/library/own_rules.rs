//! Rulesets from files: they answer like the built-in ones, say where they are wrong, and stay within
//! their limits.

use crate::scenarios::Draw;
use grapeshot_rules::{LoadedRuleset, Options};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn rules(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/rules")
        .join(name)
}

fn load(path: &Path) -> LoadedRuleset {
    let ruleset = grapeshot_rules::find(&path.display().to_string()).expect("a ruleset");
    Arc::clone(&ruleset).load(&[]).expect("it holds together")
}

/// The exact chance of a headline label.
fn chance(loaded: &LoadedRuleset, procedure: &str, given: &[(&str, &str)], label: &str) -> f64 {
    let procedure = loaded.procedure(procedure).expect("a procedure");
    let settings = procedure.resolve(given.iter().copied()).expect("settings");
    let answered = procedure
        .answer(&settings, &Options::exact())
        .expect("an answer");
    let marginal = answered.odds.marginal_at(0);
    let value = marginal.values().iter().find(|value| value.label == label);
    value.map_or(0.0, |value| value.p)
}

#[test]
fn three_dice_against_two_of_risk_are_as_published() {
    let risk = load(&rules("risk"));
    for (label, ways) in [
        ("defender-loses", 2890.0),
        ("both-lose", 2611.0),
        ("attacker-loses", 2275.0),
    ] {
        let p = chance(&risk, "throw", &[], label);
        assert!((p - ways / 7776.0).abs() < 1e-15, "{label}: {p}");
    }
}

/// A whole battle by recursion over the published odds of every throw.
fn taken(attackers: usize, defenders: usize) -> f64 {
    // Of the throw of so many dice: how often the attacker loses none, one, two.
    fn losses(attack: u32, defend: u32) -> [f64; 3] {
        let mut ways = [0u32; 3];
        let faces = 6u32.pow(attack + defend);
        for throw in 0..faces {
            let die = |n: u32| throw / 6u32.pow(n) % 6;
            let mut a: Vec<u32> = (0..attack).map(die).collect();
            let mut d: Vec<u32> = (attack..attack + defend).map(die).collect();
            a.sort_unstable_by(|x, y| y.cmp(x));
            d.sort_unstable_by(|x, y| y.cmp(x));
            let lost = a.iter().zip(&d).filter(|(a, d)| a <= d).count();
            ways[lost] += 1;
        }
        ways.map(|n| f64::from(n) / f64::from(faces))
    }
    if defenders == 0 {
        return 1.0;
    }
    if attackers < 2 {
        return 0.0;
    }
    let (attack, defend) = (3.min(attackers - 1), 2.min(defenders));
    let pairs = attack.min(defend);
    let p = losses(attack as u32, defend as u32);
    (0..=pairs)
        .map(|lost| p[lost] * taken(attackers - lost, defenders - (pairs - lost)))
        .sum()
}

#[test]
fn battles_of_risk_are_those_of_the_recursion() {
    let risk = load(&rules("risk"));
    for (attackers, defenders) in [(2, 1), (3, 2), (5, 3), (6, 6)] {
        let given = [
            ("attacker.armies", attackers.to_string()),
            ("defender.armies", defenders.to_string()),
        ];
        let given: Vec<(&str, &str)> = given.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let p = chance(&risk, "battle", &given, "taken");
        let wanted = taken(attackers, defenders);
        assert!(
            (p - wanted).abs() < 1e-12,
            "{attackers} against {defenders}: {p}, {wanted}"
        );
    }
}

/// Every value of every variable with its chance.
fn told(odds: &grapeshot_engine::dist::Distribution) -> Vec<(String, f64)> {
    let mut all: Vec<(String, f64)> = (odds.variables().iter().enumerate())
        .flat_map(|(at, variable)| {
            let name = variable.name.clone();
            let values = odds.marginal_at(at).values().to_vec();
            let values = values.into_iter().filter(|value| value.p > 0.0);
            values.map(move |value| (format!("{name}={}", value.label), value.p))
        })
        .collect();
    all.sort_by(|x, y| x.0.cmp(&y.0));
    all
}

/// Asks both the same questions, with about `changed` settings off their defaults.
fn same_as_built_in(
    procedure: &str,
    (questions, changed, seed): (usize, usize, u64),
    pinned: &[(&str, i64)],
) {
    let file = load(&rules("elephant"));
    let built_in = load(Path::new("elephant"));
    let (mine, theirs) = (
        file.procedure(procedure).expect("it is in the file"),
        built_in.procedure(procedure).expect("it is built in"),
    );
    let keys = |p: &grapeshot_rules::Procedure| -> Vec<String> {
        p.settings
            .iter()
            .map(|s| format!("{} {:?} {:?} {}", s.key, s.kind, s.default, s.source))
            .collect()
    };
    assert_eq!(
        keys(mine),
        keys(theirs),
        "the same settings, in the same order"
    );
    let mut draw = Draw(seed);
    let mut answered = 0;
    while answered < questions {
        let given: Vec<(String, grapeshot_rules::Value)> = (theirs.settings.iter())
            .filter_map(|setting| {
                let values = setting.sample_values();
                let value = values[draw.below(values.len())].clone();
                (draw.below(theirs.settings.len()) < changed).then(|| (setting.key.clone(), value))
            })
            .chain(
                pinned
                    .iter()
                    .map(|&(key, value)| (key.to_owned(), value.into())),
            )
            .collect();
        let ask = |p: &grapeshot_rules::Procedure| {
            let settings = p
                .resolve(given.iter().map(|(k, v)| (k, v)))
                .expect("allowed");
            p.answer(&settings, &Options::exact())
        };
        match (ask(mine), ask(theirs)) {
            (Ok(mine), Ok(theirs)) => {
                let (mine, theirs) = (told(&mine.odds), told(&theirs.odds));
                assert_eq!(mine.len(), theirs.len(), "{given:?}\n{mine:?}\n{theirs:?}");
                for ((what, p), (same, q)) in mine.iter().zip(&theirs) {
                    assert_eq!(what, same, "{given:?}");
                    assert!(
                        (p - q).abs() < 1e-12,
                        "{given:?}: {what}: {p}, built in {q}"
                    );
                }
                answered += 1;
            }
            (Err(mine), Err(theirs)) => {
                let refused = |error| grapeshot_rules::OddsError::refusal(error).expect("refused");
                refused(mine);
                refused(theirs);
            }
            (mine, theirs) => panic!("{given:?}: {:?}, built in {:?}", mine.err(), theirs.err()),
        }
    }
}

#[test]
fn fire_of_elephant_from_a_file_is_the_built_in_one() {
    same_as_built_in("fire", (150, 8, 1), &[]);
}

#[test]
fn melee_of_elephant_from_a_file_is_the_built_in_one() {
    same_as_built_in("melee", (100, 10, 2), &[]);
}

#[test]
fn charge_of_elephant_from_a_file_is_the_built_in_one() {
    same_as_built_in("charge", (25, 6, 3), &[]);
    same_as_built_in("charge", (15, 20, 4), &[]);
}

#[test]
fn firefight_of_elephant_from_a_file_is_the_built_in_one() {
    let small = [("a.stands", 3), ("b.stands", 2), ("turns", 3)];
    same_as_built_in("firefight", (12, 12, 5), &small);
}

#[test]
fn the_file_of_elephant_agrees_with_the_worked_cases_and_prints_the_same_tables() {
    let file = load(&rules("elephant"));
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/elephant.json"),
    )
    .expect("the cases");
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a list");
    let mut checked = 0;
    for case in &cases {
        let Ok(procedure) = file.procedure(case["procedure"].as_str().expect("a name")) else {
            continue;
        };
        let given = case["settings"].as_object().expect("settings").iter();
        let given = given.map(|(key, value)| {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), ToOwned::to_owned);
            (key, text)
        });
        let settings = procedure.resolve(given).expect("allowed");
        let odds = procedure
            .answer(&settings, &Options::exact())
            .expect("an answer")
            .odds;
        for (name, expected) in case["expect"].as_object().expect("odds") {
            let marginal = odds.marginal(name).expect("a variable");
            for value in marginal.values() {
                let wanted = expected[&value.label].as_f64().unwrap_or(0.0);
                assert!(
                    (value.p - wanted).abs() < 1e-9,
                    "{}: {name}={}",
                    case["id"],
                    value.label
                );
            }
        }
        checked += 1;
    }
    assert!(checked >= 65, "{checked} cases");
    let built_in = load(Path::new("elephant"));
    for name in file.tables.grid_names() {
        let (mine, theirs) = (file.tables.grid(&name), built_in.tables.grid(&name));
        let (mine, theirs) = (mine.expect("a table"), theirs.expect("a table"));
        assert_eq!(
            (mine.columns, mine.rows),
            (theirs.columns, theirs.rows),
            "{name}"
        );
    }
    for name in file.tables.list_names() {
        let (mine, theirs) = (file.tables.list(&name), built_in.tables.list(&name));
        assert_eq!(
            mine.expect("a list").values,
            theirs.expect("a list").values,
            "{name}"
        );
    }
}
