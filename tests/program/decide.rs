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

/// Rules in which only the side that is attacked has a choice.
const AMBUSH: &str = r#"ruleset ambush: "Ambush"

unit Troop, called scout | lookout:
  men: 1..9 = 3  ## men it has

## The scout comes on, and only the lookout has a choice. @ Ambushes
procedure ambush, decided for scout:
  sides scout, lookout: men
  report outcome  ## how it ends
    success: through
    failure: shot
  worth 1 if outcome is through else 0
  choose for lookout:
    fire:
      stage "fire":
        if d6 >= 3: end shot
    wait:
      stage "rush":
        if d6 >= 6: end shot
  end through
"#;

#[test]
fn where_only_the_second_side_chooses_it_is_the_one_that_is_advised() {
    let work = Work::new().with("ambush.drill", AMBUSH);
    let ran = work.run("decide ambush.drill ambush");
    ran.says(&[
        "Fire: you succeed 67 in 100 and fail 33; if you wait instead, 17 and 83.",
        "You are lookout",
        "Under best play, for scout: success 33.3 %, failure 66.7 %.",
    ]);
    ran.check(!ran.out.contains("fixed plans"), "there are none");
    let json = work.run("decide ambush.drill ambush --format json").json();
    assert_eq!(json["side"], "lookout");
    assert_eq!(json["best"], "fire");
    assert_eq!(json["success"], 1.0 / 3.0);
}
