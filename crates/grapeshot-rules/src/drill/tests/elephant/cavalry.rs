//! Cavalry that fires as it closes.
//!
//! As in the tests of the charge ten regular stands charge three.

use super::charge::charge;

/// "Attacking mounted cavalry armed with pistols or shotguns may fire these weapons against the
/// defender". Ten stands of pistols at 50 yards: 20, 15+, moving, mounted left two: 6+, where 4 does
/// nothing, 5 gives a marker, 8 a hit. The volleys at the mounted are on 15+: 0 is a marker, and 1 + 1
/// passes.
#[test]
fn cavalry_fires_as_it_closes() {
    let horse = "attacker.kind=cavalry attacker.weapon=pistol attacker.fires_in=true";
    let closing = |settings: &str, last: &[i32]| {
        let mut dice = vec![0, 1, 4, 0, 1];
        dice.extend(last);
        charge(&format!("{horse} {settings}"), &dice)
    };
    assert_eq!(closing("", &[4, 4, 0]), "attacker-wins yes 0 1 [melee]");
    // A hit and a marker: the defender receives on 8 + 1 = 9, a hit; with one carried that is a
    // stand. Ten to two is 4:1, where 0 reads -/C1.
    assert_eq!(
        closing("defender.hits=1", &[8, 8, 0]),
        "attacker-wins yes 0 2 [melee]"
    );
    // Two ranks right one, 10+: 5 is a hit there, and with two carried a stand. 4 + 1 passes. Ten to
    // two is 4:1, two ranks left one: 3:1, where 6 reads -/K1.
    assert_eq!(
        closing("defender.ranks=2 defender.hits=2", &[5, 4, 6]),
        "attacker-wins yes 0 2 [melee]"
    );
}

/// The defender's wall is soft cover, its fieldworks hard. Shotguns: 40, 36+, mounted left two: 21+
/// in the open, 15+ behind a wall, 10+ behind works, where 1 is a hit, a marker, nothing.
#[test]
fn works_shelter_the_defender_from_the_fire_of_the_cavalry() {
    let with = |works: &str, last: &[i32]| {
        let mut dice = vec![0, 1, 4, 0, 1];
        dice.extend(last);
        let settings = "attacker.kind=cavalry attacker.weapon=shotgun attacker.fires_in=true \
                        defender.hits=2";
        charge(&format!("{settings} defender.cover={works}"), &dice)
    };
    // A hit completes a stand, before the test to receive: 9 + 1 marker = 10, a hit. Ten to two is
    // 4:1, where 9 reads K1/RT.
    assert_eq!(with("open", &[1, 9, 9]), "attacker-wins yes 1 1 [melee]");
    // A marker: 8 + 1 - 1 = 8 passes. 3:1 left one is 2:1, where 4 reads -/RT.
    assert_eq!(with("wall", &[1, 8, 4]), "attacker-wins yes 0 0 [melee]");
    // Nothing: 9 - 1 = 8 passes. 3:1 left two is 3:2, where 4 reads K1/RT.
    assert_eq!(
        with("fieldworks", &[1, 9, 4]),
        "attacker-wins yes 1 0 [melee]"
    );
}

/// On the flank, too, the cavalry fires in; a flank is not enfilade, so the column stays 6+.
#[test]
fn cavalry_fires_in_on_the_flank_as_well() {
    let flank = "attacker.kind=cavalry attacker.weapon=pistol attacker.fires_in=true \
                 attacker.flank=true";
    assert_eq!(charge(flank, &[4, 4, 0]), "attacker-wins yes 0 2 [melee]");
}

/// What makes the defender an easier or harder target counts when it is fired in upon: exposed is right
/// one, 10+, where 2 is a marker; unlimbered guns left one, 3+, where 6 is nothing and 9 a hit.
#[test]
fn the_defenders_exposure_counts_as_the_cavalry_fires_in() {
    let horse = "attacker.kind=cavalry attacker.weapon=pistol attacker.fires_in=true \
                 attacker.flank=true";
    // 8 passes without a marker; with one it is 9, a hit, the third. Three stands on the flank are 6:1,
    // two 8:1; 7 reads -/K1 in both.
    let worn = format!("{horse} defender.hits=2");
    assert_eq!(charge(&worn, &[2, 8, 7]), "attacker-wins yes 0 1 [melee]");
    let exposed = format!("{worn} defender.exposed=true");
    assert_eq!(
        charge(&exposed, &[2, 8, 7]),
        "attacker-wins yes 0 2 [melee]"
    );
    // Ten stands to three of guns at a half are 6:1, right two 8:1.
    let guns = format!("{horse} defender.kind=artillery defender.unlimbered=true defender.hits=1");
    assert_eq!(charge(&guns, &[6, 4, 7]), "attacker-wins yes 0 1 [melee]");
    assert_eq!(charge(&guns, &[9, 4, 7]), "attacker-wins yes 0 2 [melee]");
}
