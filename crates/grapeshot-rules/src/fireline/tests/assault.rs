//! Rounds of an assault: the lines they are fought on, and whole melees on scripted dice.

use super::close::{Report, combat, play};
use super::refusal;
use grapeshot_engine::engine::Steps;

/// Lowest fire factors of the rows of the first round: attacker's, defender's.
fn lines(given: &str) -> (i64, i64) {
    let combat = combat("melee", given);
    let lines = combat.charge().assault().lines(combat.start().pair);
    let [(attack, false), (reply, false)] = lines.map(|line| line.expect("every arm assaults"))
    else {
        panic!("no brackets in an assault: {given}");
    };
    (attack, reply)
}

#[test]
fn every_modifier_moves_the_line_as_printed() {
    // Four points of infantry are 12 factors.
    for (given, wanted) in [
        ("", (12, 12)),
        ("attacker.lower=true", (8, 12)),
        ("defender.lower=true", (16, 12)),
        ("attacker.run=true", (8, 12)),
        ("attacker.marsh=true", (3, 12)),
        ("attacker.marsh=true attacker.state=disrupted", (3, 12)),
        ("defender.wall=true", (8, 12)),
        ("defender.wall=true wall_in_assault=false", (12, 12)),
        // Stacks: the limits are on the sum, here 6 points of which 5 or 4 assault.
        ("attacker.units=3 attacker.sp=2", (12, 12)),
        ("attacker.units=2 attacker.sp=2", (12, 12)),
        (
            "defender.units=3 defender.sp=2 defender.clear_hex=false defender.reduced2=true defender.reduced3=true",
            (12, 12),
        ),
        ("attacker.sp=5 density=auto", (12, 16)),
        ("defender.sp=3 defender.units=2 density=auto", (16, 12)),
        ("defender.sp=4 attacker.sp=4 density=auto", (12, 12)),
        ("attacker.sp=5 attacker.dense=true density=auto", (12, 16)),
        ("defender.flanked=true", (16, 12)),
        ("attacker.charge=true", (16, 12)),
        ("attacker.dense=true", (12, 16)),
        ("defender.dense=true", (16, 12)),
        ("attacker.leader=true", (16, 12)),
        ("defender.leader=true", (12, 16)),
        ("attacker.state=disrupted", (3, 12)),
        ("defender.state=disrupted", (12, 3)),
        (
            "attacker.sp=9 defender.sp=5 defender.clear_hex=false",
            (12, 12),
        ),
        ("attacker.sp=6 attacker.clear_hex=false", (12, 12)),
        (
            "attacker.type=artillery attacker.sp=9 defender.type=artillery defender.sp=9 defender.clear_hex=false",
            (8, 3),
        ),
        (
            "attacker.type=cavalry defender.type=irregular defender.reduced=true",
            (12, 5),
        ),
    ] {
        assert_eq!(lines(given), wanted, "{given}");
    }
}

#[test]
fn both_results_are_read_before_either_is_applied() {
    // The defender is down to its last hit and is destroyed, but its reply still counts. The
    // attacker's own check has the +1 of an assault: two hits pass at 4.
    let last = "defender.reduced=true defender.o_hits=2 defender.reduced_sp=4";
    assert_eq!(
        play("melee", last, &[0, 0, 4]),
        Report {
            outcome: "attacker-wins",
            rounds: 1,
            hits: [2, 1],
            states: ["good", "destroyed"],
            lost: [0, 1]
        }
    );
    let both = format!("{last} attacker.reduced=true attacker.o_hits=2");
    assert_eq!(
        play("melee", &both, &[2, 3]),
        Report {
            outcome: "mutual",
            rounds: 1,
            hits: [1, 1],
            states: ["destroyed", "destroyed"],
            lost: [1, 1]
        }
    );
}

#[test]
fn rounds_go_on_until_one_side_is_gone_or_time_is_up() {
    assert_eq!(
        play("melee", "", &[9, 9, 9, 9, 9, 9]),
        Report {
            outcome: "stalled",
            rounds: 3,
            hits: [0, 0],
            states: ["good", "good"],
            lost: [0, 0]
        }
    );
    // Disrupted in the first round by a failed check, routed in the second.
    assert_eq!(
        play("melee", "", &[9, 2, 6, 9, 2, 5]),
        Report {
            outcome: "defender-wins",
            rounds: 2,
            hits: [2, 0],
            states: ["routed", "good"],
            lost: [0, 0]
        }
    );
    // A flanked defender passes one hit at 3 only.
    assert_eq!(
        play(
            "melee",
            "defender.flanked=true defender.state=disrupted",
            &[3, 9, 4]
        ),
        Report {
            outcome: "attacker-wins",
            rounds: 1,
            hits: [0, 1],
            states: ["good", "routed"],
            lost: [0, 0]
        }
    );
}

#[test]
fn a_stack_thins_out_and_stops_being_dense() {
    // Two worn units of 3 points each: 6 points until the first falls, then 3, no longer dense.
    let given = "defender.units=2 defender.sp=6 defender.reduced=true defender.reduced2=true defender.o_hits=2 defender.o_hits2=2 defender.morale=9 density=auto rounds=2";
    // Row 16-20 for the attacker: a 4 is one hit. Then row 12-15, where a 4 is a D, for which a hit is
    // taken. Either check passes at 7.
    let found = play("melee", given, &[4, 9, 7, 4, 9, 7]);
    assert_eq!(found.outcome, "attacker-wins");
    assert_eq!((found.rounds, found.hits, found.lost), (2, [0, 2], [0, 2]));
    assert_eq!(found.states, ["good", "destroyed"]);
}

#[test]
fn both_sides_cannot_stand_lower() {
    let why = refusal("melee", "attacker.lower=true defender.lower=true");
    assert!(why.contains("only one side can stand lower"), "{why}");
}
