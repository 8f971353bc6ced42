//! Whether an answer that came from elsewhere can be one: a file with the right checksum may still have been written by
//! anybody.

use super::play::Answer;
use super::{End, MOST_VARIABLES};
use crate::dist::{Variable, VariableKind};

/// How far the probabilities of a solution may be from one, all together; a solver's own are off in the last places.
const ROUNDING: f64 = 1e-6;

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AnswerFlaw {
    /// Counts that do not add up.
    #[error("the counts of {what} are not those of {trials} trials")]
    Counts {
        /// What was counted.
        what: String,
        /// How many there should be.
        trials: u64,
    },
    /// A weight that is no probability, or weights that are not all there is.
    #[error("what was solved has no probabilities that add up to one")]
    Probabilities,
    /// A value that a variable does not have.
    #[error("`{variable}` has no value number {value}")]
    Value {
        /// The variable.
        variable: String,
        /// The value.
        value: u16,
    },
    /// More or fewer variables than there are.
    #[error("there are {0} variables, and others are counted")]
    Variables(usize),
    /// A phase that there is not.
    #[error("there is no phase number {0}")]
    Phase(usize),
}

/// The sum of counts. Nothing if it is too large to be one.
fn sum<'a>(counts: impl IntoIterator<Item = &'a u64>) -> Option<u64> {
    let mut counts = counts.into_iter();
    counts.try_fold(0u64, |sum, &count| sum.checked_add(count))
}

fn adds_up<'a>(
    what: &str,
    counts: impl IntoIterator<Item = &'a u64>,
    trials: u64,
) -> Result<(), AnswerFlaw> {
    match sum(counts) == Some(trials) {
        true => Ok(()),
        false => Err(AnswerFlaw::Counts {
            what: what.into(),
            trials,
        }),
    }
}

impl Variable {
    /// Whether a row may hold this value of it.
    fn has(&self, value: u16) -> bool {
        match &self.kind {
            VariableKind::Category(labels) => usize::from(value) < labels.len(),
            VariableKind::Number(numbers) => usize::from(value) < numbers.len(),
            VariableKind::Count | VariableKind::CountFrom(_) => true,
        }
    }
}

fn is_value(variable: &Variable, value: u16) -> Result<(), AnswerFlaw> {
    match variable.has(value) {
        true => Ok(()),
        false => Err(AnswerFlaw::Value {
            variable: variable.name.clone(),
            value,
        }),
    }
}

impl Answer {
    /// Whether its numbers go together, whatever was asked. Answers that do can be put together.
    ///
    /// # Errors
    /// Names what does not.
    pub fn adds_up(&self) -> Result<(), AnswerFlaw> {
        match self {
            Answer::Exact(rows) => {
                let weights = rows.iter().map(|(_, p)| *p);
                let each = weights.clone().all(|p| (0.0..=1.0 + ROUNDING).contains(&p));
                match each && (weights.sum::<f64>() - 1.0).abs() <= ROUNDING {
                    true => Ok(()),
                    false => Err(AnswerFlaw::Probabilities),
                }
            }
            Answer::Simulated { tally, trials, .. } => {
                adds_up("outcomes", tally.iter().map(|(_, count)| count), *trials)
            }
            Answer::PlayedOut { counts, trials } => {
                for values in counts.by_variable() {
                    adds_up("a variable", values, *trials)?;
                }
                adds_up("phases", counts.by_phase().iter().flatten(), *trials)
            }
        }
    }

