//! Helpers for the tests of rulesets: exact answers, replayed dice, and the agreement of engines.

use super::{LoadedRuleset, Options, Played, Procedure, RuleError, Settings, find};
use grapeshot_engine::dist::{Distribution, Marginal};
use grapeshot_engine::engine::{
    Answer, Budget, DynSteps, Engine, Method, Stop, Stream, simulate, solve, splitmix64,
};

/// Trials of each simulation that is compared with the exact answer.
const TRIALS: u64 = 1 << 15;

/// A ruleset as printed.
pub(crate) fn printed(rules: &str) -> LoadedRuleset {
    let ruleset = find(rules).expect("a known ruleset");
    ruleset.load(&[]).expect("printed tables are sound")
}

fn ask(method: Method) -> Options {
    Options {
        method,
        stop: Stop::Trials(TRIALS),
        ..Options::default()
    }
}

/// Settings of a procedure from `key=value key=value …`.
pub(crate) fn settings(rules: &str, procedure: &str, given: &str) -> Settings {
    let loaded = printed(rules);
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    procedure.resolve(pairs(given)).expect("good settings")
}

/// The exact answer to these settings.
pub(crate) fn solved(rules: &str, procedure: &str, settings: &Settings) -> Distribution {
    let loaded = printed(rules);
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    let answer = procedure.answer(settings, &ask(Method::Exact));
    answer.expect("an exact answer").odds
}

/// The exact answer to `key=value key=value …`.
pub(crate) fn odds(rules: &str, procedure: &str, given: &str) -> Distribution {
    solved(rules, procedure, &settings(rules, procedure, given))
}

/// So many trials of `key=value key=value …`, always the same.
pub(crate) fn simulated(rules: &str, procedure: &str, given: &str, trials: u64) -> Distribution {
    let loaded = printed(rules);
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    let options = Options {
        method: Method::Simulate,
        stop: Stop::Trials(trials),
        ..Options::default()
    };
    let settings = procedure.resolve(pairs(given)).expect("good settings");
    let answered = procedure.answer(&settings, &options);
    answered.expect("a simulated answer").odds
}

/// One variable of what is solved is the same as one of what is simulated, each value of the one being
/// said by `read` in the words of the other; five standard deviations, and five trials more.
pub(crate) fn reduces_to(
    (exact, solved): (&Distribution, &str),
    (sampled, simulated): (&Distribution, &str),
    read: impl Fn(&str) -> String,
) {
    let exact = exact.marginal(solved).expect("a variable");
    let sampled = sampled.marginal(simulated).expect("a variable");
    let n = sampled_trials(&sampled);
    let mut expected = std::collections::BTreeMap::new();
    for value in exact.values() {
        *expected.entry(read(&value.label)).or_insert(0.0) += value.p;
    }
    for value in sampled.values() {
        expected.entry(value.label.clone()).or_insert(0.0);
    }
    for (label, p) in expected {
        let q = sampled.p(&label);
        let allowed = 5.0 * (p * (1.0 - p).max(0.0) / n).sqrt() + 5.0 / n;
        assert!(
            (p - q).abs() <= allowed,
            "{simulated}={label}: solved {p}, simulated {q}"
        );
    }
}

fn sampled_trials(marginal: &Marginal) -> f64 {
    marginal.trials().expect("a simulated answer") as f64
}

/// The odds of a decision when the side that asks follows a plan.
pub(crate) fn planned(rules: &str, procedure: &str, given: &str, plan: &str) -> Distribution {
    let loaded = printed(rules);
    let decision = loaded.decision(procedure).expect("a known decision");
    let settings = decision.procedure.resolve(pairs(given));
    let steps = (decision.build)(&settings.expect("good settings")).expect("legal settings");
    let plan = steps.plans().into_iter().find(|known| *known.name == *plan);
    let played = Played::by_plan(steps, plan.expect("a known plan"));
    let graph = played.compile(Budget::default()).expect("it fits");
    let variables = decision.procedure.variables.clone();
    Distribution::solved(variables, &played.phases(), solve(&graph))
}

/// One variable of the exact answer.
pub(crate) fn marginal(rules: &str, procedure: &str, given: &str, variable: &str) -> Marginal {
    let found = odds(rules, procedure, given).marginal(variable);
    found.expect("a known variable")
}

/// Rows and columns of a printed table.
pub(crate) fn shape(rules: &str, table: &str) -> (usize, usize) {
    let grid = printed(rules).tables.grid(table).expect("a known table");
    (grid.rows.len(), grid.columns.len())
}

