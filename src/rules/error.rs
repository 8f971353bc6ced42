//! What can be wrong with a question, with everything a person needs to put it right.

use crate::dist::{Name, QuantityError};

/// Wrong input: always names what was given and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// No such thing: a ruleset, a procedure, a key, a variable.
    #[error("unknown {what} `{given}`{}{}", suggestion(.given, .known), known_list(.what, .known))]
    Unknown {
        /// What kind of thing.
        what: String,
        /// What was given.
        given: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A value a setting cannot have.
    #[error("`{key}` cannot be `{given}`: allowed is {allowed}{}", suggestion(.given, .labels))]
    Value {
        /// The key.
        key: String,
        /// What was given.
        given: String,
        /// What is allowed, in words.
        allowed: String,
        /// The labels it may have, if it is a choice.
        labels: Vec<String>,
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
    #[error("{file}: `{key}`: {problem}")]
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
    /// Anything else that was typed wrongly.
    #[error("{0}")]
    Other(String),
}

impl From<QuantityError> for RuleError {
    fn from(error: QuantityError) -> Self {
        match error {
            QuantityError::Unknown { what, given, known } => {
                RuleError::Unknown { what, given, known }
            }
            other => RuleError::Quantity(other),
        }
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

    /// An unknown name.
    pub fn unknown<S: AsRef<str>>(
        what: impl Into<String>,
        given: &str,
        known: impl IntoIterator<Item = S>,
    ) -> Self {
        RuleError::Unknown {
            what: what.into(),
            given: given.into(),
            known: known.into_iter().map(|s| s.as_ref().to_owned()).collect(),
        }
    }

    /// Whether the rules, or the words of a ruleset, do not allow what was asked: an answer of its own,
    /// where all other errors are mistakes.
    pub fn is_refusal(&self) -> bool {
        matches!(self, RuleError::Refused { .. } | RuleError::LeftOut { .. })
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

/// The nearest known name, if it is near enough to be a slip. The same name of another side is nearer
/// than any other name: who asks for `attacker.flank` means `defender.flank`, not `attacker.rank`.
pub fn nearest<'a>(given: &str, known: &'a [String]) -> Option<&'a str> {
    if let Some((_, own)) = given.rsplit_once('.') {
        let same = known
            .iter()
            .filter(|name| name.rsplit_once('.').is_some_and(|(_, other)| other == own));
        let nearest = same.min_by_key(|name| strsim::damerau_levenshtein(given, name));
        if let Some(name) = nearest {
            return Some(name);
        }
    }
    known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(given, name), name))
        .filter(|&(distance, name)| distance <= 1 + name.len() / 4 && distance < name.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name.as_str())
}

fn suggestion(given: &str, known: &[String]) -> String {
    nearest(given, known).map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

fn known_list(what: &str, known: &[String]) -> String {
    match known.len() {
        0 => String::new(),
        _ => format!("\n  known ({what}): {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_a_slip_or_the_same_name_of_another_side() {
        let known = [
            "attacker.grade",
            "attacker.rank",
            "defender.flank",
            "defender.grade",
            "range",
        ];
        let known = known.map(str::to_owned);
        assert_eq!(nearest("attacker.flank", &known), Some("defender.flank"));
        assert_eq!(nearest("atacker.grade", &known), Some("attacker.grade"));
        assert_eq!(nearest("attacker.grad", &known), Some("attacker.grade"));
        assert_eq!(nearest("rnage", &known), Some("range"));
        assert_eq!(nearest("weather", &known), None);
    }
}
