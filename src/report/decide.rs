//! Decisions as a person, a program and a spreadsheet read them.

use super::odds::{OddsReport, quoted};
use super::text::{columns, percent, settings_block, variable_block, wrap};
use super::{odds_json, odds_table};
use crate::rules::{Shown, Value};
use crate::study::decide::{
    Clause, Condition, Decided, Join, Planned, PolicyState, RuleOfThumb, Test, Worth,
};
use serde_json::{Map, json};

/// A decision with everything needed to print it.
#[derive(Debug, Clone)]
pub struct DecideReport {
    /// The question, and the odds under best play.
    pub odds: OddsReport,
    /// The answer.
    pub decided: Decided,
}

/// How many states of the policy a person is shown.
const SHOWN: usize = 12;

/// A value: a chance for goals that are chances, else a number with its sign.
fn worth(goal: &str, value: f64) -> String {
    match goal {
        "win" | "hold" => percent(value),
        _ => format!("{value:+.3}"),
    }
}

/// A difference of values, without a sign.
fn less(goal: &str, difference: f64) -> String {
    match goal {
        "win" | "hold" => format!("{:.1} points", 100.0 * difference),
        _ => format!("{difference:.3}"),
    }
}

/// With a capital.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What to do now, what it is worth, and what the next best thing costs.
fn advice(decided: &Decided) -> String {
    let goal = decided.goal;
    let Some(best) = &decided.best else {
        return format!(
            "There is nothing to decide: {} never has a choice. It is worth {} ({goal}).",
            decided.sides[0],
            worth(goal, decided.value)
        );
    };
    let value_of = |name: &str| decided.actions.iter().find(|a| *a.name == *name);
    let value = value_of(best).map_or(decided.value, |worth| worth.value);
    let mut out = format!(
        "{}: worth {} to {} ({goal}).",
        sentence(best),
        worth(goal, value),
        decided.sides[0]
    );
    let others = decided.actions.iter().filter(|a| a.name != *best);
    if let Some(next) = others.max_by(|x, y| x.value.total_cmp(&y.value)) {
        out += &match value - next.value {
            cost if cost <= crate::engine::TIE => {
                format!(" {} is worth the same.", sentence(&next.name))
            }
            cost => format!(
                " Next best is {}: {}, {} less.",
                next.name,
                worth(goal, next.value),
                less(goal, cost)
            ),
        };
    }
    out
}

/// The best fixed plan, and what best play gains over it and over charging at once.
fn timing(decided: &Decided) -> Option<String> {
    let goal = decided.goal;
    let plan = decided.best_plan()?;
    let gain = |over: &Worth| less(goal, (decided.value - over.value).max(0.0));
    let mut out = format!(
        "Best fixed plan: {}, {}; playing by what happens gains {}",
        plan.name,
        worth(goal, plan.value),
        gain(plan)
    );
    let at_once = decided.plans.iter().find(|p| *p.name == *"charge at once");
    match at_once.filter(|at_once| at_once.name != plan.name) {
        Some(at_once) => out += &format!(", and {} over charging at once.", gain(at_once)),
        None => out.push('.'),
    }
    Some(out)
}

/// The rule of thumb in a sentence.
pub(super) fn thumb_sentence(decided: &Decided, thumb: &RuleOfThumb) -> String {
    let say = |condition: &Condition| said(condition, decided.sides);
    let clause = |clause: &Clause| {
        let when = say(&clause.when);
        let when = match &clause.also {
            None => when,
            Some((Join::Or, also)) => format!("{when}, or {}", say(also)),
            Some((Join::And, also)) => format!("{when} and {}", say(also)),
        };
        format!("{} with {when}", clause.action)
    };
    let mut parts: Vec<String> = thumb.clauses.iter().map(clause).collect();
    parts.push(match parts.len() {
        0 => format!("always {}", thumb.otherwise),
        _ => format!("otherwise {}", thumb.otherwise),
    });
    let loses = match thumb.loses {
        lost if lost < 5e-13 => "it loses nothing".into(),
        lost => format!("it loses {}", less_finely(decided.goal, lost)),
    };
    format!(
        "Rule of thumb: {} ({loses} against best play).",
        parts.join("; ")
    )
}

fn less_finely(goal: &str, difference: f64) -> String {
    if difference < 0.0005 {
        return match goal {
            "win" | "hold" => "less than 0.05 points".into(),
            _ => "less than 0.0005".into(),
        };
    }
    less(goal, difference)
}

/// A condition in words: `their stands at 7 or fewer`.
fn said(condition: &Condition, [own, enemy]: [&str; 2]) -> String {
    let name = &*condition.field;
    let whose = |side: &str| {
        name.strip_prefix(side)
            .and_then(|rest| rest.strip_prefix('_'))
    };
    let (whose, what) = match (whose(own), whose(enemy)) {
        (Some(rest), _) => ("your ", rest),
        (_, Some(rest)) => ("their ", rest),
        (None, None) => ("the ", name),
    };
    let what = what.replace('_', " ");
    match condition.test {
        Test::AtLeast(n) => format!("{whose}{what} at {n} or more"),
        Test::AtMost(n) => format!("{whose}{what} at {n} or less"),
        Test::Is(Value::Flag(true)) => format!("{whose}unit {what}"),
        Test::Is(Value::Flag(false)) => format!("{whose}unit not {what}"),
        Test::Is(value) => format!("{whose}{what} {value}"),
    }
}

