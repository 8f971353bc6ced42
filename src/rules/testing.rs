//! Helpers for the tests of rulesets: exact answers, replayed dice, and the agreement of engines.

use super::{Asked, Loaded, Procedure, RuleError, find};
use crate::dice::Scripted;
use crate::dist::Distribution;
use crate::engine::{
    Answer, Budget, Engine, Method, Row, Steps, Stop, Stream, play_once, simulate, splitmix64,
};

/// Trials of each simulation that is compared with the exact answer.
const TRIALS: u64 = 1 << 15;

/// A ruleset as printed.
pub(crate) fn printed(rules: &str) -> Loaded {
    let ruleset = find(rules).expect("a known ruleset");
    ruleset.load(&[]).expect("printed tables are sound")
}

fn ask(method: Method) -> Asked {
    Asked {
        method,
        stop: Stop::Trials(TRIALS),
        seed: 1863,
        common_dice: false,
        budget: Budget::default(),
    }
}

/// The exact answer to `key=value key=value …`.
pub(crate) fn odds(rules: &str, procedure: &str, given: &str) -> Distribution {
    let loaded = printed(rules);
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    let settings = procedure.resolve(pairs(given)).expect("good settings");
    let (distribution, _) = procedure
        .odds(&settings, &ask(Method::Exact))
        .expect("an exact answer");
    distribution
}

/// The message with which settings are refused.
pub(crate) fn refusal(rules: &str, procedure: &str, given: &str) -> String {
    let loaded = printed(rules);
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    let built = procedure
        .resolve(pairs(given))
        .and_then(|settings| (procedure.build)(&settings).map(|_| ()));
    built.expect_err("settings that are refused").to_string()
}

/// The message with which a ruleset's tables are refused when `from` is changed to `to`.
pub(crate) fn table_error(rules: &str, from: &str, to: &str) -> String {
    let ruleset = find(rules).expect("a known ruleset");
    assert!(ruleset.tables.contains(from), "`{from}` is in the tables");
    let text = ruleset.tables.replacen(from, to, 1);
    let loaded: Result<Vec<Procedure>, RuleError> =
        super::TableFile::parse("changed.toml", &text).and_then(|file| (ruleset.load)(&file));
    loaded.expect_err("tables that are refused").to_string()
}

/// `key=value` by words.
pub(crate) fn pairs(given: &str) -> impl Iterator<Item = (&str, &str)> {
    given
        .split_whitespace()
        .map(|word| word.split_once('=').expect("key=value"))
}

/// Plays one trial on these readings, no more and no fewer.
pub(crate) fn replay<S: Steps>(steps: &S, readings: &[i32]) -> Row {
    let mut dice = Scripted::new(readings.iter().copied());
    let end = play_once(steps, &mut dice);
    dice.finish();
    end.row
}

/// Solved, walked and directly sampled answers agree for `count` random legal settings.
pub(crate) fn engines_agree(rules: &str, name: &str, count: u64) {
    let loaded = printed(rules);
    let procedure = loaded.procedure(name).expect("a known procedure");
    let mut random = 0x1863_0703;
    let mut draw = |below: usize| {
        random = splitmix64(random);
        (random % below as u64) as usize
    };
    let mut done = 0;
    while done < count {
        let given: Vec<(String, String)> = procedure
            .settings
            .iter()
            .map(|setting| {
                let values = setting.sample_values();
                (setting.key.clone(), values[draw(values.len())].to_string())
            })
            .collect();
        let settings = procedure.resolve(given).expect("sample values are allowed");
        let Ok(play) = (procedure.build)(&settings) else {
            continue;
        };
        done += 1;
        let describe = format!("{name} {}", settings.describe());
        let answer = |method| match procedure.odds(&settings, &ask(method)) {
            Ok((distribution, _)) => distribution,
            Err(error) => panic!("{describe}: {error}"),
        };
        let exact = answer(Method::Exact);
        let stream = Stream::common(done);
        let direct = Answer::Simulated {
            tally: simulate(&Engine::direct(play.as_ref()), stream, TRIALS),
            trials: TRIALS,
            direct: true,
        };
        let direct = Distribution::new(procedure.variables.clone(), play.phases(), direct, done);
        compare(
            &exact,
            &answer(Method::Simulate),
            &format!("walked: {describe}"),
        );
        compare(&exact, &direct, &format!("direct: {describe}"));
    }
}

/// Five standard deviations, and five trials more: a rare value is not normally distributed.
fn compare(exact: &Distribution, sampled: &Distribution, what: &str) {
    let n = TRIALS as f64;
    for (exact, sampled) in exact.marginals().iter().zip(sampled.marginals()) {
        let name = &exact.variable().name;
        let sum: f64 = exact.values().iter().map(|value| value.p).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{what}: {name} sums to {sum}");
        for value in sampled.values() {
            assert!(
                exact.p(&value.label) > 0.0,
                "{what}: {name}={} cannot be",
                value.label
            );
        }
        for value in exact.values() {
            let (p, q) = (value.p, sampled.p(&value.label));
            let allowed = 5.0 * (p * (1.0 - p).max(0.0) / n).sqrt() + 5.0 / n;
            assert!(
                (p - q).abs() <= allowed,
                "{what}: {name}={}: exact {p}, sampled {q}",
                value.label
            );
        }
    }
}
