//! What a decision comes to, in words.

use super::{Clause, Condition, Join, RuleOfThumb, Test};
use crate::number::{percent, signed};
use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::TIE;
use grapeshot_rules::{Settings, Value};

/// How values of a goal are written: some are chances, others are not.
#[derive(Debug, Clone, Copy)]
pub struct Goal<'a>(pub &'a str);

impl<'a> Goal<'a> {
    /// What is wanted in a question; a text that asks for no goal says itself what an end is worth.
    pub fn asked(settings: &'a Settings) -> Self {
        match settings.find("goal") {
            Some(Value::Choice(goal)) => Goal(goal),
            _ => Goal("worth"),
        }
    }

    /// Whether its values are chances.
    pub fn is_chance(self) -> bool {
        matches!(self.0, "win" | "hold")
    }

    /// A value.
    pub fn value(self, value: f64) -> String {
        match self.is_chance() {
            true => percent(value),
            false => signed(value, 3),
        }
    }

    /// A difference, without a sign.
    pub fn difference(self, by: f64) -> String {
        let by = signed(
            if self.is_chance() { 100.0 * by } else { by },
            if self.is_chance() { 1 } else { 3 },
        );
        let by = by.trim_start_matches('+');
        match self.is_chance() {
            true => format!("{by} points"),
            false => by.to_owned(),
        }
    }
}

/// The rule of thumb in a sentence.
pub(super) fn sentence(goal: Goal<'_>, sides: &[Name; 2], thumb: &RuleOfThumb) -> String {
    let say = |condition: &Condition| said(condition, sides.each_ref().map(|side| &**side));
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
        lost if lost <= TIE => "nothing".to_owned(),
        lost => goal.difference(lost),
    };
    format!(
        "Rule of thumb: {}. It loses {loses} against best play.",
        parts.join("; ")
    )
}

/// A condition in words: `their stands at 7 or less`.
fn said(condition: &Condition, [own, enemy]: [&str; 2]) -> String {
    let name = &*condition.field;
    let of = |side: &str| {
        name.strip_prefix(side)
            .and_then(|rest| rest.strip_prefix('_'))
    };
    let (whose, what) = match (of(own), of(enemy)) {
        (Some(rest), _) => ("your", rest),
        (_, Some(rest)) => ("their", rest),
        (None, None) => ("the", name),
    };
    let what = what.replace('_', " ");
    match &condition.test {
        Test::AtLeast(n) => format!("{whose} {what} at {n} or more"),
        Test::AtMost(n) => format!("{whose} {what} at {n} or less"),
        Test::Is(Value::Flag(true)) => format!("{whose} unit {what}"),
        Test::Is(Value::Flag(false)) => format!("{whose} unit not {what}"),
        Test::Is(value) => format!("{whose} {what} {value}"),
    }
}
