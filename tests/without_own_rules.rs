//! The library without the feature `own-rules`: what is printed is there, and a ruleset from a file is refused
//! with the name of what is missing. `cargo test --no-default-features --test without_own_rules`

#![cfg(not(feature = "own-rules"))]

use grapeshot::rules::{Options, Question, find};

#[test]
fn a_ruleset_from_a_file_is_refused_with_the_feature_that_reads_it() {
    for given in ["examples/rules/risk", "examples/rules/risk/ruleset.toml"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/");
        let problem = find(&format!("{folder}{given}")).map(|_| ()).unwrap_err();
        let problem = problem.to_string();
        assert!(problem.contains("the feature `own-rules`"), "{problem}");
        assert!(problem.contains("examples/rules/risk"), "{problem}");
    }
}

#[test]
fn a_printed_ruleset_answers() {
    let asked = Question::new("gbacw", "fire").expect("a procedure");
    let odds = asked.ask(&Options::exact()).expect("an answer").odds;
    let sum: f64 = odds.marginal_at(0).values().iter().map(|v| v.p).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}
