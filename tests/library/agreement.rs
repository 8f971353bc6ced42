//! Three opinions about every procedure: solved, walked on the compiled graph, and played step by
//! step on sampled dice. They share the rule code and nothing else, so where they agree over many
//! settings the graph, the solver, the walking tables and the dice are right.
//!
//! The tolerance is Bernstein's inequality, which holds for every probability and number of trials,
//! rare values included, where the normal approximation does not: a count of `n` trials of
//! probability `p` is off its mean by more than `t` with a chance below `2 exp(-t²/(2(npq + t/3)))`.
//! That chance is set to [`CHANCE`], the two-sided tail of a normal beyond 5.5 sigma: for common
//! values the tolerance comes to about six sigma, for rare ones to a dozen counts. Some hundred
//! thousand comparisons are made; all of them together have less than one chance in a hundred of a
//! false alarm, and since the seeds are fixed they raise it always or never.

use crate::scenarios;
use grapeshot_engine::dist::Source;
use grapeshot_engine::engine::{
    Answer, Budget, DynSteps, End, Engine, Stream, Tally, simulate, solve, splitmix64,
};
use grapeshot_rules::Procedure;
use rustc_hash::FxHashMap;

/// Settings compared for each procedure.
const SETTINGS: u64 = 24;
/// Trials walked, and played directly, for each.
const WALKED: u64 = 400_000;
const PLAYED: u64 = 24_576;
/// The chance of a false alarm in one comparison: 5.5 sigma.
const CHANCE: f64 = 3.8e-8;
/// Graphs larger than this are passed over; the tests count how many remain.
const LARGEST: Budget = Budget { states: 60_000 };

/// How far a count may be off.
fn tolerance(p: f64, trials: f64) -> f64 {
    let l = (2.0 / CHANCE).ln();
    l / 3.0 + (l * l / 9.0 + 2.0 * l * trials * p * (1.0 - p)).sqrt()
}

/// The comparisons that fail, and how many were made.
fn compare<'a>(
    exact: impl Iterator<Item = (String, f64)> + 'a,
    mut counts: FxHashMap<String, u64>,
    trials: u64,
) -> (Vec<String>, usize) {
    let n = trials as f64;
    let mut wrong = Vec::new();
    let mut made = 0;
    for (name, p) in exact {
        let seen = counts.remove(&name).unwrap_or(0) as f64;
        made += 1;
        if (seen - n * p).abs() > tolerance(p, n) {
            wrong.push(format!("{name}: p {p}, expected {}, seen {seen}", n * p));
        }
    }
    // What the solver never reaches must never be seen.
    for (name, seen) in counts {
        wrong.push(format!("{name}: impossible, seen {seen}"));
    }
    (wrong, made)
}

fn end_name(end: &End) -> String {
    format!("{:?} in phase {}", end.row, end.phase)
}

/// Compares every end, and every value of every variable.
fn against(
    procedure: &Procedure,
    play: &dyn DynSteps,
    solved: &[(End, f64)],
    tally: &Tally,
    trials: u64,
) -> (Vec<String>, usize) {
    assert_eq!(
        tally.iter().map(|(_, n)| n).sum::<u64>(),
        trials,
        "every trial ends"
    );
    let ends = tally.iter().map(|(end, n)| (end_name(end), *n)).collect();
    let solved_ends = solved.iter().map(|(end, p)| (end_name(end), *p));
    let (mut wrong, mut made) = compare(solved_ends, ends, trials);
    // Rows of a common fight are native until they are read.
    let reading = play.relabelling();
    let read = |end: &End| End {
        row: reading.map_or(end.row, |reading| (reading.row)(&end.row)),
        phase: end.phase,
    };
    let variables = reading.map_or(&procedure.variables, |reading| &reading.variables);
    let dist = |answer: Answer| answer.distribution(variables.clone(), &play.phases(), 0);
    let exact = dist(Answer::Exact(
        solved.iter().map(|(end, p)| (read(end), *p)).collect(),
    ));
    let sampled = dist(Answer::Simulated {
        tally: tally.iter().map(|(end, n)| (read(end), *n)).collect(),
        trials,
        direct: false,
    });
    assert_eq!(sampled.source(), Source::Simulated { trials, seed: 0 });
    for (exact, sampled) in exact.marginals().iter().zip(sampled.marginals()) {
        let name = &exact.variable().name;
        let counts = sampled
            .values()
            .iter()
            .map(|v| (v.label.clone(), (v.p * trials as f64).round() as u64))
            .collect();
        let values = exact.values().iter().map(|v| (v.label.clone(), v.p));
        let (lines, more) = compare(values, counts, trials);
        wrong.extend(lines.into_iter().map(|line| format!("{name}={line}")));
        made += more;
    }
    (wrong, made)
}

