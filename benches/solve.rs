//! The solver, compile included, and the parts of a question.

use criterion::{Criterion, criterion_group, criterion_main};
use grapeshot_engine::engine::{Budget, DynSteps, solve};
use grapeshot_study::decide::decide;
use std::hint::black_box;

/// Name, ruleset, procedure, settings.
type Question = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// A ruleset from a file that gives the same graphs as the built-in one.
const FILE: &str = "examples/rules/elephant";

/// Best play at the defaults, and over many turns.
const DECISIONS: [Question; 5] = [
    ("gbacw_standoff", "gbacw", "standoff", &[]),
    ("acw28_standoff", "acw28", "standoff", &[]),
    ("acw28_approach", "acw28", "approach", &[]),
    ("fireline_standoff", "fireline", "standoff", &[]),
    (
        "fireline_standoff_20_turns",
        "fireline",
        "standoff",
        &[("turns", "20"), ("b.choices", "all")],
    ),
];

fn play(rules: &str, procedure: &str, given: &[(&str, &str)]) -> Box<dyn DynSteps> {
    let loaded = grapeshot_rules::find(rules).unwrap().load(&[]).unwrap();
    let procedure = loaded.procedure(procedure).unwrap();
    let settings = procedure.resolve(given.iter().copied()).unwrap();
    (procedure.build)(&settings).unwrap()
}

fn benches(c: &mut Criterion) {
    let questions: [Question; 10] = [
        ("elephant_fire", "elephant", "fire", &[]),
        ("elephant_melee", "elephant", "melee", &[]),
        (
            "acw28_volley",
            "acw28",
            "fire",
            &[("firer.figures", "20"), ("target.figures", "20")],
        ),
        ("elephant_charge", "elephant", "charge", &[]),
        ("elephant_firefight", "elephant", "firefight", &[]),
        (
            "elephant_firefight_50_turns_of_20",
            "elephant",
            "firefight",
            &[("turns", "50"), ("a.stands", "20"), ("b.stands", "20")],
        ),
        (
            "acw28_firefight_20_figures",
            "acw28",
            "firefight",
            &[("a.figures", "20"), ("b.figures", "20")],
        ),
        ("fireline_charge", "fireline", "charge", &[]),
        ("elephant_charge_from_a_file", FILE, "charge", &[]),
        ("elephant_firefight_from_a_file", FILE, "firefight", &[]),
    ];
    for (name, rules, procedure, given) in questions {
        let play = play(rules, procedure, given);
        let mut group = c.benchmark_group("compile_and_solve");
        group.sample_size(10);
        group.bench_function(name, |b| {
            b.iter(|| black_box(solve(&play.compile(Budget::default()).unwrap())));
        });
        group.finish();
    }
    for (name, rules, procedure, given) in DECISIONS {
        let loaded = grapeshot_rules::find(rules).unwrap().load(&[]).unwrap();
        let decision = loaded.decision(procedure).unwrap();
        let settings = decision.procedure.resolve(given.iter().copied()).unwrap();
        let mut group = c.benchmark_group("decide");
        group.sample_size(10);
        group.bench_function(name, |b| {
            b.iter(|| black_box(decide(&decision, &settings, Budget::default()).unwrap()));
        });
        group.finish();
    }
    for (name, rules) in [
        ("load_elephant", "elephant"),
        ("load_elephant_from_a_file", FILE),
    ] {
        c.bench_function(name, |b| {
            b.iter(|| black_box(grapeshot_rules::find(rules).unwrap().load(&[]).unwrap()));
        });
    }
}

criterion_group!(solving, benches);
criterion_main!(solving);
