//! Pieces of script, and where they stand in their file.

use super::trouble::{Spot, Trouble};
use crate::{RuleError, TomlText};

/// A piece of script and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    places: TomlText,
    /// The key it is the value of.
    key: String,
    pub text: String,
}

impl Place {
    pub(super) fn new(places: &TomlText, key: impl Into<String>, text: &str) -> Self {
        Place {
            places: places.clone(),
            key: key.into(),
            text: text.into(),
        }
    }

    /// What went wrong in it, at its place in the file. A block that a variant put there has no line of
    /// this file; its own lines are counted then.
    pub(super) fn error(&self, trouble: &Trouble) -> RuleError {
        let (file, excerpt) = self.located(trouble.spot);
        let step = self.key.strip_prefix("procedures.").unwrap_or(&self.key);
        let mut problem = format!("`{step}` {}\n{excerpt}", trouble.message);
        if let Some(within) = &trouble.within {
            let home = within.home.as_ref().unwrap_or(self);
            let (at, excerpt) = home.located(within.spot);
            problem += &format!("\n  in {}(), {at}\n{excerpt}", within.function);
        }
        RuleError::File { file, problem }
    }

    /// A spot as an editor is told it, and the line itself.
    fn located(&self, spot: Spot) -> (String, String) {
        let Spot { line, column } = spot;
        let excerpt = |text: &str, line: usize| {
            let text = text.lines().nth(line - 1).unwrap_or_default();
            format!("  {line} | {}", text.trim_end())
        };
        match self.first_line() {
            Some((first, indent)) => {
                let column = if line == 1 { column + indent } else { column };
                let line = first + line - 1;
                let at = format!("{}:{line}:{column}", self.places.file());
                (at, excerpt(self.places.text(), line))
            }
            None => (self.places.file().to_owned(), excerpt(&self.text, line)),
        }
    }

    /// The line of the file on which the text begins, and the column before its first character.
    fn first_line(&self) -> Option<(usize, usize)> {
        let rest = self.places.rest(&self.key)?;
        let first = self.text.lines().next().unwrap_or_default();
        let (opening, newline) = match rest {
            _ if rest.starts_with("'''\n") || rest.starts_with("\"\"\"\n") => (4, 1),
            _ if rest.starts_with("'''") || rest.starts_with("\"\"\"") => (3, 0),
            _ => (1, 0),
        };
        if !rest[opening..].starts_with(first) {
            return None;
        }
        let (line, column) = self.places.position(&self.key);
        Some((
            line + newline,
            if newline == 1 {
                0
            } else {
                column + opening - 1
            },
        ))
    }
}
