//! The program as it is typed: what it says, on which stream, and with which exit code.

use crate::program::{Ran, Work, program};
use serde_json::Value;
use std::process::Stdio;

fn run(words: &str) -> Ran {
    Work::new().run(words)
}

/// The probability of a label in a JSON answer.
fn p(answer: &Value, variable: &str, value: &str) -> f64 {
    let variables = answer["variables"].as_array().expect("variables");
    let variable = variables.iter().find(|v| v["name"] == variable);
    let values = variable.expect("a variable")["values"].as_array();
    let found = values.expect("values").iter().find(|v| v["value"] == value);
    found.map_or(0.0, |v| v["p"].as_f64().expect("a probability"))
}

// What is asked for is what is answered.

#[test]
fn words_beat_the_file_and_the_file_beats_the_default() {
    let work = Work::new().with(
        "s.toml",
        "rules = \"elephant\"\nprocedure = \"charge\"\n\
         [settings]\nattacker.stands = 12\ndefender.stands = 8\n",
    );
    let answer = work
        .run("odds --file s.toml defender.stands=6 --format json")
        .json();
    assert_eq!(answer["settings"]["attacker.stands"], 12);
    assert_eq!(answer["settings"]["defender.stands"], 6);
    assert_eq!(answer["settings"]["attacker.grade"], "regular");
    // Of the same key typed twice the last wins.
    let answer = run("odds elephant charge attacker.stands=5 attacker.stands=7 --format json");
    assert_eq!(answer.json()["settings"]["attacker.stands"], 7);
}

#[test]
fn nested_dotted_and_quoted_scenario_keys_mean_the_same() {
    let head = "rules = \"elephant\"\nprocedure = \"charge\"\n";
    let answers: Vec<String> = [
        "[settings]\nattacker.grade = \"elite\"\nattacker.flank = true\ndistance = 90\n",
        "[settings]\ndistance = 90\n[settings.attacker]\ngrade = \"elite\"\nflank = true\n",
        "[settings]\n\"attacker.grade\" = \"elite\"\n\"attacker.flank\" = \"true\"\ndistance = \"90\"\n",
        "settings = { attacker = { grade = \"elite\", flank = true }, distance = 90 }\n",
    ]
    .iter()
    .map(|settings| {
        let work = Work::new().with("s.toml", &format!("{head}{settings}"));
        work.run("odds --file s.toml --format json").good().to_owned()
    })
    .collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let typed = run(
        "odds elephant charge attacker.grade=elite attacker.flank=true distance=90 --format json",
    );
    assert_eq!(typed.good(), answers[0]);
}

