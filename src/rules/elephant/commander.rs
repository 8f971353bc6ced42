//! What becomes of an attached commander.

use super::tables::Tables;
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Labels, Procedure, Setting};
use std::sync::Arc;

crate::labels! {
    /// The worst that happened to him.
    pub enum Fate { Safe = "safe", Light = "light", Serious = "serious", Killed = "killed" }
}

/// What is still to be rolled, and the worst so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    hits: u8,
    stands: u8,
    /// Rolls on the printed table still to make.
    struck: u8,
    fate: Fate,
}

#[derive(Debug)]
struct Commander {
    start: State,
    /// Hits that strike him: one die each.
    struck_by_fire: Odds<u8>,
    /// Whether one lost stand strikes him: three dice.
    struck_in_melee: Odds<bool>,
    table: Odds<Fate>,
}

impl Steps for Commander {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["exposed to fire", "exposed in melee", "struck"]
    }

    fn start(&self) -> State {
        self.start
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State { hits: 1.., .. } => 0,
            State { stands: 1.., .. } => 1,
            _ => 2,
        }
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        if state.hits > 0 {
            state.hits = 0;
            state.struck = self.struck_by_fire.roll(dice);
        } else if state.stands > 0 {
            state.stands -= 1;
            state.struck += u8::from(self.struck_in_melee.roll(dice));
        } else if state.struck > 0 && state.fate != Fate::Killed {
            state.struck -= 1;
            let wound = self.table.roll(dice);
            // A second light wound is a serious one.
            let again = wound == Fate::Light && state.fate == Fate::Light;
            state.fate = if again {
                Fate::Serious
            } else {
                state.fate.max(wound)
            };
        } else {
            return Next::Done(row(&[state.fate.position() as u16]));
        }
        Next::Go(state)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let [killed, serious, light] = tables.fate_faces;
    Procedure {
        name: "commander".into(),
        about: "What becomes of a commander whose unit takes losses.".into(),
        source: "Officers".into(),
        composed: false,
        settings: vec![
            Setting::whole("hits", 0..=12, 1, "hits his unit took from fire").from("Officers"),
            Setting::whole("stands_lost", 0..=6, 0, "stands his unit lost in melee")
                .from("Officers"),
        ],
        variables: vec![Variable::category(
            "fate",
            "the worst that happened to him",
            Fate::LABELS.iter().copied(),
        )],
        notes: Vec::new(),
        build: Box::new(move |s| {
            let hits = s.whole("hits") as u8;
            Ok(Box::new(Commander {
                start: State {
                    hits,
                    stands: s.whole("stands_lost") as u8,
                    struck: 0,
                    fate: Fate::Safe,
                },
                struck_by_fire: Odds::new(Throw::pool_at_most(u32::from(hits), 6, 1), |n| n as u8),
                struck_in_melee: Odds::new(Throw::pool_at_most(3, 6, 1), |ones| ones > 0),
                table: Odds::new(Throw::d6(), |die| match i64::from(die) {
                    n if n <= killed => Fate::Killed,
                    n if n <= serious => Fate::Serious,
                    n if n <= light => Fate::Light,
                    _ => Fate::Safe,
                }),
            }))
        }),
    }
}
