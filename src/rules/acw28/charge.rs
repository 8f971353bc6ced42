//! Charge: the defender's volley, the shock, and the melee turns that follow.
//!
//! The source prints only the parts. Here they are played in this order: the defender fires at its
//! shortest range in its own turn before; the attacker charges home; then the sides take turns, the
//! defender first, each first trying to clear the formation fail that every melee leaves both with.

use super::formation::test_odds;
use super::melee::{Blows, Onset};
use super::tables::Tables;
use super::target::Target;
use super::unit::{Arm, Cover, FLAGS, Formation, setting, settings, target_settings};
use super::volley::{Firer, Ground, Volley};
use crate::dice::{Dice, Odds};
use crate::dist::Variable;
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a charge ends.
    pub enum Outcome {
        Stopped = "attacker-stopped" => Failure, AttackerWins = "attacker-wins" => Success,
        DefenderWins = "defender-wins" => Failure, Undecided = "undecided" => Undecided,
    }
}

crate::labels! {
    /// The two sides.
    pub enum Role { Attacker = "attacker", Defender = "defender" }
}

impl Role {
    fn enemy(self) -> Role {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }

    fn wins(self) -> Outcome {
        match self {
            Role::Attacker => Outcome::AttackerWins,
            Role::Defender => Outcome::DefenderWins,
        }
    }
}

/// One side: how it suffers, and how it fights its melee turns.
#[derive(Debug)]
struct Side {
    target: Target,
    formation_test: Odds<bool>,
    /// With its formation fail, and having cleared it.
    blows: [Blows; 2],
}

impl Side {
    fn new(tables: &Tables, target: &Target, enemy: &Target) -> Self {
        let blows = |formation_fail: bool| {
            let onset = Onset {
                charging: false,
                formation_fail,
                enemy_fail: true,
            };
            Blows::new(tables, target.figures, enemy, onset)
        };
        Side {
            target: *target,
            formation_test: test_odds(tables, target.class),
            blows: [blows(true), blows(false)],
        }
    }
}

/// A charge.
#[derive(Debug)]
pub(super) struct Charge {
    volley: Option<Volley>,
    shock: Blows,
    /// Attacker, defender.
    sides: [Side; 2],
    turns: u16,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Stage {
    /// The defender fires.
    Volley,
    /// The attacker saves so many hits.
    Saves(u8),
    /// The attacker strikes, charging.
    Shock,
    /// A side tests its formation.
    Test(Role),
    /// A side strikes; did it clear its formation fail?
    Melee(Role, bool),
}

/// Where the charge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    stage: Stage,
    /// Figures left: attacker, defender.
    figures: [u8; 2],
}

impl Charge {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let arms = may_charge(s)?;
        let [mut attacker, defender] = [
            Target::read(tables, s, "attacker", arms[0])?,
            Target::read(tables, s, "defender", arms[1])?,
        ];
        // Whatever order it came up in, a charge is made in line.
        attacker.formation = Formation::Line;
        let firer = match (s.flag("volley"), arms[1].with_small_arms()) {
            (true, Some(arm)) => Some(Firer::read(tables, s, "defender", arm)?),
            _ => None,
        };
        let volley = firer.map(|firer| {
            let ground = Ground {
                reach: firer.nearest_reach(tables),
                open_saves: true,
            };
            Volley::new(tables, &firer, defender.figures, &attacker, ground)
        });
        let onset = Onset {
            charging: true,
            formation_fail: false,
            enemy_fail: defender.formation_fail,
        };
        Ok(Charge {
            volley,
            shock: Blows::new(tables, attacker.figures, &defender, onset),
            sides: [
                Side::new(tables, &attacker, &defender),
                Side::new(tables, &defender, &attacker),
            ],
            turns: s.whole("turns") as u16,
        })
    }

    fn ends(&self, outcome: Outcome, figures: [u8; 2]) -> Row {
        let lost = |side: usize| u16::from(self.sides[side].target.figures - figures[side]);
        row(&[outcome.position() as u16, 0, lost(0), lost(1)])
    }

    /// The side under attack has lost figures, or none: if it routs the charge is over, else the
    /// next turn begins.
    fn suffers(&self, state: State, lost: u8) -> Next<State> {
        let (role, formation_fail, next) = match state.stage {
            Stage::Volley | Stage::Saves(_) => (Role::Attacker, false, Stage::Shock),
            Stage::Shock => {
                let fail = self.sides[Role::Defender.position()].target.formation_fail;
                (Role::Defender, fail, Stage::Test(Role::Defender))
            }
            Stage::Test(striking) | Stage::Melee(striking, _) => {
                (striking.enemy(), true, Stage::Test(striking.enemy()))
            }
        };
        let mut figures = state.figures;
        let at = role.position();
        let target = &self.sides[at].target;
        let (left, routs) = target.loses(figures[at], lost, formation_fail);
        figures[at] = left;
        if !routs {
            return Next::NextTurn(State {
                stage: next,
                figures,
            });
        }
        let outcome = match next {
            Stage::Shock => Outcome::Stopped,
            _ => role.enemy().wins(),
        };
        Next::Done(self.ends(outcome, figures))
    }
}

