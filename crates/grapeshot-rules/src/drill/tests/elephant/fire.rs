//! Fire: factors, columns and shifts of "Firing procedure and restrictions".

use super::{refusal, replay};

/// The printed fire results, column by column, die 0 first: 0 nothing, P a marker, else hits.
const PRINTED: [(&str, &str); 10] = [
    ("0+", "00000000PP"),
    ("3+", "0000000PP1"),
    ("6+", "00000PPP11"),
    ("10+", "00PPP11111"),
    ("15+", "PPPP111112"),
    ("21+", "P111111122"),
    ("28+", "P111111222"),
    ("36+", "1111122223"),
    ("45+", "1111222233"),
    ("55+", "1122222334"),
];

/// The column an attack is made on, found by throwing all ten faces.
fn column(settings: &str) -> &'static str {
    let results: String = (0..=9)
        .map(|face| {
            let end = replay("fire", settings, &[face]);
            match end.split(' ').next() {
                Some("none") => '0',
                Some("panic") => 'P',
                Some(hits) => hits.chars().last().expect("a number of hits"),
                None => unreachable!("a replay says what came of it"),
            }
        })
        .collect();
    let found = PRINTED.iter().find(|(_, printed)| *printed == results);
    found
        .unwrap_or_else(|| panic!("{settings}: no printed column reads {results}"))
        .0
}

/// Three stands of rifle-muskets at 100 yards that move: 3 x 3 = 9 factors, the 6+ column. Each
/// printed shift by itself moves it by as many columns as printed.
#[test]
fn every_shift_moves_the_column_as_printed() {
    let base = "firer.stands=3 firer.stationary=false";
    assert_eq!(column(base), "6+");
    for (settings, expected) in [
        ("firer.stationary=true", "10+"),
        ("firer.marksmen=true", "10+"),
        ("target.exposed=true", "10+"),
        // A mounted target is exposed, once, whether it is said or not.
        ("target.kind=cavalry", "10+"),
        ("target.kind=cavalry target.exposed=true", "10+"),
        ("target.ranks=2", "10+"),
        ("target.ranks=3", "15+"),
        ("firer.skirmishing=true", "3+"),
        ("target.kind=artillery target.unlimbered=true", "3+"),
        ("target.cover=soft", "3+"),
        ("target.cover=hard", "0+"),
        ("firer.out_of_ammo=true", "3+"),
        // Mounted and firing: left two; standing still gives one back.
        ("firer.kind=cavalry", "0+"),
        ("firer.kind=cavalry firer.stationary=true", "3+"),
        // Dismounted cavalry is not by itself skirmishing.
        ("firer.kind=dismounted firer.stationary=true", "10+"),
        // The optional column for small arms, at 50 yards and not beyond.
        ("close_range_rule=true range=50", "3+"),
        ("close_range_rule=true range=51", "6+"),
        // +1 +1 +1 +2 = five columns right.
        (
            "firer.stationary=true firer.marksmen=true target.exposed=true target.ranks=3",
            "36+",
        ),
    ] {
        assert_eq!(
            column(&format!("{base} {settings}")),
            expected,
            "{settings}"
        );
    }
    // Ten stands are 30, the 28+ column; prone is left four.
    let ten = "firer.stationary=false";
    assert_eq!(column(ten), "28+");
    assert_eq!(column(&format!("{ten} target.prone=true")), "6+");
}

/// One Napoleon at 100 yards: 12, the 10+ column. Artillery gets nothing for standing still, loses
/// one for prolonging and, by the optional line, one for being Confederate.
#[test]
fn artillery_has_its_own_shifts() {
    let gun = "firer.kind=artillery firer.weapon=12lb-napoleon firer.stands=1";
    assert_eq!(column(gun), "10+");
    let prolonging = format!("{gun} firer.prolonging=true");
    assert_eq!(column(&prolonging), "6+");
    let both = format!("{prolonging} firer.csa_artillery=true");
    assert_eq!(column(&both), "3+");
    // The close-range column is for small arms.
    let close = format!("{gun} close_range_rule=true range=50");
    assert_eq!(column(&close), "10+");
}

/// Shifts are summed before the table's edge is met: left six and right one from 6+ is still 0+,
/// and 120 factors with every shift to the right stay on 55+.
#[test]
fn the_sum_of_shifts_is_clamped_to_the_table() {
    assert_eq!(
        column("firer.stands=3 target.cover=hard target.prone=true"),
        "0+"
    );
    assert_eq!(
        column("firer.stands=40 firer.marksmen=true target.ranks=3"),
        "55+"
    );
    // 40 x 3 = 120 is on the last column already; prone takes four off it, standing gives one back.
    assert_eq!(column("firer.stands=40 target.prone=true"), "28+");
}

/// "The loss of one stand for each Panic Marker": 4 - 2 = 2 stands, 6 factors. Guns that join are
/// not cut: one Napoleon is 12 more, 18.
#[test]
fn panic_markers_keep_stands_from_firing() {
    let shaken = "firer.stands=4 firer.panic=2 firer.stationary=false";
    assert_eq!(column(shaken), "6+");
    assert_eq!(column(&format!("{shaken} guns.stands=1")), "15+");
    // Only the guns are left, 12; the firer's standing still counts for the whole attack.
    assert_eq!(column("firer.stands=2 firer.panic=2 guns.stands=1"), "15+");
}

