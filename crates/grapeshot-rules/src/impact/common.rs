//! Common fights in the words of these charts: the charge, and nothing else, because fire has no
//! table of results.

use crate::common::{FightKind, FightTranslation, Translated, Translation};
use crate::{CommonTranslator, RuleError, TableFile};

pub(super) fn load(tables: &TableFile) -> Result<CommonTranslator, RuleError> {
    let translation: Translation = Box::new(charge);
    Ok(CommonTranslator {
        procedures: super::load(tables)?,
        translation,
    })
}

fn charge(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let mut figures = [0, 0];
    for (at, side) in fight.kind().sides().into_iter().enumerate() {
        fight.say(&format!("{side}.grade"), &format!("{side}.grade"), "grade")?;
        fight.say_leader(side, &format!("{side}.leader"))?;
        figures[at] = fight.size(side)?;
    }
    match fight
        .value_word("defender.cover", "cover_in_melee")?
        .as_deref()
    {
        None | Some("open") => {}
        Some("cover") => fight.put("defender.cover", true),
        Some(works) => match works.strip_suffix(" works") {
            Some(kind) => fight.put("defender.works", kind),
            None => {
                let problem = format!(
                    "is `{works}`; allowed is open | cover | hasty works | light works | heavy works"
                );
                return Err(fight.words().problem("cover_in_melee", problem));
            }
        },
    }
    fight.value_word("defender.weapon", "weapon")?;
    if let Some(flank) = fight.flanked("defender", "melee")? {
        fight.put("defender.flank", flank);
    }
    let losses = vec![
        ("attacker_figures_lost", figures[0]),
        ("defender_figures_lost", figures[1]),
    ];
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Charge,
        losses,
    ))
}
