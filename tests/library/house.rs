//! House rules that add: the five that a designer would try first, by hand; and what cannot be added.

use grapeshot_engine::dist::{Distribution, Quantity};
use grapeshot_rules::{Options, Question, RuleError, Variant};

const BAYONETS: &str = "add to unit Unit:\n  bayonets: Flag  ## drilled with the bayonet @ house\n\
                        add key bayonets beside lance\n\
                        add to modifiers combat_shift:\n  bayonets: 1  when role is attacker and unit.bayonets\n";

const SPENCER: &str = "add rows to fire_factors:\n\
                       \x20 spencer = \"600\", \"1\", \"4\", \"3\", \"2\", \"1\", \"0\", \"0\", \"0\", \"0\"\n";

const SHAKY: &str = "add word shaky to Grade between regular and poor, like poor\n\
                     change morale_values: shaky = 7, poor = 5, militia = 4\n";

const D12: &str = "change dice: fire = 12\nadd rows to fire_results:\n\
                   \x20 10 = \"1\", \"1\", \"1\", \"1\", \"2\", \"2\", \"2\", \"3\", \"3\", \"4\"\n\
                   \x20 11 = \"1\", \"1\", \"1\", \"2\", \"2\", \"2\", \"3\", \"4\", \"4\", \"4\"\n";

/// Tables in TOML begin with `[`; all else is Drill.
fn variant(text: &str) -> Variant {
    match text.starts_with('[') {
        true => Variant::parse("house.toml", &format!("rules = \"elephant\"\n{text}")).unwrap(),
        false => {
            let text = format!("variant of elephant: \"house\"\n{text}");
            Variant::parse("house.drill", &text).unwrap()
        }
    }
}

fn question(house: &str, procedure: &str, given: &str) -> Question {
    let question = Question::new("elephant", procedure).unwrap();
    let question = match house {
        "" => question,
        text => question.under(variant(text)),
    };
    let pairs = given
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    pairs.fold(question, |question, (key, value)| question.with(key, value))
}

fn odds(house: &str, procedure: &str, given: &str) -> Distribution {
    let answered = question(house, procedure, given).ask(&Options::exact());
    answered.unwrap_or_else(|error| panic!("{error}")).odds
}

fn number(house: &str, procedure: &str, given: &str, of: &str) -> f64 {
    let odds = odds(house, procedure, given);
    Quantity::parse(of, odds.variables())
        .unwrap()
        .of(&odds)
        .unwrap()
        .value
}

fn error(house: &str) -> String {
    let error: RuleError = question(house, "fire", "").load().unwrap_err();
    error.to_string()
}

#[track_caller]
fn is(found: f64, by_hand: f64) {
    assert!(
        (found - by_hand).abs() < 1e-12,
        "{found}, by hand {by_hand}"
    );
}

#[test]
fn other_morale_values() {
    // A regular of 7 fails with 8 and 9; a 0 is overenthusiastic.
    let house = "[lists.morale_values.values]\nregular = 7\n";
    is(number(house, "morale", "", "result=hit"), 0.2);
    is(number(house, "morale", "", "result=pass"), 0.7);
}

#[test]
fn a_new_modifier_makes_its_own_setting() {
    // One column to the right of 1:1 is 3:2, in which five faces win instead of four.
    is(number(BAYONETS, "melee", "", "success"), 0.4);
    is(
        number(BAYONETS, "melee", "attacker.bayonets=true", "success"),
        0.5,
    );
    // It is there in a charge too, and worth what another column is worth.
    let charge = number(BAYONETS, "charge", "attacker.bayonets=true", "success");
    is(
        charge,
        number("", "charge", "attacker.uphill=true", "success"),
    );
    let alone = question("", "melee", "attacker.bayonets=true").ask(&Options::exact());
    assert!(alone.is_err(), "print knows no bayonets");
}

