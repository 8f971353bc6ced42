//! Charges: the fire before the first round, and what comes of it.

use super::close::{Report, combat, play};
use super::refusal;
use grapeshot_engine::engine::Steps;

/// Lowest fire factors of the rows of advance fire and pre-assault fire, and whether in brackets.
fn fires(given: &str) -> [Option<(i64, bool)>; 2] {
    let combat = combat("charge", given);
    let pair = combat.start().pair;
    let fires = combat.charge().fires().each_ref();
    fires.map(|fire| {
        let volley = fire.as_ref()?;
        volley.line(pair.defender, pair.attacker)
    })
}

#[test]
fn the_fire_before_a_charge_is_fire_at_an_advancing_target() {
    for (given, wanted) in [
        ("", 16),
        ("attacker.charge=true", 21),
        ("attacker.terrain=woods", 8),
        ("attacker.terrain=marsh", 8),
        ("attacker.marsh=true", 16),
        ("attacker.terrain=run", 12),
        ("attacker.run=true", 16),
        ("defender.wall=true", 21),
        ("defender.wall=true wall_in_assault=false", 21),
        ("defender.fence=true", 21),
        ("defender.fence=true defender.wall=true", 21),
        ("defender.advance_fire=true", 8),
        ("attacker.sp=5 density=auto", 21),
        ("attacker.units=2 attacker.sp=2 density=auto", 16),
        ("attacker.lower=true", 21),
        ("defender.lower=true", 16),
        ("attacker.dense=true", 21),
        (
            "defender.dense=true defender.flanked=true attacker.run=true",
            16,
        ),
        ("defender.leader=true", 16),
        ("defender.clear_hex=false", 12),
        ("attacker.clear_hex=false", 16),
        ("defender.state=disrupted", 5),
        ("attacker.type=artillery", 12),
        ("defender.type=artillery", 21),
    ] {
        assert_eq!(fires(given), [None, Some((wanted, false))], "{given}");
    }
}

#[test]
fn advance_fire_comes_first_and_leaves_its_marker() {
    let down = "attacker.lower=true defender.mfz=2";
    for (given, wanted) in [
        ("", [(16, false), (8, false)]),
        (
            "defender.mfz=1 defender.fence=true",
            [(21, false), (12, false)],
        ),
        // A marker from before counts in both fires, and once in each.
        ("defender.advance_fire=true", [(8, false), (8, false)]),
        // At two hexes four points are 4 factors: open ground, advancing, and below.
        (down, [(12, false), (12, false)]),
        (
            "defender.mfz=2 defender.wall=true",
            [(12, false), (12, false)],
        ),
        (
            "defender.mfz=2 defender.fence=true",
            [(12, false), (12, false)],
        ),
        // Guns at two hexes read the brackets, and open ground does not count: 12 factors. Adjacent
        // they are held at the top line before the marker lowers it.
        (
            "defender.mfz=2 defender.fence=true defender.type=artillery defender.sp=8",
            [(21, true), (21, false)],
        ),
    ] {
        let given = format!("advance_volley=true {given}");
        assert_eq!(fires(&given), wanted.map(Some), "{given}");
    }
    assert_eq!(
        fires("advance_volley=true pre_fire=false"),
        [Some((16, false)), None]
    );
    assert_eq!(fires(down), [None, Some((21, false))], "no advance fire");
}

#[test]
fn a_fence_and_a_wall_left_out_do_nothing_in_the_assault() {
    let lines = |given: &str| {
        let combat = combat("charge", given);
        combat.charge().assault().lines(combat.start().pair)
    };
    assert_eq!(lines("defender.fence=true"), lines(""));
    assert_eq!(lines("defender.wall=true wall_in_assault=false"), lines(""));
    assert_ne!(lines("defender.wall=true"), lines(""));
}

#[test]
fn a_charge_can_be_repulsed_before_its_first_round() {
    // Row 16-20: a 0 is three hits, which flip the attacker; its check passes at 6.
    assert_eq!(
        play("charge", "attacker.state=disrupted", &[0, 7]),
        Report {
            outcome: "attacker-repulsed",
            rounds: 0,
            hits: [3, 0],
            states: ["routed", "good"],
            lost: [0, 0]
        }
    );
    assert_eq!(
        play("charge", "attacker.reduced=true attacker.o_hits=2", &[3]),
        Report {
            outcome: "attacker-repulsed",
            rounds: 0,
            hits: [1, 0],
            states: ["destroyed", "good"],
            lost: [1, 0]
        }
    );
    // A D in the fire lets the attacker take a hit at 6, before the marsh disrupts it.
    assert_eq!(
        play("charge", "attacker.marsh=true rounds=1", &[5, 6, 9, 9]),
        Report {
            outcome: "stalled",
            rounds: 1,
            hits: [1, 0],
            states: ["disrupted", "good"],
            lost: [0, 0]
        }
    );
}

#[test]
fn under_advance_fire_only_a_charge_lifts_morale() {
    // Row 16-20: a 3 is one hit, which morale 5 passes at 4, with the +1 of a charge at 5.
    let one = "advance_volley=true rounds=1";
    let disrupted = play("charge", one, &[3, 5, 9, 9, 9]);
    assert_eq!(disrupted.states, ["disrupted", "good"]);
    let steady = play(
        "charge",
        &format!("{one} attacker.charge=true"),
        &[3, 5, 9, 9, 9],
    );
    assert_eq!(steady.states, ["good", "good"]);
    // In the fire just before the assault there is a +1 either way: one more hit passes at 4.
    let second = play("charge", one, &[3, 4, 1, 4, 9, 9]);
    assert_eq!((second.outcome, second.hits), ("stalled", [2, 0]));
    assert_eq!(second.states, ["good", "good"]);
}

#[test]
fn advance_fire_alone_can_repulse_a_charge() {
    let given = "advance_volley=true attacker.state=disrupted";
    let found = play("charge", given, &[0, 6]);
    assert_eq!((found.outcome, found.rounds), ("attacker-repulsed", 0));
    assert_eq!((found.hits, found.states), ([3, 0], ["routed", "good"]));
}

#[test]
fn a_fire_zone_of_two_hexes_needs_its_ground() {
    for given in [
        "",
        "advance_volley=true",
        "defender.lower=true",
        "attacker.terrain=woods",
    ] {
        let why = refusal("charge", &format!("defender.mfz=2 {given}"));
        assert!(
            why.contains("defender.mfz") && why.contains("attacker.lower"),
            "{why}"
        );
    }
}

#[test]
fn a_charge_can_begin_in_any_condition_of_both_stacks() {
    use super::super::charge::{Progress, Stage};
    use super::super::stack::Condition;
    use super::super::unit::Order;
    use grapeshot_engine::dice::Scripted;

    // In the middle of a fight: the attacker has taken four hits, the defender one and is disrupted.
    let combat = combat("charge", "attacker.leader=true");
    let attacker = Condition {
        order: Order::Good,
        taken: 4,
    };
    let defender = Condition {
        order: Order::Disrupted,
        taken: 1,
    };
    let position = combat.charge().begin(attacker, defender);
    assert_eq!(position.stage, Stage::PreAssaultFire);
    // Three rows lower than 16-20: a 0 is two hits more, and the sixth destroys.
    let mut dice = Scripted::new([0]);
    let Progress::Over(pair, _) = combat.charge().step(position, &mut dice) else {
        panic!("it is over");
    };
    dice.finish();
    assert_eq!(pair.attacker.order, Order::Destroyed);
    assert_eq!((pair.attacker.taken, pair.defender), (6, defender));
}
