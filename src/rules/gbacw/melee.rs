//! Melee: one die on the differential, losses, then retreats and checks.

use super::morale::MoraleChart;
use super::tables::{Cell, Fate, Order, Tables};
use super::unit::{Unit, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Labels, Procedure, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// Who holds the field alone.
    pub enum Winner { Attacker = "attacker", Defender = "defender", None = "none" }
}

/// The odds of each column of the melee table.
#[derive(Debug)]
pub(super) struct MeleeChart {
    tables: Arc<Tables>,
    morale: Arc<MoraleChart>,
    columns: Vec<Odds<Cell>>,
}

/// What a melee cost one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Toll {
    /// Strength points killed and captured.
    pub lost: u8,
    pub captured: u8,
    /// Hexes.
    pub retreat: u8,
    gone: bool,
}

impl Toll {
    fn holds(&self) -> bool {
        self.retreat == 0 && !self.gone
    }
}

/// What a melee came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aftermath {
    pub attacker: Toll,
    pub defender: Toll,
    pub engaged: bool,
}

impl Aftermath {
    /// The side that stays while the other does not.
    pub(super) fn winner(&self) -> Winner {
        match (self.attacker.holds(), self.defender.holds()) {
            (true, false) => Winner::Attacker,
            (false, true) => Winner::Defender,
            _ => Winner::None,
        }
    }
}

impl MeleeChart {
    pub(super) fn new(tables: &Arc<Tables>, morale: &Arc<MoraleChart>) -> Self {
        let column = |at: usize| Odds::new(Throw::d6(), |die| tables.melee[die as usize - 1][at]);
        MeleeChart {
            tables: Arc::clone(tables),
            morale: Arc::clone(morale),
            columns: (0..tables.melee_columns.count()).map(column).collect(),
        }
    }

    /// Rolls for a melee of these strengths.
    pub(super) fn clash<D: Dice>(
        &self,
        attacker: Unit,
        defender: Unit,
        shift: i64,
        dice: &mut D,
    ) -> Cell {
        let differential = i64::from(attacker.sp) - i64::from(defender.sp) + shift;
        self.columns[self.tables.melee_columns.of(differential)].roll(dice)
    }

    /// Losses of both sides, then retreats and checks: the attacker's first.
    pub(super) fn aftermath<D: Dice>(
        &self,
        cell: Cell,
        attacker: Unit,
        defender: Unit,
        dice: &mut D,
    ) -> Aftermath {
        Aftermath {
            attacker: self.toll(cell.attacker, attacker, dice),
            defender: self.toll(cell.defender, defender, dice),
            engaged: cell.engaged,
        }
    }

    fn toll<D: Dice>(&self, fate: Fate, mut unit: Unit, dice: &mut D) -> Toll {
        let killed = unit.loses(fate.killed);
        let captured = unit.loses(fate.captured);
        let mut fails = || !self.morale.passes(&mut unit.morale, dice);
        let retreat = match fate.order {
            _ if unit.sp == 0 => 0,
            Order::Stands => 0,
            Order::Retreats(hexes) if fails() => hexes + self.tables.further,
            Order::Retreats(hexes) => hexes,
            Order::Checks(hexes) if fails() => hexes,
            Order::Checks(_) => 0,
        };
        Toll {
            lost: killed + captured,
            captured,
            retreat,
            gone: unit.is_gone(),
        }
    }
}

/// One melee.
#[derive(Debug)]
struct Melee {
    chart: Arc<MeleeChart>,
    attacker: Unit,
    defender: Unit,
    shift: i64,
}

/// Where a melee has got to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Clash,
    Retreats(Cell),
}

impl Steps for Melee {
    type State = State;

    fn phases(&self) -> &'static [&'static str] {
        &["melee", "retreats and checks"]
    }

    fn start(&self) -> State {
        State::Clash
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Clash => 0,
            State::Retreats(_) => 1,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let (chart, attacker, defender) = (&self.chart, self.attacker, self.defender);
        let cell = match state {
            State::Clash => {
                let cell = chart.clash(attacker, defender, self.shift, dice);
                return Next::Go(State::Retreats(cell));
            }
            State::Retreats(cell) => cell,
        };
        let after = chart.aftermath(cell, attacker, defender, dice);
        Next::Done(row(&[
            after.winner().position() as u16,
            u16::from(after.engaged),
            u16::from(after.attacker.lost),
            u16::from(after.defender.lost),
            u16::from(after.attacker.captured),
            u16::from(after.defender.captured),
            u16::from(after.attacker.retreat),
            u16::from(after.defender.retreat),
        ]))
    }
}

impl Melee {
    fn new(chart: &Arc<MeleeChart>, s: &Settings) -> Self {
        Melee {
            chart: Arc::clone(chart),
            attacker: Unit::read(s, "attacker", "strength"),
            defender: Unit::read(s, "defender", "strength"),
            shift: s.whole("shift"),
        }
    }
}

/// What can be set about a melee.
pub(super) fn melee_settings() -> Vec<Setting> {
    let mut keys = settings("attacker", &["strength", "morale"]);
    keys.extend(settings("defender", &["strength", "morale"]));
    keys.push(
        Setting::whole(
            "shift",
            -10..=10,
            0,
            "added to the melee differential, in the attacker's favour if positive",
        )
        .from("[12.98] notes"),
    );
    keys
}

pub(super) fn procedure(chart: &Arc<MeleeChart>) -> Procedure {
    let chart = Arc::clone(chart);
    Procedure {
        name: "melee",
        about: "One round of melee between two sides.",
        source: "[12.98] Melee Combat Results Table",
        composed: false,
        settings: melee_settings(),
        variables: vec![
            Variable::category(
                "winner",
                "the side that stays while the other retreats or is gone",
                Winner::LABELS.iter().copied(),
            ),
            Variable::yes_no("engaged", "whether the sides stay engaged"),
            Variable::count(
                "attacker_sp_lost",
                "attacker's strength points killed and captured",
            ),
            Variable::count(
                "defender_sp_lost",
                "defender's strength points killed and captured",
            ),
            Variable::count("attacker_captured", "attacker's strength points captured"),
            Variable::count("defender_captured", "defender's strength points captured"),
            Variable::count("attacker_retreat", "hexes the attacker retreats"),
            Variable::count("defender_retreat", "hexes the defender retreats"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Melee::new(&chart, s)))),
    }
}
