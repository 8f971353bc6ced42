//! Rulesets that are written in Drill: texts that read like the rulebook, and the printed tables beside them.
//!
//! The language itself (reading, checking, playing) is a crate of its own; here its programs become rulesets as every
//! command knows them. A ruleset of one's own takes the same way as a printed one.

mod cells;
mod decision;
mod schema;
#[cfg(test)]
mod tests;

use crate::common::{Declared, Words};
use crate::{
    CommonTranslator, Decision, Procedure, RuleError, Rulebook, Ruleset, Settings, TableFile,
    Variant,
};
use grapeshot_drill::load::{Files, Head, load};
use grapeshot_drill::message::render_all;
use grapeshot_drill::program::{ProcedureId, Program};
use grapeshot_drill::run::{Refused, Rules};
use grapeshot_engine::dist::Name;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock};

/// A text of a ruleset, or another file of it, with the name that messages give it.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub name: Cow<'static, str>,
    pub text: Cow<'static, str>,
}

impl Text {
    fn pair(&self) -> (&str, &str) {
        (&self.name, &self.text)
    }
}

/// A ruleset that is part of the program and written in Drill: the files of its folder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuiltInText {
    /// The name programs know it by.
    pub id: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Its examples.
    pub examples: &'static str,
    /// The printed tables, as TOML.
    pub tables: &'static str,
    /// What is kept beside them, as TOML.
    pub extras: &'static str,
}

impl From<BuiltInText> for Ruleset {
    fn from(built_in: BuiltInText) -> Self {
        let head = Head::of_ruleset(built_in.text).expect("a text of our own says what it is");
        Ruleset {
            id: built_in.id.into(),
            title: (&*head.title).into(),
            about: (&*head.about).into(),
            readings: head.readings.iter().map(|text| (&**text).into()).collect(),
            book: Arc::new(DrillBook::new(built_in)),
        }
    }
}

/// Great Battles of the American Civil War.
pub(crate) const GBACW: BuiltInText = BuiltInText {
    id: "gbacw",
    text: include_str!("../../rules/gbacw/gbacw.drill"),
    examples: include_str!("../../rules/gbacw/examples.drill"),
    tables: include_str!("../../rules/gbacw/tables.toml"),
    extras: include_str!("../../rules/gbacw/extras.toml"),
};

/// 15 mm charge-impact charts.
pub(crate) const IMPACT: BuiltInText = BuiltInText {
    id: "impact",
    text: include_str!("../../rules/impact/impact.drill"),
    examples: include_str!("../../rules/impact/examples.drill"),
    tables: include_str!("../../rules/impact/tables.toml"),
    extras: include_str!("../../rules/impact/extras.toml"),
};

/// The texts that every ruleset may `use`.
const STANDARD: [(&str, &str); 1] = [(
    "standoff",
    include_str!("../../rules/standard/standoff.drill"),
)];

/// The text of a standard file.
fn standard(name: &str) -> Option<String> {
    let own = STANDARD.iter().find(|(known, _)| *known == name);
    own.map(|(_, text)| (*text).to_owned())
}

/// A ruleset's files, and what was read from them.
pub(crate) struct DrillBook {
    built_in: BuiltInText,
    /// Its text, and what it `use`s beside the standard ones.
    texts: Vec<Text>,
    tables: Text,
    /// As printed, without a variant.
    printed: OnceLock<Result<Arc<Rules>, RuleError>>,
    /// With variants of the text laid over it, by their texts: the last few that were asked for.
    varied: Mutex<Vec<(Vec<String>, Arc<Rules>)>>,
}

/// How many varied texts are kept.
const MOST_VARIED: usize = 8;

impl DrillBook {
    fn new(built_in: BuiltInText) -> Self {
        let name = |file: &str| Cow::Owned(format!("{}/{file}", built_in.id));
        let text = Text {
            name: name(&format!("{}.drill", built_in.id)),
            text: Cow::Borrowed(built_in.text),
        };
        DrillBook {
            texts: vec![text],
            tables: Text {
                name: name("tables.toml"),
                text: Cow::Borrowed(built_in.tables),
            },
            built_in,
            printed: OnceLock::new(),
            varied: Mutex::new(Vec::new()),
        }
    }

