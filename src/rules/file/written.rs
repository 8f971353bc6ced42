//! What a ruleset file declares: settings, variables, state, steps, choices.
//!
//! Everything is checked when the file is read, with the line it stands on; scripts are compiled when
//! the settings are known.

use super::places::{Place, Places};
use crate::dist::{Favour, Name, Variable};
use crate::engine::{Chooser, MOST_VARIABLES};
use crate::rules::{RuleError, Setting, SettingKind, Settings, nearest};
use std::sync::Arc;
use toml::{Table, Value as Toml};

/// What a field of the state holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    Whole,
    Flag,
    Word,
}

impl std::fmt::Display for FieldKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FieldKind::Whole => "a whole number",
            FieldKind::Flag => "true or false",
            FieldKind::Word => "a word",
        })
    }
}

/// How a variable gets its value when a trial ends.
#[derive(Debug, Clone)]
pub(super) enum Report {
    /// The label that `done` was called with.
    Headline,
    /// The turn; the engine fills it in.
    Turn,
    /// A whole number worked out from the state.
    Count(Place),
    /// True or false, worked out from the state.
    YesNo(Place),
}

/// An action of a choice.
#[derive(Debug, Clone)]
pub(super) struct Action {
    pub number: u16,
    pub to: u16,
    pub when: Option<Place>,
}

/// A step: a block of script, or a choice.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub name: String,
    pub stage: usize,
    pub block: Option<Place>,
    pub chooser: Option<Chooser>,
    pub actions: Vec<Action>,
    pub place: Place,
}

/// How long it may last.
#[derive(Debug, Clone)]
pub(super) enum Turns {
    Fixed(u16),
    Setting(String),
}

impl Turns {
    pub(super) fn read(&self, settings: &Settings) -> u16 {
        match self {
            Turns::Fixed(turns) => *turns,
            Turns::Setting(key) => settings.whole(key) as u16,
        }
    }
}

/// Settings that the rules do not allow together.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub key: String,
    pub when: Place,
    pub reason: String,
}

/// A procedure as it is declared.
#[derive(Debug)]
pub(super) struct Declared {
    pub name: Name,
    pub about: Name,
    pub source: Name,
    pub composed: bool,
    pub settings: Vec<Setting>,
    pub variables: Vec<Variable>,
    pub reports: Vec<Report>,
    pub state: Vec<(String, Place)>,
    pub steps: Vec<Step>,
    pub stages: Vec<String>,
    pub start: u16,
    pub turns: Option<Turns>,
    pub time_up: String,
    pub refusals: Vec<Refusal>,
    /// All actions of all choices, in the order of ties.
    pub actions: Vec<Name>,
    pub notes: Vec<String>,
    labels: Vec<String>,
    places: Arc<Places>,
    path: String,
}

impl Declared {
    /// The number of a step.
    pub(super) fn step(&self, name: &str) -> Result<u16, String> {
        let at = self.steps.iter().position(|step| step.name == name);
        at.map(|at| at as u16).ok_or_else(|| {
            let known: Vec<String> = self.steps.iter().map(|step| step.name.clone()).collect();
            not_known("step", name, &known)
        })
    }

    /// The number of a label of the headline.
    pub(super) fn label(&self, label: &str) -> Result<u16, RuleError> {
        let at = self.labels.iter().position(|known| known == label);
        at.map(|at| at as u16).ok_or_else(|| {
            let key = format!("{}.variables", self.path);
            self.places.error(
                &key,
                not_known("label of its headline", label, &self.labels),
            )
        })
    }

    /// Whether somebody chooses in it.
    pub(super) fn is_decision(&self) -> bool {
        self.steps.iter().any(|step| step.chooser.is_some())
    }
}

pub(super) fn not_known(what: &str, given: &str, known: &[String]) -> String {
    let meant =
        nearest(given, known).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    format!(
        "has no {what} `{given}`{meant} (there is {})",
        known.join(", ")
    )
}

/// A table of the file and its path, for errors.
#[derive(Clone)]
pub(super) struct Entry<'a> {
    pub table: &'a Table,
    pub path: String,
    pub places: &'a Arc<Places>,
}

impl<'a> Entry<'a> {
    pub(super) fn error(&self, key: &str, problem: impl std::fmt::Display) -> RuleError {
        let key = match key {
            "" => self.path.clone(),
            key if self.path.is_empty() => key.to_owned(),
            key => format!("{}.{key}", self.path),
        };
        self.places.error(&key, problem)
    }

