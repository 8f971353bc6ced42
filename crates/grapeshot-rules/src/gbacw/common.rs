//! Common fights in the words of these charts, which print neither scale nor weapons: most of what
//! is said here is assumed, and every assumption is noted.

use crate::common::{FightKind, FightTranslation, Translated, Translation, nothing};
use crate::{CommonTranslator, RuleError, TableFile, Value};

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

/// Fire strength of one strength point of a side at so many hexes.
fn per_point(fight: &mut FightTranslation<'_>, side: &str, hexes: i64) -> Result<i64, RuleError> {
    let weapon = fight.get(&format!("{side}.weapon"));
    fight.assume("fire_strength");
    let by_hex = fight.words().wholes(&format!("weapon.{weapon}"))?;
    Ok(by_hex.get(hexes as usize - 1).copied().unwrap_or(0))
}

/// A shift for a side's cover.
fn cover_shift(fight: &mut FightTranslation<'_>, side: &str, list: &str) -> Result<i64, RuleError> {
    let key = format!("{side}.cover");
    let cover = fight.get(&key).to_string();
    let shift = fight.whole_word(&key, list, &cover)?;
    if shift != 0 {
        fight.assume("cover");
    }
    Ok(shift)
}

/// A shift for being flanked, if the side is.
fn flank_shift(
    fight: &mut FightTranslation<'_>,
    side: &str,
    entry: &str,
) -> Result<Option<i64>, RuleError> {
    let key = format!("{side}.flanked");
    if *fight.get(&key) != Value::Flag(true) {
        return Ok(None);
    }
    let shift = fight.whole_word(&key, "flanked", entry)?;
    fight.assume("flank");
    Ok(Some(shift))
}

fn fire(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let points = fight.size("firer")?;
    let hexes = fight.range()?;
    let each = per_point(fight, "firer", hexes)?;
    fight.leader("firer")?;
    let sp = fight.say_size("target", "target.sp")?;
    if each == 0 {
        fight.remark(
            "beyond reach",
            &format!("the firer has no fire strength at {hexes} hexes, so nothing happens"),
        );
        return Ok(nothing("steady", sp));
    }
    fight.put("strength", i64::from(points) * each);
    fight.say("target.morale", "target.grade", "grade")?;
    fight.leader("target")?;
    let shift = cover_shift(fight, "target", "cover_under_fire")?
        + flank_shift(fight, "target", "fire")?.unwrap_or(0);
    fight.put("shift", shift);
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Fire,
        vec![("sp_lost", sp)],
    ))
}

fn close_combat(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let mut points = [0, 0];
    let mut shift = cover_shift(fight, "defender", "cover_in_melee")?;
    for (at, side) in fight.kind().sides().into_iter().enumerate() {
        points[at] = fight.say_size(side, &format!("{side}.strength"))?;
        fight.say(&format!("{side}.morale"), &format!("{side}.grade"), "grade")?;
        let key = format!("{side}.leader");
        if !fight.get(&key).is("none") {
            shift += fight.whole_word(&key, "leader", side)?;
            fight.assume("leader");
        }
    }
    let flank = flank_shift(fight, "defender", "melee")?;
    fight.put("shift", shift + flank.unwrap_or(0));
    let losses = vec![
        ("attacker_sp_lost", points[0]),
        ("defender_sp_lost", points[1]),
    ];
    if fight.kind() == FightKind::Charge && flank.is_none() {
        let hexes = fight.words().positive("charge.volley_hexes")?;
        let each = per_point(fight, "defender", hexes)?;
        fight.put("defender.fire", i64::from(points[1]) * each);
        return Ok(Translated::native(
            &fight.native_procedure()?,
            FightKind::Charge,
            losses,
        ));
    }
    // A flanked defender does not fire: what is left of the charge is its melee.
    Ok(Translated::native("melee", FightKind::Melee, losses))
}

