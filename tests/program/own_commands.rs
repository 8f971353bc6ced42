//! Rulesets of one's own on the command line: every command takes their path, and what is wrong with one is told with
//! file, line, column and the line itself.

use crate::files::example;
use crate::program::{Work, program};
use std::io::{BufRead, BufReader};

/// A folder with a ruleset of its own, variants of it and a study.
fn work() -> Work {
    let work = Work::new()
        .with(
            "v.toml",
            "rules = \"my-rules\"\nname = \"sharper\"\n[lists.nerve.values]\nraw = 8\n",
        )
        .with(
            "v.drill",
            "variant of my-rules: \"drums\"\nadd to unit Unit:\n  drums: Flag  ## beats the charge @ house\n\
             add to procedure charge:\n  side attacker: drums\n\
             add to modifiers push:\n  drums: 1  when unit.drums\n",
        )
        .with(
            "study.toml",
            "title = \"t\"\nquestion = \"q\"\nrules = \"./my-rules\"\nprocedure = \"charge\"\n\
             method = \"exact\"\n[sweep]\n\"attacker.men\" = [8, 12]\n",
        );
    work.run("new my-rules")
        .says(&["wrote my-rules/my-rules.drill", "grapeshot check my-rules"]);
    work
}

#[test]
fn a_new_ruleset_is_sound_and_nothing_is_overwritten() {
    let work = work();
    work.run("check my-rules").says(&["as it should"]);
    work.run("new my-rules")
        .refused(&["my-rules/my-rules.drill", "not overwritten"]);
    work.run("new v.toml").refused(&["v.toml", "it is a file"]);
    work.run("new 9").refused(&["no ruleset can be called"]);
}

#[test]
fn every_command_takes_the_path_of_a_ruleset() {
    let work = work();
    for (command, part) in [
        ("odds my-rules charge --stages", "melee"),
        ("odds ./my-rules/my-rules.drill charge", "attacker-wins"),
        (
            "odds my-rules charge --method simulate --trials 2000 --seed 1",
            "simulated",
        ),
        ("odds my-rules charge --variant v.toml", "sharper"),
        (
            "odds my-rules charge attacker.drums=true --variant v.drill",
            "drums",
        ),
        ("rules my-rules", "grapeshot rules my-rules --tables"),
        ("rules my-rules charge", "attacker.grade"),
        ("rules my-rules --tables", "men hit, by the men that fire"),
        ("rules my-rules --text", "ruleset my-rules"),
        ("rules my-rules --text push", "more-men"),
        ("rules my-rules --fight", "rules = \"my-rules\""),
        ("what-if my-rules charge --mine attacker", "attacker.men"),
        (
            "diff my-rules charge attacker.grade=raw --variant v.toml --sweep attacker.men=8..10",
            "3 of 3 cells moved",
        ),
        ("run study.toml --out studies --quiet", ""),
        (
            "table my-rules charge --rows attacker.grade --columns defender.men=8,12",
            "veteran",
        ),
        ("fmt my-rules/my-rules.drill --check", ""),
    ] {
        work.run(command).says(&[part]);
    }
    let risk = example("risk");
    work.run(&format!(
        "decide {risk} assault attacker.armies=3 defender.armies=2"
    ))
    .says(&["stop"]);
    work.run("decide my-rules charge")
        .refused(&["no procedure of it has choices"]);
}

#[test]
fn every_example_holds_what_it_says() {
    let work = Work::new();
    for name in ["duel", "dba", "risk", "brigade"] {
        work.run(&format!("check {}", example(name)))
            .says(&["as it should"]);
    }
}

#[test]
fn a_printed_text_is_written_out_and_answers_as_before() {
    let work = Work::new();
    work.run("rules gbacw --text --out mine")
        .says(&["gbacw.drill", "grapeshot check mine"]);
    work.run("check mine").says(&["as it should"]);
    let odds = |rules: &str| {
        let ran = work.run(&format!(
            "odds {rules} charge attacker.strength=8 --format json"
        ));
        ran.json()["variables"].clone()
    };
    assert_eq!(odds("mine"), odds("gbacw"));
    work.run("rules gbacw --text --out mine")
        .refused(&["not overwritten"]);
    work.run("rules common --text").refused(&["not written"]);
    work.run("rules gbacw --text nobody").refused(&["`nobody`"]);
}

/// The template with something changed in it.
fn spoiled(from: &str, to: &str) -> Work {
    let work = work();
    let path = work.path().join("my-rules/my-rules.drill");
    let text = std::fs::read_to_string(&path).expect("it was made");
    assert!(text.contains(from), "the template has `{from}`");
    std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
    work
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (from, to, says) in [
        ("nerve[attacker.grade]", "nerves[attacker.grade]", "nerve"),
        ("end attacker-stops", "end attacker-flees", "attacker-flees"),
        ("5-6  1    3      5", "5-6  1    3      9", "volley"),
        ("veteran  9", "veteran  19", "nerve"),
        ("25/108", "1/2", "attacker-wins"),
        ("3, 9, 6, 4:", "3, 9, 6:", "another die is thrown"),
    ] {
        let ran = spoiled(from, to).run("check my-rules");
        ran.check(ran.code == Some(2), "should be refused");
        ran.check(
            ran.out.contains("my-rules/my-rules.drill:") && ran.out.contains(says),
            says,
        );
    }
    // A ruleset that does not hold together answers nothing, and says why.
    spoiled("end defender-wins", "end nobody-wins")
        .run("odds my-rules charge")
        .refused(&["nobody-wins", "my-rules/my-rules.drill"]);
    Work::new()
        .with("old.toml", "[ruleset]\nid = \"x\"\n")
        .run("odds ./old.toml charge")
        .refused(&["old.toml", "ruleset NAME"]);
}

