//! What happens inside the composed fights, replayed die by die: officers, formation tests, helpers,
//! advances, leaving, smoke.

use super::{given, printed, replay, solved};
use crate::acw28::charge::Charge;
use crate::acw28::fire::Fires;
use crate::acw28::firefight::Firefight;
use crate::acw28::melee::MeleeTurn;

const SAFE: u16 = 1;
const KILLED: u16 = 2;

fn fire(text: &str, readings: &[i32]) -> Vec<u16> {
    let steps = Fires::new(&printed(), &given("fire", text)).unwrap();
    replay(&steps, readings)[..5].to_vec()
}

fn melee(text: &str, readings: &[i32]) -> Vec<u16> {
    let steps = MeleeTurn::new(&printed(), &given("melee", text)).unwrap();
    replay(&steps, readings)[..3].to_vec()
}

fn charge(text: &str, readings: &[i32]) -> Vec<u16> {
    let steps = Charge::new(&printed(), &given("charge", text)).unwrap();
    replay(&steps, readings)[..6].to_vec()
}

fn firefight(text: &str, readings: &[i32]) -> Vec<u16> {
    let steps = Firefight::new(&printed(), &given("firefight", text)).unwrap();
    replay(&steps, readings)[..6].to_vec()
}

#[test]
fn an_officer_is_in_danger_when_one_fire_costs_two_figures() {
    let led = "target.officer_attached=true";
    // One figure lost: no die for him.
    assert_eq!(fire(led, &[3, 2]), [0, 3, 1, SAFE, 1]);
    assert_eq!(fire(led, &[3, 1, 3]), [0, 3, 2, SAFE, 1]);
    assert_eq!(fire(led, &[3, 1, 2, 6]), [0, 3, 2, SAFE, 1]);
    assert_eq!(fire(led, &[3, 1, 1, 1]), [0, 3, 2, KILLED, 1]);
}

#[test]
fn his_point_is_gone_in_the_test_of_the_fire_that_kills_him() {
    // Class C of fifteen routs at seven: eight lost leave seven figures, and his point makes eight.
    let led = "target.officer_attached=true";
    assert_eq!(fire(led, &[8, 0, 6]), [0, 8, 8, SAFE, 1]);
    assert_eq!(fire(led, &[8, 0, 1, 1]), [1, 8, 8, KILLED, 1]);
    // Without a successor there is an officer fail as well: seven lost are enough.
    assert_eq!(fire(led, &[7, 0, 1, 1]), [0, 7, 7, KILLED, 1]);
    let last = "target.officer_attached=true target.successor=false";
    assert_eq!(fire(last, &[7, 0, 1, 1]), [1, 7, 7, KILLED, 1]);
    // An officer fail that is set is not counted twice.
    let set = format!("{last} target.officer_fail=true");
    assert_eq!(fire(&set, &[7, 0, 1, 1]), [1, 7, 7, KILLED, 1]);
    assert_eq!(fire(&set, &[6, 0, 1, 1]), [0, 6, 6, KILLED, 1]);
}

#[test]
fn several_firers_fire_one_after_the_other_until_the_target_routs() {
    let three = "firers=3 target.officer_attached=true";
    // Two lost, one lost, none hit; the officer is in danger once.
    assert_eq!(fire(three, &[2, 0, 4, 1, 0, 0]), [0, 3, 3, SAFE, 3]);
    // He falls to the first fire and has no dice in the second; the rout ends it before the third.
    let ends = fire(three, &[4, 0, 1, 1, 4, 0]);
    assert_eq!(ends, [1, 8, 8, KILLED, 2]);
    assert_eq!(fire("firers=4 range=121", &[]), [0, 0, 0, 0, 4]);
}

#[test]
fn an_officer_alone_is_hit_like_a_figure_in_line_and_killed_in_melee_by_his_own_row() {
    let alone = "target.arm=officer target.figures=1 firer.figures=3";
    assert_eq!(fire(alone, &[2, 1]), [1, 2, 1, KILLED, 1]);
    assert_eq!(fire(alone, &[2, 2]), [0, 2, 0, SAFE, 1]);
    let alone = "defender.arm=officer defender.figures=1";
    assert_eq!(melee(alone, &[3]), [1, 1, KILLED]);
    assert_eq!(melee(alone, &[0]), [0, 0, SAFE]);
    let p = |text: &str| {
        solved("melee", text)
            .marginal("officer")
            .unwrap()
            .p("killed")
    };
    // Three strike, on 8 and more; charging on 7, but not with a formation fail.
    assert!((p(alone) - (1.0 - 0.7f64.powi(3))).abs() < 1e-12);
    let charging = format!("{alone} attacker.charging=true");
    assert!((p(&charging) - (1.0 - 0.6f64.powi(3))).abs() < 1e-12);
    let failing = format!("{charging} attacker.formation_fail=true");
    assert!((p(&failing) - (1.0 - 0.7f64.powi(3))).abs() < 1e-12);
}

