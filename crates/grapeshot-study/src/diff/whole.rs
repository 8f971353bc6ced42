//! Two editions of a whole ruleset: procedure by procedure, where the change is seen.

use super::super::workbench::Workbench;
use super::reach::{Reach, reach};
use super::{Diff, diff};
use crate::Envelope;
use grapeshot_engine::dist::Quantity;
use grapeshot_engine::engine::doing;
use grapeshot_rules::sweep::Axis;
use grapeshot_rules::{Given, LoadedRuleset, OddsError, Options, TableChange};
use serde::Serialize;

/// What changes between two editions of a ruleset.
#[derive(Debug, Clone, Serialize)]
pub struct WholeDiff {
    /// The ruleset.
    pub rules: String,
    /// The edition before: names of its variants, none for what is printed.
    pub before: Vec<String>,
    /// The edition after.
    pub after: Vec<String>,
    /// What the later edition's variants say of themselves.
    pub about: Vec<String>,
    /// What they change in print, and what they add.
    pub changes: Vec<TableChange>,
    /// The procedures in which something moved.
    #[serde(serialize_with = "Envelope::each")]
    pub moved: Vec<Diff>,
    /// The procedures in which nothing was seen to move, and how that was looked for.
    pub still: Vec<Still>,
    /// What was added, used in a procedure.
    #[serde(skip)]
    pub used: Vec<(String, Reach)>,
}

/// A procedure in which nothing was seen to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Still {
    /// The procedure.
    pub procedure: String,
    /// How many situations were tried.
    pub situations: usize,
    /// How many were too large to be solved.
    pub left_out: usize,
}

/// Compares all procedures of two editions. Those that are too large are compared at their default only.
///
/// # Errors
/// If the engine cannot answer.
pub fn diff_all(
    before: &LoadedRuleset,
    after: &LoadedRuleset,
    options: Options,
) -> Result<WholeDiff, OddsError> {
    let mut whole = WholeDiff {
        rules: after.id().into(),
        before: before.variant_names(),
        after: after.variant_names(),
        about: super::about(after),
        changes: super::changes(after),
        moved: Vec::new(),
        still: Vec::new(),
        used: Vec::new(),
    };
    for procedure in &after.procedures {
        if before.procedure(&procedure.name).is_err() {
            continue;
        }
        doing(|| procedure.name.to_string());
        let bench = |loaded| Workbench::new(loaded, &procedure.name, Given::new(), options);
        let (a, b) = (bench(before)?, bench(after)?);
        let reach = reach(&a, &b)?;
        if !reach.used.is_empty() {
            whole.used.push((procedure.name.to_string(), reach.clone()));
        }
        match reach.seen.is_empty() {
            true => whole.still.push(Still {
                procedure: procedure.name.to_string(),
                situations: reach.tried,
                left_out: reach.left_out,
            }),
            false => whole.moved.push(shown(&a, &b, reach)?),
        }
    }
    Ok(whole)
}

/// The same of one procedure: its default, and where that does not reach the change, the key that does.
///
/// # Errors
/// As [`diff`].
pub fn diff_where_it_matters(
    before: &Workbench<'_>,
    after: &Workbench<'_>,
    asked: Diff,
) -> Result<Diff, OddsError> {
    if asked.cells.iter().any(|cell| cell.moved) || !asked.elsewhere.is_empty() {
        return Ok(asked);
    }
    let reach = reach(before, after)?;
    let found = match (reach.seen.is_empty(), asked.axes.is_empty()) {
        // What was swept stays as it was asked; where it moves is said beside it.
        (_, false) | (true, _) => asked,
        (false, true) => return shown(before, after, reach),
    };
    Ok(Diff {
        reach: Some(reach),
        ..found
    })
}

/// A procedure along the key that shows its change, or in a situation that does.
fn shown(before: &Workbench<'_>, after: &Workbench<'_>, reach: Reach) -> Result<Diff, OddsError> {
    let axis = reach.axis(after);
    let at_default = reach.seen.iter().any(|(given, _)| given.is_empty());
    let alone = reach.seen.iter().any(|(given, _)| given.len() == 1);
    let mut benches = [before.clone(), after.clone()];
    if let (false, false, Some((given, _))) = (at_default, alone, reach.seen.first()) {
        for bench in &mut benches {
            bench.given.extend(given.iter().cloned());
        }
    }
    let [a, b] = &benches;
    let axes: Vec<Axis> = axis.into_iter().collect();
    let mut found = diff(a, b, axes.clone(), None)?;
    if !found.cells.iter().any(|cell| cell.moved) {
        // Who wins may be as before where losses are not.
        let numeric = |name: &&String| {
            let mut variables = after.procedure.variables.iter();
            variables.any(|v| v.name == **name && v.is_numeric())
        };
        if let Some(name) = found.elsewhere.iter().find(numeric) {
            found = diff(a, b, axes, Some(Quantity::Mean(name.clone())))?;
        }
    }
    Ok(Diff {
        reach: Some(reach),
        ..found
    })
}
