//! The charts as a whole: their shape, laws that must hold, and the agreement of the engines.

use crate::testing::{
    engines_agree, marginal, odds, pairs, planned, printed, refusal, shape, table_error,
};
use crate::{Given, Options, Value, Variant, find};
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::{Method, NoteKind};

fn p(procedure: &str, given: &str, variable: &str, value: &str) -> f64 {
    marginal("gbacw", procedure, given, variable).p(value)
}

fn mean(procedure: &str, given: &str, variable: &str) -> f64 {
    marginal("gbacw", procedure, given, variable).mean()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn every_chart_has_its_printed_shape() {
    let shape = |name: &str| shape("gbacw", name);
    assert_eq!(shape("fire_columns"), (2, 11));
    assert_eq!(shape("fire_results"), (6, 11));
    assert_eq!(shape("density"), (1, 4));
    assert_eq!(shape("green"), (11, 1));
    assert_eq!(shape("melee_results"), (12, 11));
    let known = ["fire", "charge", "melee", "morale", "firefight"];
    let loaded = printed("gbacw");
    let names: Vec<&str> = loaded.procedures.iter().map(|p| &*p.name).collect();
    assert_eq!(names, known);
    assert!(
        loaded
            .procedures
            .iter()
            .all(|p| p.settings.iter().all(|s| !s.source.is_empty()))
    );
}

#[test]
fn fire_is_never_milder_on_a_higher_die_or_further_right() {
    // Losses never fall; the lesser results are in the order in which the key prints them.
    let order = ["-", "P", "R", "P/R", "1", "1*", "2", "2*", "3", "3*"];
    let rank = |cell: &String| order.iter().position(|known| known == cell);
    let grid = printed("gbacw")
        .tables
        .grid("fire_results")
        .expect("it is printed");
    for (die, row) in &grid.rows {
        assert!(
            row.iter().all(|cell| rank(cell).is_some()),
            "{die}: {row:?}"
        );
        assert!(row.is_sorted_by_key(rank), "{die}");
    }
    for column in 0..grid.columns.len() {
        let down = grid.rows.iter().map(|(_, row)| rank(&row[column]));
        assert!(down.is_sorted(), "{column}");
    }
}

#[test]
fn cells_that_cannot_be_are_refused_with_file_and_key() {
    let fire = "1 = [\"-\", \"-\", \"-\", \"-\", \"P\"";
    let error = table_error("gbacw", fire, "1 = [\"Q\", \"-\", \"-\", \"-\", \"P\"");
    assert!(
        error.contains("changed.toml:19:6: `tables.fire_results.rows.1[1]`"),
        "{error}"
    );
    let error = table_error("gbacw", "\"4 to 6\"", "\"5 to 6\"");
    assert!(
        error.contains("tables.fire_columns.rows.small-arms"),
        "{error}"
    );
    let error = table_error("gbacw", "\"3-6\"", "\"4-6\"");
    assert!(error.contains("the heading `4-6` of `density`"), "{error}");
    let error = table_error("gbacw", "11 = [\"5\"]", "11 = [\"green\"]");
    assert!(error.contains("tables.green.rows.11"), "{error}");
    let error = table_error("gbacw", "[\"R2\", \"Rpls\"", "[\"R2\", \"Eng\"");
    assert!(error.contains("both rows of a cell"), "{error}");
    let error = table_error("gbacw", "[\"R2\", \"Rpls\"", "[\"R\", \"Rpls\"");
    assert!(
        error.contains("tables.melee_results.rows.1-attacker[-4]"),
        "{error}"
    );
    for cell in ["", "R0", "C0R2"] {
        let error = table_error(
            "gbacw",
            "[\"R2\", \"Rpls\"",
            &format!("[\"{cell}\", \"Rpls\""),
        );
        assert!(
            error.contains("tables.melee_results.rows.1-attacker[-4]"),
            "{error}"
        );
    }
    let error = table_error("gbacw", "failed-check = 3", "failed-check = \"many\"");
    assert!(error.contains("lists.melee.values.failed-check"), "{error}");
}

#[test]
fn settings_outside_their_range_are_refused() {
    for (procedure, given) in [
        ("fire", "target.morale=7"),
        ("fire", "target.sp=0"),
        ("fire", "strength=100"),
        ("melee", "attacker.strength=31"),
        ("charge", "attacker.density=41"),
        ("fire", "target.density=41"),
        ("fire", "target.wagons=6"),
        ("charge", "defender.ammunition=canister"),
        ("charge", "defender.shift=11"),
        ("firefight", "a.shift=-11"),
        ("firefight", "b.others=31"),
        ("firefight", "b.wagons=6"),
        ("firefight", "turns=51"),
        ("firefight", "a.fire_per_sp=0.4"),
        ("morale", "morale=blue"),
    ] {
        assert!(
            refusal("gbacw", procedure, given).contains("allowed is"),
            "{given}"
        );
    }
}

#[test]
fn keys_of_another_procedure_are_unknown() {
    for (procedure, given) in [
        ("fire", "target.others=1"),
        ("charge", "attacker.wagons=1"),
        ("charge", "attacker.battery=true"),
        ("melee", "defender.shift=1"),
        ("firefight", "a.density=4"),
        ("firefight", "shift=1"),
    ] {
        let message = refusal("gbacw", procedure, given);
        assert!(message.contains("unknown setting"), "{given}: {message}");
    }
}

#[test]
fn figures_worked_out_by_hand() {
    // Morale 3, column 4: a pin or a pin on a pass, a pass then a failed second roll.
    assert!(near(
        p("fire", "", "state", "pinned"),
        (0.5 + 0.5 + 0.25) / 6.0
    ));
    assert!(near(p("fire", "", "state", "routed"), 4.0 * 0.5 / 6.0));
    // Green: [13.15] weighs 1 at 8, 2 at 8, 3 at 12, 4 at 6 and 5 at 2 of 36.
    let green = (8.0 + 8.0 * 2.0 + 12.0 * 3.0 + 6.0 * 4.0 + 2.0 * 5.0) / 36.0 / 6.0;
    assert!(near(p("morale", "morale=green", "passed", "yes"), green));
    assert!(near(p("melee", "", "winner", "defender"), 5.0 / 12.0));
    assert!(near(p("firefight", "turns=1", "turns", "1"), 1.0));
}

/// The phases of what was asked, each with the probability that it goes on after them.
fn open_after(odds: &Distribution) -> Vec<(String, f64)> {
    let stages = odds.stages().into_iter();
    stages.map(|stage| (stage.phase, stage.goes_on)).collect()
}

#[track_caller]
fn goes_on(odds: &Distribution, meant: &[(&str, f64)]) {
    let found = open_after(odds);
    let alike =
        |((phase, p), (name, q)): (&(String, f64), &(&str, f64))| phase == name && near(*p, *q);
    assert!(
        found.len() == meant.len() && found.iter().zip(meant).all(alike),
        "{found:?}, not {meant:?}"
    );
}

#[test]
fn what_goes_on_after_each_phase_is_worked_out_by_hand() {
    // Column 4: only a 1 leaves nothing to check.
    let fire = odds("gbacw", "fire", "");
    goes_on(&fire, &[("volley", 5.0 / 6.0), ("morale checks", 0.0)]);
    let melee = odds("gbacw", "melee", "");
    // One in six leaves the sides engaged, with nothing more to roll.
    goes_on(
        &melee,
        &[("melee", 5.0 / 6.0), ("retreats and checks", 0.0)],
    );
    // Column 4 routs with 8 of 24. Else b answers, of 24: 8 times with all its 4 points in column 4, 3 times with 3
    // points and 4 times pinned in column 3, which routs with 6, and once with both in column 2, which routs with 4.
    let b = 2.0 / 3.0 - f64::from(8 * 8 + 3 * 6 + 4 * 6 + 4) / 576.0;
    let fight = [("a's fire", 2.0 / 3.0), ("b's fire", b)];
    let over = ("time is up", 0.0);
    goes_on(
        &odds("gbacw", "firefight", "turns=1"),
        &[fight[0], fight[1], over],
    );
    // One point is fired at in column 3: a 6 takes it, a 5 stops it, and so does a 3 or 4 if it fails its check.
    let charge = [
        ("defensive volley", 5.0 / 6.0),
        ("attacker's morale checks", 0.5),
        // The one point falls in five of six melees, and who is gone rolls nothing more.
        ("melee", 1.0 / 12.0),
        ("retreats and checks", 0.0),
    ];
    goes_on(&odds("gbacw", "charge", "attacker.strength=1"), &charge);
    // A standoff is both, one after the other.
    let stands = |given: &str, plan: &str| planned("gbacw", "standoff", given, plan);
    let unopened = charge.map(|(phase, _)| (phase, 2.0 / 3.0));
    goes_on(
        &stands("turns=1", "always fire"),
        &[&fight[..1], &unopened, &fight[1..], &[over]].concat(),
    );
    goes_on(
        &stands("a.sp=1 b.sp=5", "charge at once"),
        &[&[("a's fire", 1.0)], &charge[..], &[("b's fire", 0.0)]].concat(),
    );
}

#[test]
fn better_morale_never_makes_its_own_side_worse() {
    let moral = ["1", "2", "3", "4", "5", "6"];
    for strength in [0, 8, 20, 40, 99] {
        let broken = moral.map(|m| {
            let given = format!("strength={strength} target.sp=8 target.morale={m}");
            p("fire", &given, "state", "routed")
        });
        assert!(broken.is_sorted_by(|a, b| a >= b), "{strength}: {broken:?}");
    }
    let wins = moral.map(|m| {
        p(
            "charge",
            &format!("attacker.morale={m}"),
            "outcome",
            "attacker-wins",
        )
    });
    assert!(wins.is_sorted(), "{wins:?}");
    let held = moral.map(|m| {
        p(
            "melee",
            &format!("defender.morale={m}"),
            "winner",
            "defender",
        )
    });
    assert!(held.is_sorted(), "{held:?}");
    let routs = moral.map(|m| p("firefight", &format!("a.morale={m}"), "outcome", "a-routs"));
    assert!(routs.is_sorted_by(|a, b| a >= b), "{routs:?}");
}

#[test]
fn shifts_to_the_left_never_raise_the_expected_losses() {
    for strength in [0, 10, 30, 60] {
        let by_shift = (-10..=10).map(|shift| {
            let given = format!("strength={strength} shift={shift} target.sp=6");
            mean("fire", &given, "sp_lost")
        });
        assert!(by_shift.is_sorted(), "{strength}");
    }
    let grape = mean("fire", "strength=40 ammunition=grapeshot", "sp_lost");
    assert!(grape <= mean("fire", "strength=40", "sp_lost"));
}

#[test]
fn a_fuller_hex_never_lowers_the_expected_losses() {
    let target = |density: i64| {
        let given = format!("strength=24 target.sp=3 target.density={density}");
        mean("fire", &given, "sp_lost")
    };
    assert!((1..=40).map(target).is_sorted());
    let wagons = |n: i64| mean("fire", &format!("target.wagons={n}"), "sp_lost");
    assert!((0..=5).map(wagons).is_sorted());
    let beside = |others: i64| mean("firefight", &format!("b.others={others}"), "b_sp_lost");
    assert!(beside(0) < beside(3) && beside(3) < beside(6));
    assert!(
        near(beside(9), beside(30)),
        "10 points or more are all alike"
    );
    // A density of 0 is the target alone.
    for sp in [1, 4, 8, 30] {
        let alone = mean("fire", &format!("target.sp={sp}"), "sp_lost");
        let said = format!("target.sp={sp} target.density={sp}");
        assert!(near(alone, mean("fire", &said, "sp_lost")));
    }
}

#[test]
fn an_ammunition_check_is_a_natural_1_in_every_procedure() {
    for given in ["", "defender.ammunition=grapeshot defender.shift=5"] {
        assert!(near(p("charge", given, "ammo_check", "yes"), 1.0 / 6.0));
    }
    assert!(near(
        p("firefight", "turns=1", "a_ammo_check", "yes"),
        1.0 / 6.0
    ));
    let b = p("firefight", "turns=1", "b_ammo_check", "yes");
    assert!(
        b < 1.0 / 6.0,
        "b may have routed before its first fire: {b}"
    );
}

#[test]
fn a_melee_is_a_trade_of_fates_and_an_even_firefight_favours_the_first_to_fire() {
    let attacker = |shift: i64| p("melee", &format!("shift={shift}"), "winner", "attacker");
    assert!((-4..=6).map(attacker).is_sorted());
    assert!(
        p("firefight", "turns=20", "outcome", "b-routs")
            > p("firefight", "turns=20", "outcome", "a-routs")
    );
}

#[test]
fn a_house_rule_may_let_cover_count_in_a_common_firefight() {
    let open = "ruleset=gbacw a.men=600";
    let covered = format!("{open} b.cover=hard");
    assert!(refusal("common", "firefight", &covered).contains("left out"));
    let text = "rules = \"gbacw\"\n[common.cover_in_firefight]\nsoft = -1\nhard = -2\n";
    let house = Variant::parse("house.toml", text).expect("a variant");
    let common = find("common").and_then(|common| common.load(&[house]));
    let common = common.expect("it loads");
    let firefight = common.procedure("firefight").expect("a known procedure");
    let settings = firefight.resolve(pairs(&covered)).expect("good settings");
    let exactly = Options {
        method: Method::Exact,
        ..Options::default()
    };
    let odds = firefight.answer(&settings, &exactly).expect("odds").odds;
    // Cover of b is two columns off a's fire.
    let native = "a.sp=6 a.fire_per_sp=3 a.shift=-2 b.fire_per_sp=3";
    let routs = p("firefight", native, "outcome", "b-routs");
    let gone = p("firefight", native, "outcome", "b-eliminated");
    let broke = odds.marginal("result").expect("a variable").p("a");
    assert!(near(broke, routs + gone), "{broke}");
}

#[test]
fn house_rules_move_columns_and_the_differential() {
    let text = r#"variant of gbacw: "fog and zeal"
add to settings:
  fog: Flag   ## fog lies between the lines @ house
add to procedure fire:
  asks fog
add to procedure charge:
  asks fog
add to procedure firefight:
  asks fog
add to modifiers fire_shift:
  fog: -1  when fog
add to unit Unit:
  zeal: Flag  ## goes in with a will @ house
add to procedure melee:
  side attacker: zeal
add to procedure charge:
  side attacker: zeal
add to modifiers melee_shift:
  zeal: 2  when attacker.zeal
"#;
    let house = Variant::parse("house.drill", text).expect("a variant");
    let loaded = find("gbacw").and_then(|gbacw| gbacw.load(&[house]));
    let loaded = loaded.expect("it loads");
    for (procedure, given, as_printed) in [
        ("fire", "fog=true", "shift=-1"),
        ("charge", "fog=true", "defender.shift=-1"),
        ("firefight", "fog=true", "a.shift=-1 b.shift=-1"),
        ("melee", "attacker.zeal=true", "shift=2"),
        ("charge", "attacker.zeal=true", "shift=2"),
    ] {
        let found = loaded.procedure(procedure).expect("a known procedure");
        let settings = found.resolve(pairs(given)).expect("good settings");
        let found = found.answer(&settings, &Options::exact()).expect("odds");
        let found = found.odds.joint();
        assert_eq!(
            found,
            odds("gbacw", procedure, as_printed).joint(),
            "{given}"
        );
        assert_ne!(found, odds("gbacw", procedure, "").joint(), "{given}");
    }
}

#[test]
fn solved_walked_and_direct_answers_agree() {
    for procedure in ["fire", "charge", "melee", "morale"] {
        engines_agree("gbacw", procedure, 24);
    }
}

#[test]
fn solved_walked_and_direct_firefights_agree() {
    engines_agree("gbacw", "firefight", 24);
}

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
        "gbacw fire target.sp=4 target.morale=3 strength=12 shift=0"
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
        "gbacw charge attacker.strength=4 defender.strength=4 attacker.morale=3 \
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