/// The `number`-th random settings of a procedure: none at first, then a third of the keys leave their
/// defaults. The second is of a single turn where turns are played: the clock's edge.
fn random_settings(
    rules: &str,
    procedure: &Procedure,
    number: u64,
) -> (grapeshot_rules::Settings, Vec<(String, String)>) {
    let mut state = rules
        .bytes()
        .chain(procedure.name.bytes())
        .fold(1863 + number, |hash, byte| {
            splitmix64(hash ^ u64::from(byte))
        });
    let mut next = move || {
        state = splitmix64(state);
        (state >> 16) as usize
    };
    scenarios::settings(procedure, |at| {
        let (leave, value) = (next(), next());
        if number == 1 && procedure.settings[at].key == "turns" {
            return Some(0);
        }
        (number > 0 && leave.is_multiple_of(3)).then_some(value)
    })
}

fn agree(rules: &str) {
    let mut made = 0;
    for (_, procedure) in scenarios::procedures().filter(|(id, _)| *id == rules) {
        let mut compared = 0;
        for number in 0..SETTINGS {
            let (settings, given) = random_settings(rules, procedure, number);
            let play = (procedure.build)(&settings).expect("legal settings");
            let Ok(graph) = play.compile(LARGEST) else {
                continue;
            };
            compared += 1;
            let solved = solve(&graph);
            let stream = Stream::of_scenario(number, &procedure.name);
            let engines = [
                ("walked", Engine::walk(graph), WALKED),
                ("played", Engine::direct(play.as_ref()), PLAYED),
            ];
            for (how, engine, trials) in engines {
                let tally = simulate(&engine, stream, trials);
                let (wrong, more) = against(procedure, play.as_ref(), &solved, &tally, trials);
                made += more;
                assert!(
                    wrong.is_empty(),
                    "{rules} {} {given:?}, {how} against solved:\n{}",
                    procedure.name,
                    wrong.join("\n")
                );
            }
        }
        assert!(
            compared >= SETTINGS / 2,
            "{rules} {}: only {compared} of {SETTINGS} graphs are small enough",
            procedure.name
        );
    }
    println!("{rules}: {made} comparisons");
}

#[test]
fn elephant_solved_walked_and_played_agree() {
    agree("elephant");
}

#[test]
fn gbacw_solved_walked_and_played_agree() {
    agree("gbacw");
}

#[test]
fn acw28_solved_walked_and_played_agree() {
    agree("acw28");
}

#[test]
fn impact_solved_walked_and_played_agree() {
    agree("impact");
}

#[test]
fn fireline_solved_walked_and_played_agree() {
    agree("fireline");
}

/// Whatever comes after the five.
#[test]
fn every_other_ruleset_solved_walked_and_played_agrees() {
    let known = ["elephant", "gbacw", "acw28", "impact", "fireline"];
    for loaded in scenarios::rulesets() {
        if !known.contains(&loaded.id()) {
            agree(loaded.id());
        }
    }
}

/// The tolerance is not so wide that it lets anything pass: a charge of nine stands is told from one
/// of ten, by both engines, and over the trials walked a probability of a tenth may be wrong by a
/// thirtieth of itself at most.
#[test]
fn the_tolerance_tells_a_slip_of_the_rules() {
    let (_, charge) = scenarios::procedures()
        .find(|(id, p)| *id == "elephant" && &*p.name == "charge")
        .expect("elephant has a charge");
    let build = |stands: &str| {
        let settings = charge.resolve([("attacker.stands", stands)]);
        (charge.build)(&settings.expect("a number of stands")).expect("a charge")
    };
    let (ten, nine) = (build("10"), build("9"));
    let solved = solve(&ten.compile(LARGEST).expect("a small graph"));
    let graph = nine.compile(LARGEST).expect("a small graph");
    for (engine, trials) in [
        (Engine::walk(graph), WALKED),
        (Engine::direct(nine.as_ref()), PLAYED),
    ] {
        let tally = simulate(&engine, Stream::common(1), trials);
        let (wrong, _) = against(charge, ten.as_ref(), &solved, &tally, trials);
        assert!(!wrong.is_empty());
    }
    let (p, walked) = (0.1, WALKED as f64);
    assert!(tolerance(p, walked) < walked * p / 30.0);
}
