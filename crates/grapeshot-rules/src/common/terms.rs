//! Where the value of a setting comes from: what a ruleset's words say of it, read once and worked out for each fight.

use super::{FightKind, FightTranslation, RULESET_KEY, Words};
use crate::{Bands, Labels, Procedure, RuleError, Setting, SettingKind, Value};
use grapeshot_engine::dist::Name;
use toml::Value as Toml;

/// A setting of the procedure, and where its value comes from.
#[derive(Debug)]
pub(super) struct Said {
    pub setting: String,
    /// The assumption that enters where the value is not the usual one.
    pub assumes: Option<String>,
    /// What to do where the number is 0.
    pub zero: Option<Zero>,
    /// The word that is the most it can be, and what is said of more.
    most: Option<(String, String)>,
    /// The words that say so.
    pub place: String,
    side: String,
    sources: Sources,
}

/// What to do where a number is 0.
#[derive(Debug)]
pub(super) enum Zero {
    /// The fight is left out, said of this common key.
    LeftOut(String, String),
    /// Nothing happens.
    Nothing(String),
}

/// One source, or numbers put together.
#[derive(Debug)]
enum Sources {
    Always(String),
    One(Term),
    Sum(Vec<Term>),
    Times(Vec<Term>),
}

/// One source, and the assumption that enters where it says something.
#[derive(Debug)]
struct Term {
    source: Source,
    assumes: Option<String>,
}

#[derive(Debug)]
enum Source {
    /// The men of a side, in the ruleset's unit of size.
    Size(String),
    /// The range in the ruleset's unit.
    Range,
    /// The value of a common key as it stands.
    Same(String),
    /// The word for the value of a common key, or another entry of the list where the key is set.
    Word {
        key: String,
        list: String,
        entry: Option<String>,
        at: Option<String>,
    },
    /// The word for the band in which the value of a common key lies.
    Band {
        key: String,
        list: String,
        bands: Bands,
        labels: Vec<String>,
    },
}

/// Whether a key is at what goes without saying.
pub(super) fn is_unset(value: &Value) -> bool {
    match value {
        Value::Flag(flag) => !flag,
        Value::Choice(word) => matches!(&**word, "none" | "open"),
        Value::Whole(_) | Value::Real(_) => false,
    }
}

impl Said {
    /// The value in this fight, held at its most; nothing where nothing is said.
    pub(super) fn value(
        &self,
        fight: &mut FightTranslation<'_>,
    ) -> Result<Option<String>, RuleError> {
        let value = self.as_said(fight)?;
        let (Some((path, beyond)), Some(said)) = (&self.most, &value) else {
            return Ok(value);
        };
        let most = fight.words().positive(path)?;
        if said.parse::<i64>().is_ok_and(|number| number <= most) {
            return Ok(value);
        }
        let text = self.filled(beyond, fight)?;
        fight.remark("beyond reach", &text);
        Ok(Some(most.to_string()))
    }

    fn as_said(&self, fight: &mut FightTranslation<'_>) -> Result<Option<String>, RuleError> {
        match &self.sources {
            Sources::Always(value) => Ok(Some(value.clone())),
            Sources::One(term) => term.value(fight),
            Sources::Sum(terms) => {
                let mut sum = 0;
                for term in terms {
                    sum += self.number(term, fight)?;
                }
                Ok(Some(sum.to_string()))
            }
            Sources::Times(terms) => {
                let mut product = 1;
                for term in terms {
                    product *= self.number(term, fight)?;
                }
                Ok(Some(product.to_string()))
            }
        }
    }

    /// A part of a sum or product: nothing said is 0.
    fn number(&self, term: &Term, fight: &mut FightTranslation<'_>) -> Result<i64, RuleError> {
        let Some(value) = term.value(fight)? else {
            return Ok(0);
        };
        value.parse().map_err(|_| {
            let problem = format!("adds `{value}`, which is no whole number");
            fight.words().problem(&self.place, problem)
        })
    }

