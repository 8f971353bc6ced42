//! The worked examples the source prints, and whole procedures replayed die by die.

use super::{given, printed, replay, solved};
use crate::acw28::charge::Charge;
use crate::acw28::demolition::Demolition;
use crate::acw28::fire::Fires;
use crate::acw28::firefight::Firefight;
use crate::acw28::formation::FormationTests;
use crate::acw28::kinds::Class;
use crate::acw28::melee::MeleeTurn;
use crate::acw28::muster::Muster;
use crate::acw28::officer::Officer;
use crate::acw28::strike::Strike;
use crate::acw28::tables::{Side, Struck};
use crate::acw28::unit::Unit;
use crate::acw28::volley::Firer;

/// Fire on these settings: hits, then figures saved.
fn fire(text: &str, readings: &[i32]) -> [u16; 3] {
    let steps = Fires::new(&printed(), &given("fire", text)).unwrap();
    let row = replay(&steps, readings);
    [row[0], row[1], row[2]]
}

#[test]
fn a_class_b_regiment_of_twelve_that_loses_five_carries_on() {
    let twelve = "target.class=B target.figures=12";
    assert_eq!(fire(twelve, &[8, 3]), [0, 8, 5]);
    // Six left are still above the chart's five; five are level with it.
    assert_eq!(fire(twelve, &[8, 2]), [0, 8, 6]);
    assert_eq!(fire(twelve, &[8, 1]), [1, 8, 7]);
}

#[test]
fn a_class_b_battery_of_five_that_loses_two_carries_on() {
    let battery = "target.arm=artillery target.class=B target.figures=5";
    assert_eq!(fire(battery, &[3, 1]), [0, 3, 2]);
    assert_eq!(fire(battery, &[3, 0]), [1, 3, 3]);
}

#[test]
fn a_regiment_of_twelve_with_two_detached_that_loses_two_counts_eight_points() {
    let detached = "target.class=B target.figures=10 target.original=12";
    assert_eq!(fire(detached, &[2, 0]), [0, 2, 2]);
    // The chart is entered with the original twelve: 5, where ten would have no entry.
    assert_eq!(fire(detached, &[5, 0]), [1, 5, 5]);
}

#[test]
fn class_b_with_a_formation_fail_hits_skirmishers_on_five() {
    let s = given(
        "fire",
        "firer.class=B firer.formation_fail=true target.formation=skirmish",
    );
    let tables = printed();
    let firer = Firer::read(&tables, &s, "firer").unwrap();
    let target = Unit::read(&tables, &s, "target", s.choice("target.arm"), false).unwrap();
    assert_eq!(firer.need(&tables, true, target.formation), 5);
}

#[test]
fn killing_class_b_in_the_open_takes_one_less_for_each_advantage() {
    let tables = printed();
    let need = |settings: &str, charging: bool, formation_fail: bool| {
        let s = given("melee", &format!("defender.class=B {settings}"));
        let arm = s.choice("defender.arm");
        let defender = Unit::read(&tables, &s, "defender", arm, false).unwrap();
        let strike = Strike {
            figures: 1,
            at_officer: 0,
            formation_fail,
            charging,
        };
        let with = strike.against(&defender, defender.begins);
        tables.kill(Struck::Figure(Class::B), defender.cover, with)
    };
    assert_eq!(need("", false, false), 7);
    assert_eq!(need("defender.formation_fail=true", false, false), 6);
    assert_eq!(need("defender.formation=skirmish", false, false), 6);
    assert_eq!(need("", true, false), 6);
    let both = "defender.formation_fail=true defender.formation=skirmish";
    assert_eq!(need(both, true, false), 4);
    // An attacker with a formation fail adds nothing.
    assert_eq!(need(both, true, true), 7);
    // Artillery counts as skirmishers behind soft cover.
    let battery = "defender.arm=artillery defender.figures=5";
    assert_eq!(need(battery, false, false), 7);
    let dug_in = "defender.arm=artillery defender.figures=5 defender.cover=hard";
    assert_eq!(need(dug_in, false, false), 8);
}

#[test]
fn the_class_a_regiment_over_the_wall_fails_on_a_one_and_passes_on_a_four() {
    let test = FormationTests::new(&printed(), &given("formation", "class=A"));
    assert_eq!(replay(&test, &[1])[0], 0);
    assert_eq!(replay(&test, &[4])[0], 1);
    // The printed regiment fails in its first turn and passes in its second.
    let twice = FormationTests::new(&printed(), &given("formation", "class=A turns=2"));
    assert_eq!(replay(&twice, &[1, 4])[..2], [1, 2]);
    assert_eq!(replay(&twice, &[1, 1])[..2], [0, 2]);
}

#[test]
fn fire_beyond_the_reach_or_without_dice_rolls_nothing() {
    assert_eq!(fire("range=121", &[]), [0, 0, 0]);
    let one_skirmisher = "firer.formation=skirmish firer.figures=1";
    assert_eq!(fire(one_skirmisher, &[]), [0, 0, 0]);
    // Saves are not rolled when nobody is hit, nor in the open when they are denied.
    assert_eq!(fire("", &[0]), [0, 0, 0]);
    assert_eq!(fire("open_saves=false", &[4]), [0, 4, 4]);
}

#[test]
fn hits_may_exceed_the_figures_there_but_casualties_may_not() {
    let few = "target.figures=3 target.original=12 firer.figures=20";
    assert_eq!(fire(few, &[20, 0]), [1, 20, 3]);
}

#[test]
fn without_a_loss_nobody_tests_however_low_the_points() {
    let worn = "target.figures=2 target.original=20 target.saw_rout=true";
    assert_eq!(fire(worn, &[5, 5]), [0, 5, 0]);
    assert_eq!(fire(worn, &[5, 4]), [1, 5, 1]);
}

