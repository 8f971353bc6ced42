//! Two regiments face to face on open ground: the exchange of fire, and the melee that may come of it.

use crate::acw28::contact::{Contact, Fighter, Sides, Turn};
use crate::acw28::firefight;
use crate::acw28::kinds::{Arm, Formation, Gun, Onset};
use crate::acw28::tables::Tables;
use crate::acw28::unit::Unit;
use crate::acw28::volley::{Firer, Volley};
use crate::standoff::{Driving, Ended, Ends, Leads, SIDES};
use crate::{Labels, RuleError, Settings, Shown, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Name;
use std::sync::Arc;

/// The ends of a charge that is not fired at and from which nobody moves away, as a charge names them.
const MELEE_ENDS: [&str; 3] = ["attacker-wins", "defender-wins", "undecided"];
const COMER_WINS: usize = 0;
const OTHER_WINS: usize = 1;
const UNDECIDED: usize = 2;

/// Two regiments.
#[derive(Debug)]
pub(super) struct FaceToFace {
    contact: Contact,
    /// Of each side on the other, at any distance.
    volleys: [Volley; 2],
    /// Whether each side goes towards the enemy at all.
    goes_forward: [bool; 2],
    melee_turns: u8,
}

/// What the side on turn does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Stage {
    /// It tests its formation.
    Tests,
    /// It acts.
    Acts,
    /// The other side saves so many hits.
    Saves(u8),
}

/// Where an exchange of fire stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Exchange {
    side: u8,
    stage: Stage,
    /// In cm.
    pub distance: u8,
    pub sides: Sides,
}

impl Exchange {
    /// The same after an advance of so many cm.
    pub(super) fn nearer(self, way: u8) -> Self {
        Exchange {
            distance: self.distance - way,
            ..self
        }
    }
}

/// Where a melee stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Melee {
    /// The side that came.
    comer: u8,
    pub onset: Onset,
    /// The distance it came from.
    pub distance: u8,
    /// Melee turns fought.
    fought: u8,
    pub sides: Sides,
}

impl FaceToFace {
    pub(super) fn read(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let key = |at: usize, name: &str| format!("{}.{name}", SIDES[at]);
        let read = |at: usize| {
            let arm = s.choice_or(&key(at, "arm"), Arm::Infantry);
            Unit::read(tables, s, SIDES[at], arm, true)
        };
        let units = [read(0)?, read(1)?];
        let volley = |at: usize| -> Result<Volley, RuleError> {
            let arm = units[at].arm.firing(Gun::Field);
            Ok(Volley {
                tables: Arc::clone(tables),
                firer: Firer::of(&units[at], arm, tables, s, SIDES[at])?,
                target: units[1 - at],
                reach: None,
                open_saves: s.flag("open_saves"),
            })
        };
        Ok(FaceToFace {
            volleys: [volley(0)?, volley(1)?],
            goes_forward: [0, 1].map(|at| !s.flag(&key(at, "officer_fail"))),
            contact: Contact {
                tables: Arc::clone(tables),
                fighters: units.map(|unit| Fighter {
                    unit,
                    at_officer: 0,
                    leaves_at: 0,
                }),
            },
            melee_turns: s.whole("melee_turns") as u8,
        })
    }

    fn unit(&self, side: usize) -> &Unit {
        &self.contact.fighters[side].unit
    }

    /// How ends are called, and who is driven off by them.
    pub(super) fn ends() -> Ends {
        let driving = Driving {
            a: &["b-routs", "a-wins"],
            b: &["a-routs", "b-wins"],
            both: &[],
        };
        Ends::new(firefight::Outcome::LABELS, &MELEE_ENDS, &[], driving)
    }

    /// What the sides have when it begins.
    pub fn whole(&self) -> [f64; 2] {
        self.contact.begins().map(|side| f64::from(side.figures))
    }

    /// What the sides have lost.
    pub(super) fn losses(&self, sides: Sides) -> [u16; 2] {
        [0, 1].map(|side: usize| self.unit(side).lost(sides[side]))
    }

    /// The condition of both, as a policy shows it.
    pub(super) fn show(&self, sides: Sides) -> Shown {
        let each = SIDES.iter().zip(sides).flat_map(|(side, now)| {
            let name = |name: &str| -> Name { format!("{side}_{name}").into() };
            [
                (name("figures"), Value::Whole(i64::from(now.figures))),
                (name("formation_fail"), Value::Flag(now.formation_fail)),
            ]
        });
        each.collect()
    }

    /// The first turn.
    pub(super) fn start(&self, distance: u8) -> Exchange {
        self.turn_of(0, distance, self.contact.begins())
    }

