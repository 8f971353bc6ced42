//! Tests of the ruleset, by kind: printed examples replayed, tables at their corners, settings
//! refused, engines in agreement, and laws any reading must keep.

mod before;
mod decide;
mod examples;
mod fights;
mod laws;
mod refusals;
mod tables;

use super::tables::Tables;
use crate::testing::{self, engines_agree};
use crate::{LoadedRuleset, RuleError, Settings};
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::Steps;
use std::sync::Arc;

fn loaded() -> LoadedRuleset {
    testing::printed("acw28")
}

fn printed() -> Arc<Tables> {
    Arc::new(Tables::load(&loaded().tables).unwrap())
}

/// Settings of a procedure from `key=value key=value`.
fn given(procedure: &str, text: &str) -> Settings {
    testing::settings("acw28", procedure, text)
}

/// The values of a trial on these readings, all of which must be used.
fn replay<S: Steps>(steps: &S, readings: &[i32]) -> Vec<u16> {
    testing::replay(steps, readings).to_vec()
}

/// The solved distribution.
fn solved(procedure: &str, text: &str) -> Distribution {
    testing::odds("acw28", procedure, text)
}

/// Why the rules refuse these settings.
fn refused(procedure: &str, text: &str) -> RuleError {
    testing::refused("acw28", procedure, text)
}

#[test]
fn solved_walked_and_directly_played_results_agree() {
    let loaded = loaded();
    for procedure in loaded.procedures.iter().filter(|p| !p.is_played_out()) {
        engines_agree("acw28", &procedure.name, 12);
    }
}
