//! One question, one answer.
//!
//! A [`Question`] says what is asked and [`Options`] how it is to be answered; [`Answered`] is what comes
//! of it. Between the two stands a [`ReadyQuestion`], its names looked up and its settings complete. Whoever asks
//! often loads a ruleset once, makes a [`Situation`] of each of the settings and answers that: tables are loaded,
//! a procedure is built and its graph is compiled once each.

use super::fight::RawSettings;
use super::{LoadedRuleset, Procedure, RuleError, Ruleset, Settings, Value, Variant, find};
use grapeshot_engine::dist::{Distribution, Name, Quantity, Scores, Trials, Variable};
use grapeshot_engine::engine::{
    Answer, Budget, Chapter, CompileError, Compiled, DynSteps, End, EngineError, Method, Note,
    Plan, Stop, Stream, Watch, row, trial_by_trial,
};
use grapeshot_engine::plain;
use serde::Serialize;
use std::sync::Arc;

/// Keys and values as they were given: typed in a file, or text that the schema will read.
pub type Given = Vec<(String, Value)>;

/// What is asked: a procedure of a ruleset, with what is said about it and the variants of its tables.
#[derive(Debug, Clone)]
pub struct Question {
    /// The ruleset.
    pub ruleset: Arc<Ruleset>,
    /// What is said: the procedure, and settings by a file and by words, which beat it.
    pub said: RawSettings,
    /// Variants laid over the tables; later ones win.
    pub variants: Vec<Variant>,
}

impl Question {
    /// A procedure of a ruleset that is part of the program, with nothing set.
    ///
    /// # Errors
    /// If there is no such ruleset.
    pub fn new(rules: &str, procedure: &str) -> Result<Self, RuleError> {
        let said = RawSettings {
            procedure: Some(procedure.into()),
            ..RawSettings::default()
        };
        Ok(Question::of(find(rules)?, said))
    }

    /// What was said, of a ruleset that is found already.
    pub fn of(ruleset: Arc<Ruleset>, said: RawSettings) -> Self {
        Question {
            ruleset,
            said,
            variants: Vec::new(),
        }
    }

    /// The same with a key set.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.said.words.push((key.into(), value.into()));
        self
    }

    /// The same with a variant laid over the tables.
    #[must_use]
    pub fn under(mut self, variant: Variant) -> Self {
        self.variants.push(variant);
        self
    }

    /// The ruleset with the variants laid over its tables: for asking more than once.
    ///
    /// # Errors
    /// If a variant does not fit.
    pub fn load(&self) -> Result<LoadedRuleset, RuleError> {
        self.ruleset.load(&self.variants)
    }

    /// The procedure; empty where the question is about the ruleset as a whole.
    pub fn procedure(&self) -> &str {
        self.said.procedure.as_deref().unwrap_or_default()
    }

    /// What is said of it in the words of a procedure, and what has to be said about that under the answer.
    ///
    /// # Errors
    /// If a fight has a key or a value that nobody knows, or that this procedure has no equivalent for.
    pub fn heard(
        &self,
        loaded: &LoadedRuleset,
        procedure: &Procedure,
    ) -> Result<(Given, Option<String>), RuleError> {
        let heard = self.said.to(loaded, procedure)?;
        let note = heard.note(&self.said, &procedure.name);
        Ok((heard.given, note))
    }

    /// Loads the ruleset, finds the procedure and completes the settings.
    ///
    /// # Errors
    /// If a name, a key or a value is unknown.
    pub fn ready(&self) -> Result<ReadyQuestion, RuleError> {
        let loaded = self.load()?;
        let procedure = loaded.procedure(self.procedure())?;
        let (given, unused) = self.heard(&loaded, procedure)?;
        Ok(ReadyQuestion {
            unused,
            settings: procedure.resolve(given)?,
            procedure: procedure.name.clone(),
            loaded,
        })
    }

    /// Asks it.
    ///
    /// # Errors
    /// If a name, a key or a value is unknown, the rules refuse the settings, or the engine cannot answer.
    pub fn ask(&self, options: &Options) -> Result<Answered, OddsError> {
        let situation = self.ready()?.situation()?;
        options.on_threads(|| situation.answer(options))
    }
}

