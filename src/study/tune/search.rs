//! The search: every single edit is solved; what they do alone says which pairs and triples to try.
//!
//! An edit that moves a target by so much alone moves it by about as much beside another, or multiplies its odds
//! by as much: both sums lead, and whatever looks best is solved. Where the best that was solved still misses, its edits are exchanged one by
//! one, starting from what was solved and not from the sum. A cell that is read only after another was changed
//! has no effect alone; such cells are looked for behind the most promising edits.

use super::combine::{Proposal, best_of, in_turn, pool, positions, possible};
use super::moves::Edit;
use super::order::Order;
use super::read::{Cell, readers};
use super::trial::{Mask, Trials, Watched};
use crate::rules::{CellPlace, OddsError};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Sets of edits that are solved on each level.
pub(super) const SOLVED: usize = 400;
/// Sets that are solved before it is looked whether one of them does it.
const AT_ONCE: usize = 100;
/// Rounds of exchanging one edit of the best sets.
const ROUNDS: usize = 4;
/// The best sets whose edits are exchanged.
const EXCHANGED: usize = 12;
/// A pool up to this size is combined in threes without leaving any out.
const THREES: usize = 300;
/// Where the pool is larger, so many that come nearest to what is missing are tried as the third.
const WINDOW: usize = 12;
/// Edits behind which cells are looked for that are read only then.
const BEHIND: usize = 36;
/// Of these, at most so many of the same cell.
const ALIKE: usize = 4;

/// Edits that were solved together.
#[derive(Debug, Clone)]
pub(super) struct Set<'e> {
    pub edits: Vec<&'e Edit>,
    pub mask: Mask,
    pub values: Vec<f64>,
    /// The values as they add up in the second way of guessing.
    pub bent: Vec<f64>,
    pub miss: f64,
}

/// How effects are taken to add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adding {
    /// As they are: right for results of single faces.
    Plain,
    /// Odds and amounts multiply: right for columns, thresholds, numbers of dice.
    Bent,
}

impl Adding {
    const BOTH: [Adding; 2] = [Adding::Plain, Adding::Bent];

    fn of<'s>(self, set: &'s Set<'_>) -> &'s [f64] {
        match self {
            Adding::Plain => &set.values,
            Adding::Bent => &set.bent,
        }
    }
}

impl Set<'_> {
    /// How many cells are changed.
    pub(super) fn cells(&self) -> usize {
        self.edits.iter().map(|edit| edit.changes.len()).sum()
    }

    /// How large the edits are together.
    pub(super) fn size(&self) -> f64 {
        self.edits.iter().map(|edit| edit.size).sum()
    }

    fn contains(&self, other: &Set<'_>) -> bool {
        let mut theirs = other.edits.iter();
        theirs.all(|edit| self.edits.contains(edit))
    }

    /// Fewer cells first, then smaller edits, then nearer to what is wanted.
    pub(super) fn order(&self, other: &Set<'_>) -> Ordering {
        (self.cells().cmp(&other.cells()))
            .then(self.size().total_cmp(&other.size()))
            .then(self.miss.total_cmp(&other.miss))
    }
}

/// What a search found.
pub(super) struct Found<'e> {
    /// Every single edit that was solved.
    pub singles: Vec<Set<'e>>,
    /// What meets all targets and keeps the order, the best first.
    pub solutions: Vec<Set<'e>>,
    /// What comes nearest, if nothing meets them.
    pub nearest: Option<Set<'e>>,
    /// What would meet them out of order, and what it would break.
    pub out_of_order: Option<(Set<'e>, String)>,
    /// Cells that the questions read.
    pub read: usize,
    /// For each number of cells: sets there are, and sets that were solved.
    pub looked: Vec<(usize, usize)>,
}

pub(super) struct Search<'a, 'e> {
    pub trials: &'a Trials<'a>,
    pub order: &'a Order<'a>,
    pub cells: &'e [Cell],
    pub max_edits: usize,
    base: Vec<f64>,
    bent: Vec<f64>,
    masks: Vec<Mask>,
}

impl<'a, 'e> Search<'a, 'e> {
    pub(super) fn new(
        trials: &'a Trials<'a>,
        order: &'a Order<'a>,
        cells: &'e [Cell],
        max_edits: usize,
    ) -> Self {
        let base = trials.read(&trials.base).unwrap_or_default();
        Search {
            trials,
            order,
            cells,
            max_edits,
            bent: trials.bent(&base),
            base,
            masks: Vec::new(),
        }
    }

