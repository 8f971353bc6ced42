//! A charge, composed: the defender's volley, then melee if the attacker is still steady.
//!
//! [`Assault`] has the rules of it for any two units in any condition; the procedure starts it from
//! its settings.

use super::fire::{FireChart, losses};
use super::melee::{MeleeChart, Winner, melee_settings};
use super::tables::{Cell, Effect};
use super::unit::{Condition, Hex, Unit, setting, settings};
use crate::{Judged, Labels, Procedure, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::ops::ControlFlow;
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerPinned = "attacker-pinned" => Failure, AttackerRouts = "attacker-routs" => Failure,
        AttackerDestroyed = "attacker-destroyed" => Failure, AttackerWins = "attacker-wins" => Success,
        DefenderWins = "defender-wins" => Failure, Engaged = "engaged" => Undecided,
        BothFallBack = "both-fall-back" => Undecided,
    }
}

/// The two units of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Foes {
    pub attacker: Unit,
    pub defender: Unit,
}

/// Where a charge has got to, with the units as they are now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum State {
    /// The defender is about to fire in this column.
    Volley {
        column: u8,
        foes: Foes,
    },
    Checks {
        effect: Effect,
        foes: Foes,
        ammo_check: bool,
    },
    Melee {
        foes: Foes,
        ammo_check: bool,
    },
    Retreats {
        cell: Cell,
        foes: Foes,
        ammo_check: bool,
    },
}

/// What is played in a charge, in this order.
pub(super) const PHASES: [&str; 4] = [
    "defensive volley",
    "attacker's morale checks",
    "melee",
    "retreats and checks",
];

impl State {
    /// Its place in [`PHASES`].
    pub(super) fn phase(&self) -> usize {
        match self {
            State::Volley { .. } => 0,
            State::Checks { .. } => 1,
            State::Melee { .. } => 2,
            State::Retreats { .. } => 3,
        }
    }
}

/// What a charge came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub outcome: Outcome,
    /// Whether a melee was fought.
    pub contact: bool,
    /// The units as they are left.
    pub foes: Foes,
    /// Hexes the attacker and the defender retreated in the melee.
    retreats: [u8; 2],
    ammo_check: bool,
}

/// The rules of a charge.
#[derive(Debug, Clone)]
pub(super) struct Assault {
    fire: Arc<FireChart>,
    melee: Arc<MeleeChart>,
    /// Added to the differential of the melee.
    shift: i64,
}

impl Assault {
    pub(super) fn new(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>, shift: i64) -> Self {
        Assault {
            fire: Arc::clone(fire),
            melee: Arc::clone(melee),
            shift,
        }
    }

    /// What comes next, or how it ended.
    pub(super) fn step<D: Dice>(&self, state: State, dice: &mut D) -> ControlFlow<Ended, State> {
        match state {
            State::Volley { column, mut foes } => {
                let (effect, ammo_check) = self.fire.volley(usize::from(column), dice);
                match losses(effect, &mut foes.attacker) {
                    Some(condition) => after_volley(condition, foes, ammo_check),
                    None => ControlFlow::Continue(State::Checks {
                        effect,
                        foes,
                        ammo_check,
                    }),
                }
            }
            State::Checks {
                effect,
                mut foes,
                ammo_check,
            } => {
                let condition = self.fire.checks(effect, &mut foes.attacker, dice);
                after_volley(condition, foes, ammo_check)
            }
            State::Melee { foes, ammo_check } => ControlFlow::Continue(State::Retreats {
                cell: self
                    .melee
                    .clash(foes.attacker, foes.defender, self.shift, dice),
                foes,
                ammo_check,
            }),
            State::Retreats {
                cell,
                foes,
                ammo_check,
            } => ControlFlow::Break(self.after_melee(cell, foes, ammo_check, dice)),
        }
    }

    fn after_melee<D: Dice>(
        &self,
        cell: Cell,
        mut foes: Foes,
        ammo_check: bool,
        dice: &mut D,
    ) -> Ended {
        let after = self
            .melee
            .aftermath(cell, foes.attacker, foes.defender, dice);
        foes.attacker.loses(after.attacker.lost);
        foes.defender.loses(after.defender.lost);
        Ended {
            outcome: match after.winner() {
                _ if after.engaged => Outcome::Engaged,
                Winner::Attacker => Outcome::AttackerWins,
                Winner::Defender => Outcome::DefenderWins,
                Winner::None => Outcome::BothFallBack,
            },
            contact: true,
            foes,
            retreats: [after.attacker.retreat, after.defender.retreat],
            ammo_check,
        }
    }
}

