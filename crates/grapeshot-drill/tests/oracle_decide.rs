//! Drill's decisions against those of the program with the hand-written rules: what best play is worth, what every action
//! and plan is, and the policy state by state, as it is shown.
//!
//! Ignored unless `GRAPESHOT_ORACLE` names that program; see `oracle.rs`.

mod common;

use common::oracle::{Draw, difference, marginals, question_of, theirs};
use common::{ported, ruleset};
use grapeshot_drill::program::Program;
use grapeshot_drill::run::{Play, Rules, Shown};
use grapeshot_engine::Chooser;
use grapeshot_engine::engine::{BestPlay, Budget, Game, solve};
use serde_json::{Map, Value};
use std::process::Command;

/// A question, decided.
struct Decided<'p> {
    play: &'p Play,
    game: Game,
    best: BestPlay,
    /// The state of each choice, as it is shown.
    shown: Vec<Value>,
}

fn shown(play: &Play, state: &grapeshot_drill::run::State) -> Value {
    let each = play.show(state).into_iter().map(|(name, value)| {
        let value = match value {
            Shown::Flag(flag) => Value::from(flag),
            Shown::Whole(number) => Value::from(number),
            Shown::Number(number) => Value::from(number),
            Shown::Word(word) => Value::from(word),
        };
        (name.to_owned(), value)
    });
    Value::Object(each.collect::<Map<_, _>>())
}

fn decided(play: &Play) -> Decided<'_> {
    let budget = Budget { states: 3_000_000 };
    let (game, states) = Game::compile(&play.machine, budget).expect("it fits");
    let best = game.best(|row| play.worth(row).expect("an end is worth something"));
    assert_eq!(play.machine.trouble(), None);
    let shown = states.iter().map(|state| shown(play, state)).collect();
    Decided {
        play,
        game,
        best,
        shown,
    }
}

fn close(ours: f64, theirs: &Value) -> bool {
    theirs
        .as_f64()
        .is_some_and(|theirs| (ours - theirs).abs() < 1e-12)
}

impl Decided<'_> {
    fn label(&self, action: u16) -> &str {
        self.play
            .actions()
            .nth(usize::from(action))
            .expect("an action")
    }

    /// What differs between this and an answer of the program.
    fn differs(&self, answer: &Value) -> Option<String> {
        if !close(self.best.value, &answer["value"]) {
            return Some(format!(
                "worth {}, not {}",
                self.best.value, answer["value"]
            ));
        }
        let rows = solve(&self.game.collapse(&self.best));
        difference(&marginals(&self.play.variables, &rows), &theirs(answer))
            .or_else(|| self.actions_differ(answer))
            .or_else(|| self.plans_differ(answer))
            .or_else(|| self.policy_differs(answer))
    }

    fn actions_differ(&self, answer: &Value) -> Option<String> {
        let actions = self.game.first_actions(&self.best);
        let here: Vec<(&str, f64)> = actions
            .into_iter()
            .map(|action| (self.label(action), self.game.held(&self.best, action)))
            .collect();
        let there = answer["actions"].as_array().expect("actions");
        let same = here.len() == there.len()
            && here.iter().zip(there).all(|((name, value), other)| {
                other["action"] == *name && close(*value, &other["value"])
            });
        (!same).then(|| format!("actions {here:?}, not {there:?}"))
    }

    fn plans_differ(&self, answer: &Value) -> Option<String> {
        let there = answer["plans"].as_array().expect("plans");
        let plans = self.play.plans();
        if plans.len() != there.len() {
            return Some(format!("{} plans, not {}", plans.len(), there.len()));
        }
        for (plan, other) in plans.iter().zip(there) {
            let under = self.game.best_under(
                |row| self.play.worth(row).expect("it is worth something"),
                |turn, choice| {
                    let choice = &self.game.choices()[choice];
                    if choice.chooser != Chooser::Asking {
                        return None;
                    }
                    let action = plan.takes(turn, &choice.actions)?;
                    choice.actions.iter().position(|&offered| offered == action)
                },
            );
            if other["plan"] != *plan.name || !close(under.value, &other["value"]) {
                return Some(format!("plan {} {}, not {other}", plan.name, under.value));
            }
        }
        None
    }

    /// Every state of the program's policy is one of ours, in its turn, with its action and its value.
    fn policy_differs(&self, answer: &Value) -> Option<String> {
        let sides = self.play.sides().expect("somebody decides");
        let first = self.game.turns().1;
        for line in answer["policy"].as_array().expect("a policy") {
            // What is played in no turns is listed under the first.
            let turn = line["turn"].as_u64().expect("a turn") as u16;
            let turn = usize::from(turn - first).min(self.game.turns().0 - 1);
            let same = |(at, state): (usize, &Value)| {
                let choice = &self.game.choices()[at];
                let asks = choice.chooser == Chooser::Asking;
                let taken = choice.actions[self.best.taken(turn, at)];
                line["side"] == sides[usize::from(!asks)]
                    && line["state"] == *state
                    && line["action"] == *self.label(taken)
                    && close(self.best.value_at(&self.game, turn, at), &line["value"])
            };
            if !self.shown.iter().enumerate().any(same) {
                return Some(format!("no such state: {line}"));
            }
        }
        None
    }
}

