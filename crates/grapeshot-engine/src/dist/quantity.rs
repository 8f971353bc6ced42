//! A single number asked of a distribution: what charts plot, what-if moves, break-even solves for.
//!
//! `success` is the probability of any label that favours the side that acts: a charge is won in more
//! ways than one. `variable=label,label` picks the labels by hand.

use super::{Distribution, Favour, Marginal, Variable, VariableKind};
use crate::stats::Z95;

/// `success`, `failure`, `undecided`, `value`, `variable=label`, `variable!=label`, `mean(variable)`, `sd(variable)`
/// or `P(variable>=n)`.
#[derive(Debug, Clone, PartialEq)]
pub enum Quantity {
    /// The probability of any label that favours a side, or neither; of the first variable that says so.
    Favoured(Favour),
    /// The probability of a value, or of any of several.
    Value {
        /// The variable.
        variable: String,
        /// Its value, as it is written; several are separated by commas.
        label: String,
    },
    /// The probability of any other value.
    Not {
        /// The variable.
        variable: String,
        /// The value that does not count.
        label: String,
    },
    /// What the question is worth to the side that asks, under best play; only of what is decided.
    Worth,
    /// The mean of a count or number.
    Mean(String),
    /// The standard deviation of a count or number.
    Sd(String),
    /// The probability of at least so much.
    AtLeast {
        /// The variable.
        variable: String,
        /// The threshold.
        number: f64,
    },
}

/// A number with its 95 % interval; both ends are the number when it is exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// A number that is certain.
    pub fn exact(value: f64) -> Self {
        Estimate {
            value,
            low: value,
            high: value,
        }
    }

    /// How far this is above another. The interval treats the two as independent: common dice make
    /// the true one narrower, so it errs on the side of caution.
    pub fn minus(&self, other: &Estimate) -> Estimate {
        let value = self.value - other.value;
        let half = self.half_width().hypot(other.half_width());
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    }

    /// Whether it is known to be above or below a number, and not only guessed.
    pub fn excludes(&self, number: f64) -> bool {
        if self.low == self.high {
            return (self.value - number).abs() > 1e-12;
        }
        number < self.low || number > self.high
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Why text is not a quantity of these variables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// It has none of the forms.
    #[error("`{0}` is not a quantity: {FORMS}")]
    Malformed(String),
    /// It asks for a variable or a value there is not.
    #[error("unknown {what} `{given}`; known are {}", .known.join(", "))]
    Unknown {
        /// A variable, or a value of one.
        what: String,
        /// What was asked for.
        given: String,
        /// What there is.
        known: Vec<String>,
    },
    /// It asks who is favoured, and nobody is.
    #[error("`{0}` cannot be asked here: no outcome favours a side; ask for {1}")]
    NobodyFavoured(String, String),
    /// It asks for the value of what is not decided.
    #[error("`{0}` can be asked only of what is decided; ask for {1}")]
    NotDecided(String, String),
    /// It asks for a label of a number.
    #[error("`{given}` is not a value of {variable}: it is a number")]
    NotANumber {
        /// The variable.
        variable: String,
        /// What was asked for.
        given: String,
    },
    /// It asks for the mean of labels.
    #[error("`{0}` is a category: ask for {0}=label, it has no mean")]
    Category(String),
    /// It names a label twice.
    #[error("`{text}` names {label} twice")]
    Twice {
        /// What was asked for.
        text: String,
        /// The label.
        label: String,
    },
}

impl QuantityError {
    fn unknown(what: impl Into<String>, given: &str, known: Vec<String>) -> Self {
        QuantityError::Unknown {
            what: what.into(),
            given: given.into(),
            known,
        }
    }
}

const FORMS: &str = "allowed is success, failure, undecided, value (of what is decided), variable=label (or label,label for any of them), variable!=label, mean(variable), sd(variable) or P(variable>=n)";

