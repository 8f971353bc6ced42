//! Firefights: test, then fire, side by side, turn by turn.
//!
//! Unless a test says otherwise both sides have three stands of rifle-muskets at 100 yards: 9
//! factors, 6+, one right for standing still: the 10+ column. There 0 and 1 do nothing, 2 to 4 give
//! a marker, 5 to 9 a hit and a marker.

use super::replay_first;

fn fight(settings: &str, dice: &[i32]) -> String {
    replay_first(
        4,
        "firefight",
        &format!("a.stands=3 b.stands=3 {settings}"),
        dice,
    )
}

/// Without markers nobody tests; a fires, then b, each turn.
#[test]
fn quiet_turns_are_two_volleys_each() {
    assert_eq!(fight("turns=1", &[1, 0]), "undecided 1 0 0 [time is up]");
    assert_eq!(
        fight("turns=3", &[0, 1, 1, 0, 0, 0]),
        "undecided 3 0 0 [time is up]"
    );
}

/// "All units with Panic Markers must take an immediate MORALE TEST"; a pass removes them, and the
/// unit fires with all its stands. b has four: 12 factors, 10+, right one 15+; with a marker on it
/// three would fire, on 10+.
#[test]
fn a_pass_clears_the_markers_before_the_fire() {
    // Turn 1: a's 2 is a marker; b tests 7 + 1 = 8, passes, and its 0 on 15+ is a marker for a (on
    // 10+ it would be nothing). Turn 2: so a tests, 8 + 1 = 9, a hit and a second marker; one stand
    // fires, 3+ right one is 6+, where 4 is nothing; b has no markers, tests not, and fires 0.
    assert_eq!(
        fight("b.stands=4 turns=2", &[2, 7, 0, 8, 4, 0]),
        "undecided 2 0 0 [time is up]"
    );
}

/// "Hit": the unit takes it and still fires, with one stand fewer for each marker: after a's volley
/// of 5 (hit and marker) b tests 8 + 1 = 9, a second hit and marker; 3 - 2 = 1 stand fires, 3+, right
/// one 6+: a 5 there is a marker, on 10+ it would be a hit.
#[test]
fn a_unit_that_takes_a_hit_still_fires() {
    assert_eq!(
        fight("turns=1 a.hits=2", &[5, 8, 5]),
        "undecided 1 0 0 [time is up]"
    );
    // With one hit carried, b's two hits complete a stand; two are left, both with a marker: nobody
    // fires and no die is rolled.
    assert_eq!(
        fight("turns=1 b.hits=1", &[5, 8]),
        "undecided 1 0 1 [time is up]"
    );
}

/// Over by 3 or 4 retreats, by 5 or more routs; either ends the fight in that turn. Two markers: 9
/// comes to 11; with four stands lost before, 8 to 12 and 9 to 13.
#[test]
fn a_retreat_or_a_rout_ends_the_fight() {
    assert_eq!(fight("a.panic=2", &[9]), "a-retreats 1 0 0 [a tests]");
    assert_eq!(
        fight("a.panic=2 a.stands_lost=4", &[8]),
        "a-retreats 1 0 0 [a tests]"
    );
    assert_eq!(
        fight("a.panic=2 a.stands_lost=4", &[9]),
        "a-routs 1 0 0 [a tests]"
    );
    // a fires first; b's markers wait for b's turn.
    assert_eq!(fight("b.panic=2", &[0, 9]), "b-retreats 1 0 0 [b tests]");
    assert_eq!(
        fight("b.panic=2 b.stands_lost=4", &[0, 9]),
        "b-routs 1 0 0 [b tests]"
    );
}

/// Stands lost in the fight count in later tests together with those lost before: one before and one
/// now are +1. b loses a stand to 5 (two hits carried); 7 + 1 marker + 1 = 9 is a hit.
#[test]
fn stands_lost_in_the_fight_weigh_on_later_tests() {
    // Two stands are left, two markers: nobody fires. Without the +1 b would pass and fire.
    assert_eq!(
        fight("turns=1 b.hits=2 b.stands_lost=1", &[5, 7]),
        "undecided 1 0 1 [time is up]"
    );
}

/// A unit without stands is destroyed, by the other's fire or by the hit of its own test.
#[test]
fn the_last_stand_gone_is_destroyed() {
    // Both have one stand with two hits: 3 factors, 3+, right one 6+, where 8 is a hit.
    let last = "a.stands=1 a.hits=2 b.stands=1 b.hits=2";
    assert_eq!(fight(last, &[8]), "b-destroyed 1 0 1 [a fires]");
    assert_eq!(fight(last, &[0, 8]), "a-destroyed 1 1 0 [b fires]");
    // One marker: 8 + 1 = 9, a hit, the third.
    assert_eq!(
        fight(&format!("{last} a.panic=1"), &[8]),
        "a-destroyed 1 1 0 [a tests]"
    );
    // b has a marker, so it tests after a's quiet volley.
    assert_eq!(
        fight(&format!("{last} b.panic=1"), &[0, 8]),
        "b-destroyed 1 0 1 [b tests]"
    );
}

