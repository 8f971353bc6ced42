//! Walking a graph fast: the tables of the simulator.
//!
//! A chunk of trials is walked together, one step of all of them at a time, so that the lookups of
//! different trials overlap and the chain of one trial hides behind the others. What the loop
//! touches is flat: an array of positions, one table, one row of counters. It does not allocate,
//! hash or call through a pointer.
//!
//! Three kinds of table, chosen by the weights:
//! - **even**: all totals divide one small number (dice with the same sides). A node is a row of
//!   equally likely entries; several draws come out of one random word (Brackett-Rozinsky and
//!   Lemire 2024, *Batched ranged random integer generation*, rejection included, so there is no
//!   bias), and several steps are fused into one wider row while the table stays in cache.
//! - **flat**: a single even node whose every edge ends the trial. Several trials are drawn as one
//!   number and counted as one; the counts are taken apart afterwards.
//! - **alias**: any weights (pools). Walker's alias method with a power of two of columns and
//!   64-bit thresholds: one word a step, wrong by less than 2^-58.

use super::graph::{Graph, NEVER, Target};
use crate::dice::gcd;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Trials walked together: two buffers of this size stay in the first-level cache.
const CHUNK: usize = 2048;
/// The widest even row.
const WIDEST_ROW: u128 = 8192;
/// The largest fused table, in entries.
const LARGEST_TABLE: usize = 1 << 18;
/// The most outcomes of a packed draw in a flat table.
const WIDEST_PACK: usize = 1000;
/// Product of the sides drawn from one word: the chance of a rejection is at most 2^-14.
const WORD: u128 = 1 << 50;
/// The most draws from one word.
const MOST_DRAWS: usize = 8;

/// A graph prepared for walking.
#[derive(Debug)]
pub(crate) struct Walk {
    kind: Kind,
    codes: Codes,
    /// The code of the end of a trial that waits for a turn that is not played, by node.
    time_up: Vec<u32>,
    turns: usize,
}

/// Where a code leads: nodes of this turn first, then nodes of the next, then ends.
#[derive(Debug, Clone, Copy)]
struct Codes {
    later: usize,
    ends: usize,
    all: usize,
}

#[derive(Debug)]
enum Kind {
    Flat(Flat),
    EvenSmall(Even<u16>),
    EvenLarge(Even<u32>),
    Alias { columns: Vec<Column>, bits: u32 },
}

/// Several trials drawn as one number.
#[derive(Debug)]
struct Flat {
    sides: usize,
    pack: u32,
    end_of: Vec<u32>,
    draws: Draws,
}

#[derive(Debug)]
struct Even<C> {
    table: Vec<C>,
    draws: Draws,
}

#[derive(Debug, Clone, Copy)]
struct Column {
    threshold: u64,
    below: u32,
    above: u32,
}

/// Several equally distributed numbers out of one random word.
#[derive(Debug, Clone, Copy)]
struct Draws {
    sides: u64,
    count: usize,
    reject_below: u64,
}

impl Draws {
    fn new(sides: u128) -> Self {
        let mut count = 1;
        let mut product = sides;
        while count < MOST_DRAWS && product * sides <= WORD {
            product *= sides;
            count += 1;
        }
        Draws {
            sides: sides as u64,
            count,
            reject_below: ((1u128 << 64) % product) as u64,
        }
    }

    /// `N` is the count, known to the compiler so that the loop is unrolled.
    #[inline(always)]
    fn draw<const N: usize>(&self, rng: &mut Xoshiro256PlusPlus) -> [u32; N] {
        loop {
            let mut word = rng.next_u64();
            let mut drawn = [0u32; N];
            for place in &mut drawn {
                let wide = u128::from(word) * u128::from(self.sides);
                *place = (wide >> 64) as u32;
                word = wide as u64;
            }
            if word >= self.reject_below {
                return drawn;
            }
        }
    }
}

