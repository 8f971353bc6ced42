//! A procedure of a text in which somebody chooses.

use super::{ask, schema};
use crate::decision::play_by;
use crate::{Decide, Decision, FixedPlan, Outline, RuleError, Settings, Shown, TableFile, Value};
use grapeshot_drill::program::ProcedureId;
use grapeshot_drill::run::{self, Play, Rules};
use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::{BestPlay, Budget, CompileError, DynSteps, End, Game, Row};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A procedure of a text that somebody decides.
///
/// # Errors
/// If it asks what no command could.
pub(super) fn decision(
    rules: &Arc<Rules>,
    id: ProcedureId,
    tables: &TableFile,
) -> Result<Decision, RuleError> {
    let program = rules.program();
    let written = &program[id];
    let outline = Outline {
        name: (&*written.name).into(),
        about: (&*written.about).into(),
        source: (&*written.source).into(),
        settings: schema::settings(program, written, tables)?,
        variables: rules.variables(written),
        notes: written.remarks().map(ToOwned::to_owned).collect(),
    };
    let rules = Arc::clone(rules);
    let build = move |settings: &Settings| {
        let play = ask(&rules, id, settings)?;
        Ok(Box::new(DecidedText(play)) as Box<dyn Decide>)
    };
    Ok(Decision::of(outline, Arc::new(build)))
}

/// A question in which somebody chooses.
struct DecidedText(Play);

impl Decide for DecidedText {
    fn compile(&self, budget: Budget) -> Result<(Game, Vec<Shown>), CompileError> {
        let compiled = Game::compile(&self.0.machine, budget);
        if let Some(problem) = self.0.trouble() {
            return Err(CompileError::Broken { problem });
        }
        let (game, states) = compiled?;
        let shown = states.iter().map(|state| shown(self.0.show(state)));
        Ok((game, shown.collect()))
    }

    fn play(
        &self,
        game: &Game,
        play: &BestPlay,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    ) {
        play_by(&self.0.machine, (game, play), rng, trials, counts);
    }

    fn phases(&self) -> Vec<&str> {
        DynSteps::phases(&self.0)
    }

    fn actions(&self) -> Vec<Name> {
        self.0.actions().map(Name::from).collect()
    }

    fn sides(&self) -> [Name; 2] {
        self.0.sides().unwrap_or(["a", "b"]).map(Name::from)
    }

    fn value(&self, row: &Row) -> f64 {
        self.0.worth(row).unwrap_or_default()
    }

    fn plans(&self) -> Vec<FixedPlan> {
        let plans = self.0.plans().iter().cloned();
        plans
            .map(|plan| {
                FixedPlan::new(plan.name.clone(), move |turn, offered| {
                    plan.takes(turn, offered)
                })
            })
            .collect()
    }
}

fn shown(state: Vec<(&str, run::Shown)>) -> Shown {
    let value = |shown| match shown {
        run::Shown::Flag(flag) => Value::Flag(flag),
        run::Shown::Whole(number) => Value::Whole(number),
        run::Shown::Number(number) => Value::Real(number),
        run::Shown::Word(word) => Value::from(word),
    };
    let state = state.into_iter();
    state
        .map(|(name, shown)| (name.into(), value(shown)))
        .collect()
}
