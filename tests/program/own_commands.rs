//! Rulesets from files on the command line: every command takes their path, and what is wrong with one
//! is told with file, line, column and the line itself.

use crate::files::example;
use crate::program::{Work, program};
use std::io::{BufRead, BufReader};

/// A folder with a ruleset of its own, a variant of it and a study.
fn work() -> Work {
    let work = Work::new()
        .with(
            "v.toml",
            "rules = \"my-rules\"\nname = \"sharper\"\n[lists.morale.values]\nregular = 8\n",
        )
        .with(
            "study.toml",
            "title = \"t\"\nquestion = \"q\"\nrules = \"./my-rules\"\nprocedure = \"charge\"\n\
             method = \"exact\"\n[sweep]\n\"attacker.men\" = [8, 12]\n",
        );
    work.run("new my-rules")
        .says(&["wrote my-rules/ruleset.toml", "grapeshot check my-rules"]);
    work
}

#[test]
fn a_new_ruleset_is_sound_and_nothing_is_overwritten() {
    let work = work();
    work.run("check my-rules")
        .says(&["Nothing is wrong", "as expected"]);
    work.run("new my-rules")
        .refused(&["my-rules/ruleset.toml", "not overwritten"]);
    work.run("new v.toml").refused(&["v.toml", "it is a file"]);
}

#[test]
fn every_command_takes_the_path_of_a_ruleset() {
    let work = work();
    for (command, part) in [
        ("odds my-rules charge --stages", "hand to hand"),
        ("odds ./my-rules/ruleset.toml volley", "casualties"),
        (
            "odds my-rules charge --method simulate --trials 2000 --seed 1",
            "simulated",
        ),
        ("odds my-rules charge --variant v.toml", "sharper"),
        ("rules my-rules", "grapeshot rules my-rules --tables"),
        ("rules my-rules charge", "attacker.grade"),
        ("rules my-rules --tables", "Volley: casualties"),
        ("rules my-rules --toml", "A small complete ruleset"),
        ("rules my-rules --fight", "rules = \"my-rules\""),
        ("what-if my-rules charge --mine attacker", "attacker.men"),
        ("break-even my-rules charge --vary attacker.men", "monotone"),
        (
            "diff my-rules charge --variant v.toml --sweep attacker.men=8..10",
            "3 of 3 cells moved",
        ),
        ("run study.toml --out studies --quiet", ""),
        ("audit my-rules", "no findings"),
        ("points my-rules", "what a man is worth"),
        (
            "table my-rules charge --rows attacker.grade --columns defender.men=8,12",
            "veteran",
        ),
        ("sheet my-rules --out sheet.pdf", "wrote sheet.pdf"),
        ("luck my-rules volley --got casualties=1", "30.0 %"),
    ] {
        work.run(command).says(&[part]);
    }
    let risk = example("risk");
    let small = "attacker.armies=3 defender.armies=2 goal=score";
    work.run(&format!("decide {risk} assault {small}")).says(&[
        "Stop",
        "always stop",
        "Rule of thumb",
    ]);
    work.run(&format!(
        "luck {risk} assault {small} --got outcome=stopped --did stop"
    ))
    .says(&["attacker's decisions"]);
    work.run("decide my-rules charge")
        .refused(&["no procedure of it has choices"]);
    work.run(&format!(
        "points {} --procedure charge --sizes 4",
        example("elephant")
    ))
    .says(&["a stand"]);
}

#[test]
fn every_example_holds_what_it_says() {
    let work = Work::new();
    for (name, held) in [
        ("duel", "3 chances"),
        ("dba", "11 chances"),
        ("risk", "5 chances"),
    ] {
        work.run(&format!("check {}", example(name)))
            .says(&["Nothing is wrong", held]);
    }
}

/// The template with something changed in it.
fn spoiled(from: &str, to: &str) -> Work {
    let work = work();
    let path = work.path().join("my-rules/ruleset.toml");
    let text = std::fs::read_to_string(&path).expect("it was made");
    assert!(text.contains(from), "the template has `{from}`");
    std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
    work
}