#[test]
fn modifiers_of_fire_and_morale_are_about_whoever_plays_the_part() {
    let house = "add to unit Unit:\n  rested: Flag  ## has not fired yet @ house\n  band: Flag  ## a band plays @ house\n\
                 add key rested beside marksmen\nadd key band beside grade\n\
                 add to procedure charge:\n  asks defender.rested\n\
                 add to modifiers own_shift:\n  rested: 1  when firer.rested\n\
                 add to modifiers morale_modifier:\n  band: -1  when unit.band and unit.grade is not militia\n";
    // A column more for whoever fires is what marksmen are, in a volley and in a charge.
    for (procedure, rested, marksmen) in [
        (
            "fire",
            "firer.rested=true range=250",
            "firer.marksmen=true range=250",
        ),
        ("charge", "defender.rested=true", "defender.marksmen=true"),
    ] {
        assert_eq!(
            odds(house, procedure, rested).joint(),
            odds("", procedure, marksmen).joint()
        );
    }
    // One less on the die: a 9 is an 8 and passes, a 1 is a 0 and overenthusiastic.
    is(
        number(house, "morale", "unit.band=true", "result=overenthusiastic"),
        0.2,
    );
    is(number(house, "morale", "unit.band=true", "result=hit"), 0.0);
    // Not for militia, whose value is 6.
    is(
        number(
            house,
            "morale",
            "unit.band=true unit.grade=militia",
            "result=hit",
        ),
        0.2,
    );
    let own = number(
        house,
        "firefight",
        "a.band=true a.stands=2 b.stands=2 turns=2",
        "success",
    );
    let enemy = number(
        house,
        "firefight",
        "b.band=true a.stands=2 b.stands=2 turns=2",
        "success",
    );
    assert!(own > enemy, "{own} and {enemy}");
}

#[test]
fn a_new_weapon_has_its_own_row_and_is_otherwise_like_another() {
    // Ten stands of factor 1 are column 10, stationary 15: P P P P 1 1 1 1 1 2.
    is(
        number(SPENCER, "fire", "firer.weapon=spencer", "mean(hits)"),
        0.7,
    );
    // At 150 yards it is a repeater; and the others are what they were.
    let repeater = odds("", "fire", "firer.weapon=repeater range=150");
    assert_eq!(
        odds(SPENCER, "fire", "firer.weapon=spencer range=150").joint(),
        repeater.joint()
    );
    assert_eq!(
        odds(SPENCER, "fire", "").joint(),
        odds("", "fire", "").joint()
    );
    // Both sides at once, each with its own.
    let both = number(SPENCER, "charge", "defender.weapon=spencer", "success");
    assert!(both > number("", "charge", "defender.weapon=repeater", "success"));
}

#[test]
fn a_grade_between_two_others_stands_beside_them() {
    // 7: fails with 8 and 9. Poor is 5 now: 6 and 7 are hits, 8 and 9 retreats.
    is(
        number(SHAKY, "morale", "unit.grade=shaky", "result=hit"),
        0.2,
    );
    is(
        number(SHAKY, "morale", "unit.grade=poor", "result=hit"),
        0.2,
    );
    is(
        number(SHAKY, "morale", "unit.grade=poor", "result=retreat"),
        0.2,
    );
    // The same numbers said otherwise: poor is 7 as printed, and steps of grade count as for poor.
    for given in ["attacker.grade=shaky", "defender.grade=shaky"] {
        let printed = odds("", "charge", &given.replace("shaky", "poor"));
        assert_eq!(
            odds(SHAKY, "charge", given).joint(),
            printed.joint(),
            "{given}"
        );
    }
    // Both at once in one fight.
    let fight = "attacker.grade=shaky defender.grade=poor";
    let other = "attacker.grade=poor defender.grade=shaky";
    let (better, worse) = (
        number(SHAKY, "charge", fight, "success"),
        number(SHAKY, "charge", other, "success"),
    );
    assert!(better > worse, "{better} and {worse}");
}

