//! A brigade against a brigade, as it is asked for: the same bytes on any number of threads, always with
//! intervals, never solved; and everything else that works on it.

use crate::program::{Ran, Work};

fn run(words: &str) -> Ran {
    Work::new().run(words)
}

#[test]
fn a_battle_is_the_same_on_one_two_and_seven_threads() {
    for rules in ["elephant", "acw28"] {
        let on = |threads: u8| {
            let words = format!("odds {rules} battle --trials 9000 --seed 5 --threads {threads}");
            run(&format!("{words} --format json")).good().to_owned()
        };
        let one = on(1);
        assert_eq!(one, on(2), "{rules}");
        assert_eq!(one, on(7), "{rules}");
    }
}

#[test]
fn what_if_is_the_same_on_any_number_of_threads() {
    let on = |threads: u8| {
        let words = "what-if acw28 battle --mine attacker --trials 5000";
        run(&format!("{words} --threads {threads} --format json"))
            .good()
            .to_owned()
    };
    assert_eq!(on(1), on(7));
}

#[test]
fn a_battle_is_simulated_and_says_why() {
    let ran = run("odds acw28 battle --trials 500");
    ran.says(&[
        "simulated",
        "95 % interval",
        "it cannot be solved exactly",
        "invented",
    ]);
    run("odds elephant battle --method exact").refused(&[
        "--method exact",
        "it cannot be solved exactly",
        "simulate",
    ]);
    run("odds elephant battle --joint --trials 10").refused(&["--joint", "by itself"]);
    run("odds elephant charge --trace 1").refused(&["--trace 1", "charge", "allowed is battle"]);
}

#[test]
fn precision_stops_when_the_headline_is_sharp() {
    let ran = run("odds acw28 battle attacker.units=5 defender.units=2 --precision 0.01 --seed 3");
    ran.says(&["precision 0.01 reached"]);
}

#[test]
fn lists_are_settings_like_any_other() {
    let sweep = "break-even acw28 battle --vary attacker.units --trials 500 defender.units=2 \
                 defender.classes=E+D --at 0.5";
    run(sweep).says(&["attacker.units", "defender.classes=E+D"]);
    let fight = "rules = \"acw28\"\nattacker.classes = \"A+2*B\"\nattacker.figures = 14\n";
    let work = Work::new().with("fight.toml", fight);
    let ran = work.run("odds battle --file fight.toml --trials 200 --format json");
    let settings = &ran.json()["settings"];
    assert_eq!(settings["attacker.units"], 3);
    assert_eq!(settings["attacker.classes"], "A+2*B");
    let fight =
        "rules = \"acw28\"\nattacker.classes = [\"A\", \"B\", \"B\"]\nattacker.figures = 14\n";
    let work = Work::new().with("fight.toml", fight);
    let ran = work.run("odds battle --file fight.toml --trials 200 --format json");
    assert_eq!(ran.json()["settings"], *settings);
    let ran = run(
        "odds acw28 battle attacker.classes=A,B,B attacker.figures=14 --trials 200 --format json",
    );
    assert_eq!(ran.json()["settings"], *settings);
    run("odds acw28 battle attacker.classes=A+Q").refused(&["attacker.classes", "entry 2 is `Q`"]);
}

/// What cannot matter is said to be without effect, and what may be luck is called noise.
#[test]
fn noise_is_called_noise() {
    let ran = run("what-if acw28 battle --of mean(turns) --mine attacker --trials 2000");
    ran.says(&["trial by trial", "without effect here", "attacker.plan"]);
    let json = run("what-if acw28 battle --mine defender --trials 2000 --format json").json();
    let factors = json["factors"].as_array().expect("factors");
    let of = |key: &str| factors.iter().find(|f| f["key"] == key).expect("a factor");
    // A defender that holds never uses its range.
    assert_eq!(of("defender.range")["swing"], 0.0);
    let change = &of("defender.classes")["values"][0]["change"];
    let (low, high) = (change["low"].as_f64(), change["high"].as_f64());
    assert!(low < high, "a change has an interval: {change}");
}

#[test]
fn a_story_is_told_turn_by_turn_and_the_same_again() {
    let words = "odds elephant battle attacker.commander=2 turns=4 --trace 11";
    let told = run(words);
    told.says(&["turn 1, the attacker", "turn 4, the defender", "fires at"]);
    assert_eq!(told.good(), run(words).good());
    let json = run(&format!("{words} --format json")).json();
    assert_eq!(json["story"].as_array().map(Vec::len), Some(9));
    assert_eq!(json["came_to"]["turns"], "4");
}

#[test]
fn a_study_of_battles_runs() {
    let study = "title = \"t\"\nquestion = \"q\"\nrules = \"acw28\"\nprocedure = \"battle\"\ntrials = 400\n\
                 [sweep]\n\"attacker.classes\" = [\"A\", \"2*B+2*C\"]\n\
                 [[chart]]\nkind = \"line\"\nx = \"attacker.classes\"\nvalue = \"success\"\ntitle = \"c\"\n\
                 [[finding]]\nof = \"mean(points)\"\nname = \"points\"\n";
    let work = Work::new().with("s.toml", study);
    work.run("run s.toml --out out --quiet").good();
    // Every variable was counted by itself, which is no joint distribution: there are no outcomes.
    assert!(!work.path().join("out/s/outcomes.csv").exists());
    let summary = work.path().join("out/s/summary.csv");
    let summary = std::fs::read_to_string(summary).expect("a summary");
    // Points may be below nothing.
    let points = |line: &&str| line.contains(",points,-20,");
    assert!(summary.lines().any(|line| points(&line)), "{summary}");
    work.run("run s.toml --out other --method both --quiet")
        .refused(&["method", "it cannot be solved exactly", "simulate"]);
}

/// Lists that no longer fit are refused one by one, and the rest is answered.
#[test]
fn what_if_goes_on_where_lists_do_not_fit() {
    let ran = run("what-if acw28 battle attacker.classes=A+B --mine attacker --trials 200");
    ran.says(&["refused by the rules", "`attacker.units=", "one for each"]);
}