fn compare(id: &str, program: Program, procedure: &str) {
    let oracle = std::env::var("GRAPESHOT_ORACLE").expect("GRAPESHOT_ORACLE names a program");
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let rules = Rules::new(program);
    let decided_one = rules.program().procedure(procedure, true);
    let keys = rules.program()[decided_one.expect("a decision")]
        .keys
        .clone();
    let mut draw = Draw(number("ORACLE_SEED").unwrap_or(1863));
    let mut wrong = Vec::new();
    let (mut states, mut most, mut compared) = (0, 0, 0);
    for _ in 0..number("ORACLE_ROUNDS").unwrap_or(20) {
        let given = question_of(&keys, &mut draw);
        let command: Vec<String> = given.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let output = Command::new(&oracle)
            .args([
                "decide", id, procedure, "--method", "exact", "--format", "json",
            ])
            .args(&command)
            .output()
            .expect("the oracle runs");
        let asked = command.join(" ");
        let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) else {
            // It has a fault of its own, which is not ours to compare with.
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().next().unwrap_or("");
            if !first.contains(" is refused: ") {
                eprintln!("no answer to {asked}: {first}");
            }
            continue;
        };
        let borrowed: Vec<(&str, &str)> = given
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let play = match rules.ask_decided(procedure, true, &borrowed) {
            Ok(play) => play,
            Err(refused) => {
                wrong.push(format!("{asked}\n  refused: {refused}"));
                continue;
            }
        };
        let decided = decided(&play);
        states += decided.game.states();
        most = most.max(decided.game.states());
        compared += 1;
        if let Some(problem) = decided.differs(&answer) {
            wrong.push(format!("{asked}\n  {problem}"));
        }
    }
    eprintln!(
        "{id} {procedure}: {compared} decisions compared; {states} states in all, {most} at most"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(8)].join("\n")
    );
}

#[test]
#[ignore = "needs the program to compare with"]
fn a_standoff_is_decided_as_by_the_hand_written_rules() {
    compare("gbacw", ruleset("gbacw"), "standoff");
}

#[test]
#[ignore = "needs the program to compare with"]
fn a_standoff_of_elephant_is_decided_as_by_the_hand_written_rules() {
    compare("elephant", ported("elephant"), "standoff");
    compare("elephant", ported("elephant"), "charge");
}

#[test]
#[ignore = "needs the program to compare with"]
fn a_decision_of_acw28_is_made_as_by_the_hand_written_rules() {
    compare("acw28", ruleset("acw28"), "approach");
    compare("acw28", ruleset("acw28"), "standoff");
}
