//! Morale checks, and what a combat result does to a stack that may have to take one.

use super::tables::{Effect, Tables};
use super::unit::{Condition, Order, Stack, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Procedure, RuleError, Settings};
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
            Effect::Disrupt if stack.takes_hit && self.pass(stack, unit, dice) => {
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

/// A single check.
#[derive(Debug)]
struct Check {
    checks: Arc<Checks>,
    stack: Stack,
}

impl Check {
    fn new(tables: &Tables, checks: &Arc<Checks>, s: &Settings) -> Result<Self, RuleError> {
        let stack = Stack::read(tables, s, "unit")?
            .with_morale(s.flag("unit.flanked"), tables.morale.flanked)
            .with_morale(s.flag("unit.assaulting"), tables.morale.assaulting);
        Ok(Check {
            checks: Arc::clone(checks),
            stack,
        })
    }
}

impl Steps for Check {
    type State = ();

    fn phases(&self) -> &'static [&'static str] {
        &["check"]
    }

    fn start(&self) {}

    fn phase(&self, (): &()) -> usize {
        0
    }

    fn step<D: Dice>(&self, (): (), dice: &mut D) -> Next<()> {
        let passed = self.checks.pass(&self.stack, self.stack.start, dice);
        Next::Done(row(&[u16::from(passed)]))
    }
}

pub(super) fn procedure(tables: &Arc<Tables>, checks: &Arc<Checks>) -> Procedure {
    let (tables, checks) = (Arc::clone(tables), Arc::clone(checks));
    Procedure {
        name: "morale",
        about: "A stack checks its modified morale.",
        source: "Morale Modifiers Schedule; Combat Result Summary",
        composed: false,
        settings: settings("unit", &["flanked", "assaulting"]),
        variables: vec![Variable::yes_no(
            "passed",
            "whether the die is at most its modified morale",
        )],
        notes: vec![
            "A check depends on morale, O hits, order and the modifiers; strength and type change nothing.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(Check::new(&tables, &checks, s)?))),
    }
}
