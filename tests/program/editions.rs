//! Whole rulesets and editions side by side: `diff` without a procedure, `audit --new`, `--rules a,a:house.toml`.

use crate::program::Work;

const MUSKET: &str =
    "rules = \"elephant\"\nname = \"musket\"\n[tables.fire_factors.rows.musket]\n100 = \"2\"\n";
const UNUSED: &str = "variant of elephant: \"unused\"\n\
                      add to unit Unit:\n  bayonets: Flag  ## drilled with the bayonet @ house rule\n\
                      add key bayonets beside lance\n\
                      add to modifiers combat_shift:\n  bayonets: 1  when role is attacker and unit.bayonets\n";
const REPAIRED: &str = "rules = \"elephant\"\nname = \"repaired\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n";

#[test]
fn diff_finds_the_key_that_reaches_the_change_and_shows_the_cell() {
    let work = Work::new().with("v.toml", MUSKET);
    // The default fires rifle-muskets, which the change does not touch.
    let ran = work.run("diff elephant fire --variant v.toml");
    ran.says(&[
        "tables.fire_factors.rows.musket[100] 3 → 2",
        "the default does not reach the change",
        "firer.weapon=musket",
        "1.600",
        "1.100",
    ]);
    ran.check(
        !ran.out.contains("nothing moved"),
        "should not say that nothing moved",
    );
    let json = work
        .run("diff elephant fire --variant v.toml --format json")
        .json();
    assert_eq!(json["changes"][0]["before"], "3");
    assert_eq!(json["changes"][0]["after"], "2");
}

#[test]
fn a_sweep_that_misses_the_change_says_where_it_is() {
    let work = Work::new().with("v.toml", MUSKET);
    let sweep = "diff elephant charge --variant v.toml --sweep attacker.stands=8,10 turns=1";
    let ran = work.run(&sweep.replace(" turns=1", ""));
    ran.says(&[
        "nothing moves in this sweep",
        "but at defender.weapon=musket it does",
    ]);
}

#[test]
fn what_was_added_and_is_not_used_moves_nothing_and_is_said_to() {
    let work = Work::new().with("v.drill", UNUSED);
    let ran = work.run("diff elephant melee --variant v.drill");
    ran.says(&[
        "nothing moves here, nor anywhere else",
        "attacker.bayonets=true",
        "+10.0",
    ]);
}

#[test]
fn diff_without_a_procedure_compares_the_whole_ruleset() {
    let work = Work::new().with(
        "v.toml",
        "rules = \"gbacw\"\nname = \"v\"\n[tables.melee_results.rows.1-attacker]\n\"0\" = \"K\"\n",
    );
    let ran = work.run("diff gbacw --variant v.toml");
    ran.says(&[
        "what it changes",
        "tables.melee_results.rows.1-attacker[0]",
        "melee",
        "no change was found in",
    ]);
    let json = work.run("diff gbacw --variant v.toml --format json").json();
    let moved = json["moved"].as_array().expect("procedures");
    assert!(moved.iter().any(|part| part["procedure"] == "melee"));
    work.run("diff gbacw --variant v.toml --of success")
        .refused(&["belong to a procedure"]);
}

#[test]
fn a_band_that_is_moved_is_seen_at_the_number_that_moves_with_it() {
    let bands = "rules = \"gbacw\"\nname = \"Bands\"\n[tables.density]\ncolumns = [\"1-3\", \"4-6\", \"7-9\", \"10+\"]\n";
    let work = Work::new().with("bands.toml", bands);
    let json = work
        .run("diff gbacw --variant bands.toml --format json")
        .json();
    for part in json["moved"].as_array().expect("procedures") {
        let cells = part["cells"].as_array().expect("cells");
        let moved = cells.iter().any(|cell| cell["moved"] == true);
        assert!(moved, "{part}");
    }
}

