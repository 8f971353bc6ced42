//! Where a change is seen: situations in which two editions answer differently.
//!
//! The default, every value of every key alone, then the situations of the audit. A change that none of
//! them reaches is said to be so, with their number; what a house rule adds is tried as well, against what is
//! printed.

use super::super::audit::situations;
use super::super::workbench::Workbench;
use crate::parallel;
use grapeshot_engine::dist::{Distribution, Quantity, total_variation};
use grapeshot_engine::engine::{Budget, Method};
use grapeshot_rules::sweep::Axis;
use grapeshot_rules::{Given, OddsError, Options, Setting, SettingKind, Value};

/// Numbers of a key that are tried, evenly spread.
const VALUES: usize = 8;
/// The largest graph that is solved for it.
const STATES: usize = 30_000;

/// Where a change is seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// Situations in which the answers differ, the most first: what is set, and how much of the probability of a
    /// variable changed its place.
    pub seen: Vec<(Given, f64)>,
    /// What was added, used: what is set, and a quantity without it and with it. What changes no answer is not listed.
    pub used: Vec<Used>,
    /// How many situations were tried.
    pub tried: usize,
    /// How many were too large to be solved.
    pub left_out: usize,
}

/// Something that a house rule added, used.
#[derive(Debug, Clone, PartialEq)]
pub struct Used {
    /// What is set.
    pub given: Given,
    /// The quantity.
    pub quantity: Quantity,
    /// Without it, as printed.
    pub before: f64,
    /// With it.
    pub after: f64,
}

enum Difference {
    Same,
    Differs(f64),
    TooLarge,
    Refused,
}

impl Reach {
    /// The axis along which the change is seen best: a key with values, if one alone shows it.
    pub(crate) fn axis(&self, workbench: &Workbench<'_>) -> Option<Axis> {
        let default = self.seen.iter().find(|(given, _)| given.is_empty());
        let alone = self.seen.iter().filter(|(given, _)| given.len() == 1);
        let (given, share) =
            alone.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0[0].0.cmp(&a.0[0].0)))?;
        // Where nothing shows it better than the default, the default will do.
        if default.is_some_and(|(_, at_default)| *share <= at_default + 1e-9) {
            return None;
        }
        let key = &given[0].0;
        let setting = workbench
            .procedure
            .settings
            .iter()
            .find(|s| s.key == *key)?;
        // Where it is seen may lie between the values that are tried.
        let mut values = values(setting);
        for (given, _) in &self.seen {
            if let [(of, value)] = given.as_slice()
                && of == key
                && !values.contains(value)
            {
                let above = |other: &Value| other.number() > value.number();
                let at = values.iter().position(above).unwrap_or(values.len());
                values.insert(at, value.clone());
            }
        }
        Some(Axis {
            keys: vec![key.clone()],
            values: values.into_iter().map(|value| vec![value]).collect(),
        })
    }
}

/// Values of a key: all its names, some of its numbers.
fn values(setting: &Setting) -> Vec<Value> {
    let all = setting.sample_values();
    let step = match setting.kind {
        SettingKind::Choice(_) => 1,
        _ => all.len().div_ceil(VALUES).max(1),
    };
    all.into_iter().step_by(step).collect()
}

/// Finds where the editions differ.
///
/// # Errors
/// If the engine cannot answer for another reason than size.
pub(super) fn reach(before: &Workbench<'_>, after: &Workbench<'_>) -> Result<Reach, OddsError> {
    let mut alone: Vec<Given> = vec![Given::new()];
    let mut added: Vec<Given> = Vec::new();
    let given = |key: &str| after.given.iter().any(|(known, _)| known == key);
    for setting in &after.procedure.settings {
        if given(&setting.key) {
            continue;
        }
        let printed = before
            .procedure
            .settings
            .iter()
            .find(|s| s.key == setting.key);
        for value in values(setting) {
            let one = vec![(setting.key.clone(), value.clone())];
            match printed.is_some_and(|printed| printed.accept(&value).is_ok()) {
                true => alone.push(one),
                false => added.push(one),
            }
        }
    }
    let mut reach = Reach::default();
    look(before, after, alone, &mut reach)?;
    if reach.seen.is_empty() {
        look(before, after, drawn(before), &mut reach)?;
    }
    reach.seen.sort_by(|a, b| b.1.total_cmp(&a.1));
    if let Some((given, _)) = reach.seen.first_mut() {
        *given = simplest(before, after, given);
    }
    reach.used = used(before, after, added);
    Ok(reach)
}

fn options(of: &Options) -> Options {
    Options {
        method: Method::Exact,
        budget: Budget {
            states: of.budget.states.min(STATES),
        },
        ..*of
    }
}

