//! Enumerations with printed names.

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

/// Declares an enumeration and its printed names in one place.
#[macro_export]
macro_rules! labels {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$inner:meta])* $variant:ident = $label:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[$inner])* #[doc = concat!("`", $label, "`")] $variant),+ }
        impl $crate::rules::Labels for $name {
            const ALL: &'static [Self] = &[$($name::$variant),+];
            const LABELS: &'static [&'static str] = &[$($label),+];
        }
    };
}
