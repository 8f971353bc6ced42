//! Rulesets from files: they answer like the built-in ones, say where they are wrong, and stay within
//! their limits.

use grapeshot_rules::{LoadedRuleset, Options};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn rules(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/rules")
        .join(name)
}

fn load(path: &Path) -> LoadedRuleset {
    let ruleset = grapeshot_rules::find(&path.display().to_string()).expect("a ruleset");
    Arc::clone(&ruleset).load(&[]).expect("it holds together")
}

/// The exact chance of a headline label.
fn chance(loaded: &LoadedRuleset, procedure: &str, given: &[(&str, &str)], label: &str) -> f64 {
    let procedure = loaded.procedure(procedure).expect("a procedure");
    let settings = procedure.resolve(given.iter().copied()).expect("settings");
    let answered = procedure
        .answer(&settings, &Options::exact())
        .expect("an answer");
    let marginal = answered.odds.marginal_at(0);
    let value = marginal.values().iter().find(|value| value.label == label);
    value.map_or(0.0, |value| value.p)
}

#[test]
fn three_dice_against_two_of_risk_are_as_published() {
    let risk = load(&rules("risk"));
    for (label, ways) in [
        ("defender-loses", 2890.0),
        ("both-lose", 2611.0),
        ("attacker-loses", 2275.0),
    ] {
        let p = chance(&risk, "throw", &[], label);
        assert!((p - ways / 7776.0).abs() < 1e-15, "{label}: {p}");
    }
}

/// A whole battle by recursion over the published odds of every throw.
fn taken(attackers: usize, defenders: usize) -> f64 {
    // Of the throw of so many dice: how often the attacker loses none, one, two.
    fn losses(attack: u32, defend: u32) -> [f64; 3] {
        let mut ways = [0u32; 3];
        let faces = 6u32.pow(attack + defend);
        for throw in 0..faces {
            let die = |n: u32| throw / 6u32.pow(n) % 6;
            let mut a: Vec<u32> = (0..attack).map(die).collect();
            let mut d: Vec<u32> = (attack..attack + defend).map(die).collect();
            a.sort_unstable_by(|x, y| y.cmp(x));
            d.sort_unstable_by(|x, y| y.cmp(x));
            let lost = a.iter().zip(&d).filter(|(a, d)| a <= d).count();
            ways[lost] += 1;
        }
        ways.map(|n| f64::from(n) / f64::from(faces))
    }
    if defenders == 0 {
        return 1.0;
    }
    if attackers < 2 {
        return 0.0;
    }
    let (attack, defend) = (3.min(attackers - 1), 2.min(defenders));
    let pairs = attack.min(defend);
    let p = losses(attack as u32, defend as u32);
    (0..=pairs)
        .map(|lost| p[lost] * taken(attackers - lost, defenders - (pairs - lost)))
        .sum()
}

#[test]
fn battles_of_risk_are_those_of_the_recursion() {
    let risk = load(&rules("risk"));
    for (attackers, defenders) in [(2, 1), (3, 2), (5, 3), (6, 6)] {
        let given = [
            ("attacker.armies", attackers.to_string()),
            ("defender.armies", defenders.to_string()),
        ];
        let given: Vec<(&str, &str)> = given.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let p = chance(&risk, "battle", &given, "taken");
        let wanted = taken(attackers, defenders);
        assert!(
            (p - wanted).abs() < 1e-12,
            "{attackers} against {defenders}: {p}, {wanted}"
        );
    }
}
