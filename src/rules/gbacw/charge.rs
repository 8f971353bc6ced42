//! A charge, composed: the defender's volley, then melee if the attacker is still steady.

use super::fire::{FireChart, losses};
use super::melee::{MeleeChart, Winner, melee_settings};
use super::tables::{Ammunition, Cell, Effect};
use super::unit::{Condition, Unit, setting};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerPinned = "attacker-pinned" => Failure, AttackerRouts = "attacker-routs" => Failure,
        AttackerDestroyed = "attacker-destroyed" => Failure, AttackerWins = "attacker-wins" => Success,
        DefenderWins = "defender-wins" => Failure, Engaged = "engaged" => Undecided, BothFallBack = "both-fall-back" => Undecided,
    }
}

/// One charge.
#[derive(Debug)]
struct Charge {
    fire: Arc<FireChart>,
    melee: Arc<MeleeChart>,
    column: usize,
    attacker: Unit,
    defender: Unit,
    shift: i64,
}

/// Where a charge has got to; the attacker as the volley left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Volley,
    Checks { effect: Effect, attacker: Unit },
    Melee { attacker: Unit },
    Retreats { cell: Cell, attacker: Unit },
}

impl Charge {
    fn new(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>, s: &Settings) -> Self {
        let attacker = Unit::read(s, "attacker", "strength");
        let density = match s.whole("attacker.density") {
            0 => i64::from(attacker.sp),
            given => given,
        };
        Charge {
            column: fire.column(Ammunition::SmallArms, s.whole("defender.fire"), density, 0),
            fire: Arc::clone(fire),
            melee: Arc::clone(melee),
            attacker,
            defender: Unit::read(s, "defender", "strength"),
            shift: s.whole("shift"),
        }
    }

    /// What follows when the volley has made this of the attacker.
    fn after_volley(&self, condition: Condition, attacker: Unit) -> Next<State> {
        let outcome = match condition {
            Condition::Steady => return Next::Go(State::Melee { attacker }),
            Condition::Pinned => Outcome::AttackerPinned,
            Condition::Routed => Outcome::AttackerRouts,
            Condition::Eliminated => Outcome::AttackerDestroyed,
        };
        Next::Done(self.report(outcome, false, attacker.sp, self.defender.sp))
    }

    /// A finished charge, with the strength points each side has left.
    fn report(&self, outcome: Outcome, contact: bool, attacker: u8, defender: u8) -> Row {
        row(&[
            outcome.position() as u16,
            u16::from(contact),
            u16::from(self.attacker.sp - attacker),
            u16::from(self.defender.sp - defender),
        ])
    }
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec![
            "defensive volley",
            "attacker's morale checks",
            "melee",
            "retreats and checks",
        ]
    }

    fn start(&self) -> State {
        State::Volley
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Volley => 0,
            State::Checks { .. } => 1,
            State::Melee { .. } => 2,
            State::Retreats { .. } => 3,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state {
            State::Volley => {
                let (effect, _) = self.fire.volley(self.column, dice);
                let mut attacker = self.attacker;
                match losses(effect, &mut attacker) {
                    Some(condition) => self.after_volley(condition, attacker),
                    None => Next::Go(State::Checks { effect, attacker }),
                }
            }
            State::Checks {
                effect,
                mut attacker,
            } => {
                let condition = self.fire.checks(effect, &mut attacker, dice);
                self.after_volley(condition, attacker)
            }
            State::Melee { attacker } => {
                let cell = self.melee.clash(attacker, self.defender, self.shift, dice);
                Next::Go(State::Retreats { cell, attacker })
            }
            State::Retreats { cell, attacker } => {
                let after = self.melee.aftermath(cell, attacker, self.defender, dice);
                let outcome = match after.winner() {
                    _ if after.engaged => Outcome::Engaged,
                    Winner::Attacker => Outcome::AttackerWins,
                    Winner::Defender => Outcome::DefenderWins,
                    Winner::None => Outcome::BothFallBack,
                };
                Next::Done(self.report(
                    outcome,
                    true,
                    attacker.sp - after.attacker.lost,
                    self.defender.sp - after.defender.lost,
                ))
            }
        }
    }
}

