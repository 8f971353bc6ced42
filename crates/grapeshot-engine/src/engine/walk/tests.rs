//! Walks against the exact odds, and what they are made of.

use super::*;
use crate::dice::{Dice, Odds};
use crate::engine::{Budget, Clock, Next, Row, Steps, row, solve::solve};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

pub(super) fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(1863)
}

/// A made-up procedure in turns of so many rolls each: a roll of zero ends it, one adds to a sum,
/// two is rolled again, anything else does nothing.
pub(super) struct Course {
    pub(super) roll: Odds<u8>,
    pub(super) rolls: u8,
    pub(super) turns: u16,
}

impl Steps for Course {
    /// The rolls made in this turn, and the sum so far.
    type State = (u8, u16);

    fn phases(&self) -> Vec<&str> {
        vec!["rolls"]
    }

    fn start(&self) -> (u8, u16) {
        (0, 0)
    }

    fn phase(&self, _: &(u8, u16)) -> usize {
        0
    }

    fn step<D: Dice>(&self, (made, sum): (u8, u16), dice: &mut D) -> Next<(u8, u16)> {
        let sum = match self.roll.roll(dice) {
            0 => return Next::Done(row(&[0, 0, sum])),
            1 => sum + 1,
            2 => return Next::Go((made, sum)),
            _ => sum,
        };
        match made + 1 == self.rolls {
            false => Next::Go((made + 1, sum)),
            true if self.turns == 0 => Next::Done(row(&[1, 0, sum])),
            true => Next::NextTurn((0, sum)),
        }
    }

    fn clock(&self) -> Option<Clock> {
        (self.turns > 0).then_some(Clock {
            first: 1,
            last: self.turns,
            variable: 1,
        })
    }

    fn time_up(&self, state: &(u8, u16)) -> Row {
        row(&[2, 0, state.1])
    }
}

fn walk_of(course: &Course) -> (Graph, Walk) {
    let graph = Graph::compile(course, Budget::default()).unwrap();
    let walk = Walk::new(&graph);
    (graph, walk)
}

/// Short and long turns, with and without a roll that is rolled again, one turn and several, dice
/// that divide a small number and weights that do not: every walk finds what is solved.
#[test]
fn every_way_of_walking_finds_what_is_solved() {
    const TRIALS: u64 = 200_000;
    let small = |again: u128| Odds::weighted(vec![(0, 1), (1, 2), (2, again), (3, 3)]);
    let odd = |again: u128| Odds::weighted(vec![(0, 9_973), (1, 20_011), (2, again), (3, 30_011)]);
    let mut kinds = [0; 2];
    for rolls in [1, 2, 5, 9, 14] {
        for turns in [0, 1, 4] {
            for (roll, is_even) in [
                (small(0), true),
                (small(4), true),
                (odd(0), false),
                (odd(7_919), false),
            ] {
                let (graph, walk) = walk_of(&Course { roll, rolls, turns });
                let what = format!("{rolls} rolls, {turns} turns, even {is_even}");
                let by_alias = matches!(walk.kind, Layout::AliasSmall(_) | Layout::AliasLarge(_));
                assert_eq!(by_alias, !is_even, "{what}");
                kinds[usize::from(is_even)] += 1;
                let mut counts = vec![0; graph.ends.len() * graph.turns().0];
                walk.walk(&mut rng(), TRIALS, &mut counts);
                assert_eq!(counts.iter().sum::<u64>(), TRIALS, "{what}");
                let found = crate::engine::solve::gather(&graph, &counts);
                for (end, p) in solve(&graph) {
                    let seen = found.iter().find(|(other, _)| *other == end);
                    let seen = seen.map_or(0.0, |&(_, count)| count as f64);
                    let n = TRIALS as f64;
                    // Six sigma, and a dozen counts for the rare.
                    let off = 6.0 * (n * p * (1.0 - p)).sqrt() + 12.0;
                    assert!((seen - n * p).abs() < off, "{what}: {end:?} {p} {seen}");
                }
            }
        }
    }
    assert_eq!(kinds, [30, 30]);
}

#[test]
fn a_single_roll_is_walked_flat_and_no_trial_of_an_unfilled_word_is_lost() {
    let roll = Odds::weighted(vec![(0u8, 3), (4, 7)]);
    let (graph, walk) = walk_of(&Course {
        roll,
        rolls: 1,
        turns: 0,
    });
    assert!(matches!(walk.kind, Layout::Flat(_)));
    for trials in [1, 7, 100, 65_536] {
        let mut counts = vec![0; graph.ends.len()];
        walk.walk(&mut rng(), trials, &mut counts);
        assert_eq!(counts.iter().sum::<u64>(), trials);
    }
}

#[test]
fn what_is_certain_is_counted_without_a_draw() {
    let (graph, walk) = walk_of(&Course {
        roll: Odds::weighted(vec![(3u8, 1)]),
        rolls: 1,
        turns: 0,
    });
    assert!(matches!(walk.kind, Layout::Flat(_)));
    let mut counts = vec![0; graph.ends.len()];
    for trials in [10, 32] {
        walk.walk(&mut rng(), trials, &mut counts);
    }
    assert_eq!(counts, [42]);
}

/// Two rolls, both told: more ends than sixteen bits can number.
struct Pair(Odds<u16>);

impl Steps for Pair {
    type State = Option<u16>;

    fn phases(&self) -> Vec<&str> {
        vec!["rolls"]
    }

    fn start(&self) -> Option<u16> {
        None
    }

    fn phase(&self, _: &Option<u16>) -> usize {
        0
    }

    fn step<D: Dice>(&self, first: Option<u16>, dice: &mut D) -> Next<Option<u16>> {
        let roll = self.0.roll(dice);
        match first {
            None => Next::Go(Some(roll)),
            Some(first) => Next::Done(row(&[first, roll])),
        }
    }
}

#[test]
fn more_ends_than_small_codes_can_number_are_told_apart() {
    const TRIALS: u64 = 100_000;
    let alike = Odds::weighted((0..270u16).map(|face| (face, 1)));
    let rising = Odds::weighted((0..270u16).map(|face| (face, u128::from(face) + 1)));
    for (roll, by_alias) in [(alike, false), (rising, true)] {
        let graph = Graph::compile(&Pair(roll.clone()), Budget::default()).unwrap();
        let walk = Walk::new(&graph);
        assert!(match walk.kind {
            Layout::AliasLarge(_) => by_alias,
            Layout::EvenLarge(_) => !by_alias,
            _ => false,
        });
        let mut counts = vec![0; graph.ends.len()];
        walk.walk(&mut rng(), TRIALS, &mut counts);
        let mut found = [[0; 270]; 2];
        for (end, count) in graph.ends.iter().zip(counts) {
            found[0][usize::from(end.row[0])] += count;
            found[1][usize::from(end.row[1])] += count;
        }
        for (face, weight) in roll.iter() {
            let p = weight as f64 / roll.total() as f64;
            let meant = p * TRIALS as f64;
            for found in found {
                // Six sigma, and a dozen counts for the rare.
                let off = (found[usize::from(face)] as f64 - meant).abs();
                assert!(off < 6.0 * meant.sqrt() + 12.0, "{face}: {off} of {meant}");
            }
        }
    }
}
