//! Decisions: what to do, what it is worth, and the policy.

use super::glance::of_hundred;
use super::number::counted;
use super::{Audience, Block, Cell, Column, Document, OddsReport, Picture, Report, Role, Table};
use crate::pictures::policy_chart;
use grapeshot_charts::Chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_engine::engine::TIE;
use grapeshot_rules::{Shown, Value};
use grapeshot_study::decide::{Chances, Decided, Goal, Planned, PolicyState, Worth};
use grapeshot_study::wording::capital;
use serde::Serialize;

/// A decision with everything needed to print it.
#[derive(Debug, Clone, Serialize)]
pub struct DecideReport {
    /// The question, and the odds under best play.
    #[serde(flatten)]
    pub odds: OddsReport,
    /// The answer.
    #[serde(flatten)]
    pub decided: Decided,
}

/// A question played by a fixed plan.
#[derive(Debug, Clone, Serialize)]
pub struct PlanReport {
    /// The question, and the odds under the plan.
    #[serde(flatten)]
    pub odds: OddsReport,
    /// What the plan is worth.
    #[serde(flatten)]
    pub planned: Planned,
}

/// How many states of the policy a person is shown.
const SHOWN: usize = 12;

fn cell(goal: Goal<'_>, value: f64) -> Cell {
    match goal.is_chance() {
        true => Cell::chance(value),
        false => Cell::change(Estimate::exact(value)),
    }
}

fn margin(goal: Goal<'_>, by: f64) -> Cell {
    match goal.is_chance() {
        true => Cell::points(Estimate::exact(by)),
        false => Cell::number(by, 3),
    }
}

/// What comes of something that is done, in a player's words: how often one gets what one wants, and the enemy.
fn told(goal: &str, chances: &Chances) -> String {
    let [good, bad] = [chances.success, chances.failure].map(of_hundred);
    match goal {
        "drive-off" => format!("you drive them off {good} in 100, they you {bad}"),
        "win" => format!("you win {good} in 100 and lose {bad}"),
        "hold" => format!("you hold {good} in 100 and are driven off {bad}"),
        _ => format!("you succeed {good} in 100 and fail {bad}"),
    }
}

/// What to do now, what comes of it, and what of the next best thing; what they are worth stands behind.
fn advice(decided: &Decided) -> String {
    let goal = Goal(&decided.goal);
    let Some(best) = &decided.best else {
        return format!(
            "There is nothing to decide: nobody has a choice. It is worth {} to {} ({}).",
            goal.value(decided.value),
            decided.sides[0],
            decided.goal
        );
    };
    let held = decided.actions.iter().find(|action| action.name == *best);
    let value = held.map_or(decided.value, |held| held.value);
    let chances = held.and_then(|held| held.chances.as_ref());
    let others = decided.actions.iter().filter(|action| action.name != *best);
    let next = others.max_by(|x, y| x.value.total_cmp(&y.value));
    let worth = |value: f64| format!("worth {} (goal {})", goal.value(value), decided.goal);
    let mut out = match chances {
        Some(chances) => format!("{}: {}", capital(best), told(&decided.goal, chances)),
        None => format!("{}: {}", capital(best), worth(value)),
    };
    if let (
        Some(_),
        Some(Worth {
            name,
            chances: Some(next),
            ..
        }),
    ) = (chances, next)
    {
        let [good, bad] = [next.success, next.failure].map(of_hundred);
        out += &format!("; if you {name} instead, {good} and {bad}");
    }
    out.push('.');
    if chances.is_some() {
        out += &format!(" You are {}: {}", decided.sides[0], worth(value));
        out.push(if next.is_some() { ',' } else { '.' });
    }
    if let Some(next) = next {
        let lead = if chances.is_some() { " and" } else { "" };
        out += &match value - next.value {
            cost if cost <= TIE => format!("{lead} {} is worth the same.", next.name),
            cost => format!(
                "{lead} {} is worth {} less.",
                next.name,
                goal.difference(cost)
            ),
        };
    }
    out
}

/// The best fixed plan, and what best play gains over it and over charging at once.
fn timing(decided: &Decided) -> Option<String> {
    let goal = Goal(&decided.goal);
    let plan = decided.best_plan()?;
    let gain = |over: &Worth| match decided.value - over.value {
        gain if gain <= TIE => "nothing".to_owned(),
        gain => goal.difference(gain),
    };
    let mut out = format!(
        "The best fixed plan is to {}: {}. Playing by what happens gains {} over it",
        plan.name,
        goal.value(plan.value),
        gain(plan)
    );
    let at_once = decided.plans.iter().find(|p| *p.name == *"charge at once");
    match at_once.filter(|at_once| at_once.name != plan.name) {
        Some(at_once) => out += &format!(", and {} over charging at once.", gain(at_once)),
        None => out.push('.'),
    }
    Some(out)
}

impl DecideReport {
    /// The policy as a picture.
    pub fn chart(&self) -> Option<Chart> {
        let title = format!(
            "{} {}: what {} does",
            self.odds.rules, self.odds.procedure, self.decided.sides[0]
        );
        policy_chart(&self.decided, &title)
    }

