//! A procedure asked many questions: does every script run, is every label, step and setting good for
//! something, and do the three ways to an answer agree?

use super::super::declared::Declared;
use super::super::script::Language;
use super::super::{Written, settings::spelled};
use super::{Fault, Looked, Weight, fault};
use crate::{OddsError, Options, Procedure, RuleError, Settings, Value};
use grapeshot_engine::dist::{Distribution, VariableKind};
use grapeshot_engine::engine::{Budget, CompileError, EngineError, Stop, Stream, Watch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::Ordering;

/// What came of it.
pub(super) struct Probed {
    pub looked: Looked,
    pub faults: Vec<Fault>,
}

/// Questions at random settings, and tries for each setting that seems to do nothing.
const QUESTIONS: usize = 40;
const TRIES: usize = 12;
/// Runs of steps after which no more questions are asked.
const MOST_RUNS_IN_ALL: u64 = 400_000;
/// Trials that are simulated, and played directly.
const SIMULATED: u64 = 20_000;
const PLAYED: u64 = 1_000;
/// How far a simulated share may be from the solved one, in standard errors: one check in a million is
/// further off by chance.
const STANDARD_ERRORS: f64 = 5.0;

struct Probe<'a> {
    book: &'a Written,
    language: &'a Language,
    declared: &'a Declared,
    procedure: &'a Procedure,
    looked: Looked,
    faults: Vec<Fault>,
    /// Labels that came up, by variable.
    labels: FxHashSet<(usize, String)>,
    known: FxHashMap<String, Option<Vec<(String, f64)>>>,
    seed: u64,
}

pub(super) fn procedure(
    book: &Written,
    language: &Language,
    declared: &Declared,
    procedure: &Procedure,
) -> Probed {
    language.spent.store(0, Ordering::Relaxed);
    let mut probe = Probe {
        book,
        language,
        declared,
        procedure,
        looked: Looked {
            procedure: procedure.name.to_string(),
            ..Looked::default()
        },
        faults: Vec::new(),
        labels: FxHashSet::default(),
        known: FxHashMap::default(),
        seed: 1863,
    };
    // What does not run is told once; what does nothing is told only of what runs.
    if let Err(error) = probe.all() {
        let error = match error {
            OddsError::Rule(error) => error,
            other => RuleError::Other(other.to_string()),
        };
        let placed = error.to_string().contains(".toml:");
        probe.faults.push(match placed {
            true => fault(Weight::Error, &error),
            false => fault(Weight::Error, &probe.at("", error)),
        });
    }
    Probed {
        looked: probe.looked,
        faults: probe.faults,
    }
}

