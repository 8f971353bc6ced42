//! A firefight, composed: two units fire in turn until one routs, is eliminated, or time is up.
//!
//! A volley with its checks is one step, because between two volleys nothing else is decided: the
//! states are the strength points, the morale of green units once known, who fires next, and
//! whether that one is pinned. At worst (thirty points each, both green) that is some hundred
//! thousand states.

use super::fire::{FireChart, losses};
use super::tables::Ammunition;
use super::unit::{Condition, Unit, settings};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a firefight ends.
    pub enum Outcome {
        ARouts = "a-routs" => Failure, AEliminated = "a-eliminated" => Failure,
        BRouts = "b-routs" => Success, BEliminated = "b-eliminated" => Success, Undecided = "undecided" => Undecided,
    }
}

/// One side: what it starts with, and its column by strength points left on either side.
#[derive(Debug)]
struct Side {
    start: Unit,
    /// Columns for `[pinned][own points][points of the target]`.
    columns: [Vec<Vec<u8>>; 2],
}

impl Side {
    fn new(chart: &FireChart, s: &Settings, side: &str, enemy: &str) -> Self {
        let start = Unit::read(s, side, "sp");
        let target = Unit::read(s, enemy, "sp");
        let each = s.real(&format!("{side}.fire_per_sp"));
        let columns = [1, chart.tables.pinned_fire_divisor].map(|divisor| {
            let column = |own: u8, target: u8| {
                let strength = fire_strength(own, each) / divisor;
                chart.column(Ammunition::SmallArms, strength, i64::from(target), 0) as u8
            };
            (0..=start.sp)
                .map(|own| (0..=target.sp).map(|target| column(own, target)).collect())
                .collect()
        });
        Side { start, columns }
    }
}

/// Strength points times the fire strength of one, rounded down. A product that is whole on paper
/// may fall just short of it in binary; the allowance is far below any step a player could mean.
fn fire_strength(sp: u8, each: f64) -> i64 {
    (f64::from(sp) * each + 1e-9).floor() as i64
}

/// Two units that fire at each other.
#[derive(Debug)]
struct Firefight {
    chart: Arc<FireChart>,
    sides: [Side; 2],
    turns: u16,
}

/// The units, the one to fire next, and whether it is pinned. (The other never is: it has just
/// fired.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    units: [Unit; 2],
    firer: u8,
    pinned: bool,
}

impl Firefight {
    fn report(&self, outcome: Outcome, units: &[Unit; 2]) -> Row {
        let lost = |side: usize| u16::from(self.sides[side].start.sp - units[side].sp);
        row(&[outcome.position() as u16, 0, lost(0), lost(1)])
    }
}

impl Steps for Firefight {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["a's fire", "b's fire"]
    }

    fn start(&self) -> State {
        State {
            units: [self.sides[0].start, self.sides[1].start],
            firer: 0,
            pinned: false,
        }
    }

    fn phase(&self, state: &State) -> usize {
        usize::from(state.firer)
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let firer = usize::from(state.firer);
        let at = 1 - firer;
        let mut units = state.units;
        let columns = &self.sides[firer].columns[usize::from(state.pinned)];
        let column = columns[usize::from(units[firer].sp)][usize::from(units[at].sp)];
        let (effect, _) = self.chart.volley(usize::from(column), dice);
        let target = &mut units[at];
        let condition =
            losses(effect, target).unwrap_or_else(|| self.chart.checks(effect, target, dice));
        let next = State {
            units,
            firer: at as u8,
            pinned: condition == Condition::Pinned,
        };
        let ends = match at {
            0 => [Outcome::ARouts, Outcome::AEliminated],
            _ => [Outcome::BRouts, Outcome::BEliminated],
        };
        match condition {
            Condition::Routed => Next::Done(self.report(ends[0], &units)),
            Condition::Eliminated => Next::Done(self.report(ends[1], &units)),
            Condition::Steady | Condition::Pinned => Next::after_side(firer, next),
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.report(Outcome::Undecided, &state.units)
    }
}

