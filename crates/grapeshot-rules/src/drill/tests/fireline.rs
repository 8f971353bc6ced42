//! The hex game with fire lines as a whole: laws that must hold, refusals, what a variant breaks, standoffs, house rules.

use crate::testing::{
    self, agree_on, engines_agree, odds, pairs, planned, printed, random_settings, refusal, shape,
    solved, table_error,
};
use crate::{Options, Settings, Variant, find};
use grapeshot_engine::dist::{Distribution, Marginal};
use grapeshot_engine::engine::Budget;

const PROCEDURES: [&str; 7] = [
    "fire",
    "charge",
    "melee",
    "morale",
    "straggle",
    "march",
    "firefight",
];

fn marginal(procedure: &str, given: &str, variable: &str) -> Marginal {
    testing::marginal("fireline", procedure, given, variable)
}

fn p(procedure: &str, given: &str, variable: &str, value: &str) -> f64 {
    marginal(procedure, given, variable).p(value)
}

/// Settings of one procedure as another takes them, and one more.
fn given(settings: &Settings, more: (&str, &str)) -> Vec<(String, String)> {
    let known = settings.iter().map(|(k, v)| (k.into(), v.to_string()));
    known.chain([(more.0.into(), more.1.into())]).collect()
}

#[test]
fn every_table_has_its_printed_shape() {
    let shape = |name: &str| shape("fireline", name);
    assert_eq!(shape("combat_results"), (11, 5));
    assert_eq!(shape("range_factors"), (5, 4));
    assert_eq!(shape("hex_limits"), (2, 3));
    assert_eq!(shape("terrain_effects"), (11, 5));
    assert_eq!(shape("straggle"), (3, 1));
}

#[test]
fn every_row_of_the_terrain_chart_names_keys_that_exist() {
    let loaded = printed("fireline");
    let procedures = loaded.procedures.iter();
    let keys = procedures.flat_map(|procedure| &procedure.settings);
    let known: Vec<&str> = keys
        .map(|setting| setting.key.rsplit('.').next().unwrap_or_default())
        .collect();
    let chart = loaded
        .tables
        .grid("terrain_effects")
        .expect("it is printed");
    let here = chart.columns.iter().position(|column| column == "here");
    let here = here.expect("a column of keys");
    for (row, cells) in &chart.rows {
        let text = &cells[here];
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let named = words.filter(|word| known.contains(word)).count();
        assert!(named > 0 || text.starts_with("no key"), "{row}: {text}");
    }
}

#[test]
fn solved_walked_and_played_agree() {
    for procedure in PROCEDURES {
        engines_agree("fireline", procedure, 24);
    }
    let loaded = printed("fireline");
    for (name, given) in [("melee", "rounds=1"), ("firefight", "turns=1")] {
        let procedure = loaded.procedure(name).expect("it exists");
        let settings = testing::settings("fireline", name, given);
        agree_on(procedure, &settings, 1863);
    }
}

#[test]
fn combinations_the_rules_do_not_allow_are_refused_with_the_reason() {
    for (procedure, given, reason) in [
        ("fire", "no_los=true target.lower=true", "only artillery"),
        ("fire", "no_los=true firer.type=artillery", "target.lower"),
        ("fire", "range=7 target.lower=true", "only artillery"),
        ("fire", "range=8 firer.type=artillery", "target.lower"),
        ("fire", "firer.state=routed", "routed stack"),
        ("melee", "defender.state=routed", "routed stack"),
        ("charge", "attacker.state=routed", "routed stack"),
        ("firefight", "b.state=routed", "routed stack"),
        (
            "melee",
            "attacker.lower=true defender.lower=true",
            "only one side can stand lower",
        ),
        ("charge", "defender.mfz=2", "attacker.lower"),
        (
            "charge",
            "defender.mfz=2 advance_volley=true defender.lower=true",
            "attacker.lower",
        ),
        ("morale", "unit.morale2=5", "no second; unit.units"),
        ("morale", "unit.o_hits2=1", "no second; unit.units"),
        ("morale", "unit.reduced2=true", "no second; unit.units"),
        ("morale", "unit.units=2 unit.morale3=0", "has 2 units"),
        (
            "fire",
            "target.o_hits3=2",
            "has 1 unit, so there is no third",
        ),
        (
            "melee",
            "defender.units=2 defender.reduced3=true",
            "no third",
        ),
        ("fire", "firer.sp2=3", "no second; firer.units"),
        ("fire", "target.units=2 target.type3=cavalry", "no third"),
        ("melee", "attacker.reduced_sp2=3", "no second"),
        ("morale", "unit.sp2=3", "unknown setting"),
        ("march", "type=artillery ground=marsh", "artillery may not"),
        ("march", "bonus=true", "thoroughfare"),
        (
            "march",
            "bonus=true thoroughfare=true ezoc=true",
            "ezoc is set",
        ),
        ("fire", "firer.flanked=true", "unknown setting"),
        ("charge", "range=1", "unknown setting"),
    ] {
        let message = refusal("fireline", procedure, given);
        assert!(message.contains(reason), "{given}: {message}");
    }
    // What goes without saying says nothing; a routed stack can be shot at and checks.
    for (procedure, given) in [
        (
            "morale",
            "unit.morale2=-1 unit.o_hits2=0 unit.reduced3=false",
        ),
        ("morale", "unit.state=routed"),
        ("fire", "target.state=routed"),
        ("firefight", "a.lower=true b.lower=true"),
    ] {
        odds("fireline", procedure, given);
    }
}