    /// Reads and checks the text with these variants laid over it.
    fn read(&self, tables: (&str, &str), variants: &[&Variant]) -> Result<Arc<Rules>, RuleError> {
        let files = Files {
            texts: self.texts.iter().map(Text::pair).collect(),
            tables: Some(tables),
            variants: variants
                .iter()
                .filter_map(|variant| Some((variant.file.as_str(), variant.drill()?)))
                .collect(),
        };
        let loaded = load(&files, &standard);
        let Some(program) = loaded.program else {
            return Err(RuleError::Other(loaded.shown()));
        };
        let rules = Rules::new(program);
        // What is printed in the program itself is checked by a test.
        let own = variants.is_empty() && tables == self.tables.pair();
        let failures = if own {
            Vec::new()
        } else {
            rules.table_failures()
        };
        match failures.is_empty() {
            true => Ok(Arc::new(rules)),
            false => Err(RuleError::Other(render_all(
                &failures,
                &rules.program().sources,
            ))),
        }
    }

    /// What does not hold of the examples, as it is shown; nothing if all do.
    #[cfg(test)]
    fn check(&self) -> Option<String> {
        let mut texts: Vec<(&str, &str)> = self.texts.iter().map(Text::pair).collect();
        texts.push(("examples.drill", self.built_in.examples));
        let files = Files {
            texts,
            tables: Some(self.tables.pair()),
            variants: Vec::new(),
        };
        let loaded = load(&files, &standard);
        let shown = loaded.shown();
        let Some(program) = loaded.program else {
            return Some(shown);
        };
        let rules = Rules::new(program);
        let mut failures = rules.failures();
        failures.extend(rules.table_failures());
        let sources = &rules.program().sources;
        (!failures.is_empty()).then(|| render_all(&failures, sources))
    }

    /// The rules as printed, or with the variants of the text that were laid over the tables.
    fn base(&self, tables: &TableFile) -> Result<Arc<Rules>, RuleError> {
        let variants: Vec<&Variant> = tables.variants().iter().collect();
        let variants: Vec<&Variant> = variants
            .into_iter()
            .filter(|variant| variant.drill().is_some())
            .collect();
        if variants.is_empty() {
            return self
                .printed
                .get_or_init(|| self.read(self.tables.pair(), &[]))
                .clone();
        }
        let texts = variants.iter().filter_map(|variant| variant.drill());
        let texts: Vec<String> = texts.map(ToOwned::to_owned).collect();
        let varied = || self.varied.lock().expect("nobody panics while holding it");
        if let Some((_, rules)) = varied().iter().find(|(known, _)| *known == texts) {
            return Ok(Arc::clone(rules));
        }
        let rules = self.read(self.tables.pair(), &variants)?;
        let mut varied = varied();
        varied.truncate(MOST_VARIED - 1);
        varied.insert(0, (texts, Arc::clone(&rules)));
        Ok(rules)
    }

    /// The rules by these tables.
    fn rules(&self, tables: &TableFile) -> Result<Arc<Rules>, RuleError> {
        let base = self.base(tables)?;
        if !cells::same_shape(base.program(), tables) {
            return self.read((tables.name(), &tables.to_toml()), &[]);
        }
        let changed = cells::changed(base.program(), tables)?;
        if changed.is_empty() {
            return Ok(base);
        }
        let mut program = base.program().clone();
        for (place, value) in &changed {
            program
                .overlay(&cells::in_text(place), &crate::tables::printed(value))
                .map_err(|problem| tables.problem(place.to_string(), problem))?;
        }
        let rules = Rules::new(program);
        let failures = rules.table_failures();
        match failures.is_empty() {
            true => Ok(Arc::new(rules)),
            false => Err(RuleError::File {
                file: tables.name().to_owned(),
                problem: render_all(&failures, &rules.program().sources),
            }),
        }
    }
}

impl Rulebook for DrillBook {
    fn tables(&self) -> Result<TableFile, RuleError> {
        let name = self.tables.name.to_string();
        let (tables, extras) = (self.built_in.tables, self.built_in.extras);
        Ok(TableFile::built_in(name, tables, extras))
    }

