//! Enumerations with printed names.

use crate::dist::{Favour, Variable};

/// A choice with a fixed list of names, in natural order.
pub trait Labels: Copy + PartialEq + 'static {
    /// Every value, in natural order.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const LABELS: &'static [&'static str];

    /// The value of a name.
    fn from_label(label: &str) -> Option<Self> {
        let at = Self::LABELS.iter().position(|&known| known == label)?;
        Some(Self::ALL[at])
    }

    /// The place in the natural order.
    fn position(self) -> usize {
        let at = Self::ALL.iter().position(|&known| known == self);
        at.expect("every value is listed")
    }

    /// The printed name.
    fn label(self) -> &'static str {
        Self::LABELS[self.position()]
    }
}

/// Labels that say whom they favour: `AttackerWins = "attacker-wins" => Success`.
pub trait Judged: Labels {
    /// Whom each label favours, in natural order.
    const FAVOURS: &'static [Favour];

    /// A variable that reports these labels.
    fn variable(name: &str, meaning: &str) -> Variable {
        Variable::category(name, meaning, Self::LABELS.iter().copied())
            .favouring(Self::FAVOURS.iter().copied())
    }
}

/// Declares an enumeration and its printed names in one place; for the outcomes of a procedure also
/// whom each favours.
#[macro_export]
macro_rules! labels {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$inner:meta])* $variant:ident = $label:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[$inner])* #[doc = concat!("`", $label, "`")] $variant),+ }
        impl $crate::labels::Labels for $name {
            const ALL: &'static [Self] = &[$($name::$variant),+];
            const LABELS: &'static [&'static str] = &[$($label),+];

            // They are declared in their natural order, so the place is the discriminant: no search.
            #[inline(always)]
            fn position(self) -> usize {
                self as usize
            }
        }
        impl $crate::plain::Serialize for $name {
            fn serialize<S: $crate::plain::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str($crate::labels::Labels::label(*self))
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$inner:meta])* $variant:ident = $label:literal => $favour:ident),+ $(,)? }) => {
        $crate::labels! { $(#[$meta])* $vis enum $name { $($(#[$inner])* $variant = $label),+ } }
        impl $crate::labels::Judged for $name {
            const FAVOURS: &'static [$crate::dist::Favour] = &[$($crate::dist::Favour::$favour),+];
        }
    };
}
