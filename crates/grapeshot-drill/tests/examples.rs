//! The tests that stand in the texts hold; and one that does not is told.

mod common;

use grapeshot_drill::message::render_all;
use grapeshot_drill::run::Rules;

#[test]
fn the_examples_of_gbacw_hold() {
    let program = common::ruleset("gbacw");
    assert!(!program.examples.is_empty() && !program.expects.is_empty());
    let rules = Rules::new(program);
    let failures = rules.failures();
    assert!(
        failures.is_empty(),
        "{}",
        render_all(&failures, &rules.program().sources)
    );
}

#[test]
fn an_example_that_does_not_hold_is_told() {
    let mut program = common::ruleset("gbacw");
    program.examples[0].trials[0].dice.push(6);
    program.examples[0].trials[1].dice.pop();
    program.examples[0].trials[2].dice[0] = 9;
    let rules = Rules::new(program);
    let told: Vec<String> = rules
        .failures()
        .into_iter()
        .map(|message| message.title)
        .collect();
    assert!(told[0].contains("1 of the readings are left"), "{told:?}");
    assert!(
        told.iter().any(|title| title.contains("another die")),
        "{told:?}"
    );
    assert!(
        told.iter().any(|title| title.contains("can show 9")),
        "{told:?}"
    );
}
