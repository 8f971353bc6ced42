//! Settings that do not go together: refused with the key to change and the reason.

use super::{given, refused, solved};
use crate::RuleError;

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
    at(
        "charge",
        "attacker.figures=10",
        "attacker.figures",
        "11 to 20",
    );
}

#[test]
fn a_worn_battery_keeps_its_original_column() {
    let worn = "target.arm=artillery target.figures=2 target.original=6";
    assert!(solved("fire", worn).probability(|row| row[0] == 1) > 0.5);
}

#[test]
fn only_the_classes_that_are_printed_for_an_arm_or_a_formation_have_it() {
    let gun = "firer.arm=field-gun firer.figures=5 firer.class=D";
    at("fire", gun, "firer.class", "A, B, C");
    let company = "firer.arm=sharpshooters firer.figures=8 firer.class=D";
    at("fire", company, "firer.class", "A, B, C");
    at(
        "fire",
        "firer.arm=cavalry firer.class=D",
        "firer.class",
        "A, B, C, E",
    );
    at(
        "fire",
        "target.arm=cavalry target.class=D",
        "target.class",
        "A, B, C, E",
    );
    let gun = "a.arm=heavy-gun a.figures=5 a.class=E";
    at("firefight", gun, "a.class", "A, B, C");
    let recruits = "firer.class=D firer.formation=skirmish";
    at("fire", recruits, "firer.formation", "class D");
    let recruits = "defender.class=D defender.formation=skirmish";
    at("melee", recruits, "defender.formation", "class D");
    // Indians on foot skirmish, and mounted ones do whatever is set.
    solved("fire", "target.class=E target.formation=skirmish");
    let mounted = solved("melee", "defender.class=E defender.arm=cavalry");
    let on_foot = solved("melee", "defender.class=E defender.formation=skirmish");
    assert_eq!(mounted.marginal("kills"), on_foot.marginal("kills"));
}

#[test]
fn a_battery_or_company_that_fires_is_no_larger_than_the_chart() {
    at("fire", "firer.arm=heavy-gun", "firer.figures", "8");
    at(
        "fire",
        "firer.arm=sharpshooters firer.figures=9",
        "firer.figures",
        "8",
    );
    let crowd = "firer.arm=field-gun firer.figures=5 firer.helpers=4";
    at("fire", crowd, "firer.helpers", "8");
    solved(
        "fire",
        "firer.arm=field-gun firer.figures=5 firer.helpers=3",
    );
}

#[test]
fn only_guns_have_helpers_and_only_for_those_who_fell() {
    at("fire", "firer.helpers=2", "firer.helpers", "infantry");
    at("fire", "target.helpers=1", "target.helpers", "infantry");
    let whole = "target.arm=artillery target.figures=5 target.helpers=1";
    at("fire", whole, "target.helpers", "0 of 5");
    let worn = "a.arm=field-gun a.figures=3 a.original=5";
    at(
        "firefight",
        &format!("{worn} a.helpers=3"),
        "a.helpers",
        "2 of 5",
    );
    solved("firefight", &format!("{worn} a.helpers=2"));
}

#[test]
fn an_officer_alone_is_one_figure_and_nothing_else() {
    let officer = "target.arm=officer target.figures=1";
    at("fire", "target.arm=officer", "target.figures", "one figure");
    at(
        "fire",
        &format!("{officer} target.original=11"),
        "target.original",
        "one figure",
    );
    at(
        "fire",
        &format!("{officer} target.formation=column"),
        "target.formation",
        "formation",
    );
    at(
        "fire",
        &format!("{officer} target.helpers=1"),
        "target.helpers",
        "guns",
    );
    for flag in [
        "formation_fail",
        "officer_fail",
        "officer_attached",
        "isolated",
        "cavalry_near",
        "saw_rout",
    ] {
        let key = format!("target.{flag}");
        at("fire", &format!("{officer} {key}=true"), &key, "no test");
    }
    solved(
        "fire",
        &format!("{officer} target.class=D target.cover=hard"),
    );
    let officer = "defender.arm=officer defender.figures=1 attacker.at_officer=1";
    at("melee", officer, "attacker.at_officer", "officer_attached");
}

#[test]
fn what_cannot_charge_or_be_charged_is_refused() {
    let company = "attacker.arm=sharpshooters attacker.figures=8";
    at("charge", company, "attacker.arm", "skirmish");
    let battery = "defender.arm=artillery defender.figures=5";
    at("charge", battery, "defender.arm", "cover");
    at("charge", "defender.cover=hard", "defender.cover", "cover");
    let fail = "attacker.formation_fail=true";
    at("charge", fail, "attacker.formation_fail", "formation fail");
    for formation in ["column", "skirmish"] {
        let text = format!("attacker.formation={formation}");
        at("charge", &text, "attacker.formation", "line");
    }
    let indians = "attacker.arm=cavalry attacker.class=E";
    at("charge", indians, "attacker.class", "Indians");
    // All of these may go in at the ordinary rate.
    for may in [
        company,
        battery,
        "defender.cover=hard",
        fail,
        indians,
        "attacker.formation=column",
    ] {
        solved("charge", &format!("attacker.onset=advance turns=2 {may}"));
    }
}

