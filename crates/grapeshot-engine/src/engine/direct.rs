//! Steps run directly on sampled dice, one trial at a time.

use super::{End, Next, Offer, Steps};
use crate::dice::{Dice, DynDice, Sampled};
use rand::Rng;
use rustc_hash::FxHashMap;

/// Plays `trials` trials and counts how they ended.
pub(crate) fn play<S: Steps>(
    steps: &S,
    rng: &mut impl Rng,
    trials: u64,
    counts: &mut FxHashMap<End, u64>,
) {
    play_policy(steps, rng, trials, counts, only_action);
}

/// Plays `trials` trials in which `choose` picks, by position, from what is offered in a turn.
pub fn play_policy<S: Steps>(
    steps: &S,
    rng: &mut impl Rng,
    trials: u64,
    counts: &mut FxHashMap<End, u64>,
    choose: impl Fn(u16, &S::State, &Offer<S::State>) -> usize,
) {
    let time_is_up = steps.phases().len() as u8;
    for _ in 0..trials {
        super::look_up();
        let end = trial(steps, time_is_up, &mut Sampled::new(rng), &choose);
        *counts.entry(end).or_default() += 1;
    }
}

/// Plays one trial on any dice.
pub fn play_once<S: Steps>(steps: &S, dice: &mut dyn Dice) -> End {
    trial(steps, steps.phases().len() as u8, dice, &only_action)
}

/// The choice of somebody who has none.
fn only_action<State: std::fmt::Debug>(_: u16, state: &State, offer: &Offer<State>) -> usize {
    assert_eq!(offer.actions.len(), 1, "nobody decides here: {state:?}");
    0
}

/// Picks, by position, from what is offered in a turn.
type Choose<'a, State> = dyn Fn(u16, &State, &Offer<State>) -> usize + 'a;

/// Plays one trial; `time_is_up` is the phase of a trial that outlasts its turns.
fn trial<S: Steps>(
    steps: &S,
    time_is_up: u8,
    dice: &mut dyn Dice,
    choose: &Choose<'_, S::State>,
) -> End {
    let clock = steps.clock();
    let mut turn = clock.map_or(0, |clock| clock.first);
    let mut state = steps.start();
    let mut end = loop {
        let next = match steps.offer(&state) {
            Some(offer) => offer.actions[choose(turn, &state, &offer)].1,
            None => steps.step(state, &mut DynDice(dice)),
        };
        match next {
            Next::Go(next) => state = next,
            Next::NextTurn(next) if Some(turn) == clock.map(|clock| clock.last) => {
                break End {
                    row: steps.time_up(&next),
                    phase: time_is_up,
                };
            }
            Next::NextTurn(next) => {
                turn += 1;
                state = next;
            }
            Next::Done(row) => {
                break End {
                    row,
                    phase: steps.phase(&state) as u8,
                };
            }
        }
    };
    if let Some(clock) = clock {
        clock.fill(&mut end.row, turn);
    }
    end
}
