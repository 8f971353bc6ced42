//! A question with what came of it, as it is put.

use super::order::{Direction, Observed};
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::Budget;
use grapeshot_rules::{
    Decision, Ends, Given, LoadedRuleset, OddsError, Options, Procedure, RuleError, Settings,
};
use std::sync::Arc;

/// What counts as worse, where one knows better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worse {
    /// Greater numbers.
    More,
    /// Smaller numbers.
    Fewer,
}

/// A decision that was taken: the action, and as much of the state as was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Did {
    /// Whose decision; none is the side that asks.
    pub side: Option<String>,
    /// What was done.
    pub action: String,
    /// Fields of the state with their values; `turn` is one of them.
    pub state: Vec<(String, String)>,
}

impl Did {
    /// Reads `fire`, `fire a_stands=8 turn=2`, `b: charge`.
    ///
    /// # Errors
    /// If there is no action in it.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let (side, rest) = match text.split_once(':') {
            Some((side, rest)) => (Some(side.trim().to_owned()), rest),
            None => (None, text),
        };
        let (fields, words): (Vec<&str>, Vec<&str>) =
            rest.split_whitespace().partition(|word| word.contains('='));
        if words.is_empty() {
            return Err(RuleError::Other(format!(
                "`{text}` names no action: a decision is written as an action and, if noted, what was seen, such as `fire a_stands=8`"
            )));
        }
        let field = |word: &&str| {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            (key.to_owned(), value.to_owned())
        };
        Ok(Did {
            side,
            action: words.join(" "),
            state: fields.iter().map(field).collect(),
        })
    }
}

/// A question with what came of it.
#[derive(Debug, Clone)]
pub struct LuckQuestion {
    /// The ruleset, with its variants.
    pub loaded: Arc<LoadedRuleset>,
    /// The procedure.
    pub procedure: String,
    /// Its settings, as given.
    pub given: Given,
    /// What was observed, as `variable=value`, the most important first.
    pub got: Vec<String>,
    /// What was decided, where somebody chooses.
    pub did: Vec<Did>,
    /// What counts as worse.
    pub worse: Option<Worse>,
    /// How it is to be answered.
    pub options: Options,
}

impl LuckQuestion {
    /// As one would type it.
    pub(crate) fn text(&self) -> String {
        let mut words = vec![self.loaded.ruleset.id.to_string(), self.procedure.clone()];
        words.extend(
            self.given
                .iter()
                .map(|(key, value)| format!("{key}={value}")),
        );
        words.join(" ")
    }

    /// The odds of the question. The flag says whether they were simulated.
    ///
    /// # Errors
    /// If the question is wrong.
    pub(super) fn odds(&self) -> Result<(Distribution, bool), OddsError> {
        let procedure = match self.loaded.procedure(&self.procedure) {
            Ok(procedure) => procedure,
            Err(unknown) => return Err(self.undecided(unknown).into()),
        };
        let settings = self.settings(procedure)?;
        let odds = procedure.answer(&settings, &self.options)?.odds;
        let simulated = odds.source().trials().is_some();
        Ok((self.askable(odds)?, simulated))
    }

    /// Where each variable was counted by itself, only what one of them came to can be placed.
    fn askable(&self, odds: Distribution) -> Result<Distribution, RuleError> {
        if odds.is_joint() {
            return Ok(odds);
        }
        match &self.got[..] {
            [one] => {
                let name = one.split_once('=').map_or("", |(name, _)| name.trim());
                Ok(odds.only(name).unwrap_or(odds))
            }
            _ => Err(RuleError::Other(format!(
                "{} counts each variable by itself, so its luck is that of one: give --got once",
                self.procedure
            ))),
        }
    }

    /// A procedure with choices has no odds until it is said what was chosen.
    fn undecided(&self, unknown: RuleError) -> RuleError {
        match self.loaded.decision(&self.procedure) {
            Ok(_) => RuleError::Other(format!(
                "{} {} has choices: say what was done, in order, such as --did fire --did charge",
                self.loaded.ruleset.id, self.procedure
            )),
            Err(_) => unknown,
        }
    }

    pub(super) fn decision(&self) -> Result<Decision, RuleError> {
        self.loaded.decision(&self.procedure)
    }

    pub(super) fn settings(&self, procedure: &Procedure) -> Result<Settings, RuleError> {
        procedure.resolve(self.given.iter().map(|(key, value)| (key, value)))
    }

    pub(super) fn budget(&self) -> Budget {
        self.options.budget
    }

    /// What was observed, against the odds.
    ///
    /// # Errors
    /// If nothing was, if a variable is unknown or named twice, or if it cannot be.
    pub(super) fn observed(&self, odds: &Distribution) -> Result<Vec<Observed>, RuleError> {
        let mut observed: Vec<Observed> = Vec::new();
        for text in &self.got {
            let mut one = Observed::parse(text, odds)?;
            if observed.iter().any(|known| known.at == one.at) {
                let problem = format!("{} was got twice", one.variable.name);
                return Err(RuleError::Other(problem));
            }
            if let (Some(worse), true) = (self.worse, one.variable.is_numeric()) {
                one.direction = match worse {
                    Worse::More => Direction::More,
                    Worse::Fewer => Direction::Fewer,
                };
            }
            if !one.variable.is_numeric() {
                one.ranks = Ends::read(&self.loaded)?.ranks(&self.procedure, &one.variable);
                if one.ranks.is_some() {
                    one.direction = Direction::Favour;
                }
            }
            observed.push(one);
        }
        if observed.is_empty() {
            let variable = odds.marginal_at(0);
            return Err(RuleError::Other(format!(
                "nothing was got: say what happened, such as --got {}={}",
                variable.variable().name,
                variable.values()[0].label
            )));
        }
        Ok(observed)
    }
}
