//! What to do: a procedure in which somebody chooses, decided or played by a plan.

use super::answer::{self, Answer};
use super::ask::{Asked, Kind};
use super::limits;
use super::link::Ask;
use super::server::Pages;
use super::{hundred, luck, share};
use grapeshot_engine::dist::{Favour, Name, Quantity};
use grapeshot_engine::engine::Budget;
use grapeshot_render::{DecideReport, Document, OddsReport, PlanReport, Report, glance, words};
use grapeshot_rules::{Answered, Decision, OddsError};
use grapeshot_study::decide::{Decided, decide, play_plan};
use maud::{Markup, html};
use serde::Serialize;

/// Best play, or the plan that was asked for.
///
/// # Errors
/// If the rules refuse it, there is no such plan, or there are too many states.
pub(super) fn answer(server: &Pages, asked: &Asked) -> Result<Answer, OddsError> {
    let decision = decision(asked);
    let settings = asked.settings().expect("it was understood");
    let (report, document, plans, side): (OddsReport, Document, Markup, _) = match &asked.ask.plan {
        None => {
            let decided = decide(decision, settings, BUDGET)?;
            let report = decide_report(asked, decision, decided);
            let plans = plans(asked, &report.decided);
            let side = (
                report.decided.sides[0].clone(),
                report.decided.told_of_other,
            );
            (report.odds.clone(), report.document(), plans, side)
        }
        Some(plan) => {
            let report = plan_report(asked, decision, plan)?;
            let best = asked.ask.plainly();
            let best = best.link(&asked.path(), asked.procedure(), settings);
            let back = html! { p { a.button href=(best) { "Best play instead" } } };
            let side = (report.planned.side.clone(), report.planned.told_of_other);
            (report.odds.clone(), report.document(), back, side)
        }
    };
    let glance = glance(&report.procedure, &report.odds);
    // A procedure of the same name answers for the dice; this one is only about what to do.
    let luck = match asked.asking.kind == Kind::Decide {
        true => html! {},
        false => luck::section(server, asked, &report)?,
    };
    let mut findings = document.findings.iter();
    let sentence = findings.next().cloned().unwrap_or_default();
    let body = html! {
        section.advice { @for finding in findings { p.finding { (words(finding)) } } (plans) }
        (answer::seen(asked, &glance))
        (answer::at_least(&glance))
        (luck)
        @if asked.ask.plan.is_none() { (answer::part(asked, "skill", "What play is worth")) }
        (answer::part(asked, "numbers", "All the numbers, and the policy"))
        @for note in &document.notes { p.note { "note: " (words(note)) } }
        (share::section(asked, &report))
    };
    Ok(Answer {
        strip: hundred::strip(&glance),
        tips: None,
        turns_on: turns_on(&report, &side),
        sentence,
        body,
    })
}

/// How often the side that is advised succeeds, by best play or by a plan: the two are held against each other.
fn turns_on(report: &OddsReport, (side, is_other): &(Name, bool)) -> Option<(f64, String)> {
    let success = Quantity::Favoured(match is_other {
        false => Favour::Success,
        true => Favour::Failure,
    });
    Some((
        100.0 * success.of(&report.odds)?.value,
        format!("success of {side}"),
    ))
}

const BUDGET: Budget = Budget {
    states: limits::STATES,
};

/// What is decided.
fn decision(asked: &Asked) -> &Decision {
    asked.decision().expect("somebody chooses")
}

/// A decision, or what a fixed plan comes to.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum DecisionReport {
    Best(DecideReport),
    Plan(PlanReport),
}

impl Report for DecisionReport {
    fn document(&self) -> Document {
        match self {
            DecisionReport::Best(report) => report.document(),
            DecisionReport::Plan(report) => report.document(),
        }
    }
}

/// The decision of a question, as the command line gives it.
///
/// # Errors
/// As [`answer`].
pub(super) fn report(asked: &Asked) -> Result<DecisionReport, OddsError> {
    let decision = decision(asked);
    let settings = asked.settings().expect("it was understood");
    Ok(match &asked.ask.plan {
        None => {
            let decided = decide(decision, settings, BUDGET)?;
            DecisionReport::Best(decide_report(asked, decision, decided))
        }
        Some(plan) => DecisionReport::Plan(plan_report(asked, decision, plan)?),
    })
}

/// Everything that is known of a decision: values, odds, the policy.
///
/// # Errors
/// As [`answer`].
pub(super) fn numbers(asked: &Asked) -> Result<Markup, OddsError> {
    Ok(answer::tables(&report(asked)?.document(), None))
}

fn decide_report(asked: &Asked, decision: &Decision, decided: Decided) -> DecideReport {
    DecideReport {
        odds: odds(asked, decision, decided.odds.clone()),
        decided,
    }
}

fn plan_report(asked: &Asked, decision: &Decision, plan: &str) -> Result<PlanReport, OddsError> {
    let settings = asked.settings().expect("it was understood");
    let planned = play_plan(decision, settings, BUDGET, plan)?;
    let odds = odds(asked, decision, planned.odds.clone()).with_stages(true);
    Ok(PlanReport { odds, planned })
}

fn odds(
    asked: &Asked,
    decision: &Decision,
    odds: grapeshot_engine::dist::Distribution,
) -> OddsReport {
    let answered = Answered {
        settings: asked.settings().expect("it was understood").clone(),
        odds,
        notes: Vec::new(),
        direct: false,
    };
    OddsReport::answered(&asked.loaded, &decision.procedure, answered, limits::STATES)
}

/// Every fixed plan as something to tap.
fn plans(asked: &Asked, decided: &Decided) -> Markup {
    let settings = asked.settings().expect("it was understood");
    let address = |plan: &str| {
        let ask = Ask {
            plan: Some(plan.to_owned()),
            ..asked.ask.plainly()
        };
        ask.link(&asked.path(), asked.procedure(), settings)
    };
    html! {
        h2 { "By a fixed plan instead" }
        p.pills { @for plan in &decided.plans { a href=(address(&plan.name)) { (plan.name) } } }
    }
}
