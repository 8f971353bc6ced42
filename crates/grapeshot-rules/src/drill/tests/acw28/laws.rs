//! What must hold however a table is read.

use super::{loaded, solved};
use crate::testing::{self, random_settings};
use crate::{Procedure, Settings};

const CLASSES: [&str; 5] = ["A", "B", "C", "D", "E"];
const COVERS: [&str; 3] = ["open", "soft", "hard"];

/// The same settings with one changed; nothing if the rules then refuse them.
fn with(procedure: &Procedure, settings: &Settings, key: &str, value: &str) -> Option<Settings> {
    let given = settings.iter().map(|(k, v)| (k.to_owned(), v.to_string()));
    let changed = [(key.to_owned(), value.to_owned())];
    let settings = procedure.resolve(given.chain(changed)).unwrap();
    (procedure.build)(&settings).is_ok().then_some(settings)
}

/// A figure of a procedure as one setting goes through its values, over random settings.
fn along(
    name: &str,
    key: &str,
    values: &[&str],
    figure: impl Fn(&grapeshot_engine::dist::Distribution) -> f64,
) -> Vec<Vec<f64>> {
    let loaded = loaded();
    let procedure = loaded.procedure(name).unwrap();
    // A unit that routs is not fired at again: with several firers the steadier target loses more.
    let once = |settings: &Settings| {
        let alone = [
            ("firers", "1"),
            ("also.helpers", "0"),
            ("also.figures", "0"),
        ];
        let asked = alone.iter().filter(|(key, _)| settings.find(key).is_some());
        asked.fold(settings.clone(), |settings, (key, value)| {
            with(procedure, &settings, key, value).expect("one firer is always legal")
        })
    };
    let situations: Vec<Settings> = random_settings(procedure, 40).iter().map(once).collect();
    let figures = |settings: &Settings| {
        let each = values
            .iter()
            .filter_map(|v| with(procedure, settings, key, v));
        each.map(|s| figure(&testing::solved("acw28", name, &s)))
            .collect()
    };
    situations.iter().map(figures).collect()
}

fn rising(figures: &[Vec<f64>]) -> bool {
    figures
        .iter()
        .all(|row| row.is_sorted_by(|a, b| *a <= b + 1e-12))
}

#[test]
fn a_worse_class_never_makes_a_target_steadier() {
    let routs = |p: &grapeshot_engine::dist::Distribution| p.marginal("routs").unwrap().p("yes");
    assert!(rising(&along("fire", "target.class", &CLASSES, routs)));
    assert!(rising(&along("melee", "defender.class", &CLASSES, routs)));
}

#[test]
fn a_worse_class_never_hits_more() {
    let misses = |p: &grapeshot_engine::dist::Distribution| -p.marginal("hits").unwrap().mean();
    assert!(rising(&along("fire", "firer.class", &CLASSES, misses)));
}

#[test]
fn better_cover_never_costs_figures() {
    let kept = |name: &'static str| {
        move |p: &grapeshot_engine::dist::Distribution| -p.marginal(name).unwrap().mean()
    };
    assert!(rising(&along(
        "fire",
        "target.cover",
        &COVERS,
        kept("casualties")
    )));
    assert!(rising(&along(
        "melee",
        "defender.cover",
        &COVERS,
        kept("kills")
    )));
    let denied =
        |p: &grapeshot_engine::dist::Distribution| p.marginal("casualties").unwrap().mean();
    assert!(rising(&along(
        "fire",
        "open_saves",
        &["true", "false"],
        denied
    )));
}

#[test]
fn skirmishers_are_harder_to_hit_and_columns_easier() {
    let hits = |p: &grapeshot_engine::dist::Distribution| p.marginal("hits").unwrap().mean();
    let order = ["skirmish", "line", "column"];
    assert!(rising(&along("fire", "target.formation", &order, hits)));
}

#[test]
fn losses_never_exceed_what_a_side_has() {
    let p = solved(
        "charge",
        "attacker.figures=20 defender.figures=3 defender.original=12",
    );
    assert_eq!(p.probability(|row| row[2] > 20 || row[3] > 3), 0.0);
    let p = solved(
        "firefight",
        "a.figures=4 a.original=12 b.figures=20 b.class=A",
    );
    assert_eq!(p.probability(|row| row[2] > 4), 0.0);
}

#[test]
fn artillery_in_the_open_falls_as_behind_soft_cover_but_is_no_steadier_for_it() {
    let battery = "target.arm=artillery target.figures=6 firer.figures=12";
    let open = solved("fire", battery);
    let soft = solved("fire", &format!("{battery} target.cover=soft"));
    let same = |name: &str| open.marginal(name) == soft.marginal(name);
    assert!(same("hits") && same("casualties") && !same("routs"));
}

#[test]
fn the_town_is_held_by_either_side_with_even_chances() {
    let p = |first: &str| solved("firefight", &format!("first={first} b.class=B"));
    let routs = |first: &str| p(first).marginal("outcome").unwrap().p("a-routs");
    assert!((routs("town") - (routs("a") + routs("b")) / 2.0).abs() < 1e-12);
}

#[test]
fn a_cavalry_defender_is_on_foot_from_its_volley_on() {
    let horse = "defender.arm=cavalry defender.weapon=carbine turns=1";
    let p = |text: &str| {
        let p = solved("charge", &format!("{horse} {text}"));
        p.marginal("defender_casualties").unwrap().mean()
    };
    let mounted = p("volley=false");
    let skirmishing = p("volley=false defender.formation=skirmish");
    assert!((mounted - 15.0 * 0.7).abs() < 1e-9, "{mounted}");
    assert!((skirmishing - 15.0 * 0.8).abs() < 1e-9, "{skirmishing}");
    // With a volley beyond its reach it loses what skirmishers lose.
    let on_foot = p("attacker.arm=cavalry distance=60");
    assert!((on_foot - skirmishing).abs() < 1e-9, "{on_foot}");
}

#[test]
fn the_gun_of_a_battery_that_is_charged_is_its_own() {
    let stopped = |gun: &str| {
        let text = format!(
            "attacker.onset=advance defender.arm=artillery defender.figures=5 defender.gun={gun}"
        );
        solved("charge", &text)
            .marginal("attacker_casualties")
            .unwrap()
            .mean()
    };
    assert!(stopped("heavy") > stopped("field") + 1.0);
}