    /// Searches for all that can be changed.
    ///
    /// # Errors
    /// If the engine cannot answer.
    pub(super) fn run(mut self) -> Result<Found<'e>, OddsError> {
        self.masks = self.read_now()?;
        let singles = self.singles()?;
        let mut found = Found {
            read: self.masks.iter().filter(|mask| **mask != 0).count(),
            looked: vec![(singles.len(), singles.len())],
            solutions: Vec::new(),
            nearest: None,
            out_of_order: None,
            singles,
        };
        let singles = found.singles.clone();
        self.take(&mut found, &singles);
        let pool = pool(&singles);
        let mut best: Vec<Set<'e>> = singles.clone();
        for count in 2..=self.max_edits {
            // Triples are worth their time only where nothing smaller does it.
            if count > 2 && !found.solutions.is_empty() {
                break;
            }
            let sets = self.level(count, &singles, &pool, &best)?;
            found.looked.push((possible(&singles, count), sets.len()));
            self.take(&mut found, &sets);
            best = sets;
        }
        found.solutions.sort_by(Set::order);
        Ok(found)
    }

    /// Which questions read each cell.
    fn read_now(&self) -> Result<Vec<Mask>, OddsError> {
        let groups = self.cells.chunk_by(|a, b| a.holder() == b.holder());
        let groups: Vec<&[Cell]> = groups.collect();
        let (trials, mask) = (self.trials, self.trials.all());
        let masks: Result<Vec<Vec<Mask>>, OddsError> = groups
            .par_iter()
            .map(|group| {
                let group: Vec<&Cell> = group.iter().collect();
                readers(trials, &group, &[], &trials.base, mask, Watched::Answers)
            })
            .collect();
        Ok(masks?.concat())
    }

    /// Every edit of a cell that is read, solved alone.
    fn singles(&self) -> Result<Vec<Set<'e>>, OddsError> {
        let cells = self.cells.iter().zip(&self.masks);
        let edits: Vec<(&Edit, Mask)> = cells
            .filter(|(_, mask)| **mask != 0)
            .flat_map(|(cell, mask)| cell.edits.iter().map(move |edit| (edit, *mask)))
            .collect();
        let solved: Result<Vec<Option<Set<'e>>>, OddsError> = edits
            .par_iter()
            .map(|&(edit, mask)| self.solve(vec![edit], mask))
            .collect();
        let moves = |set: &Set<'_>| {
            let mut both = set.values.iter().zip(&self.base);
            both.any(|(now, before)| (now - before).abs() > 1e-12)
        };
        Ok(solved?.into_iter().flatten().filter(moves).collect())
    }

    fn solve(&self, edits: Vec<&'e Edit>, mask: Mask) -> Result<Option<Set<'e>>, OddsError> {
        let values = self.trials.values(&edits, mask)?;
        Ok(values.map(|values| Set {
            miss: self.trials.miss(&values),
            bent: self.trials.bent(&values),
            edits,
            mask,
            values,
        }))
    }

    /// Keeps what meets the targets, and what comes nearest.
    fn take(&self, found: &mut Found<'e>, sets: &[Set<'e>]) {
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
                Some(broken) if meets => {
                    let known = found.out_of_order.as_ref();
                    if known.is_none_or(|(known, _)| set.order(known) == Ordering::Less) {
                        found.out_of_order = Some((set.clone(), broken));
                    }
                }
                Some(_) => {}
            }
        }
    }

    /// Sets of so many edits: the most promising, solved.
    fn level(
        &self,
        count: usize,
        singles: &[Set<'e>],
        pool: &[&Set<'e>],
        fewer: &[Set<'e>],
    ) -> Result<Vec<Set<'e>>, OddsError> {
        let [plain, bent] = Adding::BOTH.map(|how| match count {
            2 => self.twos(how, pool),
            3 => self.threes(how, pool),
            _ => self.more(how, pool, fewer),
        });
        let proposals = in_turn(plain, bent);
        let mut solved: Vec<Set<'e>> = Vec::new();
        let mut done = false;
        for some in proposals.chunks(AT_ONCE) {
            let sets = self.solve_all(pool, some)?;
            done |= sets.iter().any(|set| self.does(set));
            solved.extend(sets);
            if done && count > 2 {
                break;
            }
        }
        if !done || count == 2 {
            solved.extend(self.behind(singles, fewer)?);
            done |= solved.iter().any(|set| self.does(set));
        }
        for _ in 0..ROUNDS {
            if done {
                break;
            }
            let better = self.exchange(pool, &solved)?;
            if better.is_empty() {
                break;
            }
            done |= better.iter().any(|set| self.does(set));
            solved.extend(better);
        }
        solved.sort_by(|a, b| a.miss.total_cmp(&b.miss).then(a.order(b)));
        Ok(solved)
    }

    fn does(&self, set: &Set<'_>) -> bool {
        set.cells() <= self.max_edits
            && self.trials.meets(&set.values)
            && self.order.broken(&set.edits).is_none()
    }

    fn solve_all(
        &self,
        pool: &[&Set<'e>],
        proposals: &[Proposal],
    ) -> Result<Vec<Set<'e>>, OddsError> {
        let solved: Result<Vec<Option<Set<'e>>>, OddsError> = proposals
            .par_iter()
            .map(|proposal| {
                let edits = proposal.iter().map(|&at| pool[at].edits[0]).collect();
                let mask = proposal.iter().fold(0, |mask, &at| mask | pool[at].mask);
                self.solve(edits, mask)
            })
            .collect();
        Ok(solved?.into_iter().flatten().collect())
    }

    /// How far some edits would miss if their effects just added up, from a set that was solved.
    fn guess(&self, how: Adding, from: &[f64], added: &[&Set<'_>], taken: &[&Set<'_>]) -> f64 {
        let mut values = [0.0; 16];
        let mut long;
        let values: &mut [f64] = match values.get_mut(..from.len()) {
            Some(short) => short,
            None => {
                long = vec![0.0; from.len()];
                &mut long
            }
        };
        let base = self.start(how);
        for (at, value) in values.iter_mut().enumerate() {
            let by = |set: &&Set<'_>| how.of(set)[at] - base[at];
            let all = from[at] + added.iter().map(by).sum::<f64>();
            *value = all - taken.iter().map(by).sum::<f64>();
        }
        if how == Adding::Bent {
            self.trials.straighten(values);
        }
        self.trials.miss(values)
    }

    /// Where nothing is changed.
    fn start(&self, how: Adding) -> &[f64] {
        match how {
            Adding::Plain => &self.base,
            Adding::Bent => &self.bent,
        }
    }

    fn fits(&self, sets: &[&Set<'_>]) -> bool {
        let cells: usize = sets.iter().map(|set| set.cells()).sum();
        let apart = |at: usize| {
            let mut others = sets[at + 1..].iter();
            others.all(|other| !sets[at].edits[0].meets(other.edits[0]))
        };
        cells <= self.max_edits && (0..sets.len()).all(apart)
    }

    /// The best pairs by the sum of their effects.
    fn twos(&self, how: Adding, pool: &[&Set<'e>]) -> Vec<Proposal> {
        best_of(pool.len(), |i, best| {
            for j in i + 1..pool.len() {
                let two = [pool[i], pool[j]];
                best.offer(self.guess(how, self.start(how), &two, &[]), || {
                    self.fits(&two).then(|| vec![i, j])
                });
            }
        })
    }

    /// The best triples by the sum of their effects.
    fn threes(&self, how: Adding, pool: &[&Set<'e>]) -> Vec<Proposal> {
        if pool.len() <= THREES {
            return best_of(pool.len(), |i, best| {
                for j in i + 1..pool.len() {
                    for k in j + 1..pool.len() {
                        let three = [pool[i], pool[j], pool[k]];
                        best.offer(self.guess(how, self.start(how), &three, &[]), || {
                            self.fits(&three).then(|| vec![i, j, k])
                        });
                    }
                }
            });
        }
        // Sorted by what they do to the target that is moved most, the third is found by what is missing.
        let spread = |at: usize| -> f64 {
            let by = pool
                .iter()
                .map(|set| (set.values[at] - self.base[at]).abs());
            by.sum::<f64>() / self.trials.targets[at].scale()
        };
        let targets = 0..self.base.len();
        let lead = targets.max_by(|&a, &b| spread(a).total_cmp(&spread(b)));
        let lead = lead.unwrap_or(0);
        let by = |at: usize| pool[at].values[lead] - self.base[lead];
        let mut sorted: Vec<usize> = (0..pool.len()).collect();
        sorted.sort_by(|&a, &b| by(a).total_cmp(&by(b)).then(a.cmp(&b)));
        let aim = self.trials.targets[lead].aim;
        best_of(pool.len(), |i, best| {
            for j in i + 1..pool.len() {
                let missing = aim - self.base[lead] - by(i) - by(j);
                let at = sorted.partition_point(|&k| by(k) < missing);
                let from = at.saturating_sub(WINDOW / 2);
                for &k in sorted.iter().skip(from).take(WINDOW) {
                    if k <= j {
                        continue;
                    }
                    let three = [pool[i], pool[j], pool[k]];
                    best.offer(self.guess(how, self.start(how), &three, &[]), || {
                        self.fits(&three).then(|| vec![i, j, k])
                    });
                }
            }
        })
    }

    /// The best of the smaller sets with one edit more.
    fn more(&self, how: Adding, pool: &[&Set<'e>], fewer: &[Set<'e>]) -> Vec<Proposal> {
        let known: Vec<(&Set<'e>, Proposal)> = fewer
            .iter()
            .take(SOLVED)
            .filter_map(|set| Some((set, positions(pool, &set.edits)?)))
            .collect();
        let mut found = best_of(known.len(), |i, best| {
            let (set, at) = &known[i];
            for (k, other) in pool.iter().enumerate() {
                best.offer(self.guess(how, how.of(set), &[*other], &[]), || {
                    let mut more = at.clone();
                    more.push(k);
                    more.sort_unstable();
                    let sets: Vec<&Set<'e>> = more.iter().map(|&at| pool[at]).collect();
                    self.fits(&sets).then_some(more)
                });
            }
        });
        found.sort();
        found.dedup();
        found
    }

    /// The best sets with one edit exchanged, by the sum of effects from where they were solved.
    fn exchange(&self, pool: &[&Set<'e>], solved: &[Set<'e>]) -> Result<Vec<Set<'e>>, OddsError> {
        let mut best: Vec<&Set<'e>> = solved.iter().collect();
        best.sort_by(|a, b| a.miss.total_cmp(&b.miss).then(a.order(b)));
        let known: Vec<(&Set<'e>, Proposal)> = best
            .iter()
            .filter_map(|set| Some((*set, positions(pool, &set.edits)?)))
            .take(EXCHANGED)
            .collect();
        let exchanged = |how: Adding| {
            best_of(known.len(), |i, best| {
                let (set, at) = &known[i];
                for (place, &out) in at.iter().enumerate() {
                    for (k, other) in pool.iter().enumerate() {
                        best.offer(
                            self.guess(how, how.of(set), &[*other], &[pool[out]]),
                            || {
                                let mut new = at.clone();
                                new[place] = k;
                                new.sort_unstable();
                                let sets: Vec<&Set<'e>> = new.iter().map(|&at| pool[at]).collect();
                                self.fits(&sets).then_some(new)
                            },
                        );
                    }
                }
            })
        };
        let [plain, bent] = Adding::BOTH.map(exchanged);
        let proposals: Vec<Proposal> = in_turn(plain, bent)
            .into_iter()
            .filter(|new| {
                let edits: Vec<&Edit> = new.iter().map(|&at| pool[at].edits[0]).collect();
                let same = |set: &Set<'e>| edits.iter().all(|edit| set.edits.contains(edit));
                !solved.iter().any(same)
            })
            .take(AT_ONCE)
            .collect();
        self.solve_all(pool, &proposals)
    }

    /// The most promising sets with an edit of a cell that does something only after them: it is read then and was
    /// not before, or moved nothing that is wanted.
    fn behind(&self, singles: &[Set<'e>], fewer: &[Set<'e>]) -> Result<Vec<Set<'e>>, OddsError> {
        let mut sorted: Vec<&Set<'e>> = fewer.iter().collect();
        sorted.sort_by(|a, b| a.miss.total_cmp(&b.miss).then(a.order(b)));
        let last = |set: &Set<'e>| &set.edits[set.edits.len() - 1].changes[0].place;
        let mut best: Vec<&Set<'e>> = Vec::new();
        for set in sorted {
            let alike = best.iter().filter(|known| last(known) == last(set)).count();
            if alike < ALIKE && best.len() < BEHIND {
                best.push(set);
            }
        }
        let place = |edit: &Edit| edit.changes[0].place.clone();
        let telling: BTreeSet<CellPlace> = singles.iter().map(|s| place(s.edits[0])).collect();
        let silent = self
            .cells
            .iter()
            .filter(|cell| !telling.contains(&place(&cell.edits[0])));
        let silent: Vec<&Cell> = silent.collect();
        let behind = |set: &&Set<'e>| -> Result<Vec<Set<'e>>, OddsError> {
            let Some(answers) = self.trials.answers(&set.edits, set.mask)? else {
                return Ok(Vec::new());
            };
            let (trials, mask) = (self.trials, set.mask);
            let masks = readers(
                trials,
                &silent,
                &set.edits,
                &answers,
                mask,
                Watched::Targets,
            )?;
            let mut found = Vec::new();
            for (cell, _) in silent.iter().zip(masks).filter(|(_, mask)| *mask != 0) {
                for edit in &cell.edits {
                    let mut edits = set.edits.clone();
                    edits.push(edit);
                    let size: usize = edits.iter().map(|edit| edit.changes.len()).sum();
                    if size <= self.max_edits {
                        found.extend(self.solve(edits, self.trials.all())?);
                    }
                }
            }
            Ok(found)
        };
        let found: Result<Vec<Vec<Set<'e>>>, OddsError> = best.par_iter().map(behind).collect();
        Ok(found?.concat())
    }
}
