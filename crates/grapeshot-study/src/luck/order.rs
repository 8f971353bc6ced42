//! What is worse than what: an order for every variable that can be observed.

use super::{favours, mean_success, success};
use grapeshot_engine::dist::{Distribution, Favour, Variable, VariableKind};
use grapeshot_rules::RuleError;
use std::cmp::Ordering;

grapeshot_engine::labels! {
    /// What counts as worse for the side that acts.
    pub enum Direction {
        /// Labels that are worse for it, as the ruleset ranks them, or that favour it less.
        Favour = "favours less",
        /// Smaller numbers.
        Fewer = "fewer",
        /// Greater numbers.
        More = "more",
        /// Neither is better than the other: what is rarer counts as worse.
        Rarer = "rarer",
    }
}

/// A variable with the value it had.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// Where the variable stands in a row.
    pub at: usize,
    /// The variable.
    pub variable: Variable,
    /// Its value, as rows have it.
    pub value: u16,
    /// What is worse.
    pub direction: Direction,
    /// The place of every label, greater is better, where the ruleset ranks them.
    pub(super) ranks: Option<Vec<usize>>,
}

impl Observed {
    /// Reads `variable=value`.
    ///
    /// # Errors
    /// If there is no such variable, or it has no such value.
    pub(crate) fn parse(text: &str, odds: &Distribution) -> Result<Self, RuleError> {
        let variables = odds.variables();
        let (name, value) = text.split_once('=').ok_or_else(|| {
            RuleError::Other(format!(
                "`{text}` is not what was got: it is written variable=value, such as {}={}",
                variables[0].name,
                odds.marginal_at(0).values()[0].label
            ))
        })?;
        let (name, value) = (name.trim(), value.trim());
        let at = odds.position(name).ok_or_else(|| {
            RuleError::unknown("variable", name, variables.iter().map(|v| &v.name))
        })?;
        let variable = variables[at].clone();
        let value = value_of(&variable, value).ok_or_else(|| match &variable.kind {
            VariableKind::Category(labels) => {
                RuleError::unknown(format!("value of {name}"), value, labels)
            }
            _ => cannot(odds, at, value),
        })?;
        if odds.probability(|row| row[at] == value) == 0.0 {
            return Err(cannot(odds, at, &variable.label(value)));
        }
        Ok(Observed {
            at,
            direction: direction(odds, at),
            variable,
            value,
            ranks: None,
        })
    }

    /// Its labels from the worst to the best, those that are as bad as each other together; nothing where labels do not
    /// say whom they favour.
    pub fn from_worst(&self) -> Option<Vec<Vec<&str>>> {
        let VariableKind::Category(labels) = &self.variable.kind else {
            return None;
        };
        if self.direction != Direction::Favour {
            return None;
        }
        let mut ordered: Vec<(f64, &str)> = (0..)
            .zip(labels)
            .map(|(value, label)| (self.goodness(value), label.as_str()))
            .collect();
        ordered.sort_by(|a, b| a.0.total_cmp(&b.0));
        let alike = ordered.chunk_by(|a, b| a.0 == b.0);
        Some(
            alike
                .map(|these| these.iter().map(|(_, label)| *label).collect())
                .collect(),
        )
    }

    /// How good a label is for the side that acts.
    fn goodness(&self, value: u16) -> f64 {
        match &self.ranks {
            Some(ranks) => ranks[usize::from(value)] as f64,
            None => standing(&self.variable, value),
        }
    }
}

fn value_of(variable: &Variable, text: &str) -> Option<u16> {
    match &variable.kind {
        VariableKind::Category(labels) => {
            let at = labels.iter().position(|label| label == text)?;
            Some(at as u16)
        }
        VariableKind::Count => text.parse().ok(),
        VariableKind::CountFrom(lowest) => {
            let above = text.parse::<i32>().ok()?.checked_sub(*lowest)?;
            u16::try_from(above).ok()
        }
        VariableKind::Number(values) => {
            let wanted: f64 = text.parse().ok()?;
            let near = |value: &f64| (value - wanted).abs() <= 1e-6 * wanted.abs().max(1.0);
            values.iter().position(near).map(|at| at as u16)
        }
    }
}

