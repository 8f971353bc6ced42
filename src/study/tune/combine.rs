//! Sets of edits that look promising: which edits are combined, and the best of many guesses.

use super::moves::Edit;
use super::search::{SOLVED, Set};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The most edits that are combined.
const POOL: usize = 1_000;
/// Edits with the same effect that are combined.
const ALIKE: usize = 3;

/// Positions in the pool.
pub(super) type Proposal = Vec<usize>;

/// Where edits stand in the pool, if all of them do.
pub(super) fn positions(pool: &[&Set<'_>], edits: &[&Edit]) -> Option<Proposal> {
    let at = |edit: &&Edit| {
        pool.iter()
            .position(|set| std::ptr::eq(set.edits[0], *edit))
    };
    let mut found: Proposal = edits.iter().map(at).collect::<Option<_>>()?;
    found.sort_unstable();
    Some(found)
}

/// The single edits that are combined: of those with the same effect a few, of different cells.
pub(super) fn pool<'s, 'e>(singles: &'s [Set<'e>]) -> Vec<&'s Set<'e>> {
    let mut alike: BTreeMap<Vec<i64>, Vec<&'s Set<'e>>> = BTreeMap::new();
    let mut sorted: Vec<&Set<'e>> = singles.iter().collect();
    sorted.sort_by(|a, b| a.order(b));
    for set in sorted {
        let key = set.values.iter().map(|value| (value * 1e10).round() as i64);
        let known = alike.entry(key.collect()).or_default();
        let another = known.iter().all(|k| !k.edits[0].meets(set.edits[0]));
        if known.len() < ALIKE && another {
            known.push(set);
        }
    }
    let mut pool: Vec<&Set<'e>> = alike.into_values().flatten().collect();
    pool.sort_by(|a, b| a.order(b));
    pool.truncate(POOL);
    pool
}

/// How many sets of so many edits there are, each of another cell.
pub(super) fn possible(singles: &[Set<'_>], of: usize) -> usize {
    let place = |set: &Set<'_>| set.edits[0].changes[0].place.clone();
    let mut sets = vec![0usize; of + 1];
    sets[0] = 1;
    for cell in singles.chunk_by(|a, b| place(a) == place(b)) {
        for count in (1..=of).rev() {
            let more = sets[count - 1].saturating_mul(cell.len());
            sets[count] = sets[count].saturating_add(more);
        }
    }
    sets[of]
}

/// The best proposals met so far.
pub(super) struct Best {
    kept: Vec<(f64, Proposal)>,
    worst: f64,
}

impl Best {
    /// Keeps a proposal if it is among the best; it is made only then.
    pub(super) fn offer(&mut self, miss: f64, make: impl FnOnce() -> Option<Proposal>) {
        if miss <= self.worst
            && let Some(proposal) = make()
        {
            self.kept.push((miss, proposal));
            if self.kept.len() >= 2 * SOLVED {
                self.shorten();
            }
        }
    }

    fn shorten(&mut self) {
        let order =
            |a: &(f64, Proposal), b: &(f64, Proposal)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        self.kept.sort_by(order);
        self.kept.truncate(SOLVED);
        if self.kept.len() == SOLVED {
            self.worst = self.kept[SOLVED - 1].0;
        }
    }
}

/// The best of all proposals, each made from a first position.
pub(super) fn best_of(count: usize, from: impl Fn(usize, &mut Best) + Sync) -> Vec<Proposal> {
    let empty = || Best {
        kept: Vec::new(),
        worst: f64::INFINITY,
    };
    let all = (0..count)
        .into_par_iter()
        .fold(empty, |mut best, i| {
            from(i, &mut best);
            best
        })
        .reduce(empty, |mut a, b| {
            a.kept.extend(b.kept);
            a.shorten();
            a
        });
    let mut all = all;
    all.shorten();
    all.kept.into_iter().map(|(_, proposal)| proposal).collect()
}

/// Two lists as one, the better ones of both first, each proposal once and no more than are solved.
pub(super) fn in_turn(first: Vec<Proposal>, second: Vec<Proposal>) -> Vec<Proposal> {
    let mut seen = std::collections::BTreeSet::new();
    let mut all = Vec::new();
    let mut lists = [first.into_iter(), second.into_iter()];
    loop {
        let next: Vec<Proposal> = lists.iter_mut().filter_map(Iterator::next).collect();
        if next.is_empty() || all.len() >= SOLVED {
            return all;
        }
        for proposal in next {
            if seen.insert(proposal.clone()) {
                all.push(proposal);
            }
        }
    }
}
