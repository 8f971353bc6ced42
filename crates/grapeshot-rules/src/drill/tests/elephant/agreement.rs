//! Every procedure, solved, walked and played, over random settings; and graphs that stay small.

use super::{elephant, words};
use crate::testing::engines_agree;
use grapeshot_engine::engine::Budget;

#[test]
fn solved_walked_and_played_agree() {
    let elephant = elephant();
    for procedure in elephant.procedures.iter().filter(|p| !p.is_played_out()) {
        engines_agree("elephant", &procedure.name, 5);
    }
}

/// A state holds only what later steps need; these are the sizes that keep answers instant.
#[test]
fn graphs_stay_small() {
    let two = "attackers=2 prep.stands=4 prep.range=200 commander_risk=true attacker.commander=1 \
               defender.commander=1";
    for (procedure, settings, most) in [
        ("charge", "", 50),
        ("charge", "attackers=3", 400),
        ("charge", two, 5_000),
        ("opportunity", "", 60),
        ("firefight", "", 6_000),
        ("firefight", "order=cards", 20_000),
        ("rally", "turns=50", 4_000),
    ] {
        let procedure = elephant().procedure(procedure).expect("a procedure");
        let resolved = procedure.resolve(words(settings)).expect("settings");
        let play = (procedure.build)(&resolved).expect("settings that fit together");
        let graph = play.compile(Budget { states: most });
        assert!(graph.is_ok(), "{} {settings}", procedure.name);
    }
}
