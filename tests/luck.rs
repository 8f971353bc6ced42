//! Luck: percentiles that are calibrated, parts that add up, and errors that name the entry.

mod program;

use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::{Engine, Stream, simulate, splitmix64};
use grapeshot_rules::Options;
use grapeshot_study::luck::{Luck, LuckQuestion, Scores, Sum, luck};
use program::Work;
use std::collections::BTreeMap;
use std::sync::Arc;

fn question(rules: &str, procedure: &str, given: &str, got: &str) -> LuckQuestion {
    let pair = |word: &str| {
        let (key, value) = word.split_once('=').expect("key=value");
        (key.to_owned(), value.to_owned())
    };
    LuckQuestion {
        loaded: Arc::new(
            grapeshot_rules::find(rules)
                .and_then(|r| r.load(&[]))
                .expect("a ruleset"),
        ),
        procedure: procedure.into(),
        given: given
            .split_whitespace()
            .map(pair)
            .map(|(k, v)| (k, v.into()))
            .collect(),
        got: got.split_whitespace().map(str::to_owned).collect(),
        did: Vec::new(),
        worse: None,
        options: Options::exact(),
    }
}

fn found(rules: &str, procedure: &str, given: &str, got: &str) -> Luck {
    luck(&question(rules, procedure, given, got)).expect("it can happen")
}

/// The logged questions of the calibration, with the variable that is noted.
const LOGGED: [(&str, &str, &str, &str); 6] = [
    ("gbacw", "fire", "strength=12", "sp_lost"),
    ("gbacw", "charge", "", "outcome"),
    ("gbacw", "melee", "attacker.strength=7", "winner"),
    ("elephant", "melee", "", "winner"),
    ("elephant", "charge", "defender.cover=wall", "outcome"),
    ("fireline", "melee", "", "attacker_o_hits"),
];

/// Plays a question on sampled dice: the noted value of each trial, in a random order.
fn played(of: (&str, &str, &str, &str), games: u64, seed: u64) -> Vec<String> {
    let (rules, procedure, given, variable) = of;
    let question = question(rules, procedure, given, "");
    let procedure = question.loaded.procedure(procedure).expect("a procedure");
    let given = question.given.iter().map(|(k, v)| (k, v));
    let settings = procedure.resolve(given).expect("settings");
    let play = (procedure.build)(&settings).expect("legal settings");
    let tally = simulate(&Engine::direct(play.as_ref()), Stream::common(seed), games);
    let at = procedure
        .variables
        .iter()
        .position(|v| v.name == variable)
        .expect("a variable");
    let mut values: Vec<(u64, String)> = Vec::new();
    for (end, count) in tally {
        for _ in 0..count {
            let place = splitmix64(seed << 32 | values.len() as u64);
            values.push((place, procedure.variables[at].label(end.row[at])));
        }
    }
    values.sort_unstable();
    values.into_iter().map(|(_, value)| value).collect()
}

/// How far the shares of twenty equal bins are from equal (chi-square, 19 degrees of freedom).
fn unevenness(percentiles: &[f64]) -> f64 {
    let mut bins = [0f64; 20];
    for p in percentiles {
        bins[((p * 20.0) as usize).min(19)] += 1.0;
    }
    let even = percentiles.len() as f64 / 20.0;
    bins.iter().map(|n| (n - even).powi(2) / even).sum()
}

#[test]
fn percentiles_of_a_hundred_thousand_played_logs_are_uniform() {
    const GAMES: u64 = 100_000;
    let mut scores: Vec<BTreeMap<String, Luck>> = Vec::new();
    let mut logs = Vec::new();
    for (seed, of) in (1..).zip(LOGGED) {
        let values = played(of, GAMES, seed);
        let mut known: BTreeMap<String, Luck> = BTreeMap::new();
        for value in &values {
            if !known.contains_key(value) {
                let got = format!("{}={value}", of.3);
                known.insert(value.clone(), found(of.0, of.1, of.2, &got));
            }
        }
        scores.push(known);
        logs.push(values);
    }
    // A percentile that is drawn at random within its tie is uniform if and only if it is calibrated.
    let mut sums: BTreeMap<Vec<String>, Sum> = BTreeMap::new();
    let mut whole = Vec::new();
    let mut middle = 0.0;
    for game in 0..GAMES as usize {
        let key: Vec<String> = logs.iter().map(|log| log[game].clone()).collect();
        let sum = sums.entry(key).or_insert_with_key(|key| {
            let of =
                |(known, value): (&BTreeMap<String, Luck>, &String)| known[value].scores.clone();
            let all: Vec<Scores> = scores.iter().zip(key).map(of).collect();
            Sum::of(&all, 1)
        });
        assert!(sum.simulated.is_none());
        let within = (splitmix64(game as u64 ^ 0x77) >> 11) as f64 / (1u64 << 53) as f64;
        whole.push(sum.smaller + within * sum.exactly);
        middle += sum.percentile() / GAMES as f64;
    }
    // One sample in a thousand is more uneven than 43.8.
    assert!(unevenness(&whole) < 43.8, "{}", unevenness(&whole));
    assert!((middle - 0.5).abs() < 0.005, "{middle}");
    for (known, log) in scores.iter().zip(&logs) {
        let single: Vec<f64> = (log.iter().zip(0u64..))
            .map(|(value, at)| {
                let within = (splitmix64(at ^ 0x99) >> 11) as f64 / (1u64 << 53) as f64;
                known[value].worse + within * known[value].alike
            })
            .collect();
        assert!(unevenness(&single) < 43.8, "{}", unevenness(&single));
    }
}