    /// A reason with `{range}`, `{side}` and common keys of the side, such as `{weapon}`, filled in.
    pub(super) fn filled(
        &self,
        text: &str,
        fight: &mut FightTranslation<'_>,
    ) -> Result<String, RuleError> {
        let mut said = String::new();
        let mut rest = text;
        while let Some((before, (name, after))) = rest
            .split_once('{')
            .and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            said += before;
            said += &match name {
                "range" => fight.range()?.to_string(),
                "side" => self.side.clone(),
                key if key.contains('.') => fight.get(key).to_string(),
                key => fight.get(&format!("{}.{key}", self.side)).to_string(),
            };
            rest = after;
        }
        Ok(said + rest)
    }
}

impl Term {
    fn value(&self, fight: &mut FightTranslation<'_>) -> Result<Option<String>, RuleError> {
        let value = match &self.source {
            Source::Size(side) => Some(fight.size(side)?.to_string()),
            Source::Range => Some(fight.range()?.to_string()),
            Source::Same(key) => Some(fight.get(key).to_string()),
            Source::Word {
                key,
                list,
                entry,
                at,
            } => word(fight, (key, list), entry.as_deref(), at.as_deref())?,
            Source::Band {
                key,
                list,
                bands,
                labels,
            } => match fight.get(key) {
                &Value::Whole(number) => fight.word(key, list, &labels[bands.of(number)])?,
                _ => None,
            },
        };
        if let (Some(name), Some(said)) = (&self.assumes, &value)
            && (said != "0" || matches!(&self.source, Source::Word { at: Some(_), .. }))
        {
            fight.assume(name);
        }
        Ok(value)
    }
}

/// The word of a list for a common key.
fn word(
    fight: &mut FightTranslation<'_>,
    (key, list): (&str, &str),
    entry: Option<&str>,
    at: Option<&str>,
) -> Result<Option<String>, RuleError> {
    let value = fight.get(key);
    let entry = match entry {
        Some(_) if is_unset(value) => return Ok(None),
        Some(entry) => entry.to_owned(),
        None => value.to_string(),
    };
    let path = format!("{list}.{entry}");
    let Some(at) = at else {
        // What goes without saying, or is said by another list, need not be said.
        return match fight.words().has(&path) {
            true => fight.word(key, list, &entry),
            false => Ok(None),
        };
    };
    let place = match at {
        "range" => fight.range()?,
        path => fight.words().positive(path)?,
    };
    let numbers = fight.words().wholes(&path)?;
    let number = numbers.get(place as usize - 1).copied().unwrap_or(0);
    Ok(Some(number.to_string()))
}

