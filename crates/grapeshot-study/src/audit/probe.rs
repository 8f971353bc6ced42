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
    CellPlace, LoadedRuleset, OddsError, Options, Procedure, Reader, Reads, RuleError, Settings,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Every distinct row with its probability.
pub(super) type Outcome = Vec<(Row, f64)>;

/// States a graph may have when a single question is asked.
const STATES: usize = 4_000;
/// States a graph may have at its defaults for its procedure to be asked thousands of times.
const SMALL: usize = 1_000;
/// Dense situations tried before anything is called dead.
const MORE: usize = 120;
/// How many situations of each procedure are looked at first.
const FIRST: usize = 16;
/// How many of the situations that read a cell are asked of other tables.
const READING: usize = 150;
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

/// The exact answer; none where the rules refuse the settings or the graph is too large.
pub(super) fn outcome(procedure: &Procedure, given: &Given) -> Option<Outcome> {
    let settings = procedure.resolve(given.iter().map(|(k, v)| (k, v))).ok()?;
    solved(procedure, &settings, SMALL)
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

/// A situation, what it reads, and its answer.
pub(super) struct Known {
    pub given: Given,
    settings: Settings,
    outcome: OnceLock<Option<Outcome>>,
    read: OnceLock<Option<Reads>>,
}

impl Known {
    /// The answer; none where it is too large.
    fn outcome(&self, procedure: &Procedure) -> Option<&Outcome> {
        let solve = || solved(procedure, &self.settings, SMALL);
        self.outcome.get_or_init(solve).as_ref()
    }

    /// What it reads. Of what is large all that stands in its text counts as read: what is called dead is dead.
    fn read(&self, reader: &Reader, procedure: &Procedure) -> Option<&Reads> {
        let budget = Budget { states: SMALL };
        let read = || {
            let read = reader.reads(&procedure.name, &self.settings, budget);
            read.ok()
        };
        self.read.get_or_init(read).as_ref()
    }
}

/// Every procedure with its situations.
pub(super) struct Probe<'a> {
    pub loaded: &'a LoadedRuleset,
    reader: Reader,
    /// By procedure, those with the fewest settings first.
    pub known: Vec<Asked<'a>>,
}

/// A procedure with its situations.
pub(super) struct Asked<'a> {
    pub procedure: &'a Procedure,
    situations: Vec<Known>,
    /// How many of them were looked at: enough to know what is dead.
    looked_at: usize,
    /// The cells that stand in its text.
    mentions: BTreeSet<String>,
    /// Settings that have no effect unless a situation reads them.
    keys: Vec<String>,
    /// What all situations together read, as far as it is looked for.
    pub read: Reads,
}

impl Asked<'_> {
    /// Some of the first situations that read a cell, evenly among them.
    fn reading(&self, cell: &str, reader: &Reader, first: usize) -> Vec<&Known> {
        let reads = parallel::map(&self.situations[..first], |known| {
            let read = known.read(reader, self.procedure);
            read.is_some_and(|read| read.cells.contains(cell))
        });
        let each = self.situations.iter().zip(reads);
        let all: Vec<&Known> = each
            .filter_map(|(known, reads)| reads.then_some(known))
            .collect();
        let step = all.len().div_ceil(READING).max(1);
        all.into_iter().step_by(step).collect()
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

    /// How many situations there are.
    pub(super) fn len(&self) -> usize {
        self.situations.len()
    }

    /// Whether more situations could show what is still looked for.
    fn goes_on(&self, cells: &[Vec<String>]) -> bool {
        let stands = |cells: &Vec<String>| cells.iter().any(|cell| self.mentions.contains(cell));
        let key = |key: &String| !self.read.keys.contains(key);
        self.looked_at < self.len() && (self.keys.iter().any(key) || cells.iter().any(stands))
    }
}

impl<'a> Probe<'a> {
    /// Looks until every setting that is looked for was read by a situation of its procedure, and of each of these lists of
    /// cells one by any situation; else at all situations. None where the rules are no text, so that nobody knows what is read.
    pub(super) fn new(
        loaded: &'a LoadedRuleset,
        declared: &Declared,
        cells: Vec<Vec<String>>,
    ) -> Result<Option<Self>, RuleError> {
        let Some(reader) = loaded.reader()? else {
            return Ok(None);
        };
        // What is only ever simulated has no answer that could be compared to the last digit.
        let solved = loaded.procedures.iter().filter(|p| !p.is_played_out());
        let mut procedures: Vec<&Procedure> = solved.collect();
        procedures.sort_by_key(|p| p.settings.len());
        // All of them now, and not when they are asked for: threads that wait for each other's work must not wait
        // inside a cell that is filled once.
        let known = parallel::map(&procedures, |&procedure| {
            let small = declared.small.get(&*procedure.name);
            let base = small.map_or(Given::new(), pairs);
            let mut given = situations(procedure, &base);
            given.extend(declared.situations_of(&procedure.name));
            let mut draws = Draws::new(&format!("more {}", procedure.name));
            given.extend((0..MORE).map(|_| draws.situation(procedure, &base, &[], true)));
            let shared = declared.shared.get(&*procedure.name);
            let keys = procedure.settings.iter().map(|setting| &setting.key);
            let own = keys.filter(|key| shared.is_none_or(|shared| !shared.contains(key)));
            Asked {
                procedure,
                situations: allowed(procedure, &given),
                looked_at: 0,
                mentions: reader.mentions(&procedure.name),
                keys: own.cloned().collect(),
                read: Reads::default(),
            }
        });
        let mut probe = Probe {
            loaded,
            reader,
            known,
        };
        probe.look(cells);
        Ok(Some(probe))
    }

