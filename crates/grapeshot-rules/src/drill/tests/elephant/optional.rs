//! Rules that are in play only if asked for: ammunition, the close-range column, commanders at risk; and
//! guns that fire together with small arms or apart.
//!
//! As in the tests of the charge ten regular stands charge three, whose volley is on 10+: 0 and 1 are
//! nothing, 2 to 4 a marker, 5 to 9 a hit.

use super::charge::charge;
use super::{replay, replay_first};
use crate::testing::marginal;

/// "A unit rolling a 0 when firing": the next volley is left one, 6+, where 5 is only a marker, and the
/// combat right one, 4:1, where 2 reads K1/C1.
#[test]
fn a_defender_that_rolls_a_zero_fights_on_without_ammunition() {
    assert_eq!(
        charge("ammo_rule=true", &[0, 4, 4, 4, 2]),
        "attacker-wins yes 1 1 [melee]"
    );
    // On 6+ a 5 is a marker, not the third hit.
    assert_eq!(
        charge("ammo_rule=true attacker.hits=2", &[0, 4, 5, 7, 4, 2]),
        "attacker-wins yes 1 1 [melee]"
    );
    // Without the rule a 0 is a 0.
    assert_eq!(
        charge("attacker.hits=2", &[0, 4, 5, 7, 4, 2]),
        "attacker-wins yes 1 1 [melee]"
    );
    assert_eq!(
        charge("", &[0, 4, 4, 7, 4, 2]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// At 50 yards left one: the second volley is on 6+, the first, at 100, on 10+.
#[test]
fn the_close_range_column_is_for_the_second_volley() {
    assert_eq!(
        charge("close_range_rule=true", &[2, 7, 4, 4, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// One Napoleon is 12, 10+ by itself: apart it is a second die, at a target that is still there, and
/// the attacker tests once, after both: a marker each, 6 + 2 = 8.
#[test]
fn guns_that_fire_apart_come_second() {
    let apart = "defender.guns_stands=1 defender.combine=false";
    assert_eq!(
        charge(apart, &[2, 2, 6, 4, 0, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    assert_eq!(
        charge(apart, &[2, 2, 7]),
        "attacker-halts no 0 0 [first volley]"
    );
    let last = format!("{apart} attacker.stands=1 attacker.hits=2");
    assert_eq!(
        charge(&last, &[5]),
        "attacker-destroyed no 1 0 [first volley]"
    );
    assert_eq!(
        charge(&last, &[0, 5]),
        "attacker-destroyed no 1 0 [first volley]"
    );
    // Confederate guns are left one, 6+: 4 is nothing there; the small arms stay on 10+.
    let csa = format!("{apart} defender.csa_artillery=true defender.second_fire=decline");
    assert_eq!(charge(&csa, &[1, 4, 4, 0]), "attacker-wins yes 0 1 [melee]");
    // Only the die of the small arms runs the unit out: the guns' 0 does not.
    let ammo = format!("{apart} ammo_rule=true defender.second_fire=decline");
    assert_eq!(
        charge(&ammo, &[1, 0, 4, 2]),
        "attacker-wins yes 0 1 [melee]"
    );
    assert_eq!(
        charge(&ammo, &[0, 0, 4, 2]),
        "attacker-wins yes 1 1 [melee]"
    );
    // Together 9 + 12 = 21, 21+, right one 28+, Confederate left one: one die, where 0 is a marker.
    let joined = "defender.guns_stands=1 defender.csa_artillery=true";
    assert_eq!(
        charge(joined, &[0, 8]),
        "attacker-halts no 0 0 [first volley]"
    );
}

/// The dice of a commander: how many of those that may strike him do, and then his fate.
const SAFE: &[i32] = &[0];
const LIGHT: &[i32] = &[1, 5];
const SERIOUS: &[i32] = &[1, 2];
const KILLED: &[i32] = &[1, 1];

fn led(settings: &str, dice: &[i32]) -> String {
    let settings = format!("defender.stands=3 commander_risk=true {settings}");
    replay("charge", &settings, dice)
}

/// "Must immediately roll 1d6 for each Hit taken": before the test, in which a fallen commander does not
/// help, and his unit has a marker more, or two.
#[test]
fn a_commander_falls_before_the_test_of_his_unit() {
    let brigadier = "attacker.commander=1";
    let stage = "[first volley]";
    // 8 + 1 - 1 = 8 passes; so with a light wound; without him 7 + 2 = 9 is a hit.
    assert_eq!(
        led(brigadier, &[&[5], SAFE, &[9]].concat()),
        format!("attacker-halts no 0 0 2 0 safe none {stage}")
    );
    assert_eq!(
        led(brigadier, &[&[5], SERIOUS, &[7]].concat()),
        format!("attacker-halts no 0 0 2 0 serious none {stage}")
    );
    assert_eq!(
        led(brigadier, &[&[5], KILLED, &[9]].concat()),
        format!("attacker-retreats no 0 0 2 0 killed none {stage}")
    );
    // A light wound is carried to the second volley, where no fate is better than it; he leads on, and in
    // combat 3:1 is 4:1, where 3 reads -/K1.
    assert_eq!(
        led(
            brigadier,
            &[&[5], LIGHT, &[8, 4, 5], SAFE, &[8, 4, 3]].concat()
        ),
        "attacker-wins yes 0 1 0 1 light none [melee]"
    );
    // Gone: no more dice for him at the second volley, and 3:1 in combat, where 9 reads RT/K1.
    assert_eq!(
        led(brigadier, &[&[5], SERIOUS, &[6, 4, 5, 7, 4, 9]].concat()),
        "defender-wins yes 0 1 1 1 serious none [melee]"
    );
    // A marker without a hit endangers nobody, nor does the hit of a failed test.
    assert_eq!(
        led(brigadier, &[3, 9]),
        format!("attacker-halts no 0 0 2 0 safe none {stage}")
    );
}

/// "Roll 3d6 for each stand lost in the Combat": his unit's markers are then reported with the rest.
#[test]
fn combat_endangers_both_commanders() {
    // 4:1 with the attacker's: 9 reads K1/RT.
    assert_eq!(
        led("attacker.commander=1", &[&[1, 4, 0, 4, 9], KILLED].concat()),
        "attacker-wins yes 1 0 2 1 killed none [melee]"
    );
    // 3:1 left two with a divisional commander of the defender is 3:2: 1 reads -/K1.
    assert_eq!(
        led(
            "defender.commander=2",
            &[&[1, 4, 0, 4, 1], SERIOUS].concat()
        ),
        "attacker-wins yes 0 1 0 2 none serious [melee]"
    );
    assert_eq!(
        led("defender.commander=2", &[&[1, 4, 0, 4, 1], SAFE].concat()),
        "attacker-wins yes 0 1 0 1 none safe [melee]"
    );
}

/// Fire before the charge and fire of the cavalry that closes endanger the defender's.
#[test]
fn every_fire_on_his_unit_endangers_him() {
    // A Napoleon at 200 yards: 6+, where 8 is a hit. Killed: two markers; 8 + 2 + 1 = 11.
    assert_eq!(
        led(
            "defender.commander=2 prep.stands=1 prep.range=200",
            &[&[8], KILLED, &[0, 8]].concat()
        ),
        "defender-retreats no 0 0 0 2 none killed [defender's test to fire again]"
    );
    // Pistols: 6+ again; 6 + 2 = 8 passes to receive; 6:1 on the flank, 5 reads -/K1.
    let horse = "attacker.kind=cavalry attacker.weapon=pistol attacker.fires_in=true \
                 attacker.flank=true defender.commander=1";
    assert_eq!(
        led(horse, &[&[8], SERIOUS, &[6, 5]].concat()),
        "attacker-wins yes 0 1 0 1 none serious [melee]"
    );
}

/// Without the rule nobody rolls, and he stays safe.
#[test]
fn a_commander_is_not_at_risk_unless_asked_for() {
    let settings = "defender.stands=3 attacker.commander=1 defender.commander=1";
    assert_eq!(
        replay("charge", settings, &[5, 8, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 0 1 safe safe [melee]"
    );
}

/// Several hits at once are read off odds worked out beforehand: they are those of `commander`.
#[test]
fn dangers_that_come_at_once_have_the_odds_of_the_commander_alone() {
    let alone = |hits: usize| marginal("elephant", "commander", &format!("hits={hits}"), "fate");
    // Forty stands at 100 yards are on 55+: 1, 2, 3 and 4 hits by the printed column.
    let given = "turns=1 a.stands=40 b.commander=1 commander_risk=true b.stands=40 b.weapon=pistol";
    let found = marginal("elephant", "firefight", given, "b_commander");
    for fate in ["safe", "light", "serious", "killed"] {
        let by_hits = [(1, 0.2), (2, 0.5), (3, 0.2), (4, 0.1)];
        let expected: f64 = by_hits
            .iter()
            .map(|&(hits, p)| p * alone(hits).p(fate))
            .sum();
        assert!((found.p(fate) - expected).abs() < 1e-12, "{fate}");
    }
}

/// In the firefight too: b loses its commander to the first volley, and tests without him.
#[test]
fn the_firefight_reports_commanders_and_ammunition() {
    let given = "a.stands=3 b.stands=3 turns=1 b.commander=1 commander_risk=true ammo_rule=true";
    // a: 5, a hit; serious; b: 7 + 2 = 9, a hit and still fires, one stand on 6+: 0 runs it out.
    assert_eq!(
        replay("firefight", given, &[&[5], SERIOUS, &[7, 0]].concat()),
        "undecided 1 0 0 none serious no yes [time is up]"
    );
    // Out of ammunition in turn 2: left one, 6+, where 4 is nothing and no test follows.
    assert_eq!(
        replay_first(
            4,
            "firefight",
            "a.stands=3 b.stands=3 turns=2 ammo_rule=true",
            &[0, 1, 4, 1]
        ),
        "undecided 2 0 0 [time is up]"
    );
}
