//! The units that support a side in a charge: what they help by is the side's own business, what
//! they suffer when it loses is here.

use super::morale::check_odds;
use super::tables::Tables;
use super::unit::{Grade, Level};
use crate::{Labels, Of, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds};

/// Grades of the supports: the unit's own, or one of their own.
const GRADES: [&str; 5] = ["same", "elite", "veteran", "trained", "green"];

/// A side's supporting units. Of the unit they stand beside they share nothing but, unless it is
/// said otherwise, the grade.
#[derive(Debug, Clone, Copy)]
pub(super) struct Supports {
    /// In good order, disordered.
    counts: [u8; 2],
    /// What the dice of each must reach, before the number of the check.
    mmps: [i64; 2],
}

/// The checks they take together after a lost charge: how many roll, and whether one passes.
#[derive(Debug)]
pub(super) struct Checks([(u8, &'static Odds<bool>); 2]);

impl Supports {
    pub(super) fn read(tables: &Tables, s: &Settings, side: &str) -> Self {
        let key = |name| Of(side, name);
        let count = |name| s.whole(key(name)) as u8;
        let grade = Grade::from_label(s.text(key("support_grade")))
            .unwrap_or_else(|| s.choice(key("grade")));
        let basic = tables.basic[grade.position()] + s.whole(key("support_modifier"));
        Supports {
            counts: [count("support_good"), count("support_disordered")],
            mmps: [Level::Good, Level::Disorder]
                .map(|level| basic + tables.levels[level.position()]),
        }
    }

    /// How many there are, whether or not they all helped.
    pub(super) fn total(&self) -> u16 {
        self.counts.map(u16::from).iter().sum()
    }

    /// Their checks with this number.
    pub(super) fn checks(&self, number: i64) -> Checks {
        let checks = [0, 1].map(|at| (self.counts[at], check_odds(self.mmps[at] + number)));
        Checks(checks)
    }
}

impl Checks {
    /// Rolls for each of them; how many fail, and end a level worse.
    pub(super) fn worse<D: Dice>(&self, dice: &mut D) -> u16 {
        let mut worse = 0;
        for (count, passes) in &self.0 {
            for _ in 0..*count {
                worse += u16::from(!passes.roll(dice));
            }
        }
        worse
    }
}

/// What can be set about the supports of a side, beside how many they are.
pub(super) fn settings(side: &str) -> [Setting; 2] {
    let source = "Charge impact, results; The Basic Morale Point";
    [
        Setting::one_of(
            format!("{side}.support_grade"),
            &GRADES,
            GRADES[0],
            "grade of its supports, for their check after a lost charge; same is the unit's grade",
        )
        .from(source),
        Setting::whole(
            format!("{side}.support_modifier"),
            -10..=10,
            0,
            "its supports' own modifiers and leader in that check, summed; no part in the impact",
        )
        .from(source),
    ]
}
