//! Sets of edits that look promising: which edits are combined, and the best of many guesses.

use super::moves::Edit;
use super::order::TableOrder;
use super::set::Set;
use crate::parallel;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The most edits that are combined.
const POOL: usize = 1_000;
/// Cells with edits of the same effect that are combined, and such edits of each.
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

/// The single edits that are combined: of those with the same effect a few, of different cells, and rather those
/// that keep the order.
pub(super) fn pool<'s, 'e>(singles: &'s [Set<'e>], order: &TableOrder<'_>) -> Vec<&'s Set<'e>> {
    let mut alike: BTreeMap<Vec<i64>, Vec<&'s Set<'e>>> = BTreeMap::new();
    for set in singles {
        let key = set.values.iter().map(|value| (value * 1e10).round() as i64);
        alike.entry(key.collect()).or_default().push(set);
    }
    let classes: Vec<Vec<&'s Set<'e>>> = alike.into_values().collect();
    let chosen = parallel::map(&classes, |class| {
        let mut class = class.clone();
        class.sort_by(|a, b| a.order(b));
        if class.len() > ALIKE {
            class.sort_by_cached_key(|set| order.broken(&set.edits).is_some());
        }
        // Values of one cell that do the same alone may differ beside another edit.
        let mut chosen: Vec<Vec<&'s Set<'e>>> = Vec::new();
        for set in class {
            let known = |cell: &Vec<&Set<'e>>| !cell[0].apart(set.edits[0]);
            match chosen.iter().position(known) {
                Some(at) if chosen[at].len() < ALIKE => chosen[at].push(set),
                None if chosen.len() < ALIKE => chosen.push(vec![set]),
                _ => {}
            }
        }
        chosen.concat()
    });
    let mut pool: Vec<&'s Set<'e>> = chosen.concat();
    pool.sort_by(|a, b| a.order(b));
    pool.truncate(POOL);
    pool
}

/// How many sets of so many edits there are, each of another cell; `edits` has those of each cell.
pub(super) fn possible(edits: impl Iterator<Item = usize>, of: usize) -> usize {
    let mut sets = vec![0usize; of + 1];
    sets[0] = 1;
    for cell in edits {
        for count in (1..=of).rev() {
            let more = sets[count - 1].saturating_mul(cell);
            sets[count] = sets[count].saturating_add(more);
        }
    }
    sets[of]
}

/// The best proposals met so far.
pub(super) struct Best {
    kept: Vec<(f64, Proposal)>,
    most: usize,
    worst: f64,
}

impl Best {
    fn new(most: usize) -> Self {
        Best {
            kept: Vec::new(),
            most,
            worst: f64::INFINITY,
        }
    }

    /// What misses by more is not kept.
    pub(super) fn worst(&self) -> f64 {
        self.worst
    }

    /// Keeps a proposal if it is among the best; it is made only then.
    pub(super) fn offer(&mut self, miss: f64, make: impl FnOnce() -> Option<Proposal>) {
        if miss <= self.worst
            && let Some(proposal) = make()
        {
            self.kept.push((miss, proposal));
            if self.kept.len() >= 2 * self.most {
                self.shorten();
            }
        }
    }

    fn shorten(&mut self) {
        let order =
            |a: &(f64, Proposal), b: &(f64, Proposal)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        self.kept.sort_by(order);
        self.kept.truncate(self.most);
        if self.kept.len() == self.most {
            self.worst = self.kept.last().map_or(f64::INFINITY, |(miss, _)| *miss);
        }
    }
}

/// The best of all proposals, each made from a first position.
pub(super) fn best_of(
    count: usize,
    most: usize,
    from: &(dyn Fn(usize, &mut Best) + Sync),
) -> Vec<Proposal> {
    let mut all = (0..count)
        .into_par_iter()
        .fold(
            || Best::new(most),
            |mut best, i| {
                from(i, &mut best);
                best
            },
        )
        .reduce(
            || Best::new(most),
            |mut a, b| {
                a.kept.extend(b.kept);
                a.shorten();
                a
            },
        );
    all.shorten();
    all.kept.into_iter().map(|(_, proposal)| proposal).collect()
}

/// Several lists as one, the better ones of all first, each entry once and no more than `most`.
pub(super) fn in_turn<T: Ord + Clone>(lists: Vec<Vec<T>>, most: usize) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    let mut all = Vec::new();
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    loop {
        let next: Vec<T> = lists.iter_mut().filter_map(Iterator::next).collect();
        if next.is_empty() {
            return all;
        }
        for entry in next {
            if all.len() < most && seen.insert(entry.clone()) {
                all.push(entry);
            }
        }
        if all.len() >= most {
            return all;
        }
    }
}
