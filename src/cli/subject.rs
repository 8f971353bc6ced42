//! What a command is about: a ruleset, a procedure, settings, a sweep.

use super::completing;
use super::scenario::{self, FileArgs, Question};
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_rules::{Axis, parse_sweep};
use grapeshot_rules::{Given, LoadedRuleset, Options, Procedure, RuleError, Ruleset};
use grapeshot_study::Workbench;
use std::path::PathBuf;
use std::sync::Arc;

/// A procedure and its settings, by words or file.
#[derive(Debug, Args)]
pub struct About {
    /// RULES PROCEDURE [KEY=VALUE …]; rules and procedure may also come from --file
    #[arg(value_name = "RULES PROCEDURE KEY=VALUE", num_args = 0.., add = ArgValueCompleter::new(completing::words))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub from: FileArgs,
}

/// What a command is about, checked as far as names go.
pub(super) struct Subject {
    pub ruleset: Arc<Ruleset>,
    pub procedure: String,
    question: Question,
}

/// A procedure and what is set about it.
pub(super) type ProcedureGiven = (String, Given);

fn missing(what: &str, command: &str) -> RuleError {
    RuleError::Other(format!(
        "no {what} given; try: grapeshot {command} elephant charge, or grapeshot rules"
    ))
}

impl About {
    pub(super) fn subject(&self, command: &str) -> Result<Subject, RuleError> {
        let subject = self.asked(command)?;
        match subject.procedure.is_empty() {
            true => Err(missing("procedure", command)),
            false => Ok(subject),
        }
    }

    /// The same for a command that can do without a procedure, which is then empty.
    pub(super) fn asked(&self, command: &str) -> Result<Subject, RuleError> {
        let question = scenario::question(&self.words, &self.from)?;
        let rules = question.rules.as_ref();
        let ruleset = grapeshot_rules::find(rules.ok_or_else(|| missing("ruleset", command))?)?;
        Ok(Subject {
            ruleset,
            procedure: question.procedure.clone().unwrap_or_default(),
            question,
        })
    }
}

impl Subject {
    pub(super) fn load(&self, variants: &[PathBuf]) -> Result<LoadedRuleset, RuleError> {
        self.ruleset.load(&scenario::variants(variants)?)
    }

    /// What the procedure hears, and what has to be said about that under the answer.
    pub(super) fn heard(
        &self,
        loaded: &LoadedRuleset,
        procedure: &Procedure,
    ) -> Result<(Given, Option<String>), RuleError> {
        let heard = self.question.said.to(loaded, procedure)?;
        let note = heard.note(&self.question.said, &procedure.name);
        Ok((heard.given, note))
    }

    /// What the procedure hears, if one is named, and what has to be said about that.
    pub(super) fn heard_if_named(
        &self,
        loaded: &LoadedRuleset,
    ) -> Result<(Option<ProcedureGiven>, Option<String>), RuleError> {
        if self.procedure.is_empty() {
            return Ok((None, None));
        }
        let procedure = loaded.playable(&self.procedure)?;
        let (given, note) = self.heard(loaded, procedure)?;
        Ok((Some((procedure.name.to_string(), given)), note))
    }

    /// The procedure on the workbench, and what has to be said about the fight it was asked of.
    pub(super) fn workbench<'a>(
        &self,
        loaded: &'a LoadedRuleset,
        options: Options,
    ) -> Result<(Workbench<'a>, Option<String>), RuleError> {
        let procedure = loaded.playable(&self.procedure)?;
        let (given, note) = self.heard(loaded, procedure)?;
        let workbench = Workbench::new(loaded, &procedure.name, given, options)?;
        Ok((workbench, note))
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
