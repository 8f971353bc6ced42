//! The printed sources: what is known to be wrong in them is found, and repairs make it vanish.

use crate::audit::{Audited, FindingKind, audit};
use crate::bundled_variant;
use grapeshot_rules::Variant;

fn of(rules: &str, variants: &[Variant]) -> Audited {
    let ruleset = grapeshot_rules::find(rules).expect("it is there");
    audit(&ruleset.load(variants).expect("it loads")).expect("it can be audited")
}

fn house(rules: &str, text: &str) -> Vec<Variant> {
    let text = format!("rules = \"{rules}\"\n{text}");
    vec![Variant::parse("house.toml", &text).expect("it is a variant")]
}

fn shipped(name: &str) -> Vec<Variant> {
    let text = bundled_variant(name).expect("it is shipped");
    vec![Variant::parse(name, &text).expect("it is a variant")]
}

fn has(audited: &Audited, kind: FindingKind, about: &str) -> bool {
    audited.findings.iter().any(|f| f.is(kind, about))
}

#[test]
fn elephant_has_its_known_faults_and_repairs_make_them_vanish() {
    let printed = of("elephant", &[]);
    let known = [
        (FindingKind::Order, "-/K1 at die 8 in column 1:1"),
        (FindingKind::Range, "ml-carbine, column 400"),
        (FindingKind::Range, "bl-carbine, column 400"),
        (FindingKind::Range, "repeater, column 600"),
        (FindingKind::Contradiction, "out-of-ammo"),
        (FindingKind::Gap, "musket, column 1800"),
        (FindingKind::Paradox, "fire, range"),
    ];
    for (kind, about) in known {
        assert!(has(&printed, kind, about), "{kind}: {about}");
    }
    let order = printed
        .findings
        .iter()
        .filter(|f| f.kind == FindingKind::Order);
    assert_eq!(
        order.count(),
        2,
        "and the repulses that cost more than a retreat"
    );
    assert!(has(
        &printed,
        FindingKind::Cliff,
        "attacker.stands 12 to 18"
    ));
    assert!(has(
        &printed,
        FindingKind::Paradox,
        "attacker.flank=true against"
    ));
    assert!(!has(&printed, FindingKind::Dead, "scale"));
    let repaired = of(
        "elephant",
        &house(
            "elephant",
            r#"
            [tables.melee_results.rows]
            8 = { "1:1" = "RT/K1" }
            [tables.fire_factors.rows]
            ml-carbine = { 400 = "0" }
            bl-carbine = { 400 = "0" }
            repeater = { 600 = "1" }
            musket = { 1800 = "0" }
            [lists.fire_shifts.values]
            out-of-ammo = -2
            close-range = 1
            "#,
        ),
    );
    for (kind, about) in known {
        assert!(!has(&repaired, kind, about), "{kind}: {about}");
    }
    assert!(repaired.findings[0].commands[0].ends_with("--variant house.toml"));
}

#[test]
fn gbacw_melee_is_out_of_order_in_row_2_and_a_variant_repairs_it() {
    let printed = of("gbacw", &[]);
    assert!(has(&printed, FindingKind::Order, "die 2, column +1"));
    assert!(has(&printed, FindingKind::Order, "die 2, column +3"));
    // No order is claimed for the table of green units.
    assert!(!has(&printed, FindingKind::Order, "green"));
    let repaired = of("gbacw", &shipped("../variants/gbacw-melee-row-2.toml"));
    assert!(!has(&repaired, FindingKind::Order, "die 2"));
    assert!(!has(&repaired, FindingKind::Dead, "result"));
}

#[test]
fn acw28_gives_and_denies_saves_in_the_open_until_a_variant_decides() {
    let printed = of("acw28", &[]);
    assert!(has(
        &printed,
        FindingKind::Contradiction,
        "tables.saves.rows.open"
    ));
    let repaired = of("acw28", &shipped("../variants/acw28-no-open-saves.toml"));
    assert!(!has(
        &repaired,
        FindingKind::Contradiction,
        "tables.saves.rows.open"
    ));
}

#[test]
fn impact_and_fireline_have_their_known_faults() {
    let impact = of("impact", &[]);
    assert!(has(
        &impact,
        FindingKind::Gap,
        "tables.impact_results.rows.11-12"
    ));
    assert!(has(
        &impact,
        FindingKind::Dominated,
        "mixed than rifle-musket"
    ));
    assert!(has(&impact, FindingKind::Paradox, "weapon=mixed against"));
    assert!(!has(&impact, FindingKind::Dead, "settings"));
    let fireline = of("fireline", &[]);
    assert!(has(&fireline, FindingKind::Dead, "straggle_always"));
    assert!(!has(&fireline, FindingKind::Dead, "settings"));
    assert!(has(
        &fireline,
        FindingKind::Paradox,
        "target.wall=true against"
    ));
    let repaired = of(
        "fireline",
        &house("fireline", "[lists.fire_modifiers.values]\nwall = -3\n"),
    );
    assert!(!has(
        &repaired,
        FindingKind::Paradox,
        "target.wall=true against"
    ));
}

/// What a designer sees at once: words that are not told apart where everything is ordinary, ammunition that is never better,
/// an enemy near by who helps, runners who outrun those in order.
#[test]
fn what_is_seen_at_once_is_found_and_repairs_make_it_vanish() {
    let of = |rules: &str, variants: &[Variant], kind: FindingKind| {
        let ruleset = grapeshot_rules::find(rules).expect("it is there");
        let loaded = ruleset.load(variants).expect("it loads");
        crate::audit::audit_for(&loaded, &[kind]).expect("it can be audited")
    };
    let classes = "target.class: C and B come to the same routs=no";
    let acw28 = of("acw28", &[], FindingKind::Alike);
    assert!(has(&acw28, FindingKind::Alike, classes));
    let told_apart = house("acw28", "[tables.rout_regiments.rows.C]\n15 = \"8\"\n");
    assert!(!has(
        &of("acw28", &told_apart, FindingKind::Alike),
        FindingKind::Alike,
        "target.class"
    ));

    let grades = "unit.grade: veteran and elite come to the same";
    let elephant = of("elephant", &[], FindingKind::Alike);
    assert!(has(&elephant, FindingKind::Alike, grades));
    let spread = "[lists.morale_values.values]\nveteran = 8\nregular = 7\npoor = 6\nmilitia = 5\n";
    let spread = of("elephant", &house("elephant", spread), FindingKind::Alike);
    assert!(!has(&spread, FindingKind::Alike, "unit.grade"));

    let ammunition = "grapeshot is never better for the firer than small-arms";
    let gbacw = of("gbacw", &[], FindingKind::Dominated);
    assert!(has(&gbacw, FindingKind::Dominated, ammunition));
    // A gun that is as good from a strength of 9 on gives a reason to load it.
    let stronger = "[tables.fire_columns.rows]\ngrapeshot = [\"3 or less\", \"4 to 8\", \"9 to 9\", \"10 to 10\", \
                    \"11 to 12\", \"13 to 28\", \"29 to 35\", \"36 to 43\", \"44 to 52\", \"53 to 62\", \"63 +\"]\n";
    let stronger = of("gbacw", &house("gbacw", stronger), FindingKind::Dominated);
    assert!(!has(&stronger, FindingKind::Dominated, ammunition));

    let fireline = of("fireline", &[], FindingKind::Paradox);
    assert!(has(&fireline, FindingKind::Paradox, "straggle, ezoc"));
    let impact = of("impact", &[], FindingKind::Paradox);
    assert!(has(
        &impact,
        FindingKind::Paradox,
        "unit.level shaken instead of routed"
    ));
}
