//! The drawn numbers themselves, not what comes of them: trial by trial, in the order in which they
//! are drawn, for each of the three kinds of walk.
//!
//! Every test is a chi-square test of a table of counts, alarmed five standard deviations away from
//! its mean on either side (too even is as wrong as too uneven): a sound generator raises one alarm in
//! 1.7 million tests. About seventy are made, so one seed in twenty-five thousand would fail; the seeds are
//! fixed. A million trials are drawn for a test within a stream, a hundred thousand short streams for a
//! test between streams. The same tests must find generators that are broken on purpose.

use super::draws::{LANES, with_draws};
use super::{CHUNK, Code, Hops, Layout, Walk};
use crate::dice::{Dice, Odds};
use crate::engine::graph::Graph;
use crate::engine::{Budget, Next, Steps, Stream, row};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Infallible, Rng, TryRng};

/// Standard deviations from which on a test is alarmed.
const ALARM: f64 = 5.0;
/// Trials drawn one after another.
const LONG: usize = 1_000_000;
/// Streams of which the first trials are drawn.
const STREAMS: u64 = 100_000;

/// A die thrown so many times; every face is reported.
struct Faces {
    die: Odds<u8>,
    rolls: usize,
}

/// The most rolls a trial has here.
const MOST: usize = 6;

impl Steps for Faces {
    /// The rolls made, and their faces.
    type State = (u8, [u8; MOST]);

    fn phases(&self) -> Vec<&str> {
        vec!["rolls"]
    }

    fn start(&self) -> Self::State {
        (0, [0; MOST])
    }

    fn phase(&self, _: &Self::State) -> usize {
        0
    }

    fn step<D: Dice>(&self, (made, mut faces): Self::State, dice: &mut D) -> Next<Self::State> {
        faces[usize::from(made)] = self.die.roll(dice);
        match usize::from(made) + 1 == self.rolls {
            true => Next::Done(row(&faces.map(u16::from)[..self.rolls])),
            false => Next::Go((made + 1, faces)),
        }
    }
}

/// One kind of walk, with the chance of every face.
struct Kind {
    name: &'static str,
    graph: Graph,
    walk: Walk,
    chances: Vec<f64>,
    rolls: usize,
}

/// The three kinds: a single roll, dice that fit together, and weights that fit nothing.
fn kinds() -> Vec<Kind> {
    let kind = |name, weights: &[u128], rolls| {
        let faces = weights.iter().enumerate();
        let die = Odds::weighted(faces.map(|(face, &weight)| (face as u8, weight)));
        let graph = Graph::compile(&Faces { die, rolls }, Budget::default()).unwrap();
        let total: u128 = weights.iter().sum();
        Kind {
            name,
            walk: Walk::new(&graph),
            graph,
            chances: weights
                .iter()
                .map(|&weight| weight as f64 / total as f64)
                .collect(),
            rolls,
        }
    };
    let kinds = vec![
        kind("flat", &[1; 6], 1),
        kind("even", &[1; 6], MOST),
        // Four rolls make the first row, and two are hops.
        kind(
            "alias",
            &[1_000_003, 700_001, 300_007, 500_009, 200_003],
            MOST,
        ),
    ];
    assert!(matches!(kinds[0].walk.kind, Layout::Flat(_)));
    assert!(matches!(
        kinds[1].walk.kind,
        Layout::EvenSmall(_) | Layout::EvenLarge(_)
    ));
    assert!(matches!(
        kinds[2].walk.kind,
        Layout::AliasSmall(_) | Layout::AliasLarge(_)
    ));
    assert_eq!(kinds[2].walk.hops.first, 2);
    kinds
}

impl Kind {
    /// The faces of so many trials, in the order of the trials.
    fn trials(&self, rng: &mut impl Rng, trials: usize) -> Vec<[u8; MOST]> {
        let mut ends = Vec::with_capacity(trials + CHUNK);
        while ends.len() < trials {
            match &self.walk.kind {
                Layout::Flat(flat) => with_draws!(flat.draws, N => {
                    for number in flat.draws.draw::<N>(rng) {
                        ends.extend(flat.unpacked(number));
                    }
                }),
                Layout::EvenSmall(table) => self.chunk(table, rng, trials, &mut ends),
                Layout::EvenLarge(table) => self.chunk(table, rng, trials, &mut ends),
                Layout::AliasSmall(table) => self.chunk(table, rng, trials, &mut ends),
                Layout::AliasLarge(table) => self.chunk(table, rng, trials, &mut ends),
            }
        }
        ends.truncate(trials);
        let faces = |end: usize| {
            let row = &self.graph.ends[end].row;
            std::array::from_fn(|at| if at < self.rolls { row[at] as u8 } else { 0 })
        };
        ends.into_iter().map(faces).collect()
    }

