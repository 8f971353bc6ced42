//! The questions of the targets, asked of tables with edits in them.

use super::moves::Edit;
use super::read::CellsRead;
use super::set::Set;
use super::target::Target;
use grapeshot_engine::dist::{Distribution, Name};
use grapeshot_rules::{LoadedRuleset, OddsError, Options, Procedure, RuleError, Settings};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The questions of all targets, each once.
pub(super) struct Trials<'a> {
    pub loaded: &'a LoadedRuleset,
    pub targets: &'a [Target],
    questions: Vec<(Name, Settings)>,
    /// The question of each target.
    of_target: Vec<usize>,
    options: Options,
    solved: AtomicUsize,
    /// What is answered without any edit.
    pub base: Vec<Distribution>,
}

/// Some of the questions, by their position.
pub(super) type Mask = u64;

/// What became of each question; nothing where the rules refuse it.
type Answers = Vec<Option<Distribution>>;

impl<'a> Trials<'a> {
    /// Asks everything once as it is.
    ///
    /// # Errors
    /// If the rules refuse a question, there are too many, or the engine cannot answer.
    pub(super) fn new(
        loaded: &'a LoadedRuleset,
        targets: &'a [Target],
        options: Options,
    ) -> Result<Self, OddsError> {
        let mut questions: Vec<(Name, Settings)> = Vec::new();
        let mut of_target = Vec::new();
        for target in targets {
            let question = (Name::from(&*target.procedure), target.settings.clone());
            let known = questions.iter().position(|known| *known == question);
            of_target.push(known.unwrap_or(questions.len()));
            if known.is_none() {
                questions.push(question);
            }
        }
        if questions.len() > Mask::BITS as usize {
            let problem = format!("{} questions at once; allowed are 64", questions.len());
            return Err(RuleError::Other(problem).into());
        }
        let mut trials = Trials {
            loaded,
            targets,
            questions,
            of_target,
            options,
            solved: AtomicUsize::new(0),
            base: Vec::new(),
        };
        for (name, settings) in &trials.questions {
            let answered = loaded.playable(name)?.answer(settings, &options)?;
            trials.base.push(answered.odds);
        }
        Ok(trials)
    }

    /// All questions.
    pub(super) fn all(&self) -> Mask {
        Mask::MAX >> (Mask::BITS as usize - self.questions.len())
    }

    /// How many questions were answered.
    pub(super) fn solved(&self) -> usize {
        self.solved.load(Ordering::Relaxed)
    }

    /// The cells that each question reads of edited tables; nothing if the tables refuse the edits.
    ///
    /// # Errors
    /// If the rules refuse a question that they allowed before.
    pub(super) fn reads(&self, edits: &[&Edit]) -> Result<Option<CellsRead>, OddsError> {
        let mut tables = self.loaded.tables.clone();
        edits.iter().for_each(|edit| edit.apply(&mut tables));
        let Ok(reader) = self.loaded.ruleset.book.reader(&tables) else {
            return Ok(None);
        };
        let each = self.questions.iter().map(|(name, settings)| match &reader {
            None => Ok(None),
            Some(reader) => match reader.reads(name, settings, self.options.budget) {
                Ok(read) => Ok(Some(read.cells)),
                // What is refused is not answered, whatever else is changed.
                Err(error) if error.is_refusal() => Ok(Some(BTreeSet::new())),
                Err(error) => Err(error.into()),
            },
        });
        each.collect::<Result<CellsRead, OddsError>>().map(Some)
    }

    /// Asks some of the questions of edited tables; nothing if the tables refuse the edits. A question that
    /// was not asked is answered as it was.
    ///
    /// # Errors
    /// If the engine cannot answer.
    fn ask(&self, edits: &[&Edit], mask: Mask) -> Result<Option<Answers>, OddsError> {
        let mut tables = self.loaded.tables.clone();
        edits.iter().for_each(|edit| edit.apply(&mut tables));
        let book = &self.loaded.ruleset.book;
        let Ok(procedures) = self.loaded.ruleset.made_from(&tables) else {
            return Ok(None);
        };
        let mut decided: Option<Vec<Procedure>> = None;
        let mut answers = Vec::with_capacity(self.questions.len());
        for (at, (name, settings)) in self.questions.iter().enumerate() {
            if mask >> at & 1 == 0 {
                answers.push(Some(self.base[at].clone()));
                continue;
            }
            let plain = procedures.iter().find(|p| p.name == *name);
            let procedure = match plain {
                Some(procedure) => procedure,
                None => {
                    if decided.is_none() {
                        let Ok(Ok(made)) = book.decisions(&tables) else {
                            return Ok(None);
                        };
                        decided = Some(made.into_iter().map(|d| d.procedure).collect());
                    }
                    let found = decided.iter().flatten().find(|p| p.name == *name);
                    match found {
                        Some(procedure) => procedure,
                        None => return Ok(None),
                    }
                }
            };
            self.solved.fetch_add(1, Ordering::Relaxed);
            answers.push(match procedure.answer(settings, &self.options) {
                Ok(answered) => Some(answered.odds),
                Err(error) => error.refusal().map(|_| None)?,
            });
        }
        Ok(Some(answers))
    }

    /// All answers under some edits; nothing if they are refused.
    ///
    /// # Errors
    /// If the engine cannot answer.
    pub(super) fn answers(
        &self,
        edits: &[&Edit],
        mask: Mask,
    ) -> Result<Option<Vec<Distribution>>, OddsError> {
        Ok(self
            .ask(edits, mask)?
            .and_then(|answers| answers.into_iter().collect()))
    }

    /// The value of each target under some edits; nothing if they are refused.
    ///
    /// # Errors
    /// If the engine cannot answer.
    pub(super) fn values(
        &self,
        edits: &[&Edit],
        mask: Mask,
    ) -> Result<Option<Vec<f64>>, OddsError> {
        let answers = self.answers(edits, mask)?;
        Ok(answers.and_then(|answers| self.read(&answers)))
    }

    /// The value of each target in these answers.
    pub(super) fn read(&self, answers: &[Distribution]) -> Option<Vec<f64>> {
        let targets = self.targets.iter().zip(&self.of_target);
        targets
            .map(|(target, &at)| Some(target.quantity.of(&answers[at])?.value))
            .collect()
    }

    /// The values under two sets, where those of questions that read both were solved.
    pub(super) fn joined(
        &self,
        mut solved: Vec<f64>,
        shared: Mask,
        a: &Set<'_>,
        b: &Set<'_>,
    ) -> Vec<f64> {
        for (at, &question) in self.of_target.iter().enumerate() {
            if shared >> question & 1 == 0 {
                let reads = b.mask >> question & 1 == 1;
                solved[at] = if reads { b.values[at] } else { a.values[at] };
            }
        }
        solved
    }

    /// How far values are from what is wanted, as one number: the squares of the misses, and so little of the
    /// distance from the aim that it decides only between equals.
    pub(super) fn miss(&self, values: &[f64]) -> f64 {
        let targets = self.targets.iter().zip(values);
        targets
            .map(|(target, &value)| {
                let beyond = target.miss(value) / target.scale();
                let off = match target.low.is_finite() && target.high.is_finite() {
                    true => (value - target.aim) / target.scale(),
                    false => 0.0,
                };
                beyond * beyond + 1e-6 * off * off
            })
            .sum()
    }

    /// Whether all targets are met.
    pub(super) fn meets(&self, values: &[f64]) -> bool {
        let mut targets = self.targets.iter().zip(values);
        targets.all(|(target, &value)| target.miss(value) == 0.0)
    }
}