#[test]
fn a_new_cover_counts_under_fire_and_in_combat() {
    let house = "add word abatis to Cover, like soft\nchange fire_shifts: abatis = -3\n\
                 add to procedure melee:\n  side defender:\n    cover: open | wall is soft | fieldworks is hard | abatis\n\
                 add to modifiers combat_shift:\n  abatis: -1  when role is defender and unit.cover is abatis\n";
    // Ten rifle-muskets are column 28, stationary 36, three back 15.
    is(
        number(house, "fire", "target.cover=abatis", "mean(hits)"),
        0.7,
    );
    // A column more than the wall it counts as: what fieldworks are in combat.
    let works = odds("", "melee", "defender.cover=fieldworks");
    assert_eq!(
        odds(house, "melee", "defender.cover=abatis").joint(),
        works.joint()
    );
}

#[test]
fn a_d12_is_rolled_where_the_tables_cover_it() {
    // Column 36 has 1 1 1 1 1 2 2 2 2 3, and now 3 and 4 behind them.
    is(number(D12, "fire", "", "mean(hits)"), 23.0 / 12.0);
    // A morale die needs no table: 9 and 10 are hits for a value of 8, 11 is a retreat.
    let morale = "[lists.dice.values]\nmorale = 12\n";
    is(number(morale, "morale", "", "result=hit"), 2.0 / 12.0);
    is(number(morale, "morale", "", "result=retreat"), 1.0 / 12.0);
    let missing = error("[lists.dice.values]\nfire = 12\n");
    assert!(
        missing.contains("10") && missing.contains("fire_results"),
        "{missing}"
    );
}

#[test]
fn a_column_between_two_others_is_used_for_its_odds() {
    let house = "add columns to melee_results:\n\
                 \x20 \"5:4\" = \"-/C1\", \"-/K1\", \"-/K1\", \"-/K1\", \"K1/RT\", ENGD, ENGD, RPLS, \"RT/K1\", \"-/K1\"\n";
    // Even odds stay where they were; 10 to 8 is the new column: as 3:2, with a sixth face that wins.
    is(number(house, "melee", "", "success"), 0.4);
    is(number(house, "melee", "defender.stands=8", "success"), 0.6);
    is(number("", "melee", "defender.stands=8", "success"), 0.4);
}

#[test]
fn a_setting_can_be_a_number() {
    let house = "add to unit Unit:\n  drill: 0..3 = 0  ## weeks of drill @ house\nadd key drill beside lance\n\
                 add to modifiers combat_shift:\n  drilled: 1  when role is attacker and unit.drill >= 2\n";
    is(number(house, "melee", "attacker.drill=1", "success"), 0.4);
    is(number(house, "melee", "attacker.drill=2", "success"), 0.5);
}

#[test]
fn a_key_beside_one_that_is_asked_of_one_side_is_asked_of_that_side() {
    // Only the attacker is asked whether it fires in; an opportunity charge and a standoff ask it too.
    let house = "add to unit Unit:\n  spurred: Flag  ## cannot be held back @ house\n\
                 add key spurred beside fires_in\n\
                 add to modifiers combat_shift:\n  spurred: 1  when unit.spurred\n";
    for (procedure, side) in [("charge", "attacker"), ("opportunity", "attacker")] {
        let spurred = odds(house, procedure, &format!("{side}.spurred=true"));
        let uphill = odds("", procedure, &format!("{side}.uphill=true"));
        assert_eq!(spurred.joint(), uphill.joint(), "{procedure}");
    }
    let other = question(house, "charge", "defender.spurred=true").ask(&Options::exact());
    let refused = other
        .expect_err("the defender does not fire in")
        .to_string();
    assert!(refused.contains("defender.spurred"), "{refused}");
}