    /// One chunk of trials, walked as the walk does it.
    fn chunk<H: Hops>(&self, table: &H, rng: &mut impl Rng, trials: usize, ends: &mut Vec<usize>) {
        let groups = (trials - ends.len()).min(CHUNK).div_ceil(LANES);
        let mut at = vec![[H::Code::default(); LANES]; groups];
        table.begin(rng, &mut at);
        let first_end = self.walk.codes.ends;
        while at
            .as_flattened()
            .iter()
            .any(|code| code.index() < first_end)
        {
            table.hop(rng, &mut at);
        }
        ends.extend(
            at.as_flattened()
                .iter()
                .map(|code| code.index() - first_end),
        );
    }

    fn table<const N: usize>(&self) -> Table<'_, N> {
        Table {
            chances: &self.chances,
            counts: vec![0; self.chances.len().pow(N as u32)],
        }
    }
}

/// How often `N` faces came together.
struct Table<'a, const N: usize> {
    chances: &'a [f64],
    counts: Vec<u64>,
}

impl<const N: usize> Table<'_, N> {
    fn count(&mut self, faces: [u8; N]) {
        let sides = self.chances.len();
        self.counts[faces
            .iter()
            .fold(0, |at, &face| at * sides + usize::from(face))] += 1;
    }

    /// How many standard deviations chi-square is from its mean (Wilson and Hilferty 1931).
    fn deviation(&self) -> f64 {
        let sides = self.chances.len();
        let all = self.counts.iter().sum::<u64>() as f64;
        let chi_square: f64 = (self.counts.iter().enumerate())
            .map(|(at, &count)| {
                let digits = (0..N).map(|place| at / sides.pow(place as u32) % sides);
                let expected = all * digits.map(|face| self.chances[face]).product::<f64>();
                assert!(expected > 5.0, "too few draws for this table");
                (count as f64 - expected).powi(2) / expected
            })
            .sum();
        let freedom = (self.counts.len() - 1) as f64;
        let spread = 2.0 / (9.0 * freedom);
        ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
    }
}

/// Tests within one stream, by name.
fn within(kind: &Kind, rng: &mut impl Rng) -> Vec<(String, f64)> {
    let trials = kind.trials(rng, LONG);
    let mut found = Vec::new();
    let mut test =
        |what: &str, deviation: f64| found.push((format!("{}: {what}", kind.name), deviation));
    for lane in 0..LANES {
        let mut faces = kind.table::<1>();
        trials
            .iter()
            .skip(lane)
            .step_by(LANES)
            .for_each(|trial| faces.count([trial[0]]));
        test(&format!("faces in lane {lane}"), faces.deviation());
    }
    let (mut pairs, mut triples) = (kind.table::<2>(), kind.table::<3>());
    // As far apart as one random word reaches, in each kind of walk.
    let mut words = [2, 4, LANES, 12].map(|apart| (apart, kind.table::<2>()));
    let mut chunks = kind.table::<2>();
    for at in 0..trials.len() - CHUNK {
        pairs.count([trials[at][0], trials[at + 1][0]]);
        triples.count([trials[at][0], trials[at + 1][0], trials[at + 2][0]]);
        for (apart, pairs) in &mut words {
            pairs.count([trials[at][0], trials[at + *apart][0]]);
        }
        // The end of a chunk and the beginning of the next, a few trials each, and a whole chunk apart.
        if at % CHUNK >= CHUNK - LANES {
            chunks.count([trials[at][kind.rolls - 1], trials[at + LANES][0]]);
            chunks.count([trials[at][0], trials[at + CHUNK][0]]);
        }
    }
    test("pairs of neighbouring trials", pairs.deviation());
    test("triples of neighbouring trials", triples.deviation());
    for (apart, pairs) in &words {
        test(&format!("pairs {apart} trials apart"), pairs.deviation());
    }
    test("pairs across chunks", chunks.deviation());
    if kind.rolls > 1 {
        let (mut pairs, mut triples) = (kind.table::<2>(), kind.table::<3>());
        for trial in &trials {
            for at in (0..kind.rolls - 1).step_by(2) {
                pairs.count([trial[at], trial[at + 1]]);
            }
            for at in (0..kind.rolls - 2).step_by(3) {
                triples.count([trial[at], trial[at + 1], trial[at + 2]]);
            }
        }
        test("pairs of successive rolls of a trial", pairs.deviation());
        test(
            "triples of successive rolls of a trial",
            triples.deviation(),
        );
    }
    found
}

