//! Fire: one unit, or several alike one after the other, fires at another, which saves and then tests its
//! nerve each time.

use super::keys::{open_saves, range, settings, target_settings};
use super::officer::Fate;
use super::tables::Tables;
use super::unit::{Condition, Unit};
use super::volley::{Firer, Volley};
use crate::{Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{Next, Steps, row};
use std::sync::Arc;

/// One move's fire on a unit.
#[derive(Debug)]
pub(super) struct Fires {
    volley: Volley,
    figures: u8,
    formation_fail: bool,
    firers: u8,
}

/// Where the fire stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    target: Condition,
    /// Fires that are over.
    fires: u8,
    /// Hits of the fires that are over, and of this one.
    hits: u16,
    /// Hits of this fire that have to be saved, once they are rolled.
    struck: Option<u8>,
}

impl Fires {
    pub(super) fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let firer = Firer::read(tables, s, "firer")?;
        let target = Unit::read(tables, s, "target", s.choice("target.arm"), false)?;
        let figures = s.whole("firer.figures") + s.whole("firer.helpers");
        Ok(Fires {
            volley: Volley {
                tables: Arc::clone(tables),
                firer,
                target,
                reach: firer.reach(tables, s.whole("range")),
                open_saves: s.flag("open_saves"),
            },
            figures: figures as u8,
            formation_fail: s.flag("firer.formation_fail"),
            firers: s.whole("firers") as u8,
        })
    }

    /// A fire is over: the next unit fires, unless it was the last or the target has routed.
    fn after_fire(&self, state: State, target: Condition, routs: bool) -> Next<State> {
        let state = State {
            target,
            fires: state.fires + 1,
            hits: state.hits,
            struck: None,
        };
        if !routs && state.fires < self.firers {
            return Next::Go(state);
        }
        Next::Done(row(&[
            u16::from(routs),
            state.hits,
            self.volley.target.lost(target),
            target.officer.value(),
            u16::from(state.fires),
        ]))
    }
}

impl Steps for Fires {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["fire", "saves and morale"]
    }

    fn start(&self) -> State {
        State {
            target: self.volley.target.begins,
            fires: 0,
            hits: 0,
            struck: None,
        }
    }

    fn phase(&self, state: &State) -> usize {
        usize::from(state.struck.is_some())
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let Some(struck) = state.struck else {
            let hits = self.volley.hits(self.figures, self.formation_fail, dice);
            return match hits {
                0 => self.after_fire(state, state.target, false),
                _ => Next::Go(State {
                    hits: state.hits + u16::from(hits),
                    struck: Some(hits),
                    ..state
                }),
            };
        };
        let suffered = self.volley.lands(struck, state.target, dice);
        self.after_fire(state, suffered.condition, suffered.routs)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let firer = [
        "class",
        "figures",
        "firing_arm",
        "formation",
        "weapon",
        "helpers",
        "formation_fail",
    ];
    let mut keys = settings("firer", &firer);
    keys.push(
        Setting::whole(
            "firers",
            1..=4,
            1,
            "such units that fire in one move, one after the other",
        )
        .from("Firing; Morale"),
    );
    keys.push(range(&tables));
    keys.extend(target_settings("target", "any_arm"));
    keys.push(open_saves());
    Procedure {
        name: "fire".into(),
        about: "One unit, or several alike, fires at another in one move.".into(),
        source: "Firing; Officers; Morale".into(),
        composed: false,
        settings: keys,
        variables: vec![
            routs("the target"),
            Variable::count(
                "hits",
                "hits of all fires before saves, not limited by the figures there",
            ),
            Variable::count("casualties", "figures the target loses"),
            Fate::variable("officer", "the target"),
            Variable::count("fires", "fires made, those without dice included"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Fires::new(&tables, s)?))),
    }
}

/// Whether a unit routs, which is what its enemy wants.
pub(super) fn routs(whom: &str) -> Variable {
    Variable::yes_no("routs", &format!("whether {whom} routs"))
        .favouring([Favour::Failure, Favour::Success])
}
