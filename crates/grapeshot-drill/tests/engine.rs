//! The engine takes a question as it takes any other: solved, walked, sampled without a graph, stage by stage.

mod common;

use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{DynSteps, End, splitmix64};
use grapeshot_engine::{exact, simulated};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rustc_hash::FxHashMap;

const TRIALS: u64 = 40_000;

/// Four standard deviations of a share of so many trials.
fn tolerance(p: f64) -> f64 {
    4.0 * (p * (1.0 - p) / TRIALS as f64).sqrt() + 1e-9
}

#[test]
fn solved_walked_and_sampled_answers_agree() {
    for (id, procedure, given) in [
        (
            "gbacw",
            "firefight",
            &[("a.morale", "green"), ("turns", "4")][..],
        ),
        ("gbacw", "charge", &[("defender.fire", "30")]),
        ("impact", "charge", &[("defender.support_good", "2")]),
        ("impact", "rally", &[]),
    ] {
        let rules = Rules::new(common::ruleset(id));
        let play = rules
            .ask(procedure, given)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let solved = exact(&play, play.variables.clone()).expect("it is solved");
        let walked = simulated(&play, play.variables.clone(), TRIALS, 1863).expect("it is walked");
        let mut counts: FxHashMap<End, u64> = FxHashMap::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(splitmix64(1863));
        play.play(&mut rng, TRIALS, &mut counts);
        assert_eq!(play.trouble(), None);
        for (at, variable) in play.variables.iter().enumerate() {
            let walked = walked.marginal(&variable.name).expect("a variable");
            for value in solved
                .marginal(&variable.name)
                .expect("a variable")
                .values()
            {
                let sampled: u64 = counts
                    .iter()
                    .filter(|(end, _)| variable.label(end.row[at]) == value.label)
                    .map(|(_, count)| count)
                    .sum();
                let sampled = sampled as f64 / TRIALS as f64;
                assert!(
                    (sampled - value.p).abs() < tolerance(value.p),
                    "{id} {procedure} {value:?}"
                );
                let walked = walked.p(&value.label);
                assert!(
                    (walked - value.p).abs() < tolerance(value.p),
                    "{id} {procedure} {value:?}"
                );
            }
        }
    }
}

#[test]
fn stages_are_those_in_which_something_is_rolled() {
    let rules = Rules::new(common::ruleset("gbacw"));
    let phases = |procedure: &str, given: &[(&str, &str)]| {
        let play = rules
            .ask(procedure, given)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let names = DynSteps::phases(&play);
        names.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        phases("charge", &[]),
        [
            "defensive volley",
            "attacker's morale checks",
            "melee",
            "retreats and checks"
        ]
    );
    assert_eq!(phases("firefight", &[]), ["a's fire", "b's fire"]);
    // Whoever cannot fail rolls no check.
    assert_eq!(phases("fire", &[("target.morale", "6")]), ["volley"]);
}

/// Trials in one frame and trials step by step throw the same dice in the same order.
#[test]
fn a_trial_is_the_same_whether_it_rests_or_not() {
    for (id, procedure, given) in [
        ("gbacw", "firefight", &[("a.morale", "green")][..]),
        ("gbacw", "charge", &[("defender.fire", "30")]),
        ("impact", "charge", &[("defender.support_good", "2")]),
        ("impact", "rally", &[]),
        ("impact", "fire", &[]),
    ] {
        let rules = Rules::new(common::ruleset(id));
        let play = rules
            .ask(procedure, given)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let counted = |play: &dyn DynSteps| {
            let mut counts: FxHashMap<End, u64> = FxHashMap::default();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(splitmix64(1863));
            play.play(&mut rng, 5_000, &mut counts);
            counts
        };
        assert_eq!(counted(&play), counted(&play.machine), "{id} {procedure}");
    }
}

/// Whoever asks again gets the same answer, and no trouble of somebody else's.
#[test]
fn a_question_asked_again_is_the_same_question() {
    let rules = Rules::new(common::ruleset("gbacw"));
    let answer = |given: &[(&str, &str)]| {
        let play = rules
            .ask("charge", given)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let written: Vec<String> = play.settings.iter().map(|s| s.written.clone()).collect();
        let solved = exact(&play, play.variables.clone()).expect("it is solved");
        (written, format!("{solved:?}"))
    };
    let strong = [("defender.fire", "30")];
    let first = [answer(&[]), answer(&strong)];
    assert_ne!(first[0], first[1]);
    assert_eq!(first, [answer(&[]), answer(&strong)]);
    for _ in 0..2 {
        assert!(rules.ask("charge", &[("defender.fire", "many")]).is_err());
        assert!(rules.ask("charge", &[("defender.firing", "1")]).is_err());
    }
}

const LEAVES: &str = r#"
ruleset leaves: "Who leaves"
table drawn: first by hands: dice
         hands
  first  "2+D6"
unit Unit:
  men: 1..9 = 3
in play:
  gone: Flag
procedure stand-off:
  side unit: men
  asks turns: 1..50 = 4
  report left: Flag
    failure: false
    success: true
  report turns = turn - (1 if gone else 0)
  if unit.men is 9: end
  each turn up to turns:
    stage "turn":
      gone = unit.men <= 1
      if gone:
        left = true
        end
      if d6 <= 2: unit.men -= 1
procedure hands:
  asks n: 0..9 = 2
  report drawn: 0..99
  stage "hands": drawn = sum(n, tables.drawn[first, hands])
expect stand-off unit.men=1: turns 0 1
expect stand-off unit.men=9: turns 0 1
expect stand-off unit.men=2 turns=2: left yes 1/3, no 2/3
expect stand-off unit.men=2 turns=2: turns 1 1/3, 2 2/3
example "dice of a cell are read as they fall, with what is added to each" hands:
  2:   drawn 6
  12:  drawn 16
expect hands n=1: drawn 3 1/6, 4 1/6, 5 1/6, 6 1/6, 7 1/6, 8 1/6
expect hands n=0: drawn 0 1
"#;

/// A turn that was begun and not played is taken off by the engine: no state knows the turn.
#[test]
fn a_turn_that_was_not_played_costs_no_states() {
    let files = grapeshot_drill::load::Files {
        texts: vec![("leaves.drill", LEAVES)],
        ..Default::default()
    };
    let loaded = grapeshot_drill::load::load(&files, &|_| None);
    let shown = loaded.shown();
    let rules = Rules::new(loaded.program.unwrap_or_else(|| panic!("{shown}")));
    assert_eq!(rules.failures(), []);
    let states = |turns: &str| {
        let play = rules.ask("stand-off", &[("unit.men", "5"), ("turns", turns)]);
        let play = play.unwrap_or_else(|refused| panic!("{refused}"));
        let graph = grapeshot_engine::engine::Graph::compile(&play.machine, Default::default());
        graph.expect("it fits").states()
    };
    assert_eq!(states("10"), states("50"));
}
