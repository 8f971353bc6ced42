//! Charges replayed with scripted dice: every band, both losers, and their supports.

use super::*;
use crate::impact::printed;
use crate::testing::{pairs, replay};

fn steps(given: &str) -> Charge {
    let tables = printed();
    let settings = procedure(&tables).resolve(pairs(given)).unwrap();
    Charge::new(&tables, &settings).unwrap()
}

/// Outcome, margin, figures of attacker and defender, inches, level of the loser.
fn charge(given: &str, readings: &[i32]) -> (&'static str, [u16; 4], &'static str) {
    let row = replay(&steps(given), readings);
    let levels = ["good", "disorder", "shaken", "routed", "none"];
    (
        Outcome::LABELS[usize::from(row[0])],
        [row[1], row[2], row[3], row[4]],
        levels[usize::from(row[5])],
    )
}

/// Two equal units: a leader makes up for the charging bonus of the attacker.
const EVEN: &str = "defender.leader=1";

#[test]
fn impact_is_value_less_morale_point() {
    let impact = |given: &str| steps(given).sides.map(|side| side.impact);
    assert_eq!(impact(""), [6 - 4, 6 - 5]);
    assert_eq!(impact("attacker.formation=extended-line"), [4 - 4, 1]);
    assert_eq!(impact("attacker.formation=skirmish"), [1 - 4, 1]);
    assert_eq!(impact("attacker.formation=attack-column"), [8 - 4, 1]);
    assert_eq!(impact("attacker.formation=road-column"), [2 - 4, 1]);
    assert_eq!(impact("attacker.level=disorder"), [3 - 6, 1]);
    assert_eq!(impact("defender.level=shaken"), [2, -9]);
    assert_eq!(
        impact("attacker.arm=cavalry defender.flank=full"),
        [6 - 3, 6 - 11]
    );
    assert_eq!(impact("defender.flank=partial"), [2, 6 - 7]);
}

#[test]
fn every_band_costs_a_defender_what_is_printed() {
    assert_eq!(
        charge(EVEN, &[7, 7, 3]),
        ("stopped-short", [0, 0, 0, 0], "none")
    );
    assert_eq!(
        charge(EVEN, &[8, 7, 3]),
        ("stopped-short", [1, 0, 0, 0], "none")
    );
    // A defender's check is at 5 - 1 + the band's number.
    assert_eq!(
        charge(EVEN, &[9, 7, 5]),
        ("attacker-wins", [2, 0, 1, 2], "good")
    );
    assert_eq!(
        charge(EVEN, &[9, 7, 4]),
        ("attacker-wins", [2, 0, 1, 2], "disorder")
    );
    assert_eq!(
        charge(EVEN, &[11, 7, 5]),
        ("attacker-wins", [4, 0, 1, 4], "good")
    );
    assert_eq!(
        charge(EVEN, &[12, 7, 6]),
        ("attacker-wins", [5, 0, 2, 5], "good")
    );
    assert_eq!(
        charge(EVEN, &[12, 5, 5]),
        ("attacker-wins", [7, 0, 2, 7], "disorder")
    );
    assert_eq!(
        charge(EVEN, &[12, 4, 7]),
        ("attacker-wins", [8, 0, 3, 8], "good")
    );
    assert_eq!(
        charge(EVEN, &[12, 2, 6]),
        ("attacker-wins", [10, 0, 3, 10], "disorder")
    );
    assert_eq!(
        charge("", &[12, 2]),
        ("attacker-wins", [11, 0, 4, 11], "routed")
    );
}

#[test]
fn a_losing_attacker_is_spared_one_of_everything() {
    // Its check has no charging bonus: 5 + the band's number - 1.
    assert_eq!(
        charge(EVEN, &[7, 9, 5]),
        ("defender-wins", [2, 0, 0, 1], "good")
    );
    assert_eq!(
        charge(EVEN, &[7, 9, 4]),
        ("defender-wins", [2, 0, 0, 1], "disorder")
    );
    assert_eq!(
        charge(EVEN, &[5, 12, 6]),
        ("defender-wins", [7, 1, 0, 6], "good")
    );
    assert_eq!(
        charge(EVEN, &[2, 12, 6]),
        ("defender-wins", [10, 2, 0, 9], "disorder")
    );
    let given = "defender.leader=2";
    assert_eq!(
        charge(given, &[2, 12]),
        ("defender-wins", [11, 3, 0, 10], "routed")
    );
}

