//! Studies that several machines work on: who does what, and how it is put together.
//!
//! The work of every cell falls into pieces ([`Situation::pieces`](grapeshot_rules::Situation::pieces)). The cells are
//! laid end to end and cut into as many shares of pieces as there are shards; every machine cuts alike, so
//! nobody has to be told. They are laid as cards are dealt, cell 0, `n`, 2`n` …, then 1, `n` + 1 …: a sweep
//! mostly has its dear cells together, and so every shard has some of them. A cell is cut only where a
//! share ends, so that few graphs are compiled twice; what is solved is solved by who has its first piece.

use super::experiment::StudyMethod;
use super::results::{Answers, Results};
use super::run::{self, Prepared};
use crate::parallel;
use grapeshot_engine::engine::Watch;
use grapeshot_rules::{Engines, OddsError, PartialAnswer, RuleError, Situation};
use serde::{Deserialize, Serialize};
use std::io::{BufReader, Read};
use std::ops::Range;

/// The most shards there may be.
const MOST_SHARDS: u64 = 100_000;

/// One of several machines: its number, from 1, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let number = |text: &str| text.parse::<u64>().ok();
        let parts = text.split_once('/');
        match parts.and_then(|(k, n)| Some((number(k)?, number(n)?))) {
            Some((number, of)) => Shard::new(number, of),
            None => {
                let problem = "allowed is a number and how many there are, such as 3/16";
                Err(RuleError::argument("shard", text, problem))
            }
        }
    }
}

impl Shard {
    /// Shard `number` of so many.
    ///
    /// # Errors
    /// If there is no such shard.
    pub fn new(number: u64, of: u64) -> Result<Self, RuleError> {
        let wrong =
            |problem: String| RuleError::argument("shard", format!("{number}/{of}"), problem);
        if !(1..=MOST_SHARDS).contains(&of) {
            let most = crate::wording::grouped(MOST_SHARDS);
            return Err(wrong(format!("there can be 1 to {most} shards")));
        }
        if !(1..=of).contains(&number) {
            return Err(wrong(format!("shards are numbered from 1 to {of}")));
        }
        Ok(Shard { number, of })
    }

    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many there are.
    pub fn of(&self) -> u64 {
        self.of
    }

    /// Its share of so many pieces in a row.
    fn batch_range(&self, pieces: u64) -> Range<u64> {
        let upto = |number: u64| {
            let upto = u128::from(pieces) * u128::from(number) / u128::from(self.of);
            u64::try_from(upto).expect("no more than all pieces")
        };
        upto(self.number - 1)..upto(self.number)
    }
}

/// What a shard does of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The position of the cell.
    pub cell: usize,
    /// The pieces of its work.
    pub pieces: Range<u64>,
}

/// What a shard does of cells that have so many pieces each; in the order of the cells.
pub fn deal(pieces: &[u64], shard: Shard) -> Vec<Share> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&cell| (cell as u64 % shard.of, cell));
    let batch_range = shard.batch_range(pieces.iter().sum());
    let mut shares = Vec::new();
    let mut begin = 0;
    for cell in order {
        let end = begin + pieces[cell];
        let (from, to) = (batch_range.start.max(begin), batch_range.end.min(end));
        if from < to {
            let pieces = from - begin..to - begin;
            shares.push(Share { cell, pieces });
        }
        begin = end;
    }
    shares.sort_by_key(|share| share.cell);
    shares
}

/// What a shard found of a cell: what it writes down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardResult {
    /// The position of the study among those that are run together.
    pub study: usize,
    /// The position of the cell in its sweep.
    pub cell: usize,
    /// What was found.
    pub found: PartialAnswer,
}

/// Why a shard has nothing to write down.
#[derive(Debug, thiserror::Error)]
#[error("{id}: {error}")]
pub struct ShareError {
    /// The study.
    pub id: String,
    /// Why.
    pub error: OddsError,
}

/// A cell that the rules allow, with its place among those of all studies.
struct Task<'a> {
    study: usize,
    cell: usize,
    prepared: &'a Prepared,
    situation: &'a Situation,
}

