//! Morale tests.

use super::charts::Charts;
use super::keys::settings;
use super::side::Side;
use super::tables::{MoraleTable, Tables};
use super::unit::{Condition, Grade, Regiment};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// What a morale test can come to.
    pub enum Morale {
        Overenthusiastic = "overenthusiastic" => Success, Pass = "pass" => Success, Hit = "hit" => Failure,
        Retreat = "retreat" => Failure, Rout = "rout" => Failure,
    }
}

/// What a test is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// To stand, to go on, to receive a charge.
    Steadiness,
    /// To give defensive fire in the enemy's movement.
    DefensiveFire,
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
        let table = tables.morale.clone();
        let die = Throw::from_zero(tables.dice.morale);
        let of = |value: i64| {
            (LOWEST..=HIGHEST)
                .map(|modifier| {
                    Odds::new(die.clone(), |die| {
                        result(&table, value, i64::from(die) + modifier)
                    })
                })
                .collect()
        };
        MoraleChart {
            green: Odds::new(Throw::from_zero(tables.dice.green), |die| {
                tables.green[die as usize]
            }),
            odds: table.values.iter().map(|&value| of(value)).collect(),
            table,
        }
    }

    /// Tests a unit and applies what the test does to the unit itself: markers are cleared by a
    /// pass, a hit is taken. A green unit finds out what it is.
    pub(super) fn test<D: Dice>(
        &self,
        regiment: &Regiment,
        unit: &mut Condition,
        occasion: Occasion,
        dice: &mut D,
    ) -> Morale {
        self.learn_grade(unit, dice);
        let modifier = self.modifier(regiment, unit, occasion);
        let at = (modifier.clamp(LOWEST, HIGHEST) - LOWEST) as usize;
        let row = regiment.own_value.unwrap_or(unit.grade.position());
        let result = self.odds[row][at].roll(dice);
        unit.overenthusiastic = result == Morale::Overenthusiastic;
        match result {
            Morale::Overenthusiastic | Morale::Pass => unit.panic = 0,
            Morale::Hit => {
                regiment.panics(unit, 1);
                regiment.is_hit(unit, 1);
            }
            Morale::Retreat | Morale::Rout => {}
        }
        result
    }

    /// Everything that is added to the die.
    fn modifier(&self, regiment: &Regiment, unit: &Condition, occasion: Occasion) -> i64 {
        let table = &self.table;
        let on = |flag: bool, modifier: i64| if flag { modifier } else { 0 };
        let lost = i64::from(regiment.stands_lost + regiment.lost(unit));
        table.panic * i64::from(unit.panic)
            + table.two_stands_lost * (lost / 2)
            + table.withdrew[unit.withdrew.position()]
            + on(unit.flank_fire, table.flank_fire)
            + on(occasion == Occasion::DefensiveFire, table.defensive_fire)
            + on(regiment.covered, table.cover)
            + table.commander * regiment.led_by(unit)
            + regiment.house
    }

    /// A green unit finds out what it is, once.
    pub(super) fn learn_grade<D: Dice>(&self, unit: &mut Condition, dice: &mut D) {
        if unit.grade == Grade::Green {
            unit.grade = self.green.roll(dice);
        }
    }
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
    charts: Arc<Charts>,
    regiment: Regiment,
    occasion: Occasion,
}

impl Test {
    /// `extra` panic markers are received before the test.
    pub(super) fn new(charts: &Arc<Charts>, s: &Settings, extra: u8) -> Result<Self, RuleError> {
        let side = Side::new(s, "unit");
        let mut regiment = Regiment::read(&charts.tables, &side)?.covered(side.flag("cover"));
        let mut start = regiment.start;
        regiment.panics(&mut start, extra);
        regiment.start = start;
        Ok(Test {
            charts: Arc::clone(charts),
            regiment,
            occasion: if side.flag("defensive_fire") {
                Occasion::DefensiveFire
            } else {
                Occasion::Steadiness
            },
        })
    }

    pub(super) fn roll<D: Dice>(&self, dice: &mut D) -> Morale {
        let mut unit = self.regiment.start;
        self.charts
            .morale
            .test(&self.regiment, &mut unit, self.occasion, dice)
    }
}

impl OneStep for Test {
    const PHASE: &'static str = "morale test";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        row(&[self.roll(dice).position() as u16])
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "morale".into(),
        about: "A unit takes a morale test.".into(),
        source: "Morale phase, Morale tests".into(),
        composed: false,
        settings: test_settings(),
        variables: vec![Morale::variable("result", "what the test comes to")],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Test::new(&charts, s, 0)?))),
    }
}
