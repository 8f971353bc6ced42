//! Morale tests: the modifiers and results of "Morale tests", and contagion, which asks for them.

use super::replay;

/// What each face 0 to 9 comes to: O overenthusiastic, P pass, H hit, R retreat, X rout.
fn faces(settings: &str) -> String {
    (0..=9)
        .map(|face| letter(&replay("morale", settings, &[face])))
        .collect()
}

fn letter(result: &str) -> char {
    match result.split(' ').next() {
        Some("overenthusiastic") => 'O',
        Some("pass") => 'P',
        Some("hit") => 'H',
        Some("retreat") => 'R',
        Some("rout") => 'X',
        other => panic!("no result of a morale test: {other:?}"),
    }
}

/// "0 or less" overenthusiastic, "Morale Value or less" passes, 1 or 2 more is a hit, 3 or 4 a
/// retreat, 5 and more a rout. Values: elite 10, veteran 9, regular 8, poor 7, militia 6.
#[test]
fn every_grade_tests_against_its_printed_value() {
    assert_eq!(faces("unit.grade=elite"), "OPPPPPPPPP");
    assert_eq!(faces("unit.grade=veteran"), "OPPPPPPPPP");
    assert_eq!(faces("unit.grade=regular"), "OPPPPPPPPH");
    assert_eq!(faces("unit.grade=poor"), "OPPPPPPPHH");
    assert_eq!(faces("unit.grade=militia"), "OPPPPPPHHR");
}

/// The printed modifiers one by one, on a regular: a die of `d` becomes `d` plus the modifier.
#[test]
fn every_modifier_moves_the_die_as_printed() {
    // +1: passes to 7, 8 and 9 are a hit.
    let plus_one = "PPPPPPPPHH";
    // +2: passes to 6, 7 and 8 are a hit, 9 is 11: a retreat.
    let plus_two = "PPPPPPPHHR";
    for (settings, expected) in [
        ("unit.panic=1", plus_one),
        ("unit.panic=2", plus_two),
        // "For each two stands": one is none, three are one, four are two.
        ("unit.stands_lost=1", "OPPPPPPPPH"),
        ("unit.stands_lost=3", plus_one),
        ("unit.stands_lost=4", plus_two),
        ("unit.withdrew=retreat", plus_one),
        ("unit.withdrew=rout", plus_two),
        ("unit.flank_fire=true", plus_two),
        ("unit.defensive_fire=true", plus_one),
        // -1: 0 and 1 are overenthusiastic, 9 is 8.
        ("unit.cover=true", "OOPPPPPPPP"),
        ("unit.commander=1", "OOPPPPPPPP"),
        ("unit.commander=3", "OOOOPPPPPP"),
        // +2 +1 -1 -2: as if nothing had happened.
        (
            "unit.panic=2 unit.defensive_fire=true unit.cover=true unit.commander=2",
            "OPPPPPPPPH",
        ),
        // Militia, +2 panic +2 stands +2 rout +2 flank +1 fire = +9: 9 and 10 are over by 3 and 4.
        (
            "unit.grade=militia unit.panic=2 unit.stands_lost=4 unit.withdrew=rout \
             unit.flank_fire=true unit.defensive_fire=true",
            "RRXXXXXXXX",
        ),
    ] {
        assert_eq!(faces(settings), expected, "{settings}");
    }
}

/// Forty stands lost are +20: 20 at least, over any value by 10 or more. No die can change it, so
/// none is rolled.
#[test]
fn a_test_that_cannot_go_two_ways_needs_no_die() {
    assert_eq!(
        replay("morale", "unit.stands_lost=40", &[]),
        "rout [morale test]"
    );
}

/// "For Green Unit, roll one 10-sided die: 0 = Militia; 1,2,3 = Poor; 4,5,6,7 = Regular; 8 =
/// Veteran; 9 = Elite" — then the test itself, here with +2.
#[test]
fn a_green_unit_first_finds_out_what_it_is() {
    let tested = |die: i32| -> String {
        (0..=9)
            .map(|green| {
                letter(&replay(
                    "morale",
                    "unit.grade=green unit.withdrew=rout",
                    &[green, die],
                ))
            })
            .collect()
    };
    // 8 + 2 = 10: over 6 by four, 7 by three, 8 by two, 9 by one; 10 passes.
    assert_eq!(tested(8), "RRRRHHHHHP");
    // 9 + 2 = 11: over 6 by five, 7 by four, 8 by three, 9 by two, 10 by one.
    assert_eq!(tested(9), "XRRRRRRRHH");
}

/// The printed table: what a retreat or a rout of a poorer, equal or better friend asks for. With a
/// die of 8 a regular passes without markers, takes a hit with one (9) or two (10).
#[test]
fn contagion_gives_the_printed_markers_before_the_test() {
    let watch = |event: &str, relation: &str, dice: &[i32]| {
        let settings = format!("event={event} relation={relation}");
        replay("contagion", &settings, dice)
    };
    // "No Effect": no die either.
    assert_eq!(watch("retreat", "poorer", &[]), "unaffected [watching]");
    // "Take MORALE TEST": no marker.
    for (event, relation) in [("retreat", "same"), ("rout", "poorer")] {
        assert_eq!(watch(event, relation, &[8]), "pass [watching]");
        assert_eq!(watch(event, relation, &[0]), "overenthusiastic [watching]");
    }
    // "Take 1 Panic Marker plus a MORALE TEST": 8 + 1 = 9, 9 + 1 = 10.
    for (event, relation) in [("retreat", "better"), ("rout", "same")] {
        assert_eq!(watch(event, relation, &[8]), "hit [watching]");
        assert_eq!(watch(event, relation, &[9]), "hit [watching]");
    }
    // "Take 2 Panic Markers plus a MORALE TEST": 9 + 2 = 11, over by 3.
    assert_eq!(watch("rout", "better", &[8]), "hit [watching]");
    assert_eq!(watch("rout", "better", &[9]), "retreat [watching]");
}

/// "A unit can never have more than two": one carried and two received are two, so 8 comes to 10
/// (a hit), not to 11 (a retreat).
#[test]
fn contagion_never_gives_a_third_marker() {
    assert_eq!(
        replay("contagion", "event=rout relation=better unit.panic=1", &[8]),
        "hit [watching]"
    );
    // The other modifiers of the watcher count as in any test: 8 + 2 - 1 (cover) = 9, a hit; 9 - 1
    // (commander) more = 8, a pass.
    let covered = "event=rout relation=better unit.cover=true";
    assert_eq!(replay("contagion", covered, &[8]), "hit [watching]");
    let led = "event=rout relation=better unit.cover=true unit.commander=1";
    assert_eq!(replay("contagion", led, &[8]), "pass [watching]");
}

/// A green watcher rolls its grade once, then tests: 1 is poor, value 7; 7 + 1 marker = 8, a hit.
#[test]
fn a_green_watcher_rolls_its_grade_then_tests() {
    assert_eq!(
        replay("contagion", "unit.grade=green", &[1, 7]),
        "hit [watching]"
    );
}
