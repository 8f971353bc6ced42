//! How each ruleset measures its units, and which procedures are fights.

use crate::rules::{Loaded, RuleError};

/// How a ruleset measures its units: which keys are size, grade and weapon. What they may be, and
/// which of them is the reference, comes from the schema.
pub(super) struct Measure {
    /// The ruleset.
    pub(super) rules: &'static str,
    /// What is counted: one with its article, and several.
    pub(super) unit: [&'static str; 2],
    /// The keys of the size; the first that a procedure has counts.
    pub(super) size: &'static [&'static str],
    /// The key of the grade.
    pub(super) grade: &'static str,
    /// The key of the weapon, if there is one.
    pub(super) weapon: Option<&'static str>,
    /// The first weapon that needs artillery to serve it, and what that sets.
    pub(super) guns: Option<(&'static str, (&'static str, &'static str))>,
    /// Settings that grow with the size: key, factor.
    pub(super) grows: &'static [(&'static str, i64)],
    /// Sizes of the reference.
    pub(super) sizes: &'static [i64],
    /// What a reader should know of the reading.
    pub(super) note: &'static str,
}

/// The rulesets whose units have a size.
pub(super) const MEASURES: &[Measure] = &[
    Measure {
        rules: "elephant",
        unit: ["a stand", "stands"],
        size: &["stands"],
        grade: "grade",
        weapon: Some("weapon"),
        guns: Some(("6lb-smoothbore", ("kind", "artillery"))),
        grows: &[],
        sizes: &[6, 8, 10, 12, 16],
        note: "guns are served by artillery stands, which may not charge: their worth is that of the firefight",
    },
    Measure {
        rules: "gbacw",
        unit: ["an SP", "SP"],
        size: &["sp", "strength"],
        grade: "morale",
        weapon: None,
        guns: None,
        grows: &[("fire", 2)],
        sizes: &[3, 4, 6, 8, 10],
        note: "the source prints no weapons; in a charge the defensive volley has two points of fire for each SP, as in the firefight",
    },
    Measure {
        rules: "acw28",
        unit: ["a figure", "figures"],
        size: &["figures"],
        grade: "class",
        weapon: Some("weapon"),
        guns: None,
        grows: &[],
        sizes: &[11, 13, 15, 17, 20],
        note: "regiments have 11 to 20 figures, so worths beyond 0.55 to 1.82 cannot be seen",
    },
    Measure {
        rules: "fireline",
        unit: ["an SP", "SP"],
        size: &["sp"],
        grade: "morale",
        weapon: Some("type"),
        guns: None,
        grows: &[],
        sizes: &[2, 3, 4, 5, 6],
        note: "the type of a unit stands for its weapon; only so many SP of a hex may fire, so that more of them soon add nothing",
    },
];

/// Procedures in which two units meet, with the two parts in them.
pub(super) const FIGHTS: &[(&str, [&str; 2])] = &[
    ("charge", ["attacker", "defender"]),
    ("firefight", ["a", "b"]),
];

/// The measure of a ruleset.
///
/// # Errors
/// If its units have no size.
pub(super) fn measure_of(loaded: &Loaded) -> Result<&'static Measure, RuleError> {
    let id = loaded.ruleset.id;
    MEASURES.iter().find(|m| m.rules == id).ok_or_else(|| {
        let priced: Vec<&str> = MEASURES.iter().map(|m| m.rules).collect();
        let why = if loaded.ruleset.common.is_none() {
            "it is played by the printed rulesets, and a price belongs to one of them"
        } else {
            "no procedure in which two units meet has a size for them, so that no number of one can be made even with another"
        };
        RuleError::Other(format!(
            "{id} cannot be priced: {why}; allowed is {}",
            priced.join(", ")
        ))
    })
}