    fn written(&self) -> Option<String> {
        let (tables, extras) = (self.built_in.tables, self.built_in.extras);
        Some(format!("{tables}\n{extras}"))
    }

    fn files(&self) -> Vec<(&str, &str)> {
        let last = |name: &'_ str| name.rfind('/').map_or(0, |at| at + 1);
        let texts = self.texts.iter().map(Text::pair);
        let texts = texts.chain([self.tables.pair()]);
        let mut files: Vec<(&str, &str)> = texts
            .map(|(name, text)| (&name[last(name)..], text))
            .collect();
        files.push(("extras.toml", self.built_in.extras));
        files.push(("examples.drill", self.built_in.examples));
        files
    }

    fn lay(&self, tables: &mut TableFile, variant: Variant) -> Result<(), RuleError> {
        let before = self.base(tables)?;
        let mut varied = tables.clone();
        varied.take_note(variant);
        let after = self.base(&varied)?;
        let changes = cells::carry_over(before.program(), after.program(), &mut varied)?;
        varied.changed_by_last(changes);
        *tables = varied;
        Ok(())
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        let rules = self.rules(tables)?;
        let listed = rules.program().listed.clone();
        let plain = listed.into_iter();
        plain
            .filter(|&id| rules.program()[id].decided_for.is_none())
            .map(|id| procedure(&rules, id, tables))
            .collect()
    }

    fn decisions(&self, tables: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        let rules = self.rules(tables)?;
        let listed = rules.program().listed.iter();
        let decided = listed.filter(|&&id| rules.program()[id].decided_for.is_some());
        let decided: Vec<ProcedureId> = decided.copied().collect();
        if decided.is_empty() {
            let why = tables
                .section("decisions")
                .and_then(|entry| entry.get("none"));
            let why = why.and_then(toml::Value::as_str);
            return Ok(Err(why.unwrap_or("no procedure of it has choices").into()));
        }
        let made = decided
            .into_iter()
            .map(|id| decision::decision(&rules, id, tables));
        made.collect::<Result<Vec<Decision>, RuleError>>().map(Ok)
    }

    fn speaks_common(&self) -> bool {
        true
    }

    fn speaking(&self, tables: &TableFile) -> Result<CommonTranslator, RuleError> {
        let words = Words::new(self.built_in.id, tables)?;
        let procedures = self.procedures(tables)?;
        let declared = Declared::read(&words, &procedures)?;
        let own = self.procedures(tables)?;
        Ok(CommonTranslator {
            procedures,
            translation: Box::new(move |fight| declared.say(fight, &own)),
        })
    }
}

/// A procedure of a text that nobody decides.
fn procedure(
    rules: &Arc<Rules>,
    id: ProcedureId,
    tables: &TableFile,
) -> Result<Procedure, RuleError> {
    let program: &Program = rules.program();
    let written = &program[id];
    let build = {
        let rules = Arc::clone(rules);
        move |settings: &Settings| {
            let play = ask(&rules, id, settings)?;
            Ok(Box::new(play) as Box<dyn grapeshot_engine::engine::DynSteps>)
        }
    };
    Ok(Procedure {
        name: (&*written.name).into(),
        about: (&*written.about).into(),
        source: (&*written.source).into(),
        composed: written.composed,
        settings: schema::settings(program, written, tables)?,
        variables: rules.variables(written),
        notes: written.remarks().map(ToOwned::to_owned).collect(),
        build: Box::new(build),
    })
}

/// A question of a text.
fn ask(
    rules: &Rules,
    id: ProcedureId,
    settings: &Settings,
) -> Result<grapeshot_drill::run::Play, RuleError> {
    let given: Vec<(&str, String)> = settings
        .given()
        .map(|(key, value)| (key, schema::as_text(value)))
        .collect();
    let given: Vec<(&str, &str)> = given.iter().map(|(key, value)| (*key, &**value)).collect();
    rules.ask_id(id, &given).map_err(|refused| match refused {
        Refused::Refusal { key, text, .. } => match settings.find(&key) {
            Some(value) => RuleError::refused(key, value.clone(), text),
            None => RuleError::refused(key, "", text),
        },
        other => RuleError::Other(other.to_string()),
    })
}