#[test]
fn cells_that_cannot_be_are_refused_with_file_and_key() {
    for (from, to, problem) in [
        (
            "\"3-4\", \"5-9\"]",
            "\"3-4\", \"6-9\"]",
            "nothing for the face 5",
        ),
        (
            "\"3-4\", \"5-9\"]",
            "\"3-4\", \"4-9\"]",
            "two things for the face 4",
        ),
        (
            "\"3-4\", \"5-9\"]",
            "\"3-4\", \"5-x\"]",
            "combat_results.rows.5-7[N]",
        ),
        (
            "\"2(+1)\"",
            "\"2(+2)\"",
            "tables.range_factors.rows.1[artillery]",
        ),
        (
            "[\".5\", \"-\"",
            "[\"half\", \"-\"",
            "tables.range_factors.rows.3",
        ),
        (
            "\"all\", \"3\"]",
            "\"all\", \"0\"]",
            "tables.hex_limits.rows.fire",
        ),
        ("[\"4+\"]", "[\"four\"]", "tables.straggle.rows.0-3"),
        (
            "8-11  =",
            "9-11  =",
            "the heading `9-11` of `combat_results`",
        ),
        (
            "\"Stop(c)(g)\", \"1\", \"-1/D",
            "\"Swim\", \"1\", \"-1/D",
            "terrain_effects.rows.marsh",
        ),
        (
            "full = 3",
            "full = 0",
            "lists.organization_hits.values.full",
        ),
    ] {
        let error = table_error("fireline", from, to);
        assert!(error.contains(problem), "{to}: {error}");
    }
}

/// Answers under a variant.
fn varied(variant: &str, procedure: &str, given: &str) -> Result<Distribution, String> {
    let text = match variant.starts_with("variant of") {
        true => variant.to_owned(),
        false => format!("rules = \"fireline\"\n{variant}"),
    };
    let file = match variant.starts_with("variant of") {
        true => "house.drill",
        false => "house.toml",
    };
    let variant = Variant::parse(file, &text).map_err(|error| error.to_string())?;
    let loaded = find("fireline").and_then(|found| found.load(&[variant]));
    let loaded = loaded.map_err(|error| error.to_string())?;
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    let settings = procedure.resolve(pairs(given));
    let settings = settings.map_err(|error| error.to_string())?;
    let answered = procedure.answer(&settings, &Options::exact());
    Ok(answered.map_err(|error| error.to_string())?.odds)
}

