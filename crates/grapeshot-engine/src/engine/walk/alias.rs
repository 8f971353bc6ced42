//! Walker's alias method, for graphs with any weights (pools of dice).
//!
//! A node is a power of two of columns, each shared by two targets. Half a random word makes a step:
//! its highest bits choose the column, the others are compared with the column's threshold. Should
//! they be equal to as many bits of the threshold, one more word decides; so a step costs half a word
//! and is still wrong by less than 2^-58.
//!
//! All trials begin in the same state, so the first steps are one row of their own: where they lead
//! together, for as many steps as lead to few places. A volley with its saves is a single draw.

use super::draws::LANES;
use super::{Code, Codes, Hops};
use crate::engine::graph::{Graph, Target};
use rand_xoshiro::rand_core::Rng;
use std::collections::BTreeMap;

/// The most places the first row leads to, if it is more than one step: beside the rows of other
/// states it stays in the first-level cache.
const WIDEST_FIRST: usize = 1 << 10;

#[derive(Debug)]
pub(super) struct Alias<C> {
    first: Columns<C>,
    rows: Columns<C>,
    nodes: usize,
}

/// Where the first steps lead together.
#[derive(Debug)]
pub(super) struct First {
    /// How many they are.
    pub(super) steps: usize,
    /// Codes with their chances.
    shares: Vec<(usize, f64)>,
}

impl First {
    /// As many steps as lead to few places; `most` are all there are.
    pub(super) fn new(graph: &Graph, codes: Codes, most: usize) -> First {
        let code = |target: Target| codes.of(target, |node| node);
        let mut first = First {
            steps: 0,
            shares: vec![(code(Target::Node(0)), 1.0)],
        };
        while first.steps < most.max(1) {
            // In the order of codes, so that the table is the same on every machine.
            let mut further: BTreeMap<usize, f64> = BTreeMap::new();
            for &(from, chance) in &first.shares {
                if from >= codes.playing {
                    *further.entry(from).or_default() += chance;
                    continue;
                }
                for (to, share) in shares_of(graph, from as u32, code) {
                    *further.entry(to).or_default() += chance * share;
                }
            }
            if first.steps > 0 && further.len() > WIDEST_FIRST {
                break;
            }
            first.shares = further.into_iter().collect();
            first.steps += 1;
        }
        first
    }
}

/// Codes a node leads to, with their chances.
fn shares_of(
    graph: &Graph,
    node: u32,
    code: impl Fn(Target) -> usize,
) -> impl Iterator<Item = (usize, f64)> {
    let total = graph.nodes[node as usize].total as f64;
    let edges = graph.edges_of(node).iter();
    edges.map(move |edge| (code(edge.target), edge.weight as f64 / total))
}

/// Rows of columns, all as wide.
#[derive(Debug)]
struct Columns<C> {
    columns: Vec<Column<C>>,
    /// The whole threshold of every column.
    thresholds: Vec<u64>,
    /// Columns of a row, as a power of two.
    bits: u32,
}

/// What a step looks at.
#[derive(Debug, Clone, Copy, Default)]
struct Column<C> {
    /// The highest bits of the threshold, as many as half a word has left; then zeros.
    threshold: u32,
    /// Where the step leads below the threshold, and where above.
    next: [C; 2],
}

impl<C: Code> Alias<C> {
    pub(super) fn new(graph: &Graph, codes: Codes, first: &First) -> Self {
        let widest = graph.order.iter().map(|&node| graph.edges_of(node).len());
        let mut rows = Columns::empty(graph.nodes.len(), widest.max().unwrap_or(1));
        for &node in &graph.order {
            let code = |target: Target| codes.of(target, |node| node);
            rows.fill(node as usize, shares_of(graph, node, code));
        }
        let mut first_row = Columns::empty(1, first.shares.len());
        first_row.fill(0, first.shares.iter().copied());
        Alias {
            first: first_row,
            rows,
            nodes: graph.nodes.len(),
        }
    }
}

impl<C: Code> Columns<C> {
    /// So many rows that lead to so many targets at most.
    fn empty(rows: usize, targets: usize) -> Self {
        let size = targets.next_power_of_two();
        Columns {
            columns: vec![Column::default(); rows * size],
            thresholds: vec![0; rows * size],
            bits: size.trailing_zeros(),
        }
    }