/// Only a steady attacker goes on.
fn after_volley(condition: Condition, foes: Foes, ammo_check: bool) -> ControlFlow<Ended, State> {
    let outcome = match condition {
        Condition::Steady => return ControlFlow::Continue(State::Melee { foes, ammo_check }),
        Condition::Pinned => Outcome::AttackerPinned,
        Condition::Routed => Outcome::AttackerRouts,
        Condition::Eliminated => Outcome::AttackerDestroyed,
    };
    ControlFlow::Break(Ended {
        outcome,
        contact: false,
        foes,
        retreats: [0, 0],
        ammo_check,
    })
}

/// One charge.
#[derive(Debug)]
struct Charge {
    assault: Assault,
    foes: Foes,
    /// The column of the defensive volley.
    column: usize,
}

impl Charge {
    fn new(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>, s: &Settings) -> Self {
        let attacker = Unit::read(s, "attacker", "strength");
        let density = Hex::read(&fire.tables, s, "attacker").density(attacker.sp);
        Charge {
            column: fire.column(
                s.choice("defender.ammunition"),
                s.whole("defender.fire"),
                density,
                s.whole("defender.shift") + fire.tables.house_fire(s, "attacker"),
            ),
            assault: Assault::new(fire, melee, s.whole("shift") + fire.tables.house_melee(s)),
            foes: Foes {
                attacker,
                defender: Unit::read(s, "defender", "strength"),
            },
        }
    }

    fn report(&self, ended: &Ended) -> Row {
        let lost = |before: Unit, after: Unit| u16::from(before.sp - after.sp);
        row(&[
            ended.outcome.position() as u16,
            u16::from(ended.contact),
            lost(self.foes.attacker, ended.foes.attacker),
            lost(self.foes.defender, ended.foes.defender),
            u16::from(ended.retreats[0]),
            u16::from(ended.retreats[1]),
            u16::from(ended.ammo_check),
        ])
    }
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        PHASES.to_vec()
    }

    fn start(&self) -> State {
        State::Volley {
            column: self.column as u8,
            foes: self.foes,
        }
    }

    fn phase(&self, state: &State) -> usize {
        state.phase()
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match self.assault.step(state, dice) {
            ControlFlow::Continue(next) => Next::Go(next),
            ControlFlow::Break(ended) => Next::Done(self.report(&ended)),
        }
    }
}

pub(super) fn procedure(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>) -> Procedure {
    let (fire, melee) = (Arc::clone(fire), Arc::clone(melee));
    let mut keys = melee_settings();
    keys.push(setting("attacker", "density"));
    keys.extend(settings("defender", &["fire", "ammunition", "shift"]));
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
            Variable::count(
                "attacker_retreat",
                "hexes the attacker retreats in the melee",
            ),
            Variable::count(
                "defender_retreat",
                "hexes the defender retreats in the melee",
            ),
            Variable::yes_no(
                "ammo_check",
                "whether the volley calls for an ammunition check",
            ),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Charge::new(&fire, &melee, s)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::{pairs, replay};

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
    fn ammunition_and_shift_of_the_defender_move_only_the_volley() {
        // Grapeshot 10 is in the third column, small arms in the fourth.
        let column = |given: &str| steps(given).column;
        assert_eq!(column("defender.ammunition=grapeshot"), column("") - 1);
        assert_eq!(column("defender.shift=2"), column("") + 2);
        // The sum is clamped, not its parts.
        assert_eq!(column("defender.fire=99 attacker.density=10"), 10);
        let given = "defender.fire=99 attacker.density=10 defender.shift=-10";
        assert_eq!(column(given), 2);
        // The differential is still 0: a 4 repulses.
        assert_eq!(
            charge("defender.shift=-3", &[1, 4, 1, 1]),
            ("defender-wins", true, [0, 0])
        );
    }

    #[test]
    fn hexes_are_those_of_the_melee_and_a_natural_1_calls_for_ammunition() {
        let more = |given: &str, readings: &[i32]| {
            let row = replay(&steps(given), readings);
            [row[4], row[5], row[6]]
        };
        assert_eq!(more("", &[1, 1, 4]), [0, 5, 1]);
        assert_eq!(more("", &[2, 1, 4, 4, 4]), [5, 3, 0]);
        assert_eq!(more("", &[1, 3]), [0, 0, 1]);
        // Pinned or routed by the volley: nobody has retreated in a melee.
        assert_eq!(more("", &[2, 4]), [0, 0, 0]);
        assert_eq!(more("defender.fire=14", &[1, 4]), [0, 0, 1]);
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
