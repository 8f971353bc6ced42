//! Tests of the text by kind: settings refused, tables at their corners, laws any reading must keep, decisions and battles that
//! reduce to what is solved. Worked examples stand beside the text.

mod battle;
mod decide;
mod laws;
mod refusals;
mod tables;

use crate::testing::{self, engines_agree};
use crate::{LoadedRuleset, RuleError, Settings};
use grapeshot_engine::dist::Distribution;

fn loaded() -> LoadedRuleset {
    testing::printed("acw28")
}

/// Settings of a procedure from `key=value key=value`.
fn given(procedure: &str, text: &str) -> Settings {
    testing::settings("acw28", procedure, text)
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
