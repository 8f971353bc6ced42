//! How unlucky was that? What happened, placed among all that could have happened.
//!
//! One question with what came of it has a percentile and, where the procedure knows success, a swing: how
//! much its dice changed the chance of it. The swings of a whole game add up to a sum whose distribution
//! is known, and with it how many games are unluckier.

mod ask;
mod hindsight;
mod log;
mod order;
mod sum;
mod words;

pub use ask::{Did, LuckQuestion, Worse};
pub use hindsight::{Played, Share};
pub use log::{Log, read_log};
pub use order::{Direction, Observed};
pub use sum::{Scores, Sum};
pub use words::{game_in_words, in_words};

use grapeshot_engine::dist::{Distribution, Favour, Variable};
use grapeshot_engine::engine::Row;
use grapeshot_rules::{OddsError, RuleError};
use std::collections::BTreeMap;

/// What happened in one question, among all that could.
#[derive(Debug, Clone)]
pub struct Luck {
    /// The question, as one would type it.
    pub question: String,
    /// What was observed, in order, each with what counts as worse.
    pub observed: Vec<Observed>,
    /// The chance of exactly this.
    pub exactly: f64,
    /// The chance of anything worse.
    pub worse: f64,
    /// The chance of anything that is neither better nor worse, this among it.
    pub alike: f64,
    /// The change of the chance of success, where the procedure knows it.
    pub swing: Option<Swing>,
    /// What was the dice's doing and what the players', where they had choices.
    pub played: Option<Played>,
    /// How much luck it was, and how much it might have been.
    pub scores: Scores,
    /// Whether the odds were simulated.
    pub simulated: bool,
}

/// How much an observation changed the chance of success.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// Before anything was rolled.
    pub before: f64,
    /// Knowing what was observed.
    pub after: f64,
}

impl Swing {
    /// The change.
    pub fn by(&self) -> f64 {
        self.after - self.before
    }
}

impl Luck {
    /// The chance of this or anything worse.
    pub fn or_worse(&self) -> f64 {
        (self.worse + self.alike).min(1.0)
    }

    /// The chance of this or anything better.
    pub fn or_better(&self) -> f64 {
        (1.0 - self.worse).max(0.0)
    }

    /// The share of all that could happen that is worse, ties counted half (mid-p).
    pub fn percentile(&self) -> f64 {
        self.worse + self.alike / 2.0
    }
}

/// A whole game: every entry of its log, and their sum.
#[derive(Debug, Clone)]
pub struct Game {
    /// The entries.
    pub entries: Vec<Luck>,
    /// The sum of their luck, among all it could have been.
    pub sum: Sum,
    /// Whether the sum is one of swings: every entry knows success, or has choices. Else it is one of
    /// percentiles.
    pub of_swings: bool,
}

/// How unlucky one answer was.
///
/// # Errors
/// If the question is wrong, or what was observed cannot happen.
pub fn luck(question: &LuckQuestion) -> Result<Luck, OddsError> {
    if !question.did.is_empty() {
        return hindsight::luck(question);
    }
    let (odds, simulated) = question.odds()?;
    let observed = question.observed(&odds)?;
    Ok(Luck {
        simulated,
        question: question.text(),
        ..placed(&odds, observed)?
    })
}

/// How unlucky a whole game was. `seed` is that of the sum, where it has to be simulated.
///
/// # Errors
/// If entries are wrong: the line and the number of each are named.
pub fn game(log: &Log, seed: u64) -> Result<Game, OddsError> {
    let (mut entries, mut wrong) = (Vec::new(), Vec::new());
    for entry in &log.entries {
        match luck(&entry.question).map_err(|error| entry.blame(error)) {
            Ok(luck) => entries.push(luck),
            Err(OddsError::Rule(error)) => wrong.push(error),
            Err(other) => return Err(other),
        }
    }
    RuleError::all(wrong)?;
    let of_swings = entries
        .iter()
        .all(|e| e.swing.is_some() || e.played.is_some());
    let scores: Vec<Scores> = (entries.iter())
        .map(|entry| match of_swings {
            true => entry.scores.clone(),
            false => entry.scores.as_percentiles(),
        })
        .collect();
    Ok(Game {
        sum: Sum::of(&scores, seed),
        entries,
        of_swings,
    })
}

