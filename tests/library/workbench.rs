//! The designer's workbench against plainer ways to the same numbers.

use grapeshot_engine::dist::{Estimate, Quantity};
use grapeshot_engine::engine::Method;
use grapeshot_rules::{Given, LoadedRuleset, Options, Value, Variant, parse_sweep};
use grapeshot_study::{
    At, Crossing, Even, PointsAsked, Search, Trend, VARIANTS, Workbench, break_even,
    bundled_variant, crossings_of, diff, points, what_if,
};

fn load(id: &str, variants: &[&str]) -> LoadedRuleset {
    let ruleset = grapeshot_rules::find(id).unwrap();
    let variants: Vec<Variant> = variants
        .iter()
        .map(|text| Variant::parse("test.toml", text).unwrap())
        .collect();
    ruleset.load(&variants).unwrap()
}

fn asking(method: Method, trials: u64, seed: u64) -> Options {
    Options {
        method,
        seed,
        ..Options::compared(trials)
    }
}

fn exactly() -> Options {
    asking(Method::Auto, 1000, 1)
}

fn given(pairs: &[(&str, &str)]) -> Given {
    pairs
        .iter()
        .map(|(k, v)| ((*k).into(), (*v).into()))
        .collect()
}

/// The quantity, the long way round: no workbench, no sharing.
fn plainly(
    loaded: &LoadedRuleset,
    procedure: &str,
    of: &str,
    settings: &[(String, Value)],
) -> Option<f64> {
    let procedure = loaded.procedure(procedure).unwrap();
    let settings = procedure
        .resolve(settings.iter().map(|(k, v)| (k, v)))
        .unwrap();
    let odds = procedure.answer(&settings, &Options::exact()).ok()?.odds;
    let quantity = Quantity::parse(of, &procedure.variables).unwrap();
    Some(quantity.of(&odds).unwrap().value)
}