#[test]
fn a_variant_changes_what_is_played_by_and_nothing_else() {
    let rows = |cells: &str| format!("[tables.terrain_effects.rows]\n{cells}");
    let arrives = |odds: Distribution| odds.marginal("result").expect("reported").p("arrived");
    let dry = varied(
        &rows("marsh = { movement = \"NE\" }"),
        "march",
        "ground=marsh segments=1",
    );
    let wet = odds("fireline", "march", "ground=marsh segments=1");
    assert_eq!((arrives(dry.expect("a variant")), arrives(wet)), (1.0, 0.0));
    let flat = rows("slope = { mfz = \"1\" }\nrr-embankment = { mfz = \"1\" }");
    let error = varied(&flat, "charge", "attacker.lower=true defender.mfz=2").expect_err("flat");
    assert!(error.contains("defender.mfz"), "{error}");
    for (cells, problem) in [
        ("woods = { fire-assault = \"-2\" }", "nothing is played by"),
        ("run = { los = \"Blocks\" }", "nothing is played by"),
        ("slope = { mfz = \"3\" }", "slope"),
        (
            "[tables.combat_results.rows]\n5-7 = { N = \"4-9\" }",
            "two things for the face 4",
        ),
        (
            "[tables.combat_results.rows]\n5-7 = { N = \"6-9\" }",
            "nothing for the face 5",
        ),
    ] {
        let variant = match cells.starts_with('[') {
            true => cells.to_owned(),
            false => rows(cells),
        };
        let error = varied(&variant, "march", "").expect_err(cells);
        assert!(
            error.contains(problem) && error.contains("house.toml"),
            "{error}"
        );
    }
    // A face may pass from one cell to another.
    let harder = "[tables.combat_results.rows]\n12-15 = { D = \"4-6\", N = \"7-9\" }";
    let harder = varied(harder, "fire", "").expect("a variant");
    assert!((harder.marginal("effect").expect("reported").p("D") - 0.3).abs() < 1e-12);
    let dearer = "[assumptions.rough_hex_cost]\nvalue = 3";
    let found = varied(dearer, "march", "segments=2").expect("a variant");
    assert_eq!(
        found.marginal("hexes").expect("reported").at_least(3.0),
        0.0
    );
    let error = varied("[assumptions.rough_hex_cost]\nvalue = 4", "march", "");
    let error = error.expect_err("too dear");
    assert!(error.contains("must not cost more"), "{error}");
    let fatal = "[lists.organization_hits.values]\nreduced = 2";
    let given = "unit.units=2 unit.o_hits2=2 unit.reduced2=true";
    let error = varied(fatal, "morale", given).expect_err("refused");
    assert!(error.contains("unit.o_hits2=2"), "{error}");
    assert!(error.contains("hit number 2 destroys the unit"), "{error}");
    // A 9 straggles whatever the modifiers.
    let harsh = "[lists.straggle_modifiers.values]\nleader = -9";
    let harsh = varied(harsh, "straggle", "leader=true").expect("a variant");
    assert!((harsh.marginal("straggles").expect("reported").p("yes") - 0.1).abs() < 1e-12);
}

/// O hits that destroy a stack set so.
fn hits_left(s: &Settings, side: &str) -> i64 {
    let key = |name: &str, suffix: &str| format!("{side}.{name}{suffix}");
    let units = s.whole(&key("units", "")) as usize;
    let left = ["", "2", "3"].map(|suffix| {
        6 - s.whole(&key("o_hits", suffix)) - 3 * i64::from(s.flag(&key("reduced", suffix)))
    });
    left[..units].iter().sum()
}

#[test]
fn hits_stay_within_what_the_stack_has_left() {
    let loaded = printed("fireline");
    for s in random_settings(loaded.procedure("charge").expect("it exists"), 24) {
        let exact = solved("fireline", "charge", &s);
        for side in ["attacker", "defender"] {
            let reported =
                |name: &str| exact.marginal(&format!("{side}_{name}")).expect("reported");
            let (taken, lost) = (reported("o_hits"), reported("units_lost"));
            let destroyed = reported("state").p("destroyed");
            let most = hits_left(&s, side) as f64;
            assert_eq!(taken.at_least(most + 1.0), 0.0);
            let units = s.whole(&format!("{side}.units")) as f64;
            for certain in [taken.at_least(most), lost.at_least(units)] {
                assert!((certain - destroyed).abs() < 1e-12, "{}", s.describe());
            }
        }
    }
}

#[test]
fn who_takes_the_hits_makes_no_difference_to_a_single_unit() {
    let loaded = printed("fireline");
    let fire = loaded.procedure("fire").expect("it exists");
    for s in random_settings(fire, 12) {
        if s.whole("target.units") > 1 {
            continue;
        }
        let by = |apportion: &str| {
            let settings = fire.resolve(given(&s, ("target.apportion", apportion)));
            solved("fireline", "fire", &settings.expect("settings"))
        };
        assert_eq!(by("spread").joint(), by("first").joint());
    }
}

