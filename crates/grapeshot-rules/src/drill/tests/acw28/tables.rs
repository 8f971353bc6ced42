//! The printed tables: shapes, and what a variant may not do to them.

use crate::Variant;
use crate::testing::shape;

#[test]
fn every_table_has_its_printed_shape() {
    let shapes = [
        ("ranges", (7, 3)),
        ("to_hit", (5, 2)),
        ("saves", (3, 4)),
        ("melee_kills", (6, 3)),
        ("rout_regiments", (5, 10)),
        ("rout_companies", (3, 5)),
        ("permitted", (5, 4)),
        ("movement", (2, 3)),
        ("crossing", (3, 1)),
        ("foot_classes", (2, 5)),
        ("mounted_classes", (2, 6)),
        ("muster", (2, 4)),
    ];
    for (name, known) in shapes {
        assert_eq!(shape("acw28", name), known, "{name}");
    }
}

fn variant(text: &str) -> Result<(), String> {
    let text = format!("rules = \"acw28\"\n{text}");
    let variant = Variant::parse("house.toml", &text).unwrap();
    crate::find("acw28")
        .and_then(|ruleset| ruleset.load(&[variant]))
        .map(drop)
        .map_err(|e| e.to_string())
}

#[test]
fn a_variant_may_change_a_cell_and_a_wrong_one_is_named() {
    let house = "[tables.saves.rows]\nopen = { small-arms-short = \"6\" }\n\
                 [assumptions.odd_figure_fires]\nvalue = true\n\
                 [lists.formation_test.values]\nE = \"+5\"";
    assert_eq!(variant(house), Ok(()));
    let wrong = [
        (
            "[tables.saves.rows]\nopen = { artillery-long = \"4 6\" }",
            "saves.rows.open[artillery-long]",
        ),
        (
            "[tables.melee_kills.rows]\nA = { hard = \"11\" }",
            "melee_kills.rows.A[hard]",
        ),
        (
            "[tables.ranges.rows]\nbow = { short = \"near\" }",
            "ranges.rows.bow[short]",
        ),
        (
            "[tables.hit_modifiers.rows]\ncolumn = { artillery = \"x\" }",
            "hit_modifiers.rows.column[artillery]",
        ),
        (
            "[tables.rout_companies.rows]\nA = { 8 = \"many\" }",
            "rout_companies.rows.A[8]",
        ),
        (
            "[tables.muster.rows]\nfederal = { cavalry = \"W6\" }",
            "muster.rows.federal[cavalry]",
        ),
        (
            "[lists.work_hits.values]\nfence = 0",
            "work_hits.values.fence",
        ),
        (
            "[lists.fire_dice.values]\nheavy-gun = 9",
            "fire_dice.values.heavy-gun",
        ),
        (
            "[tables.movement.rows]\nhorse = { charge = \"fast\" }",
            "movement.rows.horse[charge]",
        ),
        (
            "[tables.mounted_classes.rows]\nbattery = { 1 = \"D\" }",
            "mounted_classes.rows.battery[1]",
        ),
        (
            "[tables.crossing.rows]\nriver = { dies-on = \"5\" }",
            "crossing.rows.river[dies-on]",
        ),
        (
            "[assumptions.odd_figure_fires]\nvalue = 2",
            "assumptions.odd_figure_fires.value",
        ),
    ];
    for (text, key) in wrong {
        let error = variant(text).expect_err(key);
        assert!(
            error.contains("house.toml") && error.contains(key),
            "{error}"
        );
    }
}

#[test]
fn what_the_tables_must_hold_is_asked_of_a_variant() {
    let wrong = [
        (
            "[tables.to_hit.rows]\nD = { small-arms = \"-\" }",
            "every class hits with small arms (class D)",
        ),
        (
            "[tables.permitted.rows]\nD = { cavalry = \"column\" }",
            "who may be in line may be in column",
        ),
        (
            "[tables.foot_classes.rows]\nfederal = { C = 20, D = 20 }",
            "no army has more than 30 regiments of foot (army federal)",
        ),
        (
            "[lists.flank_march.values]\nown-forward = 4",
            "the parts of the table must rise",
        ),
        (
            "[lists.dusk.values]\nspring = 12",
            "it is dark after the last hour that is no night (season spring)",
        ),
        (
            "[lists.day.values]\ntoo-early = 16",
            "between too-early and too-late an hour must be left",
        ),
    ];
    for (text, check) in wrong {
        let error = variant(text).expect_err(check);
        assert!(error.contains("house.toml"), "{error}");
        assert!(error.contains(check), "{error}");
    }
    let gap = variant("[tables.rout_companies]\ncolumns = [\"4\", \"5\", \"6\", \"7\", \"9\"]");
    assert!(gap.is_err_and(|error| error.contains("rout_companies")));
}