#[test]
fn figures_set_aside_strike_at_the_officer_and_not_at_his_regiment() {
    let two = "defender.officer_attached=true attacker.at_officer=2 attacker.figures=10";
    // Two dice at him, eight at the others; his death alone causes no test.
    assert_eq!(melee(two, &[1, 0]), [0, 0, KILLED]);
    assert_eq!(melee(two, &[0, 8]), [0, 8, SAFE]);
    assert_eq!(melee(two, &[2, 8]), [1, 8, KILLED]);
    // All that fight, if fewer do: one kill is enough.
    let one = format!("{two} attacker.fighting=1");
    assert_eq!(melee(&one, &[1]), [0, 0, KILLED]);
    // In fire he dies by his own dice; in melee two dead figures do not endanger him.
    let none = "defender.officer_attached=true";
    assert_eq!(melee(none, &[3]), [0, 3, SAFE]);
}

#[test]
fn a_helper_is_a_figure_of_the_battery_with_one_die() {
    // Two gunners of five and three helpers: four dice and three.
    let battery = "a.arm=field-gun a.class=B a.figures=2 a.original=5 a.helpers=3 turns=1";
    let dice = 7;
    let p = solved("firefight", &format!("{battery} b.cover=hard"));
    assert!(p.marginal("b_casualties").unwrap().p("7") > 0.0);
    assert_eq!(p.marginal("b_casualties").unwrap().p("8"), 0.0);
    // Two lost are helpers: three points are above the chart's two; three lost leave the gunners.
    assert_eq!(firefight(battery, &[dice, dice, 2, 0]), [2, 1, 2, 0, 0, 0]);
    assert_eq!(firefight(battery, &[dice, dice, 3, 0]), [0, 1, 3, 0, 0, 0]);
}

#[test]
fn an_attacker_whose_officer_falls_without_a_successor_does_not_go_on() {
    const STOPPED: u16 = 0;
    let led = "attacker.officer_attached=true";
    let last = "attacker.officer_attached=true attacker.successor=false";
    assert_eq!(charge(last, &[2, 0, 1, 1]), [STOPPED, 0, 2, 0, KILLED, 0]);
    // With one to take over it goes on without his point.
    assert_eq!(charge(led, &[2, 0, 1, 1, 8]), [1, 1, 2, 8, KILLED, 0]);
    // His death in the melee stops nobody, but costs a point more.
    let struck = format!("{last} defender.at_officer=1 volley=false");
    // The defender clears its formation and kills him and five: ten figures less two.
    assert_eq!(
        charge(&struck, &[0, 6, 1, 5, 6, 8]),
        [1, 3, 5, 8, KILLED, 0]
    );
    assert_eq!(charge(&struck, &[0, 6, 1, 6]), [2, 2, 6, 0, KILLED, 0]);
    assert_eq!(charge(&struck, &[0, 6, 0, 6, 6, 8]), [1, 3, 6, 8, SAFE, 0]);
}

#[test]
fn the_defender_tests_its_formation_before_its_volley_and_fights_with_what_it_has() {
    const ATTACKER: u16 = 1;
    let fail = "defender.formation_fail=true";
    // It passes on a 4; no hit; seven killed leave eight points.
    assert_eq!(charge(fail, &[4, 0, 7, 4, 8])[..2], [2, 2]);
    // It fails: seven killed leave eight less one.
    assert_eq!(charge(fail, &[3, 0, 7])[..2], [ATTACKER, 1]);
    // A cause that lasts is not tested, not even in the melee.
    let lasts = "defender.formation_fail=true formation_tests=false turns=3";
    assert_eq!(charge(lasts, &[0, 6, 1, 4, 0])[..4], [5, 3, 1, 6]);
    // Beyond the weapon's reach there is no fire, but the test is made.
    let far = "defender.formation_fail=true defender.weapon=shotgun distance=30";
    assert_eq!(charge(far, &[3, 7])[..2], [ATTACKER, 1]);
    // Without a volley there is no turn to test in.
    assert_eq!(
        charge(&format!("{fail} volley=false"), &[7])[..2],
        [ATTACKER, 1]
    );
}

