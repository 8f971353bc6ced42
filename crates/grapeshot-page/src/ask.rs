//! A question as a visitor put it: what of it is understood, and what is wrong with the rest.

use super::field::Field;
use super::link::{self, Ask};
use super::play;
use super::server::Pages;
use grapeshot_rules::fight::Language;
use grapeshot_rules::{
    Carries, Decision, DefaultValue, LoadedRuleset, OddsError, Procedure, RuleError, Setting,
    SettingKind, Settings, Value,
};
use serde::{Serialize, Serializer};
use std::sync::{Arc, OnceLock};

/// What is asked of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What comes of it; where no procedure has the name but a decision, what to do.
    Plain,
    /// What to do, although a procedure has the same name.
    Decide,
}

/// What can be asked of a ruleset: a name, and what of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asking {
    pub(super) name: String,
    pub(super) kind: Kind,
}

impl Asking {
    pub(super) fn plain(name: impl Into<String>) -> Self {
        Asking {
            name: name.into(),
            kind: Kind::Plain,
        }
    }

    pub(super) fn decision(name: impl Into<String>) -> Self {
        Asking {
            name: name.into(),
            kind: Kind::Decide,
        }
    }

    /// Reads the parts of a path: the ruleset, what is asked of it, and what of the answer.
    pub(super) fn of_path<'a>(parts: &'a [&'a str]) -> Option<(&'a str, Self, &'a [&'a str])> {
        match parts {
            [rules, name, "decide", rest @ ..] => Some((rules, Asking::decision(*name), rest)),
            [rules, name, rest @ ..] => Some((rules, Asking::plain(*name), rest)),
            _ => None,
        }
    }

    /// Whether it asks what to do.
    pub(super) fn is_decision(&self) -> bool {
        self.kind == Kind::Decide
    }

    /// For readers.
    pub(super) fn title(&self) -> String {
        match self.kind {
            Kind::Plain => self.name.clone(),
            Kind::Decide => format!("{}: decide", self.name),
        }
    }
}

/// As it stands in an address, and in what programs read.
impl std::fmt::Display for Asking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            Kind::Plain => f.write_str(&self.name),
            Kind::Decide => write!(f, "{}/decide", self.name),
        }
    }
}

impl Serialize for Asking {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// A question to a procedure, with everything that is wrong about it.
pub(super) struct Asked {
    pub(super) loaded: Arc<LoadedRuleset>,
    /// The ruleset, as it stands in an address.
    pub(super) rules: String,
    pub(super) asking: Asking,
    /// Where somebody chooses.
    decision: Option<Decision>,
    pub(super) ask: Ask,
    /// Complete, where nothing is wrong with any of them.
    settings: Option<Settings>,
    /// What is wrong, by key.
    wrong: Vec<(String, String)>,
    /// What is wrong with the question as a whole.
    pub(super) troubles: Vec<String>,
    language: OnceLock<Language>,
    carries: OnceLock<Carries>,
}

impl Asked {
    /// Puts a question. A name that stands for a procedure and for a decision is the procedure, unless the
    /// decision is asked for.
    ///
    /// # Errors
    /// If there is no such ruleset or procedure.
    pub(super) fn new(
        server: &Pages,
        (rules, asking): (&str, &Asking),
        ask: Result<Ask, RuleError>,
    ) -> Result<Self, RuleError> {
        let mut troubles = Vec::new();
        let ask = ask.unwrap_or_else(|error| {
            troubles.push(error.to_string());
            Ask::default()
        });
        if ask.text.is_some() && rules != play::ID {
            let problem = format!("a text of rules belongs to the address /{}", play::ID);
            troubles.push(problem);
        }
        // A house rule that does not fit leaves the printed rules, and says so.
        let loaded = match server.load(rules, &ask) {
            Ok(loaded) => loaded,
            Err(error) if ask.house.is_some() => {
                troubles.push(error.to_string());
                let printed = Ask {
                    text: ask.text.clone(),
                    ..Ask::default()
                };
                server.load(rules, &printed)?
            }
            Err(error) => return Err(error),
        };
        let name = asking.name.as_str();
        let decision = match (asking.kind, loaded.procedure(name)) {
            (Kind::Decide, _) => Some(loaded.decision(name)?),
            (Kind::Plain, Ok(_)) => None,
            (Kind::Plain, Err(unknown)) => Some(loaded.decision(name).map_err(|_| unknown)?),
        };
        let mut asked = Asked {
            rules: rules.to_owned(),
            asking: asking.clone(),
            decision,
            ask,
            settings: None,
            wrong: Vec::new(),
            troubles,
            language: OnceLock::new(),
            carries: OnceLock::new(),
            loaded: Arc::clone(&loaded),
        };
        asked.take_step();
        asked.check();
        Ok(asked)
    }

