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
#[cfg(test)]
mod tests;

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
