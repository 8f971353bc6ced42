//! `field`, `condense` and `skill`, each beside what other commands say of the same.

use crate::program::Work;
use serde_json::Value;

const UNION: &str = include_str!("../../experiments/rosters/union.toml");
const CSA: &str = include_str!("../../experiments/rosters/csa.toml");

fn work() -> Work {
    Work::new().with("union.toml", UNION).with("csa.toml", CSA)
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// A unit as settings of a side.
fn on(side: &str, unit: &Value) -> String {
    let settings = unit["settings"].as_object().expect("settings");
    let words = settings
        .iter()
        .map(|(key, value)| format!("{side}.{key}={}", value.as_str().expect("a word")));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn cells_of_a_field_are_the_odds_of_its_fights() {
    let work = work();
    let json = work
        .run("field union.toml csa.toml defender.cover=wall --format json")
        .json();
    let units = list(&json["units"]);
    assert_eq!((units.len(), list(&json["rosters"]).len()), (9, 2));
    for (row, column) in [(0, 5), (3, 8), (7, 2), (6, 4)] {
        let words = format!(
            "odds elephant charge {} {} defender.cover=wall --format json",
            on("attacker", &units[row]),
            on("defender", &units[column])
        );
        let odds = work.run(&words).json();
        assert_eq!(json["cells"][row][column], odds["success"], "{words}");
    }
    assert!(json["cells"][0][1].is_null(), "both are of one side");
}

#[test]
fn a_unit_of_a_roster_stands_where_it_is_named() {
    let work = work();
    let asked = |more: &[&str]| {
        let words = ["odds", "elephant", "charge", "--roster", "union.toml"];
        work.run_words(&[&words, more].concat())
    };
    let (maine, texas) = ("attacker=20th Maine", "defender=Texas regiment");
    let named = asked(&["--roster", "csa.toml", maine, texas, "--format", "json"]);
    let field = work.run("field union.toml csa.toml --format json").json();
    let settings = |side: &str, name: &str| {
        let unit = list(&field["units"])
            .iter()
            .find(|unit| unit["name"] == name);
        on(side, unit.expect("a unit"))
    };
    let typed = work.run(&format!(
        "odds elephant charge {} {} --format json",
        settings("attacker", "20th Maine"),
        settings("defender", "Texas regiment"),
    ));
    assert_eq!(named.json()["success"], typed.json()["success"]);
    // A word beats the unit.
    let fewer = asked(&[maine, "attacker.stands=2", "--format", "json"]).json();
    assert_eq!(fewer["settings"]["attacker.stands"], 2);
    assert_eq!(fewer["settings"]["attacker.grade"], "veteran");
    // What a question has no use for is named.
    let words = [
        "odds",
        "elephant",
        "morale",
        "--roster",
        "union.toml",
        maine,
    ];
    work.run_words(&words)
        .says(&["has no use for", "attacker.stands"]);
    asked(&["attacker=19th Maine"]).refused(&["19th Maine", "did you mean `20th Maine`"]);
    work.run_words(&["odds", "gbacw", "charge", "--roster", "union.toml", maine])
        .refused(&[
            "union.toml",
            "`20th Maine` is a unit of elephant, and gbacw is asked",
        ]);
}

#[test]
fn what_a_field_says_follows_from_its_cells() {
    let json = work().run("field union.toml --format json").json();
    let count = list(&json["units"]).len();
    let cell = |row: usize, column: usize| number(&json["cells"][row][column]);
    let strength = |at: usize| number(&json["units"][at]["strength"]);
    // Everyone meets everyone: a strength is the mean of all leads.
    for one in 0..count {
        let leads = (0..count).map(|other| cell(one, other) - cell(other, one));
        assert!((strength(one) - leads.sum::<f64>() / count as f64).abs() < 1e-12);
    }
    // The rest is orthogonal to every ladder, and its share is told.
    let (mut product, mut whole, mut rest) = (0.0, 0.0, 0.0);
    for one in 0..count {
        for other in one + 1..count {
            let lead = cell(one, other) - cell(other, one);
            let ladder = strength(one) - strength(other);
            product += ladder * (lead - ladder);
            whole += lead * lead;
            rest += (lead - ladder) * (lead - ladder);
        }
    }
    assert!(product.abs() < 1e-12, "{product}");
    assert!((number(&json["ladder"]["rings"]) - rest / whole).abs() < 1e-12);
    // Neither side gains by another choice.
    let game = &json["attacks"][0]["unseen"];
    let share = |side: &str, at: usize| {
        let name = json["units"][at]["name"].as_str().expect("a name");
        number(&game[side][name])
    };
    let value = number(&game["value"]);
    for at in 0..count {
        let sent: f64 = (0..count)
            .map(|row| share("attacker", row) * cell(row, at))
            .sum();
        let met: f64 = (0..count)
            .map(|column| share("target", column) * cell(at, column))
            .sum();
        assert!(
            sent >= value - 1e-9 && met <= value + 1e-9,
            "{sent} {value} {met}"
        );
    }
}

#[test]
fn nobody_is_sent_twice_and_no_better_attack_is_found_by_exchanging_two() {
    let json = work().run("field union.toml csa.toml --format json").json();
    let units = list(&json["units"]);
    let at = |name: &Value| {
        units
            .iter()
            .position(|unit| unit["name"] == *name)
            .expect("a unit")
    };
    for attack in list(&json["attacks"]) {
        let mut sent = vec![0; units.len()];
        let mut together = 0.0;
        let pairings = list(&attack["pairings"]);
        for one in pairings {
            let number = one["number"].as_u64().expect("a number");
            sent[at(&one["attacker"])] += number;
            sent[at(&one["target"])] += number;
            together += number as f64 * self::number(&one["each"]);
        }
        for (unit, sent) in units.iter().zip(&sent) {
            assert!(
                *sent <= unit["number"].as_u64().expect("a number"),
                "{unit}"
            );
        }
        assert!((together - number(&attack["together"])).abs() < 1e-9);
        for one in pairings {
            for other in pairings {
                let cell = |a: &Value, b: &Value| {
                    number(&json["cells"][at(&a["attacker"])][at(&b["target"])])
                };
                let now = cell(one, one) + cell(other, other);
                assert!(cell(one, other) + cell(other, one) <= now + 1e-9);
            }
        }
    }
}

#[test]
fn plans_are_units_whose_equilibrium_is_found_and_three_rosters_are_a_choice() {
    let scissors = "rules = \"elephant\"\n[[unit]]\nname = \"one\"\nprice = 3\n[unit.settings]\ngrade = \"elite\"\n";
    let work = work().with("third.toml", scissors);
    let ran = work.run("field union.toml csa.toml third.toml");
    ran.says(&["Of these rosters", "certified"]);
    let json = work
        .run("field union.toml csa.toml third.toml --format json")
        .json();
    let lead = |one: usize, other: usize| number(&json["choice"]["lead"][one][other]);
    assert!(
        (lead(0, 1) + lead(1, 0)).abs() < 1e-12 && number(&json["choice"]["value"]).abs() < 1e-9
    );
}

#[test]
fn what_is_wrong_with_a_field_is_told() {
    let other = "rules = \"gbacw\"\n[[unit]]\nname = \"Battery\"\n";
    let odd = "rules = \"elephant\"\n[[unit]]\nname = \"a\"\n[unit.settings]\ngrade = \"vetran\"\n";
    let one = "rules = \"elephant\"\n[[unit]]\nname = \"a\"\n";
    let work = work()
        .with("other.toml", other)
        .with("odd.toml", odd)
        .with("one.toml", one);
    for (words, told) in [
        (
            "union.toml other.toml",
            &["other.toml", "gbacw", "elephant"][..],
        ),
        ("odd.toml", &["odd.toml:5", "veteran"]),
        ("one.toml", &["1 units", "2 to 200"]),
        ("nowhere.toml", &["nowhere.toml"]),
        ("union.toml union.toml", &["two rosters are called `Union`"]),
        ("union.toml --procedure morale", &["needs two sides"]),
        ("union.toml --procedure chrge", &["charge"]),
        ("union.toml --of hits", &["hits"]),
        ("union.toml defender.covr=wall", &["defender.cover"]),
        (
            "union.toml attacker.lance=true attacker.lance=2",
            &["attacker.lance"],
        ),
    ] {
        work.run(&format!("field {words}")).refused(told);
    }
}

/// The written chart is asked cell by cell: it is as far from the truth as is said, to the last digit.
fn chart_is_as_far_off_as_is_said(asked: &str, keys: [&str; 2], of: &str) {
    let work = Work::new();
    let json = work
        .run(&format!(
            "condense {asked} --write chart.drill --format json"
        ))
        .json();
    let question: Vec<&str> = asked
        .split(" --")
        .next()
        .expect("a question")
        .split(' ')
        .collect();
    let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0);
    for row in list(&json["rows"]["values"]) {
        for column in list(&json["columns"]["values"]) {
            let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
            let place = format!("{}={} {}={}", keys[0], text(row), keys[1], text(column));
            let odds = |rules: &str| {
                let words = format!(
                    "odds {rules} {} {place} --format json",
                    question[1..].join(" ")
                );
                let json = work.run(&words).json();
                let variables = list(&json["variables"]).clone();
                let found = variables
                    .iter()
                    .find(|one| one["name"] == *of)
                    .expect("reported")
                    .clone();
                let values = list(&found["values"]).clone();
                move |label: &str| {
                    let known = values.iter().find(|one| text(&one["value"]) == *label);
                    known.map_or(0.0, |one| number(&one["p"]))
                }
            };
            let (truth, chart) = (odds(question[0]), odds("./chart.drill"));
            let apart: f64 = list(&json["ends"])
                .iter()
                .map(|end| {
                    let end = end.as_str().expect("an end");
                    (truth(end) - chart(end)).abs()
                })
                .sum();
            worst = worst.max(apart / 2.0);
            sum += apart / 2.0;
            count += 1;
        }
    }
    assert!(
        (worst - number(&json["error"]["worst"])).abs() < 1e-12,
        "{asked}: {worst}"
    );
    assert!((sum / f64::from(count) - number(&json["error"]["mean"])).abs() < 1e-12);
}

#[test]
fn a_chart_for_one_roll_is_as_far_off_as_it_says() {
    let grades = ["attacker.grade", "defender.cover"];
    chart_is_as_far_off_as_is_said("elephant charge", grades, "outcome");
    chart_is_as_far_off_as_is_said("elephant charge --modifiers --die d20", grades, "outcome");
    chart_is_as_far_off_as_is_said(
        "elephant fire --of hits --die d10 --rows range=50,100 --columns firer.stands=6..10/2",
        ["range", "firer.stands"],
        "hits",
    );
    chart_is_as_far_off_as_is_said(
        "gbacw charge --rows attacker.morale=2..4 --columns defender.strength=2..4 --die d12",
        ["attacker.morale", "defender.strength"],
        "outcome",
    );
}

#[test]
fn a_written_chart_is_rules_like_any_others() {
    let work = Work::new();
    work.run("condense elephant charge --columns attacker.flank --write quick.drill")
        .good();
    work.run("check quick.drill").says(&["Nothing is wrong."]);
    work.run("audit ./quick.drill").says(&["no findings"]);
    work.run("odds ./quick.drill charge attacker.flank=true defender.grade=elite")
        .good();
    // Nothing is written over.
    work.run("condense elephant charge --write quick.drill")
        .refused(&["quick.drill", "there already"]);
}

#[test]
fn a_key_of_one_side_needs_no_side_in_any_instrument() {
    let work = Work::new();
    for (short, long) in [
        (
            "weigh elephant charge --over attacker.grade=elite,regular,cover",
            "weigh elephant charge --over attacker.grade=elite,regular,defender.cover",
        ),
        (
            "table elephant charge --rows attacker.grade --columns cover",
            "table elephant charge --rows attacker.grade --columns defender.cover",
        ),
        (
            "condense elephant charge --rows cover=open,wall --columns attacker.flank",
            "condense elephant charge --rows defender.cover=open,wall --columns attacker.flank",
        ),
    ] {
        assert_eq!(work.run(short).good(), work.run(long).good());
    }
    for command in [
        "weigh elephant charge --over grade",
        "table elephant charge --rows grade",
    ] {
        work.run(command)
            .refused(&["more than one side", "`attacker.grade` or `defender.grade`"]);
    }
}

#[test]
fn what_is_only_simulated_is_weighed_and_tuned_too() {
    let work = Work::new();
    let few = "--trials 200 --seed 1 attacker.units=1 defender.units=1";
    for command in [
        format!("weigh elephant battle --over attacker.grades=elite,poor,defender.cover {few}"),
        format!("weigh acw28 battle --over attacker.classes=A,E --cells lists.officer {few}"),
    ] {
        work.run(&command)
            .says(&["questions simulated", "of all that varies"]);
    }
    work.run(&format!(
        "tune elephant battle --vary lists.dice.morale --target success=1% --max-edits 1 {few}"
    ))
    .says(&["1 cell, 1 of them"]);
}

#[test]
fn whoever_names_no_decision_is_told_which_there_are() {
    let work = Work::new();
    for command in ["decide", "skill"] {
        work.run(&format!("{command} elephant")).refused(&[
            &format!("grapeshot {command} elephant charge:"),
            &format!("grapeshot {command} elephant standoff:"),
        ]);
        work.run(&format!("{command} impact"))
            .refused(&["nothing can be decided in impact"]);
    }
}

#[test]
fn the_smallest_die_that_keeps_an_error_is_taken() {
    let json = Work::new()
        .run("condense elephant charge --error 5% --format json")
        .json();
    let die = json["die"].as_u64().expect("a die");
    for tried in list(&json["dice"]) {
        let keeps = number(&tried["worst"]) <= 0.05;
        assert!(!keeps || tried["die"].as_u64() >= Some(die), "{tried}");
        assert!(keeps || tried["die"].as_u64() != Some(die), "{tried}");
    }
}

#[test]
fn what_is_wrong_with_a_chart_is_told() {
    let work = Work::new();
    for (words, told) in [
        ("--die d1", &["--die", "2 to 1000"][..]),
        ("--die 100x", &["--die", "d100"]),
        ("--error 2", &["--error", "below one"]),
        ("--error 0.01%", &["error", "no die"]),
        ("--rows attacker.grad", &["attacker.grade"]),
        ("--rows outcome", &["what comes of it"]),
        ("--rows attacker.stands=8,6", &["must rise"]),
        ("--of nothing", &["outcome"]),
        ("--of attacker_yards", &["attacker_"]),
        (
            "--rows attacker.stands --columns defender.grade",
            &["attacker.stands", "needs values"],
        ),
        (
            "--columns attacker.grade --rows attacker.grade",
            &["attacker.grade"],
        ),
        ("--write chart.toml", &["chart.toml", ".drill"]),
        ("--modifiers --die d200", &["up to 100 faces"]),
    ] {
        work.run(&format!("condense elephant charge {words}"))
            .refused(told);
    }
    assert!(
        std::fs::read_dir(work.path())
            .expect("a folder")
            .next()
            .is_none(),
        "nothing is written"
    );
}

#[test]
fn what_play_is_worth_begins_with_what_decide_says() {
    let work = Work::new();
    for question in [
        "elephant standoff",
        "gbacw standoff b.choices=all",
        "acw28 approach goal=win",
        "elephant charge",
    ] {
        let decided = work.run(&format!("decide {question} --format json")).json();
        let json = work.run(&format!("skill {question} --format json")).json();
        assert_eq!(json["value"], decided["value"], "{question}");
        let ways = list(&json["ways"]);
        for plan in list(&decided["plans"]) {
            let way = ways
                .iter()
                .find(|way| way["name"] == plan["plan"])
                .expect("the plan");
            assert_eq!(way["value"], plan["value"], "{question} {plan}");
        }
        assert!(
            ways.iter()
                .all(|way| number(&way["value"]) <= number(&json["value"]) + 1e-12)
        );
        let deciding = &json["deciding"];
        let parts = ["dice", "own", "enemy"].map(|part| number(&deciding[part]));
        assert!(
            (parts.iter().sum::<f64>() - 1.0).abs() < 1e-12,
            "{question}"
        );
        assert!(
            list(&json["actions"])
                .iter()
                .all(|action| number(&action["costs"]) >= 0.0)
        );
    }
    work.run("skill elephant fire").refused(&["fire"]);
    work.run("skill elephant standoff --trials 5")
        .refused(&["--trials"]);
}

const STUDY: &str = "title = \"t\"\nquestion = \"q\"\nrules = \"elephant\"\nprocedure = \"charge\"\nmethod = \"exact\"\n\
                     [settings]\n\"attacker.stands\" = 12\n[weigh]\nover = \"attacker.flank,defender.cover\"\n\
                     [field]\nrosters = [\"union.toml\", \"csa.toml\"]\n[condense]\ndie = 20\n[skill]\n";

#[test]
fn a_study_finds_what_the_commands_find_alone_and_shared_out() {
    let work = work().with("all.toml", STUDY);
    work.run("run all.toml --out alone --quiet").good();
    for (name, command) in [
        (
            "weigh",
            "weigh elephant charge --over attacker.flank,defender.cover attacker.stands=12",
        ),
        ("field", "field union.toml csa.toml attacker.stands=12"),
        (
            "condense",
            "condense elephant charge --die d20 attacker.stands=12",
        ),
        ("skill", "skill elephant charge attacker.stands=12"),
    ] {
        let kept = work.path().join(format!("alone/all/{name}.json"));
        let kept = std::fs::read_to_string(kept).expect("its data");
        let kept: Value = serde_json::from_str(&kept).expect("JSON");
        let told = work.run(&format!("{command} --format json")).json();
        assert_eq!(kept, told, "{command}");
        assert!(work.path().join(format!("alone/all/{name}.svg")).is_file());
    }
    for shard in ["1/2", "2/2"] {
        work.run(&format!("run all.toml --shard {shard} --quiet"))
            .good();
    }
    work.run("merge part-1 part-2 --out merged --quiet").good();
    for name in ["index.html", "field.json", "condense.svg"] {
        let read = |folder: &str| std::fs::read(work.path().join(folder).join("all").join(name));
        assert_eq!(read("alone").expect(name), read("merged").expect(name));
    }
}

#[test]
fn what_is_wrong_with_an_instrument_of_a_study_is_told_at_once() {
    let text = STUDY
        .replace("attacker.flank,", "attacker.flnk,")
        .replace("csa.toml", "nowhere.toml")
        .replace("die = 20", "die = 1\nrows = \"outcome\"");
    work()
        .with("all.toml", &text)
        .run("run all.toml")
        .refused(&[
            "attacker.flank",
            "nowhere.toml",
            "from 2 to 1000",
            "what comes of it",
        ]);
}
