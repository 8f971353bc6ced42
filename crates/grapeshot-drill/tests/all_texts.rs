//! Every procedure of the texts at hand becomes code with all its keys at their defaults, and is solved.

mod common;

use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{Budget, Game, Graph, solve};

fn plays(rules: &Rules) -> Vec<String> {
    let program = rules.program();
    let mut told = Vec::new();
    for procedure in &program.procedures {
        let name = &*procedure.name;
        match rules.ask_decided(name, procedure.decided_for.is_some(), &[]) {
            Err(refused) => told.push(format!("{name}: {refused}")),
            Ok(play) => {
                let steps = &play.machine;
                let states = match procedure.decided_for {
                    Some(_) => Game::compile(steps, Budget::default())
                        .map(|(game, _)| game.states())
                        .map_err(|error| error.to_string()),
                    None => Graph::compile(steps, Budget::default())
                        .map(|graph| {
                            let sum: f64 = solve(&graph).iter().map(|(_, chance)| chance).sum();
                            assert!((sum - 1.0).abs() < 1e-9, "{name}: {sum}");
                            graph.states()
                        })
                        .map_err(|error| error.to_string()),
                };
                if let Some(trouble) = steps.trouble() {
                    told.push(format!("{name}: {trouble}"));
                }
                let code = steps.code();
                let size = (code.ins.len(), code.slots, code.rolls.len());
                eprintln!("{} {name}: {size:?}, {states:?} states", program.name);
                if let Err(error) = states {
                    told.push(format!("{name}: {error}"));
                }
            }
        }
    }
    told
}

#[test]
fn the_rulesets_of_the_project_are_played() {
    for id in ["gbacw", "impact", "acw28", "fireline"] {
        let rules = Rules::new(common::ruleset(id));
        assert_eq!(plays(&rules), Vec::<String>::new());
    }
}

/// Those that are being ported: what cannot be played yet is told, and nothing panics.
#[test]
fn ported_texts_are_played_or_say_why_not() {
    for id in ["elephant"] {
        let rules = Rules::new(common::ported(id));
        for line in plays(&rules) {
            eprintln!("{line}");
        }
    }
}