/// The arms of both sides, or why this is no charge.
fn may_charge(s: &Settings) -> Result<[Arm; 2], RuleError> {
    let arms: [Arm; 2] = [s.choice("attacker.arm"), s.choice("defender.arm")];
    let refused = match arms {
        [Arm::Artillery, _] => Some(("attacker.arm", "artillery does not charge")),
        [Arm::Sharpshooters, _] => Some((
            "attacker.arm",
            "sharpshooters always skirmish, and skirmishers cannot charge",
        )),
        [_, Arm::Artillery] => Some((
            "defender.arm",
            "artillery counts as behind cover, and a charge cannot go into cover",
        )),
        _ if s.flag("attacker.formation_fail") => Some((
            "attacker.formation_fail",
            "a unit with a formation fail cannot charge",
        )),
        _ if s.choice::<Cover>("defender.cover") != Cover::Open => {
            Some(("defender.cover", "a charge cannot go into cover"))
        }
        _ => None,
    };
    refused.map_or(Ok(arms), |(key, reason)| Err(s.refuse(key, reason)))
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec![
            "volley",
            "saves and morale",
            "shock",
            "formation test",
            "melee",
        ]
    }

    fn start(&self) -> State {
        State {
            stage: match self.volley {
                Some(_) => Stage::Volley,
                None => Stage::Shock,
            },
            figures: [0, 1].map(|side: usize| self.sides[side].target.figures),
        }
    }

    fn phase(&self, state: &State) -> usize {
        match state.stage {
            Stage::Volley => 0,
            Stage::Saves(_) => 1,
            Stage::Shock => 2,
            Stage::Test(_) => 3,
            Stage::Melee(..) => 4,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let go = |stage: Stage| Next::Go(State { stage, ..state });
        let [attacker, defender] = state.figures;
        match (state.stage, &self.volley) {
            (Stage::Volley, Some(volley)) => match volley.hits(defender, dice) {
                0 => self.suffers(state, 0),
                hits => go(Stage::Saves(hits)),
            },
            (Stage::Saves(hits), Some(volley)) => self.suffers(state, volley.unsaved(hits, dice)),
            (Stage::Volley | Stage::Saves(_), None) => unreachable!("nobody fires: {state:?}"),
            (Stage::Shock, _) => self.suffers(state, self.shock.kills(attacker, defender, dice)),
            (Stage::Test(role), _) => {
                let cleared = self.sides[role.position()].formation_test.roll(dice);
                go(Stage::Melee(role, cleared))
            }
            (Stage::Melee(role, cleared), _) => {
                let blows = &self.sides[role.position()].blows[usize::from(cleared)];
                let [own, enemy] = [role, role.enemy()].map(|r| state.figures[r.position()]);
                self.suffers(state, blows.kills(own, enemy, dice))
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
        self.ends(Outcome::Undecided, state.figures)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let attacker = ["class", "figures", "original", "arm", "charge_formation"];
    let mut keys = settings("attacker", &[&attacker[..], &FLAGS[..]].concat());
    keys.extend(target_settings("defender"));
    keys.push(setting("defender", "weapon"));
    keys.push(
        Setting::flag_on(
            "volley",
            "the defender fires at its shortest range in its own turn before",
        )
        .from("Firing"),
    );
    keys.push(
        Setting::whole(
            "turns",
            1..=20,
            6,
            "melee turns at most, the charge being the first",
        )
        .from("Melee"),
    );
    Procedure {
        name: "charge".into(),
        about: "A volley, a charge, and the melee turns that follow until one side routs.".into(),
        source: "Movement, Charge; Firing; Melee; Formation fail test; Morale".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how it ends"),
            Variable::count("turns", "melee turns fought; 0 if the attacker was stopped"),
            Variable::count("attacker_casualties", "figures the attacker loses"),
            Variable::count("defender_casualties", "figures the defender loses"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Charge::new(&tables, s)?))),
    }
}