#[test]
fn json_has_everything_a_program_needs() {
    let answer = run("odds elephant charge attacker.grade=veteran --format json").json();
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(answer["rules"], "elephant");
    assert_eq!(answer["procedure"], "charge");
    assert_eq!(answer["variants"], serde_json::json!([]));
    assert_eq!(answer["settings"]["attacker.grade"], "veteran");
    assert_eq!(answer["settings"]["attacker.flank"], false);
    assert_eq!(answer["settings"]["distance"], 150);
    assert_eq!(answer["method"], "exact");
    assert_eq!(answer["trials"], Value::Null);
    assert_eq!(answer["seed"], Value::Null);
    assert!(answer["notes"].is_array());
    assert!(answer.get("stages").is_none() && answer.get("joint").is_none());
    let variables = answer["variables"].as_array().expect("variables");
    let names: Vec<&str> = variables
        .iter()
        .filter_map(|v| v["name"].as_str())
        .collect();
    assert_eq!(names[0], "outcome", "the headline comes first");
    assert_eq!(names[2], "attacker_stands_lost");
    assert_eq!(variables[0]["kind"], "category");
    assert_eq!(variables[2]["kind"], "count");
    assert!(variables[2]["mean"].is_f64() && variables[2]["sd"].is_f64());
    assert!(variables[0].get("mean").is_none());
    for variable in variables {
        let values = variable["values"].as_array().expect("values");
        let sum: f64 = values.iter().filter_map(|v| v["p"].as_f64()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert!(values.iter().all(|v| v.get("low").is_none()));
    }
}

#[test]
fn simulated_json_says_how_sure_it_is() {
    let answer =
        run("odds elephant charge --method simulate --trials 50000 --seed 7 --format json").json();
    assert_eq!(answer["method"], "simulate");
    assert_eq!(answer["trials"], 50_000);
    assert_eq!(answer["seed"], 7);
    let variables = answer["variables"].as_array().expect("variables");
    assert!(variables[2]["se"].as_f64().expect("a standard error") > 0.0);
    for value in variables
        .iter()
        .flat_map(|v| v["values"].as_array().unwrap())
    {
        let [p, low, high] = ["p", "low", "high"].map(|key| value[key].as_f64().unwrap());
        assert!(low <= p && p <= high && high - low < 0.02, "{value}");
    }
}

#[test]
fn csv_is_one_table_with_a_heading() {
    let values = run("odds elephant fire --format csv");
    let mut lines = values.good().lines();
    assert_eq!(lines.next(), Some("variable,value,p,low,high"));
    assert!(lines.all(|line| line.split(',').count() == 5));
    values.says(&["effect,hit-1,0.5,0.5,0.5\n", "stands_lost,1,0.1,0.1,0.1\n"]);
    // What is asked for beside it follows after an empty line.
    run("odds elephant charge --stages --format csv").says(&[
        "variable,value,p,low,high\n",
        "\n\nphase,outcome,p,goes_on\nfirst volley,attacker-halts,",
    ]);
    let joint = run("odds elephant fire --joint --format csv");
    joint.says(&[
        "variable,value,p,low,high\n",
        "\n\neffect,hits,stands_lost,out_of_ammo,p\n",
        "hit-3,3,1,no,0.1\n",
    ]);
    // No digits of rounding: this one is 0.16691360000000002 in the machine.
    run("odds elephant charge --format csv").says(&["outcome,attacker-wins,0.1669136,0.1669136"]);
}

#[test]
fn a_table_shows_answer_losses_method_and_settings() {
    run("odds elephant charge attacker.grade=veteran defender.cover=wall").says(&[
        "elephant charge\nexact",
        "outcome",
        "attacker_stands_lost",
        "mean",
        "or more",
        " %",
        "█",
        "attacker.grade=veteran",
        "defender.cover=wall",
        "distance=150",
    ]);
    run("odds elephant charge --method simulate --trials 20000 --seed 3").says(&[
        "simulated",
        "20,000 trials",
        "seed 3",
        "95 %",
    ]);
}

#[test]
fn what_is_off_is_shown_only_when_all_is_asked_for() {
    let short = run("odds elephant charge");
    short.says(&["attacker.stands=10", "off, none or 0 (--all)"]);
    short.check(!short.out.contains("=false"), "should not list what is off");
    let whole = run("odds elephant charge --all");
    whole.says(&["attacker.lance=false", "defender.panic=0"]);
    whole.check(!whole.out.contains("(--all)"), "should leave nothing out");
}

#[test]
fn stages_follow_the_charge_from_phase_to_phase() {
    run("odds elephant charge --stages").says(&["first volley", "second volley", "melee", "go on"]);
    let answer = run("odds elephant charge --stages --format json").json();
    let stages = answer["stages"].as_array().expect("stages");
    let ended = |stage: &Value| -> f64 {
        let ended = stage["ended"].as_array().expect("ends");
        ended.iter().filter_map(|end| end["p"].as_f64()).sum()
    };
    let mut open = 1.0;
    for stage in stages {
        open -= ended(stage);
        let goes_on = stage["goes_on"].as_f64().expect("a share");
        assert!((goes_on - open).abs() < 1e-9, "{stage}");
    }
    assert!(open.abs() < 1e-9);
    // What ends in melee is what came to contact.
    let melee = stages.iter().find(|stage| stage["phase"] == "melee");
    let contact = p(&answer, "contact", "yes");
    assert!((ended(melee.expect("a melee")) - contact).abs() < 1e-12);
}

#[test]
fn joint_rows_sum_to_one_and_to_the_marginals() {
    run("odds elephant charge --joint").says(&["every distinct outcome"]);
    let answer = run("odds elephant charge --joint --format json").json();
    let rows = answer["joint"].as_array().expect("rows");
    let sum = |rows: &mut dyn Iterator<Item = &Value>| -> f64 {
        rows.filter_map(|row| row["p"].as_f64()).sum()
    };
    assert!((sum(&mut rows.iter()) - 1.0).abs() < 1e-12);
    let mut wins = rows.iter().filter(|row| row["outcome"] == "attacker-wins");
    let from_rows = sum(&mut wins);
    assert!((from_rows - p(&answer, "outcome", "attacker-wins")).abs() < 1e-12);
}

#[test]
fn a_variant_changes_the_numbers_and_is_named_in_the_answer() {
    let work = Work::new()
        .with(
            "steady.toml",
            "name = \"steady\"\nabout = \"standing still is worth nothing\"\nrules = \"elephant\"\n\
             [lists.fire_shifts.values]\nstationary = 0\n",
        )
        .with(
            "again.toml",
            "rules = \"elephant\"\n[lists.fire_shifts.values]\nstationary = 1\n",
        )
        .with(
            "cell.toml",
            "rules = \"elephant\"\n[tables.fire_results.rows.9]\n36 = \"4\"\n",
        );
    // Ten stands: 28+ without the shift, where 0 is a marker; 36+ with it, where nothing is.
    let printed = work.run("odds elephant fire --format json").json();
    assert_eq!(p(&printed, "effect", "panic"), 0.0);
    let varied = work.run("odds elephant fire --variant steady.toml --format json");
    let varied = varied.json();
    assert!((p(&varied, "effect", "panic") - 0.1).abs() < 1e-12);
    assert_eq!(varied["variants"], serde_json::json!(["steady"]));
    // Later variants win; one without a name goes by its file.
    let both = work
        .run("odds elephant fire --variant steady.toml --variant again.toml --format json")
        .json();
    assert_eq!(both["variables"], printed["variables"]);
    assert_eq!(
        both["variants"],
        serde_json::json!(["steady", "again.toml"])
    );
    // A single cell by its heading.
    let cell = work.run("odds elephant fire --variant cell.toml --format json");
    assert!((p(&cell.json(), "effect", "hit-4") - 0.1).abs() < 1e-12);
    work.run("rules elephant --variant steady.toml")
        .says(&["steady", "lists.fire_shifts.values.stationary"]);
}

#[test]
fn the_printed_table_file_is_a_variant_that_changes_nothing() {
    let printed = run("rules elephant --toml");
    let variant = format!("rules = \"elephant\"\n{}", printed.good());
    let work = Work::new().with("same.toml", &variant);
    let same = work
        .run("odds elephant charge --variant same.toml --format json")
        .json();
    let plain = work.run("odds elephant charge --format json").json();
    assert_eq!(same["variables"], plain["variables"]);
}

#[test]
fn exact_over_its_budget_fails_and_says_what_to_do() {
    run("odds elephant charge --method exact --max-states 5").fails(
        1,
        &[
            "5 distinct states",
            "--method simulate",
            "--max-states 50 takes up to about 25 kB of memory and less than a second",
        ],
    );
}

#[test]
fn auto_over_its_budget_simulates_and_says_so() {
    let ran = run("odds elephant charge --max-states 5 --trials 20000 --seed 1 --format json");
    let answer = ran.json();
    assert_eq!(answer["method"], "simulate");
    assert_eq!(answer["trials"], 20_000);
    let notes = answer["notes"].to_string();
    ran.check(notes.contains("more than 5"), "should have a note");
    assert_eq!(
        run("odds elephant charge --format json").json()["method"],
        "exact"
    );
}

#[test]
fn precision_goes_on_until_it_is_reached_and_says_so() {
    let ran =
        run("odds elephant charge --method simulate --precision 0.0015 --seed 1863 --format json");
    let answer = ran.json();
    let outcome = &answer["variables"][0]["values"];
    for value in outcome.as_array().expect("values") {
        let [low, high] = ["low", "high"].map(|key| value[key].as_f64().unwrap());
        ran.check((high - low) / 2.0 <= 0.0015, "should be that precise");
    }
    ran.check(
        answer["notes"].to_string().contains("reached"),
        "should say so",
    );
    // Bounded by --trials: not reached, and said.
    let short = run(
        "odds elephant charge --method simulate --precision 0.0001 --trials 10000 --seed 1 --format json",
    );
    assert_eq!(short.json()["trials"], 10_000);
    short.says(&["not reached"]);
    // An exact answer needs no precision.
    run("odds elephant charge --precision 0.001").says(&["elephant charge\nexact", "not needed"]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    for procedure in ["charge", "firefight turns=1", "commander hits=6"] {
        let on = |threads: u32, seed: u32| {
            run(&format!(
                "odds elephant {procedure} --method simulate --trials 200000 --seed {seed} \
                 --threads {threads} --format json --stages --joint"
            ))
            .good()
            .to_owned()
        };
        let one = on(1, 1863);
        assert_eq!(one, on(2, 1863));
        assert_eq!(one, on(7, 1863));
        assert_ne!(one, on(1, 1864));
    }
}

#[test]
fn a_seed_that_is_not_given_is_chosen_and_printed() {
    let first = run("odds elephant charge --method simulate --trials 10000 --format json").json();
    let seed = first["seed"].as_u64().expect("a seed");
    let again = run(&format!(
        "odds elephant charge --method simulate --trials 10000 --seed {seed} --format json"
    ));
    assert_eq!(again.json(), first);
}

#[test]
fn every_default_scenario_of_every_procedure_is_answered() {
    for ruleset in grapeshot_rules::Registry::built_in().all() {
        let loaded = ruleset.load(&[]).expect("the printed tables load");
        for procedure in &loaded.procedures {
            let words = format!("odds {} {}", ruleset.id, procedure.name);
            let few = match procedure.is_played_out() {
                true => " --trials 20000",
                false => "",
            };
            run(&format!("{words}{few}")).says(&[&procedure.variables[0].name]);
            let page = run(&format!("rules {} {}", ruleset.id, procedure.name));
            page.says(&["settings", "variables", &format!("grapeshot {words}")]);
            for setting in &procedure.settings {
                page.says(&[&setting.key]);
            }
        }
        run(&format!("rules {}", ruleset.id)).says(&[&ruleset.title]);
        run(&format!("rules {} --tables", ruleset.id)).good();
        run("rules").says(&[&ruleset.id]);
    }
}

#[test]
fn help_of_every_command_teaches_by_example() {
    let top = run("--help").good().to_owned();
    // Without words the program explains itself too.
    run("").says(&["Commands:", "Examples:", "grapeshot odds elephant charge"]);
    let commands: Vec<&str> = top
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&command| command != "help")
        .filter(|command| command.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .collect();
    assert!(commands.contains(&"odds") && commands.contains(&"break-even"));
    for command in commands {
        run(&format!("{command} --help")).says(&[
            "Example",
            &format!("grapeshot {command}"),
            "Usage:",
        ]);
    }
    run("--version").says(&[env!("CARGO_PKG_VERSION")]);
}

#[test]
fn completions_are_written_for_the_usual_shells() {
    for shell in ["bash", "zsh", "fish"] {
        run(&format!("completions {shell}")).says(&["grapeshot", "COMPLETE"]);
    }
    // As the script for bash asks.
    let offered = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let output = program()
            .env("COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
            .env("_CLAP_IFS", "\n")
            .arg("--")
            .args(words)
            .output()
            .expect("the program runs");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(offered("grapeshot od").trim(), "odds");
    assert_eq!(offered("grapeshot odds eleph").trim(), "elephant");
    assert_eq!(
        offered("grapeshot odds elephant charge attacker.gra").trim(),
        "attacker.grade="
    );
    assert_eq!(
        offered("grapeshot odds elephant charge attacker.grade = vet").trim(),
        "veteran"
    );
    assert_eq!(
        offered("grapeshot odds elephant charge --max-st").trim(),
        "--max-states"
    );
}

#[test]
fn manual_pages_are_written_for_every_command_and_overwrite_nothing() {
    let work = Work::new();
    let wrote = work.run("man --out pages");
    assert_eq!(wrote.code, Some(0), "{}", wrote.err);
    let pages = work.path().join("pages");
    let page = |name: &str| std::fs::read_to_string(pages.join(name)).expect("a page");
    assert!(page("grapeshot.1").contains(r"grapeshot\-what\-if(1)"));
    let odds = page("grapeshot-odds.1");
    assert!(odds.contains(r"\-\-precision"), "{odds}");
    assert!(odds.contains("grapeshot odds elephant charge"), "{odds}");
    // Made again it is as it was; what is somebody else's is left alone.
    assert_eq!(work.run("man --out pages").code, Some(0));
    std::fs::remove_file(pages.join(".grapeshot")).expect("removed");
    let refused = work.run("man --out pages");
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("grapeshot did not make it"),
        "{}",
        refused.err
    );
}

#[test]
fn where_there_is_no_terminal_there_is_no_colour() {
    let told = run("odds elephant charge");
    assert!(
        !told.out.is_empty() && !told.out.contains('\u{1b}'),
        "{}",
        told.out
    );
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for words in [
        "odds elephant charge --joint --format json",
        "rules elephant --toml",
        "completions bash",
        "--help",
    ] {
        // The reading end is closed before the program starts: its first write meets a closed pipe.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = program()
            .args(words.split_whitespace())
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "grapeshot {words}: {err}");
        assert!(err.is_empty(), "grapeshot {words}: {err}");
    }
}

#[test]
fn a_simulated_table_names_its_seed_and_an_audit_of_one_kind_does_only_that() {
    let work = Work::new();
    let odds = "odds elephant morale --method simulate --trials 1000 --format csv";
    let first = work.run(odds);
    let heading = "variable,value,p,low,high,trials,seed";
    first.check(first.good().starts_with(heading), "should name the seed");
    let line = first.out.lines().nth(1).unwrap_or_default();
    let seed = line.rsplit(',').next().unwrap_or_default();
    let again = work.run(&format!("{odds} --seed {seed}"));
    assert_eq!(first.out, again.out, "the same seed gives the same table");
    let solved = work.run("odds elephant morale --format csv");
    solved.check(!solved.good().contains("seed"), "nothing was drawn");

    let audit = work.run("audit gbacw --kind order --all");
    audit.check(
        !audit.good().contains("dead parts"),
        "should not look for them",
    );
}
