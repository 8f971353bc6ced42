//! How a ruleset file says the common fights: its `[common]`.
//!
//! For each fight: the procedure that plays it, where the value of each of its settings comes from, what
//! counts as a loss, and what its labels come to. The words stand in lists as in the built-in rulesets; what
//! those say in code is declared here, and checked against the procedure when the file is read.

use super::declared::Declared;
use super::entry::{Entry, not_known};
use super::script::{Block, Language, Names};
use super::settings::spelled;
use super::steps::constants;
use super::trouble::Trouble;
use crate::dist::{Name, VariableKind};
use crate::rules::common::{Fight, FightKind, RULESET_KEY, Translated, Word, native_error};
use crate::rules::{
    Bands, DefaultValue, Labels, Places, RuleError, Setting, SettingKind, Settings,
};
use rhai::{Dynamic, Scope};
use std::sync::Arc;
use toml::Value as Toml;

/// The parts of `[common]` that are no lists of words.
const PARTS: [&str; 7] = [
    "procedures",
    "settings",
    "losses",
    "results",
    "assumptions",
    "men",
    "range",
];

/// Where the value of a setting comes from.
#[derive(Debug)]
enum Source {
    /// It is always the same.
    Always(String),
    /// The men of a side, in the ruleset's unit of size.
    Size(String),
    /// The range in the ruleset's unit, at most so many.
    Range(Option<i64>),
    /// The value of a common key as it stands.
    Same(String),
    /// The word for the value of a common key.
    Word { key: String, list: String },
    /// The word for the band in which the value of a common key lies.
    Band {
        key: String,
        list: String,
        bands: Bands,
        labels: Vec<String>,
    },
    /// Worked out of common keys, each under the name by which the formula knows it.
    Formula {
        keys: Vec<(String, String)>,
        formula: Block,
    },
}

/// A setting of the procedure, and where its value comes from.
#[derive(Debug)]
struct Said {
    setting: String,
    source: Source,
    /// The assumption that enters where the value is not the default.
    assumes: Option<String>,
    /// The key of the file that says so.
    place: String,
}

/// A variable of the procedure that counts a loss, and how many of it make the whole unit.
#[derive(Debug)]
struct Loss {
    counted: Name,
    whole: Block,
}

/// A common fight in the words of the file.
#[derive(Debug)]
struct SaidFight {
    kind: FightKind,
    procedure: Arc<Declared>,
    said: Vec<Said>,
    losses: Vec<Loss>,
}

/// All common fights that a file can say.
#[derive(Debug)]
pub(super) struct Translator {
    language: Arc<Language>,
    places: Arc<Places>,
    fights: Vec<SaidFight>,
}

impl Translator {
    /// Reads the `[common]` of a file with these procedures.
    pub(super) fn read(
        root: &Entry<'_>,
        procedures: &[Arc<Declared>],
        language: &Arc<Language>,
    ) -> Result<Self, RuleError> {
        let common = root
            .under("common")?
            .ok_or_else(|| root.error("common", "is missing: it does not play common fights"))?;
        let reader = Reader {
            common: &common,
            procedures,
            language,
        };
        let mut fights = Vec::new();
        for &kind in FightKind::ALL {
            fights.extend(reader.fight(kind)?);
        }
        let lists = fights.iter().flat_map(|fight| &fight.said);
        let lists = lists.filter_map(|said| match &said.source {
            Source::Word { list, .. } | Source::Band { list, .. } => Some(list.as_str()),
            _ => None,
        });
        let known: Vec<&str> = PARTS.into_iter().chain(lists).collect();
        common.only(&known)?;
        Ok(Translator {
            language: Arc::clone(language),
            places: Arc::clone(common.places),
            fights,
        })
    }

    /// Says a common fight in the words of the file.
    pub(super) fn say(&self, fight: &mut Fight<'_>) -> Result<Translated, RuleError> {
        let known = |said: &&SaidFight| said.kind == fight.kind();
        let found = self.fights.iter().find(known);
        let found = found.expect("a fight that is left out is not asked for");
        let procedure = &found.procedure;
        for said in &found.said {
            let Some(value) = self.value(said, fight)? else {
                continue;
            };
            let allowed = [(said.setting.as_str(), value.as_str())];
            let settings = Settings::resolve(&procedure.name, &procedure.settings, allowed)
                .map_err(|error| self.places.error(&said.place, format!("gives: {error}")))?;
            let value_now = settings.get(&said.setting);
            let usual = procedure.settings.iter().any(|s| {
                s.key == said.setting
                    && matches!(&s.default, DefaultValue::Value(usual) if usual == value_now)
            });
            if let (Some(name), false) = (&said.assumes, usual) {
                fight.assume(name);
            }
            fight.put(&said.setting, value);
        }
        let rules = fight.words().rules.clone();
        let settings = Settings::resolve(&procedure.name, &procedure.settings, fight.said())
            .map_err(|error| native_error(error, &rules))?;
        let losses: Result<Vec<(Name, u16)>, RuleError> = (found.losses.iter())
            .map(|loss| Ok((loss.counted.clone(), self.whole(loss, &settings)?)))
            .collect();
        Ok(Translated::native(&procedure.name, found.kind, losses?))
    }

