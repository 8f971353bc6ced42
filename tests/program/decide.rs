//! Decisions as they are asked for: what is refused, and what is drawn.

use crate::program::Work;

#[test]
fn what_cannot_be_decided_is_refused_with_the_reason() {
    let work = Work::new();
    work.run("decide impact standoff")
        .refused(&["nothing can be decided in impact", "no result of fire"]);
    work.run("decide common charge")
        .refused(&["nothing can be decided in common", "condition"]);
    work.run("decide gbacw melee")
        .refused(&["melee", "decided"]);
    work.run("decide").refused(&["no ruleset given"]);
    work.run("odds gbacw standoff")
        .refused(&["unknown procedure"]);
}

#[test]
fn the_policy_is_drawn_and_the_value_can_be_asked_for_elsewhere() {
    let work = Work::new();
    work.run("decide gbacw standoff --format html")
        .says(&["<svg", "turn 1", "what a does"]);
    work.run("decide gbacw standoff --chart policy.png").good();
    let png = std::fs::read(work.path().join("policy.png")).expect("a picture");
    assert!(png.starts_with(b"\x89PNG"));
    work.run("decide gbacw standoff --chart policy.gif")
        .refused(&["policy.gif", ".svg, .png or .pdf"]);
    work.run("decide gbacw standoff --format csv")
        .says(&["turn,side,a_sp,a_pinned,b_sp,b_pinned,p,action,value,margin"]);
    let even = "break-even gbacw standoff turns=2 --vary a.sp --of value --at 0";
    work.run(even).says(&["where value crosses"]);
    work.run("break-even gbacw charge --vary attacker.strength --of value")
        .refused(&["can be asked only of what is decided"]);
}

/// A morale is a number, or `green` until it is rolled: a rule of thumb names its values one by one.
#[test]
fn a_rule_of_thumb_may_ask_for_a_morale_that_was_green() {
    Work::new()
        .run(
            "decide gbacw standoff a.sp=6 a.morale=5 a.fire_per_sp=2 b.sp=3 b.morale=green b.melee_shift=6 \
             goal=drive-off withdraw_value=0.25",
        )
        .says(&["Rule of thumb:", "their morale 5; otherwise fire"]);
}