impl Quantity {
    /// Reads a quantity and checks it against the variables there are.
    ///
    /// # Errors
    /// If the form, the variable or the value is unknown.
    pub fn parse(text: &str, variables: &[Variable]) -> Result<Self, QuantityError> {
        let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let inside = |name: &str| {
            squeezed
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('('))
                .and_then(|rest| rest.strip_suffix(')'))
        };
        if let Some(&favour) = Favour::ALL.iter().find(|favour| favour.word() == squeezed) {
            judged(variables)
                .ok_or_else(|| QuantityError::NobodyFavoured(text.into(), askable(variables)))?;
            return Ok(Quantity::Favoured(favour));
        }
        if squeezed == WORTH {
            return match decided(variables) {
                true => Ok(Quantity::Worth),
                false => Err(QuantityError::NotDecided(text.into(), askable(variables))),
            };
        }
        let malformed = || QuantityError::Malformed(text.into());
        if let Some(condition) = inside("P") {
            let (variable, number) = condition.split_once(">=").ok_or_else(malformed)?;
            let number = number.parse().map_err(|_| malformed())?;
            numeric(variable, variables)?;
            return Ok(Quantity::AtLeast {
                variable: variable.into(),
                number,
            });
        }
        if let Some(variable) = inside("mean") {
            numeric(variable, variables)?;
            return Ok(Quantity::Mean(variable.into()));
        }
        if let Some(variable) = inside("sd") {
            numeric(variable, variables)?;
            return Ok(Quantity::Sd(variable.into()));
        }
        let (name, label) = squeezed.split_once('=').ok_or_else(malformed)?;
        let (name, negated) = name
            .strip_suffix('!')
            .map_or((name, false), |name| (name, true));
        let variable = find(name, variables)?;
        let mut seen: Vec<&str> = Vec::new();
        for one in label.split(',') {
            match &variable.kind {
                VariableKind::Category(labels) if !labels.iter().any(|known| known == one) => {
                    let what = format!("value of {name}");
                    return Err(QuantityError::unknown(what, one, labels.clone()));
                }
                VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_)
                    if one.parse::<f64>().is_err() =>
                {
                    return Err(QuantityError::NotANumber {
                        variable: name.into(),
                        given: one.into(),
                    });
                }
                _ if seen.contains(&one) => {
                    return Err(QuantityError::Twice {
                        text: text.into(),
                        label: one.into(),
                    });
                }
                _ => seen.push(one),
            }
        }
        let (variable, label) = (name.into(), label.into());
        Ok(match negated {
            true => Quantity::Not { variable, label },
            false => Quantity::Value { variable, label },
        })
    }

    /// What is asked when nothing else is: `success`, where an outcome favours a side.
    ///
    /// # Errors
    /// If none does, with everything that can be asked.
    pub fn usual(variables: &[Variable]) -> Result<Self, QuantityError> {
        Self::parse(Favour::Success.word(), variables)
    }

    /// The variable it is about, among those there are.
    pub fn variable<'a>(&'a self, variables: &'a [Variable]) -> Option<&'a str> {
        match self {
            Quantity::Favoured(_) => judged(variables).map(|variable| variable.name.as_str()),
            Quantity::Value { variable, .. }
            | Quantity::Not { variable, .. }
            | Quantity::AtLeast { variable, .. }
            | Quantity::Mean(variable)
            | Quantity::Sd(variable) => Some(variable),
            Quantity::Worth => None,
        }
    }

    /// Whether it says of this variable what there is to say; `success` leaves open which label it was.
    pub fn shows(&self, name: &str) -> bool {
        !matches!(self, Quantity::Favoured(_)) && self.variable(&[]) == Some(name)
    }

    /// Whether it is a probability.
    pub fn is_probability(&self) -> bool {
        !matches!(self, Quantity::Worth | Quantity::Mean(_) | Quantity::Sd(_))
    }

    /// What it is in a distribution; nothing if the distribution has no such variable.
    pub fn of(&self, odds: &Distribution) -> Option<Estimate> {
        if *self == Quantity::Worth {
            return odds.worth().map(Estimate::exact);
        }
        let marginal = odds.marginal(self.variable(odds.variables())?)?;
        let share = |p: f64| {
            let (low, high) = marginal.interval(p).unwrap_or((p, p));
            Estimate {
                value: p,
                low,
                high,
            }
        };
        Some(match self {
            Quantity::Worth => return None,
            Quantity::Favoured(favour) => share(marginal.favouring(*favour)),
            Quantity::Value { label, .. } => share(any_of(&marginal, label)),
            Quantity::Not { label, .. } => share((1.0 - any_of(&marginal, label)).max(0.0)),
            Quantity::AtLeast { number, .. } => share(marginal.at_least(*number)),
            Quantity::Mean(_) => {
                let (mean, half) = (
                    marginal.mean(),
                    Z95 * marginal.standard_error().unwrap_or(0.0),
                );
                Estimate {
                    value: mean,
                    low: mean - half,
                    high: mean + half,
                }
            }
            Quantity::Sd(_) => {
                // The sampling error of a standard deviation, from the fourth moment.
                let (mean, sd) = (marginal.mean(), marginal.sd());
                let fourth: f64 = marginal
                    .values()
                    .iter()
                    .map(|v| (v.number - mean).powi(4) * v.p)
                    .sum();
                let error = match odds.source().trials() {
                    Some(n) if sd > 0.0 => {
                        ((fourth - sd.powi(4)).max(0.0) / n as f64).sqrt() / (2.0 * sd)
                    }
                    _ => 0.0,
                };
                Estimate {
                    value: sd,
                    low: sd - Z95 * error,
                    high: sd + Z95 * error,
                }
            }
        })
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Quantity::Favoured(favour) => f.write_str(favour.word()),
            Quantity::Value { variable, label } => write!(f, "{variable}={label}"),
            Quantity::Not { variable, label } => write!(f, "{variable}!={label}"),
            Quantity::Worth => f.write_str(WORTH),
            Quantity::Mean(variable) => write!(f, "mean({variable})"),
            Quantity::Sd(variable) => write!(f, "sd({variable})"),
            Quantity::AtLeast { variable, number } => write!(f, "P({variable}>={number})"),
        }
    }
}

