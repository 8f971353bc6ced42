//! Fights in the language of every ruleset.

use super::raw;
use super::{Language, ProcedureSettings, RawSettings, Side, blank};
use crate::fight::language::matched;
use crate::{LoadedRuleset, Procedure, Registry, RuleError};

fn all() -> impl Iterator<Item = LoadedRuleset> {
    let all = Registry::built_in().all().iter();
    all.map(|ruleset| ruleset.load(&[]).unwrap())
}

fn loaded(id: &str) -> LoadedRuleset {
    crate::find(id).unwrap().load(&[]).unwrap()
}

fn fight(text: &str) -> RawSettings {
    RawSettings::file("fight.toml", text).unwrap()
}

fn asked(
    said: &RawSettings,
    loaded: &LoadedRuleset,
    procedure: &str,
) -> Result<ProcedureSettings, RuleError> {
    said.to(loaded, loaded.procedure(procedure).unwrap())
}

fn given(heard: &ProcedureSettings) -> Vec<String> {
    heard
        .given
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect()
}

#[test]
fn every_setting_of_every_procedure_can_be_said_in_a_fight() {
    for loaded in all() {
        let language = Language::read(&loaded.tables).unwrap();
        let decisions = loaded.decisions().unwrap();
        for procedure in raw::all(&loaded, &decisions) {
            for setting in &procedure.settings {
                let values = setting.sample_values();
                let [first, .., last] = &values[..] else {
                    panic!("{} has no choice", setting.key);
                };
                for value in [first, last] {
                    said_either_way(
                        &loaded,
                        &language,
                        procedure,
                        &setting.key,
                        &value.to_string(),
                    );
                }
            }
        }
    }
}

/// A value said in the fight's words, by file and by word, is the value said in the procedure's.
fn said_either_way(
    loaded: &LoadedRuleset,
    language: &Language,
    procedure: &Procedure,
    key: &str,
    value: &str,
) {
    let place = format!("{} {} {key}={value}", loaded.ruleset.id, procedure.name);
    let own = procedure.resolve([(key, value)]).unwrap();
    let units: &[Side] = match language.is_of_one_unit(procedure) {
        true => &[Side::Attacker, Side::Defender],
        false => &[Side::Attacker],
    };
    for &unit in units {
        let name = language.names(&procedure.name, key, unit).remove(0);
        let file = RawSettings {
            unit: Some(unit),
            ..fight(&format!("\"{name}\" = \"{value}\""))
        };
        let heard = file.to(loaded, procedure).expect(&place);
        assert_eq!(procedure.resolve(heard.given).unwrap(), own, "{place}");
        assert!(heard.unused.is_empty(), "{place}: {:?}", heard.unused);
        let typed = RawSettings {
            words: vec![(name, value.into())],
            unit: Some(unit),
            ..RawSettings::default()
        };
        // A word that the procedure has itself means what it means there.
        if procedure.settings.iter().any(|s| s.key == typed.words[0].0) {
            continue;
        }
        let heard = typed.to(loaded, procedure).expect(&place);
        assert_eq!(procedure.resolve(heard.given).unwrap(), own, "{place}");
    }
}

#[test]
fn what_a_ruleset_says_of_its_fights_is_no_slip() {
    for loaded in all() {
        let id = &loaded.ruleset.id;
        let language = Language::read(&loaded.tables).unwrap();
        let decisions = loaded.decisions().unwrap();
        for (name, key) in language.mentioned() {
            let here = |p: &&Procedure| name == "*" || *p.name == *name;
            let asked = raw::all(&loaded, &decisions).filter(here);
            let mut keys = asked.flat_map(|p| &p.settings);
            let found = keys.any(|s| matched(key, &s.key).is_some());
            assert!(found, "{id}: no key of {name} is like {key}");
        }
        let words = language.words(raw::all(&loaded, &decisions));
        for (key, groups) in language.alike_keys() {
            let of = |word: &&super::language::Word<'_>| word.key.rsplit('.').next() == Some(key);
            for value in groups.iter().flatten() {
                let mut settings = words.iter().filter(of).flat_map(|word| &word.asked);
                let means = settings.any(|(_, setting)| setting.parse(value).is_ok());
                assert!(means, "{id}: no `{key}` can be `{value}`");
            }
        }
    }
}

#[test]
fn the_fight_to_start_from_loads_as_it_stands_and_with_every_line_said() {
    for loaded in all() {
        let text = blank(&loaded).unwrap();
        let start = fight(&text);
        for procedure in &loaded.procedures {
            let heard = start.to(&loaded, procedure).unwrap();
            assert_eq!(heard.given, [], "{}", loaded.ruleset.id);
            assert_eq!(heard.unused, [""; 0]);
        }
        // Keys begin right after the #, remarks after a space.
        let said: Vec<&str> = text
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(key) if !key.starts_with(' ') => key,
                _ => line,
            })
            .collect();
        let said = fight(&said.join("\n"));
        let language = Language::read(&loaded.tables).unwrap();
        let decisions = loaded.decisions().unwrap();
        let words = language.words(raw::all(&loaded, &decisions)).len();
        assert_eq!(said.fight.as_ref().unwrap().entries.len(), words);
        // What is refused there is a value that one procedure does not have, never a key.
        for procedure in raw::all(&loaded, &decisions) {
            if let Err(error) = said.to(&loaded, procedure) {
                let error = error.to_string();
                assert!(error.contains("has no equivalent in"), "{error}");
            }
        }
    }
}

