//! The designer's workbench: one question asked again and again with a key or a table changed.
//!
//! What-if, diff, break-even and points differ in what they change and in what they make of the
//! answers; how they ask is the same and stands here. Answers are exact wherever the graph fits its
//! budget. Where it does not they are simulated on common dice, so that two questions differ by what
//! was changed and not by luck.

use grapeshot_engine::dist::{Distribution, Estimate, Quantity, Source, Trials};
use grapeshot_rules::{
    CellPlace, Given, LoadedRuleset, OddsError, Options, Procedure, Question, RuleError, Settings,
    Value,
};
use serde::{Serialize, Serializer};

/// An answer, or why the rules refuse the question.
pub type Reply<T> = Result<T, String>;

/// A procedure with the settings it starts from.
#[derive(Debug, Clone)]
pub struct Workbench<'a> {
    /// The ruleset with its variants.
    pub loaded: &'a LoadedRuleset,
    /// The procedure.
    pub procedure: &'a Procedure,
    /// What was given.
    pub given: Given,
    /// How to answer.
    pub options: Options,
}

/// How answers were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Methods {
    /// Questions that were solved.
    pub exact: usize,
    /// Questions that were simulated.
    pub simulated: usize,
    /// Trials of each simulation.
    pub trials: u64,
    /// Their seed.
    pub seed: u64,
    /// Whether differences were taken trial by trial.
    pub paired: bool,
}

/// One number, and what every trial gave for it where it was played out on common dice.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// The number.
    pub(crate) estimate: Estimate,
    /// How it was found.
    pub(crate) source: Source,
    trials: Option<Trials>,
}

impl Measured {
    /// How far it is above another; trial by trial, if both were played out on the same dice.
    pub(crate) fn minus(&self, other: &Measured) -> Estimate {
        match (&self.trials, &other.trials) {
            (Some(ours), Some(theirs)) => ours.minus(theirs),
            _ => self.estimate.minus(&other.estimate),
        }
    }

    /// Whether differences from it are taken trial by trial.
    pub(crate) fn is_paired(&self) -> bool {
        self.trials.is_some()
    }
}

impl Serialize for Methods {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text())
    }
}

impl Methods {
    /// Counts one more answer.
    pub(crate) fn add(&mut self, source: Source) {
        match source {
            Source::Exact => self.exact += 1,
            Source::Simulated { trials, seed } => {
                self.simulated += 1;
                (self.trials, self.seed) = (trials, seed);
            }
        }
    }

    /// Counts the answers of another part of the work.
    pub(crate) fn and(mut self, other: Methods) -> Methods {
        self.exact += other.exact;
        self.simulated += other.simulated;
        if other.simulated > 0 {
            (self.trials, self.seed) = (other.trials, other.seed);
        }
        self.paired |= other.paired;
        self
    }

    /// In words.
    pub fn text(&self) -> String {
        match (self.exact, self.simulated) {
            (n, 0) => format!("exact, {n} questions solved"),
            (exact, n) => format!(
                "{n} of {} questions simulated, {} trials each on common dice, seed {}; ± is a 95 % interval, {}",
                exact + n,
                crate::wording::grouped(self.trials),
                self.seed,
                match self.paired {
                    true => "that of a change taken trial by trial",
                    false => "as if the dice were not common",
                }
            ),
        }
    }
}

/// How the workbench asks, unless told otherwise.
pub fn usual_options() -> Options {
    Options::compared(200_000)
}

/// Trials of each question about a procedure that is played out, unless told otherwise: some hundred such
/// questions are asked, and none of their trials is as quick as a walk.
const PLAYED_OUT: u64 = 20_000;

/// The same for a procedure.
pub fn usual_options_of(procedure: &Procedure) -> Options {
    match procedure.is_played_out() {
        true => Options::compared(PLAYED_OUT),
        false => usual_options(),
    }
}

impl<'a> Workbench<'a> {
    /// Puts a procedure on the workbench and checks its settings.
    ///
    /// # Errors
    /// If the procedure, a key or a value is unknown.
    pub fn new(
        loaded: &'a LoadedRuleset,
        procedure: &str,
        given: Given,
        options: Options,
    ) -> Result<Self, RuleError> {
        let procedure = loaded.playable(procedure)?;
        procedure.resolve(given.iter().map(|(k, v)| (k, v)))?;
        Ok(Workbench {
            loaded,
            procedure,
            given,
            options,
        })
    }

    /// Puts a question on the workbench; beside it stands what has to be said about the fight it was asked of.
    ///
    /// # Errors
    /// If the procedure, a key or a value is unknown.
    pub fn of(
        question: &Question,
        loaded: &'a LoadedRuleset,
        options: Options,
    ) -> Result<(Self, Option<String>), RuleError> {
        let procedure = loaded.playable(question.procedure())?;
        let (given, note) = question.heard(loaded, procedure)?;
        let workbench = Workbench::new(loaded, &procedure.name, given, options)?;
        Ok((workbench, note))
    }

