//! Rulesets that are written in Drill: texts that read like the rulebook, and the printed tables beside them.
//!
//! The language itself (reading, checking, playing) is a crate of its own; here its programs become rulesets as every
//! command knows them. A ruleset of one's own takes the same way as a printed one.

mod asked;
mod cells;
mod check;
mod decision;
mod native;
mod own;
mod schema;
mod sentences;
#[cfg(test)]
mod tests;

pub use check::{Checked, Fault, Weight, check, check_text};
pub use own::{file_of, format, in_one_text, item, items, of_text, read, template};

use crate::common::{Declared, Words};
use crate::{
    CommonTranslator, Decision, Procedure, Reader, Reads, RuleError, Rulebook, Ruleset, Settings,
    TableFile, Variant,
};
use grapeshot_drill::load::{Files, Head, load};
use grapeshot_drill::message::render_all;
use grapeshot_drill::program::{CellPlace, ProcedureId, Program};
use grapeshot_drill::run::{Direct, Refused, Rules};
use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::DynSteps;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
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

    /// The name of the file, without where it stands.
    fn file(&self) -> &str {
        let at = self.name.rfind(['/', '\\']).map_or(0, |at| at + 1);
        &self.name[at..]
    }
}

/// A ruleset that is part of the program and written in Drill: the files of its folder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuiltInText {
    /// The name programs know it by.
    pub id: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The texts beside it that it uses, by name.
    pub parts: &'static [(&'static str, &'static str)],
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
        DrillBook::built_in(built_in).into_ruleset(head)
    }
}

/// "Seeing the Elephant!".
pub(crate) const ELEPHANT: BuiltInText = BuiltInText {
    id: "elephant",
    text: include_str!("../../rules/elephant/elephant.drill"),
    parts: &[
        (
            "elephant-charge",
            include_str!("../../rules/elephant/elephant-charge.drill"),
        ),
        (
            "elephant-battle",
            include_str!("../../rules/elephant/elephant-battle.drill"),
        ),
    ],
    examples: include_str!("../../rules/elephant/examples.drill"),
    tables: include_str!("../../rules/elephant/tables.toml"),
    extras: include_str!("../../rules/elephant/extras.toml"),
};

/// Great Battles of the American Civil War.
pub(crate) const GBACW: BuiltInText = BuiltInText {
    id: "gbacw",
    text: include_str!("../../rules/gbacw/gbacw.drill"),
    parts: &[],
    examples: include_str!("../../rules/gbacw/examples.drill"),
    tables: include_str!("../../rules/gbacw/tables.toml"),
    extras: include_str!("../../rules/gbacw/extras.toml"),
};

/// American Civil War, 25/28 mm.
pub(crate) const ACW28: BuiltInText = BuiltInText {
    id: "acw28",
    text: include_str!("../../rules/acw28/acw28.drill"),
    parts: &[
        (
            "decisions",
            include_str!("../../rules/acw28/decisions.drill"),
        ),
        ("campaign", include_str!("../../rules/acw28/campaign.drill")),
        ("brigades", include_str!("../../rules/acw28/brigades.drill")),
    ],
    examples: include_str!("../../rules/acw28/examples.drill"),
    tables: include_str!("../../rules/acw28/tables.toml"),
    extras: include_str!("../../rules/acw28/extras.toml"),
};

/// 15 mm charge-impact charts.
pub(crate) const IMPACT: BuiltInText = BuiltInText {
    id: "impact",
    text: include_str!("../../rules/impact/impact.drill"),
    parts: &[],
    examples: include_str!("../../rules/impact/examples.drill"),
    tables: include_str!("../../rules/impact/tables.toml"),
    extras: include_str!("../../rules/impact/extras.toml"),
};

/// Fire lines and organisation hits.
pub(crate) const FIRELINE: BuiltInText = BuiltInText {
    id: "fireline",
    text: include_str!("../../rules/fireline/fireline.drill"),
    parts: &[],
    examples: include_str!("../../rules/fireline/examples.drill"),
    tables: include_str!("../../rules/fireline/tables.toml"),
    extras: include_str!("../../rules/fireline/extras.toml"),
};

