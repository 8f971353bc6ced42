//! What a trial reports, and whom it favours.

use std::sync::Arc;

/// A name that is shared, not copied: of a ruleset, a procedure, a label, read from a file or built in.
pub type Name = Arc<str>;

/// Whom an outcome favours, seen from the side that acts: the attacker of a charge, the firer, `a`,
/// or the unit that takes a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Favour {
    /// The side that acts got what it wanted.
    Success,
    /// Neither side did.
    Undecided,
    /// The side that acts failed.
    Failure,
}

impl Favour {
    /// All three, the best first.
    pub const ALL: [Favour; 3] = [Favour::Success, Favour::Undecided, Favour::Failure];

    /// The word by which it is asked for.
    pub fn word(self) -> &'static str {
        match self {
            Favour::Success => "success",
            Favour::Undecided => "undecided",
            Favour::Failure => "failure",
        }
    }
}

/// What kind of values a variable has.
#[derive(Debug, Clone, PartialEq)]
pub enum VariableKind {
    /// One of these labels, in their natural order.
    Category(Vec<String>),
    /// A whole number.
    Count,
    /// A whole number that may be negative: a row holds how far it is above this.
    CountFrom(i32),
    /// One of these numbers: what a count means in another measure.
    Number(Vec<f64>),
}

/// A named quantity that a trial reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name, as programs know it.
    pub name: String,
    /// What it means, in a few words.
    pub meaning: String,
    /// Its values.
    pub kind: VariableKind,
    /// Whom each label favours, in the order of the labels; empty where no side is favoured. Labels that
    /// favour alike stand in their order of rank.
    pub favours: Vec<Favour>,
}

impl Variable {
    /// A variable with labels.
    pub fn category<L: Into<String>>(
        name: &str,
        meaning: &str,
        labels: impl IntoIterator<Item = L>,
    ) -> Self {
        Variable {
            name: name.into(),
            meaning: meaning.into(),
            kind: VariableKind::Category(labels.into_iter().map(Into::into).collect()),
            favours: Vec::new(),
        }
    }

    /// A variable that says no (0) or yes (1).
    pub fn yes_no(name: &str, meaning: &str) -> Self {
        Self::category(name, meaning, ["no", "yes"])
    }

    /// A whole number.
    pub fn count(name: &str, meaning: &str) -> Self {
        Variable {
            name: name.into(),
            meaning: meaning.into(),
            kind: VariableKind::Count,
            favours: Vec::new(),
        }
    }

    /// A whole number from `lowest` on: a row holds how far it is above that.
    pub fn count_from(lowest: i32, name: &str, meaning: &str) -> Self {
        Variable {
            kind: VariableKind::CountFrom(lowest),
            ..Self::count(name, meaning)
        }
    }

    /// A number out of a list.
    pub fn number(name: &str, meaning: &str, values: Vec<f64>) -> Self {
        Variable {
            name: name.into(),
            meaning: meaning.into(),
            kind: VariableKind::Number(values),
            favours: Vec::new(),
        }
    }

    /// Says whom each label favours, in the order of the labels.
    ///
    /// # Panics
    /// If there are not as many as labels.
    pub fn favouring(mut self, favours: impl IntoIterator<Item = Favour>) -> Self {
        self.favours = favours.into_iter().collect();
        let labels = match &self.kind {
            VariableKind::Category(labels) => labels.len(),
            _ => 0,
        };
        assert_eq!(
            self.favours.len(),
            labels,
            "a favour for each label of {}",
            self.name
        );
        self
    }

    /// Whom a value favours, if this variable says.
    pub fn favour(&self, value: u16) -> Option<Favour> {
        self.favours.get(usize::from(value)).copied()
    }

    /// Where a label stands among those that favour alike: whom they favour, its place in their order,
    /// and how many they are.
    pub fn standing(&self, label: &str) -> Option<(Favour, usize, usize)> {
        let VariableKind::Category(labels) = &self.kind else {
            return None;
        };
        let at = labels.iter().position(|known| known == label)?;
        let favour = *self.favours.get(at)?;
        let alike = |favours: &[Favour]| favours.iter().filter(|f| **f == favour).count();
        Some((favour, alike(&self.favours[..at]), alike(&self.favours)))
    }

    /// The word for the kind.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            VariableKind::Category(_) => "category",
            VariableKind::Count | VariableKind::CountFrom(_) => "count",
            VariableKind::Number(_) => "number",
        }
    }

    /// Whether means and spreads make sense.
    pub fn is_numeric(&self) -> bool {
        !matches!(self.kind, VariableKind::Category(_))
    }

    /// How a value is written.
    pub fn label(&self, value: u16) -> String {
        match &self.kind {
            VariableKind::Category(labels) => labels[usize::from(value)].clone(),
            VariableKind::Count => value.to_string(),
            VariableKind::CountFrom(lowest) => (lowest + i32::from(value)).to_string(),
            VariableKind::Number(values) => values[usize::from(value)].to_string(),
        }
    }

    /// A value as a number; for a label, its position.
    pub fn number_of(&self, value: u16) -> f64 {
        match &self.kind {
            VariableKind::Number(values) => values[usize::from(value)],
            VariableKind::CountFrom(lowest) => f64::from(lowest + i32::from(value)),
            VariableKind::Category(_) | VariableKind::Count => f64::from(value),
        }
    }
}