    /// Refuses keys that mean nothing here.
    pub(super) fn only(&self, allowed: &[&str]) -> Result<(), RuleError> {
        for key in self.table.keys() {
            if !allowed.contains(&key.as_str()) {
                let known: Vec<String> = allowed.iter().map(|&k| k.to_owned()).collect();
                let meant = nearest(key, &known)
                    .map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                let problem = format!(
                    "means nothing here{meant} (allowed is {})",
                    allowed.join(", ")
                );
                return Err(self.error(key, problem));
            }
        }
        Ok(())
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, RuleError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.error(key, format!("is `{other}`; it must be text"))),
        }
    }

    pub(super) fn needed(&self, key: &str) -> Result<&'a str, RuleError> {
        self.text(key)?
            .ok_or_else(|| self.error("", format!("has no `{key}`, which it needs")))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, RuleError> {
        match self.table.get(key) {
            None => Ok(false),
            Some(Toml::Boolean(flag)) => Ok(*flag),
            Some(other) => Err(self.error(key, format!("is `{other}`; allowed is true or false"))),
        }
    }

    pub(super) fn whole(&self, key: &str) -> Result<Option<i64>, RuleError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::Integer(n)) => Ok(Some(*n)),
            Some(other) => Err(self.error(key, format!("is `{other}`; it must be a whole number"))),
        }
    }

    /// A list of words; a single word stands for a list of one.
    pub(super) fn words(&self, key: &str) -> Result<Option<Vec<String>>, RuleError> {
        let word = |value: &Toml| match value {
            Toml::String(text) => Ok(text.clone()),
            Toml::Integer(n) => Ok(n.to_string()),
            other => Err(self.error(
                key,
                format!("has `{other}` in it; it must be a list of words"),
            )),
        };
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::Array(words)) => words.iter().map(word).collect::<Result<_, _>>().map(Some),
            Some(one) => word(one).map(|word| Some(vec![word])),
        }
    }

    pub(super) fn under(&self, key: &str) -> Result<Option<Entry<'a>>, RuleError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Toml::Table(table)) => Ok(Some(Entry {
                table,
                path: match self.path.as_str() {
                    "" => key.to_owned(),
                    path => format!("{path}.{key}"),
                },
                places: self.places,
            })),
            Some(other) => Err(self.error(key, format!("is `{other}`; it must be a table"))),
        }
    }

    /// The entries of a table of tables, in the order of the file.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Entry<'a>)>, RuleError> {
        self.table
            .keys()
            .map(|key| {
                let entry = self.under(key)?.expect("a key of the table");
                Ok((key.as_str(), entry))
            })
            .collect()
    }

    /// A piece of script: text, or a number or flag as it stands.
    fn script(&self, key: &str) -> Result<Place, RuleError> {
        let path = format!("{}.{key}", self.path);
        match &self.table[key] {
            Toml::String(text) => Ok(Place::new(self.places, path, text)),
            plain @ (Toml::Integer(_) | Toml::Boolean(_)) => {
                Ok(Place::new(self.places, path, &plain.to_string()))
            }
            other => Err(self.error(key, format!("is `{other}`; it must be script, as text"))),
        }
    }
}

/// Reads the settings of a file: `"*.grade"` is one for each side.
pub(super) fn settings(root: &Entry<'_>, sides: &[String]) -> Result<Vec<Setting>, RuleError> {
    let Some(all) = root.under("settings")? else {
        return Ok(Vec::new());
    };
    let mut found: Vec<Setting> = Vec::new();
    for (key, entry) in all.entries()? {
        entry.only(&[
            "meaning", "source", "one_of", "from", "to", "flag", "default", "as",
        ])?;
        let keys: Vec<String> = match key.strip_prefix("*.") {
            Some(_) if sides.is_empty() => {
                return Err(all.error(key, "speaks of every side, but [ruleset] names no sides"));
            }
            Some(name) => sides.iter().map(|side| format!("{side}.{name}")).collect(),
            None => vec![key.to_owned()],
        };
        for key in keys {
            let setting = setting(&entry, key)?;
            if found.iter().any(|known| known.key == setting.key) {
                return Err(entry.error("", format!("is a second setting `{}`", setting.key)));
            }
            found.push(setting);
        }
    }
    Ok(found)
}

