//! A finding, and the commands that show it.

use grapeshot_rules::{Labels, LoadedRuleset};
use serde::Serialize;

grapeshot_engine::labels! {
    /// How grave a finding is.
    pub enum Severity {
        /// What is printed cannot be meant.
        Error = "error",
        /// A designer should look at it.
        Warning = "warning",
        /// Worth knowing.
        Note = "note",
    }
}

grapeshot_engine::labels! {
    /// What kind of finding it is.
    pub enum FindingKind {
        /// A better position gives a worse result.
        Order = "order",
        /// A factor beyond the greatest range, or none within it.
        Range = "range",
        /// The source says two things.
        Contradiction = "contradiction",
        /// A better unit or position has worse chances.
        Paradox = "paradox",
        /// A step that changes far more, or less, than its neighbours.
        Cliff = "cliff",
        /// Something without any effect.
        Dead = "dead",
        /// A choice that is never better than another.
        Dominated = "dominated",
        /// Two words that come to the same where everything is ordinary.
        Alike = "alike",
        /// A case the source leaves open.
        Gap = "gap",
    }
}

/// Something a designer would want to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How grave it is.
    pub severity: Severity,
    /// What kind it is.
    pub kind: FindingKind,
    /// The table or rule, and the cell.
    pub place: String,
    /// The place in the source.
    pub source: String,
    /// The numbers.
    pub evidence: String,
    /// What it means, in a sentence.
    pub sentence: String,
    /// The commands that show it.
    pub commands: Vec<String>,
}

impl Finding {
    /// Whether it is of this kind and its place or sentence contains the text.
    #[cfg(test)]
    pub(super) fn is(&self, kind: FindingKind, about: &str) -> bool {
        self.kind == kind && (self.place.contains(about) || self.sentence.contains(about))
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.label())
    }
}

impl std::fmt::Display for FindingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.label())
    }
}

/// The command that prints the tables.
pub(super) fn tables_command(loaded: &LoadedRuleset) -> String {
    format!(
        "grapeshot rules {} --tables{}",
        loaded.ruleset.as_command(),
        variants(loaded)
    )
}

/// The command that prints the page of the ruleset: procedures, readings, assumptions,
/// contradictions and gaps.
pub(super) fn page_command(loaded: &LoadedRuleset) -> String {
    format!(
        "grapeshot rules {}{}",
        loaded.ruleset.as_command(),
        variants(loaded)
    )
}

/// The command that answers a procedure with these settings.
pub(super) fn odds_command(
    loaded: &LoadedRuleset,
    procedure: &str,
    given: &[(String, String)],
) -> String {
    let mut out = format!("grapeshot odds {} {procedure}", loaded.ruleset.as_command());
    for (key, value) in given {
        out += &format!(" {key}={value}");
    }
    out + variants(loaded).as_str()
}

fn variants(loaded: &LoadedRuleset) -> String {
    let files = loaded.tables.variants().iter();
    files.map(|v| format!(" --variant {}", v.file)).collect()
}

/// A number as evidence: short, but never rounded to another one.
pub(super) fn number(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}
