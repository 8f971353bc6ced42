//! House rules on the command line: what was added is shown, and what cannot be added starts from a file.

use crate::program::Work;

const BAYONETS: &str = "[modifiers.melee.bayonets]\nwhen = \"attacker.bayonets\"\nshift = 1\n\
                        about = \"drilled with the bayonet\"\n";

const SPENCER: &str = "[values.weapon.spencer]\nlike = \"repeater\"\n\
                       [tables.fire_factors.rows.spencer]\n100 = \"1\"\n";

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
fn what_a_variant_in_toml_cannot_say_is_refused_with_the_other_way() {
    let work = Work::new().with("house.toml", "rules = \"elephant\"\n[procedures.raid]\n");
    work.run("odds elephant fire --variant house.toml")
        .refused(&["house.toml", "procedures", "Drill"]);
    let work = Work::new().with("house.drill", "variant of elephant: \"raids\"\n");
    work.run("odds elephant fire --variant house.drill")
        .refused(&["house.drill", "not written in Drill yet"]);
}
