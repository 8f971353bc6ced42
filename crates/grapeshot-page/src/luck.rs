//! What happened? A result among all that could have been.

use super::ask::Asked;
use super::happened;
use super::options;
use super::server::Pages;
use grapeshot_engine::dist::{Distribution, Variable, VariableKind};
use grapeshot_render::{self as render, LuckReport, OddsReport, Report, words};
use grapeshot_rules::OddsError;
use grapeshot_study::luck::{Did, Luck, LuckQuestion, luck};
use maud::{Markup, html};
use std::sync::Arc;

/// Variables that can be said to have come up.
const ASKED: usize = 3;
/// Values to choose from.
const VALUES: usize = 40;

/// How lucky what happened was.
///
/// # Errors
/// If it cannot happen.
pub(super) fn found(asked: &Asked) -> Result<Luck, OddsError> {
    let settings = asked.settings().expect("it was understood").clone();
    let situation = asked.procedure().situation(settings)?;
    luck(&LuckQuestion {
        loaded: Arc::clone(&asked.loaded),
        procedure: asked.procedure().name.to_string(),
        given: asked.ask.given(),
        got: asked.ask.got.clone(),
        did: asked
            .ask
            .did
            .iter()
            .map(|did| Did::parse(did))
            .collect::<Result<_, _>>()?,
        worse: options::worse(&asked.ask),
        options: options::answering(&asked.ask, super::server::options(&situation)),
    })
}

/// Asks what happened, and says how rare that was.
///
/// # Errors
/// If what was said cannot happen.
pub(super) fn section(
    server: &Pages,
    asked: &Asked,
    report: &OddsReport,
) -> Result<Markup, OddsError> {
    // Where variables are counted apart, nobody knows what came up together.
    if !report.odds.is_joint() {
        return Ok(html! {});
    }
    let found = match asked.ask.got.as_slice() {
        [] if asked.ask.did.is_empty() => None,
        _ => Some(LuckReport::new(found(asked)?, Vec::new())),
    };
    let document = found.map(|found| found.document());
    let kept = asked.changed_settings();
    let noted = happened::noted(asked);
    Ok(html! {
        section.luck #luck {
            h2 { "What happened?" }
            form method="get" action=(asked.path()) aria-label="What happened" {
                @for (key, value) in &kept { input type="hidden" name=(key) value=(value); }
                @for also in &asked.ask.also { input type="hidden" name="also" value=(also); }
                @for (word, said) in asked.ask.rules() { input type="hidden" name=(word) value=(said); }
                div.got {
                    @for (name, values) in observable(asked, &report.odds, &noted) { (choice(asked, &name, &values)) }
                    @if asked.decision().is_some() {
                        p {
                            label for="did" { "decided, in order" }
                            input type="text" id="did" name="did" placeholder="fire, charge"
                                value=(asked.ask.did.join(", ")) autocomplete="off";
                        }
                    }
                }
                button type="submit" { "How lucky was that?" }
            }
            @if let Some(document) = document {
                @for finding in &document.findings { p.finding { (words(finding)) } }
                @for block in document.blocks.iter().filter(|block| block.place == render::Audience::Main) {
                    (render::block(block, 2))
                }
                @for note in &document.notes { p.note { (words(note)) } }
                (happened::section(server, asked, &certain(asked, &report.odds, &noted)))
            }
        }
    })
}

/// What of the reports that units carry on cannot be otherwise, after what was said.
fn certain(asked: &Asked, odds: &Distribution, noted: &[String]) -> Vec<String> {
    let variables = odds.variables();
    let said = |name: &str| {
        let mut got = asked.ask.got.iter().filter_map(|got| got.split_once('='));
        got.find_map(|(known, label)| (known == name).then_some(label))
    };
    let mut rows = odds.joint();
    for (at, variable) in variables.iter().enumerate() {
        if let Some(label) = said(&variable.name) {
            rows.retain(|(row, _)| variable.label(row[at]) == label);
        }
    }
    let unsaid = variables
        .iter()
        .enumerate()
        .filter(|(_, variable)| noted.contains(&variable.name) && said(&variable.name).is_none());
    let one = |(at, variable): (usize, &Variable)| {
        let (first, _) = rows.first()?;
        let same = rows.iter().all(|(row, _)| row[at] == first[at]);
        same.then(|| format!("{}={}", variable.name, variable.label(first[at])))
    };
    unsaid.filter_map(one).collect()
}

/// What a player would have noticed: the headline, a number or two, and what units carry on; of each what it can be after
/// what was said of those before it.
fn observable(asked: &Asked, odds: &Distribution, noted: &[String]) -> Vec<(String, Vec<String>)> {
    let said = |name: &str| {
        let mut got = asked.ask.got.iter().filter_map(|got| got.split_once('='));
        got.find_map(|(known, label)| (known == name).then_some(label))
    };
    let variables = odds.variables().iter().enumerate();
    let mut rows = odds.joint();
    let (mut found, mut others) = (Vec::new(), ASKED);
    for (at, variable) in variables {
        let carried = noted.contains(&variable.name);
        if matches!(variable.kind, VariableKind::Number(_)) || !(carried || others > 0) {
            continue;
        }
        let mut values: Vec<u16> = rows.iter().map(|(row, _)| row[at]).collect();
        values.sort_unstable();
        values.dedup();
        let told = said(&variable.name);
        if (2..=VALUES).contains(&values.len()) || told.is_some() {
            let labels = values.iter().map(|value| variable.label(*value));
            found.push((variable.name.clone(), labels.collect()));
            others = others.saturating_sub(1);
        }
        if let Some(told) = told {
            rows.retain(|(row, _)| variable.label(row[at]) == told);
        }
    }
    found
}

fn choice(asked: &Asked, name: &str, values: &[String]) -> Markup {
    let id = format!("got-{name}");
    let said = |value: &str| asked.ask.got.contains(&format!("{name}={value}"));
    html! {
        p {
            label for=(id) { (name.replace('_', " ")) }
            select id=(id) name="got" {
                option value="" { "not noted" }
                @for value in values {
                    option value={ (name) "=" (value) } selected[said(value)] { (value) }
                }
            }
        }
    }
}