fn firefight(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let hexes = fight.range()?;
    let mut points = [0, 0];
    let sides = fight.kind().sides();
    for (at, side) in sides.into_iter().enumerate() {
        let key = |name: &str| format!("{side}.{name}");
        points[at] = fight.say_size(side, &key("sp"))?;
        fight.say(&key("morale"), &key("grade"), "grade")?;
        let shift = cover_shift(fight, side, "cover_in_firefight")?;
        if shift != 0 {
            // Its cover is in the way of the enemy's fire.
            fight.put(&format!("{}.shift", sides[1 - at]), shift);
        }
        fight.leader(side)?;
        let each = per_point(fight, side, hexes)?;
        if each == 0 {
            let weapon = fight.get(&key("weapon"));
            let why = format!("{side}'s {weapon} has no fire strength at {hexes} hexes");
            return Err(fight.left_out("range", &why));
        }
        fight.put(&key("fire_per_sp"), each);
    }
    let turns = fight.get("turns");
    fight.put("turns", turns);
    Ok(Translated::native(
        &fight.native_procedure()?,
        FightKind::Firefight,
        vec![("a_sp_lost", points[0]), ("b_sp_lost", points[1])],
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{pairs, printed};
    use crate::{Given, Options, Value};
    use grapeshot_engine::engine::NoteKind;

    /// What a common fight is in the words of these charts, and which assumptions entered.
    fn said(fight: &str, given: &str) -> (String, String) {
        let common = printed("common");
        let procedure = common.procedure(fight).expect("a common fight");
        let given: Given = pairs(given)
            .map(|(key, value)| (key.to_owned(), Value::from(value)))
            .chain([("ruleset".to_owned(), Value::from("gbacw"))])
            .collect();
        let settings = procedure.resolve(given).expect("good settings");
        let notes = procedure.answer(&settings, &Options::exact());
        let notes = notes.expect("an answer").notes;
        let words = notes.iter().find(|note| note.name == "in its own words");
        let words = words.map_or_else(String::new, |note| note.text.clone());
        let assumed = notes.iter();
        let assumed = assumed.filter(|note| note.kind == NoteKind::Assumption);
        let assumed: Vec<&str> = assumed.map(|note| note.name.as_str()).collect();
        (words, assumed.join(" "))
    }

    #[test]
    fn fire_is_the_points_times_what_one_fires_at_the_range() {
        // 600 men are six points; 130 yards are two hexes, at which a rifle-musket fires 2.
        let (words, assumed) = said("fire", "firer.men=600 range=130");
        assert_eq!(
            words,
            "gbacw fire target.sp=4 strength=12 target.morale=3 shift=0"
        );
        assert_eq!(assumed, "men range fire_strength");
        let both = "firer.men=600 range=130 target.cover=hard target.flanked=true";
        let (words, assumed) = said("fire", both);
        assert!(words.ends_with("shift=-1"), "two off, one on: {words}");
        assert_eq!(assumed, "men range fire_strength cover flank");
        // A smoothbore does not reach three hexes.
        let (words, _) = said("fire", "firer.weapon=smoothbore range=241");
        assert_eq!(words, "");
    }

    #[test]
    fn shifts_of_a_charge_add_and_a_flank_takes_the_volley_away() {
        let (words, assumed) = said("charge", "");
        assert_eq!(
            words,
            "gbacw charge attacker.strength=4 attacker.morale=3 defender.strength=4 \
             defender.morale=3 shift=0 defender.fire=12"
        );
        assert_eq!(assumed, "men fire_strength");
        for (given, shift) in [
            ("defender.cover=hard", -2),
            ("attacker.leader=brigade", 1),
            ("defender.leader=brigade", -1),
            ("defender.flanked=true", 2),
            ("defender.flanked=true defender.cover=soft", 1),
            (
                "attacker.leader=brigade defender.cover=soft defender.flanked=true",
                2,
            ),
        ] {
            let (words, assumed) = said("charge", given);
            let has = |word: &str| words.split(' ').any(|found| found == word);
            assert!(has(&format!("shift={shift}")), "{given}: {words}");
            let flanked = given.contains("flanked");
            assert_eq!(has("melee"), flanked, "{given}: {words}");
            assert_eq!(has("defender.fire=12"), !flanked, "{given}: {words}");
            for name in ["cover", "leader", "flank"] {
                let noted = assumed.split(' ').any(|found| found == name);
                assert_eq!(noted, given.contains(name), "{given}: {assumed}");
            }
        }
    }
}