fn setting(entry: &Entry<'_>, key: String) -> Result<Setting, RuleError> {
    let meaning = entry.needed("meaning")?;
    let source = entry.text("source")?.unwrap_or_default();
    let kinds = ["one_of", "from", "flag"];
    if kinds
        .iter()
        .filter(|kind| entry.table.contains_key(**kind))
        .count()
        != 1
    {
        let problem = "needs one of: one_of = [\"word\", …], from = 1 and to = 40, or flag = false";
        return Err(entry.error("", problem));
    }
    let setting = if let Some(words) = entry.words("one_of")? {
        let default = entry
            .text("default")?
            .map_or_else(|| words[0].clone(), str::to_owned);
        if !words.contains(&default) {
            return Err(entry.error("default", not_known("value", &default, &words)));
        }
        Setting::one_of(key, &words, &default, meaning)
    } else if entry.table.contains_key("flag") {
        match entry.flag("flag")? {
            true => Setting::flag_on(key, meaning),
            false => Setting::flag(key, meaning),
        }
    } else {
        let from = entry.whole("from")?.unwrap_or(0);
        let to = entry
            .whole("to")?
            .ok_or_else(|| entry.error("", "has `from` but no `to`"))?;
        let default = entry.whole("default")?.unwrap_or(from);
        if from > to || !(from..=to).contains(&default) {
            let problem = format!("goes from {from} to {to} with the default {default}");
            return Err(entry.error("", problem));
        }
        Setting::whole(key, from..=to, default, meaning)
    };
    Ok(setting.from(source))
}

/// Reads a procedure.
pub(super) fn procedure(
    entry: &Entry<'_>,
    name: &str,
    all: &[Setting],
    sides: &[String],
) -> Result<Declared, RuleError> {
    entry.only(&[
        "about",
        "source",
        "composed",
        "settings",
        "turns",
        "time_up",
        "start",
        "state",
        "variables",
        "stages",
        "steps",
        "choices",
        "refuse",
        "notes",
    ])?;
    let settings = taken(entry, all, sides)?;
    let (variables, reports, labels) = reported(entry)?;
    let state = state(entry, &settings)?;
    let (stages, mut steps, actions) = steps(entry, sides)?;
    let number = |name: &str, at: &str| {
        let known: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
        let found = known.iter().position(|step| step == name);
        found
            .map(|n| n as u16)
            .ok_or_else(|| entry.error(at, not_known("step", name, &known)))
    };
    let start = match entry.text("start")? {
        Some(name) => number(name, "start")?,
        None => 0,
    };
    let turns = turns(entry, &settings)?;
    let mut declared = Declared {
        name: name.into(),
        about: entry.needed("about")?.into(),
        source: entry.text("source")?.unwrap_or_default().into(),
        composed: entry.flag("composed")?,
        variables,
        reports,
        state,
        stages,
        start,
        time_up: entry.text("time_up")?.unwrap_or_default().into(),
        refusals: refusals(entry, &settings)?,
        notes: entry.words("notes")?.unwrap_or_default(),
        actions,
        labels,
        places: Arc::clone(entry.places),
        path: entry.path.clone(),
        turns,
        settings,
        steps: std::mem::take(&mut steps),
    };
    if declared.turns.is_some() {
        if declared.time_up.is_empty() {
            return Err(entry.error(
                "",
                "has turns, so it needs time_up = \"label\": how it ends when they are over",
            ));
        }
        declared.label(&declared.time_up)?;
        if !declared
            .reports
            .iter()
            .any(|report| matches!(report, Report::Turn))
        {
            declared.variables.push(Variable::count(
                "turns",
                "the turn in which it ended, or the last",
            ));
            declared.reports.push(Report::Turn);
        }
    }
    if declared.variables.len() > MOST_VARIABLES {
        return Err(entry.error("variables", format!("are more than {MOST_VARIABLES}")));
    }
    Ok(declared)
}

/// The settings a procedure takes: all of them, or those it names.
fn taken(entry: &Entry<'_>, all: &[Setting], sides: &[String]) -> Result<Vec<Setting>, RuleError> {
    let Some(wanted) = entry.words("settings")? else {
        return Ok(all.to_vec());
    };
    let mut settings: Vec<Setting> = Vec::new();
    for key in wanted {
        let keys: Vec<String> = match key.strip_prefix("*.") {
            Some(name) => sides.iter().map(|side| format!("{side}.{name}")).collect(),
            None => vec![key],
        };
        for key in keys {
            let found = all
                .iter()
                .find(|setting| setting.key == key)
                .ok_or_else(|| {
                    let known: Vec<String> =
                        all.iter().map(|setting| setting.key.clone()).collect();
                    entry.error("settings", not_known("setting", &key, &known))
                })?;
            settings.push(found.clone());
        }
    }
    Ok(settings)
}

