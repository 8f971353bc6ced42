//! Helpers for the tests of each file; laws over many settings; agreement of the three ways to play.

use super::tables::Tables;
use crate::dist::Marginal;
use crate::engine::Budget;
use crate::rules::testing::{self, agree_on, engines_agree, printed, solved};
use crate::rules::{RuleError, Settings, TableFile, Variant};

/// The printed tables.
pub(super) fn tables() -> Tables {
    Tables::load(&file()).expect("the printed tables are sound")
}

fn file() -> TableFile {
    TableFile::parse("fireline/tables.toml", super::RULESET.tables).expect("TOML")
}

/// The tables with a variant laid over them.
pub(super) fn varied(variant: &str) -> Result<Tables, RuleError> {
    let mut file = file();
    let text = format!("rules = \"fireline\"\n{variant}");
    file.overlay(Variant::parse("house.toml", &text)?)?;
    Tables::load(&file)
}

/// Settings written as on the command line.
pub(super) fn settings(procedure: &str, given: &str) -> Settings {
    testing::settings("fireline", procedure, given)
}

/// One variable of the exact distribution.
pub(super) fn marginal(procedure: &str, given: &str, variable: &str) -> Marginal {
    testing::marginal("fireline", procedure, given, variable)
}

/// The probability of one value.
pub(super) fn p(procedure: &str, given: &str, variable: &str, value: &str) -> f64 {
    marginal(procedure, given, variable).p(value)
}

/// Why settings are refused.
pub(super) fn refusal(procedure: &str, given: &str) -> String {
    testing::refusal("fireline", procedure, given)
}

/// The keys of a procedure.
fn keys(procedure: &str) -> Vec<String> {
    let loaded = printed("fireline");
    let procedure = loaded.procedure(procedure).expect("it exists");
    procedure.settings.iter().map(|s| s.key.clone()).collect()
}

fn random_settings(procedure: &str, how_many: usize) -> Vec<Settings> {
    let loaded = printed("fireline");
    let procedure = loaded.procedure(procedure).expect("it exists");
    testing::random_settings(procedure, how_many)
}

#[test]
fn solved_walked_and_played_agree_and_sum_to_one() {
    for procedure in ["fire", "charge", "melee", "morale", "straggle", "firefight"] {
        engines_agree("fireline", procedure, 24);
    }
}

#[test]
fn a_fight_of_a_single_turn_is_walked_to_its_end() {
    let loaded = printed("fireline");
    for (name, given) in [("melee", "rounds=1"), ("firefight", "turns=1")] {
        let procedure = loaded.procedure(name).expect("it exists");
        agree_on(procedure, &settings(name, given), 1863);
    }
}

#[test]
fn hits_stay_within_what_the_unit_has_left() {
    for s in random_settings("charge", 24) {
        let exact = solved("fireline", "charge", &s);
        for side in ["attacker", "defender"] {
            let carried = s.whole(&format!("{side}.o_hits"))
                + 3 * i64::from(s.flag(&format!("{side}.reduced")));
            let taken = exact.marginal(&format!("{side}_o_hits")).expect("reported");
            let destroyed = exact.marginal(&format!("{side}_state")).expect("reported");
            let most = (6 - carried) as f64;
            assert_eq!(taken.at_least(most + 1.0), 0.0);
            let gap = taken.at_least(most) - destroyed.p("destroyed");
            assert!(gap.abs() < 1e-12, "{}", s.describe());
        }
    }
}

#[test]
fn a_better_morale_never_makes_a_check_or_a_volley_worse() {
    for given in ["", "unit.o_hits=2 unit.isolated=true", "unit.state=routed"] {
        let pass = |morale| {
            p(
                "morale",
                &format!("{given} unit.morale={morale}"),
                "passed",
                "yes",
            )
        };
        assert!((1..=9).all(|morale| pass(morale) >= pass(morale - 1)));
    }
    for given in [
        "",
        "target.dense=true target.o_hits=1",
        "target.takes_hit=false",
    ] {
        let good = |morale| {
            let given = format!("{given} target.morale={morale}");
            p("fire", &given, "state", "good")
        };
        assert!((1..=9).all(|morale| good(morale) >= good(morale - 1) - 1e-12));
    }
}

