//! Rulesets: their procedures, settings, tables and variants.
//!
//! A ruleset is a folder with a `tables.toml` (what is printed) and one file per procedure (what is
//! played). It is made known in the [`Registry`] and nowhere else: parsing, help, sweeps and reports find
//! everything through [`Procedure`].

mod bands;
mod decision;
mod error;
pub mod file;
mod labels;
mod registry;
mod ruleset;
mod schema;
mod settings;
mod tables;
#[cfg(test)]
mod testing;

pub mod acw28;
pub mod common;
pub mod elephant;
pub mod fireline;
pub mod gbacw;
pub mod impact;
pub mod standoff;

pub use bands::Bands;
pub use decision::{
    Decidable, Decide, Decision, Decisions, FixedPlan, Outline, Played, Shown, first_of, under_plan,
};
pub use error::{RuleError, nearest};
pub use labels::{Judged, Labels};
pub use registry::{Registry, find};
pub use ruleset::{BuiltIn, Loaded, Rulebook, Ruleset, Translate};
pub use schema::{Default, Setting, SettingKind, Value};
pub use settings::Settings;
pub use tables::{Assumption, Grid, List, TableFile, Variant};

use crate::dist::{Distribution, Name, Variable};
use crate::engine::{self, Budget, EngineError, Method, Note, Play, Stop, Stream, Watch};

/// Makes the steps of a procedure from its settings.
pub type Build = Box<dyn Fn(&Settings) -> Result<Box<dyn Play>, RuleError> + Send + Sync>;

/// A procedure of a ruleset: what can be set, what is reported, and how it is played.
pub struct Procedure {
    /// The name programs know it by.
    pub name: Name,
    /// What it is, in a sentence.
    pub about: Name,
    /// The place in the source.
    pub source: Name,
    /// Set when the source prints only its parts.
    pub composed: bool,
    /// What can be set.
    pub settings: Vec<Setting>,
    /// What a trial reports, headline first.
    pub variables: Vec<Variable>,
    /// Remarks that belong under every answer.
    pub notes: Vec<String>,
    /// Makes the steps.
    pub build: Build,
}

impl std::fmt::Debug for Procedure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Procedure")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// How a scenario is to be answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// The engine.
    pub method: Method,
    /// When a simulation stops.
    pub stop: Stop,
    /// The seed of a simulation.
    pub seed: u64,
    /// Whether scenarios that share a seed share their dice.
    pub common_dice: bool,
    /// The size a graph may have.
    pub budget: Budget,
}

/// Why a scenario has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// The question is wrong.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The engine cannot answer it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Procedure {
    /// Checks and completes settings.
    ///
    /// # Errors
    /// If a key is unknown or a value not allowed.
    pub fn resolve<K: AsRef<str>, V: AsRef<str>>(
        &self,
        given: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Settings, RuleError> {
        Settings::resolve(&self.name, &self.settings, given)
    }

    /// What has to be said with the answer under these settings: assumptions that enter, settings
    /// that make no difference.
    ///
    /// # Errors
    /// If the rules refuse the settings.
    pub fn remarks(&self, settings: &Settings) -> Result<Vec<Note>, RuleError> {
        let play = (self.build)(settings)?;
        Ok(play
            .reading()
            .map_or(Vec::new(), |reading| reading.notes.clone()))
    }

    /// The distribution of what the procedure reports, under these settings. The flag says whether
    /// the graph was over its budget and the steps were played directly.
    ///
    /// # Errors
    /// If the rules refuse the settings, or the engine cannot answer.
    pub fn odds(
        &self,
        settings: &Settings,
        asked: &Asked,
    ) -> Result<(Distribution, bool), OddsError> {
        self.odds_watched(settings, asked, &Watch::default())
    }

    /// The same, with somebody looking on.
    ///
    /// # Errors
    /// If the rules refuse the settings, or the engine cannot answer.
    pub fn odds_watched(
        &self,
        settings: &Settings,
        asked: &Asked,
        watch: &Watch,
    ) -> Result<(Distribution, bool), OddsError> {
        let play = (self.build)(settings)?;
        let plan = engine::Plan {
            method: asked.method,
            stop: asked.stop,
            stream: if asked.common_dice {
                Stream::common(asked.seed)
            } else {
                Stream::of_scenario(
                    asked.seed,
                    &format!("{} {}", self.name, settings.describe()),
                )
            },
            budget: asked.budget,
        };
        let answer = engine::answer(play.as_ref(), &plan, watch)?;
        let direct = matches!(answer, engine::Answer::Simulated { direct: true, .. });
        let variables = match play.reading() {
            Some(reading) => reading.variables.clone(),
            None => self.variables.clone(),
        };
        let odds = Distribution::new(variables, &play.phases(), answer, asked.seed);
        Ok((odds, direct))
    }
}

impl Asked {
    /// An exact answer, within the usual budget.
    pub fn exactly() -> Self {
        Asked {
            method: Method::Exact,
            stop: Stop::Trials(1),
            seed: 0,
            common_dice: false,
            budget: Budget::default(),
        }
    }
}
