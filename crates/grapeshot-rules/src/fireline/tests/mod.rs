//! Helpers for the tests of each file; laws over many settings; agreement of the three ways to play.

mod assault;
mod charge;
mod close;
mod standoff;
mod tables;

use super::charts::Charts;
use super::tables::Tables;
use crate::testing::{self, agree_on, engines_agree, printed, solved};
use crate::{RuleError, Settings, TableFile, Variant};
use grapeshot_engine::dist::Marginal;
use grapeshot_engine::engine::Budget;
use std::sync::Arc;

/// The printed tables.
pub(super) fn tables() -> Tables {
    Tables::load(&file()).expect("the printed tables are sound")
}

/// The printed tables with the odds they ask for.
pub(super) fn charts() -> Arc<Charts> {
    Arc::new(Charts::new(tables()))
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
pub(super) fn keys(procedure: &str) -> Vec<String> {
    let loaded = printed("fireline");
    let procedure = loaded.procedure(procedure).expect("it exists");
    procedure.settings.iter().map(|s| s.key.clone()).collect()
}

fn random_settings(procedure: &str, how_many: usize) -> Vec<Settings> {
    let loaded = printed("fireline");
    let procedure = loaded.procedure(procedure).expect("it exists");
    testing::random_settings(procedure, how_many)
}

const PROCEDURES: [&str; 7] = [
    "fire",
    "charge",
    "melee",
    "morale",
    "straggle",
    "march",
    "firefight",
];

#[test]
fn the_procedures_are_those_of_the_page() {
    let loaded = printed("fireline");
    let names: Vec<&str> = loaded.procedures.iter().map(|p| &*p.name).collect();
    assert_eq!(names, PROCEDURES);
}

#[test]
fn every_headline_says_whom_it_favours() {
    for procedure in printed("fireline").procedures {
        assert!(
            !procedure.variables[0].favours.is_empty(),
            "{}",
            procedure.name
        );
    }
}

#[test]
fn solved_walked_and_played_agree_and_sum_to_one() {
    for procedure in PROCEDURES {
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

/// O hits that destroy a stack set so.
fn hits_left(s: &Settings, side: &str) -> i64 {
    let key = |name: &str, suffix: &str| format!("{side}.{name}{suffix}");
    let units = s.whole(&key("units", "")) as usize;
    let left = ["", "2", "3"].map(|suffix| {
        6 - s.whole(&key("o_hits", suffix)) - 3 * i64::from(s.flag(&key("reduced", suffix)))
    });
    left[..units].iter().sum()
}

#[test]
fn hits_stay_within_what_the_stack_has_left() {
    for s in random_settings("charge", 24) {
        let exact = solved("fireline", "charge", &s);
        for side in ["attacker", "defender"] {
            let reported =
                |name: &str| exact.marginal(&format!("{side}_{name}")).expect("reported");
            let (taken, lost) = (reported("o_hits"), reported("units_lost"));
            let destroyed = reported("state").p("destroyed");
            let most = hits_left(&s, side) as f64;
            assert_eq!(taken.at_least(most + 1.0), 0.0);
            let units = s.whole(&format!("{side}.units")) as f64;
            for certain in [taken.at_least(most), lost.at_least(units)] {
                assert!((certain - destroyed).abs() < 1e-12, "{}", s.describe());
            }
        }
    }
}

#[test]
fn who_takes_the_hits_makes_no_difference_to_a_single_unit() {
    for s in random_settings("fire", 12) {
        if s.whole("target.units") > 1 {
            continue;
        }
        let given = |apportion: &str| {
            let mut given: Vec<(String, String)> =
                s.iter().map(|(k, v)| (k.into(), v.to_string())).collect();
            given.push(("target.apportion".into(), apportion.into()));
            let loaded = printed("fireline");
            let fire = loaded.procedure("fire").expect("it exists");
            solved("fireline", "fire", &fire.resolve(given).expect("settings"))
        };
        assert_eq!(given("spread").joint(), given("first").joint());
    }
}

#[test]
fn three_units_of_one_point_each_fight_as_one_of_three_until_they_are_hit() {
    // Nothing but the sharing of hits tells them apart: a volley that costs none does the same to both.
    for given in ["", "target.takes_hit=false target.state=disrupted"] {
        let effect = |units: &str| marginal("fire", &format!("{given} {units}"), "effect");
        let (one, three) = (
            effect("firer.sp=3 target.sp=3"),
            effect("firer.sp=1 firer.units=3 target.sp=1 target.units=3"),
        );
        for label in ["none", "D", "1", "2", "3"] {
            assert!((one.p(label) - three.p(label)).abs() < 1e-12);
        }
    }
}

#[test]
fn more_advance_fire_never_helps_the_attacker() {
    for given in [
        "",
        "attacker.charge=true",
        "attacker.units=2 attacker.sp=2",
        "attacker.lower=true defender.mfz=2",
    ] {
        let wins = |more: &str| {
            p(
                "charge",
                &format!("{given} {more}"),
                "outcome",
                "attacker-wins",
            )
        };
        assert!(wins("advance_volley=true pre_fire=false") < wins("pre_fire=false"));
        let both = wins("advance_volley=true");
        assert!(both < wins("advance_volley=true pre_fire=false"));
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
fn a_stack_is_known_by_the_hits_it_has_taken() {
    // Three units a side have 19 counts of hits in two orders each, three steps a round.
    let loaded = printed("fireline");
    let firefight = loaded.procedure("firefight").expect("it exists");
    let s = settings("firefight", "a.units=3 b.units=3 turns=50");
    let play = (firefight.build)(&s).expect("it can be played");
    let graph = play.compile(Budget::default()).expect("it fits");
    assert!(
        graph.states() <= 2 * (18 * 2) * (18 * 2),
        "{}",
        graph.states()
    );
}

#[test]
fn every_procedure_has_the_keys_it_should() {
    let stack = "units sp type morale morale2 morale3 o_hits o_hits2 o_hits3 reduced reduced2 reduced3 reduced_sp state leader out_of_command isolated takes_hit apportion";
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
    assert_eq!(sorted("fire"), all(&fire, "range no_los density"));
    let defender = ("defender", "lower wall flanked dense clear_hex");
    let melee = [
        ("attacker", "charge lower run marsh dense clear_hex"),
        defender,
    ];
    assert_eq!(
        sorted("melee"),
        all(&melee, "rounds density wall_in_assault")
    );
    let charge = [
        ("attacker", "charge lower run marsh dense clear_hex terrain"),
        (
            "defender",
            "lower wall flanked dense clear_hex mfz advance_fire fence",
        ),
    ];
    assert_eq!(
        sorted("charge"),
        all(
            &charge,
            "rounds density wall_in_assault pre_fire advance_volley"
        )
    );
    assert_eq!(
        sorted("march"),
        all(
            &[],
            "morale leader ezoc thoroughfare type units o_hits reduced ground start hexes segments choice bonus"
        )
    );
    assert_eq!(sorted("morale"), all(&[("unit", "flanked assaulting")], ""));
    assert_eq!(
        sorted("straggle"),
        all(&[], "morale leader ezoc thoroughfare")
    );
    let both = "clear_hex behind_wall advance_fire terrain thoroughfare lower wall flanked dense";
    assert_eq!(
        sorted("firefight"),
        all(&[("a", both), ("b", both)], "range turns density")
    );
}
