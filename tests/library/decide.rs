//! Decisions: figures worked out independently, and laws that hold whatever is set.

use crate::scenarios;
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::{Answer, Budget, Engine, Stream, simulate, splitmix64};
use grapeshot_rules::{Decision, Settings};
use grapeshot_study::decide::{Decided, decide};
use serde_json::Value;

/// Larger games are passed over, so that a case takes milliseconds.
const SMALL: Budget = Budget { states: 30_000 };

/// Every procedure that can be decided, with the name of its ruleset.
fn decisions() -> Vec<(&'static str, Decision)> {
    let of = |loaded: &'static grapeshot_rules::LoadedRuleset| {
        let decisions = loaded.decisions().expect("the printed tables load");
        decisions
            .into_iter()
            .map(|decision| (loaded.id(), decision))
    };
    scenarios::rulesets().iter().flat_map(of).collect()
}

/// Random legal settings of every decision, with their answer.
fn each_decided(count: u64, mut check: impl FnMut(&str, &Decision, &Settings, &Decided)) {
    for (rules, decision) in decisions() {
        let name = decision.procedure.name.clone();
        let mut seen = 0;
        for seed in 0..count * 4 {
            let mut random = splitmix64(seed ^ 0x1863);
            let pick = |_: usize| {
                random = splitmix64(random);
                random.is_multiple_of(3).then_some((random >> 20) as usize)
            };
            let (settings, given) = scenarios::settings(&decision.procedure, pick);
            let words: Vec<String> = given.iter().map(|(k, v)| format!("{k}={v}")).collect();
            let what = format!("{rules} {name} {}", words.join(" "));
            match decide(&decision, &settings, SMALL) {
                Ok(decided) => check(&what, &decision, &settings, &decided),
                Err(error) => {
                    assert!(error.to_string().contains("states"), "{what}: {error}");
                    continue;
                }
            }
            seen += 1;
            if seen == count {
                break;
            }
        }
        assert!(seen > 0, "{rules} {name} was never small enough");
    }
}

/// The mean worth of what is reported.
fn mean_worth(decision: &Decision, settings: &Settings, odds: &Distribution) -> f64 {
    let steps = (decision.build)(settings).expect("legal settings");
    odds.joint()
        .iter()
        .map(|(row, p)| p * steps.value(row))
        .sum()
}

#[test]
fn no_plan_and_no_first_action_is_worth_more_than_best_play() {
    each_decided(12, |what, _, _, decided| {
        let best = decided.value + 1e-12;
        for worth in decided.plans.iter().chain(&decided.actions) {
            assert!(
                worth.value <= best,
                "{what}: {} {}",
                worth.name,
                worth.value
            );
        }
        if let Some(thumb) = &decided.thumb {
            assert!(
                thumb.value <= best && thumb.loses >= 0.0,
                "{what}: {thumb:?}"
            );
        }
    });
}

#[test]
fn the_odds_under_best_play_are_worth_its_value_and_the_policy_is_a_policy() {
    each_decided(12, |what, decision, settings, decided| {
        let mean = mean_worth(decision, settings, &decided.odds);
        assert!(
            (mean - decided.value).abs() < 1e-12,
            "{what}: {mean} {}",
            decided.value
        );
        for state in &decided.policy {
            assert!(state.margin >= 0.0 && state.p > 0.0, "{what}: {state:?}");
        }
        let turns = decided
            .policy
            .iter()
            .map(|state| state.turn)
            .max()
            .unwrap_or(0);
        for turn in 1..=turns {
            // At the defaults no state offers a's main choice twice in a turn.
            let own = decided.policy.iter().filter(|s| s.turn == turn && s.own);
            let main = own.filter(|s| decided.actions.iter().any(|a| a.name == s.action));
            let sum: f64 = main.map(|state| state.p).sum();
            assert!(sum <= 1.0 + 1e-12, "{what}: turn {turn}: {sum}");
        }
    });
}

#[test]
fn play_by_the_policy_simulated_agrees_with_its_odds() {
    const TRIALS: u64 = 1 << 14;
    each_decided(2, |what, decision, settings, decided| {
        let play = (decision.procedure.build)(settings).expect("legal settings");
        let graph = play.compile(SMALL).expect("it was decided");
        let walked = simulate(&Engine::walk(graph), Stream::common(7), TRIALS);
        let direct = simulate(&Engine::direct(play.as_ref()), Stream::common(8), TRIALS);
        for (how, tally) in [("walked", walked), ("direct", direct)] {
            let answer = Answer::Simulated {
                tally,
                trials: TRIALS,
                direct: false,
            };
            let variables = decision.procedure.variables.clone();
            let sampled = answer.distribution(variables, &play.phases(), 7);
            for (exact, sampled) in decided.odds.marginals().iter().zip(sampled.marginals()) {
                for value in exact.values() {
                    let (p, n) = (value.p, TRIALS as f64);
                    let allowed = 5.0 * (p * (1.0 - p).max(0.0) / n).sqrt() + 5.0 / n;
                    let q = sampled.p(&value.label);
                    assert!(
                        (p - q).abs() <= allowed,
                        "{how}: {what}: {} {p} {q}",
                        value.label
                    );
                }
            }
        }
    });
}

/// What is wrong with one worked case.
fn disagreements(case: &Value) -> Vec<String> {
    let text = |name: &str| case[name].as_str().expect("text");
    let loaded = grapeshot_rules::find(text("rules"))
        .and_then(|r| r.load(&[]))
        .expect("a ruleset");
    let decision = loaded.decision(text("procedure")).expect("a procedure");
    let given = case["settings"].as_object().expect("settings").iter();
    let settings = decision
        .procedure
        .resolve(given.map(|(k, v)| (k, written(v))));
    let decided = decide(&decision, &settings.expect("settings"), Budget::default());
    let decided = decided.expect("an answer");
    let expect = &case["expect"];
    let mut wrong = Vec::new();
    let mut same = |what: &str, want: f64, got: f64| {
        if (want - got).abs() > 1e-9 {
            wrong.push(format!("{}: {what}: want {want}, got {got}", case["id"]));
        }
    };
    let number = |value: &Value| value.as_f64().expect("a number");
    same("value", number(&expect["value"]), decided.value);
    for (list, got) in [("actions", &decided.actions), ("plans", &decided.plans)] {
        let want = expect[list].as_object().expect("values");
        same(list, want.len() as f64, got.len() as f64);
        for worth in got {
            let want = want.get(&*worth.name).map_or(f64::NAN, number);
            same(&worth.name, want, worth.value);
        }
    }
    for (name, values) in expect["variables"].as_object().expect("variables") {
        let marginal = decided.odds.marginal(name).expect("a variable");
        for (value, p) in values.as_object().expect("values") {
            same(&format!("{name}={value}"), number(p), marginal.p(value));
        }
    }
    let size = expect["policy_size"].as_u64().expect("a size");
    same("policy", size as f64, decided.policy.len() as f64);
    let best = decided.best.as_deref().unwrap_or("");
    same("best", 1.0, f64::from(u8::from(expect["best"] == best)));
    wrong
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn worked_cases_agree() {
    let folder = crate::files::of_the_project("tests/data/decide");
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(folder).expect("cases") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("text");
        let cases: Vec<Value> = serde_json::from_str(&text).expect("cases");
        wrong.extend(cases.iter().flat_map(disagreements));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
