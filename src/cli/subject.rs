//! What a command is about, a [`Question`] put in words: a ruleset, a procedure, settings; and sweeps of them.

use super::completing;
use super::scenario::{self, FileArgs};
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_rules::{Axis, Question, RuleError, parse_sweep};
use std::path::PathBuf;

/// A procedure and its settings, by words or file.
#[derive(Debug, Args)]
pub struct About {
    /// RULES PROCEDURE [KEY=VALUE …]; rules and procedure may also come from --file
    #[arg(value_name = "RULES PROCEDURE KEY=VALUE", num_args = 0.., add = ArgValueCompleter::new(completing::words))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub from: FileArgs,
}

fn missing(what: &str, command: &str) -> RuleError {
    RuleError::Other(format!(
        "no {what} given; try: grapeshot {command} elephant charge, or grapeshot rules"
    ))
}

impl About {
    /// The question, its variants read; `command` is the one to try where something is missing.
    pub(super) fn question(
        &self,
        command: &str,
        variants: &[PathBuf],
    ) -> Result<Question, RuleError> {
        let mut question = self.asked(command)?;
        if question.said.procedure.is_none() {
            return Err(missing("procedure", command));
        }
        question.variants = scenario::variants(variants)?;
        Ok(question)
    }

    /// The question of a command that can do without a procedure, without variants.
    pub(super) fn asked(&self, command: &str) -> Result<Question, RuleError> {
        let said = scenario::said(&self.words, &self.from)?;
        let rules = said.rules.as_ref();
        let ruleset = grapeshot_rules::find(rules.ok_or_else(|| missing("ruleset", command))?)?;
        Ok(Question::of(ruleset, said))
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
