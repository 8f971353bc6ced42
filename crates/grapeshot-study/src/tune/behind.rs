//! Sets from a first edit on: cells that are read only once it is made, and others that weigh otherwise beside it.
//!
//! A shift of the column, a factor, a number of dice decides which cells a question reads at all. Of each cell it is
//! found out whether changing it opens the way to others; the edits of such cells, and the best single edits, are
//! anchors. Around an anchor every other edit is solved again, and sums of two are sums from there.

use super::combine::in_turn;
use super::guess::Space;
use super::moves::Edit;
use super::read::EditableCell;
use super::search::{AT_ONCE, Search};
use super::set::Set;
use super::trial::Mask;
use crate::parallel;
use grapeshot_rules::{CellPlace, OddsError};
use std::collections::BTreeSet;

/// Edits around which others are solved again.
const ANCHORS: usize = 32;
/// Of these, at most so many of the same cell.
const ALIKE: usize = 6;
/// Single edits that are anchors although they open no way, the nearest first.
const NEAREST: usize = 8;
/// Sets behind which silent cells are looked for.
const BEHIND: usize = 36;
/// Edits that are solved around one anchor, the smallest first.
const AROUND: usize = 400;

/// An edit from which others are looked for.
pub(super) struct Anchor<'e> {
    pub first: Set<'e>,
    /// The anchor with an edit of a cell that some question reads only then.
    pub behind: Vec<Set<'e>>,
}

fn place<'s>(set: &'s Set<'_>) -> &'s CellPlace {
    &set.edits[0].changes[0].place
}