/// Tests between neighbouring streams: their first trials against each other.
fn between<R: Rng>(kind: &Kind, what: &str, stream: impl Fn(u64) -> R) -> (String, f64) {
    let mut pairs = kind.table::<2>();
    let mut last: Option<Vec<[u8; MOST]>> = None;
    for number in 0..STREAMS {
        let first = kind.trials(&mut stream(number), LANES);
        if let Some(last) = last {
            last.iter()
                .zip(&first)
                .for_each(|(a, b)| pairs.count([a[0], b[0]]));
        }
        last = (number.is_multiple_of(2)).then_some(first);
    }
    (format!("{}: {what}", kind.name), pairs.deviation())
}

fn alarms(tests: &[(String, f64)]) -> Vec<&(String, f64)> {
    tests
        .iter()
        .filter(|(_, deviation)| deviation.abs() > ALARM)
        .collect()
}

#[test]
fn draws_are_even_and_independent_within_a_stream() {
    for kind in kinds() {
        let tests = within(&kind, &mut Stream::common(1863).batch(0));
        assert!(tests.len() >= 12);
        assert_eq!(alarms(&tests), Vec::<&(String, f64)>::new());
    }
}

#[test]
fn neighbouring_batches_seeds_and_scenarios_have_nothing_in_common() {
    for kind in kinds() {
        let tests = [
            between(&kind, "batches", |number| {
                Stream::common(1863).batch(number)
            }),
            between(&kind, "seeds", |number| Stream::common(number).batch(0)),
            between(&kind, "scenarios", |number| {
                Stream::of_scenario(1863, &format!("elephant charge attacker.stands={number}"))
                    .batch(0)
            }),
        ];
        assert_eq!(alarms(&tests), Vec::<&(String, f64)>::new());
    }
}

/// A generator that is broken on purpose: what it does to every word.
struct Broken<F>(Xoshiro256PlusPlus, F);

impl<F: FnMut(u64) -> u64> TryRng for Broken<F> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let word = self.0.next_u64();
        Ok(self.1(word))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for some in bytes.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            some.copy_from_slice(&word[..some.len()]);
        }
        Ok(())
    }
}

#[test]
fn broken_generators_are_found() {
    for kind in kinds() {
        let sound = || Stream::common(1863).batch(0);
        // One word in four has its highest bit set: high faces come too often.
        let mut calls = 0u64;
        let biased = within(
            &kind,
            &mut Broken(sound(), |word| {
                calls += 1;
                if calls.is_multiple_of(4) {
                    word | 1 << 63
                } else {
                    word
                }
            }),
        );
        assert!(!alarms(&biased).is_empty(), "{}: biased", kind.name);
        // One word in ten comes again.
        let (mut calls, mut last) = (0u64, 0);
        let stuttering = within(
            &kind,
            &mut Broken(sound(), |word| {
                calls += 1;
                last = if calls.is_multiple_of(10) { last } else { word };
                last
            }),
        );
        assert!(!alarms(&stuttering).is_empty(), "{}: stuttering", kind.name);
        // Words in steps: every face as often as it should be, and too evenly so.
        let mut at = 0u64;
        let counting = within(
            &kind,
            &mut Broken(sound(), |_| {
                at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
                at
            }),
        );
        assert!(!alarms(&counting).is_empty(), "{}: counting", kind.name);
        // Streams that begin alike.
        let alike = between(&kind, "streams", |number| {
            Stream::common(number / 2).batch(0)
        });
        assert!(
            alike.1.abs() > ALARM,
            "{}: streams that are the same",
            kind.name
        );
    }
}
