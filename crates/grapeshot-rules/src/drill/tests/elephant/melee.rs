//! Combat: every printed cell, what it means, and every modifier.

use super::{refusal, replay_first};

/// The combat table as the source prints it, dashes and all. Die 0 first; columns 1:3 to 8:1.
const PRINTED: &str = "\
K1/----	K1/RT	---/K1	----/K1	----/C1	----/C1	----/C1	----/C1	----/C2	----/C2
K1/----	RPLS	K1/RT	----/K1	----/K1	----/K1	K1/C1	K1/C1	----/C1	----/C1
K1/----	RT/K1	ENGD	K1/RT	----/K1	----/K1	----/K1	K1/C1	K1/C1	----/C1
K1/----	K1/----	RPLS	ENGD	----/K1	----/K1	----/K1	----/K1	K1/C1	----/C1
K1/----	K1/----	RT/K1	ENGD	K1/RT	---/RT	----/K1	----/K1	K1/K2	K1/C1
K2/K1	K1/----	K1/----	RPLS	ENGD	K1/RT	----/K1	----/K1	----/K1	K1/K2
K2/K1	K1/----	K1/----	RPLS	ENGD	ENGD	----/K1	----/K1	----/K1	K1/K2
C1/K1	K2/K1	K1/----	RT/K1	RPLS	RPLS	---/RT	----/K1	----/K1	----/K1
C1/----	C1/K1	K1/----	----/K1	RT/K1	RT/K1	K1/RT	----/K1	----/K1	----/K1
C2/----	C1/----	C1/K1	K1/----	K1/----	K1/----	RT/K1	K1/RT	----/K1	----/K1";

/// Stands of attacker and defender at exactly the printed odds.
const AT_ODDS: [(u32, u32); 10] = [
    (4, 12),
    (5, 10),
    (6, 9),
    (10, 10),
    (9, 6),
    (10, 5),
    (12, 4),
    (16, 4),
    (24, 4),
    (32, 4),
];

fn stands((attacker, defender): (u32, u32)) -> String {
    format!("attacker.stands={attacker} defender.stands={defender}")
}

fn cell(settings: &str, dice: &[i32]) -> String {
    let end = replay_first(6, "melee", settings, dice);
    end.split(' ').nth(1).expect("a cell").to_owned()
}

/// All hundred cells, read at exactly the printed odds.
#[test]
fn every_die_in_every_column_reads_the_printed_cell() {
    for (die, line) in PRINTED.lines().enumerate() {
        for (column, printed) in line.split('\t').enumerate() {
            let folded = printed.replace("----", "-").replace("---", "-");
            let read = cell(&stands(AT_ODDS[column]), &[die as i32]);
            assert_eq!(read, folded, "die {die}, column {column}");
        }
    }
}

/// What each kind of cell means. K: stands lost; C: captured, and that side retreats; RT and RPLS:
/// that side retreats. "Side with higher stand loss retreats unless opponent has RT result." The
/// side that stays while the other goes is the winner. Values: winner, cell, stands lost by attacker
/// and defender, captured from attacker and defender.
#[test]
fn every_kind_of_cell_means_what_is_printed() {
    for (odds, die, expected) in [
        // The defender lost more and goes.
        (3, 0, "attacker -/K1 0 1 0 0"),
        // The attacker lost more and goes.
        (3, 9, "defender K1/- 1 0 0 0"),
        // The attacker lost more, but its opponent has RT: it stays, the defender goes.
        (3, 2, "attacker K1/RT 1 0 0 0"),
        // The other way round.
        (3, 7, "defender RT/K1 0 1 0 0"),
        (3, 3, "none ENGD 0 0 0 0"),
        (3, 5, "defender RPLS 0 0 0 0"),
        // Two against one: the attacker goes.
        (0, 5, "defender K2/K1 2 1 0 0"),
        // Captured goes; one lost each, so the defender does not.
        (0, 7, "defender C1/K1 1 1 1 0"),
        (0, 8, "defender C1/- 1 0 1 0"),
        (0, 9, "defender C2/- 2 0 2 0"),
        (4, 0, "attacker -/C1 0 1 0 1"),
        (8, 0, "attacker -/C2 0 2 0 2"),
        // One lost each; the captured side goes.
        (6, 1, "attacker K1/C1 1 1 0 1"),
        (8, 4, "attacker K1/K2 1 2 0 0"),
        (5, 4, "attacker -/RT 0 0 0 0"),
    ] {
        let end = replay_first(6, "melee", &stands(AT_ODDS[odds]), &[die]);
        assert_eq!(end, format!("{expected} [melee]"));
    }
}

/// Losses never exceed what is there, and a side without stands does not hold the field.
#[test]
fn a_side_cannot_lose_more_than_it_has() {
    // 8:1 with one defender: two are to be captured, one is there.
    assert_eq!(
        replay_first(6, "melee", "attacker.stands=8 defender.stands=1", &[0]),
        "attacker -/C2 0 1 0 1 [melee]"
    );
    // One against one. K1/RT: the attacker is gone and the defender goes; nobody wins.
    let one = "attacker.stands=1 defender.stands=1";
    assert_eq!(
        replay_first(6, "melee", one, &[2]),
        "none K1/RT 1 0 0 0 [melee]"
    );
    // RT/K1: the attacker goes and the defender is gone.
    assert_eq!(
        replay_first(6, "melee", one, &[7]),
        "none RT/K1 0 1 0 0 [melee]"
    );
    // 1:1, commander right three, three ranks right two: 6:1. K1/K2 removes both.
    let pushed = format!("{one} attacker.commander=3 attacker.ranks=3");
    assert_eq!(
        replay_first(6, "melee", &pushed, &[4]),
        "none K1/K2 1 1 0 0 [melee]"
    );
}