type Reported = (Vec<Variable>, Vec<Report>, Vec<String>);

fn reported(entry: &Entry<'_>) -> Result<Reported, RuleError> {
    let all = entry
        .under("variables")?
        .ok_or_else(|| entry.error("", "has no [variables]: what does a trial report?"))?;
    let (mut variables, mut reports, mut headline) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (name, one)) in all.entries()?.into_iter().enumerate() {
        one.only(&[
            "meaning",
            "success",
            "undecided",
            "failure",
            "labels",
            "count",
            "yes_no",
            "turn",
        ])?;
        let meaning = one.needed("meaning")?;
        if at == 0 {
            let mut favours = Vec::new();
            for (key, favour) in [
                ("success", Favour::Success),
                ("undecided", Favour::Undecided),
                ("failure", Favour::Failure),
            ] {
                for label in one.words(key)?.unwrap_or_default() {
                    headline.push(label);
                    favours.push(favour);
                }
            }
            let plain = one.words("labels")?;
            if headline.is_empty() == plain.is_none() {
                let problem = "is the headline: it needs labels = [\"…\"], or success, undecided and failure with the labels that mean so";
                return Err(one.error("", problem));
            }
            headline.extend(plain.into_iter().flatten());
            let mut sorted = headline.clone();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(one.error("", format!("has the label `{}` twice", pair[0])));
            }
            let variable = Variable::category(name, meaning, headline.clone());
            variables.push(if favours.is_empty() {
                variable
            } else {
                variable.favouring(favours)
            });
            reports.push(Report::Headline);
        } else if one.table.contains_key("count") {
            variables.push(Variable::count(name, meaning));
            reports.push(Report::Count(one.script("count")?));
        } else if one.table.contains_key("yes_no") {
            variables.push(Variable::yes_no(name, meaning));
            reports.push(Report::YesNo(one.script("yes_no")?));
        } else if one.flag("turn")? {
            variables.push(Variable::count(name, meaning));
            reports.push(Report::Turn);
        } else {
            let problem =
                "needs count = \"…\" or yes_no = \"…\" (script over the state), or turn = true";
            return Err(one.error("", problem));
        }
    }
    if variables.is_empty() {
        return Err(all.error("", "is empty: the first variable is the headline"));
    }
    Ok((variables, reports, headline))
}

fn state(entry: &Entry<'_>, settings: &[Setting]) -> Result<Vec<(String, Place)>, RuleError> {
    let Some(all) = entry.under("state")? else {
        return Ok(Vec::new());
    };
    let mut fields = Vec::new();
    for name in all.table.keys() {
        if settings
            .iter()
            .any(|setting| super::steps::spelled(&setting.key) == *name)
        {
            return Err(all.error(
                name,
                "is also a setting: a field of the state needs another name",
            ));
        }
        fields.push((name.clone(), all.script(name)?));
    }
    if fields.len() > super::steps::MOST_FIELDS {
        let problem = format!(
            "has {} fields; {} is the most",
            fields.len(),
            super::steps::MOST_FIELDS
        );
        return Err(all.error("", problem));
    }
    Ok(fields)
}

type Stepped = (Vec<String>, Vec<Step>, Vec<Name>);