#[test]
fn three_units_of_one_point_each_fire_as_one_of_three() {
    for given in ["", "target.takes_hit=false target.state=disrupted"] {
        let effect = |units: &str| marginal("fire", &format!("{given} {units}"), "effect");
        let (one, three) = (
            effect("firer.sp=3 target.sp=3"),
            effect("firer.sp=1 firer.units=3 target.sp=1 target.units=3"),
        );
        for label in ["none", "D", "1", "2", "3"] {
            assert!((one.p(label) - three.p(label)).abs() < 1e-12);
        }
    }
}

#[test]
fn units_said_to_be_alike_are_as_those_of_whom_nothing_is_said() {
    let alike = |side: &str, units: &[i64]| -> String {
        let each = units
            .iter()
            .map(|n| format!("{side}.sp{n}=5 {side}.reduced_sp{n}=2 {side}.type{n}=cavalry "));
        each.collect()
    };
    for (units, second) in [(2, &[2][..]), (3, &[2, 3][..])] {
        let plain = |side: &str| {
            format!(
                "{side}.units={units} {side}.sp=5 {side}.reduced_sp=2 {side}.type=cavalry {side}.o_hits=2 "
            )
        };
        let said = |side: &str| plain(side) + &alike(side, second);
        for (procedure, sides) in [
            ("fire", ["firer", "target"]),
            ("charge", ["attacker", "defender"]),
            ("firefight", ["a", "b"]),
        ] {
            let ask = |say: &dyn Fn(&str) -> String| {
                let given = sides.map(say).concat() + "density=auto";
                odds("fireline", procedure, &given).joint()
            };
            assert_eq!(ask(&plain), ask(&said), "{procedure} of {units}");
        }
    }
}

#[test]
fn a_stack_of_unlike_units_is_never_more_than_its_best_nor_less_than_its_worst() {
    // Two units of two points each fill the hex, so that only what they are counts.
    for range in 1..=3 {
        let hits = |first: &str, second: &str| {
            let given = format!(
                "firer.units=2 firer.sp=2 firer.type={first} firer.type2={second} range={range}"
            );
            marginal("fire", &given, "o_hits").mean()
        };
        for (one, other) in [
            ("infantry", "cavalry"),
            ("infantry", "irregular"),
            ("irregular", "cavalry"),
        ] {
            let (all, none) = (hits(one, one), hits(other, other));
            let both = hits(one, other);
            assert!((both - hits(other, one)).abs() < 1e-12, "whoever is first");
            assert!(none <= both && both <= all, "{one} {other} {range}");
        }
    }
}

#[test]
fn more_advance_fire_never_helps_the_attacker() {
    for given in [
        "",
        "attacker.charge=true",
        "attacker.units=2 attacker.sp=2",
        "attacker.lower=true defender.mfz=2",
    ] {
        let wins = |more: &str| {
            let given = format!("{given} {more}");
            p("charge", &given, "outcome", "attacker-wins")
        };
        assert!(wins("advance_volley=true pre_fire=false") < wins("pre_fire=false"));
        let both = wins("advance_volley=true");
        assert!(both < wins("advance_volley=true pre_fire=false"));
    }
}

#[test]
fn a_better_morale_never_makes_a_check_or_a_volley_worse() {
    for given in ["", "unit.o_hits=2 unit.isolated=true", "unit.state=routed"] {
        let pass = |morale| {
            let given = format!("{given} unit.morale={morale}");
            p("morale", &given, "passed", "yes")
        };
        assert!((1..=9).all(|morale| pass(morale) >= pass(morale - 1)));
    }
    for given in [
        "",
        "target.dense=true target.o_hits=1",
        "target.takes_hit=false",
    ] {
        let good = |morale| {
            let given = format!("{given} target.morale={morale}");
            p("fire", &given, "state", "good")
        };
        assert!((1..=9).all(|morale| good(morale) >= good(morale - 1) - 1e-12));
    }
}