/// A question whose names are looked up and whose settings are complete.
#[derive(Debug)]
pub struct ReadyQuestion {
    /// The ruleset with the variants laid over its tables.
    pub loaded: LoadedRuleset,
    procedure: Name,
    /// The settings, complete.
    pub settings: Settings,
    /// What has to be said about the fight it was asked of.
    pub unused: Option<String>,
}

impl ReadyQuestion {
    /// The procedure.
    ///
    /// # Panics
    /// Never: it was found when the question was made ready.
    pub fn procedure(&self) -> &Procedure {
        let found = self.loaded.procedure(&self.procedure);
        found.expect("it was found before")
    }

    /// Makes the steps.
    ///
    /// # Errors
    /// If the rules refuse the settings.
    pub fn situation(&self) -> Result<Situation, RuleError> {
        self.procedure().situation(self.settings.clone())
    }
}

/// How questions are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The engine.
    pub method: Method,
    /// When a simulation stops.
    pub stop: Stop,
    /// The seed of a simulation.
    pub seed: u64,
    /// Whether questions that share a seed share their dice.
    pub common_dice: bool,
    /// The size a graph may have.
    pub budget: Budget,
    /// Threads; all cores if it is not said. The answer does not depend on it.
    pub threads: Option<u16>,
}

impl Default for Options {
    /// Solved if the graph fits its budget, else a million trials.
    fn default() -> Self {
        Options {
            method: Method::Auto,
            stop: Stop::Trials(1_000_000),
            seed: 1863,
            common_dice: false,
            budget: Budget::default(),
            threads: None,
        }
    }
}

impl Options {
    /// Solved, or refused.
    pub fn exact() -> Self {
        Options {
            method: Method::Exact,
            ..Options::default()
        }
    }

    /// For many questions that are compared: solved where that fits, else simulated on the same dice, so
    /// that two answers differ by what was changed and not by luck.
    pub fn compared(trials: u64) -> Self {
        Options {
            stop: Stop::Trials(trials),
            common_dice: true,
            ..Options::default()
        }
    }

    /// Runs a job on as many threads as are asked for.
    ///
    /// # Panics
    /// If the system gives no threads.
    pub fn on_threads<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        match self.threads {
            None => job(),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
                pool.build().expect("threads to work on").install(job)
            }
        }
    }
}

/// A procedure under settings that the rules allow, its steps made.
pub struct Situation {
    procedure: Name,
    pub(super) variables: Vec<Variable>,
    settings: Settings,
    pub(super) play: Box<dyn DynSteps>,
}

