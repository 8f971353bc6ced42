//! Choices: a standoff under a plan is the firefight or the charge it is made of, the defender's choice
//! in a charge is one of the two charges it chooses between, and what cannot be asked is refused.

use super::elephant;
use crate::Decision;
use crate::testing::{odds, pairs, planned};
use grapeshot_engine::dist::Distribution;

/// Checks that a variable of the one has the chances of one of the other, labels renamed.
fn same(one: (&Distribution, &str), other: (&Distribution, &str), renamed: &[(&str, &str)]) {
    let (left, right) = (one.0.marginal(one.1), other.0.marginal(other.1));
    let (left, right) = (left.expect("a variable"), right.expect("a variable"));
    let sum: f64 = left.values().iter().map(|value| value.p).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    for value in right.values() {
        let name = renamed
            .iter()
            .fold(value.label.clone(), |name, (from, to)| {
                name.replace(from, to)
            });
        let p = left.p(&name);
        assert!((p - value.p).abs() < 1e-12, "{name} {p}, {}", value.p);
    }
}

#[test]
fn a_standoff_in_which_everybody_fires_is_a_firefight() {
    let given = "a.stands=5 a.grade=green a.panic=1 a.cover=soft b.stands=4 b.commander=1 \
                 b.stands_lost=3 b.marksmen=true turns=4";
    let stands = planned("elephant", "standoff", given, "always fire");
    let fight = odds("elephant", "firefight", given);
    for variable in ["outcome", "turns", "a_stands_lost", "b_stands_lost"] {
        same((&stands, variable), (&fight, variable), &[]);
    }
}

#[test]
fn a_standoff_charged_at_once_is_a_charge_over_its_range() {
    let stands = planned(
        "elephant",
        "standoff",
        "range=230 reach=roll a.kind=cavalry a.weapon=shotgun a.fires_in=true a.stands=7 a.hits=1 \
         a.stands_lost=2 a.cover=hard a.marksmen=true b.stands=5 b.cover=soft b.exposed=true \
         b.grade=green b.second_fire=decline b.uphill=true",
        "charge at once",
    );
    let charge = odds(
        "elephant",
        "charge",
        "distance=230 reach=roll attacker.kind=cavalry attacker.weapon=shotgun \
         attacker.fires_in=true attacker.stands=7 attacker.hits=1 attacker.stands_lost=2 \
         defender.stands=5 defender.cover=wall defender.exposed=true defender.grade=green \
         defender.second_fire=decline defender.uphill=true",
    );
    let letters = [("attacker", "a"), ("defender", "b")];
    same((&stands, "outcome"), (&charge, "outcome"), &letters);
    same(
        (&stands, "a_stands_lost"),
        (&charge, "attacker_stands_lost"),
        &[],
    );
    same(
        (&stands, "b_stands_lost"),
        (&charge, "defender_stands_lost"),
        &[],
    );
}

#[test]
fn a_second_fire_under_a_plan_is_the_charge_that_was_set_so() {
    let given =
        "defender.stands=6 defender.stands_lost=5 attacker.grade=green defender.guns_stands=1";
    for (plan, choice) in [("always attempt", "attempt"), ("always decline", "decline")] {
        let decided = planned("elephant", "charge", given, plan);
        let charge = format!("{given} defender.second_fire={choice}");
        let charge = odds("elephant", "charge", &charge);
        for variable in [
            "outcome",
            "contact",
            "attacker_stands_lost",
            "defender_stands_lost",
        ] {
            same((&decided, variable), (&charge, variable), &[]);
        }
    }
}

fn decision(name: &str) -> Decision {
    elephant().decision(name).expect("a decision")
}

fn refusal(procedure: &str, given: &str) -> String {
    let decision = decision(procedure);
    let settings = decision.procedure.resolve(pairs(given)).expect("settings");
    match (decision.build)(&settings) {
        Err(refused) => refused.to_string(),
        Ok(_) => panic!("{given} is not refused"),
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    for (procedure, given, key) in [
        ("standoff", "a.kind=artillery", "a.kind"),
        ("standoff", "b.fires_in=true b.kind=artillery", "b.fires_in"),
        ("standoff", "a.lance=true", "a.lance"),
        ("standoff", "b.unlimbered=true", "b.unlimbered"),
        ("charge", "attacker.flank=true", "attacker.flank"),
    ] {
        let reason = refusal(procedure, given);
        assert!(reason.starts_with(&format!("`{key}=")), "{reason}");
    }
    let standoff = decision("standoff").procedure;
    for given in [
        "a.skirmishing=true",
        "b.prone=true",
        "a.unlimbered=true",
        "a.out_of_ammo=true",
        "a.guns_stands=1",
        "ground=rough",
        "range=3001",
        "turns=21",
        "goal=hold",
    ] {
        assert!(standoff.resolve(pairs(given)).is_err(), "{given}");
    }
    let charge = decision("charge").procedure;
    for given in ["defender.second_fire=decline", "attackers=2", "goal=win"] {
        assert!(charge.resolve(pairs(given)).is_err(), "{given}");
    }
}