#[test]
fn what_nobody_reads_beside_a_text_is_told() {
    let forked = |file: &str, from: &str, to: &str| {
        let work = Work::new();
        work.run("rules gbacw --text --out fork").good();
        let path = work.path().join("fork").join(file);
        let text = std::fs::read_to_string(&path).expect("it was written");
        assert!(text.contains(from), "{file} has `{from}`");
        std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
        work
    };
    let wrong = |work: &Work, all: &[&str]| {
        let ran = work.run("check fork");
        ran.check(ran.code == Some(2), "should be refused");
        for said in all {
            ran.check(ran.out.contains(said), said);
        }
    };
    // A part that no command reads is refused by each.
    let work = forked("extras.toml", "[points]", "[point]");
    wrong(&work, &["fork/extras.toml:", "did you mean `points`?"]);
    work.run("odds ./fork charge").refused(&[
        "extras.toml",
        "`point`: is read by nobody",
        "`points`",
    ]);
    // A table that no text declares is printed and not played by.
    let more = "[tables.nothing]\ncolumns = [\"a\"]\nrows = { b = [\"1\"] }\n[tables.density]";
    forked("tables.toml", "[tables.density]", more)
        .run("check fork")
        .says(&["fork/tables.toml:", "`nothing`", "nobody plays by it"]);
    // A misspelt heading leaves rows without columns, and the rows are what is pointed at.
    wrong(
        &forked("tables.toml", "[tables.density]", "[tables.densty]"),
        &["`density` has rows and no `columns`", "| effect ="],
    );
    wrong(
        &forked(
            "tables.toml",
            "\"-\", \"-\", \"-\", \"-\", \"P\"",
            "\"-\", \"P\"",
        ),
        &["row `1`", "8 cells", "| 1 = [\"-\", \"P\""],
    );
    // What is wrong in a text that another uses is told where it stands.
    wrong(
        &forked("standoff.drill", "\n", "\ngarbage\n"),
        &["fork/standoff.drill:2:1", "garbage"],
    );
    wrong(
        &forked("gbacw.drill", "use standoff", "use standof"),
        &["`standof.drill`", "or `standoff`"],
    );
}

#[test]
fn a_folder_of_texts_is_set_like_its_texts() {
    let work = work();
    work.run("fmt my-rules --check").good();
    let path = work.path().join("my-rules/my-rules.drill");
    let text = std::fs::read_to_string(&path).expect("it was made");
    std::fs::write(
        &path,
        text.replace("end defender-wins\n", "end defender-wins  \n"),
    )
    .expect("a file");
    work.run("fmt my-rules --check")
        .refused(&["my-rules/my-rules.drill"]);
    work.run("fmt my-rules")
        .says(&["set my-rules/my-rules.drill"]);
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
    std::fs::create_dir(work.path().join("empty")).expect("a folder");
    work.run("fmt empty").refused(&["empty", ".drill"]);
}

#[test]
fn a_watched_ruleset_is_checked_again_when_it_is_saved() {
    let work = spoiled("end defender-wins", "end nobody-wins");
    let mut watching = program()
        .current_dir(work.path())
        .args(["check", "my-rules", "--watch"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(watching.stdout.take().expect("a pipe")).lines();
    let mut until = |part: &str| {
        let found = lines
            .by_ref()
            .take(200)
            .any(|line| line.is_ok_and(|line| line.contains(part)));
        assert!(found, "{part}");
    };
    until("nobody-wins");
    until("watching my-rules");
    let path = work.path().join("my-rules/my-rules.drill");
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, text.replace("nobody-wins", "defender-wins")).expect("a file");
    until("as it should");
    watching.kill().expect("it was running");
    watching.wait().expect("it has ended");
}

/// How the new ruleset says a common charge.
const COMMON: &str = r#"
[common.procedures]
fire = "left out: a volley alone is not played"
charge = "charge"
melee = "left out: there is no melee alone"
firefight = "left out: a volley alone is not played"
[common.settings.charge]
"*.men" = "*.men"
"*.grade" = "*.grade"
"defender.wall" = { from = "defender.cover", words = "wall" }
[common.losses.charge]
attacker_loss = { count = "attacker_lost", of = "attacker.men" }
defender_loss = { count = "attacker_lost", of = "defender.men" }
[common.grade]
crack = "veteran"
veteran = "veteran"
regular = "veteran"
poor = "raw"
raw = "raw"
[common.wall]
soft = true
hard = true
[common.men]
unit = "figures"
per_unit = 20
least = 1
most = 40
"#;

#[test]
fn a_ruleset_of_ones_own_is_compared_with_the_printed_ones() {
    let work = work();
    let extras = work.path().join("my-rules/extras.toml");
    std::fs::write(&extras, COMMON).expect("a file");
    work.run("check my-rules").says(&["as it should"]);
    work.run("compare charge --rules gbacw,./my-rules")
        .says(&["my-rules", "gbacw"]);
    for (from, to, says) in [
        ("\"*.men\" = \"*.men\"", "\"*.mens\" = \"*.men\"", "mens"),
        (
            "\"*.grade\" = \"*.grade\"",
            "\"*.grade\" = \"*.quality\"",
            "quality",
        ),
        ("raw = \"raw\"", "raw = \"rawest\"", "rawest"),
        ("hard = true\n", "", "no word for `hard`"),
        (
            "attacker_lost\", of = \"attacker.men\"",
            "nobody\", of = \"attacker.men\"",
            "nobody",
        ),
    ] {
        assert!(COMMON.contains(from), "{from}");
        std::fs::write(&extras, COMMON.replacen(from, to, 1)).expect("a file");
        let ran = work.run("check my-rules");
        ran.check(ran.code == Some(2) && ran.out.contains(says), says);
    }
}
