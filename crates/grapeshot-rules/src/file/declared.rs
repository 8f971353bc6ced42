//! A procedure as a ruleset file declares it: what it takes and reports, its state, steps and choices.
//!
//! Everything is checked when the file is read, with the line it stands on, and every script is compiled:
//! a misspelt name is found before anything is asked.

use super::entry::{Entry, not_known};
use super::place::Place;
use super::script::{Block, Language, Names};
use super::settings::{name_in_scripts, taken};
use super::variables::{Report, Reported, reported};
use crate::{RuleError, Setting, SettingKind, Settings};
use grapeshot_engine::dist::{Name, Variable};
use grapeshot_engine::engine::Chooser;
use std::sync::atomic::AtomicBool;
use toml::Value as Toml;

/// The most fields a state can have.
pub(super) const MOST_FIELDS: usize = 32;

/// An action of a choice.
#[derive(Debug)]
pub(super) struct Action {
    pub number: u16,
    pub to: u16,
    pub when: Option<Block>,
}

/// A step: a block of script, or a choice.
#[derive(Debug)]
pub(super) struct Step {
    pub name: String,
    pub stage: usize,
    pub place: Place,
    pub kind: StepKind,
    /// Whether any trial has come to it.
    pub played: AtomicBool,
}

#[derive(Debug)]
pub(super) enum StepKind {
    Block(Block),
    Choice(Chooser, Vec<Action>),
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
#[derive(Debug)]
pub(super) struct Refusal {
    pub key: String,
    pub when: Block,
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
    /// What is worked out of the settings once.
    pub fixed: Vec<(String, Block)>,
    /// The fields of the state and their values at the start.
    pub state: Vec<(String, Block)>,
    pub steps: Vec<Step>,
    pub stages: Vec<String>,
    pub start: u16,
    pub turns: Option<Turns>,
    pub time_up: String,
    pub refusals: Vec<Refusal>,
    /// All actions of all choices, in the order of ties.
    pub actions: Vec<Name>,
    pub notes: Vec<String>,
    pub labels: Vec<String>,
}

impl Declared {
    /// The number of a step.
    pub(super) fn step(&self, name: &str) -> Result<u16, String> {
        let at = self.steps.iter().position(|step| step.name == name);
        at.map(|at| at as u16).ok_or_else(|| {
            let known: Vec<String> = self.steps.iter().map(|step| step.name.clone()).collect();
            format!("there {}", not_known("step", name, &known))
        })
    }

    /// The number of a label of the headline.
    pub(super) fn label(&self, label: &str) -> Result<u16, String> {
        let at = self.labels.iter().position(|known| known == label);
        at.map(|at| at as u16).ok_or_else(|| {
            let headline = &self.variables[0].name;
            format!(
                "the headline `{headline}` {}",
                not_known("label", label, &self.labels)
            )
        })
    }

    /// The actions of the side that asks.
    pub(super) fn own_actions(&self) -> Vec<u16> {
        let own = |step: &Step| match &step.kind {
            StepKind::Choice(Chooser::Asking, actions) => {
                actions.iter().map(|action| action.number).collect()
            }
            _ => Vec::new(),
        };
        self.steps.iter().flat_map(own).collect()
    }

