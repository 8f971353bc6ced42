//! Rulesets from files beside the built-in ones: what they declare under `[common]` is said, compared and checked.

use crate::files::example;
use crate::scenarios::Draw;
use grapeshot_engine::dist::Distribution;
use grapeshot_rules::{LoadedRuleset, OddsError, Options, Value};

fn asked(
    common: &LoadedRuleset,
    fight: &str,
    rules: &str,
    given: &[(String, Value)],
) -> Result<Distribution, OddsError> {
    let procedure = common.procedure(fight)?;
    let ruleset = ("ruleset".to_owned(), Value::from(rules));
    let settings = procedure.resolve(given.iter().cloned().chain([ruleset]))?;
    Ok(procedure.answer(&settings, &Options::exact())?.odds)
}
/// Every value of every variable is as likely in the file as in the built-in ruleset.
fn agree(fight: &str, questions: usize, pinned: &[(&str, i64)]) {
    let common = grapeshot_rules::find(&format!("common:elephant+{}", example("elephant")));
    let common = common.and_then(|common| common.load(&[])).expect("both");
    let keys = &common.procedure(fight).expect("a fight").settings;
    let mut draw = Draw(7);
    for _ in 0..questions {
        let mut given: Vec<(String, Value)> = Vec::new();
        for setting in keys.iter().filter(|setting| setting.key != "ruleset") {
            let values = setting.sample_values();
            given.push((
                setting.key.clone(),
                values[draw.below(values.len())].clone(),
            ));
        }
        given.extend(pinned.iter().map(|&(key, n)| (key.to_owned(), n.into())));
        let mine = asked(&common, fight, "elephant-file", &given).expect("the file plays it");
        let theirs = asked(&common, fight, "elephant", &given).expect("it is played");
        for at in 0..theirs.variables().len() {
            for value in theirs.marginal_at(at).values() {
                let p = mine.marginal_at(at).p(&value.label);
                let name = &theirs.variables()[at].name;
                assert!(
                    (p - value.p).abs() < 1e-12,
                    "{given:?}: {name}={}: {p}, built in {}",
                    value.label,
                    value.p
                );
            }
        }
    }
}

#[test]
fn common_fire_and_melee_of_elephant_from_a_file_are_the_built_in_ones() {
    agree("fire", 60, &[]);
    agree("melee", 40, &[]);
}

#[test]
fn a_common_charge_of_elephant_from_a_file_is_the_built_in_one() {
    agree("charge", 15, &[]);
}

#[test]
fn a_common_firefight_of_elephant_from_a_file_is_the_built_in_one() {
    agree(
        "firefight",
        4,
        &[("a.men", 120), ("b.men", 100), ("turns", 2)],
    );
}
