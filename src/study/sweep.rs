//! Sweeps: keys that take several values, alone or together.

use crate::rules::{RuleError, Value};

/// Keys that move together, and the values they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The keys; more than one for a zipped group.
    pub keys: Vec<String>,
    /// For each position, one value per key.
    pub values: Vec<Vec<String>>,
}

/// The swept keys of a cell with their values.
pub(super) type Place = [(String, Value)];

/// Whether a place has all these values.
pub(super) fn lies_at(place: &Place, only: &[(String, String)]) -> bool {
    only.iter().all(|(key, value)| {
        let mut known = place.iter().filter(|(known, _)| known == key);
        known.any(|(_, found)| found.to_string() == *value)
    })
}

/// Every combination of the axes, the last axis running fastest.
pub fn cells(axes: &[Axis]) -> Vec<Vec<(String, String)>> {
    let mut all = vec![Vec::new()];
    for axis in axes {
        all = all
            .iter()
            .flat_map(|cell: &Vec<(String, String)>| {
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
    let values: Vec<String> = match list.split_once("..") {
        Some((from, rest)) => {
            let (to, step) = rest.split_once('/').unwrap_or((rest, "1"));
            let number = |text: &str| text.trim().parse::<f64>().map_err(|_| problem());
            range(number(from)?, number(to)?, number(step)?).ok_or_else(problem)?
        }
        None => list
            .split(',')
            .map(|value| value.trim().to_owned())
            .collect(),
    };
    if key.trim().is_empty() || values.iter().any(String::is_empty) {
        return Err(problem());
    }
    Ok(Axis {
        keys: vec![key.trim().into()],
        values: values.into_iter().map(|value| vec![value]).collect(),
    })
}

/// Numbers from one to another, ends included, as they would be typed.
pub(super) fn range(from: f64, to: f64, step: f64) -> Option<Vec<String>> {
    if !(step.is_finite() && step > 0.0 && to >= from && (to - from) / step < 100_000.0) {
        return None;
    }
    let steps = ((to - from) / step + 1e-9).floor() as u32;
    Some(
        (0..=steps)
            .map(|i| (from + step * f64::from(i)).to_string())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_a_list_or_a_range_with_both_ends() {
        let list = parse_sweep("attacker.grade=elite, poor").unwrap();
        assert_eq!(list.values, [["elite"], ["poor"]]);
        let range = parse_sweep("range=50..200/50").unwrap();
        assert_eq!(range.values, [["50"], ["100"], ["150"], ["200"]]);
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
            values: vec![vec!["1".into()], vec!["2".into()]],
        };
        let b = Axis {
            keys: vec!["y".into(), "z".into()],
            values: vec![vec!["3".into(), "4".into()], vec!["5".into(), "6".into()]],
        };
        let cells = cells(&[a, b]);
        assert_eq!(cells.len(), 4);
        let second: Vec<&str> = cells[1].iter().map(|(_, v)| v.as_str()).collect();
        assert_eq!(second, ["1", "5", "6"]);
    }
}
