//! Muster: what each side throws for before the battle.

use super::kinds::Class;
use super::tables::{Side, Tables};
use crate::{Labels, Procedure, Setting};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Steps, row};
use std::sync::Arc;

/// How many dice are thrown.
const THROWS: usize = 6;

/// Dice, one after the other; the one with the most faces last, so that little has to be remembered.
#[derive(Debug)]
pub(super) struct Muster {
    /// With the variable each is thrown for.
    odds: [(usize, Odds<u16>); THROWS],
}

/// What was thrown so far: that many values, the others zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Thrown {
    count: usize,
    values: [u16; THROWS],
}

impl Muster {
    pub(super) fn new(tables: &Tables, side: Side) -> Self {
        let campaign = &tables.campaign;
        let dice = campaign.muster(side);
        let class = |by_face: &[Class]| {
            Odds::new(Throw::d6(), |face| {
                by_face[face as usize - 1].position() as u16
            })
        };
        Muster {
            odds: [
                (0, dice.extra_regiments.odds()),
                (1, dice.cavalry.odds()),
                (2, dice.batteries.odds()),
                (4, class(&campaign.cavalry_class)),
                (5, class(&campaign.battery_class)),
                (3, dice.figures.odds()),
            ],
        }
    }
}

impl Steps for Muster {
    type State = Thrown;

    fn phases(&self) -> Vec<&str> {
        vec![
            "extra regiments",
            "cavalry",
            "batteries",
            "cavalry class",
            "battery class",
            "figures",
        ]
    }

    fn start(&self) -> Thrown {
        Thrown::default()
    }

    fn phase(&self, thrown: &Thrown) -> usize {
        thrown.count
    }

    fn step<D: Dice>(&self, mut thrown: Thrown, dice: &mut D) -> Next<Thrown> {
        let (variable, odds) = &self.odds[thrown.count];
        thrown.values[*variable] = odds.roll(dice);
        thrown.count += 1;
        if thrown.count == THROWS {
            Next::Done(row(&thrown.values))
        } else {
            Next::Go(thrown)
        }
    }
}

/// The army that throws.
pub(super) fn side_setting() -> Setting {
    Setting::choice("side", Side::Federal, "which army").from("Allocation of troops")
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let class = |name: &str, whose: &str| {
        let meaning = format!("class of one {whose}");
        let known = Class::LABELS[..=Class::C.position()].iter().copied();
        Variable::category(name, &meaning, known)
    };
    Procedure {
        name: "muster".into(),
        about: "A side throws for its extra troops, for the size of one regiment, and for the classes of one cavalry regiment and one battery.".into(),
        source: "Allocation of troops; Allocation of figures".into(),
        composed: false,
        settings: vec![side_setting()],
        variables: vec![
            Variable::count("extra_regiments", "extra regiments of foot"),
            Variable::count("cavalry", "regiments of cavalry"),
            Variable::count("batteries", "batteries of artillery"),
            Variable::count("figures", "figures of one regiment"),
            class("cavalry_class", "regiment of cavalry"),
            class("battery_class", "battery"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Muster::new(&tables, s.choice("side"))))),
    }
}
