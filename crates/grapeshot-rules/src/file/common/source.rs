//! Where the value of a setting comes from, as a ruleset file says it.

use super::super::declared::Declared;
use super::super::entry::{Entry, not_known};
use super::super::script::Names;
use super::super::settings::spelled;
use super::reader::Reader;
use super::{PARTS, Source};
use crate::common::Word;
use crate::{Bands, RuleError, Setting, SettingKind, Settings};
use toml::Value as Toml;

/// A key of every side as one of this side.
pub(super) fn for_side(key: &str, side: &str) -> String {
    match key.strip_prefix("*.") {
        Some(name) => format!("{side}.{name}"),
        None => key.to_owned(),
    }
}

/// One setting and what the file says of it.
pub(super) struct SourceReader<'a> {
    pub reader: &'a Reader<'a>,
    pub entry: &'a Entry<'a>,
    /// The key as it is written, and for the side at hand.
    pub native: &'a str,
    pub setting: &'a str,
    pub side: &'a str,
    pub common: &'a [Setting],
    pub procedure: &'a Declared,
}

impl SourceReader<'_> {
    fn error(&self, problem: impl std::fmt::Display) -> RuleError {
        self.entry.error(self.native, problem)
    }

    pub fn read(&self, value: &Toml) -> Result<Source, RuleError> {
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
    pub fn assumes(&self, value: &Toml) -> Result<Option<String>, RuleError> {
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
