//! Standoffs: plans that reduce to the procedures that are only played, and what is refused.

use super::p;
use crate::testing::{self, agree_on, pairs, planned, printed};
use grapeshot_engine::dist::Distribution;

/// The odds when a follows a plan.
fn plan(given: &str, plan: &str) -> Distribution {
    planned("fireline", "standoff", given, plan)
}

fn odds(procedure: &str, given: &str) -> Distribution {
    testing::odds("fireline", procedure, given)
}

fn chance(odds: &Distribution, variable: &str, value: &str) -> f64 {
    odds.marginal(variable).expect("reported").p(value)
}

/// The same chances of these values of two variables.
fn same(one: (&Distribution, &str), other: (&Distribution, &str), values: &[(&str, &str)]) {
    for (a, b) in values {
        let (p, q) = (chance(one.0, one.1, a), chance(other.0, other.1, b));
        assert!((p - q).abs() < 1e-12, "{a} {p}, {b} {q}");
    }
}

const HITS: [(&str, &str); 7] = [
    ("0", "0"),
    ("1", "1"),
    ("2", "2"),
    ("3", "3"),
    ("4", "4"),
    ("5", "5"),
    ("6", "6"),
];

#[test]
fn a_standoff_in_which_nobody_moves_is_a_firefight() {
    let given = "a.sp=3 a.flanked=true a.terrain=woods b.behind_wall=true b.wall=true b.o_hits=2 b.leader=true turns=5";
    let (stands, fights) = (plan(given, "always fire"), odds("firefight", given));
    let ends = [
        "a-routs",
        "a-destroyed",
        "b-routs",
        "b-destroyed",
        "undecided",
    ];
    let ends = ends.map(|label| (label, label));
    same((&stands, "outcome"), (&fights, "outcome"), &ends);
    for hits in ["a_o_hits", "b_o_hits"] {
        same((&stands, hits), (&fights, hits), &HITS);
    }
    assert!((chance(&stands, "charged", "none") - 1.0).abs() < 1e-12);
}

#[test]
fn a_standoff_charged_at_once_is_a_charge() {
    let outcomes = [
        ("a-wins", "attacker-wins"),
        ("b-wins", "defender-wins"),
        ("a-repulsed", "attacker-repulsed"),
        ("mutual", "mutual"),
        ("stalled", "stalled"),
    ];
    for (standoff, charge) in [
        ("", ""),
        (
            "a.charge=true a.leader=true a.state=disrupted b.flanked=true b.dense=true rounds=5",
            "attacker.charge=true attacker.leader=true attacker.state=disrupted defender.flanked=true defender.dense=true rounds=5",
        ),
        // A fence is behind_wall and no wall: it helps the fire and not the assault.
        ("b.behind_wall=true", "defender.fence=true"),
        (
            "b.wall=true pre_fire=false",
            "defender.wall=true pre_fire=false",
        ),
        // The charger's own wall and flank do not count; the ground it stands on is that it comes from.
        (
            "a.wall=true a.behind_wall=true a.flanked=true a.terrain=run a.clear_hex=false",
            "attacker.terrain=run attacker.run=true attacker.clear_hex=false",
        ),
        (
            "a.terrain=marsh a.lower=true",
            "attacker.terrain=marsh attacker.marsh=true attacker.lower=true",
        ),
        (
            "a.run=true b.reduced=true b.o_hits=1 b.lower=true",
            "attacker.run=true defender.reduced=true defender.o_hits=1 defender.lower=true",
        ),
    ] {
        let (one, other) = (plan(standoff, "charge at once"), odds("charge", charge));
        same((&one, "outcome"), (&other, "outcome"), &outcomes);
        same((&one, "a_o_hits"), (&other, "attacker_o_hits"), &HITS);
        same((&one, "b_o_hits"), (&other, "defender_o_hits"), &HITS);
        assert!((chance(&one, "turns", "1") - 1.0).abs() < 1e-12);
    }
}

#[test]
fn who_withdraws_at_once_loses_nothing_but_the_ground() {
    let gone = plan("a.sp=1 b.sp=4", "withdraw at once");
    for (variable, value) in [
        ("outcome", "a-withdraws"),
        ("result", "a-withdrew"),
        ("charged", "none"),
        ("a_o_hits", "0"),
    ] {
        assert!((chance(&gone, variable, value) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_charge_after_a_volley_is_made_in_the_condition_the_volleys_have_left() {
    // One turn of fire, which is a firefight of one turn; whoever is still there is charged in the second.
    let charged = plan("turns=3", "fire 1 then charge");
    let gone = 1.0 - p("firefight", "turns=1", "outcome", "undecided");
    assert!((chance(&charged, "turns", "1") - gone).abs() < 1e-12);
    assert!((chance(&charged, "turns", "2") - (1.0 - gone)).abs() < 1e-12);
    assert!((chance(&charged, "charged", "a") - (1.0 - gone)).abs() < 1e-12);
}

#[test]
fn best_play_solved_walked_and_played_agrees() {
    let decision = printed("fireline")
        .decision("standoff")
        .expect("it is there");
    for given in ["turns=2", "turns=3 b.choices=all a.morale=7 goal=losses"] {
        let settings = decision.procedure.resolve(pairs(given));
        agree_on(&decision.procedure, &settings.expect("good settings"), 1863);
    }
}

#[test]
fn what_a_standoff_cannot_be_is_refused() {
    let decision = printed("fireline")
        .decision("standoff")
        .expect("it is there");
    let refused = |given: &str| {
        let built = decision.procedure.resolve(pairs(given));
        let built = built.and_then(|settings| (decision.build)(&settings).map(|_| ()));
        built.expect_err(given).to_string()
    };
    let why = refused("a.lower=true b.lower=true");
    assert!(why.contains("only one side can stand lower"), "{why}");
    assert!(refused("b.state=routed").contains("routed stack"));
    for unknown in [
        "a.units=2",
        "a.apportion=first",
        "range=2",
        "density=auto",
        "a.advance_fire=true",
        "b.thoroughfare=true",
        "b.marsh=true",
        "wall_in_assault=false",
        "advance_volley=true",
        "turns=21",
        "withdraw_value=2",
    ] {
        let why = refused(unknown);
        let key = unknown.split('=').next().unwrap_or_default();
        assert!(why.contains(key), "{why}");
    }
}