#[test]
fn margins_beyond_the_chart_are_its_last_row() {
    let given = "attacker.formation=attack-column defender.level=shaken";
    assert_eq!(
        charge(given, &[12, 2]),
        ("attacker-wins", [23, 0, 4, 23], "routed")
    );
}

#[test]
fn the_check_after_a_charge_is_not_a_charge() {
    // Two supports are -4 in the charge and -2 in the check; the flank counts in both. The last two
    // readings are the supports' own checks.
    let given = "defender.support_good=2 defender.flank=partial";
    assert_eq!(steps(given).sides[1].impact, 6 - (5 - 4 + 2));
    assert_eq!(
        charge(given, &[8, 4, 6, 2, 2]),
        ("attacker-wins", [3, 0, 1, 3], "good")
    );
    assert_eq!(
        charge(given, &[8, 4, 5, 12, 12]),
        ("attacker-wins", [3, 0, 1, 3], "disorder")
    );
    // Heavy works and cover do nothing for a charging attacker, and all for its check: 5 - 5 + 0.
    let given = "attacker.works=heavy attacker.cover=true defender.leader=1";
    assert_eq!(steps(given).sides[0].impact, 2);
    assert_eq!(
        charge(given, &[7, 9]),
        ("defender-wins", [2, 0, 0, 1], "good")
    );
}

/// Inches stopped at, supports that end worse.
fn more(given: &str, readings: &[i32]) -> [u16; 2] {
    let row = replay(&steps(given), readings);
    [row[6], row[7]]
}

#[test]
fn a_charge_that_stops_short_stops_at_the_reading_of_one_die() {
    assert_eq!(more(EVEN, &[7, 7, 1]), [1, 0]);
    assert_eq!(more(EVEN, &[7, 8, 6]), [6, 0]);
    assert_eq!(more(EVEN, &[9, 7, 5]), [0, 0]);
    // Supports neither help nor suffer when nobody loses.
    let supported = "attacker.support_good=2 defender.support_good=2 defender.leader=1";
    assert_eq!(more(supported, &[7, 7, 4]), [4, 0]);
}

#[test]
fn every_support_of_the_loser_takes_the_same_check_by_its_own_grade_and_level() {
    // Trained 5, +1: 6 in good order, 8 disordered; those in good order roll first.
    let given = "defender.support_good=1 defender.support_disordered=2 defender.leader=1";
    assert_eq!(steps(given).sides[1].impact, 6 - 1);
    assert_eq!(more(given, &[12, 5, 12, 6, 8, 8]), [0, 0]);
    assert_eq!(more(given, &[12, 5, 12, 5, 7, 8]), [0, 2]);
    assert_eq!(more(given, &[12, 5, 2, 5, 7, 7]), [0, 3]);
    // A grade and a sum of modifiers of their own: 3 + 2 + 2 + 1, and nothing of the unit's.
    let given = "defender.support_disordered=1 defender.depleted=true defender.near_enemy=true \
                 defender.support_grade=elite defender.support_modifier=2";
    assert_eq!(more(given, &[2, 5, 12, 8]), [0, 0]);
    assert_eq!(more(given, &[2, 5, 12, 7]), [0, 1]);
}

#[test]
fn supports_of_a_losing_attacker_are_spared_one_on_their_check() {
    let given = "attacker.support_good=1 defender.leader=3";
    assert_eq!(more(given, &[5, 7, 12, 5]), [0, 0]);
    assert_eq!(more(given, &[5, 7, 12, 4]), [0, 1]);
}

#[test]
fn a_rout_takes_all_supports_along_unrolled() {
    let given = "attacker.formation=attack-column defender.support_disordered=2";
    assert_eq!(
        charge(given, &[12, 2]),
        ("attacker-wins", [11, 0, 4, 11], "routed")
    );
    assert_eq!(more(given, &[12, 2]), [0, 2]);
}

#[test]
fn figures_of_the_supports_are_counted_only_if_asked_for() {
    let given = "defender.support_good=1 defender.support_disordered=2 defender.leader=1";
    let lost = |given: &str, readings: &[i32]| charge(given, readings).1[2];
    let readings = [12, 5, 12, 12, 12, 12];
    assert_eq!(lost(given, &readings), 1);
    assert_eq!(lost(&format!("{given} count_supports=true"), &readings), 4);
    let given = "attacker.support_good=2 defender.leader=4 count_supports=true";
    assert_eq!(charge(given, &[2, 10, 12, 12, 12]).1[1], 3 * (3 - 1));
}
