//! A charge as it is asked for: settings looked up once.

use super::super::charts::Charts;
use super::super::combat::Combat;
use super::super::side::Side;
use super::super::unit::{Condition, IN_THE_OPEN, Regiment, UnitKind, Weapon, Works};
use super::super::volley::{Firer, Guns, Mark, Options, Volley};
use super::reach::reach;
use super::{Charge, Preparation, SecondFire};
use crate::{Labels, RuleError, Settings};
use std::sync::Arc;

/// The ground a charge goes over.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Ground {
    /// Yards to the enemy.
    pub distance: i64,
    /// The row of what the defender stands behind.
    pub works: usize,
    /// It strikes the defender in flank or rear.
    pub flank: bool,
}

impl Ground {
    /// As a charge is asked for.
    pub(in super::super) fn read(s: &Settings, defender: &Side<'_>, flank: bool) -> Self {
        Ground {
            distance: s.whole("distance"),
            works: defender.row("cover", Works::Open),
            flank,
        }
    }
}

impl Charge {
    /// A charge of these two sides. A procedure that does not ask what the defender does about a second
    /// fire leaves it to the defender to choose.
    pub(in super::super) fn read(
        charts: &Arc<Charts>,
        s: &Settings,
        [attacker, defender]: [&Side<'_>; 2],
        ground: Ground,
    ) -> Result<Self, RuleError> {
        if attacker.kind == UnitKind::Artillery {
            return Err(attacker.refuse("kind", "artillery may not charge"));
        }
        let tables = &charts.tables;
        let yards = &tables.yards;
        let options = Options::read(s);
        let Ground {
            distance,
            works,
            flank,
        } = ground;
        let firer = Firer::read(tables, defender)?;
        let in_the_open = Mark::read(tables, attacker, IN_THE_OPEN)?;
        let mark = Mark::read(tables, defender, works)?;
        let volley = |range: i64| Volley::new(tables, &firer, &in_the_open, range, options);
        Ok(Charge {
            charts: Arc::clone(charts),
            combat: Combat::read(tables, attacker, defender, works, flank)?,
            attacker: Regiment::read(tables, attacker)?,
            defender: Regiment::read(tables, defender)?.covered(works != IN_THE_OPEN),
            attackers: s.whole_or("attackers", 1) as u8,
            preparation: preparation(charts, s, mark, options)?,
            reach: reach(tables, s, attacker, distance)?,
            first_volley: (distance > yards.first_fire && !flank).then(|| volley(yards.first_fire)),
            second_fire: match s.find(defender.key("second_fire")) {
                _ if flank => SecondFire::None,
                Some(wanted) if wanted.is("attempt") => SecondFire::Attempt,
                Some(wanted) if wanted.is("decline") => SecondFire::None,
                _ => SecondFire::Choose,
            },
            second_volley: volley(yards.second_fire),
            obstacle: attacker.flag("obstacle"),
            fire_in: fire_in(attacker)?
                .map(|firer| Volley::new(tables, &firer, &mark, yards.second_fire, options)),
        })
    }
}

/// The attacker's own fire as it closes, if it is mounted and armed for it: it moves.
pub(in super::super) fn fire_in(attacker: &Side<'_>) -> Result<Option<Firer>, RuleError> {
    if !attacker.flag("fires_in") {
        return Ok(None);
    }
    let weapon = attacker.choice("weapon", Weapon::RifleMusket);
    if attacker.kind != UnitKind::Cavalry || !matches!(weapon, Weapon::Pistol | Weapon::Shotgun) {
        let reason = format!(
            "only mounted cavalry with pistol or shotgun fires as it closes; the {} is {} with {}",
            attacker.name,
            attacker.kind.label(),
            weapon.label()
        );
        return Err(attacker.refuse("fires_in", reason));
    }
    let factors = attacker.row("weapon", Weapon::RifleMusket);
    Ok(Some(Firer::plain(attacker.kind, (weapon, factors), false)))
}

/// The fire of the attacker's friends before the charge, if there is any. Where small arms and guns
/// do not fire as one, each fires with its own shifts.
fn preparation(
    charts: &Charts,
    s: &Settings,
    mark: Mark,
    options: Options,
) -> Result<Option<Preparation>, RuleError> {
    let guns = s.whole_or("prep.stands", 0);
    let arms = s.whole_or("prep.arms_stands", 0);
    let combine = s.find("prep.combine").is_none() || s.flag("prep.combine");
    if !combine && (guns == 0 || arms == 0) {
        let reason = "only small arms and guns can fire separately, and not both are there";
        return Err(s.refuse("prep.combine", reason));
    }
    let csa_artillery = s.flag_or_off("prep.csa_artillery");
    if csa_artillery && guns == 0 {
        return Err(s.refuse("prep.csa_artillery", "no guns fire before the charge"));
    }
    if guns == 0 && arms == 0 {
        return Ok(None);
    }
    let flank = s.flag("prep.flank");
    let arms_weapon = (
        s.choice("prep.arms_weapon"),
        s.row::<Weapon>("prep.arms_weapon"),
    );
    let firer = Firer {
        csa_artillery,
        guns: Guns {
            factors: s.row::<Weapon>("prep.weapon"),
            stands: guns,
            apart: !combine || guns == 0 || arms == 0,
        },
        ..Firer::plain(UnitKind::Infantry, arms_weapon, true)
    };
    let mark = Mark {
        exposed: mark.exposed || flank,
        ..mark
    };
    // Friends are as fresh as they are many, and what they run out of does not matter afterwards.
    let options = Options {
        ammo_rule: false,
        ..options
    };
    let tables = &charts.tables;
    let range = s.whole("prep.arms_range");
    let volley = Volley::new(tables, &firer, &mark, range, options);
    Ok(Some(Preparation {
        volley: volley.with_guns_at(tables, &firer.guns, s.whole("prep.range")),
        friends: Condition::fresh(arms as u8),
        flank,
    }))
}
