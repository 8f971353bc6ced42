//! Procedures: what can be set, what is reported, and how it is played.

use super::schema::Learnt;
use super::{
    Answered, Lexicon, OddsError, Options, RuleError, Setting, Settings, Situation, Value,
};
use grapeshot_engine::dist::{Name, Variable};
use grapeshot_engine::engine::DynSteps;
use std::sync::Arc;

/// Makes the steps of a procedure from its settings.
pub type Build = Box<dyn Fn(&Settings) -> Result<Box<dyn DynSteps>, RuleError> + Send + Sync>;

/// A procedure of a ruleset: what can be set, what is reported, and how it is played.
pub struct Procedure {
    /// The name programs know it by.
    pub name: Name,
    /// What it is, in a sentence.
    pub about: Name,
    /// The place in the source.
    pub source: Name,
    /// Set when the source prints only its parts.
    pub composed: bool,
    /// What can be set.
    pub settings: Vec<Setting>,
    /// What a trial reports, headline first.
    pub variables: Vec<Variable>,
    /// Remarks that belong under every answer.
    pub notes: Vec<String>,
    /// Makes the steps.
    pub build: Build,
}

impl std::fmt::Debug for Procedure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Procedure")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Procedure {
    /// Checks and completes settings.
    ///
    /// # Errors
    /// If a key is unknown or a value not allowed.
    pub fn resolve<K: AsRef<str>, V: Into<Value>>(
        &self,
        given: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Settings, RuleError> {
        Settings::resolve(&self.name, &self.settings, given)
    }

    /// Whether whatever can be set about one can be set about the other and means the same.
    pub fn reads_like(&self, other: &Procedure) -> bool {
        let (mine, others) = (self.settings.iter(), other.settings.iter());
        mine.len() == others.len() && mine.zip(others).all(|(a, b)| a.reads_like(b))
    }

    /// Whether it is played out trial by trial, and never solved.
    pub fn is_played_out(&self) -> bool {
        let nothing: [(&str, &str); 0] = [];
        let usual = self.resolve(nothing).and_then(|s| (self.build)(&s));
        usual.is_ok_and(|play| play.played_out().is_some())
    }

    /// Gives its settings, which are complete now, the words of their ruleset and each other's keys.
    pub(super) fn learn(&mut self, words: &Arc<Lexicon>) {
        let keys = self.settings.iter().map(|setting| setting.key.clone());
        let learnt = Arc::new(Learnt {
            words: Arc::clone(words),
            keys: keys.collect(),
        });
        let settings = self.settings.iter_mut();
        settings.for_each(|setting| setting.learnt = Some(Arc::clone(&learnt)));
    }

    /// What a name stands for among what can be set: a key, or one without its side where only one side has it.
    ///
    /// # Errors
    /// If there is none, or more than one side has it.
    pub fn setting(&self, name: &str) -> Result<&Setting, RuleError> {
        if let Some(own) = self.settings.iter().find(|setting| setting.key == name) {
            return Ok(own);
        }
        let sided = self.of_a_side(name);
        match sided[..] {
            [] => Err(self.unknown_key(name)),
            [one] => Ok(one),
            _ => {
                let keys = sided.iter().map(|setting| format!("`{}`", setting.key));
                Err(RuleError::Other(format!(
                    "`{name}` of {} is asked of more than one side: say whose, {}",
                    self.name,
                    keys.collect::<Vec<_>>().join(" or ")
                )))
            }
        }
    }

    /// Whether a name is a key, or one of some side without its side.
    pub fn has_named(&self, name: &str) -> bool {
        self.settings.iter().any(|setting| setting.key == name) || !self.of_a_side(name).is_empty()
    }

    fn of_a_side(&self, name: &str) -> Vec<&Setting> {
        let named = |setting: &&Setting| {
            let sided = setting.key.split_once('.');
            sided.is_some_and(|(_, own)| own == name)
        };
        self.settings.iter().filter(named).collect()
    }

    /// Says that there is no such key, and what was probably meant.
    pub fn unknown_key(&self, key: &str) -> RuleError {
        Settings::unknown_key(&self.name, &self.settings, key)
    }

    /// Makes the steps for these settings.
    ///
    /// # Errors
    /// If the rules refuse the settings.
    pub fn situation(&self, settings: Settings) -> Result<Situation, RuleError> {
        Situation::new(self, settings)
    }

    /// What the procedure reports under these settings.
    ///
    /// # Errors
    /// If the rules refuse the settings, or the engine cannot answer.
    pub fn answer(&self, settings: &Settings, options: &Options) -> Result<Answered, OddsError> {
        self.situation(settings.clone())?.answer(options)
    }
}
