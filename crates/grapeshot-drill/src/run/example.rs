//! The tests that stand in a text: trials on scripted dice, and chances that are expected.

use super::{Asked, Play, Refused, Rules};
use crate::message::Message;
use crate::number;
use crate::program::{Example, Expect, Key, KeyAlternative, ProcedureId, Question, Value};
use grapeshot_engine::Dice;
use grapeshot_engine::dice::Roll;
use grapeshot_engine::engine::{Budget, Graph, look_up, play_once, solve};

/// Dice that show what a line of an example says, and remember when it says too little.
struct Script<'a> {
    readings: &'a [i64],
    used: usize,
    missing: bool,
    /// A reading that the dice at hand cannot show.
    impossible: Option<i64>,
}

impl Dice for Script<'_> {
    fn roll(&mut self, roll: &Roll) -> usize {
        let Some(&reading) = self.readings.get(self.used) else {
            self.missing = true;
            return 0;
        };
        self.used += 1;
        let shown = i32::try_from(reading).ok();
        match shown.and_then(|reading| roll.outcome_of_reading(reading)) {
            Some(outcome) => outcome,
            None => {
                self.impossible.get_or_insert(reading);
                0
            }
        }
    }
}

/// A value as a key is given it.
fn given(key: &Key, value: &Value) -> String {
    let word = key.kind.iter().find_map(|alternative| match alternative {
        KeyAlternative::Word(word, known) if known == value => Some(word.to_string()),
        _ => None,
    });
    word.unwrap_or_else(|| match value {
        Value::Flag(flag) => flag.to_string(),
        value => value.fraction().map_or_else(String::new, number::written),
    })
}

impl Rules {
    /// Plays all tests of the text; what does not hold, in the order of the text.
    pub fn failures(&self) -> Vec<Message> {
        self.failures_within(Budget::default())
    }

    /// The same, with a budget for each question that is expected to come to something.
    pub fn failures_within(&self, budget: Budget) -> Vec<Message> {
        let mut failures = Vec::new();
        for example in &self.program.examples {
            self.example(example, &mut failures);
        }
        for expect in &self.program.expects {
            self.expect(expect, budget, &mut failures);
        }
        failures.sort_by_key(|message| (message.span.file, message.span.start));
        failures
    }

    /// Whether a test of one of these procedures fails.
    pub(super) fn fails(&self, of: &[ProcedureId]) -> bool {
        let mut failures = Vec::new();
        for example in &self.program.examples {
            if of.contains(&example.question.procedure) {
                self.example(example, &mut failures);
            }
            if !failures.is_empty() {
                return true;
            }
        }
        for expect in &self.program.expects {
            if of.contains(&expect.question.procedure) {
                self.expect(expect, Budget::default(), &mut failures);
            }
        }
        !failures.is_empty()
    }

    /// A question of a test; its dice one by one, or all at once.
    fn asked(&self, question: &Question, one_by_one: bool) -> Result<Play, Refused> {
        let procedure = &self.program[question.procedure];
        let each = question.given.iter();
        let settings: Vec<(&str, String)> = each
            .map(|(at, value)| {
                let key = &procedure.keys[*at];
                (&*key.name, given(key, value))
            })
            .collect();
        let settings: Vec<(&str, &str)> = settings
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let asked = Asked {
            one_by_one,
            heard: None,
        };
        self.question(procedure, &settings, asked)
    }

    fn example(&self, example: &Example, failures: &mut Vec<Message>) {
        look_up();
        let play = match self.asked(&example.question, true) {
            Ok(play) => play,
            Err(refused) => {
                failures.push(Message::error(example.span, refused.to_string()));
                return;
            }
        };
        for trial in &example.trials {
            look_up();
            let mut dice = Script {
                readings: &trial.dice,
                used: 0,
                missing: false,
                impossible: None,
            };
            let end = play_once(&play.machine, &mut dice);
            let mut fail = |title: String| failures.push(Message::error(trial.span, title));
            if let Some(trouble) = play.machine.trouble() {
                fail(trouble);
                return;
            }
            if let Some(reading) = dice.impossible {
                fail(format!("no dice that are thrown here can show {reading}"));
            } else if dice.missing {
                fail("another die is thrown than the line says".to_owned());
            } else if dice.used < trial.dice.len() {
                let left = trial.dice.len() - dice.used;
                fail(format!(
                    "the trial is over, and {left} of the readings are left"
                ));
            }
            for (report, wanted) in &trial.results {
                let found = play.variables[*report].label(end.row[*report]);
                if found != **wanted {
                    let name = &play.variables[*report].name;
                    fail(format!(
                        "`{name}` comes to {found}, and the line says {wanted}"
                    ));
                }
            }
        }
    }

    fn expect(&self, expect: &Expect, budget: Budget, failures: &mut Vec<Message>) {
        let play = match self.asked(&expect.question, false) {
            Ok(play) => play,
            Err(refused) => {
                failures.push(Message::error(expect.span, refused.to_string()));
                return;
            }
        };
        let graph = match Graph::compile(&play.machine, budget) {
            Ok(graph) => graph,
            Err(error) => {
                failures.push(Message::error(expect.span, error.to_string()));
                return;
            }
        };
        let rows = solve(&graph);
        let variable = &play.variables[expect.report];
        let float = |number: number::Fraction| *number.numer() as f64 / *number.denom() as f64;
        for expected in &expect.chances {
            let (label, wanted) = (&expected.label, expected.chance);
            let with = rows
                .iter()
                .filter(|(end, _)| variable.label(end.row[expect.report]) == **label);
            let found: f64 = with.map(|(_, chance)| chance).sum();
            if (found - float(wanted)).abs() > 1e-12 + float(expected.within) {
                let title = format!(
                    "the chance of {label} is {found:.6}, and not {wanted} ({:.6})",
                    float(wanted)
                );
                failures.push(Message::error(expected.span, title));
            }
        }
    }
}
