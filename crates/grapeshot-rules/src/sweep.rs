//! Sweeps: keys that take several values, alone or together.

use super::{Given, RuleError, Value};

/// Keys that move together, and the values they take.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The keys; more than one for a zipped group.
    pub keys: Vec<String>,
    /// For each position, one value per key.
    pub values: Vec<Vec<Value>>,
}

impl Axis {
    /// What each position is called.
    pub fn labels(&self) -> Vec<String> {
        let written = |values: &Vec<Value>| -> Vec<String> {
            values.iter().map(ToString::to_string).collect()
        };
        self.values.iter().map(|v| written(v).join(" ")).collect()
    }
}

/// The swept keys of a cell with their values.
pub type SweepPoint = [(String, Value)];

/// Whether a place has all these values.
pub fn lies_at(place: &SweepPoint, only: &[(String, Value)]) -> bool {
    only.iter().all(|(key, value)| {
        let mut known = place.iter().filter(|(known, _)| known == key);
        known.any(|(_, found)| found == value || found.to_string() == value.to_string())
    })
}

/// Every combination of the axes, the last axis running fastest.
pub fn cells(axes: &[Axis]) -> Vec<Given> {
    let mut all = vec![Given::new()];
    for axis in axes {
        all = all
            .iter()
            .flat_map(|cell| {
                axis.values.iter().map(move |values| {
                    let mut longer = cell.clone();
                    longer.extend(axis.keys.iter().cloned().zip(values.iter().cloned()));
                    longer
                })
            })
            .collect();
    }
    all
}

/// Whether every key is swept once, and none that is also set.
///
/// # Errors
/// Names the key.
pub fn check_axes(axes: &[Axis], given: &[(String, Value)]) -> Result<(), RuleError> {
    let mut seen: Vec<&String> = Vec::new();
    for key in axes.iter().flat_map(|axis| &axis.keys) {
        if seen.contains(&key) {
            return Err(RuleError::Other(format!("`{key}` is swept twice")));
        }
        if given.iter().any(|(known, _)| known == key) {
            let problem = format!("`{key}` is swept and set: keep one of the two");
            return Err(RuleError::Other(problem));
        }
        seen.push(key);
    }
    Ok(())
}

/// Reads `key=a,b,c` or `key=from..to/step` from the command line.
///
/// # Errors
/// If it is neither.
pub fn parse_sweep(text: &str) -> Result<Axis, RuleError> {
    let problem = || {
        RuleError::Other(format!(
            "`{text}` is not a sweep: allowed is key=a,b,c or key=from..to/step, such as range=50..600/50"
        ))
    };
    let (key, list) = text.split_once('=').ok_or_else(problem)?;
    let values: Vec<Value> = match list.split_once("..") {
        Some((from, rest)) => {
            let (to, step) = rest.split_once('/').unwrap_or((rest, "1"));
            let number = |text: &str| text.trim().parse::<f64>().map_err(|_| problem());
            range(number(from)?, number(to)?, number(step)?).ok_or_else(problem)?
        }
        None => list.split(',').map(|value| value.trim().into()).collect(),
    };
    if key.trim().is_empty() || values.iter().any(|value| value.is("")) {
        return Err(problem());
    }
    Ok(Axis {
        keys: vec![key.trim().into()],
        values: values.into_iter().map(|value| vec![value]).collect(),
    })
}

/// Numbers from one to another, ends included, as they would be typed: whole where they can be, and
/// without what adding fractions leaves behind.
pub fn range(from: f64, to: f64, step: f64) -> Option<Vec<Value>> {
    if !(step.is_finite() && step > 0.0 && to >= from && (to - from) / step < 100_000.0) {
        return None;
    }
    let steps = ((to - from) / step + 1e-9).floor() as u32;
    let whole = from.fract() == 0.0 && step.fract() == 0.0;
    let value = |i: u32| {
        let x = from + step * f64::from(i);
        match whole {
            true => Value::Whole(x as i64),
            false => Value::Real((x * 1e9).round() / 1e9),
        }
    };
    Some((0..=steps).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_a_list_or_a_range_with_both_ends() {
        let written = |text: &str| -> Vec<String> {
            let axis = parse_sweep(text).unwrap();
            axis.values
                .iter()
                .map(|values| values[0].to_string())
                .collect()
        };
        assert_eq!(written("attacker.grade=elite, poor"), ["elite", "poor"]);
        assert_eq!(written("range=50..200/50"), ["50", "100", "150", "200"]);
        assert_eq!(written("x=0.8..1.4/0.2"), ["0.8", "1", "1.2", "1.4"]);
        for bad in [
            "range",
            "range=",
            "=3",
            "range=5..1",
            "range=1..5/0",
            "range=a..b",
        ] {
            assert!(parse_sweep(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_axis_runs_fastest_and_zipped_keys_move_together() {
        let a = Axis {
            keys: vec!["x".into()],
            values: vec![vec![1.into()], vec![2.into()]],
        };
        let b = Axis {
            keys: vec!["y".into(), "z".into()],
            values: vec![vec![3.into(), 4.into()], vec![5.into(), 6.into()]],
        };
        let cells = cells(&[a, b]);
        assert_eq!(cells.len(), 4);
        let second: Vec<&Value> = cells[1].iter().map(|(_, value)| value).collect();
        assert_eq!(second, [&1.into(), &5.into(), &6.into()]);
    }
}
