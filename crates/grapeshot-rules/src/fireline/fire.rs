//! Fire: one stack fires at another, which takes the result and the check it causes.

use super::charts::Charts;
use super::stack::{Condition, Stack};
use super::tables::{Effect, LONGEST_RANGE};
use super::unit::{Arm, Order, density, settings};
use super::volley::{Mark, Shooter, Shot, Volley};
use crate::{Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::sync::Arc;

const SCHEDULE: &str = "Fire Line Modifiers Schedule, Fire Combat Only";

/// One attack by fire.
#[derive(Debug)]
struct Fire {
    firer: Stack,
    target: Stack,
    volley: Volley,
}

impl Fire {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let tables = &charts.tables;
        let firer = Stack::read_fighting(tables, s, "firer")?;
        let target = Stack::read(tables, s, "target")?;
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
        if shot.no_los && !shot.mark.lower {
            let reason =
                "fire without a line of sight is fire down a slope: target.lower must be true";
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
        Ok(Fire {
            volley: Volley::of_fire(charts, &firer, &target, &shot),
            firer,
            target,
        })
    }

    fn row(&self, unit: Condition, effect: Effect) -> Row {
        row(&[
            unit.order.position() as u16,
            effect.position() as u16,
            u16::from(unit.taken),
            self.target.units_lost(unit),
        ])
    }
}

impl Steps for Fire {
    /// The result that is still to be taken, once it is rolled.
    type State = Option<Effect>;

    fn phases(&self) -> Vec<&str> {
        vec!["fire", "hits and check"]
    }

    fn start(&self) -> Option<Effect> {
        None
    }

    fn phase(&self, rolled: &Option<Effect>) -> usize {
        usize::from(rolled.is_some())
    }

    fn step<D: Dice>(&self, rolled: Option<Effect>, dice: &mut D) -> Next<Option<Effect>> {
        let target = self.target.start();
        match rolled {
            None => match self.volley.roll(self.firer.start(), target, dice) {
                Effect::None => Next::Done(self.row(target, Effect::None)),
                effect => Next::Go(Some(effect)),
            },
            Some(effect) => {
                let target = self.volley.suffer(target, effect, dice);
                Next::Done(self.row(target, effect))
            }
        }
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
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
    keys.push(density());
    Procedure {
        name: "fire".into(),
        about: "One attack by fire on one stack, with the check it causes.".into(),
        source: "Combat Results Table, Range Factor Table, Combat Result Summary".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Variable::category(
                "state",
                "the order the target is left in",
                Order::LABELS.iter().copied(),
            )
            .favouring(Order::ALL.iter().map(|order| order.of_a_target())),
            Variable::category(
                "effect",
                "what the combat results say, after the brackets",
                Effect::LABELS.iter().copied(),
            ),
            Variable::count("o_hits", "O hits the target takes"),
            Variable::count("units_lost", "units of the target destroyed"),
        ],
        notes: vec![
            "The firer fires and is not fired on, so its morale, its hits and what changes them make no difference; the target's strength makes none either unless density is auto.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(Fire::new(&charts, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{charts, marginal, p, refusal, settings};
    use super::*;
    use grapeshot_engine::dice::Scripted;
    use grapeshot_engine::engine::play_once;

    fn fire(given: &str) -> Fire {
        Fire::new(&charts(), &settings("fire", given)).expect("it can be fired")
    }

    /// The lowest fire factor of the row the volley is read on, and whether in brackets.
    fn line(given: &str) -> Option<(i64, bool)> {
        let fire = fire(given);
        fire.volley.line(fire.firer.start(), fire.target.start())
    }

    #[test]
    fn every_modifier_moves_the_line_as_printed() {
        // Four points of infantry at one hex are 8 factors; in the open one row up.
        for (given, wanted) in [
            ("", 12),
            ("target.terrain=woods", 5),
            ("target.terrain=marsh", 5),
            ("target.terrain=run", 8),
            ("target.terrain=run target.thoroughfare=true", 12),
            ("target.terrain=woods target.thoroughfare=true", 8),
            ("target.thoroughfare=true", 12),
            ("target.lower=true", 16),
            ("target.wall=true", 8),
            ("target.flanked=true", 16),
            ("target.advancing=true", 16),
            ("target.advancing=true target.charging=true", 21),
            ("target.dense=true", 16),
            ("firer.behind_wall=true", 16),
            ("target.type=artillery", 8),
            ("firer.state=disrupted", 3),
            ("firer.advance_fire=true", 5),
            ("firer.sp=9", 12),
            ("firer.sp=9 firer.clear_hex=false", 8),
            ("firer.reduced=true", 5),
            ("firer.reduced=true firer.reduced_sp=3", 8),
            // Stacks: the limit of the hex is on the sum, and F is rounded once.
            ("firer.units=3 firer.sp=1", 8),
            ("firer.units=3", 12),
            ("firer.units=2 firer.reduced=true firer.sp=3", 12),
            ("firer.units=2 firer.sp=1 firer.type=cavalry range=2", 2),
            ("firer.units=3 firer.sp=1 range=3", 2),
            // Density goes by strength only when it is asked to, and counts once.
            ("target.sp=9", 12),
            ("target.sp=5 density=auto", 16),
            ("target.sp=4 density=auto", 12),
            ("target.sp=4 target.units=2 density=auto", 16),
            ("target.sp=9 target.reduced=true density=auto", 16),
            ("target.sp=8 target.reduced=true density=auto", 12),
            ("target.sp=9 target.dense=true density=auto", 16),
            ("target.sp=1 target.dense=true density=auto", 16),
            ("range=2", 5),
            ("range=3", 3),
            ("firer.type=cavalry", 5),
            ("firer.type=irregular range=2", 3),
        ] {
            assert_eq!(line(given), Some((wanted, false)), "{given}");
        }
    }

    #[test]
    fn artillery_is_treated_apart() {
        for (given, wanted) in [
            // Adjacent: 16 factors, open ground and the modifier for adjacent small arms.
            ("firer.sp=8", (27, false)),
            ("firer.sp=8 target.type=artillery", (21, false)),
            ("firer.sp=8 firer.clear_hex=false", (12, false)),
            // At a distance open ground does not count, and small arms read the brackets.
            ("firer.sp=8 range=2", (12, true)),
            ("firer.sp=8 range=2 target.terrain=woods", (8, true)),
            ("firer.sp=8 range=2 target.type=artillery", (12, false)),
            ("firer.sp=10 range=4 target.lower=true", (8, true)),
            ("firer.sp=20 range=6 target.lower=true", (12, true)),
            (
                "firer.sp=20 range=7 target.lower=true target.flanked=true",
                (0, true),
            ),
            (
                "firer.sp=20 range=8 target.lower=true target.type=artillery",
                (0, false),
            ),
            (
                "firer.sp=20 range=2 no_los=true target.lower=true target.type=artillery",
                (0, false),
            ),
        ] {
            assert_eq!(
                line(&format!("firer.type=artillery {given}")),
                Some(wanted),
                "{given}"
            );
        }
    }

    #[test]
    fn rows_are_held_at_both_ends() {
        let all = "target.lower=true target.flanked=true target.advancing=true target.charging=true target.dense=true firer.behind_wall=true";
        assert_eq!(line(all), Some((36, false)));
        assert_eq!(line(&format!("{all} target.wall=true")), Some((27, false)));
        let none = "firer.state=disrupted firer.advance_fire=true target.wall=true";
        assert_eq!(line(none), Some((0, false)));
    }

    #[test]
    fn a_target_out_of_reach_is_safe_without_a_die() {
        for given in [
            "range=4",
            "firer.type=cavalry range=3",
            "firer.type=irregular range=6",
        ] {
            let mut dice = Scripted::new([]);
            let end = play_once(&fire(given), &mut dice);
            dice.finish();
            assert_eq!(end.row[..4], [0, 0, 0, 0]);
        }
    }

    #[test]
    fn a_result_is_rolled_then_taken() {
        // 12 factors: a 0 is two hits, and morale 5 less 2 passes at 3.
        for (dice, state, effect, hits) in [
            (vec![0, 3], Order::Good, Effect::Hit2, 2),
            (vec![1, 4], Order::Disrupted, Effect::Hit2, 2),
            (vec![3, 4], Order::Good, Effect::Hit1, 1),
            (vec![5, 5], Order::Good, Effect::Disrupt, 1),
            (vec![5, 6], Order::Disrupted, Effect::Disrupt, 0),
            (vec![6], Order::Good, Effect::None, 0),
        ] {
            let mut dice = Scripted::new(dice);
            let end = play_once(&fire(""), &mut dice);
            dice.finish();
            let wanted = [state.position() as u16, effect.position() as u16, hits];
            assert_eq!(end.row[..3], wanted);
        }
    }

    #[test]
    fn a_stack_checks_with_the_units_and_sides_its_hits_leave() {
        // Two worn units, morale 8 and 2: a 1 destroys the first, and the second checks alone at 0.
        let worn = "target.units=2 target.morale=8 target.morale2=2 target.reduced=true target.reduced2=true target.o_hits=2 target.o_hits2=2";
        for (dice, state, hits, lost) in [
            (vec![3, 0], Order::Good, 1, 1),
            (vec![3, 1], Order::Disrupted, 1, 1),
            (vec![1], Order::Destroyed, 2, 2),
            // A D is tried at the average of both, 3, before the hit.
            (vec![5, 3], Order::Good, 1, 1),
            (vec![5, 4], Order::Disrupted, 0, 0),
        ] {
            let mut dice = Scripted::new(dice);
            let end = play_once(&fire(worn), &mut dice);
            dice.finish();
            let wanted = [state.position() as u16, hits, lost];
            assert_eq!([end.row[0], end.row[2], end.row[3]], wanted);
        }
    }

    #[test]
    fn morale_under_fire_has_its_situation() {
        // Disrupted by every 1 that is failed: two faces of ten on the row for 12.
        let good = |given: &str| {
            p(
                "fire",
                &format!("target.takes_hit=false {given}"),
                "state",
                "good",
            )
        };
        // Two hits pass at 3, one at 4; the other results are fixed.
        assert!((good("") - (0.2 * 0.4 + 0.2 * 0.5 + 0.4)).abs() < 1e-12);
        // Flanked: row 16-20 and one less morale.
        assert!(
            (good("target.flanked=true") - (0.1 * 0.5 + 0.2 * 0.3 + 0.2 * 0.4 + 0.3)).abs() < 1e-12
        );
        // Charging: row 16-20 and one more; advancing: the row alone.
        assert!(
            (good("target.charging=true") - (0.1 * 0.7 + 0.2 * 0.5 + 0.2 * 0.6 + 0.3)).abs()
                < 1e-12
        );
        assert!(
            (good("target.advancing=true") - (0.1 * 0.6 + 0.2 * 0.4 + 0.2 * 0.5 + 0.3)).abs()
                < 1e-12
        );
        // No LoS fire at small arms, bracketed: two faces of D or worse, so only a check matters.
        let far = "firer.type=artillery range=7 target.lower=true";
        let hits = |given: &str| marginal("fire", &format!("{far} {given}"), "o_hits").mean();
        assert!((hits("") - 0.2 * 0.6).abs() < 1e-12);
        assert!((hits("no_los=true") - 0.2 * 0.7).abs() < 1e-12);
    }

    #[test]
    fn impossible_fire_is_refused_with_the_reason() {
        assert!(refusal("fire", "no_los=true target.lower=true").contains("only artillery"));
        assert!(refusal("fire", "no_los=true firer.type=artillery").contains("target.lower"));
        assert!(refusal("fire", "range=7 target.lower=true").contains("only artillery"));
        assert!(refusal("fire", "range=8 firer.type=artillery").contains("target.lower"));
    }
}
