//! Several units on one, and regiments behind the attacker.

use super::{replay, replay_first};

fn melee(settings: &str, dice: &[i32]) -> String {
    replay("melee", settings, dice)
}

/// Two regiments of ten on one of ten: 2:1 for both, a die each. 0 reads -/C1, 4 -/RT, 6 ENGD, 7 RPLS,
/// 8 RT/K1, 9 K1/-.
#[test]
fn every_attacking_unit_has_its_own_die_and_cell() {
    let two = |dice: &[i32]| melee("attackers=2", dice);
    // One drives it off, the other goes back: the attack holds.
    assert_eq!(two(&[0, 9]), "attacker -/C1 1 1 0 1 1 1 [melee]");
    assert_eq!(two(&[9, 0]), "attacker K1/- 1 1 0 1 1 1 [melee]");
    // Beaten only when all of them are.
    assert_eq!(two(&[9, 9]), "defender K1/- 2 0 0 0 1 0 [melee]");
    assert_eq!(two(&[7, 6]), "none RPLS 0 0 0 0 1 0 [melee]");
    // Each costs the defender a stand, and neither sends it back.
    assert_eq!(two(&[8, 8]), "defender RT/K1 0 2 0 0 1 2 [melee]");
    // A third marker is not carried.
    assert_eq!(
        melee("attackers=3", &[4, 4, 4]),
        "attacker -/K1 0 3 0 0 0 2 [melee]"
    );
}

/// The commander is with the first: 3:1 for it, where 4 reads -/K1, 2:1 for the other, where it is -/RT.
#[test]
fn the_commander_helps_the_first_alone() {
    assert_eq!(
        melee("attackers=2 attacker.commander=1", &[4, 4]),
        "attacker -/K1 0 1 0 0 0 2 [melee]"
    );
    assert_eq!(
        melee("attackers=2 defender.commander=1", &[4, 4]),
        "attacker K1/RT 2 0 0 0 1 2 [melee]"
    );
}

/// Each cell is judged by the stands before the first die, and stands are taken from what is left.
#[test]
fn what_is_gone_cannot_be_taken_twice() {
    let ones = "attackers=2 attacker.stands=1 defender.stands=1";
    assert_eq!(melee(ones, &[1, 1]), "attacker -/K1 0 1 0 0 0 0 [melee]");
    // Both attackers gone, the defender told to go: nobody holds the field.
    assert_eq!(melee(ones, &[5, 9]), "none K1/RT 2 0 0 0 0 1 [melee]");
    // 8:1, where 0 reads -/C2: two captured, then the one that is left.
    assert_eq!(
        melee(
            "attackers=3 attacker.stands=8 defender.stands=3",
            &[0, 0, 0]
        ),
        "attacker -/C2 0 3 0 3 0 0 [melee]"
    );
}

/// One roll for the grade of all: elite against regular is right two, 4:1, where 9 reads K1/RT.
#[test]
fn green_attackers_turn_out_alike() {
    assert_eq!(
        melee("attackers=2 attacker.grade=green", &[9, 0, 9]),
        "attacker -/C1 1 1 0 1 1 2 [melee]"
    );
}

/// Regiments behind are ranks, three at most: right one or two; their stands do not count.
#[test]
fn supports_are_ranks() {
    let cell = |settings: &str| {
        let end = melee(settings, &[4]);
        end.split(' ').nth(1).expect("a cell").to_owned()
    };
    assert_eq!(cell("attacker.supports=1"), "K1/RT");
    assert_eq!(cell("attacker.supports=2"), "-/RT");
    assert_eq!(cell("attacker.supports=2 attacker.ranks=2"), "-/RT");
    assert_eq!(cell("attacker.supports=1 attacker.ranks=3"), "-/RT");
}

/// As in the tests of the charge, but two regiments of ten charge three stands.
fn charge(settings: &str, dice: &[i32]) -> String {
    let settings = format!("attackers=2 defender.stands=3 {settings}");
    replay_first(6, "charge", &settings, dice)
}

/// Fire falls on the first still charging; one that is stopped is out, and the others go on.
#[test]
fn the_defender_fires_at_the_first_still_charging() {
    // Quiet; 20 to 3 is 6:1, where 0 reads -/C2: two and then the last.
    assert_eq!(
        charge("", &[1, 4, 0, 4, 0, 0]),
        "defender-destroyed yes 0 3 0 0 [melee]"
    );
    // The first halts with two markers; the second goes in alone, 3:1, where 0 reads -/C1.
    assert_eq!(
        charge("", &[5, 8, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 2 1 [melee]"
    );
    // Both are stopped: the label of the last.
    assert_eq!(
        charge("attacker.panic=1", &[5, 8, 4, 5, 9]),
        "attacker-retreats no 0 0 2 0 [second volley]"
    );
    // The first passes, and is fired at again: its marker is gone, 7 + 1 = 8 passes.
    assert_eq!(
        charge("", &[3, 7, 4, 3, 7, 4, 5, 5]),
        "attacker-wins yes 0 2 0 2 [melee]"
    );
    // The first passes and is rid of its markers; the second still has the one it came with.
    assert_eq!(
        charge("attacker.panic=1 defender.panic=2", &[5, 6, 8]),
        "defender-retreats no 0 0 1 2 [defender's test to fire again]"
    );
}

/// Destroyed when the last of them is; short when those that are left do not reach.
#[test]
fn the_charge_is_over_when_nobody_is_left() {
    let ones = "attacker.stands=1 attacker.hits=2";
    assert_eq!(
        charge(ones, &[5, 4, 5]),
        "attacker-destroyed no 2 0 0 0 [second volley]"
    );
    assert_eq!(
        charge("reach=roll distance=300", &[14, 5, 8]),
        "short no 0 0 2 0 [first volley]"
    );
    // Two of one stand on one are 2:1: K1/RT (5) and K1/- (9): all who fought are gone.
    assert_eq!(
        charge("attacker.stands=1 defender.stands=1", &[0, 4, 0, 4, 5, 9]),
        "attacker-destroyed yes 2 0 0 1 [melee]"
    );
}

/// Each that is still charging fires in turn: 20 factors, 15+, mounted left two, 6+, where 8 is a hit.
#[test]
fn all_of_them_fire_in() {
    let horse =
        "attacker.kind=cavalry attacker.weapon=pistol attacker.fires_in=true attacker.flank=true";
    // Three hits with the one carried: two stands are left, with two markers; 6 + 2 = 8 passes. 8:1.
    assert_eq!(
        charge(&format!("{horse} defender.hits=1"), &[8, 8, 6, 7, 7]),
        "defender-destroyed yes 0 3 0 0 [melee]"
    );
    // Nobody is left after the first has fired.
    assert_eq!(
        charge(&format!("{horse} defender.hits=2 defender.stands=1"), &[8]),
        "defender-destroyed no 0 1 0 0 [attacker fires in]"
    );
    // The second runs out of ammunition as it fires: 20 to 10 is 2:1, right two 4:1, where 2 reads K1/C1,
    // but 3:1 for it, where 2 reads -/K1.
    assert_eq!(
        charge(
            &format!("{horse} ammo_rule=true defender.stands=10"),
            &[1, 0, 4, 2, 2]
        ),
        "attacker-wins yes 1 2 1 2 [melee]"
    );
}