/// The texts that every ruleset may `use`.
const STANDARD: [(&str, &str); 2] = [
    (
        "standoff",
        include_str!("../../rules/standard/standoff.drill"),
    ),
    ("battle", include_str!("../../rules/standard/battle.drill")),
];

/// The texts that texts use, directly or through another, in the order in which they are read: what `beside` gives, or
/// else the program's. One that is not there is found missing when the text is read.
fn parts_of(texts: &[&Text], beside: impl Fn(&str) -> Option<Text>) -> Vec<Text> {
    let used = |text: &str| -> Vec<String> {
        let names = text.lines().filter_map(|line| line.strip_prefix("use "));
        let names = names.map(|name| name.split('#').next().unwrap_or_default().trim());
        // Nothing that could be a path.
        let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let names = names.filter(|name| name.chars().all(plain));
        names.map(ToOwned::to_owned).collect()
    };
    let mut names: Vec<String> = texts.iter().flat_map(|text| used(&text.text)).collect();
    let mut parts: Vec<Text> = Vec::new();
    let mut at = 0;
    while at < names.len() && at < MOST_PARTS {
        let name = names[at].clone();
        at += 1;
        if names[..at - 1].contains(&name) {
            continue;
        }
        let standard = || {
            let known = STANDARD.iter().find(|(known, _)| *known == name);
            known.map(|&(_, text)| Text {
                name: Cow::Owned(format!("{name}.drill")),
                text: Cow::Borrowed(text),
            })
        };
        let part = beside(&name).or_else(standard);
        if let Some(part) = part {
            names.extend(used(&part.text));
            parts.push(part);
        }
    }
    parts
}

/// No ruleset is made of more texts.
const MOST_PARTS: usize = 100;

/// Messages as one error, which says by itself that it is one.
fn told(shown: &str) -> RuleError {
    RuleError::Other(shown.strip_prefix("error: ").unwrap_or(shown).to_owned())
}

/// A ruleset's files, and what was read from them.
pub(crate) struct DrillBook {
    id: Name,
    /// Its text.
    text: Text,
    /// The texts it uses: the program's, and those that stand beside its own.
    parts: Vec<Text>,
    /// What it prints, if that stands apart.
    tables: Option<Text>,
    /// What is kept beside it: words for common fights, audit, sheet.
    extras: Option<Text>,
    /// Its tests.
    examples: Option<Text>,
    /// The folder it was read from, and what is typed for it; nothing if it is part of the program.
    place: Option<(PathBuf, String)>,
    /// As printed, without a variant.
    printed: OnceLock<Result<Arc<Rules>, RuleError>>,
    /// With variants of the text laid over it, by their texts: the last few that were asked for.
    varied: Mutex<Vec<(Vec<String>, Arc<Rules>)>>,
}

/// How many varied texts are kept.
const MOST_VARIED: usize = 8;

