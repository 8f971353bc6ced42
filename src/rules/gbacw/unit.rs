//! Units: strength points and morale, and what can be set about them.

use crate::rules::{Setting, Settings};

crate::labels! {
    /// A morale rating: a check passes at or under it. `green` is rolled for when first needed.
    pub enum Morale {
        One = "1", Two = "2", Three = "3", Four = "4", Five = "5", Six = "6", Green = "green",
    }
}

crate::labels! {
    /// What fire has made of a unit.
    pub enum Condition { Steady = "steady", Pinned = "pinned", Routed = "routed", Eliminated = "eliminated" }
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
            sp: s.whole(&format!("{side}.{points}")) as u8,
            morale: s.choice(&format!("{side}.morale")),
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
        "sp" => Setting::whole(key, 1..=30, 4, "strength points in the hex").from("[8.35]"),
        "battery" => Setting::flag(key, "is a battery: counts as 1 strength point for density")
            .from("[8.35] note"),
        "strength" => Setting::whole(key, 1..=30, 5, "melee strength; also its strength points")
            .from("[12.98]"),
        "fire" => Setting::whole(
            key,
            0..=99,
            10,
            "fire strength of the defensive volley, small arms",
        )
        .from("[9.16]"),
        "density" => Setting::whole(
            key,
            0..=40,
            0,
            "strength points in the attacking hex, for density; 0 is the attacker's strength",
        )
        .from("[8.35]"),
        "fire_per_sp" => Setting::real(key, 0.5..=10.0, 2.0, "fire strength of one strength point")
            .from("not printed"),
        other => unreachable!("no unit setting is called {other}"),
    }
}

/// The settings of a side, by name.
pub(super) fn settings(side: &str, names: &[&str]) -> Vec<Setting> {
    names.iter().map(|name| setting(side, name)).collect()
}
