//! Rows of equally likely entries, for graphs whose dice all divide one small number of sides.
//!
//! Several steps are fused into one row: every entry is one way the dice of those steps can fall, and
//! says where the trial is then. Two tables are made, a wide row for the first state, where every
//! trial begins, and rows for the states a trial can be in after it. Only states in which a trial can
//! stand between two hops have a row, numbered in the order in which they are met: the busy rows lie
//! together.

use super::draws::{Draws, LANES, with_draws};
use super::{Code, Codes, Hops};
use crate::dice::gcd;
use crate::engine::graph::{Depth, Graph, NEVER, Target};
use rand_xoshiro::rand_core::Rng;

/// The most sides a step may have.
const WIDEST_STEP: u128 = 8192;
/// The widest fused row.
const WIDEST_ROW: usize = 1 << 13;
/// The widest row of the first state.
const WIDEST_FIRST: usize = 1 << 14;
/// The largest table of fused rows, in entries.
const LARGEST_FUSED: usize = 1 << 18;
/// The largest table at all; what does not fit is walked by alias.
const LARGEST: usize = 1 << 22;

/// Where trials lead, before codes are known.
#[derive(Debug)]
pub(super) struct EvenTable {
    first: Vec<Target>,
    rows: Vec<Target>,
    /// Sides of a row.
    wide: usize,
    /// The nodes that have a row, then those that only wait for a turn that is not played.
    pub(super) nodes: Vec<u32>,
    /// How many nodes have a row.
    pub(super) with_row: usize,
    /// The most hops a trial takes after the first row, and in any later turn; steps back to the same
    /// state apart.
    pub(super) hops: Depth,
}

/// The smallest number of sides that all dice of the graph divide, if it is small.
pub(super) fn common_sides(graph: &Graph) -> Option<usize> {
    let sides = graph.order.iter().try_fold(1u128, |all, &node| {
        let total = graph.nodes[node as usize].total;
        let all = all / gcd(all, total) * total;
        (all <= WIDEST_STEP).then_some(all)
    });
    sides.map(|sides| sides as usize)
}

impl EvenTable {
    /// Fuses as many steps as it takes to need few hops while the table stays in cache.
    pub(super) fn new(graph: &Graph, sides: usize) -> Option<EvenTable> {
        let depth = graph.depth(|edges| edges.len() > 1);
        let fuse = |steps: usize| sides.checked_pow(steps as u32);
        let fits = |steps: usize, widest: usize| fuse(steps).is_some_and(|wide| wide <= widest);
        let ahead = (1..=depth.first).rev().find(|&k| fits(k, WIDEST_FIRST));
        let ahead = ahead.unwrap_or(1);
        let left = Depth {
            first: depth.first.saturating_sub(ahead),
            later: depth.later,
        };
        let most = left.first.max(left.later).max(1);
        (1..=most).find_map(|hops| {
            let steps = most.div_ceil(hops);
            let largest = if steps == 1 { LARGEST } else { LARGEST_FUSED };
            if !fits(steps, WIDEST_ROW) {
                return None;
            }
            let hops = Depth {
                first: left.first.div_ceil(steps),
                later: left.later.div_ceil(steps),
            };
            Self::fused(graph, sides, [ahead, steps], hops, largest)
        })
    }