impl std::fmt::Debug for Situation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Situation")
            .field("procedure", &self.procedure)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Situation {
    pub(super) fn new(procedure: &Procedure, settings: Settings) -> Result<Self, RuleError> {
        let play = (procedure.build)(&settings)?;
        let variables = match play.relabelling() {
            Some(reading) => &reading.variables,
            None => &procedure.variables,
        };
        Ok(Situation {
            procedure: procedure.name.clone(),
            variables: variables.clone(),
            settings,
            play,
        })
    }

    /// The settings, complete.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether it is played out trial by trial, with no steps that could be solved.
    pub fn is_played_out(&self) -> bool {
        self.play.played_out().is_some()
    }

    /// What has to be said with the answer: assumptions that enter, settings that make no difference, a
    /// weapon that does not reach.
    pub fn notes(&self) -> Vec<Note> {
        let read = self
            .play
            .relabelling()
            .map_or(&[][..], |reading| &reading.notes);
        read.iter().cloned().chain(self.play.notes()).collect()
    }

    /// Answers it.
    ///
    /// # Errors
    /// If the engine cannot.
    pub fn answer(&self, options: &Options) -> Result<Answered, OddsError> {
        self.answer_watched(options, &Watch::default())
    }

    /// The same, with somebody looking on.
    ///
    /// # Errors
    /// If the engine cannot.
    pub fn answer_watched(&self, options: &Options, watch: &Watch) -> Result<Answered, OddsError> {
        let compiled = self.compiled(options)?;
        // What is solved draws nothing, so it needs no stream.
        let answer = match compiled.is_solved_by(options.method) {
            true => compiled.exact()?,
            false => compiled.simulated(&self.plan(options), watch),
        };
        self.sound()?;
        Ok(self.answered(options, answer))
    }

    /// Its graph, as far as it is worth making: who only wants a few trials does not wait for a large one. Best play is
    /// read off the graph, so it is made for that whatever it costs.
    pub(super) fn compiled(&self, options: &Options) -> Result<Compiled<'_>, OddsError> {
        let play = self.play.as_ref();
        if let (Method::Simulate, Stop::Trials(trials)) = (options.method, options.stop) {
            match Compiled::new(play, options.budget.to_walk(trials)) {
                Err(EngineError::Steps(CompileError::Undecided { .. })) => {}
                made => return Ok(made?),
            }
        }
        Ok(Compiled::new(play, options.budget)?)
    }

    /// Looks on while it is simulated, and tells what the headline comes to as the trials grow.
    pub fn telling(&self, tell: impl Fn(&Distribution) + Send + Sync + 'static) -> Watch {
        let headline = self.variables[0].clone();
        Watch::hearing(Box::new(move |counts, trials| {
            let end = |(&value, &count): (&u16, &u64)| {
                let (row, phase) = (row(&[value]), 0);
                (End { row, phase }, count)
            };
            let counts = counts.iter().map(end).collect();
            let variables = vec![headline.clone()];
            tell(&Distribution::counted(
                variables,
                &[""],
                counts,
                (trials, 0),
            ));
        }))
    }

    /// What the engine found, with everything that has to be said with it.
    pub(super) fn answered(&self, options: &Options, answer: Answer) -> Answered {
        // Who asks for a simulation need not hear that there is no graph.
        let direct = answer.is_direct() && options.method == Method::Auto;
        let mut notes = self.notes();
        if let (Method::Auto, Some(why)) = (options.method, self.why_never_solved()) {
            let why = format!("it cannot be solved exactly: {why}");
            notes.push(Note::remark("simulated", why));
        }
        Answered {
            settings: self.settings.clone(),
            odds: self.told(options, answer),
            notes,
            direct,
        }
    }

    /// What the engine found as a distribution of what the procedure reports.
    pub(super) fn told(&self, options: &Options, answer: Answer) -> Distribution {
        answer
            .distribution(self.variables.clone(), &self.play.phases(), options.seed)
            .valued(|row| self.play.worth(row))
    }

    /// Solved and simulated, from one graph.
    ///
    /// # Errors
    /// If it cannot be solved.
    pub fn both(
        &self,
        options: &Options,
        watch: &Watch,
    ) -> Result<(Distribution, Distribution), OddsError> {
        let compiled = Compiled::new(self.play.as_ref(), options.budget)?;
        let exact = self.told(options, compiled.exact()?);
        let simulated = compiled.simulated(&self.plan(options), watch);
        Ok((exact, self.told(options, simulated)))
    }

    /// Whether rule code went wrong where only a simulation came.
    pub(super) fn sound(&self) -> Result<(), RuleError> {
        self.play
            .trouble()
            .map_or(Ok(()), |problem| Err(RuleError::Other(problem)))
    }

    /// A number of every trial, in order, where it is played out trial by trial; nothing otherwise, or if
    /// how many trials there are is not known beforehand.
    pub fn trial_by_trial(&self, quantity: &Quantity, options: &Options) -> Option<Trials> {
        let (Method::Auto | Method::Simulate, Stop::Trials(trials)) =
            (options.method, options.stop)
        else {
            return None;
        };
        let playout = self.play.played_out()?;
        let scores = Scores::new(quantity, &self.variables)?;
        let stream = self.plan(options).stream;
        Some(Trials {
            scores: trial_by_trial(playout, stream, trials, |row| scores.of(row)),
            shares: quantity.is_probability(),
        })
    }

    /// Why it is never solved, where it is only ever simulated.
    pub fn why_never_solved(&self) -> Option<String> {
        let playout = self.play.played_out()?;
        Some(playout.why_never_solved())
    }

    /// One trial told as a story; nothing where it is not played out.
    pub fn story(&self, seed: u64) -> Option<Told> {
        let (chapters, end) = self.play.played_out()?.story(seed);
        let ends = self.variables.iter().zip(end.row);
        let ends = ends.map(|(variable, value)| (variable.name.clone(), variable.label(value)));
        Some(Told {
            chapters,
            came_to: ends.collect(),
        })
    }

    pub(super) fn plan(&self, options: &Options) -> Plan {
        Plan {
            method: options.method,
            stop: options.stop,
            stream: if options.common_dice {
                Stream::common(options.seed)
            } else {
                let scenario = format!("{} {}", self.procedure, self.settings.describe());
                Stream::of_scenario(options.seed, &scenario)
            },
        }
    }
}

