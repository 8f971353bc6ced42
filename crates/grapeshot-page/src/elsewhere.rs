//! The same fight in the other rulesets, each in its own words and one tap away.

use super::ask::{Asked, Asking};
use super::link::{Ask, address};
use super::reply::Reply;
use super::server::{Pages, options_each};
use super::share;
use grapeshot_render::{kept_in_words, number, words};
use grapeshot_rules::common::{self, CommonFight, Interpreter, RULESET_KEY};
use grapeshot_rules::{Given, Labels, OddsError, RuleError};
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{InProportion, Played, in_proportion, play};
use maud::{Markup, html};

/// Whether other rulesets have a word for such a fight.
pub(super) fn is_known(server: &Pages, asked: &Asked) -> bool {
    let (rules, name) = (asked.rules.as_str(), &asked.procedure().name);
    rules == common::ID || server.interpreter().kind(rules, name).is_some()
}

/// The page.
///
/// # Errors
/// If there is no such ruleset or procedure.
pub(super) fn page(server: &Pages, at: (&str, &Asking), query: &str) -> Result<Reply, RuleError> {
    let asked = Asked::new(server, at, Ask::read(query))?;
    let found = compared(server, &asked);
    Ok(share::part(
        "The same fight in other rulesets",
        &asked,
        found,
    ))
}

fn compared(server: &Pages, asked: &Asked) -> Result<Markup, OddsError> {
    let Some(settings) = asked.settings() else {
        return Err(RuleError::Other("the question is not understood".into()).into());
    };
    let (rules, procedure) = (asked.rules.as_str(), &asked.procedure().name);
    let common = server.load(common::ID, &asked.ask)?;
    let house;
    let interpreter = match &asked.ask.house {
        None => server.interpreter(),
        Some(_) => {
            house = Interpreter::new(&common)?;
            &house
        }
    };
    let fight = match rules == common::ID {
        true => Some(CommonFight {
            kind: common::FightKind::from_label(procedure).expect("common plays its own fights"),
            given: asked
                .changed_settings()
                .into_iter()
                .filter(|(key, _)| key != RULESET_KEY)
                .collect(),
            unsaid: Given::new(),
        }),
        false => interpreter.recognise(rules, procedure, settings),
    };
    let Some(fight) = fight else {
        return Ok(html! {
            p { "This is no fight that other rulesets have a word for." }
        });
    };
    let known = common.procedure(fight.kind.label())?;
    let mut rows = Vec::new();
    for player in common.players() {
        let played = play(known, player, &fight.given, &options_each())?;
        // The question itself is no other fight, whatever the common words make of its sizes.
        let another = player != rules && played.as_ref().is_ok_and(|p| p.another().is_some());
        let kept = match another {
            true => in_proportion(known, (fight.kind, player), &fight.given, &options_each())?,
            false => None,
        };
        let words = interpreter.in_words_of(player, fight.kind, &fight.given);
        let at = words.ok().map(|(name, said)| {
            let units = said.iter().map(|(key, value)| format!("{key}={value}"));
            let units = units.collect::<Vec<_>>().join(" ");
            (address(&format!("/{player}/{name}"), said), units)
        });
        rows.push(Row {
            player,
            at,
            played,
            another,
            kept,
        });
    }
    Ok(table(rules, &fight, &rows))
}

/// What a ruleset makes of the fight.
struct Row<'a> {
    player: &'a str,
    /// Its own page of the fight, and the units as it has them.
    at: Option<(String, String)>,
    played: Result<Played, String>,
    /// Whether the sides stand otherwise to each other there.
    another: bool,
    /// The nearest fight in which they do not.
    kept: Option<InProportion>,
}

fn table(rules: &str, fight: &CommonFight, rows: &[Row<'_>]) -> Markup {
    let kind = fight.kind;
    let given = fight
        .given
        .iter()
        .map(|(key, value)| (key, value.to_string()));
    let at = address(&format!("/{}/{}", common::ID, kind.label()), given);
    html! {
        p.note {
            "Said as " a href=(at) { "a common " (kind.label()) } ": "
            @if fight.given.is_empty() { "everything at its default" } @else { code { (pairs_as_command(&fight.given)) } } "."
        }
        @if !fight.unsaid.is_empty() {
            p.note { "Not said, for want of a common word: " code { (pairs_as_command(&fight.unsaid)) } "." }
        }
        div.scroll tabindex="0" role="group" aria-label="Rulesets" { table {
            thead { tr {
                th.words scope="col" { "ruleset" }
                @for result in kind.results() { th scope="col" { (result) } }
                @for (name, _) in kind.losses() { th scope="col" { "mean " (name.replace('_', " ")) } }
            } }
            tbody { @for Row { player, at, played, another, kept } in rows { tr.here[*player == rules] {
                th.words scope="row" {
                    @match at {
                        Some((at, _)) => a href=(at) { (player) },
                        None => (player),
                    }
                }
                @match played {
                    // What is another fight says so before its numbers.
                    Ok(played) if *another => {
                        td.words colspan=(kind.results().len() + kind.losses().len()) { div.said {
                            "Another fight: " (played.another().unwrap_or_default()) ". "
                            @match kept {
                                Some(kept) => (words(&kept_in_words(kind, kept))),
                                None => {
                                    "There "
                                    @for (at, result) in kind.results().iter().enumerate() {
                                        @if at > 0 { ", " } (result) " " (number::percent(played.headline().p(result)))
                                    }
                                    "."
                                }
                            }
                        } }
                    }
                    Ok(played) => {
                        @for result in kind.results() { td { (number::percent(played.headline().p(result))) } }
                        @for (name, _) in kind.losses() { td { (number::percent(played.marginal(name).mean())) } }
                    }
                    Err(why) => td.words colspan=(kind.results().len() + kind.losses().len()) { div.said { "left out: " (words(why)) } },
                }
            } } }
        } }
        details.units {
            summary { "The units as each has them" }
            ul { @for Row { player, at, .. } in rows { @if let Some((_, units)) = at {
                li { b { (player) } ": " @if units.is_empty() { "its own defaults" } @else { (units) } }
            } } }
        }
        @let assumptions = assumptions(rows);
        @if !assumptions.is_empty() {
            p.note { "Assumptions that entered: " (assumptions.join("; ")) "." }
        }
    }
}

fn assumptions(rows: &[Row<'_>]) -> Vec<String> {
    rows.iter()
        .filter_map(|row| {
            let names = row.played.as_ref().ok()?.assumptions();
            (!names.is_empty()).then(|| format!("{} {}", row.player, names.join(", ")))
        })
        .collect()
}
