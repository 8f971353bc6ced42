//! Wrong input as it is told to a person: what was wrong, what was meant, what there is.

use super::{CliError, terminal};
use grapeshot_rules::RuleError;

/// An error in lines that fit the terminal.
pub fn complaint(error: &CliError) -> String {
    match error {
        CliError::Input(RuleError::Unknown {
            what,
            given,
            known,
            hint,
        }) => {
            let hint = hint.as_ref().map(ToString::to_string);
            let told = told(&format!("unknown {what} `{given}`"), hint);
            told + listed(known, terminal::width()).as_str()
        }
        CliError::Input(RuleError::Value {
            key,
            given,
            allowed,
            meant,
        }) => {
            let meant = meant.as_ref();
            let hint = meant.map(|name| format!("did you mean `{name}`?"));
            let told = told(&format!("`{key}` cannot be `{given}`"), hint);
            let allowed = wrapped("  allowed: ", allowed, terminal::width());
            format!("{told}\n{allowed}")
        }
        other => other.to_string(),
    }
}

/// What was wrong, and below it what can be said about that.
fn told(wrong: &str, hint: Option<String>) -> String {
    let hint = hint.map_or(String::new(), |hint| {
        format!("\n{}", wrapped("  ", &hint, terminal::width()))
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
