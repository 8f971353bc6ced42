//! The policy as a picture: own losses by the enemy's, a panel for each turn or for something else that is seen.

use super::study::words;
use grapeshot_charts::{Advice, Axis, Body, Chart, Panel, Panels, Policy};
use grapeshot_rules::Value;
use grapeshot_study::decide::{Decided, PolicyState};
use std::collections::BTreeMap;

/// The most panels that can still be read.
const MOST_PANELS: usize = 12;

/// What stands under every picture of a policy.
const FOOTER: &str = "The likeliest action of best play in every state that it can come to; exact.";

/// What the side that asks does, by the losses of both sides; nothing where there is nothing to show.
pub fn policy_chart(decided: &Decided, title: &str) -> Option<Chart> {
    let body = policy_body(decided, TURN)?;
    Some(Chart::new(title, body).footer(FOOTER))
}

/// Panels by turn.
pub(super) const TURN: &str = "turn";

/// The states in which the side that asks chooses what to do first.
fn subject(decided: &Decided) -> Vec<&PolicyState> {
    let states = decided.policy.iter();
    let is_ours =
        |state: &&PolicyState| state.own && decided.actions.iter().any(|a| a.name == state.action);
    states.filter(is_ours).collect()
}

/// What can set panels apart: the turn, and every number that is seen of a state.
pub(super) fn panel_fields(decided: &Decided) -> Vec<String> {
    let first = subject(decided).first().map(|state| &state.state);
    let fields = first.into_iter().flatten();
    let numbers = fields.filter(|(_, value)| matches!(value, Value::Whole(_)));
    let names = numbers.map(|(name, _)| name.to_string());
    std::iter::once(TURN.to_owned()).chain(names).collect()
}

/// The policy with a panel for each turn, or for each value of something that is seen of a state.
pub(super) fn policy_body(decided: &Decided, by: &str) -> Option<Body> {
    let subject = subject(decided);
    let of = |state: &PolicyState| match by {
        TURN => Some(i64::from(state.turn)),
        name => field(state, name),
    };
    let mut values: Vec<i64> = subject.iter().filter_map(|state| of(state)).collect();
    values.sort_unstable();
    values.dedup();
    values.truncate(MOST_PANELS);
    let panel = |value: i64| {
        let here = subject.iter().copied().filter(|s| of(s) == Some(value));
        losses(decided, &subject, &here.collect::<Vec<_>>())
    };
    Some(match values[..] {
        [only] => Body::Policy(panel(only)?),
        _ => {
            let panels = values.iter().map(|&value| {
                let title = format!("{} {value}", words(by));
                Some(Panel::new(title, panel(value)?))
            });
            let panels: Vec<Panel> = panels.collect::<Option<_>>()?;
            Body::Panels(Panels::new(panels.len().min(3), panels))
        }
    })
}

/// The policy of all turns in one.
pub(super) fn whole_policy(decided: &Decided) -> Option<Policy> {
    let subject = subject(decided);
    losses(decided, &subject, &subject)
}

/// What is done in some states, by what both sides have lost.
fn losses(decided: &Decided, all: &[&PolicyState], here: &[&PolicyState]) -> Option<Policy> {
    let [own, enemy] = decided.sides.each_ref().map(|side| size_field(all, side));
    let (own, enemy) = (own?, enemy?);
    let strongest = all.iter().map(|s| s.margin).fold(0.0, f64::max);
    let [rows, columns] = [&own, &enemy].map(|field| labels(all, field));
    let cell = |row: &i64, column: &i64| {
        let at =
            |s: &&&PolicyState| field(s, &own) == Some(*row) && field(s, &enemy) == Some(*column);
        advice(here.iter().filter(at).copied(), strongest)
    };
    let lost = |sizes: &[i64]| -> Vec<String> {
        let whole = sizes.first().copied().unwrap_or(0);
        sizes
            .iter()
            .map(|size| (whole - size).to_string())
            .collect()
    };
    Some(Policy {
        x: Axis::label(format!("{} lost", words(&enemy))),
        y: Axis::label(format!("{} lost", words(&own))),
        columns: lost(&columns),
        rows: lost(&rows),
        actions: decided.actions.iter().map(|a| a.name.to_string()).collect(),
        cells: (rows.iter())
            .map(|row| columns.iter().map(|column| cell(row, column)).collect())
            .collect(),
    })
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
