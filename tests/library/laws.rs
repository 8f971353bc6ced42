//! Laws that hold whatever is set: checked over random settings of every procedure of every ruleset.
//!
//! A failing case is shrunk to the fewest keys that leave their defaults, and printed as the words one
//! would type.

use clap::Parser;
use grapeshot::cli::{Cli, run};
use grapeshot_engine::dist::{Distribution, VariableKind};
use grapeshot_engine::engine::{Answer, Budget, End, Method, Stop, solve};
use grapeshot_engine::stats::{wilson, wilson_of};
use grapeshot_rules::{OddsError, Options, Procedure, Settings};
use proptest::prelude::*;
use proptest::sample::Index;

/// Larger graphs are passed over, so that a case takes milliseconds.
const SMALL: Budget = Budget { states: 10_000 };

/// A procedure with settings.
#[derive(Clone)]
struct Scenario {
    rules: &'static str,
    procedure: &'static Procedure,
    settings: Settings,
    given: Vec<(String, String)>,
}

impl std::fmt::Debug for Scenario {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.words().join(" "))
    }
}

impl Scenario {
    /// What one would type after `grapeshot odds`.
    fn words(&self) -> Vec<String> {
        let mut words = vec![self.rules.to_owned(), self.procedure.name.to_string()];
        words.extend(
            self.given
                .iter()
                .map(|(key, value)| format!("{key}={value}")),
        );
        words
    }

    /// The exact answer; nothing if the graph is large.
    fn solved(&self) -> Option<Distribution> {
        let play = (self.procedure.build)(&self.settings).expect("legal settings");
        let graph = play.compile(SMALL).ok()?;
        // Rows of a common fight are native until they are read.
        let reading = play.relabelling();
        let read = |mut end: End| {
            end.row = reading.map_or(end.row, |reading| (reading.row)(&end.row));
            end
        };
        let ends = solve(&graph).into_iter().map(|(end, p)| (read(end), p));
        let answer = Answer::Exact(ends.collect());
        let variables = reading.map_or(&self.procedure.variables, |reading| &reading.variables);
        let variables = variables.clone();
        Some(answer.distribution(variables, &play.phases(), 0))
    }

    /// The same scenario with one key more.
    fn with(&self, key: &str, value: &str) -> Option<Scenario> {
        let mut given = self.given.clone();
        given.push((key.to_owned(), value.to_owned()));
        let settings = self.procedure.resolve(given.iter().map(|(k, v)| (k, v)));
        let settings = settings.expect("a key of the procedure");
        (self.procedure.build)(&settings).ok()?;
        Some(Scenario {
            settings,
            given,
            ..self.clone()
        })
    }

    /// What the program prints.
    fn printed(&self, options: &[&str]) -> String {
        let mut words = vec!["grapeshot".to_owned(), "odds".to_owned()];
        words.extend(self.words());
        words.extend(options.iter().map(|&option| option.to_owned()));
        let cli = Cli::try_parse_from(&words).expect("words that parse");
        run(cli).unwrap_or_else(|error| panic!("{}: {error}", words.join(" ")))
    }
}

/// Scenarios of the procedures that satisfy a condition; about a third of the keys leave their
/// defaults.
fn scenarios(
    wanted: impl Fn(&str, &Procedure) -> bool + Clone + 'static,
) -> impl Strategy<Value = Scenario> {
    let keys = prop::collection::vec(prop::option::weighted(0.35, any::<Index>()), 64);
    (any::<Index>(), keys).prop_map(move |(which, keys)| {
        let all: Vec<_> = crate::scenarios::procedures()
            .filter(|(rules, procedure)| wanted(rules, procedure))
            .collect();
        let (rules, procedure) = all[which.index(all.len())];
        let (settings, given) = crate::scenarios::settings(procedure, |at| {
            keys[at % keys.len()].map(|choice| choice.index(1 << 16))
        });
        Scenario {
            rules,
            procedure,
            settings,
            given,
        }
    })
}

fn any_scenario() -> impl Strategy<Value = Scenario> {
    scenarios(|_, _| true)
}