impl DrillBook {
    fn built_in(built_in: BuiltInText) -> Self {
        let id = built_in.id;
        let file = |name: String, text: &'static str| {
            (!text.is_empty()).then_some(Text {
                name: Cow::Owned(format!("{id}/{name}")),
                text: Cow::Borrowed(text),
            })
        };
        let text = file(format!("{id}.drill"), built_in.text);
        let text = text.expect("a text of our own says something");
        let beside = |name: &str| {
            let part = built_in.parts.iter().find(|(known, _)| *known == name);
            part.and_then(|&(_, text)| file(format!("{name}.drill"), text))
        };
        DrillBook {
            id: id.into(),
            parts: parts_of(&[&text], beside),
            text,
            tables: file("tables.toml".into(), built_in.tables),
            extras: file("extras.toml".into(), built_in.extras),
            examples: file("examples.drill".into(), built_in.examples),
            place: None,
            printed: OnceLock::new(),
            varied: Mutex::new(Vec::new()),
        }
    }

    /// The ruleset, with what its text says of itself. What a part of its own says of readings comes after.
    fn into_ruleset(self, head: Head) -> Ruleset {
        let of_parts = self
            .parts
            .iter()
            .flat_map(|part| Head::readings(&part.text));
        let readings = head.readings.iter().cloned().chain(of_parts);
        Ruleset {
            id: self.id.clone(),
            title: head.title.as_str().into(),
            about: head.about.as_str().into(),
            readings: readings.map(Name::from).collect(),
            book: Arc::new(self),
        }
    }

    /// What `use NAME` means: a standard text, or one that stands beside its own.
    fn used(&self, name: &str) -> Option<String> {
        let file = format!("{name}.drill");
        let part = self.parts.iter().find(|part| part.file() == file);
        part.map(|part| part.text.clone().into_owned())
    }

    /// Its tables as they stand in their file.
    fn own_tables(&self) -> Option<(&str, &str)> {
        self.tables.as_ref().map(Text::pair)
    }

    /// The checked program that was built in. The page in a browser has none: it is fetched more often than it is started, and
    /// reads its texts.
    #[cfg(target_family = "wasm")]
    fn checked(&self) -> Option<Program> {
        None
    }

    /// The checked program that was built in, if there is one.
    #[cfg(not(target_family = "wasm"))]
    fn checked(&self) -> Option<Program> {
        let texts = || {
            [&self.text]
                .into_iter()
                .chain(&self.parts)
                .chain(&self.tables)
        };
        Program::from_bytes(native::checked(&self.id)?, |name| {
            let text = texts().find(|text| *text.name == *name || text.file() == name);
            text.map(|text| &*text.text)
        })
    }

    /// Reads and checks the text with these variants laid over it.
    fn read(
        &self,
        tables: Option<(&str, &str)>,
        variants: &[&Variant],
    ) -> Result<Arc<Rules>, RuleError> {
        let variants = variants.iter();
        let files = Files {
            texts: vec![self.text.pair()],
            tables,
            variants: variants
                .filter_map(|variant| Some((variant.file.as_str(), variant.drill()?)))
                .collect(),
        };
        // What is part of the program was checked when it was built.
        let own = self.place.is_none() && files.variants.is_empty() && tables == self.own_tables();
        if own && let Some(program) = self.checked() {
            return Ok(Arc::new(Rules::new(program)));
        }
        let loaded = load(&files, &|name| self.used(name));
        let Some(program) = loaded.program else {
            return Err(told(&loaded.shown()));
        };
        let rules = Rules::new(program);
        let failures = if own {
            Vec::new()
        } else {
            rules.table_failures()
        };
        match failures.is_empty() {
            true => Ok(Arc::new(rules)),
            false => Err(told(&render_all(&failures, &rules.program().sources))),
        }
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
                .get_or_init(|| self.read(self.own_tables(), &[]))
                .clone();
        }
        let texts = variants.iter().filter_map(|variant| variant.drill());
        let texts: Vec<String> = texts.map(ToOwned::to_owned).collect();
        let varied = || self.varied.lock().expect("nobody panics while holding it");
        if let Some((_, rules)) = varied().iter().find(|(known, _)| *known == texts) {
            return Ok(Arc::clone(rules));
        }
        let rules = self.read(self.own_tables(), &variants)?;
        let mut varied = varied();
        varied.truncate(MOST_VARIED - 1);
        varied.insert(0, (texts, Arc::clone(&rules)));
        Ok(rules)
    }

    /// Whether rules by these tables are the program's own, but for what stands in cells.
    fn is_as_printed(&self, rules: &Rules, tables: &TableFile) -> bool {
        let varied = tables.variants().iter().any(|one| one.drill().is_some());
        self.place.is_none() && !varied && cells::same_shape(rules.program(), tables)
    }

    /// The rules by these tables.
    fn rules(&self, tables: &TableFile) -> Result<Arc<Rules>, RuleError> {
        let base = self.base(tables)?;
        let changed = match cells::same_shape(base.program(), tables) {
            true => Some(cells::changed(base.program(), tables)?),
            false => None,
        };
        let Some(changed) = changed else {
            return self.read_anew(tables);
        };
        if changed.is_empty() {
            return Ok(base);
        }
        let mut program = base.program().clone();
        let mut laid = Vec::new();
        for (place, value) in &changed {
            let cell = program
                .overlay(&cells::in_text(place), &crate::tables::printed(value))
                .map_err(|problem| tables.problem(place.to_string(), problem))?;
            laid.push((place, cell));
        }
        for (place, cell) in laid {
            if let Some(wrong) = program.row_wrong(cell) {
                return Err(tables.problem(place.to_string(), format!("its row {wrong}")));
            }
        }
        // The faces of a die that stand in cells are read with the text.
        let mut places = changed.iter();
        if places.any(|(place, _)| cells::makes_a_die(base.program(), place)) {
            return self.read_anew(tables);
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

    /// The text read with other tables: what they change is more than cells.
    fn read_anew(&self, tables: &TableFile) -> Result<Arc<Rules>, RuleError> {
        let mut texts = tables.variants().iter().filter(|v| v.drill().is_some());
        if let Some(text) = texts.next() {
            let problem = format!(
                "rows, columns and dice cannot be changed by TOML beside {}, which is Drill: say it there",
                text.file
            );
            return Err(RuleError::File {
                file: tables.name().to_owned(),
                problem,
            });
        }
        self.read(Some((tables.name(), &tables.to_toml())), &[])
    }
}

impl Rulebook for DrillBook {
    fn tables(&self) -> Result<TableFile, RuleError> {
        let files = [&self.tables, &self.extras];
        let files: Vec<(&str, &str)> = files.into_iter().flatten().map(Text::pair).collect();
        let mut tables = match (&self.place, &self.tables, &self.extras) {
            (None, Some(tables), Some(extras)) => {
                let (Cow::Borrowed(printed), Cow::Borrowed(beside)) = (&tables.text, &extras.text)
                else {
                    unreachable!("what is part of the program is borrowed from it");
                };
                return Ok(TableFile::built_in(
                    tables.name.to_string(),
                    printed,
                    beside,
                ));
            }
            _ => TableFile::of_files(&self.text.name, &files)?,
        };
        // What is printed in the text itself can be read, changed and drawn like any other.
        let rules = self
            .printed
            .get_or_init(|| self.read(self.own_tables(), &[]));
        cells::add_from_text(rules.clone()?.program(), &mut tables);
        Ok(tables)
    }

    fn written(&self) -> Option<String> {
        let files = [&self.tables, &self.extras].into_iter().flatten();
        let texts: Vec<&str> = files.map(|file| &*file.text).collect();
        Some(texts.join("\n"))
    }

    fn as_command(&self) -> Option<&str> {
        self.place.as_ref().map(|(_, typed)| typed.as_str())
    }

    fn files(&self) -> Vec<(&str, &str)> {
        let beside = [&self.tables, &self.extras, &self.examples];
        let texts = [&self.text].into_iter().chain(&self.parts);
        let files = texts.chain(beside.into_iter().flatten());
        files.map(|file| (file.file(), &*file.text)).collect()
    }

    fn refusals(&self) -> Vec<String> {
        let texts: Vec<&str> = [&self.text]
            .into_iter()
            .chain(&self.parts)
            .map(|text| &*text.text)
            .collect();
        sentences::refusals(&texts)
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
        let printed = self.is_as_printed(&rules, tables).then_some(&self.id);
        let plain = listed(rules.program()).into_iter();
        plain
            .filter(|&id| rules.program()[id].decided_for.is_none())
            .map(|id| procedure(&rules, id, tables, printed))
            .collect()
    }

    fn decisions(&self, tables: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        let rules = self.rules(tables)?;
        let mut decided = listed(rules.program());
        decided.retain(|&id| rules.program()[id].decided_for.is_some());
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

    fn reader(&self, tables: &TableFile) -> Result<Option<Reader>, RuleError> {
        let rules = self.rules(tables)?;
        let named = |rules: &Rules, cells: &[CellPlace]| {
            let each = cells.iter();
            let names = each.map(|place| cells::named(rules.program(), place).to_string());
            names.collect::<BTreeSet<String>>()
        };
        let decided = |rules: &Rules, name: &str| rules.program().procedure(name, false).is_none();
        let text = Arc::clone(&rules);
        Ok(Some(Reader {
            reads: Box::new(move |name, settings, budget| {
                let decided = decided(&rules, name);
                let read = given(settings, |given| rules.reads(name, decided, given, budget))?;
                Ok(Reads {
                    over_budget: read.over_budget,
                    keys: read.played.keys.iter().map(ToString::to_string).collect(),
                    cells: named(&rules, &read.played.cells),
                })
            }),
            mentions: Box::new(move |name| {
                named(&text, &text.mentions(name, decided(&text, name)))
            }),
        }))
    }

    fn speaks_common(&self) -> bool {
        let extras = self.extras.as_ref();
        extras.is_some_and(|extras| extras.text.contains("[common."))
    }

    fn speaking(&self, tables: &TableFile) -> Result<CommonTranslator, RuleError> {
        let words = Words::new(&self.id, tables)?;
        let procedures = self.procedures(tables)?;
        // What only plays common fights need not be shown.
        let rules = self.rules(tables)?;
        let program = rules.program();
        let all = (0..program.procedures.len() as u32).map(ProcedureId);
        let own: Vec<Procedure> = all
            .filter(|&id| program[id].decided_for.is_none())
            .map(|id| procedure(&rules, id, tables, None))
            .collect::<Result<_, _>>()?;
        let declared = Declared::read(&words, &own)?;
        Ok(CommonTranslator {
            procedures,
            translation: Box::new(move |fight| declared.say(fight, &own)),
        })
    }
}

/// The procedures that are shown: those that the text lists, or all.
fn listed(program: &Program) -> Vec<ProcedureId> {
    match program.listed.is_empty() {
        true => (0..program.procedures.len() as u32)
            .map(ProcedureId)
            .collect(),
        false => program.listed.clone(),
    }
}

/// A procedure of a text that nobody decides.
fn procedure(
    rules: &Arc<Rules>,
    id: ProcedureId,
    tables: &TableFile,
    printed: Option<&Name>,
) -> Result<Procedure, RuleError> {
    let program: &Program = rules.program();
    let written = &program[id];
    let build = {
        let rules = Arc::clone(rules);
        let simulated = written.simulated;
        let printed = printed.cloned().unwrap_or_default();
        move |settings: &Settings| -> Result<Box<dyn DynSteps>, RuleError> {
            Ok(match simulated {
                true => {
                    let name = &rules.program()[id].name;
                    native::played(&printed, name, play_out(&rules, id, settings)?)
                }
                false => Box::new(asked::AskedText::new(&rules, id, settings)?),
            })
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
    given(settings, |given| rules.ask_id(id, given))
}

/// A question of a text that is only ever played, trial by trial.
fn play_out(rules: &Rules, id: ProcedureId, settings: &Settings) -> Result<Direct, RuleError> {
    let name = &rules.program()[id].name;
    given(settings, |given| rules.play_out(name, given))
}

/// Asks with what is given, and says a refusal in the words of the settings.
fn given<T>(
    settings: &Settings,
    ask: impl Fn(&[(&str, &str)]) -> Result<T, Refused>,
) -> Result<T, RuleError> {
    let given: Vec<(&str, String)> = settings
        .given()
        .map(|(key, value)| (key, schema::as_text(value)))
        .collect();
    let given: Vec<(&str, &str)> = given.iter().map(|(key, value)| (*key, &**value)).collect();
    ask(&given).map_err(|refused| match refused {
        Refused::Refusal { key, text, .. } => match settings.find(&key) {
            Some(value) => RuleError::refused(key, value.clone(), text),
            None => RuleError::refused(key, "", text),
        },
        other => told(&other.to_string()),
    })
}