    /// The value of a setting, unless nothing is said of it.
    fn value(&self, said: &Said, fight: &mut Fight<'_>) -> Result<Option<String>, RuleError> {
        Ok(Some(match &said.source {
            Source::Always(value) => value.clone(),
            Source::Size(side) => fight.size(side)?.to_string(),
            Source::Range(most) => {
                let range = fight.range()?;
                let most = most.unwrap_or(range);
                if range > most {
                    let text = format!("a range of {range} counts as {most}, the longest there is");
                    fight.remark("beyond reach", &text);
                }
                range.min(most).to_string()
            }
            Source::Same(key) => fight.get(key).to_string(),
            Source::Word { key, list } => {
                let value = fight.get(key).to_string();
                match fight.words().has(&format!("{list}.{value}")) {
                    true => return fight.word(key, list, &value),
                    // Nobody, or not at all: that goes without saying.
                    false => return Ok(None),
                }
            }
            Source::Band {
                key,
                list,
                bands,
                labels,
            } => {
                let number = fight.get(key).to_string().parse();
                let number = number.expect("a key with bands is a whole number");
                return fight.word(key, list, &labels[bands.of(number)]);
            }
            Source::Formula { keys, formula } => {
                let mut scope = Scope::new();
                for (key, name) in keys {
                    super::steps::constant(&mut scope, name.clone(), fight.get(key));
                }
                plain(&self.language.value(formula, &mut scope)?).ok_or_else(|| {
                    let problem = "comes to neither a number nor true or false nor a word";
                    formula.place.error(&Trouble::of_whole(problem))
                })?
            }
        }))
    }

    fn whole(&self, loss: &Loss, settings: &Settings) -> Result<u16, RuleError> {
        let value = self.language.value(&loss.whole, &mut constants(settings))?;
        let whole = value.as_int().ok().and_then(|n| u16::try_from(n).ok());
        whole.filter(|&n| n > 0).ok_or_else(|| {
            let problem = format!("is {value}; allowed is a whole number from 1 to 65535");
            loss.whole.place.error(&Trouble::of_whole(problem))
        })
    }
}

/// A value of a script as a setting takes it.
fn plain(value: &Dynamic) -> Option<String> {
    let is_plain = value.is_int() || value.is_bool() || value.is_string();
    is_plain.then(|| value.to_string())
}

/// What is needed to read `[common]`.
struct Reader<'a> {
    common: &'a Entry<'a>,
    procedures: &'a [Arc<Declared>],
    language: &'a Language,
}

