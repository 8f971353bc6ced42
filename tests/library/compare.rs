//! Common fights: every translation, the native procedures behind them, and what is made of them.

use grapeshot::render::{self, Layout, Report};
use grapeshot_engine::dist::Marginal;
use grapeshot_rules::common::{FightKind, RULESET_KEY, Word, Words};
use grapeshot_rules::{Given, Labels, LoadedRuleset, OddsError, Options, RuleError, Variant};
use grapeshot_study::{Overrides, Played, cards, compare, compare_options, play, run};

/// The rulesets that play common fights.
fn names() -> Vec<&'static str> {
    let all = grapeshot_rules::Registry::built_in().comparable();
    all.map(|ruleset| &*ruleset.id).collect()
}

fn common() -> LoadedRuleset {
    grapeshot_rules::find("common").unwrap().load(&[]).unwrap()
}

fn given(text: &str) -> Given {
    text.split_whitespace()
        .map(|word| {
            let (key, value) = word.split_once('=').unwrap();
            (key.into(), value.into())
        })
        .collect()
}

fn fight(
    common: &LoadedRuleset,
    rules: &str,
    kind: FightKind,
    text: &str,
) -> Result<Played, String> {
    let procedure = common.procedure(kind.label()).unwrap();
    play(procedure, rules, &given(text), &compare_options()).unwrap()
}

/// Ten fights that touch every key.
const FIGHTS: [(FightKind, &str); 10] = [
    (FightKind::Fire, ""),
    (
        FightKind::Fire,
        "firer.men=650 firer.weapon=smoothbore range=160 target.cover=soft target.leader=brigade",
    ),
    (
        FightKind::Fire,
        "firer.grade=veteran target.grade=raw target.cover=hard target.flanked=true range=90",
    ),
    (FightKind::Charge, ""),
    (
        FightKind::Charge,
        "attacker.grade=veteran attacker.men=600 defender.grade=poor defender.leader=brigade",
    ),
    (
        FightKind::Charge,
        "defender.cover=soft defender.weapon=repeater attacker.leader=brigade",
    ),
    (
        FightKind::Charge,
        "defender.flanked=true defender.cover=hard defender.men=250",
    ),
    (
        FightKind::Melee,
        "attacker.grade=crack defender.grade=veteran defender.men=750",
    ),
    (
        FightKind::Firefight,
        "a.grade=poor b.men=275 b.weapon=smoothbore",
    ),
    (
        FightKind::Firefight,
        "a.cover=hard b.cover=soft range=180 turns=3 b.leader=brigade",
    ),
];

fn shares(marginal: &Marginal) -> String {
    let parts: Vec<String> = marginal
        .values()
        .iter()
        .map(|value| format!("{} {:.6}", value.label, value.p))
        .collect();
    parts.join(", ")
}

#[test]
fn ten_common_fights_are_as_they_were() {
    let common = common();
    let mut out = String::new();
    for (kind, text) in FIGHTS {
        out += &format!("{} {text}\n", kind.label());
        for rules in names() {
            match fight(&common, rules, kind, text) {
                Err(reason) => out += &format!("  {rules}: left out: {reason}\n"),
                Ok(played) => {
                    out += &format!("  {rules}: {}", shares(&played.headline()));
                    for (loss, _) in kind.losses() {
                        out += &format!("; {loss} {:.6}", played.marginal(loss).mean());
                    }
                    out += &format!("; assumed: {}\n", played.assumptions().join(", "));
                }
            }
        }
    }
    insta::assert_snapshot!(out);
}

/// Every value of every key, as each ruleset says it, or why it does not.
#[test]
fn every_translation_is_as_it_was() {
    let common = common();
    let mut out = String::new();
    for rules in names() {
        for &kind in FightKind::ALL {
            let procedure = common.procedure(kind.label()).unwrap();
            for setting in &procedure.settings {
                if setting.key == RULESET_KEY {
                    continue;
                }
                let values: Vec<String> = match setting.key.rsplit('.').next() {
                    Some("men") => ["100", "250", "412", "1000"].map(String::from).into(),
                    Some("range") => ["1", "120", "121", "480", "1000"].map(String::from).into(),
                    Some("turns") => vec!["1".into(), "50".into()],
                    _ => {
                        let values = setting.sample_values();
                        values.iter().map(ToString::to_string).collect()
                    }
                };
                for value in values {
                    let text = format!("{}={value}", setting.key);
                    out += &match fight(&common, rules, kind, &text) {
                        Err(reason) => {
                            format!("{rules} {} {text}: left out: {reason}\n", kind.label())
                        }
                        Ok(played) => {
                            let notes: Vec<String> = played
                                .notes
                                .iter()
                                .map(|note| match note.name.as_str() {
                                    "in its own words" => note.text.clone(),
                                    name => format!("[{name}]"),
                                })
                                .collect();
                            format!("{rules} {} {text}: {}\n", kind.label(), notes.join(" "))
                        }
                    };
                }
            }
        }
    }
    insta::assert_snapshot!(out);
}