/// One kind of observation there could have been: its chance, and the chance of success along with it.
#[derive(Debug, Clone, Copy, Default)]
struct Possibility {
    p: f64,
    success: f64,
}

/// Places an observation among all that could have been observed.
fn placed(odds: &Distribution, observed: Vec<Observed>) -> Result<Luck, RuleError> {
    let judged = success(odds.variables());
    let mut kinds: BTreeMap<Vec<u16>, Possibility> = BTreeMap::new();
    for (row, p) in odds.joint() {
        let key = observed.iter().map(|o| row[o.at]).collect();
        let kind = kinds.entry(key).or_default();
        kind.p += p;
        if judged.is_some_and(|(at, variable)| favours(variable, row[at])) {
            kind.success += p;
        }
    }
    let this: Vec<u16> = observed.iter().map(|o| o.value).collect();
    let Some(&found) = kinds.get(&this).filter(|kind| kind.p > 0.0) else {
        return Err(order::impossible(odds, &observed));
    };
    let before: f64 = kinds.values().map(|kind| kind.success).sum();
    let rank = |key: &[u16]| order::rank(&observed, key, kinds.get(key).map_or(0.0, |k| k.p));
    let mine = rank(&this);
    let worse: f64 = sum(&kinds, |key| order::compare(&rank(key), &mine).is_lt());
    let alike: f64 = sum(&kinds, |key| order::compare(&rank(key), &mine).is_eq());
    let swing = judged.map(|_| Swing {
        before,
        after: found.success / found.p,
    });
    let percentile = worse + alike / 2.0 - 0.5;
    let percentiles = percentiles(&kinds, &rank);
    let scores = match swing {
        Some(swing) => {
            let swings = kinds
                .values()
                .map(|kind| (kind.success / kind.p - before, kind.p));
            Scores::new(swing.by(), swings)
        }
        None => Scores::new(percentile, percentiles.iter().copied()),
    };
    Ok(Luck {
        question: String::new(),
        scores: scores.with_percentiles(percentile, percentiles),
        exactly: found.p,
        worse,
        alike,
        observed,
        swing,
        played: None,
        simulated: odds.source().trials().is_some(),
    })
}

/// The chance of observations of some kind.
fn sum(kinds: &BTreeMap<Vec<u16>, Possibility>, keep: impl Fn(&[u16]) -> bool) -> f64 {
    let kept = kinds.iter().filter(|(key, _)| keep(key));
    kept.fold(0.0, |sum, (_, kind)| sum + kind.p)
}

/// Every mid-p there could have been, less a half, with its chance.
fn percentiles(
    kinds: &BTreeMap<Vec<u16>, Possibility>,
    rank: &impl Fn(&[u16]) -> Vec<f64>,
) -> Vec<(f64, f64)> {
    let mut ranked: Vec<(Vec<f64>, f64)> = kinds
        .iter()
        .map(|(key, kind)| (rank(key), kind.p))
        .collect();
    ranked.sort_by(|x, y| order::compare(&x.0, &y.0));
    let mut below = 0.0;
    let mut found = Vec::new();
    for group in ranked.chunk_by(|x, y| order::compare(&x.0, &y.0).is_eq()) {
        let p: f64 = group.iter().map(|(_, p)| p).sum();
        found.push((below + p / 2.0 - 0.5, p));
        below += p;
    }
    found
}

/// The variable that knows success, and where it stands.
fn success(variables: &[Variable]) -> Option<(usize, &Variable)> {
    variables
        .iter()
        .enumerate()
        .find(|(_, variable)| !variable.favours.is_empty())
}

fn favours(variable: &Variable, value: u16) -> bool {
    variable.favour(value) == Some(Favour::Success)
}

/// The mean of success over rows.
fn mean_success(odds: &Distribution) -> Option<(usize, f64)> {
    let (at, variable) = success(odds.variables())?;
    Some((at, odds.probability(|row: &Row| favours(variable, row[at]))))
}
