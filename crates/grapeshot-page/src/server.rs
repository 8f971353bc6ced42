//! What the page knows: the rulesets it was started with, and what it has worked out already.

use super::ask::Asking;
use super::audits::{Audits, Later};
use super::cache::Cache;
use super::evening;
use super::limits;
use super::link::Ask;
use super::offered::Withheld;
use super::play::{self, Tried};
use super::reply::Reply;
use grapeshot_engine::engine::{Budget, Stop};
use grapeshot_rules::common::{self, Interpreter};
use grapeshot_rules::{LoadedRuleset, Options, Registry, RuleError, Ruleset, Situation, Variant};
use grapeshot_study::roster::{Roster, Unit, read_roster};
use std::sync::Arc;

/// The rulesets and what was worked out.
#[derive(Debug)]
pub struct Pages {
    /// With the variants given at the start laid over them.
    books: Vec<Arc<LoadedRuleset>>,
    /// What can be asked of each, as it stands in an address.
    questions: Vec<Vec<Asking>>,
    variants: Vec<Variant>,
    /// Rosters whose units stand at hand on every visit.
    rosters: Vec<Roster>,
    /// With a house rule from a link laid over them as well.
    houses: Cache<Arc<LoadedRuleset>>,
    /// Texts of rules that are tried.
    texts: Cache<Arc<Tried>>,
    interpreter: Interpreter,
    pub(super) refused: Cache<Withheld>,
    /// Whether what needs linear programs is offered: what the page in a browser goes without.
    instruments: bool,
    pub(super) kept: Cache<Reply>,
    pub(super) audits: Audits,
}

impl Pages {
    /// Loads the rulesets of the program and these, under these variants, so that a slip is found before the first
    /// visitor.
    ///
    /// # Errors
    /// If a ruleset has a name that is taken, or a variant is one of no ruleset or does not fit.
    pub fn new(
        rulesets: Vec<Ruleset>,
        variants: Vec<Variant>,
        later: Later,
    ) -> Result<Self, RuleError> {
        let registry = known(rulesets)?;
        for variant in &variants {
            registry.find(&variant.rules)?;
        }
        let mut books = Vec::new();
        for ruleset in registry.all() {
            let own = variants.iter().filter(|variant| ruleset.takes(variant));
            let own: Vec<Variant> = own.cloned().collect();
            books.push(Arc::new(ruleset.load(&own)?));
        }
        let all = books.iter().find(|loaded| loaded.id() == common::ID);
        let all = all.expect("every registry has common");
        Ok(Pages {
            interpreter: Interpreter::new(all)?,
            questions: books.iter().map(|book| questions(book)).collect(),
            books,
            variants,
            rosters: Vec::new(),
            instruments: false,
            houses: Cache::new(limits::HOUSES),
            texts: Cache::new(limits::HOUSES),
            refused: Cache::new(limits::REFUSED),
            kept: Cache::new(limits::KEPT),
            audits: Audits::new(later),
        })
    }

    /// Offers what needs linear programs as well: one roll for a whole procedure, and rosters against each other.
    #[cfg(feature = "field")]
    pub fn with_instruments(self) -> Self {
        Pages {
            instruments: true,
            ..self
        }
    }

    /// Whether what needs linear programs is offered.
    pub(super) fn has_instruments(&self) -> bool {
        self.instruments
    }

    /// Puts the units of a roster at hand on every visit.
    ///
    /// # Errors
    /// If there is something wrong with it.
    pub fn muster(&mut self, file: &str, text: &str) -> Result<(), RuleError> {
        self.rosters.push(self.roster(file, text)?);
        Ok(())
    }

    /// A roster in the words of these rulesets.
    ///
    /// # Errors
    /// If there is something wrong with it.
    pub(super) fn roster(&self, file: &str, text: &str) -> Result<Roster, RuleError> {
        read_roster(file, text, |rules| self.book(rules).cloned())
    }

    /// The units at hand for a ruleset.
    pub(super) fn units(&self, rules: &str) -> Vec<&Unit> {
        let all = self.rosters.iter().flat_map(|roster| &roster.units);
        all.filter(|unit| unit.rules == rules).collect()
    }

    /// The rosters at hand that are of one ruleset alone.
    pub(super) fn rosters(&self, rules: &str) -> Vec<Roster> {
        let own = |roster: &&Roster| roster.units.iter().all(|unit| unit.rules == rules);
        self.rosters.iter().filter(own).cloned().collect()
    }

    /// The rulesets, in the order in which they are listed.
    pub(super) fn books(&self) -> &[Arc<LoadedRuleset>] {
        &self.books
    }

    /// What can be asked of a ruleset.
    pub(super) fn questions(&self, rules: &str) -> &[Asking] {
        let at = self.books.iter().position(|loaded| loaded.id() == rules);
        at.map_or(&[], |at| &self.questions[at])
    }