/// Calls a function with the number of draws from a word as a constant.
macro_rules! with_draws {
    ($count:expr, $call:ident[$($more:ty),*]($($arg:expr),*)) => {
        match $count {
            1 => $call::<1 $(, $more)*>($($arg),*),
            2 => $call::<2 $(, $more)*>($($arg),*),
            3 => $call::<3 $(, $more)*>($($arg),*),
            4 => $call::<4 $(, $more)*>($($arg),*),
            5 => $call::<5 $(, $more)*>($($arg),*),
            6 => $call::<6 $(, $more)*>($($arg),*),
            7 => $call::<7 $(, $more)*>($($arg),*),
            _ => $call::<8 $(, $more)*>($($arg),*),
        }
    };
}

/// A position small enough for the table it is kept in.
trait Code: Copy + Default + Send + Sync {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

impl Code for u16 {
    fn from_index(index: usize) -> Self {
        index as u16
    }
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Code for u32 {
    fn from_index(index: usize) -> Self {
        index as u32
    }
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
}

impl Walk {
    pub(crate) fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        let later = if graph.clock.is_some() { nodes } else { 0 };
        let codes = Codes {
            later: nodes,
            ends: nodes + later,
            all: nodes + later + graph.ends.len(),
        };
        let (turns, _) = graph.turns();
        Walk {
            kind: Kind::new(graph, codes),
            codes,
            time_up: graph.time_up.clone(),
            turns,
        }
    }

    /// Walks `trials` trials; `counts` has a place for every end of every turn.
    pub(crate) fn walk(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut [u64]) {
        match &self.kind {
            Kind::Flat(flat) => {
                with_draws!(flat.draws.count, walk_flat[](flat, rng, trials, counts))
            }
            Kind::EvenSmall(even) => {
                with_draws!(
                    even.draws.count,
                    walk_even[u16](self, even, rng, trials, counts)
                );
            }
            Kind::EvenLarge(even) => {
                with_draws!(
                    even.draws.count,
                    walk_even[u32](self, even, rng, trials, counts)
                );
            }
            Kind::Alias { columns, bits } => {
                self.walk_chunks(rng, trials, counts, |rng, from: [u32; 4]| {
                    from.map(|code| step_alias(columns, *bits, rng, code))
                });
            }
        }
    }

    /// Walks in chunks; `step` takes `N` trials one step further.
    fn walk_chunks<C: Code, const N: usize>(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut [u64],
        step: impl Fn(&mut Xoshiro256PlusPlus, [C; N]) -> [C; N],
    ) {
        let ends = self.codes.all - self.codes.ends;
        let width = DUMMIES + ends;
        // Not the number of turns: a fight of a single turn has trials that wait for a second one.
        let can_wait = self.codes.ends > self.codes.later;
        let mut tally = vec![0u32; width * self.turns];
        let mut now = [C::default(); CHUNK];
        let mut later = [C::default(); CHUNK];
        let mut left = trials;
        while left > 0 {
            let chunk = left.min(CHUNK as u64) as usize;
            left -= chunk as u64;
            now[..chunk].fill(C::from_index(0));
            let mut playing = chunk;
            for turn in 0..self.turns {
                let tally = &mut tally[turn * width..(turn + 1) * width];
                let mut waiting = 0;
                while playing > 0 {
                    playing = match can_wait {
                        true => self.pass::<C, N, true>(
                            rng,
                            &step,
                            playing,
                            &mut now,
                            &mut later,
                            &mut waiting,
                            tally,
                        ),
                        false => self.pass::<C, N, false>(
                            rng,
                            &step,
                            playing,
                            &mut now,
                            &mut later,
                            &mut waiting,
                            tally,
                        ),
                    };
                }
                std::mem::swap(&mut now, &mut later);
                playing = waiting;
                if playing == 0 {
                    break;
                }
            }
            let last = (self.turns - 1) * width + DUMMIES;
            for code in &now[..playing] {
                let end = self.time_up[code.index()];
                debug_assert_ne!(end, NEVER);
                tally[last + end as usize] += 1;
            }
        }
        for (turn, tally) in tally.chunks(width).enumerate() {
            let counts = &mut counts[turn * ends..(turn + 1) * ends];
            for (count, &found) in counts.iter_mut().zip(&tally[DUMMIES..]) {
                *count += u64::from(found);
            }
        }
    }