impl Probe<'_> {
    /// An error about a key of this procedure.
    fn at(&self, key: &str, problem: impl std::fmt::Display) -> RuleError {
        let procedure = format!("procedures.{}", self.procedure.name);
        let key = match key {
            "" => procedure,
            key => format!("{procedure}.{key}"),
        };
        self.book.places.error(&key, problem)
    }

    fn warn(&mut self, error: &RuleError) {
        self.faults.push(fault(Weight::Warning, error));
    }

    fn below(&mut self, n: usize) -> usize {
        self.seed = grapeshot_engine::engine::splitmix64(self.seed);
        (self.seed >> 33) as usize % n
    }

    fn all(&mut self) -> Result<(), OddsError> {
        let defaults = self
            .procedure
            .resolve(std::iter::empty::<(&str, Value)>())?;
        self.agree(&defaults)?;
        for _ in 0..QUESTIONS {
            let given = self.draw();
            self.ask(&given)?;
            if self.is_spent() {
                break;
            }
        }
        for at in 0..self.procedure.settings.len() {
            self.effect(at)?;
        }
        self.unreached();
        Ok(())
    }

    /// Whether enough was asked: a check must come to an end.
    fn is_spent(&self) -> bool {
        self.language.spent.load(Ordering::Relaxed) > MOST_RUNS_IN_ALL
    }

    /// Some settings away from their defaults.
    fn draw(&mut self) -> Vec<(String, Value)> {
        let settings = &self.procedure.settings;
        let mut given = Vec::new();
        for setting in settings {
            let values = setting.sample_values();
            let value = values[self.below(values.len())].clone();
            if self.below(3) == 0 {
                given.push((setting.key.clone(), value));
            }
        }
        given
    }

    /// Solves a question: every value with its chance; nothing where the rules refuse it.
    fn ask(&mut self, given: &[(String, Value)]) -> Result<Option<Vec<(String, f64)>>, OddsError> {
        let settings = self.procedure.resolve(given.iter().map(|(k, v)| (k, v)))?;
        let name = settings.describe();
        if let Some(known) = self.known.get(&name) {
            return Ok(known.clone());
        }
        let answered = match self.procedure.answer(&settings, &Options::exact()) {
            Ok(answered) => answered,
            Err(OddsError::Rule(error)) if error.is_refusal() => {
                self.looked.refused += 1;
                self.known.insert(name, None);
                return Ok(None);
            }
            Err(OddsError::Engine(
                EngineError::Steps(CompileError::Exhausted { .. }) | EngineError::Budget(_),
            )) => {
                self.looked.left_out += 1;
                return Ok(None);
            }
            Err(OddsError::Rule(error)) => {
                let given: Vec<String> = given.iter().map(|(k, v)| format!("{k}={v}")).collect();
                let asked = format!("{error}\n  asked with {}", given.join(" "));
                return Err(RuleError::Other(asked).into());
            }
            Err(other) => return Err(other),
        };
        self.looked.questions += 1;
        let told = self.note(&answered.odds);
        self.known.insert(name, Some(told.clone()));
        Ok(Some(told))
    }

    fn note(&mut self, odds: &Distribution) -> Vec<(String, f64)> {
        let mut told = Vec::new();
        for at in 0..self.declared.variables.len() {
            for value in odds.marginal_at(at).values() {
                if value.p > 0.0 {
                    self.labels.insert((at, value.label.clone()));
                    told.push((format!("{at} {}", value.label), value.p));
                }
            }
        }
        told
    }

    /// Solved, simulated and played directly, it is the same.
    fn agree(&mut self, settings: &Settings) -> Result<(), OddsError> {
        let situation = match self.procedure.situation(settings.clone()) {
            Err(error) if error.is_refusal() => {
                let problem = format!(
                    "is refused at its defaults, so nothing can be asked without settings: {error}"
                );
                self.warn(&self.at("", problem));
                return Ok(());
            }
            made => made?,
        };
        let options = Options {
            stop: Stop::Trials(SIMULATED),
            ..Options::exact()
        };
        let (solved, simulated) = match situation.both(&options, &Watch::default()) {
            Err(OddsError::Engine(
                EngineError::Steps(CompileError::Exhausted { .. }) | EngineError::Budget(_),
            )) => {
                self.looked.left_out += 1;
                return Ok(());
            }
            both => both?,
        };
        self.note(&solved);
        self.looked.simulated = SIMULATED;
        self.compare("simulated", &solved, SIMULATED, |label| {
            simulated.marginal_at(0).p(label)
        });
        let play = (self.procedure.build)(settings)?;
        self.looked.states = play
            .compile(Budget::default())
            .map_or(0, |graph| graph.states());
        let mut counts = FxHashMap::default();
        play.play(
            &mut Stream::common(options.seed).batch(0),
            PLAYED,
            &mut counts,
        );
        self.looked.played = PLAYED;
        let headline = &self.declared.variables[0];
        let mut shares: FxHashMap<String, f64> = FxHashMap::default();
        for (end, count) in counts {
            *shares.entry(headline.label(end.row[0])).or_default() += count as f64 / PLAYED as f64;
        }
        self.compare("played directly", &solved, PLAYED, |label| {
            shares.get(label).copied().unwrap_or(0.0)
        });
        Ok(())
    }

    fn compare(
        &mut self,
        how: &str,
        solved: &Distribution,
        trials: u64,
        share: impl Fn(&str) -> f64,
    ) {
        let labels = self.declared.labels.clone();
        for label in &labels {
            let p = solved.marginal_at(0).p(label);
            let found = share(label);
            // A share of nothing has no spread; one trial in it is one too many.
            let error = (p * (1.0 - p) / trials as f64)
                .sqrt()
                .max(0.1 / trials as f64);
            if (found - p).abs() > STANDARD_ERRORS * error {
                let problem = format!(
                    "gives `{label}` {found:.4} of the time when it is {how}, but {p:.4} when it is solved: does a step depend on more than its state?"
                );
                let error = self.at("steps", problem);
                self.faults.push(fault(Weight::Error, &error));
            }
        }
    }

    /// Whether a setting makes any difference, at the defaults or elsewhere.
    fn effect(&mut self, at: usize) -> Result<(), OddsError> {
        let setting = self.procedure.settings[at].clone();
        let values = setting.sample_values();
        if values.len() < 2 {
            return Ok(());
        }
        let mut tried = 0;
        for attempt in 0..TRIES {
            let left_out = self.looked.left_out;
            let mut base = match attempt {
                0 | 1 => Vec::new(),
                _ => self.draw(),
            };
            base.retain(|(key, _)| *key != setting.key);
            // The ends of a range are where it shows most.
            let ends = match attempt % 2 {
                0 => [0, values.len() - 1],
                _ => [self.below(values.len()), self.below(values.len())],
            };
            let mut answers = Vec::new();
            for end in ends {
                base.push((setting.key.clone(), values[end].clone()));
                answers.push(self.ask(&base)?);
                base.pop();
            }
            if answers[0] != answers[1] || self.is_spent() {
                return Ok(());
            }
            tried += usize::from(self.looked.left_out == left_out);
        }
        if tried < TRIES / 2 {
            return Ok(());
        }
        let named = self
            .declared
            .steps
            .iter()
            .any(|s| s.place.text.contains(&spelled(&setting.key)));
        let hint = if named { "" } else { "; no step names it" };
        let problem = format!(
            "makes no difference to {}: `{}` was changed {TRIES} times{hint}",
            self.procedure.name, setting.key
        );
        let own = format!("settings.{}", setting.key);
        let shared = format!(
            "settings.*.{}",
            setting.key.rsplit('.').next().unwrap_or_default()
        );
        let key = if self.book.places.has(&own) {
            own
        } else {
            shared
        };
        self.warn(&self.book.places.error(&key, problem));
        Ok(())
    }

    /// Labels and steps that no question came to.
    fn unreached(&mut self) {
        let questions = self.looked.questions;
        for (at, variable) in self.declared.variables.iter().enumerate() {
            let VariableKind::Category(labels) = &variable.kind else {
                continue;
            };
            for label in labels {
                if !self.labels.contains(&(at, label.clone())) {
                    let problem = format!("never comes to `{label}` in {questions} questions");
                    let error = self.at(&format!("variables.{}", variable.name), problem);
                    self.faults.push(fault(Weight::Warning, &error));
                }
            }
        }
        for step in &self.declared.steps {
            if !step.played.load(Ordering::Relaxed) {
                let kind = match step.place.text.is_empty() {
                    true => "choices",
                    false => "steps",
                };
                let problem = format!("is never played in {questions} questions");
                let error = self.at(&format!("{kind}.{}", step.name), problem);
                self.faults.push(fault(Weight::Warning, &error));
            }
        }
    }
}