impl<'e> Search<'_, 'e> {
    /// The anchors: edits that open a way to other cells, and the nearest single edits.
    pub(super) fn anchors(&self, singles: &[Set<'e>]) -> Result<Vec<Anchor<'e>>, OddsError> {
        let cells: Vec<&[Set<'e>]> = singles.chunk_by(|a, b| place(a) == place(b)).collect();
        let opening: Vec<bool> = parallel::try_map(&cells, |cell| {
            let ends = [cell.first(), cell.last()];
            for set in ends.into_iter().flatten() {
                if !self.newly_read(set)?.is_empty() {
                    return Ok(true);
                }
            }
            Ok::<_, OddsError>(false)
        })?;
        let all = cells.iter().zip(&opening).filter(|(_, opens)| **opens);
        let mut gates: Vec<&Set<'e>> = all.flat_map(|(cell, _)| cell.iter()).collect();
        gates.sort_by(|a, b| a.nearer(b));
        let by_miss = numbers(singles, &gates);
        gates.sort_by(|a, b| a.order(b));
        let by_size = numbers(singles, &gates);
        let mut nearest: Vec<&Set<'e>> = singles.iter().collect();
        nearest.sort_by(|a, b| a.nearer(b));
        nearest.truncate(NEAREST);
        let chosen = in_turn(vec![by_miss, by_size], usize::MAX);
        let mut anchors: Vec<usize> = Vec::new();
        for at in chosen.into_iter().chain(numbers(singles, &nearest)) {
            let same = |known: &&usize| place(&singles[**known]) == place(&singles[at]);
            let alike = anchors.iter().filter(same).count();
            if alike < ALIKE && anchors.len() < ANCHORS && !anchors.contains(&at) {
                anchors.push(at);
            }
        }
        parallel::try_map(&anchors, |&at| {
            let first = &singles[at];
            let mut behind = Vec::new();
            for (cell, mask) in self.newly_read(first)? {
                for edit in cell.edits.iter().filter(|edit| first.apart(edit)) {
                    let edits = vec![first.edits[0], edit];
                    behind.extend(self.solve(edits, first.mask | mask)?);
                }
            }
            Ok(Anchor {
                first: first.clone(),
                behind,
            })
        })
    }

    /// The cells that some question reads only after these edits, with all questions that read them then.
    fn newly_read(&self, set: &Set<'e>) -> Result<Vec<(&'e EditableCell, Mask)>, OddsError> {
        let Some(read) = self.trials.reads(&set.edits)? else {
            return Ok(Vec::new());
        };
        let apart = |cell: &EditableCell| cell.edits.iter().all(|edit| set.apart(edit));
        let mut found = Vec::new();
        for (cell, before) in self.cells.iter().zip(&self.masks) {
            let now = cell.readers(&read) & set.mask;
            if now & !before != 0 && apart(cell) {
                found.push((cell, now | before));
            }
        }
        Ok(found)
    }

    /// The best sums of two from an anchor, with the anchor.
    pub(super) fn continued(
        &self,
        anchor: &Anchor<'e>,
        pool: &[&Set<'e>],
        spaces: &[Space; 2],
    ) -> Result<Vec<(Vec<&'e Edit>, Mask)>, OddsError> {
        let first = &anchor.first;
        let opened: BTreeSet<&CellPlace> = anchor
            .behind
            .iter()
            .map(|set| &set.edits[1].changes[0].place)
            .collect();
        let others = pool
            .iter()
            .filter(|set| first.apart(set.edits[0]) && !opened.contains(place(set)));
        let others: Vec<&Set<'e>> = others.take(AROUND).copied().collect();
        let around = parallel::try_map(&others, |other| self.beside(first, other))?;
        let around: Vec<Set<'e>> = around.into_iter().flatten().collect();
        let all: Vec<&Set<'e>> = anchor.behind.iter().chain(&around).collect();
        let fits = |at: &[usize]| {
            let [a, b] = [all[at[0]], all[at[1]]];
            let cells = a.cells() + b.cells() - first.cells();
            cells <= self.max_edits && !a.edits[1].meets(b.edits[1])
        };
        let sums = spaces.iter().map(|space| {
            let ends = all.iter().map(|set| set.values.as_slice());
            space
                .steps(space.point(&first.values), ends)
                .twos(AT_ONCE, fits)
        });
        let together = |at: Vec<usize>| {
            let [a, b] = [all[at[0]], all[at[1]]];
            (
                vec![first.edits[0], a.edits[1], b.edits[1]],
                a.mask | b.mask,
            )
        };
        let best = in_turn(sums.collect(), AT_ONCE);
        Ok(best.into_iter().map(together).collect())
    }

    /// An edit beside an anchor: solved only where both are read by the same question.
    fn beside(&self, first: &Set<'e>, other: &Set<'e>) -> Result<Option<Set<'e>>, OddsError> {
        let edits = vec![first.edits[0], other.edits[0]];
        let shared = first.mask & other.mask;
        let values = match shared {
            0 => self.base.clone(),
            shared => match self.trials.values(&edits, shared)? {
                Some(values) => values,
                None => return Ok(None),
            },
        };
        let values = self.trials.joined(values, shared, first, other);
        Ok(Some(Set {
            miss: self.trials.miss(&values),
            mask: first.mask | other.mask,
            edits,
            values,
        }))
    }

    /// The nearest sets with an edit of a cell that does something only after them.
    pub(super) fn silent_behind(&self, fewer: &[Set<'e>]) -> Result<Vec<Set<'e>>, OddsError> {
        let mut best: Vec<&Set<'e>> = Vec::new();
        for set in fewer {
            let alike = best.iter().filter(|known| place(known) == place(set));
            if alike.count() < ALIKE && best.len() < BEHIND {
                best.push(set);
            }
        }
        let behind = |set: &&Set<'e>| -> Result<Vec<Set<'e>>, OddsError> {
            let mut found = Vec::new();
            for (cell, mask) in self.newly_read(set)? {
                for edit in &cell.edits {
                    if set.cells() + edit.changes.len() <= self.max_edits {
                        let edits = set.edits.iter().copied().chain([edit]).collect();
                        found.extend(self.solve(edits, set.mask | mask)?);
                    }
                }
            }
            Ok(found)
        };
        Ok(parallel::try_map(&best, behind)?.concat())
    }
}

/// Where sets stand in a list.
fn numbers(all: &[Set<'_>], some: &[&Set<'_>]) -> Vec<usize> {
    let at = |set: &&Set<'_>| all.iter().position(|known| std::ptr::eq(known, *set));
    some.iter().filter_map(at).collect()
}
