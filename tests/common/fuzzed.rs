//! What is fuzzed: each function takes a text that nobody would write, and accepts or refuses it without a panic.
//!
//! `tests/library/fuzz.rs` feeds them with mangled files in every test run, `fuzz/` with what a coverage-guided
//! fuzzer comes up with.

#![allow(dead_code, reason = "a target of the fuzzer needs one of them")]

use grapeshot_engine::engine::{Budget, Watch};
use grapeshot_rules::drill;
use grapeshot_rules::fight::{RawSettings, blank};
use grapeshot_rules::{LoadedRuleset, Options, Registry, RuleError, Variant};
use grapeshot_study::luck::{game, read_log};
use grapeshot_study::roster::read_roster;
use grapeshot_study::run::Prepared;
use grapeshot_study::tune::Wish;
use grapeshot_study::{
    Experiment, Overrides, Shard, could_find, find, put_together, read_results, results_found,
};
use std::sync::{Arc, LazyLock};

/// The printed rulesets.
static PRINTED: LazyLock<Vec<Arc<LoadedRuleset>>> = LazyLock::new(|| {
    let printed = Registry::built_in();
    let loaded = printed
        .printed()
        .map(|ruleset| Arc::new(ruleset.load(&[]).expect("a ruleset")));
    loaded.collect()
});

/// Solved within a graph so small that thousands of questions take seconds.
fn briefly() -> Options {
    Options {
        budget: Budget { states: 300 },
        ..Options::exact()
    }
}

/// A study file.
pub fn study(text: &str) {
    drop(Experiment::parse("study", "study.toml", text));
}

/// A variant, laid over the ruleset it names.
pub fn variant(text: &str) {
    let Ok(variant) = Variant::parse("house.toml", text) else {
        return;
    };
    for printed in PRINTED
        .iter()
        .filter(|loaded| loaded.ruleset.takes(&variant))
    {
        let Ok(loaded) = printed.ruleset.load(std::slice::from_ref(&variant)) else {
            continue;
        };
        let procedure = &loaded.procedures[0];
        let settings = procedure
            .resolve(Vec::<(String, String)>::new())
            .expect("defaults are legal");
        drop(procedure.answer(&settings, &briefly()));
    }
}

/// A style file.
pub fn style(text: &str) {
    drop(grapeshot_study::parse_style("style.toml", text));
}

/// What somebody wishes a table to give.
pub fn wish(text: &str) {
    drop(Wish::typed(text));
}

/// A commented fight for each printed ruleset, as `rules --fight` prints it.
pub fn blank_fights() -> Vec<String> {
    let blanks = PRINTED.iter().map(|loaded| blank(loaded).expect("a fight"));
    blanks.collect()
}

/// A fight file, put to the first procedure of every ruleset.
pub fn fight(text: &str) {
    let Ok(said) = RawSettings::file("fight.toml", text) else {
        return;
    };
    for loaded in PRINTED.iter() {
        let procedure = &loaded.procedures[0];
        let Ok(heard) = said.to(loaded, procedure) else {
            continue;
        };
        if let Ok(settings) = procedure.resolve(heard.given) {
            drop(procedure.answer(&settings, &briefly()));
        }
    }
}

/// Units as somebody keeps them in a file; each of them is put on either side of the questions of its rules.
pub fn roster(text: &str) {
    let load = |id: &str| {
        let known = PRINTED.iter().find(|loaded| loaded.id() == id);
        known.cloned().ok_or_else(|| {
            RuleError::unknown("ruleset", id, PRINTED.iter().map(|loaded| loaded.id()))
        })
    };
    let Ok(roster) = read_roster("units.toml", text, load) else {
        return;
    };
    for unit in &roster.units {
        let rules = PRINTED.iter().find(|loaded| loaded.id() == unit.rules);
        for procedure in rules.into_iter().flat_map(|rules| &rules.procedures) {
            for side in ["attacker", "defender", "a", "unit"] {
                let given = unit.on_side(procedure, side);
                let given = given.iter().map(|(key, value)| (key, value.to_string()));
                drop(procedure.resolve(given));
            }
        }
    }
}

/// The log of a game: lines as they were typed, or TOML.
pub fn log(file: &str, text: &str) {
    let load = |id: &str| grapeshot_rules::find(id)?.load(&[]).map(Arc::new);
    if let Ok(log) = read_log(file, text, briefly(), load) {
        drop(game(&log, 1863));
    }
}