fn in_its_own_words(played: &Played) -> String {
    let own = played.notes.iter().find(|n| n.name == "in its own words");
    own.unwrap().text.clone()
}

/// Men in units, to the nearest, halves up, as the page says it and not as the program does.
fn size(rules: &str, men: i64) -> f64 {
    let (per, least, most) = match rules {
        "elephant" | "impact" => (30, 0, 999),
        "acw28" => (25, 11, 20),
        _ => (100, 1, 999),
    };
    ((men as f64 / f64::from(per) + 0.5).floor() as i64).clamp(least, most) as f64
}

#[test]
fn common_numbers_are_those_of_the_native_procedure() {
    let common = common();
    let mut compared = 0;
    for (kind, text) in FIGHTS {
        for rules in names() {
            let Ok(played) = fight(&common, rules, kind, text) else {
                continue;
            };
            if (rules, kind) == ("elephant", FightKind::Fire) {
                continue;
            }
            compared += 1;
            let own = in_its_own_words(&played);
            let mut words = own.splitn(3, ' ');
            let (id, native) = (words.next().unwrap(), words.next().unwrap());
            let loaded = grapeshot_rules::find(id).unwrap().load(&[]).unwrap();
            let procedure = loaded.procedure(native).unwrap();
            let settings = procedure
                .resolve(given(words.next().unwrap_or("")))
                .unwrap();
            let odds = procedure.answer(&settings, &Options::exact()).unwrap().odds;
            // Results, through the words of the ruleset.
            let list = if native == "melee" {
                "melee"
            } else {
                kind.label()
            };
            let table = Words::new(id, &loaded.tables).unwrap();
            let contact = odds.position("contact");
            let mut shares = std::collections::BTreeMap::<String, f64>::new();
            for (row, p) in odds.joint() {
                let label = odds.variables()[0].label(row[0]);
                let touched = contact.is_some_and(|at| row[at] == 1);
                let with = format!("results.{list}.{label} with contact");
                let word = match table.word(&with) {
                    Ok(word) if touched => word,
                    _ => table.word(&format!("results.{list}.{label}")).unwrap(),
                };
                let Word::Said(result) = word else { panic!() };
                *shares.entry(result).or_default() += p;
            }
            for (result, p) in shares {
                let got = played.headline().p(&result);
                assert!((p - got).abs() < 1e-12, "{own}: {result} {p} {got}");
            }
            // Losses, by the printed measure.
            let settings = common
                .procedure(kind.label())
                .unwrap()
                .resolve(given(text))
                .unwrap();
            let counts = odds.marginals().into_iter().filter(|m| {
                let name = &m.variable().name;
                name.ends_with("lost") || name.ends_with("casualties") || name.ends_with("o_hits")
            });
            let sides: &[&str] = match kind {
                FightKind::Fire => &["target"],
                FightKind::Charge | FightKind::Melee => &["attacker", "defender"],
                FightKind::Firefight => &["a", "b"],
            };
            for ((count, (loss, _)), side) in counts.zip(kind.losses()).zip(sides) {
                let whole = match rules {
                    "fireline" => 6.0,
                    _ => size(rules, settings.whole(&format!("{side}.men"))),
                };
                let mean: f64 = count
                    .values()
                    .iter()
                    .map(|v| (v.number / whole).min(1.0) * v.p)
                    .sum();
                let got = played.marginal(loss).mean();
                assert!((mean - got).abs() < 1e-12, "{own}: {loss} {mean} {got}");
            }
        }
    }
    assert!(compared > 25, "only {compared} fights were compared");
}

