//! Demolition: a gun battery shoots at a wall, a bridge or a building until it is down.

use super::tables::{Fire, Tables, Work};
use super::unit::Class;
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// What fires.
    pub enum Gun { Field = "field", Heavy = "heavy" }
}

/// Hits add up, turn after turn.
#[derive(Debug)]
pub(super) struct Demolition {
    hits: Odds<u16>,
    destroyed_by: u16,
    turns: u16,
}

impl Demolition {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let class = s.choice("class");
        let need = tables
            .to_hit(Fire::Artillery, class)
            .ok_or_else(|| s.refuse("class", "the chart for artillery fire has no such class"))?;
        let dice = match s.choice("gun") {
            Gun::Field => tables.fire_dice.field_gun,
            Gun::Heavy => tables.fire_dice.heavy_gun,
        };
        let count = s.whole("gunners") as u32 * u32::from(dice);
        Ok(Demolition {
            hits: Odds::new(Throw::pool_at_least(count, 6, need), |n| n as u16),
            destroyed_by: tables.work_hits(s.choice("work")),
            turns: s.whole("turns") as u16,
        })
    }
}

impl Steps for Demolition {
    /// Hits so far.
    type State = u16;

    fn phases(&self) -> Vec<&str> {
        vec!["fire"]
    }

    fn start(&self) -> u16 {
        0
    }

    fn phase(&self, _: &u16) -> usize {
        0
    }

    fn step<D: Dice>(&self, so_far: u16, dice: &mut D) -> Next<u16> {
        let so_far = so_far + self.hits.roll(dice);
        if so_far >= self.destroyed_by {
            Next::Done(row(&[1]))
        } else {
            Next::NextTurn(so_far)
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, _: &u16) -> Row {
        row(&[0])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "demolition".into(),
        about: "A battery shoots at a work until it is destroyed.".into(),
        source: "Destruction of".into(),
        composed: false,
        settings: vec![
            Setting::choice("gun", Gun::Field, "the kind of gun").from("Destruction of"),
            Setting::whole(
                "gunners",
                1..=8,
                5,
                "artillery men; infantry helpers do not count",
            )
            .from("Destruction of"),
            Setting::one_of("class", &Class::LABELS[..3], "B", "quality of the gunners")
                .from("Firing, Score required to hit"),
            Setting::choice("work", Work::StoneWall, "what is to be destroyed")
                .from("Destruction of"),
            Setting::whole("turns", 1..=50, 6, "turns of fire at most").from("Destruction of"),
        ],
        variables: vec![
            Variable::yes_no(
                "destroyed",
                "whether the work is destroyed within the turns",
            ),
            Variable::count("turns", "the turn of its destruction, or the last"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Demolition::new(&tables, s)?))),
    }
}
