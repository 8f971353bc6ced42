//! Morale tests.

use super::tables::{MoraleTable, Tables};
use super::unit::{Condition, Grade, Regiment, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{OneStep, Row, row};
use crate::rules::{Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// What a morale test can come to.
    pub enum Morale { Overenthusiastic = "overenthusiastic", Pass = "pass", Hit = "hit", Retreat = "retreat", Rout = "rout" }
}

/// The odds of every test that can be asked for, by grade and modifier.
#[derive(Debug)]
pub(super) struct MoraleChart {
    table: MoraleTable,
    green: Odds<Grade>,
    odds: Vec<Vec<Odds<Morale>>>,
}

/// Modifiers outside this range change nothing more: every face is already overenthusiastic or a rout.
const LOWEST: i64 = -30;
const HIGHEST: i64 = 50;

impl MoraleChart {
    pub(super) fn new(tables: &Tables) -> Self {
        let table = tables.morale;
        let of = |value: i64| {
            (LOWEST..=HIGHEST)
                .map(|modifier| {
                    Odds::new(Throw::d10_from_zero(), |die| {
                        result(&table, value, i64::from(die) + modifier)
                    })
                })
                .collect()
        };
        MoraleChart {
            table,
            green: green_odds(tables),
            odds: table.values.iter().map(|&value| of(value)).collect(),
        }
    }

    /// Tests a unit and applies what the test does to the unit itself: markers are cleared by a
    /// pass, a hit is taken. A green unit finds out what it is.
    pub(super) fn test<D: Dice>(
        &self,
        regiment: &Regiment,
        mut unit: Condition,
        situation: i64,
        dice: &mut D,
    ) -> (Morale, Condition) {
        unit.grade = self.known_grade(unit.grade, dice);
        let lost = i64::from(regiment.stands_lost + regiment.lost(unit));
        let modifier = situation
            + self.table.panic * i64::from(unit.panic)
            + self.table.two_stands_lost * (lost / 2)
            + self.table.commander * i64::from(regiment.commander);
        let result = self.roll(unit.grade, modifier, dice);
        unit.overenthusiastic = result == Morale::Overenthusiastic;
        match result {
            Morale::Overenthusiastic | Morale::Pass => unit.panic = 0,
            Morale::Hit => unit = regiment.suffers(unit, 1, 1),
            Morale::Retreat | Morale::Rout => {}
        }
        (result, unit)
    }

    /// The grade, rolled for if it is green.
    pub(super) fn known_grade<D: Dice>(&self, grade: Grade, dice: &mut D) -> Grade {
        match grade {
            Grade::Green => self.green.roll(dice),
            known => known,
        }
    }

    fn roll<D: Dice>(&self, grade: Grade, modifier: i64, dice: &mut D) -> Morale {
        let at = (modifier.clamp(LOWEST, HIGHEST) - LOWEST) as usize;
        self.odds[grade.position()][at].roll(dice)
    }

    /// The modifier for standing in or behind cover.
    pub(super) fn cover(&self) -> i64 {
        self.table.cover
    }

    /// The modifier for effective fire from the flank.
    pub(super) fn flank_fire(&self) -> i64 {
        self.table.flank_fire
    }

    /// The modifier for a test to give defensive fire.
    pub(super) fn defensive_fire(&self) -> i64 {
        self.table.defensive_fire
    }
}

/// What a green unit turns out to be.
pub(super) fn green_odds(tables: &Tables) -> Odds<Grade> {
    Odds::new(Throw::d10_from_zero(), |die| tables.green[die as usize])
}

fn result(table: &MoraleTable, value: i64, modified: i64) -> Morale {
    let over = modified - value;
    let [hit, retreat, rout] = table.results;
    if modified <= 0 {
        Morale::Overenthusiastic
    } else if over >= rout {
        Morale::Rout
    } else if over >= retreat {
        Morale::Retreat
    } else if over >= hit {
        Morale::Hit
    } else {
        Morale::Pass
    }
}

/// The keys of a unit that tests.
pub(super) fn test_settings() -> Vec<Setting> {
    let names = [
        "grade",
        "panic",
        "stands_lost",
        "withdrew",
        "flank_fire",
        "defensive_fire",
        "in_cover",
        "commander",
    ];
    settings("unit", &names)
}

/// A single test with everything about it set.
#[derive(Debug)]
pub(super) struct Test {
    chart: Arc<MoraleChart>,
    grade: Grade,
    modifier: i64,
}

impl Test {
    /// `extra` panic markers are received before the test.
    pub(super) fn new(tables: &Tables, chart: &Arc<MoraleChart>, s: &Settings, extra: u8) -> Self {
        let table = &tables.morale;
        let withdrew = match s.text("unit.withdrew") {
            "retreat" => table.withdrew[1],
            "rout" => table.withdrew[2],
            _ => table.withdrew[0],
        };
        let on = |key: &str, modifier: i64| i64::from(s.flag(key)) * modifier;
        let panic = (s.whole("unit.panic") + i64::from(extra)).min(i64::from(tables.most_panic));
        Test {
            chart: Arc::clone(chart),
            grade: s.choice("unit.grade"),
            modifier: table.panic * panic
                + table.two_stands_lost * (s.whole("unit.stands_lost") / 2)
                + withdrew
                + on("unit.flank_fire", table.flank_fire)
                + on("unit.defensive_fire", table.defensive_fire)
                + on("unit.cover", table.cover)
                + table.commander * s.whole("unit.commander"),
        }
    }

    pub(super) fn roll<D: Dice>(&self, dice: &mut D) -> Morale {
        let grade = self.chart.known_grade(self.grade, dice);
        self.chart.roll(grade, self.modifier, dice)
    }
}

impl OneStep for Test {
    const PHASE: &'static str = "morale test";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        row(&[self.roll(dice).position() as u16])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>, chart: &Arc<MoraleChart>) -> Procedure {
    let (tables, chart) = (Arc::clone(tables), Arc::clone(chart));
    Procedure {
        name: "morale".into(),
        about: "A unit takes a morale test.".into(),
        source: "Morale phase, Morale tests".into(),
        composed: false,
        settings: test_settings(),
        variables: vec![Variable::category(
            "result",
            "what the test comes to",
            Morale::LABELS.iter().copied(),
        )],
        notes: Vec::new(),
        build: Box::new(move |s| -> Result<_, RuleError> {
            Ok(Box::new(Test::new(&tables, &chart, s, 0)))
        }),
    }
}
