//! One question that several machines work on: each does some pieces, and what they found is put together.

use super::{Answered, OddsError, Options, RuleError, Situation};
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::{Answer, Compiled, Method, Stop, Watch, piece_size};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which of the engines are to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engines {
    /// The one that the options name.
    One,
    /// Both: solved and simulated.
    Both,
}

/// What was found of a question, all of it or some pieces.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartialAnswer {
    /// The solution: of whoever has the first piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<Answer>,
    /// What trials came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Answer>,
}

impl PartialAnswer {
    /// Two parts of what was found as one. Nothing if they are not parts of one question.
    #[must_use]
    pub fn and(self, other: PartialAnswer) -> Option<PartialAnswer> {
        let exact = match (self.exact, other.exact) {
            (Some(_), Some(_)) => return None,
            (mine, theirs) => mine.or(theirs),
        };
        let simulated = match (self.simulated, other.simulated) {
            (Some(mine), Some(theirs)) => Some(mine.and(theirs)?),
            (mine, theirs) => mine.or(theirs),
        };
        Some(PartialAnswer { exact, simulated })
    }

    /// Whether its numbers go together, whatever was asked: to be looked at before parts are put together.
    ///
    /// # Errors
    /// Says what cannot be.
    pub fn adds_up(&self) -> Result<(), RuleError> {
        let solved = matches!(self.exact, None | Some(Answer::Exact(_)));
        if !solved || matches!(self.simulated, Some(Answer::Exact(_))) {
            return Err(impossible(
                "what is called solved was played, or the reverse",
            ));
        }
        let mut answers = self.exact.iter().chain(&self.simulated);
        answers.try_for_each(|answer| answer.adds_up().map_err(impossible))
    }

    /// Trials that were played for it.
    pub fn trials(&self) -> u64 {
        self.simulated.as_ref().map_or(0, Answer::trials)
    }

    /// The solution, or the trials if all of them are there.
    fn whole(&self, trials: u64) -> Option<(Option<&Answer>, Option<&Answer>)> {
        let simulated = self.simulated.as_ref();
        let complete = simulated.is_none_or(|answer| answer.trials() == trials);
        complete.then_some((self.exact.as_ref(), simulated))
    }
}

fn impossible(flaw: impl std::fmt::Display) -> RuleError {
    RuleError::Other(format!("it holds what cannot be: {flaw}"))
}

fn incomplete() -> OddsError {
    RuleError::Other("the counts are not those of all trials".into()).into()
}

/// The trials of a simulation whose length is known beforehand.
fn trials(options: &Options) -> Result<u64, RuleError> {
    match options.stop {
        Stop::Trials(trials) => Ok(trials),
        Stop::Precision { half_width, .. } => Err(RuleError::argument(
            "precision",
            half_width,
            "it stops by what it has seen, and a shard sees only its own trials; say how many with --trials",
        )),
    }
}

impl Situation {
    /// Pieces into which the work falls, the same on every machine. Where something is solved that is done
    /// with the first piece.
    ///
    /// # Errors
    /// If nobody knows beforehand how many trials there will be.
    pub fn pieces(&self, options: &Options, engines: Engines) -> Result<u64, RuleError> {
        if engines == Engines::One && options.method == Method::Exact {
            return Ok(1);
        }
        Ok(trials(options)?.div_ceil(piece_size(self.play.as_ref())))
    }

    /// Does some of the pieces.
    ///
    /// # Errors
    /// If the engine cannot.
    pub fn find(
        &self,
        options: &Options,
        engines: Engines,
        pieces: Range<u64>,
        watch: &Watch,
    ) -> Result<PartialAnswer, OddsError> {
        let mut found = PartialAnswer::default();
        if pieces.is_empty() || watch.stopped() {
            return Ok(found);
        }
        let compiled = match engines {
            Engines::Both => Compiled::new(self.play.as_ref(), options.budget)?,
            Engines::One => self.compiled(options)?,
        };
        let (solves, simulates) = match (engines, options.method) {
            (Engines::Both, _) => (true, true),
            (Engines::One, Method::Exact) => (true, false),
            (Engines::One, Method::Simulate) => (false, true),
            (Engines::One, Method::Auto) => (compiled.is_solvable(), !compiled.is_solvable()),
        };
        if solves && pieces.start == 0 {
            found.exact = Some(compiled.exact()?);
        }
        if simulates {
            let (trials, size) = (trials(options)?, piece_size(self.play.as_ref()));
            let batch_range = pieces.start * size..(pieces.end * size).min(trials);
            let stream = self.plan(options).stream;
            found.simulated = Some(compiled.batch_range(stream, batch_range, trials, watch));
        }
        self.sound()?;
        Ok(found)
    }

    /// Whether what was found can be of this question. Wherever it comes from, it can then be said.
    ///
    /// # Errors
    /// Says what cannot be.
    pub fn could_find(&self, found: &PartialAnswer) -> Result<(), RuleError> {
        found.adds_up()?;
        let phases = self.play.phases().len();
        let mut answers = found.exact.iter().chain(&found.simulated);
        answers.try_for_each(|answer| answer.is_of(&self.variables, phases).map_err(impossible))
    }

    /// The answer, from what all machines found together.
    ///
    /// # Errors
    /// If it is not all there.
    pub fn answer_found(
        &self,
        options: &Options,
        found: &PartialAnswer,
    ) -> Result<Answered, OddsError> {
        self.could_find(found)?;
        let (exact, simulated) = found.whole(trials(options)?).ok_or_else(incomplete)?;
        let answer = match options.method {
            Method::Exact => exact,
            Method::Simulate => simulated,
            Method::Auto => exact.or(simulated),
        };
        let answer = answer.ok_or_else(incomplete)?;
        Ok(self.answered(options, answer.clone()))
    }

    /// The solution and the simulation, as far as they were asked for, from what all machines found together.
    ///
    /// # Errors
    /// If it is not all there.
    pub fn both_found(
        &self,
        options: &Options,
        found: &PartialAnswer,
    ) -> Result<(Option<Distribution>, Option<Distribution>), OddsError> {
        self.could_find(found)?;
        let (exact, simulated) = found.whole(trials(options)?).ok_or_else(incomplete)?;
        let told = |answer: &Answer| self.told(options, answer.clone());
        Ok((exact.map(told), simulated.map(told)))
    }
}
