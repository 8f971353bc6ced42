//! Common fights in the words of this game. Its infantry all fires alike, whatever the weapon.

use crate::common::{FightKind, FightTranslation, Translated, Translation};
use crate::{CommonTranslator, RuleError, TableFile};

pub(super) fn load(tables: &TableFile) -> Result<CommonTranslator, RuleError> {
    let translation: Translation = Box::new(|fight| {
        let whole = fight.words().positive("hits.whole_unit")?;
        let whole = u16::try_from(whole).map_err(|_| {
            let problem = format!("is `{whole}`; allowed is a whole number from 1 to 65535");
            fight.words().problem("hits.whole_unit", problem)
        })?;
        match fight.kind() {
            FightKind::Fire => fire(fight, whole),
            FightKind::Charge | FightKind::Melee => close_combat(fight, whole),
            FightKind::Firefight => firefight(fight, whole),
        }
    });
    Ok(CommonTranslator {
        procedures: super::load(tables)?,
        translation,
    })
}

/// The ground a side is fired on in: woods are terrain, a wall is a flag.
fn cover_under_fire(fight: &mut FightTranslation<'_>, side: &str) -> Result<(), RuleError> {
    match fight.value_word(&format!("{side}.cover"), "cover_under_fire")? {
        None => {}
        Some(wall) if wall == "wall" => fight.put(&format!("{side}.wall"), true),
        Some(terrain) => fight.put(&format!("{side}.terrain"), terrain),
    }
    Ok(())
}

/// The range in hexes, no farther than small arms could reach.
fn range(fight: &mut FightTranslation<'_>) -> Result<(), RuleError> {
    let hexes = fight.range()?;
    let most = fight.words().positive("range.most")?;
    if hexes > most {
        let text = format!("small arms do not reach {hexes} hexes, so fire has no effect");
        fight.remark("beyond reach", &text);
    }
    fight.put("range", hexes.min(most));
    Ok(())
}

fn fire(fight: &mut FightTranslation<'_>, whole: u16) -> Result<Translated, RuleError> {
    fight.say_size("firer", "firer.sp")?;
    fight.value_word("firer.weapon", "weapon")?;
    fight.leader("firer")?;
    range(fight)?;
    fight.say("target.morale", "target.grade", "grade")?;
    cover_under_fire(fight, "target")?;
    fight.say_leader("target", "target.leader")?;
    if let Some(flanked) = fight.flanked("target", "fire")? {
        fight.put("target.flanked", flanked);
    }
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Fire,
        vec![("o_hits", whole)],
    ))
}

fn close_combat(fight: &mut FightTranslation<'_>, whole: u16) -> Result<Translated, RuleError> {
    for side in fight.kind().sides() {
        fight.say_size(side, &format!("{side}.sp"))?;
        fight.say(&format!("{side}.morale"), &format!("{side}.grade"), "grade")?;
        fight.say_leader(side, &format!("{side}.leader"))?;
    }
    if fight
        .value_word("defender.cover", "cover_in_melee")?
        .as_deref()
        == Some("wall")
    {
        fight.put("defender.wall", true);
    }
    if fight.kind() == FightKind::Charge {
        fight.value_word("defender.weapon", "weapon")?;
    }
    if let Some(flanked) = fight.flanked("defender", "melee")? {
        fight.put("defender.flanked", flanked);
    }
    let losses = vec![("attacker_o_hits", whole), ("defender_o_hits", whole)];
    Ok(Translated::native(
        &fight.native_procedure()?,
        fight.kind(),
        losses,
    ))
}

fn firefight(fight: &mut FightTranslation<'_>, whole: u16) -> Result<Translated, RuleError> {
    for side in fight.kind().sides() {
        fight.say_size(side, &format!("{side}.sp"))?;
        fight.say(&format!("{side}.morale"), &format!("{side}.grade"), "grade")?;
        fight.value_word(&format!("{side}.weapon"), "weapon")?;
        cover_under_fire(fight, side)?;
        fight.say_leader(side, &format!("{side}.leader"))?;
    }
    range(fight)?;
    let turns = fight.get("turns");
    fight.put("turns", turns);
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Firefight,
        vec![("a_o_hits", whole), ("b_o_hits", whole)],
    ))
}