impl Reader<'_> {
    /// A part of `[common]` about one kind of fight.
    fn part(&self, part: &str, kind: FightKind) -> Result<Option<Entry<'_>>, RuleError> {
        let all = self.common.under(part)?;
        all.map_or(Ok(None), |all| all.under(kind.label()))
    }

    fn fight(&self, kind: FightKind) -> Result<Option<SaidFight>, RuleError> {
        let label = kind.label();
        let named = self.common.under("procedures")?;
        let allowed = "allowed is the name of a procedure, or \"left out: why\"";
        let named = named.ok_or_else(|| {
            let kinds = FightKind::LABELS.join(", ");
            let problem = format!("is missing: which procedure plays {kinds}? For each {allowed}");
            self.common.error("procedures", problem)
        })?;
        named.only(FightKind::LABELS)?;
        let name = named.text(label)?;
        let name = name.ok_or_else(|| named.error(label, format!("is missing: {allowed}")))?;
        if name.starts_with("left out:") {
            for part in ["settings", "losses", "results"] {
                if let Some(entry) = self.part(part, kind)? {
                    let problem = format!("means nothing: a {label} is left out");
                    return Err(entry.error("", problem));
                }
            }
            return Ok(None);
        }
        let plain = self.procedures.iter().filter(|one| !one.is_decision());
        let found = plain.clone().find(|one| *one.name == *name);
        let procedure = found.cloned().ok_or_else(|| {
            let known: Vec<String> = plain.map(|one| one.name.to_string()).collect();
            named.error(label, not_known("procedure without choices", name, &known))
        })?;
        self.results(kind, &procedure)?;
        Ok(Some(SaidFight {
            kind,
            said: self.settings(kind, &procedure)?,
            losses: self.losses(kind, &procedure)?,
            procedure,
        }))
    }

    fn settings(&self, kind: FightKind, procedure: &Declared) -> Result<Vec<Said>, RuleError> {
        let path = format!("settings.{}", kind.label());
        let entry = self.part("settings", kind)?.ok_or_else(|| {
            let problem = "is missing: where do the values of its settings come from?";
            self.common.error(&path, problem)
        })?;
        let players = [Name::from("")];
        let mut common = kind.settings(&players);
        common.retain(|setting| setting.key != RULESET_KEY);
        let mut all = Vec::new();
        for (native, value) in entry.table {
            let sides: &[&str] = match native.strip_prefix("*.") {
                Some(_) => &kind.sides(),
                None => &[""],
            };
            for &side in sides {
                let setting = for_side(native, side);
                let found = procedure.settings.iter().find(|s| s.key == setting);
                found.ok_or_else(|| {
                    let known: Vec<String> =
                        procedure.settings.iter().map(|s| s.key.clone()).collect();
                    let of = format!("setting of {}", procedure.name);
                    entry.error(native, not_known(&of, &setting, &known))
                })?;
                let source = SourceReader {
                    reader: self,
                    entry: &entry,
                    native,
                    setting: &setting,
                    side,
                    common: &common,
                    procedure,
                };
                all.push(Said {
                    source: source.read(value)?,
                    assumes: source.assumes(value)?,
                    setting,
                    place: format!("{}.{native}", entry.path),
                });
            }
        }
        Ok(all)
    }

    fn losses(&self, kind: FightKind, procedure: &Declared) -> Result<Vec<Loss>, RuleError> {
        let wanted: Vec<&str> = kind.losses().iter().map(|(name, _)| *name).collect();
        let path = format!("losses.{}", kind.label());
        let entry = self.part("losses", kind)?.ok_or_else(|| {
            let problem = format!("is missing: what counts {}?", wanted.join(" and "));
            self.common.error(&path, problem)
        })?;
        entry.only(&wanted)?;
        if kind == FightKind::Firefight && !counts(procedure).any(|name| name == "turns") {
            let problem = "needs a procedure that reports `turns`, the turn in which it ended";
            return Err(entry.error("", problem));
        }
        let mut names = Names::default();
        for setting in &procedure.settings {
            names.constant(&spelled(&setting.key));
        }
        let read = |name: &&str| {
            let one = entry.under(name)?;
            let one = one.ok_or_else(|| {
                let problem =
                    "is missing: { count = \"a variable\", of = \"how many make the unit\" }";
                entry.error(name, problem)
            })?;
            one.only(&["count", "of"])?;
            let counted = one.needed("count")?;
            let found = counts(procedure).find(|&known| known == counted);
            let found = found.ok_or_else(|| {
                let known: Vec<String> = counts(procedure).map(ToString::to_string).collect();
                let what = format!("count among what {} reports", procedure.name);
                one.error("count", not_known(&what, counted, &known))
            })?;
            if !one.table.contains_key("of") {
                return Err(one.error("", "has no `of`: how many make the whole unit?"));
            }
            Ok(Loss {
                counted: found.into(),
                whole: self.language.block(&names, one.script("of")?)?,
            })
        };
        wanted.iter().map(read).collect()
    }

    /// Checks that every label of the headline comes to a common result.
    fn results(&self, kind: FightKind, procedure: &Declared) -> Result<(), RuleError> {
        let entry = self.part("results", kind)?;
        let headline = &procedure.variables[0];
        let with_contact = |label: &String| format!("{label} with contact");
        let contact = procedure.variables.iter().any(|v| *v.name == *"contact");
        if let Some(entry) = &entry {
            let touched = procedure.labels.iter().filter(|_| contact);
            let touched: Vec<String> = touched.map(with_contact).collect();
            let known = procedure.labels.iter().chain(&touched);
            entry.only(&known.map(String::as_str).collect::<Vec<_>>())?;
            for label in entry.table.keys() {
                let result = entry.text(label)?.unwrap_or_default();
                if !kind.results().contains(&result) {
                    let allowed = kind.results().join(" | ");
                    let problem = format!("is `{result}`; allowed is {allowed}");
                    return Err(entry.error(label, problem));
                }
            }
        }
        for label in &procedure.labels {
            let said = entry.as_ref().is_some_and(|e| e.table.contains_key(label));
            let favour = headline.standing(label).map(|(favour, ..)| favour);
            if !said && favour.and_then(|favour| kind.result_of(favour)).is_none() {
                let problem = format!(
                    "has no word for `{label}`; allowed is {}",
                    kind.results().join(" | ")
                );
                let path = format!("results.{}", kind.label());
                return Err(self.common.error(&path, problem));
            }
        }
        Ok(())
    }
}

