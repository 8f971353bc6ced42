//! Everything that is wrong with a file, found in one go, each with its line.

use super::places::parent;
use super::{Entries, TomlText};
use crate::RuleError;
use std::cell::RefCell;

/// What was found wrong so far.
#[derive(Debug)]
pub struct Problems {
    /// The name of the file, for what stands nowhere in it.
    file: String,
    /// What the file was put together from, the last laid over the others.
    texts: Vec<TomlText>,
    /// Whether the file is one text, so that what has no line of its own has that of the nearest key above.
    whole: bool,
    found: RefCell<Vec<RuleError>>,
}

impl Problems {
    /// Of one file.
    pub fn of(text: &TomlText) -> Self {
        Problems {
            file: text.file().to_owned(),
            texts: vec![text.clone()],
            whole: true,
            found: RefCell::default(),
        }
    }

    /// Of tables that were put together from several, or from what is built in and has no lines.
    pub(crate) fn among(file: &str, texts: Vec<TomlText>) -> Self {
        Problems {
            file: file.to_owned(),
            texts,
            whole: false,
            found: RefCell::default(),
        }
    }

    /// The entries of a file, to be taken one by one, and where what is wrong with them is kept.
    ///
    /// # Errors
    /// If it is no TOML: nothing can be read then.
    pub fn read(&self) -> Result<Entries<'_>, RuleError> {
        let text = self.texts.first().expect("the text of one file");
        Ok(Entries::new(self, String::new(), text.table()?))
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What is read, unless something is wrong with it.
    pub fn sound<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
        let before = self.found.borrow().len();
        let read = read();
        (self.found.borrow().len() == before).then_some(read)
    }

    /// Keeps what was read, or why it cannot be.
    pub fn keep<T>(&self, result: Result<T, RuleError>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Takes note of something wrong.
    pub fn add(&self, error: RuleError) {
        match self.located(error) {
            RuleError::Several(all) => all.into_iter().for_each(|error| self.add(error)),
            error => {
                let error = match error {
                    error @ (RuleError::Table { .. } | RuleError::File { .. }) => error,
                    other => RuleError::File {
                        file: self.file.clone(),
                        problem: other.to_string(),
                    },
                };
                let mut found = self.found.borrow_mut();
                if !found.contains(&error) {
                    found.push(error);
                }
            }
        }
    }

    /// Something wrong with what a key says.
    pub fn about(&self, key: impl Into<String>, problem: impl ToString) {
        self.add(RuleError::Table {
            file: self.file.clone(),
            key: key.into(),
            problem: problem.to_string(),
        });
    }

    /// A key that means nothing: what it says does not matter, so its own place is named.
    pub(crate) fn about_key(&self, key: String, problem: String) {
        let mut texts = self.texts.iter().rev();
        let file = texts.find_map(|text| text.at_key(&key));
        let file = file.unwrap_or_else(|| self.place(&key));
        self.add(RuleError::Table { file, key, problem });
    }

    /// The same error with its line, if it is about a key of this file and has none yet.
    pub(crate) fn located(&self, error: RuleError) -> RuleError {
        match error {
            RuleError::Table { file, key, problem } if file == self.file => RuleError::Table {
                file: self.place(&key),
                key,
                problem,
            },
            RuleError::Several(all) => {
                let all = all.into_iter().map(|error| self.located(error));
                RuleError::Several(all.collect())
            }
            other => other,
        }
    }

    /// File, line and column of a key; of a missing one those of the key above it.
    pub(crate) fn place(&self, key: &str) -> String {
        let mut above = Some(key.to_owned());
        let mut steps = 0;
        while let Some(key) = above {
            let mut texts = self.texts.iter().rev();
            if let Some(place) = texts.find_map(|text| text.at(&key)) {
                return place;
            }
            // Much of tables stands in no text, so a key further up may be about something else.
            if !self.whole && steps == 1 {
                break;
            }
            above = parent(&key);
            steps += 1;
        }
        match self.whole {
            true => format!("{}:1:1", self.file),
            false => self.file.clone(),
        }
    }

    /// Whether one of the texts has this key.
    pub fn has(&self, key: &str) -> bool {
        self.texts.iter().any(|text| text.has(key))
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// All of it as one error, in the order of the file, and what stands elsewhere behind it; nothing if nothing
    /// is wrong.
    ///
    /// # Errors
    /// If anything is wrong.
    pub fn end(self) -> Result<(), RuleError> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|error| line_and_column(error, &self.file));
        RuleError::all(found)
    }

    /// What was read, unless something is wrong.
    ///
    /// # Errors
    /// If anything is wrong.
    pub fn or<T>(self, read: T) -> Result<T, RuleError> {
        self.end().map(|()| read)
    }
}

/// Where in a file an error stands; the end, if it does not.
fn line_and_column(error: &RuleError, of: &str) -> (usize, usize) {
    let place = match error {
        RuleError::Table { file, .. } | RuleError::File { file, .. } => file.strip_prefix(of),
        _ => None,
    };
    let place = place.and_then(|place| place.strip_prefix(':')?.split_once(':'));
    let number = |text: &str| text.parse().unwrap_or(usize::MAX);
    place.map_or((usize::MAX, usize::MAX), |(line, column)| {
        (number(line), number(column))
    })
}
