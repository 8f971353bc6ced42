//! The printed tables as they are read, and what a variant breaks.

use super::super::tables::Effect;
use super::super::unit::Arm;
use super::{tables, varied};
use crate::Labels;

#[test]
fn the_combat_results_are_printed_as_read() {
    use Effect::{Disrupt as D, Hit1, Hit2, Hit3, None as N};
    let tables = tables();
    let froms: Vec<i64> = tables.lines.iter().map(|line| line.from).collect();
    assert_eq!(froms, [0, 1, 2, 3, 5, 8, 12, 16, 21, 27, 36]);
    assert_eq!(tables.lines[0].plain, [Hit1, D, N, N, N, N, N, N, N, N]);
    assert_eq!(
        tables.lines[10].plain,
        [Hit3, Hit3, Hit2, Hit2, Hit2, Hit2, Hit1, Hit1, D, D]
    );
    assert_eq!(
        tables.lines[10].bracketed,
        [Hit2, Hit2, Hit1, Hit1, Hit1, Hit1, D, D, D, D]
    );
    assert_eq!(
        tables.lines[7].plain,
        [Hit3, Hit2, Hit2, Hit1, Hit1, D, D, N, N, N]
    );
}

#[test]
fn no_face_is_kinder_on_a_higher_row() {
    for pair in tables().lines.windows(2) {
        for face in 0..10 {
            assert!(pair[0].plain[face] <= pair[1].plain[face]);
            assert!(pair[1].bracketed[face] <= pair[1].plain[face]);
        }
    }
}

#[test]
fn a_factor_falls_into_the_row_that_holds_it() {
    let tables = tables();
    for (factor, row) in [
        (0, 0),
        (2, 2),
        (3, 3),
        (4, 3),
        (5, 4),
        (7, 4),
        (35, 9),
        (36, 10),
        (60, 10),
    ] {
        assert_eq!(tables.row(factor), row, "{factor}");
    }
}

#[test]
fn rows_rise_first_and_are_held_at_both_ends() {
    let tables = tables();
    assert_eq!(
        tables.shifted(9, &[-1, 1, 1, 1]),
        9,
        "held at the top, then lowered"
    );
    assert_eq!(tables.shifted(1, &[-3, 1]), 0);
    assert_eq!(tables.shifted(4, &[]), 4);
}

#[test]
fn range_factors_at_their_corners() {
    let tables = tables();
    let at = |range| Arm::ALL.iter().map(move |&arm| (arm, range));
    let factors = |range: i64| -> Vec<Option<i64>> {
        at(range)
            .map(|(arm, range)| tables.range_factor(arm, range))
            .collect()
    };
    assert_eq!(factors(1), [Some(200), Some(100), Some(200), Some(200)]);
    assert_eq!(factors(2), [Some(100), Some(50), Some(50), Some(150)]);
    assert_eq!(factors(3), [Some(50), None, None, Some(100)]);
    assert_eq!(factors(4), [None, None, None, Some(50)]);
    assert_eq!(factors(8), factors(4));
    assert_eq!(tables.assault_factor(Arm::Irregular), Some(300));
    assert_eq!(tables.assault_factor(Arm::Artillery), Some(100));
}

#[test]
fn what_a_variant_breaks_is_named() {
    let broken = [
        (
            "[tables.combat_results.rows]\n5-7 = { N = \"6-9\" }",
            "die 5 no result",
        ),
        (
            "[tables.combat_results.rows]\n5-7 = { N = \"4-9\" }",
            "die 4 two results",
        ),
        (
            "[tables.combat_results.rows]\n5-7 = { N = \"5-x\" }",
            "`5-x` is not die faces",
        ),
        (
            "[tables.range_factors.rows]\n1 = { artillery = \"2(+2)\" }",
            "artillery-adjacent",
        ),
        (
            "[tables.range_factors.rows]\n3 = { infantry = \"half\" }",
            "`half` is not a factor",
        ),
        (
            "[tables.hex_limits.rows]\nfire = { non-clear = 0 }",
            "`0` is not a number",
        ),
        (
            "[tables.straggle.rows]\n0-3 = [\"4\"]",
            "`4` is not a die roll",
        ),
        (
            "[lists.fire_modifiers.values]\nwall = \"none\"",
            "lists.fire_modifiers.values.wall",
        ),
    ];
    for (variant, problem) in broken {
        let error = varied(variant).expect_err(variant).to_string();
        assert!(
            error.contains("house.toml") && error.contains(problem),
            "{error}"
        );
    }
    let quarter = varied("[tables.range_factors.rows]\n3 = { infantry = \".25\" }");
    assert_eq!(
        quarter.map(|t| t.range_factor(Arm::Infantry, 3)),
        Ok(Some(25))
    );
}
