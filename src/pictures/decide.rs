//! The policy as a picture: own strength by the enemy's, a panel for each turn.

use super::study::words;
use crate::charts::{Advice, Axis, Body, Chart, Panel, Panels, Policy};
use crate::rules::Value;
use crate::study::decide::{Decided, PolicyState};
use std::collections::BTreeMap;

/// The most panels that can still be read.
const MOST_PANELS: usize = 12;

/// What the side that asks does, by the size of both sides; nothing where there is nothing to show.
pub fn policy_chart(decided: &Decided, title: &str) -> Option<Chart> {
    let subject: Vec<&PolicyState> = (decided.policy.iter())
        .filter(|state| state.own && decided.actions.iter().any(|a| a.name == state.action))
        .collect();
    let [own, enemy] = decided
        .sides
        .each_ref()
        .map(|side| size_field(&subject, side));
    let (own, enemy) = (own?, enemy?);
    let strongest = subject.iter().map(|s| s.margin).fold(0.0, f64::max);
    let [rows, columns] = [&own, &enemy].map(|field| labels(&subject, field));
    let mut turns: Vec<u16> = subject.iter().map(|state| state.turn).collect();
    turns.dedup();
    turns.truncate(MOST_PANELS);
    let panel = |turn: u16| {
        let here: Vec<&PolicyState> = subject.iter().copied().filter(|s| s.turn == turn).collect();
        let cell = |row: &i64, column: &i64| {
            let at = |s: &&&PolicyState| {
                field(s, &own) == Some(*row) && field(s, &enemy) == Some(*column)
            };
            advice(here.iter().filter(at).copied(), strongest)
        };
        Policy {
            x: Axis::label(words(&enemy)),
            y: Axis::label(words(&own)),
            columns: columns.iter().map(ToString::to_string).collect(),
            rows: rows.iter().map(ToString::to_string).collect(),
            actions: decided.actions.iter().map(|a| a.name.to_string()).collect(),
            cells: (rows.iter())
                .map(|row| columns.iter().map(|column| cell(row, column)).collect())
                .collect(),
        }
    };
    let body = match turns[..] {
        [only] => Body::Policy(panel(only)),
        _ => {
            let panels: Vec<Panel> = (turns.iter())
                .map(|&turn| Panel::new(format!("turn {turn}"), panel(turn)))
                .collect();
            Body::Panels(Panels::new(panels.len().min(3), panels))
        }
    };
    let footer =
        "The likeliest action of best play; the paler, the less it matters. Grey does not come up.";
    Some(Chart::new(title, body).footer(footer))
}

/// The field that says how large a side is: its first number.
fn size_field(states: &[&PolicyState], side: &str) -> Option<String> {
    let of = |name: &str| {
        name.strip_prefix(side)
            .is_some_and(|rest| rest.starts_with('_'))
    };
    let fields = &states.first()?.state;
    let found = fields
        .iter()
        .find(|(name, value)| of(name) && matches!(value, Value::Whole(_)));
    found.map(|(name, _)| name.to_string())
}

fn field(state: &PolicyState, name: &str) -> Option<i64> {
    let found = state.state.iter().find(|(known, _)| **known == *name);
    match found {
        Some((_, Value::Whole(n))) => Some(*n),
        _ => None,
    }
}

/// Every value of a field, the greatest first.
fn labels(states: &[&PolicyState], name: &str) -> Vec<i64> {
    let mut values: Vec<i64> = states.iter().filter_map(|s| field(s, name)).collect();
    values.sort_unstable_by(|x, y| y.cmp(x));
    values.dedup();
    values
}

/// The likeliest action of several states, and how much it matters among them.
fn advice<'a>(states: impl Iterator<Item = &'a PolicyState>, strongest: f64) -> Option<Advice> {
    let mut actions: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for state in states {
        let (p, margin) = actions.entry(&state.action).or_default();
        *p += state.p;
        *margin += state.p * state.margin;
    }
    let likeliest = actions.into_iter().max_by(|x, y| x.1.0.total_cmp(&y.1.0))?;
    let (action, (p, margin)) = likeliest;
    Some(Advice {
        action: action.to_owned(),
        weight: if strongest > 0.0 {
            margin / p / strongest
        } else {
            0.0
        },
    })
}