/// The printed fire, then the printed test, put together by hand.
#[test]
fn an_elephant_volley_is_its_fire_and_then_its_morale_test() {
    let common = common();
    let elephant = grapeshot_rules::find("elephant")
        .unwrap()
        .load(&[])
        .unwrap();
    let text = "target.grade=poor target.cover=soft target.leader=brigade target.flanked=true target.men=200";
    let played = fight(&common, "elephant", FightKind::Fire, text).unwrap();
    let fire = elephant.procedure("fire").unwrap();
    let shot = given("firer.stands=13 target.stands=7 target.cover=soft target.exposed=true");
    let shot = fire.resolve(shot).unwrap();
    let shot = fire.answer(&shot, &Options::exact()).unwrap().odds;
    let (mut steady, mut shaken, mut broken, mut mean) = (0.0, 0.0, 0.0, 0.0);
    for (row, p) in shot.joint() {
        let effect = shot.variables()[0].label(row[0]);
        let (hits, lost) = (f64::from(row[1]), row[2]);
        mean += p * hits / 21.0;
        if effect == "none" {
            steady += p;
            continue;
        }
        let panic = (row[1]).clamp(1, 2);
        let morale = elephant.procedure("morale").unwrap();
        let test = format!(
            "unit.grade=poor unit.panic={panic} unit.stands_lost={lost} unit.flank_fire=true unit.cover=true unit.commander=1"
        );
        let settings = morale.resolve(given(&test)).unwrap();
        let test = morale.answer(&settings, &Options::exact()).unwrap().odds;
        let result = test.marginal("result").unwrap();
        steady += p * (result.p("pass") + result.p("overenthusiastic"));
        shaken += p * result.p("hit");
        mean += p * result.p("hit") / 21.0;
        broken += p * (result.p("retreat") + result.p("rout"));
    }
    let condition = played.headline();
    for (label, p) in [("steady", steady), ("shaken", shaken), ("broken", broken)] {
        assert!((condition.p(label) - p).abs() < 1e-12, "{label}");
    }
    assert!((played.marginal("loss").mean() - mean).abs() < 1e-12);
}

#[test]
fn fire_beyond_reach_has_no_effect_in_any_ruleset() {
    let common = common();
    for rules in names() {
        if let Ok(played) = fight(&common, rules, FightKind::Fire, "range=1000") {
            assert_eq!(played.headline().p("steady"), 1.0, "{rules}");
            assert_eq!(played.marginal("loss").mean(), 0.0, "{rules}");
        }
    }
}

#[test]
fn a_loss_is_never_more_than_everybody() {
    // Three figures can be told to lose four.
    let played = fight(
        &common(),
        "impact",
        FightKind::Charge,
        "defender.men=100 defender.flanked=true",
    )
    .unwrap();
    let loss = played.marginal("defender_loss");
    assert_eq!(loss.quantile(1.0), 1.0);
    assert_eq!(loss.values().iter().filter(|v| v.number == 1.0).count(), 1);
}

#[test]
fn a_variant_of_any_ruleset_changes_the_common_fight() {
    let variant = |text: &str| Variant::parse("house.toml", text);
    let house = variant("rules = \"gbacw\"\n[common.grade]\nregular = \"6\"\n").unwrap();
    let common = grapeshot_rules::find("common")
        .unwrap()
        .load(&[house])
        .unwrap();
    let played = fight(&common, "gbacw", FightKind::Fire, "").unwrap();
    assert!(in_its_own_words(&played).contains("target.morale=6"));
    assert!(
        in_its_own_words(&fight(&common, "elephant", FightKind::Fire, "").unwrap())
            .contains("regular")
    );
    // A word that is no word of the ruleset is found at once.
    let slip = variant("rules = \"gbacw\"\n[common.results.fire]\npinned = \"shakn\"\n").unwrap();
    let error = grapeshot_rules::find("common")
        .unwrap()
        .load(&[slip])
        .unwrap_err();
    assert!(
        error.to_string().contains("steady | shaken | broken"),
        "{error}"
    );
    let other = variant("rules = \"nobody\"\n").unwrap();
    let error = grapeshot_rules::find("common")
        .unwrap()
        .load(&[other])
        .unwrap_err();
    assert!(matches!(error, RuleError::Table { .. }));
}

#[test]
fn a_fight_that_loses_its_ratio_is_told_at_the_nearest_size_that_keeps_it() {
    let common = common();
    let options = compare_options();
    let men = given("attacker.men=240 defender.men=180");
    let compared = compare(&common, FightKind::Charge, &men, &[], &options).expect("a comparison");
    let charge = common.procedure("charge").expect("it is there");
    let mut told = 0;
    for row in &compared.fights[0].rows {
        let played = row.played.as_ref().expect("all play a charge");
        assert_eq!(
            played.another().is_some(),
            row.in_proportion.is_some(),
            "{}",
            row.rules
        );
        let Some(kept) = &row.in_proportion else {
            continue;
        };
        told += 1;
        let [one, other] = kept.men;
        assert_eq!(one * 180, other * 240, "{}", row.rules);
        let same = given(&format!("attacker.men={one} defender.men={other}"));
        let same = play(charge, &row.rules, &same, &options).expect("a fight");
        let same = same.expect("it is played");
        assert!(same.another().is_none(), "{}", row.rules);
        assert_eq!(same.headline(), kept.played.headline());
        // No size between the two would have done.
        for by in (180 / 3)..(other / 3) {
            let nearer = given(&format!("attacker.men={} defender.men={}", 4 * by, 3 * by));
            let nearer = play(charge, &row.rules, &nearer, &options).expect("a fight");
            assert!(
                nearer.is_ok_and(|nearer| nearer.another().is_some()),
                "{} {by}",
                row.rules
            );
        }
    }
    assert!(told >= 3, "{told}");
}

