//! What a script did wrong, in words, and where.

use super::limits::Limits;
use super::place::Place;
use rhai::{EvalAltResult, Position};

/// What a script did wrong, and where.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    /// Where in the piece of script that was run.
    pub spot: Spot,
    pub message: String,
    /// Where in a function that it called, if it was there.
    pub within: Option<Within>,
}

/// A line and a column of a piece of script, from 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub line: usize,
    pub column: usize,
}

impl From<Position> for Spot {
    fn from(at: Position) -> Self {
        Spot {
            line: at.line().unwrap_or(1),
            column: at.position().unwrap_or(1),
        }
    }
}

/// A spot in a function.
#[derive(Debug, Clone)]
pub(super) struct Within {
    pub function: String,
    /// Where the function stands, if not in the same piece of script.
    pub home: Option<Place>,
    pub spot: Spot,
}

impl Trouble {
    /// `home` finds where a function of that name stands.
    pub(super) fn new(
        error: &EvalAltResult,
        limits: &Limits,
        home: impl Fn(&str) -> Option<Place>,
    ) -> Self {
        let mut inner = error;
        let mut function = None;
        // The outermost call stands in the step, the innermost names the function that went wrong.
        while let EvalAltResult::ErrorInFunctionCall(name, _, cause, _) = inner {
            function = Some(name);
            inner = cause;
        }
        let within = function.map(|name| Within {
            function: name.clone(),
            home: home(name),
            spot: inner.position().into(),
        });
        let message = match inner {
            EvalAltResult::ErrorTooManyOperations(_) => format!(
                "goes on for more than {} operations: is there a loop without an end?",
                limits.operations
            ),
            EvalAltResult::ErrorStackOverflow(_) => {
                format!("calls functions more than {} deep", limits.levels)
            }
            EvalAltResult::ErrorDataTooLarge(what, _) => format!(
                "makes something too large ({what}): allowed are {} characters of text and {} entries of a list",
                limits.text, limits.entries
            ),
            EvalAltResult::ErrorVariableNotFound(name, _) => format!("knows no `{name}`"),
            EvalAltResult::ErrorFunctionNotFound(name, _) => {
                format!(
                    "knows no function {}",
                    name.replace("i64", "number")
                        .replace("ImmutableString", "text")
                )
            }
            EvalAltResult::ErrorRuntime(text, _) => text.to_string(),
            EvalAltResult::ErrorParsing(problem, _) => match problem {
                rhai::ParseErrorType::VariableUndefined(name) => {
                    format!(
                        "knows no `{name}`: a setting, a field of the state, or `let {name} = …`"
                    )
                }
                rhai::ParseErrorType::AssignmentToConstant(name) => {
                    format!("cannot change `{name}`: only fields of the state change")
                }
                rhai::ParseErrorType::ExprTooDeep => {
                    format!("has expressions more than {} deep", limits.depth)
                }
                other => other.to_string(),
            },
            other => {
                let mut plain = other.to_string();
                if let Some(at) = plain.rfind(" (line ") {
                    plain.truncate(at);
                }
                plain
            }
        };
        Trouble {
            spot: error.position().into(),
            message,
            within,
        }
    }

    pub(super) fn of_whole(message: impl Into<String>) -> Self {
        Trouble {
            spot: Spot { line: 1, column: 1 },
            message: message.into(),
            within: None,
        }
    }
}
