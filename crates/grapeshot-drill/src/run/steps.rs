//! The machine as the engine's steps: graphs, solving, walks and best play need no more of it.

use super::code::Ins;
use super::machine::{Machine, NoDice, Run, Stop, value};
use super::state::{Place, State};
use grapeshot_engine::engine::{Next, Note, Offer, Row};
use grapeshot_engine::{Chooser, Clock, Dice, Steps};

impl Steps for Machine {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn start(&self) -> State {
        self.start
    }

    fn phase(&self, state: &State) -> usize {
        self.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            let mut at = state.at;
            if !matches!(at, Place::Throw(_) | Place::Choice(_)) {
                // The stage of what it comes to first.
                let mut run = Run::<NoDice> {
                    dice: None,
                    stage: None,
                    ways: 1,
                };
                match machine.run(machine.pc(at), frame, &mut run) {
                    Stop::Rest(next) => at = next,
                    _ => return 0,
                }
            }
            let stage = match at {
                Place::Throw(pc) => match machine.code.ins[pc as usize] {
                    Ins::Roll(site) => machine.code.rolls[site as usize].stage,
                    _ => return 0,
                },
                Place::Choice(pc) => match machine.code.ins[pc as usize] {
                    Ins::Choose(site) => machine.code.choices[site as usize].stage,
                    _ => return 0,
                },
                _ => return 0,
            };
            let stage = value(stage, frame) as usize;
            machine.phases.get(stage).copied().unwrap_or(0)
        })
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        self.with_frame(|machine, frame| {
            machine.unpack(state, frame);
            let mut run = Run {
                dice: Some(dice),
                stage: None,
                ways: 1,
            };
            let stop = machine.run(machine.pc(state.at), frame, &mut run);
            machine.next(stop, frame)
        })
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        let Place::Choice(pc) = state.at else {
            return None;
        };
        let Ins::Choose(site) = self.code.ins[pc as usize] else {
            return None;
        };
        let site = &self.code.choices[site as usize];
        self.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            let who = value(site.who, frame);
            let mut actions = Vec::with_capacity(site.actions.len());
            for action in &site.actions {
                machine.unpack(*state, frame);
                if value(action.offered, frame) == 0 {
                    continue;
                }
                let mut run = Run::<NoDice> {
                    dice: None,
                    stage: None,
                    ways: 1,
                };
                let stop = machine.run(action.to, frame, &mut run);
                actions.push((action.action, machine.next(stop, frame)));
            }
            let asking = machine.decided_for.is_some_and(|side| side as i32 == who);
            Some(Offer {
                chooser: if asking {
                    Chooser::Asking
                } else {
                    Chooser::Enemy
                },
                actions,
            })
        })
    }

    fn clock(&self) -> Option<Clock> {
        self.clock
    }

    fn notes(&self) -> Vec<Note> {
        self.notes.clone()
    }

    fn time_up(&self, state: &State) -> Row {
        let after = self.code.turn.as_ref().map_or(0, |turn| turn.after);
        self.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            let mut run = Run::<NoDice> {
                dice: None,
                stage: None,
                ways: 1,
            };
            match machine.run(after, frame, &mut run) {
                Stop::Done => machine.row(frame),
                _ => Row::default(),
            }
        })
    }
}
