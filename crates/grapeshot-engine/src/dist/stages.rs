//! The way a procedure goes, phase by phase.

use super::{Distribution, Marginal, STAGE, Variable, Weights};
use serde::Serialize;
use std::collections::BTreeMap;

/// What ends when the last turn is over.
const TIME_IS_UP: &str = "time is up";

/// One phase of a procedure: what ends in it, and how much goes on after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// The name of the phase.
    pub phase: String,
    /// Probability of each value of the headline variable among the trials that end here.
    pub ended: Vec<Ended>,
    /// Probability that the trial is still open after this phase.
    pub goes_on: f64,
}

/// A value of the headline variable, and the chance that a trial ends with it in a phase.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ended {
    /// The value.
    pub value: String,
    /// The chance.
    pub p: f64,
}

impl Distribution {
    /// The phase in which a trial ended, as if it were a variable.
    pub(super) fn stage_marginal(&self) -> Marginal {
        let names = self.phases.iter().map(String::as_str).chain([TIME_IS_UP]);
        let variable = Variable::category(STAGE, "the phase in which it ended", names);
        let mut weights: BTreeMap<u16, f64> = BTreeMap::new();
        for (phase, ended) in self.ended_in() {
            *weights.entry(u16::from(phase)).or_default() += ended.values().sum::<f64>();
        }
        Marginal::new(&variable, weights, self.denominator, self.source)
    }

    /// The weight of each value of the headline in each phase.
    fn ended_in(&self) -> BTreeMap<u8, BTreeMap<u16, f64>> {
        let mut by_phase: BTreeMap<u8, BTreeMap<u16, f64>> = BTreeMap::new();
        match &self.weights {
            Weights::Rows(rows) => {
                for (end, weight) in rows {
                    let ended = by_phase.entry(end.phase).or_default();
                    *ended.entry(end.row[0]).or_default() += weight;
                }
            }
            Weights::Marginals { stages, .. } => {
                let stages = (0u8..).zip(stages).filter(|(_, ended)| !ended.is_empty());
                by_phase
                    .extend(stages.map(|(phase, ended)| (phase, ended.iter().copied().collect())));
            }
        }
        by_phase
    }

    /// Where trials end, in the order of the phases. Phases in which nothing ends are listed too.
    pub fn stages(&self) -> Vec<Stage> {
        let mut by_phase = self.ended_in();
        let mut open: f64 = 1.0;
        let mut stages = Vec::new();
        for at in 0..=self.phases.len() {
            let mut ended = by_phase.remove(&(at as u8)).unwrap_or_default();
            ended
                .values_mut()
                .for_each(|weight| *weight /= self.denominator);
            if at == self.phases.len() && ended.is_empty() {
                break;
            }
            open -= ended.values().sum::<f64>();
            stages.push(Stage {
                phase: self
                    .phases
                    .get(at)
                    .map_or(TIME_IS_UP, String::as_str)
                    .to_owned(),
                ended: ended
                    .into_iter()
                    .map(|(value, p)| Ended {
                        value: self.variables[0].label(value),
                        p,
                    })
                    .collect(),
                goes_on: if open.abs() < 1e-12 { 0.0 } else { open },
            });
        }
        stages
    }
}
