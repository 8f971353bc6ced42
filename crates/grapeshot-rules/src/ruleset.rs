//! What a ruleset is, wherever it comes from.

use super::common::Translation;
use super::{Decision, Hint, Lexicon, Procedure, Reader, RuleError, TableFile, Variant};
use grapeshot_engine::dist::Name;
use std::sync::{Arc, OnceLock};

/// What is made of a ruleset's tables. The printed rulesets are texts of the program; one that is read from a folder
/// is another implementation, and nothing else needs to know.
pub trait Rulebook: Send + Sync {
    /// The tables without any variant.
    ///
    /// # Errors
    /// If they cannot be read.
    fn tables(&self) -> Result<TableFile, RuleError>;

    /// The table file as it is written, comments and all; nothing where it is put together from others.
    fn written(&self) -> Option<String> {
        None
    }

    /// What is typed to ask it, where that is not its name: the path it was read from.
    fn as_command(&self) -> Option<&str> {
        None
    }

    /// Its files, each with its name, to be written out and made one's own: text, tables, examples and what else it keeps.
    /// None where the rules are no text.
    fn files(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    /// The sentences it refuses with, their gaps numbered: `only {1} can`.
    fn refusals(&self) -> Vec<String> {
        Vec::new()
    }

    /// Lays a variant of the text, written in Drill, over the ruleset.
    ///
    /// # Errors
    /// If the ruleset is not written in Drill, or the variant does not fit.
    fn lay(&self, _: &mut TableFile, variant: Variant) -> Result<(), RuleError> {
        let problem = format!(
            "`{}` is not written in Drill yet: a variant of it is TOML that changes its tables",
            variant.rules
        );
        Err(variant.problem("variant of", problem))
    }

    /// Checks the tables and makes the procedures.
    ///
    /// # Errors
    /// If the tables do not hold together.
    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError>;

    /// The procedures that can be decided, or why there are none.
    ///
    /// # Errors
    /// If the tables do not hold together.
    fn decisions(&self, _: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        Ok(Err("nobody has a choice in it".into()))
    }

    /// Whoever knows what questions read under these tables, where the rules are a text.
    ///
    /// # Errors
    /// If the tables do not hold together.
    fn reader(&self, _: &TableFile) -> Result<Option<Reader>, RuleError> {
        Ok(None)
    }

    /// Whether it says common fights in its own words.
    fn speaks_common(&self) -> bool {
        false
    }

    /// Makes the procedures and what says common fights in their words, from one reading of the tables.
    ///
    /// # Errors
    /// If it cannot say them, or its words do not hold together.
    fn speaking(&self, tables: &TableFile) -> Result<CommonTranslator, RuleError> {
        Err(tables.problem("common", "is missing: it does not play common fights"))
    }

    /// The rulesets that play for it, where it plays nothing itself.
    fn players(&self) -> &[Arc<Ruleset>] {
        &[]
    }
}

/// A ruleset: what it is called, and its rulebook.
#[derive(Clone)]
pub struct Ruleset {
    /// The name programs know it by.
    pub id: Name,
    /// Its printed title.
    pub title: Name,
    /// What it is.
    pub about: Name,
    /// How ambiguous passages are read, one line each.
    pub readings: Vec<Name>,
    /// What is made of its tables.
    pub book: Arc<dyn Rulebook>,
}

impl std::fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ruleset")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Ruleset {
    /// What is typed to ask it: its name, or the path it was read from.
    pub fn as_command(&self) -> &str {
        self.book.as_command().unwrap_or(&self.id)
    }

    /// Whether it has a source of its own: all but `common`, which is played by others.
    pub fn is_printed(&self) -> bool {
        self.book.players().is_empty()
    }

    /// Whether the ruleset of that name plays for it.
    fn plays(&self, id: &str) -> bool {
        self.book.players().iter().any(|player| *player.id == *id)
    }

    /// Whether a variant is one of this ruleset, or of one that plays for it.
    pub fn takes(&self, variant: &Variant) -> bool {
        *variant.rules == *self.id || self.plays(&variant.rules)
    }

    /// Checks the tables with the variants laid over them, and makes the procedures. A variant of a ruleset
    /// that plays for this one is laid over that ruleset's part.
    ///
    /// # Errors
    /// If a variant is one of another ruleset, or does not fit.
    pub fn load(self: &Arc<Self>, variants: &[Variant]) -> Result<LoadedRuleset, RuleError> {
        self.loaded(self.laid_over(variants)?)
    }

    /// The tables with the variants laid over them.
    pub(super) fn laid_over(&self, variants: &[Variant]) -> Result<TableFile, RuleError> {
        let mut tables = self.book.tables()?;
        for variant in variants {
            if *variant.rules == *self.id {
                match variant.drill() {
                    Some(_) => self.book.lay(&mut tables, variant.clone())?,
                    None => tables.overlay(variant.clone())?,
                }
            } else if self.plays(&variant.rules) {
                tables.overlay_under(variant.clone())?;
            } else {
                let problem = format!("is a variant of `{}`, not of `{}`", variant.rules, self.id);
                return Err(variant.problem("rules", problem));
            }
        }
        Ok(tables)
    }

    /// Makes the procedures from tables that are complete.
    ///
    /// # Errors
    /// If the tables do not hold together.
    pub(super) fn loaded(self: &Arc<Self>, tables: TableFile) -> Result<LoadedRuleset, RuleError> {
        let procedures = self.made_from(&tables);
        let procedures = procedures.map_err(|error| tables.located(error))?;
        LoadedRuleset::new(Arc::clone(self), tables, procedures)
    }

    /// The procedures that tables make.
    ///
    /// # Errors
    /// If the tables do not hold together.
    pub fn made_from(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        self.book.procedures(tables)
    }