    /// Looks at more and more situations, as long as they could show anything new. Nearly all is read by the first few, and
    /// what is read by none stands in the text of few procedures.
    fn look(&mut self, mut cells: Vec<Vec<String>>) {
        let mut more = FIRST;
        loop {
            let going = self.known.iter().enumerate();
            let going = going.filter(|(_, asked)| asked.goes_on(&cells));
            let batch: Vec<(usize, usize)> = going
                .flat_map(|(at, asked)| {
                    let end = asked.len().min(asked.looked_at + more);
                    (asked.looked_at..end).map(move |situation| (at, situation))
                })
                .collect();
            if batch.is_empty() {
                return;
            }
            parallel::map(&batch, |&(at, situation)| {
                let asked = &self.known[at];
                asked.situations[situation].read(&self.reader, asked.procedure);
            });
            for (at, situation) in batch {
                let asked = &mut self.known[at];
                asked.looked_at = situation + 1;
                if let Some(Some(read)) = asked.situations[situation].read.get() {
                    asked.read = std::mem::take(&mut asked.read).and(read.clone());
                }
            }
            cells.retain(|cells| !cells.iter().any(|cell| self.reads_named(cell)));
            more *= 2;
        }
    }

    /// How many situations there are.
    pub(super) fn len(&self) -> usize {
        self.known.iter().map(Asked::len).sum()
    }

    /// Whether any situation reads a cell that was looked for.
    pub(super) fn reads(&self, cell: &CellPlace) -> bool {
        self.reads_named(&cell.to_string())
    }

    fn reads_named(&self, name: &str) -> bool {
        let mut asked = self.known.iter();
        asked.any(|asked| asked.read.cells.contains(name))
    }

    /// Whether a change of a cell gives another answer in any situation that reads it.
    pub(super) fn differs(&self, cell: &CellPlace, changed: &[Procedure]) -> bool {
        let name = cell.to_string();
        self.known.iter().any(|asked| {
            let own = &asked.procedure.name;
            let other = changed.iter().find(|p| p.name == *own);
            other.is_none_or(|other| {
                let among = |first: usize| {
                    let reading = asked.reading(&name, &self.reader, first);
                    asked.differs(other, &reading)
                };
                // All of them only where those at hand do not show it.
                asked.mentions.contains(&name) && (among(asked.looked_at) || among(asked.len()))
            })
        })
    }
}

/// The situations that the rules allow, each once. Many are the same: drawn twice, or with a default given as if it
/// were not one.
fn allowed(procedure: &Procedure, situations: &[Given]) -> Vec<Known> {
    let mut met: FxHashSet<Vec<Value>> = FxHashSet::default();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::dead;

    /// So many situations of each procedure are compared with its text.
    const SOME: usize = 40;

    /// Whoever stops looking where nothing more could be read relies on it.
    #[test]
    fn what_is_read_stands_in_the_text_and_is_soon_known() {
        for id in ["gbacw", "impact"] {
            let ruleset = grapeshot_rules::find(id).expect("a ruleset");
            let loaded = ruleset.load(&[]).expect("rules");
            let declared = Declared::read(&loaded.tables).expect("an audit");
            let cells = dead::looked_for(&loaded.tables, &declared).expect("tables");
            let probe = Probe::new(&loaded, &declared, cells.clone());
            let probe = probe.expect("rules").expect("a text");
            for asked in &probe.known {
                let named = format!("{id} {}", asked.procedure.name);
                for known in asked.situations.iter().take(SOME) {
                    let Some(read) = known.read(&probe.reader, asked.procedure) else {
                        continue;
                    };
                    let not_there: Vec<&String> = read.cells.difference(&asked.mentions).collect();
                    assert!(not_there.is_empty(), "{named} reads {not_there:?}");
                }
                assert!(!asked.mentions.is_empty(), "{named}");
            }
            let looked_at: usize = probe.known.iter().map(|asked| asked.looked_at).sum();
            assert!(
                looked_at < probe.len() / 2,
                "{id}: {looked_at} of {}",
                probe.len()
            );
            // Nothing is dead in these, so everything is found to be read.
            let unread = |cells: &&Vec<String>| !cells.iter().any(|cell| probe.reads_named(cell));
            assert_eq!(cells.iter().find(unread), None, "{id}");
        }
    }
}