    /// `ahead` steps in the first row and `steps` in every other one, if that needs no more than
    /// `largest` entries.
    fn fused(
        graph: &Graph,
        sides: usize,
        [ahead, steps]: [usize; 2],
        hops: Depth,
        largest: usize,
    ) -> Option<EvenTable> {
        let wide = sides.pow(steps as u32);
        let mut seen = vec![false; graph.nodes.len()];
        let mut nodes = Vec::new();
        let mut only_wait = Vec::new();
        let mut meet = |row: &[Target], nodes: &mut Vec<u32>| {
            for &target in row {
                let (Target::Node(node) | Target::Later(node)) = target else {
                    continue;
                };
                if !std::mem::replace(&mut seen[node as usize], true) {
                    let plays = !graph.edges_of(node).is_empty();
                    if plays { &mut *nodes } else { &mut only_wait }.push(node);
                }
            }
        };
        let first = fuse_row(graph, 0, sides, ahead);
        meet(&first, &mut nodes);
        let mut rows = Vec::new();
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            if (at + 1) * wide > largest {
                return None;
            }
            let row = fuse_row(graph, node, sides, steps);
            meet(&row, &mut nodes);
            rows.extend(row);
            at += 1;
        }
        let with_row = nodes.len();
        nodes.extend(only_wait);
        Some(EvenTable {
            first,
            rows,
            wide,
            nodes,
            with_row,
            hops,
        })
    }

    pub(super) fn encode<C: Code>(&self, graph: &Graph, codes: Codes) -> Even<C> {
        let mut number = vec![NEVER; graph.nodes.len()];
        for (at, &node) in (0..).zip(&self.nodes) {
            number[node as usize] = at;
        }
        let encode = |targets: &[Target]| {
            let code = |&target: &Target| C::from_index(codes.of(target, |n| number[n as usize]));
            targets.iter().map(code).collect()
        };
        Even {
            first: encode(&self.first),
            rows: encode(&self.rows),
            wide: self.wide,
            with_row: self.with_row,
            first_draws: Draws::new(self.first.len()),
            draws: Draws::new(self.wide),
        }
    }
}

/// Where `steps` steps from a node lead, for every way their dice can fall. A state without a choice
/// takes no die.
fn fuse_row(graph: &Graph, node: u32, sides: usize, steps: usize) -> Vec<Target> {
    let mut row = vec![forced(graph, Target::Node(node))];
    for _ in 0..steps {
        let mut longer = Vec::with_capacity(row.len() * sides);
        for target in row {
            let Target::Node(node) = target else {
                longer.extend(std::iter::repeat_n(target, sides));
                continue;
            };
            let scale = sides as u128 / graph.nodes[node as usize].total;
            for edge in graph.edges_of(node) {
                let ways = (edge.weight * scale) as usize;
                longer.extend(std::iter::repeat_n(forced(graph, edge.target), ways));
            }
        }
        row = longer;
    }
    row
}

/// Follows states that have only one way on.
fn forced(graph: &Graph, mut target: Target) -> Target {
    while let Target::Node(node) = target
        && let [only] = graph.edges_of(node)
    {
        target = only.target;
    }
    target
}

/// The tables as the walk uses them.
#[derive(Debug)]
pub(super) struct Even<C> {
    first: Vec<C>,
    rows: Vec<C>,
    wide: usize,
    with_row: usize,
    first_draws: Draws,
    draws: Draws,
}

impl<C: Code> Even<C> {
    fn begin_by<const N: usize>(&self, rng: &mut impl Rng, trials: &mut [[C; LANES]]) {
        for group in trials {
            for some in group.chunks_exact_mut(N) {
                let drawn = self.first_draws.draw::<N>(rng);
                for (code, face) in some.iter_mut().zip(drawn) {
                    *code = self.first[face];
                }
            }
        }
    }

    fn hop_by<const N: usize>(&self, rng: &mut impl Rng, trials: &mut [[C; LANES]]) {
        for group in trials {
            for some in group.chunks_exact_mut(N) {
                let drawn = self.draws.draw::<N>(rng);
                for (code, face) in some.iter_mut().zip(drawn) {
                    let from = code.index();
                    let plays = from < self.with_row;
                    let row = if plays { from } else { 0 };
                    let next = self.rows[row * self.wide + face];
                    *code = if plays { next } else { *code };
                }
            }
        }
    }
}

impl<C: Code> Hops for Even<C> {
    type Code = C;

    fn begin(&self, rng: &mut impl Rng, trials: &mut [[C; LANES]]) {
        with_draws!(self.first_draws, N => self.begin_by::<N>(rng, trials));
    }

    fn hop(&self, rng: &mut impl Rng, trials: &mut [[C; LANES]]) {
        with_draws!(self.draws, N => self.hop_by::<N>(rng, trials));
    }
}
