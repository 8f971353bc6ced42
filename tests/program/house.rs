//! House rules on the command line: what was added is shown, and what cannot be added starts from a file.

use crate::program::Work;

const BAYONETS: &str = "[modifiers.melee.bayonets]\nwhen = \"attacker.bayonets\"\nshift = 1\n\
                        about = \"drilled with the bayonet\"\n";

const SPENCER: &str = "[values.weapon.spencer]\nlike = \"repeater\"\n\
                       [tables.fire_factors.rows.spencer]\n100 = \"1\"\n";

#[track_caller]
fn is(found: f64, by_hand: f64) {
    assert!(
        (found - by_hand).abs() < 1e-12,
        "{found}, by hand {by_hand}"
    );
}

#[test]
fn the_program_shows_what_was_added() {
    let text = format!("rules = \"elephant\"\nname = \"house\"\n{BAYONETS}{SPENCER}");
    let work = Work::new().with("house.toml", &text);
    work.run("rules elephant melee --variant house.toml")
        .says(&["attacker.bayonets", "drilled with the bayonet"]);
    work.run("rules elephant --tables --variant house.toml")
        .says(&["spencer"]);
    work.run("odds elephant fire firer.weapon=spencer --variant house.toml")
        .says(&["0.700"]);
    work.run("odds elephant fire firer.weapon=spencr --variant house.toml")
        .refused(&["spencer"]);
}

#[test]
fn what_a_variant_cannot_say_starts_from_the_ruleset_as_a_file() {
    let work = Work::new().with("house.toml", "rules = \"elephant\"\n[procedures.raid]\n");
    work.run("odds elephant fire --variant house.toml")
        .refused(&["house.toml", "procedures", "--as-file"]);
    work.run("rules elephant --as-file --out mine")
        .says(&["wrote mine/ruleset.toml", "grapeshot check mine"]);
    let success = |words: &str| work.run(words).json()["variables"][0].clone();
    let given = "charge attacker.grade=veteran --format json";
    let (own, printed) = (
        success(&format!("odds mine {given}")),
        success(&format!("odds elephant {given}")),
    );
    assert_eq!(own["values"].as_array().map(Vec::len), Some(5), "{own}");
    for (own, printed) in own["values"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(printed["values"].as_array().into_iter().flatten())
    {
        let p = |value: &serde_json::Value| value["p"].as_f64().unwrap();
        assert_eq!(own["value"], printed["value"]);
        is(p(own), p(printed));
    }
    work.run("rules elephant --as-file --out mine")
        .refused(&["there already"]);
    work.run("rules gbacw --as-file").refused(&[
        "kept as one: elephant",
        "grapeshot new",
        "rules gbacw --toml",
    ]);
    work.run("rules elephant --as-file --variant house.toml")
        .refused(&["cannot be used with"]);
}
