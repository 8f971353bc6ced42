//! Charge: the defender's volley, the first shock, and the melee turns that follow.
//!
//! The source prints only the parts. Here they are played in this order: the defender fires in its own
//! turn before; the attacker goes into contact, charging or at its ordinary rate, and strikes; then the
//! sides take turns, the defender first, each first trying to clear the formation fail that every melee
//! leaves both with.

use super::contact::{Contact, Fighter, Sides, Turn};
use super::keys::{FLAGS, formation_tests, open_saves, settings, target_settings};
use super::kinds::{Arm, Cover, Formation, Gun, Onset};
use super::melee::at_officer;
use super::officer::Fate;
use super::tables::{Pace, Tables};
use super::unit::{Suffered, Unit};
use super::volley::{Firer, Volley};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a charge ends.
    pub enum Outcome {
        Stopped = "attacker-stopped" => Failure, AttackerWins = "attacker-wins" => Success,
        DefenderWins = "defender-wins" => Failure, AttackerLeaves = "attacker-leaves" => Failure,
        DefenderLeaves = "defender-leaves" => Success, Undecided = "undecided" => Undecided,
    }
}

/// The sides, as they stand in arrays.
const SIDES: [&str; 2] = ["attacker", "defender"];
const ATTACKER: usize = 0;
const DEFENDER: usize = 1;

/// A charge.
#[derive(Debug)]
pub(super) struct Charge {
    volley: Option<Volley>,
    onset: Onset,
    contact: Contact,
    turns: u16,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Stage {
    /// The defender tests its formation and fires.
    Volley,
    /// The attacker saves so many hits.
    Saves(u8),
    /// The attacker tests its formation and strikes for the first time.
    Shock,
    /// A side's later melee turn.
    Melee(usize),
}

/// Where the charge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    stage: Stage,
    sides: Sides,
}

impl Charge {
    pub(super) fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let volley = s.flag("volley");
        let [attacker, defender] = [
            Unit::read(tables, s, "attacker", s.choice("attacker.arm"), false)?,
            Unit::read(tables, s, "defender", s.choice("defender.arm"), volley)?,
        ];
        may_go_in(tables, s, &attacker, &defender)?;
        let fighter = |unit, side: usize| -> Result<Fighter, RuleError> {
            Ok(Fighter {
                unit,
                at_officer: at_officer(s, SIDES[side], SIDES[1 - side])?,
                leaves_at: s.whole(&format!("{}.leaves_at", SIDES[side])) as u8,
            })
        };
        let gun: Gun = s.choice("defender.gun");
        if gun == Gun::Heavy && defender.arm != Arm::Artillery {
            return Err(s.refuse("defender.gun", "only artillery has a gun"));
        }
        let firer = Firer::of(&defender, defender.arm.firing(gun), tables, s, "defender")?;
        let volley = volley.then(|| Volley {
            tables: Arc::clone(tables),
            firer,
            target: attacker,
            reach: match s.whole("distance") {
                0 => firer.nearest_reach(tables),
                distance => firer.reach(tables, distance),
            },
            open_saves: s.flag("open_saves"),
        });
        Ok(Charge {
            volley,
            onset: s.choice("attacker.onset"),
            contact: Contact {
                tables: Arc::clone(tables),
                fighters: [fighter(attacker, ATTACKER)?, fighter(defender, DEFENDER)?],
            },
            turns: s.whole("turns") as u16,
        })
    }

    fn unit(&self, side: usize) -> &Unit {
        &self.contact.fighters[side].unit
    }

    /// A finished charge. A side that leaves has begun its turn and not fought it.
    fn ends(&self, outcome: Outcome, sides: Sides) -> Row {
        let left = matches!(outcome, Outcome::AttackerLeaves | Outcome::DefenderLeaves);
        let lost = |side: usize| self.unit(side).lost(sides[side]);
        row(&[
            outcome.position() as u16,
            u16::from(left),
            lost(ATTACKER),
            lost(DEFENDER),
            sides[ATTACKER].officer.value(),
            sides[DEFENDER].officer.value(),
        ])
    }

    /// The attacker goes on unless the volley routed it, or killed the officer who could send it.
    fn after_volley(&self, sides: Sides, suffered: Suffered) -> Next<State> {
        let sides = [suffered.condition, sides[DEFENDER]];
        if suffered.routs || self.unit(ATTACKER).leaderless(suffered.condition) {
            return Next::Done(self.ends(Outcome::Stopped, sides));
        }
        Next::NextTurn(State {
            stage: Stage::Shock,
            sides,
        })
    }

    /// A side has had its melee turn.
    fn after_turn(&self, side: usize, before: Sides, turn: Turn) -> Next<State> {
        let (outcome, sides) = match (turn, side) {
            (Turn::Stands(sides), _) => {
                let stage = Stage::Melee(1 - side);
                return Next::NextTurn(State { stage, sides });
            }
            (Turn::Routs(sides), ATTACKER) => (Outcome::AttackerWins, sides),
            (Turn::Routs(sides), _) => (Outcome::DefenderWins, sides),
            (Turn::Leaves, ATTACKER) => (Outcome::AttackerLeaves, before),
            (Turn::Leaves, _) => (Outcome::DefenderLeaves, before),
        };
        Next::Done(self.ends(outcome, sides))
    }
}

