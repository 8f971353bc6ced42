//! A firefight, composed: two units fire in turn until one routs, is eliminated, or time is up.
//!
//! A volley with its checks is one step, because between two volleys nothing else is decided: the
//! states are the strength points, the morale of green units once known, who fires next, whether
//! that one is pinned, and whose ammunition has come in question. At worst (thirty points each, both
//! green) that is some hundred thousand states.

use super::exchange::{Exchange, SIDES};
use super::fire::FireChart;
use super::unit::{Condition, Unit, settings};
use crate::{Judged, Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a firefight ends.
    pub enum Outcome {
        ARouts = "a-routs" => Failure, AEliminated = "a-eliminated" => Failure,
        BRouts = "b-routs" => Success, BEliminated = "b-eliminated" => Success,
        Undecided = "undecided" => Undecided,
    }
}

/// What is played in each turn of a firefight.
pub(super) const PHASES: [&str; 2] = ["a's fire", "b's fire"];

/// How it ends if fire has made this of a side; not at all if the side is still there.
pub(super) fn broken(side: usize, condition: Condition) -> Option<Outcome> {
    let [routs, eliminated] = match side {
        0 => [Outcome::ARouts, Outcome::AEliminated],
        _ => [Outcome::BRouts, Outcome::BEliminated],
    };
    match condition {
        Condition::Routed => Some(routs),
        Condition::Eliminated => Some(eliminated),
        Condition::Steady | Condition::Pinned => None,
    }
}

/// Two units that fire at each other.
#[derive(Debug)]
struct Firefight {
    exchange: Exchange,
    turns: u16,
}

/// The units, the one to fire next, and whether it is pinned. (The other never is: it has just
/// fired.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    units: [Unit; 2],
    firer: u8,
    pinned: bool,
    /// Whether a fire of each side has called for an ammunition check.
    ammo_checks: [bool; 2],
}

impl Firefight {
    fn new(chart: &Arc<FireChart>, s: &Settings) -> Self {
        Firefight {
            exchange: Exchange::new(chart, s),
            turns: s.whole("turns") as u16,
        }
    }

    fn report(&self, outcome: Outcome, state: &State) -> Row {
        let [a, b] = self.exchange.lost(&state.units);
        let [a_checks, b_checks] = state.ammo_checks.map(u16::from);
        row(&[outcome.position() as u16, 0, a, b, a_checks, b_checks])
    }
}

impl Steps for Firefight {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        PHASES.to_vec()
    }

    fn start(&self) -> State {
        State {
            units: self.exchange.start(),
            firer: 0,
            pinned: false,
            ammo_checks: [false; 2],
        }
    }

    fn phase(&self, state: &State) -> usize {
        usize::from(state.firer)
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let firer = usize::from(state.firer);
        let at = 1 - firer;
        let (condition, ammo_check) =
            self.exchange
                .fire(&mut state.units, firer, state.pinned, dice);
        state.ammo_checks[firer] |= ammo_check;
        if let Some(outcome) = broken(at, condition) {
            return Next::Done(self.report(outcome, &state));
        }
        state.firer = at as u8;
        state.pinned = condition == Condition::Pinned;
        Next::after_side(firer, state)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.report(Outcome::Undecided, state)
    }
}

pub(super) fn procedure(chart: &Arc<FireChart>) -> Procedure {
    let chart = Arc::clone(chart);
    let names = [
        "sp",
        "morale",
        "fire_per_sp",
        "ammunition",
        "shift",
        "battery",
        "others",
        "wagons",
    ];
    let mut keys: Vec<Setting> = SIDES
        .iter()
        .flat_map(|side| settings(side, &names))
        .collect();
    keys.push(Setting::turns().from("not printed"));
    Procedure {
        name: "firefight".into(),
        about: "Two units fire at each other, a first in every turn, until one breaks.".into(),
        source: "[9.16] Fire Combat Results Table, repeated; [8.35]".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "who broke, and how"),
            Variable::count("turns", "the turn in which it ended"),
            Variable::count("a_sp_lost", "strength points a lost"),
            Variable::count("b_sp_lost", "strength points b lost"),
            Variable::yes_no(
                "a_ammo_check",
                "whether a fire of a's called for an ammunition check",
            ),
            Variable::yes_no(
                "b_ammo_check",
                "whether a fire of b's called for an ammunition check",
            ),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&chart, s)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::{pairs, replay};

    fn played(given: &str, readings: &[i32]) -> Row {
        let chart = Charts::printed().fire;
        let settings = procedure(&chart).resolve(pairs(given)).unwrap();
        replay(&Firefight::new(&chart, &settings), readings)
    }

    fn firefight(given: &str, readings: &[i32]) -> (&'static str, [u16; 3]) {
        let row = played(given, readings);
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
    fn a_strength_of_zero_still_fires_in_the_first_column() {
        // A single point at half strength: there a 6 is P/R.
        let given = "a.sp=1 a.fire_per_sp=0.5 turns=1";
        assert_eq!(firefight(given, &[6, 4]), ("b-routs", [1, 0, 0]));
    }

    #[test]
    fn one_natural_1_of_a_sides_own_fires_calls_for_its_ammunition_check() {
        let checks = |readings: &[i32]| {
            let row = played("turns=2", readings);
            [row[4], row[5]]
        };
        assert_eq!(checks(&[1, 2, 1, 2, 1, 2, 1]), [1, 0]);
        assert_eq!(checks(&[2, 1, 1, 2, 1, 2, 1]), [0, 1]);
        assert_eq!(checks(&[1, 1, 1, 1]), [1, 1]);
        // Above the morale a 3 is a rout, and nobody has fired a 1.
        assert_eq!(checks(&[3, 4]), [0, 0]);
        assert_eq!(checks(&[1, 3, 4]), [1, 0]);
    }
}
