//! What can be wrong with a question, with everything a person needs to put it right.

use super::{Hint, nearest};
use grapeshot_engine::dist::{Name, QuantityError};

/// Wrong input: always names what was given and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// No such thing: a ruleset, a procedure, a key, a variable.
    #[error("unknown {what} `{given}`{}{}", hinted(.hint.as_deref()), known_list(.what, .known))]
    Unknown {
        /// What kind of thing.
        what: String,
        /// What was given.
        given: String,
        /// What there is.
        known: Vec<String>,
        /// What was probably meant. Boxed, so that a result stays small where nothing is wrong.
        hint: Option<Box<Hint>>,
    },
    /// A value a setting cannot have.
    #[error("`{key}` cannot be `{given}`: allowed is {allowed}{}", or_meant(.meant.as_ref()))]
    Value {
        /// The key.
        key: String,
        /// What was given.
        given: String,
        /// What is allowed, in words.
        allowed: String,
        /// The value that was probably meant.
        meant: Option<String>,
    },
    /// A value that is fine by itself but not in this situation.
    #[error("`{key}={given}` is refused: {reason}")]
    Refused {
        /// The key.
        key: String,
        /// What was given.
        given: String,
        /// Why the rules do not allow it.
        reason: String,
    },
    /// A common fight, or a part of it, that a ruleset cannot say.
    #[error("`{key}={given}` is refused: {rules} is left out: {why}")]
    LeftOut {
        /// The ruleset.
        rules: Name,
        /// The key it has no word for; the one that names the ruleset, if it has none for the fight.
        key: String,
        /// What was given.
        given: String,
        /// Why it has none.
        why: String,
    },
    /// A ruleset of which nothing can be decided.
    #[error("nothing can be decided in {rules}: {reason}")]
    NotDecided {
        /// The ruleset.
        rules: Name,
        /// Why.
        reason: Name,
    },
    /// A table file or variant that does not hold together.
    #[error("{file}:{} {problem}", named(key))]
    Table {
        /// The file.
        file: String,
        /// Where in it.
        key: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
    /// A file that cannot be read or parsed.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// A quantity that cannot be asked.
    #[error(transparent)]
    Quantity(QuantityError),
    /// What was asked beside the settings, such as a target or a limit.
    #[error("{name} {given}: {problem}")]
    Argument {
        /// What it is called.
        name: &'static str,
        /// What was given.
        given: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
    /// Several things, each with its place.
    #[error("{} things are wrong:\n{}", .0.len(), lines(.0))]
    Several(Vec<RuleError>),
    /// Anything else that was typed wrongly.
    #[error("{0}")]
    Other(String),
}

impl From<QuantityError> for RuleError {
    fn from(error: QuantityError) -> Self {
        match error {
            QuantityError::Unknown { what, given, known } => {
                RuleError::unknown(what, &given, known)
            }
            other => RuleError::Quantity(other),
        }
    }
}

/// A key as an error names it; the whole file has none.
fn named(key: &str) -> String {
    match key.is_empty() {
        true => String::new(),
        false => format!(" `{key}`:"),
    }
}

impl RuleError {
    /// Something wrong with what was asked beside the settings.
    pub fn argument(name: &'static str, given: impl ToString, problem: impl Into<String>) -> Self {
        RuleError::Argument {
            name,
            given: given.to_string(),
            problem: problem.into(),
        }
    }

    /// Several things as one; nothing if nothing is wrong.
    ///
    /// # Errors
    /// If there are any.
    pub fn all(mut found: Vec<RuleError>) -> Result<(), RuleError> {
        match found.len() {
            0 => Ok(()),
            1 => Err(found.remove(0)),
            _ => Err(RuleError::Several(found)),
        }
    }

    /// An unknown name.
    pub fn unknown<S: AsRef<str>>(
        what: impl Into<String>,
        given: &str,
        known: impl IntoIterator<Item = S>,
    ) -> Self {
        let known: Vec<String> = known.into_iter().map(|s| s.as_ref().to_owned()).collect();
        RuleError::Unknown {
            what: what.into(),
            given: given.into(),
            hint: nearest(given, &known).map(|name| Box::new(Hint::Meant(name.into()))),
            known,
        }
    }

    /// The same with a better guess of what was meant, if there is one.
    pub(super) fn guessed(mut self, better: Option<Hint>) -> Self {
        if let (RuleError::Unknown { hint, .. }, Some(better)) = (&mut self, better) {
            *hint = Some(Box::new(better));
        }
        self
    }

    /// Whether the rules, or the words of a ruleset, do not allow what was asked: an answer of its own,
    /// where all other errors are mistakes.
    pub fn is_refusal(&self) -> bool {
        matches!(self, RuleError::Refused { .. } | RuleError::LeftOut { .. })
    }

    /// Of what is refused, the key and the reason.
    pub fn refusal(&self) -> Option<(&str, &str)> {
        match self {
            RuleError::Refused { key, reason, .. } => Some((key, reason)),
            RuleError::LeftOut { key, why, .. } => Some((key, why)),
            _ => None,
        }
    }

    /// A refusal.
    pub fn refused(
        key: impl Into<String>,
        given: impl ToString,
        reason: impl Into<String>,
    ) -> Self {
        RuleError::Refused {
            key: key.into(),
            given: given.to_string(),
            reason: reason.into(),
        }
    }
}

fn lines(all: &[RuleError]) -> String {
    let lines = all.iter().map(|error| format!("  {error}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn hinted(hint: Option<&Hint>) -> String {
    hint.map_or(String::new(), |hint| format!("; {hint}"))
}

fn or_meant(meant: Option<&String>) -> String {
    meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

fn known_list(what: &str, known: &[String]) -> String {
    match known.len() {
        0 => String::new(),
        _ => format!("\n  known ({what}): {}", known.join(", ")),
    }
}
