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
            "[tables.to_hit.rows]\nD = { small-arms = \"-\" }",
            "to_hit.rows.D[small-arms]",
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
            "[tables.rout_companies]\ncolumns = [\"4\", \"5\", \"6\", \"7\", \"9\"]",
            "rout_companies.columns",
        ),
        (
            "[tables.muster.rows]\nfederal = { cavalry = \"W6\" }",
            "muster.rows.federal[cavalry]",
        ),
        (
            "[lists.formation_test.values]\nB = 3",
            "formation_test.values.B",
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
            "[tables.permitted.rows]\nD = { cavalry = \"column\" }",
            "permitted.rows.D[cavalry]",
        ),
        (
            "[tables.movement.rows]\nhorse = { charge = \"fast\" }",
            "movement.rows.horse[charge]",
        ),
        (
            "[tables.foot_classes.rows]\nfederal = { C = 20, D = 20 }",
            "foot_classes.rows.federal",
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
            "[lists.flank_march.values]\nown-forward = 4",
            "flank_march.values.own-forward",
        ),
        ("[lists.dusk.values]\nspring = 12", "dusk.values.spring"),
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
