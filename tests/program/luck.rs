//! Luck as it is asked for: in words, from a log, and with errors that name the entry.

use crate::program::Work;
use grapeshot_rules::{Options, Question};

#[test]
fn the_program_says_it_in_words() {
    let work = Work::new();
    work.run("luck gbacw morale morale=4 --got passed=no")
        .says(&["this or", "1 in", "percentile"]);
    work.run("luck elephant charge --got outcome=defender-wins")
        .says(&["nothing unusual", "worse is what is named earlier of"]);
    let json = work
        .run("luck elephant charge --got outcome=attacker-wins --format json")
        .json();
    let number = |key: &str| json[key].as_f64().expect(key);
    assert!((number("worse") + number("or_better") - 1.0).abs() < 1e-12);
    assert!((number("swing") - (1.0 - number("success_before"))).abs() < 1e-12);
    let question = Question::new("elephant", "charge").expect("a ruleset");
    let odds = question.ask(&Options::exact()).expect("odds").odds;
    let p = odds
        .marginal("outcome")
        .expect("a variable")
        .p("attacker-wins");
    assert!((number("exactly") - p).abs() < 1e-12);
}

#[test]
fn what_cannot_have_happened_is_refused() {
    let work = Work::new();
    let refused = |words: &str, all: &[&str]| work.run(&format!("luck {words}")).refused(all);
    refused(
        "elephant fire --got hits=99",
        &["`hits=99` cannot happen", "possible is"],
    );
    refused(
        "elephant fire --got hits=many",
        &["`hits=many` cannot happen"],
    );
    refused(
        "elephant charge --got outcome=victory",
        &["unknown value of outcome"],
    );
    refused("elephant charge --got luck=1", &["unknown variable `luck`"]);
    refused("elephant charge --got outcome", &["variable=value"]);
    refused("elephant charge", &["nothing was got", "--got outcome="]);
    refused(
        "elephant charge --got outcome=engaged --got outcome=engaged",
        &["twice"],
    );
    refused(
        "elephant charge --got outcome=defender-wins --got contact=no",
        &["cannot happen together"],
    );
}

const GAME: &str = r#"
rules = "elephant"

[[entry]]
note = "the first volley"
procedure = "fire"
settings = { range = 100 }
got = { hits = 1 }

[[entry]]
procedure = "charge"
settings = { attacker = { grade = "veteran" } }
got = { outcome = "attacker-wins" }

[[entry]]
rules = "gbacw"
procedure = "morale"
settings = { morale = 4 }
got = { passed = "no" }
"#;

#[test]
fn a_log_is_read_as_toml_and_as_lines_alike() {
    let lines = "# a game\nelephant fire range=100 --got hits=1\n\n\
        grapeshot luck elephant charge attacker.grade=veteran --got outcome=attacker-wins\n\
        gbacw morale morale=4 --got=passed=no\n";
    let work = Work::new().with("game.toml", GAME).with("game.txt", lines);
    let toml = work.run("luck --log game.toml --format json").json();
    let typed = work.run("luck --log game.txt --format json").json();
    assert_eq!(toml["entries"], typed["entries"]);
    assert_eq!(toml["sum"], typed["sum"]);
    assert_eq!(toml["entries"].as_array().expect("entries").len(), 3);
    work.run("luck --log game.toml")
        .says(&["games", "entry by entry", "attacker-wins"]);
}

#[test]
fn a_wrong_entry_is_named() {
    let third = |from: &str, to: &str, says: &[&str]| {
        let work = Work::new().with("game.toml", &GAME.replace(from, to));
        work.run("luck --log game.toml").refused(says);
    };
    third(
        "morale = 4",
        "morale = 9",
        &["game.toml:15:1: entry 3", "`morale` cannot be `9`"],
    );
    third(
        "passed = \"no\"",
        "passed = \"maybe\"",
        &["entry 3", "unknown value of passed"],
    );
    third(
        "\"gbacw\"",
        "\"gback\"",
        &["entry 3", "unknown ruleset `gback`"],
    );
    third(
        "got = { hits = 1 }",
        "got = { hits = 99 }",
        &["entry 1", "cannot happen"],
    );
    third(
        "note = ",
        "nite = ",
        &["game.toml:5:1: `entry[1].nite`", "did you mean `note`?"],
    );
    let work = Work::new().with(
        "game.txt",
        "elephant fire --got hits=1\nelephant fire --gut hits=1\n",
    );
    work.run("luck --log game.txt")
        .refused(&["game.txt:2: entry 2", "--gut is unknown"]);
    let work = Work::new().with("game.toml", "");
    work.run("luck --log game.toml")
        .refused(&["has no entries"]);
    Work::new()
        .run("luck --log none.toml")
        .refused(&["none.toml"]);
}
