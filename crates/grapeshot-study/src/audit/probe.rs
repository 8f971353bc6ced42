//! Questions asked many times over: situations, their exact answers, and whether they differ.
//!
//! Situations are every single setting moved away from the defaults, then many moved at once, drawn
//! with a fixed seed. Those whose graph is large are left out: the audit asks thousands of questions
//! and must answer in seconds.

use super::declared::Declared;
use super::situations::{Draws, Given, situations};
use crate::parallel;
use grapeshot_engine::dist::Quantity;
use grapeshot_engine::engine::{Answer, Budget, Compiled, Row};
use grapeshot_rules::{
    CellPlace, LoadedRuleset, OddsError, Options, Procedure, Reads, RuleError, Settings, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Every distinct row with its probability.
pub(super) type Outcome = Vec<(Row, f64)>;

/// Settings of a procedure that were met, by their values.
type Met = FxHashSet<Vec<Value>>;

/// States a graph may have when a single question is asked.
const STATES: usize = 4_000;
/// States a graph may have at its defaults for its procedure to be asked thousands of times.
const SMALL: usize = 1_000;
/// Dense situations tried before anything is called dead.
const MORE: usize = 120;
/// Up to which of the usual situations each round of a search goes.
const ROUNDS: [usize; 4] = [6, 24, 96, usize::MAX];
/// The round of the dense situations: they set much, and settle most of what a few usual ones leave open.
const DENSE_ROUND: usize = 3;
/// How many of the situations that read a cell are asked of other tables.
const READING: usize = 150;
/// How many situations of a word are asked first, from either end.
const NAMED: usize = 3;
/// How long a word is that can be part of another.
const LONG_WORD: usize = 4;

fn within(states: usize) -> Options {
    Options {
        budget: Budget { states },
        ..Options::exact()
    }
}

/// The declared settings as pairs.
pub(super) fn pairs(given: &BTreeMap<String, String>) -> Given {
    given.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// A name as it would stand in a table.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// What a setting is called without its side, unless it is off, and its value.
fn words(key: &str, value: &str) -> Vec<String> {
    let name = key.rsplit('.').next().unwrap_or(key);
    match value {
        "false" => Vec::new(),
        "true" => vec![plain(name)],
        _ => vec![plain(name), plain(value)],
    }
}

/// The exact answer; none where the rules refuse the settings or the graph is too large.
pub(super) fn outcome(procedure: &Procedure, given: &Given) -> Option<Outcome> {
    outcome_within(procedure, given, SMALL)
}

fn outcome_within(procedure: &Procedure, given: &Given, states: usize) -> Option<Outcome> {
    let settings = procedure.resolve(given.iter().map(|(k, v)| (k, v))).ok()?;
    solved(procedure, &settings, states)
}

/// The same under settings that are complete: solved, and nothing said with it.
fn solved(procedure: &Procedure, settings: &Settings, states: usize) -> Option<Outcome> {
    let play = (procedure.build)(settings).ok()?;
    let compiled = Compiled::new(play.as_ref(), Budget { states }).ok()?;
    let Ok(Answer::Exact(ends)) = compiled.exact() else {
        return None;
    };
    let mut rows = Outcome::with_capacity(ends.len());
    // In the order of their rows, so that what ended alike in different phases stands together.
    for (end, p) in ends {
        match rows.last_mut() {
            Some((row, sum)) if *row == end.row => *sum += p,
            _ => rows.push((end.row, p)),
        }
    }
    play.trouble().is_none().then_some(rows)
}

/// A sum of quantities of a procedure, each taken off where it has a leading `-`.
pub(super) struct Worth<'a> {
    procedure: &'a Procedure,
    quantities: Vec<(f64, Quantity)>,
    /// What was asked already: searches that move one setting after another meet.
    asked: Mutex<FxHashMap<Vec<Value>, Option<f64>>>,
}

impl<'a> Worth<'a> {
    pub(super) fn new(
        loaded: &'a LoadedRuleset,
        procedure: &str,
        good: &[String],
    ) -> Result<Self, RuleError> {
        let procedure = loaded.procedure(procedure)?;
        let quantities = good.iter().map(|text| {
            let (sign, text) = match text.strip_prefix('-') {
                Some(rest) => (-1.0, rest),
                None => (1.0, text.as_str()),
            };
            Ok((sign, Quantity::parse(text, &procedure.variables)?))
        });
        Ok(Worth {
            procedure,
            quantities: quantities.collect::<Result<_, RuleError>>()?,
            asked: Mutex::default(),
        })
    }

    /// What it comes to; none where the rules refuse the settings or the graph is too large.
    pub(super) fn of(&self, given: &Given) -> Result<Option<f64>, RuleError> {
        let settings = self.procedure.resolve(given.iter().map(|(k, v)| (k, v)))?;
        let asked = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = asked().get(settings.values()) {
            return Ok(*known);
        }
        let worth = self.solved(&settings)?;
        asked().insert(settings.values().to_vec(), worth);
        Ok(worth)
    }

    fn solved(&self, settings: &Settings) -> Result<Option<f64>, RuleError> {
        let odds = match self.procedure.answer(settings, &within(STATES)) {
            Ok(answered) => answered.odds,
            Err(OddsError::Engine(_)) => return Ok(None),
            Err(OddsError::Rule(error)) if error.is_refusal() => return Ok(None),
            Err(OddsError::Rule(other)) => return Err(other),
        };
        let parts = self.quantities.iter().map(|(sign, quantity)| {
            sign * quantity.of(&odds).map_or(0.0, |estimate| estimate.value)
        });
        Ok(Some(parts.sum()))
    }
}

/// A situation with its answer.
pub(super) struct Known {
    pub given: Given,
    settings: Settings,
    outcome: OnceLock<Option<Outcome>>,
    /// What it reads, where somebody knows.
    read: OnceLock<Reads>,
}

impl Known {
    /// The answer; none where it is too large.
    pub(super) fn outcome(&self, procedure: &Procedure) -> Option<&Outcome> {
        let solve = || solved(procedure, &self.settings, SMALL);
        self.outcome.get_or_init(solve).as_ref()
    }
}

/// Every procedure with its situations.
pub(super) struct Probe<'a> {
    pub loaded: &'a LoadedRuleset,
    /// By procedure, those with the fewest settings first.
    pub known: Vec<Asked<'a>>,
    /// Procedures too large to be asked so often.
    pub left_out: Vec<&'a str>,
}

