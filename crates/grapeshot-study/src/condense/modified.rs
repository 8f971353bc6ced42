//! One column, and a modifier of the roll for each of the others.
//!
//! Thresholds and modifiers are found by turns: with the modifiers held, the best thresholds of a row follow from those
//! before them one by one; with the thresholds held, every modifier is tried. It ends where neither turn helps; begun from
//! every column, the best is kept. That is a search and no proof.

use super::faces::Truth;
use super::{Error, apart};
use serde::Serialize;

/// Rounds of a search, at most.
const ROUNDS: usize = 30;
/// Rounds that gain no more than this are the last.
const ROUNDING: f64 = 1e-12;

/// A chart of one column, with modifiers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Modified {
    /// What is added to the roll in each column; nothing in the first.
    pub modifiers: Vec<i64>,
    /// For each row the highest modified roll of every end but the last.
    pub upto: Vec<Vec<i64>>,
    /// How far it is from the truth.
    pub error: Error,
}

impl Modified {
    /// Searches; nothing if cells are refused or there is one column only.
    pub(super) fn find(truth: &Truth, die: u32) -> Option<Self> {
        let cells: Vec<&Vec<f64>> = truth
            .cells
            .iter()
            .map(Option::as_ref)
            .collect::<Option<_>>()?;
        if truth.columns < 2 {
            return None;
        }
        let search = Search {
            rows: truth.rows,
            columns: truth.columns,
            cells,
            die: i64::from(die),
        };
        let begun = (0..truth.columns).map(|first| search.from(first));
        let mut best: Option<Modified> = None;
        for found in begun {
            if best
                .as_ref()
                .is_none_or(|known| found.error.mean < known.error.mean - ROUNDING)
            {
                best = Some(found);
            }
        }
        best
    }

    /// How many faces each end has in a cell.
    pub(super) fn faces(&self, row: usize, column: usize, die: u32) -> Vec<u32> {
        faces(&self.upto[row], self.modifiers[column], i64::from(die))
    }
}

fn faces(upto: &[i64], modifier: i64, die: i64) -> Vec<u32> {
    let mut before = 0;
    let tops = upto.iter().map(|top| (top - modifier).clamp(0, die));
    let tops = tops.chain([die]);
    tops.map(|top| {
        let own = (top - before).max(0);
        before = before.max(top);
        own as u32
    })
    .collect()
}

struct Search<'a> {
    rows: usize,
    columns: usize,
    cells: Vec<&'a Vec<f64>>,
    die: i64,
}