    /// Whether it can be of a procedure with these variables and so many phases.
    ///
    /// # Errors
    /// Names what such a procedure does not report.
    pub fn is_of(&self, variables: &[Variable], phases: usize) -> Result<(), AnswerFlaw> {
        let end = |end: &End| {
            if usize::from(end.phase) > phases {
                return Err(AnswerFlaw::Phase(usize::from(end.phase)));
            }
            let (used, unused) = end.row.split_at(variables.len().min(MOST_VARIABLES));
            if unused.iter().any(|&value| value != 0) {
                return Err(AnswerFlaw::Variables(variables.len()));
            }
            let mut values = variables.iter().zip(used);
            values.try_for_each(|(variable, &value)| is_value(variable, value))
        };
        match self {
            Answer::Exact(rows) => rows.iter().try_for_each(|(row, _)| end(row)),
            Answer::Simulated { tally, .. } => tally.iter().try_for_each(|(row, _)| end(row)),
            Answer::PlayedOut { counts, .. } => {
                let (values, stages) = (counts.by_variable(), counts.by_phase());
                if values.len() != variables.len() || values.iter().any(|v| v.len() > TOO_MANY) {
                    return Err(AnswerFlaw::Variables(variables.len()));
                }
                if stages.len() > phases + 1 {
                    return Err(AnswerFlaw::Phase(stages.len() - 1));
                }
                for (variable, counts) in variables.iter().zip(counts.values()) {
                    let mut counts = counts.iter();
                    counts.try_for_each(|&(value, _)| is_value(variable, value))?;
                }
                // The headline is counted twice, in all and phase by phase.
                let Some((headline, in_all)) = variables.first().zip(values.first()) else {
                    return Ok(());
                };
                let longest = stages.iter().map(Vec::len).max().unwrap_or(0);
                for value in 0..longest.max(in_all.len()) {
                    let here = stages.iter().filter_map(|counts| counts.get(value));
                    let all = in_all.get(value).copied().unwrap_or(0);
                    adds_up(&headline.name, here, all)?;
                }
                Ok(())
            }
        }
    }
}

/// As many values as a row can tell apart.
const TOO_MANY: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::row;

    fn end(values: &[u16], phase: u8) -> End {
        End {
            row: row(values),
            phase,
        }
    }

    fn counted(tally: Vec<(End, u64)>, trials: u64) -> Answer {
        let direct = false;
        Answer::Simulated {
            tally,
            trials,
            direct,
        }
    }

    fn played_out(values: &str, stages: &str) -> Answer {
        let text = format!(r#"{{"values": {values}, "stages": {stages}}}"#);
        Answer::PlayedOut {
            counts: serde_json::from_str(&text).unwrap(),
            trials: 3,
        }
    }

    #[test]
    fn numbers_that_do_not_go_together_are_named() {
        let two = |a, b| Answer::Exact(vec![(end(&[0], 0), a), (end(&[1], 0), b)]);
        for good in [
            two(0.25, 0.75),
            counted(vec![(end(&[0], 0), 3), (end(&[1], 0), 4)], 7),
            counted(vec![], 0),
            played_out("[[1, 2], [3]]", "[[1], [0, 2]]"),
        ] {
            assert_eq!(good.adds_up(), Ok(()), "{good:?}");
        }
        for bad in [
            two(0.25, 0.5),
            two(-0.5, 1.5),
            two(f64::NAN, 1.0),
            two(f64::INFINITY, f64::NEG_INFINITY),
            Answer::Exact(vec![]),
            counted(vec![(end(&[0], 0), 3)], 4),
            counted(vec![(end(&[0], 0), u64::MAX), (end(&[1], 0), 2)], 1),
            played_out("[[1, 2], [4]]", "[[3]]"),
            played_out("[[1, 2]]", "[[1]]"),
        ] {
            assert!(bad.adds_up().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_the_procedure_does_not_report_is_named() {
        let variables = [
            Variable::yes_no("won", "whether"),
            Variable::count("lost", "how many"),
        ];
        let of = |answer: Answer| answer.is_of(&variables, 2);
        assert_eq!(of(counted(vec![(end(&[1, 999], 2), 1)], 1)), Ok(()));
        let value = |answer| matches!(of(answer), Err(AnswerFlaw::Value { .. }));
        assert!(value(counted(vec![(end(&[2, 0], 0), 1)], 1)));
        assert!(value(Answer::Exact(vec![(end(&[700], 0), 1.0)])));
        assert!(value(played_out("[[1, 1, 1], [3]]", "[[1, 1, 1]]")));
        let phase = of(counted(vec![(end(&[0, 0], 3), 1)], 1));
        assert_eq!(phase, Err(AnswerFlaw::Phase(3)));
        let more = of(counted(vec![(end(&[0, 0, 1], 0), 1)], 1));
        assert_eq!(more, Err(AnswerFlaw::Variables(2)));
        assert!(of(played_out("[[3]]", "[[3]]")).is_err());
        assert!(of(played_out("[[1, 2], [3]]", "[[], [], [], [1, 2]]")).is_err());
        assert!(of(played_out("[[1, 2], [3]]", "[[2, 1]]")).is_err());
        assert_eq!(of(played_out("[[1, 2], [3]]", "[[1], [0, 2]]")), Ok(()));
    }
}