    /// The beginning of a side's turn.
    fn turn_of(&self, side: usize, distance: u8, sides: Sides) -> Exchange {
        let tests = self.unit(side).must_test(sides[side]);
        Exchange {
            side: side as u8,
            stage: if tests { Stage::Tests } else { Stage::Acts },
            distance,
            sides,
        }
    }

    /// A side has acted: the other's turn, or the next one of both.
    pub(super) fn passes(&self, now: Exchange) -> Leads<Exchange> {
        let other = 1 - usize::from(now.side);
        let next = self.turn_of(other, now.distance, now.sides);
        match other {
            0 => Leads::NextTurn(next),
            _ => Leads::Go(next),
        }
    }

    /// The side that is about to act, if it has made its test.
    pub(super) fn about_to_act(&self, now: &Exchange) -> Option<usize> {
        (now.stage == Stage::Acts).then_some(usize::from(now.side))
    }

    /// One step of the exchange; a side about to act fires, if its weapon reaches.
    pub(super) fn exchange<D: Dice>(&self, mut now: Exchange, dice: &mut D) -> Leads<Exchange> {
        let side = usize::from(now.side);
        let volley = self.volleys[side].over(now.distance);
        match now.stage {
            Stage::Tests => {
                now.sides = self.contact.reforms(side, now.sides, dice);
                now.stage = Stage::Acts;
                Leads::Go(now)
            }
            Stage::Acts => {
                let firer = now.sides[side];
                match volley.hits(firer.figures, firer.formation_fail, dice) {
                    0 => self.passes(now),
                    hits => Leads::Go(Exchange {
                        stage: Stage::Saves(hits),
                        ..now
                    }),
                }
            }
            Stage::Saves(hits) => {
                let target = 1 - side;
                let suffered = volley.lands(hits, now.sides[target], dice);
                now.sides[target] = suffered.condition;
                if !suffered.routs {
                    return self.passes(now);
                }
                let routs = [firefight::Outcome::ARouts, firefight::Outcome::BRouts][target];
                Leads::Ended(Ended {
                    outcome: routs.position(),
                    losses: self.losses(now.sides),
                })
            }
        }
    }

    /// The end of an exchange nobody has decided.
    pub(super) fn undecided() -> usize {
        firefight::Outcome::Undecided.position()
    }

    /// Whether the side's weapon reaches the enemy.
    pub(super) fn reaches(&self, side: usize, distance: u8) -> bool {
        self.volleys[side].over(distance).reach.is_some()
    }

    /// Whether a side goes towards the enemy at all.
    pub(super) fn goes_forward(&self, side: usize) -> bool {
        self.goes_forward[side]
    }

    /// Whether a side may charge, as far as it depends on itself: in line, in order, and led.
    pub(super) fn may_charge(&self, side: usize, now: &Exchange) -> bool {
        let unit = self.unit(side);
        self.goes_forward[side]
            && unit.formation == Formation::Line
            && !now.sides[side].formation_fail
    }

    /// The side about to act goes into contact.
    pub(super) fn comes_in(&self, now: &Exchange, onset: Onset) -> Melee {
        Melee {
            comer: now.side,
            onset,
            distance: now.distance,
            fought: 0,
            sides: now.sides,
        }
    }

    /// Who came.
    pub(super) fn comer(&self, melee: &Melee) -> usize {
        usize::from(melee.comer)
    }

    /// One turn of a melee, the first of them by the side that came, which made its test before it came.
    pub(super) fn melee<D: Dice>(&self, now: Melee, dice: &mut D) -> Leads<Melee> {
        let comer = usize::from(now.comer);
        let side = (comer + usize::from(now.fought)) % 2;
        let turn = match now.fought {
            0 => {
                let charging = now.onset == Onset::Charge;
                self.contact.strikes(side, charging, now.sides, dice)
            }
            _ => self.contact.turn(side, now.sides, dice),
        };
        let (outcome, sides) = match turn {
            Turn::Routs(sides) if side == comer => (COMER_WINS, sides),
            Turn::Routs(sides) => (OTHER_WINS, sides),
            Turn::Stands(sides) if now.fought + 1 == self.melee_turns => (UNDECIDED, sides),
            Turn::Stands(sides) => {
                return Leads::Go(Melee {
                    fought: now.fought + 1,
                    sides,
                    ..now
                });
            }
            Turn::Leaves => unreachable!("nobody moves away here"),
        };
        Leads::Ended(Ended {
            outcome,
            losses: self.losses(sides),
        })
    }
}