    fn picture(&self) -> Option<Picture> {
        Some(Picture::chart("policy", self.chart()?))
    }
}

impl Report for DecideReport {
    fn document(&self) -> Document {
        let decided = &self.decided;
        let goal = Goal(&decided.goal);
        let mut document = self.odds.document();
        let verdict = std::mem::take(&mut document.findings).into_iter();
        document.findings.push(advice(decided));
        document.findings.extend(timing(decided));
        let thumb = decided.thumb.iter();
        document
            .findings
            .extend(thumb.map(|thumb| thumb.text.clone()));
        let verdict = verdict.map(|shares| match decided.told_of_other {
            false => format!("Under best play: {shares}."),
            true => format!("Under best play, for {}: {shares}.", decided.sides[1]),
        });
        document.findings.extend(verdict);
        let under = std::mem::take(&mut document.blocks).into_iter();
        let side = &decided.sides[0];
        document.block(
            format!("first action of {side}, and best play after it"),
            worths(goal, &decided.actions),
        );
        if !decided.plans.is_empty() {
            document.block(
                format!("fixed plans of {side}"),
                worths(goal, &decided.plans),
            );
        }
        let mut assumed = Vec::new();
        for block in under.filter(|block| block.place != Audience::Data) {
            match block.role {
                Some(Role::Assumed) => assumed.push(block),
                _ => document.blocks.push(Block {
                    heading: format!("under best play, {}", block.heading),
                    ..block
                }),
            }
        }
        if !decided.policy.is_empty() {
            document.block(policy_heading(decided), likeliest(decided));
            document.data("policy", policy_table(&decided.policy, goal));
        }
        document.blocks.extend(assumed);
        document.pictures.extend(self.picture());
        document
    }
}

impl Report for PlanReport {
    fn document(&self) -> Document {
        let planned = &self.planned;
        let goal = Goal(&planned.goal);
        let mut document = self.odds.document();
        document.findings.push(format!(
            "{}: worth {} to {} (goal {}). Best play is worth {}, {} more.",
            capital(&planned.plan),
            goal.value(planned.value),
            planned.side,
            planned.goal,
            goal.value(planned.best),
            goal.difference((planned.best - planned.value).max(0.0))
        ));
        document
    }
}

fn worths(goal: Goal<'_>, worths: &[Worth]) -> Table {
    let judged = worths.iter().any(|worth| worth.chances.is_some());
    let mut columns = vec![Column::words("")];
    if judged {
        columns.extend(["success", "failure"].map(Column::number));
    }
    columns.push(Column::number("worth"));
    let mut table = Table::new(columns);
    for worth in worths {
        let mut row = vec![Cell::text(&*worth.name)];
        if judged {
            let chances = worth.chances.as_ref();
            let of = |pick: fn(&Chances) -> f64| {
                chances.map_or(Cell::empty(), |c| Cell::chance(pick(c)))
            };
            row.extend([of(|c| c.success), of(|c| c.failure)]);
        }
        row.push(cell(goal, worth.value));
        table.row(row);
    }
    table
}

fn policy_heading(decided: &Decided) -> String {
    match decided.policy.len() {
        few if few <= SHOWN => "the policy".into(),
        all => format!(
            "the policy: the likeliest of {} (all of them as csv)",
            counted(all, "state")
        ),
    }
}

fn likeliest(decided: &Decided) -> Table {
    let mut likeliest: Vec<&PolicyState> = decided.policy.iter().collect();
    likeliest.sort_by(|x, y| y.p.total_cmp(&x.p));
    likeliest.truncate(SHOWN);
    likeliest.sort_by_key(|state| (state.turn, !state.own));
    let states: Vec<PolicyState> = likeliest.into_iter().cloned().collect();
    policy_table(&states, Goal(&decided.goal))
}

/// One row a state; fields that a state does not show are empty.
fn policy_table(policy: &[PolicyState], goal: Goal<'_>) -> Table {
    let mut fields: Vec<&str> = Vec::new();
    for (name, _) in policy.iter().flat_map(|state| &state.state) {
        if !fields.contains(&&**name) {
            fields.push(name);
        }
    }
    let head = [Column::number("turn"), Column::words("side")];
    let tail = [
        Column::number("p"),
        Column::words("action"),
        Column::number("value"),
        Column::number("margin"),
    ];
    let columns = head
        .into_iter()
        .chain(fields.iter().map(|field| Column::number(*field)));
    let mut table = Table::new(columns.chain(tail));
    for state in policy {
        let mut row = vec![Cell::count(i64::from(state.turn)), Cell::text(&*state.side)];
        row.extend(fields.iter().map(|field| field_cell(&state.state, field)));
        row.push(Cell::chance(state.p));
        row.push(Cell::text(&*state.action));
        row.push(cell(goal, state.value));
        row.push(margin(goal, state.margin));
        table.row(row);
    }
    table
}

fn field_cell(state: &Shown, field: &str) -> Cell {
    match state.iter().find(|(name, _)| **name == *field) {
        None => Cell::empty(),
        Some((_, Value::Flag(flag))) => Cell::flag(*flag),
        Some((_, Value::Whole(n))) => Cell::count(*n),
        Some((_, value)) => Cell::text(value.to_string()),
    }
}