#[test]
fn worse_this_and_better_add_up_and_the_order_follows_the_game() {
    // More hits are better for the firer; nothing is worse than none.
    let odds = |got: &str| found("elephant", "fire", "range=300", got);
    let none = odds("hits=0");
    assert!(none.worse == 0.0 && none.exactly > 0.0);
    assert!((none.or_better() - 1.0).abs() < 1e-12);
    // A loss of one's own is worse the greater it is, one of the enemy's better.
    let lost = |got: &str| found("elephant", "charge", "", got).percentile();
    assert!(lost("attacker_stands_lost=0") > lost("attacker_stands_lost=1"));
    assert!(lost("defender_stands_lost=1") > lost("defender_stands_lost=0"));
    // The first variable counts first.
    let both = |got: &str| found("elephant", "charge", "", got).percentile();
    let won = both("outcome=attacker-wins attacker_stands_lost=1");
    assert!(won > both("outcome=engaged attacker_stands_lost=0"));
    assert!(won < both("outcome=attacker-wins attacker_stands_lost=0"));
}

#[test]
fn a_swing_is_the_change_of_the_chance_of_success() {
    let won = found("elephant", "charge", "", "outcome=attacker-wins")
        .swing
        .expect("a swing");
    assert!((won.after - 1.0).abs() < 1e-12 && won.before < 1.0);
    let lost = found("elephant", "charge", "", "outcome=defender-wins")
        .swing
        .expect("a swing");
    assert!(lost.after == 0.0 && (lost.by() + lost.before).abs() < 1e-12);
    // All swings together, weighed by their chances, come to nothing.
    let scores = found("elephant", "charge", "", "attacker_stands_lost=1").scores;
    let mean: f64 = scores.all.iter().map(|(score, p)| score * p).sum();
    assert!(mean.abs() < 1e-12, "{mean}");
    for (rules, procedure, got) in [
        ("elephant", "fire", "hits=1"),
        ("elephant", "muster", "grade=elite"),
    ] {
        let swing = found(rules, procedure, "", got).swing;
        assert_eq!(
            swing.is_some(),
            has_success(rules, procedure),
            "{procedure}"
        );
    }
}

fn has_success(rules: &str, procedure: &str) -> bool {
    let loaded = grapeshot_rules::find(rules)
        .and_then(|r| r.load(&[]))
        .expect("a ruleset");
    let variables = &loaded.procedure(procedure).expect("a procedure").variables;
    variables
        .iter()
        .any(|variable| !variable.favours.is_empty())
}

#[test]
fn a_sum_of_many_different_scores_is_simulated_and_agrees_with_the_exact_one() {
    // Two faces each, at scores without a common measure: 2^24 sums.
    let coin = |at: usize| {
        let by = 1.0 + (at as f64).sqrt() / 10.0;
        Scores::new(
            if at.is_multiple_of(3) { by } else { -by },
            [(-by, 0.5), (by, 0.5)],
        )
    };
    let many: Vec<Scores> = (0..24).map(coin).collect();
    let sum = Sum::of(&many, 7);
    assert_eq!(sum.simulated, Some(1_000_000));
    let few = Sum::of(&many[..16], 7);
    assert!(few.simulated.is_none());
    // Both are near the normal law of their spread.
    for sum in [sum, few] {
        let z = sum.score / sum.sd;
        assert!(
            z < 0.0 && (0.01..0.5).contains(&sum.percentile()),
            "{z} {sum:?}"
        );
    }
}

