//! What a command is about: a ruleset, a procedure, settings, a sweep.

use super::scenario;
use crate::rules::{self, Loaded, RuleError, Ruleset};
use crate::study::{Axis, Given, parse_sweep};
use clap::Args;
use std::path::PathBuf;

/// A procedure and its settings, by words or file.
#[derive(Debug, Args)]
pub struct About {
    /// RULES PROCEDURE [KEY=VALUE …]; rules and procedure may also come from --file
    #[arg(value_name = "RULES PROCEDURE KEY=VALUE", num_args = 0..)]
    pub words: Vec<String>,
    /// Scenario file: `rules`, `procedure` and a [settings] table; KEY=VALUE beats it
    #[arg(long, value_name = "SCENARIO.toml")]
    pub file: Option<PathBuf>,
}

/// What a command is about, checked as far as names go.
pub(super) struct Subject {
    pub ruleset: &'static Ruleset,
    pub procedure: String,
    pub given: Given,
}

impl About {
    pub(super) fn subject(&self, command: &str) -> Result<Subject, RuleError> {
        let question = scenario::question(&self.words, self.file.as_deref())?;
        let missing = |what: &str| {
            RuleError::Other(format!(
                "no {what} given; try: grapeshot {command} elephant charge, or grapeshot rules"
            ))
        };
        let rules = question.rules.ok_or_else(|| missing("ruleset"))?;
        let ruleset = rules::find(&rules)?;
        Ok(Subject {
            ruleset,
            procedure: question.procedure.ok_or_else(|| missing("procedure"))?,
            given: question.given,
        })
    }
}

impl Subject {
    pub(super) fn load(&self, variants: &[PathBuf]) -> Result<Loaded, RuleError> {
        self.ruleset
            .load(&scenario::variants(variants, self.ruleset.id)?)
    }
}

/// Reads sweeps; a key can be swept only once.
pub(super) fn sweeps(texts: &[String]) -> Result<Vec<Axis>, RuleError> {
    let mut axes: Vec<Axis> = Vec::new();
    for text in texts {
        let axis = parse_sweep(text)?;
        if axes.iter().any(|known| known.keys == axis.keys) {
            let problem = format!("`{}` is swept twice", axis.keys.join(", "));
            return Err(RuleError::Other(problem));
        }
        axes.push(axis);
    }
    Ok(axes)
}