#[test]
fn cover_never_raises_the_expected_hits() {
    for arm in ["infantry", "cavalry", "irregular", "artillery"] {
        for range in 1..=6 {
            for sp in [1, 4, 12] {
                let hits = |cover: &str| {
                    let given = format!("firer.type={arm} firer.sp={sp} range={range} {cover}");
                    marginal("fire", &given, "o_hits").mean()
                };
                let open = hits("");
                for cover in [
                    "target.wall=true",
                    "target.terrain=woods",
                    "target.terrain=marsh",
                ] {
                    assert!(hits(cover) <= open + 1e-12, "{arm} {range} {sp} {cover}");
                }
            }
        }
    }
}

#[test]
fn a_charge_without_its_fire_is_a_melee() {
    let loaded = printed("fireline");
    let melee = loaded.procedure("melee").expect("it exists");
    let charge = loaded.procedure("charge").expect("it exists");
    for s in random_settings(melee, 12) {
        let as_charge = charge.resolve(given(&s, ("pre_fire", "false")));
        let as_charge = as_charge.expect("a charge has the keys of a melee");
        assert_eq!(
            solved("fireline", "melee", &s).joint(),
            solved("fireline", "charge", &as_charge).joint()
        );
    }
}

#[test]
fn one_hex_is_one_straggle_check() {
    for given in ["morale=2", "leader=true morale=7", "ezoc=true"] {
        let straggles = p("straggle", given, "straggles", "yes");
        let hit = p("march", &format!("{given} hexes=1"), "o_hits", "1");
        assert!((straggles - hit).abs() < 1e-12, "{given}");
    }
}

#[test]
fn equal_sides_favour_the_one_that_fires_first() {
    let outcome = |value: &str| p("firefight", "turns=50", "outcome", value);
    let a_gone = outcome("a-routs") + outcome("a-destroyed");
    let b_gone = outcome("b-routs") + outcome("b-destroyed");
    assert!(b_gone > a_gone, "{a_gone} {b_gone}");
    assert!(outcome("undecided") < 1e-6);
}

#[test]
fn a_stack_is_known_by_the_hits_it_has_taken() {
    let states = |procedure: &str, given: &str| {
        let loaded = printed("fireline");
        let procedure_of = loaded.procedure(procedure).expect("it exists");
        let settings = testing::settings("fireline", procedure, given);
        let play = (procedure_of.build)(&settings).expect("it can be played");
        play.compile(Budget::default()).expect("it fits").states()
    };
    assert!(states("charge", "") < 2000, "{}", states("charge", ""));
    // Three units a side have 18 counts of hits in two orders each.
    let most = 1 + 2 * (18 * 2) * (18 * 2);
    let found = states("firefight", "a.units=3 b.units=3 turns=50");
    assert!(found <= most, "{found}");
}

/// The odds when a follows a plan.
fn plan(given: &str, plan: &str) -> Distribution {
    planned("fireline", "standoff", given, plan)
}

fn chance(odds: &Distribution, variable: &str, value: &str) -> f64 {
    odds.marginal(variable).expect("reported").p(value)
}

/// The same chances of these values of two variables.
fn same(one: (&Distribution, &str), other: (&Distribution, &str), values: &[(&str, &str)]) {
    for (a, b) in values {
        let (p, q) = (chance(one.0, one.1, a), chance(other.0, other.1, b));
        assert!((p - q).abs() < 1e-12, "{a} {p}, {b} {q}");
    }
}

const HITS: [(&str, &str); 7] = [
    ("0", "0"),
    ("1", "1"),
    ("2", "2"),
    ("3", "3"),
    ("4", "4"),
    ("5", "5"),
    ("6", "6"),
];

#[test]
fn a_standoff_in_which_nobody_moves_is_a_firefight() {
    let given = "a.sp=3 a.flanked=true a.terrain=woods b.behind_wall=true b.wall=true b.o_hits=2 b.leader=true turns=5";
    let stands = plan(given, "always fire");
    let fights = odds("fireline", "firefight", given);
    let ends = [
        "a-routs",
        "a-destroyed",
        "b-routs",
        "b-destroyed",
        "undecided",
    ];
    let ends = ends.map(|label| (label, label));
    same((&stands, "outcome"), (&fights, "outcome"), &ends);
    for hits in ["a_o_hits", "b_o_hits"] {
        same((&stands, hits), (&fights, hits), &HITS);
    }
    assert!((chance(&stands, "charged", "none") - 1.0).abs() < 1e-12);
}

