//! The audit: what a designer would want to know before printing.
//!
//! Nothing here knows a ruleset. Which way a table should run, which setting ought to help whom and
//! which weapons are rivals stand in the `[audit]` part of each ruleset's `extras.toml` (see
//! `declared.rs`), and so does what the source contradicts or leaves open. Everything is worked
//! out from the effective tables and exact odds, so a variant that repairs a fault makes its
//! finding disappear. A finding that its own command cannot show is a false alarm: what cannot be
//! judged is passed over, and said in [`Audited::notes`].

mod against;
mod cells;
mod choices;
mod cliff;
mod dead;
mod declared;
mod dominated;
mod finding;
mod order;
mod paradox;
mod played;
mod probe;
mod range;
mod situations;
mod stated;
#[cfg(test)]
mod tests;

pub(super) use cells::{faces, number as cell_number};
pub(crate) use declared::Declared;
pub(super) use declared::Words;
pub use finding::{Finding, FindingKind, Severity};
pub(super) use order::disorder;
pub(super) use situations::situations;

use grapeshot_engine::engine::doing;
use grapeshot_rules::{Labels, LoadedRuleset, RuleError};
use probe::Probe;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What the audit of one ruleset found.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// The ruleset.
    pub rules: String,
    /// Its printed title.
    pub title: String,
    /// The variants laid over its tables.
    pub variants: Vec<String>,
    /// The findings, the gravest first.
    pub findings: Vec<Finding>,
    /// What could not be judged, and how large the search was.
    pub notes: Vec<String>,
    /// Findings of the print that are gone; then only what is new against the print is listed.
    pub cured: Option<Vec<Finding>>,
}

impl Serialize for Audited {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("rules", &self.rules)?;
        object.serialize_entry("title", &self.title)?;
        object.serialize_entry("variants", &self.variants)?;
        object.serialize_entry("errors", &self.count(Severity::Error))?;
        object.serialize_entry("warnings", &self.count(Severity::Warning))?;
        object.serialize_entry("notes", &self.count(Severity::Note))?;
        object.serialize_entry("findings", &self.findings)?;
        if let Some(cured) = &self.cured {
            object.serialize_entry("cured", cured)?;
        }
        object.serialize_entry("remarks", &self.notes)?;
        object.end()
    }
}

impl Audited {
    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|f| f.severity == severity)
            .count()
    }
}

/// Audits a ruleset with its variants.
///
/// # Errors
/// If its `[audit]` part names a table, key or value that does not exist.
pub fn audit(loaded: &LoadedRuleset) -> Result<Audited, RuleError> {
    audit_for(loaded, &[])
}

/// Looks for findings of these kinds, all of them if none is named, and works out nothing else.
///
/// # Errors
/// If its `[audit]` part names a table, key or value that does not exist.
pub fn audit_for(loaded: &LoadedRuleset, kinds: &[FindingKind]) -> Result<Audited, RuleError> {
    use FindingKind::{Alike, Cliff, Contradiction, Dead, Dominated, Gap, Order, Paradox, Range};
    let wanted = |some: &[FindingKind]| {
        let is_wanted = kinds.is_empty() || some.iter().any(|kind| kinds.contains(kind));
        if is_wanted {
            let what = || some.iter().map(|kind| kind.label()).collect::<Vec<_>>();
            doing(|| format!("{}: {}", loaded.id(), what().join(", ")));
        }
        is_wanted
    };
    let declared = Declared::read(&loaded.tables)?;
    let mut notes = Vec::new();
    let mut findings = Vec::new();
    if wanted(&[Order, Contradiction, Gap]) {
        findings.extend(order::grids(loaded, &declared, &mut notes)?);
    }
    if wanted(&[Order]) {
        findings.extend(order::ladders(loaded, &declared)?);
    }
    if wanted(&[Range, Gap]) {
        findings.extend(range::ranges(loaded, &declared)?);
    }
    if wanted(&[Dominated]) {
        findings.extend(dominated::rivals(loaded, &declared)?);
        findings.extend(choices::rivals(loaded, &declared)?);
        findings.extend(played::actions(loaded)?);
    }
    if wanted(&[Alike]) {
        findings.extend(choices::alike(loaded, &declared)?);
    }
    if wanted(&[Contradiction, Gap]) {
        findings.extend(stated::stated(loaded)?);
    }
    if wanted(&[Cliff]) {
        findings.extend(cliff::lines(loaded, &declared)?);
        findings.extend(cliff::plateaus(loaded, &declared)?);
    }
    if wanted(&[Paradox]) {
        findings.extend(paradox::chances(loaded, &declared)?);
        findings.extend(paradox::situations(loaded, &declared)?);
    }
    let mut searched = Vec::new();
    if wanted(&[Dead]) {
        let cells = dead::looked_for(&loaded.tables, &declared)?;
        if let Some(probe) = Probe::new(loaded, &declared, cells)? {
            findings.extend(dead::settings(&probe, &declared)?);
            findings.extend(dead::values(&probe, &declared)?);
            findings.extend(dead::columns(&probe, &declared)?);
            findings.extend(dead::switches(&probe, &declared)?);
            searched.push(format!("for dead parts in {} situations", probe.len()));
        }
        findings.extend(dead::results(loaded, &declared)?);
    }
    if wanted(&[Paradox]) {
        searched.push("for paradoxes in samples of fixed seed".into());
    }
    if !searched.is_empty() {
        notes.push(format!("searched {}", searched.join(", and ")));
    }
    findings.retain(|f| kinds.is_empty() || kinds.contains(&f.kind));
    findings.sort_by_key(|f| (f.severity, f.kind));
    Ok(Audited {
        rules: loaded.id().into(),
        title: loaded.ruleset.title.to_string(),
        variants: loaded.variant_names(),
        findings,
        notes,
        cured: None,
    })
}
