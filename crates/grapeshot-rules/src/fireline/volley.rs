//! Volleys: how hard a stack fires at another, in fire combat and in an assault, and what it does there.
//!
//! Every procedure fires through this file. All that does not change during a trial is settled once; what
//! is left is a row of the combat results for each condition of the firer, one higher at a dense target.

use super::charts::Charts;
use super::stack::{Condition, Stack};
use super::tables::{Effect, HexLimit, Tables};
use super::terrain::Terrain;
use super::unit::{Arm, Density, Order};
use crate::{Of, Settings};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

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
        let flag = |name: &str| s.flag_or_off(Of(side, name));
        Shooter {
            clear_hex: flag("clear_hex"),
            behind_wall: flag("behind_wall"),
            advance_fire: flag("advance_fire"),
        }
    }
}

/// What makes a target dense.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Crowd {
    /// The player says so.
    pub flagged: bool,
    /// Its strength counts too.
    pub counted: bool,
}

impl Crowd {
    /// Reads a side.
    pub(super) fn read(s: &Settings, side: &str) -> Self {
        Crowd {
            flagged: s.flag(Of(side, "dense")),
            counted: s.choice_or("density", Density::Flag) == Density::Auto,
        }
    }

    /// The strength from which on the target is dense.
    fn dense_from(self, printed: i64) -> i64 {
        match self {
            Crowd { flagged: true, .. } => 0,
            Crowd { counted: true, .. } => printed,
            _ => i64::MAX,
        }
    }
}

/// What the fire line and the target's morale depend on about its place and what it does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub terrain: Terrain,
    pub thoroughfare: bool,
    pub lower: bool,
    pub wall: bool,
    pub flanked: bool,
    /// The fire is advance or pre-assault fire.
    pub advancing: bool,
    pub charging: bool,
    /// Its morale has the +1 of an assault, as that of a charging target has anyway.
    pub assaulting: bool,
    pub crowd: Crowd,
}