fn ask(workbench: &Workbench<'_>, changed: &[(String, Value)]) -> Result<Distribution, Difference> {
    let settings = workbench
        .settings(changed)
        .map_err(|_| Difference::Refused)?;
    match workbench
        .procedure
        .answer(&settings, &options(&workbench.options))
    {
        Ok(answered) => Ok(answered.odds),
        Err(OddsError::Engine(_)) => Err(Difference::TooLarge),
        Err(OddsError::Rule(_)) => Err(Difference::Refused),
    }
}

fn look(
    before: &Workbench<'_>,
    after: &Workbench<'_>,
    situations: Vec<Given>,
    reach: &mut Reach,
) -> Result<(), OddsError> {
    let found: Vec<Difference> = parallel::map(&situations, |given| {
        match (ask(before, given), ask(after, given)) {
            (Ok(a), Ok(b)) if a == b => Difference::Same,
            (Ok(a), Ok(b)) => Difference::Differs(share(&a, &b)),
            (Err(Difference::TooLarge), _) | (_, Err(Difference::TooLarge)) => Difference::TooLarge,
            (Err(_), Err(_)) => Difference::Refused,
            // What one edition refuses and the other plays has changed altogether.
            _ => Difference::Differs(1.0),
        }
    });
    for (given, found) in situations.into_iter().zip(found) {
        match found {
            Difference::Same => reach.tried += 1,
            Difference::Differs(share) => {
                reach.tried += 1;
                reach.seen.push((given, share));
            }
            Difference::TooLarge => reach.left_out += 1,
            Difference::Refused => {}
        }
    }
    Ok(())
}

/// The same situation without what it does not need to show the change.
fn simplest(before: &Workbench<'_>, after: &Workbench<'_>, given: &[(String, Value)]) -> Given {
    let mut left = given.to_vec();
    for (key, _) in given {
        let mut fewer = left.clone();
        fewer.retain(|(known, _)| known != key);
        if let (Ok(a), Ok(b)) = (ask(before, &fewer), ask(after, &fewer))
            && a != b
        {
            left = fewer;
        }
    }
    left
}

/// How much of the probability of any variable changed its place.
fn share(a: &Distribution, b: &Distribution) -> f64 {
    let variables = 0..a.variables().len().min(b.variables().len());
    variables
        .map(|at| total_variation(&a.marginal_at(at), &b.marginal_at(at)))
        .fold(0.0, f64::max)
}

/// Situations with several keys set, always the same ones: those that the audit would ask.
fn drawn(workbench: &Workbench<'_>) -> Vec<Given> {
    let base = workbench.given.iter();
    let base: Vec<(String, String)> = base.map(|(k, v)| (k.clone(), v.to_string())).collect();
    let all = situations(workbench.procedure, &base);
    let beside = |given: Vec<(String, String)>| {
        let own = given.into_iter().filter(|one| !base.contains(one));
        own.map(|(key, value)| (key, Value::from(value))).collect()
    };
    all.into_iter().map(beside).collect()
}

/// What was added, used: alone where that shows, else with the one other key it takes. What makes no difference either
/// way is not listed.
fn used(before: &Workbench<'_>, after: &Workbench<'_>, added: Vec<Given>) -> Vec<Used> {
    let Ok(quantity) = Quantity::usual(&after.procedure.variables) else {
        return Vec::new();
    };
    let Ok(printed) = ask(before, &[]) else {
        return Vec::new();
    };
    let reader = after.loaded.reader().ok().flatten();
    let value = |odds: &Distribution| Some(quantity.of(odds)?.value);
    let found: Vec<Option<Used>> = parallel::map(&added, |given| {
        let odds = ask(after, given).ok()?;
        let used = |given: &Given, without: &Distribution, with: &Distribution| {
            Some(Used {
                before: value(without)?,
                after: value(with)?,
                quantity: quantity.clone(),
                given: given.clone(),
            })
        };
        if odds != printed {
            return used(given, &printed, &odds);
        }
        // What it is read beside is what it may take.
        let settings = after.settings(given).ok()?;
        let read = reader.as_ref()?;
        let read = read
            .reads(&after.procedure.name, &settings, after.options.budget)
            .ok()?;
        let (own, _) = given.first()?;
        if !read.keys.contains(own) {
            return None;
        }
        let others = after.procedure.settings.iter();
        let others = others.filter(|other| read.keys.contains(&other.key) && other.key != *own);
        others
            .flat_map(|other| {
                let values = values(other).into_iter();
                values.map(|value| (other.key.clone(), value))
            })
            .find_map(|other| {
                let without = ask(after, std::slice::from_ref(&other)).ok()?;
                let both: Given = given.iter().cloned().chain([other]).collect();
                let with = ask(after, &both).ok()?;
                (with != without).then(|| used(&both, &without, &with))?
            })
    });
    let mut kept: Vec<Used> = Vec::new();
    for used in found.into_iter().flatten() {
        // Two keys that take each other are told once.
        let same = |known: &Used| used.given.iter().all(|one| known.given.contains(one));
        if !kept.iter().any(same) {
            kept.push(used);
        }
    }
    kept
}
