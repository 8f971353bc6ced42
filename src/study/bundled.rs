//! The experiments that are built into the program; the files in `experiments/` are the same.

use super::experiment::Experiment;
use crate::rules::RuleError;

/// Name and text of every bundled experiment.
pub const BUNDLED: &[(&str, &str)] = &[];

/// Name and text of the example variants, which bundled experiments may use.
pub const VARIANTS: &[(&str, &str)] = &[
    (
        "variants/elephant-even-melee.toml",
        include_str!("../../experiments/variants/elephant-even-melee.toml"),
    ),
    (
        "variants/acw28-no-open-saves.toml",
        include_str!("../../experiments/variants/acw28-no-open-saves.toml"),
    ),
    (
        "variants/gbacw-melee-row-2.toml",
        include_str!("../../experiments/variants/gbacw-melee-row-2.toml"),
    ),
];

/// The text of a bundled variant.
///
/// # Errors
/// If there is none of that name.
pub fn bundled_variant(name: &str) -> Result<String, RuleError> {
    let found = VARIANTS.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(|| RuleError::unknown("bundled variant", name, VARIANTS.iter().map(|v| v.0)))
}

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
