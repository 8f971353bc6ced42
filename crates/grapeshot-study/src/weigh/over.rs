//! What is weighed, as it is typed: `attacker.grade,attacker.stands=6..12,defender.cover=none:3,wall:1`.

use super::factor::Weighed;
use crate::Workbench;
use crate::what_if;
use grapeshot_engine::dist::Quantity;
use grapeshot_rules::{OddsError, RuleError, Setting, Value, check_axes, parse_sweep, sweep::Axis};

/// Reads keys, each with all its values or with some of them, and how often each is met.
///
/// # Errors
/// If a key, a value or a weight is none, or a key is named twice or set.
pub(super) fn over(workbench: &Workbench<'_>, texts: &[String]) -> Result<Vec<Weighed>, RuleError> {
    let mut found: Vec<(&Setting, Vec<&str>)> = Vec::new();
    for word in texts.iter().flat_map(|text| text.split(',')).map(str::trim) {
        // A word that the key before it takes as a value is one.
        if let Some((setting, values)) = found.last_mut()
            && !values.is_empty()
            && !word.contains('=')
            && weighted(setting, word).is_ok()
        {
            values.push(word);
            continue;
        }
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key.trim(), vec![value.trim()]),
            None => (word, Vec::new()),
        };
        // After values, a word that is no key either is a wrong value.
        if let Some((setting, values)) = found.last()
            && !values.is_empty()
            && !word.contains('=')
            && !workbench.procedure.has_named(key)
        {
            weighted(setting, word)?;
        }
        found.push((workbench.procedure.setting(key)?, value));
    }
    let weighed: Vec<Weighed> = found
        .into_iter()
        .map(|(setting, values)| one(setting, &values))
        .collect::<Result<_, _>>()?;
    let axes: Vec<Axis> = weighed
        .iter()
        .map(|one| Axis {
            keys: vec![one.key.clone()],
            values: Vec::new(),
        })
        .collect();
    check_axes(&axes, &workbench.given)?;
    Ok(weighed)
}

/// Settings weighed where nobody says which, at most.
const USUAL: usize = 5;
/// Values that each of them has at most: how often the numbers of a long range are met is for others to say.
const USUAL_VALUES: usize = 7;

/// What is weighed where nobody says: the settings of few values that move a quantity most, of those that are not given.
///
/// # Errors
/// If nothing moves it, the rules refuse the settings as given, or the engine cannot answer.
pub(super) fn usual_over(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
) -> Result<Vec<Weighed>, OddsError> {
    let found = what_if(workbench, quantity, None, false)?;
    let given = |key: &String| workbench.given.iter().any(|(known, _)| known == key);
    let moving = found.factors.iter().filter(|factor| {
        let counts = !factor.is_idle() && !factor.is_noise();
        counts && !given(&factor.key)
    });
    let mut over: Vec<Weighed> = Vec::new();
    for factor in moving {
        let setting = workbench.procedure.setting(&factor.key)?;
        let next = one(setting, &[])?;
        if over.len() < USUAL && next.values.len() <= USUAL_VALUES {
            over.push(next);
        }
    }
    match over.is_empty() {
        true => {
            let problem = format!(
                "no setting of few values moves {quantity}: name what varies, such as --over KEY=1..20"
            );
            Err(RuleError::Other(problem).into())
        }
        false => Ok(over),
    }
}

fn one(setting: &Setting, words: &[&str]) -> Result<Weighed, RuleError> {
    let mut values: Vec<(Value, f64)> = Vec::new();
    for word in words {
        match word.contains("..") {
            true => {
                let axis = parse_sweep(&format!("{}={word}", setting.key))?;
                for value in &axis.values {
                    values.push((setting.accept(&value[0])?, 1.0));
                }
            }
            false => values.push(weighted(setting, word)?),
        }
    }
    if words.is_empty() {
        for value in setting.sample_values() {
            if !values.iter().any(|(known, _)| *known == value) {
                values.push((value, 1.0));
            }
        }
    }
    let key = &setting.key;
    if let Some(at) = (1..values.len()).find(|&at| values[..at].iter().any(|v| v.0 == values[at].0))
    {
        let problem = format!("`{key}` has {} twice", values[at].0);
        return Err(RuleError::Other(problem));
    }
    if values.len() < 2 {
        let problem = format!(
            "`{key}` has one value, and what does not vary carries nothing: name more, or set {key}=VALUE without --over"
        );
        return Err(RuleError::Other(problem));
    }
    let sum: f64 = values.iter().map(|(_, weight)| weight).sum();
    let (values, weights): (Vec<Value>, Vec<f64>) = values.into_iter().unzip();
    Ok(Weighed {
        key: key.clone(),
        values,
        weights: weights.into_iter().map(|weight| weight / sum).collect(),
        cell: None,
    })
}

/// A value, or `value:weight`.
fn weighted(setting: &Setting, word: &str) -> Result<(Value, f64), RuleError> {
    let plain = setting.parse(word);
    match (plain, word.rsplit_once(':')) {
        (Ok(value), _) => Ok((value, 1.0)),
        (Err(_), Some((value, weight))) => match weight.trim().parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => {
                Ok((setting.parse(value.trim())?, number))
            }
            _ => Err(RuleError::Other(format!(
                "`{}={word}`: a weight is a number above nought, such as {value}:3",
                setting.key
            ))),
        },
        (Err(error), None) => Err(error),
    }
}
