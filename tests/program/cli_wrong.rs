//! Wrong input on the command line: exit code 2, on stderr the key, what was given, what is allowed, and the
//! nearest name.

use crate::program::{Ran, Work};

fn run(words: &str) -> Ran {
    Work::new().run(words)
}

#[test]
fn unknown_rules_are_named_with_the_nearest_and_the_known_ones() {
    run("odds elefant charge").refused(&["elefant", "did you mean `elephant`?"]);
    run("odds qqqqqqq charge").refused(&["qqqqqqq", "known", "elephant"]);
    run("rules elefant").refused(&["elefant", "did you mean `elephant`?"]);
}

#[test]
fn an_unknown_procedure_is_named_with_the_nearest_one() {
    run("odds elephant chrage").refused(&["chrage", "did you mean `charge`?", "firefight"]);
    run("rules elephant chrage").refused(&["chrage", "did you mean `charge`?"]);
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_one() {
    run("odds elephant charge atacker.grade=elite")
        .refused(&["atacker.grade", "did you mean `attacker.grade`?"]);
    // A key of another procedure is unknown here.
    run("odds elephant melee attacker.weapon=musket").refused(&["attacker.weapon"]);
    run("odds elephant charge attacker.overenthusiastic=true")
        .refused(&["attacker.overenthusiastic"]);
    run("odds elephant charge =5").refused(&["unknown"]);
}

#[test]
fn an_unknown_value_is_named_with_key_allowed_values_and_the_nearest_one() {
    run("odds elephant charge attacker.grade=veteren").refused(&[
        "attacker.grade",
        "veteren",
        "elite | veteran | regular",
        "did you mean `veteran`?",
    ]);
    run("odds elephant charge attacker.flank=yes").refused(&[
        "attacker.flank",
        "yes",
        "true or false",
    ]);
    run("odds elephant charge attacker.flank=ture").refused(&["did you mean `true`?"]);
    // Case matters; the message shows how it is written.
    run("odds elephant charge attacker.grade=Elite").refused(&["did you mean `elite`?"]);
    run("odds elephant charge attacker.grade=").refused(&["attacker.grade"]);
}

#[test]
fn a_number_out_of_range_is_named_with_its_range() {
    for value in ["0", "41", "-1", "ten", "9.5", "99999999999999999999", ""] {
        run(&format!("odds elephant charge attacker.stands={value}")).refused(&[
            "attacker.stands",
            &format!("`{value}`"),
            "from 1 to 40",
        ]);
    }
    run("odds elephant firefight turns=51").refused(&["turns", "from 1 to 50"]);
}

#[test]
fn combinations_the_rules_do_not_allow_are_refused_with_the_reason() {
    run("odds elephant fire firer.prolonging=true")
        .refused(&["firer.prolonging=true", "only artillery"]);
    run("odds elephant charge attacker.kind=artillery")
        .refused(&["attacker.kind=artillery", "may not charge"]);
    run("odds elephant charge attacker.fires_in=true")
        .refused(&["attacker.fires_in", "pistol or shotgun"]);
    run("odds elephant melee attacker.lance=true").refused(&["attacker.lance", "cavalry"]);
    run("odds elephant fire target.kind=cavalry target.hits=2")
        .refused(&["target.hits=2", "at most 1"]);
}

#[test]
fn missing_and_extra_words_are_explained() {
    run("odds").refused(&["no ruleset given", "grapeshot odds elephant charge"]);
    run("odds elephant").refused(&["no procedure given"]);
    run("odds elephant charge veteran").refused(&["`veteran`", "key=value"]);
    run("frob").refused(&["frob"]);
    run("odds elephant charge --frob").refused(&["--frob"]);
}

#[test]
fn options_out_of_range_are_refused() {
    run("odds elephant charge --trials 0").refused(&["--trials"]);
    run("odds elephant charge --trials many").refused(&["--trials", "many"]);
    run("odds elephant charge --precision 0").refused(&["--precision", "0.0005"]);
    run("odds elephant charge --precision 0.7").refused(&["--precision", "0.7"]);
    run("odds elephant charge --threads 0").refused(&["--threads"]);
    run("odds elephant charge --seed -1").refused(&["-1"]);
    run("odds elephant charge --method guess").refused(&["--method", "simulate"]);
    run("odds elephant charge --format xml").refused(&["--format", "json"]);
    run("completions tcsh").refused(&["tcsh", "bash"]);
    run("rules --tables").refused(&["RULES"]);
}

#[test]
fn a_destination_that_cannot_be_is_refused_before_the_work() {
    let work = Work::new().with("file", "not a folder");
    let long = "odds elephant firefight --method simulate --trials 1000000000000 --out";
    work.run(&format!("{long} file/odds.json"))
        .refused(&["cannot write file/odds.json"]);
    work.run(&format!("{long} .")).refused(&["directory"]);
    work.run(&format!("{long} odds.docx"))
        .refused(&["odds.docx", ".docx", ".html", "--format"]);
}

#[test]
fn a_scenario_that_is_not_toml_is_named_with_the_line() {
    Work::new()
        .with("broken.toml", "rules = \"elephant\"\n[settings\n")
        .run("odds --file broken.toml")
        .refused(&["broken.toml", "line 2"]);
}

#[test]
fn a_missing_file_is_named() {
    run("odds elephant charge --file none.toml").refused(&["none.toml", "cannot be read"]);
    run("odds elephant charge --variant none.toml").refused(&["none.toml", "cannot be read"]);
    run("rules elephant --toml --variant none.toml").refused(&["none.toml"]);
}

#[test]
fn a_scenario_with_a_wrong_key_or_value_is_refused_by_name() {
    let wrong = |text: &str, all: &[&str]| {
        Work::new()
            .with("s.toml", text)
            .run("odds --file s.toml")
            .refused(all);
    };
    let head = "rules = \"elephant\"\nprocedure = \"charge\"\n";
    wrong(
        &format!("{head}seting = 1\n"),
        &["s.toml", "seting", "[settings]"],
    );
    wrong(
        &format!("{head}[settings]\nattacker.grad = \"elite\"\n"),
        &["attacker.grad", "did you mean `attacker.grade`?"],
    );
    wrong(
        &format!("{head}[settings]\nattacker.stands = 99\n"),
        &["attacker.stands", "99"],
    );
    wrong(
        &format!("{head}[settings]\nattacker.stands = [1, 2]\n"),
        &["attacker.stands", "a whole number from 1 to 40"],
    );
    wrong(&format!("{head}settings = 3\n"), &["s.toml", "settings"]);
    wrong("rules = 5\n", &["s.toml", "rules"]);
    wrong("procedure = \"charge\"\n", &["no ruleset"]);
    wrong("rules = \"elephant\"\n", &["no procedure"]);
}

#[test]
fn words_that_contradict_the_file_are_refused() {
    let work = Work::new().with("s.toml", "rules = \"elephant\"\nprocedure = \"charge\"\n");
    work.run("odds gbacw --file s.toml")
        .refused(&["gbacw", "elephant"]);
    work.run("odds elephant melee --file s.toml")
        .refused(&["melee", "charge"]);
    work.run("odds elephant charge --file s.toml").good();
}

#[test]
fn a_variant_that_does_not_fit_is_refused_with_file_and_key() {
    let wrong = |text: &str, all: &[&str]| {
        let work = Work::new().with("v.toml", text);
        for command in ["odds elephant fire", "rules elephant"] {
            work.run(&format!("{command} --variant v.toml"))
                .refused(&[&["v.toml"], all].concat());
        }
    };
    let head = "rules = \"elephant\"\n";
    // A short row, and a long one.
    wrong(
        &format!("{head}[tables.fire_results.rows]\n3 = [\"0\", \"P\"]\n"),
        &["tables.fire_results.rows.3", "2 cells", "10 columns"],
    );
    wrong(
        &format!("{head}[tables.green.rows]\n0 = [\"poor\", \"poor\"]\n"),
        &["tables.green.rows.0", "2 cells"],
    );
    // Keys, rows and columns that are not there.
    wrong(
        &format!("{head}[tables.fire_resluts.rows]\n0 = []\n"),
        &["tables.fire_resluts", "did you mean `fire_results`?"],
    );
    wrong(
        &format!("{head}[tables.fire_results.rows]\nten = []\n"),
        &["tables.fire_results.rows.ten", "not a row"],
    );
    // Another face of the die is said in Drill.
    wrong(
        &format!("{head}[tables.fire_results.rows]\n10 = []\n"),
        &["tables.fire_results.rows.10", "not a row", "Drill"],
    );
    wrong(
        &format!("{head}[tables.fire_results.rows.0]\n56 = \"1\"\n"),
        &["tables.fire_results.rows.0.56", "not a column"],
    );
    wrong(&format!("{head}[house]\nrule = 1\n"), &["house"]);
    // Values that cannot be, and of the wrong kind.
    wrong(
        &format!("{head}[tables.fire_results.rows.0]\n55 = \"7\"\n"),
        &["tables.fire_results.rows.0[55]", "`7`"],
    );
    wrong(
        &format!("{head}[lists.fire_shifts.values]\nprone = -40\n"),
        &["lists.fire_shifts.values.prone", "-40", "-9..9"],
    );
    wrong(
        &format!("{head}[lists.fire_shifts]\nvalues = 3\n"),
        &["lists.fire_shifts.values", "table"],
    );
    wrong(
        &format!("{head}[assumptions.most_panic]\nvalue = \"two\"\n"),
        &["assumptions.most_panic.value", "two"],
    );
    // Not meant for these rules, or for none.
    wrong("rules = \"gbacw\"\n", &["gbacw", "elephant"]);
    wrong("name = \"mine\"\n", &["rules", "missing"]);
    wrong("rules = ", &["line 1"]);
}

#[test]
fn an_option_that_means_nothing_to_a_command_is_refused() {
    for (words, option) in [
        (
            "decide gbacw standoff --method simulate",
            "--method simulate",
        ),
        ("decide gbacw standoff --trials 1000", "--trials"),
        ("decide gbacw standoff --seed 1 --plan charge", "--seed"),
        ("audit gbacw --precision 0.01", "--precision"),
        ("audit gbacw --seed 1", "--seed"),
        ("audit gbacw --max-states 10", "--max-states"),
    ] {
        run(words).refused(&[option, "means nothing here"]);
    }
    // What means something is taken.
    let ran = run("decide gbacw standoff --max-states 3 --threads 1 --method exact");
    ran.check(
        ran.err.contains("more than 3 distinct"),
        "should be too large",
    );
}