impl Search<'_> {
    /// By turns, beginning with the thresholds that are best for one column.
    fn from(&self, first: usize) -> Modified {
        let mut modifiers = vec![0i64; self.columns];
        let only: Vec<usize> = vec![first];
        let thresholds = |modifiers: &[i64], of: &[usize]| -> Vec<Vec<i64>> {
            let rows = 0..self.rows;
            rows.map(|row| self.thresholds(row, modifiers, of))
                .collect()
        };
        let all: Vec<usize> = (0..self.columns).collect();
        let mut upto = thresholds(&modifiers, &only);
        let mut cost = f64::INFINITY;
        for _ in 0..ROUNDS {
            for (column, modifier) in modifiers.iter_mut().enumerate() {
                *modifier = self.modifier(column, &upto);
            }
            upto = thresholds(&modifiers, &all);
            let now = self.error(&upto, &modifiers).mean;
            if now >= cost - ROUNDING {
                break;
            }
            cost = now;
        }
        // The first column is the one that is not modified.
        let base = modifiers[0];
        modifiers.iter_mut().for_each(|modifier| *modifier -= base);
        upto.iter_mut().flatten().for_each(|top| *top -= base);
        Modified {
            error: self.error(&upto, &modifiers),
            modifiers,
            upto,
        }
    }

    fn error(&self, upto: &[Vec<i64>], modifiers: &[i64]) -> Error {
        let places =
            (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        Error::of(places.map(|(row, column)| {
            let faces = faces(&upto[row], modifiers[column], self.die);
            apart(
                self.cells[row * self.columns + column],
                &faces,
                self.die as u32,
            )
        }))
    }

    /// The best modifier of a column; of equals the nearest to nought.
    fn modifier(&self, column: usize, upto: &[Vec<i64>]) -> i64 {
        let cost = |modifier: i64| -> f64 {
            let rows = upto.iter().enumerate();
            let each = rows.map(|(row, upto)| {
                let faces = faces(upto, modifier, self.die);
                apart(
                    self.cells[row * self.columns + column],
                    &faces,
                    self.die as u32,
                )
            });
            each.sum()
        };
        let (mut best, mut least) = (0, cost(0));
        for size in 1..=self.die {
            for modifier in [size, -size] {
                let cost = cost(modifier);
                if cost < least - ROUNDING {
                    (best, least) = (modifier, cost);
                }
            }
        }
        best
    }

    /// The best thresholds of a row over some columns: from each end to the next, the least that all so far can cost when
    /// its highest roll is so much.
    fn thresholds(&self, row: usize, modifiers: &[i64], of: &[usize]) -> Vec<i64> {
        let reach = of.iter().map(|&column| modifiers[column]);
        let (low, high) = reach.fold((0, 0), |(low, high), x| (x.min(low), x.max(high)));
        let tops: Vec<i64> = (low..=self.die + high).collect();
        let cell = |column: usize| self.cells[row * self.columns + column];
        let ends = cell(of[0]).len();
        // For each column, how many faces of the die are at or below each threshold.
        let at: Vec<Vec<f64>> = (of.iter())
            .map(|&column| {
                let faces = |top: &i64| (top - modifiers[column]).clamp(0, self.die) as f64;
                tops.iter().map(faces).collect()
            })
            .collect();
        let wanted = |end: usize| -> Vec<f64> {
            let of = of.iter().map(|&column| cell(column)[end] * self.die as f64);
            of.collect()
        };
        let mut costs: Vec<f64> = {
            let wanted = wanted(0);
            let cost = |top: usize| {
                at.iter()
                    .zip(&wanted)
                    .map(|(at, want)| (at[top] - want).abs())
                    .sum()
            };
            (0..tops.len()).map(cost).collect()
        };
        if ends == 1 {
            return Vec::new();
        }
        let mut before: Vec<Vec<usize>> = Vec::new();
        for end in 1..ends - 1 {
            let wanted = wanted(end);
            let mut next = vec![f64::INFINITY; tops.len()];
            let mut from = vec![0; tops.len()];
            for top in 0..tops.len() {
                for last in 0..=top {
                    let own = at.iter().zip(&wanted);
                    let own: f64 = own
                        .map(|(at, want)| (at[top] - at[last] - want).abs())
                        .sum();
                    if costs[last] + own < next[top] - ROUNDING {
                        (next[top], from[top]) = (costs[last] + own, last);
                    }
                }
            }
            costs = next;
            before.push(from);
        }
        let wanted = wanted(ends - 1);
        let whole = |top: usize| {
            let rest = at.iter().zip(&wanted);
            let rest: f64 = rest
                .map(|(at, want)| (self.die as f64 - at[top] - want).abs())
                .sum();
            costs[top] + rest
        };
        let mut top = 0;
        for other in 1..tops.len() {
            if whole(other) < whole(top) - ROUNDING {
                top = other;
            }
        }
        let mut found = vec![tops[top]];
        for from in before.iter().rev() {
            top = from[top];
            found.push(tops[top]);
        }
        found.reverse();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_modifier_is_found_as_one() {
        // Thresholds 30 and 60 of a d100, and a column that adds 15.
        let cells = [
            [0.3, 0.3, 0.4],
            [0.15, 0.3, 0.55],
            [0.5, 0.25, 0.25],
            [0.35, 0.25, 0.4],
        ];
        let truth = Truth {
            rows: 2,
            columns: 2,
            cells: cells.iter().map(|cell| Some(cell.to_vec())).collect(),
        };
        let found = Modified::find(&truth, 100).expect("a search");
        assert_eq!(found.modifiers, [0, 15]);
        assert_eq!(found.upto, [[30, 60], [50, 75]]);
        assert!(found.error.worst < 1e-12);
        assert_eq!(found.faces(1, 1, 100), [35, 25, 40]);
    }
}