    /// Puts tables and the procedures made of them together.
    ///
    /// # Errors
    /// If the words of the tables are not understood.
    pub(super) fn with_procedures(
        self: &Arc<Self>,
        tables: TableFile,
        procedures: Vec<Procedure>,
    ) -> Result<LoadedRuleset, RuleError> {
        LoadedRuleset::new(Arc::clone(self), tables, procedures)
    }
}

/// A ruleset that says the common fights.
pub struct CommonTranslator {
    /// Its procedures.
    pub procedures: Vec<Procedure>,
    /// How it says them in its own words.
    pub translation: Translation,
}

/// A ruleset with its tables checked and variants laid over them.
#[derive(Debug)]
pub struct LoadedRuleset {
    /// The ruleset.
    pub ruleset: Arc<Ruleset>,
    /// Its effective tables.
    pub tables: TableFile,
    /// Its procedures.
    pub procedures: Vec<Procedure>,
    /// Those that can be decided, once somebody asks.
    decided: OnceLock<Vec<Decision>>,
    /// Its words, to guess what was meant by a wrong one.
    words: Arc<Lexicon>,
}

impl LoadedRuleset {
    /// Puts tables and procedures together, and gives the procedures the words of the tables.
    ///
    /// # Errors
    /// If the words are not understood.
    pub(crate) fn new(
        ruleset: Arc<Ruleset>,
        tables: TableFile,
        mut procedures: Vec<Procedure>,
    ) -> Result<Self, RuleError> {
        let words = Arc::new(Lexicon::new(&tables, &procedures)?);
        procedures.iter_mut().for_each(|p| p.learn(&words));
        Ok(LoadedRuleset {
            ruleset,
            tables,
            procedures,
            decided: OnceLock::new(),
            words,
        })
    }

    /// The same ruleset with other tables.
    ///
    /// # Errors
    /// If the tables do not hold together.
    pub fn with_tables(&self, tables: TableFile) -> Result<LoadedRuleset, RuleError> {
        self.ruleset.loaded(tables)
    }

    /// The name of the ruleset.
    pub fn id(&self) -> &str {
        &self.ruleset.id
    }

    /// The names of the rulesets that play for this one, where it plays nothing itself.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.ruleset.book.players().iter().map(|player| &*player.id)
    }

    /// Finds a procedure.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn procedure(&self, name: &str) -> Result<&Procedure, RuleError> {
        let found = self.procedures.iter().find(|p| *p.name == *name);
        found.ok_or_else(|| {
            let what = format!("procedure of {}", self.id());
            let unknown = self.unknown(what, name, self.procedures.iter().map(|p| &p.name));
            let decided = self.decisions().unwrap_or_default();
            let decided = decided.iter().any(|d| *d.procedure.name == *name);
            unknown.guessed(decided.then(|| Hint::Ask {
                because: "somebody has to choose in it",
                command: format!("grapeshot decide {} {name}", self.ruleset.as_command()),
            }))
        })
    }

    /// Its words, to guess what was meant by a wrong one.
    pub(super) fn words(&self) -> &Lexicon {
        &self.words
    }

    /// Says that there is nothing of that name, and what was probably meant.
    fn unknown<'a>(
        &self,
        what: String,
        name: &str,
        known: impl Iterator<Item = &'a Name>,
    ) -> RuleError {
        let known: Vec<String> = known.map(ToString::to_string).collect();
        let meant = self.words.name(name, &known).map(Hint::Meant);
        RuleError::unknown(what, name, known).guessed(meant)
    }

    /// Finds a procedure, or one that is decided first and then played as well as possible.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn playable(&self, name: &str) -> Result<&Procedure, RuleError> {
        let plain = self.procedure(name);
        if plain.is_ok() {
            return plain;
        }
        let decided = match self.decided.get() {
            Some(decided) => decided,
            None => {
                let made = self.decisions()?;
                self.decided.get_or_init(|| made)
            }
        };
        let found = decided.iter().map(|decision| &decision.procedure);
        found
            .into_iter()
            .find(|p| *p.name == *name)
            .map_or(plain, Ok)
    }

    /// The procedures that can be decided; none where the ruleset has none.
    ///
    /// # Errors
    /// If the tables do not hold together.
    pub fn decisions(&self) -> Result<Vec<Decision>, RuleError> {
        let made = self.ruleset.book.decisions(&self.tables)?;
        let mut decisions = made.unwrap_or_default();
        let procedures = decisions.iter_mut().map(|d| &mut d.procedure);
        procedures.for_each(|procedure| procedure.learn(&self.words));
        Ok(decisions)
    }

    /// Finds a procedure that can be decided.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn decision(&self, name: &str) -> Result<Decision, RuleError> {
        let made = self.ruleset.book.decisions(&self.tables)?;
        let mut decisions = made.map_err(|reason| RuleError::NotDecided {
            rules: self.ruleset.id.clone(),
            reason,
        })?;
        match decisions.iter().position(|d| *d.procedure.name == *name) {
            Some(at) => {
                let mut decision = decisions.swap_remove(at);
                decision.procedure.learn(&self.words);
                Ok(decision)
            }
            None => {
                let what = format!("procedure of {} that can be decided", self.id());
                let known = decisions.iter().map(|d| &d.procedure.name);
                let played = self.procedures.iter().any(|p| *p.name == *name);
                Err(self
                    .unknown(what, name, known)
                    .guessed(played.then(|| Hint::Ask {
                        because: "nobody has a choice in it",
                        command: format!("grapeshot odds {} {name}", self.ruleset.as_command()),
                    })))
            }
        }
    }

    /// The names of the variants laid over the tables.
    pub fn variant_names(&self) -> Vec<String> {
        self.tables
            .variants()
            .iter()
            .map(|v| v.name.clone())
            .collect()
    }
}