/// A ruleset of one's own; every procedure is asked.
pub fn ruleset(text: &str) {
    let Ok(ruleset) = drill::of_text("mine.drill", text) else {
        return;
    };
    let Ok(loaded) = Arc::new(ruleset).load(&[]) else {
        return;
    };
    for procedure in &loaded.procedures {
        if let Ok(settings) = procedure.resolve(Vec::<(String, String)>::new()) {
            drop(procedure.answer(&settings, &briefly()));
        }
    }
    drop(loaded.decisions());
}

/// Words of a command line, `key=value`, to every procedure that has such a key.
pub fn words(text: &str) {
    let given = text
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    let given: Vec<(&str, &str)> = given.collect();
    for procedure in PRINTED.iter().flat_map(|loaded| &loaded.procedures) {
        let known = |key: &str| procedure.settings.iter().any(|setting| setting.key == key);
        let mine = given.iter().filter(|(key, _)| known(key)).copied();
        let mine: Vec<(&str, &str)> = mine.collect();
        // What follows from the defaults alone is the same each time.
        if mine.is_empty() {
            continue;
        }
        if let Ok(settings) = procedure.resolve(mine) {
            drop((procedure.build)(&settings));
        }
    }
}

/// Studies whose shards are put together: walked and solved, decided, played out.
static SHARED: LazyLock<Vec<Prepared>> = LazyLock::new(|| {
    let study = |rules: &str, procedure: &str, method: &str, sweep: &str| {
        let text = format!(
            "title = \"t\"\nquestion = \"?\"\nrules = \"{rules}\"\nprocedure = \"{procedure}\"\nmethod = \"{method}\"\n\
             trials = 300\nseed = 7\n{sweep}\n"
        );
        let files = |_: &str| unreachable!("the studies name no file");
        Prepared::read(procedure, "study.toml", &text, Overrides::default(), files)
            .expect("a study")
    };
    vec![
        study(
            "elephant",
            "charge",
            "both",
            "[sweep]\n\"attacker.grade\" = [\"elite\", \"green\"]",
        ),
        study(
            "elephant",
            "standoff",
            "both",
            "[settings]\nturns = 2\n[sweep]\n\"a.grade\" = [\"elite\"]",
        ),
        study(
            "acw28",
            "battle",
            "simulate",
            "[settings]\nturns = 2\n[sweep]\n\"attacker.units\" = [2]",
        ),
    ]
});

/// What a shard of those studies writes down, of each of them alone and of all together.
pub fn parts() -> Vec<String> {
    let found = |number: u64, of: u64| {
        let shard = Shard::new(number, of).expect("a shard");
        let found = find(&SHARED, shard, &Watch::default()).expect("it is found");
        found.expect("nobody stopped it")
    };
    let mut parts = vec![found(1, 1), found(1, 2), found(2, 2)];
    for study in 0..SHARED.len() {
        let all = found(1, 1).into_iter();
        parts.push(all.filter(|one| one.study == study).collect());
    }
    let texts = parts.iter().map(serde_json::to_string);
    texts.map(|text| text.expect("plain data")).collect()
}

/// What a shard wrote down: refused, or merged into probabilities.
pub fn part(text: &str) {
    let Ok(kept) = read_results(text.as_bytes()) else {
        return;
    };
    let Some(kept) = put_together(kept) else {
        return;
    };
    if could_find(&SHARED, &kept).is_err() {
        return;
    }
    for (at, study) in SHARED.iter().enumerate() {
        let mine: Vec<_> = kept.iter().filter(|one| one.study == at).cloned().collect();
        let Ok(Some(results)) = results_found(study, &mine, &Watch::default()) else {
            continue;
        };
        let answers = results
            .cells
            .iter()
            .filter_map(|cell| cell.answers.as_ref().ok());
        for odds in answers.flat_map(|answers| answers.exact.iter().chain(&answers.simulated)) {
            for marginal in odds.marginals() {
                let chances = marginal.values().iter().map(|value| value.p);
                assert!(chances.clone().all(|p| (0.0..=1.000_001).contains(&p)));
                assert!((chances.sum::<f64>() - 1.0).abs() < 1e-5);
            }
            drop((odds.stages(), odds.joint(), odds.marginal("stage")));
        }
    }
}