#[test]
fn what_if_agrees_with_asking_every_value_by_hand() {
    for (id, procedure, of, base) in [
        (
            "elephant",
            "melee",
            "winner=attacker",
            vec![("attacker.grade", "veteran")],
        ),
        (
            "elephant",
            "charge",
            "mean(attacker_stands_lost)",
            vec![("defender.cover", "wall")],
        ),
        ("acw28", "fire", "P(casualties>=3)", vec![("range", "40")]),
        (
            "impact",
            "charge",
            "outcome=attacker-wins,stopped-short",
            vec![],
        ),
    ] {
        let loaded = load(id, &[]);
        let base = given(&base);
        let workbench = Workbench::new(&loaded, procedure, base.clone(), exactly()).unwrap();
        let quantity = workbench.quantity(Some(of)).unwrap();
        let what = what_if(&workbench, &quantity, None, false).unwrap();
        let now = plainly(&loaded, procedure, of, &base).unwrap();
        assert!((what.baseline.value - now).abs() < 1e-12);
        assert_eq!(what.factors.len(), workbench.procedure.settings.len());
        for factor in &what.factors {
            let (mut low, mut high) = (0f64, 0f64);
            for m in &factor.moves {
                assert_ne!(m.value.to_string(), factor.now.to_string());
                let mut settings = base.clone();
                settings.push((factor.key.clone(), m.value.clone()));
                let expected = plainly(&loaded, procedure, of, &settings).map(|x| x - now);
                assert_eq!(
                    m.reply.is_ok(),
                    expected.is_some(),
                    "{} {}",
                    factor.key,
                    m.value
                );
                let Some(expected) = expected else { continue };
                assert!((m.change().unwrap() - expected).abs() < 1e-12);
                (low, high) = (low.min(expected), high.max(expected));
            }
            assert!((factor.swing - (high - low)).abs() < 1e-12);
        }
        let swings: Vec<f64> = what.factors.iter().map(|f| f.swing).collect();
        assert!(swings.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn success_is_every_outcome_that_favours_the_side_that_acts() {
    let wins = "outcome=attacker-wins,defender-retreats,defender-routs,defender-destroyed";
    let loaded = load("elephant", &[]);
    let wall = given(&[("defender.cover", "wall"), ("defender.stands", "1")]);
    let of = |quantity: &str| plainly(&loaded, "charge", quantity, &wall).unwrap();
    assert!((of("success") - of(wins)).abs() < 1e-12);
    let all = of("success") + of("undecided") + of("failure");
    assert!((all - 1.0).abs() < 1e-12);
    assert!(of("success") > 0.5 && of("outcome=attacker-wins") < 0.05);
}

#[test]
fn pairs_are_what_both_changes_do_beyond_their_sum() {
    let loaded = load("elephant", &[]);
    let workbench = Workbench::new(&loaded, "melee", Vec::new(), exactly()).unwrap();
    let quantity = workbench.quantity(Some("winner=attacker")).unwrap();
    let what = what_if(&workbench, &quantity, Some("attacker"), true).unwrap();
    assert!(!what.pairs.is_empty());
    let of = |settings: &[(String, Value)]| {
        plainly(&loaded, "melee", "winner=attacker", settings).unwrap()
    };
    let now = of(&[]);
    for pair in &what.pairs {
        let changes: Vec<(String, Value)> = pair
            .changes
            .iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        assert!(changes.iter().all(|(key, _)| key.starts_with("attacker.")));
        let (one, two) = (of(&changes[..1]) - now, of(&changes[1..]) - now);
        let both = of(&changes) - now;
        assert!((pair.together.value - both).abs() < 1e-12);
        assert!((pair.beyond - (both - one - two)).abs() < 1e-12);
    }
}

#[test]
fn break_even_finds_what_a_scan_finds() {
    let wins = "outcome=attacker-wins,defender-retreats,defender-routs,defender-destroyed";
    for (vary, of, target, sweep) in [
        (
            "attacker.stands",
            wins,
            0.25,
            "defender.grade=elite,regular,militia",
        ),
        (
            "defender.stands",
            "outcome=attacker-wins",
            0.3,
            "attacker.commander=0..3",
        ),
        (
            "defender.stands",
            "contact=yes",
            0.4,
            "defender.cover=open,wall",
        ),
    ] {
        let loaded = load("elephant", &[]);
        let workbench = Workbench::new(&loaded, "charge", Vec::new(), exactly()).unwrap();
        let quantity = workbench.quantity(Some(of)).unwrap();
        let search = Search::new(&workbench, vary, None, &quantity, target).unwrap();
        let axis = parse_sweep(sweep).unwrap();
        let even = break_even(&workbench, &quantity, &search, std::slice::from_ref(&axis)).unwrap();
        assert_eq!(even.cells.len(), axis.values.len());
        for (cell, value) in even.cells.iter().zip(&axis.values) {
            let curve: Vec<f64> = (1..=40)
                .map(|x| {
                    let settings = [
                        (axis.keys[0].clone(), value[0].clone()),
                        (vary.to_owned(), Value::from(x)),
                    ];
                    plainly(&loaded, "charge", of, &settings).unwrap()
                })
                .collect();
            let scanned: Vec<usize> = (0..39)
                .filter(|&i| (curve[i] < target) != (curve[i + 1] < target))
                .collect();
            let found: Vec<usize> = cell
                .crossings
                .iter()
                .map(|c| c.from.x as usize - 1)
                .collect();
            assert_eq!(found, scanned, "{vary} {of} {value:?}");
            for crossing in &cell.crossings {
                assert!(crossing.from.x <= crossing.place && crossing.place <= crossing.to.x);
                assert_eq!(crossing.to.x - crossing.from.x, 1.0);
                assert!(crossing.certain);
            }
            let rises = curve.windows(2).any(|w| w[1] > w[0] + 1e-12);
            let falls = curve.windows(2).any(|w| w[1] < w[0] - 1e-12);
            let turns = cell.trend == Trend::Turns;
            assert_eq!(turns, rises && falls, "{vary} {value:?}");
        }
    }
}

#[test]
fn a_long_range_is_halved_down_to_neighbours() {
    let loaded = load("elephant", &[]);
    let workbench = Workbench::new(&loaded, "fire", Vec::new(), exactly()).unwrap();
    let quantity = workbench.quantity(Some("mean(hits)")).unwrap();
    let search = Search::new(&workbench, "range", None, &quantity, 1.0).unwrap();
    let even = break_even(&workbench, &quantity, &search, &[]).unwrap();
    let crossing = even.cells[0].crossings[0];
    assert_eq!(crossing.to.x - crossing.from.x, 1.0);
    let at = |x: f64| {
        let settings = [("range".to_owned(), Value::from(x))];
        plainly(&loaded, "fire", "mean(hits)", &settings).unwrap()
    };
    assert!(at(crossing.from.x) > 1.0 && at(crossing.to.x) < 1.0);
}

fn curve(values: &[f64]) -> Vec<At> {
    let at = |(i, &y): (usize, &f64)| At {
        x: i as f64,
        y: Estimate::exact(y),
    };
    values.iter().enumerate().map(at).collect()
}

#[test]
fn a_target_that_is_met_is_a_crossing_only_if_it_is_passed() {
    let kinds = |values: &[f64]| -> Vec<(f64, bool, bool)> {
        let found: Vec<Crossing> = crossings_of(&curve(values), 0.5);
        found
            .iter()
            .map(|c| (c.place, c.rises, c.touches))
            .collect()
    };
    assert_eq!(kinds(&[0.0, 1.0]), [(0.5, true, false)]);
    assert_eq!(kinds(&[0.0, 0.5, 1.0]), [(1.0, true, false)]);
    assert_eq!(kinds(&[1.0, 0.5, 0.5, 0.0]), [(1.5, false, false)]);
    assert_eq!(kinds(&[0.0, 0.5, 0.0]), [(1.0, false, true)]);
    let twice = kinds(&[0.0, 1.0, 0.0]);
    assert_eq!(twice, [(0.5, true, false), (1.5, false, false)]);
    assert!(kinds(&[0.1, 0.2, 0.4]).is_empty());
    assert!(kinds(&[]).is_empty());
}

#[test]
fn a_variant_that_changes_nothing_diffs_to_nothing() {
    let same = "rules = \"elephant\"\n[tables.melee_results.rows]\n8 = { \"1:1\" = \"-/K1\" }\n";
    let (printed, same) = (load("elephant", &[]), load("elephant", &[same]));
    for method in [Method::Auto, Method::Simulate] {
        for procedure in ["melee", "charge", "fire"] {
            let asked = asking(method, 20_000, 7);
            let workbench = |loaded| Workbench::new(loaded, procedure, Vec::new(), asked).unwrap();
            let key = if procedure == "fire" {
                "firer"
            } else {
                "attacker"
            };
            let axes = vec![parse_sweep(&format!("{key}.stands=4..16/4")).unwrap()];
            let found = diff(&workbench(&printed), &workbench(&same), axes, None).unwrap();
            let counts = found.counts;
            assert_eq!((counts.moved, counts.unchanged), (0, 4), "{procedure}");
            assert!(found.moved().is_empty() && found.elsewhere.is_empty());
        }
    }
}

#[test]
fn a_repaired_cell_moves_its_column_and_nothing_else() {
    let text = &bundled_variant("../variants/elephant-even-melee.toml").unwrap();
    let (printed, repaired) = (load("elephant", &[]), load("elephant", &[text]));
    let workbench = |loaded| Workbench::new(loaded, "melee", Vec::new(), exactly()).unwrap();
    let axes = vec![parse_sweep("attacker.stands=1..30").unwrap()];
    let found = diff(&workbench(&printed), &workbench(&repaired), axes, None).unwrap();
    for (i, cell) in found.cells.iter().enumerate() {
        // Ten stands defend: the 1:1 column serves ten to fourteen attackers.
        assert_eq!(cell.moved, (10..15).contains(&(i + 1)), "{} stands", i + 1);
    }
    let spot = found.moved()[0];
    assert!((found.at(spot).unwrap().by.value.abs() - 0.1).abs() < 1e-12);
    assert_eq!(found.counts.certain, 5);
}

#[test]
fn every_example_variant_fits_its_ruleset_and_says_what_it_is_for() {
    let mut seen = Vec::new();
    for (name, text) in VARIANTS {
        let table: toml::Table = text.parse().unwrap();
        let id = table["rules"].as_str().unwrap();
        let variant = Variant::parse(name, text).unwrap();
        assert!(!variant.about.is_empty(), "{name}");
        let loaded = grapeshot_rules::find(id).unwrap().load(&[variant]).unwrap();
        let changes = &loaded.tables.variants()[0].changes;
        assert!(!changes.is_empty(), "{name}");
        assert_ne!(
            loaded.tables.to_toml(),
            load(id, &[]).tables.to_toml(),
            "{name}"
        );
        seen.push(id.to_owned());
    }
    assert!(seen.len() >= 3);
}

#[test]
fn the_reference_is_worth_one_and_better_grades_are_worth_more() {
    let loaded = load("gbacw", &[]);
    let wanted = PointsAsked {
        sizes: vec![4, 6],
        ..PointsAsked::default()
    };
    let list = points(&loaded, &wanted, exactly()).unwrap();
    let worth = |value: &str| {
        let price = list.prices.iter().find(|p| p.entry.value == value).unwrap();
        price.worth.unwrap().value
    };
    assert_eq!(worth("3"), 1.0);
    assert!(worth("2") < 1.0 && worth("4") > 1.0 && worth("6") > worth("4"));
    for price in &list.prices {
        for fight in &price.fights {
            if let Ok(Even::Size(size)) = fight.even {
                assert!(size > 0.0);
                assert!((fight.worth().unwrap().value - fight.against as f64 / size).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn an_even_fight_is_even_when_it_is_fought_by_hand() {
    let loaded = load("gbacw", &[]);
    let wanted = PointsAsked {
        sizes: vec![5],
        procedure: Some("firefight".into()),
        ..PointsAsked::default()
    };
    let list = points(&loaded, &wanted, exactly()).unwrap();
    let price = list.prices.iter().find(|p| p.entry.value == "4").unwrap();
    let Ok(Even::Size(even)) = price.fights[0].even else {
        panic!("{:?}", price.fights[0]);
    };
    let chance = |size: f64| {
        let part = |mine: &str, other: &str| {
            let settings = [
                (format!("{mine}.sp"), Value::from(size)),
                (format!("{mine}.morale"), "4".into()),
                (format!("{other}.sp"), 5.into()),
            ];
            let of = |what: &str| plainly(&loaded, "firefight", what, &settings).unwrap();
            let won = of(&format!("outcome={other}-routs,{other}-eliminated"));
            won + of("outcome=undecided") / 2.0
        };
        (part("a", "b") + part("b", "a")) / 2.0
    };
    let (below, above) = (chance(even.floor()), chance(even.ceil()));
    assert!(
        below <= 0.5 && above >= 0.5,
        "{below} {above} around {even}"
    );
    let there = below + (above - below) * even.fract();
    assert!((there - 0.5).abs() < 1e-9);
}

#[test]
fn what_if_simulated_lies_within_its_intervals_and_repeats() {
    let loaded = load("elephant", &[]);
    let ask = |method| {
        let asked = asking(method, 40_000, 5);
        let workbench = Workbench::new(&loaded, "melee", Vec::new(), asked).unwrap();
        let quantity = workbench.quantity(Some("winner=attacker")).unwrap();
        what_if(&workbench, &quantity, Some("defender"), false).unwrap()
    };
    let (exact, once, again) = (
        ask(Method::Exact),
        ask(Method::Simulate),
        ask(Method::Simulate),
    );
    assert_eq!(once.factors, again.factors);
    assert_eq!(once.methods.exact, 0);
    // The 95 % half-width is about two standard deviations; three widths is a fluke of 1 in 10^8.
    for factor in &exact.factors {
        let other = once.factors.iter().find(|f| f.key == factor.key).unwrap();
        for (sure, guess) in factor.moves.iter().zip(&other.moves) {
            let (Ok(sure), Ok(guess)) = (&sure.reply, &guess.reply) else {
                continue;
            };
            let (sure, guess) = (sure.change, guess.change);
            assert!((sure.value - guess.value).abs() < 3.0 * guess.half_width());
        }
    }
}