    fn fill(&mut self, row: usize, shares: impl Iterator<Item = (usize, f64)>) {
        let shares: Vec<(C, f64)> = shares
            .map(|(code, share)| (C::from_index(code), share))
            .collect();
        let size = 1 << self.bits;
        for (place, share) in (row * size..).zip(share_columns(&shares, size)) {
            self.thresholds[place] = share.threshold;
            let high = (share.threshold >> 32) as u32;
            self.columns[place] = Column {
                threshold: high >> self.bits << self.bits,
                next: share.next,
            };
        }
    }

    #[inline(always)]
    fn step(&self, rng: &mut impl Rng, row: usize, half: u32) -> C {
        let wide = u64::from(half) << self.bits;
        let at = (row << self.bits) + (wide >> 32) as usize;
        let rest = wide as u32;
        let column = &self.columns[at];
        if rest == column.threshold {
            return self.decide(rng, at);
        }
        column.next[usize::from(rest >= column.threshold)]
    }

    /// The bits of half a word were those of the threshold: the bits behind them are compared.
    #[cold]
    #[inline(never)]
    fn decide(&self, rng: &mut impl Rng, at: usize) -> C {
        let behind = self.thresholds[at] << (32 - self.bits);
        self.columns[at].next[usize::from(rng.next_u64() >= behind)]
    }
}

impl<C: Code> Hops for Alias<C> {
    type Code = C;

    fn begin(&self, rng: &mut impl Rng, trials: &mut [[C; LANES]]) {
        for group in trials {
            for pair in group.chunks_exact_mut(2) {
                let word = rng.next_u64();
                pair[0] = self.first.step(rng, 0, word as u32);
                pair[1] = self.first.step(rng, 0, (word >> 32) as u32);
            }
        }
    }

    fn hop(&self, rng: &mut impl Rng, trials: &mut [[C; LANES]]) {
        for group in trials {
            for pair in group.chunks_exact_mut(2) {
                let word = rng.next_u64();
                for (code, half) in pair.iter_mut().zip([word as u32, (word >> 32) as u32]) {
                    let from = code.index();
                    let plays = from < self.nodes;
                    let next = self.rows.step(rng, if plays { from } else { 0 }, half);
                    *code = if plays { next } else { *code };
                }
            }
        }
    }
}

/// A column and its whole threshold, as a fraction of 2^64.
#[derive(Debug, Clone, Copy)]
struct Shared<C> {
    threshold: u64,
    next: [C; 2],
}

