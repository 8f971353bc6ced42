//! Crossing: mounted troops jump a fence or wall, or swim a river.

use super::tables::{Obstacle, Tables};
use crate::{Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// A die for each trooper.
#[derive(Debug)]
pub(super) struct Crossing {
    lost: Odds<u8>,
}

impl Crossing {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Self {
        let dies_from = tables.dies_from(s.choice("obstacle"));
        let figures = s.whole("figures") as u8;
        Crossing {
            lost: tables.d6.at_least(figures, dies_from).clone(),
        }
    }
}

impl OneStep for Crossing {
    const PHASE: &'static str = "crossing";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        row(&[u16::from(self.lost.roll(dice))])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "crossing".into(),
        about: "Mounted troops cross an obstacle, and some of them fall or drown.".into(),
        source: "Movement, Cavalry and mounted troops".into(),
        composed: false,
        settings: vec![
            Setting::whole("figures", 1..=40, 15, "figures that cross")
                .from("Movement, Cavalry and mounted troops"),
            Setting::choice("obstacle", Obstacle::River, "what they jump or swim")
                .from("Movement, Cavalry and mounted troops"),
        ],
        variables: vec![Variable::count("lost", "figures killed or drowned")],
        notes: vec!["No morale test follows: these are not losses to fire or melee.".into()],
        build: Box::new(move |s| Ok(Box::new(Crossing::new(&tables, s)))),
    }
}
