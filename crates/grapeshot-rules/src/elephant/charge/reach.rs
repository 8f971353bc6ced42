//! How far a charge comes: the movement dice.

use super::super::side::Side;
use super::super::tables::{GROUNDS, SCALES, Tables};
use super::super::unit::UnitKind;
use crate::{RuleError, Settings};
use grapeshot_engine::dice::{Odds, Throw};

/// How far a charge comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Reach {
    /// To the enemy.
    Contact,
    /// Near enough to be fired at, and no nearer.
    Near,
    /// Not even that.
    Short,
}

/// The movement dice, if they are rolled.
pub(in super::super) fn reach(
    tables: &Tables,
    s: &Settings,
    attacker: &Side<'_>,
    distance: i64,
) -> Result<Option<Odds<Reach>>, RuleError> {
    let dice = dice(tables, attacker)?;
    let obstacle = attacker.flag_of("obstacle", &[UnitKind::Infantry, UnitKind::Dismounted])?;
    if obstacle && distance > tables.yards.obstacle {
        let reason = format!(
            "a major obstacle is crossed from within {} yards",
            tables.yards.obstacle
        );
        return Err(s.refuse("distance", reason));
    }
    if obstacle || s.text("reach") == "assume" {
        return Ok(None);
    }
    let movement = &tables.movement;
    let place = |list: &[&str], key: &str| {
        let text = s.find(key).map(|value| value.to_string());
        let at = text.and_then(|text| list.iter().position(|&known| known == text));
        at.unwrap_or(0)
    };
    let yards = movement.scales[place(&SCALES, "scale")];
    let off = movement.ground[place(&GROUNDS, "ground")] * i64::from(dice);
    let least = movement.least * i64::from(dice);
    Ok(Some(Odds::new(Throw::average_dice(dice), |sum| {
        let inches = (i64::from(sum) - off).max(least);
        let remains = distance - inches * yards;
        if remains <= 0 {
            Reach::Contact
        } else if remains > tables.yards.first_fire {
            Reach::Short
        } else {
            Reach::Near
        }
    })))
}

/// How many average dice a charging unit rolls.
fn dice(tables: &Tables, attacker: &Side<'_>) -> Result<u32, RuleError> {
    let table = &tables.movement;
    let on = |flag: bool, dice: u32| if flag { dice } else { 0 };
    let column = attacker.flag_of("column", &[UnitKind::Infantry])?;
    let in_motion = attacker.flag_of("in_motion", &[UnitKind::Cavalry])?;
    let road = attacker.flag("road");
    if road && attacker.kind == UnitKind::Dismounted {
        let reason = "dismounted cavalry moves as skirmishers, who gain nothing by a road";
        return Err(attacker.refuse("road", reason));
    }
    let formed = match attacker.kind {
        UnitKind::Cavalry if attacker.flag("woods") => return Ok(table.cavalry_in_woods),
        UnitKind::Cavalry if in_motion => table.cavalry_in_motion + table.cavalry_charging,
        UnitKind::Cavalry => table.cavalry_from_rest + table.cavalry_charging,
        UnitKind::Dismounted => table.dismounted,
        UnitKind::Infantry | UnitKind::Artillery => table.infantry,
    };
    Ok(formed + on(column, table.column) + on(road, table.road))
}