    /// The settings with some of them changed; what follows another key follows the change.
    ///
    /// # Errors
    /// If a key or value is unknown.
    pub(crate) fn settings(&self, changed: &[(String, Value)]) -> Result<Settings, RuleError> {
        let given = self.given.iter().chain(changed);
        self.procedure.resolve(given.map(|(k, v)| (k, v)))
    }

    /// What was given, as the schema reads it.
    ///
    /// # Errors
    /// If a key or value is unknown.
    #[cfg(feature = "field")]
    pub(crate) fn said(&self) -> Result<Given, RuleError> {
        let settings = self.settings(&[])?;
        let given = settings.given();
        Ok(given
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect())
    }

    /// Whether the rules allow the settings with some of them changed.
    ///
    /// # Errors
    /// If a key or value is unknown.
    pub(crate) fn allows(&self, changed: &[(String, Value)]) -> Result<Reply<()>, RuleError> {
        match self.procedure.situation(self.settings(changed)?) {
            Ok(_) => Ok(Ok(())),
            Err(error) if error.is_refusal() => Ok(Err(error.to_string())),
            Err(other) => Err(other),
        }
    }

    /// The odds with some settings changed, or why the rules refuse them.
    ///
    /// # Errors
    /// If a key or value is unknown, or the engine cannot answer.
    pub fn ask(&self, changed: &[(String, Value)]) -> Result<Reply<Distribution>, OddsError> {
        let settings = self.settings(changed)?;
        match self.procedure.answer(&settings, &self.options) {
            Ok(answered) => Ok(Ok(answered.odds)),
            Err(error) => error.refusal().map(Err),
        }
    }

    /// One number of those odds, and how it was found.
    ///
    /// # Errors
    /// As [`Workbench::ask`].
    pub(crate) fn number(
        &self,
        quantity: &Quantity,
        changed: &[(String, Value)],
    ) -> Result<Reply<(Estimate, Source)>, OddsError> {
        Ok(match self.ask(changed)? {
            Ok(odds) => match quantity.of(&odds) {
                Some(estimate) => Ok((estimate, odds.source())),
                None => Err(format!("{quantity} is not reported")),
            },
            Err(reason) => Err(reason),
        })
    }

    /// The same with other numbers in printed cells too; rules that do not hold together with them are refused like any
    /// setting.
    ///
    /// # Errors
    /// As [`Workbench::ask`].
    pub(crate) fn number_with(
        &self,
        quantity: &Quantity,
        cells: &[(&CellPlace, i64)],
        changed: &[(String, Value)],
    ) -> Result<Reply<(Estimate, Source)>, OddsError> {
        if cells.is_empty() {
            return self.number(quantity, changed);
        }
        let mut tables = self.loaded.tables.clone();
        for (cell, number) in cells {
            tables.set_whole(cell, *number);
        }
        let loaded = match self.loaded.with_tables(tables) {
            Ok(loaded) => loaded,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let (procedure, given) = (&self.procedure.name, self.given.clone());
        let found = Workbench::new(&loaded, procedure, given, self.options)
            .map_err(OddsError::from)
            .and_then(|workbench| workbench.number(quantity, changed));
        match found {
            // Rules that go wrong with such a number say so on their first line; the rest is where.
            Err(OddsError::Rule(error)) => {
                let told = error.to_string();
                Ok(Err(told.lines().next().unwrap_or_default().to_owned()))
            }
            found => found,
        }
    }

    /// The same, trial by trial where it is played out, so that differences are sharp.
    ///
    /// # Errors
    /// As [`Workbench::ask`].
    pub(crate) fn measure(
        &self,
        quantity: &Quantity,
        changed: &[(String, Value)],
    ) -> Result<Reply<Measured>, OddsError> {
        let situation = match self.procedure.situation(self.settings(changed)?) {
            Ok(situation) => situation,
            Err(error) => return OddsError::from(error).refusal().map(Err),
        };
        if let Some(trials) = situation.trial_by_trial(quantity, &self.options) {
            let source = Source::Simulated {
                trials: trials.scores.len() as u64,
                seed: self.options.seed,
            };
            return Ok(Ok(Measured {
                estimate: trials.estimate(),
                source,
                trials: Some(trials),
            }));
        }
        let found = self.number(quantity, changed)?;
        Ok(found.map(|(estimate, source)| Measured {
            estimate,
            source,
            trials: None,
        }))
    }

    /// Reads a quantity of this procedure; `success` unless another is named.
    ///
    /// # Errors
    /// If there is none, with everything that can be asked.
    pub fn quantity(&self, text: Option<&str>) -> Result<Quantity, RuleError> {
        let variables = &self.procedure.variables;
        Ok(match text {
            Some(text) => Quantity::parse(text, variables)?,
            None => Quantity::usual(variables)?,
        })
    }

    /// The sides that keys of this procedure belong to.
    pub(crate) fn sides(&self) -> Vec<String> {
        let mut sides: Vec<String> = Vec::new();
        for side in self.procedure.settings.iter().filter_map(|s| s.side()) {
            if !sides.iter().any(|known| known == side) {
                sides.push(side.into());
            }
        }
        sides
    }
}
