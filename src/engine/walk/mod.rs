//! Walking a graph fast: the hot loops of the simulator.
//!
//! A chunk of trials is walked together, one hop of all of them at a time, so that the lookups of
//! different trials overlap and the chain of one trial hides behind the others. What the loops touch
//! is flat: lists of positions, one table, one row of counters. They do not allocate, hash, or call
//! through a pointer.
//!
//! How a hop is drawn depends on the weights: [`even`] rows where all dice divide one small number of
//! sides (several steps fused into a hop), [`alias`] columns for pools, and [`flat`] for a single roll,
//! where several trials are drawn as one number.

mod alias;
#[cfg(test)]
mod dice_tests;
mod draws;
mod even;
mod flat;

use super::graph::{Depth, Graph, NEVER, Target};
use alias::{Alias, First};
use draws::LANES;
use even::{Even, EvenTable, common_sides};
use flat::Flat;
use rand_xoshiro::rand_core::Rng;

/// Trials walked together: the lists of a chunk stay in the first-level cache.
const CHUNK: usize = 2048;
/// The most hops between two looks at who has arrived.
const MOST_HOPS: usize = 4;

/// A graph prepared for walking.
#[derive(Debug)]
pub(crate) struct Walk {
    kind: Layout,
    codes: Codes,
    hops: Counted,
    /// The end of a trial that waits for a turn that is not played, by place.
    time_up: Vec<u32>,
    turns: usize,
}

#[derive(Debug)]
enum Layout {
    Flat(Flat),
    EvenSmall(Even<u16>),
    EvenLarge(Even<u32>),
    AliasSmall(Alias<u16>),
    AliasLarge(Alias<u32>),
}

/// Tables with their codes, the hops a turn takes, and the ends of trials for which time is up.
type Tables = (Layout, Codes, Depth, Vec<u32>);

impl Layout {
    fn flat(graph: &Graph) -> Option<Tables> {
        if graph.nodes.len() > 1 || graph.clock.is_some() {
            return None;
        }
        let flat = Flat::new(graph, common_sides(graph)?)?;
        let none = Depth { first: 0, later: 0 };
        Some((
            Layout::Flat(flat),
            Codes::new(graph, 1, 1),
            none,
            Vec::new(),
        ))
    }

    fn even(graph: &Graph) -> Option<Tables> {
        let table = EvenTable::new(graph, common_sides(graph)?)?;
        let codes = Codes::new(graph, table.with_row, table.nodes.len());
        let kind = if codes.are_small() {
            Layout::EvenSmall(table.encode(graph, codes))
        } else {
            Layout::EvenLarge(table.encode(graph, codes))
        };
        let time_up = table.nodes.iter().map(|&n| graph.time_up[n as usize]);
        Some((kind, codes, table.hops, time_up.collect()))
    }

    fn alias(graph: &Graph) -> Tables {
        let nodes = graph.nodes.len();
        let codes = Codes::new(graph, nodes, nodes);
        let depth = graph.depth(|_| true);
        let first = First::new(graph, codes, depth.first);
        let kind = if codes.are_small() {
            Layout::AliasSmall(Alias::new(graph, codes, &first))
        } else {
            Layout::AliasLarge(Alias::new(graph, codes, &first))
        };
        let hops = Depth {
            first: depth.first - first.steps,
            ..depth
        };
        (kind, codes, hops, graph.time_up.clone())
    }
}

/// Hops between two looks at who has ended.
#[derive(Debug, Clone, Copy)]
struct Counted {
    /// In the first turn, after the first hop.
    first: usize,
    /// At any other time.
    later: usize,
    /// After them every trial has ended, whatever was drawn.
    reach_the_end: bool,
}

/// Where a code leads: places in which a trial plays on come first, then the same places in the next
/// turn, then ends.
#[derive(Debug, Clone, Copy)]
struct Codes {
    /// Places from which a hop leads on.
    playing: usize,
    /// The first code of the next turn.
    later: usize,
    /// The first code of an end.
    ends: usize,
    all: usize,
}

impl Codes {
    fn new(graph: &Graph, playing: usize, places: usize) -> Codes {
        let ends = places * if graph.clock.is_some() { 2 } else { 1 };
        Codes {
            playing,
            later: places,
            ends,
            all: ends + graph.ends.len(),
        }
    }

    /// The code of a target; `place` numbers the nodes.
    fn of(&self, target: Target, place: impl Fn(u32) -> u32) -> usize {
        match target {
            Target::Node(node) => place(node) as usize,
            Target::Later(node) => self.later + place(node) as usize,
            Target::End(end) => self.ends + end as usize,
        }
    }

    fn are_small(&self) -> bool {
        self.all <= usize::from(u16::MAX)
    }
}

/// A position, in a type no larger than it needs.
trait Code: Copy + Default + Send + Sync {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

impl Code for u16 {
    #[inline(always)]
    fn from_index(index: usize) -> Self {
        index as u16
    }
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Code for u32 {
    #[inline(always)]
    fn from_index(index: usize) -> Self {
        index as u32
    }
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
}

/// Tables that move trials.
trait Hops {
    type Code: Code;
    /// Puts trials where the first hop from the start leads.
    fn begin(&self, rng: &mut impl Rng, trials: &mut [[Self::Code; LANES]]);
    /// Takes those that play one hop on; the others stay.
    fn hop(&self, rng: &mut impl Rng, trials: &mut [[Self::Code; LANES]]);
}

impl Walk {
    pub(crate) fn new(graph: &Graph) -> Self {
        let (kind, codes, hops, time_up) = Layout::flat(graph)
            .or_else(|| Layout::even(graph))
            .unwrap_or_else(|| Layout::alias(graph));
        let most = hops.first.max(hops.later);
        Walk {
            kind,
            codes,
            hops: Counted {
                first: hops.first.min(MOST_HOPS),
                later: hops.later.clamp(1, MOST_HOPS),
                reach_the_end: most <= MOST_HOPS && graph.clock.is_none() && !graph.has_loops(),
            },
            time_up,
            turns: graph.turns().0,
        }
    }

