//! What is not offered: a kind of unit that the rules do not let act so, and weapons that a unit of its kind does not carry.
//!
//! Both can still be typed; the rules say what they think of it.

use super::ask::Asked;
use super::server::Pages;
use grapeshot_rules::{RuleError, Setting, SettingKind};
use std::sync::Arc;

/// Keys with labels that are not offered.
pub(super) type Withheld = Arc<Vec<(String, String)>>;

/// The labels that are not offered in the form of a question.
pub(super) fn withheld(pages: &Pages, asked: &Asked) -> Withheld {
    let tables = &asked.loaded.tables;
    let Some(points) = tables.section("points") else {
        return Withheld::default();
    };
    let said = |key: &str| points.get(key).and_then(|value| value.as_str());
    let mut withheld = Vec::new();
    if let Some(kind) = said("kind") {
        withheld.extend(refused(pages, asked, kind).iter().cloned());
    }
    let guns = points.get("guns").and_then(|guns| guns.as_table());
    let gun = |key: &str| guns?.get(key)?.as_str();
    if let (Some(weapon), Some(first), Some(kind), Some(value)) =
        (said("weapon"), gun("first"), gun("key"), gun("value"))
    {
        for (side, labels) in sided(asked, weapon) {
            let key = format!("{side}.{kind}");
            let now = asked.settings().and_then(|settings| settings.find(&key));
            let (Some(now), Some(from)) = (now, labels.iter().position(|label| label == first))
            else {
                continue;
            };
            let carried = match now.to_string() == value {
                true => from..labels.len(),
                false => 0..from,
            };
            let others = labels
                .iter()
                .enumerate()
                .filter(|(at, _)| !carried.contains(at));
            let key = format!("{side}.{weapon}");
            withheld.extend(others.map(|(_, label)| (key.clone(), label.clone())));
        }
    }
    Arc::new(withheld)
}

/// The labels of a key, side by side.
fn sided(asked: &Asked, own: &str) -> Vec<(String, Vec<String>)> {
    let settings = asked.procedure().settings.iter();
    let labels = |setting: &Setting| match &setting.kind {
        SettingKind::Choice(labels) => {
            let (side, key) = setting.key.split_once('.')?;
            let labels = labels.iter().map(ToString::to_string).collect();
            (key == own).then(|| (side.to_owned(), labels))
        }
        _ => None,
    };
    settings.filter_map(labels).collect()
}

/// The kinds that the rules refuse by themselves, everything else as nobody sets it.
fn refused(pages: &Pages, asked: &Asked, kind: &str) -> Withheld {
    let house = asked.ask.house.as_ref().map_or("", |house| house.text());
    let name = format!("{} {house}", asked.path());
    if let Some(known) = pages.refused.get(&name) {
        return known;
    }
    let procedure = asked.procedure();
    let mut found = Vec::new();
    for (side, labels) in sided(asked, kind) {
        let key = format!("{side}.{kind}");
        for label in labels {
            let given = [(key.as_str(), label.as_str())];
            let settings = procedure.resolve(given);
            let told = settings.and_then(|settings| procedure.situation(settings).map(drop));
            let itself = |error: &RuleError| matches!(error, RuleError::Refused { key: of, .. } if *of == key);
            if told.is_err_and(|error| itself(&error)) {
                found.push((key.clone(), label));
            }
        }
    }
    let found = Arc::new(found);
    // A text that is tried changes under its name.
    if !asked.is_tried() {
        pages.refused.put_counted(&name, Arc::clone(&found));
    }
    found
}
