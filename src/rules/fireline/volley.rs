//! Volleys: how hard a stack fires, in fire combat and in an assault.
//!
//! Everything but the firer's own state is settled once. What is left is one roll for each state it
//! can fire in: good or disrupted, full or reduced.

use super::tables::{Effect, HexLimit, Tables};
use super::unit::{Arm, Condition, Order, Stack, Terrain};
use crate::dice::{Dice, Odds, Throw};
use crate::rules::Settings;

/// A firing stack's place and markers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shooter {
    pub clear_hex: bool,
    pub behind_wall: bool,
    pub advance_fire: bool,
}

impl Shooter {
    /// Reads a side; keys the procedure does not have are off.
    pub(super) fn read(s: &Settings, side: &str) -> Self {
        let flag = |name: &str| s.flag_or_off(&format!("{side}.{name}"));
        Shooter {
            clear_hex: flag("clear_hex"),
            behind_wall: flag("behind_wall"),
            advance_fire: flag("advance_fire"),
        }
    }
}

/// What the fire line depends on about a target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub arm: Arm,
    pub terrain: Terrain,
    pub thoroughfare: bool,
    pub lower: bool,
    pub wall: bool,
    pub flanked: bool,
    pub advancing: bool,
    pub charging: bool,
    pub dense: bool,
}

impl Mark {
    /// Reads a side; keys the procedure does not have are off.
    pub(super) fn read(s: &Settings, side: &str) -> Self {
        let flag = |name: &str| s.flag_or_off(&format!("{side}.{name}"));
        Mark {
            arm: s.choice(&format!("{side}.type")),
            terrain: s.choice_or(&format!("{side}.terrain"), Terrain::Clear),
            thoroughfare: flag("thoroughfare"),
            lower: flag("lower"),
            wall: flag("wall"),
            flanked: flag("flanked"),
            advancing: flag("advancing"),
            charging: flag("charging"),
            dense: flag("dense"),
        }
    }
}

/// Fire of one stack at another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shot {
    pub shooter: Shooter,
    pub mark: Mark,
    /// Hexes.
    pub range: i64,
    pub no_los: bool,
}

/// The rolls of a stack that fires, by the state it is in.
#[derive(Debug)]
pub(super) struct Volley {
    /// In good order, then disrupted; each full, then reduced.
    odds: [[Odds<Effect>; 2]; 2],
}

/// What decides the row of a volley, apart from the state of the firer.
struct Rows<'a> {
    limit: &'a HexLimit,
    clear_hex: bool,
    factor: Option<i64>,
    modifiers: Vec<i64>,
    disrupted: i64,
    highest: usize,
    bracketed: bool,
}

impl Volley {
    /// Fire combat (Combat Results Table; Fire Line Modifiers Schedule, Fire Combat Only).
    pub(super) fn of_fire(tables: &Tables, stack: &Stack, shot: &Shot) -> Self {
        let (mark, range, ranges) = (&shot.mark, shot.range, &tables.artillery);
        let artillery = stack.arm == Arm::Artillery;
        let at_small_arms = artillery && mark.arm.is_small_arms();
        let long = artillery && range >= ranges.long_from;
        let mut highest = tables.lines.len() - 1;
        if shot.no_los {
            highest = highest.min(tables.highest_no_los);
        }
        if long {
            highest = highest.min(tables.highest_long);
        }
        Self::new(
            tables,
            stack,
            &Rows {
                limit: &tables.fire_limit,
                clear_hex: shot.shooter.clear_hex,
                factor: tables.range_factor(stack.arm, range),
                modifiers: fire_modifiers(tables, stack.arm, shot),
                disrupted: tables.fire.disrupted,
                highest,
                bracketed: at_small_arms && range >= ranges.bracketed_from,
            },
        )
    }