impl Firefight {
    fn new(chart: &Arc<FireChart>, s: &Settings) -> Self {
        Firefight {
            sides: [Side::new(chart, s, "a", "b"), Side::new(chart, s, "b", "a")],
            chart: Arc::clone(chart),
            turns: s.whole("turns") as u16,
        }
    }
}

pub(super) fn procedure(chart: &Arc<FireChart>) -> Procedure {
    let chart = Arc::clone(chart);
    let names = ["sp", "morale", "fire_per_sp"];
    let mut keys = settings("a", &names);
    keys.extend(settings("b", &names));
    keys.push(Setting::turns().from("not printed"));
    Procedure {
        name: "firefight".into(),
        about: "Two units fire at each other, a first in every turn, until one breaks.".into(),
        source: "[9.16] Fire Combat Results Table, repeated".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "who broke, and how"),
            Variable::count("turns", "the turn in which it ended"),
            Variable::count("a_sp_lost", "strength points a lost"),
            Variable::count("b_sp_lost", "strength points b lost"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&chart, s)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::gbacw::Charts;
    use crate::rules::testing::{pairs, replay};

    fn steps(given: &str) -> Firefight {
        let chart = Charts::printed().fire;
        let settings = procedure(&chart).resolve(pairs(given)).unwrap();
        Firefight::new(&chart, &settings)
    }

    fn firefight(given: &str, readings: &[i32]) -> (&'static str, [u16; 3]) {
        let row = replay(&steps(given), readings);
        (
            Outcome::LABELS[usize::from(row[0])],
            [row[1], row[2], row[3]],
        )
    }

    #[test]
    fn the_first_to_rout_or_vanish_ends_it() {
        // Four points at two each: strength 8, column 4, as in the fire table's own tests.
        assert_eq!(firefight("", &[3, 4]), ("b-routs", [1, 0, 0]));
        assert_eq!(firefight("", &[1, 3, 4]), ("a-routs", [1, 0, 0]));
        assert_eq!(firefight("", &[1, 1, 5, 4]), ("b-routs", [2, 0, 1]));
        assert_eq!(firefight("turns=1", &[1, 1]), ("undecided", [1, 0, 0]));
        // One point is in the density of -1: column 3, where a 6 takes it.
        assert_eq!(firefight("b.sp=1", &[6]), ("b-eliminated", [1, 0, 1]));
        assert_eq!(firefight("a.sp=1", &[1, 6]), ("a-eliminated", [1, 1, 0]));
    }

    #[test]
    fn a_pin_halves_the_next_fire_and_no_more() {
        // Pinned, b fires 4 in column 3: a 3 is a possible pin, not the possible rout of column 4.
        assert_eq!(
            firefight("turns=1", &[2, 4, 3, 3]),
            ("undecided", [1, 0, 0])
        );
        assert_eq!(firefight("turns=1", &[1, 2, 4]), ("undecided", [1, 0, 0]));
        assert_eq!(firefight("", &[2, 4, 1, 1, 3, 4]), ("a-routs", [2, 0, 0]));
    }

    #[test]
    fn strengths_are_rounded_down_after_multiplying_and_zero_still_fires() {
        assert_eq!(fire_strength(5, 1.5), 7);
        assert_eq!(fire_strength(1, 0.5), 0);
        assert_eq!(fire_strength(20, 1.15), 23);
        assert_eq!(fire_strength(29, 1.1), 31);
        // A single point at half strength fires in the first column, where a 6 is P/R.
        let given = "a.sp=1 a.fire_per_sp=0.5 turns=1";
        assert_eq!(firefight(given, &[6, 4]), ("b-routs", [1, 0, 0]));
        let column =
            |pinned: usize| steps("a.sp=3 a.fire_per_sp=0.5").sides[0].columns[pinned][3][4];
        assert_eq!([column(0), column(1)], [1, 0]);
    }

    #[test]
    fn density_follows_the_points_that_are_left() {
        let steps = steps("a.sp=10 b.sp=12");
        let column = |target: usize| steps.sides[0].columns[0][10][target];
        assert_eq!([12, 10, 9, 6, 2].map(column), [7, 7, 6, 5, 4]);
    }
}
