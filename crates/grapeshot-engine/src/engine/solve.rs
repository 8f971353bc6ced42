//! The exact engine: all the mass through the graph, once per turn.

use super::End;
use super::ended::look_up;
use super::graph::{Edge, Graph, NEVER, Target};

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
    let shares = shares(graph);
    for turn in 0..turns {
        look_up();
        let reached = &mut ends[turn * graph.ends.len()..(turn + 1) * graph.ends.len()];
        for &node in &graph.order {
            let mass = std::mem::take(&mut now[node as usize]);
            if mass == 0.0 {
                continue;
            }
            let range = graph.nodes[node as usize].range();
            for (edge, share) in graph.edges[range.clone()].iter().zip(&shares[range]) {
                let share = mass * share;
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
    gather(graph, &ends)
}

/// The share of each edge in what leaves its node.
fn shares(graph: &Graph) -> Vec<f64> {
    let mut shares = vec![0.0; graph.edges.len()];
    for &node in &graph.order {
        let edges = graph.edges_of(node);
        let stays = |edge: &&Edge| edge.target == Target::Node(node);
        let staying: u128 = edges.iter().filter(stays).map(|edge| edge.weight).sum();
        let leaving = (graph.nodes[node as usize].total - staying) as f64;
        let range = graph.nodes[node as usize].range();
        for (share, edge) in shares[range].iter_mut().zip(edges) {
            *share = edge.weight as f64 / leaving;
        }
    }
    shares
}

/// Ends of all turns with what was found for them, merged and sorted.
///
/// Within a turn they are taken in the order of their rows: what is sorted then is one sorted run after
/// another, which a stable sort only has to merge, and what ends alike in different turns is summed in the
/// order of turns.
pub(crate) fn gather<W>(graph: &Graph, found: &[W]) -> Vec<(End, W)>
where
    W: Copy + PartialOrd + Default + std::ops::AddAssign,
{
    let keys: Vec<(u128, u8)> = graph.ends.iter().map(key).collect();
    let mut in_order: Vec<u32> = (0..graph.ends.len() as u32).collect();
    in_order.sort_unstable_by_key(|&end| keys[end as usize]);
    let mut ends: Vec<((u128, u8), End, W)> = Vec::new();
    for (turn, found) in found.chunks_exact(graph.ends.len().max(1)).enumerate() {
        let reached = in_order.iter().map(|&end| end as usize);
        for at in reached.filter(|&at| found[at] > W::default()) {
            let end = End {
                row: graph.row_of(at, turn),
                ..graph.ends[at]
            };
            ends.push((key(&end), end, found[at]));
        }
    }
    ends.sort_by_key(|&(key, _, _)| key);
    let mut merged: Vec<(End, W)> = Vec::with_capacity(ends.len());
    for (_, end, weight) in ends {
        match merged.last_mut() {
            Some((known, sum)) if *known == end => *sum += weight,
            _ => merged.push((end, weight)),
        }
    }
    merged
}

/// A number for every end that stands for it in comparisons.
fn key(end: &End) -> (u128, u8) {
    (end.number(), end.phase)
}
