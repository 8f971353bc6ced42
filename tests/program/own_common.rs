//! Rulesets from files beside the built-in ones: what they declare under `[common]` is compared and checked.

use crate::files::example;
use crate::program::Work;

/// A folder with the ruleset that `new` makes, something in it changed.
fn changed(from: &str, to: &str) -> Work {
    let work = Work::new();
    work.run("new my-rules").says(&["wrote"]);
    let path = work.path().join("my-rules/ruleset.toml");
    let text = std::fs::read_to_string(&path).expect("it was made");
    assert!(text.contains(from), "the template has `{from}`");
    std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
    work
}

#[test]
fn every_command_about_common_fights_takes_a_ruleset_from_a_file() {
    let work = changed("[common.results.charge]", "[common.results.charge]").with(
        "study.toml",
        "title = \"t\"\nquestion = \"q\"\nrules = \"common:elephant+./my-rules\"\nprocedure = \"charge\"\n\
         method = \"exact\"\n[sweep]\nruleset = [\"elephant\", \"my-rules\"]\n\"attacker.men\" = [300, 400]\n",
    );
    work.run("compare charge --rules elephant,./my-rules")
        .says(&["my-rules", "elephant", "exact; men"]);
    work.run("compare firefight --rules elephant,my-rules turns=1 a.men=100 b.men=100")
        .says(&["my-rules", "nobody fires twice"]);
    work.run("card --rules my-rules").says(&["my-rules"]);
    work.run("rules my-rules --common")
        .says(&["settings of a charge", "attacker_lost"]);
    work.run("odds common:my-rules charge attacker.grade=crack")
        .says(&["ruleset=my-rules", "my-rules charge attacker.grade=veteran"]);
    work.run("odds common:my-rules fire range=900")
        .says(&["counts as 300"]);
    work.run("what-if common:elephant+my-rules charge ruleset=my-rules --mine attacker")
        .says(&["attacker.men"]);
    work.run("run study.toml --out studies --quiet").says(&[]);
    work.run(&format!(
        "compare charge --rules elephant,{}",
        example("risk")
    ))
    .refused(&["does not say common fights", "[common]"]);
    work.run("compare charge --rules my-rules,./my-rules")
        .refused(&["named twice"]);
}

#[test]
fn what_is_wrong_with_the_common_words_is_told_with_its_line() {
    for (from, to, parts) in [
        (
            "poor = \"raw\"\n",
            "",
            &["`common.grade` has no word for `poor`"][..],
        ),
        (
            "crack = \"veteran\"",
            "crack = \"elite\"",
            &["`common.grade.crack`", "cannot be `elite`"],
        ),
        (
            "fire = \"volley\"\n",
            "fire = \"voley\"\n",
            &["`common.procedures.fire`", "did you mean `volley`"],
        ),
        (
            "melee = \"left out",
            "# melee = \"left out",
            &["`common.procedures.melee` is missing"],
        ),
        (
            "\"defender.men\" = \"target.men\"",
            "\"defender.figures\" = \"target.men\"",
            &["no setting of volley `defender.figures`"],
        ),
        (
            "range = \"range\"",
            "range = \"distance\"",
            &["no common key `distance`"],
        ),
        (
            "words = \"wall\"",
            "words = \"walls\"",
            &["no list of them, [common.walls]"],
        ),
        (
            "count = \"casualties\", of",
            "count = \"effect\", of",
            &["no count among what volley reports `effect`"],
        ),
        (
            "of = \"defender_men\"",
            "of = \"defender_mne\"",
            &["knows no `defender_mne`"],
        ),
        (
            "missed = \"steady\"",
            "missed = \"calm\"",
            &["is `calm`; allowed is steady | shaken | broken"],
        ),
        ("missed = \"steady\"\n", "", &["has no word for `missed`"]),
        (
            "beaten-back = \"lost\"",
            "beaten = \"lost\"",
            &["`common.results.charge.beaten` means nothing"],
        ),
        (
            "yards = 1\nmost = 300",
            "yards = 1",
            &["`common.settings.fire.range` gives", "300"],
        ),
        (
            "per_unit = 30",
            "per_unit = 0",
            &["`common.men.per_unit` must be a whole number of at least 1"],
        ),
        (
            "[common.grade]",
            "[common.mood]\nx = 1\n[common.grade]",
            &["`common.mood` means nothing"],
        ),
    ] {
        let ran = changed(from, to).run("check my-rules");
        ran.check(ran.code == Some(2), &format!("{to}: should exit with 2"));
        ran.check(
            ran.out.contains("my-rules/ruleset.toml:"),
            "should name the file",
        );
        for part in parts {
            ran.check(ran.out.contains(part), &format!("should say `{part}`"));
        }
    }
}

#[test]
fn a_value_can_come_from_bands_and_formulas() {
    let work = changed(
        "range = \"range\"",
        "range = { from = \"range\", words = \"bands\" }",
    );
    let path = work.path().join("my-rules/ruleset.toml");
    let text = std::fs::read_to_string(&path).expect("it was made");
    let text = text.replace(
        "[common.range]\nunit = \"paces\"\nyards = 1\nmost = 300\n",
        "[common.bands]\n\"1-200\" = 80\n\"201+\" = \"left out: nobody shoots so far\"\n",
    );
    let text = text.replace(
        "\"attacker.men\" = \"firer.men\"",
        "\"attacker.men\" = { from = [\"firer.men\", \"firer.leader\"], \
         formula = 'firer_men / 50 + if firer_leader == \"brigade\" { 8 } else { 0 }' }",
    );
    std::fs::write(&path, text).expect("a file");
    work.run("check my-rules").says(&["Nothing is wrong"]);
    work.run("odds common:my-rules fire firer.men=400 firer.leader=brigade")
        .says(&["attacker.men=16 defender.men=13"]);
    work.run("odds common:my-rules fire range=201")
        .refused(&["nobody shoots so far"]);
}

#[test]
fn an_error_in_a_function_names_the_step_and_the_line_in_the_function() {
    let work = changed(
        "if wall { modifier +=",
        "if wall == 3 { modifier += nothing +",
    );
    let ran = work.run("odds my-rules volley defender.wall=true");
    ran.check(ran.code == Some(2), "should exit with 2");
    let work = changed(
        "if wall { modifier += list(\"modifiers\", \"wall\"); }",
        "if wall { modifier += list(\"modifiers\", \"fence\"); }",
    );
    let text = std::fs::read_to_string(work.path().join("my-rules/ruleset.toml")).expect("a file");
    let line = |part: &str| {
        text.lines()
            .position(|line| line.contains(part))
            .expect("a line")
            + 1
    };
    let (called, inside) = (
        line("casualties = roll_on(\"fire\", column, volley_modifier("),
        line("\"fence\""),
    );
    work.run("odds my-rules volley defender.wall=true")
        .refused(&[
            "`volley.steps.fire` there is no entry of the list modifiers `fence`",
            &format!("ruleset.toml:{called}:"),
            &format!("{called} | casualties = roll_on("),
            &format!("in volley_modifier(), my-rules/ruleset.toml:{inside}:"),
            &format!("{inside} |     if wall"),
        ]);
}
