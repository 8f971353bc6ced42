//! The search: every single edit is solved; what they do alone says which sets to try.
//!
//! The sums that look best are solved ([`guess`](super::guess)). An edit may open a way to cells that are read only
//! then, or weigh otherwise beside another; such sets are looked for from there ([`behind`](super::behind)). Where
//! the best that was solved still misses, its edits are exchanged one by one. Where all sets of so many edits are
//! few, all of them are solved instead, and what none of them does is then proved to need more.

use super::behind::Anchor;
use super::combine::{Proposal, best_of, in_turn, pool, positions, possible};
use super::guess::{Adding, Space, Steps};
use super::moves::Edit;
use super::order::TableOrder;
use super::read::EditableCell;
use super::set::{Set, identity};
use super::trial::{Mask, Trials};
use crate::parallel;
use grapeshot_rules::OddsError;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Sets of edits that are solved on each level because their sum looks good.
const SOLVED: usize = 400;
/// Sets that are solved before it is looked whether one of them does it.
pub(super) const AT_ONCE: usize = 100;
/// Up to so many sets of a level are all solved.
const ALL: usize = 1_500;
/// Rounds of exchanging one edit of the best sets.
const ROUNDS: usize = 4;
/// The best sets whose edits are exchanged.
const EXCHANGED: usize = 12;

/// What a search found.
pub(super) struct SearchResult<'e> {
    /// Every single edit that moves a target.
    pub singles: Vec<Set<'e>>,
    /// What meets all targets and keeps the order, the best first.
    pub solutions: Vec<Set<'e>>,
    /// What comes nearest, if nothing meets them.
    pub nearest: Option<Set<'e>>,
    /// What would meet them out of order, and what it would break; where nothing does, what would come nearer.
    pub out_of_order: Option<(Set<'e>, String)>,
    /// Cells that the questions read.
    pub read: usize,
    /// For each number of edits: sets there are, and sets that were tried.
    pub looked: Vec<(usize, usize)>,
}

pub(super) struct Search<'a, 'e> {
    pub trials: &'a Trials<'a>,
    pub order: &'a TableOrder<'a>,
    pub cells: &'e [EditableCell],
    pub max_edits: usize,
    pub base: Vec<f64>,
    /// The questions that read each cell.
    pub masks: Vec<Mask>,
}

/// What is known when sets of so many edits are put together.
struct Level<'s, 'e> {
    count: usize,
    pool: &'s [&'s Set<'e>],
    spaces: &'s [Space; 2],
    anchors: &'s [Anchor<'e>],
    /// Sets with one edit less, the nearest first.
    fewer: &'s [Set<'e>],
}

/// Sets of one level that were tried, each once.
#[derive(Default)]
struct Tried<'e> {
    known: BTreeSet<Vec<usize>>,
    solved: Vec<Set<'e>>,
    done: bool,
}

impl<'a, 'e> Search<'a, 'e> {
    pub(super) fn new(
        trials: &'a Trials<'a>,
        order: &'a TableOrder<'a>,
        cells: &'e [EditableCell],
        max_edits: usize,
    ) -> Self {
        Search {
            trials,
            order,
            cells,
            max_edits,
            base: trials.read(&trials.base).unwrap_or_default(),
            masks: Vec::new(),
        }
    }

