//! Firefight: two units fire at each other, turn and turn about, until one routs.

use super::keys::{formation_tests, open_saves, range, setting, target_settings};
use super::kinds::FiringArm;
use super::officer::Fate;
use super::tables::{Smoke, Tables};
use super::unit::{Condition, Unit};
use super::volley::{Firer, Volley};
use crate::{Judged, Labels, Of, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How it ends.
    pub enum Outcome {
        ARouts = "a-routs" => Failure, BRouts = "b-routs" => Success, Undecided = "undecided" => Undecided,
    }
}

grapeshot_engine::labels! {
    /// Who fires first in every turn; the holder of the town goes second.
    pub enum First { A = "a", B = "b", Town = "town" }
}

grapeshot_engine::labels! {
    /// The optional rule for smoke: not played, the wind thrown for, or no wind.
    pub enum Wind { Off = "off", Roll = "roll", Still = "still" }
}

/// The sides, as they stand in arrays.
const SIDES: [&str; 2] = ["a", "b"];

/// Two units in range of each other.
#[derive(Debug)]
pub(super) struct Firefight {
    tables: Arc<Tables>,
    units: [Unit; 2],
    /// Of each side on the other.
    volleys: [Volley; 2],
    first: First,
    wind: Wind,
    /// Whether a side holds the town, and goes second.
    holds_town: Odds<bool>,
    no_wind: Odds<bool>,
    turns: u16,
}

/// How much smoke hangs before the units, in turns of still air; nothing where wind drives it away.
type Air = Option<u8>;

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Stage {
    /// The dice for town and wind.
    Opening,
    /// A side tests its formation and fires.
    Fires,
    /// The other side saves so many hits.
    Saves(u8),
}

/// Where the firefight stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    stage: Stage,
    /// The side that fires.
    firing: u8,
    /// The side that fires first in a turn.
    first: u8,
    air: Air,
    sides: [Condition; 2],
}

impl Firefight {
    pub(super) fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let arms: [FiringArm; 2] = SIDES.map(|side| s.choice(Of(side, "arm")));
        let read = |at: usize| Unit::read(tables, s, SIDES[at], arms[at].attacked(), true);
        let units = [read(0)?, read(1)?];
        let volley = |at: usize| -> Result<Volley, RuleError> {
            let firer = Firer::of(&units[at], arms[at], tables, s, SIDES[at])?;
            Ok(Volley {
                tables: Arc::clone(tables),
                firer,
                target: units[1 - at],
                reach: firer.reach(tables, s.whole("range")),
                open_saves: s.flag("open_saves"),
            })
        };
        let still = tables.smoke.still;
        Ok(Firefight {
            volleys: [volley(0)?, volley(1)?],
            units,
            first: s.choice("first"),
            wind: s.choice("wind"),
            // Both throw, again if equal: even chances.
            holds_town: Odds::new(Throw::die(1, 2), |face| face == 1),
            no_wind: Odds::new(Throw::d6(), |face| face <= still),
            turns: s.whole("turns") as u16,
            tables: Arc::clone(tables),
        })
    }

    /// The dice before the first turn.
    fn opens<D: Dice>(&self, dice: &mut D) -> State {
        let first = match self.first {
            First::A => 0,
            First::B => 1,
            First::Town => u8::from(self.holds_town.roll(dice)),
        };
        let still = match self.wind {
            Wind::Off => false,
            Wind::Roll => self.no_wind.roll(dice),
            Wind::Still => true,
        };
        self.first_turn(first, still)
    }

    fn first_turn(&self, first: u8, still: bool) -> State {
        State {
            stage: Stage::Fires,
            firing: first,
            first,
            air: still.then_some(0),
            sides: [0, 1].map(|side: usize| self.units[side].begins),
        }
    }

    fn ends(&self, outcome: Outcome, sides: [Condition; 2]) -> Row {
        let lost = |side: usize| self.units[side].lost(sides[side]);
        row(&[
            outcome.position() as u16,
            0,
            lost(0),
            lost(1),
            sides[0].officer.value(),
            sides[1].officer.value(),
        ])
    }

    /// The other side's turn to fire, or the next turn.
    fn passes(&self, state: State) -> Next<State> {
        let second = state.firing != state.first;
        let next = State {
            stage: Stage::Fires,
            firing: 1 - state.firing,
            ..state
        };
        if second {
            Next::NextTurn(State {
                air: state.air.map(|turns| self.tables.smoke.after(turns)),
                ..next
            })
        } else {
            Next::Go(next)
        }
    }
}

