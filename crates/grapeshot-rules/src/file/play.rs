//! Procedures of a file as the engines and the deciders take them.
//!
//! They are the plain implementations for any [`Steps`], but for this: when a script went wrong on the
//! way, that is the answer.

use super::declared::Declared;
use super::script::Language;
use super::steps::{Halt, State, WrittenSteps};
use crate::{
    Decide, Decision, Decisions, FixedPlan, Outline, Procedure, RuleError, Setting, Settings, Shown,
};
use grapeshot_engine::dice::{Sampled, Scripted};
use grapeshot_engine::dist::{Favour, Name};
use grapeshot_engine::engine::{
    BestPlay, Budget, Clock, CompileError, DynSteps, End, Game, Graph, Next, Offer, Row, Steps,
    play_once,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the side that asks can want of a procedure with choices, from whom its labels favour.
const GOALS: [&str; 3] = ["win", "hold", "score"];

/// The key by which a procedure with choices is told what is wanted.
pub(super) fn goal_setting() -> Setting {
    let meaning = "what the side that chooses first wants: win, a success; hold, no failure; score, a success counts 1 and a failure -1";
    Setting::one_of("goal", &GOALS, GOALS[0], meaning).from("composed")
}

pub(super) fn procedure(language: &Arc<Language>, declared: Arc<Declared>) -> Procedure {
    let language = Arc::clone(language);
    Procedure {
        name: declared.name.clone(),
        about: declared.about.clone(),
        source: declared.source.clone(),
        composed: declared.composed,
        settings: declared.settings.clone(),
        variables: declared.variables.clone(),
        notes: declared.notes.clone(),
        build: Box::new(move |settings| {
            Ok(Box::new(WrittenPlay(WrittenSteps::new(
                &declared, &language, settings,
            )?)))
        }),
    }
}

/// A procedure in which somebody chooses.
pub(super) fn decision(
    language: &Arc<Language>,
    declared: Arc<Declared>,
    sides: &[Name; 2],
) -> Decision {
    let language = Arc::clone(language);
    let sides = sides.clone();
    let outline = Outline {
        name: declared.name.clone(),
        about: declared.about.clone(),
        source: declared.source.clone(),
        settings: declared.settings.clone(),
        variables: declared.variables.clone(),
        notes: declared.notes.clone(),
    };
    let build = move |settings: &Settings| -> Result<Box<dyn Decide>, RuleError> {
        Ok(Box::new(Sound(Chosen {
            goal: settings.text("goal").into(),
            sides: sides.clone(),
            steps: WrittenSteps::new(&declared, &language, settings)?,
        })))
    };
    Decision::of(outline, Arc::new(build))
}

/// The steps as a play that says when a script went wrong.
struct WrittenPlay(WrittenSteps);

impl DynSteps for WrittenPlay {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        let graph = Graph::compile(&self.0, budget);
        sound(&self.0)?;
        graph
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        for _ in 0..trials {
            let end = self
                .0
                .within_steps(|| play_once(&self.0, &mut Sampled::new(rng)));
            *counts.entry(end).or_default() += 1;
        }
    }

    fn replay(&self, dice: &mut Scripted) -> End {
        self.0.within_steps(|| play_once(&self.0, dice))
    }

    fn phases(&self) -> Vec<&str> {
        Steps::phases(&self.0)
    }

    fn trouble(&self) -> Option<String> {
        self.0.trouble().map(|halt| halt.error().to_string())
    }
}

/// Nothing, if no script went wrong.
fn sound(steps: &WrittenSteps) -> Result<(), CompileError> {
    match steps.trouble() {
        Some(Halt::Wrong(error)) => Err(CompileError::Broken {
            problem: error.to_string(),
        }),
        Some(Halt::Exhausted(error)) => Err(CompileError::Exhausted {
            problem: error.to_string(),
        }),
        None => Ok(()),
    }
}

/// Steps with choices, and what is wanted of them.
struct Chosen {
    steps: WrittenSteps,
    sides: [Name; 2],
    goal: Name,
}

impl Steps for Chosen {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        Steps::phases(&self.steps)
    }

    fn start(&self) -> State {
        self.steps.start()
    }

    fn phase(&self, state: &State) -> usize {
        self.steps.phase(state)
    }

    fn step<D: grapeshot_engine::dice::Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        self.steps.step(state, dice)
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        self.steps.offer(state)
    }

    fn clock(&self) -> Option<Clock> {
        self.steps.clock()
    }

    fn time_up(&self, state: &State) -> Row {
        self.steps.time_up(state)
    }
}

impl Decisions for Chosen {
    fn actions(&self) -> Vec<Name> {
        self.steps.declared.actions.clone()
    }

    fn sides(&self) -> [Name; 2] {
        self.sides.clone()
    }

    fn value(&self, row: &Row) -> f64 {
        let favour = self.steps.declared.variables[0].favour(row[0]);
        let (won, lost) = (
            favour == Some(Favour::Success),
            favour == Some(Favour::Failure),
        );
        match &*self.goal {
            "win" => f64::from(u8::from(won)),
            "hold" => f64::from(u8::from(!lost)),
            _ => f64::from(u8::from(won)) - f64::from(u8::from(lost)),
        }
    }

    fn show(&self, state: &State) -> Shown {
        let fields = self.steps.shown(state).into_iter();
        fields.map(|(name, value)| (name.into(), value)).collect()
    }

    /// One action always, wherever it is offered.
    fn plans(&self) -> Vec<FixedPlan> {
        let own = self.steps.declared.own_actions();
        let actions = self.steps.declared.actions.iter();
        (0u16..)
            .zip(actions)
            .filter(|(number, _)| own.contains(number))
            .map(|(number, action)| {
                FixedPlan::new(format!("always {action}"), move |_, offered| {
                    offered.contains(&number).then_some(number)
                })
            })
            .collect()
    }
}

/// Choices that say when a script went wrong.
struct Sound(Chosen);

impl Decide for Sound {
    fn compile(&self, budget: Budget) -> Result<(Game, Vec<Shown>), CompileError> {
        let game = Decide::compile(&self.0, budget);
        sound(&self.0.steps)?;
        game
    }

    fn play(
        &self,
        game: &Game,
        play: &BestPlay,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    ) {
        Decide::play(&self.0, game, play, rng, trials, counts);
    }

    fn phases(&self) -> Vec<&str> {
        Steps::phases(&self.0)
    }

    fn actions(&self) -> Vec<Name> {
        Decisions::actions(&self.0)
    }

    fn sides(&self) -> [Name; 2] {
        Decisions::sides(&self.0)
    }

    fn value(&self, row: &Row) -> f64 {
        Decisions::value(&self.0, row)
    }

    fn plans(&self) -> Vec<FixedPlan> {
        Decisions::plans(&self.0)
    }
}