    /// The same of one that is loaded: a text that is tried is not among those of the start.
    pub(super) fn questions_of(&self, rules: &str, loaded: &LoadedRuleset) -> Vec<Asking> {
        match rules {
            play::ID => questions(loaded),
            printed => self.questions(printed).to_vec(),
        }
    }

    /// A text of rules, read and checked.
    pub(super) fn tried(&self, text: &str) -> Arc<Tried> {
        if let Some(tried) = self.texts.get(text) {
            return tried;
        }
        let tried = Arc::new(Tried::new(text.to_owned()));
        self.texts.put_counted(text, Arc::clone(&tried));
        tried
    }

    /// A ruleset as it was given at the start.
    ///
    /// # Errors
    /// If there is none of that name.
    pub(super) fn book(&self, rules: &str) -> Result<&Arc<LoadedRuleset>, RuleError> {
        let found = self.books.iter().find(|loaded| loaded.id() == rules);
        found.ok_or_else(|| {
            let known = self.books.iter().map(|loaded| loaded.id());
            RuleError::unknown("ruleset", rules, known)
        })
    }

    /// The rules of a question, if they need no work: a ruleset as it was given, or a text that was tried before.
    pub(super) fn rules_at_hand(&self, rules: &str, ask: &Ask) -> Option<Arc<LoadedRuleset>> {
        match rules {
            play::ID => {
                let text = play::text(self, ask.text.as_ref()).ok()?;
                self.texts.get(&text)?.loaded.clone().ok()
            }
            rules => self.book(rules).ok().cloned(),
        }
    }

    /// The rules of a question: a ruleset, or the text that is tried, under a house rule if there is one.
    ///
    /// # Errors
    /// If the text does not hold together, or the house rule does not fit it.
    pub(super) fn load(&self, rules: &str, ask: &Ask) -> Result<Arc<LoadedRuleset>, RuleError> {
        let (book, name) = match rules {
            play::ID => {
                let tried = self.tried(&play::text(self, ask.text.as_ref())?);
                (tried.loaded.clone()?, tried.text.clone())
            }
            rules => (Arc::clone(self.book(rules)?), rules.to_owned()),
        };
        let Some(house) = &ask.house else {
            return Ok(book);
        };
        let name = format!("{name} {}", house.text());
        if let Some(loaded) = self.houses.get(&name) {
            return Ok(loaded);
        }
        let ruleset = &book.ruleset;
        let own = self
            .variants
            .iter()
            .filter(|variant| ruleset.takes(variant));
        let mut variants: Vec<Variant> = own.cloned().collect();
        variants.push(house.variant()?);
        let loaded = Arc::new(ruleset.load(&variants)?);
        self.houses.put_counted(&name, Arc::clone(&loaded));
        Ok(loaded)
    }

    /// What rulesets call a fight; of one under a house rule a new one.
    pub(super) fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }
}

/// Names that stand for something else in an address.
const TAKEN: [&str; 5] = ["api", "assets", evening::ID, play::ID, "studies"];

/// The rulesets of the program, and these.
fn known(rulesets: Vec<Ruleset>) -> Result<Registry, RuleError> {
    let mut all: Vec<Ruleset> = Vec::new();
    all.extend(Registry::built_in().printed().map(|r| Ruleset::clone(r)));
    for ruleset in rulesets {
        let same = |known: &Ruleset| known.id == ruleset.id;
        let common = *ruleset.id == *grapeshot_rules::common::ID;
        if common || all.iter().any(same) || TAKEN.contains(&&*ruleset.id) {
            let id = &ruleset.id;
            let problem = format!("`{id}` is taken: a ruleset of one's own needs another id");
            return Err(RuleError::Other(problem));
        }
        all.push(ruleset);
    }
    Ok(Registry::new(all))
}

/// Procedures, and what is decided: behind the procedure where one has the same name.
fn questions(loaded: &LoadedRuleset) -> Vec<Asking> {
    let procedures = loaded.procedures.iter();
    let mut all: Vec<Asking> = procedures.map(|p| Asking::plain(&*p.name)).collect();
    for decision in loaded.decisions().unwrap_or_default() {
        let name = &*decision.procedure.name;
        all.push(match all.contains(&Asking::plain(name)) {
            true => Asking::decision(name),
            false => Asking::plain(name),
        });
    }
    all
}

/// How one answer is found: the same twice, whoever asks. What is played out trial by trial takes longer
/// for each of them, and gets fewer.
pub(super) fn options(situation: &Situation) -> Options {
    let trials = match situation.is_played_out() {
        true => limits::TRIALS_PLAYED_OUT,
        false => limits::TRIALS,
    };
    Options {
        stop: Stop::Trials(trials),
        budget: Budget {
            states: limits::STATES,
        },
        ..Options::default()
    }
}

/// How answers are found that are compared with each other.
pub(super) fn options_each() -> Options {
    Options {
        budget: Budget {
            states: limits::STATES_EACH,
        },
        ..Options::compared(limits::TRIALS_EACH)
    }
}
