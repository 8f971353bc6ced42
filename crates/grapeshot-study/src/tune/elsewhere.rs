//! What else an edit moves: every procedure as it stands, and the cells of the bundled studies.

use super::super::bundled::bundled;
use super::moves::Edit;
use super::target::Target;
use crate::parallel;
use grapeshot_engine::dist::{Distribution, Quantity, Variable, VariableKind, total_variation};
use grapeshot_engine::engine::{Budget, Method};
use grapeshot_rules::sweep::cells;
use grapeshot_rules::{Given, LoadedRuleset, OddsError, Options, Procedure, Settings, Value};

/// Questions of a study that are asked, evenly spread over its cells.
const OF_A_STUDY: usize = 8;
/// The largest graph that is solved for a side effect.
const STATES: usize = 30_000;

/// A question beside the targets, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The procedure.
    pub procedure: String,
    /// What is set.
    pub given: Given,
    /// The quantity.
    pub quantity: Quantity,
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// How much of all probability changed its place.
    pub share: f64,
}

/// What else moves, the most first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Elsewhere {
    /// The questions that moved.
    pub moved: Vec<Moved>,
    /// How many were asked.
    pub asked: usize,
    /// How many were too large to be asked.
    pub left_out: usize,
}

/// The questions beside the targets, answered as they are.
pub(super) struct Beside<'a> {
    loaded: &'a LoadedRuleset,
    asked: Vec<(String, Given, Distribution)>,
    left_out: usize,
}

fn options() -> Options {
    Options {
        method: Method::Exact,
        budget: Budget { states: STATES },
        ..Options::default()
    }
}

/// The answer, if it is small enough and the rules allow it.
fn answer(procedure: &Procedure, given: &[(String, Value)]) -> Result<Distribution, bool> {
    let settings = procedure.resolve(given.iter().map(|(k, v)| (k, v)));
    let settings = settings.map_err(|_| false)?;
    match procedure.answer(&settings, &options()) {
        Ok(answered) => Ok(answered.odds),
        Err(OddsError::Engine(_)) => Err(true),
        Err(OddsError::Rule(_)) => Err(false),
    }
}

fn same(a: &Settings, b: &Settings) -> bool {
    a.iter().eq(b.iter())
}

impl<'a> Beside<'a> {
    /// All but the questions of the targets themselves.
    pub(super) fn new(loaded: &'a LoadedRuleset, targets: &[Target]) -> Result<Self, OddsError> {
        let mut questions: Vec<(String, Given)> = Vec::new();
        let mut add = |procedure: &str, given: Given| {
            let question = (procedure.to_owned(), given);
            if !questions.contains(&question) {
                questions.push(question);
            }
        };
        for procedure in &loaded.procedures {
            add(&procedure.name, Given::new());
        }
        for study in bundled()? {
            if study.rules != [loaded.id()] || loaded.procedure(&study.procedure).is_err() {
                continue;
            }
            let all = cells(&study.axes);
            let step = all.len().div_ceil(OF_A_STUDY).max(1);
            for cell in all.iter().step_by(step) {
                let given = study.settings.iter().chain(cell).cloned();
                add(&study.procedure, given.collect());
            }
        }
        let answered = parallel::map(&questions, |(name, given)| {
            let procedure = loaded.procedure(name).map_err(|_| false)?;
            let settings = procedure.resolve(given.iter().map(|(k, v)| (k, v)));
            let settings = settings.map_err(|_| false)?;
            let asked = |t: &Target| t.procedure == *name && same(&t.settings, &settings);
            if targets.iter().any(asked) {
                return Err(false);
            }
            let odds = answer(procedure, given)?;
            Ok((name.clone(), given.clone(), odds))
        });
        Ok(Beside {
            loaded,
            left_out: answered.iter().filter(|a| matches!(a, Err(true))).count(),
            asked: answered.into_iter().flatten().collect(),
        })
    }

    /// What moves under these edits.
    pub(super) fn moved(&self, edits: &[&Edit]) -> Elsewhere {
        let mut tables = self.loaded.tables.clone();
        edits.iter().for_each(|edit| edit.apply(&mut tables));
        let Ok(procedures) = self.loaded.ruleset.made_from(&tables) else {
            return Elsewhere::default();
        };
        let mut moved: Vec<Moved> = parallel::filter_map(&self.asked, |(name, given, before)| {
            let procedure = procedures.iter().find(|p| *p.name == **name)?;
            let after = answer(procedure, given).ok()?;
            let share = total_variation(&before.marginal_at(0), &after.marginal_at(0));
            if share <= 1e-12 {
                return None;
            }
            let quantity = most_telling(&procedure.variables, before, &after);
            let value = |odds: &Distribution| Some(quantity.of(odds)?.value);
            Some(Moved {
                procedure: name.clone(),
                given: given.clone(),
                before: value(before)?,
                after: value(&after)?,
                quantity,
                share,
            })
        });
        moved.sort_by(|a, b| b.share.total_cmp(&a.share));
        Elsewhere {
            moved,
            asked: self.asked.len(),
            left_out: self.left_out,
        }
    }
}

/// `success`, where an outcome favours a side; else the mean, or the value that moves most.
fn most_telling(variables: &[Variable], before: &Distribution, after: &Distribution) -> Quantity {
    if let Ok(success) = Quantity::usual(variables) {
        return success;
    }
    let first = &variables[0];
    if !matches!(first.kind, VariableKind::Category(_)) {
        return Quantity::Mean(first.name.clone());
    }
    let (a, b) = (before.marginal_at(0), after.marginal_at(0));
    let by = |label: &str| (a.p(label) - b.p(label)).abs();
    let labels = a.values().iter().chain(b.values()).map(|v| v.label.clone());
    let label = labels.max_by(|x, y| by(x).total_cmp(&by(y)));
    Quantity::Value {
        variable: first.name.clone(),
        label: label.unwrap_or_default(),
    }
}