/// The turn reported is the one in which it ended.
#[test]
fn the_clock_shows_the_turn_in_which_it_ended() {
    let last = "b.stands=1 b.hits=2";
    assert_eq!(fight(last, &[0, 0, 0, 0, 5]), "b-destroyed 3 0 1 [a fires]");
    // Markers got in the last turn are never tested: b's volley on 6+ gives one, and time is up.
    assert_eq!(
        fight("turns=1 b.stands=1", &[0, 5]),
        "undecided 1 0 0 [time is up]"
    );
}

/// Cover: soft left one, hard left two under fire, and -1 in tests. b behind hard cover is fired at
/// on 10+ left two, 3+: 9 is a hit, 7 a marker, 6 nothing.
#[test]
fn cover_helps_under_fire_and_in_tests() {
    assert_eq!(
        fight("turns=1 b.cover=hard", &[6, 0]),
        "undecided 1 0 0 [time is up]"
    );
    // 8 + 1 - 1 = 8 passes: b fires with three stands on 10+, where 5 is a hit: a's third.
    assert_eq!(
        fight("turns=1 b.cover=hard a.hits=2", &[7, 8, 5]),
        "undecided 1 1 0 [time is up]"
    );
    // Soft left one, 6+: 4 does nothing there, on 10+ it is a marker.
    assert_eq!(
        fight("turns=1 b.cover=soft", &[4, 0]),
        "undecided 1 0 0 [time is up]"
    );
}

/// A green side rolls its grade at its first test and keeps it: 0 is militia, value 6.
#[test]
fn a_green_side_rolls_its_grade_once() {
    // Turn 1: a's volley 2 is a marker; b is militia; 5 + 1 = 6 passes; fires 0. Turn 2: marker; no
    // grade is rolled; 9 + 1 = 10 is over 6 by four: a retreat.
    assert_eq!(
        fight("b.grade=green", &[2, 0, 5, 0, 2, 9]),
        "b-retreats 2 0 0 [b tests]"
    );
}

/// Beyond everybody's range nothing is rolled at all.
#[test]
fn out_of_range_nothing_happens() {
    assert_eq!(
        fight("range=700 turns=50", &[]),
        "undecided 50 0 0 [time is up]"
    );
}

/// b first, or whoever's card comes first, drawn anew each turn (0 is a's): so a side may act twice in
/// a row.
#[test]
fn the_order_may_be_turned_or_drawn() {
    let last = "a.stands=1 a.hits=2 b.stands=1 b.hits=2";
    assert_eq!(
        fight(&format!("{last} order=b"), &[8]),
        "a-destroyed 1 1 0 [b fires]"
    );
    let drawn = format!("{last} order=cards a.cards=2");
    assert_eq!(fight(&drawn, &[1, 8]), "b-destroyed 1 0 1 [a fires]");
    assert_eq!(
        fight(&drawn, &[1, 0, 0, 0, 8]),
        "a-destroyed 2 1 0 [b fires]"
    );
}

/// That it withdrew counts in its test of the first turn only; fire from the flank in every test.
#[test]
fn withdrawal_counts_once_and_flank_fire_always() {
    // 6 + 1 + 2 = 9, a hit; two markers, one stand fires on 6+; then 6 + 2 = 8 passes.
    assert_eq!(
        fight(
            "turns=2 a.panic=1 a.withdrew=rout a.hits=1",
            &[6, 0, 0, 6, 0, 0]
        ),
        "undecided 2 0 0 [time is up]"
    );
    // Without markers in the first turn there is no test for it to count in.
    assert_eq!(
        fight("turns=2 a.withdrew=rout", &[0, 2, 7, 0, 0]),
        "undecided 2 0 0 [time is up]"
    );
    // 9 + 1 + 2 = 12 is over by four, in the second turn too.
    assert_eq!(
        fight("turns=2 a.flank_fire=true", &[0, 2, 9]),
        "a-retreats 2 0 0 [a tests]"
    );
}

/// Guns that join: 9 + 12 = 21, 21+, right one 28+: 7 is two hits.
#[test]
fn guns_join_a_side() {
    assert_eq!(
        fight("turns=1 a.guns_stands=1 b.hits=1", &[7, 6, 0]),
        "undecided 1 0 1 [time is up]"
    );
    // Confederate ones left one: 21+, where 7 is one.
    assert_eq!(
        fight(
            "turns=1 a.guns_stands=1 a.csa_artillery=true b.hits=1",
            &[7, 7, 0]
        ),
        "undecided 1 0 0 [time is up]"
    );
    // Out of ammunition left one: 6+, where 4 is nothing.
    assert_eq!(
        fight("turns=1 a.out_of_ammo=true", &[4, 0]),
        "undecided 1 0 0 [time is up]"
    );
}
