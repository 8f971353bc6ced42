//! The distribution of a single variable.

use super::{Favour, Source, Variable};
use crate::stats::wilson_of;
use std::collections::BTreeMap;

/// One value of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// How it is written.
    pub label: String,
    /// As a number (for a label, its position).
    pub number: f64,
    /// Its probability.
    pub p: f64,
}

/// The distribution of one variable: values in natural order, only those that occur.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginal {
    variable: Variable,
    values: Vec<Value>,
    source: Source,
}

impl Marginal {
    pub(super) fn new(
        variable: &Variable,
        weights: BTreeMap<u16, f64>,
        denominator: f64,
        source: Source,
    ) -> Self {
        let mut values: Vec<Value> = weights
            .into_iter()
            .map(|(value, weight)| Value {
                label: variable.label(value),
                number: variable.number_of(value),
                p: weight / denominator,
            })
            .collect();
        values.sort_by(|a, b| a.number.total_cmp(&b.number));
        Marginal {
            variable: variable.clone(),
            values,
            source,
        }
    }

    /// The variable.
    pub fn variable(&self) -> &Variable {
        &self.variable
    }

    /// How many trials it was counted in, if it was simulated.
    pub fn trials(&self) -> Option<u64> {
        self.source.trials()
    }

    /// Values that occur, in natural order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The probability of a value; 0 if it does not occur.
    pub fn p(&self, label: &str) -> f64 {
        self.values
            .iter()
            .find(|value| value.label == label)
            .map_or(0.0, |value| value.p)
    }

    /// The probability of any label that favours so; 0 where no label favours anybody.
    pub fn favouring(&self, favour: Favour) -> f64 {
        let of = |label: &str| self.variable.standing(label).map(|(favour, ..)| favour);
        self.values
            .iter()
            .filter(|value| of(&value.label) == Some(favour))
            .fold(0.0, |sum, value| sum + value.p)
    }

    /// The probability of this number or more.
    pub fn at_least(&self, number: f64) -> f64 {
        self.values
            .iter()
            .filter(|value| value.number >= number)
            .fold(0.0, |sum, value| sum + value.p)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.values.iter().map(|v| v.number * v.p).sum()
    }

    /// The standard deviation.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        let variance: f64 = self
            .values
            .iter()
            .map(|v| (v.number - mean).powi(2) * v.p)
            .sum();
        variance.max(0.0).sqrt()
    }

    /// The standard error of the mean, if it was simulated.
    pub fn standard_error(&self) -> Option<f64> {
        self.source.trials().map(|n| self.sd() / (n as f64).sqrt())
    }

    /// The smallest value with at least this much probability at or below it.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sum = 0.0;
        for value in &self.values {
            sum += value.p;
            if sum >= share - 1e-12 {
                return value.number;
            }
        }
        self.values.last().map_or(0.0, |value| value.number)
    }

    /// The 95 % interval of a probability of this distribution; nothing when it is exact.
    pub fn interval(&self, p: f64) -> Option<(f64, f64)> {
        self.source.trials().map(|n| wilson_of(p, n as f64))
    }

    /// The widest 95 % half-width of its values; nothing when it is exact.
    pub fn widest_half_width(&self) -> Option<f64> {
        self.source.trials()?;
        let halves = self.values.iter().filter_map(|v| self.interval(v.p));
        Some(
            halves
                .map(|(low, high)| (high - low) / 2.0)
                .fold(0.0, f64::max),
        )
    }
}
