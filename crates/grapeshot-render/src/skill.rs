//! What play is worth.

use super::number::counted;
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::skill_chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_engine::engine::TIE;
use grapeshot_engine::stats::fixed;
use grapeshot_study::decide::{Action, GREEDY, RANDOM, Skill, Way};
use grapeshot_study::wording::{as_command, joined};

impl Report for Skill {
    fn document(&self) -> Document {
        let mut document = Document::new(format!(
            "{} {}: what play is worth",
            self.rules, self.procedure
        ));
        document.fact("", "exact, solved over every roll of the dice");
        document.fact("variants", self.variants.join(", "));
        document.fact("given", as_command(self.settings.given()));
        document.findings = sentences(self);
        let name = format!("skill-{}-{}", self.rules, self.procedure);
        let chart = skill_chart(self).map(|chart| Picture::chart(name, chart));
        document.pictures.extend(chart);
        if !self.ways.is_empty() {
            let heading = format!(
                "how {} may play, against best play of {}",
                self.sides[0], self.sides[1]
            );
            document.block(heading, ways(self));
        }
        if !self.actions.is_empty() {
            document.block("what is lost where an action is forbidden", actions(self));
        }
        document.notes.push(format!(
            "{GREEDY}: what would be best if this turn were the last; {RANDOM}: each action as often as the others; worth is \
             that of {} to {}",
            self.goal, self.sides[0]
        ));
        document
    }
}

/// A share in whole hundredths.
fn hundredths(share: f64) -> String {
    match share {
        x if x > 0.0 && x < 0.005 => "below 1 %".into(),
        x => format!("{} %", fixed(100.0 * x, 0)),
    }
}

fn lost(skill: &Skill, by: f64) -> String {
    match by <= TIE {
        true => "nothing".into(),
        false => skill.goal().difference(by),
    }
}

fn sentences(skill: &Skill) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(deciding) = &skill.deciding {
        let own = match deciding.enemy > 0.0 {
            true => format!(
                "{} by what {} does and {} by what {} does",
                hundredths(deciding.own),
                skill.sides[0],
                hundredths(deciding.enemy),
                skill.sides[1]
            ),
            false => format!(
                "{} by what {} does",
                hundredths(deciding.own),
                skill.sides[0]
            ),
        };
        told.push(format!(
            "Dice decide {} of it, if nobody thinks; the rest is decided {own}.",
            hundredths(deciding.dice)
        ));
    }
    told.extend(play(skill));
    told.extend(costs(skill));
    told.extend(idle(skill));
    if let Some(moving) = &skill.moving_first {
        let [first, second] = [moving.first, moving.second]
            .map(|both| both.map(|p| format!("{} %", fixed(100.0 * p, 0))));
        told.push(format!(
            "Moving first, {} succeeds {} and fails {}; as the one who waits, {} and {}.",
            skill.sides[0], first[0], first[1], second[0], second[1]
        ));
    }
    told
}

/// What best play has over the others.
fn play(skill: &Skill) -> Option<String> {
    let goal = skill.goal();
    let named = |name: &str, way: Option<&Way>| {
        way.map(|way| format!("{} over {name}", lost(skill, way.loses)))
    };
    let is_plan = |way: &&Way| *way.name != *GREEDY && *way.name != *RANDOM;
    let plan = skill.ways.iter().find(is_plan);
    let parts = [
        named("playing at random", skill.way(RANDOM)),
        named("playing turn by turn", skill.way(GREEDY)),
        plan.and_then(|plan| named(&format!("the best plan ({})", plan.name), Some(plan))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| {
        format!(
            "Best play is worth {} to {} ({}): it gains {}.",
            goal.value(skill.value),
            skill.sides[0],
            skill.goal,
            joined(parts)
        )
    })
}

/// Which actions are missed most.
fn costs(skill: &Skill) -> Option<String> {
    let mut missed: Vec<&Action> = skill.actions.iter().filter(|a| a.costs > TIE).collect();
    missed.sort_by(|a, b| b.costs.total_cmp(&a.costs));
    let told: Vec<String> = (missed.iter().take(3))
        .map(|action| {
            format!(
                "{} without {}",
                lost(skill, action.costs),
                named(skill, action)
            )
        })
        .collect();
    (!told.is_empty()).then(|| {
        format!(
            "Most is lost where something is forbidden: {}.",
            joined(told)
        )
    })
}

fn named(skill: &Skill, action: &Action) -> String {
    let both = skill.actions.iter().any(|other| !other.own);
    match both {
        true => format!("{}'s {}", action.side, action.action),
        false => action.action.to_string(),
    }
}

/// Actions that nobody needs, and those that leave no choice.
fn idle(skill: &Skill) -> Option<String> {
    let list = |is: fn(&Action) -> bool| -> Vec<String> {
        let found = skill.actions.iter().filter(|action| is(action));
        found.map(|action| named(skill, action)).collect()
    };
    let (never, always) = (list(Action::is_never_best), list(Action::is_always_best));
    let parts = [
        (!never.is_empty()).then(|| format!("never best: {}", joined(never))),
        (!always.is_empty()).then(|| format!("best wherever it is offered: {}", joined(always))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("What leaves no choice, here: {}.", parts.join("; ")))
}

fn value(skill: &Skill, value: f64) -> Cell {
    match skill.goal().is_chance() {
        true => Cell::chance(value),
        false => Cell::change(Estimate::exact(value)),
    }
}

fn less(skill: &Skill, by: f64) -> Cell {
    match skill.goal().is_chance() {
        true => Cell::points(Estimate::exact(by)),
        false => Cell::number(by, 3),
    }
}

fn ways(skill: &Skill) -> Table {
    let mut table = Table::new([
        Column::words(""),
        Column::number("worth"),
        Column::number("less than best"),
    ]);
    table.row([
        Cell::text("best play"),
        value(skill, skill.value),
        Cell::empty(),
    ]);
    for way in &skill.ways {
        table.row([
            Cell::text(&*way.name),
            value(skill, way.value),
            less(skill, way.loses),
        ]);
    }
    table
}

fn actions(skill: &Skill) -> Table {
    let mut table = Table::new([
        Column::words("side"),
        Column::words("action"),
        Column::number("it costs"),
        Column::number("offered"),
        Column::number("best in"),
    ]);
    for action in &skill.actions {
        table.row([
            Cell::text(&*action.side),
            Cell::text(&*action.action),
            less(skill, action.costs),
            Cell::text(counted(action.offered, "state")),
            Cell::count(action.best as i64),
        ]);
    }
    table
}
