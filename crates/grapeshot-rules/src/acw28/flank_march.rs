//! Flank march: when and where units that went round come onto the table.

use super::tables::{Tables, Zone};
use crate::{Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// Where the enemy's own flank march goes.
    pub enum Opponent { None = "none", OtherFlank = "other-flank", SameFlank = "same-flank" }
}

/// The die that says both when and where.
#[derive(Debug)]
pub(super) struct FlankMarch {
    /// Move and place of arrival; nothing for one that never comes.
    arrival: Odds<Option<(u16, Zone)>>,
}

impl FlankMarch {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Self {
        let zones = &tables.campaign.zones;
        let last = zones[zones.len() - 1];
        let nullified = s.choice::<Opponent>("opponent") == Opponent::SameFlank;
        let moves = s.whole("moves") as i32;
        let zone = |score: i32| Zone::ALL[zones.partition_point(|&end| end < score)];
        let arrives = |score: i32| !nullified && score <= moves;
        FlankMarch {
            arrival: Odds::new(Throw::die(1, last as i16), |score| {
                arrives(score).then(|| (score as u16, zone(score)))
            }),
        }
    }
}

impl OneStep for FlankMarch {
    const PHASE: &'static str = "arrival";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        match self.arrival.roll(dice) {
            Some((when, zone)) => row(&[1, zone.position() as u16, when]),
            None => row(&[0, Zone::Nowhere.position() as u16, 0]),
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "flank-march".into(),
        about: "When and where a flank march comes onto the table.".into(),
        source: "Flank marches".into(),
        composed: false,
        settings: vec![
            Setting::choice(
                "opponent",
                Opponent::None,
                "where the enemy's own flank march goes; both on one flank come to nothing",
            )
            .from("Flank marches"),
            Setting::whole("moves", 1..=60, 20, "own moves the battle lasts").from("Flank marches"),
        ],
        variables: vec![
            Variable::yes_no("arrives", "whether it comes")
                .favouring([Favour::Failure, Favour::Success]),
            Variable::category("zone", "where it comes", Zone::LABELS.iter().copied()),
            Variable::count("move", "the move in which it comes; 0 if it never does"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(FlankMarch::new(&tables, s)))),
    }
}