    /// Walks `trials` trials; `counts` has a place for every end of every turn.
    pub(crate) fn walk(&self, rng: &mut impl Rng, trials: u64, counts: &mut [u64]) {
        match &self.kind {
            Layout::Flat(flat) => flat.walk(rng, trials, counts),
            Layout::EvenSmall(even) => self.walk_chunks(even, rng, trials, counts),
            Layout::EvenLarge(even) => self.walk_chunks(even, rng, trials, counts),
            Layout::AliasSmall(alias) => self.walk_chunks(alias, rng, trials, counts),
            Layout::AliasLarge(alias) => self.walk_chunks(alias, rng, trials, counts),
        }
    }

    fn walk_chunks<H: Hops>(&self, table: &H, rng: &mut impl Rng, trials: u64, counts: &mut [u64]) {
        let ends = self.codes.all - self.codes.ends;
        // Turn by turn, each with a few counters for every end.
        let mut tally = vec![0u32; ends * self.turns * COUNTERS];
        let mut chunk = Chunk::new(self.codes);
        let mut left = trials;
        while left > 0 {
            chunk.trials = left.min(CHUNK as u64) as usize;
            left -= chunk.trials as u64;
            table.begin(rng, chunk.groups());
            let mut hops = self.hops.first;
            for tally in tally.chunks_mut(ends * COUNTERS) {
                loop {
                    for _ in 0..hops {
                        table.hop(rng, chunk.groups());
                    }
                    hops = self.hops.later;
                    if self.hops.reach_the_end {
                        chunk.count_all(tally);
                        break;
                    }
                    if !chunk.count_ended(tally) {
                        break;
                    }
                }
                if chunk.trials == 0 {
                    break;
                }
                chunk.begin_turn();
            }
            let last = &mut tally[(self.turns - 1) * ends * COUNTERS..];
            for code in chunk.remaining() {
                let end = self.time_up[code.index()];
                debug_assert_ne!(end, NEVER);
                last[end as usize * COUNTERS] += 1;
            }
        }
        for (count, found) in counts.iter_mut().zip(tally.chunks(COUNTERS)) {
            *count += found.iter().map(|&found| u64::from(found)).sum::<u64>();
        }
    }
}

/// Counters for one end: trials side by side use different ones, so that an increment seldom waits
/// for the one before it.
const COUNTERS: usize = 4;

/// Trials that are walked together.
struct Chunk<C> {
    codes: Codes,
    /// Where the trials are. Those behind `trials` are nobody's, and are moved along with the others
    /// so that groups are always whole.
    at: [[C; LANES]; CHUNK / LANES],
    trials: usize,
    /// Room for the codes of those that have ended.
    ended: [C; CHUNK],
}

impl<C: Code> Chunk<C> {
    fn new(codes: Codes) -> Self {
        Chunk {
            codes,
            at: [[C::default(); LANES]; CHUNK / LANES],
            trials: 0,
            ended: [C::default(); CHUNK],
        }
    }

    fn groups(&mut self) -> &mut [[C; LANES]] {
        &mut self.at[..self.trials.div_ceil(LANES)]
    }

    fn remaining(&self) -> &[C] {
        &self.at.as_flattened()[..self.trials]
    }

    /// Counts trials that have all ended.
    fn count_all(&mut self, tally: &mut [u32]) {
        count(self.remaining(), self.codes.ends, tally);
        self.trials = 0;
    }

    /// Counts the trials that have ended and packs the others to the front, where all of them have
    /// been read already. Without a branch: every trial is written to both lists, and only the right
    /// one grows. Says whether any can still play in this turn.
    fn count_ended(&mut self, tally: &mut [u32]) -> bool {
        let first_end = self.codes.ends;
        let trials = self.at.as_flattened_mut();
        let (mut kept, mut ended, mut lowest) = (0, 0, usize::MAX);
        for at in 0..self.trials {
            let code = trials[at];
            let index = code.index();
            lowest = lowest.min(index);
            trials[kept & (CHUNK - 1)] = code;
            kept += usize::from(index < first_end);
            self.ended[ended & (CHUNK - 1)] = code;
            ended += usize::from(index >= first_end);
        }
        count(&self.ended[..ended], first_end, tally);
        self.trials = kept;
        lowest < self.codes.playing
    }

    /// Those that waited for this turn play.
    fn begin_turn(&mut self) {
        let first = self.codes.later;
        for code in self.groups().as_flattened_mut() {
            *code = C::from_index(code.index().wrapping_sub(first));
        }
    }
}

#[inline(always)]
fn count<C: Code>(ended: &[C], first_end: usize, tally: &mut [u32]) {
    let (groups, rest) = ended.as_chunks::<COUNTERS>();
    for group in groups {
        for (counter, code) in group.iter().enumerate() {
            tally[(code.index() - first_end) * COUNTERS + counter] += 1;
        }
    }
    for code in rest {
        tally[(code.index() - first_end) * COUNTERS] += 1;
    }
}

#[cfg(test)]
mod tests {
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
        let odd =
            |again: u128| Odds::weighted(vec![(0, 9_973), (1, 20_011), (2, again), (3, 30_011)]);
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
                    let by_alias =
                        matches!(walk.kind, Layout::AliasSmall(_) | Layout::AliasLarge(_));
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
}
