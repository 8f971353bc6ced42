//! Charges and melees on scripted dice.

use super::super::assault::Outcome;
use super::super::close_combat::CloseCombat;
use super::super::unit::Order;
use super::{charts, settings};
use crate::Labels;
use crate::testing::replay;

/// A charge or a melee.
pub(super) fn combat(procedure: &str, given: &str) -> CloseCombat {
    CloseCombat::new(&charts(), &settings(procedure, given)).expect("it can be played")
}

/// What a trial reports.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub outcome: &'static str,
    pub rounds: u16,
    pub hits: [u16; 2],
    pub states: [&'static str; 2],
    pub lost: [u16; 2],
}

/// Outcome, rounds, hits and states with these dice.
pub(super) fn play(procedure: &str, given: &str, dice: &[i32]) -> Report {
    let row = replay(&combat(procedure, given), dice);
    let order = |at: usize| Order::LABELS[usize::from(row[at])];
    Report {
        outcome: Outcome::LABELS[usize::from(row[0])],
        rounds: row[1],
        hits: [row[2], row[3]],
        states: [order(4), order(5)],
        lost: [row[6], row[7]],
    }
}
