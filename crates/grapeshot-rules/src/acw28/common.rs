//! Common fights in the words of these rules. A common melee is the charge without its volley.

use super::kinds::Onset;
use crate::common::{FightKind, FightTranslation, Translated, Translation};
use crate::{CommonTranslator, Labels, RuleError, TableFile};

pub(super) fn load(tables: &TableFile) -> Result<CommonTranslator, RuleError> {
    let translation: Translation = Box::new(|fight| match fight.kind() {
        FightKind::Fire => fire(fight),
        FightKind::Charge | FightKind::Melee => close_combat(fight),
        FightKind::Firefight => firefight(fight),
    });
    Ok(CommonTranslator {
        procedures: super::load(tables)?,
        translation,
    })
}

/// Class and figures of a side.
fn unit(fight: &mut FightTranslation<'_>, side: &str) -> Result<u16, RuleError> {
    fight.say(&format!("{side}.class"), &format!("{side}.grade"), "grade")?;
    fight.say_size(side, &format!("{side}.figures"))
}

fn fire(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    unit(fight, "firer")?;
    fight.say("firer.weapon", "firer.weapon", "weapon")?;
    fight.leader("firer")?;
    let range = fight.range()?;
    fight.put("range", range);
    let figures = unit(fight, "target")?;
    fight.say("target.cover", "target.cover", "cover_under_fire")?;
    fight.say_leader("target", "target.officer_attached")?;
    fight.flanked("target", "fire")?;
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Fire,
        vec![("casualties", figures)],
    ))
}

fn close_combat(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let mut figures = [0, 0];
    for (at, side) in fight.kind().sides().into_iter().enumerate() {
        figures[at] = unit(fight, side)?;
        fight.say_leader(side, &format!("{side}.officer_attached"))?;
    }
    fight.say("defender.cover", "defender.cover", "cover_in_melee")?;
    let onset = fight.value_word("defender.cover", "onset")?;
    if let Some(onset) = onset.filter(|onset| onset != Onset::Charge.label()) {
        fight.assume("onset");
        fight.put("attacker.onset", onset);
    }
    fight.flanked("defender", "melee")?;
    if fight.kind() == FightKind::Charge {
        fight.say("defender.weapon", "defender.weapon", "weapon")?;
    } else {
        fight.put("volley", false);
    }
    let losses = vec![
        ("attacker_casualties", figures[0]),
        ("defender_casualties", figures[1]),
    ];
    Ok(Translated::native(
        &fight.native_procedure()?,
        fight.kind(),
        losses,
    ))
}

fn firefight(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let mut figures = [0, 0];
    for (at, side) in fight.kind().sides().into_iter().enumerate() {
        let key = |name: &str| format!("{side}.{name}");
        figures[at] = unit(fight, side)?;
        fight.say(&key("weapon"), &key("weapon"), "weapon")?;
        fight.say(&key("cover"), &key("cover"), "cover_under_fire")?;
        fight.say_leader(side, &key("officer_attached"))?;
    }
    let range = fight.range()?;
    fight.put("range", range);
    let turns = fight.get("turns");
    fight.put("turns", turns);
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Firefight,
        vec![("a_casualties", figures[0]), ("b_casualties", figures[1])],
    ))
}