#[test]
fn artillery_and_units_out_of_reach_go_nowhere() {
    for onset in ["charge", "advance"] {
        let onset = format!("attacker.onset={onset}");
        let gun = format!("{onset} attacker.arm=artillery attacker.figures=5");
        at("charge", &gun, "attacker.arm", "artillery");
        let lost = format!("{onset} attacker.officer_fail=true");
        at("charge", &lost, "attacker.officer_fail", "officer");
    }
}

#[test]
fn a_charge_or_advance_is_no_longer_and_no_shorter_than_the_rates_allow() {
    let edges = [
        ("", 23, 30),
        ("attacker.arm=cavalry", 46, 60),
        ("attacker.onset=advance", 1, 15),
        ("attacker.onset=advance attacker.arm=cavalry", 1, 30),
        ("attacker.onset=advance attacker.formation=column", 1, 30),
        (
            "attacker.onset=advance attacker.arm=cavalry attacker.formation=column",
            1,
            60,
        ),
    ];
    for (text, least, most) in edges {
        let over = |cm: i64| format!("{text} turns=1 distance={cm}");
        solved("charge", &over(least));
        solved("charge", &over(most));
        if least > 1 {
            at(
                "charge",
                &over(least - 1),
                "distance",
                &format!("{least} to {most}"),
            );
        }
        if most < 60 {
            at(
                "charge",
                &over(most + 1),
                "distance",
                &format!("{least} to {most}"),
            );
        }
    }
}

#[test]
fn nobody_strikes_at_an_officer_who_is_not_there() {
    at(
        "melee",
        "attacker.at_officer=1",
        "attacker.at_officer",
        "defender.officer_attached",
    );
    at(
        "charge",
        "attacker.at_officer=1",
        "attacker.at_officer",
        "defender.officer_attached",
    );
    at(
        "charge",
        "defender.at_officer=3",
        "defender.at_officer",
        "attacker.officer_attached",
    );
    at("charge", "defender.gun=heavy", "defender.gun", "artillery");
}

#[test]
fn a_garrison_stands_in_buildings_and_on_bridges() {
    at("demolition", "garrison=1", "garrison", "stone-wall");
    at(
        "demolition",
        "work=earthwork garrison=1",
        "garrison",
        "earthwork",
    );
    at(
        "demolition",
        "work=wooden-building garrison=6",
        "garrison",
        "5 figures",
    );
    solved("demolition", "work=wooden-building garrison=5");
    solved("demolition", "work=wooden-bridge garrison=40");
}

#[test]
fn original_figures_are_the_figures_now_unless_set() {
    let s = given("firefight", "a.figures=18 b.original=20");
    assert_eq!([s.whole("a.original"), s.whole("b.original")], [18, 20]);
    assert_eq!(s.whole("b.figures"), 15);
}

#[test]
fn the_schema_has_exactly_the_keys_of_the_page() {
    let unit = "class figures original arm formation cover helpers formation_fail officer_fail \
                officer_attached isolated cavalry_near saw_rout successor";
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
                side("also", firer),
                own("firers range also.range open_saves"),
            ]
            .concat(),
        ),
        (
            "melee",
            [
                side(
                    "attacker",
                    "class figures formation_fail charging fighting at_officer",
                ),
                side("defender", unit),
            ]
            .concat(),
        ),
        (
            "charge",
            [
                side("attacker", &without(unit, "cover helpers ")),
                side("attacker", "onset at_officer leaves_at"),
                side("defender", unit),
                side("defender", "at_officer leaves_at weapon gun"),
                own("volley distance open_saves formation_tests turns"),
            ]
            .concat(),
        ),
        ("formation", own("class turns")),
        (
            "firefight",
            [
                side("a", unit),
                side("b", unit),
                own("a.weapon b.weapon a.changes b.changes range turns open_saves formation_tests first wind"),
            ]
            .concat(),
        ),
        ("officer", own("casualties")),
        ("demolition", own("gun gunners class work turns garrison")),
        ("crossing", own("figures obstacle")),
        ("day", own("season throws")),
        ("flank-march", own("opponent moves")),
        ("muster", own("side")),
        ("army", own("side upgrade sharpshooters")),
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