pub(super) fn procedure(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>) -> Procedure {
    let (fire, melee) = (Arc::clone(fire), Arc::clone(melee));
    let mut keys = melee_settings();
    keys.push(setting("attacker", "density"));
    keys.push(setting("defender", "fire"));
    Procedure {
        name: "charge".into(),
        about: "An attack under defensive fire, then melee.".into(),
        source: "[9.16] Fire Combat Results Table, then [12.98] Melee Combat Results Table".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how the charge ends"),
            Variable::yes_no("contact", "whether it came to a melee"),
            Variable::count(
                "attacker_sp_lost",
                "attacker's strength points lost, in all",
            ),
            Variable::count("defender_sp_lost", "defender's strength points lost"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Charge::new(&fire, &melee, s)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::gbacw::Charts;
    use crate::rules::testing::{pairs, replay};

    fn steps(given: &str) -> Charge {
        let Charts { fire, melee, .. } = Charts::printed();
        let settings = procedure(&fire, &melee).resolve(pairs(given)).unwrap();
        Charge::new(&fire, &melee, &settings)
    }

    /// Outcome, contact, losses of attacker and defender.
    fn charge(given: &str, readings: &[i32]) -> (&'static str, bool, [u16; 2]) {
        let row = replay(&steps(given), readings);
        (
            Outcome::LABELS[usize::from(row[0])],
            row[1] == 1,
            [row[2], row[3]],
        )
    }

    #[test]
    fn only_a_steady_attacker_goes_in() {
        assert_eq!(charge("", &[2, 4]), ("attacker-pinned", false, [0, 0]));
        assert_eq!(charge("", &[6, 3, 4]), ("attacker-pinned", false, [1, 0]));
        assert_eq!(charge("", &[3, 4]), ("attacker-routs", false, [0, 0]));
        let one = "attacker.strength=1 attacker.density=4";
        assert_eq!(charge(one, &[5]), ("attacker-destroyed", false, [1, 0]));
        assert_eq!(charge("", &[1, 1, 1]), ("attacker-wins", true, [0, 1]));
    }

    #[test]
    fn the_melee_is_fought_with_what_the_volley_left() {
        // Five against five less one lost is -1, where a 1 is K against C1R2.
        assert_eq!(charge("", &[5, 3, 1, 1]), ("attacker-wins", true, [2, 1]));
        assert_eq!(charge("", &[5, 3, 2]), ("engaged", true, [1, 0]));
        assert_eq!(
            charge("", &[5, 3, 3, 1, 4]),
            ("both-fall-back", true, [1, 0])
        );
        assert_eq!(charge("", &[5, 3, 4, 1]), ("defender-wins", true, [1, 0]));
        // Two points, one lost to the volley, the other killed in the melee while the defender retreats.
        let two = "attacker.strength=2 attacker.density=4 defender.strength=2";
        assert_eq!(charge(two, &[5, 3, 1, 1]), ("both-fall-back", true, [2, 1]));
    }

    #[test]
    fn the_shift_moves_only_the_melee_and_the_density_only_the_volley() {
        assert_eq!(steps("shift=4").column, steps("").column);
        assert_eq!(
            charge("shift=4", &[1, 2, 1]),
            ("attacker-wins", true, [0, 2])
        );
        assert_eq!(steps("attacker.density=10").column, steps("").column + 2);
        assert_eq!(steps("attacker.strength=10").column, steps("").column + 2);
        assert_eq!(
            steps("attacker.strength=10 attacker.density=3").column,
            steps("").column
        );
    }

    #[test]
    fn a_green_attacker_keeps_the_morale_it_found_under_fire() {
        // 4 is morale 1; a retreat in the melee is checked against it without another roll.
        let given = "attacker.morale=green";
        assert_eq!(
            charge(given, &[5, 4, 1, 5, 1]),
            ("defender-wins", true, [2, 0])
        );
    }
}
