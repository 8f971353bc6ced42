//! Fire: one stack fires at another, which takes the result and the check it causes.

use super::morale::Checks;
use super::tables::{Effect, LONGEST_RANGE, Tables};
use super::unit::{Arm, Order, Stack, settings};
use super::volley::{Mark, Shooter, Shot, Volley};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

const SCHEDULE: &str = "Fire Line Modifiers Schedule, Fire Combat Only";

/// One attack by fire.
#[derive(Debug)]
struct Fire {
    checks: Arc<Checks>,
    firer: Stack,
    volley: Volley,
    target: Stack,
}

impl Fire {
    fn new(tables: &Tables, checks: &Arc<Checks>, s: &Settings) -> Result<Self, RuleError> {
        let firer = Stack::read_fighting(tables, s, "firer")?;
        let shot = Shot {
            shooter: Shooter::read(s, "firer"),
            mark: Mark::read(s, "target"),
            range: s.whole("range"),
            no_los: s.flag("no_los"),
        };
        if shot.no_los && firer.arm != Arm::Artillery {
            let reason = format!(
                "only artillery fires without a line of sight, and the firer is {}",
                firer.arm.label()
            );
            return Err(s.refuse("no_los", reason));
        }
        if shot.range >= tables.artillery.long_from {
            if firer.arm != Arm::Artillery {
                let reason = format!("only artillery reaches so far, not {}", firer.arm.label());
                return Err(s.refuse("range", reason));
            }
            if !shot.mark.lower {
                let reason =
                    "artillery reaches so far only down a slope: target.lower must be true";
                return Err(s.refuse("range", reason));
            }
        }
        let target = Stack::read(tables, s, "target")?
            .with_morale(shot.mark.flanked, tables.morale.flanked)
            .with_morale(shot.mark.charging, tables.morale.assaulting)
            .with_morale(shot.no_los, tables.morale.no_los);
        Ok(Fire {
            checks: Arc::clone(checks),
            volley: Volley::of_fire(tables, &firer, &shot),
            firer,
            target,
        })
    }

    fn row(&self, unit: super::unit::Condition, effect: Effect) -> crate::engine::Row {
        row(&[
            unit.order.position() as u16,
            effect.position() as u16,
            self.target.taken(unit),
        ])
    }
}

impl Steps for Fire {
    /// The result that is still to be taken, once it is rolled.
    type State = Option<Effect>;

    fn phases(&self) -> &'static [&'static str] {
        &["fire", "hits and check"]
    }

    fn start(&self) -> Option<Effect> {
        None
    }

    fn phase(&self, rolled: &Option<Effect>) -> usize {
        usize::from(rolled.is_some())
    }

    fn step<D: Dice>(&self, rolled: Option<Effect>, dice: &mut D) -> Next<Option<Effect>> {
        let unit = self.target.start;
        match rolled {
            None => match self.volley.roll(&self.firer, self.firer.start, dice) {
                Effect::None => Next::Done(self.row(unit, Effect::None)),
                effect => Next::Go(Some(effect)),
            },
            Some(effect) => {
                let unit = self.checks.suffer(&self.target, unit, effect, dice);
                Next::Done(self.row(unit, effect))
            }
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>, checks: &Arc<Checks>) -> Procedure {
    let (tables, checks) = (Arc::clone(tables), Arc::clone(checks));
    let mut keys = settings("firer", &["clear_hex", "advance_fire", "behind_wall"]);
    keys.extend(settings(
        "target",
        &[
            "terrain",
            "thoroughfare",
            "lower",
            "wall",
            "flanked",
            "advancing",
            "charging",
            "dense",
        ],
    ));
    keys.push(
        Setting::whole("range", 1..=LONGEST_RANGE, 1, "hexes from firer to target")
            .from("Range Factor Table"),
    );
    keys.push(
        Setting::flag(
            "no_los",
            "artillery fires down a slope without a line of sight",
        )
        .from(SCHEDULE),
    );
    Procedure {
        name: "fire",
        about: "One attack by fire on one stack, with the check it causes.",
        source: "Combat Results Table, Range Factor Table, Combat Result Summary",
        composed: false,
        settings: keys,
        variables: vec![
            Variable::category(
                "state",
                "the order the target is left in",
                Order::LABELS.iter().copied(),
            ),
            Variable::category(
                "effect",
                "what the combat results say, after the brackets",
                Effect::LABELS.iter().copied(),
            ),
            Variable::count("o_hits", "O hits the target takes"),
        ],
        notes: vec![
            "The firer fires and is not fired on, so its morale, its hits and what changes them make no difference; the target's strength makes none either.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(Fire::new(&tables, &checks, s)?))),
    }
}