/// Bands end at their printed range; halves are kept: musket at 201 to 300 yards is 1/2 a stand.
#[test]
fn a_range_is_read_in_its_band_and_halves_are_kept() {
    let at = |stands: u32, range: u32| {
        column(&format!(
            "firer.weapon=musket firer.stationary=false firer.stands={stands} range={range}"
        ))
    };
    assert_eq!(at(10, 100), "28+");
    assert_eq!(at(10, 101), "10+");
    assert_eq!(at(10, 200), "10+");
    // 10 halves are 5; 11 are 5 1/2, still below 6; 12 are 6.
    assert_eq!(at(10, 201), "3+");
    assert_eq!(at(11, 300), "3+");
    assert_eq!(at(12, 300), "6+");
    // A Whitworth reaches 5600 yards, beyond the last printed band.
    let whitworth = "firer.kind=artillery firer.weapon=whitworth firer.stands=3";
    assert_eq!(column(&format!("{whitworth} range=5600")), "6+");
}

/// A total of 0 is no fire: certain, and no die is rolled.
#[test]
fn without_factors_there_is_no_fire_and_no_die() {
    for settings in [
        // Maximum range 50.
        "firer.weapon=pistol range=51",
        // The table prints 1/2 in the 400 band, but the maximum range is 300.
        "firer.weapon=ml-carbine range=301",
        "firer.weapon=repeater range=550",
        "firer.stands=2 firer.panic=2",
        "firer.stands=1 firer.panic=2",
        "firer.kind=artillery firer.weapon=whitworth range=5601",
        // No fire, so no die of 0 either.
        "firer.weapon=pistol range=51 ammo_rule=true",
    ] {
        assert_eq!(replay("fire", settings, &[]), "none 0 0 no [fire]");
    }
}

/// "An infantry stand is removed after three hits, and a cavalry/artillery crew stand after two."
/// Ten stands standing still: 30, one right, the 36+ column: 0 is one hit, 5 two, 9 three.
#[test]
fn hits_complete_stands_with_those_carried() {
    assert_eq!(replay("fire", "", &[0]), "hit-1 1 0 no [fire]");
    assert_eq!(replay("fire", "", &[9]), "hit-3 3 1 no [fire]");
    assert_eq!(replay("fire", "target.hits=2", &[0]), "hit-1 1 1 no [fire]");
    assert_eq!(replay("fire", "target.hits=1", &[5]), "hit-2 2 1 no [fire]");
    for kind in ["dismounted", "artillery"] {
        let two = format!("target.kind={kind} target.hits=1");
        assert_eq!(replay("fire", &two, &[0]), "hit-1 1 1 no [fire]");
    }
    // Mounted: exposed, one more right, 45+: 8 is three hits; with one carried, two stands.
    assert_eq!(
        replay("fire", "target.kind=cavalry target.hits=1", &[8]),
        "hit-3 3 2 no [fire]"
    );
    // Forty stands, 55+: four hits and one carried are two stands and a half, but only one is there.
    assert_eq!(
        replay(
            "fire",
            "firer.stands=40 target.kind=artillery target.stands=1 target.hits=1",
            &[9]
        ),
        "hit-4 4 1 no [fire]"
    );
}

/// "A unit rolling a 0 when firing is considered Out of Ammunition", whatever the 0 did.
#[test]
fn a_zero_empties_the_cartridge_boxes_under_the_optional_rule() {
    let ammo = "firer.stands=3 ammo_rule=true";
    assert_eq!(replay("fire", ammo, &[0]), "none 0 0 yes [fire]");
    assert_eq!(replay("fire", ammo, &[1]), "none 0 0 no [fire]");
    assert_eq!(
        replay("fire", "ammo_rule=true", &[0]),
        "hit-1 1 0 yes [fire]"
    );
    assert_eq!(replay("fire", "firer.stands=3", &[0]), "none 0 0 no [fire]");
}

/// A flag on a unit that cannot have it is an error that names it.
#[test]
fn what_a_unit_cannot_have_is_refused() {
    for (settings, key) in [
        ("firer.prolonging=true", "firer.prolonging"),
        ("firer.csa_artillery=true", "firer.csa_artillery"),
        ("target.unlimbered=true", "target.unlimbered"),
        ("target.kind=cavalry target.hits=2", "target.hits"),
    ] {
        let reason = refusal("fire", settings);
        assert!(reason.contains(key), "{settings}: {reason}");
    }
}

/// "Combined OR fired separately": ten stands at 200 yards are 20, 15+, right one 21+; two Napoleons 18,
/// 15+ with nothing for standing still. The heavier effect, the sum of hits, the die of the small arms.
#[test]
fn small_arms_and_guns_may_fire_separately() {
    let apart = "range=200 guns.stands=2 combine=false";
    assert_eq!(replay("fire", apart, &[0, 9]), "hit-2 2 0 no [fire]");
    assert_eq!(replay("fire", apart, &[8, 4]), "hit-2 3 1 no [fire]");
    assert_eq!(replay("fire", apart, &[0, 0]), "panic 0 0 no [fire]");
    let ammo = format!("{apart} ammo_rule=true");
    assert_eq!(replay("fire", &ammo, &[0, 1]), "panic 0 0 yes [fire]");
    assert_eq!(replay("fire", &ammo, &[1, 0]), "hit-1 1 0 no [fire]");
    // Confederate: the guns alone are left one, 10+, where 1 is nothing.
    let csa = format!("{apart} firer.csa_artillery=true");
    assert_eq!(replay("fire", &csa, &[0, 1]), "panic 0 0 no [fire]");
    // Out of the muskets' range there is no die of theirs.
    let far = "range=700 guns.stands=2 guns.weapon=20lb-rifle combine=false ammo_rule=true";
    assert_eq!(replay("fire", far, &[9]), "hit-1 1 0 no [fire]");
    // No more stands are lost than are there, though both dice are rolled.
    let last = format!("{apart} target.stands=1 target.hits=2");
    assert_eq!(replay("fire", &last, &[9, 9]), "hit-2 4 1 no [fire]");
}
