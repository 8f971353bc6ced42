//! The charge, step by step of "Charge movement subphase", then combat.
//!
//! Unless a test says otherwise ten regular stands charge three regular stands with rifle-muskets
//! from 150 yards over the open:
//! - a volley is 3 x 3 = 9 factors, 6+, one right for standing still: the 10+ column, where 0 and 1
//!   do nothing, 2 to 4 give a marker, 5 to 9 a hit and a marker;
//! - the defender's test to fire again is on the die + 1, to receive on the die alone, against 8;
//! - the combat is 10 to 3, the 3:1 column: 0 reads -/C1, 2 to 6 -/K1, 7 -/RT, 8 K1/RT, 9 RT/K1.
//!
//! A replay without incident is thus first volley, test to fire again, second volley, test to
//! receive, combat. Values: outcome, contact, stands lost by attacker and by defender.

use super::{replay, replay_first};

pub(super) fn charge(settings: &str, dice: &[i32]) -> String {
    replay_first(4, "charge", &format!("defender.stands=3 {settings}"), dice)
}

/// Steps 1 to 9 with nothing happening on the way: the volleys of 1 and 0 do nothing, so the
/// attacker never tests; 4 + 1 and 4 pass; -/C1 sends the defender back with one stand captured.
#[test]
fn a_quiet_charge_is_five_rolls() {
    assert_eq!(
        charge("", &[1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // RT/K1: the attacker goes, though the defender lost a stand.
    assert_eq!(
        charge("", &[1, 4, 0, 4, 9]),
        "defender-wins yes 0 1 [melee]"
    );
    // Ten against five is 2:1, where 6 reads ENGD. Five stands are 15 factors, 15+, right one 21+,
    // which always does something: markers only (0), and 1 + 1 passes, twice.
    assert_eq!(
        charge("defender.stands=5", &[0, 1, 4, 0, 1, 4, 6]),
        "engaged yes 0 0 [melee]"
    );
}

/// "If the attacking unit starts over 100 yards away ... the target unit may fire once": at 100
/// yards and below there is no first volley; the second comes whatever the distance was.
#[test]
fn within_a_hundred_yards_there_is_no_first_volley() {
    for distance in ["distance=100", "distance=1"] {
        assert_eq!(
            charge(distance, &[4, 0, 4, 0]),
            "attacker-wins yes 0 1 [melee]"
        );
    }
    assert_eq!(
        charge("distance=101", &[1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// "If a Hit or Panic Marker is received by the attacking unit, it takes an immediate MORALE TEST."
/// A marker: the die + 1 against 8.
#[test]
fn the_first_test_has_every_result() {
    // A marker; 7 + 1 = 8 passes and the charge goes on. The marker is cleared: another marker
    // from the second volley is again +1, and 7 passes again (with two it would be 9, a hit).
    assert_eq!(
        charge("", &[3, 7, 4, 3, 7, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // 8 + 1 = 9, over by one: "it will halt". Two hits, no stand.
    assert_eq!(charge("", &[5, 8]), "attacker-halts no 0 0 [first volley]");
    // With one hit carried, the volley's and the test's make three: a stand.
    assert_eq!(
        charge("attacker.hits=1", &[5, 8]),
        "attacker-halts no 1 0 [first volley]"
    );
    // Two markers already: a third changes nothing, but the test is taken. 9 + 2 = 11, over by 3.
    assert_eq!(
        charge("attacker.panic=2", &[3, 9]),
        "attacker-retreats no 0 0 [first volley]"
    );
    // Four stands lost before, +2: 8 + 4 = 12 is over by four, 9 + 4 = 13 by five.
    let worn = "attacker.panic=2 attacker.stands_lost=4";
    assert_eq!(
        charge(worn, &[3, 8]),
        "attacker-retreats no 0 0 [first volley]"
    );
    assert_eq!(
        charge(worn, &[3, 9]),
        "attacker-routs no 0 0 [first volley]"
    );
    // A commander of 2: 9 + 2 - 2 = 9, a hit.
    assert_eq!(
        charge("attacker.panic=2 attacker.commander=2", &[3, 9]),
        "attacker-halts no 0 0 [first volley]"
    );
}

/// "+1 for each two stands the unit has already lost in the battle": one before and one to this
/// volley (two hits carried) are +1. 7 + 1 marker + 1 = 9 is a hit; without it 8 would pass.
#[test]
fn stands_lost_on_the_way_weigh_on_the_test() {
    assert_eq!(
        charge("attacker.hits=2 attacker.stands_lost=1", &[5, 7]),
        "attacker-halts no 1 0 [first volley]"
    );
}

/// "The target unit may now attempt to issue defensive fire by taking a Morale Check, applying all
/// existing modifiers and an additional +1."
#[test]
fn the_test_to_fire_again_has_every_result() {
    let stage = "[defender's test to fire again]";
    // 7 + 1 = 8 passes and fires; 8 + 1 = 9 is a hit: taken, and no second fire. The hit and its
    // marker are there at the next test: 8 + 1 = 9 is a hit again, the third with the one carried,
    // so two stands meet ten: 4:1, where 0 reads -/C1. Two lost in all.
    assert_eq!(
        charge("", &[1, 7, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    assert_eq!(
        charge("defender.hits=1", &[1, 8, 8, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    // Two markers leave one stand to fire: 3+, right one 6+, where 0 does nothing. 8 + 2 + 1 = 11.
    assert_eq!(
        charge("defender.panic=2", &[0, 8]),
        format!("defender-retreats no 0 0 {stage}")
    );
    // Two stands lost before: 9 + 2 + 1 + 1 = 13.
    assert_eq!(
        charge("defender.panic=2 defender.stands_lost=2", &[0, 9]),
        format!("defender-routs no 0 0 {stage}")
    );
}

/// A pass clears the markers, so that all stands fire. Four stands with two markers: first 2 x 3 =
/// 6, 6+, right one 10+, where 0 does nothing; then, 4 + 2 + 1 = 7 passed, 4 x 3 = 12, 10+, right one
/// 15+, where 0 is a marker. 7 + 1 = 8 passes; 10 to 4 is 2:1, where 1 reads -/K1.
#[test]
fn a_defender_that_passes_fires_with_all_its_stands() {
    assert_eq!(
        charge("defender.stands=4 defender.panic=2", &[0, 4, 0, 7, 4, 1]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// "If a Hit or Panic Marker is received ... it takes an immediate MORALE TEST", after the second
/// volley as after the first.
#[test]
fn the_second_test_has_every_result() {
    let stage = "[second volley]";
    // A hit; 7 + 1 = 8 passes; 3:1, 0: -/C1.
    assert_eq!(
        charge("", &[1, 4, 5, 7, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    assert_eq!(
        charge("", &[1, 4, 5, 8]),
        format!("attacker-halts no 0 0 {stage}")
    );
    // Markers carried do not ask for a test after a volley that does nothing; the second asks.
    assert_eq!(
        charge("attacker.panic=2", &[1, 4, 3, 9]),
        format!("attacker-retreats no 0 0 {stage}")
    );
    assert_eq!(
        charge("attacker.panic=2 attacker.stands_lost=4", &[1, 4, 3, 9]),
        format!("attacker-routs no 0 0 {stage}")
    );
}

/// "The target unit makes a MORALE TEST with all normal modifiers to receive the charge": no +1. The
/// defender with two markers fails its test to fire again by a hit (6 + 2 + 1 = 9) and keeps them.
#[test]
fn the_test_to_receive_has_every_result() {
    let stage = "[defender's test to receive]";
    let shaken = "defender.panic=2";
    // 6 + 2 = 8 passes; ten to three; -/C1.
    assert_eq!(
        charge(shaken, &[0, 6, 6, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // 7 + 2 = 9 is a hit, the second: taken, and it stands.
    assert_eq!(
        charge(shaken, &[0, 6, 7, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // 9 + 2 = 11.
    assert_eq!(
        charge(shaken, &[0, 6, 9]),
        format!("defender-retreats no 0 0 {stage}")
    );
    // Four stands lost before: 4 + 2 + 1 + 2 = 9 is a hit; then 8 + 4 = 12, 9 + 4 = 13.
    let worn = "defender.panic=2 defender.stands_lost=4";
    assert_eq!(
        charge(worn, &[0, 4, 8]),
        format!("defender-retreats no 0 0 {stage}")
    );
    assert_eq!(
        charge(worn, &[0, 4, 9]),
        format!("defender-routs no 0 0 {stage}")
    );
}

/// "-1: unit is in or behind cover", "-X: commander's rating", for the defender's tests; in combat a
/// wall is left one, fieldworks left two, a commander left by his rating.
#[test]
fn cover_and_commander_steady_the_defender() {
    // 8 + 1 - 1 = 8 passes and fires again; 9 - 1 = 8 passes. 3:1 left one is 2:1: 4 reads -/RT.
    for helped in ["defender.cover=wall", "defender.commander=1"] {
        assert_eq!(
            charge(helped, &[1, 8, 0, 9, 4]),
            "attacker-wins yes 0 0 [melee]"
        );
    }
    // Fieldworks are -1 in tests as any cover, and left two: 3:2, where 4 reads K1/RT.
    assert_eq!(
        charge("defender.cover=fieldworks", &[1, 8, 0, 9, 4]),
        "attacker-wins yes 1 0 [melee]"
    );
    // The attacker has no use for cover: it is fired at in the open whatever the defender stands behind.
    assert_eq!(
        charge("defender.cover=wall", &[5, 8]),
        "attacker-halts no 0 0 [first volley]"
    );
}

/// What the volley's column depends on: a deeper or exposed attacker, marksmen, guns and
/// ammunition. On 10+ a 0 does nothing; on 15+ it is a marker.
#[test]
fn the_volleys_have_the_defenders_and_the_attackers_shifts() {
    for right_one in [
        "attacker.ranks=2",
        "attacker.exposed=true",
        "defender.marksmen=true",
    ] {
        // A marker; 9 + 1 = 10 is a hit.
        assert_eq!(
            charge(right_one, &[0, 9]),
            "attacker-halts no 0 0 [first volley]"
        );
    }
    // A mounted attacker is exposed; set or not it counts once: on 15+ a 3 is a marker, and 9 + 1 = 10
    // a hit, the first of the two a cavalry stand takes. On 21+ the 3 would be a hit, and a stand gone.
    for mounted in ["", "attacker.exposed=true"] {
        assert_eq!(
            charge(&format!("attacker.kind=cavalry {mounted}"), &[3, 9]),
            "attacker-halts no 0 0 [first volley]"
        );
    }
    // Two Napoleons are 24: 33 in all, 28+, right one 36+, where 0 is a hit.
    assert_eq!(
        charge(
            "defender.guns_stands=2 attacker.hits=2",
            &[0, 6, 4, 0, 6, 4, 0]
        ),
        "attacker-wins yes 1 1 [melee]"
    );
    // Out of ammunition left one, moving left the one of standing still: 3+, where 6 does nothing and
    // 7 gives a marker. In combat the empty pouches are right one: 4:1, where 2 reads K1/C1.
    assert_eq!(
        charge(
            "defender.out_of_ammo=true defender.stationary=false",
            &[6, 4, 6, 4, 2]
        ),
        "attacker-wins yes 1 1 [melee]"
    );
    // The attacker's own empty pouches are left one in combat: 2:1, 4 reads -/RT.
    assert_eq!(
        charge("attacker.out_of_ammo=true", &[1, 4, 0, 4, 4]),
        "attacker-wins yes 0 0 [melee]"
    );
    // Beyond its range a weapon does not fire and no die is rolled: pistols reach 50 yards, so only the
    // second volley is fired: 3 x 2 = 6, 6+, right one 10+.
    assert_eq!(
        charge("defender.weapon=pistol", &[4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// "Overenthusiastic ... a one column shift in its favor in Combat until it fails a MORALE TEST or
/// passes without a modified 0 or less." A commander of 1 makes a marker and a 0 come to 0, and is
/// right one in combat: 4:1, where 0 reads -/C1; overenthusiastic 6:1, where 0 reads -/C2.
#[test]
fn an_overenthusiastic_attacker_moves_one_column_until_it_tests_again() {
    let led = "attacker.commander=1";
    assert_eq!(
        charge(led, &[3, 0, 4, 0, 4, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    // 1 + 1 - 1 = 1 merely passes.
    assert_eq!(
        charge(led, &[3, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // Ended by the test after the second volley, or renewed by it.
    assert_eq!(
        charge(led, &[3, 0, 4, 3, 1, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    assert_eq!(
        charge(led, &[3, 0, 4, 3, 0, 4, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
}

/// The same for the defender: a 0 when it receives is left one, 2:1, where 4 reads -/RT. A commander
/// of 1 makes the 0 of its test to fire again come to 0; the pass to receive (2 - 1 = 1) ends it, and
/// only the commander's column is left: 2:1 again (both would be 3:2, where 4 reads K1/RT).
#[test]
fn an_overenthusiastic_defender_moves_one_column_until_it_tests_again() {
    assert_eq!(
        charge("", &[1, 4, 0, 0, 4]),
        "attacker-wins yes 0 0 [melee]"
    );
    let led = "defender.commander=1";
    assert_eq!(
        charge(led, &[1, 0, 0, 2, 4]),
        "attacker-wins yes 0 0 [melee]"
    );
    // 1 - 1 = 0 renews it.
    assert_eq!(
        charge(led, &[1, 0, 0, 1, 4]),
        "attacker-wins yes 1 0 [melee]"
    );
}

/// A green attacker rolls its grade when it first tests, and keeps it: 0 is militia (6), 9 elite (10).
#[test]
fn a_green_attacker_is_rolled_for_once() {
    // 6 + 1 = 7 against 6: a hit.
    assert_eq!(
        charge("attacker.grade=green", &[3, 0, 6]),
        "attacker-halts no 0 0 [first volley]"
    );
    // Two stands lost before, +1: 8 + 1 + 1 = 10 against 10 passes, twice, on one roll for the grade;
    // elite against regular is right two, 6:1, where 0 reads -/C2.
    assert_eq!(
        charge(
            "attacker.grade=green attacker.stands_lost=2",
            &[3, 9, 8, 4, 3, 8, 4, 0]
        ),
        "attacker-wins yes 0 2 [melee]"
    );
    // Never tested, it is rolled for in combat: 8 is veteran, 4:1, where 2 reads K1/C1.
    assert_eq!(
        charge("attacker.grade=green", &[1, 4, 0, 4, 8, 2]),
        "attacker-wins yes 1 1 [melee]"
    );
}

/// A green defender rolls its grade at its test to fire again: 1 is poor (7). 6 + 1 = 7 passes; 8
/// against 7 is a hit, taken. Regular against poor is right one, 4:1, where 2 reads K1/C1.
#[test]
fn a_green_defender_is_rolled_for_once() {
    assert_eq!(
        charge("defender.grade=green", &[1, 1, 6, 0, 8, 2]),
        "attacker-wins yes 1 1 [melee]"
    );
    // On the flank it first tests to receive.
    assert_eq!(
        charge("defender.grade=green attacker.flank=true", &[0, 9]),
        "defender-retreats no 0 0 [defender's test to receive]"
    );
}

/// "Assuming the attacker is not on the target unit's flank or rear": no fire and no test to fire;
/// right two in combat, 6:1, where 0 reads -/C2; never below 1:1.
#[test]
fn a_charge_on_the_flank_meets_no_fire() {
    assert_eq!(
        charge("attacker.flank=true", &[4, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    // Three against ten starts at 1:1, right two 2:1: 4 reads -/RT.
    assert_eq!(
        charge(
            "attacker.flank=true attacker.stands=3 defender.stands=10",
            &[4, 4]
        ),
        "attacker-wins yes 0 0 [melee]"
    );
}

/// A unit without stands is destroyed, wherever it loses the last.
#[test]
fn the_last_stand_gone_is_destroyed() {
    // By the first volley, by the hit of the test, by the second volley.
    let last = "attacker.stands=1 attacker.hits=2";
    assert_eq!(
        charge(last, &[5]),
        "attacker-destroyed no 1 0 [first volley]"
    );
    assert_eq!(
        charge(last, &[3, 8]),
        "attacker-destroyed no 1 0 [first volley]"
    );
    assert_eq!(
        charge(last, &[1, 4, 5]),
        "attacker-destroyed no 1 0 [second volley]"
    );
    // The defender's last: one stand fires on 6+ (3+, right one), where 0 does nothing.
    let held = "defender.stands=1 defender.hits=2";
    assert_eq!(
        charge(held, &[0, 8]),
        "defender-destroyed no 0 1 [defender's test to fire again]"
    );
    assert_eq!(
        charge(held, &[0, 4, 0, 9]),
        "defender-destroyed no 0 1 [defender's test to receive]"
    );
    // By the cavalry's fire: volleys at the mounted are on 10+, pistols on 6+, where 8 is a hit.
    let horse = "attacker.kind=cavalry attacker.weapon=pistol attacker.fires_in=true";
    assert_eq!(
        charge(&format!("{held} {horse}"), &[0, 4, 0, 8]),
        "defender-destroyed no 0 1 [attacker fires in]"
    );
}

/// In combat too; and when both lose their last stand the attacker is destroyed.
#[test]
fn combat_destroys() {
    // Ten to one is 8:1, where 9 reads -/K1.
    assert_eq!(
        charge("defender.stands=1", &[0, 4, 0, 4, 9]),
        "defender-destroyed yes 0 1 [melee]"
    );
    // One to one, where 9 reads K1/-.
    let one = "attacker.stands=1 defender.stands=1";
    assert_eq!(
        charge(one, &[0, 4, 0, 4, 9]),
        "attacker-destroyed yes 1 0 [melee]"
    );
    // A commander of 3 moves 1:1 to 3:1, where 1 reads K1/C1.
    assert_eq!(
        charge(&format!("{one} attacker.commander=3"), &[0, 4, 0, 4, 1]),
        "attacker-destroyed yes 1 1 [melee]"
    );
}

/// All that is reported: after the losses the markers on attacker and defender when it ends, and what
/// became of their commanders.
fn whole(settings: &str, dice: &[i32]) -> String {
    replay("charge", &format!("defender.stands=3 {settings}"), dice)
}

/// K and C give as many markers as stands, RT and RPLS one; those carried count, and two are the most.
#[test]
fn markers_are_reported_as_they_are_at_the_end() {
    assert_eq!(
        whole("", &[1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 0 1 none none [melee]"
    );
    // The volley's marker and the failed test's.
    assert_eq!(
        whole("", &[5, 8]),
        "attacker-halts no 0 0 2 0 none none [first volley]"
    );
    // Carried into a quiet charge, since only a test would clear them; RT/K1 gives one more to each.
    assert_eq!(
        whole("attacker.panic=1", &[1, 4, 0, 4, 9]),
        "defender-wins yes 0 1 2 1 none none [melee]"
    );
    // Nobody is left to carry any.
    assert_eq!(
        whole("attacker.stands=1 attacker.hits=2", &[5]),
        "attacker-destroyed no 1 0 0 0 none none [first volley]"
    );
    assert_eq!(
        whole("defender.stands=1 attacker.commander=1", &[0, 4, 0, 4, 9]),
        "defender-destroyed yes 0 1 0 0 safe none [melee]"
    );
}

/// "The target unit may now attempt": one that does not is spared the test, and the attacker the fire.
#[test]
fn a_defender_may_do_without_its_second_fire() {
    assert_eq!(
        charge("defender.second_fire=decline", &[1, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// "If unit was withdrawing" counts in every test of that side: 6 + 1 marker + 2 = 9 is a hit.
#[test]
fn a_unit_that_withdrew_tests_worse_throughout() {
    assert_eq!(
        charge("attacker.withdrew=rout", &[3, 6]),
        "attacker-halts no 0 0 [first volley]"
    );
    // 7 + 1 + 1 = 9 is a hit, so no second fire; to receive 7 + 1 marker + 1 = 9 is one more.
    assert_eq!(
        charge("defender.withdrew=retreat defender.hits=1", &[1, 7, 7, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
}
