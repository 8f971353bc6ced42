//! A ruleset with a variant laid over it, as a ruleset of its own: `elephant:house.toml` beside `elephant`.

use super::{
    CommonTranslator, Decision, Procedure, Reader, RuleError, Rulebook, Ruleset, TableFile, Variant,
};
use grapeshot_engine::dist::Name;
use std::path::Path;
use std::sync::Arc;

/// A ruleset whose tables are another's with a variant laid over them.
struct Edition {
    base: Arc<Ruleset>,
    tables: TableFile,
}

impl Rulebook for Edition {
    fn tables(&self) -> Result<TableFile, RuleError> {
        Ok(self.tables.clone())
    }

    fn lay(&self, tables: &mut TableFile, variant: Variant) -> Result<(), RuleError> {
        self.base.book.lay(tables, variant)
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        self.base.book.procedures(tables)
    }

    fn decisions(&self, tables: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        self.base.book.decisions(tables)
    }

    fn reader(&self, tables: &TableFile) -> Result<Option<Reader>, RuleError> {
        self.base.book.reader(tables)
    }

    fn speaks_common(&self) -> bool {
        self.base.book.speaks_common()
    }

    fn speaking(&self, tables: &TableFile) -> Result<CommonTranslator, RuleError> {
        self.base.book.speaking(tables)
    }
}

impl Ruleset {
    /// Makes an edition of it, called `elephant:house` if the variant's file is `house.toml`.
    ///
    /// # Errors
    /// If the variant is one of another ruleset, or does not fit.
    pub fn edition(self: &Arc<Self>, variant: Variant) -> Result<Ruleset, RuleError> {
        let tables = self.laid_over(std::slice::from_ref(&variant))?;
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
                tables,
            }),
        })
    }
}