#[test]
fn a_standoff_charged_at_once_is_a_charge() {
    let outcomes = [
        ("a-wins", "attacker-wins"),
        ("b-wins", "defender-wins"),
        ("a-repulsed", "attacker-repulsed"),
        ("mutual", "mutual"),
        ("stalled", "stalled"),
    ];
    for (standoff, charge) in [
        ("", ""),
        (
            "a.charge=true a.leader=true a.state=disrupted b.flanked=true b.dense=true rounds=5",
            "attacker.charge=true attacker.leader=true attacker.state=disrupted defender.flanked=true defender.dense=true rounds=5",
        ),
        // A fence is behind_wall and no wall: it helps the fire and not the assault.
        ("b.behind_wall=true", "defender.fence=true"),
        (
            "b.wall=true pre_fire=false",
            "defender.wall=true pre_fire=false",
        ),
        // The charger's own wall and flank do not count; the ground it stands on is that it comes from.
        (
            "a.wall=true a.behind_wall=true a.flanked=true a.terrain=run a.clear_hex=false",
            "attacker.terrain=run attacker.run=true attacker.clear_hex=false",
        ),
        (
            "a.terrain=marsh a.lower=true",
            "attacker.terrain=marsh attacker.marsh=true attacker.lower=true",
        ),
        (
            "a.run=true b.reduced=true b.o_hits=1 b.lower=true",
            "attacker.run=true defender.reduced=true defender.o_hits=1 defender.lower=true",
        ),
    ] {
        let one = plan(standoff, "charge at once");
        let other = odds("fireline", "charge", charge);
        same((&one, "outcome"), (&other, "outcome"), &outcomes);
        same((&one, "a_o_hits"), (&other, "attacker_o_hits"), &HITS);
        same((&one, "b_o_hits"), (&other, "defender_o_hits"), &HITS);
        assert!((chance(&one, "turns", "1") - 1.0).abs() < 1e-12);
    }
}

#[test]
fn who_withdraws_at_once_loses_nothing_but_the_ground() {
    let gone = plan("a.sp=1 b.sp=4", "withdraw at once");
    for (variable, value) in [
        ("outcome", "a-withdraws"),
        ("result", "a-withdrew"),
        ("charged", "none"),
        ("a_o_hits", "0"),
    ] {
        assert!((chance(&gone, variable, value) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_charge_after_a_volley_is_made_in_the_condition_the_volleys_have_left() {
    // One turn of fire, which is a firefight of one turn; whoever is still there is charged in the second.
    let charged = plan("turns=3", "fire 1 then charge");
    let gone = 1.0 - p("firefight", "turns=1", "outcome", "undecided");
    assert!((chance(&charged, "turns", "1") - gone).abs() < 1e-12);
    assert!((chance(&charged, "turns", "2") - (1.0 - gone)).abs() < 1e-12);
    assert!((chance(&charged, "charged", "a") - (1.0 - gone)).abs() < 1e-12);
}

#[test]
fn best_play_solved_walked_and_played_agrees() {
    let decision = printed("fireline").decision("standoff");
    let decision = decision.expect("it is there");
    for given in ["turns=2", "turns=3 b.choices=all a.morale=7 goal=losses"] {
        let settings = decision.procedure.resolve(pairs(given));
        agree_on(&decision.procedure, &settings.expect("good settings"), 1863);
    }
}

#[test]
fn what_a_standoff_cannot_be_is_refused() {
    let decision = printed("fireline").decision("standoff");
    let decision = decision.expect("it is there");
    let refused = |given: &str| {
        let built = decision.procedure.resolve(pairs(given));
        let built = built.and_then(|settings| (decision.build)(&settings).map(|_| ()));
        built.expect_err(given).to_string()
    };
    let why = refused("a.lower=true b.lower=true");
    assert!(why.contains("only one side can stand lower"), "{why}");
    assert!(refused("b.state=routed").contains("routed stack"));
    for unknown in [
        "a.units=2",
        "range=2",
        "density=auto",
        "b.thoroughfare=true",
        "b.marsh=true",
        "wall_in_assault=false",
        "advance_volley=true",
        "turns=21",
        "withdraw_value=2",
    ] {
        let why = refused(unknown);
        let key = unknown.split('=').next().unwrap_or_default();
        assert!(why.contains(key), "{why}");
    }
}