impl Mark {
    /// Reads a side; keys the procedure does not have are off.
    pub(super) fn read(s: &Settings, side: &str) -> Self {
        let flag = |name: &str| s.flag_or_off(Of(side, name));
        Mark {
            terrain: s.choice_or(Of(side, "terrain"), Terrain::Clear),
            thoroughfare: flag("thoroughfare"),
            lower: flag("lower"),
            wall: flag("wall"),
            flanked: flag("flanked"),
            advancing: flag("advancing"),
            charging: flag("charging"),
            assaulting: false,
            crowd: Crowd::read(s, side),
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

/// One side's fire in a round of an assault.
#[derive(Debug, Clone)]
pub(super) struct Strike {
    pub clear_hex: bool,
    /// What moves its line (see [`super::assault`]), its own disruption and a dense target apart.
    pub modifiers: Vec<i64>,
    pub crowd: Crowd,
}

/// One stack's fire at another, in every condition of both.
#[derive(Debug)]
pub(super) struct Volley {
    charts: Arc<Charts>,
    /// By O hits the firer has taken: in good order and disrupted, at a loose and at a dense target.
    /// Nothing for an arm that does not reach so far.
    rows: Option<Vec<[[usize; 2]; 2]>>,
    bracketed: bool,
    /// The strength from which on the target is dense.
    dense_from: i64,
    /// The target, with its morale under this fire.
    target: Stack,
}

/// What decides the row of a volley, apart from the conditions of firer and target.
struct Line<'a> {
    limit: &'a HexLimit,
    clear_hex: bool,
    factor: Option<i64>,
    modifiers: Vec<i64>,
    disrupted: i64,
    dense: i64,
    highest: usize,
}

impl Volley {
    /// Fire combat (Combat Results Table; Fire Line Modifiers Schedule, Fire Combat Only).
    pub(super) fn of_fire(
        charts: &Arc<Charts>,
        firer: &Stack,
        target: &Stack,
        shot: &Shot,
    ) -> Self {
        let tables = &charts.tables;
        let (mark, range, ranges) = (&shot.mark, shot.range, &tables.artillery);
        let artillery = firer.arm == Arm::Artillery;
        let mut highest = tables.lines.len() - 1;
        if shot.no_los {
            highest = highest.min(tables.highest_no_los);
        }
        if artillery && range >= ranges.long_from {
            highest = highest.min(tables.highest_long);
        }
        let line = Line {
            limit: &tables.fire_limit,
            clear_hex: shot.shooter.clear_hex,
            factor: tables.range_factor(firer.arm, range),
            modifiers: fire_modifiers(tables, firer, target.arm, shot),
            disrupted: tables.fire.disrupted,
            dense: tables.fire.dense,
            highest,
        };
        let morale = &tables.morale;
        Volley {
            charts: Arc::clone(charts),
            rows: line.rows(tables, firer),
            bracketed: artillery && target.arm.is_small_arms() && range >= ranges.bracketed_from,
            dense_from: mark.crowd.dense_from(tables.density.fire),
            target: target
                .clone()
                .with_morale(mark.flanked, morale.flanked)
                .with_morale(mark.charging || mark.assaulting, morale.assaulting)
                .with_morale(shot.no_los, morale.no_los),
        }
    }

    /// Fire in a round of an assault, at a target that has its morale there.
    pub(super) fn of_assault(
        charts: &Arc<Charts>,
        firer: &Stack,
        target: Stack,
        strike: Strike,
    ) -> Self {
        let tables = &charts.tables;
        let line = Line {
            limit: &tables.assault_limit,
            clear_hex: strike.clear_hex,
            factor: tables.assault_factor(firer.arm),
            modifiers: strike.modifiers,
            disrupted: tables.assault.disrupted,
            dense: tables.assault.dense,
            highest: tables.lines.len() - 1,
        };
        Volley {
            charts: Arc::clone(charts),
            rows: line.rows(tables, firer),
            bracketed: false,
            dense_from: strike.crowd.dense_from(tables.density.assault),
            target,
        }
    }

    /// Rolls the result for a firer and a target in these conditions.
    pub(super) fn roll<D: Dice>(
        &self,
        firer: Condition,
        target: Condition,
        dice: &mut D,
    ) -> Effect {
        match self.row(firer, target) {
            Some(row) => self.charts.results(row, self.bracketed).roll(dice),
            None => Effect::None,
        }
    }

    /// What a result makes of the target.
    pub(super) fn suffer<D: Dice>(
        &self,
        target: Condition,
        effect: Effect,
        dice: &mut D,
    ) -> Condition {
        self.charts
            .checks
            .suffer(&self.target, target, effect, dice)
    }

    /// The whole of it: the result is rolled and taken.
    pub(super) fn resolve<D: Dice>(
        &self,
        firer: Condition,
        target: Condition,
        dice: &mut D,
    ) -> Condition {
        let effect = self.roll(firer, target, dice);
        self.suffer(target, effect, dice)
    }

    /// The row of the combat results, if there is fire.
    fn row(&self, firer: Condition, target: Condition) -> Option<usize> {
        let disrupted = usize::from(firer.order == Order::Disrupted);
        let dense = usize::from(self.target.strength(target) >= self.dense_from);
        let rows = self.rows.as_ref()?;
        Some(rows[usize::from(firer.taken)][disrupted][dense])
    }
}

impl Line<'_> {
    /// Rows by O hits the firer has taken: in good order and disrupted, at a loose and a dense target.
    fn rows(&self, tables: &Tables, firer: &Stack) -> Option<Vec<[[usize; 2]; 2]>> {
        let factor = self.factor?;
        let row = |strength: i64, disrupted: bool, dense: bool| {
            let sp = self.limit.firing(strength, firer.arm, self.clear_hex);
            let mut modifiers = self.modifiers.clone();
            modifiers.extend(disrupted.then_some(self.disrupted));
            modifiers.extend(dense.then_some(self.dense));
            let row = tables.shifted(tables.row(sp * factor / 100), &modifiers);
            row.min(self.highest)
        };
        let rows = firer.strengths().map(|strength| {
            [false, true]
                .map(|disrupted| [false, true].map(|dense| row(strength, disrupted, dense)))
        });
        Some(rows.collect())
    }
}

/// The modifiers of a shot that depend neither on the condition of the firer nor on that of the target.
fn fire_modifiers(tables: &Tables, firer: &Stack, target: Arm, shot: &Shot) -> Vec<i64> {
    let (fire, ranges) = (&tables.fire, &tables.artillery);
    let (shooter, mark, range) = (&shot.shooter, &shot.mark, shot.range);
    let artillery = firer.arm == Arm::Artillery;
    let open = mark.terrain == Terrain::Clear || mark.thoroughfare;
    let applying = [
        (
            open && !(artillery && range >= ranges.no_clear_from),
            fire.clear_thoroughfare,
        ),
        (
            matches!(mark.terrain, Terrain::Woods | Terrain::Marsh),
            fire.woods_marsh,
        ),
        (
            mark.lower && !(artillery && range >= ranges.long_from),
            fire.lower,
        ),
        (mark.wall, fire.wall),
        (mark.flanked, fire.flanked),
        (mark.advancing, fire.advancing),
        (mark.charging, fire.charging),
        (shooter.behind_wall, fire.behind_wall),
        (shooter.advance_fire, fire.advance_fire),
        (
            artillery && target.is_small_arms() && range == ranges.adjacent,
            fire.artillery_adjacent,
        ),
        (
            !artillery && target == Arm::Artillery,
            fire.against_artillery,
        ),
        (firer.house_fire != 0, firer.house_fire),
    ];
    let applying = applying.into_iter().filter(|(applies, _)| *applies);
    applying.map(|(_, modifier)| modifier).collect()
}

#[cfg(test)]
impl Volley {
    /// The lowest fire factor of the row it is read on, and whether in brackets; nothing without fire.
    pub(super) fn line(&self, firer: Condition, target: Condition) -> Option<(i64, bool)> {
        let from = |row: usize| self.charts.tables.lines[row].from;
        self.row(firer, target)
            .map(|row| (from(row), self.bracketed))
    }
}
