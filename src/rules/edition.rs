//! A ruleset with a variant laid over it, as a ruleset of its own: `elephant:house.toml` beside `elephant`.

use super::common::Translation;
use super::{Decision, Procedure, RuleError, Rulebook, Ruleset, TableFile, Variant};
use crate::dist::Name;
use std::path::Path;
use std::sync::Arc;

/// A ruleset whose tables are another's with a variant laid over them.
struct Edition {
    base: Arc<Ruleset>,
    variant: Variant,
}

impl Rulebook for Edition {
    fn tables(&self) -> Result<TableFile, RuleError> {
        let mut tables = self.base.book.tables()?;
        tables.overlay(self.variant.clone())?;
        Ok(tables)
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        self.base.book.procedures(tables)
    }

    fn decisions(&self, tables: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        self.base.book.decisions(tables)
    }

    fn speaks_common(&self) -> bool {
        self.base.book.speaks_common()
    }

    fn translation(&self, tables: &TableFile) -> Result<Translation, RuleError> {
        self.base.book.translation(tables)
    }
}

impl Ruleset {
    /// Makes an edition of it, called `elephant:house` if the variant's file is `house.toml`.
    ///
    /// # Errors
    /// If the variant is one of another ruleset, or does not fit.
    pub fn edition(self: &Arc<Self>, variant: Variant) -> Result<Ruleset, RuleError> {
        // Loading says what does not fit before anybody asks.
        self.load(std::slice::from_ref(&variant))?;
        let stem = Path::new(&variant.file).file_stem();
        let stem = stem.map_or("variant".into(), |stem| {
            stem.to_string_lossy().replace('.', "-")
        });
        Ok(Ruleset {
            id: format!("{}:{stem}", self.id).into(),
            title: format!("{}, {}", self.title, variant.name).into(),
            about: match variant.about.as_str() {
                "" => self.about.clone(),
                about => about.into(),
            },
            readings: self.readings.clone(),
            book: Arc::new(Edition {
                base: Arc::clone(self),
                variant,
            }),
        })
    }
}
