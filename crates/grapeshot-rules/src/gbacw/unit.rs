//! Units: strength points, morale and the hex they stand in, and what can be set about them.

use super::tables::{Ammunition, Tables};
use crate::{Labels, Of, Setting, Settings, Value};

grapeshot_engine::labels! {
    /// A morale rating: a check passes at or under it. `green` is rolled for when first needed.
    pub enum Morale {
        One = "1", Two = "2", Three = "3", Four = "4", Five = "5", Six = "6", Green = "green",
    }
}

impl Morale {
    /// As a player writes it: a number, or that it is not known yet.
    pub(super) fn shown(self) -> Value {
        match self {
            Morale::Green => Value::Choice(self.label().into()),
            known => Value::Whole(known.position() as i64 + 1),
        }
    }
}

grapeshot_engine::labels! {
    /// What fire has made of a unit; the firer is the side that acts.
    pub enum Condition {
        Steady = "steady" => Failure, Pinned = "pinned" => Undecided,
        Routed = "routed" => Success, Eliminated = "eliminated" => Success,
    }
}

/// A unit during a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    /// Strength points left.
    pub sp: u8,
    /// Its morale; green until it is rolled.
    pub morale: Morale,
}

impl Unit {
    /// A side whose strength points are the setting `points`.
    pub(super) fn read(s: &Settings, side: &str, points: &str) -> Self {
        Unit {
            sp: s.whole(Of(side, points)) as u8,
            morale: s.choice(Of(side, "morale")),
        }
    }

    /// Takes up to `points` strength points and returns how many there were to take.
    pub(super) fn loses(&mut self, points: u8) -> u8 {
        let lost = points.min(self.sp);
        self.sp -= lost;
        lost
    }

    /// Whether nothing is left.
    pub(super) fn is_gone(self) -> bool {
        self.sp == 0
    }
}

/// What is counted in the density of the hex a unit is fired at in. Only the unit itself loses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hex {
    /// The strength points in it, if they were given: then the unit's own do not count.
    given: Option<i64>,
    /// What the unit counts as, if not as its strength points.
    counts_as: Option<i64>,
    /// Strength points of other units and of wagons.
    beside: i64,
}

impl Hex {
    /// The hex of a side, by those of its settings that the procedure has.
    pub(super) fn read(tables: &Tables, s: &Settings, side: &str) -> Self {
        let key = |name| Of(side, name);
        let number = |name| s.whole_or(key(name), 0);
        Hex {
            given: Some(number("density")).filter(|&points| points > 0),
            counts_as: s
                .flag_or_off(key("battery"))
                .then_some(tables.battery_density),
            beside: number("others") + tables.wagon_density * number("wagons"),
        }
    }

    /// Its density while the unit has so many strength points.
    pub(super) fn density(&self, sp: u8) -> i64 {
        let unit = self.given.or(self.counts_as).unwrap_or(i64::from(sp));
        unit + self.beside
    }
}

/// Every setting a unit can have, declared once; procedures name the ones that matter to them.
pub(super) fn setting(side: &str, name: &str) -> Setting {
    let key = if side.is_empty() {
        name.to_owned()
    } else {
        format!("{side}.{name}")
    };
    match name {
        "morale" => Setting::choice(
            key,
            Morale::Three,
            "morale rating, a check passes at or under it; green is rolled on two dice, once",
        )
        .from("[9.16] key; [13.15]"),
        "sp" => Setting::whole(key, 1..=30, 4, "its strength points").from("[8.35]"),
        "battery" => Setting::flag(key, "is a battery: counts as 1 strength point for density")
            .from("[8.35] note"),
        "density" => Setting::whole(
            key,
            0..=40,
            0,
            "strength points in its hex, its own among them, for density; 0 is the unit alone",
        )
        .from("[8.35]"),
        "others" => Setting::whole(
            key,
            0..=30,
            0,
            "strength points of other units in its hex: they count for density, and neither fire nor lose",
        )
        .from("[8.35]"),
        "wagons" => Setting::whole(
            key,
            0..=5,
            0,
            "wagons in its hex: 4 strength points each for density, and nothing else",
        )
        .from("[8.35] note"),
        "ammunition" => Setting::choice(
            key,
            Ammunition::SmallArms,
            "the row of column headings its fire is read on; counter-battery fire is on that of small arms",
        )
        .from("[9.16] headings"),
        "shift" => Setting::whole(
            key,
            -10..=10,
            0,
            "extra columns for its own fire, right positive; cover of the enemy is a minus here",
        )
        .from("[8.35]"),
        "melee_shift" => Setting::whole(
            key,
            -10..=10,
            0,
            "added to the melee differential when this side charges",
        )
        .from("[12.98] notes"),
        "strength" => Setting::whole(key, 1..=30, 5, "melee strength; also its strength points")
            .from("[12.98]"),
        "fire" => Setting::whole(
            key,
            0..=99,
            10,
            "fire strength of the defensive volley",
        )
        .from("[9.16]"),
        "fire_per_sp" => Setting::real(key, 0.5..=10.0, 2.0, "fire strength of one strength point")
            .from("not printed"),
        other => unreachable!("no unit setting is called {other}"),
    }
}

/// The settings of a side, by name.
pub(super) fn settings(side: &str, names: &[&str]) -> Vec<Setting> {
    names.iter().map(|name| setting(side, name)).collect()
}
