//! A question of a text, written out only when somebody wants its answer: most questions that an audit or a sweep thinks of
//! are asked no more than whether the rules allow them.

use super::given;
use crate::{RuleError, Settings};
use grapeshot_drill::program::ProcedureId;
use grapeshot_drill::run::{Allowed, Play, Rules};
use grapeshot_engine::dice::Scripted;
use grapeshot_engine::engine::{Budget, CompileError, DynSteps, End, Graph, Note, Row};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// What is known of a question before it is written out.
enum Table {
    /// It was asked before: what has to be said with its answer.
    Known(Vec<Note>),
    /// Its table is set, from which it is written out.
    Set(Box<Allowed>),
}

/// A question that the rules allow.
pub(super) struct AskedText {
    rules: Arc<Rules>,
    procedure: ProcedureId,
    settings: Settings,
    table: Table,
    play: OnceLock<Result<Play, String>>,
}

impl AskedText {
    /// # Errors
    /// If the rules refuse the settings.
    pub(super) fn new(
        rules: &Arc<Rules>,
        procedure: ProcedureId,
        settings: &Settings,
    ) -> Result<Self, RuleError> {
        let known = given(settings, |given| Ok(rules.at_hand(procedure, given)))?;
        let (table, play) = match known {
            Some(play) => (
                Table::Known(DynSteps::notes(&play)),
                OnceLock::from(Ok(play)),
            ),
            None => {
                let allowed = given(settings, |given| rules.allows(procedure, given))?;
                (Table::Set(Box::new(allowed)), OnceLock::new())
            }
        };
        Ok(AskedText {
            rules: Arc::clone(rules),
            procedure,
            settings: settings.clone(),
            table,
            play,
        })
    }

    fn play(&self) -> Result<&Play, &String> {
        let made = self.play.get_or_init(|| {
            let asked = given(&self.settings, |given| match &self.table {
                Table::Set(allowed) => self.rules.ask_allowed(self.procedure, given, allowed),
                Table::Known(_) => self.rules.ask_id(self.procedure, given),
            });
            asked.map_err(|error| error.to_string())
        });
        made.as_ref()
    }
}

impl DynSteps for AskedText {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        match self.play() {
            Ok(play) => play.compile(budget),
            Err(problem) => Err(CompileError::Broken {
                problem: problem.clone(),
            }),
        }
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        match self.play() {
            Ok(play) => DynSteps::play(play, rng, trials, counts),
            // It is told as trouble.
            Err(_) => {
                let end = End {
                    row: Row::default(),
                    phase: 0,
                };
                *counts.entry(end).or_default() += trials;
            }
        }
    }

    fn replay(&self, dice: &mut Scripted) -> End {
        match self.play() {
            Ok(play) => play.replay(dice),
            Err(_) => End {
                row: Row::default(),
                phase: 0,
            },
        }
    }

    fn phases(&self) -> Vec<&str> {
        self.play().map_or(Vec::new(), DynSteps::phases)
    }

    fn trouble(&self) -> Option<String> {
        match self.play.get()? {
            Ok(play) => play.trouble(),
            Err(problem) => Some(problem.clone()),
        }
    }

    fn notes(&self) -> Vec<Note> {
        match &self.table {
            Table::Known(notes) => notes.clone(),
            Table::Set(allowed) => allowed.notes().to_vec(),
        }
    }
}
