//! What can be decided: plans that reduce to the procedures that are only played, and what is refused.

use super::{loaded, solved};
use crate::RuleError;
use crate::testing::pairs;
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::Budget;

/// The odds of a decision when a follows a plan.
fn planned(procedure: &str, text: &str, plan: &str) -> Distribution {
    crate::testing::planned("acw28", procedure, text, plan)
}

/// Checks that chances agree: labels of the one with labels of the other.
fn same(one: (&Distribution, &str), other: (&Distribution, &str), labels: &[(&str, &str)]) {
    let (left, right) = (one.0.marginal(one.1), other.0.marginal(other.1));
    let (left, right) = (left.unwrap(), right.unwrap());
    for (a, b) in labels {
        let (p, q) = (left.p(a), right.p(b));
        assert!((p - q).abs() < 1e-12, "{a} {p}, {b} {q}");
    }
}

/// The same losses of both sides.
fn same_losses(one: &Distribution, other: &Distribution, names: [&str; 2]) {
    for (name, other_name) in ["a_casualties", "b_casualties"].into_iter().zip(names) {
        let lost: Vec<String> = (0..=20).map(|n| n.to_string()).collect();
        let labels: Vec<(&str, &str)> = lost.iter().map(|n| (n.as_str(), n.as_str())).collect();
        same((one, name), (other, other_name), &labels);
    }
}

/// Checks that a value is certain.
fn certain(odds: &Distribution, name: &str, label: &str) {
    let p = odds.marginal(name).unwrap().p(label);
    assert!((p - 1.0).abs() < 1e-12, "{name}={label}: {p}");
}

const MELEE: [(&str, &str); 3] = [
    ("a-wins", "attacker-wins"),
    ("b-wins", "defender-wins"),
    ("undecided", "undecided"),
];

#[test]
fn a_standoff_in_which_nobody_moves_is_a_firefight() {
    let units = "a.class=B a.figures=14 b.figures=17 b.formation_fail=true b.class=D";
    let shared = format!("{units} turns=4");
    let stands = planned("standoff", &shared, "always fire");
    let firefight = solved("firefight", &shared);
    let same_label = ["a-routs", "b-routs", "undecided"].map(|label| (label, label));
    same((&stands, "outcome"), (&firefight, "outcome"), &same_label);
    same_losses(&stands, &firefight, ["a_casualties", "b_casualties"]);
}

#[test]
fn a_standoff_charged_at_once_is_a_charge_without_its_volley() {
    let standoff = "a.class=B a.figures=14 b.figures=12 b.formation_fail=true melee_turns=4";
    let charge = "attacker.class=B attacker.figures=14 defender.figures=12 \
                  defender.formation_fail=true volley=false turns=4";
    let (one, other) = (
        planned("standoff", standoff, "charge at once"),
        solved("charge", charge),
    );
    same((&one, "outcome"), (&other, "outcome"), &MELEE);
    same_losses(&one, &other, ["attacker_casualties", "defender_casualties"]);
    certain(&one, "charged", "a");
}

#[test]
fn closing_in_from_near_is_an_advance_into_contact() {
    let approach = "distance=15 a.formation=skirmish a.class=A a.figures=12 b.figures=14";
    let charge = "attacker.onset=advance attacker.formation=skirmish attacker.class=A \
                  attacker.figures=12 defender.figures=14 volley=false";
    let (one, other) = (
        planned("approach", approach, "close in"),
        solved("charge", charge),
    );
    same((&one, "outcome"), (&other, "outcome"), &MELEE);
    certain(&one, "charged", "a-contact");
    certain(&one, "distance", "15");
}

#[test]
fn two_that_stand_and_fire_from_afar_are_in_a_firefight() {
    let units = "a.class=A b.class=C b.figures=13 turns=5";
    let approach = format!("{units} distance=90 b.choices=fire");
    let stands = planned("approach", &approach, "stand and fire");
    let firefight = solved("firefight", &format!("{units} range=90"));
    let same_label = ["a-routs", "b-routs", "undecided"].map(|label| (label, label));
    same((&stands, "outcome"), (&firefight, "outcome"), &same_label);
    certain(&stands, "distance", "90");
}

/// What a decision says to these settings.
fn answer(procedure: &str, text: &str) -> Result<Vec<String>, RuleError> {
    let decision = loaded().decision(procedure)?;
    let settings = decision.procedure.resolve(pairs(text))?;
    let steps = (decision.build)(&settings)?;
    let (game, _) = steps.compile(Budget::default()).unwrap();
    let best = game.best(|row| steps.value(row));
    let names = steps.actions();
    let first = game.first_actions(&best).into_iter();
    Ok(first.map(|at| names[usize::from(at)].to_string()).collect())
}

#[test]
fn only_what_is_allowed_is_offered() {
    let standoff = |text: &str| answer("standoff", &format!("turns=1 {text}")).unwrap();
    assert_eq!(standoff(""), ["fire", "charge", "withdraw"]);
    let lasts = "a.formation_fail=true formation_tests=false";
    assert_eq!(standoff(lasts), ["fire", "withdraw"]);
    // Before the test it is not known whether it may charge.
    assert_eq!(
        standoff("a.formation_fail=true"),
        ["fire", "charge", "withdraw"]
    );
    let approach = |text: &str| answer("approach", &format!("turns=1 {text}")).unwrap();
    let near = [
        "fire",
        "charge",
        "advance 15",
        "advance 10",
        "advance 5",
        "withdraw",
    ];
    assert_eq!(approach("distance=23"), near);
    assert_eq!(approach("distance=30"), near);
    let afar = ["fire", "advance 15", "advance 10", "advance 5", "withdraw"];
    assert_eq!(approach("distance=22"), afar);
    assert_eq!(approach("distance=31"), afar);
    let shotgun = ["hold", "contact", "advance 10", "advance 5", "withdraw"];
    assert_eq!(approach("distance=15 a.weapon=shotgun"), shotgun);
    assert_eq!(
        approach("distance=10 a.officer_fail=true"),
        ["fire", "withdraw"]
    );
    let skirmishers = "distance=5 a.formation=skirmish a.formation_fail=true step=3";
    assert_eq!(
        approach(skirmishers),
        ["fire", "contact", "advance 3", "withdraw"]
    );
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |procedure: &str, text: &str| answer(procedure, text).unwrap_err().to_string();
    assert!(refused("standoff", "a.officer_fail=true").contains("officer"));
    assert!(refused("standoff", "range=22").contains("23"));
    assert!(refused("standoff", "range=31").contains("30"));
    assert!(refused("standoff", "a.cover=soft").contains("a.cover"));
    assert!(refused("standoff", "b.arm=sharpshooters").contains("4 to 8"));
    assert!(refused("standoff", "b.arm=cavalry").contains("sharpshooters"));
    assert!(refused("approach", "a.formation=column").contains("line | skirmish"));
    assert!(refused("approach", "a.class=D a.formation=skirmish").contains("class D"));
    assert!(refused("approach", "step=2").contains("1 | 3 | 5 | 15"));
    assert!(refused("approach", "range=30").contains("range"));
}