#[test]
fn the_program_says_it_in_words() {
    let work = Work::new();
    work.run("luck gbacw morale morale=4 --got passed=no")
        .says(&["this or", "1 in", "percentile"]);
    let json = work
        .run("luck elephant charge --got outcome=attacker-wins --format json")
        .json();
    let number = |key: &str| json[key].as_f64().expect(key);
    assert!((number("worse") + number("or_better") - 1.0).abs() < 1e-12);
    assert!((number("swing") - (1.0 - number("success_before"))).abs() < 1e-12);
    let odds: Distribution = {
        let q = question("elephant", "charge", "", "");
        let procedure = q.loaded.procedure("charge").expect("a procedure");
        let none: [(&str, &str); 0] = [];
        let settings = procedure.resolve(none).expect("settings");
        procedure
            .answer(&settings, &Options::exact())
            .expect("odds")
            .odds
    };
    let p = odds
        .marginal("outcome")
        .expect("a variable")
        .p("attacker-wins");
    assert!((number("exactly") - p).abs() < 1e-12);
}

#[test]
fn what_cannot_have_happened_is_refused() {
    let work = Work::new();
    let refused = |words: &str, all: &[&str]| work.run(&format!("luck {words}")).refused(all);
    refused(
        "elephant fire --got hits=99",
        &["`hits=99` cannot happen", "possible is"],
    );
    refused(
        "elephant fire --got hits=many",
        &["`hits=many` cannot happen"],
    );
    refused(
        "elephant charge --got outcome=victory",
        &["unknown value of outcome"],
    );
    refused("elephant charge --got luck=1", &["unknown variable `luck`"]);
    refused("elephant charge --got outcome", &["variable=value"]);
    refused("elephant charge", &["nothing was got", "--got outcome="]);
    refused(
        "elephant charge --got outcome=engaged --got outcome=engaged",
        &["twice"],
    );
    refused(
        "elephant charge --got outcome=defender-wins --got contact=no",
        &["cannot happen together"],
    );
}

const GAME: &str = r#"
rules = "elephant"

[[entry]]
note = "the first volley"
procedure = "fire"
settings = { range = 100 }
got = { hits = 1 }

[[entry]]
procedure = "charge"
settings = { attacker = { grade = "veteran" } }
got = { outcome = "attacker-wins" }

[[entry]]
rules = "gbacw"
procedure = "morale"
settings = { morale = 4 }
got = { passed = "no" }
"#;

#[test]
fn a_log_is_read_as_toml_and_as_lines_alike() {
    let lines = "# a game\nelephant fire range=100 --got hits=1\n\n\
        grapeshot luck elephant charge attacker.grade=veteran --got outcome=attacker-wins\n\
        gbacw morale morale=4 --got=passed=no\n";
    let work = Work::new().with("game.toml", GAME).with("game.txt", lines);
    let toml = work.run("luck --log game.toml --format json").json();
    let typed = work.run("luck --log game.txt --format json").json();
    assert_eq!(toml["entries"], typed["entries"]);
    assert_eq!(toml["sum"], typed["sum"]);
    assert_eq!(toml["entries"].as_array().expect("entries").len(), 3);
    work.run("luck --log game.toml")
        .says(&["games", "entry by entry", "attacker-wins"]);
}

#[test]
fn a_wrong_entry_is_named() {
    let third = |from: &str, to: &str, says: &[&str]| {
        let work = Work::new().with("game.toml", &GAME.replace(from, to));
        work.run("luck --log game.toml").refused(says);
    };
    third(
        "morale = 4",
        "morale = 9",
        &["game.toml:15:1: entry 3", "`morale` cannot be `9`"],
    );
    third(
        "passed = \"no\"",
        "passed = \"maybe\"",
        &["entry 3", "unknown value of passed"],
    );
    third(
        "\"gbacw\"",
        "\"gback\"",
        &["entry 3", "unknown ruleset `gback`"],
    );
    third(
        "got = { hits = 1 }",
        "got = { hits = 99 }",
        &["entry 1", "cannot happen"],
    );
    third("note = ", "nite = ", &["entry 1", "`nite"]);
    let work = Work::new().with(
        "game.txt",
        "elephant fire --got hits=1\nelephant fire --gut hits=1\n",
    );
    work.run("luck --log game.txt")
        .refused(&["game.txt: entry 2", "--gut is unknown"]);
    let work = Work::new().with("game.toml", "");
    work.run("luck --log game.toml")
        .refused(&["has no entries"]);
    Work::new()
        .run("luck --log none.toml")
        .refused(&["none.toml"]);
}