/// Vose's construction: `size` columns, a power of two, that lead to every target with its share.
fn share_columns<C: Copy>(shares: &[(C, f64)], size: usize) -> Vec<Shared<C>> {
    let mut scaled: Vec<f64> = shares.iter().map(|share| share.1 * size as f64).collect();
    scaled.resize(size, 0.0);
    let target = |at: usize| shares[at.min(shares.len() - 1)].0;
    // Full until it is shared: what rounding leaves a hair from full stays so.
    let full = |at: usize| Shared {
        threshold: u64::MAX,
        next: [target(at); 2],
    };
    let mut columns: Vec<Shared<C>> = (0..size).map(full).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..size).partition(|&at| scaled[at] < 1.0);
    while let Some(&high) = large.last() {
        let Some(low) = small.pop() else { break };
        columns[low] = Shared {
            threshold: (scaled[low] * 2f64.powi(64)) as u64,
            next: [target(low), target(high)],
        };
        scaled[high] -= 1.0 - scaled[low];
        if scaled[high] < 1.0 {
            large.pop();
            small.push(high);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Course, rng};
    use super::*;
    use crate::dice::Odds;
    use crate::engine::{Budget, solve::solve};

    /// The probability of each target as the columns have it.
    fn shares_of(columns: &[Shared<u32>], targets: usize) -> Vec<f64> {
        let mut shares = vec![0.0; targets];
        for column in columns {
            let below = column.threshold as f64 / 2f64.powi(64);
            let [low, high] = column.next.map(|target| target as usize);
            shares[low] += below / columns.len() as f64;
            shares[high] += (1.0 - below) / columns.len() as f64;
        }
        shares
    }

    fn binomial(count: u32, p: f64) -> Vec<f64> {
        let mut weights = vec![1.0f64];
        for _ in 0..count {
            let mut next = vec![0.0; weights.len() + 1];
            for (k, w) in weights.iter().enumerate() {
                next[k] += w * (1.0 - p);
                next[k + 1] += w * p;
            }
            weights = next;
        }
        weights
    }

    /// With ten dice of which three faces in ten count, rounding leaves the last large column a hair
    /// below one while others still wait to be filled.
    #[test]
    fn columns_have_the_weights_they_were_made_from() {
        for (count, p) in [(6, 1.0 / 6.0), (7, 1.0 / 6.0), (10, 0.3), (3, 1.0 / 3.0)] {
            let weights = binomial(count, p);
            let shares: Vec<(u32, f64)> = (0..).zip(weights.iter().copied()).collect();
            let columns = share_columns(&shares, shares.len().next_power_of_two());
            for (made, wanted) in shares_of(&columns, shares.len()).iter().zip(&weights) {
                assert!((made - wanted).abs() < 1e-12, "{count}: {made} {wanted}");
            }
        }
    }

    /// The first row of a procedure of three rolls, some of them rolled again, against the solver: two
    /// steps of it leave what the third can still change, all of them leave ends alone.
    #[test]
    fn the_first_row_has_the_chances_of_its_steps() {
        let odds = |again| Odds::weighted(vec![(0, 9_973), (1, 20_011), (2, again), (3, 30_011)]);
        for (again, steps) in [(0, 3), (0, 2), (7_919, 2)] {
            let course = Course {
                roll: odds(again),
                rolls: 3,
                turns: 0,
            };
            let graph = Graph::compile(&course, Budget::default()).unwrap();
            let codes = Codes::new(&graph, graph.nodes.len(), graph.nodes.len());
            let first = First::new(&graph, codes, steps);
            assert_eq!(first.steps, steps);
            let sum: f64 = first.shares.iter().map(|share| share.1).sum();
            assert!((sum - 1.0).abs() < 1e-14, "{sum}");
            let solved = solve(&graph);
            let ends = first.shares.iter().filter(|share| share.0 >= codes.ends);
            assert_eq!(
                ends.clone().count() == first.shares.len(),
                steps == 3,
                "{again}, {steps}"
            );
            for &(code, share) in ends {
                let end = graph.ends[code - codes.ends];
                let (_, p) = solved.iter().find(|(other, _)| *other == end).unwrap();
                if steps == 3 {
                    assert!((share - p).abs() < 1e-14, "{end:?}: {share} {p}");
                } else {
                    assert!(share < p + 1e-14, "{end:?}: {share} {p}");
                }
            }
        }
    }

    /// One column, threshold a little above a half: only the bits behind those of half a word tell.
    #[test]
    fn equal_bits_are_decided_by_the_bits_behind_them() {
        let alias = |threshold: u64| Columns::<u32> {
            columns: vec![Column {
                threshold: (threshold >> 32) as u32,
                next: [7, 8],
            }],
            thresholds: vec![threshold],
            bits: 0,
        };
        let mut rng = rng();
        let half = 1u32 << 31;
        let never = alias(u64::from(half) << 32);
        let always = alias((u64::from(half) << 32) + u64::from(u32::MAX));
        for _ in 0..1000 {
            assert_eq!(never.step(&mut rng, 0, half), 8);
            assert_eq!(never.step(&mut rng, 0, half - 1), 7);
            assert_eq!(always.step(&mut rng, 0, half), 7);
            assert_eq!(always.step(&mut rng, 0, half + 1), 8);
        }
    }

    /// Of four columns, and with thirty bits of half a word compared, the four bits behind them are all set: of
    /// sixteen only one is above.
    #[test]
    fn bits_behind_are_those_that_were_not_compared() {
        let threshold = (5u64 << 34) + (15 << 30);
        let columns = Columns::<u32> {
            columns: vec![
                Column {
                    threshold: (threshold >> 32) as u32 >> 2 << 2,
                    next: [7, 8],
                };
                4
            ],
            thresholds: vec![threshold; 4],
            bits: 2,
        };
        let mut rng = rng();
        let below = (0..1600).filter(|_| columns.step(&mut rng, 0, 5) == 7);
        // 1,500 with a standard deviation of 9.7.
        let below = below.count();
        assert!(below.abs_diff(1500) < 50, "{below}");
    }
}