#[test]
fn a_fight_no_ruleset_plays_is_an_error_with_every_reason() {
    let variants: Vec<Variant> = names()
        .into_iter()
        .map(|rules| {
            let text = format!("rules = \"{rules}\"\n[common.procedures]\nmelee = \"left out: a house rule of {rules}\"\n");
            Variant::parse("house.toml", &text).unwrap()
        })
        .collect();
    let common = grapeshot_rules::find("common")
        .unwrap()
        .load(&variants)
        .unwrap();
    let Err(OddsError::Rule(error)) =
        compare(&common, FightKind::Melee, &[], &[], &compare_options())
    else {
        panic!("every ruleset is left out")
    };
    for rules in names() {
        assert!(
            error
                .to_string()
                .contains(&format!("a house rule of {rules}")),
            "{error}"
        );
    }
}

#[test]
fn a_comparison_lists_results_assumptions_reasons_and_distances() {
    let fight = given("defender.cover=soft defender.grade=raw");
    let comparison = compare(
        &common(),
        FightKind::Charge,
        &fight,
        &[],
        &compare_options(),
    )
    .unwrap();
    let document = comparison.document();
    let all = Layout {
        all: true,
        ..Layout::default()
    };
    insta::assert_snapshot!(render::text(&document, all));
    let json = comparison.data();
    let rows = json["fights"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), names().len());
    assert!(rows[3]["left_out"].as_str().unwrap().contains("grade"));
    assert_eq!(rows[1]["assumptions"][1]["name"], "cover");
    let distances = &json["fights"][0]["distances"];
    assert_eq!(distances[0]["matrix"][0][0], 0.0);
    assert!(distances[0]["matrix"][0][3].is_null());
    let csv = render::csv(&document);
    assert_eq!(csv.lines().count(), 1 + names().len());
    assert!(
        csv.starts_with(
            "ruleset,won,undecided,lost,stopped,mean_attacker_loss,mean_defender_loss,"
        )
    );
}

#[test]
fn cards_agree_with_the_fights_they_are_made_of() {
    let common = common();
    let cards = cards(
        &common,
        &["elephant".into(), "impact".into()],
        &compare_options(),
    )
    .unwrap();
    assert_eq!(cards.len(), 2);
    for card in &cards {
        let won = |text: &str| {
            let played = fight(&common, &card.rules, FightKind::Charge, text).unwrap();
            played.headline().p("won")
        };
        let figure = |topic: &str, name: &str| {
            let found = card
                .figures
                .iter()
                .find(|f| f.topic == topic && f.name == name);
            match found.unwrap().value {
                Ok(grapeshot_study::Amount::Is(x)) => x,
                ref other => panic!("{topic} {name}: {other:?}"),
            }
        };
        assert_eq!(figure("attacker's edge", "at equal men and grade"), won(""));
        assert_eq!(
            figure("flank", "in a charge"),
            won("defender.flanked=true") - won("")
        );
        assert!(
            card.figures
                .iter()
                .all(|f| f.exact && !f.definition.is_empty())
        );
    }
    assert!(grapeshot_study::cards(&common, &["nobody".into()], &compare_options()).is_err());
}

#[test]
fn an_experiment_sweeps_over_rulesets_and_reports_what_is_refused() {
    let text = "title = \"t\"\nquestion = \"q\"\nrules = \"common\"\nprocedure = \"charge\"\nmethod = \"exact\"\n[sweep]\nruleset = [\"elephant\", \"acw28\"]\ndefender.flanked = [false, true]\n";
    let experiment = grapeshot_study::Experiment::parse("t", "t.toml", text).unwrap();
    let none = |name: &str| Err(RuleError::Other(name.into()));
    let prepared = run::Prepared::new(experiment, Overrides::default(), none).unwrap();
    let results = run::run(&prepared, &Default::default()).unwrap().unwrap();
    let refused: Vec<&String> = results
        .cells
        .iter()
        .filter_map(|cell| cell.answers.as_ref().err())
        .collect();
    assert_eq!(results.cells.len(), 4);
    assert_eq!(refused.len(), 1);
    assert_eq!(
        refused[0],
        "defender flanked: the source knows no flank in melee"
    );
}
