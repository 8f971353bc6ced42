//! What a ruleset file expects of itself: questions with their exact odds.
//!
//! ```toml
//! [[expect]]
//! procedure = "throw"
//! settings = { "defender.dice" = 1 }
//! odds = { result = { defender-loses = "855/1296", attacker-loses = "34.03 %" } }
//! ```

use super::super::Written;
use super::super::entry::{Entry, not_known};
use super::{Fault, Weight, fault};
use crate::{LoadedRuleset, OddsError, Options, RuleError, TableFile, Value};
use toml::Value as Toml;

/// How far from a fraction an exact chance may be: what is left is rounding.
const EXACT: f64 = 1e-12;

/// Asks every question; how many values were as expected, and those that were not.
pub(super) fn hold(
    book: &Written,
    tables: &TableFile,
    loaded: &LoadedRuleset,
) -> Result<(usize, Vec<Fault>), RuleError> {
    let root = book.root(tables);
    let entries = match root.table.get("expect") {
        None => return Ok((0, Vec::new())),
        Some(Toml::Array(entries)) => entries,
        Some(_) => {
            return Err(root.error("expect", "is written [[expect]], once for each question"));
        }
    };
    let (mut held, mut faults) = (0, Vec::new());
    for (at, entry) in entries.iter().enumerate() {
        let Some(table) = entry.as_table() else {
            return Err(root.error(&format!("expect[{}]", at + 1), "must be a table"));
        };
        let entry = Entry {
            table,
            path: format!("expect[{}]", at + 1),
            places: &book.places,
        };
        match one(&entry, loaded) {
            Ok((n, wrong)) => {
                held += n;
                faults.extend(wrong.iter().map(|error| fault(Weight::Error, error)));
            }
            Err(error) => faults.push(fault(Weight::Error, &error)),
        }
    }
    Ok((held, faults))
}

fn one(entry: &Entry<'_>, loaded: &LoadedRuleset) -> Result<(usize, Vec<RuleError>), RuleError> {
    entry.only(&["procedure", "settings", "odds"])?;
    let name = entry.needed("procedure")?;
    let procedure = loaded
        .playable(name)
        .map_err(|error| entry.error("procedure", error))?;
    let mut given: Vec<(String, Value)> = Vec::new();
    if let Some(settings) = entry.under("settings")? {
        for (key, value) in settings.table {
            let value = match value {
                Toml::String(text) => Value::from(text),
                Toml::Integer(n) => Value::Whole(*n),
                Toml::Boolean(flag) => Value::Flag(*flag),
                other => {
                    return Err(settings.error(
                        key,
                        format!("is `{other}`; it must be a word, a whole number, true or false"),
                    ));
                }
            };
            given.push((key.clone(), value));
        }
    }
    let settings = procedure
        .resolve(given)
        .map_err(|error| entry.error("settings", error))?;
    let answered = procedure
        .answer(&settings, &Options::exact())
        .map_err(|error| match error {
            OddsError::Rule(error) if !error.is_refusal() => error,
            other => entry.error("settings", other),
        })?;
    let wanted = entry
        .under("odds")?
        .ok_or_else(|| entry.error("", "has no odds = { variable = { value = \"1/6\" } }"))?;
    let (mut held, mut wrong) = (0, Vec::new());
    for (variable, values) in wanted.entries()? {
        let marginal = answered.odds.marginal(variable).ok_or_else(|| {
            let known: Vec<String> = procedure.variables.iter().map(|v| v.name.clone()).collect();
            wanted.error(variable, not_known("variable", variable, &known))
        })?;
        for (label, chance) in values.table {
            let (p, tolerance) = read(chance).ok_or_else(|| {
                values.error(label, format!("is `{chance}`; allowed is a fraction such as \"5/36\", a percentage such as \"13.89 %\", or a number from 0 to 1"))
            })?;
            let found = marginal.p(label);
            if (found - p).abs() <= tolerance {
                held += 1;
            } else {
                wrong.push(values.error(
                    label,
                    format!("is expected to be {chance}, but is {found:.12}"),
                ));
            }
        }
    }
    Ok((held, wrong))
}

/// A chance, and how far from it is near enough: half a unit of the last digit of a percentage.
fn read(chance: &Toml) -> Option<(f64, f64)> {
    let (p, tolerance) = match chance {
        Toml::Integer(n) => (*n as f64, EXACT),
        Toml::Float(p) => (*p, EXACT),
        Toml::String(text) => {
            if let Some(percent) = text.trim().strip_suffix('%') {
                let percent = percent.trim();
                let digits = percent
                    .split_once('.')
                    .map_or(0, |(_, digits)| digits.len());
                let unit = 10f64.powi(-(digits as i32) - 2);
                (percent.parse::<f64>().ok()? / 100.0, 0.5 * unit + EXACT)
            } else {
                let (ways, of) = text.split_once('/')?;
                let (ways, of): (u64, u64) = (ways.trim().parse().ok()?, of.trim().parse().ok()?);
                (ways as f64 / of as f64, EXACT)
            }
        }
        _ => return None,
    };
    (0.0..=1.0).contains(&p).then_some((p, tolerance))
}