#[test]
fn what_is_wrong_is_told_with_file_line_column_and_the_line() {
    for (from, to, place, parts) in [
        (
            "4 = [0, 1, 1, 2]",
            "4 = [0, 1, 1]",
            ":61:5",
            &["has 3 cells", "4 = [0, 1, 1]"][..],
        ),
        (
            "10 = [2, 3, 4, 5]\n",
            "",
            "",
            &["none for 10, which the dice can show"],
        ),
        (
            "attacking -= if hit",
            "atacking -= if hit",
            ":",
            &[
                "charge.steps.volley",
                "knows no `atacking`",
                "| atacking -=",
            ],
        ),
        (
            "roll_on(\"fire\", column_upto(\"fire\", defending))",
            "roll_on(\"fires\", column_upto(\"fire\", defending))",
            ":",
            &["there is no table `fires`", "| hit = roll_on"],
        ),
        (
            "done(\"both-stand\")",
            "both(1)",
            ":",
            &["knows no function both"],
        ),
        (
            "done(\"both-stand\")",
            "let x = 1;",
            ":",
            &["ends without saying where the trial goes"],
        ),
        (
            "done(\"both-stand\")",
            "done(\"nobody\")",
            ":",
            &["no label `nobody`", "both-stand"],
        ),
        (
            "play(if hit > 0 { \"morale\" } else { \"melee\" })",
            "play(\"mele\")",
            ":",
            &["no step `mele`", "did you mean `melee`?"],
        ),
        (
            "done(\"both-stand\")",
            "done(\"both-stand\"); done(\"stopped\")",
            ":",
            &["says twice where the trial goes"],
        ),
        (
            "one_of = [\"veteran\"",
            "on_of = [\"veteran\"",
            ":",
            &["did you mean `one_of`?"],
        ),
        (
            "default = \"regular\"",
            "default = \"regulars\"",
            ":",
            &["did you mean `regular`?"],
        ),
        ("meaning = \"paces\"\n", "", ":", &["has no `meaning`"]),
        (
            "hit = \"7/10\"",
            "hit = \"6/10\"",
            ":",
            &["expected to be \"6/10\", but is 0.7"],
        ),
        (
            "hit = 0\n",
            "hit = \"[1]\"\n",
            ":",
            &["`charge.state.hit` is a list"],
        ),
        (
            "count = \"casualties\"",
            "count = \"casualties - 1\"",
            ":",
            &["whole number from 0"],
        ),
    ] {
        let work = spoiled(from, to);
        let ran = work.run("check my-rules");
        ran.check(ran.code == Some(2), "should exit with 2");
        ran.check(
            ran.out.contains("my-rules/ruleset.toml:"),
            "should name the file",
        );
        ran.check(ran.out.contains(place), "should have the line");
        for part in parts {
            ran.check(ran.out.contains(part), &format!("should say `{part}`"));
        }
    }
    // Asked for odds, the same is an error.
    spoiled("done(\"both-stand\")", "done(\"nobody\")")
        .run("odds my-rules charge")
        .refused(&[
            "my-rules/ruleset.toml:",
            "charge.steps.melee",
            "no label `nobody`",
            " | ",
        ]);
}

#[test]
fn what_does_nothing_is_a_warning() {
    for (from, to, part) in [
        (
            "\"destroyed\"]",
            "\"destroyed\", \"bored\"]",
            "never comes to `bored`",
        ),
        (
            "settings = [\"attacker.grade\",",
            "settings = [\"attacker.grade\", \"range\",",
            "makes no difference to charge: `range`",
        ),
        (
            "[procedures.charge.steps]\n",
            "[procedures.charge.steps]\nidle = '''done(\"stopped\")'''\n",
            "`procedures.charge.steps.melee` is never played",
        ),
        (
            "[settings.range]",
            "[settings.mood]\nmeaning = \"m\"\nflag = false\n[settings.range]",
            "is taken by no procedure",
        ),
    ] {
        let work = spoiled(from, to);
        work.run("check my-rules").says(&["warning", part]);
    }
}

#[test]
fn a_script_stays_within_its_limits_and_the_step_is_named() {
    for (script, part) in [
        ("loop { }", "loop without an end"),
        ("let x = 1; while x > 0 { x += 1; }", "loop without an end"),
        ("fall(1)", "24 deep"),
        ("let s = \"ab\"; for i in 0..40 { s += s; }", "too large"),
        ("let l = [1]; for i in 0..40 { l += l; }", "too large"),
        ("d(1000000)", "highest face"),
        ("dice(150, 1000)", "too many ways"),
        ("pool(100000, 6, 4)", "number of dice"),
        ("highest(20, 100, 20)", "too many ways"),
        ("let x = 9223372036854775807; x += 1;", "overflow"),
        ("eval(\"1\")", "eval"),
        ("import \"x\" as y;", "import"),
        ("print(1)", "print"),
        ("sleep(1)", "sleep"),
        ("timestamp()", "timestamp"),
    ] {
        let step = format!("let difference = a - b;\n{script};");
        let work = spoiled("let difference = a - b;", &step);
        let path = work.path().join("my-rules/ruleset.toml");
        let text = std::fs::read_to_string(&path).expect("it was made");
        let text = text.replace(
            "fn volley_modifier(",
            "fn fall(n) { fall(n + 1) }\nfn volley_modifier(",
        );
        std::fs::write(&path, text).expect("a file");
        work.run("odds my-rules charge").refused(&[
            "my-rules/ruleset.toml:",
            "charge.steps.melee",
            part,
        ]);
    }
}

#[test]
fn a_trial_that_never_ends_is_found_out() {
    // Every state is new, so there is no graph, and a trial would go on for ever.
    let endless = "hit += 1; return play(\"melee\"); let difference = a - b;";
    let work = spoiled("let difference = a - b;", endless);
    work.run("odds my-rules charge --max-states 500 --trials 10 --seed 1")
        .refused(&["charge.steps.melee", "does it ever end?"]);
}

#[test]
fn a_watched_ruleset_is_checked_again_when_it_is_saved() {
    let work = spoiled("done(\"both-stand\")", "done(\"nobody\")");
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
            .take(60)
            .any(|line| line.is_ok_and(|line| line.contains(part)));
        assert!(found, "{part}");
    };
    until("no label `nobody`");
    until("watching my-rules/ruleset.toml");
    let path = work.path().join("my-rules/ruleset.toml");
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, text.replace("nobody", "both-stand")).expect("a file");
    until("Nothing is wrong");
    watching.kill().expect("it was running");
    watching.wait().expect("it has ended");
}
