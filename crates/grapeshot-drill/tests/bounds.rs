//! A stranger's text ends: what is too large, too deep or goes wrong in play is told with its line, and nothing panics.

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{Budget, Graph, solve};

/// A ruleset of one text, or what is wrong with it.
fn read(text: &str) -> Result<Rules, String> {
    let text = format!("ruleset bounds: \"Bounds\"\nabout \"a test\"\nprocedures p\n\n{text}");
    let files = Files {
        texts: vec![("bounds.drill", &text)],
        tables: None,
        variants: Vec::new(),
    };
    let loaded = load(&files, &|_| None);
    let shown = loaded.shown();
    loaded.program.map(Rules::new).ok_or(shown)
}

fn rules(text: &str) -> Rules {
    read(text).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// What is said to the text, or to who asks its only procedure.
fn refused(text: &str) -> String {
    let rules = match read(text) {
        Ok(rules) => rules,
        Err(wrong) => return wrong,
    };
    match rules.ask("p", &[]) {
        Err(refused) => refused.to_string(),
        Ok(play) => format!("played, in {} instructions", play.machine.code().ins.len()),
    }
}

/// The chance of each value of the headline.
fn chances(text: &str) -> Vec<(String, f64)> {
    let rules = rules(text);
    let play = rules
        .ask("p", &[])
        .unwrap_or_else(|refused| panic!("{refused}"));
    let graph = Graph::compile(&play.machine, Budget::default()).expect("it fits");
    assert_eq!(play.machine.trouble(), None);
    let mut all: Vec<(String, f64)> = Vec::new();
    for (end, chance) in solve(&graph) {
        let label = play.variables[0].label(end.row[0]);
        match all.iter_mut().find(|(known, _)| *known == label) {
            Some((_, sum)) => *sum += chance,
            None => all.push((label, chance)),
        }
    }
    all
}

const HEAD: &str = "## A test. @ nowhere\nprocedure p:\n  report n: 0..9999  ## a number\n";

#[test]
fn code_that_grows_without_end_is_refused() {
    let text = format!(
        "{HEAD}  stage \"s\":\n    repeat 400 times:\n      repeat 400 times:\n        if d6 is 6 and n < 9999: n += 1\n"
    );
    let said = refused(&text);
    assert!(
        (said.contains("50000 instructions") || said.contains("takes too long"))
            && said.contains("bounds.drill:"),
        "{said}"
    );
}

#[test]
fn work_that_leaves_no_code_ends_too() {
    let mut text = String::from("define f0(x: Number) -> Number = x\n");
    for at in 1..40 {
        let before = at - 1;
        text += &format!("define f{at}(x: Number) -> Number = max(f{before}(x), f{before}(x))\n");
    }
    text += &format!("{HEAD}  stage \"s\":\n    n = min(f39(1), 1)\n");
    let said = refused(&text);
    assert!(said.contains("takes too long"), "{said}");
}

#[test]
fn calls_within_calls_have_a_limit() {
    let mut text = String::from("define f0(x: Number) -> Number = x\n");
    for at in 1..900 {
        text += &format!(
            "define f{at}(x: Number) -> Number:\n  return f{}(x)\n",
            at - 1
        );
    }
    text += &format!("{HEAD}  stage \"s\":\n    n = min(max(f899(1), 0), 1)\n");
    let said = refused(&text);
    assert!(said.contains("call each other in a row"), "{said}");
    assert!(said.contains("bounds.drill:"), "{said}");
}

#[test]
fn the_turn_may_be_asked_for_and_dice_may_fall_after_the_last() {
    let text = format!(
        "{HEAD}  each turn up to 3:\n    stage \"s\":\n      if d6 <= turn: n += 1\n  stage \"t\":\n    if d6 is 1: n += 1\n"
    );
    let all = chances(&text);
    let none = all
        .iter()
        .find(|(label, _)| label == "0")
        .expect("it may stay 0")
        .1;
    // Five, four and three sixths, then five again.
    assert!(
        (none - 5.0 * 4.0 * 3.0 * 5.0 / 1296.0).abs() < 1e-12,
        "{all:?}"
    );
    assert_eq!(all.len(), 5);
}

#[test]
fn what_nobody_asks_for_is_not_thrown() {
    let text = format!(
        "{HEAD}  stage \"s\":\n    let unused = 2d6\n    let die = d6\n    if die > 4: n = 1\n"
    );
    let rules = rules(&text);
    let play = rules.ask("p", &[]).expect("it is played");
    assert_eq!(play.machine.code().odds.len(), 1);
    let graph = Graph::compile(&play.machine, Budget::default()).expect("it fits");
    assert_eq!((graph.states(), graph.ends()), (1, 2));
}

/// A text whose state keeps so many numbers of thirteen bits between two dice.
fn wide(numbers: usize) -> String {
    let each = |line: &dyn Fn(usize) -> String| (1..=numbers).map(line).collect::<String>();
    let declared = each(&|n| format!("  x{n}: 0..8000 = 0\n"));
    let set = each(&|n| format!("    x{n} = 8000 if high else 0\n"));
    let names: Vec<String> = (1..=numbers).map(|n| format!("x{n}")).collect();
    let sums: Vec<String> = names.chunks(20).map(|some| some.join(" + ")).collect();
    let ask: String = sums
        .iter()
        .map(|sum| format!("    if {sum} + die > 8000: n = die\n"))
        .collect();
    format!(
        "in play:\n{declared}{HEAD}  stage \"s\":\n    let high = d6 > 3\n{set}  stage \"t\":\n    let die = d6\n{ask}"
    )
}

#[test]
fn a_state_may_be_wider_than_its_key() {
    let all = chances(&wide(12));
    let none = all
        .iter()
        .find(|(label, _)| label == "0")
        .expect("it may stay 0");
    assert!((none.1 - 0.5).abs() < 1e-12 && all.len() == 7, "{all:?}");
}

#[test]
fn a_state_that_keeps_too_much_is_refused() {
    let said = refused(&wide(150));
    assert!(
        said.contains("128 values") && said.contains("let die = d6"),
        "{said}"
    );
}

/// A text with so many numbers in play and so many dice, each asked for when the next one falls.
fn broad(numbers: usize, dice: usize) -> String {
    let declared: String = (0..numbers)
        .map(|n| format!("  x{n}: 0..9 = 0\n"))
        .collect();
    let lines: String = (0..dice)
        .map(|n| {
            format!(
                "    if d6 > x{}: x{} = d6\n",
                n % numbers,
                (n * 7 + 1) % numbers
            )
        })
        .collect();
    format!("in play:\n{declared}{HEAD}  stage \"s\":\n{lines}    n = x0\n")
}

#[test]
fn what_is_known_of_many_numbers_at_many_dice_is_not_kept_without_end() {
    let said = refused(&broad(400, 6_000));
    assert!(
        said.contains("takes too long") || said.contains("instructions"),
        "{said}"
    );
    assert!(said.contains("bounds.drill:"), "{said}");
    assert!(refused(&broad(10, 30)).starts_with("played"));
}

#[test]
fn states_with_too_many_ways_on_are_sampled_instead() {
    use grapeshot_engine::engine::{Answer, Compiled, DynSteps, Method, Plan, Stop, Stream, Watch};
    // Each of a thousand sums leads to a thousand more.
    let text = format!(
        "in play:\n  x: 0..1200 = 0\n  y: 0..1200 = 0\n{HEAD}  each turn up to 40:\n    stage \"s\":\n      x = sum(200, d6)\n      stage \"t\": nothing\n      y = sum(200, d6) if x > y else y\n    if x + y is 2400: n += 1\n"
    );
    let rules = rules(&text);
    let play = rules
        .ask("p", &[])
        .unwrap_or_else(|refused| panic!("{refused}"));
    let small = Budget { states: 20 };
    assert!(play.compile(small).is_err());
    let compiled = Compiled::new(&play, small).expect("it is sampled");
    let plan = Plan {
        method: Method::Auto,
        stop: Stop::Trials(200),
        stream: Stream::common(1863),
    };
    let answer = compiled
        .answer(&plan, &Watch::default())
        .expect("an answer");
    assert!(!matches!(answer, Answer::Exact(_)));
}

#[test]
fn a_trial_does_not_throw_dice_without_end() {
    let text = format!(
        "{HEAD}  each turn up to 1000:\n    stage \"s\":\n      repeat 300 times:\n        if d6 is 6: n = 1\n        else if d6 is 5: n = 2\n"
    );
    use grapeshot_engine::engine::{DynSteps, Stream};
    let rules = rules(&text);
    let play = rules
        .ask("p", &[])
        .unwrap_or_else(|refused| panic!("{refused}"));
    let mut counts = Default::default();
    play.play(&mut Stream::common(1863).batch(0), 3, &mut counts);
    let trouble = play.trouble().expect("it throws too often");
    assert!(
        trouble.contains("100000 times at most") && trouble.contains("bounds.drill:"),
        "{trouble}"
    );
}

#[test]
fn more_turns_than_anybody_plays_are_refused() {
    let text = format!("{HEAD}  each turn up to 1001:\n    stage \"s\": if d6 is 6: n = 1\n");
    let said = refused(&text);
    assert!(said.contains("more than 1000 turns"), "{said}");
}

/// A simulated procedure, played out once; what went wrong.
fn played_out(text: &str) -> Option<String> {
    use grapeshot_engine::engine::DynPlayout;
    let rules = rules(&text.replace("procedure p:", "procedure p, simulated:"));
    let direct = rules
        .play_out("p", &[])
        .unwrap_or_else(|refused| panic!("{refused}"));
    direct.story(1863);
    direct.trouble()
}

#[test]
fn what_is_played_out_ends_too() {
    let deep = "          ".to_owned();
    let endless = format!(
        "{HEAD}  repeat 9999 times:\n    repeat 9999 times:\n      repeat 9999 times:\n{deep}n = 1\n"
    );
    let said = played_out(&endless).expect("it does not end");
    assert!(
        said.contains("does not come to an end") && said.contains("bounds.drill:"),
        "{said}"
    );
    let dice = format!("{HEAD}  repeat 9999 times:\n    repeat 9999 times:\n      n = d6\n");
    let said = played_out(&dice).expect("it throws too often");
    assert!(said.contains("100000 times"), "{said}");
    let queue = format!(
        "queue q:\n  e: n: Number\n{HEAD}  put e(1) into q\n  work off q:\n    e:\n      put e(1) into q\n      put e(2) into q\n"
    );
    let said = played_out(&queue).expect("it fills up");
    assert!(said.contains("1000 events"), "{said}");
    let short = format!(
        "queue q:\n  e: times: Number\n{HEAD}  put e(3) into q\n  work off q:\n    e:\n      n += 1\n      if times > 1: put e(times - 1) into q\n"
    );
    assert_eq!(played_out(&short), None);
}
