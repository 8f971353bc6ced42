//! Which engine answers, and how long it goes on.

use super::graph::{Budget, CompileError, Graph};
use super::playout::{DynPlayout, MarginalCounts};
use super::simulate::{Batches, Engine, Watch, simulate_batches};
use super::{End, Note, Relabelling, Steps, Stream, batch_range, direct, solve};
use crate::dice::Scripted;
use crate::dist::{Distribution, Variable};
use crate::stats::wilson;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// Steps without their type: what the engines need of a procedure, at the grain of a batch.
pub trait DynSteps: Send + Sync {
    /// Compiles the steps.
    ///
    /// # Errors
    /// See [`Graph::compile`].
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError>;

    /// Plays trials directly.
    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>);

    /// Plays one trial on dice that show what they are told.
    fn replay(&self, dice: &mut Scripted) -> End;

    /// The names of the phases.
    fn phases(&self) -> Vec<&str>;

    /// What went wrong in rule code that was read from a file, whatever it was asked for.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// The procedure as one that is played out, if it has no steps to compile.
    fn played_out(&self) -> Option<&dyn DynPlayout> {
        None
    }

    /// What a finished row is worth to the side that asks, where something is decided.
    fn worth(&self, _row: &super::Row) -> Option<f64> {
        None
    }

    /// What has to be said with an answer, beside the numbers.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }

    /// How finished rows are to be read, where the procedure's own variables will not do.
    fn relabelling(&self) -> Option<&Relabelling> {
        None
    }
}

impl<S: Steps> DynSteps for S {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        Graph::compile(self, budget)
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        direct::play(self, rng, trials, counts);
    }

    fn replay(&self, dice: &mut Scripted) -> End {
        direct::play_once(self, dice)
    }

    fn phases(&self) -> Vec<&str> {
        Steps::phases(self)
    }

    fn notes(&self) -> Vec<Note> {
        Steps::notes(self)
    }
}

/// Which engine is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Solve when the graph fits its budget, else simulate.
    #[default]
    Auto,
    /// Solve, or fail.
    Exact,
    /// Simulate.
    Simulate,
}

/// When a simulation stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stop {
    /// After this many trials.
    Trials(u64),
    /// When the 95 % half-width of every value of the headline variable is at most this, or after
    /// so many trials.
    Precision {
        /// The half-width.
        half_width: f64,
        /// The bound.
        at_most: u64,
    },
}

impl Stop {
    /// The most trials a precision may take if nothing is said.
    const MOST: u64 = 1_000_000_000;

    /// When every value is known so well, or after so many trials.
    pub fn until(half_width: f64, at_most: Option<u64>) -> Self {
        Stop::Precision {
            half_width,
            at_most: at_most.unwrap_or(Stop::MOST),
        }
    }
}

/// How a question is to be answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The engine.
    pub method: Method,
    /// The end of a simulation.
    pub stop: Stop,
    /// The random streams of a simulation.
    pub stream: Stream,
}

/// The ends of a procedure with their weights: probabilities, or counts of trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Solved.
    Exact(#[serde(with = "super::batch_range::bits")] Vec<(End, f64)>),
    /// Sampled.
    Simulated {
        /// Counts by end.
        tally: Vec<(End, u64)>,
        /// Their sum.
        trials: u64,
        /// Set when the graph was too large and steps were played directly.
        direct: bool,
    },
    /// Sampled, each variable counted by itself.
    PlayedOut {
        /// The counts.
        counts: MarginalCounts,
        /// How many trials.
        trials: u64,
    },
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The exact method was asked for and does not fit.
    #[error("{0}, so it cannot be solved exactly within its budget")]
    Budget(CompileError),
    /// The exact method was asked for and there is no graph.
    #[error("it cannot be solved exactly: {0}")]
    NeverSolved(String),
    /// Best play was asked for and does not fit.
    #[error("{0}, so it cannot be decided within its budget; take fewer turns or smaller units")]
    Undecided(CompileError),
    /// The steps cannot be played at all.
    #[error(transparent)]
    Steps(CompileError),
}

impl Answer {
    /// Whether the graph was over its budget, and the steps were played directly.
    pub fn is_direct(&self) -> bool {
        matches!(self, Answer::Simulated { direct: true, .. })
    }

    /// The answer as a distribution of these variables.
    pub fn distribution(
        self,
        variables: Vec<Variable>,
        phases: &[&str],
        seed: u64,
    ) -> Distribution {
        match self {
            Answer::Exact(rows) => Distribution::solved(variables, phases, rows),
            Answer::Simulated { tally, trials, .. } => {
                Distribution::counted(variables, phases, tally, (trials, seed))
            }
            Answer::PlayedOut { counts, trials } => Distribution::counted_by_variable(
                variables,
                phases,
                counts.values(),
                counts.stages(),
                (trials, seed),
            ),
        }
    }
}

/// A play and its graph, if the graph fits its budget: compiled once, for whatever is asked of it.
pub struct Compiled<'a> {
    play: &'a dyn DynSteps,
    graph: Result<Graph, EngineError>,
}

impl std::fmt::Debug for Compiled<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled")
            .field("graph", &self.graph)
            .finish_non_exhaustive()
    }
}