    /// One step of every trial that is playing. Those that go on are packed to the front, where all
    /// of them have been read already; those that wait for a turn go to the other list; the rest are
    /// counted. Without a branch: a trial that goes on is counted too, in one of a few places that
    /// nobody reads.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "the hot loop's own variables")]
    fn pass<C: Code, const N: usize, const WAIT: bool>(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        step: &impl Fn(&mut Xoshiro256PlusPlus, [C; N]) -> [C; N],
        playing: usize,
        now: &mut [C; CHUNK],
        later: &mut [C; CHUNK],
        waiting: &mut usize,
        tally: &mut [u32],
    ) -> usize {
        let Codes {
            later: first_later,
            ends: first_end,
            ..
        } = self.codes;
        let mut goes_on = 0;
        let mut queued = *waiting;
        let mut sort = |at: usize, code: C, now: &mut [C; CHUNK]| {
            let index = code.index();
            now[goes_on & (CHUNK - 1)] = code;
            goes_on += usize::from(index < first_later);
            if WAIT {
                later[queued & (CHUNK - 1)] = C::from_index(index.wrapping_sub(first_later));
                queued += usize::from(index >= first_later) & usize::from(index < first_end);
            }
            tally[place(index, first_end, at)] += 1;
        };
        let mut read = 0;
        while read + N <= playing {
            let mut from = [C::default(); N];
            from.copy_from_slice(&now[read..read + N]);
            for (at, code) in step(rng, from).into_iter().enumerate() {
                sort(at, code, now);
            }
            read += N;
        }
        if read < playing {
            let mut from = [C::default(); N];
            let rest = playing - read;
            from[..rest].copy_from_slice(&now[read..playing]);
            for (at, code) in step(rng, from).into_iter().take(rest).enumerate() {
                sort(at, code, now);
            }
        }
        *waiting = queued;
        goes_on
    }
}

/// Counters for trials that have not ended, so that counting needs no branch; several, so that one
/// increment does not wait for the last.
const DUMMIES: usize = 8;

#[inline(always)]
fn place(index: usize, first_end: usize, at: usize) -> usize {
    if index >= first_end {
        index - first_end + DUMMIES
    } else {
        at % DUMMIES
    }
}

impl Kind {
    fn new(graph: &Graph, codes: Codes) -> Kind {
        let sides = graph.order.iter().try_fold(1u128, |all, &node| {
            let total = graph.nodes[node as usize].total;
            let all = all / gcd(all, total) * total;
            (all <= WIDEST_ROW && all as usize * codes.later <= 1 << 22).then_some(all)
        });
        match sides {
            None => Kind::alias(graph, codes),
            Some(sides) if codes.later == 1 && codes.ends == 1 && has_no_loop(graph) => {
                Kind::flat(graph, sides as usize)
            }
            Some(sides) => {
                let table = even_table(graph, codes, sides as usize);
                let (table, wide) = fuse(table, sides as usize, codes);
                let draws = Draws::new(wide as u128);
                if codes.all <= usize::from(u16::MAX) {
                    let table = table.into_iter().map(|code| code as u16).collect();
                    Kind::EvenSmall(Even { table, draws })
                } else {
                    Kind::EvenLarge(Even { table, draws })
                }
            }
        }
    }

    fn flat(graph: &Graph, sides: usize) -> Kind {
        let mut end_of = Vec::with_capacity(sides);
        let scale = sides as u128 / graph.nodes[0].total;
        for edge in graph.edges_of(0) {
            let Target::End(end) = edge.target else {
                unreachable!("a flat graph has only ends")
            };
            end_of.extend(std::iter::repeat_n(end, (edge.weight * scale) as usize));
        }
        let (mut pack, mut wide) = (1, sides.max(1));
        while sides > 1 && wide * sides <= WIDEST_PACK {
            wide *= sides;
            pack += 1;
        }
        let draws = Draws::new(wide as u128);
        Kind::Flat(Flat {
            sides,
            pack,
            end_of,
            draws,
        })
    }

