//! Fire of the attacker's friends before the charge.
//!
//! As in the tests of the charge ten regular stands charge three. One Napoleon at 200 yards is 9
//! factors, the 6+ column, since guns gain nothing by standing still: 4 is nothing, 5 a marker, 8 a hit.
//! Four stands of rifle-muskets at 200 yards are 8, 6+, right one 10+: 2 is a marker, 5 a hit.

use super::charge::charge;

const GUN: &str = "prep.stands=1 prep.range=200";
const ARMS: &str = "prep.arms_stands=4 prep.arms_range=200";

fn after(fire: &str, settings: &str, dice: &[i32]) -> String {
    charge(&format!("{fire} {settings}"), dice)
}

#[test]
fn hits_and_markers_stay_and_nobody_tests() {
    let quiet = "attacker-wins yes 0 1 [melee]";
    assert_eq!(after(GUN, "", &[4, 1, 4, 0, 4, 0]), quiet);
    // With a marker two stands fire: 6, 6+, right one 10+ again; to fire again 6 + 1 + 1 = 8 passes and
    // 7 would be a hit, so that there is no second volley; to receive 4 + 2 = 6 passes.
    assert_eq!(after(GUN, "", &[5, 1, 6, 0, 4, 0]), quiet);
    assert_eq!(after(GUN, "", &[5, 1, 7, 4, 0]), quiet);
    // The third hit is a stand: two are left, and one of them fires, 3, 3+, right one 6+; 4 + 1 + 1 passes;
    // ten to two is 4:1, where 0 reads -/C1.
    assert_eq!(
        after(GUN, "defender.hits=2", &[8, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    assert_eq!(after(ARMS, "", &[2, 1, 7, 4, 0]), quiet);
}

/// The defender's shifts count: behind a wall 6+ is 3+, where 7 is a marker; Confederate guns are one
/// more to the left, 0+, where 8 is. Small arms at 50 yards, by the optional column: 12, 10+, right one,
/// left one.
#[test]
fn shifts_of_guns_small_arms_and_target_count() {
    let walled = "defender.cover=wall";
    // A marker is on it: 8 + 1 + 1 - 1 = 9, a hit. Behind the wall 3:1 is 2:1, where 0 reads -/C1.
    assert_eq!(
        after(GUN, walled, &[7, 1, 8, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    let csa = "prep.csa_artillery=true";
    assert_eq!(
        after(GUN, &format!("{walled} {csa}"), &[7, 1, 8, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // On 10+ a 1 is nothing, so 8 passes; on 15+ it would be a marker, and 9 the third hit.
    let close = "prep.arms_stands=4 prep.arms_range=50 close_range_rule=true";
    assert_eq!(
        after(close, "defender.hits=2 attacker.flank=true", &[1, 8, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
}

/// Together 9 + 8 = 17, 15+, as infantry that stands, 21+: one die. Apart two, the small arms first.
#[test]
fn small_arms_and_guns_fire_together_or_apart() {
    let both = format!("{GUN} {ARMS}");
    // One hit and a marker, the third hit.
    assert_eq!(
        after(&both, "defender.hits=2", &[1, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    let apart = format!("{both} prep.combine=false");
    // Two markers: one stand fires, 3, 3+, right one 6+; 5 + 2 + 1 = 8 passes.
    assert_eq!(
        after(&apart, "", &[2, 5, 4, 5, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // Guns do not fire where nobody is left.
    let last = "defender.stands=1 defender.hits=2";
    assert_eq!(
        after(&apart, last, &[5]),
        "defender-destroyed no 0 1 [fire before the charge]"
    );
    assert_eq!(
        after(&apart, last, &[1, 8]),
        "defender-destroyed no 0 1 [fire before the charge]"
    );
}

/// From the flank the defender is exposed to this fire, 10+, and, if it had an effect, tests at +2 from
/// then on: 4 + 1 marker + 1 + 2 = 8 passes; to receive 6 + 2 = 8 passes.
#[test]
fn effective_fire_from_the_flank_weighs_on_every_test() {
    let flank = "prep.flank=true";
    let quiet = "attacker-wins yes 0 1 [melee]";
    assert_eq!(after(GUN, flank, &[2, 1, 4, 0, 6, 0]), quiet);
    // 5 + 1 + 1 + 2 = 9 is a hit; to receive 5 + 2 + 2 = 9 is another: with one carried, a stand.
    assert_eq!(
        after(GUN, &format!("{flank} defender.hits=1"), &[2, 1, 5, 5, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    // Fire without effect: 7 + 1 = 8 and 8 pass.
    assert_eq!(after(GUN, flank, &[1, 1, 7, 0, 8, 0]), quiet);
}

/// What it cost the defender is counted even if the charge comes to nothing.
#[test]
fn a_short_charge_keeps_the_losses_of_the_fire_before_it() {
    let far = "reach=roll distance=300 defender.hits=2";
    assert_eq!(after(GUN, far, &[8, 9]), "short no 0 1 [advance]");
}
