//! Firefight: two units fire at each other, turn and turn about, until one routs.

use super::fire::{open_saves_setting, range_setting};
use super::tables::Tables;
use super::target::Target;
use super::unit::{FLAGS, FiringArm, settings};
use super::volley::{Firer, Ground, Volley};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How it ends.
    pub enum Outcome { ARouts = "a-routs" => Failure, BRouts = "b-routs" => Success, Undecided = "undecided" => Undecided }
}

/// The sides, in the order in which they fire.
const SIDES: [&str; 2] = ["a", "b"];

/// One side: how it suffers, and what it does to the other.
#[derive(Debug)]
struct Side {
    target: Target,
    volley: Volley,
}

/// Two units in range of each other.
#[derive(Debug)]
pub(super) struct Firefight {
    sides: [Side; 2],
    turns: u16,
}

/// Where the firefight stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    /// Figures left.
    figures: [u8; 2],
    /// Which side fires.
    firing: u8,
    /// Hits the other side has to save, once they are rolled.
    hits: Option<u8>,
}

impl Firefight {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let read = |side: &str| -> Result<(Firer, Target), RuleError> {
            let arm: FiringArm = s.choice(&format!("{side}.arm"));
            Ok((
                Firer::read(tables, s, side, arm)?,
                Target::read(tables, s, side, arm.attacked())?,
            ))
        };
        let (a, b) = (read(SIDES[0])?, read(SIDES[1])?);
        let side = |(firer, target): (Firer, Target), enemy: &Target| Side {
            volley: Volley::new(
                tables,
                &firer,
                target.figures,
                enemy,
                Ground {
                    reach: firer.reach(tables, s.whole("range")),
                    open_saves: s.flag("open_saves"),
                },
            ),
            target,
        };
        Ok(Firefight {
            sides: [side(a, &b.1), side(b, &a.1)],
            turns: s.whole("turns") as u16,
        })
    }

    fn ends(&self, outcome: Outcome, figures: [u8; 2]) -> Row {
        let lost = |side: usize| u16::from(self.sides[side].target.figures - figures[side]);
        row(&[outcome.position() as u16, 0, lost(0), lost(1)])
    }

    /// The other side's turn to fire, or the next turn.
    fn passes(&self, state: State) -> Next<State> {
        let next = State {
            firing: 1 - state.firing,
            hits: None,
            ..state
        };
        Next::after_side(usize::from(state.firing), next)
    }
}

impl Steps for Firefight {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["a fires", "b saves", "b fires", "a saves"]
    }

    fn start(&self) -> State {
        State {
            figures: [0, 1].map(|side: usize| self.sides[side].target.figures),
            firing: 0,
            hits: None,
        }
    }

    fn phase(&self, state: &State) -> usize {
        2 * usize::from(state.firing) + usize::from(state.hits.is_some())
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let firing = usize::from(state.firing);
        let struck = 1 - firing;
        let volley = &self.sides[firing].volley;
        let Some(hits) = state.hits else {
            return match volley.hits(state.figures[firing], dice) {
                0 => self.passes(state),
                hits => Next::Go(State {
                    hits: Some(hits),
                    ..state
                }),
            };
        };
        let target = &self.sides[struck].target;
        let unsaved = volley.unsaved(hits, dice);
        let (left, routs) = target.loses(state.figures[struck], unsaved, target.formation_fail);
        state.figures[struck] = left;
        if routs {
            let outcome = [Outcome::ARouts, Outcome::BRouts][struck];
            Next::Done(self.ends(outcome, state.figures))
        } else {
            self.passes(state)
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.ends(Outcome::Undecided, state.figures)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let names = [
        "class",
        "figures",
        "original",
        "firing_arm",
        "formation",
        "weapon",
        "cover",
    ];
    let names = [&names[..], &FLAGS[..]].concat();
    let mut keys: Vec<Setting> = SIDES
        .iter()
        .flat_map(|side| settings(side, &names))
        .collect();
    keys.push(range_setting());
    keys.push(Setting::turns().from("Firing"));
    keys.push(open_saves_setting());
    Procedure {
        name: "firefight".into(),
        about:
            "Two units fire at each other in turn, a first, until one routs or the turns are over."
                .into(),
        source: "Firing; Morale".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how it ends"),
            Variable::count("turns", "the turn it ended in, or the last"),
            Variable::count("a_casualties", "figures a loses"),
            Variable::count("b_casualties", "figures b loses"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&tables, s)?))),
    }
}
