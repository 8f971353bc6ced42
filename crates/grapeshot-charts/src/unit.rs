//! What the numbers of an axis are and how they are written.

/// The unit of an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// Probabilities, given as 0 to 1 and shown as per cent.
    Percent,
    /// Differences of probabilities, given as -1 to 1 and shown as percentage points.
    Points,
    /// Plain numbers of something: casualties, strength points, inches.
    Number {
        /// What is counted or measured; may be empty.
        name: String,
    },
    /// Labels rather than numbers.
    Label,
}

/// An axis: a name and the unit of its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What the axis shows.
    pub name: String,
    /// The unit of its numbers.
    pub unit: Unit,
}

impl Axis {
    /// An axis of probabilities.
    pub fn percent(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: Unit::Percent,
        }
    }

    /// An axis of differences of probabilities.
    pub fn points(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: Unit::Points,
        }
    }

    /// An axis of numbers in a unit, which may be empty.
    pub fn number(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: Unit::Number { name: unit.into() },
        }
    }

    /// An axis of labels.
    pub fn label(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: Unit::Label,
        }
    }

    /// The name followed by the unit in brackets, unless the name has it already.
    pub(crate) fn caption(&self) -> String {
        match &self.unit {
            Unit::Percent if self.name.contains('%') => self.name.clone(),
            Unit::Percent => format!("{} (%)", self.name),
            // In another language it is there already.
            Unit::Points if self.name.ends_with(')') => self.name.clone(),
            Unit::Points => format!("{} (percentage points)", self.name),
            Unit::Number { name } if !name.is_empty() => format!("{} ({name})", self.name),
            Unit::Number { .. } | Unit::Label => self.name.clone(),
        }
    }
}

impl Unit {
    /// A tick of an axis whose ticks are `step` apart.
    pub(super) fn tick(&self, value: f64, step: f64) -> String {
        let (value, step) = match self {
            Self::Percent | Self::Points => (value * 100.0, step * 100.0),
            _ => (value, step),
        };
        let decimals = (0..6)
            .find(|d| {
                let scaled = step * 10_f64.powi(*d);
                (scaled - scaled.round()).abs() < 1e-6
            })
            .unwrap_or(6) as usize;
        write(value, decimals, *self == Self::Points)
    }

    /// A value on its own, as in a cell.
    pub(crate) fn value(&self, value: f64) -> String {
        match self {
            Self::Percent => percent(value * 100.0),
            Self::Points => {
                let points = value * 100.0;
                write(points, usize::from(points.abs() < 9.95), true)
            }
            Self::Number { .. } | Self::Label => {
                let size = value.abs();
                let decimals = if (value - value.round()).abs() < 1e-9 || size >= 100.0 {
                    0
                } else if size >= 10.0 {
                    1
                } else {
                    2
                };
                write(value, decimals, false)
            }
        }
    }
}

/// Sums of probabilities fall this little short of a hundred percent by rounding alone.
const CERTAIN: f64 = 100.0 - 1e-9;

fn percent(p: f64) -> String {
    if p > 0.0 && p < 0.05 {
        return "<0.1%".to_owned();
    }
    if (99.95..CERTAIN).contains(&p) {
        return ">99.9%".to_owned();
    }
    let fine = (p > 0.0 && p < 0.95) || (99.05..CERTAIN).contains(&p);
    format!("{}%", write(p, usize::from(fine), false))
}

/// A number with thousands separated and a true minus sign.
fn write(value: f64, decimals: usize, signed: bool) -> String {
    let text = grapeshot_engine::stats::fixed(value.abs(), decimals);
    let (whole, rest) = text
        .find('.')
        .map_or((text.as_str(), ""), |dot| text.split_at(dot));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && whole.len() > 4 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let zero = text.chars().all(|c| c == '0' || c == '.');
    let sign = match (zero, value < 0.0, signed) {
        (true, ..) => "",
        (_, true, _) => "−",
        (_, _, true) => "+",
        _ => "",
    };
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_readers() {
        assert_eq!(Unit::Percent.value(0.453), "45%");
        assert_eq!(Unit::Percent.value(0.004), "0.4%");
        assert_eq!(Unit::Percent.value(0.0001), "<0.1%");
        assert_eq!(Unit::Percent.value(0.9999), ">99.9%");
        assert_eq!(Unit::Percent.value(1.0 - 1e-15), "100%");
        assert_eq!(Unit::Percent.value(1.0), "100%");
        assert_eq!(Unit::Points.value(-0.031), "−3.1");
        assert_eq!(Unit::Points.tick(0.05, 0.05), "+5");
        assert_eq!(Unit::Percent.tick(0.025, 0.025), "2.5");
        let plain = Unit::Number {
            name: String::new(),
        };
        assert_eq!(plain.tick(12000.0, 1000.0), "12,000");
        assert_eq!(plain.value(1.234), "1.23");
        assert_eq!(
            Axis::percent("Attacker wins").caption(),
            "Attacker wins (%)"
        );
        let named = Axis::percent("Attacker wins (%)");
        assert_eq!(named.caption(), "Attacker wins (%)");
    }
}
