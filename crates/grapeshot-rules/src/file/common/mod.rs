//! How a ruleset file says the common fights: its `[common]`.
//!
//! For each fight: the procedure that plays it, where the value of each of its settings comes from, what
//! counts as a loss, and what its labels come to. The words stand in lists as in the built-in rulesets; what
//! those say in code is declared here, and checked against the procedure when the file is read.

mod reader;
mod source;

use super::declared::Declared;
use super::entry::Entry;
use super::script::{Block, Language};
use super::steps::constants;
use super::trouble::Trouble;
use crate::common::{FightKind, FightTranslation, Translated, native_error};
use crate::{Bands, DefaultValue, Labels, RuleError, Settings, TomlText};
use grapeshot_engine::dist::Name;
use reader::Reader;
use rhai::{Dynamic, Scope};
use std::sync::Arc;

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
    places: TomlText,
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
            places: common.places.clone(),
            fights,
        })
    }

    /// Says a common fight in the words of the file.
    pub(super) fn say(&self, fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
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
    fn value(
        &self,
        said: &Said,
        fight: &mut FightTranslation<'_>,
    ) -> Result<Option<String>, RuleError> {
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