/// A value that does not occur under these settings.
fn cannot(odds: &Distribution, at: usize, value: &str) -> RuleError {
    let marginal = odds.marginal_at(at);
    let possible: Vec<&str> = marginal.values().iter().map(|v| v.label.as_str()).collect();
    RuleError::Other(format!(
        "`{}={value}` cannot happen here: possible is {}",
        marginal.variable().name,
        possible.join(", ")
    ))
}

/// Values that occur each by itself, but not together.
pub(super) fn impossible(odds: &Distribution, observed: &[Observed]) -> RuleError {
    if let [one] = observed {
        return cannot(odds, one.at, &one.variable.label(one.value));
    }
    let all: Vec<String> = observed.iter().map(said).collect();
    RuleError::Other(format!("{} cannot happen together", all.join(" and ")))
}

/// `hits=0`.
fn said(observed: &Observed) -> String {
    let Observed {
        variable, value, ..
    } = observed;
    format!("`{}={}`", variable.name, variable.label(*value))
}

/// Which way a variable runs for the side that acts. A label says whom it favours; a number is good or bad
/// as it goes with success; where nothing is known of success, more is taken for better.
fn direction(odds: &Distribution, at: usize) -> Direction {
    let variable = &odds.variables()[at];
    if !variable.favours.is_empty() {
        return Direction::Favour;
    }
    let numeric = variable.is_numeric();
    let Some((judge, before)) = mean_success(odds) else {
        return if numeric {
            Direction::Fewer
        } else {
            Direction::Rarer
        };
    };
    if !numeric {
        return Direction::Rarer;
    }
    let judging = success(odds.variables()).map(|(_, variable)| variable);
    let rows = odds.joint();
    let mean: f64 = rows
        .iter()
        .map(|(row, p)| p * variable.number_of(row[at]))
        .sum();
    let together: f64 = rows
        .iter()
        .map(|(row, p)| {
            let won = judging.is_some_and(|judging| favours(judging, row[judge]));
            p * (variable.number_of(row[at]) - mean) * (f64::from(u8::from(won)) - before)
        })
        .sum();
    if together < -1e-12 {
        Direction::More
    } else {
        Direction::Fewer
    }
}

/// How good an observation is, one number a variable, greater is better; `p` is the chance of all of it.
pub(super) fn rank(observed: &[Observed], values: &[u16], p: f64) -> Vec<f64> {
    let one = |(observed, &value): (&Observed, &u16)| {
        let variable = &observed.variable;
        match observed.direction {
            Direction::Fewer => variable.number_of(value),
            Direction::More => -variable.number_of(value),
            Direction::Rarer => p,
            Direction::Favour => observed.goodness(value),
        }
    };
    observed.iter().zip(values).map(one).collect()
}

/// Where the ruleset ranks nothing: labels that favour the acting side, the most decisive first; then those that favour neither; then the
/// others, the most decisive last.
fn standing(variable: &Variable, value: u16) -> f64 {
    let Some((favour, place, count)) = variable.standing(&variable.label(value)) else {
        return 0.0;
    };
    let place = place as f64;
    match favour {
        Favour::Success => 1000.0 + count as f64 - place,
        Favour::Undecided => 0.0,
        Favour::Failure => -1000.0 - count as f64 + place,
    }
}

/// Compares ranks: the variable that was named first counts first.
pub(super) fn compare(x: &[f64], y: &[f64]) -> Ordering {
    let differs = x.iter().zip(y).map(|(x, y)| match x - y {
        near if near.abs() <= 1e-12 => Ordering::Equal,
        less if less < 0.0 => Ordering::Less,
        _ => Ordering::Greater,
    });
    differs.fold(Ordering::Equal, Ordering::then)
}
