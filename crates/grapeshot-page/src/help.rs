//! What would help most: every setting changed alone, as links that apply themselves.

use super::ask::{Asked, Asking};
use super::link::Ask;
use super::reply::Reply;
use super::server::{Pages, options_each};
use super::share;
use grapeshot_engine::dist::{Quantity, QuantityError};
use grapeshot_render::{WhatIfReport, number};
use grapeshot_rules::{OddsError, RuleError};
use grapeshot_study::{Factor, Move, WhatIf, Workbench, what_if};
use maud::{Markup, html};

/// Settings shown for each side.
const SHOWN: usize = 8;
/// Values shown of each.
const VALUES: usize = 5;

/// What every setting would change, as the command line says it.
///
/// # Errors
/// If the question is wrong, or nothing can be moved.
pub(super) fn report(asked: &Asked, of: Option<&str>) -> Result<WhatIfReport, OddsError> {
    let name = &asked.procedure().name;
    let workbench = Workbench::new(&asked.loaded, name, asked.ask.given(), options_each())?;
    let quantity = match of {
        Some(of) => workbench.quantity(Some(of))?,
        None => usual(&workbench)?,
    };
    Ok(WhatIfReport {
        found: what_if(&workbench, &quantity, None, false)?,
        top: 0,
    })
}

/// Success, or the mean of the first number where nobody succeeds.
fn usual(workbench: &Workbench<'_>) -> Result<Quantity, RuleError> {
    let variables = &workbench.procedure.variables;
    let success: Result<Quantity, QuantityError> = Quantity::usual(variables);
    let number = variables.iter().find(|variable| variable.is_numeric());
    match (success, number) {
        (Ok(success), _) => Ok(success),
        (Err(_), Some(number)) => Ok(Quantity::Mean(number.name.clone())),
        (Err(error), None) => Err(error.into()),
    }
}

/// The page.
///
/// # Errors
/// If there is no such ruleset or procedure.
pub(super) fn page(server: &Pages, at: (&str, &Asking), query: &str) -> Result<Reply, RuleError> {
    let asked = Asked::new(server, at, Ask::read(query))?;
    let found = match asked.is_understood() {
        true => report(&asked, None),
        false => Err(RuleError::Other("the question is not understood".into()).into()),
    };
    let found = found.map(|report| moves(&asked, &report.found));
    Ok(share::part("What would help most", &asked, found))
}

/// The moves of each side that help it.
fn moves(asked: &Asked, found: &WhatIf) -> Markup {
    let mut sides: Vec<Option<&str>> = Vec::new();
    for setting in &asked.procedure().settings {
        if !sides.contains(&setting.side()) {
            sides.push(setting.side());
        }
    }
    // The first side acts, and wants more of it; the second wants less.
    let first = sides.iter().flatten().next().copied();
    let second = sides.iter().flatten().nth(1).copied();
    let groups = sides.iter().map(|side| {
        let rises = side.is_none() || *side != second;
        (*side, rises, helping(found, *side, rises))
    });
    let groups: Vec<_> = groups.filter(|(.., list)| !list.is_empty()).collect();
    // What one can do at the table stands first; what takes other units, ground or rules is folded behind it.
    let could = asked.carries().could(&asked.procedure().name).iter();
    let could: Vec<&str> = could
        .flat_map(|(_, moves)| moves.iter().map(|(key, _)| key.as_str()))
        .collect();
    let (mine, others): (Vec<&Factor>, Vec<&Factor>) = (groups.iter())
        .flat_map(|(.., list)| list.iter().copied())
        .partition(|factor| could.contains(&factor.key.as_str()));
    let rest = html! {
        @for (side, rises, list) in &groups {
            @let list: Vec<&&Factor> = list.iter().filter(|factor| !mine.contains(factor)).collect();
            @if !list.is_empty() {
                h3 {
                    @match side {
                        Some(side) if Some(*side) == first => { "For " (side) }
                        Some(side) if Some(*side) == second => { "For " (side) ", against it" }
                        Some(side) => { "By " (side) }
                        None => { "By the fight itself" }
                    }
                }
                (listed(asked, found, list.into_iter().take(SHOWN).copied(), (*rises, &own)))
            }
        }
    };
    html! {
        p.note { "Each alone, everything else as it is; " (number_of(found)) " now." }
        @if groups.is_empty() { p { "No setting moves it." } }
        // Without a heading a key says whose it is, unless it is that of the side that acts.
        @let whole = |key: &str| match key.split_once('.') {
            Some((side, _)) if Some(side) != first => key.replace(['.', '_'], " "),
            _ => own(key),
        };
        @if !mine.is_empty() { (listed(asked, found, mine.iter().copied(), (true, &whole))) }
        @match (mine.is_empty(), others.is_empty()) {
            (_, true) => {},
            (true, _) => (rest),
            (false, _) => details.rare { summary { "With other units, ground or rules" } (rest) },
        }
    }
}