    /// A round of an assault, with the modifiers of the side.
    pub(super) fn of_assault(
        tables: &Tables,
        stack: &Stack,
        clear_hex: bool,
        modifiers: Vec<i64>,
    ) -> Self {
        Self::new(
            tables,
            stack,
            &Rows {
                limit: &tables.assault_limit,
                clear_hex,
                factor: tables.assault_factor(stack.arm),
                modifiers,
                disrupted: tables.assault.disrupted,
                highest: tables.lines.len() - 1,
                bracketed: false,
            },
        )
    }

    fn new(tables: &Tables, stack: &Stack, rows: &Rows<'_>) -> Self {
        let odds = |disrupted: bool, sp: i64| {
            let Some(factor) = rows.factor else {
                return Odds::weighted([(Effect::None, 1)]);
            };
            let sp = rows.limit.firing(sp, stack.arm, rows.clear_hex);
            let mut modifiers = rows.modifiers.clone();
            if disrupted {
                modifiers.push(rows.disrupted);
            }
            let row = tables.shifted(tables.row(sp * factor / 100), &modifiers);
            let line = &tables.lines[row.min(rows.highest)];
            let effects = if rows.bracketed {
                &line.bracketed
            } else {
                &line.plain
            };
            Odds::new(Throw::d10_from_zero(), |die| effects[die as usize])
        };
        Volley {
            odds: [false, true].map(|disrupted| stack.sp.map(|sp| odds(disrupted, sp))),
        }
    }

    /// Rolls for a stack in this condition.
    pub(super) fn roll<D: Dice>(&self, stack: &Stack, unit: Condition, dice: &mut D) -> Effect {
        let disrupted = usize::from(unit.order == Order::Disrupted);
        let reduced = usize::from(stack.is_reduced(unit));
        self.odds[disrupted][reduced].roll(dice)
    }
}

/// The modifiers of a shot that do not depend on the order of the firer.
fn fire_modifiers(tables: &Tables, arm: Arm, shot: &Shot) -> Vec<i64> {
    let (fire, ranges) = (&tables.fire, &tables.artillery);
    let (shooter, mark, range) = (&shot.shooter, &shot.mark, shot.range);
    let artillery = arm == Arm::Artillery;
    let clear = mark.terrain == Terrain::Clear;
    let applying = [
        (
            (clear || mark.thoroughfare) && !(artillery && range >= ranges.no_clear_from),
            fire.clear_thoroughfare,
        ),
        (!clear, fire.woods_marsh),
        (
            mark.lower && !(artillery && range >= ranges.long_from),
            fire.lower,
        ),
        (mark.wall, fire.wall),
        (mark.flanked, fire.flanked),
        (mark.advancing, fire.advancing),
        (mark.charging, fire.charging),
        (mark.dense, fire.dense),
        (shooter.behind_wall, fire.behind_wall),
        (shooter.advance_fire, fire.advance_fire),
        (
            artillery && mark.arm.is_small_arms() && range == ranges.adjacent,
            fire.artillery_adjacent,
        ),
        (
            !artillery && mark.arm == Arm::Artillery,
            fire.against_artillery,
        ),
    ];
    let applying = applying.into_iter().filter(|(applies, _)| *applies);
    applying.map(|(_, modifier)| modifier).collect()
}

#[cfg(test)]
impl Volley {
    /// The row a volley in this condition is read on, and whether in brackets; none without fire.
    pub(super) fn row(
        &self,
        tables: &Tables,
        stack: &Stack,
        unit: Condition,
    ) -> Option<(usize, bool)> {
        let disrupted = usize::from(unit.order == Order::Disrupted);
        let odds = &self.odds[disrupted][usize::from(stack.is_reduced(unit))];
        let read = |effects: &[Effect; 10]| {
            Odds::new(Throw::d10_from_zero(), |die| effects[die as usize]) == *odds
        };
        let plain = tables.lines.iter().position(|line| read(&line.plain));
        let bracketed = tables.lines.iter().position(|line| read(&line.bracketed));
        plain
            .map(|row| (row, false))
            .or(bracketed.map(|row| (row, true)))
    }
}