/// A procedure with its situations.
pub(super) struct Asked<'a> {
    pub procedure: &'a Procedure,
    usual: Vec<Known>,
    more: Vec<Known>,
    /// What all situations together read, where somebody knows.
    pub read: Option<Reads>,
    /// The usual situations that set a word: a key without its side, or a value.
    by_word: OnceLock<BTreeMap<String, Vec<usize>>>,
}

impl Asked<'_> {
    /// All situations there are, the dense ones included.
    pub(super) fn all(&self) -> impl Iterator<Item = &Known> {
        self.usual.iter().chain(&self.more)
    }

    /// The situations of one round of a search: few at first, those with much in them, then more of the usual ones,
    /// the dense ones, and the rest before anything is said of all.
    fn round(&self, round: usize) -> &[Known] {
        let until = |usual: usize| ROUNDS[usual].min(self.usual.len());
        let usual = |round: usize| match round {
            0 => &self.usual[..until(0)],
            _ => &self.usual[until(round - 1)..until(round)],
        };
        match round {
            DENSE_ROUND => &self.more,
            _ if round < DENSE_ROUND => usual(round),
            _ => usual(round - 1),
        }
    }

    /// A few situations that set something of these names: the first, with much in them, and the last, with
    /// little.
    fn named(&self, names: &[String]) -> Vec<&Known> {
        let by_word = self.by_word.get_or_init(|| {
            let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, known) in self.usual.iter().enumerate() {
                for word in known
                    .given
                    .iter()
                    .flat_map(|(key, value)| words(key, value))
                {
                    by_word.entry(word).or_default().push(at);
                }
            }
            by_word
        });
        let is_meant = |word: &str| {
            names.iter().any(|name| {
                let name = plain(name);
                let long = name.len().min(word.len()) >= LONG_WORD;
                name == word || long && (name.contains(word) || word.contains(&name))
            })
        };
        let meant = by_word.iter().filter(|(word, _)| is_meant(word));
        let places: BTreeSet<usize> = meant
            .flat_map(|(_, places)| {
                let last = &places[places.len().saturating_sub(NAMED)..];
                places.iter().take(NAMED).chain(last).copied()
            })
            .collect();
        places.into_iter().map(|at| &self.usual[at]).collect()
    }

    /// Some of the situations that read a cell, evenly among them; nothing where nobody knows what is read.
    fn reading(&self, cell: &str) -> Option<Vec<&Known>> {
        self.read.as_ref()?;
        let reads = |known: &&Known| {
            known
                .read
                .get()
                .is_some_and(|read| read.cells.contains(cell))
        };
        let all: Vec<&Known> = self.all().filter(reads).collect();
        let step = all.len().div_ceil(READING).max(1);
        Some(all.into_iter().step_by(step).collect())
    }

    /// Whether other tables give another answer in one of these situations.
    fn differs(&self, other: &Procedure, situations: &[&Known]) -> bool {
        let alike = self.procedure.reads_like(other);
        let answer = |known: &Known| match alike {
            true => solved(other, &known.settings, SMALL),
            false => outcome(other, &known.given),
        };
        parallel::any(situations, |known| {
            let before = known.outcome(self.procedure);
            before.is_some() && answer(known).as_ref() != before
        })
    }

    /// How many situations were looked at.
    pub(super) fn len(&self) -> usize {
        self.usual.len() + self.more.len()
    }
}