    fn alias(graph: &Graph, codes: Codes) -> Kind {
        let widest = graph.order.iter().map(|&node| graph.edges_of(node).len());
        let bits = widest
            .max()
            .unwrap_or(1)
            .next_power_of_two()
            .trailing_zeros();
        let mut columns = vec![
            Column {
                threshold: 0,
                below: 0,
                above: 0
            };
            codes.later << bits
        ];
        for &node in &graph.order {
            let total = graph.nodes[node as usize].total as f64;
            let edges = graph.edges_of(node);
            let shares: Vec<(u32, f64)> = edges
                .iter()
                .map(|edge| {
                    (
                        code_of(edge.target, codes) as u32,
                        edge.weight as f64 / total,
                    )
                })
                .collect();
            let at = (node as usize) << bits;
            fill_alias(&mut columns[at..at + (1 << bits)], &shares, bits);
        }
        Kind::Alias { columns, bits }
    }
}

fn has_no_loop(graph: &Graph) -> bool {
    graph
        .edges_of(0)
        .iter()
        .all(|edge| matches!(edge.target, Target::End(_)))
}

fn code_of(target: Target, codes: Codes) -> usize {
    match target {
        Target::Node(node) => node as usize,
        Target::Later(node) => codes.later + node as usize,
        Target::End(end) => codes.ends + end as usize,
    }
}

/// One row of equally likely codes per node.
fn even_table(graph: &Graph, codes: Codes, sides: usize) -> Vec<u32> {
    let mut table = vec![0u32; codes.later * sides];
    for &node in &graph.order {
        let scale = sides as u128 / graph.nodes[node as usize].total;
        let mut at = node as usize * sides;
        for edge in graph.edges_of(node) {
            let width = (edge.weight * scale) as usize;
            table[at..at + width].fill(code_of(edge.target, codes) as u32);
            at += width;
        }
    }
    table
}

/// Replaces every row by the row of one step more, as long as the table stays small.
fn fuse(step: Vec<u32>, sides: usize, codes: Codes) -> (Vec<u32>, usize) {
    let mut table = step.clone();
    let mut wide = sides;
    while sides > 1 && codes.later * wide * sides <= LARGEST_TABLE && wide * sides <= 1 << 13 {
        table = table
            .iter()
            .flat_map(|&code| {
                let from = code as usize;
                (0..sides).map({
                    let step = &step;
                    move |face| {
                        if from < codes.later {
                            step[from * sides + face]
                        } else {
                            code
                        }
                    }
                })
            })
            .collect();
        wide *= sides;
    }
    (table, wide)
}

fn walk_even<const N: usize, C: Code>(
    walk: &Walk,
    even: &Even<C>,
    rng: &mut Xoshiro256PlusPlus,
    trials: u64,
    counts: &mut [u64],
) {
    let sides = even.draws.sides as usize;
    let table = &even.table[..];
    walk.walk_chunks(rng, trials, counts, |rng, from: [C; N]| {
        let drawn = even.draws.draw::<N>(rng);
        std::array::from_fn(|i| table[from[i].index() * sides + drawn[i] as usize])
    });
}

#[inline(always)]
fn step_alias(columns: &[Column], bits: u32, rng: &mut Xoshiro256PlusPlus, from: u32) -> u32 {
    // The highest bits choose the column, the others are compared with its threshold.
    let wide = u128::from(rng.next_u64()) << bits;
    let column = &columns[((from as usize) << bits) + (wide >> 64) as usize];
    if (wide as u64) < column.threshold {
        column.below
    } else {
        column.above
    }
}

/// Vose's construction of Walker's alias table.
fn fill_alias(columns: &mut [Column], shares: &[(u32, f64)], bits: u32) {
    let size = columns.len();
    debug_assert_eq!(size, 1 << bits);
    let mut scaled: Vec<f64> = shares.iter().map(|share| share.1 * size as f64).collect();
    scaled.resize(size, 0.0);
    let target = |at: usize| shares[at.min(shares.len() - 1)].0;
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..size).partition(|&at| scaled[at] < 1.0);
    while let Some(&high) = large.last() {
        // Not popped together with `high`: rounding can empty `large` first, and a column taken out
        // of `small` then would stay unfilled and lead back to the start.
        let Some(low) = small.pop() else { break };
        columns[low] = Column {
            threshold: (scaled[low] * 2f64.powi(64)) as u64,
            below: target(low),
            above: target(high),
        };
        scaled[high] -= 1.0 - scaled[low];
        if scaled[high] < 1.0 {
            large.pop();
            small.push(high);
        }
    }
    for at in small.into_iter().chain(large) {
        // Rounding left this column a hair from full: it is full.
        columns[at] = Column {
            threshold: u64::MAX,
            below: target(at),
            above: target(at),
        };
    }
}