/// Settings with the values that help.
fn listed<'a>(
    asked: &Asked,
    found: &WhatIf,
    list: impl Iterator<Item = &'a Factor>,
    (rises, name): (bool, &dyn Fn(&str) -> String),
) -> Markup {
    html! {
        ul.moves { @for factor in list {
            li {
                span.key { (name(&factor.key)) " is " (factor.now) ": " }
                @for m in nearest(factor, rises) { (button(asked, found, factor, m)) " " }
            }
        } }
    }
}

fn number_of(found: &WhatIf) -> String {
    match found.quantity.is_probability() {
        true => format!("{} is {}", found.quantity, number::chance(&found.baseline)),
        false => format!(
            "{} is {}",
            found.quantity,
            number::measured(&found.baseline, 3, "")
        ),
    }
}

fn own(key: &str) -> String {
    let own = key.split_once('.').map_or(key, |(_, own)| own);
    own.replace('_', " ")
}

/// Settings of a side with a value that helps, the most helpful first.
fn helping<'a>(found: &'a WhatIf, side: Option<&str>, rises: bool) -> Vec<&'a Factor> {
    let of_side = |factor: &&Factor| factor.key.split_once('.').map(|(side, _)| side) == side;
    let gain = |factor: &Factor| match rises {
        true => factor.highest_change,
        false => -factor.lowest_change,
    };
    let mut list: Vec<&Factor> = found.factors.iter().filter(of_side).collect();
    list.retain(|factor| gain(factor) > 1e-9);
    list.sort_by(|x, y| gain(y).total_cmp(&gain(x)));
    list
}

/// The values that help, those nearest to the present one first where there are many.
fn nearest(factor: &Factor, rises: bool) -> Vec<&Move> {
    let helps = |m: &&Move| {
        m.change()
            .is_some_and(|by| if rises { by > 1e-9 } else { by < -1e-9 })
    };
    let mut moves: Vec<&Move> = factor.moves.iter().filter(helps).collect();
    if let Some(now) = factor.now.number() {
        let away = |m: &&Move| m.value.number().map_or(0.0, |x| (x - now).abs());
        moves.sort_by(|x, y| away(x).total_cmp(&away(y)));
    }
    moves.truncate(VALUES);
    moves
}

fn button(asked: &Asked, found: &WhatIf, factor: &Factor, m: &Move) -> Markup {
    let Ok(moved) = &m.reply else {
        return html! {};
    };
    let (by, after) = match found.quantity.is_probability() {
        true => (number::points(&moved.change), number::chance(&moved.result)),
        false => (
            number::change(&moved.change),
            number::measured(&moved.result, 3, ""),
        ),
    };
    html! {
        @if let Some(link) = asked.link_with(&factor.key, &m.value) {
            a.move href=(link) title={ "then " (after) } { (m.value) " " b { (by) } }
        }
    }
}
