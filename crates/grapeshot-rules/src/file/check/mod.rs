//! Whether a ruleset file holds together: everything read, played over many settings, and compared with
//! what it says of itself.

mod expect;
mod probe;

use super::{FILE, Limits, Written};
use crate::{Procedure, Registry, RuleError, Rulebook, Ruleset, TableFile, common};
use grapeshot_engine::object;
use serde::{Serialize, Serializer};
use std::path::Path;

grapeshot_engine::labels! {
    /// How bad it is.
    pub enum Weight {
        /// It does not work, or does not give what it says.
        Error = "error",
        /// It works, but something in it does nothing.
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

impl Fault {
    /// What is wrong, the first line apart from those that go with it.
    fn new(weight: Weight, place: &str, problem: &str) -> Self {
        let mut lines = problem.lines();
        Fault {
            weight,
            place: place.into(),
            problem: lines.next().unwrap_or_default().into(),
            lines: lines.map(|line| line.trim().to_owned()).collect(),
        }
    }
}

/// What was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Looked {
    /// The procedure.
    pub procedure: String,
    /// Questions that were solved.
    pub questions: usize,
    /// Settings that the rules refused.
    pub refused: usize,
    /// Questions that would have taken too long.
    pub left_out: usize,
    /// States at the defaults.
    pub states: usize,
    /// Trials that were simulated, and played directly, and agree with what was solved.
    pub simulated: u64,
    /// The same, played directly.
    pub played: u64,
}

/// What a check came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// The file.
    pub file: String,
    /// The name of the ruleset, if it could be read.
    pub rules: String,
    /// What was looked at, for each procedure.
    pub looked: Vec<Looked>,
    /// Expectations that were held.
    pub held: usize,
    /// What is wrong, errors first.
    pub faults: Vec<Fault>,
}

impl Checked {
    /// How many faults of a weight there are.
    pub fn count(&self, weight: Weight) -> usize {
        self.faults.iter().filter(|f| f.weight == weight).count()
    }
}

impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object!(to;
            "file": self.file,
            "rules": self.rules,
            "errors": self.count(Weight::Error),
            "warnings": self.count(Weight::Warning),
            "expectations_held": self.held,
            "faults": self.faults,
            "procedures": self.looked,
        )
    }
}

/// Runs of steps that one question may take while many are asked.
const MOST_RUNS: u64 = 60_000;

/// Checks a ruleset file.
pub fn check(path: &Path, limits: Limits) -> Checked {
    let mut checked = Checked {
        file: path.display().to_string(),
        ..Checked::default()
    };
    if let Err(error) = look(path, limits, &mut checked) {
        checked.faults.push(fault(Weight::Error, &error));
    }
    checked.faults.sort_by_key(|fault| fault.weight);
    checked
}

fn fault(weight: Weight, error: &RuleError) -> Fault {
    match error {
        RuleError::File { file, problem } => Fault::new(weight, file, problem),
        // What a script said while it was compiled begins with its place.
        other => {
            let text = other.to_string();
            match text.split_once(": ") {
                Some((place, problem)) if place.contains(".toml") => {
                    Fault::new(weight, place, problem)
                }
                _ => Fault::new(weight, FILE, &text),
            }
        }
    }
}

fn look(path: &Path, limits: Limits, checked: &mut Checked) -> Result<(), RuleError> {
    let (ruleset, book) = super::open(path, limits)?;
    checked.rules = ruleset.id.to_string();
    let tables = book.tables()?;
    // Many questions are asked: those that take long are left out.
    let most = limits.runs.min(MOST_RUNS);
    let (whole, wrong) = book.whole_of(
        &tables,
        Limits {
            runs: most,
            ..limits
        },
    )?;
    let mut faults: Vec<Fault> = wrong.iter().map(|e| fault(Weight::Error, e)).collect();
    let mut taken: Vec<&str> = Vec::new();
    for declared in &whole.procedures {
        let procedure: Procedure = match declared.is_decision() {
            true => {
                super::play::decision(&whole.language, declared.clone(), &whole.two_sides())
                    .procedure
            }
            false => super::play::procedure(&whole.language, declared.clone()),
        };
        taken.extend(declared.settings.iter().map(|setting| setting.key.as_str()));
        let probed = probe::procedure(&book, &whole.language, declared, &procedure);
        checked.looked.push(probed.looked);
        faults.extend(probed.faults);
    }
    if wrong.is_empty() {
        unused_settings(&book, &tables, &taken, &mut faults)?;
        let ruleset = std::sync::Arc::new(ruleset);
        if book.speaks_common() {
            // Every word is said once, in every fight.
            let common = Registry::new([Ruleset::clone(&ruleset)]).find(common::ID)?;
            faults.extend(common.load(&[]).err().map(|e| fault(Weight::Error, &e)));
        }
        let (held, broken) = expect::hold(&book, &tables, &ruleset.load(&[])?)?;
        checked.held = held;
        faults.extend(broken);
    }
    checked.faults = faults;
    Ok(())
}

/// Settings that no procedure takes.
fn unused_settings(
    book: &Written,
    tables: &TableFile,
    taken: &[&str],
    faults: &mut Vec<Fault>,
) -> Result<(), RuleError> {
    let root = book.root(tables);
    let Some(all) = root.under("settings")? else {
        return Ok(());
    };
    for key in all.table.keys() {
        let used = match key.strip_prefix("*.") {
            Some(name) => taken.iter().any(|key| key.ends_with(&format!(".{name}"))),
            None => taken.contains(&key.as_str()),
        };
        if !used {
            let error = all.error(key, "is taken by no procedure");
            faults.push(fault(Weight::Warning, &error));
        }
    }
    Ok(())
}
