//! Cavalry that charges an enemy passing by.
//!
//! Ten stands of cavalry and three of infantry on the move: its volleys are 9 factors, 6+, right one for
//! the mounted target: 10+. Values as in a charge, with the test to charge before it.

use super::replay;

fn opportunity(settings: &str, dice: &[i32]) -> String {
    replay(
        "opportunity",
        &format!("defender.stands=3 {settings}"),
        dice,
    )
}

/// "May take an immediate MORALE TEST to attempt to charge": it is taken without markers too.
#[test]
fn the_test_to_charge_has_every_result() {
    let stage = "[test to charge]";
    assert_eq!(
        opportunity("", &[8, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 0 1 none none [melee]"
    );
    assert_eq!(
        opportunity("", &[9]),
        format!("no-charge no 0 0 1 0 none none {stage}")
    );
    assert_eq!(
        opportunity("attacker.panic=2", &[9]),
        format!("attacker-retreats no 0 0 2 0 none none {stage}")
    );
    assert_eq!(
        opportunity("attacker.panic=2 attacker.withdrew=rout", &[9]),
        format!("attacker-routs no 0 0 2 0 none none {stage}")
    );
    assert_eq!(
        opportunity("attacker.stands=1 attacker.hits=1", &[9]),
        format!("attacker-destroyed no 1 0 0 0 none none {stage}")
    );
}

/// A pass clears the markers it came with, and a modified 0 is noted: right one in combat.
#[test]
fn what_the_test_does_goes_into_the_charge() {
    // 6 + 2 = 8; nothing happens on the way.
    assert_eq!(
        opportunity("attacker.panic=2", &[6, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 0 1 none none [melee]"
    );
    // 4:1, where 2 reads K1/C1.
    assert_eq!(
        opportunity("", &[0, 1, 4, 0, 4, 2]),
        "attacker-wins yes 1 1 1 1 none none [melee]"
    );
}

/// "The enemy may attempt to face": one that does not is struck in the flank, without a shot. 6:1.
#[test]
fn an_enemy_that_does_not_face_is_struck_in_the_flank() {
    assert_eq!(
        opportunity("defender.faces=false", &[8, 4, 0]),
        "attacker-wins yes 0 2 0 2 none none [melee]"
    );
}

/// Its movement dice are those of a charge: three from rest, and the ground counts.
#[test]
fn it_may_fall_short() {
    assert_eq!(
        opportunity("reach=roll defender.faces=false", &[8, 7]),
        "short no 0 0 0 0 none none [advance]"
    );
    assert_eq!(
        opportunity("reach=roll ground=rough defender.faces=false", &[8, 10]),
        "short no 0 0 0 0 none none [advance]"
    );
}