#[test]
fn an_advance_adds_nothing_and_a_fail_may_be_cleared_before_the_first_blow() {
    let p = |text: &str| {
        let one = "volley=false turns=1 attacker.class=A defender.class=A attacker.figures=1 \
                   defender.figures=1 attacker.original=11 defender.original=11";
        let p = solved("charge", &format!("{one} {text}"));
        p.marginal("outcome").unwrap().p("attacker-wins")
    };
    assert!((p("") - 0.4).abs() < 1e-12);
    assert!((p("attacker.onset=advance") - 0.3).abs() < 1e-12);
    assert!((p("attacker.onset=advance defender.cover=hard") - 0.1).abs() < 1e-12);
    // Skirmishers are killed on one less, by a side that clears its fail (five in six).
    let skirmish =
        "attacker.onset=advance attacker.formation_fail=true defender.formation=skirmish";
    assert!((p(skirmish) - (5.0 / 6.0 * 0.4 + 1.0 / 6.0 * 0.3)).abs() < 1e-12);
    let lasts = format!("{skirmish} formation_tests=false");
    assert!((p(&lasts) - 0.3).abs() < 1e-12);
}

#[test]
fn a_side_leaves_in_its_own_turn_which_is_not_fought() {
    const ATTACKER_LEAVES: u16 = 3;
    const DEFENDER_LEAVES: u16 = 4;
    let defender = "volley=false defender.leaves_at=10";
    assert_eq!(charge(defender, &[5])[..4], [DEFENDER_LEAVES, 1, 0, 5]);
    assert_eq!(charge(defender, &[4, 4, 8])[..4], [2, 2, 8, 4]);
    let attacker = "volley=false attacker.leaves_at=12";
    assert_eq!(
        charge(attacker, &[4, 4, 3])[..4],
        [ATTACKER_LEAVES, 2, 3, 4]
    );
    // Not in the first turn, and not when the turns are over.
    let few = "volley=false attacker.leaves_at=15 defender.leaves_at=15 turns=1";
    assert_eq!(charge(few, &[4])[..4], [5, 1, 0, 4]);
}

#[test]
fn in_a_firefight_each_side_tests_its_formation_at_the_beginning_of_its_turn() {
    let fail = "a.formation_fail=true turns=2";
    // a fails its test and misses; b does; then a passes and hits three times; b misses.
    assert_eq!(firefight(fail, &[3, 0, 0, 4, 3, 0, 0]), [2, 2, 0, 3, 0, 0]);
    let lasts = "a.formation_fail=true turns=2 formation_tests=false";
    assert_eq!(firefight(lasts, &[0, 0, 3, 0, 0]), [2, 2, 0, 3, 0, 0]);
}

#[test]
fn the_holder_of_the_town_fires_second() {
    assert_eq!(firefight("first=b", &[8, 0])[..4], [0, 1, 8, 0]);
    // 1: a holds it.
    assert_eq!(firefight("first=town", &[1, 8, 0])[..4], [0, 1, 8, 0]);
    assert_eq!(firefight("first=town", &[2, 8, 0])[..4], [1, 1, 0, 8]);
    let p = |first: &str| solved("firefight", &format!("first={first} b.class=B"));
    let routs = |first: &str| p(first).marginal("outcome").unwrap().p("a-routs");
    assert!((routs("town") - (routs("a") + routs("b")) / 2.0).abs() < 1e-12);
}

#[test]
fn in_still_air_both_fire_for_two_turns_and_wait_for_two() {
    let misses = [0, 0, 0, 0];
    let still = "wind=still turns=5";
    assert_eq!(
        firefight(still, &[&misses[..], &[8, 0]].concat())[..4],
        [1, 5, 0, 8]
    );
    // In smoke a formation fail is tested all the same: a passes in turn 3.
    let fail = "wind=still turns=5 a.formation_fail=true";
    let dice = [3, 0, 0, 3, 0, 0, 4, 8, 0];
    assert_eq!(firefight(fail, &dice)[..4], [1, 5, 0, 8]);
    // The wind is thrown for once: still on a 1.
    let roll = "wind=roll turns=3";
    assert_eq!(firefight(roll, &[&[1], &misses[..]].concat())[..2], [2, 3]);
    assert_eq!(
        firefight(roll, &[&[2], &misses[..], &[8, 0]].concat())[..2],
        [1, 3]
    );
}

#[test]
fn a_cavalry_defender_is_on_foot_from_its_volley_on() {
    let horse = "defender.arm=cavalry defender.weapon=carbine turns=1";
    let p = |text: &str| {
        let p = solved("charge", &format!("{horse} {text}"));
        p.marginal("defender_casualties").unwrap().mean()
    };
    let mounted = p("volley=false");
    let skirmishing = p("volley=false defender.formation=skirmish");
    assert!((mounted - 15.0 * 0.7).abs() < 1e-9, "{mounted}");
    assert!((skirmishing - 15.0 * 0.8).abs() < 1e-9, "{skirmishing}");
    // With a volley beyond its reach it loses what skirmishers lose.
    let on_foot = p("attacker.arm=cavalry distance=60");
    assert!((on_foot - skirmishing).abs() < 1e-9, "{on_foot}");
}
