//! Melee: one die on the differential, losses, then retreats and checks.

use super::morale::MoraleChart;
use super::tables::{Cell, Fate, Order, Tables};
use super::unit::{Unit, settings};
use crate::{Judged, Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// Who holds the field alone.
    pub enum Winner {
        Attacker = "attacker" => Success, Defender = "defender" => Failure, None = "none" => Undecided,
    }
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

    fn phases(&self) -> Vec<&str> {
        vec!["melee", "retreats and checks"]
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
            shift: s.whole("shift") + chart.tables.house_melee(s),
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
        name: "melee".into(),
        about: "One round of melee between two sides.".into(),
        source: "[12.98] Melee Combat Results Table".into(),
        composed: false,
        settings: melee_settings(),
        variables: vec![
            Winner::variable(
                "winner",
                "the side that stays while the other retreats or is gone",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::{pairs, replay};

    fn melee(given: &str, readings: &[i32]) -> (&'static str, [u16; 7]) {
        let chart = Charts::printed().melee;
        let settings = procedure(&chart).resolve(pairs(given)).unwrap();
        let row = replay(&Melee::new(&chart, &settings), readings);
        let rest = std::array::from_fn(|at| row[at + 1]);
        (Winner::LABELS[usize::from(row[0])], rest)
    }

    #[test]
    fn the_printed_note_two_captured_then_two_hexes_then_a_check() {
        // At +4 a 2 is C2R2 for the defender: stands if it passes, three hexes more if it fails.
        let given = "attacker.strength=9";
        assert_eq!(melee(given, &[2, 3]), ("attacker", [0, 0, 2, 0, 2, 0, 2]));
        assert_eq!(melee(given, &[2, 4]), ("attacker", [0, 0, 2, 0, 2, 0, 5]));
    }

    #[test]
    fn repulsed_sends_the_attacker_back_and_may_send_the_defender_too() {
        assert_eq!(melee("", &[4, 3, 3]), ("defender", [0, 0, 0, 0, 0, 2, 0]));
        assert_eq!(melee("", &[4, 4, 3]), ("defender", [0, 0, 0, 0, 0, 5, 0]));
        assert_eq!(melee("", &[4, 3, 4]), ("none", [0, 0, 0, 0, 0, 2, 3]));
    }

    #[test]
    fn engaged_moves_nobody_and_a_killed_point_is_not_captured() {
        assert_eq!(melee("", &[3]), ("none", [1, 0, 0, 0, 0, 0, 0]));
        assert_eq!(melee("", &[2, 1]), ("attacker", [0, 1, 1, 0, 1, 0, 2]));
    }

    #[test]
    fn the_corners_of_the_table_are_as_printed() {
        let (worst, best) = ("defender.strength=30", "attacker.strength=30");
        assert_eq!(melee(worst, &[1, 1]), ("defender", [0, 0, 0, 0, 0, 2, 0]));
        assert_eq!(melee(worst, &[6, 1]), ("defender", [0, 3, 0, 3, 0, 3, 0]));
        assert_eq!(melee(best, &[1, 1]), ("attacker", [0, 0, 2, 0, 2, 0, 3]));
        assert_eq!(melee(best, &[6, 1]), ("attacker", [0, 0, 1, 0, 1, 0, 2]));
        // The differential is clamped after the shift, so a shift can be used up.
        assert_eq!(
            melee("attacker.strength=30 shift=-10", &[6, 1]),
            melee(best, &[6, 1])
        );
        assert_eq!(
            melee("shift=-1", &[1, 1]),
            ("attacker", [0, 1, 1, 0, 1, 0, 2])
        );
    }

    #[test]
    fn a_side_without_points_makes_no_check_and_retreats_nowhere() {
        let one_each = "attacker.strength=1 defender.strength=1";
        assert_eq!(melee(one_each, &[1]), ("attacker", [0, 0, 1, 0, 1, 0, 0]));
        assert_eq!(melee(one_each, &[2]), ("none", [0, 1, 1, 0, 1, 0, 0]));
        assert_eq!(melee(one_each, &[6]), ("defender", [0, 1, 0, 1, 0, 0, 0]));
        let few = "attacker.strength=2 defender.strength=9";
        assert_eq!(melee(few, &[6]), ("defender", [0, 2, 0, 2, 0, 0, 0]));
    }

    #[test]
    fn a_morale_of_six_rolls_no_check() {
        assert_eq!(
            melee("attacker.morale=6", &[5]),
            ("defender", [0, 0, 0, 0, 0, 2, 0])
        );
    }
}