    /// Whether somebody chooses in it.
    pub(super) fn is_decision(&self) -> bool {
        let choice = |step: &Step| matches!(step.kind, StepKind::Choice(..));
        self.steps.iter().any(choice)
    }
}

/// Reads a procedure.
pub(super) fn procedure(
    entry: &Entry<'_>,
    name: &str,
    (all, sides): (&[Setting], &[String]),
    language: &Language,
) -> Result<Declared, RuleError> {
    entry.only(&[
        "about",
        "source",
        "composed",
        "settings",
        "fixed",
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
    let mut settings = taken(entry, all, sides)?;
    if entry.table.contains_key("choices") {
        settings.push(super::play::goal_setting());
    }
    let mut names = Names::default();
    for setting in &settings {
        names.constant(&super::settings::spelled(&setting.key));
    }
    let refusals = refusals(entry, &settings, language, &names)?;
    let mut fixed = Vec::new();
    if let Some(all) = entry.under("fixed")? {
        for name in all.table.keys() {
            named(&all, name, &names)?;
            fixed.push((name.clone(), language.block(&names, all.script(name)?)?));
            names.constant(name);
        }
    }
    let mut state = Vec::new();
    if let Some(all) = entry.under("state")? {
        for name in all.table.keys() {
            named(&all, name, &names)?;
            if state.len() == MOST_FIELDS {
                let problem = format!("is one too many: a state has at most {MOST_FIELDS} fields");
                return Err(all.error(name, problem));
            }
            let mut first = all.script(name)?;
            if first.text.is_empty() {
                // No text is a word without letters.
                first.text = "\"\"".into();
            }
            state.push((name.clone(), language.block(&names, first)?));
        }
        for (name, _) in &state {
            names.variable(name);
        }
    }
    let turns = turns(entry, &settings)?;
    let Reported {
        variables,
        reports,
        labels,
    } = reported(entry, language, &names, turns.is_some())?;
    let (steps, stages, actions) = steps(entry, sides, language, &names)?;
    if !actions.is_empty() && variables[0].favours.is_empty() {
        let problem = "has choices, so its headline must say what is a success and what a failure";
        return Err(entry.error("variables", problem));
    }
    let known: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
    let start = match entry.text("start")? {
        Some(name) => {
            let found = known.iter().position(|step| step == name);
            found.ok_or_else(|| entry.error("start", not_known("step", name, &known)))?
        }
        None => 0,
    };
    let time_up = entry.text("time_up")?.unwrap_or_default();
    if turns.is_some() && !labels.iter().any(|label| label == time_up) {
        let problem = match time_up {
            "" => {
                "has turns, so it needs time_up = \"label\": how it ends when they are over".into()
            }
            other => format!(
                "is `{other}`; allowed is a label of the headline: {}",
                labels.join(", ")
            ),
        };
        let key = if time_up.is_empty() { "" } else { "time_up" };
        return Err(entry.error(key, problem));
    }
    Ok(Declared {
        name: name.into(),
        about: entry.needed("about")?.into(),
        source: entry.text("source")?.unwrap_or_default().into(),
        composed: entry.flag("composed")?,
        variables,
        reports,
        fixed,
        state,
        stages,
        start: start as u16,
        time_up: time_up.into(),
        refusals,
        notes: entry.words("notes")?.unwrap_or_default(),
        actions,
        labels,
        turns,
        settings,
        steps,
    })
}

/// Checks that a script can use a name, and that it is not taken.
fn named(entry: &Entry<'_>, name: &str, names: &Names) -> Result<(), RuleError> {
    if !name_in_scripts(name) {
        let problem = "cannot be a name in a script: allowed are small letters, digits and underscores, and no word that the language keeps for itself";
        return Err(entry.error(name, problem));
    }
    if names.has(name) {
        return Err(entry.error(name, "is also a setting or fixed: it needs another name"));
    }
    Ok(())
}

type Stepped = (Vec<Step>, Vec<String>, Vec<Name>);

fn steps(
    entry: &Entry<'_>,
    sides: &[String],
    language: &Language,
    names: &Names,
) -> Result<Stepped, RuleError> {
    let blocks = entry
        .under("steps")?
        .ok_or_else(|| entry.error("", "has no [steps]"))?;
    let choices = entry.under("choices")?;
    let choosing = choices.as_ref().map_or(Ok(Vec::new()), Entry::entries)?;
    let step_names: Vec<String> = blocks
        .table
        .keys()
        .cloned()
        .chain(choosing.iter().map(|(name, _)| (*name).to_owned()))
        .collect();
    if blocks.table.is_empty() {
        return Err(blocks.error("", "is empty"));
    }
    let (stages, stage_of) = stages(entry, &step_names)?;
    let mut found = Vec::new();
    for (at, name) in blocks.table.keys().enumerate() {
        let place = blocks.script(name)?;
        found.push(Step {
            name: name.clone(),
            stage: stage_of[at],
            place: place.clone(),
            kind: StepKind::Block(language.block(names, place)?),
            played: AtomicBool::new(false),
        });
    }
    let mut actions: Vec<String> = Vec::new();
    for (_, one) in &choosing {
        let offered = one.under("actions")?;
        for action in offered.iter().flat_map(|entry| entry.table.keys()) {
            if !actions.contains(action) {
                actions.push(action.clone());
            }
        }
    }
    for (at, (name, one)) in choosing.iter().enumerate() {
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
            .filter(|offered| !offered.table.is_empty())
            .ok_or_else(|| one.error("", "needs actions = { name = \"step\", … }"))?;
        let when = one.under("when")?;
        if let Some(when) = &when {
            let known: Vec<&str> = offered.table.keys().map(String::as_str).collect();
            when.only(&known)?;
        }
        let mut list = Vec::new();
        for action in offered.table.keys() {
            let to = offered.text(action)?.unwrap_or_default();
            let to = step_names
                .iter()
                .position(|known| known == to)
                .ok_or_else(|| offered.error(action, not_known("step", to, &step_names)))?;
            let number = actions.iter().position(|known| known == action);
            let when = match &when {
                Some(when) if when.table.contains_key(action) => {
                    Some(language.block(names, when.script(action)?)?)
                }
                _ => None,
            };
            list.push(Action {
                number: number.expect("every action was listed") as u16,
                to: to as u16,
                when,
            });
        }
        list.sort_by_key(|action| action.number);
        found.push(Step {
            name: (*name).to_owned(),
            stage: stage_of[blocks.table.len() + at],
            place: Place::new(entry.places, one.path.clone(), ""),
            kind: StepKind::Choice(chooser, list),
            played: AtomicBool::new(false),
        });
    }
    Ok((found, stages, actions.into_iter().map(Name::from).collect()))
}

/// The stages in order, and the stage of each step: its own name where none is given.
fn stages(entry: &Entry<'_>, steps: &[String]) -> Result<(Vec<String>, Vec<usize>), RuleError> {
    let mut names = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; steps.len()];
    if let Some(all) = entry.under("stages")? {
        for stage in all.table.keys() {
            for step in all.words(stage)?.unwrap_or_default() {
                let at = steps.iter().position(|known| *known == step);
                let at = at.ok_or_else(|| all.error(stage, not_known("step", &step, steps)))?;
                if of[at].is_some() {
                    return Err(all.error(
                        stage,
                        format!("has the step `{step}`, which is in another stage"),
                    ));
                }
                of[at] = Some(names.len());
            }
            names.push(stage.clone());
        }
    }
    for (step, stage) in steps.iter().zip(&mut of) {
        if stage.is_none() {
            *stage = Some(names.len());
            names.push(step.replace('_', " "));
        }
    }
    if names.len() > usize::from(u8::MAX) - 1 {
        return Err(entry.error("steps", "are more than 254"));
    }
    Ok((names, of.into_iter().flatten().collect()))
}

fn turns(entry: &Entry<'_>, settings: &[Setting]) -> Result<Option<Turns>, RuleError> {
    let allowed =
        "allowed is a number from 1 to 200, or the key of a setting that is such a number";
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
                None => Err(entry.error("turns", format!("is `{key}`; {allowed}"))),
            }
        }
        Some(other) => Err(entry.error("turns", format!("is `{other}`; {allowed}"))),
    }
}

fn refusals(
    entry: &Entry<'_>,
    settings: &[Setting],
    language: &Language,
    names: &Names,
) -> Result<Vec<Refusal>, RuleError> {
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
            when: language.block(names, one.script("when")?)?,
            reason: one.needed("reason")?.to_owned(),
        });
    }
    Ok(refusals)
}
