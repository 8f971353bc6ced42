//! Demolition: a gun battery shoots at a wall, a bridge or a building until it is down.

use super::kinds::{Class, Gun};
use super::tables::{Fire, Tables, Work};
use crate::{Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

/// Hits add up, turn after turn.
#[derive(Debug)]
pub(super) struct Demolition {
    hits: Odds<u8>,
    destroyed_by: u16,
    /// Figures in the building or on the bridge, which die with it.
    garrison: u16,
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
        let count = s.whole("gunners") as u8 * dice;
        Ok(Demolition {
            hits: tables.d6.at_least(count, need).clone(),
            destroyed_by: tables.work_hits(s.choice("work")),
            garrison: garrison(tables, s)?,
            turns: s.whole("turns") as u16,
        })
    }
}

/// Those who die with the work: troops in a building or on a bridge, and nobody behind anything else.
fn garrison(tables: &Tables, s: &Settings) -> Result<u16, RuleError> {
    let garrison = s.whole("garrison");
    let work: Work = s.choice("work");
    let reason = match work {
        Work::StoneBridge | Work::WoodenBridge => None,
        Work::StoneBuilding | Work::WoodenBuilding => (garrison > tables.figures_in_a_building)
            .then(|| format!("a building holds {} figures", tables.figures_in_a_building)),
        Work::Earthwork | Work::StoneWall | Work::Fence => {
            (garrison > 0).then(|| format!("troops behind a {} are not harmed", work.label()))
        }
    };
    match reason {
        Some(reason) => Err(s.refuse("garrison", reason)),
        None => Ok(garrison as u16),
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
        let so_far = so_far + u16::from(self.hits.roll(dice));
        if so_far >= self.destroyed_by {
            Next::Done(row(&[1, 0, self.garrison]))
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
        about: "A battery shoots at a work until it is destroyed, and its garrison with it.".into(),
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
            Setting::whole(
                "garrison",
                0..=40,
                0,
                "figures in the building or on the bridge, which die with it",
            )
            .from("Destruction of; Hard cover"),
        ],
        variables: vec![
            Variable::yes_no(
                "destroyed",
                "whether the work is destroyed within the turns",
            )
            .favouring([Favour::Failure, Favour::Success]),
            Variable::count("turns", "the turn of its destruction, or the last"),
            Variable::count("garrison_lost", "figures that die with it"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Demolition::new(&tables, s)?))),
    }
}