impl<'a> Probe<'a> {
    pub(super) fn new(loaded: &'a LoadedRuleset, declared: &Declared) -> Self {
        let base = |procedure: &Procedure| {
            let small = declared.small.get(&*procedure.name);
            small.map_or(Given::new(), pairs)
        };
        // What is only ever simulated has no answer that could be compared to the last digit.
        let solved = loaded.procedures.iter().filter(|p| !p.is_played_out());
        let mut procedures: Vec<&Procedure> = solved.collect();
        procedures.sort_by_key(|p| p.settings.len());
        let reader = loaded.reader().ok().flatten();
        let (small, large): (Vec<&Procedure>, Vec<&Procedure>) = procedures
            .into_iter()
            .partition(|p| reader.is_some() || outcome_within(p, &base(p), SMALL / 2).is_some());
        // All of them now, and not when they are asked for: threads that wait for each other's work must not wait
        // inside a cell that is filled once.
        let known = parallel::map(&small, |&procedure| {
            let base = base(procedure);
            let mut usual = situations(procedure, &base);
            usual.extend(declared.situations_of(&procedure.name));
            let mut draws = Draws::new(&format!("more {}", procedure.name));
            let dense = (0..MORE).map(|_| draws.situation(procedure, &base, &[], true));
            let dense: Vec<Given> = dense.collect();
            let mut met = Met::default();
            let usual = answered(procedure, &usual, &mut met);
            let more = answered(procedure, &dense, &mut met);
            let all: Vec<&Known> = usual.iter().chain(&more).collect();
            let read = reader.as_ref().map(|reader| {
                let each = parallel::filter_map(&all, |known| {
                    // Of what is large all that stands in its text counts as read: what is called dead is dead.
                    let read = reader(&procedure.name, &known.settings, Budget { states: SMALL });
                    let read = read.ok()?;
                    Some(known.read.get_or_init(|| read))
                });
                each.into_iter().cloned().fold(Reads::default(), Reads::and)
            });
            Asked {
                procedure,
                usual,
                more,
                read,
                by_word: OnceLock::new(),
            }
        });
        Probe {
            loaded,
            known,
            left_out: large.iter().map(|p| &*p.name).collect(),
        }
    }

    /// How many situations there are.
    pub(super) fn len(&self) -> usize {
        self.known.iter().map(Asked::len).sum()
    }

    /// Whether any situation reads a cell; nothing where nobody knows.
    pub(super) fn reads(&self, cell: &CellPlace) -> Option<bool> {
        let name = cell.to_string();
        let mut read = false;
        for asked in &self.known {
            read |= asked.read.as_ref()?.cells.contains(&name);
        }
        Some(read)
    }

    /// Whether a change of a cell gives another answer in any situation that reads it.
    pub(super) fn differs_where_read(&self, cell: &CellPlace, change: Vec<Procedure>) -> bool {
        let name = cell.to_string();
        match self.known.iter().all(|asked| asked.read.is_some()) {
            true => self.differs_in(&change, |asked| asked.reading(&name).unwrap_or_default()),
            false => self.differs([change], &[]),
        }
    }

    /// Whether one of several changes of the tables gives another answer in any situation. Those come first that
    /// set something of a name; then all procedures are asked a little before any is asked at length, with every
    /// change: most numbers matter to one of them, and soon, but a threshold often only when it is moved one way.
    pub(super) fn differs(
        &self,
        changes: impl IntoIterator<Item = Vec<Procedure>>,
        names: &[String],
    ) -> bool {
        let mut tried = Vec::new();
        for procedures in changes {
            if self.differs_in(&procedures, |asked| asked.named(names)) {
                return true;
            }
            tried.push(procedures);
        }
        (0..=ROUNDS.len()).any(|round| {
            let mut tried = tried.iter();
            tried.any(|procedures| {
                self.differs_in(procedures, |asked| asked.round(round).iter().collect())
            })
        })
    }

    fn differs_in<'k>(
        &'k self,
        procedures: &[Procedure],
        situations: impl Fn(&'k Asked<'a>) -> Vec<&'k Known>,
    ) -> bool {
        self.known.iter().any(|asked| {
            let name = &asked.procedure.name;
            let other = procedures.iter().find(|p| p.name == *name);
            other.is_none_or(|other| asked.differs(other, &situations(asked)))
        })
    }
}

/// The situations that the rules allow and that were not met before, with their answers. Many are the same: drawn
/// twice, or with a default given as if it were not one.
fn answered(procedure: &Procedure, situations: &[Given], met: &mut Met) -> Vec<Known> {
    let resolve = |given: &Given| procedure.resolve(given.iter().map(|(k, v)| (k, v)));
    let resolved = situations
        .iter()
        .filter_map(|given| Some((given, resolve(given).ok()?)));
    let new: Vec<(&Given, Settings)> = resolved
        .filter(|(_, settings)| met.insert(settings.values().to_vec()))
        .collect();
    parallel::filter_map(&new, |(given, settings)| {
        (procedure.build)(settings).ok()?;
        Some(Known {
            given: (*given).clone(),
            settings: settings.clone(),
            outcome: OnceLock::new(),
            read: OnceLock::new(),
        })
    })
}
