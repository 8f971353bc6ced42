//! What happened? A result among all that could have been.

use super::ask::Asked;
use super::options;
use grapeshot_engine::dist::{Distribution, VariableKind};
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
pub(super) fn section(asked: &Asked, report: &OddsReport) -> Result<Markup, OddsError> {
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
    Ok(html! {
        section.luck #luck {
            h2 { "What happened?" }
            form method="get" action=(asked.path()) aria-label="What happened" {
                @for (key, value) in &kept { input type="hidden" name=(key) value=(value); }
                @for (word, said) in asked.ask.rules() { input type="hidden" name=(word) value=(said); }
                div.got {
                    @for (name, values) in observable(&report.odds) { (choice(asked, &name, &values)) }
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
            }
        }
    })
}

/// What a player would have noticed: the headline and a number or two.
fn observable(odds: &Distribution) -> Vec<(String, Vec<String>)> {
    let marginals = odds.marginals().into_iter();
    marginals
        .filter(|m| (2..=VALUES).contains(&m.values().iter().filter(|v| v.p > 0.0).count()))
        .filter(|m| !matches!(m.variable().kind, VariableKind::Number(_)))
        .take(ASKED)
        .map(|marginal| {
            let values = marginal.values().iter().filter(|value| value.p > 0.0);
            let values = values.map(|value| value.label.clone()).collect();
            (marginal.variable().name.clone(), values)
        })
        .collect()
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
