//! Skirmishers that are charged.
//!
//! Three stands of rifle-muskets at 100 yards are 9 factors, 6+, skirmishers left one, on the move: 3+,
//! where 6 is nothing, 7 a marker, 9 a hit. To fire they test at +1. Values: outcome, fired, stands lost
//! by attacker and screen, markers on attacker and screen.

use super::replay;

fn screen(settings: &str, dice: &[i32]) -> String {
    replay("screen", settings, dice)
}

#[test]
fn they_test_before_they_fire() {
    let stage = "[screen's test to fire]";
    assert_eq!(screen("", &[7, 6]), "falls-back yes 0 0 0 0 [screen fires]");
    assert_eq!(screen("", &[8]), format!("falls-back no 0 0 0 1 {stage}"));
    assert_eq!(
        screen("screen.stands=1 screen.hits=2", &[8]),
        format!("screen-destroyed no 0 1 0 0 {stage}")
    );
    assert_eq!(
        screen("screen.panic=2", &[8]),
        format!("screen-retreats no 0 0 0 2 {stage}")
    );
    assert_eq!(
        screen("screen.panic=2 screen.stands_lost=4", &[8]),
        format!("screen-routs no 0 0 0 2 {stage}")
    );
    // Cover counts: 8 + 1 - 1 = 8.
    assert_eq!(
        screen("screen.cover=true", &[8, 6]),
        "falls-back yes 0 0 0 0 [screen fires]"
    );
    // "If the skirmisher stands did not already fire."
    assert_eq!(
        screen("screen.fired=true", &[]),
        format!("falls-back no 0 0 0 0 {stage}")
    );
}

/// As in the charge: whoever is hit or shaken tests, and may be stopped.
#[test]
fn the_attacker_may_be_stopped() {
    let stage = "[attacker's test]";
    assert_eq!(
        screen("", &[4, 7, 7]),
        format!("falls-back yes 0 0 0 0 {stage}")
    );
    assert_eq!(
        screen("", &[4, 9, 8]),
        format!("attacker-halts yes 0 0 2 0 {stage}")
    );
    assert_eq!(
        screen("attacker.panic=1", &[4, 7, 9]),
        format!("attacker-retreats yes 0 0 2 0 {stage}")
    );
    assert_eq!(
        screen("attacker.panic=1 attacker.stands_lost=4", &[4, 7, 9]),
        format!("attacker-routs yes 0 0 2 0 {stage}")
    );
    let last = "attacker.stands=1 attacker.hits=2";
    assert_eq!(
        screen(last, &[4, 9]),
        "attacker-destroyed yes 1 0 0 0 [screen fires]"
    );
    assert_eq!(
        screen(last, &[4, 7, 8]),
        format!("attacker-destroyed yes 1 0 0 0 {stage}")
    );
}

/// At 100 yards, or nearer if the charge begins there: pistols reach 50.
#[test]
fn they_fire_at_a_hundred_yards_or_less() {
    // No factors, no die.
    assert_eq!(
        screen("screen.weapon=pistol", &[4]),
        "falls-back no 0 0 0 0 [screen's test to fire]"
    );
    // 6 factors, 6+, left one; with the close-range rule one more, 0+, where 7 is nothing.
    let near = "screen.weapon=pistol distance=50";
    assert_eq!(
        screen(near, &[4, 7, 7]),
        "falls-back yes 0 0 0 0 [attacker's test]"
    );
    assert_eq!(
        screen(&format!("{near} close_range_rule=true"), &[4, 7]),
        "falls-back yes 0 0 0 0 [screen fires]"
    );
    // Mounted and out of ammunition: left two and left one more; marksmen right one.
    let poor = "screen.stands=10 screen.kind=cavalry screen.out_of_ammo=true screen.marksmen=true";
    // 30, 28+: one for skirmishers, two mounted, one without ammunition, one back: 10+, where 1 is nothing.
    assert_eq!(
        screen(poor, &[4, 1]),
        "falls-back yes 0 0 0 0 [screen fires]"
    );
}
