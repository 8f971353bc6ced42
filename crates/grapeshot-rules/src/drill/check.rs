//! Whether a ruleset holds together: read and checked, its examples played, what is probably not meant, lines that no
//! example holds.

use super::{DrillBook, own};
use crate::RuleError;
use grapeshot_drill::load::{Files, Head, load};
use grapeshot_drill::message::{Message, Severity};
use grapeshot_drill::run::Rules;
use grapeshot_drill::source::Sources;
use grapeshot_engine::engine::Budget;
use grapeshot_engine::object;
use serde::{Serialize, Serializer};
use std::path::Path;

grapeshot_engine::labels! {
    /// How bad it is.
    pub enum Weight {
        /// It does not work, or does not give what it says.
        Error = "error",
        /// It works, but something in it does nothing, or nobody would notice if it were wrong.
        Warning = "warning",
    }
}

/// Something wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// How bad it is.
    pub weight: Weight,
    /// File, line and column, as far as they are known.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// The lines that go with it: the line itself, what is allowed.
    pub lines: Vec<String>,
}

/// What a check came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// The file.
    pub file: String,
    /// The name of the ruleset, if it could be read.
    pub rules: String,
    /// Its procedures.
    pub procedures: Vec<String>,
    /// Trials of examples, and expectations, that were held.
    pub held: usize,
    /// What is wrong, errors first.
    pub faults: Vec<Fault>,
}

impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object!(to;
            "file": self.file,
            "rules": self.rules,
            "procedures": self.procedures,
            "held": self.held,
            "errors": self.count(Weight::Error),
            "warnings": self.count(Weight::Warning),
            "faults": self.faults,
        )
    }
}

impl Checked {
    /// How many are so bad.
    pub fn count(&self, weight: Weight) -> usize {
        let faults = self.faults.iter();
        faults.filter(|fault| fault.weight == weight).count()
    }

    /// Adds messages, naming the files of a book as they were found.
    fn add(&mut self, messages: &[Message], sources: &Sources, book: &DrillBook) {
        for message in messages {
            let (line, column) = sources.line_and_column(message.span);
            let rendered = message.render(sources);
            // The title is said already, and so is the place.
            let lines = rendered
                .lines()
                .skip(1)
                .filter(|line| !line.trim_start().starts_with("-->"));
            self.faults.push(Fault {
                weight: match message.severity {
                    Severity::Error => Weight::Error,
                    _ => Weight::Warning,
                },
                place: {
                    let file = &sources.file(message.span.file).name;
                    let part = book.parts.iter().find(|part| *part.file() == **file);
                    let file = part.map_or(&**file, |part| &*part.name);
                    format!("{file}:{line}:{column}")
                },
                problem: message.title.clone(),
                lines: lines.map(ToOwned::to_owned).collect(),
            });
        }
    }

    fn fail(&mut self, error: &RuleError) {
        let (place, problem) = match error {
            RuleError::File { file, problem } => (file.clone(), problem.clone()),
            RuleError::Table { file, key, problem } => (file.clone(), format!("`{key}` {problem}")),
            other => (self.file.clone(), other.to_string()),
        };
        let mut lines = problem.lines().map(ToOwned::to_owned);
        self.faults.push(Fault {
            weight: Weight::Error,
            place,
            problem: lines.next().unwrap_or_default(),
            lines: lines.collect(),
        });
    }
}

/// Looks at everything that a ruleset's folder or text says.
pub fn check(path: &Path) -> Checked {
    let file = path.display().to_string();
    looked_at(file, &|| own::open(path), Budget::default(), true)
}

/// The same of a text alone, as quickly as it is typed: without the many questions that show what never counts, and without
/// the lines that no example holds, which take every line out once.
pub fn check_text(name: &str, text: &str, budget: Budget) -> Checked {
    looked_at(name.to_owned(), &|| own::split(name, text), budget, false)
}

type Opening<'a> = dyn Fn() -> Result<(Head, DrillBook), RuleError> + 'a;

fn looked_at(file: String, open: &Opening<'_>, budget: Budget, slowly: bool) -> Checked {
    let mut checked = Checked {
        file,
        ..Checked::default()
    };
    let (head, book) = match open() {
        Ok(opened) => opened,
        Err(error) => {
            checked.fail(&error);
            return checked;
        }
    };
    checked.rules = head.name;
    let texts = [Some(&book.text), book.examples.as_ref()]
        .into_iter()
        .flatten();
    let files = Files {
        texts: texts.map(super::Text::pair).collect(),
        tables: book.own_tables(),
        variants: Vec::new(),
    };
    let loaded = load(&files, &|name| book.used(name));
    checked.add(&loaded.messages, &loaded.sources, &book);
    let Some(program) = loaded.program else {
        return checked;
    };
    let rules = Rules::new(program);
    let program = rules.program();
    checked.procedures = program
        .procedures
        .iter()
        .map(|p| p.name.to_string())
        .collect();
    let wrong = [rules.table_failures(), rules.failures_within(budget)].concat();
    checked.add(&wrong, &program.sources, &book);
    if wrong.is_empty() {
        let trials: usize = program
            .examples
            .iter()
            .map(|example| example.trials.len())
            .sum();
        checked.held = trials + program.expects.len();
        if slowly {
            checked.add(&rules.findings(), &program.sources, &book);
            checked.add(&rules.unheld(), &program.sources, &book);
        } else {
            checked.add(&rules.unread(), &program.sources, &book);
        }
        beside(&mut checked, open);
    }
    checked
        .faults
        .sort_by_key(|fault| fault.weight == Weight::Warning);
    checked
}

/// What stands beside the text: settings that commands cannot ask, tables, and the words for common fights.
fn beside(checked: &mut Checked, open: &Opening<'_>) {
    let loaded = open().and_then(|(head, book)| {
        let ruleset = std::sync::Arc::new(book.into_ruleset(head));
        let loaded = ruleset.load(&[])?;
        loaded.decisions()?;
        if ruleset.book.speaks_common() {
            let common = crate::common::ruleset(vec![ruleset], None);
            std::sync::Arc::new(common).load(&[])?;
        }
        Ok(())
    });
    if let Err(error) = loaded {
        checked.fail(&error);
    }
}
