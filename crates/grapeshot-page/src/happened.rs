//! That happened: what a result leaves of the units, carried into the next question.

use super::answer;
use super::ask::{Asked, Asking};
use super::carry;
use super::server::Pages;
use super::share;
use grapeshot_rules::{Becomes, SettingKind, Value};
use maud::{Markup, html};

/// What became of the units.
#[derive(Debug, Default)]
struct Left {
    /// Keys of this question, with what they were and are.
    changed: Vec<(String, String, String)>,
    /// Sides of which nothing is left.
    gone: Vec<String>,
    /// What was noted and is for the player to set.
    unset: Vec<String>,
}

/// The reports of a question that a player has to note, so that the units can be carried on.
pub(super) fn noted(asked: &Asked) -> Vec<String> {
    let (carries, procedure) = (asked.carries(), asked.procedure());
    let variables = procedure.variables.iter();
    let taken = variables.filter(|variable| carries.takes(&procedure.name, &variable.name));
    taken.map(|variable| variable.name.clone()).collect()
}

fn left(asked: &Asked, certain: &[String]) -> Left {
    let mut left = Left::default();
    let (carries, procedure) = (asked.carries(), asked.procedure());
    for got in asked.ask.got.iter().chain(certain) {
        let Some((report, label)) = got.split_once('=') else {
            continue;
        };
        match carries.of(&procedure.name, report, label) {
            Some(changes) => {
                for (key, becomes) in changes {
                    left.take(asked, &key, becomes, label);
                }
            }
            None => {
                let kind = procedure.variables.iter().find(|v| v.name == report);
                let counts = kind.is_some_and(|variable| variable.is_numeric());
                let own = |text: &str| report.ends_with(text);
                if counts && label != "0" && (own("_hits") || own("_lost")) {
                    left.unset.push(got.clone());
                }
            }
        }
    }
    left.gone.sort_unstable();
    left.gone.dedup();
    // Of what is gone nothing has to be set.
    let Left { gone, unset, .. } = &mut left;
    unset.retain(|said| !gone.iter().any(|side| side == side_of(said)));
    left
}

fn side_of(key: &str) -> &str {
    key.split_once('.').map_or(key, |(side, _)| side)
}

impl Left {
    fn take(&mut self, asked: &Asked, key: &str, becomes: Becomes, label: &str) {
        let setting = asked.procedure().settings.iter().find(|s| s.key == key);
        let now = asked.settings().and_then(|settings| settings.find(key));
        let now = match now {
            Some(value) => value.to_string(),
            // What this question does not ask for, another may have told.
            None => carry::also(asked, key).unwrap_or_else(|| "0".into()),
        };
        let whole = now.parse::<i64>().ok();
        let range = match setting.map(|setting| &setting.kind) {
            Some(SettingKind::Whole { min, max }) => Some((*min, *max)),
            _ => None,
        };
        let next = match (becomes, whole) {
            (
                Becomes::Turns {
                    by,
                    every,
                    flag,
                    only,
                },
                Some(whole),
            ) => {
                let said = |key: &str| asked.settings()?.find(key).map(Value::to_string);
                if by > 0 && said(&only.0).is_some_and(|value| value != only.1) {
                    return self.unset.push(format!("{key} + {by}"));
                }
                let (all, turned) = (whole + by, said(&flag).unwrap_or_default() == "true");
                let times = all / every + i64::from(turned);
                if times > 1 {
                    return self.gone.push(side_of(key).to_owned());
                }
                if times == 1 && !turned {
                    self.changed.push((flag, "false".into(), "true".into()));
                }
                (all % every).to_string()
            }
            (Becomes::Kept, _) => now.clone(),
            (Becomes::Reported, _) => match label {
                "yes" => "true".into(),
                "no" => "false".into(),
                label => label.to_owned(),
            },
            (Becomes::Less(by), Some(whole)) => match range {
                Some((min, _)) if whole - by < min => {
                    return self.gone.push(side_of(key).to_owned());
                }
                _ => (whole - by).to_string(),
            },
            (Becomes::More(by), Some(whole)) => {
                let most = range.map_or(i64::MAX, |(_, max)| max);
                (whole + by).min(most).to_string()
            }
            (_, None) => return self.unset.push(format!("{key} ({label})")),
        };
        match setting.map(|setting| setting.parse(&next)) {
            Some(Err(_)) => self.unset.push(format!("{key}={next}")),
            _ => self.changed.push((key.to_owned(), now, next)),
        }
    }
}

/// What is left of the units, and the questions that can be asked of them now. `certain` is what need not be said.
pub(super) fn section(server: &Pages, asked: &Asked, certain: &[String]) -> Markup {
    let left = left(asked, certain);
    let moved = left.changed.iter().filter(|(_, was, is)| was != is);
    let moved: Vec<String> = moved
        .map(|(key, was, is)| format!("{} {was} → {is}", key.replace(['.', '_'], " ")))
        .collect();
    let own = asked.asking.name.as_str();
    let wanted = |asking: &&Asking| {
        let name = asking.name.as_str();
        !asking.is_decision() && (answer::FIRST.contains(&name) || name == own)
    };
    let set: Vec<(String, Value)> = (left.changed.iter())
        .map(|(key, _, is)| (key.clone(), Value::from(is)))
        .collect();
    let gone = &left.gone;
    html! {
        div.happened data-log=(line(asked)) {
            h3 { "It happened" }
            @for side in gone { p.finding { "Nothing is left of the " (side) "." } }
            @if !moved.is_empty() { p { (moved.join(", ")) "." } }
            @else if gone.is_empty() { p { "Both units are as they were." } }
            @if !left.unset.is_empty() { p.note { "To be set by hand: " (left.unset.join(", ")) "." } }
            @if gone.is_empty() {
                p.pills {
                    @for asking in asked.others(server).iter().filter(wanted) {
                        @if let Some(link) = carry::link_after(asked, asking, &set) {
                            a.next href=(link) { "on: " (asking.title()) }
                        }
                    }
                }
            }
        }
    }
}

/// The same as a line of a log, as `grapeshot luck --log` reads it.
fn line(asked: &Asked) -> String {
    let mut words = vec![
        asked.subject().to_owned(),
        asked.procedure().name.to_string(),
    ];
    let settings = asked.changed_settings();
    words.extend(
        settings
            .iter()
            .map(|(k, v)| share::quoted(&format!("{k}={v}"))),
    );
    for got in &asked.ask.got {
        words.push(format!("--got {}", share::quoted(got)));
    }
    for did in &asked.ask.did {
        words.push(format!("--did {}", share::quoted(did)));
    }
    words.join(" ")
}