fn elephant(procedures: &'static [&'static str]) -> impl Strategy<Value = Scenario> {
    scenarios(move |rules, p| rules == "elephant" && procedures.contains(&&*p.name))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

proptest! {
    // Seeds are not fixed: a law holds for every case, so a new one each time can only find more.
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_mass_is_one_and_every_way_is_somewhere(scenario in any_scenario()) {
        let Some(odds) = scenario.solved() else { return Ok(()) };
        let joint = odds.joint();
        prop_assert!(near(joint.iter().map(|(_, p)| p).sum(), 1.0));
        prop_assert!(joint.iter().all(|&(_, p)| p > 0.0 && p <= 1.0 + 1e-12));
        let stages = odds.stages();
        let ended: f64 = stages.iter().flat_map(|stage| &stage.ended).map(|ended| ended.p).sum();
        prop_assert!(near(ended, 1.0));
        prop_assert!(near(stages.last().map_or(1.0, |stage| stage.goes_on), 0.0));
        prop_assert!(stages.is_sorted_by(|a, b| a.goes_on >= b.goes_on));
    }

    #[test]
    fn the_marginals_add_up_to_the_joint(scenario in any_scenario()) {
        let Some(odds) = scenario.solved() else { return Ok(()) };
        let joint = odds.joint();
        for (at, marginal) in odds.marginals().iter().enumerate() {
            let variable = marginal.variable();
            prop_assert!(near(marginal.values().iter().map(|v| v.p).sum(), 1.0));
            for value in marginal.values() {
                let rows = joint.iter().filter(|(row, _)| variable.label(row[at]) == value.label);
                prop_assert!(near(rows.map(|(_, p)| p).sum(), value.p));
            }
            let (first, last) = (&marginal.values()[0], marginal.values().last().unwrap());
            prop_assert!(near(marginal.at_least(first.number), 1.0));
            prop_assert!(near(marginal.at_least(last.number), last.p));
            let mean = marginal.mean();
            prop_assert!(first.number - 1e-9 <= mean && mean <= last.number + 1e-9);
            prop_assert!(marginal.quantile(0.1) <= marginal.quantile(0.9));
        }
    }

    /// Nothing that only chance could change changes: neither seed nor trials nor threads.
    #[test]
    fn the_exact_answer_draws_no_random_number(scenario in any_scenario(), seed in any::<u64>()) {
        if scenario.solved().is_none() { return Ok(()) }
        let asked = |seed, trials| Options {
            method: Method::Exact,
            seed,
            stop: Stop::Trials(trials),
            ..Options::exact()
        };
        let answer = |asked: &Options| scenario.procedure.answer(&scenario.settings, asked);
        let one = answer(&asked(0, 1)).unwrap().odds;
        let other = answer(&asked(seed, 1 << 40)).unwrap().odds;
        // The rows in their order and every bit of every number, as text.
        prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
        let exact = |more: &[&str]| {
            let always = ["--method", "exact", "--format", "json", "--stages", "--joint"];
            scenario.printed(&[&always, more].concat())
        };
        prop_assert_eq!(exact(&[]), exact(&["--seed", &seed.to_string(), "--threads", "2"]));
    }

    /// Every label is written once, and every value that occurs is one the variable has.
    #[test]
    fn what_occurs_is_what_was_announced(scenario in any_scenario()) {
        let Some(odds) = scenario.solved() else { return Ok(()) };
        for (announced, marginal) in scenario.procedure.variables.iter().zip(odds.marginals()) {
            // The numbers a loss can be depend on the men there are, and are announced with the answer.
            let found = marginal.variable();
            prop_assert_eq!(&announced.name, &found.name);
            prop_assert_eq!(announced.kind_name(), found.kind_name());
            if let VariableKind::Category(_) = announced.kind {
                prop_assert_eq!(announced, found);
            }
            let mut labels: Vec<&String> = marginal.values().iter().map(|v| &v.label).collect();
            let all = labels.len();
            labels.sort();
            labels.dedup();
            prop_assert_eq!(labels.len(), all);
        }
    }

    /// A budget that is too small is an error that says so, never a wrong answer.
    #[test]
    fn a_graph_over_its_budget_is_never_solved(scenario in any_scenario()) {
        let asked = Options { budget: Budget { states: 2 }, ..Options::exact() };
        match scenario.procedure.answer(&scenario.settings, &asked) {
            Ok(answered) => {
                prop_assert!(!answered.direct);
                prop_assert_eq!(answered.odds.source().trials(), None);
            }
            Err(OddsError::Engine(error)) => {
                prop_assert!(error.to_string().contains("within its budget"), "{}", error);
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Batches are fixed and so are their streams: who plays them does not matter, whether they are
    /// walked on the graph or, over a budget of one state, played directly.
    #[test]
    fn simulated_bytes_are_the_same_on_1_2_and_7_threads(scenario in any_scenario(), seed in any::<u64>(), direct in any::<bool>()) {
        if scenario.solved().is_none() { return Ok(()) }
        let seed = seed.to_string();
        // Neither a whole number of batches: the last one is short.
        let (trials, states) = if direct { ("20000", "1") } else { ("300000", "1000000") };
        let on = |threads: &str| scenario.printed(&[
            "--method", "simulate", "--trials", trials, "--max-states", states, "--seed", &seed,
            "--threads", threads, "--format", "json", "--stages", "--joint",
        ]);
        let one = on("1");
        prop_assert_eq!(&one, &on("2"));
        prop_assert_eq!(&one, &on("7"));
        let told = one.contains(&format!("\"seed\": {seed}"));
        prop_assert!(told, "the seed is printed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// "Losses never exceed what a unit has": `SIDE_stands_lost` is at most `SIDE.stands`, and what is
    /// captured is among what is lost.
    #[test]
    fn elephant_losses_are_within_strength(scenario in elephant(&["fire", "melee", "charge", "firefight", "screen"])) {
        let Some(odds) = scenario.solved() else { return Ok(()) };
        // Several units of a side are equal, and their losses are added up.
        let units = |side: &str| scenario.settings.whole_or(&format!("{side}s"), 1);
        let strength = |side: &str| units(side) * scenario.settings.whole(&format!("{side}.stands"));
        let mut checked = 0;
        for (at, variable) in odds.variables().iter().enumerate() {
            let side = match variable.name.strip_suffix("stands_lost") {
                Some("") => "target",
                Some(side) => side.trim_end_matches('_'),
                None => continue,
            };
            checked += 1;
            let captured = odds.position(&format!("{side}_captured"));
            for (row, _) in odds.joint() {
                prop_assert!(i64::from(row[at]) <= strength(side), "{} {row:?}", variable.name);
                if let Some(captured) = captured {
                    prop_assert!(row[captured] <= row[at], "{row:?}");
                }
            }
        }
        prop_assert!(checked > 0);
    }

    /// Who has lost all his stands is destroyed, and nobody else is; without contact nobody wins. Of
    /// several attackers some may have stopped before the others were destroyed.
    #[test]
    fn elephant_charges_end_as_their_losses_say(scenario in elephant(&["charge"])) {
        if scenario.settings.whole("attackers") > 1 { return Ok(()) }
        let Some(odds) = scenario.solved() else { return Ok(()) };
        let stands = |side: &str| scenario.settings.whole(&format!("{side}.stands"));
        let [outcome, contact, attacker, defender] =
            ["outcome", "contact", "attacker_stands_lost", "defender_stands_lost"]
                .map(|name| odds.position(name).unwrap());
        for (row, _) in odds.joint() {
            let end = odds.variables()[outcome].label(row[outcome]);
            let gone = i64::from(row[attacker]) == stands("attacker");
            let cleared = i64::from(row[defender]) == stands("defender");
            prop_assert_eq!(end == "attacker-destroyed", gone, "{:?}", row);
            prop_assert_eq!(end == "defender-destroyed", cleared && !gone, "{:?}", row);
            let fought = ["attacker-wins", "defender-wins", "engaged"].contains(&end.as_str());
            prop_assert!(!fought || row[contact] == 1, "{row:?}");
        }
    }

    /// More cover never helps the firer: from open to soft to hard, at least so many hits never become
    /// likelier, and the mean never rises.
    #[test]
    fn elephant_cover_never_helps_the_firer(scenario in elephant(&["fire"])) {
        let hits = ["open", "soft", "hard"].map(|cover| {
            let covered = scenario.with("target.cover", cover).expect("cover is for everyone");
            covered.solved().expect("a volley is small").marginal("hits").unwrap()
        });
        for pair in hits.windows(2) {
            prop_assert!(pair[1].mean() <= pair[0].mean() + 1e-12);
            for n in 1..=4 {
                let n = f64::from(n);
                prop_assert!(pair[1].at_least(n) <= pair[0].at_least(n) + 1e-12);
            }
        }
    }

    /// Nor does another stand ever hurt him.
    #[test]
    fn elephant_another_stand_never_hurts_the_firer(scenario in elephant(&["fire"]), stands in 1..40i64) {
        let hits = [stands, stands + 1].map(|n| {
            let firing = scenario.with("firer.stands", &n.to_string()).expect("any number of stands");
            firing.solved().expect("a volley is small").marginal("hits").unwrap()
        });
        prop_assert!(hits[0].mean() <= hits[1].mean() + 1e-12);
    }

    #[test]
    fn a_wilson_interval_contains_its_point(trials in 1..=1_000_000_000_000u64, share in 0.0..=1.0f64) {
        let count = ((trials as f64 * share) as u64).min(trials);
        let (low, high) = wilson(count, trials);
        let p = count as f64 / trials as f64;
        prop_assert!(0.0 <= low && low <= p && p <= high && high <= 1.0, "{low} {p} {high}");
        // A hundred times the trials, a narrower interval.
        let (low_more, high_more) = wilson_of(p, trials as f64 * 100.0);
        prop_assert!(high_more - low_more < high - low);
    }
}

/// Few trials, where the intervals are widest and least symmetric: every count.
#[test]
fn a_wilson_interval_contains_its_point_for_every_small_count() {
    for trials in 1..=200u64 {
        for count in 0..=trials {
            let (low, high) = wilson(count, trials);
            let p = count as f64 / trials as f64;
            assert!(
                0.0 <= low && low <= p && p <= high && high <= 1.0,
                "{count} of {trials}: {low} {high}"
            );
        }
    }
}
