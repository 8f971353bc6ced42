//! Everything that is wrong with a study file, found in one go, each with its line.

use grapeshot_rules::{Places, RuleError};

/// What was found wrong so far.
#[derive(Debug)]
pub(super) struct Problems {
    places: Places,
    found: Vec<RuleError>,
}

impl Problems {
    pub(super) fn new(file: &str, text: &str) -> Self {
        Problems {
            places: Places::new(file, text),
            found: Vec::new(),
        }
    }

    /// Keeps what was read, or why it cannot be.
    pub(super) fn keep<T>(&mut self, result: Result<T, RuleError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(error);
                None
            }
        }
    }

    pub(super) fn add(&mut self, error: RuleError) {
        let error = match error {
            RuleError::Table { file, key, problem } if file == self.places.file() => {
                let line = self.places.line(&path(&key));
                RuleError::Table {
                    file: format!("{file}:{line}"),
                    key,
                    problem,
                }
            }
            error @ (RuleError::Table { .. } | RuleError::File { .. }) => error,
            other => RuleError::File {
                file: self.places.file().to_owned(),
                problem: other.to_string(),
            },
        };
        if !self.found.contains(&error) {
            self.found.push(error);
        }
    }

    /// Something wrong with what a key says.
    pub(super) fn about(&mut self, key: impl Into<String>, problem: impl ToString) {
        self.add(RuleError::Table {
            file: self.places.file().to_owned(),
            key: key.into(),
            problem: problem.to_string(),
        });
    }

    /// The key under which a setting is swept or held.
    pub(super) fn section_of(&self, key: &str) -> String {
        let sections = ["settings", "sweep", "zip"].map(str::to_owned).into_iter();
        let numbered = (0..9).flat_map(|at| [format!("sweep.{at}"), format!("zip.{at}")]);
        let mut all = sections.chain(numbered);
        let found = all.find(|section| self.places.has(&format!("{section}.{key}")));
        match found {
            Some(section) => {
                let plain = section.split('.').next().unwrap_or_default();
                format!("{plain}.{key}")
            }
            None => key.to_owned(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of it as one error; nothing if nothing is wrong.
    pub(super) fn end(self) -> Result<(), RuleError> {
        let mut found = self.found;
        match found.len() {
            0 => Ok(()),
            1 => Err(found.remove(0)),
            _ => Err(RuleError::Several(found)),
        }
    }
}

/// A key of a message as the path in the file: `chart[1].x` is the first of the charts.
fn path(key: &str) -> String {
    let Some((list, rest)) = key.split_once('[') else {
        return key.to_owned();
    };
    let Some((number, rest)) = rest.split_once(']') else {
        return key.to_owned();
    };
    let at = number
        .parse::<usize>()
        .map_or(0, |number| number.saturating_sub(1));
    format!("{list}.{at}{rest}")
}
