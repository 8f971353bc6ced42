//! What is thrown before a battle and on the way to it, replayed die by die.

use super::{given, printed, replay, solved};
use crate::acw28::army::Army;
use crate::acw28::crossing::Crossing;
use crate::acw28::day::Day;
use crate::acw28::demolition::Demolition;
use crate::acw28::flank_march::FlankMarch;

#[test]
fn a_printed_throw_of_thirteen_leaves_seven_hours_in_summer_and_six_in_spring() {
    let day = |text: &str, readings: &[i32]| {
        replay(&Day::new(&printed(), &given("day", text)), readings)[..4].to_vec()
    };
    assert_eq!(day("", &[13]), [28, 13, 0, 0]);
    assert_eq!(day("season=spring", &[13]), [24, 13, 0, 0]);
    // Six or less and seventeen or more cost a day each.
    assert_eq!(day("", &[6, 17, 7]), [52, 7, 2, 20]);
    assert_eq!(day("", &[5, 18, 16]), [16, 16, 2, 20]);
    assert_eq!(day("throws=3", &[6, 6, 17]), [0, 0, 3, 30]);
}

#[test]
fn a_flank_march_comes_in_the_move_and_place_of_its_score() {
    let march = |text: &str, readings: &[i32]| {
        let steps = FlankMarch::new(&printed(), &given("flank-march", text));
        replay(&steps, readings)[..3].to_vec()
    };
    for (score, zone) in [
        (1, 0),
        (5, 0),
        (6, 1),
        (10, 1),
        (11, 2),
        (15, 2),
        (16, 3),
        (20, 3),
    ] {
        let other = march("opponent=other-flank", &[score]);
        assert_eq!(other, [1, zone, score as u16]);
    }
    assert_eq!(march("moves=12", &[13]), [0, 4, 0]);
    assert_eq!(march("moves=12", &[12]), [1, 2, 12]);
    assert_eq!(march("opponent=same-flank", &[]), [0, 4, 0]);
}

#[test]
fn troopers_fall_on_a_six_and_drown_on_five_or_six() {
    let mean = |text: &str| solved("crossing", text).marginal("lost").unwrap().mean();
    assert!((mean("") - 5.0).abs() < 1e-12);
    assert!((mean("obstacle=wall") - 2.5).abs() < 1e-12);
    let steps = Crossing::new(&printed(), &given("crossing", "figures=3 obstacle=fence"));
    assert_eq!(replay(&steps, &[2])[0], 2);
}

#[test]
fn a_garrison_dies_with_its_bridge_and_not_before() {
    let bridge = |text: &str, readings: &[i32]| {
        let text = format!("work=wooden-bridge garrison=12 {text}");
        let steps = Demolition::new(&printed(), &given("demolition", &text)).unwrap();
        replay(&steps, readings)[..3].to_vec()
    };
    assert_eq!(bridge("", &[10, 10]), [1, 2, 12]);
    assert_eq!(bridge("turns=2", &[10, 9]), [0, 2, 0]);
}

#[test]
fn an_army_is_its_list_and_all_its_dice() {
    let army = |text: &str, readings: &[i32]| {
        let steps = Army::new(&printed(), &given("army", text));
        replay(&steps, readings)[..6].to_vec()
    };
    // The printed Confederate with a 3: eleven regiments. One cavalry regiment, two batteries, of which
    // none and one are of class A; sixty on the dice of twelve regiments.
    let figures = 12 * 10 + 60 + 2 * 4;
    let confederate = army("side=confederate", &[3, 1, 2, 0, 1, 60]);
    assert_eq!(confederate, [figures, 11, 1, 2, 3, 1]);
    // A 4 makes one of the extra regiments class B, if the offer is taken.
    let federal = army("", &[4, 3, 1, 1, 0, 100]);
    assert_eq!(federal, [19 * 10 + 100 + 5, 16, 3, 1, 4, 2]);
    assert_eq!(army("upgrade=false", &[4, 3, 1, 1, 0, 100])[5], 1);
    // The only cavalry regiment becomes four companies of eight.
    let sharp = army("sharpshooters=true", &[2, 1, 1, 0, 50]);
    assert_eq!(sharp, [14 * 10 + 50 + 5 + 32, 14, 0, 1, 3, 1]);
}