    /// Searches for all that can be changed.
    ///
    /// # Errors
    /// If the engine cannot answer.
    pub(super) fn run(mut self) -> Result<SearchResult<'e>, OddsError> {
        self.masks = self.read_now()?;
        let (singles, tried) = self.singles()?;
        let edits = || self.cells.iter().map(|cell| cell.edits.len());
        let mut found = SearchResult {
            read: self.masks.iter().filter(|mask| **mask != 0).count(),
            looked: vec![(possible(edits(), 1), tried)],
            solutions: Vec::new(),
            nearest: None,
            out_of_order: None,
            singles: singles.clone(),
        };
        self.take(&mut found, &singles);
        let pool = pool(&singles, self.order);
        let spaces = [Adding::Plain, Adding::Bent].map(|how| {
            let moved = pool.iter().map(|set| set.values.as_slice());
            Space::new(self.trials, how, &self.base, moved)
        });
        // Where one edit does it, pairs are found by their sum alone.
        let anchors = match self.max_edits > 1 && found.solutions.is_empty() {
            true => self.anchors(&singles)?,
            false => Vec::new(),
        };
        let mut fewer = singles.clone();
        for count in 2..=self.max_edits {
            // Triples are worth their time only where nothing smaller does it.
            if count > 2 && !found.solutions.is_empty() {
                break;
            }
            let there = possible(edits(), count);
            let all = there <= ALL && found.solutions.is_empty();
            let tried = match all {
                true => self.exhaust(count)?,
                false => self.level(&Level {
                    count,
                    pool: &pool,
                    spaces: &spaces,
                    anchors: &anchors,
                    fewer: &fewer,
                })?,
            };
            let known = tried.known.len();
            found.looked.push((if all { known } else { there }, known));
            self.take(&mut found, &tried.solved);
            fewer = tried.solved;
            fewer.sort_by(Set::nearer);
        }
        found.solutions.sort_by(Set::order);
        Ok(found)
    }

    /// Which questions read each cell.
    fn read_now(&self) -> Result<Vec<Mask>, OddsError> {
        let read = self.trials.reads(&[])?.unwrap_or_default();
        Ok(self.cells.iter().map(|cell| cell.readers(&read)).collect())
    }

    /// Every edit of a cell that is read, solved alone: those that move a target, and how many edits are settled by
    /// that, those of cells that no question reads among them.
    fn singles(&self) -> Result<(Vec<Set<'e>>, usize), OddsError> {
        let read = self.cells.iter().zip(&self.masks);
        let read = read.filter(|(_, mask)| **mask != 0);
        let edits: Vec<(&Edit, Mask)> = read
            .flat_map(|(cell, &mask)| cell.edits.iter().map(move |edit| (edit, mask)))
            .collect();
        let solved = parallel::try_map(&edits, |&(edit, mask)| self.solve(vec![edit], mask))?;
        let moves = |set: &Set<'_>| {
            let mut both = set.values.iter().zip(&self.base);
            both.any(|(now, before)| (now - before).abs() > 1e-12)
        };
        let telling = solved.into_iter().flatten().filter(moves).collect();
        let all = self.cells.iter().map(|cell| cell.edits.len()).sum();
        Ok((telling, all))
    }

    pub(super) fn solve(
        &self,
        edits: Vec<&'e Edit>,
        mask: Mask,
    ) -> Result<Option<Set<'e>>, OddsError> {
        let values = self.trials.values(&edits, mask)?;
        Ok(values.map(|values| Set {
            miss: self.trials.miss(&values),
            edits,
            mask,
            values,
        }))
    }

    /// Keeps what meets the targets, and what comes nearest.
    fn take(&self, found: &mut SearchResult<'e>, sets: &[Set<'e>]) {
        for set in sets {
            if set.cells() > self.max_edits.max(1) {
                continue;
            }
            let meets = self.trials.meets(&set.values);
            let better = |known: &Option<Set<'_>>| known.as_ref().is_none_or(|k| set.miss < k.miss);
            if !meets && !better(&found.nearest) {
                continue;
            }
            if meets && found.solutions.iter().any(|known| set.contains(known)) {
                continue;
            }
            match self.order.broken(&set.edits) {
                None if meets => found.solutions.push(set.clone()),
                None => found.nearest = Some(set.clone()),
                Some(broken) => {
                    let before = |known: &Set<'_>| match (meets, self.trials.meets(&known.values)) {
                        (true, true) => set.order(known) == Ordering::Less,
                        (false, false) => set.miss < known.miss,
                        (meets, _) => meets,
                    };
                    if found
                        .out_of_order
                        .as_ref()
                        .is_none_or(|(known, _)| before(known))
                    {
                        found.out_of_order = Some((set.clone(), broken));
                    }
                }
            }
        }
    }

    /// Every set of so many edits, each of another cell.
    fn exhaust(&self, count: usize) -> Result<Tried<'e>, OddsError> {
        let mut sets: Vec<Vec<&'e Edit>> = vec![Vec::new()];
        for cell in self.cells {
            for at in 0..sets.len() {
                if sets[at].len() < count {
                    let more = cell
                        .edits
                        .iter()
                        .filter(|edit| !sets[at].iter().any(|known| known.meets(edit)));
                    let more = more.map(|edit| sets[at].iter().copied().chain([edit]).collect());
                    let more: Vec<Vec<&'e Edit>> = more.collect();
                    sets.extend(more);
                }
            }
        }
        sets.retain(|set| set.len() == count);
        let mut tried = Tried::default();
        let all = self.trials.all();
        self.try_all(&mut tried, sets.into_iter().map(|set| (set, all)).collect())?;
        Ok(tried)
    }

    /// Sets of so many edits: the most promising, solved.
    fn level(&self, level: &Level<'_, 'e>) -> Result<Tried<'e>, OddsError> {
        let mut tried = Tried::default();
        let pool = level.pool;
        let sums = level.spaces.iter().map(|space| {
            let steps = self.steps(space, pool);
            match level.count {
                2 => steps.twos(SOLVED, |at| self.fits(pool, at)),
                3 => steps.threes(SOLVED, |at| self.fits(pool, at)),
                _ => self.more(space, &steps, level),
            }
        });
        let proposals = in_turn(sums.collect(), SOLVED);
        for some in proposals.chunks(AT_ONCE) {
            self.try_all(&mut tried, self.proposed(pool, some))?;
            if tried.done && level.count > 2 {
                return Ok(tried);
            }
        }
        // Pairs behind an anchor are solved already; of longer sets, those that continue them.
        for anchor in level.anchors {
            if level.count == 2 {
                anchor
                    .behind
                    .iter()
                    .for_each(|set| tried.know(self, set.clone()));
            } else if level.count == 3 && !tried.done {
                let sets = self.continued(anchor, pool, level.spaces)?;
                self.try_all(&mut tried, sets)?;
            }
        }
        if level.count > 2 && !tried.done {
            let sets = self.silent_behind(level.fewer)?;
            sets.into_iter().for_each(|set| tried.know(self, set));
        }
        for _ in 0..ROUNDS {
            if tried.done {
                break;
            }
            let before = tried.known.len();
            let sets = self.exchange(level, &tried);
            self.try_all(&mut tried, sets)?;
            if tried.known.len() == before {
                break;
            }
        }
        Ok(tried)
    }

    /// Solves what was not tried yet.
    fn try_all(
        &self,
        tried: &mut Tried<'e>,
        sets: Vec<(Vec<&'e Edit>, Mask)>,
    ) -> Result<(), OddsError> {
        let new: Vec<(Vec<&'e Edit>, Mask)> = sets
            .into_iter()
            .filter(|(edits, _)| tried.known.insert(identity(edits)))
            .collect();
        let solve = |(edits, mask): &(Vec<&'e Edit>, Mask)| self.solve(edits.clone(), *mask);
        for set in parallel::try_map(&new, solve)?.into_iter().flatten() {
            tried.done |= self.does(&set);
            tried.solved.push(set);
        }
        Ok(())
    }

    fn does(&self, set: &Set<'_>) -> bool {
        set.cells() <= self.max_edits
            && self.trials.meets(&set.values)
            && self.order.broken(&set.edits).is_none()
    }

    /// What the edits of a pool do alone.
    fn steps<'s>(&self, space: &'s Space, pool: &[&Set<'e>]) -> Steps<'s> {
        let ends = pool.iter().map(|set| set.values.as_slice());
        space.steps(space.point(&self.base), ends)
    }

    /// The edits at some places of a pool, and the questions they are asked of.
    fn proposed(&self, pool: &[&Set<'e>], proposals: &[Proposal]) -> Vec<(Vec<&'e Edit>, Mask)> {
        let one = |proposal: &Proposal| {
            let edits = proposal.iter().map(|&at| pool[at].edits[0]).collect();
            let mask = proposal.iter().fold(0, |mask, &at| mask | pool[at].mask);
            (edits, mask)
        };
        proposals.iter().map(one).collect()
    }

    /// Whether edits at some places of a pool change different cells, and not too many.
    fn fits(&self, pool: &[&Set<'_>], at: &[usize]) -> bool {
        let cells: usize = at.iter().map(|&at| pool[at].cells()).sum();
        let apart = |first: usize| {
            let mut others = at[first + 1..].iter();
            others.all(|&other| pool[at[first]].apart(pool[other].edits[0]))
        };
        cells <= self.max_edits && (0..at.len()).all(apart)
    }

    /// The best of the smaller sets with one edit more.
    fn more(&self, space: &Space, steps: &Steps<'_>, level: &Level<'_, 'e>) -> Vec<Proposal> {
        let known: Vec<(Vec<f64>, Proposal)> = level
            .fewer
            .iter()
            .take(SOLVED)
            .filter_map(|set| Some((space.point(&set.values), positions(level.pool, &set.edits)?)))
            .collect();
        best_of(known.len(), SOLVED, &|i, best| {
            let (from, at) = &known[i];
            steps.one_more(from, at, 0, best, &|at: &[usize]| self.fits(level.pool, at));
        })
    }

    /// The best sets with one edit exchanged, by the sum of effects from where they were solved.
    fn exchange(&self, level: &Level<'_, 'e>, tried: &Tried<'e>) -> Vec<(Vec<&'e Edit>, Mask)> {
        let pool = level.pool;
        let mut best: Vec<&Set<'e>> = tried.solved.iter().collect();
        best.sort_by(|a, b| a.nearer(b));
        let known: Vec<(&Set<'e>, Proposal)> = best
            .iter()
            .filter_map(|set| Some((*set, positions(pool, &set.edits)?)))
            .take(EXCHANGED)
            .collect();
        let exchanged = level.spaces.iter().map(|space| {
            let steps = self.steps(space, pool);
            best_of(known.len(), 2 * AT_ONCE, &|i, best| {
                let (set, at) = &known[i];
                for (place, &out) in at.iter().enumerate() {
                    let mut left = at.clone();
                    left.remove(place);
                    let from = space.point(&set.values);
                    let from = from.iter().zip(steps.of(out)).map(|(x, by)| x - by);
                    let from: Vec<f64> = from.collect();
                    steps.one_more(&from, &left, 0, best, &|at: &[usize]| {
                        let edits: Vec<&Edit> = at.iter().map(|&at| pool[at].edits[0]).collect();
                        self.fits(pool, at) && !tried.known.contains(&identity(&edits))
                    });
                }
            })
        });
        let proposals = in_turn(exchanged.collect(), AT_ONCE);
        self.proposed(pool, &proposals)
    }
}

impl<'e> Tried<'e> {
    /// Takes what was solved elsewhere.
    fn know(&mut self, search: &Search<'_, 'e>, set: Set<'e>) {
        if self.known.insert(set.identity()) {
            self.done |= search.does(&set);
            self.solved.push(set);
        }
    }
}