/// The word for what a question is worth.
const WORTH: &str = "value";

/// Whether these are the variables of something that is decided: all of it reports who was driven off.
fn decided(variables: &[Variable]) -> bool {
    let neither = |labels: &[String]| labels.iter().any(|label| label == "neither");
    variables.iter().any(|variable| match &variable.kind {
        VariableKind::Category(labels) => variable.name == "result" && neither(labels),
        VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_) => false,
    })
}

/// The variable that says whom its labels favour: the first that does.
fn judged(variables: &[Variable]) -> Option<&Variable> {
    variables.iter().find(|v| !v.favours.is_empty())
}

/// What can be asked of variables, in the form in which it is typed.
fn askable(variables: &[Variable]) -> String {
    let one = |variable: &Variable| match &variable.kind {
        VariableKind::Category(labels) => {
            format!("{}= one of {}", variable.name, labels.join(", "))
        }
        VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_) => {
            format!("mean({})", variable.name)
        }
    };
    let all: Vec<String> = variables.iter().map(one).collect();
    all.join("; ")
}

/// The probability of any of the labels in a list.
fn any_of(marginal: &Marginal, labels: &str) -> f64 {
    labels.split(',').map(|one| marginal.p(one)).sum()
}

fn find<'a>(name: &str, variables: &'a [Variable]) -> Result<&'a Variable, QuantityError> {
    variables.iter().find(|v| v.name == name).ok_or_else(|| {
        let known = variables.iter().map(|v| v.name.clone()).collect();
        QuantityError::unknown("variable", name, known)
    })
}

fn numeric(name: &str, variables: &[Variable]) -> Result<(), QuantityError> {
    if find(name, variables)?.is_numeric() {
        return Ok(());
    }
    Err(QuantityError::Category(name.into()))
}
