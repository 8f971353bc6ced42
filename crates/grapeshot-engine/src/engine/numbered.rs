//! Numbers for things that are met again, and steps whose states go by them.

use super::{Clock, Next, Offer, Row, Steps};
use crate::dice::{Branch, DynDice, Solving, Ways};
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// Things numbered in the order in which they were first seen.
pub(super) struct Numbered<T> {
    pub(super) items: Vec<T>,
    hashes: Vec<u64>,
    places: Places,
}

/// Numbers by the hash of what they stand for; a power of two of places, at most half of them taken.
struct Places(Vec<u32>);

const FREE: u32 = u32::MAX;
/// Room for most graphs: moving to a larger table takes time.
const AT_FIRST: usize = 512;

impl Places {
    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.0.len() - 1)
    }

    fn first(&self, hash: u64) -> usize {
        hash as usize & (self.0.len() - 1)
    }

    /// Twice as many places for the things of these hashes.
    fn grow(&mut self, hashes: &[u64]) {
        self.0 = vec![FREE; self.0.len() * 2];
        for (number, &hash) in (0u32..).zip(hashes) {
            let mut place = self.first(hash);
            while self.0[place] != FREE {
                place = self.next(place);
            }
            self.0[place] = number;
        }
    }
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered {
            items: Vec::with_capacity(AT_FIRST / 8),
            hashes: Vec::with_capacity(AT_FIRST / 8),
            places: Places(vec![FREE; AT_FIRST]),
        }
    }
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    /// Forgets them all, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.hashes.clear();
        self.places.0.clear();
        self.places.0.resize(AT_FIRST, FREE);
    }

    pub(super) fn number(&mut self, item: T) -> u32 {
        let hash = FxBuildHasher.hash_one(item);
        let mut place = self.places.first(hash);
        loop {
            match self.places.0[place] {
                FREE => break,
                known if self.items[known as usize] == item => return known,
                _ => place = self.places.next(place),
            }
        }
        let number = self.items.len() as u32;
        self.places.0[place] = number;
        self.items.push(item);
        self.hashes.push(hash);
        if self.items.len() * 2 > self.places.0.len() {
            self.places.grow(&self.hashes);
        }
        number
    }
}

/// Steps without the type of their states, which go by the order in which they were met.
pub(super) trait ByNumber {
    /// How many phases there are.
    fn phases(&self) -> u8;
    fn clock(&self) -> Option<Clock>;
    fn start(&mut self) -> u32;
    /// How many states were met so far.
    fn met(&self) -> usize;
    fn phase(&self, state: u32) -> u8;
    fn offer(&mut self, state: u32) -> Option<Offer<u32>>;
    /// Every way out of a state, in place of what `ways` held; gives the sum of their weights.
    fn ways(&mut self, state: u32, dice: &mut Solving, ways: &mut Vec<Branch<Next<u32>>>) -> u128;
    fn time_up(&self, state: u32) -> Row;
    /// The state as it is named in errors.
    fn name(&self, state: u32) -> String;
}

/// Steps and the states that were met.
pub(super) struct Numbering<'a, S: Steps> {
    steps: &'a S,
    states: Numbered<S::State>,
    /// Ways out of a state that the steps said by themselves.
    said: Ways<Next<S::State>>,
}

impl<'a, S: Steps> Numbering<'a, S> {
    pub(super) fn new(steps: &'a S) -> Self {
        Numbering {
            steps,
            states: Numbered::default(),
            said: Ways::default(),
        }
    }

    pub(super) fn state(&self, number: u32) -> S::State {
        self.states.items[number as usize]
    }
}

impl<S: Steps> ByNumber for Numbering<'_, S> {
    fn phases(&self) -> u8 {
        self.steps.phases().len() as u8
    }

    fn clock(&self) -> Option<Clock> {
        self.steps.clock()
    }

    fn start(&mut self) -> u32 {
        self.states.number(self.steps.start())
    }

    fn met(&self) -> usize {
        self.states.items.len()
    }

    fn phase(&self, state: u32) -> u8 {
        self.steps.phase(&self.state(state)) as u8
    }

    fn offer(&mut self, state: u32) -> Option<Offer<u32>> {
        let offer = self.steps.offer(&self.state(state))?;
        let numbered = |(id, next): (u16, Next<S::State>)| {
            let next = next.map(|state| self.states.number(state));
            (id, next)
        };
        Some(Offer {
            chooser: offer.chooser,
            actions: offer.actions.into_iter().map(numbered).collect(),
        })
    }

    fn ways(&mut self, state: u32, dice: &mut Solving, ways: &mut Vec<Branch<Next<u32>>>) -> u128 {
        let (steps, state) = (self.steps, self.state(state));
        let states = &mut self.states;
        self.said.clear();
        if steps.ways(state, &mut self.said)
            && let Some(said) = self.said.all()
        {
            ways.clear();
            let mut all = 0;
            ways.extend(said.drain(..).map(|way| {
                all += way.weight;
                Branch {
                    result: way.result.map(|state| states.number(state)),
                    weight: way.weight,
                }
            }));
            return all;
        }
        dice.walk(ways, |dice| {
            let next = steps.step(state, &mut DynDice(dice));
            next.map(|state| states.number(state))
        })
    }

    fn time_up(&self, state: u32) -> Row {
        self.steps.time_up(&self.state(state))
    }

    fn name(&self, state: u32) -> String {
        format!("{:?}", self.state(state))
    }
}