    /// Finds what is wrong, key by key.
    fn check(&mut self) {
        let mut wrong: Vec<(String, String)> = Vec::new();
        let mut troubles = Vec::new();
        let procedure = self.procedure();
        for (key, value) in &self.ask.settings {
            let known = procedure.settings.iter().find(|s| s.key == *key);
            match known.map(|setting| setting.parse(value)) {
                None => troubles.push(procedure.unknown_key(key).to_string()),
                Some(Err(error)) => wrong.push((key.clone(), error.to_string())),
                // Later ones win, also over what was wrong before.
                Some(Ok(_)) => wrong.retain(|(known, _)| known != key),
            }
        }
        let settings = match wrong.is_empty() && troubles.is_empty() && self.troubles.is_empty() {
            true => procedure.resolve(self.ask.given()).map_err(|error| {
                troubles.push(error.to_string());
            }),
            false => Err(()),
        };
        self.settings = settings.ok();
        self.wrong = wrong;
        self.troubles.extend(troubles);
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_understood(&self) -> bool {
        self.wrong.is_empty() && self.troubles.is_empty()
    }

    /// Makes a number greater or smaller, as far as it may be.
    fn take_step(&mut self) {
        let Some((key, by)) = self.ask.step.take() else {
            return;
        };
        let setting = self.procedure().settings.iter().find(|s| s.key == key);
        let Some(SettingKind::Whole { min, max }) = setting.map(|s| s.kind.clone()) else {
            return;
        };
        let said = self.said(&key).and_then(|text| text.parse::<i64>().ok());
        let now = said.or_else(|| match self.usual(&key) {
            Some(Value::Whole(n)) => Some(n),
            _ => None,
        });
        let next = now.unwrap_or(min).saturating_add(by).clamp(min, max);
        self.ask.settings.push((key, next.to_string()));
    }

    /// What a key is while nobody says anything but what was said of others.
    fn usual(&self, key: &str) -> Option<Value> {
        let procedure = self.procedure();
        let find = |key: &str| procedure.settings.iter().find(|s| s.key == key);
        if let DefaultValue::Value(usual) = &find(key)?.default {
            return Some(usual.clone());
        }
        let plain = |key: &str| matches!(find(key)?.default, DefaultValue::Value(_)).then_some(());
        let others = self.ask.settings.iter();
        let others = others.filter(|(other, _)| plain(other).is_some());
        let followed = procedure.resolve(others.map(|(k, v)| (k, v)));
        let nothing: [(&str, &str); 0] = [];
        let followed = followed.or_else(|_| procedure.resolve(nothing));
        followed.ok()?.find(key).cloned()
    }

    /// What was said of a key last.
    fn said(&self, key: &str) -> Option<&str> {
        let said = self.ask.settings.iter().rev();
        let mut said = said.filter(|(known, _)| known == key);
        said.next().map(|(_, value)| value.as_str())
    }

    /// The procedure.
    pub(super) fn procedure(&self) -> &Procedure {
        match &self.decision {
            Some(decision) => &decision.procedure,
            None => {
                let found = self.loaded.procedure(&self.asking.name);
                found.expect("found when the question was put")
            }
        }
    }

    /// What is decided, if somebody chooses.
    pub(super) fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// What the fights of the ruleset call its keys.
    pub(super) fn language(&self) -> &Language {
        // It was read when the ruleset was loaded, and is right.
        self.language
            .get_or_init(|| Language::read(&self.loaded.tables).unwrap_or_default())
    }

    /// What is carried on from this fight, and what could be done instead.
    pub(super) fn carries(&self) -> &Carries {
        self.carries
            .get_or_init(|| Carries::read(&self.loaded).unwrap_or_default())
    }

    /// The settings, complete.
    pub(super) fn settings(&self) -> Option<&Settings> {
        self.settings.as_ref()
    }

    /// The page of the procedure.
    pub(super) fn path(&self) -> String {
        format!("/{}/{}", self.rules, self.asking)
    }

    /// What else can be asked of these rules.
    pub(super) fn others(&self, server: &Pages) -> Vec<Asking> {
        server.questions_of(&self.rules, &self.loaded)
    }

    /// Whether the rules are a text that is tried.
    pub(super) fn is_tried(&self) -> bool {
        self.rules == play::ID
    }

    /// The page of the rules.
    pub(super) fn rules_link(&self) -> String {
        let rules = self.ask.rules().into_iter();
        let text = rules.filter(|_| self.is_tried());
        link::address(&format!("/{}", self.rules), text)
    }

    /// What is typed for the ruleset.
    pub(super) fn subject(&self) -> &str {
        match self.is_tried() {
            true => play::FILE,
            false => self.loaded.id(),
        }
    }

    /// The address of the question.
    pub(super) fn link(&self) -> Option<String> {
        self.link_at(&self.path())
    }

    /// The address of the question for those who ask at this path.
    pub(super) fn link_at(&self, path: &str) -> Option<String> {
        let settings = self.settings.as_ref()?;
        Some(self.ask.link(path, self.procedure(), settings))
    }

    /// Whether two units meet in it.
    pub(super) fn has_two_sides(&self) -> bool {
        let settings = &self.procedure().settings;
        let mut sides: Vec<&str> = settings.iter().filter_map(Setting::side).collect();
        sides.dedup();
        sides.len() > 1
    }

    /// The address of something else about the same question.
    pub(super) fn link_to(&self, part: &str) -> Option<String> {
        let path = format!("{}/{part}", self.path());
        let settings = self.settings.as_ref()?;
        Some(self.ask.plainly().link(&path, self.procedure(), settings))
    }

    /// The address at which one says what happened of it: that alone, or with what was said of other reports.
    pub(super) fn link_got(&self, got: &str) -> Option<String> {
        // What was decided is noted in the form.
        if self.decision.is_some() {
            return None;
        }
        let ask = Ask {
            got: vec![got.to_owned()],
            ..self.ask.plainly()
        };
        let link = ask.link(&self.path(), self.procedure(), self.settings.as_ref()?);
        Some(format!("{link}#luck"))
    }

    /// The address of the same question with a key set to something else.
    pub(super) fn link_with(&self, key: &str, value: &Value) -> Option<String> {
        let procedure = self.procedure();
        let mut given = link::differing(procedure, self.settings.as_ref()?);
        given.push((key.to_owned(), value.clone()));
        let settings = procedure.resolve(given).ok()?;
        let ask = self.ask.plainly();
        Some(ask.link(&self.path(), procedure, &settings))
    }

    /// What is said of it, as it is typed: only what differs from the default.
    pub(super) fn changed_settings(&self) -> Vec<(String, Value)> {
        let settings = self.settings.as_ref();
        settings.map_or(Vec::new(), |s| link::differing(self.procedure(), s))
    }

    /// Takes note of why there is no answer, at the key it is about.
    pub(super) fn refused(&mut self, error: &OddsError) {
        let told = error.to_string();
        let key = match error {
            OddsError::Rule(
                RuleError::Value { key, .. }
                | RuleError::Refused { key, .. }
                | RuleError::LeftOut { key, .. },
            ) => Some(key),
            _ => None,
        };
        let known = |key: &&String| self.procedure().settings.iter().any(|s| s.key == **key);
        match key.filter(known) {
            Some(key) => self.wrong.push((key.clone(), told)),
            None => self.troubles.push(told),
        }
    }

    /// What is wrong, in the order of the form.
    pub(super) fn wrong(&self) -> &[(String, String)] {
        &self.wrong
    }

    /// A setting with what stands in it.
    pub(super) fn field<'a>(&'a self, setting: &'a Setting) -> Field<'a> {
        let said = self.said(&setting.key).map(str::to_owned);
        let usual = self.usual(&setting.key);
        let usual = usual.map_or_else(|| setting.default_text(), |value| value.to_string());
        let follows = !matches!(setting.default, DefaultValue::Value(_));
        let error = self.wrong.iter().find(|(key, _)| *key == setting.key);
        Field {
            setting,
            withheld: Vec::new(),
            changed: said.as_ref().is_some_and(|said| *said != usual),
            value: said.or_else(|| (!follows).then(|| usual.clone())),
            effective: usual,
            error: error.map(|(_, told)| told.clone()),
        }
    }
}
