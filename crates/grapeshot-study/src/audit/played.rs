//! Actions that nobody who plays well ever takes, and those that leave no choice.
//!
//! A decision is solved with everything at its default, then with one word or flag after another changed. An action that
//! is never best in any state of any of them, or better than all others in every one, is no choice.

use super::finding::{Finding, FindingKind, Severity};
use crate::decide::{Standing, standings};
use crate::parallel;
use grapeshot_engine::engine::Budget;
use grapeshot_rules::{Decision, LoadedRuleset, RuleError, SettingKind};

/// States that are looked at of one question; larger ones are passed over.
const STATES: usize = 20_000;
/// Questions that are asked of a decision, at most.
const MOST: usize = 24;
/// Words that a setting may have to be changed.
const WORDS: usize = 7;

/// What every question has in common of one action.
struct Held {
    side: String,
    action: String,
    never: bool,
    always: bool,
    offered: usize,
}

/// The actions of every decision that leave no choice.
pub(super) fn actions(loaded: &LoadedRuleset) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for decision in loaded.decisions()? {
        found.extend(of(loaded, &decision));
    }
    Ok(found)
}

fn of(loaded: &LoadedRuleset, decision: &Decision) -> Vec<Finding> {
    let mut questions: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for setting in &decision.procedure.settings {
        let few = match &setting.kind {
            SettingKind::Flag => true,
            SettingKind::Choice(words) => words.len() <= WORDS,
            _ => false,
        };
        let usual = setting.default_text();
        let values = setting
            .sample_values()
            .into_iter()
            .map(|value| value.to_string());
        let others = values.filter(|value| few && *value != usual);
        questions.extend(others.map(|value| vec![(setting.key.clone(), value)]));
    }
    // Spread over all settings, where there are more.
    let step = questions.len().div_ceil(MOST).max(1);
    let questions: Vec<_> = questions.into_iter().step_by(step).collect();
    let mut held: Vec<Held> = Vec::new();
    let ask = |given: &Vec<(String, String)>| -> Option<Vec<Standing>> {
        let pairs = given.iter().map(|(key, value)| (key, value.as_str()));
        let settings = decision.procedure.resolve(pairs).ok()?;
        standings(decision, &settings, Budget { states: STATES }).ok()
    };
    let no_choice = |action: &Standing| action.is_never_best() || action.is_always_best();
    // Where every action is a choice with all at its default there is nothing to look for.
    let first = ask(&questions[0]);
    if first.is_none_or(|actions| !actions.iter().any(no_choice)) {
        return Vec::new();
    }
    let answered = parallel::filter_map(&questions, ask);
    let asked = answered.len();
    for actions in answered {
        for action in actions {
            let [side, name] = action.of.each_ref().map(ToString::to_string);
            let (never, always) = (action.is_never_best(), action.is_always_best());
            match held
                .iter_mut()
                .find(|one| one.side == side && one.action == name)
            {
                Some(one) => {
                    one.never &= never;
                    one.always &= always;
                    one.offered += action.offered;
                }
                None => held.push(Held {
                    side,
                    action: name,
                    never,
                    always,
                    offered: action.offered,
                }),
            }
        }
    }
    let name = &decision.procedure.name;
    let finding = |one: &Held| Finding {
        severity: Severity::Note,
        kind: FindingKind::Dominated,
        place: format!("{name}, {} of {}", one.action, one.side),
        source: decision.procedure.source.to_string(),
        evidence: format!(
            "so in {} states of {asked} situations",
            crate::wording::grouped(one.offered as u64)
        ),
        sentence: match one.never {
            true => format!(
                "`{}` is no choice: wherever it is one of several actions, another is better",
                one.action
            ),
            false => format!(
                "`{}` leaves no choice: wherever it is one of several actions, it is the best",
                one.action
            ),
        },
        commands: vec![format!(
            "grapeshot skill {} {name}",
            loaded.ruleset.as_command()
        )],
    };
    let none = held.iter().filter(|one| one.never || one.always);
    none.map(finding).collect()
}
