//! Settings that do not go together: refused with the key to change and the reason.

use super::{given, refused, solved};
use crate::rules::RuleError;

/// Checks that settings are refused at a key, for a reason that mentions something.
fn at(procedure: &str, text: &str, key: &str, mentions: &str) {
    match refused(procedure, text) {
        RuleError::Refused {
            key: found, reason, ..
        } => {
            assert_eq!(found, key, "{text}: {reason}");
            assert!(reason.contains(mentions), "{text}: {reason}");
        }
        other => panic!("{text}: {other}"),
    }
}

#[test]
fn a_unit_off_its_rout_chart_is_refused_at_the_key_that_was_set() {
    at("fire", "target.figures=10", "target.figures", "11 to 20");
    at("fire", "target.figures=21", "target.figures", "11 to 20");
    at("fire", "target.original=21", "target.original", "11 to 20");
    at("fire", "target.original=14", "target.original", "fewer");
    at(
        "melee",
        "defender.arm=artillery",
        "defender.figures",
        "4 to 8",
    );
    let large = "defender.arm=artillery defender.figures=3 defender.original=9";
    at("melee", large, "defender.original", "4 to 8");
    let raw = "target.arm=sharpshooters target.figures=6 target.class=D";
    at("fire", raw, "target.class", "A, B, C");
    let gun = "b.arm=heavy-gun b.figures=9";
    at("firefight", gun, "b.figures", "4 to 8");
    let raw = "a.arm=sharpshooters a.figures=8 a.class=E";
    at("firefight", raw, "a.class", "sharpshooters");
}

#[test]
fn a_worn_battery_keeps_its_original_column() {
    let worn = "target.arm=artillery target.figures=2 target.original=6";
    assert!(solved("fire", worn).probability(|row| row[0] == 1) > 0.5);
}

#[test]
fn guns_need_trained_crews_and_only_guns_have_helpers() {
    at(
        "fire",
        "firer.arm=field-gun firer.class=D",
        "firer.class",
        "A, B, C",
    );
    at("fire", "firer.helpers=2", "firer.helpers", "infantry");
    at(
        "firefight",
        "a.arm=heavy-gun a.figures=5 a.class=E",
        "a.class",
        "A, B, C",
    );
}

#[test]
fn what_cannot_charge_or_be_charged_is_refused() {
    at(
        "charge",
        "attacker.arm=sharpshooters",
        "attacker.arm",
        "skirmish",
    );
    at("charge", "attacker.arm=artillery", "attacker.arm", "charge");
    at("charge", "defender.arm=artillery", "defender.arm", "cover");
    at("charge", "defender.cover=hard", "defender.cover", "cover");
    let fail = "attacker.formation_fail=true";
    at("charge", fail, "attacker.formation_fail", "formation fail");
    let loaded = super::loaded();
    let skirmish = [("attacker.formation", "skirmish")];
    let error = loaded.procedure("charge").unwrap().resolve(skirmish);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("attacker.formation") && error.contains("line | column"));
}

#[test]
fn original_figures_are_the_figures_now_unless_set() {
    let s = given("firefight", "a.figures=18 b.original=20");
    assert_eq!([s.whole("a.original"), s.whole("b.original")], [18, 20]);
    assert_eq!(s.whole("b.figures"), 15);
}

#[test]
fn the_schema_has_exactly_the_keys_of_the_page() {
    let unit = "class figures original arm formation cover formation_fail officer_fail \
                officer_attached isolated cavalry_near saw_rout";
    let without = |names: &str, gone: &str| names.replace(gone, "");
    let side = |side: &str, names: &str| -> Vec<String> {
        let keys = names.split_whitespace();
        keys.map(|name| format!("{side}.{name}")).collect()
    };
    let own = |names: &str| -> Vec<String> { names.split_whitespace().map(Into::into).collect() };
    let firer = "class figures arm formation weapon helpers formation_fail";
    let pages = [
        (
            "fire",
            [
                side("firer", firer),
                side("target", unit),
                own("range open_saves"),
            ]
            .concat(),
        ),
        (
            "melee",
            [
                side("attacker", "class figures formation_fail charging fighting"),
                side("defender", unit),
            ]
            .concat(),
        ),
        (
            "charge",
            [
                side("attacker", &without(unit, "cover ")),
                side("defender", unit),
                own("defender.weapon volley turns"),
            ]
            .concat(),
        ),
        ("formation", own("class")),
        (
            "firefight",
            [
                side("a", unit),
                side("b", unit),
                own("a.weapon b.weapon range turns open_saves"),
            ]
            .concat(),
        ),
        ("officer", own("casualties")),
        ("demolition", own("gun gunners class work turns")),
        ("muster", own("side")),
    ];
    for (name, mut want) in pages {
        let loaded = super::loaded();
        let settings = &loaded.procedure(name).unwrap().settings;
        let mut found: Vec<String> = settings.iter().map(|s| s.key.clone()).collect();
        assert!(settings.iter().all(|s| !s.source.is_empty()), "{name}");
        want.sort();
        found.sort();
        assert_eq!(found, want, "{name}");
    }
}