/// What reads the settings of one fight.
pub(super) struct Reader<'a> {
    words: &'a Words,
    kind: FightKind,
    procedure: &'a Procedure,
    common: Vec<Setting>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a Words, kind: FightKind, procedure: &'a Procedure) -> Self {
        let mut common = kind.settings(&[Name::from("")]);
        common.retain(|setting| setting.key != RULESET_KEY);
        Reader {
            words,
            kind,
            procedure,
            common,
        }
    }

    pub(super) fn settings(&self) -> Result<Vec<Said>, RuleError> {
        let path = format!("settings.{}", self.kind.label());
        let entries = self.words.table(&path).ok_or_else(|| {
            let problem = "is missing: where do the values of its settings come from?";
            self.words.problem(&path, problem)
        })?;
        let mut all = Vec::new();
        for (native, value) in entries {
            let place = format!("{path}.{native}");
            let sides: &[&str] = match native.starts_with("*.") {
                true => &self.kind.sides(),
                false => &[""],
            };
            for &side in sides {
                all.push(self.said(native, value, (side, &place))?);
            }
        }
        self.all_values_have_words(&all)?;
        Ok(all)
    }

    /// Every value of a key that is said by words has one, in one list or another.
    fn all_values_have_words(&self, said: &[Said]) -> Result<(), RuleError> {
        let terms = said.iter().flat_map(|said| match &said.sources {
            Sources::Always(_) => &[],
            Sources::One(term) => std::slice::from_ref(term),
            Sources::Sum(terms) | Sources::Times(terms) => terms,
        });
        let lists: Vec<(&str, &str)> = terms
            .filter_map(|term| match &term.source {
                Source::Word {
                    key,
                    list,
                    entry: None,
                    ..
                } => Some((key.as_str(), list.as_str())),
                _ => None,
            })
            .collect();
        for &(key, list) in &lists {
            let setting = self.common.iter().find(|setting| setting.key == key);
            let values = setting.into_iter().flat_map(Setting::sample_values);
            for value in values.filter(|value| !is_unset(value)) {
                let of_key = lists.iter().filter(|(other, _)| *other == key);
                let has = |list: &str| self.words.has(&format!("{list}.{value}"));
                if !of_key.into_iter().any(|(_, list)| has(list)) {
                    let problem = format!("has no word for `{value}`");
                    return Err(self.words.problem(list, problem));
                }
            }
        }
        Ok(())
    }

    fn said(
        &self,
        native: &str,
        value: &Toml,
        (side, place): (&str, &str),
    ) -> Result<Said, RuleError> {
        let setting = for_side(native, side);
        if !self.procedure.settings.iter().any(|s| s.key == setting) {
            return Err(self
                .words
                .problem(place, self.procedure.unknown_key(&setting).to_string()));
        }
        let (sources, assumes, zero, most) = match value {
            Toml::Table(table) => {
                let text = |key: &str| table.get(key).and_then(Toml::as_str).map(ToOwned::to_owned);
                let known = [
                    "from", "words", "entry", "at", "sum", "times", "always", "assumes", "zero",
                    "most", "beyond",
                ];
                if let Some(other) = table.keys().find(|key| !known.contains(&key.as_str())) {
                    let problem = format!(
                        "`{other}` means nothing here; allowed is {}",
                        known.join(", ")
                    );
                    return Err(self.words.problem(place, problem));
                }
                let terms = |all: &Toml| -> Result<Vec<Term>, RuleError> {
                    let all = all.as_array().ok_or_else(|| {
                        self.words
                            .problem(place, "needs a list of what is put together")
                    })?;
                    all.iter()
                        .map(|one| self.term(one, (side, place)))
                        .collect()
                };
                let sources = match (table.get("always"), table.get("sum"), table.get("times")) {
                    (Some(value), ..) => Sources::Always(crate::tables::printed(value)),
                    (_, Some(all), _) => Sources::Sum(terms(all)?),
                    (.., Some(all)) => Sources::Times(terms(all)?),
                    _ => Sources::One(self.term(value, (side, place))?),
                };
                (
                    sources,
                    text("assumes"),
                    self.zero(text("zero"), (side, place))?,
                    self.most((text("most"), text("beyond")), place)?,
                )
            }
            Toml::String(_) => {
                let term = self.term(value, (side, place))?;
                (Sources::One(term), None, None, None)
            }
            plain => {
                let always = Sources::Always(crate::tables::printed(plain));
                (always, None, None, None)
            }
        };
        Ok(Said {
            setting,
            assumes: self.assumption(assumes, place)?,
            zero,
            most,
            place: place.to_owned(),
            side: match side {
                "" => native
                    .split_once('.')
                    .map_or("", |(side, _)| side)
                    .to_owned(),
                side => side.to_owned(),
            },
            sources,
        })
    }

    fn zero(
        &self,
        text: Option<String>,
        (side, place): (&str, &str),
    ) -> Result<Option<Zero>, RuleError> {
        let Some(text) = text else { return Ok(None) };
        let reason = |prefix: &str| text.strip_prefix(prefix).map(|why| why.trim().to_owned());
        let key = match self.common.iter().any(|setting| setting.key == "range") {
            true => "range".to_owned(),
            false => format!("{side}.weapon"),
        };
        match (reason("left out:"), reason("nothing:")) {
            (Some(why), _) => Ok(Some(Zero::LeftOut(key, why))),
            (_, Some(why)) => Ok(Some(Zero::Nothing(why))),
            _ => {
                let problem = "`zero` needs \"left out: why\", or \"nothing: why\"";
                Err(self.words.problem(place, problem))
            }
        }
    }

    /// The word that is the most a number can be, and what is said of more.
    fn most(
        &self,
        said: (Option<String>, Option<String>),
        place: &str,
    ) -> Result<Option<(String, String)>, RuleError> {
        match said {
            (None, None) => Ok(None),
            (Some(path), Some(beyond)) => {
                self.words.positive(&path)?;
                Ok(Some((path, beyond)))
            }
            _ => {
                let problem = "`most` and `beyond` belong together: a word of [common] that is the most it can be, and what is said of more";
                Err(self.words.problem(place, problem))
            }
        }
    }

    /// The name of an assumption, which must be made.
    fn assumption(&self, name: Option<String>, place: &str) -> Result<Option<String>, RuleError> {
        let made = self.words.assumptions();
        match name {
            Some(name) if !made.contains(&name) => {
                let problem = format!(
                    "assumes `{name}`; [common.assumptions] has {}",
                    made.join(", ")
                );
                Err(self.words.problem(place, problem))
            }
            name => Ok(name),
        }
    }

    fn term(&self, value: &Toml, (side, place): (&str, &str)) -> Result<Term, RuleError> {
        let text = |key: &str| match value.get(key) {
            Some(Toml::String(text)) => Some(for_side(text, side)),
            _ => None,
        };
        let key = match value {
            Toml::String(key) => for_side(key, side),
            _ => text("from").ok_or_else(|| {
                self.words.problem(
                    place,
                    "needs from = \"a common key\", or always = \"a value\"",
                )
            })?,
        };
        let setting = self.common.iter().find(|setting| setting.key == key);
        let setting = setting.ok_or_else(|| {
            let known: Vec<&str> = self.common.iter().map(|s| s.key.as_str()).collect();
            let problem = format!(
                "comes from `{key}`; the common keys are {}",
                known.join(", ")
            );
            self.words.problem(place, problem)
        })?;
        let (of, name) = key.split_once('.').unwrap_or(("", &key));
        let source = match (text("words"), name) {
            (None, "men") => Source::Size(of.to_owned()),
            (None, "range") => Source::Range,
            (None, "turns") => Source::Same(key.clone()),
            (list, name) => self.word(setting, list.as_deref().unwrap_or(name), &text)?,
        };
        Ok(Term {
            source,
            assumes: self.assumption(text("assumes"), place)?,
        })
    }

    fn word(
        &self,
        setting: &Setting,
        list: &str,
        text: &impl Fn(&str) -> Option<String>,
    ) -> Result<Source, RuleError> {
        let words = self.words.table(list).ok_or_else(|| {
            let problem = format!("is missing: the words for `{}`", setting.key);
            self.words.problem(list, problem)
        })?;
        let (key, list) = (setting.key.clone(), list.to_owned());
        if let SettingKind::Whole { min, max } = setting.kind {
            let bands = Bands::parse(words.keys());
            let bands = bands.map_err(|wrong| self.words.problem(&list, wrong))?;
            if let Some(n) = [min, max].into_iter().find(|&n| !bands.contains(n)) {
                return Err(self.words.problem(&list, format!("has no band for {n}")));
            }
            let labels = words.keys().cloned().collect();
            return Ok(Source::Band {
                key,
                list,
                bands,
                labels,
            });
        }
        Ok(Source::Word {
            key,
            list,
            entry: text("entry").map(|entry| entry.strip_prefix("*.").unwrap_or(&entry).to_owned()),
            at: text("at"),
        })
    }
}

/// A key of every side as one of this side; `*` alone is the side.
fn for_side(key: &str, side: &str) -> String {
    match key.strip_prefix("*.") {
        Some(name) => format!("{side}.{name}"),
        None if key == "*" => side.to_owned(),
        None => key.to_owned(),
    }
}
