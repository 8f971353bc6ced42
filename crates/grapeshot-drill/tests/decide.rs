//! A decision as a player is told of it: actions, plans, what an end is worth, the state of a choice.

mod common;

use grapeshot_drill::run::{Rules, Shown};
use grapeshot_engine::Variable;
use grapeshot_engine::engine::{Budget, Game, row};

#[test]
fn a_standoff_has_actions_plans_and_states_that_can_be_shown() {
    let rules = Rules::new(common::ruleset("gbacw"));
    let given = [("turns", "3"), ("b.morale", "green"), ("b.choices", "all")];
    let play = rules.ask("standoff", &given).expect("it is asked");
    let actions: Vec<&str> = play.actions().collect();
    assert_eq!(actions, ["fire", "charge", "withdraw"]);
    assert_eq!(play.sides(), Some(["a", "b"]));
    let plans: Vec<&str> = play.plans().iter().map(|plan| plan.name.as_str()).collect();
    assert_eq!(
        plans,
        [
            "charge at once",
            "fire 1 then charge",
            "fire 2 then charge",
            "always fire",
            "withdraw at once"
        ]
    );
    let after_one = &play.plans()[1];
    assert_eq!(after_one.takes(1, &[0, 1, 2]), Some(0));
    assert_eq!(after_one.takes(2, &[0, 1, 2]), Some(1));
    assert_eq!(after_one.takes(2, &[0, 2]), Some(0));
    assert_eq!(after_one.takes(2, &[2]), None);
    let (_, states) = Game::compile(&play.machine, Budget::default()).expect("it fits");
    let shown = play.show(&states[0]);
    let wanted = [
        ("a_sp", Shown::Whole(4)),
        ("a_pinned", Shown::Flag(false)),
        ("b_sp", Shown::Whole(4)),
        ("b_pinned", Shown::Flag(false)),
        ("b_morale", Shown::Word("green".into())),
    ];
    assert_eq!(shown, wanted);
}

#[test]
fn what_an_end_is_worth_depends_on_the_goal() {
    let rules = Rules::new(common::ruleset("gbacw"));
    // Result, then losses of both.
    let ends = [("a", 1, 2), ("a-withdrew", 1, 2), ("b-withdrew", 1, 2)];
    let worth = |goal: &str| {
        let given = [("goal", goal), ("withdraw_value", "-0.25"), ("b.sp", "8")];
        let play = rules.ask("standoff", &given).expect("it is asked");
        ends.map(|(result, a_lost, b_lost)| {
            let of = |at: usize, label: &str| {
                let variable: &Variable = &play.variables[at];
                (0..100).find(|&value| variable.label(value) == label)
            };
            let mut end = row(&[0, 0, 0, 1]);
            end[1] = of(1, result).expect("a result");
            end[4] = of(4, &a_lost.to_string()).expect("a loss");
            end[5] = of(5, &b_lost.to_string()).expect("a loss");
            play.worth(&end).expect("it is worth something")
        })
    };
    assert_eq!(worth("drive-off"), [1.0, -0.25, 0.25]);
    assert_eq!(worth("win"), [1.0, 0.0, 1.0]);
    assert_eq!(worth("losses"), [0.0, 0.0, 0.0]);
    let play = rules.ask("fire", &[]).expect("it is asked");
    assert_eq!(play.worth(&row(&[0])), None, "nobody decides a volley");
}

#[test]
fn what_no_row_tells_cannot_be_worth_anything() {
    let worth = "standoff_worth(result, a_sp_lost / a.start.sp, b_sp_lost / b.start.sp)";
    let program = common::edited_ruleset("gbacw", &|text| {
        assert!(text.contains(worth));
        text.replace(worth, "a.sp / 40")
    });
    let refused = Rules::new(program).ask("standoff", &[]).err();
    let said = refused.expect("it is refused").to_string();
    assert!(said.contains("what an end is worth may only ask"), "{said}");
    assert!(said.contains("a.sp / 40"), "{said}");
}
