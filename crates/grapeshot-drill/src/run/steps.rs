//! The machine as the engine's steps: graphs, solving, walks and best play need no more of it.

use super::code::Ins;
use super::machine::{Halted, Machine, Reach, Stop, set, value};
use super::state::{Place, State};
use super::value::Operand;
use grapeshot_engine::dice::Ways;
use grapeshot_engine::engine::{Next, Note, Offer, Row};
use grapeshot_engine::{Chooser, Clock, Dice, Steps};
use std::cell::Cell;

thread_local! {
    /// Room for what throws of a step put back.
    static SAVED: Cell<Vec<i32>> = const { Cell::new(Vec::new()) };
}

impl Machine {
    /// The stage that is known of a place at which a trial rests before a throw or a choice.
    fn stage_at(&self, at: Place) -> Option<Operand> {
        let code = &self.body.code;
        match at {
            Place::Throw(pc) => match code.ins[pc as usize] {
                Ins::Roll(site) => Some(code.rolls[site as usize].stage),
                _ => None,
            },
            Place::Choice(pc) => match code.ins[pc as usize] {
                Ins::Choose(site) => Some(code.choices[site as usize].stage),
                _ => None,
            },
            Place::Beginning | Place::Turn => None,
        }
    }

    pub(super) fn phase_of_stage(&self, stage: i32) -> usize {
        let phases = &self.body.phases;
        phases.get(stage as usize).copied().unwrap_or(0)
    }

    /// The phase of all turns, if every one comes first to a throw or a choice of one stage.
    fn phase_of_turns(&self) -> Option<usize> {
        *self.body.turn_phase.get_or_init(|| {
            let code = &self.body.code;
            let head = code.turn.as_ref()?.head;
            let (mut todo, mut seen) = (vec![head], vec![false; code.ins.len()]);
            let mut stage = None;
            while let Some(pc) = todo.pop() {
                if std::mem::replace(&mut seen[pc as usize], true) {
                    continue;
                }
                let found = match code.ins[pc as usize] {
                    Ins::Jump(to) => {
                        todo.push(to);
                        continue;
                    }
                    Ins::Unless(_, to)
                    | Ins::UnlessBinary(_, _, _, to)
                    | Ins::UnlessLook { to, .. } => {
                        todo.extend([to, pc + 1]);
                        continue;
                    }
                    // Dice that fall in some states only are passed by in others.
                    Ins::Roll(site) => {
                        let site = &code.rolls[site as usize];
                        let falls = |&at: &u32| code.odds[at as usize].ways() > 1;
                        if !site.odds.iter().all(falls) {
                            return None;
                        }
                        site.stage
                    }
                    // Of a choice that is none what follows decides.
                    Ins::Choose(_) | Ins::Turn | Ins::Done | Ins::Told(_) | Ins::Fault(_) => {
                        return None;
                    }
                    _ => {
                        todo.push(pc + 1);
                        continue;
                    }
                };
                match (found, stage) {
                    (Operand::Known(found), None) => stage = Some(found),
                    (Operand::Known(found), Some(stage)) if found == stage => {}
                    _ => return None,
                }
            }
            stage.map(|stage| self.phase_of_stage(stage))
        })
    }

    /// Adds every way on from an instruction; `saved` holds what must be put back for each outcome of a throw.
    fn each_way(
        &self,
        from: u32,
        (frame, saved): (&mut [i32], &mut Vec<i32>),
        (reach, weight, total): (Reach, u64, u64),
        ways: &mut Ways<Next<State>>,
    ) {
        let stop = match self.advance(from, frame) {
            Halted::Stop(stop) => stop,
            Halted::Throw(at, odds) => {
                let (site, thrown) = self.thrown(at, odds);
                match reach.with(value(site.stage, frame), thrown.ways()) {
                    Some(reach) => {
                        let total = match total.checked_mul(thrown.total) {
                            None | Some(0) => return ways.give_up(),
                            Some(total) => total,
                        };
                        let before = saved.len();
                        let kept = &site.rest.kept;
                        saved.extend(kept.iter().map(|kept| frame[usize::from(kept.slot)]));
                        let outcomes = thrown.weights.iter().zip(thrown.outcomes());
                        for (at_first, (&share, outcome)) in outcomes.enumerate() {
                            if at_first > 0 {
                                for (kept, &value) in kept.iter().zip(&saved[before..]) {
                                    frame[usize::from(kept.slot)] = value;
                                }
                            }
                            set(frame, site, outcome);
                            // Not above the total, which fits.
                            let so_far = (reach, weight * share, total);
                            self.each_way(at + 1, (frame, saved), so_far, ways);
                        }
                        saved.truncate(before);
                        return;
                    }
                    None => Stop::Rest(Place::Throw(at)),
                }
            }
        };
        ways.add(self.next(stop, frame), weight.into(), total.into());
    }
}

impl Steps for Machine {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        self.body.names.iter().map(String::as_str).collect()
    }

    fn start(&self) -> State {
        self.start
    }

    fn phase(&self, state: &State) -> usize {
        if let Some(Operand::Known(stage)) = self.stage_at(state.at) {
            return self.phase_of_stage(stage);
        }
        if let (Place::Turn, Some(phase)) = (state.at, self.phase_of_turns()) {
            return phase;
        }
        self.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            let mut at = state.at;
            if !matches!(at, Place::Throw(_) | Place::Choice(_)) {
                // The stage of what it comes to first.
                match machine.without_dice(machine.pc(at), frame) {
                    Stop::Rest(next) => at = next,
                    _ => return 0,
                }
            }
            match machine.stage_at(at) {
                Some(stage) => machine.phase_of_stage(value(stage, frame)),
                None => 0,
            }
        })
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        self.with_frame(|machine, frame| {
            machine.unpack(state, frame);
            let stop = machine.run(machine.pc(state.at), frame, dice);
            machine.next(stop, frame)
        })
    }

    fn ways(&self, state: State, ways: &mut Ways<Next<State>>) -> bool {
        self.with_frame(|machine, frame| {
            machine.unpack(state, frame);
            let from = machine.pc(state.at);
            let mut saved = SAVED.take();
            machine.each_way(from, (frame, &mut saved), (Reach::NONE, 1, 1), ways);
            SAVED.set(saved);
        });
        true
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        let Place::Choice(pc) = state.at else {
            return None;
        };
        let Ins::Choose(site) = self.body.code.ins[pc as usize] else {
            return None;
        };
        let site = &self.body.code.choices[site as usize];
        self.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            let who = value(site.who, frame);
            let mut actions = Vec::with_capacity(site.actions.len());
            for action in &site.actions {
                machine.unpack(*state, frame);
                if value(action.offered, frame) == 0 {
                    continue;
                }
                let stop = machine.without_dice(action.to, frame);
                actions.push((action.action, machine.next(stop, frame)));
            }
            let asking = machine
                .body
                .decided_for
                .is_some_and(|side| side as i32 == who);
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
        self.body.clock
    }

    fn notes(&self) -> Vec<Note> {
        self.body.notes.clone()
    }

    fn time_up(&self, state: &State) -> Row {
        let after = self.body.code.turn.as_ref().map_or(0, |turn| turn.after);
        self.with_frame(|machine, frame| {
            machine.unpack(*state, frame);
            match machine.without_dice(after, frame) {
                Stop::Done => machine.row(frame),
                _ => Row::default(),
            }
        })
    }
}
