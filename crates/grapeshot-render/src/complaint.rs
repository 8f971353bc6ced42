//! Wrong input as it is told to a person: what was wrong, what was meant, what there is.

use grapeshot_engine::engine::{Budget, CompileError, EngineError};
use grapeshot_rules::{OddsError, RuleError};
use grapeshot_study::wording::{bytes, duration};

/// An error in lines of this width.
pub fn complaint(error: &RuleError, width: usize) -> String {
    match error {
        RuleError::Unknown {
            what,
            given,
            known,
            hint,
        } => {
            let hint = hint.as_ref().map(ToString::to_string);
            let told = told(&format!("unknown {what} `{given}`"), hint, width);
            told + listed(known, width).as_str()
        }
        RuleError::Value {
            key,
            given,
            allowed,
            meant,
        } => {
            let meant = meant.as_ref();
            let hint = meant.map(|name| format!("did you mean `{name}`?"));
            let told = told(&format!("`{key}` cannot be `{given}`"), hint, width);
            let allowed = wrapped("  allowed: ", allowed, width);
            format!("{told}\n{allowed}")
        }
        other => other.to_string(),
    }
}

/// Why a question has no answer: something that was asked wrongly, or something the engine cannot do.
///
/// # Errors
/// What the engine cannot do.
pub fn wrong_input(error: OddsError) -> Result<RuleError, EngineError> {
    match error {
        OddsError::Rule(error) => Ok(error),
        OddsError::Engine(EngineError::NeverSolved(why)) => {
            let problem =
                format!("it cannot be solved exactly: {why}; allowed is simulate or auto");
            Ok(RuleError::argument("method", "exact", problem))
        }
        OddsError::Engine(error) => Err(error),
    }
}

/// What the engine cannot do, with the options that would help, as they are written where the question is asked:
/// `--method simulate`, `method="simulate"`.
pub fn too_much(error: &EngineError, option: impl Fn(&str, &str) -> String) -> String {
    let larger = |why: &CompileError| larger(why, &option);
    match error {
        EngineError::Budget(why) => format!(
            "{error}; use {}, or allow a larger graph{}",
            option("method", "simulate"),
            larger(why)
        ),
        EngineError::Undecided(why) => format!("{error}, or allow a larger graph{}", larger(why)),
        EngineError::NeverSolved(_) | EngineError::Steps(_) => error.to_string(),
    }
}

/// The option for a graph ten times as large, and what it would cost.
fn larger(why: &CompileError, option: &dyn Fn(&str, &str) -> String) -> String {
    let CompileError::TooLarge { states } = *why else {
        return String::new();
    };
    let larger = Budget {
        states: states.saturating_mul(10),
    };
    format!(
        ": {} takes up to about {} of memory and {}",
        option("max-states", &larger.states.to_string()),
        bytes(larger.memory()),
        duration(larger.time())
    )
}

/// What was wrong, and below it what can be said about that.
fn told(wrong: &str, hint: Option<String>, width: usize) -> String {
    let hint = hint.map_or(String::new(), |hint| {
        format!("\n{}", wrapped("  ", &hint, width))
    });
    format!("{wrong}{hint}")
}

/// Everything there is, keys by their sides.
fn listed(known: &[String], width: usize) -> String {
    let mut sides: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in known {
        // Only keys have sides; other names with a point in them stand for themselves.
        let (side, own) = match name.split_once('.') {
            Some((side, own)) if !own.is_empty() => (side, own),
            _ => ("", name.as_str()),
        };
        match sides.iter_mut().find(|(known, _)| *known == side) {
            Some((_, names)) => names.push(own),
            None => sides.push((side, vec![own])),
        }
    }
    let mut out = String::new();
    let mut head = "  known: ";
    for (side, names) in sides {
        let head_here = match side {
            "" => head.to_owned(),
            side => format!("{head}{side}. "),
        };
        out.push('\n');
        out += &wrapped(&head_here, &names.join(", "), width);
        head = "         ";
    }
    out
}

/// A text behind its heading, in lines that fit.
fn wrapped(head: &str, text: &str, width: usize) -> String {
    let below = " ".repeat(head.len());
    let options = textwrap::Options::new(width)
        .initial_indent(head)
        .subsequent_indent(&below)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options)
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn keys_are_listed_by_their_sides_in_lines_that_fit() {
        let known = [
            "range",
            "firer.stands",
            "firer.panic",
            "target.cover",
            "turns",
        ];
        let list = listed(&known.map(str::to_owned), 28);
        let wanted = "
  known: range, turns
         firer. stands,
                panic
         target. cover";
        assert_eq!(list, wanted);
    }
}