impl Prepared {
    fn engines(&self) -> Engines {
        match self.method() {
            StudyMethod::Both => Engines::Both,
            StudyMethod::Simulate | StudyMethod::Exact => Engines::One,
        }
    }
}

/// Does what is a shard's of some studies. Nothing is returned when it was stopped on the way.
///
/// # Errors
/// If an engine cannot answer.
pub fn find(
    studies: &[Prepared],
    shard: Shard,
    watch: &Watch,
) -> Result<Option<Vec<ShardResult>>, ShareError> {
    let (tasks, pieces) = tasks(studies)?;
    let shares = deal(&pieces, shard);
    let kept: Result<Vec<ShardResult>, ShareError> = parallel::try_map(&shares, |share| {
        let task = &tasks[share.cell];
        let prepared = task.prepared;
        let (options, engines) = (prepared.options(), prepared.engines());
        let found = task
            .situation
            .find(&options, engines, share.pieces.clone(), watch)
            .map_err(|error| failed(prepared, error))?;
        if prepared.method() == StudyMethod::Exact {
            watch.add(1);
        }
        Ok(ShardResult {
            study: task.study,
            cell: task.cell,
            found,
        })
    });
    let kept = kept?;
    Ok((!watch.stopped()).then_some(kept))
}

/// Every cell that is answered, with the pieces of its work.
fn tasks(studies: &[Prepared]) -> Result<(Vec<Task<'_>>, Vec<u64>), ShareError> {
    let mut tasks = Vec::new();
    let mut pieces = Vec::new();
    for (study, prepared) in studies.iter().enumerate() {
        for (cell, one) in prepared.cells.iter().enumerate() {
            let Ok(situation) = &one.situation else {
                continue;
            };
            let its = situation.pieces(&prepared.options(), prepared.engines());
            pieces.push(its.map_err(|error| failed(prepared, error.into()))?);
            tasks.push(Task {
                study,
                cell,
                prepared,
                situation,
            });
        }
    }
    Ok((tasks, pieces))
}

fn failed(prepared: &Prepared, error: OddsError) -> ShareError {
    ShareError {
        id: prepared.experiment().id.clone(),
        error,
    }
}

/// The most bytes that what a shard found may have, written out: a file that is packed says nothing of its size.
pub const MOST_BYTES: u64 = 1 << 28;

/// Reads what a shard wrote down, from whoever it comes: no more than [`MOST_BYTES`], and only numbers that go together.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_results(from: impl Read) -> Result<Vec<ShardResult>, RuleError> {
    let mut from = BufReader::new(from.take(MOST_BYTES));
    let read: Result<Vec<ShardResult>, _> = serde_json::from_reader(&mut from);
    let kept = read.map_err(|error| {
        RuleError::Other(match from.get_ref().limit() {
            0 => format!("it has more than {MOST_BYTES} bytes, unpacked"),
            _ => error.to_string(),
        })
    })?;
    kept.iter().try_for_each(|one| one.found.adds_up())?;
    Ok(kept)
}

/// Whether what all shards found can be of these studies: every cell is one that was asked, and every number one that it
/// could have come to.
///
/// # Errors
/// Names the cell and what cannot be.
pub fn could_find(studies: &[Prepared], kept: &[ShardResult]) -> Result<(), RuleError> {
    for one in kept {
        let cell = studies
            .get(one.study)
            .and_then(|study| Some((study, study.cells.get(one.cell)?)));
        let asked =
            cell.and_then(|(study, cell)| Some((study, cell, cell.situation.as_ref().ok()?)));
        let Some((study, cell, situation)) = asked else {
            return Err(RuleError::Other(format!(
                "the shards hold a cell that nobody asked for, number {} of study {}",
                one.cell, one.study
            )));
        };
        situation.could_find(&one.found).map_err(|error| {
            let (id, place) = (&study.experiment().id, placed(&cell.place));
            RuleError::Other(format!("what the shards found of {id}, `{place}`: {error}"))
        })?;
    }
    Ok(())
}

/// A cell by its settings.
fn placed(place: &[(String, impl std::fmt::Display)]) -> String {
    let place: Vec<String> = place.iter().map(|(k, v)| format!("{k}={v}")).collect();
    place.join(" ")
}

