//! How far a charge comes: the movement dice, the ground, and obstacles.
//!
//! As in the tests of the charge ten regular stands charge three.

use super::charge::charge;

/// Movement dice: 3 AV on foot, inches times 20 yards. From 300 yards 15 inches reach; what remains
/// after 10 is 100 yards: near; after 9 it is 120: short, and nothing else happens.
#[test]
fn a_charge_that_does_not_reach_ends_short() {
    let far = "reach=roll distance=300";
    assert_eq!(charge(far, &[9]), "short no 0 0 [advance]");
    assert_eq!(
        charge(far, &[15, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // Near: fired at, tested if the fire asks for it, and short if not stopped.
    assert_eq!(charge(far, &[10, 1]), "short no 0 0 [first volley]");
    assert_eq!(charge(far, &[14, 5, 7]), "short no 0 0 [first volley]");
    assert_eq!(
        charge(far, &[14, 5, 8]),
        "attacker-halts no 0 0 [first volley]"
    );
    assert_eq!(
        charge("reach=roll distance=300 attacker.hits=2", &[14, 5, 5]),
        "short no 1 0 [first volley]"
    );
    // From 150 yards 8 inches (160 yards) reach, 7 (140) do not; on the flank there is no fire.
    let flank = "reach=roll attacker.flank=true";
    assert_eq!(charge(flank, &[7]), "short no 0 0 [advance]");
    assert_eq!(charge(flank, &[8, 4, 0]), "attacker-wins yes 0 2 [melee]");
}

/// Mounted: "2AV for the first turn ... an additional AV when charging"; "in woods a maximum of 2AV".
#[test]
fn cavalry_rolls_three_dice_and_two_in_woods() {
    // From 120 yards the least of three dice, 6 inches, reaches for certain: no roll. The first volley
    // is on 15+ (mounted): a marker, 1 + 1 passes; 4; again; 4; combat at 3:1.
    let horse = "reach=roll distance=120 attacker.kind=cavalry";
    assert_eq!(
        charge(horse, &[0, 1, 4, 0, 1, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // In woods the same distance takes two dice: 5 inches are 100 yards, 20 remain.
    let woods = format!("{horse} attacker.woods=true");
    assert_eq!(charge(&woods, &[5, 0, 1]), "short no 0 0 [first volley]");
    // 6 reach; ten half stands against three are 5:3, the 3:2 column, where 0 reads -/C1.
    assert_eq!(
        charge(&woods, &[6, 0, 1, 4, 0, 1, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    // From 100 yards no first volley: four inches are 80, and the charge is short without a shot.
    let close = "reach=roll distance=100 attacker.kind=cavalry attacker.woods=true";
    assert_eq!(charge(close, &[4]), "short no 0 0 [advance]");
    // Three dice and no more, on foot or mounted: 15 inches at most.
    for kind in ["infantry", "cavalry"] {
        let far = format!("reach=roll distance=301 attacker.kind={kind} attacker.flank=true");
        assert_eq!(charge(&far, &[15]), "short no 0 0 [advance]");
    }
}

/// One inch is 20, 40 or 100 yards.
#[test]
fn the_scale_turns_inches_into_yards() {
    let forty = "reach=roll scale=regiment-40 distance=300 attacker.flank=true";
    assert_eq!(charge(forty, &[7]), "short no 0 0 [advance]");
    assert_eq!(charge(forty, &[8, 4, 0]), "attacker-wins yes 0 2 [melee]");
    let hundred = "reach=roll scale=brigade-100 distance=1500";
    assert_eq!(charge(hundred, &[13]), "short no 0 0 [advance]");
    assert_eq!(charge(hundred, &[14, 1]), "short no 0 0 [first volley]");
    assert_eq!(
        charge(hundred, &[15, 1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// Dismounted cavalry rolls four dice; infantry in column four, on a road five; cavalry in motion six
/// and one for charging, whose least, 14 inches, is 280 yards and needs no roll.
#[test]
fn column_road_and_cavalry_in_motion_roll_more() {
    let on_the_flank = |settings: &str, dice: &[i32]| {
        charge(&format!("reach=roll attacker.flank=true {settings}"), dice)
    };
    let four = "attacker-wins yes 0 2 [melee]";
    for more in [
        "attacker.kind=dismounted",
        "attacker.column=true",
        "attacker.road=true",
    ] {
        assert_eq!(
            on_the_flank(&format!("distance=301 {more}"), &[16, 4, 0]),
            four
        );
    }
    let five = "distance=401 attacker.column=true attacker.road=true";
    assert_eq!(on_the_flank(five, &[21, 4, 0]), four);
    let moving = "attacker.kind=cavalry attacker.in_motion=true";
    assert_eq!(
        on_the_flank(&format!("distance=280 {moving}"), &[4, 0]),
        four
    );
    // In woods two dice, whatever else: 10 inches at most. Half stands: 5 to 3, 3:2, right two 3:1.
    let woods = format!("distance=200 {moving} attacker.woods=true attacker.road=true");
    assert_eq!(on_the_flank(&woods, &[9]), "short no 0 0 [advance]");
    assert_eq!(
        on_the_flank(&woods, &[10, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// "-1 inch/die", twice where two things hinder, and "at least one inch per die rolled".
#[test]
fn the_ground_takes_inches_off_every_die() {
    let on_the_flank = |ground: &str, dice: &[i32]| {
        charge(
            &format!("reach=roll attacker.flank=true ground={ground}"),
            dice,
        )
    };
    for (ground, reaches) in [("open", 8), ("rough", 11), ("broken", 14)] {
        let quiet = "attacker-wins yes 0 2 [melee]";
        assert_eq!(on_the_flank(ground, &[reaches, 4, 0]), quiet);
        assert_eq!(
            on_the_flank(ground, &[reaches - 1]),
            "short no 0 0 [advance]"
        );
    }
    // Three inches are left of the worst throw: 60 yards of 160, and 100 remain: near enough to be
    // fired at. With nothing left it would be short at once.
    assert_eq!(
        charge("reach=roll distance=160 ground=broken", &[6, 1]),
        "short no 0 0 [first volley]"
    );
    // Where nothing is rolled the ground does not matter.
    assert_eq!(
        charge("ground=broken", &[1, 4, 0, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
}

/// "Automatically receives one additional Panic Marker if fired upon": the die of fire alone gives it,
/// and with it the test.
#[test]
fn being_fired_on_at_an_obstacle_is_a_marker_and_a_test() {
    let wall = "attacker.obstacle=true distance=50 reach=roll";
    // A volley of 0 does nothing, but 7 + 1 = 8 has to be passed, and 8 + 1 = 9 is a hit.
    assert_eq!(
        charge(wall, &[4, 0, 7, 4, 0]),
        "attacker-wins yes 0 1 [melee]"
    );
    assert_eq!(
        charge(wall, &[4, 0, 8]),
        "attacker-halts no 0 0 [second volley]"
    );
    // A hit's marker and the obstacle's: 7 + 2 = 9.
    assert_eq!(
        charge(wall, &[4, 5, 7]),
        "attacker-halts no 0 0 [second volley]"
    );
    // Nobody fires, nobody tests.
    let quiet = format!("{wall} defender.second_fire=decline");
    assert_eq!(charge(&quiet, &[4, 0]), "attacker-wins yes 0 1 [melee]");
    // The failed test's hit ends the second fire too: 8 + 1 = 9, then 7 + 1 = 8.
    assert_eq!(charge(wall, &[8, 7, 0]), "attacker-wins yes 0 1 [melee]");
}
