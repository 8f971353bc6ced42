//! Morale checks, and what a combat result does to a stack that may have to take one.

use super::charts::Charts;
use super::stack::{Condition, Stack};
use super::tables::Effect;
use super::unit::{Order, settings};
use crate::{Judged, Labels, Procedure, RuleError, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// The odds of every check there is: a d10 at most the modified morale.
#[derive(Debug)]
pub(super) struct Checks {
    /// By modified morale, from the first that always fails.
    odds: Vec<Odds<bool>>,
}

/// Below every face, and at the highest face: beyond them a check can only fail or pass.
const FAILS: i64 = -1;
const PASSES: i64 = 9;

impl Checks {
    pub(super) fn new() -> Self {
        let odds =
            |morale: i64| Odds::new(Throw::d10_from_zero(), move |die| i64::from(die) <= morale);
        Checks {
            odds: (FAILS..=PASSES).map(odds).collect(),
        }
    }

    /// Whether a stack in this condition passes.
    pub(super) fn pass<D: Dice>(&self, stack: &Stack, unit: Condition, dice: &mut D) -> bool {
        let morale = stack.modified_morale(unit).clamp(FAILS, PASSES);
        self.odds[(morale - FAILS) as usize].roll(dice)
    }

    /// What a combat result makes of a stack (Combat Result Summary).
    pub(super) fn suffer<D: Dice>(
        &self,
        stack: &Stack,
        unit: Condition,
        effect: Effect,
        dice: &mut D,
    ) -> Condition {
        match effect {
            Effect::None => unit,
            Effect::Disrupt if unit.order != Order::Good => stack.hit(unit, 1),
            Effect::Disrupt if stack.may_take_hit(unit) && self.pass(stack, unit, dice) => {
                stack.hit(unit, 1)
            }
            Effect::Disrupt => Condition {
                order: Order::Disrupted,
                ..unit
            },
            Effect::Hit1 | Effect::Hit2 | Effect::Hit3 => {
                let mut unit = stack.hit(unit, effect.hits());
                // A failed check makes nothing worse of a stack that is routed or destroyed.
                if !unit.order.is_gone() && !self.pass(stack, unit, dice) {
                    unit.order = unit.order.worse();
                }
                unit
            }
        }
    }
}

grapeshot_engine::labels! {
    /// How a check comes out for the stack that takes it.
    enum Passed { No = "no" => Failure, Yes = "yes" => Success }
}

/// A single check.
#[derive(Debug)]
struct Check {
    charts: Arc<Charts>,
    stack: Stack,
}

impl Check {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let morale = &charts.tables.morale;
        let stack = Stack::read(&charts.tables, s, "unit")?
            .with_morale(s.flag("unit.flanked"), morale.flanked)
            .with_morale(s.flag("unit.assaulting"), morale.assaulting);
        Ok(Check {
            charts: Arc::clone(charts),
            stack,
        })
    }
}

impl OneStep for Check {
    const PHASE: &'static str = "check";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let checks = &self.charts.checks;
        let passed = match checks.pass(&self.stack, self.stack.start(), dice) {
            true => Passed::Yes,
            false => Passed::No,
        };
        row(&[passed.position() as u16])
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "morale".into(),
        about: "A stack checks its modified morale.".into(),
        source: "Morale Modifiers Schedule; Combat Result Summary".into(),
        composed: false,
        settings: settings("unit", &["flanked", "assaulting"]),
        variables: vec![Passed::variable(
            "passed",
            "whether the die is at most its modified morale",
        )],
        notes: vec![
            "A check depends on the units' morale and O hits, the order of the stack and the modifiers; strength, type, sides and what it would do about a hit change nothing.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(Check::new(&charts, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{p, settings, tables};
    use super::*;
    use grapeshot_engine::dice::Scripted;

    /// Order, O hits taken, after a result and these checks.
    fn after(given: &str, effect: Effect, dice: &[i32]) -> (Order, u16) {
        let stack = Stack::read(&tables(), &settings("morale", given), "unit").expect("a stack");
        let mut dice = Scripted::new(dice.iter().copied());
        let unit = Checks::new().suffer(&stack, stack.start(), effect, &mut dice);
        dice.finish();
        (unit.order, u16::from(unit.taken))
    }

    #[test]
    fn a_d_is_disruption_unless_a_hit_is_taken_instead() {
        assert_eq!(after("", Effect::Disrupt, &[5]), (Order::Good, 1));
        assert_eq!(after("", Effect::Disrupt, &[6]), (Order::Disrupted, 0));
        assert_eq!(
            after("unit.takes_hit=false", Effect::Disrupt, &[]),
            (Order::Disrupted, 0)
        );
        assert_eq!(
            after("unit.state=disrupted", Effect::Disrupt, &[]),
            (Order::Disrupted, 1)
        );
        assert_eq!(
            after("unit.state=routed", Effect::Disrupt, &[]),
            (Order::Routed, 1)
        );
        let last = "unit.reduced=true unit.o_hits=2";
        assert_eq!(after(last, Effect::Disrupt, &[3]), (Order::Destroyed, 1));
        assert_eq!(after(last, Effect::Disrupt, &[4]), (Order::Disrupted, 0));
    }

    #[test]
    fn hits_count_in_the_check_they_cause() {
        assert_eq!(after("", Effect::Hit1, &[4]), (Order::Good, 1));
        assert_eq!(after("", Effect::Hit1, &[5]), (Order::Disrupted, 1));
        assert_eq!(after("", Effect::Hit2, &[4]), (Order::Disrupted, 2));
        // The third hit flips the unit, so the check is made with none on its new side.
        assert_eq!(after("", Effect::Hit3, &[5]), (Order::Good, 3));
        assert_eq!(
            after("unit.state=disrupted", Effect::Hit1, &[5]),
            (Order::Routed, 1)
        );
        assert_eq!(
            after("unit.state=routed", Effect::Hit2, &[]),
            (Order::Routed, 2)
        );
        assert_eq!(
            after("unit.reduced=true unit.o_hits=1", Effect::Hit3, &[]),
            (Order::Destroyed, 2)
        );
    }

    #[test]
    fn nothing_happens_without_an_effect() {
        assert_eq!(
            after("unit.state=disrupted", Effect::None, &[]),
            (Order::Disrupted, 0)
        );
    }

    #[test]
    fn a_check_passes_at_or_below_the_modified_morale() {
        let passed = |given: &str| p("morale", given, "passed", "yes");
        assert!((passed("") - 0.6).abs() < 1e-12);
        assert!((passed("unit.flanked=true unit.assaulting=true") - 0.6).abs() < 1e-12);
        assert!((passed("unit.morale=9 unit.leader=true") - 1.0).abs() < 1e-12);
        assert!(passed("unit.morale=0 unit.isolated=true").abs() < 1e-12);
        assert!((passed("unit.morale=0") - 0.1).abs() < 1e-12);
        assert!((passed("unit.units=2 unit.morale=4 unit.morale2=7") - 0.6).abs() < 1e-12);
        assert!(
            (passed("unit.morale=7 unit.state=routed unit.out_of_command=true") - 0.7).abs()
                < 1e-12
        );
    }
}
