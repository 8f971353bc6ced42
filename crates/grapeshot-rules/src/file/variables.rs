//! What a procedure of a file reports.

use super::entry::Entry;
use super::script::{Block, Language, Names};
use crate::RuleError;
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::MOST_VARIABLES;

/// How a variable gets its value when a trial ends.
#[derive(Debug)]
pub(super) enum Report {
    /// The label that `done` was called with.
    Headline,
    /// The turn; the engine fills it in.
    Turn,
    /// A whole number worked out from the state.
    Count(Block),
    /// True or false, worked out from the state.
    YesNo(Block),
    /// One of these labels, worked out from the state.
    Label(Block, Vec<String>),
}

/// Everything a procedure reports.
pub(super) struct Reported {
    pub variables: Vec<Variable>,
    pub reports: Vec<Report>,
    /// Labels of the headline.
    pub labels: Vec<String>,
}

pub(super) fn reported(
    entry: &Entry<'_>,
    language: &Language,
    names: &Names,
    in_turns: bool,
) -> Result<Reported, RuleError> {
    let all = entry
        .under("variables")?
        .filter(|all| !all.table.is_empty())
        .ok_or_else(|| entry.error("", "has no [variables]: what does a trial report?"))?;
    let mut variables: Vec<Variable> = Vec::new();
    let (mut reports, mut labels) = (Vec::new(), Vec::new());
    for (at, (name, one)) in all.entries()?.into_iter().enumerate() {
        one.only(&[
            "meaning",
            "success",
            "undecided",
            "failure",
            "labels",
            "label",
            "count",
            "yes_no",
            "turn",
        ])?;
        if at == 0 {
            let (variable, known) = headline_of(&one, name)?;
            variables.push(variable);
            labels = known;
            reports.push(Report::Headline);
            continue;
        }
        let (variable, report) = other(&one, name, language, names)?;
        if matches!(report, Report::Turn) && !in_turns {
            return Err(one.error(
                "turn",
                "needs turns = 6, or the key of a setting, in the procedure",
            ));
        }
        variables.push(variable);
        reports.push(report);
    }
    if in_turns && !reports.iter().any(|report| matches!(report, Report::Turn)) {
        let meaning = "the turn in which it ended, or the last";
        variables.push(Variable::count("turns", meaning));
        reports.push(Report::Turn);
    }
    if variables.len() > MOST_VARIABLES {
        return Err(all.error("", format!("are more than {MOST_VARIABLES}")));
    }
    Ok(Reported {
        variables,
        reports,
        labels,
    })
}

/// The first variable: a label for every way a trial can end, and whom it favours.
fn headline_of(one: &Entry<'_>, name: &str) -> Result<(Variable, Vec<String>), RuleError> {
    let (mut labels, mut favours) = (Vec::new(), Vec::new());
    for favour in Favour::ALL {
        for label in one.words(favour.word())?.unwrap_or_default() {
            labels.push(label);
            favours.push(favour);
        }
    }
    let plain = one.words("labels")?;
    if labels.is_empty() == plain.is_none() {
        let problem = "is the headline: it needs labels = [\"…\"], or success, undecided and failure with the labels that mean so";
        return Err(one.error("", problem));
    }
    labels.extend(plain.into_iter().flatten());
    distinct(one, &labels)?;
    let variable = Variable::category(name, one.needed("meaning")?, labels.clone());
    let variable = match favours.is_empty() {
        true => variable,
        false => variable.favouring(favours),
    };
    Ok((variable, labels))
}

fn distinct(one: &Entry<'_>, labels: &[String]) -> Result<(), RuleError> {
    let mut sorted = labels.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(one.error("", format!("has the label `{}` twice", pair[0]))),
        None => Ok(()),
    }
}

fn other(
    one: &Entry<'_>,
    name: &str,
    language: &Language,
    names: &Names,
) -> Result<(Variable, Report), RuleError> {
    let meaning = one.needed("meaning")?;
    let block = |key: &str| language.block(names, one.script(key)?);
    let has = |key: &str| one.table.contains_key(key);
    if has("count") {
        return Ok((
            Variable::count(name, meaning),
            Report::Count(block("count")?),
        ));
    }
    if has("yes_no") {
        return Ok((
            Variable::yes_no(name, meaning),
            Report::YesNo(block("yes_no")?),
        ));
    }
    if let (Some(labels), true) = (one.words("labels")?, has("label")) {
        distinct(one, &labels)?;
        let variable = Variable::category(name, meaning, labels.clone());
        return Ok((variable, Report::Label(block("label")?, labels)));
    }
    if one.flag("turn")? {
        return Ok((Variable::count(name, meaning), Report::Turn));
    }
    let problem = "needs count = \"…\", yes_no = \"…\", or labels = [\"…\"] with label = \"…\" (script over the state), or turn = true";
    Err(one.error("", problem))
}