impl Smoke {
    /// The cycle of still air: turns of fire, then turns of waiting.
    fn after(&self, turns: u8) -> u8 {
        (turns + 1) % (self.fires + self.clears)
    }

    /// Whether units see through it.
    fn lets_fire(&self, air: Air) -> bool {
        air.is_none_or(|turns| turns < self.fires)
    }
}

impl Steps for Firefight {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["opening", "a fires", "b saves", "b fires", "a saves"]
    }

    fn start(&self) -> State {
        let first = self.first_turn(u8::from(self.first == First::B), self.wind == Wind::Still);
        let thrown = self.first == First::Town || self.wind == Wind::Roll;
        State {
            stage: if thrown { Stage::Opening } else { Stage::Fires },
            ..first
        }
    }

    fn phase(&self, state: &State) -> usize {
        let fires = 1 + 2 * usize::from(state.firing);
        match state.stage {
            Stage::Opening => 0,
            Stage::Fires => fires,
            Stage::Saves(_) => fires + 1,
        }
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let firing = usize::from(state.firing);
        let (volley, target) = (&self.volleys[firing], 1 - firing);
        match state.stage {
            Stage::Opening => Next::Go(self.opens(dice)),
            Stage::Fires => {
                let unit = &self.units[firing];
                let now = unit.reforms(&self.tables, state.sides[firing], dice);
                state.sides[firing] = now;
                if !self.tables.smoke.lets_fire(state.air) {
                    return self.passes(state);
                }
                match volley.hits(now.figures, now.formation_fail, dice) {
                    0 => self.passes(state),
                    hits => Next::Go(State {
                        stage: Stage::Saves(hits),
                        ..state
                    }),
                }
            }
            Stage::Saves(hits) => {
                let suffered = volley.lands(hits, state.sides[target], dice);
                state.sides[target] = suffered.condition;
                if suffered.routs {
                    let outcome = [Outcome::ARouts, Outcome::BRouts][target];
                    return Next::Done(self.ends(outcome, state.sides));
                }
                self.passes(state)
            }
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.ends(Outcome::Undecided, state.sides)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let mut keys = Vec::new();
    for side in SIDES {
        keys.extend(target_settings(side, "firing_arm"));
        keys.push(setting(side, "weapon"));
    }
    keys.extend([
        range(&tables),
        Setting::turns().from("Firing"),
        open_saves(),
        formation_tests(),
        Setting::choice(
            "first",
            First::A,
            "who fires first in every turn; town: both throw for it, and its holder goes second",
        )
        .from("To start; Alternative move sequence"),
        Setting::choice(
            "wind",
            Wind::Off,
            "optional: smoke stops all fire for two turns after every two in still air",
        )
        .from("Wind"),
    ]);
    Procedure {
        name: "firefight".into(),
        about: "Two units fire at each other in turn until one routs or the turns are over.".into(),
        source: "Firing; Officers; Formation fail test; Morale".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how it ends"),
            Variable::count("turns", "the turn it ended in, or the last"),
            Variable::count("a_casualties", "figures a loses, helpers included"),
            Variable::count("b_casualties", "figures b loses, helpers included"),
            Fate::variable("a_officer", "a"),
            Fate::variable("b_officer", "b"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&tables, s)?))),
    }
}