/// Several trials in one number, counted as one number.
fn walk_flat<const N: usize>(
    flat: &Flat,
    rng: &mut Xoshiro256PlusPlus,
    trials: u64,
    counts: &mut [u64],
) {
    if let [only] = flat.end_of[..] {
        counts[only as usize] += trials;
        return;
    }
    let mut packed = vec![0u32; flat.draws.sides as usize];
    let per_word = u64::from(flat.pack) * N as u64;
    for _ in 0..trials / per_word {
        for number in flat.draws.draw::<N>(rng) {
            packed[number as usize] += 1;
        }
    }
    let mut rest = trials % per_word;
    for number in flat.draws.draw::<N>(rng) {
        let mut number = number as usize;
        for _ in 0..rest.min(u64::from(flat.pack)) {
            counts[flat.end_of[number % flat.sides] as usize] += 1;
            number /= flat.sides;
            rest -= 1;
        }
    }
    // Taken apart face by face: the lowest is counted, the others go into a shorter list.
    while packed.len() > 1 {
        packed = packed
            .chunks(flat.sides)
            .map(|faces| {
                for (face, &times) in faces.iter().enumerate() {
                    counts[flat.end_of[face] as usize] += u64::from(times);
                }
                faces.iter().sum()
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNFILLED: Column = Column {
        threshold: 0,
        below: u32::MAX,
        above: u32::MAX,
    };

    /// The probability of each target as the columns have it.
    fn shares_of(columns: &[Column], targets: usize) -> Vec<f64> {
        let mut shares = vec![0.0; targets];
        for column in columns {
            let below = column.threshold as f64 / 2f64.powi(64);
            shares[column.below as usize] += below / columns.len() as f64;
            shares[column.above as usize] += (1.0 - below) / columns.len() as f64;
        }
        shares
    }

    /// With ten dice of which three faces in ten count, rounding leaves the last large column a hair
    /// below one while others still wait to be filled.
    #[test]
    fn an_alias_table_has_the_weights_it_was_made_from_and_no_empty_column() {
        for (count, hit, miss) in [
            (6u32, 1.0f64, 5.0f64),
            (7, 1.0, 5.0),
            (10, 3.0, 7.0),
            (3, 1.0, 2.0),
        ] {
            let p = hit / (hit + miss);
            let mut weights = vec![1.0f64];
            for _ in 0..count {
                let mut next = vec![0.0; weights.len() + 1];
                for (k, w) in weights.iter().enumerate() {
                    next[k] += w * (1.0 - p);
                    next[k + 1] += w * p;
                }
                weights = next;
            }
            let shares: Vec<(u32, f64)> = (0..).zip(weights.iter().copied()).collect();
            let bits = shares.len().next_power_of_two().trailing_zeros();
            let mut columns = vec![UNFILLED; 1 << bits];
            fill_alias(&mut columns, &shares, bits);
            assert!(columns.iter().all(|c| c.above != u32::MAX), "{count} dice");
            for (made, wanted) in shares_of(&columns, shares.len()).iter().zip(&weights) {
                assert!(
                    (made - wanted).abs() < 1e-12,
                    "{count} dice: {made} {wanted}"
                );
            }
        }
    }
}