/// Why a unit may not go into contact so.
fn may_go_in(
    tables: &Tables,
    s: &Settings,
    attacker: &Unit,
    defender: &Unit,
) -> Result<(), RuleError> {
    let onset: Onset = s.choice("attacker.onset");
    let charges = onset == Onset::Charge;
    let skirmishes = "which always skirmishes, and skirmishers cannot charge";
    let refused = match attacker.arm {
        Arm::Artillery => Some(("attacker.arm", "artillery does not go into contact".into())),
        _ if s.flag("attacker.officer_fail") => Some((
            "attacker.officer_fail",
            "out of its officer's reach nobody goes towards the enemy".into(),
        )),
        _ if !charges => None,
        Arm::Sharpshooters => Some(("attacker.arm", format!("a company of {skirmishes}"))),
        Arm::Cavalry if attacker.skirmishing() && !asked_to_skirmish(s) => Some((
            "attacker.class",
            format!("cavalry of this class are Indians, {skirmishes}"),
        )),
        _ if attacker.formation != Formation::Line => Some((
            "attacker.formation",
            "a charge is made in line; `attacker.onset=advance` is not".into(),
        )),
        _ if attacker.begins.formation_fail => Some((
            "attacker.formation_fail",
            "a unit with a formation fail cannot charge; `attacker.onset=advance` can be made"
                .into(),
        )),
        _ if defender.arm == Arm::Artillery => Some((
            "defender.arm",
            "artillery counts as behind cover, and a charge cannot go into cover; `attacker.onset=advance` can"
                .into(),
        )),
        _ if defender.cover != Cover::Open => Some((
            "defender.cover",
            "a charge cannot go into cover; `attacker.onset=advance` can".into(),
        )),
        _ => None,
    };
    if let Some((key, reason)) = refused {
        return Err(s.refuse(key, reason));
    }
    let (least, most) = match (onset, attacker.formation) {
        (Onset::Charge, _) => tables.charge_distances(attacker.arm),
        (Onset::Advance, Formation::Column) => (1, tables.rate(attacker.arm, Pace::Column)),
        (Onset::Advance, _) => (1, tables.rate(attacker.arm, Pace::Ordinary)),
    };
    let distance = s.whole("distance");
    if distance != 0 && !(least..=most).contains(&distance) {
        let reason = format!(
            "such {} goes over {least} to {most} cm",
            match onset {
                Onset::Charge => "a charge",
                Onset::Advance => "an advance",
            }
        );
        return Err(s.refuse("distance", reason));
    }
    Ok(())
}