/// The decision as a person reads it.
pub fn decide_table(report: &DecideReport) -> String {
    let decided = &report.decided;
    let goal = decided.goal;
    let odds = &report.odds;
    let mut out = format!("{} {}: best play, exact\n", odds.rules, odds.procedure);
    if !odds.variants.is_empty() {
        out += &format!("variants: {}\n", odds.variants.join(", "));
    }
    out.push('\n');
    out += &wrap(&advice(decided), 100, "");
    if let Some(timing) = timing(decided) {
        out += &wrap(&timing, 100, "");
    }
    if let Some(thumb) = &decided.thumb {
        out += &wrap(&thumb_sentence(decided, thumb), 100, "");
    }
    let list = |worths: &[Worth]| {
        let row = |w: &Worth| vec![format!("  {}", w.name), worth(goal, w.value)];
        columns(&worths.iter().map(row).collect::<Vec<_>>())
    };
    if !decided.actions.is_empty() {
        out += &format!(
            "\nfirst action, best play after it:\n{}",
            list(&decided.actions)
        );
    }
    if !decided.plans.is_empty() {
        out += &format!(
            "\nfixed plans of {}:\n{}",
            decided.sides[0],
            list(&decided.plans)
        );
    }
    out += "\nunder best play:\n";
    for marginal in odds.odds.marginals() {
        out.push('\n');
        out += &variable_block(&marginal);
    }
    out += &policy_block(decided);
    out += &settings_block(odds);
    for note in &odds.notes {
        out += &format!("note: {note}\n");
    }
    out
}

fn policy_block(decided: &Decided) -> String {
    let mut likeliest: Vec<&PolicyState> = decided.policy.iter().collect();
    if likeliest.is_empty() {
        return String::new();
    }
    likeliest.sort_by(|x, y| y.p.total_cmp(&x.p));
    likeliest.truncate(SHOWN);
    likeliest.sort_by_key(|state| (state.turn, !state.own));
    let mut out = format!(
        "\nthe policy: {} of {} states, the likeliest (all of them with --format csv):\n",
        likeliest.len(),
        decided.policy.len()
    );
    let fields = fields(&decided.policy);
    let mut rows = vec![
        (["  turn".to_owned(), "side".to_owned()].into_iter())
            .chain(fields.iter().map(|field| (*field).to_owned()))
            .chain(["chance", "do", "worth", "margin"].map(str::to_owned))
            .collect::<Vec<String>>(),
    ];
    for state in likeliest {
        let mut row = vec![format!("  {}", state.turn), state.side.to_owned()];
        row.extend(fields.iter().map(|field| field_text(&state.state, field)));
        row.push(percent(state.p));
        row.push(state.action.to_string());
        row.push(worth(decided.goal, state.value));
        row.push(less(decided.goal, state.margin));
        rows.push(row);
    }
    out += &columns(&rows);
    out
}

/// The names of all fields, in the order in which states first show them.
fn fields(policy: &[PolicyState]) -> Vec<&str> {
    let mut fields: Vec<&str> = Vec::new();
    for state in policy {
        for (name, _) in &state.state {
            if !fields.contains(&&**name) {
                fields.push(name);
            }
        }
    }
    fields
}

fn field_text(state: &Shown, field: &str) -> String {
    let value = state.iter().find(|(name, _)| **name == *field);
    value.map_or(String::new(), |(_, value)| value.to_string())
}

/// The odds under a fixed plan as a person reads them.
pub fn plan_table(planned: &Planned, odds: &OddsReport) -> String {
    let Planned {
        plan,
        goal,
        side,
        value,
        best,
        ..
    } = planned;
    let head = format!(
        "{}: worth {} to {side} ({goal}); best play: {}, {} more.",
        sentence(plan),
        worth(goal, *value),
        worth(goal, *best),
        less(goal, (best - value).max(0.0))
    );
    format!("{}\n{}", wrap(&head, 100, ""), odds_table(odds))
}

/// The decision as JSON.
pub fn decide_json(report: &DecideReport) -> serde_json::Value {
    let decided = &report.decided;
    let mut out = odds_json(&report.odds);
    let worths = |key: &str, worths: &[Worth]| -> serde_json::Value {
        let entry = |w: &Worth| json!({ key: &*w.name, "value": w.value });
        worths.iter().map(entry).collect()
    };
    out["goal"] = json!(decided.goal);
    out["side"] = json!(decided.sides[0]);
    out["value"] = json!(decided.value);
    out["best"] = json!(decided.best.as_deref());
    out["actions"] = worths("action", &decided.actions);
    out["plans"] = worths("plan", &decided.plans);
    out["policy"] = decided.policy.iter().map(policy_json).collect();
    if let Some(thumb) = &decided.thumb {
        out["rule_of_thumb"] = json!({
            "text": thumb_sentence(decided, thumb),
            "value": thumb.value,
            "loses": thumb.loses,
        });
    }
    out
}

fn policy_json(state: &PolicyState) -> serde_json::Value {
    let shown: Map<String, serde_json::Value> = (state.state.iter())
        .map(|(name, value)| (name.to_string(), value.json()))
        .collect();
    json!({
        "turn": state.turn,
        "side": state.side,
        "state": shown,
        "p": state.p,
        "action": &*state.action,
        "value": state.value,
        "margin": state.margin,
    })
}

/// The whole policy, one row a state.
pub fn decide_csv(report: &DecideReport) -> String {
    let policy = &report.decided.policy;
    let fields = fields(policy);
    let mut out = format!(
        "turn,side,{}p,action,value,margin\n",
        fields
            .iter()
            .map(|f| format!("{},", quoted(f)))
            .collect::<String>()
    );
    for state in policy {
        out += &format!("{},{},", state.turn, quoted(state.side));
        for field in &fields {
            out += &format!("{},", quoted(&field_text(&state.state, field)));
        }
        out += &format!(
            "{},{},{},{}\n",
            state.p,
            quoted(&state.action),
            state.value,
            state.margin
        );
    }
    out
}
