//! One number of every trial, in order: what makes the difference of two questions sharp that were asked
//! on the same dice.

use super::{Estimate, Quantity, Row, Variable, VariableKind};
use crate::stats::{Z95, wilson_of};

/// Values of a variable for which a score is looked up; what is larger is worked out.
const LOOKED_UP: u16 = 1024;

/// What each value of a variable counts for a quantity, which is the mean of these scores.
#[derive(Debug, Clone)]
pub struct Scores<'a> {
    quantity: &'a Quantity,
    variable: &'a Variable,
    at: usize,
    table: Vec<f32>,
}

impl<'a> Scores<'a> {
    /// The scores of a quantity; nothing where it is not a mean of anything.
    pub fn new(quantity: &'a Quantity, variables: &'a [Variable]) -> Option<Self> {
        if matches!(quantity, Quantity::Sd(_) | Quantity::Worth) {
            return None;
        }
        let name = quantity.variable(variables)?;
        let at = variables.iter().position(|v| v.name == name)?;
        let variable = &variables[at];
        let values = match &variable.kind {
            VariableKind::Category(labels) => labels.len() as u16,
            VariableKind::Number(numbers) => numbers.len() as u16,
            VariableKind::Count | VariableKind::CountFrom(_) => LOOKED_UP,
        };
        let table = (0..values).map(|value| score(quantity, variable, value));
        Some(Scores {
            quantity,
            variable,
            at,
            table: table.collect(),
        })
    }

    /// What a trial counts that ended so.
    #[inline]
    pub fn of(&self, row: &Row) -> f32 {
        let value = row[self.at];
        let known = self.table.get(usize::from(value)).copied();
        known.unwrap_or_else(|| score(self.quantity, self.variable, value))
    }
}

fn score(quantity: &Quantity, variable: &Variable, value: u16) -> f32 {
    let is_one_of = |labels: &str| labels.split(',').any(|one| one == variable.label(value));
    let counts = match quantity {
        Quantity::Favoured(favour) => variable.favour(value) == Some(*favour),
        Quantity::Value { label, .. } => is_one_of(label),
        Quantity::Not { label, .. } => !is_one_of(label),
        Quantity::AtLeast { number, .. } => variable.number_of(value) >= *number,
        Quantity::Mean(_) | Quantity::Sd(_) | Quantity::Worth => {
            return variable.number_of(value) as f32;
        }
    };
    f32::from(u8::from(counts))
}

/// The scores of trials, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Trials {
    /// By trial.
    pub scores: Vec<f32>,
    /// Whether each is none or one.
    pub shares: bool,
}

impl Trials {
    /// Their mean.
    pub fn estimate(&self) -> Estimate {
        let (value, half) = mean(self.scores.iter().map(|&score| f64::from(score)));
        if !self.shares {
            return Estimate {
                value,
                low: value - half,
                high: value + half,
            };
        }
        let (low, high) = wilson_of(value, self.scores.len() as f64);
        Estimate { value, low, high }
    }

    /// How far their mean is above that of others on the same dice: what luck did to both is gone.
    pub fn minus(&self, other: &Trials) -> Estimate {
        let pairs = self.scores.iter().zip(&other.scores);
        let (value, half) = mean(pairs.map(|(&a, &b)| f64::from(a) - f64::from(b)));
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    }
}

/// The mean of some numbers and the half-width of its 95 % interval.
fn mean(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for x in numbers {
        n += 1.0;
        sum += x;
        squares += x * x;
    }
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0);
    (mean, Z95 * (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::{Favour, row};
    use crate::stats::wilson;

    #[test]
    fn a_quantity_is_the_mean_of_its_scores() {
        let variables = [
            Variable::category("result", "", ["won", "lost"])
                .favouring([Favour::Success, Favour::Failure]),
            Variable::count_from(-50, "points", ""),
        ];
        let ends = [row(&[0, 60]), row(&[1, 40]), row(&[0, 50])];
        let estimate = |text: &str| {
            let quantity = Quantity::parse(text, &variables).unwrap();
            let scores = Scores::new(&quantity, &variables).unwrap();
            let scores = ends.iter().map(|end| scores.of(end)).collect();
            let shares = quantity.is_probability();
            Trials { scores, shares }.estimate().value
        };
        assert!((estimate("result=won") - 2.0 / 3.0).abs() < 1e-6);
        assert!((estimate("result!=won") - 1.0 / 3.0).abs() < 1e-6);
        assert!((estimate("failure") - 1.0 / 3.0).abs() < 1e-6);
        assert!((estimate("mean(points)")).abs() < 1e-6);
        assert!((estimate("P(points>=0)") - 2.0 / 3.0).abs() < 1e-6);
        assert!(Scores::new(&Quantity::Sd("points".into()), &variables).is_none());
    }

    #[test]
    fn what_is_common_to_both_is_no_noise() {
        let luck: Vec<f32> = (0..1000).map(|n| (n * 37 % 101) as f32).collect();
        let of = |more: f32| Trials {
            scores: luck.iter().map(|x| x + more).collect(),
            shares: false,
        };
        let (before, after) = (of(0.0), of(0.5));
        let apart = after.estimate().minus(&before.estimate());
        let together = after.minus(&before);
        assert!(!apart.excludes(0.0) && together.excludes(0.0));
        assert!((together.value - 0.5).abs() < 1e-6);
    }

    fn interval(found: Estimate, value: f64, half: f64) {
        for (found, meant) in [
            (found.value, value),
            (found.low, value - half),
            (found.high, value + half),
        ] {
            assert!((found - meant).abs() < 1e-9, "{found}, not {meant}");
        }
    }

    #[test]
    fn intervals_are_those_of_a_mean_of_a_share_and_of_a_difference() {
        // 0, 2, 4 and 6: the mean is 3, the variance 5.
        let four = Trials {
            scores: vec![0.0, 2.0, 4.0, 6.0],
            shares: false,
        };
        interval(four.estimate(), 3.0, Z95 * (5.0 / 4.0f64).sqrt());
        // Above 2, 2, 2 and 0 by -2, 0, 2 and 6: on average 1.5, with a variance of 11 - 2.25.
        let others = Trials {
            scores: vec![2.0, 2.0, 2.0, 0.0],
            shares: false,
        };
        interval(four.minus(&others), 1.5, Z95 * (8.75 / 4.0f64).sqrt());
        let share = Trials {
            scores: vec![0.0, 1.0, 0.0, 0.0],
            shares: true,
        };
        let share = share.estimate();
        assert_eq!((share.low, share.high), wilson(1, 4));
        assert_eq!(share.value, 0.25);
    }
}
