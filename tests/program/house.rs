//! House rules on the command line: what was added is shown, and what cannot be added starts from a file.

use crate::program::Work;

const HOUSE: &str = "variant of elephant: \"house\"\n\
                     add to unit Unit:\n  bayonets: Flag  ## drilled with the bayonet @ house rule\n\
                     add key bayonets beside lance\n\
                     add to modifiers combat_shift:\n  bayonets: 1  when role is attacker and unit.bayonets\n\
                     add rows to fire_factors:\n\
                     \x20 spencer = \"600\", \"1\", \"4\", \"3\", \"2\", \"1\", \"0\", \"0\", \"0\", \"0\"\n";

#[test]
fn the_program_shows_what_was_added() {
    let work = Work::new().with("house.drill", HOUSE);
    work.run("rules elephant melee --variant house.drill")
        .says(&["attacker.bayonets", "drilled with the bayonet"]);
    work.run("rules elephant --tables --variant house.drill")
        .says(&["spencer"]);
    work.run("odds elephant fire firer.weapon=spencer --variant house.drill")
        .says(&["0.700"]);
    work.run("odds elephant fire firer.weapon=spencr --variant house.drill")
        .refused(&["spencer"]);
}

#[test]
fn what_a_variant_in_toml_cannot_say_is_refused_with_the_other_way() {
    let work = Work::new().with("house.toml", "rules = \"elephant\"\n[procedures.raid]\n");
    work.run("odds elephant fire --variant house.toml")
        .refused(&["house.toml", "procedures", "Drill"]);
    let work = Work::new().with("house.drill", "variant of acw28: \"raids\"\nraid them\n");
    work.run("odds acw28 fire --variant house.drill")
        .refused(&["house.drill:2", "raid"]);
}