#[test]
fn cover_never_raises_the_expected_hits() {
    let arms = ["infantry", "cavalry", "irregular", "artillery"];
    for arm in arms {
        for range in 1..=6 {
            for sp in [1, 4, 12] {
                let hits = |cover: &str| {
                    let given = format!("firer.type={arm} firer.sp={sp} range={range} {cover}");
                    marginal("fire", &given, "o_hits").mean()
                };
                let open = hits("");
                for cover in [
                    "target.wall=true",
                    "target.terrain=woods",
                    "target.terrain=marsh",
                ] {
                    assert!(hits(cover) <= open + 1e-12, "{arm} {range} {sp} {cover}");
                }
            }
        }
    }
}

#[test]
fn a_charge_without_its_fire_is_a_melee() {
    for s in random_settings("melee", 12) {
        let mut given: Vec<(String, String)> =
            s.iter().map(|(k, v)| (k.into(), v.to_string())).collect();
        let melee = solved("fireline", "melee", &s);
        given.push(("pre_fire".into(), "false".into()));
        let loaded = printed("fireline");
        let charge = loaded.procedure("charge").expect("it exists");
        let s = charge
            .resolve(given)
            .expect("a charge has the keys of a melee");
        let charge = solved("fireline", "charge", &s);
        assert_eq!(melee.joint(), charge.joint());
    }
}

#[test]
fn the_default_charge_is_a_small_graph() {
    let loaded = printed("fireline");
    let charge = loaded.procedure("charge").expect("it exists");
    let play = (charge.build)(&settings("charge", "")).expect("it can be played");
    let graph = play.compile(Budget::default()).expect("it fits");
    assert!(graph.states() < 2000, "{}", graph.states());
}

#[test]
fn every_procedure_has_the_keys_it_should() {
    let stack =
        "sp type morale o_hits reduced reduced_sp state leader out_of_command isolated takes_hit";
    let side = |side: &str, more: &str| -> Vec<String> {
        let names = stack.split(' ').chain(more.split_whitespace());
        names.map(|name| format!("{side}.{name}")).collect()
    };
    let all = |sides: &[(&str, &str)], more: &str| {
        let mut keys: Vec<String> = sides.iter().flat_map(|(s, more)| side(s, more)).collect();
        keys.extend(more.split_whitespace().map(str::to_owned));
        keys.sort();
        keys
    };
    let sorted = |procedure: &str| {
        let mut keys = keys(procedure);
        keys.sort();
        keys
    };
    let target = "terrain thoroughfare lower wall flanked advancing charging dense";
    let fire = [
        ("firer", "clear_hex advance_fire behind_wall"),
        ("target", target),
    ];
    assert_eq!(sorted("fire"), all(&fire, "range no_los"));
    let defender = ("defender", "lower wall flanked dense clear_hex");
    let melee = [
        ("attacker", "charge lower run marsh dense clear_hex"),
        defender,
    ];
    assert_eq!(sorted("melee"), all(&melee, "rounds"));
    let charge = [
        ("attacker", "charge lower run marsh dense clear_hex terrain"),
        defender,
    ];
    assert_eq!(sorted("charge"), all(&charge, "rounds pre_fire"));
    assert_eq!(sorted("morale"), all(&[("unit", "flanked assaulting")], ""));
    assert_eq!(
        sorted("straggle"),
        all(&[], "morale leader ezoc thoroughfare")
    );
    let both = "clear_hex behind_wall terrain lower wall flanked dense";
    assert_eq!(
        sorted("firefight"),
        all(&[("a", both), ("b", both)], "range turns")
    );
}
