//! Tests of the ruleset, by kind: printed examples replayed, tables at their corners, settings
//! refused, engines in agreement, and laws any reading must keep.

mod agreement;
mod examples;
mod laws;
mod refusals;
mod tables;

use super::RULESET;
use super::tables::Tables;
use crate::dice::Scripted;
use crate::dist::Distribution;
use crate::engine::{Budget, Method, Steps, Stop, play_once};
use crate::rules::{Asked, Loaded, OddsError, RuleError, Settings, TableFile};

fn printed() -> Tables {
    Tables::load(&TableFile::parse("acw28", RULESET.tables).unwrap()).unwrap()
}

fn loaded() -> Loaded {
    RULESET.load(&[]).unwrap()
}

/// Settings of a procedure from `key=value key=value`.
fn given(procedure: &str, text: &str) -> Settings {
    let pairs = text
        .split_whitespace()
        .map(|pair| pair.split_once('=').expect("key=value"));
    loaded()
        .procedure(procedure)
        .unwrap()
        .resolve(pairs)
        .unwrap()
}

/// The values of a trial on these readings, all of which must be used.
fn replay<S: Steps>(steps: &S, readings: &[i32]) -> Vec<u16> {
    let mut dice = Scripted::new(readings.iter().copied());
    let end = play_once(steps, &mut dice);
    dice.finish();
    end.row.to_vec()
}

const EXACT: Asked = Asked {
    method: Method::Exact,
    stop: Stop::Trials(0),
    seed: 1863,
    budget: Budget { states: 1_000_000 },
    common_dice: false,
};

/// The solved distribution.
fn solved(procedure: &str, text: &str) -> Distribution {
    let settings = given(procedure, text);
    let loaded = loaded();
    let procedure = loaded.procedure(procedure).unwrap();
    procedure.odds(&settings, &EXACT).unwrap().0
}

/// Why the rules refuse these settings.
fn refused(procedure: &str, text: &str) -> RuleError {
    let settings = given(procedure, text);
    match loaded()
        .procedure(procedure)
        .unwrap()
        .odds(&settings, &EXACT)
    {
        Err(OddsError::Rule(error)) => error,
        other => panic!("{procedure} {text} is not refused: {other:?}"),
    }
}
