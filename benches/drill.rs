//! Drill, question by question: from the settings as they are typed to the solved answer (a question that was asked before,
//! and one that is written out anew), from a ready question to the answer, and sampled directly.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use grapeshot_drill::load::{Files, load};
use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{Budget, DynSteps, solve};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hint::black_box;

type Given = &'static [(&'static str, &'static str)];

/// Name, ruleset, procedure, settings.
const QUESTIONS: [(&str, &str, &str, Given); 12] = [
    ("gbacw_fire", "gbacw", "fire", &[]),
    ("gbacw_charge", "gbacw", "charge", &[]),
    ("gbacw_melee", "gbacw", "melee", &[]),
    ("gbacw_morale", "gbacw", "morale", &[]),
    ("gbacw_firefight", "gbacw", "firefight", &[]),
    (
        "gbacw_firefight_green",
        "gbacw",
        "firefight",
        &[("a.morale", "green"), ("b.morale", "green")],
    ),
    (
        "gbacw_melee_green",
        "gbacw",
        "melee",
        &[("attacker.morale", "green"), ("defender.morale", "green")],
    ),
    ("impact_fire", "impact", "fire", &[]),
    ("impact_charge", "impact", "charge", &[]),
    ("impact_morale", "impact", "morale", &[]),
    ("impact_rally", "impact", "rally", &[]),
    ("impact_move", "impact", "move", &[]),
];

/// How many trials are played directly.
const TRIALS: u64 = 10_000;

fn own(path: String) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(path).expect("a file of the project")
}

/// A ruleset's text and tables.
fn texts(id: &str) -> (String, String) {
    (
        own(format!("crates/grapeshot-rules/rules/{id}/{id}.drill")),
        own(format!("crates/grapeshot-rules/rules/{id}/tables.toml")),
    )
}

fn rules(text: &str, tables: &str) -> Rules {
    let files = Files {
        texts: vec![("ruleset.drill", text)],
        tables: Some(("tables.toml", tables)),
        variants: Vec::new(),
    };
    let standard = |name: &str| {
        Some(own(format!(
            "crates/grapeshot-rules/rules/standard/{name}.drill"
        )))
    };
    Rules::new(load(&files, &standard).program.expect("it is right"))
}

fn answer(play: &dyn DynSteps) -> usize {
    solve(&play.compile(Budget::default()).unwrap()).len()
}

fn benches(c: &mut Criterion) {
    for id in ["gbacw", "impact"] {
        let (text, tables) = texts(id);
        c.bench_function(&format!("load_{id}"), |b| {
            b.iter(|| black_box(rules(&text, &tables)));
        });
    }
    let drilled = ["gbacw", "impact"].map(|id| {
        let (text, tables) = texts(id);
        rules(&text, &tables)
    });
    for (name, id, procedure, given) in QUESTIONS {
        let rules = &drilled[usize::from(id == "impact")];
        let play = rules.ask(procedure, given).unwrap();
        let mut group = c.benchmark_group("asked_and_solved");
        group.bench_function(BenchmarkId::new("again", name), |b| {
            b.iter(|| black_box(answer(&rules.ask(procedure, given).unwrap())));
        });
        group.bench_function(BenchmarkId::new("first", name), |b| {
            b.iter(|| black_box(answer(&rules.ask_anew(procedure, given).unwrap())));
        });
        group.finish();
        c.bench_function(&format!("compiled_and_solved/{name}"), |b| {
            b.iter(|| black_box(answer(&play)));
        });
        let mut group = c.benchmark_group("played_directly");
        group.sample_size(10);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(1863);
                let mut counts = Default::default();
                play.play(&mut rng, TRIALS, &mut counts);
                black_box(counts.len())
            });
        });
        group.finish();
    }
}

criterion_group!(drill, benches);
criterion_main!(drill);
