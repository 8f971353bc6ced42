//! Every procedure of the texts at hand becomes code with all its keys at their defaults, and is solved; what is only simulated is
//! played.

mod common;

use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{Budget, DynPlayout, Game, Graph, Stream, solve};

fn plays(rules: &Rules) -> Vec<String> {
    let program = rules.program();
    let mut told = Vec::new();
    for procedure in &program.procedures {
        let name = &*procedure.name;
        if procedure.simulated {
            match rules.play_out(name, &[]) {
                Err(refused) => told.push(format!("{name}: {refused}")),
                Ok(direct) => {
                    direct.ends(Stream::common(1863), 0, 20);
                    told.extend(direct.trouble().map(|trouble| format!("{name}: {trouble}")));
                }
            }
            continue;
        }
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
    for id in ["elephant", "gbacw", "acw28", "impact", "fireline"] {
        let rules = Rules::new(common::ruleset(id));
        assert_eq!(plays(&rules), Vec::<String>::new());
    }
}
