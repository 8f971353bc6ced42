//! A unit that has fled: regular, two markers, after a rout +2, so that the die counts four more.

use super::replay;

fn rally(settings: &str, dice: &[i32]) -> String {
    replay("rally", settings, dice)
}

#[test]
fn each_turn_is_a_test_until_it_passes() {
    let end = "[morale test]";
    // 4 + 4 = 8.
    assert_eq!(rally("", &[4]), format!("yes 1 0 0 {end}"));
    // 5 + 4 = 9 is a hit: it stands, so that the next test is without the rout. 6 + 2 = 8.
    assert_eq!(rally("", &[5, 6]), format!("yes 2 0 0 {end}"));
    // 7 + 4 = 11 is a retreat: one less in the next. 5 + 3 = 8.
    assert_eq!(rally("", &[7, 5]), format!("yes 2 0 1 {end}"));
    // 9 + 4 = 13 is another rout.
    assert_eq!(rally("", &[9, 9, 4]), format!("yes 3 0 2 {end}"));
    assert_eq!(rally("turns=2", &[9, 9]), "no 2 0 2 [time is up]");
}

/// Markers and hits stay, and stands lost so far count: three hits are a stand, and with the one lost
/// before +1.
#[test]
fn what_it_suffers_on_the_way_stays() {
    assert_eq!(
        rally("unit.hits=2 unit.stands_lost=1", &[5, 6, 5]),
        "yes 3 1 0 [morale test]"
    );
    assert_eq!(
        rally("unit.hits=2 unit.stands=1", &[5]),
        "destroyed 1 1 0 [morale test]"
    );
}

/// Cover and commander help; a unit without markers tests all the same.
#[test]
fn modifiers_count_as_in_any_test() {
    assert_eq!(
        rally("unit.cover=true unit.commander=2", &[7]),
        "yes 1 0 0 [morale test]"
    );
    assert_eq!(
        rally("unit.panic=0 unit.withdrew=no", &[9, 7]),
        "yes 2 0 0 [morale test]"
    );
}
