//! The finite distribution: what every engine returns, and what it can be asked.
//!
//! Words, as everywhere here: an *outcome* is a row of values, its *weight* an integer count or a
//! share, the *denominator* the sum of weights, a *probability* their quotient.

mod distance;
mod marginal;
mod quantity;
mod row;
mod stages;
#[cfg(test)]
mod tests;
mod trials;
mod variable;

pub use distance::{total_variation, wasserstein, worst_z};
pub use marginal::{Marginal, Value};
pub use quantity::{Estimate, Quantity, QuantityError};
pub use row::{End, MOST_VARIABLES, Row, row};
pub use stages::{Ended, Stage};
pub use trials::Scores;
pub use trials::Trials;
pub use variable::{Favour, Name, Variable, VariableKind};

use std::collections::BTreeMap;

/// Where a distribution comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Solved.
    Exact,
    /// Sampled.
    Simulated {
        /// How many trials were played.
        trials: u64,
        /// The seed of their streams.
        seed: u64,
    },
}

impl Source {
    /// The name of the method that answered.
    pub fn method(&self) -> &'static str {
        match self {
            Source::Exact => "exact",
            Source::Simulated { .. } => "simulate",
        }
    }

    /// Trials, if it was simulated.
    pub fn trials(&self) -> Option<u64> {
        match self {
            Source::Exact => None,
            Source::Simulated { trials, .. } => Some(*trials),
        }
    }

    /// The seed, if it was simulated.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Source::Exact => None,
            Source::Simulated { seed, .. } => Some(*seed),
        }
    }
}

/// Asked for like a variable: the phase in which a trial ended.
pub const STAGE: &str = "stage";

/// Rows of named variables with their weights, exact or simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    variables: Vec<Variable>,
    phases: Vec<String>,
    weights: Weights,
    denominator: f64,
    source: Source,
    worth: Option<f64>,
}

/// What was weighed or counted.
#[derive(Debug, Clone, PartialEq)]
enum Weights {
    /// Whole rows.
    Rows(Vec<(End, f64)>),
    /// Each variable by itself, and the headline in each phase: of what is played out trial by trial,
    /// where rows would be nearly as many as trials.
    Marginals {
        values: Vec<Vec<(u16, f64)>>,
        stages: Vec<Vec<(u16, f64)>>,
    },
}

impl Distribution {
    /// Every way a trial can end with its probability.
    pub fn solved(variables: Vec<Variable>, phases: &[&str], rows: Vec<(End, f64)>) -> Self {
        Distribution {
            variables,
            phases: phases.iter().map(|&phase| phase.to_owned()).collect(),
            weights: Weights::Rows(rows),
            denominator: 1.0,
            source: Source::Exact,
            worth: None,
        }
    }

    /// How often trials ended in each way.
    pub fn counted(
        variables: Vec<Variable>,
        phases: &[&str],
        counts: Vec<(End, u64)>,
        (trials, seed): (u64, u64),
    ) -> Self {
        let rows = counts.into_iter().map(|(end, n)| (end, n as f64));
        Distribution {
            denominator: trials as f64,
            source: Source::Simulated { trials, seed },
            ..Self::solved(variables, phases, rows.collect())
        }
    }

    /// How often each variable had each value, and the headline in each phase: of what is played out trial
    /// by trial.
    pub(crate) fn counted_by_variable(
        variables: Vec<Variable>,
        phases: &[&str],
        values: impl Iterator<Item = Vec<(u16, u64)>>,
        stages: impl Iterator<Item = Vec<(u16, u64)>>,
        (trials, seed): (u64, u64),
    ) -> Self {
        let weigh = |counts: Vec<(u16, u64)>| {
            let counts = counts.into_iter();
            counts.map(|(value, n)| (value, n as f64)).collect()
        };
        Distribution {
            weights: Weights::Marginals {
                values: values.map(weigh).collect(),
                stages: stages.map(weigh).collect(),
            },
            ..Self::counted(variables, phases, Vec::new(), (trials, seed))
        }
    }