#[test]
fn editions_stand_beside_the_print_in_compare_card_and_points() {
    let house = "rules = \"gbacw\"\nname = \"h\"\n[tables.density.rows.effect]\n3-6 = \"+1\"\n";
    let work = Work::new().with("house.toml", house).with("v.toml", MUSKET);
    let compared = work
        .run("compare charge --rules gbacw,gbacw:house.toml --format json")
        .json();
    let names: Vec<String> = compared["rulesets"]
        .as_array()
        .or(compared["played"].as_array())
        .into_iter()
        .flatten()
        .filter_map(|row| row["rules"].as_str().map(str::to_owned))
        .collect();
    let text = work.run("compare charge --rules gbacw,gbacw:house.toml");
    text.says(&["gbacw", "gbacw:house"]);
    assert!(
        names.is_empty() || names.contains(&"gbacw:house".to_owned()),
        "{names:?}"
    );
    work.run("card --rules gbacw,gbacw:house.toml")
        .says(&["gbacw:house"]);
    let points = work.run("points gbacw,gbacw:house.toml --sizes 4 --procedure charge");
    points.says(&["worth, side by side", "gbacw:house"]);
    work.run("odds gbacw:house.toml fire").good();
    work.run("compare charge --rules gbacw,gbacw")
        .refused(&["named twice"]);
    work.run("card --rules gbacw,gbacw:none.toml")
        .refused(&["none.toml", "cannot be read"]);
    work.run("card --rules gbacw:v.toml")
        .refused(&["is a variant of `elephant`, not of `gbacw`"]);
}

#[test]
fn a_study_takes_editions_like_rulesets() {
    let study = "title = \"t\"\nquestion = \"q\"\nrules = [\"elephant\", \"elephant:v.toml\"]\nprocedure = \"fire\"\n\
                 method = \"exact\"\n[settings]\n\"firer.weapon\" = \"musket\"\n[sweep]\n\"firer.stands\" = [8, 10]\n";
    let work = Work::new().with("v.toml", MUSKET).with("s.toml", study);
    work.run("run s.toml --out studies --quiet").good();
    let csv = std::fs::read_dir(work.path().join("studies/s")).expect("a folder");
    let csv = csv
        .flatten()
        .find(|file| file.path().extension().is_some_and(|e| e == "csv"));
    let text = std::fs::read_to_string(csv.expect("a table").path()).expect("text");
    assert!(text.contains("elephant:v.toml"), "{text}");
}

#[test]
fn audit_new_shows_only_what_the_variant_brings_in_or_cures() {
    let work = Work::new().with("v.toml", REPAIRED);
    let json = work
        .run("audit elephant --variant v.toml --new --kind order --format json")
        .json();
    let cured = json["rulesets"][0]["cured"]
        .as_array()
        .expect("what is cured");
    let sentence =
        |finding: &serde_json::Value| finding["sentence"].as_str().unwrap_or_default().to_owned();
    assert!(
        cured
            .iter()
            .any(|f| sentence(f).contains("-/K1 at die 8 in column 1:1")),
        "{cured:?}"
    );
}

#[test]
fn what_a_house_rule_adds_makes_no_dead_number_alive() {
    let work = Work::new().with("v.drill", UNUSED);
    let dead = |more: &str| {
        let json = work
            .run(&format!("audit elephant --kind dead {more} --format json"))
            .json();
        let found = json["rulesets"][0]["findings"].as_array();
        let place = |one: &serde_json::Value| one["place"].as_str().unwrap_or_default().to_owned();
        // That the new key does nothing on the other side is found too.
        let numbers = found.expect("findings").iter().map(place);
        numbers
            .filter(|place| !place.ends_with(", settings"))
            .count()
    };
    let printed = dead("");
    assert!(printed > 0);
    assert_eq!(dead("--variant v.drill"), printed);
}

#[test]
fn a_change_is_found_that_needs_two_keys_to_be_legal() {
    // A battery fires at skirmishers; a gun has fewer men than the regiment of the defaults.
    let added = "rules = \"acw28\"\nname = \"harder\"\n[tables.hit_modifiers.rows.skirmishers]\nartillery = \"+3\"\n";
    let work = Work::new().with("v.toml", added);
    work.run("diff acw28 fire --variant v.toml")
        .says(&["firer.arm=heavy-gun", "target.formation=skirmish"]);
}