fn asked_to_skirmish(s: &Settings) -> bool {
    s.choice::<Formation>("attacker.formation") == Formation::Skirmish
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["volley", "saves and morale", "shock", "melee"]
    }

    fn start(&self) -> State {
        State {
            stage: match self.volley {
                Some(_) => Stage::Volley,
                None => Stage::Shock,
            },
            sides: self.contact.begins(),
        }
    }

    fn phase(&self, state: &State) -> usize {
        match state.stage {
            Stage::Volley => 0,
            Stage::Saves(_) => 1,
            Stage::Shock => 2,
            Stage::Melee(_) => 3,
        }
    }

    fn step<D: Dice>(&self, State { stage, sides }: State, dice: &mut D) -> Next<State> {
        match (stage, &self.volley) {
            (Stage::Volley, Some(volley)) => {
                let sides = self.contact.reforms(DEFENDER, sides, dice);
                let defender = sides[DEFENDER];
                match volley.hits(defender.figures, defender.formation_fail, dice) {
                    0 => Next::NextTurn(State {
                        stage: Stage::Shock,
                        sides,
                    }),
                    hits => Next::Go(State {
                        stage: Stage::Saves(hits),
                        sides,
                    }),
                }
            }
            (Stage::Saves(hits), Some(volley)) => {
                self.after_volley(sides, volley.lands(hits, sides[ATTACKER], dice))
            }
            (Stage::Volley | Stage::Saves(_), None) => unreachable!("nobody fires in {stage:?}"),
            (Stage::Shock, _) => {
                let sides = self.contact.reforms(ATTACKER, sides, dice);
                let charging = self.onset == Onset::Charge;
                let turn = self.contact.strikes(ATTACKER, charging, sides, dice);
                self.after_turn(ATTACKER, sides, turn)
            }
            (Stage::Melee(side), _) => {
                self.after_turn(side, sides, self.contact.turn(side, sides, dice))
            }
        }
    }

    /// Melee turns; the volley is fired in turn 0.
    fn clock(&self) -> Option<Clock> {
        Some(Clock {
            first: u16::from(self.volley.is_none()),
            last: self.turns,
            variable: 1,
        })
    }

    fn time_up(&self, state: &State) -> Row {
        self.ends(Outcome::Undecided, state.sides)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let attacker = ["class", "figures", "original", "arm", "formation"];
    let in_melee = ["successor", "at_officer", "leaves_at"];
    let attacker = [&attacker[..], &FLAGS[..], &in_melee[..], &["onset"]].concat();
    let mut keys = settings("attacker", &attacker);
    keys.extend(target_settings("defender", "arm"));
    keys.extend(settings(
        "defender",
        &["at_officer", "leaves_at", "weapon", "gun"],
    ));
    keys.extend([
        Setting::flag_on("volley", "the defender fires in its own turn before").from("Firing"),
        Setting::whole(
            "distance",
            0..=60,
            0,
            "cm the attacker comes over, and the range of the volley; 0 is not measured, a volley at short range",
        )
        .from("Movement; Movement, Charge"),
        open_saves(),
        formation_tests(),
        Setting::whole(
            "turns",
            1..=20,
            6,
            "melee turns at most, the attacker's first blow being the first",
        )
        .from("Melee"),
    ]);
    Procedure {
        name: "charge".into(),
        about: "A volley, a charge or an advance into contact, and the melee turns that follow until one side routs or leaves.".into(),
        source: "Movement, Charge; Firing; Officers; Melee; Formation fail test; Morale".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how it ends"),
            Variable::count("turns", "melee turns fought; 0 if the attacker was stopped"),
            Variable::count("attacker_casualties", "figures the attacker loses"),
            Variable::count("defender_casualties", "figures the defender loses"),
            Fate::variable("attacker_officer", "the attacker"),
            Fate::variable("defender_officer", "the defender"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Charge::new(&tables, s)?))),
    }
}