impl<'a> Compiled<'a> {
    /// Compiles a play.
    ///
    /// # Errors
    /// If the steps run in circles.
    pub fn new(play: &'a dyn DynSteps, budget: Budget) -> Result<Self, EngineError> {
        super::above().asked();
        if let Some(playout) = play.played_out() {
            let graph = Err(EngineError::NeverSolved(playout.why_never_solved()));
            return Ok(Compiled { play, graph });
        }
        let graph = match play.compile(budget) {
            Ok(graph) => Ok(graph),
            Err(too_large @ (CompileError::TooLarge { .. } | CompileError::TooWide { .. })) => {
                Err(EngineError::Budget(too_large))
            }
            Err(other) => return Err(EngineError::Steps(other)),
        };
        Ok(Compiled { play, graph })
    }

    /// Answers by the engine the plan asks for.
    ///
    /// # Errors
    /// If the exact method is asked for and there is no graph within the budget.
    pub fn answer(self, plan: &Plan, watch: &Watch) -> Result<Answer, EngineError> {
        match self.is_solved_by(plan.method) {
            true => self.exact(),
            false => Ok(self.simulated(plan, watch)),
        }
    }

    /// Solves it.
    ///
    /// # Errors
    /// If there is no graph within the budget.
    pub fn exact(&self) -> Result<Answer, EngineError> {
        let graph = self.graph.as_ref().map_err(Clone::clone)?;
        Ok(Answer::Exact(read(self.play.relabelling(), solve(graph))))
    }

    /// Whether this method solves it, or tries to.
    pub fn is_solved_by(&self, method: Method) -> bool {
        match method {
            Method::Exact => true,
            Method::Auto => self.graph.is_ok(),
            Method::Simulate => false,
        }
    }

    /// Whether it can be solved: the graph fits its budget.
    pub fn is_solvable(&self) -> bool {
        self.graph.is_ok()
    }

    /// Simulates it: walks the graph, or plays the steps themselves where there is none.
    pub fn simulated(self, plan: &Plan, watch: &Watch) -> Answer {
        let (half_width, at_most) = match plan.stop {
            Stop::Trials(trials) => (None, trials),
            Stop::Precision {
                half_width,
                at_most,
            } => (Some(half_width), at_most),
        };
        self.sampled(|engine, reading| match (half_width, watch.hears()) {
            // All at once: nobody looks in between.
            (None, None) => batch_range::play(engine, plan.stream, 0..at_most, at_most, watch),
            _ => in_rounds(engine, reading, plan.stream, half_width, at_most, watch),
        })
    }

    /// Plays only these of so many trials: what one machine of several does. The range begins where a
    /// piece does, and ends where one does or with the last trial.
    pub fn batch_range(
        self,
        stream: Stream,
        batch_range: Range<u64>,
        trials: u64,
        watch: &Watch,
    ) -> Answer {
        self.sampled(|engine, _| batch_range::play(engine, stream, batch_range, trials, watch))
    }

    /// Plays trials by the engine there is for it, and reads what they came to.
    fn sampled(
        self,
        play: impl FnOnce(&Engine<'_>, Option<&Relabelling>) -> (u64, Batches),
    ) -> Answer {
        let reading = self.play.relabelling();
        let engine = match (self.play.played_out(), self.graph) {
            (Some(playout), _) => Engine::PlayedOut(playout),
            (None, Ok(graph)) => Engine::walk(graph),
            (None, Err(_)) => Engine::direct(self.play),
        };
        let (trials, counts) = play(&engine, reading);
        if let Engine::PlayedOut(_) = engine {
            let counts = counts.into_marginals();
            return Answer::PlayedOut { counts, trials };
        }
        Answer::Simulated {
            tally: read(reading, engine.tally(counts)),
            trials,
            direct: matches!(engine, Engine::Direct(_)),
        }
    }
}

/// Ends as they are to be read; those that read alike are one.
fn read<W>(reading: Option<&Relabelling>, ends: Vec<(End, W)>) -> Vec<(End, W)>
where
    W: Copy + Default + std::ops::AddAssign,
{
    let Some(reading) = reading else {
        return ends;
    };
    let mut merged: BTreeMap<End, W> = BTreeMap::new();
    for (end, weight) in ends {
        let row = (reading.row)(&end.row);
        *merged.entry(End { row, ..end }).or_default() += weight;
    }
    merged.into_iter().collect()
}

/// Goes on in rounds that grow by half, so that where it stops depends on the draws alone: at so good a precision, if
/// one is wanted, or after so many trials.
fn in_rounds(
    engine: &Engine<'_>,
    reading: Option<&Relabelling>,
    stream: Stream,
    half_width: Option<f64>,
    at_most: u64,
    watch: &Watch,
) -> (u64, Batches) {
    let size = engine.batch_size();
    let most = at_most.div_ceil(size);
    let mut counts = engine.nothing();
    let mut done = 0;
    loop {
        let upto = (done + (done / 2).max(4)).min(most);
        counts = counts.merge(simulate_batches(engine, stream, done..upto, at_most, watch));
        done = upto;
        let trials = (done * size).min(at_most);
        let as_read = |end: &End| reading.map_or(end.row[0], |reading| (reading.row)(&end.row)[0]);
        let headline = engine.headline(&counts, as_read);
        let is_known = half_width.is_some_and(|wanted| widest(&headline, trials) <= wanted);
        if done == most || watch.stopped() || is_known {
            return (trials, counts);
        }
        if let Some(hears) = watch.hears() {
            hears(&headline, trials);
        }
    }
}

fn widest(headline: &FxHashMap<u16, u64>, trials: u64) -> f64 {
    headline
        .values()
        .map(|&count| {
            let (low, high) = wilson(count, trials);
            (high - low) / 2.0
        })
        .fold(0.0, f64::max)
}