/// "Column = last printed odds not above": 9 against 10 is 2:3, 14 against 5 is 2:1; below 1:3 the
/// first column.
#[test]
fn odds_between_columns_are_read_in_the_lower_one() {
    assert_eq!(cell(&stands((9, 10)), &[1]), "K1/RT");
    assert_eq!(cell(&stands((14, 5)), &[4]), "-/RT");
    assert_eq!(cell(&stands((2, 10)), &[5]), "K2/K1");
}

/// Ten against ten, 1:1. A die of 4 tells the columns around it apart: 2:3 RT/K1, 1:1 ENGD, 3:2
/// K1/RT, 2:1 -/RT. Every modifier by itself, for both sides, as printed in the two columns.
#[test]
fn every_modifier_moves_the_column_as_printed() {
    let (left_one, right_one, right_two) = ("RT/K1", "K1/RT", "-/RT");
    assert_eq!(cell("", &[4]), "ENGD");
    for (settings, expected) in [
        ("attacker.commander=1", right_one),
        ("attacker.commander=2", right_two),
        ("defender.commander=1", left_one),
        ("attacker.uphill=true", right_one),
        ("defender.uphill=true", left_one),
        // One column for each step between the grades.
        ("attacker.grade=veteran", right_one),
        ("attacker.grade=elite", right_two),
        ("attacker.grade=poor", left_one),
        ("defender.grade=veteran", left_one),
        ("defender.grade=militia", right_two),
        ("attacker.crossing=true", left_one),
        ("defender.crossing=true", right_one),
        ("attacker.flank=true", right_two),
        // As printed: two for the attacker, one for the defender.
        ("defender.flank=true", left_one),
        ("attacker.ranks=2", right_one),
        ("attacker.ranks=3", right_two),
        ("defender.ranks=2", left_one),
        ("defender.ranks=3", left_one),
        ("attacker.overenthusiastic=true", right_one),
        ("defender.overenthusiastic=true", left_one),
        ("attacker.out_of_ammo=true", left_one),
        ("defender.out_of_ammo=true", right_one),
        ("defender.cover=wall", left_one),
        ("attacker.lance=true defender.kind=cavalry", right_one),
        ("defender.lance=true attacker.kind=cavalry", left_one),
        // Both sides at once cancel out.
        ("attacker.commander=2 defender.commander=2", "ENGD"),
    ] {
        assert_eq!(cell(settings, &[4]), expected, "{settings}");
    }
    // Fieldworks are left two, to 1:2; there a die of 2 reads RT/K1 (2:3 would read ENGD).
    assert_eq!(cell("defender.cover=fieldworks", &[2]), "RT/K1");
}

/// "One artillery stand counts as 1/2 stand", "one cavalry stand ... in woods counts as 1/2".
#[test]
fn guns_and_horse_in_woods_count_half() {
    // 10 against 5: 2:1.
    assert_eq!(cell("defender.kind=artillery", &[4]), "-/RT");
    assert_eq!(
        cell("defender.kind=cavalry defender.woods=true", &[4]),
        "-/RT"
    );
    // 5 against 10: 1:2.
    assert_eq!(
        cell("attacker.kind=cavalry attacker.woods=true", &[2]),
        "RT/K1"
    );
    // Woods are terrain: they matter to nobody else.
    assert_eq!(
        cell("attacker.woods=true defender.woods=true", &[4]),
        "ENGD"
    );
    assert_eq!(
        cell("defender.kind=dismounted defender.woods=true", &[4]),
        "ENGD"
    );
}

/// "A unit which is hit in the flank or rear can never outnumber that attacker": 1 against 10 starts
/// at 1:1, and two right is 2:1.
#[test]
fn a_flank_attack_starts_at_even_odds_at_least() {
    let flank = "attacker.stands=1 attacker.flank=true";
    assert_eq!(cell(flank, &[4]), "-/RT");
    // It does not lower better odds: 3:1 and two right is 6:1, where 4 reads K1/K2.
    let strong = format!("{} attacker.flank=true", stands((12, 4)));
    assert_eq!(cell(&strong, &[4]), "K1/K2");
}

/// The sum of shifts stops at the first and the last column.
#[test]
fn shifts_stop_at_the_edge_of_the_table() {
    let left = format!("{} defender.cover=fieldworks", stands(AT_ODDS[0]));
    assert_eq!(cell(&left, &[5]), "K2/K1");
    let right = format!("{} attacker.commander=3", stands(AT_ODDS[9]));
    assert_eq!(cell(&right, &[5]), "K1/K2");
}

/// Green sides roll their grade first, attacker before defender: 9 is elite, two steps above
/// regular; both elite are level.
#[test]
fn green_sides_roll_their_grade_before_the_fight() {
    assert_eq!(cell("attacker.grade=green", &[9, 4]), "-/RT");
    assert_eq!(cell("defender.grade=green", &[8, 4]), "RT/K1");
    let both = "attacker.grade=green defender.grade=green";
    assert_eq!(cell(both, &[9, 9, 4]), "ENGD");
    assert_eq!(cell(both, &[8, 4, 4]), "K1/RT");
}

/// "Shotgun/lance vs. Cavalry": against anyone else it is an error.
#[test]
fn a_lance_against_foot_is_refused() {
    for side in ["attacker", "defender"] {
        let key = format!("{side}.lance");
        let reason = refusal("melee", &format!("{key}=true"));
        assert!(reason.contains(&key), "{reason}");
    }
}
