//! What becomes of commanders, and random regiments.

use super::replay;

/// "1d6 for each Hit taken, hitting on a roll of 1 ... roll 1d6 again": a reading is how many of the
/// dice for one hit or stand show a 1; if any does, a die on the table follows at once.
#[test]
fn a_commander_struck_by_fire_rolls_on_the_printed_table() {
    assert_eq!(replay("commander", "", &[0]), "safe [in danger]");
    for (die, fate) in [
        (1, "killed"),
        (2, "serious"),
        (3, "light"),
        (4, "light"),
        (5, "light"),
        (6, "safe"),
    ] {
        assert_eq!(
            replay("commander", "", &[1, die]),
            format!("{fate} [in danger]")
        );
    }
}

/// "Light Wound ... If wounded again, treat as Serious Wound"; otherwise the worst stands.
#[test]
fn a_second_light_wound_is_serious_and_the_worst_stands() {
    let hits = |dice: &[i32]| replay("commander", "hits=3", dice);
    assert_eq!(hits(&[1, 3, 1, 4, 0]), "serious [in danger]");
    assert_eq!(hits(&[1, 5, 1, 5, 1, 5]), "serious [in danger]");
    assert_eq!(hits(&[1, 3, 0, 1, 6]), "light [in danger]");
    assert_eq!(hits(&[1, 6, 1, 3, 0]), "light [in danger]");
    assert_eq!(hits(&[0, 1, 2, 1, 3]), "serious [in danger]");
    // Nothing is worse than death: the dice of the other hits are not needed.
    assert_eq!(hits(&[1, 1]), "killed [in danger]");
    assert_eq!(hits(&[1, 3, 1, 1]), "killed [in danger]");
}

/// "If with a unit that took losses in Combat, roll 3d6 for each stand lost": any number of 1s among
/// the three makes one roll on the table.
#[test]
fn each_stand_lost_in_combat_is_three_dice_and_at_most_one_wound() {
    let stand = |dice: &[i32]| replay("commander", "hits=0 stands_lost=1", dice);
    assert_eq!(stand(&[0]), "safe [in danger]");
    assert_eq!(stand(&[1, 2]), "serious [in danger]");
    assert_eq!(stand(&[3, 4]), "light [in danger]");
    // A hit from fire and a stand in melee, both strike, two light wounds.
    assert_eq!(
        replay("commander", "stands_lost=1", &[1, 3, 2, 3]),
        "serious [in danger]"
    );
    assert_eq!(
        replay("commander", "hits=0 stands_lost=2", &[0, 1, 6]),
        "safe [in danger]"
    );
}

/// Nothing taken, nothing rolled.
#[test]
fn a_commander_whose_unit_takes_nothing_is_safe_without_a_die() {
    assert_eq!(replay("commander", "hits=0", &[]), "safe [in danger]");
}

/// "Roll 1d10 per regiment for both weapons and morale", size "2 Average Dice".
#[test]
fn a_regiment_is_mustered_on_the_printed_table() {
    let late = |dice: [i32; 3]| replay("muster", "", &dice);
    assert_eq!(late([0, 0, 4]), "musket militia 4 [muster]");
    assert_eq!(late([2, 1, 5]), "musket poor 5 [muster]");
    assert_eq!(late([3, 3, 6]), "rifle-musket poor 6 [muster]");
    assert_eq!(late([8, 4, 7]), "rifle-musket regular 7 [muster]");
    assert_eq!(late([9, 7, 8]), "bl-rifle regular 8 [muster]");
    assert_eq!(late([5, 8, 9]), "rifle-musket veteran 9 [muster]");
    assert_eq!(late([5, 9, 10]), "rifle-musket elite 10 [muster]");
}

/// "-1 for weapons for pre-1863 battles", and the optional -1 on morale; neither die goes below 0.
#[test]
fn early_and_shifted_dice_stop_at_zero() {
    let early = |dice: [i32; 3]| replay("muster", "period=early", &dice);
    assert_eq!(early([0, 9, 7]), "musket elite 7 [muster]");
    assert_eq!(early([3, 9, 7]), "musket elite 7 [muster]");
    assert_eq!(early([4, 9, 7]), "rifle-musket elite 7 [muster]");
    assert_eq!(early([9, 9, 7]), "rifle-musket elite 7 [muster]");
    let shifted = |dice: [i32; 3]| replay("muster", "morale_shift=-1", &dice);
    assert_eq!(shifted([9, 0, 7]), "bl-rifle militia 7 [muster]");
    assert_eq!(shifted([9, 1, 7]), "bl-rifle militia 7 [muster]");
    assert_eq!(shifted([9, 4, 7]), "bl-rifle poor 7 [muster]");
    assert_eq!(shifted([9, 8, 7]), "bl-rifle regular 7 [muster]");
    assert_eq!(shifted([9, 9, 7]), "bl-rifle veteran 7 [muster]");
}

/// The columns of cavalry and artillery; two six-sided dice, a d3, an average die and one more, or the
/// fixed sizes.
#[test]
fn cavalry_and_batteries_are_mustered_too() {
    let muster = |settings: &str, dice: &[i32]| replay("muster", settings, dice);
    assert_eq!(
        muster("arm=cavalry", &[3, 4, 12]),
        "shotgun regular 12 [muster]"
    );
    assert_eq!(
        muster("arm=cavalry period=early", &[9, 0, 2]),
        "ml-carbine militia 2 [muster]"
    );
    assert_eq!(
        muster("arm=artillery", &[8, 8, 3]),
        "3in-rifle veteran 3 [muster]"
    );
    // Confederate and early are one each, and the die stops at 0.
    let csa = "arm=artillery csa=true period=early";
    assert_eq!(muster(csa, &[2, 9, 1]), "6lb-smoothbore elite 1 [muster]");
    assert_eq!(muster(csa, &[0, 9, 1]), "6lb-smoothbore elite 1 [muster]");
    assert_eq!(muster(csa, &[9, 9, 1]), "6lb-rifle elite 1 [muster]");
    assert_eq!(
        muster("arm=artillery battery=division", &[6, 4, 5]),
        "24lb-howitzer regular 6 [muster]"
    );
    for (arm, weapon, stands) in [
        ("infantry", "rifle-musket", 10),
        ("cavalry", "ml-carbine", 12),
        ("artillery", "12lb-howitzer", 2),
    ] {
        assert_eq!(
            muster(&format!("arm={arm} size=fixed"), &[5, 5]),
            format!("{weapon} regular {stands} [muster]")
        );
    }
}