/// What all shards found, cell by cell. Nothing if two of them do not go together.
pub fn put_together(kept: impl IntoIterator<Item = ShardResult>) -> Option<Vec<ShardResult>> {
    let mut all: std::collections::BTreeMap<(usize, usize), PartialAnswer> = Default::default();
    for one in kept {
        let place = (one.study, one.cell);
        let known = all.remove(&place).unwrap_or_default();
        all.insert(place, known.and(one.found)?);
    }
    let all = all.into_iter();
    let kept = all.map(|((study, cell), found)| ShardResult { study, cell, found });
    Some(kept.collect())
}

/// What an experiment found, from what all shards found together; `kept` are the cells of this study, in
/// their order. Best play that is drawn is found here, by whoever draws it.
///
/// # Errors
/// If something is not there.
pub fn results_found(
    prepared: &Prepared,
    kept: &[ShardResult],
    watch: &Watch,
) -> Result<Option<Results>, OddsError> {
    let missing = |at: usize| {
        OddsError::Rule(RuleError::Other(format!(
            "the shards do not hold all of the cell `{}`",
            placed(&prepared.cells[at].place)
        )))
    };
    run::results(prepared, watch, |at, situation| {
        let found = kept.binary_search_by_key(&at, |one| one.cell);
        let found = &kept[found.map_err(|_| missing(at))?].found;
        let (exact, simulated) = situation.both_found(&prepared.options(), found)?;
        let (wants_exact, wants_simulated) = match prepared.method() {
            StudyMethod::Exact => (true, false),
            StudyMethod::Simulate => (false, true),
            StudyMethod::Both => (true, true),
        };
        if (exact.is_some(), simulated.is_some()) != (wants_exact, wants_simulated) {
            return Err(missing(at));
        }
        Ok(Answers { exact, simulated })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn dealt(pieces: &[u64], of: u64) -> Vec<Vec<Share>> {
        let shards = (1..=of).map(|number| Shard::new(number, of).unwrap());
        shards.map(|shard| deal(pieces, shard)).collect()
    }

    #[test]
    fn every_piece_is_dealt_once_and_nobody_has_much_more_than_another() {
        for (pieces, of) in [
            (vec![16; 60], 16),
            (vec![1; 7], 3),
            (vec![1, 1, 1], 16),
            (vec![1000], 7),
            (vec![5, 0, 9, 1], 4),
            (vec![], 3),
        ] {
            let mut times: BTreeMap<(usize, u64), u32> = BTreeMap::new();
            let mut sizes = Vec::new();
            for shares in dealt(&pieces, of) {
                let mine = shares.iter().flat_map(|share| {
                    let cell = share.cell;
                    share.pieces.clone().map(move |piece| (cell, piece))
                });
                let before: u32 = times.values().sum();
                mine.for_each(|piece| *times.entry(piece).or_default() += 1);
                sizes.push(times.values().sum::<u32>() - before);
            }
            assert_eq!(
                times.len() as u64,
                pieces.iter().sum::<u64>(),
                "none is left"
            );
            assert!(times.values().all(|&n| n == 1), "none is dealt twice");
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(most - least <= 1, "{sizes:?}");
        }
    }

    #[test]
    fn cells_are_dealt_like_cards_and_few_are_cut() {
        let cells = |shares: &[Share]| shares.iter().map(|s| s.cell).collect::<Vec<_>>();
        let shards = dealt(&[16; 9], 3);
        assert_eq!(cells(&shards[0]), [0, 3, 6]);
        assert_eq!(cells(&shards[2]), [2, 5, 8]);
        let held: usize = dealt(&[16; 60], 16).iter().map(Vec::len).sum();
        assert!(
            held <= 60 + 15,
            "at most one cell is cut at each end: {held}"
        );
    }

    #[test]
    fn a_shard_that_is_not_there_is_refused() {
        for (number, of) in [(0, 3), (4, 3), (1, 0), (1, 100_001)] {
            let refused = Shard::new(number, of).unwrap_err().to_string();
            assert!(refused.contains(&format!("{number}/{of}")), "{refused}");
        }
    }
}