    /// The same, with what a row is worth to the side that asks.
    #[must_use]
    pub fn valued(mut self, worth: impl Fn(&Row) -> Option<f64>) -> Self {
        let each = self.rows().iter();
        let each = each.map(|(end, weight)| Some(weight * worth(&end.row)?));
        let sum: Option<f64> = each.sum();
        self.worth = sum.map(|sum| sum / self.denominator);
        self
    }

    /// What the question is worth to the side that asks, if it was decided.
    pub fn worth(&self) -> Option<f64> {
        self.worth
    }

    /// The variables, headline first.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Exact, or simulated.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Whole rows with their weights; none if variables were counted apart.
    fn rows(&self) -> &[(End, f64)] {
        match &self.weights {
            Weights::Rows(rows) => rows,
            Weights::Marginals { .. } => &[],
        }
    }

    /// Whether it knows which values came up together, or only each variable by itself.
    pub fn is_joint(&self) -> bool {
        matches!(self.weights, Weights::Rows(_))
    }

    /// Every distinct row with its probability, whatever phase it ended in; nothing if it
    /// [is not joint](Self::is_joint).
    pub fn joint(&self) -> Vec<(Row, f64)> {
        let mut merged: BTreeMap<Row, f64> = BTreeMap::new();
        for (end, weight) in self.rows() {
            *merged.entry(end.row).or_default() += weight;
        }
        merged
            .into_iter()
            .map(|(row, weight)| (row, weight / self.denominator))
            .collect()
    }

    /// The position of a variable.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    /// The distribution of one variable, or of [`STAGE`].
    pub fn marginal(&self, name: &str) -> Option<Marginal> {
        if name == STAGE {
            return Some(self.stage_marginal());
        }
        self.position(name).map(|at| self.marginal_at(at))
    }

    /// The probability that a variable has this value; 0 if it never has, or there is no such variable.
    pub fn p(&self, variable: &str, label: &str) -> f64 {
        self.marginal(variable).map_or(0.0, |of| of.p(label))
    }

    /// The distribution of the variable at a position.
    pub fn marginal_at(&self, at: usize) -> Marginal {
        let mut merged: BTreeMap<u16, f64> = BTreeMap::new();
        match &self.weights {
            Weights::Rows(rows) => {
                for (end, weight) in rows {
                    *merged.entry(end.row[at]).or_default() += weight;
                }
            }
            Weights::Marginals { values, .. } => merged.extend(values[at].iter().copied()),
        }
        Marginal::new(&self.variables[at], merged, self.denominator, self.source)
    }

    /// All marginals, in the order of the variables.
    pub fn marginals(&self) -> Vec<Marginal> {
        (0..self.variables.len())
            .map(|at| self.marginal_at(at))
            .collect()
    }

    /// One variable alone, as rows: all there is to say of it where variables were counted apart.
    pub fn only(&self, name: &str) -> Option<Distribution> {
        let at = self.position(name)?;
        let rows: Vec<(End, f64)> = match &self.weights {
            Weights::Rows(rows) => {
                let one = |(end, weight): &(End, f64)| (alone(end.row[at]), *weight);
                rows.iter().map(one).collect()
            }
            Weights::Marginals { values, .. } => {
                let values = values[at].iter();
                values
                    .map(|&(value, weight)| (alone(value), weight))
                    .collect()
            }
        };
        Some(Distribution {
            variables: vec![self.variables[at].clone()],
            weights: Weights::Rows(rows),
            ..self.clone()
        })
    }

    /// The probability that a row satisfies a condition.
    pub fn probability(&self, mut condition: impl FnMut(&Row) -> bool) -> f64 {
        let weight: f64 = self
            .rows()
            .iter()
            .filter(|(end, _)| condition(&end.row))
            .map(|(_, weight)| weight)
            .sum();
        weight / self.denominator
    }
}

/// A row of one variable.
fn alone(value: u16) -> End {
    End {
        row: row(&[value]),
        phase: 0,
    }
}