/// One trial told as a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    /// Every variable, and what it came to.
    #[serde(serialize_with = "plain::pairs")]
    pub came_to: Vec<(String, String)>,
    /// What happened.
    #[serde(rename = "story")]
    pub chapters: Vec<Chapter>,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The settings, complete: those that were given and those that were assumed.
    pub settings: Settings,
    /// The distribution of what the procedure reports, with the method that found it.
    pub odds: Distribution,
    /// What has to be said with it.
    pub notes: Vec<Note>,
    /// Whether the graph was over its budget and the steps were played directly.
    pub direct: bool,
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// The question is wrong.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The engine cannot answer it.
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for OddsError {
    /// Rule code that went wrong is a mistake in the question's rules, not something the engine cannot do.
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Steps(CompileError::Broken { problem }) => {
                OddsError::Rule(RuleError::Other(problem))
            }
            other => OddsError::Engine(other),
        }
    }
}

impl OddsError {
    /// The refusal, if the rules refuse the settings: an answer of its own, and no mistake.
    pub fn refusal(self) -> Result<String, OddsError> {
        match self {
            OddsError::Rule(error) if error.is_refusal() => Ok(error.to_string()),
            other => Err(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Registry};
    use grapeshot_engine::engine::{Method, Stop};

    #[test]
    fn a_few_trials_do_not_wait_for_a_large_graph() {
        let elephant = Registry::built_in().find("elephant").expect("it is there");
        let elephant = elephant.load(&[]).expect("it loads");
        let firefight = elephant.procedure("firefight").expect("it is there");
        let turns = [("turns", "12"), ("a.stands", "20"), ("b.stands", "20")];
        let settings = firefight.resolve(turns).expect("they fit");
        let question = firefight.situation(settings).expect("it is legal");
        let options = |method, trials| Options {
            method,
            stop: Stop::Trials(trials),
            ..Options::exact()
        };
        let solvable = |options: &Options| {
            let compiled = question.compiled(options).expect("steps");
            compiled.is_solvable()
        };
        assert!(solvable(&options(Method::Auto, 1_000)));
        assert!(!solvable(&options(Method::Simulate, 1_000)));
        assert!(solvable(&options(Method::Simulate, 1_000_000)));
        let few = question.answer(&options(Method::Simulate, 1_000));
        let few = few.expect("an answer");
        assert_eq!(few.odds.source().trials(), Some(1_000));
        assert!(
            !few.direct,
            "who asks for a simulation hears nothing of graphs"
        );
    }
}