/// Why settings are refused.
pub(crate) fn refused(rules: &str, procedure: &str, given: &str) -> RuleError {
    let loaded = printed(rules);
    let procedure = loaded.procedure(procedure).expect("a known procedure");
    let built = procedure
        .resolve(pairs(given))
        .and_then(|settings| (procedure.build)(&settings).map(|_| ()));
    built.expect_err("settings that are refused")
}

/// The message with which settings are refused.
pub(crate) fn refusal(rules: &str, procedure: &str, given: &str) -> String {
    refused(rules, procedure, given).to_string()
}

/// The message with which a ruleset's tables are refused when `from` is changed to `to`.
pub(crate) fn table_error(rules: &str, from: &str, to: &str) -> String {
    let ruleset = find(rules).expect("a known ruleset");
    let text = ruleset.book.written().expect("a printed ruleset");
    assert!(text.contains(from), "`{from}` is in the tables");
    let text = text.replacen(from, to, 1);
    let loaded: Result<Vec<Procedure>, RuleError> = super::TableFile::parse("changed.toml", &text)
        .and_then(|file| ruleset.book.procedures(&file));
    loaded.expect_err("tables that are refused").to_string()
}

/// `key=value` by words.
pub(crate) fn pairs(given: &str) -> impl Iterator<Item = (&str, &str)> {
    given
        .split_whitespace()
        .map(|word| word.split_once('=').expect("key=value"))
}

/// States a graph may have for its procedure to be compared: what is larger takes seconds to compile.
const SMALL: Budget = Budget { states: 20_000 };

/// Settings that the rules accept, about every other one moved, drawn with a fixed seed. A value that is
/// refused together with those already moved is tried again when the others are in place, and then left
/// at its default: so flags that need another one are met too.
pub(crate) fn random_settings(procedure: &Procedure, count: usize) -> Vec<Settings> {
    let mut random = 0x1863_0703;
    let mut below = |n: usize| {
        random = splitmix64(random);
        (random >> 33) as usize % n
    };
    let legal = |given: &[(String, String)]| {
        let given = given.iter().map(|(key, value)| (key, value));
        let settings = procedure.resolve(given).expect("sample values are allowed");
        let play = (procedure.build)(&settings).ok()?;
        Some((settings, play))
    };
    let mut found = Vec::new();
    while found.len() < count {
        let mut waiting = Vec::new();
        for setting in &procedure.settings {
            if below(2) == 0 {
                let values = setting.sample_values();
                let value = values[below(values.len())].to_string();
                waiting.push((setting.key.clone(), value));
            }
        }
        let mut given = Vec::new();
        for _ in 0..2 {
            for pair in std::mem::take(&mut waiting) {
                given.push(pair);
                if legal(&given).is_none() {
                    waiting.extend(given.pop());
                }
            }
        }
        let (settings, play) = legal(&given).expect("what was accepted");
        if play.compile(SMALL).is_ok() {
            found.push(settings);
        }
    }
    found
}

/// Solved, walked and directly sampled answers agree for `count` random legal settings.
pub(crate) fn engines_agree(rules: &str, name: &str, count: usize) {
    let loaded = printed(rules);
    let procedure = loaded.procedure(name).expect("a known procedure");
    for (seed, settings) in (0..).zip(random_settings(procedure, count)) {
        agree_on(procedure, &settings, seed);
    }
}

/// Solved, walked and directly sampled answers to these settings agree.
pub(crate) fn agree_on(procedure: &Procedure, settings: &Settings, seed: u64) {
    let describe = format!("{} {}", procedure.name, settings.describe());
    let answer = |method| match procedure.answer(settings, &ask(method)) {
        Ok(answered) => answered.odds,
        Err(error) => panic!("{describe}: {error}"),
    };
    let exact = answer(Method::Exact);
    let play = (procedure.build)(settings).expect("settings that fit together");
    let direct = Answer::Simulated {
        tally: simulate(&Engine::direct(play.as_ref()), Stream::common(seed), TRIALS),
        trials: TRIALS,
        direct: true,
    };
    let direct = direct.distribution(procedure.variables.clone(), &play.phases(), seed);
    compare(
        &exact,
        &answer(Method::Simulate),
        &format!("walked: {describe}"),
    );
    compare(&exact, &direct, &format!("direct: {describe}"));
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