/// The variables of a procedure that are counts.
fn counts(procedure: &Declared) -> impl Iterator<Item = &str> {
    let counts = |v: &&crate::dist::Variable| matches!(v.kind, VariableKind::Count);
    procedure
        .variables
        .iter()
        .filter(counts)
        .map(|v| v.name.as_str())
}

/// A key of every side as one of this side.
fn for_side(key: &str, side: &str) -> String {
    match key.strip_prefix("*.") {
        Some(name) => format!("{side}.{name}"),
        None => key.to_owned(),
    }
}

/// One setting and what the file says of it.
struct SourceReader<'a> {
    reader: &'a Reader<'a>,
    entry: &'a Entry<'a>,
    /// The key as it is written, and for the side at hand.
    native: &'a str,
    setting: &'a str,
    side: &'a str,
    common: &'a [Setting],
    procedure: &'a Declared,
}

impl SourceReader<'_> {
    fn error(&self, problem: impl std::fmt::Display) -> RuleError {
        self.entry.error(self.native, problem)
    }

    fn read(&self, value: &Toml) -> Result<Source, RuleError> {
        match value {
            Toml::String(key) => self.from(key, None),
            Toml::Integer(_) | Toml::Boolean(_) => self.always(&value.to_string()),
            Toml::Table(_) => {
                let one = self.entry.under(self.native)?.expect("it is a table");
                one.only(&["always", "from", "words", "formula", "assumes"])?;
                let has = |key: &str| one.table.contains_key(key);
                if has("always") {
                    one.only(&["always", "assumes"])?;
                    let words = one.words("always")?.unwrap_or_default();
                    return self.always(&words.join(" "));
                }
                let from = one.words("from")?.filter(|from| !from.is_empty());
                let from = from.ok_or_else(|| {
                    self.error("needs from = \"a common key\", or always = \"a value\"")
                })?;
                if has("formula") {
                    one.only(&["from", "formula", "assumes"])?;
                    return self.formula(&one, &from);
                }
                match from.as_slice() {
                    [key] => self.from(key, one.text("words")?),
                    _ => Err(self.error("comes from several keys, so it needs a formula")),
                }
            }
            other => Err(self.error(format!(
                "is `{other}`; allowed is a common key, a number, true or false, or a table"
            ))),
        }
    }

    /// The name of an assumption, which must be made.
    fn assumes(&self, value: &Toml) -> Result<Option<String>, RuleError> {
        let Some(name) = value.get("assumes") else {
            return Ok(None);
        };
        let made = self.reader.common.under("assumptions")?;
        let made = made.map_or(Vec::new(), |made| made.table.keys().cloned().collect());
        match name.as_str().filter(|name| made.iter().any(|m| m == name)) {
            Some(name) => Ok(Some(name.to_owned())),
            None => {
                let name = name.to_string();
                Err(self.error(not_known(
                    "assumption in [common.assumptions]",
                    &name,
                    &made,
                )))
            }
        }
    }

    fn always(&self, value: &str) -> Result<Source, RuleError> {
        self.allowed(value).map_err(|error| self.error(error))?;
        Ok(Source::Always(value.to_owned()))
    }

    /// Whether the procedure takes this value for the setting.
    fn allowed(&self, value: &str) -> Result<(), RuleError> {
        let given = [(self.setting, value)];
        Settings::resolve(&self.procedure.name, &self.procedure.settings, given).map(drop)
    }

    /// A common key, which may be one of the side at hand.
    fn key(&self, key: &str) -> Result<&Setting, RuleError> {
        if key.starts_with("*.") && self.side.is_empty() {
            return Err(self.error(format!(
                "comes from `{key}`, which speaks of every side, but is itself of one"
            )));
        }
        let key = for_side(key, self.side);
        let found = self.common.iter().find(|setting| setting.key == key);
        found.ok_or_else(|| {
            let known: Vec<String> = self.common.iter().map(|s| s.key.clone()).collect();
            self.error(not_known("common key", &key, &known))
        })
    }

    fn from(&self, key: &str, list: Option<&str>) -> Result<Source, RuleError> {
        let setting = self.key(key)?;
        let key = setting.key.clone();
        let (side, name) = key.split_once('.').unwrap_or(("", &key));
        match (list, name) {
            (None, "men") => {
                let problem =
                    "is missing: per_unit, how many men are one of yours, with least and most";
                let men = self.needed("men", &["per_unit", "least", "most"], problem)?;
                let most = men.whole("most")?.unwrap_or(0);
                if most > 1000 || men.whole("least")? > Some(most) {
                    return Err(men.error("most", "is below `least`, or above 1000"));
                }
                Ok(Source::Size(side.to_owned()))
            }
            (None, "range") => {
                let problem = "is missing: yards, how many are one of your unit of range";
                let range = self.needed("range", &["yards"], problem)?;
                Ok(Source::Range(range.whole("most")?))
            }
            (None, "turns") => Ok(Source::Same(key)),
            (list, name) => {
                let list = list.unwrap_or(name).to_owned();
                let words = self.list(&list)?;
                match setting.kind {
                    SettingKind::Whole { min, max } => self.bands(key, list, &words, (min, max)),
                    _ => self.words(setting, list, &words),
                }
            }
        }
    }

    /// A scale: these of its entries are whole numbers of at least 1.
    fn needed(&self, scale: &str, keys: &[&str], missing: &str) -> Result<Entry<'_>, RuleError> {
        let common = self.reader.common;
        let found = common.under(scale)?;
        let found = found.ok_or_else(|| common.error(scale, missing))?;
        found.only(&["unit", "per_unit", "least", "yards", "most"])?;
        for &key in keys {
            if found.whole(key)?.is_none_or(|n| n < 1) {
                return Err(found.error(key, "must be a whole number of at least 1"));
            }
        }
        Ok(found)
    }

    fn list(&self, list: &str) -> Result<Entry<'_>, RuleError> {
        let common = self.reader.common;
        let found = common.under(list)?.filter(|_| !PARTS.contains(&list));
        found.ok_or_else(|| {
            let problem =
                format!("is said by words, but there is no list of them, [common.{list}]");
            self.error(problem)
        })
    }

    /// Checks that a word is one that the setting takes, or a reason.
    fn word(&self, words: &Entry<'_>, label: &str) -> Result<(), RuleError> {
        match Word::read(&words.table[label]) {
            Word::Said(word) => self
                .allowed(&word)
                .map_err(|error| words.error(label, format!("is no word for it: {error}"))),
            Word::LeftOut(_) | Word::NoDifference(_) => Ok(()),
        }
    }

    fn words(
        &self,
        setting: &Setting,
        list: String,
        words: &Entry<'_>,
    ) -> Result<Source, RuleError> {
        let values = setting.sample_values().into_iter();
        let values: Vec<String> = values.map(|value| value.to_string()).collect();
        words.only(&values.iter().map(String::as_str).collect::<Vec<_>>())?;
        for value in &values {
            match words.table.contains_key(value) {
                true => self.word(words, value)?,
                false if ["none", "false"].contains(&value.as_str()) => {}
                false => return Err(words.error("", format!("has no word for `{value}`"))),
            }
        }
        Ok(Source::Word {
            key: setting.key.clone(),
            list,
        })
    }

    fn bands(
        &self,
        key: String,
        list: String,
        words: &Entry<'_>,
        (min, max): (i64, i64),
    ) -> Result<Source, RuleError> {
        let bands = Bands::parse(words.table.keys()).map_err(|wrong| words.error("", wrong))?;
        if let Some(n) = [min, max].into_iter().find(|&n| !bands.contains(n)) {
            return Err(words.error("", format!("has no band for {n}")));
        }
        let labels: Vec<String> = words.table.keys().cloned().collect();
        for label in &labels {
            self.word(words, label)?;
        }
        Ok(Source::Band {
            key,
            list,
            bands,
            labels,
        })
    }

    fn formula(&self, one: &Entry<'_>, from: &[String]) -> Result<Source, RuleError> {
        let (mut names, mut keys) = (Names::default(), Vec::new());
        for written in from {
            let key = self.key(written)?.key.clone();
            let name = spelled(written.strip_prefix("*.").unwrap_or(written));
            names.constant(&name);
            keys.push((key, name));
        }
        let formula = self.reader.language.block(&names, one.script("formula")?)?;
        Ok(Source::Formula { keys, formula })
    }
}