#[test]
fn a_wrong_cell_is_told_with_the_line_that_says_it() {
    let told = error("change hits_per_stand: infantry = many\n");
    for part in [
        "house.drill:2:35",
        "many",
        "entry `infantry`",
        "as it is declared",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = error("change fire_results[3, 21] = 9\n");
    for part in ["house.drill:2", "row `3`, column `21`"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn what_nobody_uses_changes_nothing() {
    // A grade between two others would be a step more between them; one behind all of them is none.
    let house = [BAYONETS, SPENCER, "add word raw to Grade, like militia\n"].concat();
    for (procedure, given) in [
        ("fire", ""),
        ("charge", "attacker.grade=elite defender.grade=veteran"),
        ("melee", "attacker.grade=elite defender.grade=veteran"),
        ("morale", "unit.grade=elite"),
    ] {
        assert_eq!(
            odds(&house, procedure, given).joint(),
            odds("", procedure, given).joint()
        );
    }
}

#[test]
fn variants_that_add_can_be_laid_over_each_other() {
    let second = "add rows to fire_factors:\n\
                  \x20 henry = \"600\", \"0\", \"4\", \"3\", \"2\", \"1\", \"0\", \"0\", \"0\", \"0\"\n";
    let both = question(SPENCER, "fire", "firer.weapon=henry").under(variant(second));
    let answer = both.ask(&Options::exact()).unwrap();
    is(
        Quantity::parse("mean(hits)", answer.odds.variables())
            .unwrap()
            .of(&answer.odds)
            .unwrap()
            .value,
        0.0,
    );
    let spencer = question(SPENCER, "fire", "firer.weapon=spencer").under(variant(second));
    assert_eq!(
        spencer.ask(&Options::exact()).unwrap().odds.joint(),
        odds(SPENCER, "fire", "firer.weapon=spencer").joint()
    );
}

#[test]
fn what_cannot_be_added_says_what_can() {
    for (house, says) in [
        (
            "[tables.fire_factors.rows.spencer]\n100 = \"1\"\n",
            "is not a row of the original",
        ),
        ("[lists.markers.values]\nfog = 1\n", "fog"),
        ("[values.weapon.spencer]\nlike = \"repeater\"\n", "Drill"),
        (
            "[modifiers.melee.bayonets]\nwhen = \"attacker.bayonets\"\nshift = 1\n",
            "Drill",
        ),
        (
            "[tables.melee_results.columns.\"5:4\"]\nafter = \"1:1\"\nlike = \"3:2\"\n",
            "melee_results",
        ),
    ] {
        let said = error(house);
        assert!(
            said.contains(says) && said.contains("house.toml"),
            "{house}\n{said}"
        );
    }
    for (house, says) in [
        (
            "add to modifiers combat_shift:\n  bayonets: 1  when unit.bayonets\n",
            "bayonets",
        ),
        (
            "add columns to melee_results:\n  \"5:4\" = \"-/K1\"\n",
            "this column has 1 cells, and there are 10 rows",
        ),
    ] {
        let said = error(house);
        assert!(
            said.contains(says) && said.contains("house.drill"),
            "{house}\n{said}"
        );
    }
}

/// What is reported under a house rule, and under another way to say the same.
#[track_caller]
fn same(rules: &str, house: &str, procedure: &str, given: &str, other: (&str, &str)) {
    let ask = |house: &str, given: &str| {
        let text = match house.starts_with("add ") {
            true => format!("variant of {rules}: \"house\"\n{house}"),
            false => format!("rules = \"{rules}\"\n{house}"),
        };
        let question = Question::new(rules, procedure).unwrap();
        let question = question.under(Variant::parse("house.toml", &text).unwrap());
        let pairs = given.split_whitespace();
        let pairs = pairs.filter_map(|word| word.split_once('='));
        let question = pairs.fold(question, |question, (key, value)| question.with(key, value));
        let answered = question.ask(&Options::exact());
        answered.unwrap_or_else(|error| panic!("{error}")).odds
    };
    let found = ask(house, given);
    assert_eq!(found.joint(), ask(other.0, other.1).joint(), "{given}");
    assert_ne!(found.joint(), ask("", "").joint(), "{given} does nothing");
}

#[test]
fn every_ruleset_takes_modifiers() {
    let zeal = "add to unit Unit:\n  zeal: Flag  ## goes in with a will @ house\n\
                add to procedure melee:\n  side attacker: zeal\n\
                add to procedure charge:\n  side attacker: zeal\n\
                add to modifiers melee_shift:\n  zeal: 1  when attacker.zeal\n";
    same(
        "gbacw",
        zeal,
        "melee",
        "attacker.zeal=true",
        ("", "shift=1"),
    );
    same(
        "gbacw",
        zeal,
        "charge",
        "attacker.zeal=true",
        ("", "shift=1"),
    );
    let fog = "add to settings:\n  fog: Flag  ## fog lies between the lines @ house\n\
               add to procedure fire:\n  asks fog\n\
               add to procedure charge:\n  asks fog\n\
               add to procedure firefight:\n  asks fog\n\
               add to modifiers fire_shift:\n  fog: -1  when fog\n";
    same("gbacw", fog, "fire", "fog=true", ("", "shift=-1"));
    same(
        "gbacw",
        fog,
        "charge",
        "fog=true",
        ("", "defender.shift=-1"),
    );
    let both = ("", "a.shift=-1 b.shift=-1");
    same("gbacw", fog, "firefight", "fog=true", both);

    let flags = "add to unit Unit:\n  flags: Flag  ## carries too many flags @ house\n\
                 add key flags beside grade\n\
                 add to modifiers mmp:\n  flags: 1  when unit.flags\n";
    same(
        "impact",
        flags,
        "morale",
        "unit.flags=true",
        ("", "check=1"),
    );
    let steel = "add to unit Unit:\n  steel: Flag  ## with cold steel @ house\n\
                 add key steel beside grade\n\
                 add to modifiers impact:\n  steel: 1  when unit.steel\n";
    let both = (
        "[tables.impact_values.rows.battle-line]\nUIV = \"+7\"\n",
        "defender.formation=attack-column",
    );
    let given = "attacker.steel=true defender.formation=attack-column";
    same("impact", steel, "charge", given, both);

    let music = "add to line Stack:\n  band: Flag  ## a band plays @ house\n\
                 add key band beside morale\n\
                 add to modifiers modified_morale:\n  band: 1  when unit.band\n";
    same(
        "fireline",
        music,
        "morale",
        "unit.band=true",
        ("", "unit.morale=6"),
    );
    same(
        "fireline",
        music,
        "fire",
        "target.band=true",
        ("", "target.morale=6"),
    );
    let rested = "add to line Stack:\n  rested: Flag  ## has not fired yet @ house\n\
                  add key rested beside sp\n\
                  add to modifiers fire_lines:\n  rested: 1  when firer.rested\n";
    let clear = "[lists.fire_modifiers.values]\nclear-thoroughfare = 2\n";
    same("fireline", rested, "fire", "firer.rested=true", (clear, ""));

    let drilled = "add to unit Unit:\n  drilled: Flag  ## is drilled to fire @ house\n\
                   add key drilled beside weapon\n\
                   add to modifiers to_hit_score:\n  drilled: -1  when firer.drilled\n";
    let easier = "[tables.to_hit.rows.C]\nsmall-arms = \"+3\"\n";
    same("acw28", drilled, "fire", "firer.drilled=true", (easier, ""));
    let steadier = "[tables.rout_regiments.rows.C]\n15 = \"6\"\n";
    let band = "add to unit Unit:\n  band: Flag  ## hears a band @ house\n\
                add key band beside original\n\
                add to modifiers points_of:\n  band: 1  when unit.band\n";
    same("acw28", band, "fire", "target.band=true", (steadier, ""));
}

#[test]
fn a_new_weapon_of_another_ruleset_has_its_own_reach() {
    let henry = "add word henry to Weapon\nadd rows to ranges:\n  henry = 30, 50, \"-\"\n";
    // Short up to 30 as a rifle, long up to 50 as a carbine.
    for (range, other) in [(25, "rifle"), (45, "carbine"), (60, "carbine")] {
        let given = |weapon: &str| format!("firer.weapon={weapon} range={range} target.cover=soft");
        same("acw28", henry, "fire", &given("henry"), ("", &given(other)));
    }
}
