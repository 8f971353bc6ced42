//! Muster: what each side throws for before the battle.

use super::tables::{DieRoll, Side, Tables};
use crate::dice::{Dice, Odds};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Procedure, Setting};
use std::sync::Arc;

/// How many dice are thrown.
const THROWS: usize = 4;

/// Four dice, one after the other.
#[derive(Debug)]
pub(super) struct Muster {
    odds: Vec<Odds<u16>>,
}

/// What was thrown so far: that many values, the others zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Thrown {
    count: usize,
    values: [u16; THROWS],
}

impl Muster {
    pub(super) fn new(tables: &Tables, side: Side) -> Self {
        let odds = |roll: &DieRoll| Odds::new(roll.throw.clone(), |face| (face + roll.plus) as u16);
        Muster {
            odds: tables.muster(side).iter().map(odds).collect(),
        }
    }
}

impl Steps for Muster {
    type State = Thrown;

    fn phases(&self) -> Vec<&str> {
        vec!["extra regiments", "cavalry", "batteries", "figures"]
    }

    fn start(&self) -> Thrown {
        Thrown::default()
    }

    fn phase(&self, thrown: &Thrown) -> usize {
        thrown.count
    }

    fn step<D: Dice>(&self, mut thrown: Thrown, dice: &mut D) -> Next<Thrown> {
        thrown.values[thrown.count] = self.odds[thrown.count].roll(dice);
        thrown.count += 1;
        if thrown.count == THROWS {
            Next::Done(row(&thrown.values))
        } else {
            Next::Go(thrown)
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "muster".into(),
        about: "A side throws for its extra troops, and for the size of one regiment.".into(),
        source: "Allocation of troops; Allocation of figures".into(),
        composed: false,
        settings: vec![
            Setting::choice("side", Side::Federal, "which army").from("Allocation of troops"),
        ],
        variables: vec![
            Variable::count("extra_regiments", "extra regiments of foot"),
            Variable::count("cavalry", "regiments of cavalry"),
            Variable::count("batteries", "batteries of artillery"),
            Variable::count("figures", "figures of one regiment"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Muster::new(&tables, s.choice("side"))))),
    }
}
