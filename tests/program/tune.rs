//! `tune` and `break-even` of a cell, as they are typed.

use crate::program::Work;

const TARGETS: &str = "rules = \"elephant\"\n[[target]]\nprocedure = \"melee\"\nwant = \"success=50%\"\n\
                       [[target]]\nprocedure = \"morale\"\nsettings = { unit.grade = \"regular\" }\n\
                       want = \"success=90%\"\n";

#[test]
fn tune_writes_a_variant_that_diff_takes() {
    let work = Work::new();
    let ran = work.run(
        "tune elephant melee --target success=50% --vary tables.melee_results --max-edits 1 --write house.toml",
    );
    ran.good();
    ran.check(ran.out.contains("ENGD → K1/RT"), "should name the edit");
    ran.check(
        ran.out.contains("wrote house.toml"),
        "should say where it is",
    );
    let diff = work.run("diff elephant melee --variant house.toml --format json");
    let json = diff.json();
    let after = json["cells"][0]["shifts"][0]["after"]["value"].as_f64();
    diff.check(
        after.is_some_and(|x| (x - 0.5).abs() < 1e-9),
        "should be 50 %",
    );
}

#[test]
fn targets_come_from_a_file_too_and_the_bytes_do_not_depend_on_threads() {
    let work = Work::new().with("wishes.toml", TARGETS);
    let tune = "tune elephant --targets wishes.toml --vary tables.melee_results.*.1:1 --max-edits 2 --format json";
    let one = work.run(&format!("{tune} --threads 1"));
    let two = work.run(&format!("{tune} --threads 2"));
    assert_eq!(one.good(), two.good());
    assert_eq!(one.json()["targets"].as_array().map(Vec::len), Some(2));
    assert_eq!(one.json()["solutions"][0]["cells"], 1);
}

#[test]
fn nothing_is_written_where_nothing_does_it_and_what_stands_in_the_way_is_said() {
    let work = Work::new();
    let ran = work.run(
        "tune elephant melee --target success=99% --vary tables.melee_results.*.1:1 --max-edits 1 --write x.toml",
    );
    ran.check(ran.code == Some(1), "should not end as if it had");
    ran.check(ran.out.contains("x.toml was not written"), "should say so");
    ran.check(
        ran.out.contains("out of reach of any single edit"),
        "should say why",
    );
    ran.check(
        ran.out.contains("the nearest miss"),
        "should show the nearest",
    );
    ran.check(!work.path().join("x.toml").exists(), "should write nothing");
    let plain = work.run(
        "tune elephant melee --target success=99% --vary tables.melee_results.*.1:1 --max-edits 1",
    );
    plain.check(plain.code == Some(0), "nothing was to be written");
    let met = work.run("tune elephant melee --target success=40% --vary tables.melee_results");
    met.check(met.good().contains("already met"), "should say so");
}

#[test]
fn what_is_typed_wrongly_is_named_with_what_is_allowed() {
    let work = Work::new()
        .with(
            "bad.toml",
            "[[target]]\nwant = \"success=50%\"\nuntil = 3\n",
        )
        .with("wishes.toml", TARGETS);
    for (words, says) in [
        ("tune elephant melee --vary lists.*", "nothing is wanted"),
        (
            "tune elephant --target success=4% --vary lists.*",
            "of which procedure?",
        ),
        (
            "tune elephant melee --target success=4 --vary lists.*",
            "from 0% to 100%",
        ),
        (
            "tune elephant melee --target success=4% --vary tables.moral.*",
            "names no cell",
        ),
        (
            "tune elephant melee --target success=4% --vary lists.* --keep tidy",
            "order or none",
        ),
        (
            "tune elephant melee --target success=4% --vary lists.* --tolerance much",
            "1%",
        ),
        (
            "tune elephant --targets bad.toml --vary lists.*",
            "bad.toml:3:1: `target[1].until`",
        ),
        (
            "tune gbacw --targets wishes.toml --vary lists.*",
            "about `gbacw`",
        ),
        (
            "tune elephant melee --target success=50% --vary tables.melee_results --max-edits 1 --write . ",
            "cannot write",
        ),
        (
            "break-even elephant melee --vary tables.melee_results.3",
            "names 10 cells",
        ),
        (
            "break-even elephant melee --vary tables.melee_results.3.1:1",
            "not a whole number",
        ),
    ] {
        let ran = work.run(words);
        ran.check(ran.code == Some(2), "should be refused with 2");
        ran.check(ran.err.contains(says), &format!("should say: {says}"));
    }
}

#[test]
fn break_even_of_a_cell_is_what_a_variant_with_that_number_gives() {
    let work = Work::new();
    let ran = work.run(
        "break-even elephant morale --vary lists.morale_values.regular --at 0.75 --format json",
    );
    let json = ran.json();
    let curve = json["cells"][0]["curve"]
        .as_array()
        .expect("a curve")
        .clone();
    ran.check(curve.len() > 5, "should look at several numbers");
    for point in &curve {
        let (x, y) = (
            point["x"].as_f64().unwrap(),
            point["y"]["value"].as_f64().unwrap(),
        );
        let variant =
            format!("rules = \"elephant\"\n[lists.morale_values.values]\nregular = {x}\n");
        let work = Work::new().with("v.toml", &variant);
        let odds = work
            .run("odds elephant morale --variant v.toml --format json")
            .json();
        let of = |label: &str| {
            let values = odds["variables"][0]["values"].as_array().unwrap().iter();
            let found = values.clone().find(|v| v["value"] == label);
            found.map_or(0.0, |v| v["p"].as_f64().unwrap())
        };
        let success = of("pass") + of("overenthusiastic");
        assert!((success - y).abs() < 1e-9, "{x}: {success} and {y}");
    }
}

#[test]
fn a_file_from_before_is_not_taken_for_the_answer() {
    let work = Work::new();
    let tune = |target: &str| {
        work.run(&format!(
            "tune elephant melee --target success={target} --vary tables.melee_results.*.1:1 --max-edits 1 --write x.toml"
        ))
    };
    tune("50%").good();
    let before = std::fs::read(work.path().join("x.toml")).expect("a variant");
    let ran = tune("99%");
    ran.check(ran.code == Some(1), "should not end as if it had");
    ran.check(
        ran.out.contains("holds what it held before"),
        "should say so",
    );
    assert_eq!(
        std::fs::read(work.path().join("x.toml")).expect("there"),
        before
    );
}

/// A plateau on the target is told from its first value to its last, however far apart the values were that were looked at.
#[test]
fn break_even_finds_all_that_meets_the_target_exactly() {
    let work = Work::new();
    let asked = "break-even elephant fire --vary range --at 50%";
    let ran = work.run(asked);
    ran.says(&["range = 401 to 600: meets the target exactly, and falls through it"]);
    ran.check(
        !ran.out.contains("not settled"),
        "an exact answer is settled",
    );
}