fn steps(entry: &Entry<'_>, sides: &[String]) -> Result<Stepped, RuleError> {
    let blocks = entry
        .under("steps")?
        .ok_or_else(|| entry.error("", "has no [steps]"))?;
    let choices = entry.under("choices")?;
    let choosing = choices.as_ref().map_or(Ok(Vec::new()), Entry::entries)?;
    let names: Vec<String> = blocks
        .table
        .keys()
        .cloned()
        .chain(choosing.iter().map(|(name, _)| (*name).to_owned()))
        .collect();
    if names.is_empty() {
        return Err(blocks.error("", "is empty"));
    }
    let (stages, stage_of) = stages(entry, &names)?;
    let mut found = Vec::new();
    for (at, name) in blocks.table.keys().enumerate() {
        let block = blocks.script(name)?;
        found.push(Step {
            name: name.clone(),
            stage: stage_of[at],
            place: block.clone(),
            block: Some(block),
            chooser: None,
            actions: Vec::new(),
        });
    }
    let mut actions: Vec<String> = Vec::new();
    for (_, one) in &choosing {
        for action in one
            .under("actions")?
            .iter()
            .flat_map(|entry| entry.table.keys())
        {
            if !actions.contains(action) {
                actions.push(action.clone());
            }
        }
    }
    for (name, one) in &choosing {
        if blocks.table.contains_key(*name) {
            return Err(one.error("", "is also a step: a choice needs another name"));
        }
        one.only(&["side", "actions", "when"])?;
        let side = one.needed("side")?;
        let chooser = match sides.iter().position(|known| known == side) {
            Some(0) => Chooser::Asking,
            Some(1) => Chooser::Enemy,
            _ => return Err(one.error("side", not_known("side", side, sides))),
        };
        let offered = one
            .under("actions")?
            .ok_or_else(|| one.error("", "needs actions = { name = \"step\", … }"))?;
        let when = one.under("when")?;
        let mut list = Vec::new();
        for action in offered.table.keys() {
            let to = offered.text(action)?.unwrap_or_default();
            let to = names
                .iter()
                .position(|known| known == to)
                .ok_or_else(|| offered.error(action, not_known("step", to, &names)))?;
            let number = actions.iter().position(|known| known == action);
            let when = match &when {
                Some(when) if when.table.contains_key(action) => Some(when.script(action)?),
                _ => None,
            };
            list.push(Action {
                number: number.expect("every action was listed") as u16,
                to: to as u16,
                when,
            });
        }
        list.sort_by_key(|action| action.number);
        let at = names.iter().position(|known| known == name);
        found.push(Step {
            name: (*name).to_owned(),
            stage: stage_of[at.expect("every choice was listed")],
            block: None,
            chooser: Some(chooser),
            actions: list,
            place: Place::new(entry.places, one.path.clone(), ""),
        });
    }
    Ok((stages, found, actions.into_iter().map(Name::from).collect()))
}

/// The stages in order, and the stage of each step: its own name where none is given.
fn stages(entry: &Entry<'_>, steps: &[String]) -> Result<(Vec<String>, Vec<usize>), RuleError> {
    let Some(all) = entry.under("stages")? else {
        return Ok((
            steps.iter().map(|step| step.replace('_', " ")).collect(),
            (0..steps.len()).collect(),
        ));
    };
    let mut names = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; steps.len()];
    for stage in all.table.keys() {
        for step in all.words(stage)?.unwrap_or_default() {
            let at = steps.iter().position(|known| *known == step);
            let at = at.ok_or_else(|| all.error(stage, not_known("step", &step, steps)))?;
            of[at] = Some(names.len());
        }
        names.push(stage.clone());
    }
    for (step, stage) in steps.iter().zip(&mut of) {
        if stage.is_none() {
            *stage = Some(names.len());
            names.push(step.replace('_', " "));
        }
    }
    Ok((names, of.into_iter().flatten().collect()))
}

fn turns(entry: &Entry<'_>, settings: &[Setting]) -> Result<Option<Turns>, RuleError> {
    match entry.table.get("turns") {
        None => Ok(None),
        Some(Toml::Integer(n)) if (1..=200).contains(n) => Ok(Some(Turns::Fixed(*n as u16))),
        Some(Toml::String(key)) => {
            let whole = |s: &&Setting| {
                let within = matches!(
                    s.kind,
                    SettingKind::Whole {
                        min: 1..,
                        max: ..=200
                    }
                );
                s.key == *key && within
            };
            match settings.iter().find(whole) {
                Some(_) => Ok(Some(Turns::Setting(key.clone()))),
                None => Err(entry.error(
                    "turns",
                    format!("is `{key}`; allowed is a number from 1 to 200, or the key of a setting that is such a number"),
                )),
            }
        }
        Some(other) => Err(entry.error(
            "turns",
            format!("is `{other}`; allowed is a number from 1 to 200, or the key of a setting"),
        )),
    }
}

fn refusals(entry: &Entry<'_>, settings: &[Setting]) -> Result<Vec<Refusal>, RuleError> {
    let Some(all) = entry.under("refuse")? else {
        return Ok(Vec::new());
    };
    let mut refusals = Vec::new();
    for (key, one) in all.entries()? {
        one.only(&["when", "reason"])?;
        if !settings.iter().any(|setting| setting.key == key) {
            let known: Vec<String> = settings.iter().map(|s| s.key.clone()).collect();
            return Err(all.error(key, not_known("setting", key, &known)));
        }
        one.needed("when")?;
        refusals.push(Refusal {
            key: key.to_owned(),
            when: one.script("when")?,
            reason: one.needed("reason")?.to_owned(),
        });
    }
    Ok(refusals)
}
