//! The experiments that are built into the program; the files in `experiments/` are the same.

use super::experiment::Experiment;
use crate::rules::RuleError;

/// Name and text of every bundled experiment.
pub const BUNDLED: &[(&str, &str)] = &[];

/// All of them, read.
///
/// # Errors
/// If one cannot be read, which a test rules out.
pub fn bundled() -> Result<Vec<Experiment>, RuleError> {
    BUNDLED
        .iter()
        .map(|(id, text)| Experiment::parse(id, &format!("experiments/{id}.toml"), text))
        .collect()
}
