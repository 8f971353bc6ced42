//! The exact engine: all the mass through the graph, once per turn.

use super::End;
use super::graph::{Graph, NEVER, Target};
use rustc_hash::FxHashMap;

/// Every end with its probability, in a fixed order. Draws no random number.
///
/// A step that leads back to its own state is divided out: what leaves it, leaves it in the
/// proportion of the other edges.
pub fn solve(graph: &Graph) -> Vec<(End, f64)> {
    let (turns, _) = graph.turns();
    let mut ends = vec![0.0f64; graph.ends.len() * turns];
    let mut now = vec![0.0f64; graph.nodes.len()];
    let mut later = vec![0.0f64; graph.nodes.len()];
    now[0] = 1.0;
    for turn in 0..turns {
        let reached = &mut ends[turn * graph.ends.len()..(turn + 1) * graph.ends.len()];
        for &node in &graph.order {
            let mass = std::mem::take(&mut now[node as usize]);
            if mass == 0.0 {
                continue;
            }
            let edges = graph.edges_of(node);
            let staying: u128 = edges
                .iter()
                .filter(|edge| edge.target == Target::Node(node))
                .map(|edge| edge.weight)
                .sum();
            let leaving = (graph.nodes[node as usize].total - staying) as f64;
            for edge in edges {
                let share = mass * (edge.weight as f64 / leaving);
                match edge.target {
                    Target::Node(target) if target == node => {}
                    Target::Node(target) => now[target as usize] += share,
                    Target::Later(target) => later[target as usize] += share,
                    Target::End(end) => reached[end as usize] += share,
                }
            }
        }
        std::mem::swap(&mut now, &mut later);
    }
    // What waits for a turn that is not played ends in the last one.
    let last = (turns - 1) * graph.ends.len();
    for (node, mass) in now.into_iter().enumerate() {
        if mass > 0.0 && graph.time_up[node] != NEVER {
            ends[last + graph.time_up[node] as usize] += mass;
        }
    }
    gather(graph, ends.into_iter())
}

/// Ends of all turns with what was found for them, merged and sorted.
pub(crate) fn gather<W>(graph: &Graph, found: impl Iterator<Item = W>) -> Vec<(End, W)>
where
    W: Copy + PartialOrd + Default + std::ops::AddAssign,
{
    let mut merged: FxHashMap<End, W> = FxHashMap::default();
    for (at, weight) in found.enumerate() {
        if weight > W::default() {
            let (turn, end) = (at / graph.ends.len(), at % graph.ends.len());
            let row = graph.row_of(end, turn);
            let phase = graph.ends[end].phase;
            *merged.entry(End { row, phase }).or_default() += weight;
        }
    }
    let mut ends: Vec<(End, W)> = merged.into_iter().collect();
    ends.sort_unstable_by_key(|&(end, _)| end);
    ends
}
