//! One side of a question: its settings, read by name.

use super::unit::UnitKind;
use crate::{Labels, Of, RuleError, Settings};

/// The settings of a side. A key the procedure does not have is as if nobody had set it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub settings: &'a Settings,
    pub name: &'a str,
    pub kind: UnitKind,
}

impl<'a> Side<'a> {
    /// A side of the kind that is set.
    pub(super) fn new(settings: &'a Settings, name: &'a str) -> Self {
        let kind = settings.choice_or(Of(name, "kind"), UnitKind::Infantry);
        Side {
            settings,
            name,
            kind,
        }
    }

    /// A side that goes on horseback without being asked.
    pub(super) fn mounted(settings: &'a Settings, name: &'a str) -> Self {
        Side {
            settings,
            name,
            kind: UnitKind::Cavalry,
        }
    }

    pub(super) fn key(&self, name: &'a str) -> Of<'a> {
        Of(self.name, name)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.settings.flag_or_off(Of(self.name, name))
    }

    pub fn whole(&self, name: &str, otherwise: i64) -> i64 {
        self.settings.whole_or(Of(self.name, name), otherwise)
    }

    pub(super) fn choice<T: Labels>(&self, name: &str, otherwise: T) -> T {
        self.settings.choice_or(Of(self.name, name), otherwise)
    }

    /// The row of a choice in the tables, behind all printed ones if house rules added it.
    pub(super) fn row<T: Labels>(&self, name: &str, otherwise: T) -> usize {
        let key = Of(self.name, name);
        match self.settings.find(key) {
            Some(_) => self.settings.row::<T>(key),
            None => otherwise.position(),
        }
    }

    /// The place of a choice among those that house rules added, if it is one of them.
    pub(super) fn added<T: Labels>(&self, name: &str) -> Option<usize> {
        self.row::<T>(name, T::ALL[0]).checked_sub(T::ALL.len())
    }

    pub(super) fn refuse(&self, name: &str, reason: impl Into<String>) -> RuleError {
        self.settings.refuse(Of(self.name, name), reason)
    }

    /// A flag that only units of some kinds can have.
    ///
    /// # Errors
    /// If another kind has it.
    pub(super) fn flag_of(&self, name: &str, kinds: &[UnitKind]) -> Result<bool, RuleError> {
        let on = self.flag(name);
        if on && !kinds.contains(&self.kind) {
            let able: Vec<&str> = kinds.iter().map(|kind| kind.label()).collect();
            let reason = format!(
                "only {} can, and the {} is {}",
                able.join(" and "),
                self.name,
                self.kind.label()
            );
            return Err(self.refuse(name, reason));
        }
        Ok(on)
    }
}