#[test]
fn three_figures_can_fight_one_and_no_more() {
    let tables = printed();
    let melee = |text: &str, kills: i32| {
        let steps = MeleeTurn::new(&tables, &given("melee", text)).unwrap();
        replay(&steps, &[kills])[..2].to_vec()
    };
    let two = "attacker.figures=20 defender.figures=2 defender.original=12 defender.class=A";
    // Six dice, so six kills can be shown, and two figures fall.
    assert_eq!(melee(two, 6), [1, 2]);
    assert_eq!(melee(two, 0), [0, 0]);
    let p = solved("melee", two);
    let misses = 0.7f64.powi(6);
    assert!((p.marginal("kills").unwrap().p("0") - misses).abs() < 1e-12);
}

#[test]
fn a_charge_is_volley_shock_and_alternating_melee_turns() {
    let tables = printed();
    let charge = |text: &str, readings: &[i32]| {
        let steps = Charge::new(&tables, &given("charge", text)).unwrap();
        replay(&steps, readings)[..4].to_vec()
    };
    const STOPPED: u16 = 0;
    const ATTACKER: u16 = 1;
    const DEFENDER: u16 = 2;
    const UNDECIDED: u16 = 5;
    // Ten hits, two saved: seven of fifteen left, level with the chart.
    assert_eq!(charge("", &[10, 2]), [STOPPED, 0, 8, 0]);
    // Seven lost to fire; the shock kills eight.
    assert_eq!(charge("", &[10, 3, 8]), [ATTACKER, 1, 7, 8]);
    // No hit, seven killed in the shock: eight points, above seven. In its turn the defender
    // clears its formation (4) and kills seven: eight less one for the formation fail routs.
    assert_eq!(charge("", &[0, 7, 4, 7]), [DEFENDER, 2, 7, 7]);
    // Without a volley; each turn kills one; three turns are over.
    let three = "volley=false turns=3";
    assert_eq!(charge(three, &[1, 3, 1, 6, 1]), [UNDECIDED, 3, 1, 2]);
    // The shock is the last turn.
    assert_eq!(charge("turns=1", &[0, 1]), [UNDECIDED, 1, 0, 1]);
}

#[test]
fn a_side_that_clears_its_formation_kills_an_enemy_with_a_fail_on_one_less() {
    // One figure each, class A, kills on 8, on 7 with the enemy's formation fail; a charge on 7.
    let one = "volley=false turns=2 attacker.class=A defender.class=A attacker.figures=1 \
               defender.figures=1 attacker.original=11 defender.original=11";
    let p = solved("charge", one);
    let outcome = p.marginal("outcome").unwrap();
    let shock = 0.4;
    let riposte = 5.0 / 6.0 * 0.4 + 1.0 / 6.0 * 0.3;
    assert!((outcome.p("attacker-wins") - shock).abs() < 1e-12);
    assert!((outcome.p("defender-wins") - (1.0 - shock) * riposte).abs() < 1e-12);
}

#[test]
fn in_a_firefight_a_unit_that_has_routed_does_not_fire() {
    let firefight = |text: &str, readings: &[i32]| {
        let steps = Firefight::new(&printed(), &given("firefight", text)).unwrap();
        replay(&steps, readings)[..4].to_vec()
    };
    assert_eq!(firefight("", &[8, 0]), [1, 1, 0, 8]);
    assert_eq!(firefight("", &[5, 5, 8, 0]), [0, 1, 8, 0]);
    // Two turns: b loses one, a loses two; then neither hits.
    let two = "turns=2";
    assert_eq!(firefight(two, &[2, 1, 3, 1, 0, 0]), [2, 2, 2, 1]);
}

#[test]
fn an_officer_dies_only_on_a_low_die_and_then_a_one() {
    let officer = |casualties: u8, readings: &[i32]| {
        replay(&Officer::new(&printed(), casualties), readings)[0]
    };
    assert_eq!(officer(1, &[]), 0);
    assert_eq!(officer(2, &[3]), 0);
    assert_eq!(officer(2, &[2, 2]), 0);
    assert_eq!(officer(2, &[1, 1]), 1);
    assert_eq!(officer(9, &[2, 1]), 1);
}

#[test]
fn hits_on_a_wall_add_up_from_turn_to_turn() {
    let demolition = |text: &str, readings: &[i32]| {
        let steps = Demolition::new(&printed(), &given("demolition", text)).unwrap();
        replay(&steps, readings)[..2].to_vec()
    };
    assert_eq!(demolition("", &[9, 9, 2]), [1, 3]);
    assert_eq!(demolition("turns=2", &[9, 9]), [0, 2]);
    // Ten dice at the most: a fence is down at once, a stone bridge in four turns.
    assert_eq!(demolition("work=fence", &[10]), [1, 1]);
    assert_eq!(demolition("work=stone-bridge", &[10, 10, 10, 10]), [1, 4]);
}

#[test]
fn a_side_musters_what_its_dice_show() {
    let tables = printed();
    // The printed regiment that throws a 7 has 17 figures; the Confederate who throws a 3 has 3 more.
    let confederate = Muster::new(&tables, Side::Confederate);
    // Classes are thrown before the figures: 2 is C, 5 is A, 3 is B.
    let confederate = replay(&confederate, &[3, 2, 1, 2, 5, 7]);
    assert_eq!(confederate[..6], [3, 2, 1, 17, 2, 0]);
    let federal = Muster::new(&tables, Side::Federal);
    assert_eq!(
        replay(&federal, &[5, 3, 3, 3, 1, 10])[..6],
        [5, 3, 3, 20, 1, 2]
    );
}