#[test]
fn a_fight_is_heard_in_the_words_of_each_procedure() {
    let elephant = loaded("elephant");
    let said = fight(
        "range = 80\nattacker.stands = 8\nattacker.grade = \"veteran\"\nattacker.guns_stands = 2\n\
         defender.cover = \"wall\"\n",
    );
    let heard = |procedure: &str| asked(&said, &elephant, procedure).unwrap();
    let fire = heard("fire");
    let words = [
        "firer.stands=8",
        "range=80",
        "guns.stands=2",
        "target.cover=soft",
    ];
    for word in words {
        assert!(given(&fire).contains(&word.to_owned()), "{:?}", fire.given);
    }
    assert_eq!(fire.unused, ["attacker.grade"]);
    assert_eq!(
        fire.note(&said, "fire").unwrap(),
        "fight.toml: fire has no use for attacker.grade"
    );
    let charge = heard("charge");
    assert!(given(&charge).contains(&"defender.cover=wall".into()));
    let firefight = heard("firefight");
    assert!(given(&firefight).contains(&"b.cover=soft".into()));
    let morale = heard("morale");
    assert_eq!(given(&morale), ["unit.grade=veteran"]);
    let other = RawSettings {
        unit: Some(Side::Defender),
        ..said
    };
    let morale = asked(&other, &elephant, "morale").unwrap();
    assert_eq!(given(&morale), ["unit.cover=true"]);
}

#[test]
fn a_value_that_could_mean_two_things_is_refused_with_both() {
    let elephant = loaded("elephant");
    let said = fight("defender.cover = true");
    let error = asked(&said, &elephant, "fire").unwrap_err().to_string();
    assert_eq!(
        error,
        "fight.toml:1:18: `defender.cover`: `true` may be soft or hard in fire: say which"
    );
    let said = fight("defender.cover = false");
    let heard = asked(&said, &elephant, "charge").unwrap();
    assert_eq!(given(&heard), ["defender.cover=open"]);
}

#[test]
fn a_value_without_equivalent_is_refused_with_file_key_and_value() {
    let acw28 = loaded("acw28");
    let said = fight("melee_turns = 6\nturns = 30\nattacker.formation = \"skirmish\"");
    assert!(asked(&said, &acw28, "firefight").is_ok());
    let impact = loaded("impact");
    let said = fight("attacker.level = \"routed\"");
    assert!(asked(&said, &impact, "morale").is_ok());
    let error = asked(&said, &impact, "charge").unwrap_err().to_string();
    for part in [
        "fight.toml",
        "`attacker.level`",
        "`routed` has no equivalent in charge",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn guns_of_a_fight_are_artillery_where_a_procedure_says_so() {
    let acw28 = loaded("acw28");
    let said = fight("defender.arm = \"heavy-gun\"\ndefender.figures = 5");
    let heard = asked(&said, &acw28, "fire").unwrap();
    assert!(given(&heard).contains(&"target.arm=artillery".into()));
    let heard = asked(&said, &acw28, "firefight").unwrap();
    assert!(given(&heard).contains(&"b.arm=heavy-gun".into()));
    let battery = RawSettings {
        unit: Some(Side::Defender),
        ..said
    };
    let heard = asked(&battery, &acw28, "demolition").unwrap();
    assert_eq!(given(&heard), ["gun=heavy", "gunners=5"]);
}

#[test]
fn a_key_or_value_that_no_procedure_knows_is_refused_whatever_is_asked() {
    let elephant = loaded("elephant");
    let refused = |text: &str| {
        let of = |p: &str| asked(&fight(text), &elephant, p).unwrap_err().to_string();
        let error = of("charge");
        assert_eq!(error, of("commander"));
        error
    };
    let error = refused("attacker.grad = \"elite\"");
    assert!(error.contains("`attacker.grad`") && error.contains("did you mean `attacker.grade`?"));
    let error = refused("[firer]\nstands = 5");
    assert!(
        error.contains("a word of fire; a fight says `attacker.stands`"),
        "{error}"
    );
    let error = refused("[guns]\nstands = 5");
    assert!(
        error.contains("a fight says `attacker.guns_stands`"),
        "{error}"
    );
    let error = refused("attacker.grade = \"elit\"");
    assert!(
        error.contains("cannot be `elit`: allowed is elite | veteran"),
        "{error}"
    );
    assert!(error.contains("did you mean `elite`?"), "{error}");
    let error = refused("defender.stands = 99");
    assert!(
        error.contains("`99`") && error.contains("from 1 to 40"),
        "{error}"
    );
}

#[test]
fn what_is_typed_beats_the_fight_in_either_language() {
    let acw28 = loaded("acw28");
    let beats = |key: &str| {
        let mut said = fight("turns = 40\nattacker.figures = 12");
        said.words = vec![(key.into(), "3".into())];
        given(&asked(&said, &acw28, "firefight").unwrap())
    };
    assert_eq!(beats("turns"), ["a.figures=12", "turns=3"]);
    assert_eq!(beats("a.figures"), ["turns=40", "a.figures=3"]);
    assert_eq!(beats("attacker.figures"), ["turns=40", "a.figures=3"]);
}

#[test]
fn a_word_that_the_procedure_has_no_use_for_stays_as_it_was_typed() {
    let elephant = loaded("elephant");
    let said = RawSettings {
        words: vec![("attacker.grade".into(), "elite".into())],
        ..RawSettings::default()
    };
    let heard = asked(&said, &elephant, "fire").unwrap();
    assert_eq!(given(&heard), ["attacker.grade=elite"]);
    assert!(
        elephant
            .procedure("fire")
            .unwrap()
            .resolve(heard.given)
            .is_err()
    );
}
