//! The sampling engine: batches of trials on streams of their own, counted and merged.

use super::ended::{Over, above, look_up};
use super::graph::Graph;
use super::playout::{DynPlayout, MarginalCounts};
use super::solve::gather;
use super::walk::Walk;
use super::{End, Stream};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Trials in a batch. Fixed, never derived from the number of threads, so that the draws of a run
/// do not depend on it.
pub const BATCH: u64 = 1 << 16;

/// Trials in a batch that is played directly: such trials are much slower.
pub const DIRECT_BATCH: u64 = 1 << 12;

/// Looks on while trials are played: how many are done, what they come to so far, and whether to stop.
#[derive(Default)]
pub struct Watch {
    done: AtomicU64,
    over: Arc<Over>,
    hears: Option<Hears>,
}

/// Is told how often the headline had each value in so many trials, as the trials grow.
pub type Hears = Box<dyn Fn(&FxHashMap<u16, u64>, u64) + Send + Sync>;

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("done", &self.done)
            .field("over", &self.over)
            .finish_non_exhaustive()
    }
}

impl Watch {
    /// One that hears what a simulation comes to while it is played.
    pub fn hearing(hears: Hears) -> Self {
        Watch {
            hears: Some(hears),
            ..Watch::default()
        }
    }

    /// Who hears what it comes to.
    pub(super) fn hears(&self) -> Option<&Hears> {
        self.hears.as_ref()
    }

    /// Trials played so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Notes work that is done.
    pub fn add(&self, trials: u64) {
        self.done.fetch_add(trials, Ordering::Relaxed);
    }

    /// One that is stopped with this one, and counts what is done by itself: for work of which nobody knows how
    /// many trials it will take.
    pub fn apart(&self) -> Watch {
        Watch {
            over: Arc::clone(&self.over),
            ..Watch::default()
        }
    }

    /// Asks for an early end: batches not yet begun are left out.
    pub fn stop(&self) {
        self.over.stop.store(true, Ordering::Relaxed);
    }

    /// What threads look at that work under it.
    pub(super) fn above(&self) -> Arc<Over> {
        Arc::clone(&self.over)
    }

    /// Whether an early end was asked for; counts are then incomplete and must not be used.
    pub fn stopped(&self) -> bool {
        self.over.stop.load(Ordering::Relaxed)
    }
}

/// How often each end was reached, in a fixed order.
pub type Tally = Vec<(End, u64)>;

/// Something that can play batches: a walked graph, or steps on sampled dice.
#[allow(missing_debug_implementations)]
pub enum Engine<'a> {
    /// Walks a compiled graph.
    Walk(Box<Walker>),
    /// Plays the steps themselves.
    Direct(&'a dyn super::DynSteps),
    /// Plays trials out, for which there are no steps.
    PlayedOut(&'a dyn DynPlayout),
}

/// A graph with its walking tables.
#[derive(Debug)]
pub struct Walker {
    graph: Graph,
    walk: Walk,
}

/// Counts of a number of batches, before they are turned into rows.
#[derive(Debug, Clone)]
pub struct Batches {
    flat: Vec<u64>,
    rows: FxHashMap<End, u64>,
    apart: MarginalCounts,
}

impl<'a> Engine<'a> {
    /// Walks this graph.
    pub fn walk(graph: Graph) -> Self {
        let walk = Walk::new(&graph);
        Engine::Walk(Box::new(Walker { graph, walk }))
    }

    /// Plays these steps directly.
    pub fn direct(steps: &'a dyn super::DynSteps) -> Self {
        Engine::Direct(steps)
    }

    /// Trials in one batch of this engine.
    pub fn batch_size(&self) -> u64 {
        match self {
            Engine::Walk(_) => BATCH,
            Engine::Direct(_) | Engine::PlayedOut(_) => DIRECT_BATCH,
        }
    }

    /// An empty count.
    pub fn nothing(&self) -> Batches {
        let flat = match self {
            Engine::Walk(walker) => vec![0; walker.graph.ends.len() * walker.graph.turns().0],
            Engine::Direct(_) | Engine::PlayedOut(_) => Vec::new(),
        };
        Batches {
            flat,
            rows: FxHashMap::default(),
            apart: MarginalCounts::default(),
        }
    }

    /// Plays one batch into `counts`.
    pub fn play(&self, stream: Stream, batch: u64, trials: u64, counts: &mut Batches) {
        match self {
            Engine::Walk(walker) => {
                let rng = &mut stream.batch(batch);
                walker.walk.walk(rng, trials, &mut counts.flat);
            }
            Engine::Direct(steps) => {
                steps.play(&mut stream.batch(batch), trials, &mut counts.rows);
            }
            Engine::PlayedOut(playout) => playout.batch(stream, batch, trials, &mut counts.apart),
        }
    }

    /// How often the headline had each value.
    pub fn headline(&self, counts: &Batches, read: impl Fn(&End) -> u16) -> FxHashMap<u16, u64> {
        let mut headline: FxHashMap<u16, u64> = FxHashMap::default();
        if let Engine::PlayedOut(_) = self {
            headline.extend(counts.apart.values().next().into_iter().flatten());
            return headline;
        }
        for (end, count) in self.tally(counts.clone()) {
            *headline.entry(read(&end)).or_default() += count;
        }
        headline
    }

    /// Counts as rows; nothing where variables were counted apart.
    pub fn tally(&self, counts: Batches) -> Tally {
        match self {
            Engine::Walk(walker) => gather(&walker.graph, &counts.flat),
            Engine::Direct(_) | Engine::PlayedOut(_) => {
                let mut rows: Tally = counts.rows.into_iter().collect();
                rows.sort_unstable_by_key(|&(end, _)| end);
                rows
            }
        }
    }
}

impl Batches {
    /// What was counted variable by variable.
    pub fn into_marginals(self) -> MarginalCounts {
        self.apart
    }

    /// Adds the counts of other batches; the order does not matter.
    pub fn merge(mut self, other: Batches) -> Batches {
        for (mine, theirs) in self.flat.iter_mut().zip(&other.flat) {
            *mine += theirs;
        }
        for (end, count) in other.rows {
            *self.rows.entry(end).or_default() += count;
        }
        self.apart.merge(&other.apart);
        self
    }
}

/// Trials of batch number `batch` when there are `trials` in all.
pub fn batch_tally(batch: u64, size: u64, trials: u64) -> u64 {
    trials.saturating_sub(batch * size).min(size)
}

/// Plays a range of batches of a run of `trials` trials on the threads of the current pool.
pub fn simulate_batches(
    engine: &Engine<'_>,
    stream: Stream,
    batches: Range<u64>,
    trials: u64,
    watch: &Watch,
) -> Batches {
    let size = engine.batch_size();
    let above = above();
    let played = batches
        .into_par_iter()
        .fold(
            || engine.nothing(),
            |mut counts, batch| {
                if !watch.stopped() {
                    let trials = batch_tally(batch, size, trials);
                    above.share(|| engine.play(stream, batch, trials, &mut counts));
                    watch.add(trials);
                    above.played(trials);
                }
                counts
            },
        )
        .reduce(|| engine.nothing(), Batches::merge);
    // Counts that are incomplete are nobody's answer.
    look_up();
    played
}

/// Plays `trials` trials.
pub fn simulate(engine: &Engine<'_>, stream: Stream, trials: u64) -> Tally {
    let batches = trials.div_ceil(engine.batch_size());
    engine.tally(simulate_batches(
        engine,
        stream,
        0..batches,
        trials,
        &Watch::default(),
    ))
}
